"""FUSE: the policies greedy and planner, and what an unplaced die is expected to cost."""
from oddsmith.kernels.fuse cimport FuseRules, State
from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.rng cimport Stream

cdef move_t greedy(const void* rules, const void* state, Stream* draw) noexcept nogil
cdef move_t planner(const void* rules, const void* state, Stream* draw) noexcept nogil
cdef void unplaced_costs(const FuseRules* g, const State* s, double* cost) noexcept nogil
