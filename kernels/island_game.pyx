"""Forbidden Island: whole games, as a table of functions (game.pxd).

The team decides as one mind; every decision is given to one seat, and all seats are paid alike.
Chance events are single cards, the set-up's too.  Between two events the holders of special cards are
asked, as long as there are any: ACTIONS, BETWEEN_DRAWS, BEFORE_FLOOD, SWIM and LAST_WINDOW.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.game cimport (
    CHANCE, OVER, GameTable, Outcome, move_t,
)
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, BEFORE_FLOOD, BETWEEN_DRAWS, CAPTURE, CARD, DEAL_FLOOD, DEAL_HANDS,
    DEAL_ROLES, DEAL_TILES, DISCARD, DRAW, DROP, DROWNED, FINISHED, FLOOD, FLOOD_CARD, FLY, GIVE,
    KINDS, LANDING, LANDING_LOST, LAST_WINDOW, LIFT, MAX_BLOCKS, NAVIGATE, NEXT_TURN, NOBODY, NOT_YET,
    NO_ROLE, PASS, PILOT, PLAY_LIFT, PLAY_SANDBAGS, RISE, ROLE, ROLES, SANDBAGS, SHORE, SPACES, SWIM,
    TILE, TO_DRAW, TREASURES, TREASURE_LOST, TURNS_UP, WALK, WATER, WIN, WON,
    IslandRules, Rules, State,
    bit, cards_of, code, lowest, n_cards, one_card, popcount, select32, specials,
)
from oddsmith.kernels.island_moves cimport Menu, choose, decider, look_up, swims
from oddsmith.kernels.island_results cimport key, payoff, summary
from oddsmith.kernels.rng cimport Stream, below
from oddsmith.kernels.island import state_fields

cdef enum:
    ALL_SPACES = 0xFFFFFF
    START_CARDS = 2
    DRAWS = 2

cdef uint8_t[TREASURES][2] PAIRS = [[6, 7], [8, 9], [10, 11], [12, 13]]
cdef uint8_t[ROLES] STARTS = [4, 1, 2, 5, 3, 0]


# Whose turn, and what can be done ---------------------------------------------------------------

cdef int turn(const void* rules, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if ACTIONS <= s.phase <= LAST_WINDOW:
        return decider(<const IslandRules*>rules, s)
    return OVER if s.phase == FINISHED else CHANCE


cdef int n_moves(const void* rules, const void* state) noexcept nogil:
    cdef Menu menu
    look_up(<const IslandRules*>rules, <const State*>state, &menu)
    return menu.total


cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil:
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    look_up(g, s, &menu)
    return choose(g, s, &menu, k)


cdef move_t random_policy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    """Random play: the same as a uniform `nth_move`, looking the moves up only once."""
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    look_up(g, s, &menu)
    return choose(g, s, &menu, below(draw, menu.total))


# Chance -----------------------------------------------------------------------------------------

cdef inline uint64_t cards_to_deal(const State* s) noexcept nogil:
    """The treasure cards that may come next: no Waters Rise! in the set-up."""
    return s.deck & ~(<uint64_t>0xFF << (8 * RISE)) if s.phase == DEAL_HANDS else s.deck


cdef inline uint32_t top_block(const State* s) noexcept nogil:
    return s.pile[s.n_blocks - 1]


cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil:
    """Single cards: tiles, roles and flood cards equally likely, treasure cards by their number."""
    cdef const State* s = <const State*>state
    cdef uint64_t cards
    cdef uint32_t left
    cdef int kind, n = 0
    if s.phase == DEAL_HANDS or s.phase == DRAW:
        cards = cards_to_deal(s)
        for kind in range(KINDS):
            if cards_of(cards, kind):
                out[n].move, out[n].weight = code(CARD, kind), cards_of(cards, kind)
                n += 1
        return n
    if s.phase == DEAL_TILES:
        left, kind = s.undealt, TILE
    elif s.phase == DEAL_ROLES:
        left, kind = s.undealt, ROLE
    else:
        left, kind = top_block(s), FLOOD_CARD
    while left:
        out[n].move, out[n].weight = code(kind, lowest(left)), 1
        left &= left - 1
        n += 1
    return n


cdef inline int pick(uint32_t mask, Stream* draw) noexcept nogil:
    return select32(mask, below(draw, popcount(mask)))


cdef inline int pick_card(uint64_t cards, Stream* draw) noexcept nogil:
    """A kind of card, by number: how many prefix sums (one a byte) are not above the draw."""
    cdef uint64_t sums = cards * <uint64_t>0x0101010101010101
    cdef int k = below(draw, sums >> 56)
    # Bytes are at most 127, so the borrow of each comparison stays in its byte.
    return popcount((((k | <uint64_t>0x80) * <uint64_t>0x0101010101010101) - sums)
                    & <uint64_t>0x0080808080808080)


cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef uint32_t mask = s.undealt
    cdef int kind = TILE if s.phase == DEAL_TILES else ROLE
    if s.phase == DRAW or s.phase == DEAL_HANDS:
        return code(CARD, pick_card(cards_to_deal(s), draw))
    if s.phase == FLOOD or s.phase == DEAL_FLOOD:
        mask, kind = top_block(s), FLOOD_CARD
    return code(kind, pick(mask, draw))


cdef void redeal(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil:
    """Nothing is hidden: hands and discards are public, and no order is stored."""


# The set-up -------------------------------------------------------------------------------------

cdef void deal_tile(const IslandRules* g, State* s, int tile) noexcept nogil:
    s.place[tile] = s.dealt
    s.undealt &= ~bit(tile)
    s.dealt += 1
    if s.dealt == SPACES:
        find_special_tiles(s)
        s.dealt, s.phase = 0, DEAL_FLOOD
        if g.initial_flood == 0:
            begin_roles(g, s)


cdef void find_special_tiles(State* s) noexcept nogil:
    cdef int treasure
    for treasure in range(TREASURES):
        s.tiles_of[treasure] = (bit(s.place[PAIRS[treasure][0]])
                                | bit(s.place[PAIRS[treasure][1]]))
    s.tiles_of[LANDING] = bit(s.place[0])


cdef void deal_flood(const IslandRules* g, State* s, int space) noexcept nogil:
    s.pile[0] &= ~bit(space)
    s.discard |= bit(space)
    s.flooded |= bit(space)
    s.dealt += 1
    if s.dealt == g.initial_flood:
        reshuffle_floods(s)
        begin_roles(g, s)


cdef void begin_roles(const IslandRules* g, State* s) noexcept nogil:
    cdef int seat
    s.dealt, s.phase, s.undealt = 0, DEAL_ROLES, (1 << ROLES) - 1
    if g.team[0] != NO_ROLE:
        for seat in range(g.players):
            deal_role(g, s, g.team[seat])


cdef void deal_role(const IslandRules* g, State* s, int role) noexcept nogil:
    s.role[s.dealt] = role
    s.pawn[s.dealt] = s.place[STARTS[role]]
    s.undealt &= ~bit(role)
    s.dealt += 1
    if s.dealt == g.players:
        s.dealt, s.undealt, s.phase = 0, 0, DEAL_HANDS


cdef void deal_card(const IslandRules* g, State* s, int kind) noexcept nogil:
    s.deck -= one_card(kind)
    s.hand[s.dealt // START_CARDS] += one_card(kind)
    s.dealt += 1
    if s.dealt == START_CARDS * g.players:
        s.dealt, s.turn, s.actions = 0, 1, g.actions
        s.phase, s.then = DISCARD, ACTIONS      # the hand limit may be as low as 1
        settle(g, s)


# Moves ------------------------------------------------------------------------------------------

cdef inline void end(State* s, int ending) noexcept nogil:
    s.phase, s.ending = FINISHED, ending


cdef inline void drop(State* s, int seat, int kind) noexcept nogil:
    """A card goes from a hand to the discard."""
    s.hand[seat] -= one_card(kind)
    s.used += one_card(kind)


cdef void apply(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef State* s = <State*>state
    cdef int kind = move & 0xFF, a = (move >> 8) & 0xFF, b = (move >> 16) & 0xFF
    cdef int c = (move >> 24) & 0xFF, d = (move >> 32) & 0xFF
    if kind == FLOOD_CARD:
        if s.phase == FLOOD:
            draw_flood(g, s, a)
        else:
            deal_flood(g, s, a)
    elif kind == CARD:
        if s.phase == DRAW:
            draw_card(g, s, a)
        else:
            deal_card(g, s, a)
    elif kind == TILE:
        deal_tile(g, s, a)
    elif kind == ROLE:
        deal_role(g, s, a)
    elif kind == PASS:
        go_on(g, s)
    elif kind <= NAVIGATE:
        s.actions -= 1
        act(g, s, kind, a, b, c, d)
    elif kind == WIN:
        drop(s, a, LIFT)
        end(s, WON)
    else:
        if kind == PLAY_LIFT:
            drop(s, a, LIFT)
            lift(s, b, c)
        elif kind == PLAY_SANDBAGS:
            drop(s, a, SANDBAGS)
            s.flooded &= ~bit(b)
        elif kind == DROP:
            drop(s, a, b)
        else:
            swim(g, s, a, b)
        settle(g, s)


cdef void act(const IslandRules* g, State* s, int kind, int a, int b, int c,
              int d) noexcept nogil:
    """One action of the seat to move."""
    if kind == WALK:
        s.pawn[s.to_move] = a
    elif kind == FLY:
        s.pawn[s.to_move] = a
        if g.flights != ANY_NUMBER:
            s.flights += 1
    elif kind == SHORE:
        s.flooded &= ~bit(a)
        if b != NOBODY:
            s.flooded &= ~bit(b)
    elif kind == GIVE:
        s.hand[s.to_move] -= one_card(b)
        s.hand[a] += one_card(b)
        if n_cards(s.hand[a]) > g.hand_limit:
            s.phase, s.then = DISCARD, ACTIONS
            return
    elif kind == CAPTURE:
        s.captured |= 1 << a
        s.hand[s.to_move] -= g.cards_to_capture * one_card(a)
        s.used += g.cards_to_capture * one_card(a)
    else:
        s.pawn[a] = b
        if c != NOBODY:
            s.pawn[c] = d
    if s.actions == 0:
        settle(g, s)


cdef void lift(State* s, uint32_t seats, int space) noexcept nogil:
    s.swimmers &= ~seats
    while seats:
        s.pawn[lowest(seats)] = space
        seats &= seats - 1


cdef void swim(const IslandRules* g, State* s, int seat, int space) noexcept nogil:
    if (s.role[seat] == PILOT and not g.pilot_swim_free and g.flights != ANY_NUMBER
            and not g.orthogonal[s.pawn[seat]] >> space & 1):
        s.flights += 1
    s.pawn[seat] = space
    s.swimmers &= ~bit(seat)


cdef void go_on(const IslandRules* g, State* s) noexcept nogil:
    """Nobody plays a special card here."""
    if s.phase == SWIM:
        end(s, DROWNED)
    elif s.phase == LAST_WINDOW:
        end(s, TURNS_UP)
    elif s.phase == BEFORE_FLOOD:
        s.phase = FLOOD
    else:
        if s.phase == ACTIONS:
            s.actions, s.draws = 0, DRAWS
        s.phase = TO_DRAW
        settle(g, s)


# What follows -----------------------------------------------------------------------------------

cdef bint anybody_holds_lift(const State* s) noexcept nogil:
    return ((s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]) >> (8 * LIFT) & 0xFF) != 0


cdef void settle(const IslandRules* g, State* s) noexcept nogil:
    """Go on to the next phase in which somebody decides, a card is drawn or the game is over."""
    while True:
        if s.phase == DISCARD:
            if n_cards(s.hand[decider(g, s)]) > g.hand_limit:
                return
            s.phase = s.then
        elif s.phase == ACTIONS:
            if s.actions or specials(g, s):
                return
            s.draws, s.phase = DRAWS, TO_DRAW
        elif s.phase == BETWEEN_DRAWS:
            if specials(g, s):
                return
            s.phase = TO_DRAW
        elif s.phase == TO_DRAW:
            if s.deck == 0:
                s.deck, s.used = s.used, 0
            if s.deck:
                s.phase = DRAW
                return
            s.draws = 0                  # no treasure cards are left at all
            cards_are_drawn(g, s)
        elif s.phase == SWIM:
            if s.swimmers:
                if swims(g, s, lowest(s.swimmers)) or (g.lift_rescue and anybody_holds_lift(s)):
                    return
                end(s, DROWNED)
                return
            s.phase = BEFORE_FLOOD
        elif s.phase == BEFORE_FLOOD:
            if s.floods == 0:
                s.phase = NEXT_TURN
            elif specials(g, s):
                return
            else:
                s.phase = FLOOD
                return
        elif s.phase == NEXT_TURN:
            if s.turn == g.max_turns:
                s.phase = LAST_WINDOW
            else:
                s.turn += 1
                s.to_move = s.to_move + 1 if s.to_move + 1 < g.players else 0
                s.actions, s.flights, s.phase = g.actions, 0, ACTIONS
        elif s.phase == LAST_WINDOW:
            if not specials(g, s):
                end(s, TURNS_UP)
            return
        else:
            return


cdef inline void cards_are_drawn(const IslandRules* g, State* s) noexcept nogil:
    """After the turn's last treasure card."""
    s.floods = g.meter[s.mark]
    s.phase, s.then = DISCARD, BEFORE_FLOOD


