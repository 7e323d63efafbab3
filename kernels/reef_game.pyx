"""Reef: whole games, as a table of functions (game.pxd).

Chance events are single cards: the opening hands, the display, and each new top card of the deck.
The start layout is one small decision a coral.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.game cimport (
    CHANCE, OVER, PAYOFF_UNIT, Game, GameTable, Outcome, move_t, policy_t,
)
from oddsmith.kernels.reef cimport (
    LANE, NTH_BIT, SPACES, TALLEST, Board, Card, Given, Move, Room, Rules,
    count, count_placements, level, look_for_room, lowest, nth_pair, nth_placement, place,
    play_move, popcount, select_space, take_coral,
)
from oddsmith.kernels.rng cimport Stream, below, mix

cdef enum:
    CENTER_SPACES = 0x0660
    EDGE_SPACES = 0xF99F


# Moves as codes --------------------------------------------------------------------------------

cdef inline void placed_by(move_t move, Move* m) noexcept nogil:
    m.n = (move >> 16) & 0xF
    m.color[0], m.space[0] = (move >> 20) & 0xF, (move >> 24) & 0xF
    m.color[1], m.space[1] = (move >> 28) & 0xF, (move >> 32) & 0xF


# Whose turn, and what can be done ---------------------------------------------------------------

cdef int turn(const void* rules, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == PLAY or s.phase == START:
        return s.to_move
    return OVER if s.phase == FINISHED else CHANCE


cdef uint64_t start_spaces(const GameRules* g, const State* s) noexcept nogil:
    cdef const Board* b = &s.board[s.to_move]
    if g.start_layout == CENTER:
        return CENTER_SPACES & ~level(b, 1)
    return (EDGE_SPACES if g.start_layout == EDGE else LANE) & ~level(b, g.scoring.stack_limit)


cdef inline int start_colors(const GameRules* g, const State* s) noexcept nogil:
    """How many colours may be put on the board now: in the centre one after the other."""
    return 1 if g.start_layout == CENTER else popcount(s.start_left)


cdef void note_cheapest(const GameRules* g, State* s) noexcept nogil:
    """After a change of the display."""
    cdef int k, least = 255
    for k in range(s.n_display):
        least = min(least, <int>g.scoring.cards[s.display[k]].points)
    s.cheapest = 0
    for k in range(s.n_display):
        s.cheapest |= (g.scoring.cards[s.display[k]].points == least) << k


cdef inline int count_payments(const GameRules* g, const State* s) noexcept nogil:
    """How many display cards may be paid for the deck's top card; a free draw pays nowhere."""
    if g.draw_cost == 0 or s.n_display == 0 or g.leftmost:
        return 1
    return popcount(s.cheapest)


cdef int nth_payment(const GameRules* g, const State* s, int n) noexcept nogil:
    """The place of the n-th display card that may be paid."""
    if g.draw_cost == 0 or s.n_display == 0:
        return NO_CARD
    return select_space(s.cheapest, n)


cdef struct Menu:             # what the seat to move can do, by kinds
    int n_takes
    int n_draws
    int n_plays[HAND]        # of each card in hand
    int total
    bint plenty              # there is room and coral for every card
    Room room


cdef inline Given given_for(const GameRules* g, const State* s, int card) noexcept nogil:
    return take_coral(g.scoring, &g.scoring.cards[card], s.supply)


cdef inline void look_up(const GameRules* g, const State* s, Menu* menu) noexcept nogil:
    cdef int k, pairs, seat = s.to_move
    cdef Given given
    cdef const Card* c
    menu.n_takes = menu.n_draws = 0
    if can_take(g, s):
        menu.n_takes = s.n_display
        if can_draw(g, s):
            menu.n_draws = count_payments(g, s)
    menu.total = menu.n_takes + menu.n_draws
    if s.n_hand[seat] == 0:
        return
    menu.room = look_for_room(g.scoring, &s.board[seat])
    menu.plenty = (menu.room.levels == 2
                   and (s.supply - <uint32_t>0x02020202) & <uint32_t>0x80808080 == 0)
    if menu.plenty:  # the usual case
        pairs = menu.room.n_open * (menu.room.n_open - 1) // 2 + menu.room.n_twice
        for k in range(s.n_hand[seat]):
            c = &g.scoring.cards[s.hand[seat][k]]
            menu.n_plays[k] = pairs << (c.coral[0] != c.coral[1])
            menu.total += menu.n_plays[k]
        return
    for k in range(s.n_hand[seat]):
        given = given_for(g, s, s.hand[seat][k])
        menu.n_plays[k] = count_placements(&menu.room, &given)
        menu.total += menu.n_plays[k]


