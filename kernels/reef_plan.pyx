"""Reef: the best placement of one card, and the proven best plan for several.

A plan plays all the given cards, one after the other.  The search is depth first over
(cards left, board, supply) with three cuts, none of which can lose the optimum:

* bound: points so far + `highest_count` of every card left, given all coral still to come;
* seen: the same cards left on the same board (as far as these cards can tell boards apart)
  were already explored with at least as many points so far;
* last card: answered by `best_count` alone.

A first pass that looks at a few children of each node finds a good plan, so that the bound bites
from the start.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from oddsmith.kernels.reef cimport (
    MAX_MOVES, PAIR, SAME, UNLIMITED, Board, Card, Move, Room, Rules, Ruleset, Walk,
    count, look_for_room, next_placement, pieces_of, play_move, spend, start_walk,
)
from oddsmith.kernels.reef_best cimport best_count, best_placement
from oddsmith.kernels.reef_bounds cimport Gains, GainTables, Pieces, add_coral, highest_count
from oddsmith.kernels.rng cimport mix

cdef enum:
    MAX_PLAN = 8                     # cards; the largest hand limit
    DIVE_WIDTH = 8                   # children a node in the first, greedy pass
    MAX_CHILDREN = MAX_PLAN * MAX_MOVES + 1   # one more is looked at than is kept


cdef struct Node:
    Board board
    uint32_t supply
    int32_t points                   # scored so far
    int32_t bound                    # no plan through here totals more
    uint8_t left                     # bit k: card k of the plan is still to be played
    uint8_t card                     # the card played to get here
    uint8_t counted                  # and its count
    Move move


cdef struct Seen:                    # an explored position of the search
    Board board
    uint32_t supply
    int16_t points
    uint8_t left
    uint8_t round                    # the pass that wrote it; 0: never


cdef struct Frame:                   # the children of one node, best bound first
    Node* children
    uint16_t* order
    int n
    int at


cdef inline void limit_by_supply(Pieces* p, uint32_t supply) noexcept nogil:
    """No more pieces of a colour than the supply has."""
    cdef int color, have
    p.total = 0
    for color in range(4):
        have = (supply >> (8 * color)) & 0xFF
        if have != UNLIMITED and p.of_color[color] > have:
            p.of_color[color] = have
        p.total += p.of_color[color]


cdef inline int find_best(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                          uint32_t supply, int floor, Move* best) noexcept nogil:
    """The most the card can count, and the first placement in order that reaches it.

    With a count of not more than `floor` there may be no placement.
    """
    cdef Room room = look_for_room(r, b)
    cdef int found = best_count(r, g, c, b, &room, supply, floor)
    return best_placement(r, c, b, supply, found, best) if found > floor else found


cdef class Planner:
    """Placement questions for one set of rules.

    Args:
        rules: `reef.Rules`.  Boards, cards and supplies are passed as described there.
    """

    cdef Rules _rules
    cdef GainTables _tables

    def __init__(self, Rules rules):
        self._rules = rules
        self._tables = GainTables()

    cdef int _prepare(self, int card, int pieces) except -1:
        self._rules.prepare(card)
        cdef Card* c = &self._rules.rules.cards[card]
        if c.kind == SAME or c.kind == PAIR:
            self._tables.prepare(&self._rules.rules, c.shape, pieces)
        return 0

    def best_placement(self, tuple board, int card, uint32_t supply):
        """The placement after which the card counts most, proven among all of them.

        Returns:
            (count, pieces, board after, supply after) of the first best one in move order, or
            None where the card can't be played.
        """
        cdef Board b
        cdef Move move
        cdef int found
        self._rules.load(&b, board)
        self._prepare(card, 2)
        cdef const Ruleset* r = &self._rules.rules
        cdef const Card* c = &r.cards[card]
        with nogil:
            found = find_best(r, &self._tables.gains, c, &b, supply, -1, &move)
        if found < 0:
            return None
        play_move(&b, &move)
        return found, pieces_of(&move), (b.tops, b.low, b.high), spend(supply, &move)

    def best_count(self, tuple board, int card, uint32_t supply, int floor=-1):
        """The count of `best_placement` by sets of spaces; -1 where the card can't be played.

        If it is not more than `floor`, any number up to there.
        """
        cdef Board b
        cdef Room room
        self._rules.load(&b, board)
        self._prepare(card, 2)
        cdef const Ruleset* r = &self._rules.rules
        room = look_for_room(r, &b)
        return best_count(r, &self._tables.gains, &r.cards[card], &b, &room, supply, floor)

    def time_best_placement(self, const uint64_t[:, ::1] boards, int card, uint32_t supply):
        """Sum of the best counts over many boards (rows tops, low, high), for benchmarks."""
        cdef Py_ssize_t i
        cdef Board b
        cdef Move move
        cdef long total = 0
        self._prepare(card, 2)
        cdef const Ruleset* r = &self._rules.rules
        cdef const Card* c = &r.cards[card]
        with nogil:
            for i in range(boards.shape[0]):
                b.tops, b.low, b.high = boards[i, 0], boards[i, 1], boards[i, 2]
                total += find_best(r, &self._tables.gains, c, &b, supply, -1, &move)
        return total


cdef class PlanSearch:
    """The best order and placements for playing all of some cards.

    Args:
        planner: gives the rules.
        board, cards, supply: as for `Planner`; 1..8 different cards.

    `run` may be called again and again until it returns True; in between and after,
    `total`, `steps` and `bound` tell the best plan known and what no plan can beat.
    """

    cdef Planner _planner
    cdef Frame _frames[MAX_PLAN]
    cdef Node _path[MAX_PLAN]
    cdef Node _best_path[MAX_PLAN]
    cdef Pieces _coral[1 << MAX_PLAN]
    cdef uint8_t _cards[MAX_PLAN]
    cdef Seen* _seen
    cdef uint64_t _seen_mask
    cdef Node _root
    cdef int _n, _depth, _best, _width, _round
    cdef readonly bint done
    cdef readonly uint64_t nodes

    def __cinit__(self):
        memset(self._frames, 0, sizeof(self._frames))
        self._seen = NULL

    def __init__(self, Planner planner, tuple board, tuple cards, uint32_t supply):
        cdef int k, left
        if not 1 <= len(cards) <= MAX_PLAN:
            raise ValueError(f"a plan has 1 to {MAX_PLAN} cards, not {len(cards)}")
        self._planner = planner
        self._n = len(cards)
        for k in range(self._n):
            planner._prepare(cards[k], 2 * self._n)
            self._cards[k] = cards[k]
        memset(&self._root, 0, sizeof(Node))
        planner._rules.load(&self._root.board, board)
        self._root.supply = supply
        self._root.left = (1 << self._n) - 1
        memset(self._coral, 0, sizeof(self._coral))
        for left in range(1, 1 << self._n):
            for k in range(self._n):
                if left >> k & 1:
                    add_coral(&planner._rules.rules.cards[self._cards[k]], &self._coral[left])
        self._root.bound = self._bound(&self._root)
        self._seen_mask = (1 << 20) - 1  # 40 MB, of which only touched pages become real
        self._seen = <Seen*>calloc(self._seen_mask + 1, sizeof(Seen))
        if self._seen == NULL:
            raise MemoryError
        for k in range(self._n):
            self._frames[k].children = <Node*>malloc(MAX_CHILDREN * sizeof(Node))
            self._frames[k].order = <uint16_t*>malloc(MAX_CHILDREN * sizeof(uint16_t))
            if self._frames[k].children == NULL or self._frames[k].order == NULL:
                raise MemoryError
        self._best = -1
        self._start(DIVE_WIDTH)

    def __dealloc__(self):
        cdef int k
        free(self._seen)
        for k in range(MAX_PLAN):
            free(self._frames[k].children)
            free(self._frames[k].order)

    cdef void _start(self, int width) noexcept nogil:
        """Begin a pass that looks at up to `width` children a node."""
        self._round += 1
        self._width = width
        self._depth = 0
        self._expand(&self._root, &self._frames[0])

    cdef int _bound(self, const Node* node) noexcept nogil:
        """Points so far + the most that the cards left can still score."""
        cdef const Ruleset* r = &self._planner._rules.rules
        cdef const Card* c
        cdef Pieces p = self._coral[node.left]
        cdef int k, total = node.points
        limit_by_supply(&p, node.supply)
        for k in range(self._n):
            if node.left >> k & 1:
                c = &r.cards[self._cards[k]]
                total += c.points * highest_count(r, &self._planner._tables.gains, c,
                                                  &node.board, &p)
        return total

    cdef bint _explored(self, const Node* node) noexcept nogil:
        """Was this position explored with as many points before?  Remembers it if not."""
        cdef uint64_t at = mix(node.board.tops ^ mix(node.board.low ^ mix(
            node.board.high + node.left + (<uint64_t>node.supply << 8))))
        cdef Seen* s = &self._seen[at & self._seen_mask]
        if (s.round == self._round and s.left == node.left and s.board.tops == node.board.tops
                and s.board.low == node.board.low and s.board.high == node.board.high
                and s.supply == node.supply):
            if s.points >= node.points:
                return True
        s.board, s.supply, s.left, s.points = node.board, node.supply, node.left, node.points
        s.round = self._round
        return False

    cdef void _expand(self, const Node* node, Frame* f) noexcept nogil:
        """All children that may still beat the best plan, best bound first."""
        cdef const Ruleset* r = &self._planner._rules.rules
        cdef const Card* c
        cdef Walk walk
        cdef Node* child
        cdef int k, counted
        f.n = f.at = 0
        for k in range(self._n):
            if not node.left >> k & 1:
                continue
            c = &r.cards[self._cards[k]]
            start_walk(r, c, &node.board, node.supply, &walk)
            while next_placement(&walk, &f.children[f.n].move):
                child = &f.children[f.n]
                child.board = node.board
                play_move(&child.board, &child.move)
                counted = count(r, c, &child.board)
                child.points = node.points + c.points * counted
                child.left = node.left & ~(1 << k)
                child.supply = spend(node.supply, &child.move)
                child.bound = self._bound(child)
                if child.bound <= self._best:
                    continue
                child.card, child.counted = k, counted
                f.n += 1
        self._sort(f)

    cdef void _sort(self, Frame* f) noexcept nogil:
        """Counting sort of the children by bound, the largest first; stable."""
        cdef int first[1 << 13]
        cdef int j, low, high, slot
        if f.n == 0:
            return
        low = high = f.children[0].bound
        for j in range(f.n):
            low = min(low, f.children[j].bound)
            high = max(high, f.children[j].bound)
        memset(first, 0, (high - low + 2) * sizeof(int))
        for j in range(f.n):
            first[high - f.children[j].bound + 1] += 1
        for slot in range(high - low + 1):
            first[slot + 1] += first[slot]
        for j in range(f.n):
            slot = high - f.children[j].bound
            f.order[first[slot]] = j
            first[slot] += 1

    cdef void _finish(self, const Node* child) noexcept nogil:
        """One card (or none) is left: its best placement ends the plan."""
        cdef const Ruleset* r = &self._planner._rules.rules
        cdef const Card* c
        cdef Node last = child[0]
        cdef int k, found, floor
        if child.left:
            k = 0
            while not child.left >> k & 1:
                k += 1
            c = &r.cards[self._cards[k]]
            # With no more than this it would be no better than the best plan.
            floor = -1 if self._best < child.points else (self._best - child.points) // c.points
            found = find_best(r, &self._planner._tables.gains, c, &child.board, child.supply,
                              floor, &last.move)
            if found <= floor:
                return
            last.points += c.points * found
            last.card, last.counted, last.left = k, found, 0
        if last.points > self._best:
            self._best = last.points
            for k in range(self._n):
                self._best_path[k] = self._path[k]
            self._best_path[self._n - 1] = last
            if child.left:
                self._best_path[self._n - 2] = child[0]

    def run(self, uint64_t max_nodes):
        """Search on for about so many nodes.

        Returns:
            True when the best plan is proven (or proven impossible).
        """
        cdef uint64_t until = self.nodes + max_nodes
        with nogil:
            while not self.done:
                if self._exhausted(&self._frames[self._depth]):
                    self._leave()
                elif self.nodes < until:
                    self._enter(&self._frames[self._depth])
                else:
                    break
        return self.done

    cdef bint _exhausted(self, const Frame* f) noexcept nogil:
        """No child of the node that could still beat the best plan is left."""
        return (f.at >= f.n or f.at >= self._width
                or f.children[f.order[f.at]].bound <= self._best)

    cdef void _leave(self) noexcept nogil:
        self._depth -= 1
        if self._depth >= 0:
            return
        if self._width == DIVE_WIDTH:
            self._start(MAX_CHILDREN)
        else:
            self.done = True

    cdef void _enter(self, Frame* f) noexcept nogil:
        """Look into the next child."""
        cdef Node* child = &f.children[f.order[f.at]]
        f.at += 1
        self.nodes += 1
        if child.left & (child.left - 1) == 0:
            self._finish(child)
        elif not self._explored(child):
            self._path[self._depth] = child[0]
            self._depth += 1
            self._expand(child, &self._frames[self._depth])

    @property
    def total(self):
        """Points of the best plan known; None if no plan plays all the cards (so far)."""
        return self._best if self._best >= 0 else None

    @property
    def bound(self):
        """No plan totals more than this; equal to `total` when done."""
        cdef int k, high = self._best
        cdef Frame* f
        if self.done:
            return self.total
        if self._width == DIVE_WIDTH:
            return self._root.bound
        for k in range(self._depth + 1):
            f = &self._frames[k]
            if k < self._depth:  # the subtree under way is no better than its own root
                high = max(high, self._path[k].bound)
            if f.at < f.n:
                high = max(high, f.children[f.order[f.at]].bound)
        return high

    @property
    def steps(self):
        """The best plan known: for each step (index in `cards`, pieces, count)."""
        if self._best < 0:
            return []
        return [(self._best_path[k].card, pieces_of(&self._best_path[k].move),
                 self._best_path[k].counted) for k in range(self._n)]
