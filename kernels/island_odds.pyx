"""Forbidden Island: the exact odds of an island where nobody acts.

Tiles of one place (a block of the flood pile, or the discard) and one status are alike, so a state holds
counts: of each place the flooded and dry tiles, tagged ones apart.  What is asked of the tagged tiles is
whether all of them have sunk.  The treasure cards are counts too: the pile, the discard, and the size of
each hand.  Turn by turn a table of states with their chances is carried forward.

Chances are exact: fractions over one denominator, of which each state holds the numerator's residues
modulo primes below 2^61.  The denominator comes first, from a run without tags that carries the least
common multiple of the denominators of all ways to each state; with more primes than it has bits, the
numerators follow from their residues, nothing being guessed.

States are merged where they differ in nothing that can still matter.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memset

from math import comb, prod

from oddsmith.kernels.island cimport MAX_BLOCKS, MAX_METER, SEATS, IslandRules, Rules
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
    PLACES_FROM = 16         # bytes of a state in front of its pile
    FACTORS = 24             # primes up to 89: no denominator has others
    MOST = 90                # more than there are treasure cards, by the limits of the options

PRIMES = tuple(2**61 - below for below in (
    1, 31, 45, 229, 259, 283, 339, 391, 403, 465, 531, 579, 675, 759, 799, 819))
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
                89)

cdef struct Place:
    uint8_t n[STATUSES]

cdef struct Passive:         # a state; what lies behind the last block is 0
    uint8_t deck             # treasure cards in the pile, and the Waters Rise! among them
    uint8_t deck_rises
    uint8_t used             # the same for the discard
    uint8_t used_rises
    uint8_t hand[SEATS]
    Place discard
    uint8_t mark
    uint8_t n_blocks
    uint8_t unused[2]
    Place pile[MAX_BLOCKS + 1]   # the top block last

cdef struct Weight:          # a chance
    uint8_t power[FACTORS]   # of its denominator (without tags)
    uint64_t r[LIMBS]        # its residues (with tags)

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

cdef uint8_t[FACTORS] SMALL
cdef uint64_t[26][26] CHOOSE
cdef uint8_t[26][26][FACTORS] POWERS     # of the binomials
cdef uint64_t[LIMBS] P
cdef uint64_t[LIMBS] Q
cdef uint64_t[26][26][LIMBS] CHOOSE_INVERSE      # times 2^128
cdef uint64_t[MOST][LIMBS] INVERSE


cdef void set_up():
    cdef int n, k, j
    for j, p in enumerate(PRIMES):
        P[j], Q[j] = p, -pow(p, -1, 2**64) % 2**64
        for n in range(1, MOST):
            INVERSE[n][j] = pow(n, -1, p) * 2**128 % p
    for k, p in enumerate(SMALL_PRIMES):
        SMALL[k] = p
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
    cdef uint64_t h = mix(word[0]) ^ word[1]
    cdef int k
    for k in range(2, 2 + (s.n_blocks + 1) // 2):
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
        compiled: the rules.
        seat: whose turn the first one is.
        draws: treasure cards due in the first turn.
        floods: flood cards still due in it, if its treasure cards are drawn; else None.
        turns: how many turns are asked, the first one included.
        starts: as for `run`, any of them that will be asked: their untagged form must be the same.

    Raises:
        OverflowError: the chances have more digits than the primes can tell.
        MemoryError: too many states.
    """

    cdef const IslandRules* g
    cdef Rules compiled
    cdef int seat, draws, floods, turns, n_tagged, n_primes
    cdef int reach[MAX_METER]        # flood cards that can still come, by mark
    cdef Table now, next
    cdef bint failed                 # no memory
    cdef Weight sunk                 # all tagged tiles have sunk
    cdef Weight kept                 # of states no longer carried: the one tagged tile is flooded
    cdef Weight skull
    cdef object denominator

    def __init__(self, Rules compiled, int seat, int draws, floods, int turns, starts):
        cdef int k
        self.compiled, self.g = compiled, &compiled.rules
        self.seat, self.draws, self.turns = seat, draws, turns
        self.floods = -1 if floods is None else floods
        self.n_tagged = self.n_primes = 0
        plain = [(treasure, mark, _untagged(discard), [_untagged(p) for p in pile], weight)
                 for treasure, mark, discard, pile, weight in starts]
        self.go(plain)
        self.denominator = sum(start[4] for start in starts) * prod(
            [p ** max(self.sunk.power[k], self.skull.power[k])
             for k, p in enumerate(SMALL_PRIMES)])
        while self.n_primes < LIMBS and prod(PRIMES[: self.n_primes]) <= self.denominator:
            self.n_primes += 1
        if prod(PRIMES[: self.n_primes]) <= self.denominator:
            raise OverflowError("the chances have too many digits")

    def run(self, starts, int n_tagged):
        """The odds after each turn.

        Args:
            starts: (treasure, mark, discard, pile, weight) of each state to start from: treasure =
                (pile, its Waters Rise!, discard, its Waters Rise!, hand sizes); a place = counts of
                (flooded, dry, tagged flooded, tagged dry); `pile` from the top.
            n_tagged: how many tiles are tagged, 1 or more.

        Returns:
            (sunk, flooded, skull, total) for each turn, integers over `total`: all tagged tiles have
            sunk; the tagged tile is flooded (only with one tagged); the skull has been reached.
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
        """Residues of (sunk, flooded, skull) for each turn."""
        cdef int turn, k, n_draws
        told = []
        memset(&self.sunk, 0, sizeof(Weight))
        memset(&self.kept, 0, sizeof(Weight))
        memset(&self.skull, 0, sizeof(Weight))
        self.failed = False
        if not make(&self.now, 1024, self.n_primes):
            raise MemoryError
        try:
            self.begin(starts)
            for turn in range(self.turns):
                if turn or self.floods < 0:
                    n_draws = 2 if turn else self.draws
                    for k in range(n_draws):
                        self.step()
                        with nogil:
                            self.draw_all((self.seat + turn) % self.g.players, k == n_draws - 1)
                        self.check()
                self.step()
                for k in range(self.g.n_marks):
                    self.reach[k] = self.most_floods(k, self.turns - turn - 1)
                with nogil:
                    self.flood_all(-1 if turn else self.floods, self.turns - turn - 1)
                self.check()
                told.append(self.tell())
            return told
        finally:
            drop(&self.now)

    cdef int begin(self, starts) except -1:
        cdef Passive s
        cdef Weight* w
        cdef int k, j
        total = sum(start[4] for start in starts)
        for treasure, mark, discard, pile, weight in starts:
            memset(&s, 0, sizeof(Passive))
            s.deck, s.deck_rises, s.used, s.used_rises = treasure[:4]
            for k in range(len(treasure[4])):
                s.hand[k] = treasure[4][k]
            s.mark, s.n_blocks = mark, len(pile)
            for j in range(STATUSES):
                s.discard.n[j] = discard[j]
                for k in range(s.n_blocks):
                    s.pile[k].n[j] = pile[s.n_blocks - 1 - k][j]
            w = find(&self.now, &s)
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
                [flooded.r[k] for k in range(self.n_primes)],
                [self.skull.r[k] for k in range(self.n_primes)])

    cdef int most_floods(self, int mark, int turns_left):
        """No more flood cards than this are drawn in the turns left."""
        cdef int turn, k, last = mark, most = self.g.meter[mark], total = 0
        for turn in range(turns_left):
            for k in range(2):           # two Waters Rise! a turn at most
                last = min(last + 1, self.g.n_marks - 1)
                most = max(most, self.g.meter[last])
            total += most
        return total

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

    cdef void draw_all(self, int seat, bint last) noexcept nogil:
        """One treasure card of a seat, from all states."""
        cdef int i
        for i in range(self.now.n):
            self.draw(&self.now.state[i], weight_of(&self.now, i), seat, last)

    cdef void draw(self, const Passive* state, const Weight* e, int seat,
                   bint last) noexcept nogil:
        cdef Passive s = state[0], after
        cdef Weight w
        cdef int n, rises
        if s.deck == 0:
            s.deck, s.deck_rises, s.used, s.used_rises = s.used, s.used_rises, 0, 0
        n, rises = s.deck, s.deck_rises
        if n == 0:
            self.share(e, 1, 1, &w)
            self.limit(&s, seat, last)
            self.put(&s, &w)
        if rises:
            self.share(e, rises, n, &w)
            after = s
            after.deck -= 1
            after.deck_rises -= 1
            after.used += 1
            after.used_rises += 1
            after.mark += 1
            if after.mark >= self.g.n_marks:
                self.gather(&self.skull, &w)
                if self.n_tagged == 1 and tagged_flooded(&after):
                    self.gather(&self.kept, &w)
            else:
                self.rise(&after)
                self.reshuffle(&after)
                self.limit(&after, seat, last)
                self.put(&after, &w)
        if n > rises:
            self.share(e, n - rises, n, &w)
            after = s
            after.deck -= 1
            after.hand[seat] += 1
            self.reshuffle(&after)
            self.limit(&after, seat, last)
            self.put(&after, &w)

    cdef inline void share(self, const Weight* e, int a, int n, Weight* w) noexcept nogil:
        """a / n of a chance."""
        cdef int k, j
        for k in range(self.n_primes):
            w.r[k] = times(e.r[k], times(a, INVERSE[n][k], P[k], Q[k]), P[k], Q[k])
        if self.n_primes == 0:
            for k in range(FACTORS):
                w.power[k] = e.power[k]
                j = n
                while j % SMALL[k] == 0:
                    j //= SMALL[k]
                    w.power[k] += 1

    cdef inline void reshuffle(self, Passive* s) noexcept nogil:
        if s.deck == 0 and self.g.reshuffle_at_once:
            s.deck, s.deck_rises, s.used, s.used_rises = s.used, s.used_rises, 0, 0

    cdef inline void limit(self, Passive* s, int seat, bint last) noexcept nogil:
        if (last or self.g.limit_between_draws) and s.hand[seat] > self.g.hand_limit:
            s.used += s.hand[seat] - self.g.hand_limit
            s.hand[seat] = self.g.hand_limit

    cdef void rise(self, Passive* s) noexcept nogil:
        """The flood discard goes on top of the pile, or into all of it."""
        cdef int k, j
        if size(&s.discard) == 0:
            return
        if self.g.rise_whole_pile:
            for k in range(s.n_blocks):
                for j in range(STATUSES):
                    s.discard.n[j] += s.pile[k].n[j]
                memset(&s.pile[k], 0, sizeof(Place))
            s.n_blocks = 0
        s.pile[s.n_blocks] = s.discard
        s.n_blocks += 1
        memset(&s.discard, 0, sizeof(Place))

    # Flood cards ---------------------------------------------------------------------------------

    cdef void flood_all(self, int floods, int turns_left) noexcept nogil:
        """The flood cards of a turn, from all states."""
        cdef int i
        for i in range(self.now.n):
            self.draw_floods(&self.now.state[i],
                             self.g.meter[self.now.state[i].mark] if floods < 0 else floods,
                             weight_of(&self.now, i), turns_left)

    cdef void draw_floods(self, const Passive* s, int left, const Weight* w,
                          int turns_left) noexcept nogil:
        """All ways to draw some cards: from the top block, then on with what is left of them."""
        cdef int n, f, d, tf, td, k, n_top
        cdef uint64_t ways
        cdef const Place* top = &s.pile[s.n_blocks - 1]
        cdef Passive after
        cdef Weight v
        n_top = size(top)
        if left == 0 or n_top == 0:      # or no card is left at all
            self.put_away(s, w, turns_left)
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
                    self.draw_floods(&after, left - n, &v, turns_left)

    cdef void put_away(self, const Passive* state, const Weight* w, int turns_left) noexcept nogil:
        """Keep a state for the next turn, without what can't matter any more."""
        cdef Passive s = state[0]
        cdef int reach = self.reach[s.mark], k, cut
        if self.n_tagged and all_sunk(&s):
            self.gather(&self.sunk, w)
            return
        if self.n_tagged > 1 and draws_needed(&s) > reach:
            return
        if turns_left <= 1 or (s.deck_rises == 0 and s.deck > 2 * turns_left):
            merge_statuses(&s, reach)
        if s.deck > 2 * turns_left:
            memset(s.hand, 0, sizeof(s.hand))
            s.used = s.used_rises = 0
        if not self.g.rise_whole_pile and self.n_tagged > 1:
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


def _untagged(place):
    flooded, dry, tagged_flooded, tagged_dry = place
    return flooded + tagged_flooded, dry + tagged_dry, 0, 0


set_up()
