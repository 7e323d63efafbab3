"""Monte Carlo tree search over a game table.  Knows no game.

A node is what the seat to decide knows: the key of the state after `redeal` for that seat with
one fixed stream.  So a hidden hand of another seat never leaks into a decision, moves and outcomes
that lead to the same knowledge share a node, and a chance event needs no node of its own: it is
sampled by its weights, and the next decision is found by what is known then (information set
search with one tree for all observers; Cowling, Powley, Whitehouse 2012).

Each simulation redeals what the root seat can't know, walks down by

    (total + prior weight * prior + explore * sqrt(visits of the node)) / (visits + prior weight)

among the moves that are open, adds one node or expands one, plays on with the game's policy, and
adds each seat's own result to the moves that seat made.  Moves open in the order of the static
estimate, `base + widen * sqrt(visits)` of them or an eighth of the visits (progressive widening,
Coulom 2007), so that every legal move is looked at in the end.

Visit number i of every root move draws from the same streams: root moves meet the same deals.
"""
from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from oddsmith.kernels.game cimport (
    CHANCE, MAX_OUTCOMES, MAX_PLAYERS, OVER, PAYOFF_UNIT, Game, GameTable, Outcome, let_chance,
    move_t,
)
from oddsmith.kernels.rng cimport Stream, mix, open_stream

cdef enum:
    NONE = 0xFFFFFFFF
    VISITS_EACH = 8          # visits that the moves of a node have on average where all open
    REDEALS = 64             # that leave a state as it is: nothing in it is hidden
    MAX_STEPS = 1024         # decisions on the way down that are remembered
    ROOT_STREAM = 14         # no node depends on it but through what it resamples
    REDEAL_STREAM = 15
    CHANCE_STREAM = 0
    THINKING_STREAM = 1

cdef double PRIOR_WEIGHT = 1.0


