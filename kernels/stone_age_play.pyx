"""Stone Age: what a move does, from the set-up to the final scoring."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.stone_age cimport (
    ACTING, BUILDER, CARD, CHOOSING, Card, DEAL, EXTRA_CARD, FARMER, FEEDING, FEED_COST, FIELD,
    FINISHED, FOREST, GIFT, GIFTS, GIFT_ROLL, HOW_MANY, HUNT, HUT, KINDS, CROWD, MOST_PEOPLE,
    MOST_TOOLS, MOST_TRACK, M_CARD, M_DECLINE, M_DIE, M_FEED, M_GIFT, M_PAY, M_PEOPLE, M_PLACE,
    M_RAISE, M_REDEEM, M_ROLL, M_STARVE, M_TAKE, M_TILE, M_TOOLS, M_USE, NONE, OUT_OF_CARDS,
    OUT_OF_ROUNDS, OUT_OF_TILES, PAYING, PLACING, RAISING, ROLLING, Rules, SHAMAN, SLOTS, Seat,
    State, TILE, TOOLMAKER, TOOLS, TOOL_MAKER, TURN_TILE, TOP_FOOD, TOP_RESOURCE, TOP_POINTS,
    TOP_TOOL, TOP_FIELD, TOP_ONE_USE, TOP_EXTRA, TOP_TWO, TOP_ROLL, TOP_GIFT, VILLAGE,
    can_place, choice_span, dice_left, lane, lanes_of, lowest, most_people, popcount,
    n_low, n_moves, nth_held, one_use_value, penalty, span_of, stock, tool_choices, total, value_of,
)


# Rounds -----------------------------------------------------------------------------------------

cdef inline void forget(State* s) noexcept nogil:
    """What only the last phase needed, so that equal situations are equal states."""
    s.place = s.kind = s.dice = s.sum = 0


cdef void finish(State* s, int cause) noexcept nogil:
    s.phase, s.cause = FINISHED, cause
    forget(s)


cdef void begin_round(const Rules* g, State* s) noexcept nogil:
    """Cards slide right; the empty places are dealt, or the game is over at once."""
    cdef int k, n = 0
    cdef uint8_t card
    for k in range(SLOTS):
        card = s.slot[k]
        if card != NONE:
            s.slot[k] = NONE
            s.slot[n] = card
            n += 1
    if SLOTS - n > popcount(s.deck):
        finish(s, OUT_OF_CARDS)
        return
    s.rounds += 1
    s.to_move = s.actor = s.start
    forget(s)
    if n < SLOTS:
        s.phase = DEAL
    else:
        begin_placing(g, s)


cdef void begin_placing(const Rules* g, State* s) noexcept nogil:
    cdef int k
    s.phase = PLACING
    open_places(g, s)
    for k in range(g.players):
        s.seat[k].left = s.seat[k].people


cdef void next_to_place(const Rules* g, State* s) noexcept nogil:
    """The next seat that can place; when nobody can, the start player acts."""
    cdef int k, seat = s.to_move
    for k in range(g.players):
        seat = seat + 1 if seat + 1 < g.players else 0
        if can_place(g, s, seat):
            s.phase, s.to_move, s.place = PLACING, seat, 0
            return
    for k in range(g.players):
        s.seat[k].left = 0
    s.free = 0
    memset(s.crowd, 0, sizeof(s.crowd))
    memset(s.visitors, 0, sizeof(s.visitors))
    go_on(g, s)


cdef void open_places(const Rules* g, State* s) noexcept nogil:
    """All places of a round that nobody has taken yet."""
    cdef int k
    s.free = 0x0FFF
    for k in range(g.players):
        if s.top[k] != NONE:
            s.free |= 1 << (TILE + k)


cdef void occupy(const Rules* g, State* s, int seat, int place, int n) noexcept nogil:
    """People of a seat come to a place; what is full then is closed."""
    cdef Seat* p = &s.seat[seat]
    cdef int k = place - HUNT
    if place == HUNT:
        p.on[0] += n
    elif FOREST <= place < CARD:
        p.on[k] = n
        s.crowd[k] += n
        s.visitors[k] += 1
        if s.crowd[k] == CROWD or s.visitors[k] == g.visitors:
            s.free &= ~(1 << place)
    else:
        s.free &= ~(1 << place)
        if g.village_limit and place <= FIELD and popcount(s.free & VILLAGE) == 1:
            s.free &= ~VILLAGE
    p.here |= 1 << place


cdef inline void put_people(const Rules* g, State* s, int place, int n) noexcept nogil:
    s.seat[s.to_move].left -= n
    occupy(g, s, s.to_move, place, n)
    next_to_place(g, s)


cdef void go_on(const Rules* g, State* s) noexcept nogil:
    """What comes after an action: dice of gifts to take, the next action, the next seat, feeding."""
    while True:
        if s.gifts[0] and pick_is_due(g, s):
            return
        if s.seat[s.actor].here:
            forget(s)
            s.phase, s.to_move = ACTING, s.actor
            return
        s.actor = s.actor + 1 if s.actor + 1 < g.players else 0
        if s.actor == s.start:
            s.fed, s.to_move = True, s.start
            forget(s)
            hunger(g, s)
            return


cdef bint pick_is_due(const Rules* g, State* s) noexcept nogil:
    """Whether somebody has to take a die of a gift, or raise a tool after it; forced ones are
    taken.  The buyer is the seat that acts, so the first in turn from it."""
    cdef int k = 0, i, seat, dice, able
    while k < GIFTS and s.gifts[k]:
        able = s.gifts[k] >> 24
        if g.own_turn:
            able &= 1 << s.actor
        seat = s.actor
        for i in range(g.players):
            if able >> seat & 1:
                break
            seat = seat + 1 if seat + 1 < g.players else 0
        if not able >> seat & 1:
            k += 1
            continue
        dice = dice_left(s.gifts[k])
        forget(s)
        s.to_move, s.place = seat, k
        if dice & (dice - 1):
            s.phase = GIFT
            return True
        take_die(g, s, lowest(dice))
        if s.phase == RAISING:
            return True
        k = 0
    return False


cdef void take_die(const Rules* g, State* s, int value) noexcept nogil:
    """The seat to move takes a die of the gift `place`; a gift that is used up is removed."""
    cdef int k = s.place
    s.phase = GIFT
    s.gifts[k] -= 1 << (4 * (value - 1))
    s.gifts[k] &= ~(<uint32_t>1 << (24 + s.to_move))
    if s.gifts[k] >> 24 == 0:
        while k < GIFTS - 1:
            s.gifts[k] = s.gifts[k + 1]
            k += 1
        s.gifts[GIFTS - 1] = 0
    if value <= KINDS:
        gain(g, s, s.to_move, value - 1, 1)
    elif value == 5:
        raise_tool(g, s)
    else:
        more_track(&s.seat[s.to_move])


cdef void hunger(const Rules* g, State* s) noexcept nogil:
    """Seats feed in turn from `to_move` on until one has to decide; then the round is over."""
    cdef Seat* p
    cdef int need
    while True:
        p = &s.seat[s.to_move]
        p.food += p.track
        need = p.people * FEED_COST
        if p.food >= need:
            p.food -= need
        else:
            s.sum = need - p.food
            p.food = 0
            if still_hungry(g, s):
                return
        if fed_last(g, s):
            return


cdef bint still_hungry(const Rules* g, State* s) noexcept nogil:
    """Whether the seat to move has a choice; where not, it starves."""
    s.phase = FEEDING
    if n_moves(g, s) > 1:
        return True
    s.seat[s.to_move].score -= penalty(g, s.sum)
    return False


cdef bint fed_last(const Rules* g, State* s) noexcept nogil:
    """Go on to the next seat; True after the last, when the round has ended."""
    s.to_move = s.to_move + 1 if s.to_move + 1 < g.players else 0
    if s.to_move != s.start:
        return False
    end_round(g, s)
    return True


cdef void end_round(const Rules* g, State* s) noexcept nogil:
    cdef int k
    for k in range(g.players):
        if s.stack[k] == 0:
            finish(s, OUT_OF_TILES)
            return
    if s.rounds >= g.max_rounds:
        finish(s, OUT_OF_ROUNDS)
        return
    s.fed = False
    for k in range(g.players):
        s.seat[k].used_low = s.seat[k].used_high = 0
    s.start = s.start + 1 if s.start + 1 < g.players else 0
    begin_round(g, s)


# What a move does -------------------------------------------------------------------------------

cdef inline void gain(const Rules* g, State* s, int seat, int kind, int n) noexcept nogil:
    """Resources from the supply, as many as it has."""
    if g.limited:
        n = min(n, lane(s.supply, kind))
        s.supply -= <uint64_t>n << (16 * kind)
    s.seat[seat].goods += <uint64_t>n << (16 * kind)


cdef inline void pay(const Rules* g, State* s, uint64_t payment) noexcept nogil:
    s.seat[s.to_move].goods -= payment
    if g.limited:
        s.supply += payment


cdef inline void more_track(Seat* p) noexcept nogil:
    if p.track < MOST_TRACK:
        p.track += 1


cdef void raise_tool(const Rules* g, State* s) noexcept nogil:
    """One more tool for the seat to move; it chooses only between a used and a ready slot."""
    cdef Seat* p = &s.seat[s.to_move]
    if p.tools == MOST_TOOLS:
        return
    if 0 < p.used_low < n_low(p):
        s.phase, s.place = RAISING, 0
    else:
        raise_slot(g, p, p.used_low > 0)


cdef void raise_slot(const Rules* g, Seat* p, bint used) noexcept nogil:
    if used:
        p.used_low -= 1
        p.used_high += not g.upgraded_ready
    p.tools += 1
    if p.tools % 3 == 0:
        p.used_low, p.used_high = p.used_high, 0


cdef void act_on(const Rules* g, State* s, int place) noexcept nogil:
    cdef Seat* p = &s.seat[s.to_move]
    p.here &= ~(1 << place)
    s.place = place
    if place >= CARD:
        s.phase = PAYING
        if nth_held(g, span_of(g, s), p.goods, 0) == 0:
            go_on(g, s)
    elif place >= HUNT:
        roll(g, s, p.on[place - HUNT], place - FOREST if place > HUNT else KINDS)
        p.on[place - HUNT] = 0
    else:
        s.phase = ACTING
        if place == TOOL_MAKER:
            raise_tool(g, s)
        elif place == FIELD:
            more_track(p)
        elif p.people < MOST_PEOPLE:
            p.people += 1
        if s.phase == ACTING:
            go_on(g, s)


cdef void roll(const Rules* g, State* s, int dice, int kind) noexcept nogil:
    s.dice, s.kind, s.phase = dice, kind, ROLLING
    if g.half_pips:
        rolled(g, s, dice * g.half_pips // 2)


cdef void rolled(const Rules* g, State* s, int pips) noexcept nogil:
    cdef const Seat* p = &s.seat[s.to_move]
    s.sum, s.dice = pips, 0
    if tool_choices(p) > 1 and (s.place < CARD or g.card_roll_tools):
        s.phase = TOOLS
    else:
        use_tools(g, s, 0, 0, 0)


cdef void use_tools(const Rules* g, State* s, int low, int high, int one_use) noexcept nogil:
    """Add tools to the roll and take what it brings."""
    cdef Seat* p = &s.seat[s.to_move]
    cdef int level = p.tools // 3
    cdef int pips = s.sum + low * level + high * (level + 1) + one_use_value(one_use)
    p.used_low += low
    p.used_high += high
    p.one_use &= ~one_use
    if s.kind == KINDS:
        p.food += pips // 2
    else:
        gain(g, s, s.to_move, s.kind, pips // (s.kind + 3))
    go_on(g, s)


cdef void buy(const Rules* g, State* s, uint64_t payment) noexcept nogil:
    cdef Seat* p = &s.seat[s.to_move]
    cdef int k = s.place - TILE
    pay(g, s, payment)
    if s.place < TILE:
        take_card(g, s, s.place - CARD)
        return
    p.score += g.tiles[s.top[k]].points if g.tiles[s.top[k]].points else value_of(payment)
    p.tiles |= <uint32_t>1 << s.top[k]
    s.top[k] = NONE
    s.stack[k] -= 1
    if s.stack[k]:
        s.phase, s.place = TURN_TILE, k
    else:
        go_on(g, s)


cdef void keep(const Rules* g, Seat* p, int card) noexcept nogil:
    """The bottom half of a card."""
    cdef const Card* c = &g.cards[card]
    if c.symbol == NONE:
        p.figures[c.figure] += c.count
    else:
        p.doubles |= p.symbols & 1 << c.symbol
        p.symbols |= 1 << c.symbol


cdef void take_card(const Rules* g, State* s, int slot) noexcept nogil:
    cdef Seat* p = &s.seat[s.to_move]
    cdef const Card* c = &g.cards[s.slot[slot]]
    p.cards |= <uint64_t>1 << s.slot[slot]
    keep(g, p, s.slot[slot])
    s.slot[slot] = NONE
    s.phase = ACTING
    if c.top == TOP_FOOD:
        p.food += c.amount
    elif c.top == TOP_RESOURCE:
        gain(g, s, s.to_move, c.kind, c.amount)
    elif c.top == TOP_POINTS:
        p.score += c.amount
    elif c.top == TOP_FIELD:
        more_track(p)
    elif c.top == TOP_ONE_USE:
        p.one_use |= 1 << (c.amount - 2)
    elif c.top == TOP_TOOL:
        raise_tool(g, s)
    elif c.top == TOP_GIFT:
        s.phase, s.place = GIFT_ROLL, 0
    elif c.top == TOP_EXTRA and s.deck:
        s.phase, s.place = EXTRA_CARD, 0
    elif c.top == TOP_ROLL:
        roll(g, s, c.amount, c.kind)
        return
    elif c.top == TOP_TWO:
        p.two = not g.at_once
        if g.at_once:
            s.place = 0
            choose_two(g, s)
            return
    if s.phase == ACTING:
        go_on(g, s)


cdef void choose_two(const Rules* g, State* s) noexcept nogil:
    """Ask which two resources, where the supply leaves a choice."""
    s.phase = CHOOSING
    if n_moves(g, s) == 1:
        take_two(g, s, nth_held(g, choice_span(g, s), stock(g, s), 0))


cdef void take_two(const Rules* g, State* s, uint64_t wanted) noexcept nogil:
    cdef int kind
    for kind in range(KINDS):
        gain(g, s, s.to_move, kind, lane(wanted, kind))
    if not s.fed:
        go_on(g, s)
    elif not still_hungry(g, s) and not fed_last(g, s):
        hunger(g, s)


cdef void feed(const Rules* g, State* s, uint64_t payment) noexcept nogil:
    pay(g, s, payment)
    s.seat[s.to_move].score -= penalty(g, s.sum - total(payment))
    if not fed_last(g, s):
        hunger(g, s)


cdef void happen(const Rules* g, State* s, int kind, int a, move_t move) noexcept nogil:
    """An outcome of chance."""
    cdef int k
    if kind == M_ROLL:
        rolled(g, s, a)
    elif kind == M_CARD:
        s.deck &= ~(<uint64_t>1 << a)
        if s.phase == EXTRA_CARD:
            s.extra, s.extra_seat = a, s.to_move
            go_on(g, s)
            return
        k = 0
        while s.slot[k] != NONE:
            k += 1
        s.slot[k] = a
        if k == SLOTS - 1:
            begin_placing(g, s)
    elif kind == M_TILE:
        s.unseen &= ~(<uint32_t>1 << a)
        s.top[s.place] = a
        if s.rounds:
            go_on(g, s)
        elif s.place + 1 < g.players:
            s.place += 1
        else:
            begin_round(g, s)
    elif kind == M_GIFT:
        k = 0
        while s.gifts[k]:
            k += 1
        s.gifts[k] = <uint32_t>(move >> 8) | (<uint32_t>((1 << g.players) - 1) << 24)
        go_on(g, s)
    else:
        s.start = s.to_move = a
        s.phase, s.place = TURN_TILE, 0


cdef void apply(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const Rules* g = <const Rules*>rules
    cdef State* s = <State*>state
    cdef int kind = move & 0xFF, a = (move >> 8) & 0xFF
    if kind == M_PLACE:
        if HUNT <= a < CARD and most_people(s, a) > 1:
            s.phase, s.place = HOW_MANY, a
        else:
            put_people(g, s, a, 2 if a == HUT else 1)
    elif kind == M_PEOPLE:
        put_people(g, s, s.place, a)
    elif kind == M_USE:
        act_on(g, s, a)
    elif kind == M_TOOLS:
        use_tools(g, s, a, (move >> 16) & 0xFF, (move >> 24) & 0xFF)
    elif kind == M_PAY:
        buy(g, s, lanes_of(move))
    elif kind == M_DECLINE:
        go_on(g, s)
    elif kind == M_REDEEM:
        s.seat[s.to_move].two = False
        choose_two(g, s)
    elif kind == M_TAKE:
        take_two(g, s, lanes_of(move))
    elif kind == M_DIE:
        take_die(g, s, a)
        if s.phase != RAISING:
            go_on(g, s)
    elif kind == M_RAISE:
        raise_slot(g, &s.seat[s.to_move], a)
        go_on(g, s)
    elif kind == M_FEED:
        feed(g, s, lanes_of(move))
    elif kind == M_STARVE:
        feed(g, s, 0)
    else:
        happen(g, s, kind, a, move)


# Results ----------------------------------------------------------------------------------------

cdef int final_points(const Rules* g, const Seat* p) noexcept nogil:
    """What a seat's cards and resources add at the end, its extra card left out."""
    cdef int first = popcount(p.symbols), second = popcount(p.doubles)
    cdef int tools = p.tools + (one_use_value(p.one_use) if g.one_use_score else 0)
    return (first * first + second * second + p.figures[FARMER] * p.track
            + p.figures[TOOLMAKER] * tools + p.figures[BUILDER] * popcount(p.tiles)
            + p.figures[SHAMAN] * p.people + total(p.goods) + 2 * p.two)


cdef int extra_points(const Rules* g, const State* s, int seat) noexcept nogil:
    """And what the extra card adds."""
    cdef Seat p
    if s.extra == NONE or s.extra_seat != seat:
        return 0
    p = s.seat[seat]
    keep(g, &p, s.extra)
    return final_points(g, &p) - final_points(g, &s.seat[seat])
