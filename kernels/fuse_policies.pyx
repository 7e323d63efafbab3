"""FUSE: two policies that think.

`greedy` wants to finish soonest: it places every die it can, first where the fewest slots stay empty,
takes the bomb with the fewest slots and removes dice from the bombs with the most empty ones.

`planner` counts with the exact hardness of what is left on each bomb: the expected number of single
dice offered until it is full (fuse_bombs.pyx).  It assigns the dice of a roll so that the sum
of what they spare is greatest, a die that stays unplaced counting about what it costs: as if it were thrown
alone, onto the bombs as they lie before the dice are placed (solver/games/fuse/fillings.py has the exact cost);
it takes the bomb that is easiest to finish, and removes the die that costs least.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint32_t

from oddsmith.kernels.fuse cimport (
    ASSIGN, CLEAR, COLORS, FACES, HELD, MAX_DICE, NUMBERS, PICK, PLACE, STOP, THROW,
    Bomb, FuseRules, State,
    class_at, class_without, code, die, fits_of, lowest, n_dice, place_of, popcount, step,
)
from oddsmith.kernels.fuse_game cimport FuseTable, Menu, look_up, n_moves, nth_move, placement

cdef enum:
    MAX_TAKES = 5            # dice that a team can take of one roll
    SUBSETS = 32             # of the dice of a roll
    NEVER = 1000             # offers: more than any bomb takes
    FORCED = 1000000


# Greedy -----------------------------------------------------------------------------------------

cdef inline int n_empty(const FuseRules* g, const State* s, int i) noexcept nogil:
    return g.bombs[s.bomb[i]].n_slots - popcount(g.filled[s.row[i]])


cdef move_t greedy_assign(const FuseRules* g, const State* s) noexcept nogil:
    cdef Menu menu
    cdef uint32_t open = s.open
    cdef int i, best = 0, least = 99
    look_up(g, s, &menu)
    if menu.n_clears:
        return code(CLEAR, s.bomb[menu.clears[0]])
    if menu.n_places == 0:
        return code(STOP)
    while open:
        i = lowest(open)
        open &= open - 1
        if menu.places[i] and n_empty(g, s, i) < least:
            best, least = i, n_empty(g, s, i)
    return placement(s, &menu, best, lowest(menu.places[best]))


cdef move_t greedy(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef int k, i, score, most = -99, n
    cdef move_t move, best = 0
    if s.phase == ASSIGN:
        return greedy_assign(g, s)
    n = n_moves(rules, state)
    for k in range(n):
        move = nth_move(rules, state, k)
        if s.phase == PICK:
            score = -g.bombs[move >> 8 & 0xFF].n_slots
        elif s.phase == THROW:
            score = 0
        else:
            i = place_of(s, move >> 8 & 0xFF)
            score = n_empty(g, s, i)
        if score > most:
            best, most = move, score
    return best


# Planner ----------------------------------------------------------------------------------------

cdef inline double offers_at(const FuseRules* g, const State* s, int i, int cls) noexcept nogil:
    """Offers left on a bomb in hand; one that can't be finished counts more than any other."""
    cdef double offers = g.bombs[s.bomb[i]].offers[cls]
    return offers if offers < NEVER else NEVER


cdef inline double loss(const FuseRules* g, const State* s, int i, int slot) noexcept nogil:
    """The offers that the removal of a die costs; negative if that helps."""
    return offers_at(g, s, i, class_without(g, s, i, slot)) - offers_at(g, s, i, class_at(g, s, i))


cdef void unplaced_costs(const FuseRules* g, const State* s, double* cost) noexcept nogil:
    """Of each colour: the offers that the team is expected to lose by an unplaced die of it."""
    cdef double[COLORS] by_color
    cdef double[NUMBERS] by_number
    cdef double one, least
    cdef int seat, i, left, slot, color, number, loose
    for color in range(COLORS):
        cost[color] = 0
    for seat in range(g.players):
        loose = 0
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            loose |= g.filled[s.row[i]] & ~g.safe[s.row[i]]
        if loose == 0:
            continue
        for color in range(COLORS):
            by_color[color] = 0 if g.remove_all else INFINITY
        for number in range(NUMBERS):
            by_number[number] = 0 if g.remove_all else INFINITY
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            left = g.filled[s.row[i]] & ~g.safe[s.row[i]]
            while left:
                slot = lowest(left)
                left &= left - 1
                one = loss(g, s, i, slot)
                color, number = s.face[i][slot] // NUMBERS, s.face[i][slot] % NUMBERS
                if g.remove_all:
                    by_color[color] += one
                    by_number[number] += one
                else:
                    by_color[color] = min(by_color[color], one)
                    by_number[number] = min(by_number[number], one)
        if g.remove_all:             # a die of both is counted twice here, over all numbers once
            for color in range(COLORS):
                for number in range(NUMBERS):
                    cost[color] += (by_color[color] * (NUMBERS - 1) / NUMBERS
                                    + by_number[number]) / NUMBERS
            continue
        for number in range(NUMBERS):
            by_number[number] /= NUMBERS
        for color in range(COLORS):
            by_color[color] /= NUMBERS
            for number in range(NUMBERS):
                least = min(by_color[color], by_number[number])
                cost[color] += least if least < INFINITY else 0


