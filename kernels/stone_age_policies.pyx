"""Stone Age: policies for whole games.

greedy places where one person brings most by the accounts of stone_age_worth, acts village first, then
rolls, then buys, adds the fewest tools that bring most, buys what is worth more than it costs with
the cheapest payment, and feeds its people.  tuned is the same with numbers found by play instead of
round ones.  starve is tuned without hunting or fields: it lets the people starve and takes the
penalty.
"""
from libc.stdint cimport uint64_t

from oddsmith.kernels.game cimport GameTable, move_t
from oddsmith.kernels.rng cimport Stream
from oddsmith.kernels.stone_age cimport (
    ACTING, CARD, CHOOSING, GIFT, HOW_MANY, HUNT, HUT, KINDS, M_DECLINE, M_DIE, M_FEED, M_PAY,
    M_PEOPLE, M_PLACE, M_RAISE, M_REDEEM, M_STARVE, M_TAKE, M_TOOLS, M_USE, PAYING, PLACING,
    RAISING, TILE, TOOLS, Rules, Seat, Span, State, can_place, choice_span, code, code_of,
    dice_left, feed_span, holds, lowest, most_people, n_high, n_low, popcount,
    one_use_value, penalty, span_of, stock, total, value_of,
)
from oddsmith.kernels.stone_age_worth cimport (
    PLAIN, STARVING, TUNED, Taste, card_worth, die_worth, estimate, goods_worth, place_worth,
    rounds_left,
)


cdef int hunters(const State* s, const Taste* t) noexcept nogil:
    """How many people have to hunt so that nobody is short this round, at 7/4 food each."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef int missing = p.people - p.track - p.food
    if t.starves or missing <= 0:
        return 0
    return min((4 * missing + 6) // 7, p.left)


cdef move_t place(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """The place where a person brings most."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef int places = can_place(g, s, s.to_move), one, n, best = lowest(places)
    cdef int need = hunters(s, t) if not p.here >> HUNT & 1 else 0
    cdef double rounds = rounds_left(g, s, t), worth, most = -1.0
    while places:
        one = lowest(places)
        places &= places - 1
        n = 1
        if one == HUT:
            n = 2
        elif HUNT <= one < CARD:
            n = most_people(s, one)
            if one == HUNT:
                if need == 0 or t.starves:
                    n = min(n, 2)
                else:
                    n = need
            elif n > need:
                n -= need
        worth = place_worth(g, s, s.to_move, one, n, t, rounds) / n
        if one == HUNT and need and p.left <= need:
            worth += 100.0           # the last ones who can still feed the others
        if worth > most:
            best, most = one, worth
    return code(M_PLACE, best, 0, 0)


