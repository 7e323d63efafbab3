"""FUSE: several bombs at once, D dice a roll: the least expected number of rolls.

A state holds the merged class of each bomb (fuse_hardness.pyx).  Two ways make the table small:
* a renaming of colours and numbers that keeps all bombs joins states to one, their representative;
  each points to it with the faces as that one sees them;
* faces with the same effect in a state and all that can follow it are one group there; group 0 are
  those without any.
A roll is a multiset of groups, numbered in colexicographic order.  `then` of a state tells where
each multiset of D - 1 dice leads under the best use, so that a roll of D dice in a state before it
is settled by its first die.  Expected rolls V solve V = 1 + sum of p(roll) min(V, V after it).
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from oddsmith.kernels.fuse_bombs cimport FACES, MAX_SLOTS, Bomb, Deck

from oddsmith.kernels.fuse_hardness import merged, renamed, renamings

cdef enum:
    MAX_BOMBS = 4            # in a hand
    MAX_DICE = 6             # in a roll
    MAX_STATES = 100000      # representatives; each takes some 3 KB
    MAX_EDGES = FACES * MAX_BOMBS * MAX_SLOTS
    RENAMINGS = 26           # two colours or numbers in each other's place; numbers turned round

cdef double ROUNDING = 1.1102230246251565e-16    # of one operation, relative


cdef bint has_layers(const Bomb* m) noexcept nogil:
    cdef int slot
    for slot in range(m.n_slots):
        if m.beneath[slot]:
            return True
    return False


cdef struct Automaton:       # one bomb
    int n
    int32_t* first           # [class][face], and one more: where its successors begin in `after`
    int32_t* after
    int32_t* image           # [renaming][class]

cdef struct Seen:            # a state that was met
    int32_t state            # its representative
    uint8_t[FACES] face      # how that one sees each face

cdef struct Edge:            # a state that may follow
    int32_t state
    uint8_t* group           # of each group, the group there
    bint rising              # whether those never fall

cdef struct State:           # a representative
    int64_t code
    int n_groups             # besides group 0
    int n_edges
    uint8_t[FACES] group     # of each face
    int[FACES + 1] mass      # faces of each group
    Edge* edges
    int32_t* first           # [group], and one more: where its edges begin in `way`
    int32_t* layered         # [group]: where those of bombs with dice on dice begin
    int32_t* way             # numbers of edges
    int32_t* then            # where each multiset of D - 1 dice leads
    int n_targets
    int32_t* target          # where rolls lead, itself not among them
    double* weight           # of 30^D rolls

cdef class Hand:
    """Several bombs at once.

    Args:
        deck: compiled bombs.
        bombs: numbers of 1 to 4 bombs of it.
        classes: the class of each to begin with, reachable and completable.
        n_dice: 1 to 6 dice rolled at a time.
        most_states: more possible states than this are refused; so are more than 100,000 that can
            come about, of those that a renaming joins one each.

    Raises:
        ValueError: a number out of range, or a class that can't be finished.
        OverflowError: too many possible states; args[0] is their number.
    """

    cdef int n_bombs, n_dice, n_states, n_seen, n_renamings
    cdef int n_free          # of the bombs: none of their slots lies on another
    cdef int state_room, seen_room
    cdef Automaton[MAX_BOMBS] bombs
    cdef int64_t[MAX_BOMBS] stride
    cdef uint8_t[RENAMINGS][FACES] renaming
    cdef int32_t* at         # [code]: its place among `seen`, -1
    cdef Seen* seen
    cdef int64_t* seen_code
    cdef State* states
    cdef double* value
    cdef double* error       # relative, proven
    cdef readonly object possible
    cdef object images       # of merged classes, by renaming and bomb
    cdef object layers       # places of representatives by dice that lie, the fewest first
    cdef int64_t[MAX_DICE + FACES + 2][MAX_DICE + 2] choose
    cdef bint solved

    def __cinit__(self):
        self.at = NULL
        self.seen = NULL
        self.seen_code = NULL
        self.states = NULL
        self.value = self.error = NULL
        self.n_bombs = self.n_states = self.n_seen = 0
        memset(self.bombs, 0, sizeof(self.bombs))

    def __init__(self, Deck deck, bombs, classes, int n_dice, most_states=50_000_000):
        cdef int k, j, n
        if self.at != NULL:
            raise TypeError("a hand is made once")
        if not 1 <= len(bombs) <= MAX_BOMBS or len(bombs) != len(classes):
            raise ValueError(f"a hand has 1 to {MAX_BOMBS} bombs")
        if not 1 <= n_dice <= MAX_DICE:
            raise ValueError(f"1 to {MAX_DICE} dice are rolled")
        self.n_dice = n_dice
        for n in range(MAX_DICE + FACES + 2):
            for k in range(MAX_DICE + 2):
                self.choose[n][k] = (1 if k == 0 else 0 if n == 0 else
                                     self.choose[n - 1][k - 1] + self.choose[n - 1][k])
        found, start, self.possible = [], 0, 1
        # Those without dice on dice come first.
        order = sorted(zip(bombs, classes, strict=True),
                       key=lambda one: has_layers(deck.at(one[0])))
        self.n_free = sum([not has_layers(deck.at(bomb)) for bomb, _ in order])
        for bomb, cls in order:
            number, rows, dice = merged(deck, bomb)
            if not 0 <= cls < len(number) or number[cls] < 0:
                raise ValueError(f"bomb {bomb} can't be finished from class {cls}")
            found.append((rows, dice))
            start += number[cls] * self.possible
            self.possible *= len(rows)
        if self.possible > most_states:
            raise OverflowError(self.possible)
        self.find_renamings(found)
        code = 1
        for rows, dice in found:
            self.stride[self.n_bombs] = code
            code *= len(rows)
            self.n_bombs += 1
            self.add_bomb(&self.bombs[self.n_bombs - 1], rows)
        self.at = <int32_t*>malloc(code * sizeof(int32_t))
        if self.at == NULL:
            raise MemoryError
        memset(self.at, 0xFF, code * sizeof(int32_t))
        self.layers = [[self.meet(start)]]
        layer = self.layers[0]
        while layer:
            below = []
            for j in layer:
                n = self.n_states
                if n > MAX_STATES:
                    raise OverflowError(self.possible)
                self.find_edges(j)
                below += range(n, self.n_states)
            layer = below
            self.layers.append(layer)
        self.value = <double*>calloc(self.n_states, sizeof(double))
        self.error = <double*>calloc(self.n_states, sizeof(double))
        if self.value == NULL or self.error == NULL:
            raise MemoryError
        for layer in reversed(self.layers):
            for j in layer:
                self.find_groups(j)

    def __dealloc__(self):
        cdef int k, e
        cdef State* s
        for k in range(self.n_bombs):
            free(self.bombs[k].first)
            free(self.bombs[k].after)
            free(self.bombs[k].image)
        if self.states != NULL:
            for k in range(self.n_states):
                s = &self.states[k]
                if s.edges != NULL:
                    for e in range(s.n_edges):
                        free(s.edges[e].group)
                free(s.edges)
                free(s.first)
                free(s.layered)
                free(s.way)
                free(s.then)
                free(s.target)
                free(s.weight)
        free(self.at)
        free(self.seen)
        free(self.seen_code)
        free(self.states)
        free(self.value)
        free(self.error)

    # Building ----------------------------------------------------------------------------------

    cdef object find_renamings(self, found):
        """Renamings of faces that keep every bomb."""
        cdef int face
        self.images = []
        self.n_renamings = 0
        for faces in renamings():
            images = [renamed(rows, dice, faces) for rows, dice in found]
            if all(image is not None for image in images):
                for face in range(FACES):
                    self.renaming[self.n_renamings][face] = faces[face]
                self.images.append(images)
                self.n_renamings += 1

    cdef object add_bomb(self, Automaton* m, rows):
        cdef int k, face, n = 0, g, b = self.n_bombs - 1
        m.n = len(rows)
        m.first = <int32_t*>malloc((m.n * FACES + 1) * sizeof(int32_t))
        m.after = <int32_t*>malloc(max(1, sum([len(a) for row in rows for a in row]))
                                   * sizeof(int32_t))
        m.image = <int32_t*>malloc(max(1, self.n_renamings * m.n) * sizeof(int32_t))
        if m.first == NULL or m.after == NULL or m.image == NULL:
            raise MemoryError
        for k, row in enumerate(rows):
            for face in range(FACES):
                m.first[k * FACES + face] = n
                for then in row[face]:
                    m.after[n] = then
                    n += 1
        m.first[m.n * FACES] = n
        for g in range(self.n_renamings):
            for k, then in enumerate(self.images[g][b]):
                m.image[g * m.n + k] = then

    cdef int note(self, int64_t code, int32_t state) except -1:
        """A place for a state that was not met before."""
        if self.n_seen == self.seen_room:
            self.seen_room = 2 * self.seen_room if self.seen_room else 256
            self.seen = <Seen*>realloc(self.seen, self.seen_room * sizeof(Seen))
            self.seen_code = <int64_t*>realloc(self.seen_code, self.seen_room * sizeof(int64_t))
            if self.seen == NULL or self.seen_code == NULL:
                raise MemoryError
        self.at[code] = self.n_seen
        self.seen[self.n_seen].state = state
        self.seen_code[self.n_seen] = code
        self.n_seen += 1
        return self.n_seen - 1

    cdef int meet(self, int64_t code) except -1:
        """The representative of a state; with a new one, all that are renamings of it are noted."""
        cdef int first, k, g, face, b, new
        cdef int64_t image
        if self.at[code] >= 0:
            return self.seen[self.at[code]].state
        if self.n_states == self.state_room:
            self.state_room = 2 * self.state_room if self.state_room else 256
            self.states = <State*>realloc(self.states, self.state_room * sizeof(State))
            if self.states == NULL:
                raise MemoryError
        memset(&self.states[self.n_states], 0, sizeof(State))
        self.states[self.n_states].code = code
        self.n_states += 1
        first = k = self.note(code, self.n_states - 1)
        for face in range(FACES):
            self.seen[first].face[face] = face
        while k < self.n_seen:
            for g in range(self.n_renamings):
                image = 0
                for b in range(self.n_bombs):
                    image += self.stride[b] * self.bombs[b].image[
                        g * self.bombs[b].n
                        + self.seen_code[k] // self.stride[b] % self.bombs[b].n]
                if self.at[image] < 0:
                    new = self.note(image, self.n_states - 1)
                    for face in range(FACES):
                        self.seen[new].face[self.renaming[g][face]] = self.seen[k].face[face]
            k += 1
        return self.n_states - 1

    cdef int find_edges(self, int j) except -1:
        """What may follow a representative, face by face, as `Seen` numbers."""
        cdef int face, b, i, n = 0, e
        cdef int64_t code = self.states[j].code
        cdef int x
        cdef int32_t[MAX_EDGES] found
        cdef int32_t[FACES + 1] first
        cdef int32_t[FACES + 1] layered
        cdef State* s
        for face in range(FACES):
            first[face] = n
            for b in range(self.n_bombs):
                if b == self.n_free:
                    layered[face] = n
                x = code // self.stride[b] % self.bombs[b].n
                for i in range(self.bombs[b].first[x * FACES + face],
                               self.bombs[b].first[x * FACES + face + 1]):
                    self.meet(code + (self.bombs[b].after[i] - x) * self.stride[b])
                    found[n] = self.at[code + (self.bombs[b].after[i] - x) * self.stride[b]]
                    n += 1
            if self.n_free == self.n_bombs:
                layered[face] = n
        first[FACES] = n
        s = &self.states[j]              # `meet` may have moved it
        s.edges = <Edge*>calloc(max(1, n), sizeof(Edge))
        s.first = <int32_t*>malloc((FACES + 2) * sizeof(int32_t))
        s.layered = <int32_t*>malloc((FACES + 1) * sizeof(int32_t))
        s.way = <int32_t*>malloc(max(1, n) * sizeof(int32_t))
        if s.edges == NULL or s.first == NULL or s.layered == NULL or s.way == NULL:
            raise MemoryError
        memcpy(s.first, first, sizeof(first))
        memcpy(s.layered, layered, sizeof(layered))
        for i in range(n):               # `state` holds the Seen number until the groups are found
            for e in range(s.n_edges):
                if s.edges[e].state == found[i]:
                    break
            else:
                e = s.n_edges
                s.edges[e].state = found[i]
                s.n_edges += 1
            s.way[i] = e
        return 0

    cdef int find_groups(self, int j) except -1:
        """Groups of faces of a representative, those of what follows being known."""
        cdef State* s = &self.states[j]
        cdef State* t
        cdef Seen* seen
        cdef int face, other, e, i, n
        cdef bint same, idle
        cdef int32_t[FACES + 2] first
        cdef int32_t[FACES + 1] layered
        cdef int32_t* way = <int32_t*>malloc(max(1, s.first[FACES]) * sizeof(int32_t))
        if way == NULL:
            raise MemoryError
        first[0] = first[1] = n = 0      # group 0 leads nowhere
        for face in range(FACES):
            idle = s.first[face] == s.first[face + 1]
            for e in range(s.n_edges):
                seen = &self.seen[s.edges[e].state]
                idle &= self.states[seen.state].group[seen.face[face]] == 0
            if idle:
                s.group[face] = 0
                s.mass[0] += 1
                continue
            for other in range(face):
                if s.group[other] == 0:
                    continue
                same = s.first[face + 1] - s.first[face] == s.first[other + 1] - s.first[other]
                for i in range(s.first[face + 1] - s.first[face]):
                    # Edges of one face are listed in the same order for another.
                    same = same and s.way[s.first[face] + i] == s.way[s.first[other] + i]
                for e in range(s.n_edges):
                    if not same:
                        break
                    seen = &self.seen[s.edges[e].state]
                    t = &self.states[seen.state]
                    same = t.group[seen.face[face]] == t.group[seen.face[other]]
                if same:
                    s.group[face] = s.group[other]
                    break
            else:
                s.n_groups += 1
                s.group[face] = s.n_groups
                layered[s.n_groups] = n + s.layered[face] - s.first[face]
                for i in range(s.first[face], s.first[face + 1]):
                    way[n] = s.way[i]
                    n += 1
                first[s.n_groups + 1] = n
            s.mass[s.group[face]] += 1
        memcpy(s.first, first, (s.n_groups + 2) * sizeof(int32_t))
        memcpy(s.layered, layered, (s.n_groups + 1) * sizeof(int32_t))
        free(s.way)
        s.way = way
        for e in range(s.n_edges):
            seen = &self.seen[s.edges[e].state]
            t = &self.states[seen.state]
            s.edges[e].group = <uint8_t*>calloc(s.n_groups + 1, 1)
            if s.edges[e].group == NULL:
                raise MemoryError
            for face in range(FACES):
                if s.group[face]:
                    s.edges[e].group[s.group[face]] = t.group[seen.face[face]]
            s.edges[e].state = seen.state
            s.edges[e].rising = True
            for i in range(s.n_groups):
                s.edges[e].rising &= s.edges[e].group[i] <= s.edges[e].group[i + 1]
        return 0

    # Solving -----------------------------------------------------------------------------------

    def estimate(self):
        """(states, rolls of groups in all states, bytes for where they lead)."""
        cdef int j
        rolls = memory = most = 0
        before = 0
        for layer in reversed(self.layers):
            here = 0
            for j in layer:
                rolls += self.choose[self.states[j].n_groups + self.n_dice][self.n_dice]
                here += self.choose[self.states[j].n_groups + self.n_dice - 1][self.n_dice - 1]
            most = max(most, before + here)
            before = here
        memory = most * sizeof(int32_t)
        return self.n_states, rolls, memory

    cdef void drop(self, int j) noexcept nogil:
        free(self.states[j].then)
        self.states[j].then = NULL

    def solve(self):
        """Expected rolls to finish all bombs, and the proven bound of its relative error.

        Raises:
            MemoryError: see `estimate`.
        """
        cdef int j
        cdef bint good
        cdef double* weight
        cdef int32_t* touched
        if not self.solved:
            weight = <double*>calloc(self.n_states, sizeof(double))
            touched = <int32_t*>malloc(self.n_states * sizeof(int32_t))
            good = weight != NULL and touched != NULL
            above = []
            for layer in reversed(self.layers):
                for j in layer:
                    if good:
                        with nogil:
                            good = self.settle(j, weight, touched)
                for j in above:
                    self.drop(j)
                above = layer
            free(weight)
            free(touched)
            if not good:
                raise MemoryError
            self.solved = True
        return self.value[0], self.error[0]

    def ways(self):
        """How each state is left: (state, [(state after a roll, how many of 30^D rolls)], value).

        States come after all that may follow them; 0 is the one to begin with.  Rolls that are
        best used to go to a state are counted there, those that can't be used nowhere.
        """
        cdef int k
        cdef State* s
        self.solve()
        for layer in reversed(self.layers):
            for j in layer:
                s = &self.states[j]
                yield j, [(s.target[k], int(s.weight[k])) for k in range(s.n_targets)], self.value[j]

    # Where each roll leads, and the expected rolls, of one state; false where memory ends.
    cdef bint settle(self, int j, double* weight, int32_t* touched) noexcept nogil:
        cdef State* s = &self.states[j]
        cdef int n_dice = self.n_dice, n_touched = 0, k, d, g, best
        cdef int64_t n_then = self.choose[s.n_groups + n_dice - 1][n_dice - 1], kept = 0, rank
        cdef int[MAX_DICE] roll
        cdef double w, run
        s.then = <int32_t*>malloc(n_then * sizeof(int32_t))
        if s.then == NULL:
            return False
        memset(roll, 0, sizeof(roll))
        while True:
            # The last die isn't used; or it is the first to be placed; or some other is, on a bomb
            # where dice lie on dice: elsewhere the order doesn't matter.
            g, best = roll[n_dice - 1], -1
            if g:
                rank = 0
                for k in range(n_dice - 1):
                    rank += self.choose[roll[k] + k][k + 1]
                best = s.then[rank]
                best = self.better(s, roll, n_dice - 1, s.first[g], best)
                for d in range(n_dice - 1):
                    if roll[d] and roll[d] != roll[d + 1]:
                        best = self.better(s, roll, d, s.layered[roll[d]], best)
            if roll[0] == 0:
                s.then[kept] = best
                kept += 1
            if best >= 0:
                w, run = 1, 0
                for d in range(n_dice):      # multinomial: one more of the same kind
                    run = run + 1 if d and roll[d] == roll[d - 1] else 1
                    w = w * (d + 1) / run * s.mass[roll[d]]
                if w > 0:
                    if weight[best] == 0:
                        touched[n_touched] = best
                        n_touched += 1
                    weight[best] += w
            for d in range(n_dice):          # the next one
                if roll[d] < (roll[d + 1] if d + 1 < n_dice else s.n_groups):
                    roll[d] += 1
                    for k in range(d):
                        roll[k] = 0
                    break
            else:
                break
        s.target = <int32_t*>malloc(max(1, n_touched) * sizeof(int32_t))
        s.weight = <double*>malloc(max(1, n_touched) * sizeof(double))
        if s.target == NULL or s.weight == NULL:
            return False
        for k in range(n_touched):
            s.target[k], s.weight[k] = touched[k], weight[touched[k]]
            weight[touched[k]] = 0
        s.n_targets = n_touched
        if s.n_edges:
            self.evaluate(j)
        for rank in range(n_then):
            if s.then[rank] < 0 or self.value[s.then[rank]] >= self.value[j]:
                s.then[rank] = j
        return True

    # `best`, or where the edges of die d from `first` on lead to if that is better.
    cdef int better(self, const State* s, const int* roll, int d, int first, int best
                    ) noexcept nogil:
        cdef int i, k, m, at, target, group
        cdef int[MAX_DICE] rest
        cdef int64_t rank
        cdef const Edge* edge
        for i in range(first, s.first[roll[d] + 1]):
            edge = &s.edges[s.way[i]]
            rank, m = 0, 0
            if edge.rising:
                for k in range(self.n_dice):
                    if k != d:
                        rank += self.choose[edge.group[roll[k]] + m][m + 1]
                        m += 1
            else:
                for k in range(self.n_dice):
                    if k == d:
                        continue
                    group, at = edge.group[roll[k]], m
                    while at and rest[at - 1] > group:
                        rest[at] = rest[at - 1]
                        at -= 1
                    rest[at] = group
                    m += 1
                for k in range(m):
                    rank += self.choose[rest[k] + k][k + 1]
            target = self.states[edge.state].then[rank]
            if best < 0 or self.value[target] < self.value[best]:
                best = target
        return best

    # V from above by Newton's method; then a value below which it proves not to lie.
    cdef void evaluate(self, int j) noexcept nogil:
        cdef State* s = &self.states[j]
        cdef double total = 1, v = INFINITY, new, sum, used, slack, gained, error = 0
        cdef int k, n = s.n_targets
        for k in range(self.n_dice):
            total *= FACES
        for k in range(n):
            if self.error[s.target[k]] > error:
                error = self.error[s.target[k]]
        while True:
            sum, used = total, 0
            for k in range(n):
                if self.value[s.target[k]] < v:
                    sum += s.weight[k] * self.value[s.target[k]]
                    used += s.weight[k]
            new = sum / used
            if not new < v:
                break
            v = new
        # v is what some use of the rolls costs, rounded n + 2 times.  The sum of w (u - value) over
        # the values below u grows with u and is `total` at the least cost: no cost is below a u
        # that gives less.  Terms are positive, so its own rounding is relative too.
        slack = 2 * (n + 3) * ROUNDING
        while True:
            sum = 0
            new = v * (1 - slack)
            for k in range(n):
                if self.value[s.target[k]] < new:
                    sum += s.weight[k] * (new - self.value[s.target[k]])
            if sum * (1 + (n + 4) * ROUNDING) <= total:
                break
            slack *= 2
        self.value[j] = v
        # Errors of the values go through in proportion at most; a little more for these sums.
        self.error[j] = (error + slack + (n + 4) * ROUNDING + error * slack) * (1 + 1e-9)