cdef move_t plan(const FuseRules* g, const State* s) noexcept nogil:
    """The first die to place, of the assignment that spares most."""
    cdef double[COLORS] cost
    cdef double[MAX_TAKES][MAX_DICE] gain
    cdef double[MAX_TAKES + 1][SUBSETS] worth
    cdef uint8_t[MAX_TAKES][MAX_DICE] where
    cdef uint8_t[MAX_TAKES][SUBSETS] chosen
    cdef uint8_t[MAX_TAKES] useful       # dice that spare something, or that must be placed
    cdef int seat, i, d, t, k, mask, left, n = 0, best = 0, first = -1, n_rolled = n_dice(s)
    cdef double spared, most
    cdef const Bomb* b
    cdef const uint8_t* fits
    unplaced_costs(g, s, cost)
    for seat in range(g.players):
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            if not g.bombs[s.bomb[i]].completable[class_at(g, s, i)]:
                return code(CLEAR, s.bomb[i])
        if s.taken[seat] >= g.takes:
            continue
        useful[n] = 0
        for d in range(n_rolled):
            gain[n][d] = -INFINITY
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            if s.used[i]:
                continue
            b, k, fits = &g.bombs[s.bomb[i]], class_at(g, s, i), fits_of(g, s, i)
            for d in range(n_rolled):
                if not fits[die(s, d)]:
                    continue
                spared = (b.offers[k] - b.after[k * FACES + die(s, d)]
                          + cost[die(s, d) // NUMBERS])
                if g.must_place and spared < -FORCED:    # a bomb spoilt, if it must be
                    spared = -FORCED
                if spared > gain[n][d]:
                    gain[n][d], where[n][d] = spared, i
        for d in range(n_rolled):
            useful[n] |= (gain[n][d] > (-INFINITY if g.must_place else 0.0)) << d
        if useful[n] == 0:
            continue
        k = 1
        n += 1
        while k < g.takes - s.taken[seat] and n < MAX_TAKES:
            gain[n], where[n], useful[n] = gain[n - 1], where[n - 1], useful[n - 1]
            k += 1
            n += 1
    # worth[t][mask]: most that the first t takes spare with the dice of the mask.
    for mask in range(1 << n_rolled):
        worth[0][mask] = 0 if mask == 0 else -INFINITY
    for t in range(n):
        for mask in range(1 << n_rolled):
            worth[t + 1][mask], chosen[t][mask] = worth[t][mask], MAX_DICE
            if popcount(mask) > t + 1:
                continue
            left = mask & useful[t]
            while left:
                d = lowest(left)
                left &= left - 1
                spared = worth[t][mask ^ 1 << d] + gain[t][d]
                if spared > worth[t + 1][mask]:
                    worth[t + 1][mask], chosen[t][mask] = spared, d
    for mask in range(1 << n_rolled):
        if worth[n][mask] > worth[n][best]:
            best = mask
    if best == 0 and g.must_place:
        for mask in range(1 << n_rolled):
            if mask and (best == 0 or worth[n][mask] > worth[n][best]) and (
                    worth[n][mask] > -INFINITY):
                best = mask
    if best == 0:
        return code(STOP)
    # Of its dice first what finishes a bomb, then what spares most.
    most, k = -INFINITY, 0
    mask = best
    for t in range(n - 1, -1, -1):
        d = chosen[t][mask]
        if d == MAX_DICE:
            continue
        mask ^= 1 << d
        i = where[t][d]
        spared = gain[t][d]
        if n_empty(g, s, i) == 1:
            spared += FORCED
        if spared > most:
            most, first, k = spared, d, i
    return code(PLACE, s.bomb[k], best_slot(g, s, k, die(s, first)), die(s, first))


cdef int best_slot(const FuseRules* g, const State* s, int i, int face) noexcept nogil:
    """The slot where a die leaves the bomb easiest."""
    cdef const Bomb* b = &g.bombs[s.bomb[i]]
    cdef int left = fits_of(g, s, i)[face], slot, best = lowest(left)
    cdef double least = INFINITY, then
    while left:
        slot = lowest(left)
        left &= left - 1
        then = b.offers[step(g, s.bomb[i], class_at(g, s, i), slot, face)]
        if then < least:
            best, least = slot, then
    return best


cdef move_t planner(const void* rules, const void* state, Stream* draw) noexcept nogil:
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef double[COLORS] cost
    cdef int k, i, n
    cdef double value, least = INFINITY
    cdef move_t move, best = 0
    if s.phase == ASSIGN:
        return plan(g, s)
    if s.phase == THROW:
        unplaced_costs(g, s, cost)
    n = n_moves(rules, state)
    for k in range(n):
        move = nth_move(rules, state, k)
        i = move >> 8 & 0xFF
        if s.phase == PICK:
            value = g.bombs[i].offers[0]
        elif s.phase == THROW:
            value = cost[i]
        else:
            value = loss(g, s, place_of(s, i), move >> 16 & 0xFF)
        if k == 0 or value < least:
            best, least = move, value
    return best


def add_policies(FuseTable table):
    """`greedy` and `planner` for a table; planner is what playouts follow."""
    table.add_policy("greedy", <size_t>greedy)
    table.add_policy("planner", <size_t>planner, True)
