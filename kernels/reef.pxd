"""Reef's board and cards as bits, and the two things done to them most: place and count.

Space i = 4 * row + column, row 0 at the top.  A board is three 64-bit words of four 16-bit
lanes, one bit a space:

    tops   lane c: the space's top piece has colour c (0 red, 1 yellow, 2 green, 3 purple)
    low    lane h: the stack has at least h + 1 pieces, h = 0..3
    high   lane h: the stack has at least h + 5 pieces (only with a stack limit above 4)

Pieces under the top are not kept: no rule ever looks at them again.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from oddsmith.kernels.bits cimport lowest, popcount

cdef extern from *:
    """
    /* The k-th set bit of each byte, filled in before anything runs. */
    static unsigned char oddsmith_reef_nth_bit[256][8];
    __attribute__((constructor)) static void oddsmith_reef_fill_nth_bit(void) {
        for (int byte = 0; byte < 256; byte++)
            for (int bit = 0, k = 0; bit < 8; bit++)
                if (byte >> bit & 1)
                    oddsmith_reef_nth_bit[byte][k++] = bit;
    }
    /* The up to 8 spaces around each space. */
    static const unsigned short oddsmith_reef_neighbours[16] = {
        0x0032, 0x0075, 0x00EA, 0x00C4, 0x0323, 0x0757, 0x0EAE, 0x0C4C,
        0x3230, 0x7570, 0xEAE0, 0xC4C0, 0x2300, 0x5700, 0xAE00, 0x4C00};
    /* The pairs a < b in order of b, then a. */
    static const unsigned char oddsmith_reef_pair_a[120] = {
        0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4,
        5, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3,
        4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4,
        5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1,
        2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8,
        9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    static const unsigned char oddsmith_reef_pair_b[120] = {
        1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6,
        6, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9,
        9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11,
        11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13,
        13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14, 14, 14,
        14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    """
    const uint8_t NTH_BIT "oddsmith_reef_nth_bit"[256][8]
    const uint16_t NEIGHBOURS "oddsmith_reef_neighbours"[16]
    const uint8_t PAIR_A "oddsmith_reef_pair_a"[120]
    const uint8_t PAIR_B "oddsmith_reef_pair_b"[120]

cdef enum:
    SPACES = 16
    COLORS = 4
    MAX_CARDS = 60
    MAX_SHAPES = 8
    MAX_MOVES = 272          # two different coral: 16 * 15 pairs + 16 spaces * 2 orders
    ANY_COLOR = 4
    LANE = 0xFFFF
    UNLIMITED = 255          # in a supply lane: never runs out

cdef enum:              # the kinds of cards
    COUNT                    # single spaces: a popcount
    SAME                     # several spaces, all asking for the same thing
    PAIR                     # two spaces asking for two different colours
    TALLEST                  # neighbours of a tallest stack

cdef struct Board:
    uint64_t tops
    uint64_t low
    uint64_t high

cdef struct Wanted:          # what one space of a pattern asks for
    uint8_t color            # 0..3 or ANY_COLOR
    uint8_t least            # least height, 1..4
    uint8_t most             # greatest height, 1..4; 0 = no limit
    # The same as lanes of the board, so that `matching` needs no branches: word 0 tops, 1 low,
    # 2 high, and a shift.
    uint8_t color_word
    uint8_t color_shift
    uint8_t least_shift
    uint8_t over_word        # of the lane of too high stacks
    uint8_t over_shift
    uint16_t over            # all spaces, or none without a limit

cdef struct Card:
    uint8_t kind
    uint8_t points
    uint8_t coral[2]
    uint8_t shape            # index of the table of its shape (SAME, PAIR)
    uint8_t own_a            # how many of its coral have the colour of a
    uint8_t own_b            # of b, where there is one
    uint16_t split           # PAIR: every occurrence has one space inside and one outside
    Wanted a
    Wanted b                 # PAIR: the second space.  TALLEST: the neighbours

cdef struct Ruleset:
    uint8_t stack_limit      # 1..8
    bint overlapping         # option overlap
    bint all_tied            # option tallest_tie = all
    bint short_is_illegal    # option short_supply = illegal
    int n_cards
    Card cards[MAX_CARDS]
    const uint8_t* best[MAX_SHAPES]      # 65,536 counts a shape: see reef.pyx

cdef struct Move:            # n pieces of coral, in the order they are placed
    uint8_t n
    uint8_t color[2]
    uint8_t space[2]

cdef struct Room:            # where coral can go
    uint64_t open            # spaces below the stack limit
    uint64_t twice           # spaces with room for two pieces
    int n_open
    int n_twice
    int levels               # free levels on the whole board, counted up to 2

cdef struct Given:           # the coral that the supply gives for a card
    int n                    # -1: the card can't be played
    uint8_t color[2]


cdef inline uint64_t level(const Board* b, int h) noexcept nogil:
    """Spaces whose stack has at least h pieces, h >= 1."""
    if h <= 4:
        return (b.low >> (16 * (h - 1))) & LANE
    if h <= 8:
        return (b.high >> (16 * (h - 5))) & LANE
    return 0


cdef inline void place(Board* b, int color, int space) noexcept nogil:
    """Put one piece on a stack; the caller has seen to the stack limit."""
    cdef uint64_t bit = <uint64_t>1 << space
    cdef uint64_t column = <uint64_t>0x0001000100010001 << space
    cdef uint64_t stack = b.low & column
    b.tops = (b.tops & ~column) | (bit << (16 * color))
    if stack >> 48:
        b.high |= ((b.high & column) << 16) | (stack >> 48)
    b.low |= (stack << 16) | bit


cdef inline void play_move(Board* b, const Move* m) noexcept nogil:
    if m.n > 0:
        place(b, m.color[0], m.space[0])
        if m.n > 1:
            place(b, m.color[1], m.space[1])


cdef inline uint32_t spend(uint32_t supply, const Move* m) noexcept nogil:
    """The supply after a move."""
    cdef int k, shift
    for k in range(m.n):
        shift = 8 * m.color[k]
        if (supply >> shift) & 0xFF != UNLIMITED:
            supply -= <uint32_t>1 << shift
    return supply


cdef inline uint64_t matching(const Board* b, const Wanted* w) noexcept nogil:
    """The spaces that satisfy one cell of a pattern."""
    cdef const uint64_t* words = &b.tops
    cdef uint64_t mask = words[w.color_word] >> w.color_shift
    mask &= b.low >> w.least_shift
    mask &= ~((words[w.over_word] >> w.over_shift) & w.over)
    return mask & LANE


cdef inline uint64_t tallest(const Board* b, uint64_t topped, int limit) noexcept nogil:
    """Of the given occupied spaces, those with the tallest stacks."""
    cdef int h
    cdef uint64_t found
    for h in range(limit, 1, -1):
        found = topped & level(b, h)
        if found:
            return found
    return topped


cdef inline int count_neighbours(const Ruleset* r, const Card* c, const Board* b) noexcept nogil:
    cdef uint64_t centres = tallest(b, matching(b, &c.a), r.stack_limit)
    cdef uint64_t wanted = matching(b, &c.b)
    cdef int n, total = 0
    while centres:
        n = popcount(NEIGHBOURS[lowest(centres)] & wanted)
        centres &= centres - 1
        if r.all_tied:
            total += n
        elif n > total:
            total = n
    return total


cdef inline int count(const Ruleset* r, const Card* c, const Board* b) noexcept nogil:
    """How many occurrences (or neighbours) the card scores on the board."""
    cdef uint64_t a, other
    if c.kind == COUNT:
        return popcount(matching(b, &c.a))
    if c.kind == SAME:
        return r.best[c.shape][matching(b, &c.a)]
    if c.kind == PAIR:
        # Each occurrence joins a space inside `split` with one outside, so the board falls into
        # two halves in which any two related spaces are an occurrence: the same-colour table
        # answers both.
        a = matching(b, &c.a)
        other = matching(b, &c.b)
        return (r.best[c.shape][(a & c.split) | (other & ~c.split)]
                + r.best[c.shape][(a & ~c.split) | (other & c.split)])
    return count_neighbours(r, c, b)


cdef inline Room look_for_room(const Ruleset* r, const Board* b) noexcept nogil:
    cdef Room room
    room.open = LANE & ~level(b, r.stack_limit)
    room.twice = LANE & ~level(b, r.stack_limit - 1) if r.stack_limit > 1 else 0
    room.n_open = popcount(room.open)
    room.n_twice = popcount(room.twice)
    room.levels = 2 if room.n_open > 1 or room.n_twice else room.n_open
    return room


cdef inline Given take_coral(const Ruleset* r, const Card* c, uint32_t supply) noexcept nogil:
    """What of the card's two coral the supply (four bytes, red lowest) has."""
    cdef Given given
    cdef int first = c.coral[0], second = c.coral[1]
    given.n = 0
    if (supply >> (8 * first)) & 0xFF:
        given.color[0] = first
        given.n = 1
    if (supply >> (8 * second)) & 0xFF >= (2 if first == second else 1):
        given.color[given.n] = second
        given.n += 1
    if given.n < 2 and r.short_is_illegal:
        given.n = -1
    return given


cdef inline bint has_all_coral(const Card* c, uint32_t supply) noexcept nogil:
    """The supply has both of the card's coral."""
    if (supply - <uint32_t>0x02020202) & <uint32_t>0x80808080 == 0:
        return True  # it has two of each colour
    return ((supply >> (8 * c.coral[0])) & 0xFF >= (2 if c.coral[0] == c.coral[1] else 1)
            and (supply >> (8 * c.coral[1])) & 0xFF != 0)


cdef inline int count_placements(const Room* room, const Given* given) noexcept nogil:
    """The number of placements; the same place twice and both orders only where they differ."""
    cdef int n
    if given.n <= 0:
        return given.n + 1               # unplayable: none; nothing supplied: one, empty
    if room.levels == 0:
        return 1
    if given.n == 1:
        return room.n_open
    if room.levels == 1:
        return 1 if given.color[0] == given.color[1] else 2
    n = room.n_open * (room.n_open - 1) // 2 + room.n_twice
    return n if given.color[0] == given.color[1] else 2 * n


cdef inline int select_space(uint64_t mask, int k) noexcept nogil:
    """The k-th space of a set; without branches, which random play mispredicts."""
    cdef int n = popcount(mask & 0xFF)
    cdef int beyond = k >= n
    return (beyond << 3) + NTH_BIT[(mask >> (beyond << 3)) & 0xFF][k - (n & -beyond)]


cdef inline void nth_pair(const Room* room, const uint8_t* color, int k, Move* m) noexcept nogil:
    """The k-th placement of two coral where there is room for both."""
    cdef int two_ways = color[0] != color[1]
    cdef int swap = k & two_ways
    k >>= two_ways
    m.n = 2
    if k < room.n_twice:
        m.color[0], m.color[1] = color[swap], color[1 - swap]
        m.space[0] = m.space[1] = select_space(room.twice, k)
        return
    k -= room.n_twice
    m.color[0], m.color[1] = color[0], color[1]
    m.space[swap] = select_space(room.open, PAIR_A[k])
    m.space[1 - swap] = select_space(room.open, PAIR_B[k])


cdef inline void nth_placement(const Room* room, const Given* given, int k, Move* m) noexcept nogil:
    """The k-th placement: both coral on one space first, then pairs of spaces a < b by b.

    With two colours every place has two ways in a row: the card's first coral below (or on a),
    then its second.
    """
    if given.n == 0 or room.levels == 0:
        m.n = 0
    elif given.n == 1 or room.levels == 1:
        m.n = 1
        m.color[0] = given.color[0 if given.n == 1 else k]
        m.space[0] = select_space(room.open, k if given.n == 1 else 0)
    else:
        nth_pair(room, given.color, k, m)


cdef struct Walk:            # all placements of a card, one after the other
    Room room
    Given given
    int n                    # how many there are
    int k                    # the next one's number
    int two_ways             # each place has two: two coral of different colours
    int way
    int at                   # among the spaces for both coral
    int a                    # among the open spaces, a < b
    int b
    uint8_t open[SPACES]
    uint8_t twice[SPACES]


cdef inline int list_spaces(uint64_t mask, uint8_t* out) noexcept nogil:
    cdef int n = 0
    while mask:
        out[n] = lowest(mask)
        mask &= mask - 1
        n += 1
    return n


cdef inline int start_walk(const Ruleset* r, const Card* c, const Board* b, uint32_t supply,
                           Walk* w) noexcept nogil:
    """Begin a walk; returns the number of placements, 0 where the card can't be played."""
    w.room = look_for_room(r, b)
    w.given = take_coral(r, c, supply)
    w.n = count_placements(&w.room, &w.given)
    w.k = w.way = w.at = w.a = 0
    w.b = 1
    w.two_ways = w.given.n == 2 and w.given.color[0] != w.given.color[1]
    list_spaces(w.room.open, w.open)
    list_spaces(w.room.twice, w.twice)
    return w.n


cdef inline bint next_placement(Walk* w, Move* m) noexcept nogil:
    """The next placement, in the order of `nth_placement`; False after the last."""
    if w.k >= w.n:
        return False
    if w.given.n < 2 or w.room.levels < 2:
        nth_placement(&w.room, &w.given, w.k, m)
    elif w.at < w.room.n_twice:
        m.n = 2
        m.color[0], m.color[1] = w.given.color[w.way], w.given.color[1 - w.way]
        m.space[0] = m.space[1] = w.twice[w.at]
        w.way ^= w.two_ways
        w.at += w.way == 0
    else:
        m.n = 2
        m.color[0], m.color[1] = w.given.color[0], w.given.color[1]
        m.space[w.way] = w.open[w.a]
        m.space[1 - w.way] = w.open[w.b]
        w.way ^= w.two_ways
        if w.way == 0:
            w.a += 1
            if w.a == w.b:
                w.a = 0
                w.b += 1
    w.k += 1
    return True


cdef tuple pieces_of(const Move* m)


cdef class Rules:
    cdef Ruleset rules
    cdef list _tables
    cdef list _orbits
    cdef int _compile(self, Card* c, points, coral_a, coral_b, pattern) except -1
    cdef int prepare(self, int card) except -1
    cdef int load(self, Board* b, tuple board) except -1
