"""Stone Age: exact tables of dice, and the best adaptive use of tools over several rolls.

A roll of n dice with sum s and tools worth t gives floor((s + t) / d) goods.  All weights are ways
out of 6^n.  Products that a question needs must stay below 2^62; callers make sure of it.
"""
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc

cdef enum:
    MOST_DICE = 10
    SUMS = 61
    DIVISORS = 4             # 3..6
    BONUSES = 13             # 0..12
    GOODS = 25               # (60 + 12) / 3 and nothing
    MOST_ROLLS = 6           # all five places, and a card or a sum that lies there
    MOST_TOOLS = 6
    MOST_BONUS = 24          # six tools of 4

# ways[n][s]: ways to roll the sum s with n dice; up_to[n][s]: or less.
cdef uint32_t ways[MOST_DICE + 1][SUMS]
cdef uint32_t up_to[MOST_DICE + 1][SUMS]


cdef void count_ways() noexcept nogil:
    """Sums of n + 1 dice: a window of six over those of n."""
    cdef int n, s
    ways[0][0] = 1
    for n in range(MOST_DICE + 1):
        if n:
            for s in range(n, 6 * n + 1):
                ways[n][s] = up_to[n - 1][s - 1] - (up_to[n - 1][s - 7] if s > 6 else 0)
        up_to[n][0] = ways[n][0]
        for s in range(1, SUMS):
            up_to[n][s] = up_to[n][s - 1] + ways[n][s]


count_ways()


def sum_ways(int n):
    """Ways to roll each sum n, n + 1, ..., 6 n with n dice, 0..10."""
    return [ways[n][s] for s in range(n, 6 * n + 1)]


def fill_tables(uint32_t[:, :, :, ::1] out):
    """All tables at once: out[n - 1, d - 3, t, k] = ways that n dice and tools t make k goods.

    Args:
        out: uint32 (10, 4, 13, 25); entries that can't happen are left alone, so pass zeros.
    """
    cdef uint32_t* row
    cdef const uint32_t* below
    cdef uint32_t before, now
    cdef int n, d, t, k, s, first, last, first_left, last_left
    if (out.shape[0], out.shape[1], out.shape[2], out.shape[3]) != (MOST_DICE, DIVISORS, BONUSES,
                                                                    GOODS):
        raise ValueError("the tables need an array of shape (10, 4, 13, 25)")
    with nogil:
        row = &out[0, 0, 0, 0]
        for n in range(1, MOST_DICE + 1):
            below = up_to[n]
            for d in range(3, 3 + DIVISORS):
                # Divisions are slow: quotients are counted up from one tool to the next.
                first, first_left = n // d, n % d
                last, last_left = 6 * n // d, 6 * n % d
                for t in range(BONUSES):
                    # The sums s with floor((s + t) / d) = k end at d (k + 1) - 1 - t.
                    s, before = d * (first + 1) - 1 - t, 0
                    for k in range(first, last):
                        now = below[s]
                        row[k], before = now - before, now
                        s += d
                    row[last] = below[6 * n] - before
                    row += GOODS
                    first_left, last_left = first_left + 1, last_left + 1
                    if first_left == d:
                        first, first_left = first + 1, 0
                    if last_left == d:
                        last, last_left = last + 1, 0


# Tools over several rolls -------------------------------------------------------------------------

cdef struct Problem:
    int n_rolls, n_tools, n_needs
    int low[MOST_ROLLS]        # the sums that may be rolled
    int high[MOST_ROLLS]
    uint32_t ways[MOST_ROLLS][SUMS]
    int goods[MOST_ROLLS][SUMS + MOST_BONUS]   # of a sum with tools: floor(sum / divisor)
    int value[MOST_ROLLS]      # of one good
    int stride[MOST_ROLLS]     # of its kind in the code of what is still needed; 0: not needed
    int wanted[MOST_ROLLS]     # of its kind at the start
    bint chance                # of reaching a target; else what is needed is what the supply has
    bint fixed                 # rolls in the order given; else the next roll is chosen each time
    bint due                   # roll 0 is the first
    bint bare                  # and takes no tools
    int bonus[1 << MOST_TOOLS]           # of each set of tools
    int64_t scale[1 << MOST_ROLLS]       # 6^dice of each set of rolls
    int64_t* best              # by (rolls left, tools left, needs)