cdef void draw_card(const IslandRules* g, State* s, int kind) noexcept nogil:
    s.deck -= one_card(kind)
    s.draws -= 1
    if kind == RISE:
        s.mark += 1
        s.used += one_card(kind)
        if s.discard:
            waters_rise(g, s)
    else:
        s.hand[s.to_move] += one_card(kind)
    if s.deck == 0 and g.reshuffle_at_once:
        s.deck, s.used = s.used, 0
    if s.mark >= g.n_marks:
        end(s, WATER)
        return
    if s.draws == 0:
        cards_are_drawn(g, s)
    elif g.limit_between_draws:
        s.phase, s.then = DISCARD, BETWEEN_DRAWS
    else:
        s.phase = BETWEEN_DRAWS
    settle(g, s)


cdef void waters_rise(const IslandRules* g, State* s) noexcept nogil:
    """The flood discard goes on top of the flood pile, or is shuffled into all of it."""
    cdef int k
    if g.rise_whole_pile:
        for k in range(s.n_blocks):
            s.discard |= s.pile[k]
            s.pile[k] = 0
        s.n_blocks = 0
    s.pile[s.n_blocks] = s.discard
    s.n_blocks += 1
    s.discard = 0


cdef inline void reshuffle_floods(State* s) noexcept nogil:
    """An empty flood pile is made anew from its discard."""
    if s.pile[s.n_blocks - 1] == 0:
        s.n_blocks -= 1
        if s.n_blocks == 0:
            s.pile[0], s.n_blocks, s.discard = s.discard, 1, 0