cdef class Tree:
    """One tree, grown from one state.

    Args:
        table: the game.
        root: a state in which a seat decides; that seat asks, and sees only what it can know.
        seed, number: simulation i of the tree is a function of (seed, number, i).
        memory: bytes that the tree may take; then it only deepens what it has.
        explore: how much an unsure move is favoured.
        base, widen: `base + widen * sqrt(visits)` moves of a node are open, or visits / 8.
        patience: the most visits that a node waits for before its moves are listed.

    Raises:
        ValueError: nobody decides in the root state, or nobody has a move there.
        MemoryError: the bound doesn't hold the moves of the root.
    """

    def __cinit__(self, GameTable table, bytes root, uint64_t seed, uint64_t number,
                  size_t memory, *, double explore=0.1, int base=4, double widen=1.0,
                  int patience=64):
        cdef size_t size = table.game.state_size
        table._check_state(root)
        self._table, self._game, self._rules = table, &table.game, table.rules
        self._viewer = self._game.turn(self._rules, <const char*>root)
        if self._viewer < 0:
            raise ValueError("nobody decides here")
        self._seed, self._number, self._bound = seed, number, memory
        self._explore, self._base, self._widen = explore, max(base, 1), widen
        self._patience = patience
        self._root, self._state = <char*>malloc(size), <char*>malloc(size)
        self._scratch = <char*>malloc(size)
        self._path = <Step*>malloc(MAX_STEPS * sizeof(Step))
        if not (self._root and self._state and self._scratch and self._path):
            raise MemoryError
        memcpy(self._root, <const char*>root, size)
        self._n_root = self._game.n_moves(self._rules, self._root)
        if self._n_root < 1:
            raise ValueError("the seat that decides has no move")
        self._results = <double*>calloc(self._n_root * MAX_PLAYERS, sizeof(double))
        if not self._results:
            raise MemoryError
        if not self._grow_nodes() or self._add(
            self._key(self._root, self._viewer), self._n_root
        ) == NONE or not self._expand(0, self._root, self._viewer):
            raise MemoryError(f"{memory} bytes don't hold the moves of the root")

    def __dealloc__(self):
        free(self._nodes)
        free(self._children)
        free(self._slots)
        free(self._root)
        free(self._state)
        free(self._scratch)
        free(self._path)
        free(self._results)

    def grow(self, int simulations):
        """Run more simulations, without the GIL."""
        cdef int i
        with nogil:
            for i in range(simulations):
                self._simulate()

    def root(self):
        """What is known of the root moves.

        Returns:
            (move, visits, static estimate, sum of each seat's results, 0..1 each) of every root
            move that is open, in the order in which they were opened.
        """
        cdef Node* node = &self._nodes[0]
        cdef Child* child
        cdef int k
        moves = []
        for k in range(node.n_open):
            child = &self._children[node.first + k]
            moves.append((child.move, child.visits, child.prior, tuple(
                [self._results[k * MAX_PLAYERS + seat] for seat in range(self._table.n_players)])))
        return moves

    def line(self, move_t first):
        """The moves most visited after a root move, until chance or a hidden hand decides."""
        cdef Outcome outcomes[MAX_OUTCOMES]
        cdef bytearray state = bytearray(self._root[:self._game.state_size])
        cdef void* s = <char*>state
        cdef uint32_t node, k
        cdef Child* best
        cdef int seat
        moves = [first]
        self._game.apply(self._rules, s, first)
        while len(moves) < MAX_STEPS:
            seat = self._game.turn(self._rules, s)
            # What follows from a card that the seat that asks can't know is not told.
            if seat == OVER or (seat != self._viewer and self._hides(s)):
                break
            if seat == CHANCE:
                if self._game.outcomes(self._rules, s, outcomes) > 1:
                    break
                self._game.apply(self._rules, s, outcomes[0].move)
                continue
            node = self._find(self._key(s, seat))
            if node == NONE or self._nodes[node].first == NONE:
                break
            best = &self._children[self._nodes[node].first]
            for k in range(1, self._nodes[node].n_open):
                if self._children[self._nodes[node].first + k].visits > best.visits:
                    best = &self._children[self._nodes[node].first + k]
            if best.visits == 0:
                break
            moves.append(best.move)
            self._game.apply(self._rules, s, best.move)
        return moves

    cdef bint _hides(self, const void* state):
        """Whether the seat that asks can't know all of a state: some redeal changes it.

        Where anything is hidden a redeal changes it half of the time or more.
        """
        cdef Stream draw
        cdef int k
        if not self._game.hidden:
            return False
        for k in range(REDEALS):
            draw = open_stream(k, 0, ROOT_STREAM)
            memcpy(self._scratch, state, self._game.state_size)
            self._game.redeal(self._rules, self._scratch, self._viewer, &draw)
            if memcmp(self._scratch, state, self._game.state_size) != 0:
                return True
        return False

    @property
    def n_players(self):
        """Seats of the game."""
        return self._table.n_players

    @property
    def simulations(self):
        """Simulations so far."""
        return self._simulations

    @property
    def visited(self):
        """Nodes visited on the way down, over all simulations."""
        return self._visited

    @property
    def n_nodes(self):
        """Nodes in the tree."""
        return self._n_nodes

    @property
    def memory(self):
        """Bytes taken."""
        return self._taken()

    @property
    def full(self):
        """Whether the memory bound has stopped its growth."""
        return self._full

    cdef size_t _taken(self) noexcept nogil:
        return (self._node_room * sizeof(Node) + self._child_room * sizeof(Child)
                + self._n_slots * sizeof(uint32_t))

    # The node store ------------------------------------------------------------------------------

    cdef uint64_t _key(self, const void* state, int seat) noexcept nogil:
        """What the seat knows: the key after redealing the rest with a fixed stream."""
        cdef Stream draw
        if not self._game.hidden:
            return self._game.key(self._rules, state)
        draw = open_stream(0, 0, ROOT_STREAM)
        memcpy(self._scratch, state, self._game.state_size)
        self._game.redeal(self._rules, self._scratch, seat, &draw)
        return mix(self._game.key(self._rules, self._scratch) + seat)

    cdef uint32_t _find(self, uint64_t key) noexcept nogil:
        cdef uint32_t at = key & (self._n_slots - 1)
        while self._slots[at] != NONE:
            if self._nodes[self._slots[at]].key == key:
                return self._slots[at]
            at = (at + 1) & (self._n_slots - 1)
        return NONE

    cdef uint32_t _add(self, uint64_t key, int n_moves) noexcept nogil:
        """A new node; NONE where memory is full."""
        cdef uint32_t at
        cdef Node* node
        if self._n_nodes == self._node_room and not self._grow_nodes():
            return NONE
        at = key & (self._n_slots - 1)
        while self._slots[at] != NONE:
            at = (at + 1) & (self._n_slots - 1)
        self._slots[at] = self._n_nodes
        node = &self._nodes[self._n_nodes]
        node.key, node.first, node.n_moves, node.n_open, node.visits = key, NONE, n_moves, 0, 0
        self._n_nodes += 1
        return self._n_nodes - 1

    cdef bint _grow_nodes(self) noexcept nogil:
        """Twice the room for nodes, and slots at most half full."""
        cdef uint32_t room = max(<uint32_t>64, 2 * self._node_room), k, at
        cdef size_t more = (room - self._node_room) * (sizeof(Node) + 2 * sizeof(uint32_t))
        cdef void* nodes
        cdef void* slots
        if self._full or self._taken() + more > self._bound:
            self._full = True
            return False
        nodes = realloc(self._nodes, room * sizeof(Node))
        if nodes != NULL:
            self._nodes = <Node*>nodes
        slots = realloc(self._slots, 2 * room * sizeof(uint32_t))
        if slots != NULL:
            self._slots = <uint32_t*>slots
        if nodes == NULL or slots == NULL:
            self._full = True
            return False
        self._node_room, self._n_slots = room, 2 * room
        memset(self._slots, 0xFF, self._n_slots * sizeof(uint32_t))
        for k in range(self._n_nodes):
            at = self._nodes[k].key & (self._n_slots - 1)
            while self._slots[at] != NONE:
                at = (at + 1) & (self._n_slots - 1)
            self._slots[at] = k
        return True

    cdef bint _grow_children(self, int more) noexcept nogil:
        """Room for so many more children."""
        cdef size_t room = self._child_room
        cdef void* children
        while room < self._n_children + more:
            room = max(<size_t>256, room + room // 2)
        if room == self._child_room:
            return True
        if self._full or (room - self._child_room) * sizeof(Child) + self._taken() > self._bound:
            self._full = True
            return False
        children = realloc(self._children, room * sizeof(Child))
        if children == NULL:
            self._full = True
            return False
        self._children, self._child_room = <Child*>children, room
        return True

    cdef bint _expand(self, uint32_t index, const void* state, int seat) noexcept nogil:
        """List the moves of a node with their estimates; False where memory is full."""
        cdef Node* node = &self._nodes[index]
        cdef Child* child
        cdef Stream draw
        cdef move_t proposed
        cdef int k
        if not self._grow_children(node.n_moves):
            return False
        node.first = <uint32_t>self._n_children
        self._n_children += node.n_moves
        for k in range(node.n_moves):
            child = &self._children[node.first + k]
            child.move = self._game.nth_move(self._rules, state, k)
            child.total, child.visits, child.prior = 0.0, 0, 0.5
            if node.n_moves > 1 and self._game.evaluate != NULL:
                memcpy(self._scratch, state, self._game.state_size)
                self._game.apply(self._rules, self._scratch, child.move)
                child.prior = self._game.evaluate(self._rules, self._scratch, seat)
        # What the playouts would do is looked at first.
        draw = open_stream(node.key, 0, THINKING_STREAM)
        proposed = self._game.policy(self._rules, state, &draw)
        for k in range(node.n_moves):
            if self._children[node.first + k].move == proposed:
                self._swap(node.first, node.first + k)
                break
        node.n_open = 1
        return True

    cdef void _swap(self, uint32_t a, uint32_t b) noexcept nogil:
        cdef Child held = self._children[a]
        cdef double result
        cdef int seat
        self._children[a] = self._children[b]
        self._children[b] = held
        if a < <uint32_t>self._n_root:
            for seat in range(MAX_PLAYERS):
                result = self._results[a * MAX_PLAYERS + seat]
                self._results[a * MAX_PLAYERS + seat] = self._results[b * MAX_PLAYERS + seat]
                self._results[b * MAX_PLAYERS + seat] = result

    # One simulation ------------------------------------------------------------------------------

    cdef void _open(self, Node* node) noexcept nogil:
        """Open moves, best estimate first, as many as the visits of the node allow."""
        cdef int wanted = max(self._base + <int>(self._widen * sqrt(<double>node.visits)),
                              node.visits // VISITS_EACH)
        cdef uint32_t k, best
        while node.n_open < node.n_moves and node.n_open < wanted:
            best = node.first + node.n_open
            for k in range(best + 1, node.first + node.n_moves):
                if self._children[k].prior > self._children[best].prior:
                    best = k
            self._swap(node.first + node.n_open, best)
            node.n_open += 1

    cdef bint _ripe(self, const Node* node) noexcept nogil:
        """Whether a node was visited as often as it has moves (or `patience` times).

        Until then playouts by the policy tell more than a look at each move once.  A forced move
        takes no thinking.
        """
        return node.n_moves == 1 or node.visits + 1 >= min(max(node.n_moves, 2), self._patience)

    cdef uint32_t _choose(self, Node* node) noexcept nogil:
        """The open move with the highest upper estimate (the formula of the module)."""
        cdef double bonus = self._explore * sqrt(<double>node.visits)
        cdef double above, below, best_above = -1.0, best_below = 1.0
        cdef const Child* child = &self._children[node.first]
        cdef uint32_t k, best = 0
        for k in range(node.n_open):
            above = child[k].total + PRIOR_WEIGHT * child[k].prior + bonus
            below = child[k].visits + PRIOR_WEIGHT
            if above * best_below > best_above * below:
                best, best_above, best_below = k, above, below
        return node.first + best

    cdef void _simulate(self) noexcept nogil:
        cdef const Game* game = self._game
        cdef const void* rules = self._rules
        cdef void* state = self._state
        cdef Stream chance, thinking, unknown
        cdef double results[MAX_PLAYERS]
        cdef uint32_t node = 0, child
        cdef uint64_t key, trial
        cdef int seat = self._viewer, n_steps = 0, k
        memcpy(state, self._root, game.state_size)
        self._open(&self._nodes[0])
        child = self._choose(&self._nodes[0])
        # The i-th visit of each root move is trial i, so that root moves meet the same deals.
        trial = (self._number << 32) + self._children[child].visits
        chance = open_stream(self._seed, trial, CHANCE_STREAM)
        thinking = open_stream(self._seed, trial, THINKING_STREAM)
        if game.hidden:
            unknown = open_stream(self._seed, trial, REDEAL_STREAM)
            game.redeal(rules, state, self._viewer, &unknown)
        while True:
            self._path[n_steps].node, self._path[n_steps].child = node, child
            self._path[n_steps].seat = seat
            n_steps += 1
            game.apply(rules, state, self._children[child].move)
            seat = let_chance(game, rules, state, &chance)
            if seat == OVER or n_steps == MAX_STEPS:
                break
            key = self._key(state, seat)
            node = self._find(key)
            if node == NONE:
                node = self._add(key, game.n_moves(rules, state))
                if node == NONE:
                    break
            if self._nodes[node].first == NONE and (
                not self._ripe(&self._nodes[node])
                or not self._expand(node, state, seat)
            ):
                self._nodes[node].visits += 1
                break
            self._open(&self._nodes[node])
            child = self._choose(&self._nodes[node])
        self._play_out(state, &chance, &thinking, results)
        for k in range(n_steps):
            self._nodes[self._path[k].node].visits += 1
            self._children[self._path[k].child].visits += 1
            self._children[self._path[k].child].total += results[self._path[k].seat]
        child = self._path[0].child
        for seat in range(self._table.n_players):
            self._results[child * MAX_PLAYERS + seat] += results[seat]
        self._visited += n_steps
        self._simulations += 1

    cdef void _play_out(self, void* state, Stream* chance, Stream* thinking,
                        double* out) noexcept nogil:
        """Each seat's result, 0..1, of playing on with the game's policy."""
        cdef const Game* game = self._game
        cdef const void* rules = self._rules
        cdef int32_t payoffs[MAX_PLAYERS]
        cdef int seat
        while let_chance(game, rules, state, chance) != OVER:
            game.apply(rules, state, game.policy(rules, state, thinking))
        game.payoff(rules, state, payoffs)
        for seat in range(self._table.n_players):
            out[seat] = <double>payoffs[seat] / PAYOFF_UNIT
