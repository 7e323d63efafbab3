"""Reef: counting occurrences and listing placements.

The table `best[shape][mask]` holds, for each of the 65,536 sets of spaces, the largest number of
disjoint occurrences of a shape inside the set (or, with option overlap = overlapping, the number
of all its occurrences).  Every pattern of the game reduces to one or two look-ups in it.
"""
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from oddsmith.kernels.reef cimport (
    ANY_COLOR, COUNT, MAX_CARDS, MAX_SHAPES, NEIGHBOURS, PAIR, SAME, SPACES, TALLEST, UNLIMITED,
    Board, Card, Move, Ruleset, Walk, Wanted,
    count, level, lowest, matching, next_placement, play_move, popcount, spend, start_walk, tallest,
)

def orbit(cells):
    """Every set of spaces a pattern can occupy: four rotations, all translations.

    Args:
        cells: (row, column) pairs of one orientation.

    Returns:
        Sorted tuple of 16-bit masks.
    """
    masks = set()
    for _ in range(4):
        cells = [(c, -r) for r, c in cells]
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        shape = [(r - top, c - left) for r, c in cells]
        height, width = max(r for r, _ in shape), max(c for _, c in shape)
        for dr in range(4 - height):
            for dc in range(4 - width):
                masks.add(sum(1 << (4 * (r + dr) + c + dc) for r, c in shape))
    return tuple(sorted(masks))


cdef class _Table:
    """65,536 counts, freed with their owner."""
    cdef uint8_t* counts

    def __cinit__(self):
        self.counts = <uint8_t*>PyMem_Malloc(1 << 16)
        if self.counts == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.counts)


cdef _Table _build_table(tuple masks, bint overlapping):
    cdef _Table table = _Table()
    cdef uint8_t* best = table.counts
    cdef uint16_t by_lowest[SPACES][32]
    cdef int n_by_lowest[SPACES]
    cdef uint64_t mask
    cdef int first, k, found
    memset(n_by_lowest, 0, sizeof(n_by_lowest))
    for mask in masks:
        first = lowest(mask)
        by_lowest[first][n_by_lowest[first]] = <uint16_t>mask
        n_by_lowest[first] += 1
    best[0] = 0
    for mask in range(1, 1 << 16):
        # The lowest space is either left unused or used by an occurrence that starts with it.
        first = lowest(mask)
        best[mask] = best[mask & (mask - 1)]
        for k in range(n_by_lowest[first]):
            if by_lowest[first][k] & ~mask:
                continue
            if overlapping:
                best[mask] += 1
            else:
                found = 1 + best[mask & ~<uint64_t>by_lowest[first][k]]
                if found > best[mask]:
                    best[mask] = found
    return table


cdef int _ask(Wanted* w, tuple wanted) except -1:
    """Fill in what a space of a pattern asks for: (color, least, most)."""
    cdef int color, least, most
    color, least, most = wanted
    w.color, w.least, w.most = color, least, most
    # Any colour: the lane of all stacks.
    w.color_word, w.color_shift = (1, 0) if color == ANY_COLOR else (0, 16 * color)
    w.least_shift = 16 * (least - 1)
    w.over_word, w.over_shift = (1, 16 * most) if most < 4 else (2, 0)
    w.over = LANE if most else 0
    return 0


cdef tuple _spaces(uint64_t mask):
    return tuple([i for i in range(SPACES) if mask >> i & 1])


cdef tuple _choose(list masks, int n, uint64_t used):
    """The first n disjoint masks in list order, or None; n is known to be the maximum at the top."""
    cdef int k
    if n == 0:
        return ()
    for k in range(len(masks)):
        if len(masks) - k < n:
            return None
        if not masks[k] & used:
            rest = _choose(masks[k + 1:], n - 1, used | <uint64_t>masks[k])
            if rest is not None:
                return (masks[k], *rest)
    return None


cdef tuple pieces_of(const Move* m):
    """A move for Python: ((colour, space), ...) in the order placed."""
    return tuple([(m.color[k], m.space[k]) for k in range(m.n)])