cdef inline int loss(const State* s) noexcept nogil:
    cdef int treasure
    if s.tiles_of[LANDING] & ~s.in_play:
        return LANDING_LOST
    for treasure in range(TREASURES):
        if s.tiles_of[treasure] & s.in_play == 0 and not s.captured >> treasure & 1:
            return TREASURE_LOST
    return NOT_YET


cdef void draw_flood(const IslandRules* g, State* s, int space) noexcept nogil:
    cdef uint32_t tile = bit(space)
    cdef int seat
    s.pile[s.n_blocks - 1] &= ~tile
    s.floods -= 1
    s.phase = BEFORE_FLOOD
    if s.flooded & tile:
        s.flooded &= ~tile
        s.in_play &= ~tile
        reshuffle_floods(s)
        seat = loss(s)
        if seat:
            end(s, seat)
            return
        for seat in range(g.players):
            s.swimmers |= (s.pawn[seat] == space) << seat
        if s.swimmers:
            s.phase = SWIM
    else:
        s.flooded |= tile
        s.discard |= tile
        reshuffle_floods(s)
    settle(g, s)


cdef int chance(const void* rules, void* state, Stream* draw) noexcept nogil:
    """Deal and draw, with the draws of `sample`, until somebody decides."""
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef State* s = <State*>state
    while True:
        if s.phase == FLOOD:
            draw_flood(g, s, pick(top_block(s), draw))
        elif s.phase == DRAW:
            draw_card(g, s, pick_card(s.deck, draw))
        elif s.phase == DEAL_TILES:
            deal_tile(g, s, pick(s.undealt, draw))
        elif s.phase == DEAL_FLOOD:
            deal_flood(g, s, pick(top_block(s), draw))
        elif s.phase == DEAL_ROLES:
            deal_role(g, s, pick(s.undealt, draw))
        elif s.phase == DEAL_HANDS:
            deal_card(g, s, pick_card(cards_to_deal(s), draw))
        else:
            return turn(rules, state)


