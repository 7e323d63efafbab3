"""Reef: the most a card can count with its own coral placed best.

`best_placement` tries the placements one by one.  `best_count` finds the same number from sets of
spaces.  It relies on two spaces on which coral spoils nothing: then a piece that gains nothing
can be put aside, and only gains matter:

* a space is gained by one piece that satisfies a cell there, or by both pieces, one on the other;
* two spaces are gained by one piece each.

More spaces that match never count less, so the best over these gains is the best over all
placements.  Neighbour cards are answered centre by centre: what makes it a tallest stack, and what
the coral that this leaves can add around it.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from oddsmith.kernels.reef cimport (
    COUNT, LANE, NEIGHBOURS, PAIR, SAME, TALLEST, Board, Card, Move, Room, Ruleset, Walk, Wanted,
    count, has_all_coral, level, lowest, matching, next_placement, play_move, popcount,
    start_walk,
)
from oddsmith.kernels.reef_bounds cimport Gains, Pieces, add_coral, highest_count


cdef int best_placement(const Ruleset* r, const Card* c, const Board* b, uint32_t supply,
                        int enough, Move* best) noexcept nogil:
    """The most the card can count, and the first placement in order that reaches it.

    No placement counts more than `enough` (a bound that the caller knows), so the first to reach
    it ends the search.  Returns -1 where the card can't be played.
    """
    cdef Walk walk
    cdef Move move
    cdef Board after
    cdef int found, most = -1
    start_walk(r, c, b, supply, &walk)
    while next_placement(&walk, &move):
        after = b[0]
        play_move(&after, &move)
        found = count(r, c, &after)
        if found > most:
            most = found
            best[0] = move
            if found >= enough:
                break
    return most


cdef inline int try_all(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                        uint32_t supply) noexcept nogil:
    cdef Pieces p = Pieces([0, 0, 0, 0], 0)
    cdef Move ignored
    add_coral(c, &p)
    return best_placement(r, c, b, supply, highest_count(r, g, c, b, &p), &ignored)


cdef struct Gain:             # what coral can do for one cell of a pattern
    uint64_t one             # spaces that a piece of the cell's colour makes match
    uint64_t two             # spaces that match when such a piece is the second put there


cdef inline Gain look_for_gain(const Board* b, const Wanted* w, const Room* room,
                               uint64_t now) noexcept nogil:
    cdef Gain gain
    gain.one, gain.two = room.open & ~now, room.twice & ~now
    if w.least > 1:
        gain.one &= level(b, w.least - 1)
    if w.least > 2:
        gain.two &= level(b, w.least - 2)
    if w.most:
        gain.one &= ~level(b, w.most)
        gain.two &= ~level(b, w.most - 1) if w.most > 1 else 0
    return gain


cdef inline bint two_or_more(uint64_t mask) noexcept nogil:
    return mask & (mask - 1) != 0


cdef int best_single(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                     const Room* room, uint32_t supply, int floor) noexcept nogil:
    cdef uint64_t now = matching(b, &c.a)
    cdef Gain gain
    if not two_or_more(room.open & ~now):
        return try_all(r, g, c, b, supply)
    if c.own_a == 0:
        return popcount(now)
    gain = look_for_gain(b, &c.a, room, now)
    if c.own_a == 2 and two_or_more(gain.one):
        return popcount(now) + 2
    return popcount(now) + ((gain.one | gain.two) != 0)


cdef int best_same(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                   const Room* room, uint32_t supply, int floor) noexcept nogil:
    cdef const uint8_t* best = g.most[c.shape][0]
    cdef const uint8_t* one_more = g.most[c.shape][1]
    cdef uint64_t first, second, ones, twos, now = matching(b, &c.a)
    cdef int most = max(best[now], floor), possible = g.most[c.shape][c.own_a][now]
    cdef Gain gain
    if not two_or_more(room.open & ~now):
        return try_all(r, g, c, b, supply)
    if possible <= most:
        return most
    gain = look_for_gain(b, &c.a, room, now)
    twos = gain.one | gain.two
    ones = gain.one if c.own_a == 2 else twos
    if ones == LANE & ~now:
        return possible          # the table allows any space, and so does the board
    while twos:
        first = twos & -twos
        twos ^= first
        most = max(most, best[now | first])
    if c.own_a == 1:
        return most
    while ones and most < possible:
        first = ones & -ones
        ones ^= first
        if one_more[now | first] <= most:
            continue
        twos = ones
        while twos:
            second = twos & -twos
            twos ^= second
            most = max(most, best[now | first | second])
    return most


cdef struct Halves:           # the two halves of a pair's board, see `count` in reef.pxd
    uint64_t one
    uint64_t two


cdef inline Halves with_piece(Halves h, uint64_t space, uint64_t in_one) noexcept nogil:
    """After a space came to match a cell: it counts in one half, and no longer in the other."""
    if space & in_one:
        return Halves(h.one | space, h.two & ~space)
    return Halves(h.one & ~space, h.two | space)


cdef inline int count_halves(const uint8_t* best, Halves h) noexcept nogil:
    return best[h.one] + best[h.two]


cdef inline int most_with_one(const uint8_t* best, const uint8_t* one_more,
                              Halves h) noexcept nogil:
    """No space more makes the halves count more."""
    return max(one_more[h.one] + best[h.two], best[h.one] + one_more[h.two])


cdef int best_pair(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                   const Room* room, uint32_t supply, int floor) noexcept nogil:
    cdef const uint8_t* best = g.most[c.shape][0]
    cdef const uint8_t* one_more = g.most[c.shape][1]
    cdef const uint8_t* two_more = g.most[c.shape][2]
    cdef uint64_t now_a = matching(b, &c.a), now_b = matching(b, &c.b), split = c.split
    cdef Halves after, now = Halves((now_a & split) | (now_b & ~split),
                                    (now_a & ~split) | (now_b & split))
    cdef Gain gain[2]         # of each coral that has a colour of the pair
    cdef uint64_t in_one[2]
    cdef uint64_t first, second, ones, twos
    cdef int k, pieces = c.own_a + c.own_b, possible, most = max(count_halves(best, now), floor)
    if not two_or_more(room.open & ~now_a & ~now_b):
        return try_all(r, g, c, b, supply)
    if pieces == 0:
        return most
    possible = most_with_one(best, one_more, now)
    if pieces == 2:
        possible = max(possible, one_more[now.one] + one_more[now.two])
        possible = max(possible, max(two_more[now.one] + best[now.two],
                                     best[now.one] + two_more[now.two]))
    if possible <= most:
        return most
    for k in range(pieces):
        if k < c.own_a:
            gain[k], in_one[k] = look_for_gain(b, &c.a, room, now_a), split
        else:
            gain[k], in_one[k] = look_for_gain(b, &c.b, room, now_b), ~split
        ones = gain[k].one | gain[k].two
        while ones:
            first = ones & -ones
            ones ^= first
            most = max(most, count_halves(best, with_piece(now, first, in_one[k])))
    if pieces == 1:
        return most
    ones = gain[0].one
    while ones and most < possible:
        first = ones & -ones
        ones ^= first
        after = with_piece(now, first, in_one[0])
        if most_with_one(best, one_more, after) <= most:
            continue
        # With two coral of one colour, each two spaces are looked at once.
        twos = ones if c.own_a != 1 else gain[1].one & ~first
        while twos:
            second = twos & -twos
            twos ^= second
            most = max(most, count_halves(best, with_piece(after, second, in_one[1])))
    return most


cdef inline int height_of(const Board* b, int space) noexcept nogil:
    cdef uint64_t column = <uint64_t>0x0001000100010001 << space
    return popcount(b.low & column) + popcount(b.high & column)


cdef int best_neighbours(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                         const Room* room, uint32_t supply, int floor) noexcept nogil:
    """The most neighbours of any space that can be a tallest stack."""
    cdef uint64_t centres = matching(b, &c.a), wanted = matching(b, &c.b)
    cdef uint64_t candidates, centre, around, free, taller
    cdef int i, n, height, gained, most = max(floor, 0)
    if r.all_tied or c.a.color == c.b.color:
        return try_all(r, g, c, b, supply)
    candidates = centres if c.own_a == 0 else centres | room.open
    while candidates:
        i = lowest(candidates)
        centre = candidates & -candidates
        candidates ^= centre
        around = NEIGHBOURS[i]
        n = popcount(around & wanted)
        if n + c.own_b <= most:
            continue
        if not two_or_more(room.open & ~around & ~centre):
            return try_all(r, g, c, b, supply)
        free = around & ~wanted & room.open
        height = height_of(b, i)
        if c.own_a == 0:
            # Taller stacks have to be covered, with either coral.
            taller = centres & level(b, height + 1)
            if taller & ~room.open or popcount(taller) > 2:
                continue
            gained = min(2 - popcount(taller), popcount(free & ~taller))
            n += min(c.own_b, gained + popcount(taller & around))
        elif not centre & room.open:
            n += min(c.own_b, popcount(free))
        else:
            # One piece goes on the centre, the other covers a taller stack or is added around.
            taller = centres & ~centre & level(b, height + 2)
            if taller == 0:
                n += min(c.own_b, popcount(free))
            elif c.own_a == 1 and not two_or_more(taller) and taller & room.open:
                n += min(c.own_b, popcount(taller & around))
            elif not centre & room.twice or taller & level(b, height + 3):
                continue
        most = max(most, n)
    return most


ctypedef int (*best_of_kind)(const Ruleset*, const Gains*, const Card*, const Board*, const Room*,
                             uint32_t, int) noexcept nogil
cdef best_of_kind BY_KIND[4]
BY_KIND[COUNT], BY_KIND[SAME] = best_single, best_same
BY_KIND[PAIR], BY_KIND[TALLEST] = best_pair, best_neighbours


cdef int best_count(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                    const Room* room, uint32_t supply, int floor) noexcept nogil:
    """The most the card can count, as `best_placement` finds; -1 where it can't be played.

    The caller doesn't care how much it is if not more than `floor`: then any number up to there
    is returned.  Needs the gain tables of the card's shape up to 2.
    """
    if not has_all_coral(c, supply):
        return try_all(r, g, c, b, supply)
    return BY_KIND[c.kind](r, g, c, b, room, supply, floor)