cdef move_t how_many(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """Hunters as many as are needed; elsewhere all that needn't hunt."""
    cdef int most = most_people(s, s.place), need = hunters(s, t)
    if s.place == HUNT:
        return code(M_PEOPLE, min(most, need if need else 2), 0, 0)
    if s.seat[s.to_move].here >> HUNT & 1:
        need = 0
    return code(M_PEOPLE, min(most, max(1, s.seat[s.to_move].left - need)), 0, 0)


cdef move_t act(const Rules* g, const State* s) noexcept nogil:
    """Village, rolls, cards, tiles; the card of two resources before the first purchase."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef int one = lowest(p.here)
    if one >= CARD and p.two:
        return M_REDEEM
    return code(M_USE, one, 0, 0)


cdef move_t choose_tools(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """The set with the best yield less the worth of what it uses up."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef int level = p.tools // 3, low, high, one_use, bonus, divisor = s.kind + 3
    cdef int later = popcount(p.here & 0x00F8)
    cdef double each = t.pip * divisor, worth, most = -1e9
    cdef move_t best = 0
    if s.kind == KINDS:
        divisor, each = 2, max(t.food, 0.1)
    for low in range(n_low(p) - p.used_low + 1):
        for high in range(n_high(p) - p.used_high + 1):
            for one_use in range(8):
                if one_use & ~p.one_use:
                    continue
                bonus = low * level + high * (level + 1)
                worth = (each * ((s.sum + bonus + one_use_value(one_use)) // divisor)
                         - bonus * (t.spare if later else 0.01) - 0.8 * t.pip * one_use_value(one_use))
                if worth > most:
                    best, most = code(M_TOOLS, low, high, one_use), worth
    return best


cdef move_t purchase(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """The payment after which most is left; nothing that is not worth its price."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef Span span = span_of(g, s)
    cdef double rounds = rounds_left(g, s, t), gain = 0.0, worth, most = 0.0
    cdef uint64_t best = 0
    cdef int k, tile = -1
    # What can't be spent any more is a point each.
    cdef double pip = t.pip if rounds > 0.5 else 0.3
    if s.place < TILE:
        gain = card_worth(g, p, s.slot[s.place - CARD], t, rounds)
    else:
        tile = s.top[s.place - TILE]
        gain = p.figures[2] + g.tiles[tile].points
    for k in range(span.first, span.last):
        if holds(p.goods, g.payments[k]):
            worth = gain - pip * value_of(g.payments[k])
            if tile >= 0 and g.tiles[tile].points == 0:
                worth += value_of(g.payments[k])
            if worth > most:
                best, most = g.payments[k], worth
    return code_of(M_PAY, best) if best else M_DECLINE


cdef move_t feed(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    """The cheapest payment if it is worth less than the points it saves."""
    cdef const Seat* p = &s.seat[s.to_move]
    cdef Span span = feed_span(g, s)
    cdef double worth, least = penalty(g, s.sum)
    cdef uint64_t best = 0
    cdef int k
    if t.starves:
        return M_STARVE
    for k in range(span.first, span.last):
        if holds(p.goods, g.payments[k]):
            worth = (goods_worth(g.payments[k], t)
                     + penalty(g, s.sum - total(g.payments[k])))
            if worth < least:
                best, least = g.payments[k], worth
    if best:
        return code_of(M_FEED, best)
    return M_REDEEM if p.two and total(p.goods) + 2 >= s.sum else M_STARVE


cdef move_t take_two(const Rules* g, const State* s) noexcept nogil:
    """The most valuable."""
    cdef uint64_t held = stock(g, s)
    cdef Span span = choice_span(g, s)
    cdef uint64_t best = 0
    cdef int k
    for k in range(span.first, span.last):
        if holds(held, g.payments[k]) and value_of(g.payments[k]) > value_of(best):
            best = g.payments[k]
    return code_of(M_TAKE, best)


cdef move_t take_die(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    cdef int dice = dice_left(s.gifts[s.place]), value, best = 0
    cdef double rounds = rounds_left(g, s, t), worth, most = -1.0
    while dice:
        value = lowest(dice)
        dice &= dice - 1
        worth = die_worth(&s.seat[s.to_move], value, t, rounds)
        if worth > most:
            best, most = value, worth
    return code(M_DIE, best, 0, 0)


cdef move_t follow(const Rules* g, const State* s, const Taste* t) noexcept nogil:
    if s.phase == PLACING:
        return place(g, s, t)
    if s.phase == HOW_MANY:
        return how_many(g, s, t)
    if s.phase == ACTING:
        return act(g, s)
    if s.phase == TOOLS:
        return choose_tools(g, s, t)
    if s.phase == PAYING:
        return purchase(g, s, t)
    if s.phase == GIFT:
        return take_die(g, s, t)
    if s.phase == RAISING:
        # A ready slot brings its pip this round.
        return code(M_RAISE, g.upgraded_ready, 0, 0)
    if s.phase == CHOOSING:
        return take_two(g, s)
    return feed(g, s, t)


cdef move_t greedy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    return follow(<const Rules*>rules, <const State*>state, &PLAIN)


cdef move_t tuned(const void* rules, const void* state, Stream* draw) noexcept nogil:
    return follow(<const Rules*>rules, <const State*>state, &TUNED)


cdef move_t starve(const void* rules, const void* state, Stream* draw) noexcept nogil:
    return follow(<const Rules*>rules, <const State*>state, &STARVING)


def use_policies(GameTable table):
    """Give a table of Stone Age its policies (tuned for playouts) and its static estimate."""
    table.policies["greedy"] = <size_t>greedy
    table.policies["tuned"] = <size_t>tuned
    table.policies["starve"] = <size_t>starve
    table.game.policy, table.game.evaluate = tuned, estimate
