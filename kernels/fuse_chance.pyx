"""FUSE: chance events, one card, die or length at a time, with integer weights.

Where the values of bombs are bound (one player's opening hand, chosen values), the next bomb's value
is drawn first, then one of that value.
"""
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.fuse cimport (
    BOMB, CLOCK, COLORS, DEAL_HANDS, DIE, FUSE, HARD, LENGTH, NUMBER, NUMBERS, REFILL, REROLL, ROLL,
    VALUE, VALUES, FuseRules, State, bit, code, in_bag, lowest, popcount, select,
)
from oddsmith.kernels.rng cimport below

cdef enum:
    DIFFERENT = 3            # values at least in the opening hand of one player alone
    ALONE = 4                # his bombs


# Bombs ------------------------------------------------------------------------------------------

cdef inline bint second_is_easy(const FuseRules* g, const State* s) noexcept nogil:
    """Whether the next bomb of an opening hand must be worth 1 or 2."""
    return (s.phase == DEAL_HANDS and g.players > 1 and s.dealt & 1
            and g.bombs[s.bomb[s.dealt - 1]].points >= HARD)


cdef inline uint64_t next_bombs(const FuseRules* g, const State* s) noexcept nogil:
    """The bombs that may come next, all equally likely."""
    if s.value:
        return s.unseen & g.of_value[s.value]
    if second_is_easy(g, s):
        return s.unseen & (g.of_value[1] | g.of_value[2])
    return s.unseen


cdef inline bint value_first(const FuseRules* g, const State* s) noexcept nogil:
    return s.value == 0 and (g.by_value or (s.phase == DEAL_HANDS and g.players == 1))


cdef uint32_t endings(uint32_t* left, uint32_t values, int n) noexcept nogil:
    """Ways to deal n more bombs one after the other, so that enough values are different."""
    cdef int v
    cdef uint32_t ways = 0
    if n == 0:
        return popcount(values) >= DIFFERENT
    for v in range(1, VALUES):
        if left[v]:
            left[v] -= 1
            ways += (left[v] + 1) * endings(left, values | 1u << v, n - 1)
            left[v] += 1
    return ways


cdef void value_weights(const FuseRules* g, const State* s, uint32_t* weight) noexcept nogil:
    """Weights of the values of the next bomb, fuse cards left out."""
    cdef uint32_t[VALUES] left
    cdef uint32_t values = 0
    cdef int v, k
    memset(weight, 0, VALUES * sizeof(uint32_t))
    for v in range(1, VALUES):
        # The bomb deck has `value_left`; opening hands are dealt from the others.
        left[v] = s.value_left[v]
        if s.phase == DEAL_HANDS:
            left[v] = popcount(s.unseen & g.of_value[v]) - s.value_left[v]
    left[0] = 0
    for v in range(1, HARD if second_is_easy(g, s) else VALUES):
        weight[v] = left[v]
    if s.phase == DEAL_HANDS and g.players == 1:
        for k in range(s.dealt):
            values |= 1u << g.bombs[s.bomb[k]].points
        for v in range(1, VALUES):
            if left[v]:
                left[v] -= 1
                weight[v] *= endings(left, values | 1u << v, ALONE - 1 - s.dealt)
                left[v] += 1


cdef int list_cards(const FuseRules* g, const State* s, Outcome* out) noexcept nogil:
    cdef uint32_t[VALUES] weight
    cdef uint64_t bombs = next_bombs(g, s)
    cdef uint32_t fuses = 0, bomb_weight = 1, fuse_weight = 0
    cdef int v, n = 0
    if s.phase == REFILL and s.fuse_left and s.value == 0:
        # Of b bombs and f fuse cards each is next; it may be any of those that nobody has seen.
        fuses, fuse_weight = s.fuse_unseen, s.fuse_left
        bomb_weight = popcount(fuses)
        if not g.by_value:
            bomb_weight *= s.bombs_left
            fuse_weight *= popcount(bombs)
        if s.bombs_left == 0:
            bombs, bomb_weight, fuse_weight = 0, 0, 1
    if value_first(g, s):
        value_weights(g, s, weight)
        for v in range(1, VALUES):
            if weight[v] and bomb_weight:
                out[n].move, out[n].weight = code(VALUE, v), weight[v] * bomb_weight
                n += 1
    else:
        while bombs:
            out[n].move, out[n].weight = code(BOMB, lowest(bombs)), bomb_weight
            bombs &= bombs - 1
            n += 1
    while fuses:
        out[n].move, out[n].weight = code(FUSE, lowest(fuses)), fuse_weight
        fuses &= fuses - 1
        n += 1
    return n


cdef move_t draw_card(const FuseRules* g, const State* s, Stream* draw) noexcept nogil:
    cdef uint32_t[VALUES] weight
    cdef uint32_t total = 0, at
    cdef uint64_t bombs
    cdef int v
    if s.phase == REFILL and s.fuse_left and s.value == 0:
        if below(draw, s.bombs_left + s.fuse_left) >= s.bombs_left:
            return code(FUSE, select(s.fuse_unseen, below(draw, popcount(s.fuse_unseen))))
    if value_first(g, s):
        value_weights(g, s, weight)
        for v in range(1, VALUES):
            total += weight[v]
        at = below(draw, total)
        v = 1
        while at >= weight[v]:
            at -= weight[v]
            v += 1
        return code(VALUE, v)
    bombs = next_bombs(g, s)
    return code(BOMB, select(bombs, below(draw, popcount(bombs))))


# The table's functions --------------------------------------------------------------------------

cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef int k, n = 0
    if s.phase == ROLL:
        for k in range(COLORS * NUMBERS):
            if in_bag(s, k // NUMBERS):
                out[n].move, out[n].weight = code(DIE, k), in_bag(s, k // NUMBERS)
                n += 1
        return n
    if s.phase == REROLL:
        for k in range(NUMBERS):
            out[k].move, out[k].weight = code(NUMBER, k), 1
        return NUMBERS
    if s.phase == CLOCK:
        for k in range(g.n_lengths):
            out[k].move, out[k].weight = code(LENGTH, g.lengths[k]), g.weights[k]
        return g.n_lengths
    return list_cards(g, s, out)


cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef uint32_t at
    cdef int k
    if s.phase == ROLL:
        return code(DIE, next_face(s, draw))
    if s.phase == REROLL:
        return code(NUMBER, below(draw, NUMBERS))
    if s.phase == CLOCK:
        at = below(draw, g.total_weight)
        k = 0
        while at >= g.weights[k]:
            at -= g.weights[k]
            k += 1
        return code(LENGTH, g.lengths[k])
    return draw_card(g, s, draw)