cdef inline move_t choose(const GameRules* g, const State* s, const Menu* menu,
                          int k) noexcept nogil:
    """The k-th move: takes from the left, draws, plays of each card in hand; else the pass."""
    cdef Move move
    cdef Given given
    cdef int j, card
    if k < menu.n_takes:
        return code(TAKE, k, 0)
    k -= menu.n_takes
    if k < menu.n_draws:
        return code(DRAW, nth_payment(g, s, k), 0)
    k -= menu.n_draws
    for j in range(s.n_hand[s.to_move]):
        if k < menu.n_plays[j]:
            card = s.hand[s.to_move][j]
            if menu.plenty:
                nth_pair(&menu.room, g.scoring.cards[card].coral, k, &move)
            else:
                given = given_for(g, s, card)
                nth_placement(&menu.room, &given, k, &move)
            return play_code(card, &move)
        k -= menu.n_plays[j]
    return code(PASS, 0, 0)


cdef int n_moves(const void* rules, const void* state) noexcept nogil:
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    if s.phase == START:
        return start_colors(g, s) * popcount(start_spaces(g, s))
    look_up(g, s, &menu)
    return menu.total if menu.total else 1


cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil:
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    cdef uint64_t spaces
    cdef int n
    if s.phase == START:
        spaces = start_spaces(g, s)
        n = popcount(spaces)
        return code(PUT_START, select_space(s.start_left, k // n), select_space(spaces, k % n))
    look_up(g, s, &menu)
    return choose(g, s, &menu, k)


cdef move_t random_policy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    """Random play: the same as a uniform `nth_move`, looking the moves up only once."""
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef Menu menu
    cdef uint64_t spaces
    if s.phase == START:
        spaces = start_spaces(g, s)
        return code(PUT_START,
                    select_space(s.start_left, below(draw, start_colors(g, s))),
                    select_space(spaces, below(draw, popcount(spaces))))
    look_up(g, s, &menu)
    return choose(g, s, &menu, below(draw, menu.total) if menu.total else 0)


# Chance -----------------------------------------------------------------------------------------

cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil:
    """Each card of the deck is equally likely to come next."""
    cdef uint64_t left = (<const State*>state).deck
    cdef int n = 0
    while left:
        out[n].move = code(DEAL, lowest(left), 0)
        out[n].weight = 1
        left &= left - 1
        n += 1
    return n


cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const State* s = <const State*>state
    return code(DEAL, nth_card(s.deck, below(draw, popcount(s.deck))), 0)


cdef inline int nth_card(uint64_t mask, int k) noexcept nogil:
    """The k-th card of a set."""
    cdef uint64_t ones = <uint64_t>0x0101010101010101
    cdef uint64_t pairs = mask - ((mask >> 1) & (0x55 * ones))
    cdef uint64_t fours = (pairs & (0x33 * ones)) + ((pairs >> 2) & (0x33 * ones))
    # Byte i: how many cards bytes 0 to i hold, all bytes at once.
    cdef uint64_t upto = ((fours + (fours >> 4)) & (0x0F * ones)) * ones
    # Eight times the number of bytes that end before the card.
    cdef int at = 8 * popcount((((k * ones) | (0x80 * ones)) - upto) & (0x80 * ones))
    return at + NTH_BIT[(mask >> at) & 0xFF][k - (((upto << 8) >> at) & 0xFF)]


cdef void redeal(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil:
    """Shuffle the other seats' opening cards and the deck below its top together."""
    cdef const GameRules* g = <const GameRules*>rules
    cdef State* s = <State*>state
    cdef uint64_t hidden
    cdef int seat, k, card
    for seat in range(g.players):
        if seat != viewer:
            s.deck |= s.secret[seat]
    for seat in range(g.players):
        if seat == viewer:
            continue
        hidden, s.secret[seat] = s.secret[seat], 0
        for k in range(s.n_hand[seat]):
            if hidden >> s.hand[seat][k] & 1:
                card = nth_card(s.deck, below(draw, popcount(s.deck)))
                s.deck &= ~(<uint64_t>1 << card)
                s.secret[seat] |= <uint64_t>1 << card
                s.hand[seat][k] = card


# Making moves -----------------------------------------------------------------------------------

cdef void apply(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const GameRules* g = <const GameRules*>rules
    cdef State* s = <State*>state
    cdef int kind = move & 0xFF, a = (move >> 8) & 0xFF, b = (move >> 16) & 0xFF
    if kind == DEAL:
        deal(g, s, a)
    elif kind == PUT_START:
        put_start(g, s, a, b)
    else:
        if kind == TAKE:
            take(g, s, a)
        elif kind == DRAW:
            draw_top(g, s, a)
        elif kind == PLAY_CARD:
            play_card(g, s, a, move)
        end_turn(g, s, kind == PASS)


cdef void deal(const GameRules* g, State* s, int card) noexcept nogil:
    s.deck &= ~(<uint64_t>1 << card)
    if s.phase == DEAL_HANDS:
        s.secret[s.to_move] |= <uint64_t>1 << card
        s.hand[s.to_move][s.n_hand[s.to_move]] = card
        s.n_hand[s.to_move] += 1
        if s.n_hand[s.to_move] == 2:
            s.to_move += 1
            if s.to_move == g.players:
                s.to_move, s.phase = 0, START
    elif s.phase == DEAL_DISPLAY and s.n_display < g.display_size:
        s.display[s.n_display] = card
        s.n_display += 1
        note_cheapest(g, s)
    else:
        s.top, s.phase = card, PLAY


cdef int chance(const void* rules, void* state, Stream* draw) noexcept nogil:
    """Deal, with the draws of `sample`, until somebody decides."""
    cdef State* s = <State*>state
    cdef int seat = turn(rules, state)
    while seat == CHANCE:
        deal(<const GameRules*>rules, s, nth_card(s.deck, below(draw, popcount(s.deck))))
        seat = turn(rules, state)
    return seat


cdef void put_start(const GameRules* g, State* s, int color, int space) noexcept nogil:
    place(&s.board[s.to_move], color, space)
    s.supply -= <uint32_t>1 << (8 * color)
    s.start_left &= ~(1 << color)
    if s.start_left == 0:
        s.start_left = 0xF
        s.to_move += 1
        if s.to_move == g.players:
            s.to_move, s.phase = 0, DEAL_DISPLAY


cdef inline void to_hand(State* s, int card) noexcept nogil:
    s.hand[s.to_move][s.n_hand[s.to_move]] = card
    s.n_hand[s.to_move] += 1


cdef void take(const GameRules* g, State* s, int k) noexcept nogil:
    """A display card with the tokens on it; the top of the deck takes its place."""
    to_hand(s, s.display[k])
    s.score[s.to_move] += s.tokens[k]
    s.tokens[k] = 0
    if s.top != NO_CARD:
        s.display[k], s.top = s.top, NO_CARD
    else:
        s.n_display -= 1
        for k in range(k, s.n_display):
            s.display[k], s.tokens[k] = s.display[k + 1], s.tokens[k + 1]
    note_cheapest(g, s)


cdef void draw_top(const GameRules* g, State* s, int place) noexcept nogil:
    to_hand(s, s.top)
    s.top = NO_CARD
    s.score[s.to_move] -= g.draw_cost
    if place != NO_CARD:
        s.tokens[place] += g.draw_cost


cdef void play_card(const GameRules* g, State* s, int card, move_t move) noexcept nogil:
    cdef int seat = s.to_move, k = 0
    cdef const Card* c = &g.scoring.cards[card]
    cdef Move placed
    while s.hand[seat][k] != card:
        k += 1
    s.n_hand[seat] -= 1
    for k in range(k, s.n_hand[seat]):
        s.hand[seat][k] = s.hand[seat][k + 1]
    s.secret[seat] &= ~(<uint64_t>1 << card)
    s.played |= <uint64_t>1 << card
    placed_by(move, &placed)
    for k in range(placed.n):
        s.supply -= <uint32_t>1 << (8 * placed.color[k])
    play_move(&s.board[seat], &placed)
    s.score[seat] += c.points * count(g.scoring, c, &s.board[seat])


cdef inline bint color_is_gone(uint32_t supply) noexcept nogil:
    """Some byte of the supply is zero."""
    return (supply - <uint32_t>0x01010101) & ~supply & <uint32_t>0x80808080 != 0


cdef void end_turn(const GameRules* g, State* s, bint passed) noexcept nogil:
    s.turns += 1
    s.passes = s.passes + 1 if passed else 0
    s.to_move += 1
    if s.to_move == g.players:
        s.to_move = 0
    between_turns(g, s)


cdef void between_turns(const GameRules* g, State* s) noexcept nogil:
    """Is the game over?  Is a new top card due?"""
    cdef bint deck_empty = s.top == NO_CARD and s.deck == 0
    cdef bint coral_empty = color_is_gone(s.supply)
    if (
        # If everybody passes, nothing can ever change.
        s.passes == g.players
        or (deck_empty and g.end != FINISH_ROUND)
        or (coral_empty and g.end == IMMEDIATE)
        or ((deck_empty or coral_empty) and s.to_move == 0)
    ):
        s.phase = FINISHED
    elif s.top == NO_CARD and s.deck:
        s.phase = DEAL_TOP
    else:
        s.phase = PLAY


cdef int hand_points(const GameRules* g, const State* s, int seat) noexcept nogil:
    """What the cards left in hand score at the end."""
    cdef int k, n, total = 0
    cdef const Card* c
    if g.hand_scoring == NOTHING:
        return 0
    for k in range(s.n_hand[seat]):
        c = &g.scoring.cards[s.hand[seat][k]]
        n = count(g.scoring, c, &s.board[seat])
        if g.hand_scoring == ONCE and n > 1 and not (c.kind == TALLEST and g.hand_neighbours):
            n = 1
        total += n * c.points
    return total


# Results ----------------------------------------------------------------------------------------

cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """Most points; then more empty (or covered) spaces; then more stacks of height 4; then shared."""
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef int64_t rank[SEATS]
    cdef int64_t best
    cdef int seat, empty, fours, n = 0
    for seat in range(g.players):
        empty = SPACES - popcount(level(&s.board[seat], 1))
        fours = popcount(level(&s.board[seat], 4) & ~level(&s.board[seat], 5))
        rank[seat] = (<int64_t>(s.score[seat] + hand_points(g, s, seat)) * 4096
                      + (SPACES - empty if g.covered else empty) * 64 + fours)
    best = rank[0]
    for seat in range(1, g.players):
        best = max(best, rank[seat])
    for seat in range(g.players):
        n += rank[seat] == best
    for seat in range(g.players):
        out[seat] = PAYOFF_UNIT // n if rank[seat] == best else 0


cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """Final scores by seat, then the number of turns."""
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef int seat
    for seat in range(g.players):
        out[seat] = s.score[seat] + hand_points(g, s, seat)
    out[g.players] = s.turns
    return g.players + 1


cdef uint64_t key(const void* rules, const void* state) noexcept nogil:
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef uint64_t h = mix(s.deck ^ (<uint64_t>s.phase << 60))
    cdef uint64_t cards
    cdef int seat, k
    h = mix(h ^ s.played ^ (<uint64_t>s.to_move << 62))
    h = mix(h ^ s.supply ^ (<uint64_t>s.top << 32) ^ (<uint64_t>s.passes << 40)
            ^ (<uint64_t>s.start_left << 44) ^ (<uint64_t>s.turns << 48))
    for seat in range(g.players):
        cards = 0
        for k in range(s.n_hand[seat]):
            cards |= <uint64_t>1 << s.hand[seat][k]
        h = mix(h ^ cards ^ (<uint64_t>s.score[seat] << 48))
        h = mix(h ^ s.secret[seat])
        h = mix(h ^ s.board[seat].tops)
        h = mix(h ^ s.board[seat].low)
        h = mix(h ^ s.board[seat].high)
    for k in range(s.n_display):
        h = mix(h ^ s.display[k] ^ (<uint64_t>s.tokens[k] << 8) ^ (<uint64_t>k << 32))
    return h


# The table ---------------------------------------------------------------------------------------

cdef class ReefTable(GameTable):
    """Reef as a game table.

    Args:
        scoring: the rules of scoring and placing.
        options: the fields of GameRules in reef_game.pxd, by name.
    """

    cdef GameRules _game_rules
    cdef Rules _scoring

    def __init__(self, Rules scoring, dict options):
        cdef int card
        self._scoring = scoring
        for card in range(scoring.rules.n_cards):
            scoring.prepare(card)
        memset(&self._game_rules, 0, sizeof(GameRules))
        self._game_rules.scoring = &scoring.rules
        self._game_rules.players = options["players"]
        self._game_rules.coral = options["coral"]
        self._game_rules.start_layout = options["start_layout"]
        self._game_rules.hand_limit = options["hand_limit"]
        self._game_rules.draw_cost = options["draw_cost"]
        self._game_rules.start_points = options["start_points"]
        self._game_rules.display_size = options["display_size"]
        self._game_rules.leftmost = options["leftmost"]
        self._game_rules.end = options["end"]
        self._game_rules.hand_scoring = options["hand_scoring"]
        self._game_rules.hand_neighbours = options["hand_neighbours"]
        self._game_rules.covered = options["covered"]
        self.rules = &self._game_rules
        self.owner = scoring
        self.n_players = self._game_rules.players
        self.game.state_size = sizeof(State)
        self.game.hidden = True
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
        self.fields = _fields()

    def new_game(self):
        """The state before the first card is dealt."""
        cdef State s
        cdef int seat
        memset(&s, 0, sizeof(State))
        s.deck = (<uint64_t>1 << self._game_rules.scoring.n_cards) - 1
        s.supply = self._game_rules.coral * <uint32_t>0x01010101
        s.top = NO_CARD
        s.start_left = 0xF
        s.phase = DEAL_HANDS
        for seat in range(self._game_rules.players):
            s.score[seat] = self._game_rules.start_points
        return (<char*>&s)[:sizeof(State)]

    def pack(self, dict fields):
        """The state between two turns with these fields, named as in `unpack`.

        The phase follows from the rest: a player's turn, a new top card to be dealt, or the end.

        Raises:
            ValueError: more of something than a state has room for.
        """
        cdef State s
        cdef int seat, k
        if len(fields["display"]) > DISPLAY:
            raise ValueError(f"a state has room for a display of {DISPLAY}")
        if any(len(hand) > HAND for hand in fields["hands"]):
            raise ValueError(f"a state has room for hands of {HAND}")
        memset(&s, 0, sizeof(State))
        s.start_left = 0xF
        s.deck = sum(<uint64_t>1 << card for card in fields["deck"])
        s.played = sum(<uint64_t>1 << card for card in fields["played"])
        s.supply = fields["supply"]
        s.top = NO_CARD if fields["top"] is None else fields["top"]
        s.to_move = fields["to_move"]
        s.passes = fields["passes"]
        s.n_display = len(fields["display"])
        for k in range(s.n_display):
            s.display[k], s.tokens[k] = fields["display"][k], fields["tokens"][k]
        note_cheapest(&self._game_rules, &s)
        for seat in range(self._game_rules.players):
            s.board[seat].tops, s.board[seat].low, s.board[seat].high = fields["boards"][seat]
            s.score[seat] = fields["scores"][seat]
            s.secret[seat] = sum(<uint64_t>1 << card for card in fields["secret"][seat])
            s.n_hand[seat] = len(fields["hands"][seat])
            for k in range(s.n_hand[seat]):
                s.hand[seat][k] = fields["hands"][seat][k]
        between_turns(&self._game_rules, &s)
        return (<char*>&s)[:sizeof(State)]

    def unpack(self, bytes state):
        """The fields of a state: cards as indices, boards as (tops, low, high)."""
        self._check_state(state)
        cdef const State* s = <const State*><const char*>state
        cdef int seat, n = self._game_rules.players
        seats = range(n)
        return {
            "phase": s.phase, "to_move": s.to_move, "turns": s.turns, "passes": s.passes,
            "boards": [(s.board[seat].tops, s.board[seat].low, s.board[seat].high)
                       for seat in seats],
            "scores": [s.score[seat] for seat in seats],
            "hands": [[s.hand[seat][k] for k in range(s.n_hand[seat])] for seat in seats],
            "secret": [_cards(s.secret[seat]) for seat in seats],
            "display": [s.display[k] for k in range(s.n_display)],
            "tokens": [s.tokens[k] for k in range(s.n_display)],
            "top": None if s.top == NO_CARD else s.top,
            "deck": _cards(s.deck), "played": _cards(s.played), "supply": s.supply,
        }


cdef list _cards(uint64_t mask):
    return [card for card in range(64) if mask >> card & 1]


cdef list _fields():
    """The fields of State as (name, NumPy format, offset)."""
    cdef State s
    cdef char* start = <char*>&s
    board = [("tops", "u8"), ("low", "u8"), ("high", "u8")]
    return [
        ("board", (board, (SEATS,)), <char*>&s.board - start),
        ("deck", "u8", <char*>&s.deck - start),
        ("played", "u8", <char*>&s.played - start),
        ("secret", ("u8", (SEATS,)), <char*>&s.secret - start),
        ("score", ("i4", (SEATS,)), <char*>&s.score - start),
        ("supply", "u4", <char*>&s.supply - start),
        ("tokens", ("u2", (DISPLAY,)), <char*>&s.tokens - start),
        ("turns", "u2", <char*>&s.turns - start),
        ("hand", ("u1", (SEATS, HAND)), <char*>&s.hand - start),
        ("n_hand", ("u1", (SEATS,)), <char*>&s.n_hand - start),
        ("display", ("u1", (DISPLAY,)), <char*>&s.display - start),
        ("n_display", "u1", <char*>&s.n_display - start),
        ("cheapest", "u1", <char*>&s.cheapest - start),
        ("top", "u1", <char*>&s.top - start),
        ("to_move", "u1", <char*>&s.to_move - start),
        ("phase", "u1", <char*>&s.phase - start),
        ("passes", "u1", <char*>&s.passes - start),
        ("start_left", "u1", <char*>&s.start_left - start),
    ]