cdef inline Py_ssize_t at(const Problem* p, int rolls, int tools, int needs) noexcept nogil:
    return (((<Py_ssize_t>rolls << p.n_tools) | tools) * p.n_needs) + needs


cdef inline int after(const Problem* p, int roll, int needs, int goods) noexcept nogil:
    """What is still needed once a roll has brought some goods."""
    cdef int left
    if p.stride[roll] == 0:
        return needs
    left = needs // p.stride[roll] % (p.wanted[roll] + 1)
    return needs - min(left, goods) * p.stride[roll]


cdef int64_t use(const Problem* p, int rolls, int tools, int needs, int roll, int s,
                 bint thrifty, int* chosen) noexcept nogil:
    """The best set of tools after a roll of sum s, scaled; thrifty: of equals one of least bonus."""
    cdef int rest = rolls & ~(1 << roll), goods, sub, now
    cdef int64_t worth, best = -1
    sub = 0 if p.bare and roll == 0 else tools
    chosen[0] = sub
    while True:
        goods = p.goods[roll][s + p.bonus[sub]]
        now = after(p, roll, needs, goods)
        if p.stride[roll] and not p.chance:
            goods = (needs - now) // p.stride[roll]
        worth = goods * p.value[roll] * p.scale[rest] + p.best[at(p, rest, tools & ~sub, now)]
        if worth > best or (worth == best and p.bonus[sub] < p.bonus[chosen[0]]):
            best, chosen[0] = worth, sub
        # With nothing to follow, all tools together are as good as any of them.
        if sub == 0 or (rest == 0 and not thrifty):
            return best
        sub = (sub - 1) & tools


cdef int64_t expect(const Problem* p, int rolls, int tools, int needs, int roll) noexcept nogil:
    cdef int s, chosen
    cdef int64_t total = 0
    for s in range(p.low[roll], p.high[roll] + 1):
        total += p.ways[roll][s] * use(p, rolls, tools, needs, roll, s, False, &chosen)
    return total


cdef int best_roll(const Problem* p, int rolls, int tools, int needs, int64_t* worth) noexcept nogil:
    """Which of the rolls left to make next: the first of the best."""
    cdef int roll, best = 0
    cdef int64_t found
    worth[0] = -1
    for roll in range(p.n_rolls):
        if rolls >> roll & 1:
            found = expect(p, rolls, tools, needs, roll)
            if found > worth[0]:
                worth[0], best = found, roll
            if p.fixed or (p.due and roll == 0):
                break
    return best


cdef void solve(Problem* p) noexcept nogil:
    """From no rolls left to all of them; at the start all tools are there and all is needed."""
    cdef int rolls, tools, needs, all_rolls = (1 << p.n_rolls) - 1
    cdef int all_tools = (1 << p.n_tools) - 1
    for tools in range(all_tools + 1):
        for needs in range(p.n_needs):
            # A target is reached or not; without one only values count.
            p.best[at(p, 0, tools, needs)] = p.chance and needs == 0
    for rolls in range(1, all_rolls):
        # In a fixed order what is left is the end of the list.
        if p.fixed and (rolls | (rolls - 1)) != all_rolls:
            continue
        if p.due and rolls & 1:
            continue
        for tools in range(all_tools + 1):
            for needs in range(p.n_needs):
                best_roll(p, rolls, tools, needs, &p.best[at(p, rolls, tools, needs)])
    best_roll(p, all_rolls, all_tools, p.n_needs - 1,
              &p.best[at(p, all_rolls, all_tools, p.n_needs - 1)])


