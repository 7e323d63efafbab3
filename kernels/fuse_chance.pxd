"""FUSE: chance events, one card, die or length at a time."""
from libc.stdint cimport uint32_t, uint64_t

from oddsmith.kernels.fuse cimport NUMBERS, State, n_in_bag, popcount
from oddsmith.kernels.game cimport Outcome, move_t
from oddsmith.kernels.rng cimport Stream, below


cdef inline int next_face(const State* s, Stream* draw) noexcept nogil:
    """The face of a die drawn from the bag."""
    cdef uint64_t sums = s.bag * <uint64_t>0x0101010101      # prefix sums, one byte a colour
    cdef uint32_t at = below(draw, NUMBERS * n_in_bag(s))
    cdef int k = at // NUMBERS
    # Bytes are at most 25, so the borrow of each comparison stays in its byte.
    return at % NUMBERS + NUMBERS * popcount(
        (((k | <uint64_t>0x80) * <uint64_t>0x01010101) - (sums & <uint64_t>0xFFFFFFFF))
        & <uint64_t>0x80808080)


cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil
cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil
