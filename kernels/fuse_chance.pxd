"""FUSE: chance events, one card, die or length at a time."""
from oddsmith.kernels.fuse cimport FuseRules, State
from oddsmith.kernels.game cimport Outcome, move_t
from oddsmith.kernels.rng cimport Stream

cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil
cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil
