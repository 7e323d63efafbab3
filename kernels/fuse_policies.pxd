"""FUSE: the policies greedy and planner."""
from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.rng cimport Stream

cdef move_t greedy(const void* rules, const void* state, Stream* draw) noexcept nogil
cdef move_t planner(const void* rules, const void* state, Stream* draw) noexcept nogil
