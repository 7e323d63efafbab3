"""Tree search: the node store of one tree (search.pyx says how it is used)."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from oddsmith.kernels.game cimport Game, GameTable, move_t
from oddsmith.kernels.rng cimport Stream

cdef struct Child:
    move_t move
    double total             # of the results of the seat that decides, 0..1 each
    float prior              # static estimate of the state after the move, for that seat
    int32_t visits

cdef struct Node:
    uint64_t key             # of what the seat to decide knows
    uint32_t first           # child; NONE until the node is expanded
    int32_t n_moves
    int32_t n_open           # children that selection looks at, the first ones
    int32_t visits

cdef struct Step:            # of the way from the root
    uint32_t node
    uint32_t child
    int32_t seat


cdef class Tree:
    cdef GameTable _table
    cdef const Game* _game
    cdef const void* _rules
    cdef int _viewer
    cdef uint64_t _seed, _number
    cdef size_t _bound
    cdef double _explore, _widen
    cdef int _base, _patience
    cdef Node* _nodes
    cdef Child* _children
    cdef uint32_t* _slots
    cdef uint32_t _n_nodes, _node_room, _n_slots
    cdef size_t _n_children, _child_room
    cdef char* _root
    cdef char* _state
    cdef char* _scratch
    cdef Step* _path
    cdef double* _results    # of each root move (child) for each seat
    cdef int _n_root
    cdef uint64_t _simulations, _visited
    cdef bint _full
    cdef bint _hides(self, const void* state)
    cdef size_t _taken(self) noexcept nogil
    cdef uint64_t _key(self, const void* state, int seat) noexcept nogil
    cdef uint32_t _find(self, uint64_t key) noexcept nogil
    cdef uint32_t _add(self, uint64_t key, int n_moves) noexcept nogil
    cdef bint _grow_nodes(self) noexcept nogil
    cdef bint _grow_children(self, int more) noexcept nogil
    cdef bint _expand(self, uint32_t node, const void* state, int seat) noexcept nogil
    cdef void _swap(self, uint32_t a, uint32_t b) noexcept nogil
    cdef bint _ripe(self, const Node* node) noexcept nogil
    cdef void _open(self, Node* node) noexcept nogil
    cdef uint32_t _choose(self, Node* node) noexcept nogil
    cdef void _simulate(self) noexcept nogil
    cdef void _play_out(self, void* state, Stream* chance, Stream* thinking, double* out) noexcept nogil
