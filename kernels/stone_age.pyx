"""Stone Age: whose turn it is, what can be done, and chance.

Large decisions come as small ones: a place, then how many people; a place to act on, then tools or a
payment.  Placing and acting are always asked; anything else only where two moves are legal.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.bits cimport select, select32
from oddsmith.kernels.game cimport CHANCE, OVER, Outcome, move_t
from oddsmith.kernels.rng cimport Stream, below

cdef enum:
    SUMS = 61

cdef uint32_t ways[MOST_PEOPLE + 1][SUMS]    # to roll a sum with so many dice
cdef uint32_t all_ways[MOST_PEOPLE + 1]
cdef uint8_t pips_of[216]                    # sum of three base-6 digits
cdef uint32_t factorial[5]


cdef void fill_constants() noexcept nogil:
    cdef int n, s, k
    ways[0][0] = all_ways[0] = 1
    for n in range(1, MOST_PEOPLE + 1):
        all_ways[n] = 6 * all_ways[n - 1]
        for s in range(n, 6 * n + 1):
            for k in range(1, min(6, s) + 1):
                ways[n][s] += ways[n - 1][s - k]
    for k in range(216):
        pips_of[k] = k % 6 + k // 6 % 6 + k // 36
    factorial[0] = 1
    for k in range(1, 5):
        factorial[k] = k * factorial[k - 1]


fill_constants()


# Whose turn, and what can be done ---------------------------------------------------------------

cdef enum:                   # phases in which chance decides, as a set
    CHANCE_PHASES = (1 << START_PLAYER | 1 << TURN_TILE | 1 << DEAL | 1 << ROLLING
                     | 1 << EXTRA_CARD | 1 << GIFT_ROLL)


cdef int turn(const void* rules, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if CHANCE_PHASES >> s.phase & 1:
        return CHANCE
    if s.phase == FINISHED:
        return OVER
    return s.to_move


cdef int most_people(const State* s, int place) noexcept nogil:
    """How many people the seat to move may put on the hunt or a resource place."""
    cdef int left = s.seat[s.to_move].left
    return left if place == HUNT else min(left, CROWD - s.crowd[place - HUNT])


cdef int penalty(const Rules* g, int missing) noexcept nogil:
    """Points lost for starving with so much food missing."""
    if missing == 0:
        return 0
    if g.starvation == PER_MISSING:
        return 7 * missing // 2
    return 10 + (missing if g.starvation == FLAT_PLUS else 0)


cdef inline Span shortened(const Rules* g, int least, int most, uint64_t held) noexcept nogil:
    """The payments of least..most resources, those larger than what is held left out."""
    cdef Span span
    span.first = g.first_of_size[least]
    span.last = g.first_of_size[min(most, total(held)) + 1]
    return span


cdef Span span_of(const Rules* g, const State* s) noexcept nogil:
    """What may be paid for the card or tile acted on."""
    cdef uint64_t held = s.seat[s.to_move].goods
    cdef const Tile* tile
    cdef Span span
    if s.place < TILE:
        return shortened(g, s.place - CARD + 1, s.place - CARD + 1, held)
    tile = &g.tiles[s.top[s.place - TILE]]
    if tile.least < tile.most:
        return shortened(g, tile.least, tile.most, held)
    span.first, span.last = tile.first, tile.last
    return span


cdef Span feed_span(const Rules* g, const State* s) noexcept nogil:
    """What may be paid for the food that is missing."""
    return shortened(g, 1 if g.starvation == PER_MISSING else s.sum, s.sum,
                     s.seat[s.to_move].goods)


cdef Span choice_span(const Rules* g, const State* s) noexcept nogil:
    """What the card of two resources may bring: less than two only from an empty supply."""
    cdef int n = min(2, total(stock(g, s)))
    return shortened(g, n, n, stock(g, s))


cdef int n_moves(const void* rules, const void* state) noexcept nogil:
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef const Seat* p = &s.seat[s.to_move]
    if s.phase == PLACING:
        return popcount(can_place(g, s, s.to_move))
    if s.phase == ACTING:
        return popcount(p.here) + p.two
    if s.phase == HOW_MANY:
        return most_people(s, s.place)
    if s.phase == TOOLS:
        return tool_choices(p)
    if s.phase == PAYING:
        return 1 + count_held(g, span_of(g, s), p.goods)
    if s.phase == GIFT:
        return popcount(dice_left(s.gifts[s.place]))
    if s.phase == RAISING:
        return 2
    if s.phase == CHOOSING:
        return count_held(g, choice_span(g, s), stock(g, s))
    return 1 + p.two + count_held(g, feed_span(g, s), p.goods)


cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil:
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef const Seat* p = &s.seat[s.to_move]
    cdef int n, low, one_use
    if s.phase == PLACING:
        return code(M_PLACE, select32(can_place(g, s, s.to_move), k), 0, 0)
    if s.phase == ACTING:
        if k == popcount(p.here):
            return M_REDEEM
        return code(M_USE, select32(p.here, k), 0, 0)
    if s.phase == HOW_MANY:
        return code(M_PEOPLE, k + 1, 0, 0)
    if s.phase == TOOLS:
        n, one_use = popcount(p.one_use), 0
        for low in range(n):
            if k >> low & 1:
                one_use |= 1 << select32(p.one_use, low)
        k >>= n
        n = n_low(p) - p.used_low + 1
        return code(M_TOOLS, k % n, k // n, one_use)
    if s.phase == GIFT:
        return code(M_DIE, select32(dice_left(s.gifts[s.place]), k), 0, 0)
    if s.phase == RAISING:
        return code(M_RAISE, k, 0, 0)
    if s.phase == CHOOSING:
        return code_of(M_TAKE, nth_held(g, choice_span(g, s), stock(g, s), k))
    if s.phase == PAYING:
        n = count_held(g, span_of(g, s), p.goods)
        return M_DECLINE if k == n else code_of(M_PAY, nth_held(g, span_of(g, s), p.goods, k))
    n = count_held(g, feed_span(g, s), p.goods)
    if k < n:
        return code_of(M_FEED, nth_held(g, feed_span(g, s), p.goods, k))
    return M_STARVE if k == n else M_REDEEM


cdef move_t random_payment(const Rules* g, const State* s, Stream* draw) noexcept nogil:
    """Any payment at hand, or none, with one look at each."""
    cdef Span span = span_of(g, s)
    cdef uint64_t held = s.seat[s.to_move].goods
    cdef uint16_t found[PAYMENTS + 1]
    cdef int k, n = 0
    for k in range(span.first, span.last):
        found[n] = k
        n += holds(held, g.payments[k])
    k = below(draw, n + 1)
    return code_of(M_PAY, g.payments[found[k]]) if k < n else M_DECLINE


cdef move_t random_policy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    """Random play: the same as a uniform `nth_move`, looking the usual moves up only once."""
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef uint64_t places
    cdef int n, k
    if s.phase == PLACING:
        places = can_place(g, s, s.to_move)
        return code(M_PLACE, select32(places, below(draw, popcount(places))), 0, 0)
    if s.phase == ACTING:
        places = s.seat[s.to_move].here
        n = popcount(places)
        k = below(draw, n + s.seat[s.to_move].two)
        return code(M_USE, select32(places, k), 0, 0) if k < n else M_REDEEM
    if s.phase == HOW_MANY:
        return code(M_PEOPLE, 1 + below(draw, most_people(s, s.place)), 0, 0)
    if s.phase == PAYING:
        return random_payment(g, s, draw)
    return nth_move(rules, state, below(draw, n_moves(rules, state)))


# Chance -----------------------------------------------------------------------------------------

cdef int gift_outcomes(int n, Outcome* out) noexcept nogil:
    """All multisets of n dice, each with the number of its orders."""
    cdef uint32_t weight
    cdef int found = 0, k, left
    cdef int count[6]
    cdef move_t dice
    memset(count, 0, sizeof(count))
    count[0] = n
    while True:
        weight, dice = factorial[n], 0
        for k in range(6):
            weight //= factorial[count[k]]
            dice |= <move_t>count[k] << (8 + 4 * k)
        out[found].move, out[found].weight = M_GIFT | dice, weight
        found += 1
        # The next one: a die of the highest value below 6 goes up, with all the 6s.
        k = 4
        while k >= 0 and count[k] == 0:
            k -= 1
        if k < 0:
            return found
        left, count[5] = count[5] + 1, 0
        count[k] -= 1
        count[k + 1] += left


cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil:
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef uint64_t left
    cdef int kind = M_CARD, k, n = 0
    if s.phase == ROLLING:
        for k in range(s.dice, 6 * s.dice + 1):
            out[n].move, out[n].weight = code(M_ROLL, k, 0, 0), ways[s.dice][k]
            n += 1
        return n
    if s.phase == GIFT_ROLL:
        return gift_outcomes(g.players, out)
    left = s.deck
    if s.phase == START_PLAYER:
        kind, left = M_START, (1 << g.players) - 1
    elif s.phase == TURN_TILE:
        kind, left = M_TILE, s.unseen
    while left:
        out[n].move, out[n].weight = code(kind, lowest(left), 0, 0), 1
        left &= left - 1
        n += 1
    return n


cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const Rules* g = <const Rules*>rules
    cdef const State* s = <const State*>state
    cdef uint32_t x
    cdef uint64_t dice = 0
    cdef int k
    if s.phase == ROLLING:
        x, k = below(draw, all_ways[s.dice]), s.dice
        while x:
            k += pips_of[x % 216]
            x //= 216
        return code(M_ROLL, k, 0, 0)
    if s.phase == GIFT_ROLL:
        x = below(draw, all_ways[g.players])
        for k in range(g.players):
            dice += <uint64_t>1 << (8 + 4 * (x % 6))
            x //= 6
        return M_GIFT | dice
    if s.phase == START_PLAYER:
        return code(M_START, below(draw, g.players), 0, 0)
    if s.phase == TURN_TILE:
        return code(M_TILE, select(s.unseen, below(draw, popcount(s.unseen))), 0, 0)
    return code(M_CARD, select(s.deck, below(draw, popcount(s.deck))), 0, 0)


cdef void redeal(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil:
    """The extra card of another seat is as likely to be any card of the deck."""
    cdef State* s = <State*>state
    if s.extra == NONE or s.extra_seat == viewer or s.extra_open:
        return
    s.deck |= <uint64_t>1 << s.extra
    s.extra = select(s.deck, below(draw, popcount(s.deck)))
    s.deck &= ~(<uint64_t>1 << s.extra)
