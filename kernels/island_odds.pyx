"""Forbidden Island: the exact odds of an island where nobody acts.

Tiles of one place (a block of the flood pile, or the discard) and one status are alike, so a state holds
counts: of each place the flooded and dry tiles, tagged ones apart.  What is asked of the tagged tiles is
whether all of them have sunk.  Of the treasure cards it holds a class: what they may bring from there on is
given, turn by turn.  A table of states with their chances is carried forward.

Chances are exact: fractions over one denominator, of which each state holds the numerator's residues
modulo primes below 2^61.  The denominator comes first, from a run without tags that carries the least
common multiple of the denominators of all ways to each state; with more primes than it has bits, the
numerators follow from their residues, nothing being guessed.

States are merged where they differ in nothing that can still matter.
"""
from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memset

from math import comb, prod

from oddsmith.kernels.island cimport MAX_BLOCKS
from oddsmith.kernels.rng cimport mix

cdef extern from *:
    """
    /* a b / 2^64 modulo p; a, b < p, p q = -1 modulo 2^64 (Montgomery 1985). */
    static inline unsigned long long oddsmith_island_times(
            unsigned long long a, unsigned long long b, unsigned long long p,
            unsigned long long q) {
        unsigned __int128 t = (unsigned __int128)a * b;
        unsigned long long m = (unsigned long long)t * q;
        unsigned long long r = (unsigned long long)((t + (unsigned __int128)m * p) >> 64);
        return r >= p ? r - p : r;
    }
    """
    uint64_t times "oddsmith_island_times"(uint64_t a, uint64_t b, uint64_t p,
                                           uint64_t q) noexcept nogil

cdef enum:
    FLOODED
    DRY
    TAGGED_FLOODED
    TAGGED_DRY
    STATUSES
    LIMBS = 16               # the most primes
    PLACES_FROM = 8          # bytes of a state in front of its pile
    FACTORS = 24             # primes up to 89: no denominator has others

PRIMES = tuple(2**61 - below for below in (
    1, 31, 45, 229, 259, 283, 339, 391, 403, 465, 531, 579, 675, 759, 799, 819))
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
                89)

cdef struct Place:
    uint8_t n[STATUSES]

cdef struct Passive:         # a state; what lies behind the last block is 0
    Place discard
    uint16_t treasures       # class of what the treasure cards may bring
    uint8_t n_blocks
    uint8_t unused
    Place pile[MAX_BLOCKS + 1]   # the top block last

cdef struct Weight:          # a chance
    uint8_t power[FACTORS]   # of its denominator (without tags)
    uint64_t r[LIMBS]        # its residues (with tags)

cdef struct Draw:            # what the treasure cards of a turn may bring
    int rise
    int then                 # class of floods, -1 for the skull
    uint8_t power[FACTORS]   # of the chance's denominator
    uint64_t factor[LIMBS]   # the chance times 2^64

cdef struct Ways:            # those from one class
    Draw* draw
    int n

cdef struct Floods:
    int cards                # flood cards of the turn
    int then                 # class of the next turn
    int most                 # no more flood cards than this in all turns after it
    int may_rise             # whether a Waters Rise! may come in them

cdef struct Slot:
    int32_t at               # place of a state, -1 for none
    uint32_t check           # more of its hash

cdef struct Table:
    Passive* state
    char* weight             # of each state, as much of a Weight as is in use
    Slot* slot
    size_t weight_size
    int n
    int room                 # slots, a power of 2

cdef uint64_t[26][26] CHOOSE
cdef uint8_t[26][26][FACTORS] POWERS     # of the binomials
cdef uint64_t[LIMBS] P
cdef uint64_t[LIMBS] Q
cdef uint64_t[26][26][LIMBS] CHOOSE_INVERSE      # times 2^128