cdef class Split:
    """The best use of some tools over some rolls.

    Args:
        rolls: up to 5 of (dice, divisor, value of one good, kind).
        tools: up to 6 values of at most 4; each is used whole, on one roll.
        target: kind -> goods needed; empty for values.
        fixed: whether the rolls are made in the order given.
        certain: roll -> the one sum that it shows.
        supply: kind -> how many there are; only for values.
        due: whether the first roll is made first, and `bare` whether it takes no tools.

    Raises:
        ValueError: too many rolls, tools or goods needed.
    """

    cdef Problem _p

    def __cinit__(self, list rolls, list tools, dict target, bint fixed, *, dict certain={},
                  dict supply={}, bint due=False, bint bare=False):
        cdef Problem* p = &self._p
        cdef int k, mask, roll
        cdef dict strides = {}
        if not 1 <= len(rolls) <= MOST_ROLLS or len(tools) > MOST_TOOLS or max(tools, default=0) > 4:
            raise ValueError("1 to 5 rolls and at most 6 tools of at most 4")
        if target and supply:
            raise ValueError("a target or a supply")
        if not all(0 <= dice <= MOST_DICE for dice, _, _, _ in rolls):
            raise ValueError(f"at most {MOST_DICE} dice")
        p.n_rolls, p.n_tools, p.n_needs, p.fixed = len(rolls), len(tools), 1, fixed
        p.chance, p.due, p.bare = bool(target), due, bare
        wanted_of = target or supply
        for kind, wanted in wanted_of.items():
            strides[kind] = p.n_needs
            p.n_needs *= wanted + 1
            if p.n_needs > 1 << 14:
                raise ValueError("too many goods are needed")
        for roll, (dice, divisor, value, kind) in enumerate(rolls):
            p.value[roll], p.low[roll], p.high[roll] = value, dice, 6 * dice
            p.ways[roll] = ways[dice]
            if roll in certain:
                p.low[roll] = p.high[roll] = certain[roll]
                if not 0 <= p.low[roll] < SUMS:
                    raise ValueError(f"a sum of {certain[roll]}")
                p.ways[roll][p.low[roll]] = 1
            for k in range(SUMS + MOST_BONUS):
                p.goods[roll][k] = k // <int>divisor
            p.stride[roll], p.wanted[roll] = strides.get(kind, 0), wanted_of.get(kind, 0)
        for mask in range(1 << p.n_tools):
            p.bonus[mask] = 0
            for k in range(p.n_tools):
                if mask >> k & 1:
                    p.bonus[mask] += tools[k]
        for mask in range(1 << p.n_rolls):
            p.scale[mask] = 1
            for roll in range(p.n_rolls):
                if mask >> roll & 1 and p.low[roll] < p.high[roll]:
                    for k in range(p.low[roll]):
                        p.scale[mask] *= 6
        p.best = <int64_t*>malloc(((1 << (p.n_rolls + p.n_tools)) * p.n_needs) * sizeof(int64_t))
        if p.best == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self._p.best)

    def solve(self, int repeat=1):
        """Fill the table; returns (value, denominator).  `repeat` is for benchmarks."""
        cdef Problem* p = &self._p
        cdef int k
        with nogil:
            for k in range(repeat):
                solve(p)
        return (p.best[at(p, (1 << p.n_rolls) - 1, (1 << p.n_tools) - 1, p.n_needs - 1)],
                p.scale[(1 << p.n_rolls) - 1])

    def decide(self, int rolls, int tools, int needs):
        """What to do where these rolls, tools (sets) and needs (a code) are left, once solved.

        Returns:
            (roll, [(sum, ways, set of tools to use, needs afterwards)]); needs of the start are -1.
        """
        cdef Problem* p = &self._p
        cdef int64_t worth
        cdef int roll, s, chosen = 0, goods
        if needs < 0:
            needs = p.n_needs - 1
        roll = best_roll(p, rolls, tools, needs, &worth)
        rows = []
        for s in range(p.low[roll], p.high[roll] + 1):
            use(p, rolls, tools, needs, roll, s, True, &chosen)
            goods = p.goods[roll][s + p.bonus[chosen]]
            rows.append((s, p.ways[roll][s], chosen, after(p, roll, needs, goods)))
        return roll, rows
