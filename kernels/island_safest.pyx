"""Forbidden Island: what the seat to move can reach by actions and Helicopter Lifts.

As far as it matters for what can be lost: tiles, pawns, treasures (`island_flood` weighs it), and where
the treasure pile runs out in this turn's draw also the cards: what is discarded before is drawn again.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, CAPTURE, DISCARD, DROP, FLY, GIVE, LANDING, LIFT, NAVIGATE, NAVIGATOR, NOBODY,
    PLAY_LIFT, SANDBAGS, SEATS, SHORE, TREASURES, WALK, IslandRules, State, bit, cards_of, lowest, n_cards,
    one_card, popcount,
)
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_moves cimport Menu, can_win, choose, decider, look_up
from oddsmith.kernels.rng cimport mix

cdef enum:
    REST = 7                         # in the hands of a key: treasure cards that no capture needs


cdef struct Key:                     # what states are told apart by; without cards the last six are 0
    uint64_t pawns                   # one byte a seat
    uint32_t flooded
    uint8_t captured
    uint8_t actions
    uint8_t flights
    uint8_t lifts
    uint8_t owed                     # Sandbags given up
    uint8_t discarding
    uint8_t[6] filler                # always 0: keys are compared as bytes
    uint64_t[SEATS] hand
    uint64_t used

cdef struct Node:
    Key key
    move_t move                      # that leads there
    uint32_t parent


cdef void key_of(const IslandRules* g, const State* s, int lifts, bint cards, int owed,
                 Key* key) noexcept:
    """Treasure cards are alike but those of the seat to move that can be captured with."""
    cdef int seat, kind, n
    cdef uint64_t hand, kept
    memset(key, 0, sizeof(Key))
    for seat in range(g.players):
        key.pawns |= <uint64_t>s.pawn[seat] << (8 * seat)
    key.flooded, key.captured, key.actions = s.flooded, s.captured, s.actions
    key.flights, key.lifts = s.flights, lifts
    if not cards:
        return
    key.owed, key.discarding = owed, s.phase == DISCARD
    key.used = s.used & ~<uint64_t>0xFFFFFFFF
    for kind in range(TREASURES):
        key.used += cards_of(s.used, kind)
    for seat in range(g.players):
        hand = s.hand[seat]
        kept = hand & <uint64_t>0xFFFF00000000
        for kind in range(TREASURES):
            n = cards_of(hand, kind)
            if seat == s.to_move and n >= g.cards_to_capture and not s.captured >> kind & 1:
                kept |= <uint64_t>n << (8 * kind)
            else:
                kept += <uint64_t>n << (8 * REST)
        key.hand[seat] = kept


cdef class Search:
    """The states found, each once, in the order found; and those to go on from."""

    cdef Node* node
    cdef uint32_t n, room
    cdef uint32_t* slot              # of a table: 1 + a node, 0 where free
    cdef uint32_t n_slots
    cdef State* edge
    cdef State* further
    cdef uint32_t n_edge, n_further

    def __cinit__(self, uint32_t most):
        self.room = most
        self.n_slots = 1
        while self.n_slots < 2 * most:
            self.n_slots *= 2
        self.node = <Node*>malloc(most * sizeof(Node))
        self.slot = <uint32_t*>calloc(self.n_slots, sizeof(uint32_t))
        self.edge = <State*>malloc(most * sizeof(State))
        self.further = <State*>malloc(most * sizeof(State))
        if not (self.node and self.slot and self.edge and self.further):
            raise MemoryError

    def __dealloc__(self):
        free(self.node)
        free(self.slot)
        free(self.edge)
        free(self.further)

    cdef bint add(self, const Key* key, const State* s, uint32_t parent, move_t move) noexcept:
        """Whether the state is new; there has to be room."""
        cdef const uint64_t* word = <const uint64_t*>key
        cdef uint64_t at = 0
        cdef size_t k
        for k in range(sizeof(Key) // sizeof(uint64_t)):
            at = mix(at ^ word[k])
        at &= self.n_slots - 1
        while self.slot[at]:
            if memcmp(&self.node[self.slot[at] - 1].key, key, sizeof(Key)) == 0:
                return False
            at = (at + 1) & (self.n_slots - 1)
        self.node[self.n].key = key[0]
        self.node[self.n].parent, self.node[self.n].move = parent, move
        self.n += 1
        self.slot[at] = self.n
        self.further[self.n_further] = s[0]
        self.n_further += 1
        return True

    cdef void advance(self) noexcept:
        self.edge, self.further = self.further, self.edge
        self.n_edge, self.n_further = self.n_further, 0

    cdef dict found(self, int players, bint cards):
        """By key the moves that lead there."""
        cdef uint32_t k
        cdef const Key* key
        cdef int seat
        cdef list ways = [()]
        cdef dict found = {}
        cdef object held
        for k in range(self.n):
            key = &self.node[k].key
            if k:
                ways.append((*ways[self.node[k].parent], self.node[k].move))
            held = None
            if cards:
                held = (tuple([key.hand[seat] for seat in range(players)]), key.used, key.owed,
                        <bint>key.discarding)
            found[key.flooded, key.pawns, key.captured, key.actions, key.flights, key.lifts,
                  held] = ways[k]
        return found


def reachable(IslandTable table, bytes start, int most, bint cards=False):
    """States that the seat to move can reach by actions and Helicopter Lifts before the draw.

    Lifts that can as well be played after the draw are left out, and all Sandbags: who has to discard
    may give one up, which counts as `owed` (it may be played on any tile that is flooded at the end).

    Args:
        table: the game.
        start: a state of the phase of actions.
        most: stop at so many states.
        cards: tell states apart by cards, too, and follow gifts.

    Returns:
        ({(flooded, pawns, captured, actions, flights, lifts, held): moves that lead there}, the shortest
        way found first, `pawns` one byte a seat; the last key is where the game can be won with a Lift
        that is left, if `won`; won). None beyond `most` states.  `held` is None or (hands, treasure
        discard, Sandbags owed, whether somebody has to discard): counts of one byte a kind, in the
        discard all treasure cards as kind 0, in the hands those that no capture needs as kind 7.
    """
    cdef const IslandRules* g = <const IslandRules*>table.rules
    cdef Search search = Search(most)
    cdef State s, after
    cdef Menu menu
    cdef Key key
    cdef uint32_t at, parent
    cdef int k, kind, card, seat, lifts = 0
    cdef move_t move
    table._check_state(start)
    s = (<const State*><const char*>start)[0]
    for seat in range(g.players):
        lifts += cards_of(s.hand[seat], LIFT)
    key_of(g, &s, lifts, cards, 0, &key)
    search.add(&key, &s, 0, 0)
    if lifts and can_win(g, &s):
        return search.found(g.players, cards), True
    while search.n_further:
        search.advance()
        for at in range(search.n_edge):
            s = search.edge[at]
            parent = search.n - search.n_further - search.n_edge + at
            lifts = search.node[parent].key.lifts
            if lifts == 0 and not cards:
                for seat in range(g.players):
                    s.hand[seat] &= ~(<uint64_t>0xFFFF00000000)
            look_up(g, &s, &menu)
            for k in range(menu.total):
                move = choose(g, &s, &menu, k)
                kind, card = move & 0xFF, move >> 16 & 0xFF
                if kind == PLAY_LIFT:
                    if not (lift_is_urgent(g, &s, move >> 16 & 0xFF, move >> 24 & 0xFF, cards)
                            # Holders are alike, but for their hands.
                            and (cards or <int>(move >> 8 & 0xFF) == lowest(menu.lift_holders))):
                        continue
                elif kind not in (WALK, FLY, SHORE, CAPTURE, NAVIGATE) and not (
                        cards and kind in (GIVE, DROP)):
                    continue
                after = s
                lead(g, &after, move)
                key_of(g, &after, lifts - (kind == PLAY_LIFT or (kind == DROP and card == LIFT)), cards,
                       search.node[parent].key.owed + (kind == DROP and card == SANDBAGS), &key)
                if search.n == search.room:
                    return None
                if search.add(&key, &after, parent, move) and key.lifts and can_win(g, &after):
                    return search.found(g.players, cards), True
    return search.found(g.players, cards), False


cdef bint lift_is_urgent(const IslandRules* g, const State* s, uint32_t seats, int space,
                         bint cards) noexcept:
    """Whether a Lift can't as well be played at the end, before the draw or after it."""
    if s.phase == DISCARD or seats >> s.to_move & 1:
        return True
    if s.captured == (1 << TREASURES) - 1 and s.tiles_of[LANDING] == bit(space):
        return True                      # it may win the game
    # Who is brought to the seat to move can be given cards; the Navigator can part those who fly.
    return s.actions > 0 and ((cards and space == s.pawn[s.to_move])
                              or (s.role[s.to_move] == NAVIGATOR and popcount(seats) > 1))