cdef void set_up():
    cdef int n, k, j
    for j, p in enumerate(PRIMES):
        P[j], Q[j] = p, -pow(p, -1, 2**64) % 2**64
    for n in range(26):
        for k in range(n + 1):
            CHOOSE[n][k] = value = comb(n, k)
            for j, p in enumerate(PRIMES):
                CHOOSE_INVERSE[n][k][j] = pow(value, -1, p) * 2**128 % p
            for j, p in enumerate(SMALL_PRIMES):
                while value % p == 0:
                    value //= p
                    POWERS[n][k][j] += 1


# Tables of states --------------------------------------------------------------------------------

cdef inline int size(const Place* p) noexcept nogil:
    return p.n[FLOODED] + p.n[DRY] + p.n[TAGGED_FLOODED] + p.n[TAGGED_DRY]


cdef inline uint64_t hash_of(const Passive* s) noexcept nogil:
    cdef const uint64_t* word = <const uint64_t*>s
    cdef uint64_t h = word[0]
    cdef int k
    for k in range(1, 1 + (s.n_blocks + 1) // 2):
        h = mix(h) ^ word[k]
    return mix(h)


cdef bint make(Table* t, int room, int n_primes) noexcept nogil:
    t.n, t.room = 0, room
    t.weight_size = sizeof(Weight) - (LIMBS - n_primes) * sizeof(uint64_t)
    t.state = <Passive*>malloc((room // 2) * sizeof(Passive))
    t.weight = <char*>malloc((room // 2) * t.weight_size)
    t.slot = <Slot*>malloc(room * sizeof(Slot))
    if t.state == NULL or t.weight == NULL or t.slot == NULL:
        return False
    memset(t.slot, 0xFF, room * sizeof(Slot))
    return True


cdef void drop(Table* t) noexcept nogil:
    free(t.state)
    free(t.weight)
    free(t.slot)
    t.state, t.weight, t.slot, t.n = NULL, NULL, NULL, 0


cdef bint grow(Table* t) noexcept nogil:
    cdef int k, at
    cdef Slot* slot = <Slot*>malloc(2 * t.room * sizeof(Slot))
    cdef void* state = realloc(t.state, t.room * sizeof(Passive))
    cdef void* weight
    if state != NULL:
        t.state = <Passive*>state
    weight = realloc(t.weight, t.room * t.weight_size)
    if weight != NULL:
        t.weight = <char*>weight
    if slot == NULL or state == NULL or weight == NULL:
        free(slot)
        return False
    memset(slot, 0xFF, 2 * t.room * sizeof(Slot))
    for k in range(t.room):
        if t.slot[k].at >= 0:
            at = t.slot[k].check & (2 * t.room - 1)
            while slot[at].at >= 0:
                at = (at + 1) & (2 * t.room - 1)
            slot[at] = t.slot[k]
    free(t.slot)
    t.slot, t.room = slot, 2 * t.room
    return True


cdef Weight* find(Table* t, const Passive* s) noexcept nogil:
    """The chance of a state, made new with none; NULL without memory."""
    cdef int at
    cdef uint32_t check = <uint32_t>hash_of(s)
    cdef Slot* slot
    if 2 * (t.n + 1) > t.room and not grow(t):
        return NULL
    at = check & (t.room - 1)
    while True:
        slot = &t.slot[at]
        if slot.at < 0:
            break
        if slot.check == check and memcmp(
                &t.state[slot.at], s, PLACES_FROM + s.n_blocks * sizeof(Place)) == 0:
            return <Weight*>(t.weight + slot.at * t.weight_size)
        at = (at + 1) & (t.room - 1)
    slot.at, slot.check = t.n, check
    t.state[t.n] = s[0]
    memset(t.weight + t.n * t.weight_size, 0, t.weight_size)
    t.n += 1
    return <Weight*>(t.weight + slot.at * t.weight_size)


cdef inline Weight* weight_of(const Table* t, int i) noexcept nogil:
    return <Weight*>(t.weight + i * t.weight_size)

# The island --------------------------------------------------------------------------------------

cdef class PassiveIsland:
    """What becomes of tagged tiles if nobody acts.

    Args:
        law: by turn, (draws, floods): by class of treasure cards all (chance, rise, then) that its turn
            may bring (`then` is a class of floods, or -1 for the skull); by class of floods
            (cards, class of the next turn, most cards after it, whether the waters may rise after it).
            The first class is where the island starts.
        whole_pile: whether the waters rise into the whole pile, not on top of it.
        starts: as for `run`, any of them that will be asked: their untagged form must be the same.

    Raises:
        OverflowError: the chances have more digits than the primes can tell.
        MemoryError: too many states.
    """

    cdef Ways** ways                 # by turn and class
    cdef Floods** floods
    cdef int turns, n_tagged, n_primes
    cdef bint whole_pile
    cdef Table now, next
    cdef bint failed                 # no memory
    cdef Weight sunk                 # all tagged tiles have sunk
    cdef Weight kept                 # of states no longer carried: the one tagged tile is flooded
    cdef object denominator
    cdef object memory               # of the law

    def __init__(self, law, bint whole_pile, starts):
        cdef int k
        self.turns, self.whole_pile = len(law), whole_pile
        self.n_tagged = self.n_primes = 0
        self.memory = []
        self.ways = <Ways**>self.room(self.turns * sizeof(Ways*))
        self.floods = <Floods**>self.room(self.turns * sizeof(Floods*))
        for k, (draws, floods) in enumerate(law):
            self.add_turn(k, draws, floods)
        plain = [(_untagged(discard), [_untagged(p) for p in pile], weight)
                 for discard, pile, weight in starts]
        self.go(plain)
        self.denominator = sum(start[-1] for start in starts) * prod(
            [p ** self.sunk.power[k] for k, p in enumerate(SMALL_PRIMES)])
        while self.n_primes < LIMBS and prod(PRIMES[: self.n_primes]) <= self.denominator:
            self.n_primes += 1
        if prod(PRIMES[: self.n_primes]) <= self.denominator:
            raise OverflowError("the chances have too many digits")

    cdef void* room(self, size_t size) except NULL:
        """Memory that lives as long as the island."""
        self.memory.append(bytearray(max(size, 1)))
        return PyByteArray_AS_STRING(self.memory[-1])

    cdef int add_turn(self, int turn, draws, floods) except -1:
        cdef Ways* ways = <Ways*>self.room(len(draws) * sizeof(Ways))
        cdef Floods* f = <Floods*>self.room(len(floods) * sizeof(Floods))
        cdef Draw* d
        cdef int k, j
        self.ways[turn], self.floods[turn] = ways, f
        for k, (cards, then, most, may_rise) in enumerate(floods):
            f[k].cards, f[k].then, f[k].most, f[k].may_rise = cards, then, most, may_rise
        for k, way in enumerate(draws):
            ways[k].n = len(way)
            ways[k].draw = d = <Draw*>self.room(len(way) * sizeof(Draw))
            for j, (chance, rise, then) in enumerate(way):
                d[j].rise, d[j].then = rise, then
                divide(chance.denominator, &d[j])
                for limb, p in enumerate(PRIMES):
                    d[j].factor[limb] = chance.numerator * pow(chance.denominator, -1, p) * 2**64 % p
        return 0

    def run(self, starts, int n_tagged):
        """The odds after each turn.

        Args:
            starts: (discard, pile, weight) of each state to start from: a place = counts of (flooded,
                dry, tagged flooded, tagged dry); `pile` from the top.  Weights may be negative
                where the chances they add up to are not.
            n_tagged: how many tiles are tagged, 1 or more.

        Returns:
            (sunk, flooded, total) for each turn, integers over `total`: all tagged tiles have sunk;
            the tagged tile is flooded (only with one tagged).
        """
        self.n_tagged = n_tagged
        return [(*(self.value(row) for row in rows), self.denominator) for rows in self.go(starts)]

    cdef object value(self, residues):
        """The numerator from its residues (Garner's mixed radix)."""
        cdef int k
        found, modulus = 0, 1
        for k in range(self.n_primes):
            p = PRIMES[k]
            digit = (residues[k] * self.denominator - found) * pow(modulus, -1, p) % p
            found += digit * modulus
            modulus *= p
        return found

    cdef list go(self, starts):
        """Residues of (sunk, flooded) for each turn."""
        cdef int turn
        told = []
        memset(&self.sunk, 0, sizeof(Weight))
        memset(&self.kept, 0, sizeof(Weight))
        self.failed = False
        if not make(&self.now, 1024, self.n_primes):
            raise MemoryError
        try:
            self.begin(starts)
            for turn in range(self.turns):
                self.step()
                with nogil:
                    self.draw_all(self.ways[turn])
                self.check()
                self.step()
                with nogil:
                    self.flood_all(self.floods[turn], self.turns - turn - 1)
                self.check()
                told.append(self.tell())
            return told
        finally:
            drop(&self.now)

    cdef int begin(self, starts) except -1:
        cdef Passive s
        cdef Weight* w
        cdef int k, j
        total = sum(start[-1] for start in starts)
        for discard, pile, weight in starts:
            memset(&s, 0, sizeof(Passive))
            s.n_blocks = len(pile)
            for j in range(STATUSES):
                s.discard.n[j] = discard[j]
                for k in range(s.n_blocks):
                    s.pile[k].n[j] = pile[s.n_blocks - 1 - k][j]
            w = find(&self.now, &s)
            if w == NULL:
                raise MemoryError
            for k in range(self.n_primes):
                p = PRIMES[k]
                w.r[k] = (w.r[k] + weight * pow(total, -1, p)) % p
        return 0

    cdef int step(self) except -1:
        """A new table for what follows; the old one is `now` until `check`."""
        if not make(&self.next, 1024, self.n_primes):
            drop(&self.next)
            raise MemoryError
        return 0

    cdef int check(self) except -1:
        drop(&self.now)
        self.now = self.next
        if self.failed:
            raise MemoryError
        return 0

    cdef tuple tell(self):
        cdef int i, k
        cdef Weight flooded = self.kept
        if self.n_tagged == 1:
            for i in range(self.now.n):
                if tagged_flooded(&self.now.state[i]):
                    self.gather(&flooded, weight_of(&self.now, i))
        if self.n_tagged == 0:           # every denominator so far divides the last ones
            for i in range(self.now.n):
                self.gather(&self.sunk, weight_of(&self.now, i))
        return ([self.sunk.r[k] for k in range(self.n_primes)],
                [flooded.r[k] for k in range(self.n_primes)])

    # Weights -------------------------------------------------------------------------------------

    cdef inline void gather(self, Weight* into, const Weight* w) noexcept nogil:
        """Add a chance."""
        cdef int k
        for k in range(self.n_primes):
            into.r[k] += w.r[k]
            if into.r[k] >= P[k]:
                into.r[k] -= P[k]
        if self.n_primes == 0:
            for k in range(FACTORS):
                into.power[k] = max(into.power[k], w.power[k])

    cdef inline void put(self, const Passive* s, const Weight* w) noexcept nogil:
        cdef Weight* into = find(&self.next, s)
        self.failed |= into == NULL
        if into != NULL:
            self.gather(into, w)

    # Treasure cards ------------------------------------------------------------------------------

    cdef void draw_all(self, const Ways* ways) noexcept nogil:
        """The treasure cards of a turn, from all states."""
        cdef int i, j, k
        cdef const Draw* draw
        cdef const Weight* e
        cdef Passive after
        cdef Weight w
        for i in range(self.now.n):
            e = weight_of(&self.now, i)
            for j in range(ways[self.now.state[i].treasures].n):
                draw = &ways[self.now.state[i].treasures].draw[j]
                for k in range(self.n_primes):
                    w.r[k] = times(e.r[k], draw.factor[k], P[k], Q[k])
                if self.n_primes == 0:
                    for k in range(FACTORS):
                        w.power[k] = e.power[k] + draw.power[k]
                if draw.then < 0:        # the skull: the island is left as it is
                    if self.n_primes == 0:
                        self.gather(&self.sunk, &w)
                    if self.n_tagged == 1 and tagged_flooded(&self.now.state[i]):
                        self.gather(&self.kept, &w)
                    continue
                after = self.now.state[i]
                after.treasures = draw.then
                if draw.rise:
                    self.rise(&after)
                self.put(&after, &w)

    cdef void rise(self, Passive* s) noexcept nogil:
        """The flood discard goes on top of the pile, or into all of it."""
        cdef int k, j
        if size(&s.discard) == 0:
            return
        if self.whole_pile:
            for k in range(s.n_blocks):
                for j in range(STATUSES):
                    s.discard.n[j] += s.pile[k].n[j]
                memset(&s.pile[k], 0, sizeof(Place))
            s.n_blocks = 0
        s.pile[s.n_blocks] = s.discard
        s.n_blocks += 1
        memset(&s.discard, 0, sizeof(Place))

    # Flood cards ---------------------------------------------------------------------------------

    cdef void flood_all(self, const Floods* floods, int turns_left) noexcept nogil:
        """The flood cards of a turn, from all states."""
        cdef int i
        cdef const Floods* f
        cdef Passive s
        for i in range(self.now.n):
            s = self.now.state[i]
            f = &floods[s.treasures]
            s.treasures = f.then
            self.draw_floods(&s, f.cards, weight_of(&self.now, i), f, turns_left)

    cdef void draw_floods(self, const Passive* s, int left, const Weight* w, const Floods* turn,
                          int turns_left) noexcept nogil:
        """All ways to draw some cards: from the top block, then on with what is left of them."""
        cdef int n, f, d, tf, td, k, n_top
        cdef uint64_t ways
        cdef const Place* top = &s.pile[s.n_blocks - 1]
        cdef Passive after
        cdef Weight v
        n_top = size(top)
        if left == 0 or n_top == 0:      # or no card is left at all
            self.put_away(s, w, turn, turns_left)
            return
        n = min(left, n_top)
        for tf in range(min(n, <int>top.n[TAGGED_FLOODED]) + 1):
            for td in range(min(n - tf, <int>top.n[TAGGED_DRY]) + 1):
                for f in range(max(0, n - tf - td - <int>top.n[DRY]),
                               min(n - tf - td, <int>top.n[FLOODED]) + 1):
                    d = n - tf - td - f
                    ways = (CHOOSE[top.n[FLOODED]][f] * CHOOSE[top.n[DRY]][d]
                            * CHOOSE[top.n[TAGGED_FLOODED]][tf] * CHOOSE[top.n[TAGGED_DRY]][td])
                    for k in range(self.n_primes):
                        v.r[k] = times(w.r[k], times(ways, CHOOSE_INVERSE[n_top][n][k], P[k], Q[k]),
                                       P[k], Q[k])
                    if self.n_primes == 0:
                        for k in range(FACTORS):
                            v.power[k] = w.power[k] + POWERS[n_top][n][k]
                    after = s[0]
                    after.pile[s.n_blocks - 1].n[FLOODED] -= f
                    after.pile[s.n_blocks - 1].n[DRY] -= d
                    after.pile[s.n_blocks - 1].n[TAGGED_FLOODED] -= tf
                    after.pile[s.n_blocks - 1].n[TAGGED_DRY] -= td
                    after.discard.n[FLOODED] += d
                    after.discard.n[TAGGED_FLOODED] += td
                    if n == n_top:
                        after.n_blocks -= 1
                        if after.n_blocks == 0:
                            after.pile[0] = after.discard
                            after.n_blocks = 1
                            memset(&after.discard, 0, sizeof(Place))
                    self.draw_floods(&after, left - n, &v, turn, turns_left)

    cdef void put_away(self, const Passive* state, const Weight* w, const Floods* turn,
                       int turns_left) noexcept nogil:
        """Keep a state for the next turn, without what can't matter any more."""
        cdef Passive s = state[0]
        cdef int reach = turn.most, k, cut
        if self.n_tagged and all_sunk(&s):
            self.gather(&self.sunk, w)
            return
        if self.n_tagged > 1 and draws_needed(&s) > reach:
            return
        if turns_left <= 1 or not turn.may_rise:
            merge_statuses(&s, reach)
        if not self.whole_pile and self.n_tagged > 1:
            cut = s.n_blocks
            while cut > 0 and reach > 0:
                cut -= 1
                reach -= size(&s.pile[cut])
            if reach <= 0:
                for k in range(cut):
                    if s.pile[k].n[TAGGED_FLOODED] or s.pile[k].n[TAGGED_DRY]:
                        return           # these will not sink any more
                if 0 < cut < s.n_blocks:
                    for k in range(s.n_blocks):
                        if k < s.n_blocks - cut:
                            s.pile[k] = s.pile[k + cut]
                        else:
                            memset(&s.pile[k], 0, sizeof(Place))
                    s.n_blocks -= cut
        self.put(&s, w)


cdef bint tagged_flooded(const Passive* s) noexcept nogil:
    """Whether a tagged tile is flooded."""
    cdef int k
    for k in range(s.n_blocks):
        if s.pile[k].n[TAGGED_FLOODED]:
            return True
    return s.discard.n[TAGGED_FLOODED] != 0


cdef int draws_needed(const Passive* s) noexcept nogil:
    """No fewer flood cards sink all tagged tiles: dry ones take two, and blocks come in order."""
    cdef int k, n = s.discard.n[TAGGED_FLOODED] + 2 * s.discard.n[TAGGED_DRY], above = 0, tags
    cdef int first = 0
    for k in range(s.n_blocks - 1, -1, -1):
        tags = s.pile[k].n[TAGGED_FLOODED] + s.pile[k].n[TAGGED_DRY]
        if tags:
            first = above + tags         # the first draws of all tags down to here
        above += size(&s.pile[k])
        n += s.pile[k].n[TAGGED_DRY]
    return n + first


cdef void merge_statuses(Passive* s, int reach) noexcept nogil:
    """Untagged tiles are alike where no card drawn from now on can be drawn again."""
    cdef int k, total = 0
    for k in range(s.n_blocks):
        total += size(&s.pile[k])
    if total < reach:
        return
    for k in range(s.n_blocks):
        s.pile[k].n[FLOODED] += s.pile[k].n[DRY]
        s.pile[k].n[DRY] = 0
    s.discard.n[FLOODED] += s.discard.n[DRY]
    s.discard.n[DRY] = 0


cdef bint all_sunk(const Passive* s) noexcept nogil:
    """Whether no tagged tile is left."""
    cdef int k
    for k in range(s.n_blocks):
        if s.pile[k].n[TAGGED_FLOODED] or s.pile[k].n[TAGGED_DRY]:
            return False
    return not (s.discard.n[TAGGED_FLOODED] or s.discard.n[TAGGED_DRY])


cdef int divide(n, Draw* d) except -1:
    """The exponents of the primes in a denominator.

    Raises:
        OverflowError: it has others; there are fewer treasure cards than that.
    """
    for k, p in enumerate(SMALL_PRIMES):
        d.power[k] = 0
        while n % p == 0:
            n //= p
            d.power[k] += 1
    if n != 1:
        raise OverflowError("a chance has a denominator of large primes")
    return 0


def _untagged(place):
    flooded, dry, tagged_flooded, tagged_dry = place
    return flooded + tagged_flooded, dry + tagged_dry, 0, 0


set_up()