cdef class Rules:
    """The cards and the options that scoring and placing depend on.

    Args:
        cards: for each card `(points, coral_a, coral_b, pattern)`; colours are 0..3; pattern is
            `("tallest", centre, neighbour)` or a tuple of `(row, column, color, least, most)`
            with color 4 = any and most 0 = no limit.
        stack_limit: 1..8.
        overlapping, all_tied, short_is_illegal: the options overlap = overlapping,
            tallest_tie = all and short_supply = illegal.

    Raises:
        ValueError: a pattern that the kernel has no method for.

    Boards are passed as `(tops, low, high)`, supplies as four bytes in one integer (red lowest,
    255 = unlimited), cards as their index in `cards`.
    """

    def __init__(self, cards, int stack_limit=4, bint overlapping=False, bint all_tied=False,
                 bint short_is_illegal=False):
        cdef int k
        if not 1 <= stack_limit <= 8:
            raise ValueError(f"stack limit must be 1..8, not {stack_limit}")
        if len(cards) > MAX_CARDS:
            raise ValueError(f"at most {MAX_CARDS} cards, not {len(cards)}")
        self._tables = [None] * MAX_SHAPES
        self._orbits = []
        memset(&self.rules, 0, sizeof(Ruleset))
        self.rules.stack_limit = stack_limit
        self.rules.overlapping = overlapping
        self.rules.all_tied = all_tied
        self.rules.short_is_illegal = short_is_illegal
        self.rules.n_cards = len(cards)
        for k, (points, coral_a, coral_b, pattern) in enumerate(cards):
            self._compile(&self.rules.cards[k], points, coral_a, coral_b, pattern)

    cdef int _compile(self, Card* c, points, coral_a, coral_b, pattern) except -1:
        c.points, c.coral[0], c.coral[1] = points, coral_a, coral_b
        if pattern[0] == "tallest":
            c.kind = TALLEST
            _ask(&c.a, (pattern[1], 1, 0))
            _ask(&c.b, (pattern[2], 1, 0))
        else:
            _ask(&c.a, pattern[0][2:])
            _ask(&c.b, pattern[-1][2:])
        coral = (coral_a, coral_b)
        c.own_a = sum(c.a.color in (color, ANY_COLOR) for color in coral)
        c.own_b = sum(c.b.color in (color, ANY_COLOR) for color in coral)
        if c.kind == TALLEST:
            return 0
        wanted = [cell[2:] for cell in pattern]
        masks = orbit([cell[:2] for cell in pattern])
        if masks not in self._orbits:
            self._orbits.append(masks)
        c.shape = self._orbits.index(masks)
        if c.shape >= MAX_SHAPES:
            raise ValueError("more pattern shapes than the kernel has tables for")
        if len(set(wanted)) == 1:
            c.kind = COUNT if len(wanted) == 1 else SAME
            return 0
        if len(wanted) != 2 or c.a.color == c.b.color or ANY_COLOR in (c.a.color, c.b.color):
            raise ValueError("a pattern with mixed spaces must be a pair of two colours")
        for split in (0xA5A5, 0x0F0F):  # checkerboard; alternate rows
            if all(popcount(mask & split) == 1 for mask in masks):
                c.kind, c.split = PAIR, split
                return 0
        raise ValueError("the two spaces of a pair must be adjacent or diagonal")

    cdef int prepare(self, int card) except -1:
        """Check a card's index and build the table of its shape if it isn't there yet."""
        if not 0 <= card < self.rules.n_cards:
            raise IndexError(f"no card with index {card}")
        cdef Card* c = &self.rules.cards[card]
        cdef _Table table
        if c.kind in (SAME, PAIR) and self.rules.best[c.shape] == NULL:
            table = _build_table(self._orbits[c.shape], self.rules.overlapping)
            self._tables[c.shape] = table
            self.rules.best[c.shape] = table.counts
        return 0

    cdef int load(self, Board* b, tuple board) except -1:
        b.tops, b.low, b.high = board
        if level(b, self.rules.stack_limit + 1):
            raise ValueError("a stack is higher than the stack limit")
        return 0

    def count(self, tuple board, int card):
        """How many occurrences (neighbours, for a neighbour card) score."""
        cdef Board b
        self.load(&b, board)
        self.prepare(card)
        return count(&self.rules, &self.rules.cards[card], &b)

    def table(self, int card):
        """The card's shape table as 65,536 bytes; empty where the card needs none."""
        self.prepare(card)
        cdef Card* c = &self.rules.cards[card]
        if c.kind not in (SAME, PAIR):
            return b""
        return (<char*>self.rules.best[c.shape])[:1 << 16]

    def program(self, int card):
        """The compiled card as integers, for the array kernels.

        Returns:
            (kind, points, shape, split, colour a, least a, most a, colour b, least b, most b).
        """
        self.prepare(card)
        cdef Card* c = &self.rules.cards[card]
        return (c.kind, c.points, c.shape, c.split, c.a.color, c.a.least, c.a.most,
                c.b.color, c.b.least, c.b.most)

    def occurrences(self, tuple board, int card):
        """The occurrences that score, as tuples of spaces; the first best choice in space order.

        For a neighbour card each scoring neighbour is one occurrence of one space; which tallest
        stacks they belong to is told by `tallest`.
        """
        cdef Board b
        self.load(&b, board)
        self.prepare(card)
        cdef Card* c = &self.rules.cards[card]
        if c.kind == TALLEST:
            wanted = matching(&b, &c.b)
            return [(i,) for centre in self.tallest(board, card)
                    for i in range(SPACES) if NEIGHBOURS[centre] & wanted & (1 << i)]
        a, other = matching(&b, &c.a), matching(&b, &c.b)
        found = []
        for mask in self._orbits[c.shape]:
            if c.kind == PAIR:
                fits = popcount(mask & a) == 1 and popcount(mask & other) == 1
            else:
                fits = mask & ~a == 0
            if fits:
                found.append(mask)
        # In space order: an occurrence that starts further up and left comes first.
        found.sort(key=_spaces)
        if not self.rules.overlapping:
            found = _choose(found, count(&self.rules, c, &b), 0)
        return [_spaces(mask) for mask in found]

    def tallest(self, tuple board, int card):
        """The tallest stacks whose neighbours score: one, or all tied with option `all`."""
        cdef Board b
        self.load(&b, board)
        self.prepare(card)
        cdef Card* c = &self.rules.cards[card]
        if c.kind != TALLEST:
            return []
        centres = _spaces(tallest(&b, matching(&b, &c.a), self.rules.stack_limit))
        wanted = matching(&b, &c.b)
        if self.rules.all_tied or not centres:
            return list(centres)
        return [max(centres, key=lambda i: popcount(NEIGHBOURS[i] & wanted))]

    def moves(self, tuple board, int card, uint32_t supply):
        """Every way to place the card's coral.

        Returns:
            List of `(((colour, space), ...), board after, supply after)` in the game's fixed
            order; empty where the card can't be played at all.
        """
        cdef Board b, after
        cdef Walk walk
        cdef Move move
        self.load(&b, board)
        self.prepare(card)
        start_walk(&self.rules, &self.rules.cards[card], &b, supply, &walk)
        result = []
        while next_placement(&walk, &move):
            after = b
            play_move(&after, &move)
            result.append((pieces_of(&move), (after.tops, after.low, after.high),
                           spend(supply, &move)))
        return result
