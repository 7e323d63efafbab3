"""Forbidden Island: what the seat to move can reach by actions and Helicopter Lifts.

As far as it matters for what can be lost: tiles, pawns, treasures (`island_flood` weighs it), and where
the treasure pile runs out in this turn's draw also the cards: what is discarded before is drawn again.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, CAPTURE, DISCARD, DROP, FLY, GIVE, LANDING, LIFT, NAVIGATE, NAVIGATOR, NOBODY,
    PLAY_LIFT, SANDBAGS, SEATS, SHORE, TREASURES, WALK, IslandRules, State, bit, cards_of, lowest, n_cards,
    one_card, popcount, specials,
)
from oddsmith.kernels.island_flood cimport FloodPhase
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_moves cimport Menu, can_win, choose, decider, look_up
from oddsmith.kernels.island_values cimport whole, wide
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
    uint64_t[SEATS] hand             # as it is
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


cdef uint64_t mixed(const Key* key) noexcept:
    cdef const uint64_t* word = <const uint64_t*>key
    cdef uint64_t found = 0
    cdef size_t k
    for k in range(sizeof(Key) // sizeof(uint64_t)):
        found = mix(found ^ word[k])
    return found


cdef class Keys:
    """Different states, numbered in the order found.

    Raises:
        MemoryError: no room for them.
    """

    cdef Node* node
    cdef uint32_t n, room
    cdef uint32_t* slot              # of a table: 1 + a node, 0 where free; twice as many as `room`

    def __cinit__(self):
        self.grow(1 << 8)

    def __dealloc__(self):
        free(self.node)
        free(self.slot)

    cdef int grow(self, uint32_t room) except -1:
        cdef Node* node = <Node*>realloc(self.node, room * sizeof(Node))
        cdef uint32_t k
        if node == NULL:
            raise MemoryError
        self.node = node
        free(self.slot)
        self.slot = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
        if self.slot == NULL:
            raise MemoryError
        self.room = room
        for k in range(self.n):
            self.place(&self.node[k].key)[0] = k + 1
        return 0

    cdef uint32_t* place(self, const Key* key) noexcept:
        """Where in the table a key is, or would be."""
        cdef uint64_t at = mixed(key) & (2 * self.room - 1)
        while self.slot[at] and memcmp(&self.node[self.slot[at] - 1].key, key, sizeof(Key)):
            at = (at + 1) & (2 * self.room - 1)
        return &self.slot[at]

    cdef bint add(self, const Key* key) except -1:
        """Whether the key is new."""
        cdef uint32_t* slot
        if self.n == self.room:
            self.grow(2 * self.room)
        slot = self.place(key)
        if slot[0]:
            return False
        self.node[self.n].key = key[0]
        self.n += 1
        slot[0] = self.n
        return True


cdef class Reachable:
    """States that the seat to move can reach by actions and Helicopter Lifts before the draw.

    Lifts that can as well be played after the draw are left out, and all Sandbags: who has to discard
    may give one up, which counts as `owed` (it may be played on any tile that is flooded at the end).
    States are numbered in the order found, the shortest ways first; 0 is the start.

    Args:
        table: the game.
        start: a state of the phase of actions.
        most: stop beyond so many states.
        risky: spaces where a pawn may be in danger; it matters where those pawns go.
        shored: spaces worth shoring up.
        cards: tell states apart by cards, too, and follow gifts.

    Attributes:
        complete: all states are there.
        won: the last one is where the game can be won with a Lift that is left; the search ended there.

    Raises:
        MemoryError: no room for the states.
    """

    cdef const IslandRules* g
    cdef IslandTable table
    cdef State start
    cdef uint32_t risky, shored
    cdef bint cards
    cdef Keys states
    cdef readonly bint complete, won

    def __init__(self, IslandTable table, bytes start, uint32_t most, uint32_t risky,
                 uint32_t shored, bint cards=False):
        table._check_state(start)
        self.risky, self.shored = risky, shored
        self.table, self.g, self.cards = table, <const IslandRules*>table.rules, cards
        self.start = (<const State*><const char*>start)[0]
        self.states = Keys()
        self.follow(most)

    def __len__(self):
        return self.states.n

    cdef bint add(self, const Key* key, const State* s, uint32_t parent, move_t move) except -1:
        """Whether the state is new."""
        cdef Node* node
        if not self.states.add(key):
            return False
        node = &self.states.node[self.states.n - 1]
        node.parent, node.move = parent, move
        memcpy(node.hand, s.hand, sizeof(node.hand))
        return True

    cdef void state(self, uint32_t number, State* s) noexcept:
        cdef const Node* node = &self.states.node[number]
        cdef int seat
        s[0] = self.start
        s.flooded, s.captured, s.flights = node.key.flooded, node.key.captured, node.key.flights
        s.actions = node.key.actions
        for seat in range(self.g.players):
            s.pawn[seat] = node.key.pawns >> (8 * seat) & 0xFF
            s.hand[seat] = node.hand[seat]
            if node.key.lifts == 0 and not self.cards:
                s.hand[seat] &= ~<uint64_t>0xFFFF00000000
        if self.cards:
            s.used = node.key.used
        if node.key.discarding:
            s.phase, s.then = DISCARD, ACTIONS

    cdef int follow(self, uint32_t most) except -1:
        """All moves of all states."""
        cdef const IslandRules* g = self.g
        cdef State s, after
        cdef Menu menu
        cdef Key key
        cdef uint32_t at = 0
        cdef int k, kind, card, seat, lifts = 0, owed
        cdef move_t move
        for seat in range(g.players):
            lifts += cards_of(self.start.hand[seat], LIFT)
        key_of(g, &self.start, lifts, self.cards, 0, &key)
        self.add(&key, &self.start, 0, 0)
        self.won = lifts and can_win(g, &self.start)
        while at < self.states.n and not self.won:
            self.state(at, &s)
            look_up(g, &s, &menu)
            for k in range(menu.total):
                move = choose(g, &s, &menu, k)
                kind, card = move & 0xFF, move >> 16 & 0xFF
                lifts, owed = self.states.node[at].key.lifts, self.states.node[at].key.owed
                if not self.matters(&s, move) or (
                        # Holders of a Lift are alike, but for their hands.
                        kind == PLAY_LIFT and not self.cards
                        and <int>(move >> 8 & 0xFF) != lowest(menu.lift_holders)):
                    continue
                lifts -= kind == PLAY_LIFT or (kind == DROP and card == LIFT)
                owed += kind == DROP and card == SANDBAGS
                after = s
                lead(g, &after, move)
                key_of(g, &after, lifts, self.cards, owed, &key)
                if self.add(&key, &after, at, move):
                    if lifts and can_win(g, &after):
                        self.won = True
                        return 0
                    if self.states.n > most:
                        return 0
            at += 1
        self.complete = True
        return 0

    cdef bint matters(self, const State* s, move_t move) noexcept:
        """Whether a move can lead to less, and no later than before the draw or after it."""
        cdef int kind = move & 0xFF, a = move >> 8 & 0xFF, b = move >> 16 & 0xFF
        cdef int c = move >> 24 & 0xFF
        if kind == WALK or kind == FLY or kind == CAPTURE:
            return True
        if kind == SHORE:
            return ((bit(a) | (bit(b) if b != NOBODY else 0)) & ~self.shored) == 0
        if kind == NAVIGATE:
            return self.wanted(s, bit(a) | (bit(c) if c != NOBODY else 0), s.actions - 1)
        if kind == PLAY_LIFT:
            return self.lift_matters(s, b, c)
        return self.cards and (kind == DROP or (kind == GIVE and self.may_take(s, a, s.actions)))

    cdef bint wanted(self, const State* s, uint32_t seats, int actions) noexcept:
        """Whether it can matter that all these pawns move; the actions left are then fewer."""
        cdef int seat
        for seat in range(self.g.players):
            if seats >> seat & 1 and not self.risky >> s.pawn[seat] & 1 and not (
                    self.may_take(s, seat, actions)):
                return self.may_win(s)
        return True

    cdef bint may_take(self, const State* s, int seat, int actions) noexcept:
        """Whether gifts to a seat may change what is discarded before the draw ends."""
        return (self.cards and actions > 0 and s.hand[s.to_move] & <uint64_t>0xFFFFFFFF
                and (n_cards(s.hand[seat]) + actions > self.g.hand_limit
                     or (self.g.limit_between_draws
                         and n_cards(s.hand[s.to_move]) >= self.g.hand_limit)))

    cdef bint may_win(self, const State* s) noexcept:
        """Whether the game may be won in these actions."""
        cdef int kind, missing = ~s.captured & ((1 << TREASURES) - 1)
        for kind in range(TREASURES):
            if cards_of(s.hand[s.to_move], kind) >= self.g.cards_to_capture:
                missing &= ~(1 << kind)
        return missing == 0 and specials(self.g, s)

    cdef bint lift_matters(self, const State* s, uint32_t seats, int space) noexcept:
        """Whether a Lift can't as well be played at the end, before the draw or after it."""
        cdef uint32_t others = seats & ~bit(s.to_move)
        if s.phase == DISCARD:
            return True
        if s.captured == (1 << TREASURES) - 1 and s.tiles_of[LANDING] == bit(space):
            return True                      # it may win the game
        # Who is brought to the seat to move can be given cards; the Navigator can part those who fly,
        # which takes more than a Lift to Fools' Landing for gifts alone.
        return (s.actions > 0 and self.wanted(s, others, s.actions)
                and (others != seats or (self.cards and (
                    space == s.pawn[s.to_move]
                    or (s.role[s.to_move] == NAVIGATOR and popcount(seats) > 1)))))

    def moves(self, uint32_t number):
        """The moves that lead to a state."""
        cdef list found = []
        while number:
            found.append(self.states.node[number].move)
            number = self.states.node[number].parent
        return tuple(found[::-1])

    def island(self, uint32_t number):
        """(flooded, pawns, captured, flights) of a state: sets of spaces, one byte a seat, treasures."""
        cdef const Key* key = &self.states.node[number].key
        return key.flooded, key.pawns, key.captured, key.flights

    cdef tuple held(self, const Key* key):
        cdef int seat
        cdef list hands = [key.hand[seat] for seat in range(self.g.players)]
        return key.lifts, tuple(hands), key.used, key.owed, <bint>key.discarding

    def hands(self):
        """The different (lifts, hands, treasure discard, Sandbags owed, whether somebody has to discard).

        Counts of one byte a kind; in the discard all treasure cards are kind 0, in the hands those that
        no capture needs kind 7.  Without `cards` only the lifts are told.
        """
        cdef uint32_t k
        cdef Key key
        cdef list found = []
        cdef Keys seen = Keys()
        for k in range(self.states.n):
            only_cards(&self.states.node[k].key, &key)
            if seen.add(&key):
                found.append(self.held(&key))
        return found

    def losses(self, list phases, dict asked, bint flights_matter):
        """States by what the flood phases may bring, each island once (the actions left don't matter).

        Args:
            phases: FloodPhase or None where the game is lost before, by number.
            asked: hands (as in `hands`) -> (group, [(phase, lifts, sandbags)], n): states of one group
                with the same island are the same.  If the first n chances are 0 so are all.  States
                with other hands are left out.
            flights_matter: islands differ by flights.

        Returns:
            {(group, least chances as numerators, None where the game is lost before): states}.

        Raises:
            OverflowError: a flood phase has too many situations.
        """
        cdef uint32_t k
        cdef Key key
        cdef const Key* given
        cdef FloodPhase phase
        cdef dict found = {}
        cdef list asks = [], questions, values
        cdef int n, n_first
        cdef Keys islands = Keys(), hands = Keys()
        cdef bint none
        cdef wide loss
        for k in range(self.states.n):
            given = &self.states.node[k].key
            only_cards(given, &key)
            if hands.add(&key):
                asks.append(asked.get(self.held(&key)))
            ask = asks[hands.place(&key)[0] - 1]
            if ask is None:
                continue
            group, questions, n_first = ask
            memset(&key, 0, sizeof(Key))
            key.flooded, key.pawns, key.captured = given.flooded, given.pawns, given.captured
            key.flights = given.flights if flights_matter else 0
            key.used = group
            if not islands.add(&key):
                continue
            values, n, none = [group], 0, True
            for number, lifts, sandbags in questions:
                phase = phases[number]
                if n == n_first and none:
                    values.append(0)
                    continue
                n += 1
                if phase is None:
                    values.append(None)
                    none = False
                    continue
                loss = phase.ask(key.flooded, key.pawns, key.captured, key.flights, lifts, sandbags)
                if phase.values.full:
                    raise OverflowError("too many situations of the flood phase")
                none = none and loss == 0
                values.append(whole(loss))
            found.setdefault(tuple(values), []).append(k)
        return found


cdef void only_cards(const Key* given, Key* key) noexcept:
    """A key without the island."""
    key[0] = given[0]
    key.pawns = key.flooded = key.captured = key.actions = key.flights = 0


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
