"""Forbidden Island: the least chance of losing in one flood phase, exactly.

What can be chosen: which tiles are sandbagged and which pawns lifted before the phase (to Fools' Landing, which
sinks only in a lost game), where pawns swim in it, and whom a Lift rescues.  A situation of the phase holds the places of those pawns alone that may drown.
It is *calm* where no card can be drawn twice any more: then dry tiles stay (are *firm*), and pawns beside them
are safe; cards of tiles that stay, or that no pawn in danger can come to and no loss hangs on, are *blanks*.
Where no pawn is in danger, the chance is inclusion and exclusion over the tiles whose loss loses the game.

Chances are numerators over the product of the scales of the cards to come (`scale`), below 2^126.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from math import comb, lcm

from oddsmith.kernels.island cimport (
    ANY_NUMBER, DIVER, EXPLORER, LANDING, MAX_BLOCKS, PILOT, SEATS, SPACES, TREASURES, IslandRules, State,
    around, beside, bit, lowest, next_to, popcount,
)
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_moves cimport swims
from oddsmith.kernels.island_values cimport Values, whole, wide

cdef enum:
    SAFE = 31                        # the place of a pawn that can't drown
    MOST_LIFTS = 7

cdef uint64_t ASKED = <uint64_t>1 << 63     # in the table: a question of `least_loss`

cdef uint64_t[SPACES + 1][SPACES + 1] CHOOSE


cdef void set_up():
    cdef int n, k
    for n in range(SPACES + 1):
        for k in range(n + 1):
            CHOOSE[n][k] = comb(n, k)


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
        OverflowError: the denominator passes 2^126, more than MOST_CARDS cards; from `least_loss`: more
            situations than the table holds.
        MemoryError: no room for the table.
    """

    def __init__(self, IslandTable table, bytes state, list pile, uint32_t discard, int n_cards):
        cdef int k, size
        self.table, self.g = table, <const IslandRules*>table.rules
        table._check_state(state)
        self.s = (<const State*><const char*>state)[0]
        self.n_cards = n_cards
        if n_cards > MOST_CARDS:
            raise OverflowError("too many flood cards")
        if len(pile) > MAX_BLOCKS:
            raise ValueError(f"the flood pile has at most {MAX_BLOCKS} blocks")
        pile = [block for block in pile if block] or [discard]
        self.n_blocks = len(pile)
        self.below[0] = 0
        for k in range(self.n_blocks):
            self.pile[k] = pile[k]
            self.below[k + 1] = self.below[k] | self.pile[k]
        self.denominator = 1
        self.certain[0] = self.scale[0] = 1
        sizes = self.sizes(popcount(self.below[self.n_blocks] | discard))
        for k in range(1, n_cards + 1):      # the last card first
            size = lcm(*sizes[n_cards - k])
            self.denominator *= size
            if self.denominator >= 2**126:
                raise OverflowError("the chances have too many digits")
            self.scale[k] = size
            self.certain[k] = self.certain[k - 1] * self.scale[k]
        self.values = Values()
        self.home = self.s.tiles_of[LANDING]
        while beside(self.g, self.home) & ~self.home:
            self.home |= beside(self.g, self.home)
        self.strays = self.g.diver_swims_anywhere and self.s.in_play & ~self.home

    cdef list sizes(self, int n_all):
        """By card, from how many it may be drawn; `n_all` cards are in the pile and the discard."""
        cdef int k, j
        found = []
        for k in range(self.n_blocks - 1, -1, -1):
            found += [(popcount(self.pile[k]) - j,) for j in range(popcount(self.pile[k]))]
        n_pile = len(found)
        for k in range(n_pile, self.n_cards):
            # The discard is what is left of all: up to one tile a card has sunk.
            if n_all - self.n_cards <= n_pile:
                found.append(tuple(range(1, n_all + 1)))
            else:
                found.append(tuple(range(n_all - k, n_all - (k - n_pile) + 1)))
        return found[:self.n_cards]

    def least_loss(self, uint32_t flooded, uint64_t pawns, int captured, int flown, int lifts,
                   int sandbags):
        """The least chance of losing, as a numerator, with the specials used best before the phase.

        Lifts that are left rescue pawns in the phase, if the rules let them.

        Args:
            flooded: spaces; pawns: one byte a seat; captured: set of treasures.
            flown: flights of this turn.
            lifts, sandbags: cards in all hands.
        """
        cdef wide loss = self.ask(flooded, pawns, captured, flown, lifts, sandbags)
        if self.values.full:
            raise OverflowError("too many situations of the flood phase")
        return whole(loss)

    cdef wide ask(self, uint32_t flooded, uint64_t pawns, int captured, int flown, int lifts,
                  int sandbags) noexcept:
        """`least_loss`; wrong where `values` is full."""
        cdef Situation t
        cdef uint64_t a, b
        cdef const wide* known
        cdef wide loss
        self.begin(&t, flooded, pawns, captured, flown)
        if self.wins(&t, pawns, lifts):
            return 0
        if lifts > MOST_LIFTS:
            self.values.full = True
            return 0
        t.lifts = lifts
        self.reduce(&t)
        sandbags = min(sandbags, SPACES)
        self.question(&t, sandbags, &a, &b)
        known = self.values.find(a, b)
        if known:
            return known[0]
        loss = self.prepare(&t, sandbags)
        self.values.keep(a, b, loss)
        return loss

    def signature(self, uint32_t flooded, uint64_t pawns, int captured, int flown):
        """Islands of one signature have the same least chances, whatever specials are used.

        But for a win, and for special cards that have to be played.
        """
        cdef Situation t
        cdef uint64_t a, b
        self.begin(&t, flooded, pawns, captured, flown)
        t.lifts = self.danger(&t)
        self.reduce(&t)
        self.question(&t, 0, &a, &b)
        return a, b

    cdef void question(self, const Situation* t, int sandbags, uint64_t* a, uint64_t* b) noexcept:
        """The key of a situation before the first card."""
        cdef int seat
        a[0] = (ASKED | t.flooded | <uint64_t>t.captured << 24 | <uint64_t>t.lifts << 28
                | <uint64_t>sandbags << 31)
        b[0] = t.in_play
        for seat in range(SEATS):
            b[0] |= <uint64_t>t.place[seat] << (24 + 5 * seat)

    cdef bint wins(self, const Situation* t, uint64_t pawns, int lifts) noexcept:
        """Whether Lifts bring all pawns to Fools' Landing and win the game."""
        cdef uint32_t spaces = 0
        cdef int seat
        if lifts == 0 or t.captured != (1 << TREASURES) - 1:
            return False
        for seat in range(self.g.players):
            spaces |= bit(pawns >> (8 * seat) & 0xFF)
        spaces &= ~self.s.tiles_of[LANDING]
        return lifts > (spaces != 0 if self.g.lift_anywhere else popcount(spaces))

    def useful(self, uint32_t flooded, uint64_t pawns, int captured, int flown):
        """The flooded spaces on which Sandbags may lower the chance, as in `least_loss`."""
        cdef Situation t
        self.begin(&t, flooded, pawns, captured, flown)
        return self.useful_tiles(&t)

    def matter(self, uint32_t flooded, int captured):
        """(Spaces where some pawn may be in danger, spaces worth shoring up); less with less flooded."""
        cdef Situation t
        cdef uint32_t drawn, partly, sinking, risky, near
        cdef int n_partly, n_rest, step
        self.begin(&t, flooded, 0, captured, 0)
        if not self.calm(&t):
            return t.in_play, t.in_play
        self.due(&t, &drawn, &partly, &n_partly, &n_rest)
        sinking = flooded & (drawn | partly)
        near = risky = sinking & ~beside(self.g, t.in_play & ~sinking)
        for step in range(t.left + 1):
            near |= around(self.g, near & sinking)
        if risky and self.strays:
            near = t.in_play
        return risky, near | self.vital(captured)

    cdef void begin(self, Situation* t, uint32_t flooded, uint64_t pawns, int captured,
                    int flown) noexcept:
        """The situation before the first card, without Lifts."""
        cdef int seat
        memset(t, 0, sizeof(Situation))
        t.block, t.n_below = self.pile[self.n_blocks - 1], self.n_blocks - 1
        t.flooded, t.in_play, t.captured, t.left = flooded, self.s.in_play, captured, self.n_cards
        for seat in range(SEATS):
            t.place[seat] = pawns >> (8 * seat) & 0xFF
            # Who can fly once more can fly to Fools' Landing.
            if seat >= self.g.players or (self.s.role[seat] == PILOT and (
                    self.g.pilot_swim_free or self.g.flights == ANY_NUMBER
                    or flown < self.g.flights)):
                t.place[seat] = SAFE
        self.settle(t)

    # Preparation ---------------------------------------------------------------------------------

    cdef wide prepare(self, Situation* t, int sandbags) noexcept:
        """The least chance over all tiles to sandbag and pawns to lift."""
        cdef uint8_t[SPACES] spaces
        cdef uint32_t useful = self.useful_tiles(t)
        cdef int n = 0
        # In calm more Sandbags are never worse, but that the Diver can't swim past a dry tile.
        cdef bint all_used = self.calm(t) and not (self.strays and self.danger(t))
        while useful:
            spaces[n] = lowest(useful)
            useful &= useful - 1
            n += 1
        return self.bag(t, spaces, n, min(n, sandbags), all_used, self.certain[self.n_cards] + 1)

    cdef wide bag(self, Situation* t, const uint8_t* spaces, int n, int sandbags, bint all_used,
                  wide best) noexcept:
        """The least of `best` and the chances with (up to) so many of some spaces sandbagged."""
        cdef Situation after
        cdef int k
        if best == 0 or self.values.full:
            return best
        for k in range(n if sandbags else 0):
            after = t[0]
            after.flooded &= ~bit(spaces[k])
            best = self.bag(&after, spaces + k + 1, n - k - 1, sandbags - 1, all_used, best)
        if sandbags == 0 or not all_used:
            best = self.lift(t, best)
        return best

    cdef wide lift(self, const Situation* given, wide best) noexcept:
        """The least chance over all ways to lift pawns in danger, or `best` if it is less."""
        cdef Situation t = given[0]
        cdef wide floor
        cdef int seat
        self.settle(&t)
        for seat in range(SEATS):
            t.place[seat] = SAFE
        t.lifts = 0
        floor = self.future(&t)              # whatever becomes of the pawns
        if floor >= best:
            return best
        return self.lifted(given, floor, best)

    cdef wide lifted(self, const Situation* given, wide floor, wide best) noexcept:
        cdef Situation t = given[0], after
        cdef int seat, group, spot
        self.settle(&t)
        if not self.g.lift_rescue:
            t.lifts = 0
        after = t
        best = min(best, self.future(&after))
        t.lifts = given.lifts
        if best <= floor or t.lifts == 0:
            return best
        t.lifts -= 1
        for group in range(1, 1 << self.g.players):
            spot = -1
            for seat in range(self.g.players):
                if group >> seat & 1:
                    if t.place[seat] == SAFE or (spot >= 0 and t.place[seat] != spot
                                                 and not self.g.lift_anywhere):
                        break
                    spot = t.place[seat]
            else:
                after = t
                for seat in range(self.g.players):
                    if group >> seat & 1:
                        after.place[seat] = SAFE
                best = self.lifted(&after, floor, best)
        return best

    cdef uint32_t vital(self, int captured) noexcept:
        """The tiles of Fools' Landing and of the treasures that are not captured."""
        cdef uint32_t tiles = self.s.tiles_of[LANDING]
        cdef int k
        for k in range(TREASURES):
            if not captured >> k & 1:
                tiles |= self.s.tiles_of[k]
        return tiles

    cdef uint32_t useful_tiles(self, const Situation* t) noexcept:
        """Flooded tiles that Sandbags may be worth while on."""
        cdef uint32_t useful = self.vital(t.captured) | self.near(t), drawn, partly
        cdef int n_rest, n_partly
        if self.firm(t) == 0:
            return t.flooded
        self.due(t, &drawn, &partly, &n_partly, &n_rest)
        return useful & t.flooded & (drawn | partly)

    cdef uint32_t near(self, const Situation* t) noexcept:
        """Where Sandbags may help pawns in danger: under them, beside them, and where two may come to.

        A tile farther off that only one may come to helps less than the one under it.
        """
        cdef uint32_t[SEATS] reach
        cdef uint32_t found = 0
        cdef int seat, other
        for seat in range(self.g.players):
            if t.place[seat] == SAFE:
                continue
            if self.s.role[seat] == DIVER:
                return t.in_play
            reach[seat] = self.reach(t, seat, t.left)
            found |= self.reach(t, seat, 1)
            for other in range(seat):
                if t.place[other] != SAFE and t.place[other] != t.place[seat]:
                    found |= reach[other] & reach[seat]
        return found

    cdef uint32_t reach(self, const Situation* t, int seat, int steps) noexcept:
        """Where a pawn in danger is or can come to by some swims, from tiles that sink."""
        cdef uint32_t found = bit(t.place[seat]), sinking = (t.in_play & ~self.firm(t)) | found, more
        cdef int k
        if self.s.role[seat] == DIVER:       # who swims to any tile
            return t.in_play | found
        for k in range(steps):
            more = (around(self.g, found & sinking) if self.s.role[seat] == EXPLORER
                    else beside(self.g, found & sinking))
            if more & ~found == 0:
                break
            found |= more
        return found

    # The phase -----------------------------------------------------------------------------------

    cdef bint danger(self, const Situation* t) noexcept:
        """Whether some pawn may drown."""
        cdef int seat
        for seat in range(self.g.players):
            if t.place[seat] != SAFE:
                return True
        return False

    cdef bint calm(self, const Situation* t) noexcept:
        """Whether no card to come can be drawn twice."""
        return t.left <= popcount(t.block) + t.blanks + popcount(self.below[t.n_below])

    cdef void due(self, const Situation* t, uint32_t* drawn, uint32_t* partly, int* n_partly,
                  int* n_rest) noexcept:
        """In calm: what is drawn whole, and the block that so many are still drawn of, with its size."""
        cdef int left = t.left, k = t.n_below, size = popcount(t.block) + t.blanks
        cdef uint32_t block = t.block
        drawn[0] = partly[0] = 0
        n_partly[0] = n_rest[0] = 0
        while left > 0:
            if left < size:
                partly[0], n_partly[0], n_rest[0] = block, size, left
                return
            drawn[0] |= block
            left -= size
            if left > 0:
                k -= 1
                block = self.pile[k]
                size = popcount(block)

    cdef void reduce(self, Situation* t) noexcept:
        """In calm: forget the tiles that don't matter any more."""
        cdef uint32_t drawn, partly, sinking, firm, kept = 0, tiles
        cdef int n_partly, n_rest, k
        if not self.danger(t):
            t.lifts = 0
        if not self.calm(t):
            return
        self.due(t, &drawn, &partly, &n_partly, &n_rest)
        sinking = t.flooded & (drawn | partly)
        firm = t.in_play & ~sinking
        for k in range(TREASURES + 1):
            if k == LANDING or not t.captured >> k & 1:
                tiles = self.s.tiles_of[k] & t.in_play
                # Where one stays the others don't matter.
                kept |= (tiles & firm) & -(tiles & firm) if tiles & firm else tiles
        for k in range(self.g.players):
            if t.place[k] != SAFE:
                kept |= self.reach(t, k, t.left + 1)
        t.in_play &= kept
        t.flooded = sinking & kept
        t.blanks += popcount(t.block & ~t.flooded)
        t.block &= t.flooded

    cdef uint32_t firm(self, const Situation* t) noexcept:
        """The tiles that stay: dry ones, and those not drawn, while it is calm."""
        cdef uint32_t drawn, partly
        cdef int n_partly, n_rest
        if not self.calm(t):
            return 0
        self.due(t, &drawn, &partly, &n_partly, &n_rest)
        return t.in_play & ~(t.flooded & (drawn | partly))

    cdef void settle(self, Situation* t) noexcept:
        """Forget where the pawns stand that can't drown any more."""
        cdef int seat, role, at
        cdef uint32_t firm = self.firm(t)
        for seat in range(self.g.players):
            at = t.place[seat]
            if at == SAFE or t.swimmers >> seat & 1:
                continue
            if bit(at) == self.s.tiles_of[LANDING]:
                t.place[seat] = SAFE         # it sinks only in a lost game
                continue
            role = self.s.role[seat]
            if role == DIVER and (not self.g.diver_swims_anywhere or self.home >> at & 1):
                t.place[seat] = SAFE         # some tile is the nearest, or on the way to the landing
            elif (bit(at) | next_to(self.g, role, at)) & firm or not self.may_drown(t, seat, firm):
                t.place[seat] = SAFE

    cdef bint may_drown(self, const Situation* t, int seat, uint32_t firm) noexcept:
        """Whether the cards to come are enough to sink some tile he may come to and all around it."""
        cdef uint32_t found = bit(t.place[seat]), edge = found, around_it
        cdef int k, role = self.s.role[seat], space
        if role == DIVER:                    # who swims to any tile
            return True
        for k in range(t.left):              # tiles that have sunk under him
            while edge:
                space = lowest(edge)
                edge &= edge - 1
                around_it = next_to(self.g, role, space) & t.in_play
                # Besides these, the tiles on the way but the last, which is one of them.
                if (bit(space) | around_it) & firm == 0 and popcount(around_it) + max(k - 1, 0) < t.left:
                    return True
            edge = ((around(self.g, found & ~firm) if role == EXPLORER
                     else beside(self.g, found & ~firm)) & t.in_play & ~found)
            found |= edge
        return False

    cdef wide future(self, Situation* t) noexcept:
        """The chance of losing, with the best swims and rescues."""
        cdef uint64_t a, b
        cdef const wide* known
        cdef Situation after
        cdef uint32_t rest
        cdef wide found
        cdef int seat
        if self.values.full or (t.left == 0 and not t.swimmers):
            return 0
        self.reduce(t)
        if not self.danger(t) and self.calm(t):
            return self.tile_loss(t)
        a = (t.block | <uint64_t>t.flooded << 24 | <uint64_t>t.left << 48
             | <uint64_t>t.n_below << 52 | <uint64_t>t.lifts << 57)
        b = (t.in_play | <uint64_t>t.swimmers << 44 | <uint64_t>t.captured << 48
             | <uint64_t>t.blanks << 52)
        for seat in range(SEATS):
            b |= <uint64_t>t.place[seat] << (24 + 5 * seat)
        known = self.values.find(a, b)
        if known:
            return known[0]
        if t.swimmers:
            found = self.best_swim(t)
        else:
            found, rest = 0, t.block
            while rest:
                after = t[0]
                found += self.drawn(&after, rest & -rest)
                rest &= rest - 1
            if t.blanks:
                after = t[0]
                after.blanks -= 1
                found += t.blanks * self.drawn(&after, 0)
            found *= self.scale[t.left] // (popcount(t.block) + t.blanks)
        self.values.keep(a, b, found)
        return found

    cdef wide drawn(self, Situation* t, uint32_t tile) noexcept:
        """The same behind a flood card; 0: behind a blank, already taken off."""
        cdef int k
        cdef bint sinks = t.flooded & tile != 0
        t.left -= 1
        t.block &= ~tile
        if sinks:
            t.flooded &= ~tile
            t.in_play &= ~tile
        else:
            t.flooded |= tile
        if t.block == 0 and t.blanks == 0:   # the next block, or the discard: every card left
            if t.n_below:
                t.n_below -= 1
                t.block = self.pile[t.n_below]
            else:
                t.block = t.in_play
        if sinks:
            if self.lost(t):
                return self.certain[t.left]
            for k in range(self.g.players):
                if t.place[k] != SAFE and bit(t.place[k]) == tile:
                    t.swimmers |= 1 << k
        self.settle(t)
        return self.future(t)

    cdef bint lost(self, const Situation* t) noexcept:
        cdef int k
        if self.s.tiles_of[LANDING] & t.in_play == 0:
            return True
        for k in range(TREASURES):
            if not t.captured >> k & 1 and self.s.tiles_of[k] & t.in_play == 0:
                return True
        return False

    cdef wide tile_loss(self, const Situation* t) noexcept:
        """The chance, in calm, that Fools' Landing or the last tiles of a treasure sink."""
        cdef uint32_t[TREASURES + 1] sets
        cdef uint32_t drawn, partly, tiles
        cdef int n_partly, n_rest, n_sets = 0, chosen, k, n
        cdef int64_t found = 0, ways
        self.due(t, &drawn, &partly, &n_partly, &n_rest)
        for k in range(TREASURES + 1):
            tiles = self.s.tiles_of[k] & t.in_play
            if ((k == LANDING or not t.captured >> k & 1) and tiles & ~t.flooded == 0
                    and tiles & ~(drawn | partly) == 0):
                sets[n_sets] = tiles
                n_sets += 1
        for chosen in range(1, 1 << n_sets):
            tiles, n = 0, 0
            for k in range(n_sets):
                if chosen >> k & 1:
                    tiles |= sets[k]
                    n += 1
            k = popcount(tiles & partly)
            if k <= n_rest:
                ways = CHOOSE[n_partly - k][n_rest - k]
                found += ways if n % 2 else -ways
        return self.certain[t.left] // <wide>CHOOSE[n_partly][n_rest] * <wide>found

    cdef wide best_swim(self, const Situation* t) noexcept:
        cdef int seat = lowest(t.swimmers), k, flying, rest, others
        cdef uint32_t to, firm = self.firm(t)
        cdef Situation after
        cdef State s = self.s
        cdef wide best = self.certain[t.left]
        s.in_play, s.flooded, s.flights = t.in_play, t.flooded, self.g.flights
        s.pawn[seat] = t.place[seat]
        to = swims(self.g, &s, seat)
        if to & firm:
            to = bit(SAFE)                   # any of them
        while to:
            after = t[0]
            after.place[seat] = lowest(to)
            to &= to - 1
            after.swimmers &= ~(1 << seat)
            self.settle(&after)
            best = min(best, self.future(&after))
        if t.lifts:
            others = t.swimmers & ~(1 << seat)
            rest = others
            while True:                  # every set of swimmers that this one is in
                flying = rest | 1 << seat
                after = t[0]
                after.lifts -= 1
                after.swimmers &= ~flying
                for k in range(self.g.players):
                    if flying >> k & 1:
                        after.place[k] = SAFE
                best = min(best, self.future(&after))
                if rest == 0:
                    break
                rest = (rest - 1) & others
        return best


set_up()
