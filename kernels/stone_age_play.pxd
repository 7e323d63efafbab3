"""Stone Age: moves made, and final points."""
from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.stone_age cimport Rules, Seat, State

cdef void apply(const void* rules, void* state, move_t move) noexcept nogil
cdef int final_points(const Rules* g, const Seat* p) noexcept nogil
cdef int extra_points(const Rules* g, const State* s, int seat) noexcept nogil
cdef void open_places(const Rules* g, State* s) noexcept nogil
cdef void occupy(const Rules* g, State* s, int seat, int place, int n) noexcept nogil
cdef void keep(const Rules* g, Seat* p, int card) noexcept nogil
