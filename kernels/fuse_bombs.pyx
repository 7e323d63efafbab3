"""FUSE: bombs compiled to minimal automata.

Faces that no rule of a card tells apart on a slot form a group.  All fillings in groups are
numbered in mixed radix, an empty slot being digit 0, and looked at from the full ones down to the
empty one: fillings of the same slots with the same successors fall into one class.  Of n slots
with g groups each these are (g + 1)^n fillings, 30,000 for the largest documented card.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from oddsmith.kernels.rng cimport mix

cdef enum:
    MAX_CELLS = 1 << 22      # fillings in groups that one card may have
    MAX_CLASSES = 30000      # class numbers are of 16 bits
    MAX_TESTS = 64
    MAX_ALTERNATIVES = 32
    MAX_CLAUSES = 32
    ROW = MAX_SLOTS * FACES

cdef enum:                   # kinds of tests
    EQUAL
    DIFFERENT
    LINEAR

cdef enum:                   # comparisons of linear tests
    EXACTLY
    NOT
    LESS
    MORE
    AT_MOST
    AT_LEAST

cdef struct Test:
    int op
    int by_number            # or by colour
    int n
    int compare
    int total
    uint8_t[MAX_SLOTS] slots
    int[MAX_SLOTS] factor

cdef struct Alternative:
    int first                # its tests
    int end

cdef struct Card:
    int n_slots
    uint32_t[MAX_SLOTS] accept
    Test[MAX_TESTS] tests
    Alternative[MAX_ALTERNATIVES] alternatives
    Alternative[MAX_CLAUSES] clauses     # their alternatives
    int n_clauses
    uint32_t common          # colours that every slot of a card of more than five slots accepts

cdef struct Build:
    Card card
    Bomb* bomb
    bint only_completable
    int[MAX_SLOTS] n_groups
    int[MAX_SLOTS] stride
    int8_t[MAX_SLOTS][FACES] group       # of a face; -1 where it isn't accepted
    uint8_t[MAX_SLOTS][FACES] of_group   # one face of each
    int16_t* cell_class
    int32_t* table           # hashed: class + 1
    int room                 # of the table, a power of 2
    int allocated            # classes

OPS = {"eq": EQUAL, "ne": DIFFERENT, "linear": LINEAR}
COMPARISONS = {"==": EXACTLY, "!=": NOT, "<": LESS, ">": MORE, "<=": AT_MOST, ">=": AT_LEAST}


# Signs ---------------------------------------------------------------------------------------------

cdef inline int value_of(const Test* t, uint8_t face) noexcept nogil:
    return face % NUMBERS if t.by_number else face // NUMBERS


# Whether the dice that lie break a sign already: equal and different ones by those that lie, sums
# and comparisons once all their dice do.
cdef bint broken(const Test* t, const uint8_t* faces) noexcept nogil:
    cdef int i, total = 0
    cdef int value = -1
    cdef uint32_t seen = 0
    if t.op == LINEAR:
        for i in range(t.n):
            if faces[t.slots[i]] == NO_DIE:
                return False
            total += t.factor[i] * (1 + faces[t.slots[i]] % NUMBERS)
        if t.compare == EXACTLY:
            return total != t.total
        if t.compare == NOT:
            return total == t.total
        if t.compare == LESS:
            return total >= t.total
        if t.compare == MORE:
            return total <= t.total
        if t.compare == AT_MOST:
            return total > t.total
        return total < t.total
    for i in range(t.n):
        if faces[t.slots[i]] == NO_DIE:
            continue
        value = value_of(t, faces[t.slots[i]])
        if t.op == DIFFERENT and seen >> value & 1:
            return True
        if t.op == EQUAL and seen and not seen >> value & 1:
            return True
        seen |= 1u << value
    return False


# Whether the dice that lie fit: of each clause one alternative isn't broken, and there are enough
# dice of each colour.
cdef bint fits(const Card* c, const uint8_t* faces) noexcept nogil:
    cdef int clause, a, t, slot
    cdef bint good
    cdef int[COLORS] dice
    for clause in range(c.n_clauses):
        good = False
        for a in range(c.clauses[clause].first, c.clauses[clause].end):
            good = True
            for t in range(c.alternatives[a].first, c.alternatives[a].end):
                if broken(&c.tests[t], faces):
                    good = False
                    break
            if good:
                break
        if not good:
            return False
    if c.common:
        memset(dice, 0, sizeof(dice))
        for slot in range(c.n_slots):
            if faces[slot] != NO_DIE:
                dice[faces[slot] // NUMBERS] += 1
                if dice[faces[slot] // NUMBERS] > MAX_DICE_OF_COLOR:
                    return False
    return True


# Building ------------------------------------------------------------------------------------------

# Groups of faces by slot; the number of fillings in groups, or -1 for too many.
cdef int group_faces(Build* b) noexcept nogil:
    cdef Card* c = &b.card
    cdef int slot, face, other, t, i, cells = 1
    cdef bint by_color, by_number
    for slot in range(c.n_slots):
        by_color = by_number = False
        for t in range(c.alternatives[c.clauses[c.n_clauses - 1].end - 1].end if c.n_clauses else 0):
            for i in range(c.tests[t].n):
                if c.tests[t].slots[i] == slot:
                    by_number |= c.tests[t].op == LINEAR or c.tests[t].by_number != 0
                    by_color |= c.tests[t].op != LINEAR and not c.tests[t].by_number
        b.n_groups[slot] = 0
        for face in range(FACES):
            b.group[slot][face] = -1
            if not c.accept[slot] >> face & 1:
                continue
            for other in range(face):
                if (b.group[slot][other] >= 0
                        and (not by_color or other // NUMBERS == face // NUMBERS)
                        and (not by_number or other % NUMBERS == face % NUMBERS)
                        # Dice of a colour can run out where all slots take it.
                        and (other // NUMBERS == face // NUMBERS or not (
                            c.common >> (other // NUMBERS) & 1
                            or c.common >> (face // NUMBERS) & 1))):
                    b.group[slot][face] = b.group[slot][other]
                    break
            if b.group[slot][face] < 0:
                b.group[slot][face] = b.n_groups[slot]
                b.of_group[slot][b.n_groups[slot]] = face
                b.n_groups[slot] += 1
        b.stride[slot] = cells
        if cells > MAX_CELLS // (b.n_groups[slot] + 1):
            return -1
        cells *= b.n_groups[slot] + 1
    return cells


cdef bint grow(Build* b) noexcept nogil:
    cdef Bomb* m = b.bomb
    b.allocated = 2 * b.allocated if b.allocated else 64
    m.walk = <int16_t*>realloc(m.walk, b.allocated * ROW * sizeof(int16_t))
    m.filled = <uint8_t*>realloc(m.filled, b.allocated)
    return m.walk != NULL and m.filled != NULL


# Twice the room for the table of hashes.
cdef bint spread(Build* b) noexcept nogil:
    cdef int k, at
    free(b.table)
    b.room = 2 * b.room if b.room else 256
    b.table = <int32_t*>calloc(b.room, sizeof(int32_t))
    if b.table == NULL:
        return False
    for k in range(b.bomb.n_classes):
        at = <int>(hash_of(b, k) & <uint64_t>(b.room - 1))
        while b.table[at]:
            at = (at + 1) & (b.room - 1)
        b.table[at] = k + 1
    return True


cdef inline uint64_t hash_of(const Build* b, int k) noexcept nogil:
    cdef const uint64_t* word = <const uint64_t*>(b.bomb.walk + k * ROW)
    cdef uint64_t h = b.bomb.filled[k]
    cdef int i
    for i in range(ROW // 4):
        h = mix(h ^ word[i])
    return h


# The class of the row that was written behind the last class; -2 where memory or numbers end.
cdef int find_class(Build* b) noexcept nogil:
    cdef Bomb* m = b.bomb
    cdef int k = m.n_classes, other
    cdef int at = <int>(hash_of(b, k) & <uint64_t>(b.room - 1))
    while b.table[at]:
        other = b.table[at] - 1
        if m.filled[other] == m.filled[k] and memcmp(
                m.walk + other * ROW, m.walk + k * ROW, ROW * sizeof(int16_t)) == 0:
            return other
        at = (at + 1) & (b.room - 1)
    b.table[at] = k + 1
    m.n_classes += 1
    if m.n_classes == MAX_CLASSES or (m.n_classes == b.allocated and not grow(b)):
        return -2
    if 2 * m.n_classes > b.room and not spread(b):
        return -2
    return k


# All fillings of the slots of `mask`, whose successors are known.
cdef int classify(Build* b, int mask) noexcept nogil:
    cdef Bomb* m = b.bomb
    cdef int n = b.card.n_slots, slot, face, cell, then
    cdef int[MAX_SLOTS] digit
    cdef uint8_t[MAX_SLOTS] faces
    cdef bint alive, good
    cdef int16_t* row
    for slot in range(n):
        digit[slot] = mask >> slot & 1
    while True:
        cell = 0
        for slot in range(n):
            cell += digit[slot] * b.stride[slot]
            faces[slot] = b.of_group[slot][digit[slot] - 1] if digit[slot] else NO_DIE
        good = True
        if mask == (1 << n) - 1 or not b.only_completable:
            good = fits(&b.card, faces)
        b.cell_class[cell] = NO_CLASS
        if good:
            row = m.walk + m.n_classes * ROW
            memset(row, 0xFF, ROW * sizeof(int16_t))
            m.filled[m.n_classes] = mask
            alive = mask == (1 << n) - 1 or not b.only_completable
            for slot in range(n):
                if digit[slot]:
                    continue
                for face in range(FACES):
                    if b.group[slot][face] >= 0:
                        then = b.cell_class[cell + (b.group[slot][face] + 1) * b.stride[slot]]
                        row[slot * FACES + face] = then
                        alive |= then >= 0
            if alive:
                then = find_class(b)
                if then < 0:
                    return then
                b.cell_class[cell] = then
        for slot in range(n):
            if digit[slot]:
                if digit[slot] < b.n_groups[slot]:
                    digit[slot] += 1
                    break
                digit[slot] = 1
        else:
            return 0


# From the class numbers as they were found to EMPTY, FULL, the reachable ones, the others.
cdef bint renumber(Build* b) noexcept nogil:
    cdef Bomb* m = b.bomb
    cdef int n = m.n_classes, k, slot, face, then, dice, marked
    cdef int empty = b.cell_class[0], full = 0
    cdef int16_t* walk = <int16_t*>malloc(n * ROW * sizeof(int16_t))
    cdef uint8_t* filled = <uint8_t*>malloc(n)
    cdef int* number = <int*>malloc(n * sizeof(int))
    cdef uint8_t* reached = <uint8_t*>calloc(n, 1)
    if walk == NULL or filled == NULL or number == NULL or reached == NULL:
        free(walk)
        free(filled)
        free(number)
        free(reached)
        return False
    # Found from the full fillings down, so that successors have lower numbers.
    reached[empty] = True
    for k in range(n - 1, -1, -1):
        if m.filled[k] == (1 << m.n_slots) - 1:
            full = k
        if not reached[k]:
            continue
        for slot in range(m.n_slots):
            if (m.filled[k] & m.beneath[slot]) != m.beneath[slot]:
                continue
            for face in range(FACES):
                then = m.walk[k * ROW + slot * FACES + face]
                if then >= 0:
                    reached[then] = True
    number[empty], number[full] = EMPTY, FULL
    dice = 2
    for marked in range(1, -1, -1):
        for k in range(n - 1, -1, -1):
            if reached[k] == marked and k not in (empty, full):
                number[k] = dice
                dice += 1
        if marked:
            m.n_reachable = dice
    for k in range(n):
        filled[number[k]] = m.filled[k]
        for slot in range(ROW):
            then = m.walk[k * ROW + slot]
            walk[number[k] * ROW + slot] = number[then] if then >= 0 else NO_CLASS
    free(m.walk)
    free(m.filled)
    free(number)
    free(reached)
    m.walk, m.filled = walk, filled
    return True


# `next`, `completable`, `offers` and `after` from `walk`.
cdef bint finish(Bomb* m) noexcept nogil:
    cdef int n = m.n_classes, k, slot, face, then, dice, mask, i
    cdef double total, best
    cdef double[FACES] value
    m.next = <int16_t*>malloc(n * ROW * sizeof(int16_t))
    m.completable = <uint8_t*>calloc(n, 1)
    m.offers = <double*>malloc(n * sizeof(double))
    m.after = <double*>malloc(n * FACES * sizeof(double))
    if m.next == NULL or m.completable == NULL or m.offers == NULL or m.after == NULL:
        return False
    for dice in range(m.n_slots, -1, -1):
        for k in range(n):
            mask = m.filled[k]
            if popcount(mask) != dice:
                continue
            m.completable[k] = k == FULL
            for face in range(FACES):
                m.after[k * FACES + face] = INFINITY
            for slot in range(MAX_SLOTS):
                for face in range(FACES):
                    i = (k * MAX_SLOTS + slot) * FACES + face
                    then = m.walk[i]
                    m.next[i] = NO_CLASS
                    if then < 0:
                        continue
                    if m.completable[then]:
                        m.completable[k] = True
                    if (mask & m.beneath[slot]) == m.beneath[slot]:
                        m.next[i] = then
                        if m.offers[then] < m.after[k * FACES + face]:
                            m.after[k * FACES + face] = m.offers[then]
            if k == FULL:
                m.offers[k] = 0
                continue
            # Waiting for any of the i faces that leave least takes 30 / i offers.
            memcpy(value, m.after + k * FACES, sizeof(value))
            sort(value)
            best, total = INFINITY, FACES
            for i in range(FACES):
                total += value[i]
                if total / (i + 1) < best:
                    best = total / (i + 1)
            m.offers[k] = best
    return True


cdef inline int popcount(int mask) noexcept nogil:
    cdef int n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


cdef inline void sort(double* value) noexcept nogil:
    cdef int i, at
    cdef double one
    for i in range(1, FACES):
        one, at = value[i], i
        while at and value[at - 1] > one:
            value[at] = value[at - 1]
            at -= 1
        value[at] = one


cdef enum:                   # how a build ends
    BUILT
    TOO_LARGE
    UNSOLVABLE
    NO_MEMORY


cdef int build(Build* b) noexcept nogil:
    cdef int n = b.card.n_slots, cells = group_faces(b), mask, dice, ended = BUILT
    if cells < 0:
        return TOO_LARGE
    b.cell_class = <int16_t*>malloc(cells * sizeof(int16_t))
    if b.cell_class == NULL or not grow(b) or not spread(b):
        ended = NO_MEMORY
    else:
        for dice in range(n, -1, -1):
            for mask in range(1 << n):
                if ended == BUILT and popcount(mask) == dice and classify(b, mask) < 0:
                    ended = TOO_LARGE
    if ended == BUILT:
        if b.cell_class[0] < 0 or b.bomb.filled[0] != (1 << n) - 1:
            ended = UNSOLVABLE
        elif not renumber(b) or not finish(b.bomb):
            ended = NO_MEMORY
        elif not b.bomb.completable[EMPTY]:
            ended = UNSOLVABLE
    free(b.cell_class)
    free(b.table)
    return ended


cdef int read_card(Card* c, slots, clauses) except -1:
    cdef int slot, n_tests = 0, n_alternatives = 0
    cdef Test* test
    memset(c, 0, sizeof(Card))
    c.n_slots = len(slots)
    if not 1 <= c.n_slots <= MAX_SLOTS:
        raise ValueError(f"a bomb has 1 to {MAX_SLOTS} slots")
    for slot, mask in enumerate(slots):
        c.accept[slot] = mask
    if c.n_slots > MAX_DICE_OF_COLOR:
        for color in range(COLORS):
            if all(mask >> color * NUMBERS & (1 << NUMBERS) - 1 for mask in slots):
                c.common |= 1 << color
    for clause in clauses:
        if c.n_clauses == MAX_CLAUSES or n_alternatives + len(clause) > MAX_ALTERNATIVES:
            raise OverflowError("too many signs")
        c.clauses[c.n_clauses].first = n_alternatives
        for alternative in clause:
            c.alternatives[n_alternatives].first = n_tests
            for op, by_number, on, factors, compare, total in alternative:
                if n_tests == MAX_TESTS:
                    raise OverflowError("too many signs")
                test = &c.tests[n_tests]
                test.op, test.by_number, test.n = OPS[op], by_number, len(on)
                test.compare, test.total = COMPARISONS[compare], total
                for slot, (at, factor) in enumerate(zip(on, factors, strict=True)):
                    if not 0 <= at < c.n_slots:
                        raise ValueError(f"there is no slot {at}")
                    test.slots[slot], test.factor[slot] = at, factor
                n_tests += 1
            c.alternatives[n_alternatives].end = n_tests
            n_alternatives += 1
        c.clauses[c.n_clauses].end = n_alternatives
        c.n_clauses += 1
    return 0


class Unsolvable(ValueError):
    """No dice finish this bomb."""


cdef class Deck:
    """Bombs compiled for some rules.

    Args:
        bombs: of each bomb: a mask of the 30 faces that each slot accepts (1 to 6 slots); clauses,
            of which all must hold: each is a list of alternatives, of which one must, each a list of
            tests (op, by_number, slots, factors, comparison, total); masks of the slots beneath
            each slot; points.  op is "eq", "ne" (by number or colour) or "linear".
        only_completable: a die may only be placed if some dice can still finish the bomb, at most
            5 of a colour; else if no sign is broken by the dice that lie.

    Raises:
        Unsolvable: args[0] is the number of a bomb that no dice finish.
        OverflowError: args[0] is the number of a bomb with too many partial fillings.
    """

    def __cinit__(self, bombs, bint only_completable=True):
        self.n_bombs = 0
        self.bombs = <Bomb*>calloc(max(1, len(bombs)), sizeof(Bomb))
        if self.bombs == NULL:
            raise MemoryError

    def __init__(self, bombs, bint only_completable=True):
        cdef Build b
        cdef int slot, other, ended
        if self.n_bombs:
            raise TypeError("a deck is made once")
        self.only_completable = only_completable
        for number, (slots, clauses, beneath, points) in enumerate(bombs):
            memset(&b, 0, sizeof(Build))
            try:
                read_card(&b.card, slots, clauses)
            except OverflowError:
                raise OverflowError(number) from None
            b.bomb, b.only_completable = &self.bombs[number], only_completable
            self.n_bombs += 1
            b.bomb.n_slots, b.bomb.points = b.card.n_slots, points
            for slot in range(b.card.n_slots):
                b.bomb.beneath[slot] = beneath[slot]
                for other in range(b.card.n_slots):
                    if beneath[slot] >> other & 1:
                        b.bomb.above[other] |= 1 << slot
            with nogil:
                ended = build(&b)
            if ended == NO_MEMORY:
                raise MemoryError
            if ended == TOO_LARGE:
                raise OverflowError(number)
            if ended == UNSOLVABLE:
                raise Unsolvable(number)

    def __dealloc__(self):
        cdef int k
        if self.bombs != NULL:
            for k in range(self.n_bombs):
                free(self.bombs[k].next)
                free(self.bombs[k].walk)
                free(self.bombs[k].filled)
                free(self.bombs[k].completable)
                free(self.bombs[k].offers)
                free(self.bombs[k].after)
        free(self.bombs)

    cdef const Bomb* at(self, int bomb) except NULL:
        if not 0 <= bomb < self.n_bombs:
            raise IndexError(f"there is no bomb {bomb}")
        return &self.bombs[bomb]

    cdef const Bomb* class_at(self, int bomb, int cls) except NULL:
        cdef const Bomb* m = self.at(bomb)
        if not 0 <= cls < m.n_classes:
            raise IndexError(f"bomb {bomb} has no class {cls}")
        return m

    def n_slots(self, int bomb):
        """The number of slots of a bomb."""
        return self.at(bomb).n_slots

    def n_classes(self, int bomb):
        """The number of classes; those from `n_reachable` on need a die on an empty slot."""
        return self.at(bomb).n_classes

    def n_reachable(self, int bomb):
        """The number of classes that legal placements lead to."""
        return self.at(bomb).n_reachable

    def class_of(self, int bomb, faces):
        """The class of a filling, -1 if it is none: a face or None for each slot.

        Raises:
            IndexError: no such bomb.
            ValueError: not one entry a slot, or no face.
        """
        cdef const Bomb* m = self.at(bomb)
        cdef uint8_t[MAX_SLOTS] lying
        if len(faces) != m.n_slots:
            raise ValueError(f"bomb {bomb} has {m.n_slots} slots")
        for slot, face in enumerate(faces):
            if face is not None and not 0 <= face < FACES:
                raise ValueError(f"there is no face {face}")
            lying[slot] = NO_DIE if face is None else face
        return class_of(m, lying)

    def row(self, int bomb, int cls):
        """Classes after a legal placement: of each slot a tuple by face, -1 where there is none."""
        cdef const Bomb* m = self.class_at(bomb, cls)
        return tuple(tuple([next_class(m, cls, slot, face) for face in range(FACES)])
                     for slot in range(m.n_slots))

    def walk(self, int bomb, int cls):
        """As `row`, whatever lies beneath the slots."""
        cdef const Bomb* m = self.class_at(bomb, cls)
        return tuple(tuple([walk_class(m, cls, slot, face) for face in range(FACES)])
                     for slot in range(m.n_slots))

    def filled(self, int bomb, int cls):
        """The mask of the slots that hold a die."""
        return self.class_at(bomb, cls).filled[cls]

    def completable(self, int bomb, int cls):
        """Whether some dice can still finish it."""
        return bool(self.class_at(bomb, cls).completable[cls])

    def offers(self, int bomb, int cls):
        """Expected offers until it is full, rounded; see `solver.games.fuse.hardness`."""
        return self.class_at(bomb, cls).offers[cls]
