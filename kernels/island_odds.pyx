"""Forbidden Island: the exact odds of an island where nobody acts.

Tiles of one place (a block of the flood pile, or the discard) and one status are alike, so a state holds
counts: of each place the flooded and dry tiles, tagged ones apart.  What is asked of the tagged tiles is
whether all of them have sunk.  The treasure cards are counts too: the pile, the discard, and the size of
each hand.  Turn by turn a table of states with integer weights over one common denominator is carried
forward.

States are merged where they differ in nothing that can still matter: blocks deeper than all draws
to come, and hands and treasure discard if the treasure pile outlasts the question.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from math import comb, gcd, lcm

from oddsmith.kernels.island cimport MAX_BLOCKS, MAX_METER, SEATS, IslandRules, Rules

cdef enum:
    FLOODED
    DRY
    TAGGED_FLOODED
    TAGGED_DRY
    STATUSES

cdef struct Place:
    uint8_t n[STATUSES]

cdef struct Passive:         # a state; `pile` is cut behind its last block for the key
    uint8_t deck             # treasure cards in the pile, and the Waters Rise! among them
    uint8_t deck_rises
    uint8_t used             # the same for the discard
    uint8_t used_rises
    uint8_t hand[SEATS]
    uint8_t mark
    uint8_t n_blocks
    Place discard
    Place pile[MAX_BLOCKS]   # the top block last


cdef inline int size(const Place* p) noexcept:
    return p.n[FLOODED] + p.n[DRY] + p.n[TAGGED_FLOODED] + p.n[TAGGED_DRY]


cdef inline bytes key_of(const Passive* s):
    return (<const char*>s)[: sizeof(Passive) - (MAX_BLOCKS - s.n_blocks) * sizeof(Place)]


cdef inline void state_of(bytes key, Passive* s):
    memcpy(s, <const char*>key, len(key))


cdef inline void add(dict table, bytes key, object weight):
    old = table.get(key)
    table[key] = weight if old is None else old + weight


cdef list BINOMIALS = [[comb(n, k) for k in range(26)] for n in range(26)]
cdef uint64_t[26][26] CHOOSE
for _n in range(26):
    for _k in range(26):
        CHOOSE[_n][_k] = BINOMIALS[_n][_k]


cdef class PassiveIsland:
    """What becomes of tagged tiles if nobody acts.

    Args:
        compiled: the rules.
        seat: whose turn the first one is.
        draws: treasure cards due in the first turn.
        floods: flood cards still due in it, if its treasure cards are drawn; else None.
        turns: how many turns are asked, the first one included.
        n_tagged: how many tiles are tagged.
    """

    cdef const IslandRules* g
    cdef Rules compiled
    cdef int seat, draws, turns, n_tagged
    cdef int reach[MAX_METER]        # flood cards that can still come, by mark
    cdef object floods
    cdef dict by_denominator         # denominator -> {key: weight} of the step being made
    cdef object total                # common denominator of all weights
    cdef object sunk                 # weight of: all tagged tiles have sunk
    cdef object kept_flooded         # of states no longer carried: the one tagged tile is flooded
    cdef object skull

    def __init__(self, Rules compiled, int seat, int draws, floods, int turns, int n_tagged):
        self.compiled, self.g = compiled, &compiled.rules
        self.seat, self.draws, self.floods = seat, draws, floods
        self.turns, self.n_tagged = turns, n_tagged

    def run(self, starts):
        """The odds after each turn.

        Args:
            starts: (treasure, mark, discard, pile, weight) of each state to start from: treasure =
                (pile, its Waters Rise!, discard, its Waters Rise!, hand sizes); a place = counts of
                (flooded, dry, tagged flooded, tagged dry); `pile` from the top.

        Returns:
            (sunk, flooded, skull, total) for each turn, integers over `total`: all tagged tiles have
            sunk; the tagged tile is flooded (only with one tagged); the skull has been reached.
        """
        cdef Passive s
        cdef int turn, k, seat
        table = {}
        self.total = self.sunk = self.kept_flooded = self.skull = 0
        for treasure, mark, discard, pile, weight in starts:
            memset(&s, 0, sizeof(Passive))
            s.deck, s.deck_rises, s.used, s.used_rises = treasure[:4]
            for seat in range(len(treasure[4])):
                s.hand[seat] = treasure[4][seat]
            s.mark, s.n_blocks = mark, len(pile)
            for k in range(STATUSES):
                s.discard.n[k] = discard[k]
            for seat in range(s.n_blocks):
                for k in range(STATUSES):
                    s.pile[seat].n[k] = pile[s.n_blocks - 1 - seat][k]
            add(table, key_of(&s), weight)
            self.total += weight
        told = []
        for turn in range(self.turns):
            if turn or self.floods is None:
                for k in range(2 if turn else self.draws):
                    table = self.draw(table, (self.seat + turn) % self.g.players,
                                      k == (2 if turn else self.draws) - 1)
            table = self.flood(table, None if turn else self.floods, self.turns - turn - 1)
            told.append((self.sunk, self.kept_flooded + self.flooded_in(table), self.skull,
                         self.total))
        return told

    cdef object flooded_in(self, dict table):
        """Weight of the states whose tagged tile is flooded."""
        cdef Passive s
        cdef int k
        found = 0
        if self.n_tagged == 1:
            for key, weight in table.items():
                state_of(key, &s)
                for k in range(s.n_blocks):
                    if s.pile[k].n[TAGGED_FLOODED]:
                        found += weight
                if s.discard.n[TAGGED_FLOODED]:
                    found += weight
        return found

    cdef dict one_denominator(self):
        """The step's weights over a common denominator; scales what is kept apart, too."""
        scale = lcm(*self.by_denominator) if self.by_denominator else 1
        table = {}
        for denominator, part in self.by_denominator.items():
            factor = scale // denominator
            for key, weight in part.items():
                add(table, key, weight * factor)
        self.total *= scale
        self.sunk *= scale
        self.kept_flooded *= scale
        self.skull *= scale
        # Small integers are quick ones.
        factor = gcd(self.total, self.sunk, self.kept_flooded, self.skull, *table.values())
        if factor > 1:
            self.total //= factor
            self.sunk //= factor
            self.kept_flooded //= factor
            self.skull //= factor
            table = {key: weight // factor for key, weight in table.items()}
        return table

    cdef void put(self, const Passive* s, object weight, object denominator):
        part = self.by_denominator.get(denominator)
        if part is None:
            part = self.by_denominator[denominator] = {}
        add(part, key_of(s), weight)

    # Treasure cards ------------------------------------------------------------------------------

    cdef dict draw(self, dict table, int seat, bint last):
        """One treasure card of a seat."""
        cdef Passive s, after
        self.by_denominator = {}
        for key, weight in table.items():
            memset(&s, 0, sizeof(Passive))
            state_of(key, &s)
            if s.deck == 0:
                s.deck, s.deck_rises, s.used, s.used_rises = s.used, s.used_rises, 0, 0
            if s.deck == 0:
                self.limit(&s, seat, last)
                self.put(&s, weight, 1)
                continue
            if s.deck_rises:
                after = s
                after.deck -= 1
                after.deck_rises -= 1
                after.used += 1
                after.used_rises += 1
                after.mark += 1
                self.rise(&after)
                self.reshuffle(&after)
                self.limit(&after, seat, last)
                self.put(&after, weight * s.deck_rises, s.deck)
            if s.deck > s.deck_rises:
                after = s
                after.deck -= 1
                after.hand[seat] += 1
                self.reshuffle(&after)
                self.limit(&after, seat, last)
                self.put(&after, weight * (s.deck - s.deck_rises), s.deck)
        table = self.one_denominator()
        for key in [key for key in table if (<const Passive*><const char*><bytes>key).mark
                    >= self.g.n_marks]:
            weight = table.pop(key)
            self.skull += weight
            state_of(key, &s)
            self.keep(&s, weight)
        return table

    cdef void keep(self, const Passive* s, object weight):
        """A state that changes no more: is its tagged tile flooded?"""
        cdef int k
        if self.n_tagged == 1:
            for k in range(s.n_blocks):
                if s.pile[k].n[TAGGED_FLOODED]:
                    self.kept_flooded += weight
            if s.discard.n[TAGGED_FLOODED]:
                self.kept_flooded += weight

    cdef void reshuffle(self, Passive* s):
        if s.deck == 0 and self.g.reshuffle_at_once:
            s.deck, s.deck_rises, s.used, s.used_rises = s.used, s.used_rises, 0, 0

    cdef void limit(self, Passive* s, int seat, bint last):
        if (last or self.g.limit_between_draws) and s.hand[seat] > self.g.hand_limit:
            s.used += s.hand[seat] - self.g.hand_limit
            s.hand[seat] = self.g.hand_limit

    cdef void rise(self, Passive* s):
        """The flood discard goes on top of the pile, or into all of it."""
        cdef int k, j
        if size(&s.discard) == 0:
            return
        if self.g.rise_whole_pile:
            for k in range(s.n_blocks):
                for j in range(STATUSES):
                    s.discard.n[j] += s.pile[k].n[j]
            s.n_blocks = 0
        s.pile[s.n_blocks] = s.discard
        s.n_blocks += 1
        memset(&s.discard, 0, sizeof(Place))

    # Flood cards ---------------------------------------------------------------------------------

    cdef dict flood(self, dict table, object floods, int turns_left):
        """The flood cards of a turn."""
        cdef Passive s
        cdef int mark
        self.by_denominator = {}
        for mark in range(self.g.n_marks):
            self.reach[mark] = self.most_floods(mark, turns_left)
        for key, weight in table.items():
            memset(&s, 0, sizeof(Passive))
            state_of(key, &s)
            self.draw_floods(&s, self.g.meter[s.mark] if floods is None else floods, weight, 1,
                             turns_left)
        table = self.one_denominator()
        if self.n_tagged:
            # Nothing tagged is left: all have sunk, whatever else happens.
            for key in [key for key in table if self.is_done(key)]:
                self.sunk += table.pop(key)
        return table

    cdef int most_floods(self, int mark, int turns_left):
        """No more flood cards than this are drawn in the turns left."""
        cdef int turn, k, last = mark, most = self.g.meter[mark], total = 0
        for turn in range(turns_left):
            for k in range(2):           # two Waters Rise! a turn at most
                last = min(last + 1, self.g.n_marks - 1)
                most = max(most, self.g.meter[last])
            total += most
        return total

    cdef bint is_done(self, bytes key):
        cdef Passive s
        cdef int k
        state_of(key, &s)
        for k in range(s.n_blocks):
            if s.pile[k].n[TAGGED_FLOODED] or s.pile[k].n[TAGGED_DRY]:
                return False
        return not (s.discard.n[TAGGED_FLOODED] or s.discard.n[TAGGED_DRY])

    cdef void draw_floods(self, const Passive* s, int w, object weight, uint64_t denominator,
                          int turns_left):
        """All ways to draw w cards: from the top block, then on with what is left of them."""
        cdef Place top
        cdef Passive after
        cdef int n, f, d, tf, td, least
        after = s[0]
        if w and size(&after.pile[after.n_blocks - 1]) == 0:
            # All cards have been drawn and sunk.
            w = 0
        if w == 0:
            self.forget(&after, weight, denominator, turns_left)
            return
        top = after.pile[after.n_blocks - 1]
        n = min(w, size(&top))
        least = size(&top) - n           # cards that stay
        denominator *= CHOOSE[size(&top)][n]
        for tf in range(min(n, top.n[TAGGED_FLOODED]) + 1):
            for td in range(min(n - tf, top.n[TAGGED_DRY]) + 1):
                for f in range(min(n - tf - td, top.n[FLOODED]) + 1):
                    d = n - tf - td - f
                    if d > top.n[DRY]:
                        continue
                    after = s[0]
                    after.pile[after.n_blocks - 1].n[FLOODED] -= f
                    after.pile[after.n_blocks - 1].n[DRY] -= d
                    after.pile[after.n_blocks - 1].n[TAGGED_FLOODED] -= tf
                    after.pile[after.n_blocks - 1].n[TAGGED_DRY] -= td
                    after.discard.n[FLOODED] += d
                    after.discard.n[TAGGED_FLOODED] += td
                    if least == 0:
                        after.n_blocks -= 1
                        if after.n_blocks == 0:
                            after.pile[0] = after.discard
                            after.n_blocks = 1
                            memset(&after.discard, 0, sizeof(Place))
                    self.draw_floods(
                        &after, w - n, weight * (CHOOSE[top.n[FLOODED]][f] * CHOOSE[top.n[DRY]][d]
                                                 * CHOOSE[top.n[TAGGED_FLOODED]][tf]
                                                 * CHOOSE[top.n[TAGGED_DRY]][td]),
                        denominator, turns_left)

    cdef void forget(self, Passive* s, object weight, uint64_t denominator, int turns_left):
        """Put a state away without what can't matter any more."""
        cdef int reach = self.reach[s.mark], k, cut
        if s.deck > 2 * turns_left:
            memset(s.hand, 0, sizeof(s.hand))
            s.used = s.used_rises = 0
        if not self.g.rise_whole_pile and self.n_tagged > 1:
            cut = s.n_blocks
            while cut > 0 and reach > 0:
                cut -= 1
                reach -= size(&s.pile[cut])
            for k in range(cut):
                if s.pile[k].n[TAGGED_FLOODED] or s.pile[k].n[TAGGED_DRY]:
                    return               # these will not sink any more
            if reach <= 0 and 0 < cut < s.n_blocks:
                for k in range(s.n_blocks - cut):
                    s.pile[k] = s.pile[k + cut]
                s.n_blocks -= cut
        self.put(s, weight, denominator)
