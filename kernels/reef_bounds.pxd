"""Reef: the most a card can still score, whatever is placed where (an admissible bound)."""
from libc.stdint cimport uint8_t, uint64_t

from oddsmith.kernels.reef cimport (
    ANY_COLOR, COUNT, LANE, MAX_SHAPES, NEIGHBOURS, PAIR, SAME, SPACES, Board, Card, Ruleset,
    Wanted, count, level, lowest, matching, popcount,
)

cdef enum:
    MAX_GAIN = 8             # pieces up to which the gain tables reach


cdef struct Gains:
    # most[shape][k][mask]: the most occurrences after adding any k spaces to the mask.
    const uint8_t* most[MAX_SHAPES][MAX_GAIN + 1]


cdef struct Pieces:          # coral that may be placed before a card is scored
    int of_color[4]
    int total


cdef inline void add_coral(const Card* c, Pieces* p) noexcept nogil:
    """The two pieces that a card brings."""
    p.of_color[c.coral[0]] += 1
    p.of_color[c.coral[1]] += 1
    p.total += 2


cdef inline int within_reach(const Ruleset* r, const Board* b, const Wanted* w, uint64_t current,
                             const Pieces* p, uint64_t* spaces) noexcept nogil:
    """How many more spaces can be made to match, at most; `spaces` gets the candidates.

    A space of height t needs at least max(1, least - t) pieces, the last of the wanted colour.
    """
    cdef int budget = p.total
    cdef int of_color = budget if w.color == ANY_COLOR else p.of_color[w.color]
    cdef int cost, n, reached = 0
    cdef uint64_t group, open_spaces = LANE & ~level(b, r.stack_limit) & ~current
    spaces[0] = 0
    if of_color == 0:
        return 0
    group = open_spaces
    if w.least > 1:
        group &= level(b, w.least - 1)
    if w.most:
        group &= ~level(b, w.most)
    cost = 1
    while True:
        spaces[0] |= group  # each of them is in reach, though not all together
        n = popcount(group)
        if n * cost > budget:
            n = budget // cost
        budget -= n * cost
        reached += n
        cost += 1
        if cost > w.least or cost > p.total:
            break
        group = open_spaces & ~level(b, w.least - cost + 1)
        if cost < w.least:
            group &= level(b, w.least - cost)
    return reached if reached < of_color else of_color


cdef inline int highest_same(const Ruleset* r, const Gains* g, int shape, uint64_t mask,
                             uint64_t spaces, int k) noexcept nogil:
    cdef int filled = r.best[shape][mask | spaces]
    cdef int gained
    if k > MAX_GAIN:
        return filled
    gained = g.most[shape][k][mask]
    return gained if gained < filled else filled


cdef inline int highest_pair(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                             const Pieces* p) noexcept nogil:
    cdef uint64_t a = matching(b, &c.a), other = matching(b, &c.b), near_a, near_b
    cdef int k = within_reach(r, b, &c.a, a, p, &near_a)
    cdef uint64_t one, two, near_one, near_two
    cdef int j, found, best = 0
    k += within_reach(r, b, &c.b, other, p, &near_b)
    if k > p.total:
        k = p.total
    one = (a & c.split) | (other & ~c.split)
    two = (a & ~c.split) | (other & c.split)
    near_one = (near_a & c.split) | (near_b & ~c.split)
    near_two = (near_a & ~c.split) | (near_b & c.split)
    for j in range(k + 1):
        found = (highest_same(r, g, c.shape, one, near_one, j)
                 + highest_same(r, g, c.shape, two, near_two, k - j))
        if found > best:
            best = found
    return best


cdef inline int highest_neighbours(const Ruleset* r, const Card* c, const Board* b,
                                   const Pieces* p) noexcept nogil:
    """Any stack topped with the centre colour, now or later, might become a tallest one."""
    cdef uint64_t full = level(b, r.stack_limit)
    cdef uint64_t centres = matching(b, &c.a), wanted = matching(b, &c.b)
    cdef int n_more = p.of_color[c.b.color]
    cdef int i, n, room, best = 0, total = 0
    if p.of_color[c.a.color]:
        centres |= LANE & ~full
    while centres:
        i = lowest(centres)
        centres &= centres - 1
        n = popcount(NEIGHBOURS[i] & wanted)
        room = popcount(NEIGHBOURS[i] & ~wanted & ~full)
        n += room if room < n_more else n_more
        total += n
        if n > best:
            best = n
    return total if r.all_tied else best


cdef inline int highest_count(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                              const Pieces* p) noexcept nogil:
    """No placement of (some of) the pieces lets the card count more than this.

    Needs the gain tables of the card's shape up to min(p.total, MAX_GAIN).
    """
    cdef uint64_t mask, spaces
    cdef int k
    if c.kind == PAIR:
        return highest_pair(r, g, c, b, p)
    if c.kind == SAME or c.kind == COUNT:
        mask = matching(b, &c.a)
        k = within_reach(r, b, &c.a, mask, p, &spaces)
        if c.kind == COUNT:
            return popcount(mask) + k
        return highest_same(r, g, c.shape, mask, spaces, k)
    return highest_neighbours(r, c, b, p)


cdef class GainTables:
    cdef Gains gains
    cdef dict _owners
    cdef int prepare(self, const Ruleset* r, int shape, int k) except -1