cdef void lead(const IslandRules* g, State* s, move_t move) noexcept:
    """What a move changes, without going on to other phases."""
    cdef int kind = move & 0xFF, a = move >> 8 & 0xFF, b = move >> 16 & 0xFF
    cdef int c = move >> 24 & 0xFF, d = move >> 32 & 0xFF, seat
    if kind == PLAY_LIFT or kind == DROP:
        if kind == DROP:
            discard(s, a, b, 1)
        else:
            discard(s, a, LIFT, 1)
            for seat in range(g.players):
                if b >> seat & 1:
                    s.pawn[seat] = c
        if s.phase == DISCARD and n_cards(s.hand[decider(g, s)]) <= g.hand_limit:
            s.phase = ACTIONS
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
        discard(s, s.to_move, a, g.cards_to_capture)
    elif kind == GIVE:
        s.hand[s.to_move] -= one_card(b)
        s.hand[a] += one_card(b)
        if n_cards(s.hand[a]) > g.hand_limit:
            s.phase, s.then = DISCARD, ACTIONS
    else:
        s.pawn[a] = b
        if c != NOBODY:
            s.pawn[c] = d


cdef inline void discard(State* s, int seat, int kind, int n) noexcept:
    s.hand[seat] -= n * one_card(kind)
    s.used += n * one_card(kind)
