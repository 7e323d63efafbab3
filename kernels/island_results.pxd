"""Forbidden Island: results of games, the hash of a state."""
from libc.stdint cimport int32_t, uint64_t

cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil
cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil
cdef uint64_t key(const void* rules, const void* state) noexcept nogil