# The table ---------------------------------------------------------------------------------------

cdef class IslandTable(GameTable):
    """Forbidden Island as a game table.

    Args:
        compiled: the rules; `owner` of the table.
    """

    def __init__(self, Rules compiled):
        self._compiled = compiled
        self.rules = &compiled.rules
        self.owner = compiled
        self.n_players = compiled.rules.players
        self.game.state_size = sizeof(State)
        self.game.turn = turn
        self.game.n_moves = n_moves
        self.game.nth_move = nth_move
        self.game.apply = apply
        self.game.outcomes = outcomes
        self.game.sample = sample
        self.game.chance = chance
        self.game.redeal = redeal
        self.game.payoff = payoff
        self.game.summary = summary
        self.game.policy = random_policy
        self.game.key = key
        self.policies = {"random": <size_t>random_policy}
        self.fields = state_fields()

    def new_game(self):
        """The state before the first tile is laid."""
        cdef const IslandRules* g = &self._compiled.rules
        cdef State s
        cdef int kind
        memset(&s, 0, sizeof(State))
        s.in_play = s.pile[0] = s.undealt = ALL_SPACES
        s.n_blocks = 1
        for kind in range(TREASURES):
            s.deck += g.cards_per_treasure * one_card(kind)
        s.deck += (g.helicopters * one_card(LIFT) + g.sandbags * one_card(SANDBAGS)
                   + g.waters_rise * one_card(RISE))
        s.mark, s.phase = g.start_mark, DEAL_TILES
        return (<char*>&s)[:sizeof(State)]

    def pack(self, dict fields):
        """The state with these fields, named as in `unpack`; `dealt` and `undealt` may be left out."""
        cdef State s
        cdef int k
        memset(&s, 0, sizeof(State))
        for name in ("in_play", "flooded", "discard"):
            if fields[name] >> SPACES:
                raise ValueError(f"{name} has more than 24 spaces")
        if len(fields["pile"]) > MAX_BLOCKS:
            raise ValueError("too many blocks")
        s.in_play, s.flooded, s.discard = fields["in_play"], fields["flooded"], fields["discard"]
        s.n_blocks = len(fields["pile"])
        for k in range(s.n_blocks):
            s.pile[k] = fields["pile"][k]
        for k in range(SPACES):
            s.place[k] = fields["place"][k]
        find_special_tiles(&s)
        for k in range(self.n_players):
            s.hand[k] = _packed(fields["hands"][k])
            s.role[k], s.pawn[k] = fields["roles"][k], fields["pawns"][k]
        s.deck, s.used = _packed(fields["deck"]), _packed(fields["used"])
        s.mark, s.captured, s.to_move = fields["mark"], fields["captured"], fields["to_move"]
        s.phase, s.actions, s.flights = fields["phase"], fields["actions"], fields["flights"]
        s.draws, s.floods, s.swimmers = fields["draws"], fields["floods"], fields["swimmers"]
        s.then, s.turn, s.ending = fields["then"], fields["turn"], fields["ending"]
        s.dealt, s.undealt = fields.get("dealt", 0), fields.get("undealt", 0)
        return (<char*>&s)[:sizeof(State)]

    def unpack(self, bytes state):
        """The fields of a state: sets of spaces as masks, cards as counts of the seven kinds."""
        self._check_state(state)
        cdef const State* s = <const State*><const char*>state
        cdef int k
        seats = range(self.n_players)
        return {
            "in_play": s.in_play, "flooded": s.flooded, "discard": s.discard,
            "pile": [s.pile[k] for k in range(s.n_blocks)],
            "place": [s.place[k] for k in range(SPACES)],
            "hands": [_counts(s.hand[k]) for k in seats], "roles": [s.role[k] for k in seats],
            "pawns": [s.pawn[k] for k in seats], "deck": _counts(s.deck), "used": _counts(s.used),
            "mark": s.mark, "captured": s.captured, "to_move": s.to_move, "phase": s.phase,
            "actions": s.actions, "flights": s.flights, "draws": s.draws, "floods": s.floods,
            "swimmers": s.swimmers, "then": s.then, "turn": s.turn, "ending": s.ending,
            "dealt": s.dealt, "undealt": s.undealt,
        }


cdef list _counts(uint64_t cards):
    return [cards_of(cards, kind) for kind in range(KINDS)]


cdef uint64_t _packed(counts) except? 1:
    cdef uint64_t cards = 0
    for kind, n in enumerate(counts):
        cards += <uint64_t>n << (8 * <int>kind)
    return cards
