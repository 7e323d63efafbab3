"""FUSE: results of games, the estimate of a state, its hash."""
from libc.stdint cimport int32_t, uint64_t

cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil
cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil
cdef double evaluate(const void* rules, const void* state, int player) noexcept nogil
cdef uint64_t key(const void* rules, const void* state) noexcept nogil
