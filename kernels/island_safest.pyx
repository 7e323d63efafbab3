"""Forbidden Island: the least chance of losing in the rest of a turn, exactly.

`reachable` lists every state that actions and Helicopter Lifts of the seat to move can lead to, as far
as it matters for what can be lost: tiles, pawns, treasures.  `FloodPhase` finds the least chance of
loss in a flood phase: which tiles are sandbagged and which pawns lifted before it, and the best swims in
it.
"""
from libc.stdint cimport uint32_t, uint64_t

from itertools import combinations
from math import comb, lcm

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    ANY_NUMBER, CAPTURE, DIVER, FLY, LANDING, LIFT, NAVIGATE, NOBODY, PILOT, PLAY_LIFT, SHORE, SPACES,
    TREASURES, WALK, IslandRules, State,
    bit, cards_of, lowest, next_to, one_card, popcount,
)
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_moves cimport Menu, choose, look_up, swims

cdef enum:
    MOST_SEARCHED = 1500000          # some seconds


cdef tuple key_of(const State* s, int n_seats, int lifts):
    cdef uint64_t pawns = 0
    cdef int seat
    for seat in range(n_seats):
        pawns |= <uint64_t>s.pawn[seat] << (8 * seat)
    return (s.flooded, pawns, s.captured, s.actions, s.flights, lifts)


def reachable(IslandTable table, bytes start, int most):
    """States that the seat to move can reach by actions and Helicopter Lifts that take it along.

    Args:
        table: the game.
        start: a state of the phase of actions.
        most: stop at so many states.

    Returns:
        {(flooded, pawns, captured, actions, flights, lifts): moves that lead there}, the shortest way
        found first, `pawns` one byte a seat; or None beyond `most` states.
    """
    cdef const IslandRules* g = <const IslandRules*>table.rules
    cdef State s, after
    cdef Menu menu
    cdef int k, kind, seat
    cdef move_t move
    cdef const State* given = <const State*><const char*>start
    table._check_state(start)
    lifts = sum([cards_of(given.hand[seat], LIFT) for seat in range(g.players)])
    found = {key_of(given, g.players, lifts): ()}
    edge = [(start, lifts, ())]
    while edge:
        further = []
        for state, lifts, way in edge:
            s = (<const State*><const char*>state)[0]
            if lifts == 0:
                for seat in range(g.players):
                    s.hand[seat] &= ~(<uint64_t>0xFFFF00000000)
            look_up(g, &s, &menu)
            for k in range(menu.total):
                move = choose(g, &s, &menu, k)
                kind = move & 0xFF
                if kind == PLAY_LIFT:
                    # Holders are alike; other pawns can as well be lifted after the draw.
                    if not (move >> 16 & 0xFF) >> s.to_move & 1:
                        continue
                    if <int>(move >> 8 & 0xFF) != lowest(menu.lift_holders):
                        continue
                elif kind not in (WALK, FLY, SHORE, CAPTURE, NAVIGATE):
                    continue
                after = s
                lead(g, &after, move)
                key = key_of(&after, g.players, lifts - (kind == PLAY_LIFT))
                if key not in found:
                    if len(found) >= most:
                        return None
                    found[key] = (*way, move)
                    further.append(((<char*>&after)[:sizeof(State)], key[5], found[key]))
        edge = further
    return found


cdef void lead(const IslandRules* g, State* s, move_t move) noexcept:
    """What a move changes, without going on to other phases."""
    cdef int kind = move & 0xFF, a = move >> 8 & 0xFF, b = move >> 16 & 0xFF
    cdef int c = move >> 24 & 0xFF, d = move >> 32 & 0xFF, seat
    if kind == PLAY_LIFT:
        s.hand[a] -= one_card(LIFT)
        for seat in range(g.players):
            if b >> seat & 1:
                s.pawn[seat] = c
        return
    s.actions -= 1
    if kind == WALK or kind == FLY:
        s.pawn[s.to_move] = a
        s.flights += kind == FLY and g.flights != ANY_NUMBER
    elif kind == SHORE:
        s.flooded &= ~bit(a)
        if b != NOBODY:
            s.flooded &= ~bit(b)
    elif kind == CAPTURE:
        s.captured |= 1 << a
        s.hand[s.to_move] -= g.cards_to_capture * one_card(a)
    else:
        s.pawn[a] = b
        if c != NOBODY:
            s.pawn[c] = d


cdef class FloodPhase:
    """Least chances of losing in one flood phase.

    Args:
        table: the game.
        state: a state of it, for what doesn't change: roles, tiles in play, places of treasures.
        pile: blocks as sets of spaces, the top one last.
        discard: the flood discard.
        n_cards: how many flood cards are drawn.

    Attributes:
        denominator: of all chances.

    Raises:
        OverflowError: `least_loss` has searched more than MOST_SEARCHED states of the phase.
    """

    cdef const IslandRules* g
    cdef IslandTable table
    cdef State s                     # roles, places; the rest is filled in where it is used
    cdef list pile
    cdef uint32_t discard, top_drawn, partly
    cdef int n_cards, n_rest
    cdef bint again                  # a card can be drawn twice
    cdef list scale                  # of the draw with k cards to come: common denominator
    cdef readonly object denominator
    cdef dict least, futures, losses
    cdef long n_searched

    def __init__(self, IslandTable table, bytes state, list pile, uint32_t discard, int n_cards):
        cdef int k, size
        self.table, self.g = table, <const IslandRules*>table.rules
        table._check_state(state)
        self.s = (<const State*><const char*>state)[0]
        self.pile, self.discard, self.n_cards = pile, discard, n_cards
        sizes = [popcount(block) for block in reversed(pile)]
        self.again = n_cards > sum(sizes)
        self.least, self.futures, self.losses = {}, {}, {}
        self.n_searched = 0
        draws = [size - k for size in sizes for k in range(size)]
        draws += [lcm(*range(1, SPACES + 1))] * n_cards      # behind a reshuffle sizes vary
        self.scale = [0] + draws[:n_cards][::-1]
        self.denominator = 1
        for k in range(n_cards):
            self.denominator *= draws[k]
        # Without a card drawn twice: blocks drawn whole, and the one that is drawn in part.
        self.top_drawn = self.partly = self.n_rest = 0
        left = n_cards
        for block in reversed(pile):
            size = popcount(block)
            if left >= size:
                self.top_drawn |= block
                left -= size
            elif left > 0:
                self.partly, self.n_rest, left = block, left, 0

    def least_loss(self, uint32_t flooded, uint64_t pawns, int captured, int lifts, int sandbags):
        """The least chance of losing, as a numerator, with the specials used best before the phase.

        Lifts that are left rescue pawns in the phase, if the rules let them.
        """
        cdef int seat
        cdef uint32_t danger = 0
        for seat in range(self.g.players):
            self.s.pawn[seat] = pawns >> (8 * seat) & 0xFF
            if self.endangered(flooded, seat):
                danger |= 1 << seat
        # Who is in no danger is not asked where he stands.
        place = tuple([<int>self.s.pawn[seat] if danger >> seat & 1 else NOBODY
                       for seat in range(self.g.players)])
        if danger or self.again:
            key = (flooded, place, captured, lifts, sandbags)
        else:                            # only tiles whose loss loses the game matter
            key = (flooded & self.vital(captured), captured, sandbags)
        found = self.least.get(key)
        if found is None:
            found = self.least[key] = self.best_preparation(flooded, place, danger, captured,
                                                           lifts, sandbags)
        return found

    cdef bint endangered(self, uint32_t flooded, int seat):
        """Whether a pawn might drown: it has to leave a flooded tile and has no dry one beside it."""
        cdef int role = self.s.role[seat]
        if self.again:
            return not (role == PILOT and self.g.pilot_swim_free)
        if not flooded & bit(self.s.pawn[seat]):
            return False
        if role == PILOT and self.g.pilot_swim_free:
            return False
        if role == DIVER and not self.g.diver_swims_anywhere:
            return False
        return next_to(self.g, role, self.s.pawn[seat]) & self.s.in_play & ~flooded == 0

    cdef object best_preparation(self, uint32_t flooded, tuple place, uint32_t danger,
                                 int captured, int lifts, int sandbags):
        cdef uint32_t useful = self.useful_tiles(flooded, place, captured), kept
        cdef int n, k, seat
        spaces = [k for k in range(SPACES) if useful >> k & 1]
        best = None
        for n in range(min(sandbags, len(spaces)), -1, -1):
            for chosen in combinations(spaces, n):
                kept = flooded
                for k in chosen:
                    kept &= ~bit(k)
                for left, pawns in self.lifted(place, danger, kept, lifts):
                    found = self.loss(kept, pawns, captured, left)
                    if best is None or found < best:
                        best = found
                    if best == 0:
                        return best
            if not danger and not self.again:
                break                    # more Sandbags are never worse then
        return best

    cdef uint32_t vital(self, int captured):
        """The tiles of Fools' Landing and of the treasures that are not captured."""
        cdef uint32_t tiles = self.s.tiles_of[LANDING]
        cdef int k
        for k in range(TREASURES):
            if not captured >> k & 1:
                tiles |= self.s.tiles_of[k]
        return tiles

    cdef uint32_t useful_tiles(self, uint32_t flooded, tuple place, int captured):
        """Flooded tiles that Sandbags may be worth while on."""
        cdef uint32_t useful = self.vital(captured)
        cdef int k
        for k in range(self.g.players):
            if place[k] != NOBODY:
                useful |= bit(place[k]) | self.g.around[<int>place[k]]
        if self.again:
            return flooded
        return useful & flooded & (self.top_drawn | self.partly)

    cdef list safe_spots(self, uint32_t flooded, uint32_t in_play):
        """Where lifted pawns may go: NOBODY is a dry tile, from which nobody has to swim."""
        cdef int k
        if not self.again and in_play & ~flooded:
            return [NOBODY]
        return [k for k in range(SPACES) if in_play >> k & 1]

    cdef list lifted(self, tuple place, uint32_t danger, uint32_t flooded, int lifts):
        """(lifts left, places) for each way to lift endangered pawns before the phase."""
        ways = [(lifts, place)]
        if not danger:
            return ways
        for left, now in ways:           # grows while it is read
            if left == 0:
                continue
            spots = sorted(set([space for space in now if space != NOBODY]))
            groups = [spots] if self.g.lift_anywhere and spots else [[spot] for spot in spots]
            for group in groups:
                for target in self.safe_spots(flooded, self.s.in_play):
                    after = (left - 1, tuple([target if space in group else space
                                              for space in now]))
                    if after not in ways:
                        ways.append(after)
        return ways

    cdef object loss(self, uint32_t flooded, tuple place, int captured, int lifts):
        """The chance of losing with best swims."""
        cdef int seat
        if not self.again and all([space == NOBODY for space in place]):
            return self.tile_loss(flooded, captured)
        return self.future(self.n_cards, self.pile[-1] if self.pile else 0, len(self.pile) - 1,
                           self.discard, flooded, self.s.in_play, place, captured,
                           lifts if self.g.lift_rescue else 0, 0)

    cdef object tile_loss(self, uint32_t flooded, int captured):
        """The chance that Fools' Landing or the last tiles of a treasure sink: no card comes twice."""
        cdef uint32_t tiles
        cdef int k, n
        sets = []
        for k in range(TREASURES + 1):
            tiles = self.s.tiles_of[k] & self.s.in_play
            if (k == LANDING or not captured >> k & 1) and tiles & ~flooded == 0:
                sets.append(tiles)
        key = tuple(sets)
        found = self.losses.get(key)
        if found is None:
            total, found = comb(popcount(self.partly), self.n_rest), 0
            for n in range(1, len(sets) + 1):
                for chosen in combinations(sets, n):
                    tiles = 0
                    for one in chosen:
                        tiles |= one
                    if tiles & ~(self.top_drawn | self.partly):
                        continue
                    k = popcount(tiles & self.partly)
                    if k <= self.n_rest:
                        ways = comb(popcount(self.partly) - k, self.n_rest - k)
                        found += ways if n % 2 else -ways
            found = self.losses[key] = self.denominator * found // total
        return found

    cdef object future(self, int left, uint32_t block, int n_below, uint32_t discard,
                       uint32_t flooded, uint32_t in_play, tuple place, int captured, int lifts,
                       uint32_t swimmers):
        """The numerator of the chance of losing with `left` cards to come, over their scales.

        `block` is what is left of the top block, `n_below` blocks lie under it (-1: none at all).
        """
        cdef uint32_t rest, tile
        cdef int n
        if left == 0 and not swimmers:
            return 0
        key = (left, block, n_below, flooded, in_play, place, lifts, swimmers, captured)
        found = self.futures.get(key)
        if found is not None:
            return found
        self.n_searched += 1
        if self.n_searched > MOST_SEARCHED:
            raise OverflowError("too many states of the flood phase")
        if swimmers:
            found = self.best_swim(left, block, n_below, discard, flooded, in_play, place,
                                   captured, lifts, swimmers)
        else:
            found, n, rest = 0, popcount(block), block
            while rest:
                tile = rest & -rest
                rest &= rest - 1
                found += self.drawn(left - 1, block & ~tile, n_below, discard, flooded, in_play,
                                    place, captured, lifts, tile)
            found *= self.scale[left] // n
        self.futures[key] = found
        return found

    cdef object drawn(self, int left, uint32_t block, int n_below, uint32_t discard,
                      uint32_t flooded, uint32_t in_play, tuple place, int captured, int lifts,
                      uint32_t tile):
        """The same behind a flood card."""
        cdef int k, space = lowest(tile)
        cdef uint32_t swimmers = 0
        if flooded & tile:
            flooded &= ~tile
            in_play &= ~tile
        else:
            flooded |= tile
            discard |= tile
        if block == 0:
            if n_below > 0:
                n_below -= 1
                block = self.pile[n_below]
            else:
                block, discard = discard, 0
        if in_play & tile == 0:
            if self.lost(in_play, captured):
                return self.certain(left)
            for k in range(self.g.players):
                if place[k] == space:
                    swimmers |= 1 << k
        return self.future(left, block, n_below, discard, flooded, in_play, place, captured,
                           lifts, swimmers)

    cdef bint lost(self, uint32_t in_play, int captured):
        cdef int k
        if self.s.tiles_of[LANDING] & in_play == 0:
            return True
        for k in range(TREASURES):
            if not captured >> k & 1 and self.s.tiles_of[k] & in_play == 0:
                return True
        return False

    cdef object certain(self, int left):
        """1 over the scales of the cards to come."""
        cdef int k
        total = 1
        for k in range(1, left + 1):
            total *= self.scale[k]
        return total

    cdef object best_swim(self, int left, uint32_t block, int n_below, uint32_t discard,
                          uint32_t flooded, uint32_t in_play, tuple place, int captured, int lifts,
                          uint32_t swimmers):
        cdef int seat = lowest(swimmers), space, k
        cdef uint32_t to, others, rest, flying
        cdef State s = self.s
        s.in_play, s.flooded = in_play, flooded
        s.pawn[seat] = place[seat]
        to = swims(self.g, &s, seat)
        if not self.again and to & ~flooded:
            to = (to & ~flooded) & -(to & ~flooded)      # a dry tile is safe: any of them
        best = self.certain(left)
        while to:
            space = lowest(to)
            to &= to - 1
            moved = (*place[:seat], self.settled(space, flooded), *place[seat + 1 :])
            best = min(best, self.future(left, block, n_below, discard, flooded, in_play, moved,
                                         captured, lifts, swimmers & ~bit(seat)))
        if lifts:
            spots = self.safe_spots(flooded, in_play)
            others = swimmers & ~bit(seat)
            rest = others
            while True:                  # every set of swimmers that this one is in
                flying = rest | bit(seat)
                for target in spots:
                    moved = tuple([self.settled(target, flooded) if flying >> k & 1 else place[k]
                                   for k in range(self.g.players)])
                    best = min(best, self.future(
                        left, block, n_below, discard, flooded, in_play, moved, captured,
                        lifts - 1, swimmers & ~flying))
                if rest == 0:
                    break
                rest = (rest - 1) & others
        return best

    cdef int settled(self, int space, uint32_t flooded):
        """The place of a pawn, NOBODY where it is safe for the rest of the phase."""
        if space == NOBODY or (not self.again and not flooded >> space & 1):
            return NOBODY
        return space
