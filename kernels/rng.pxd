"""Counter-based random numbers: draw k of stream s of trial i is a function of (seed, i, s, k).

splitmix64's finaliser (Steele, Lea, Flood 2014, constants of variant 13 by Stafford) applied to
a Weyl sequence.  No state is carried but the counter, so trials can run in any order on any
number of workers and give the same bytes.
"""
from libc.stdint cimport uint32_t, uint64_t


cdef struct Stream:
    uint64_t key       # from (seed, trial, stream)
    uint64_t counter   # draws taken so far


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline Stream open_stream(uint64_t seed, uint64_t trial, uint64_t stream) noexcept nogil:
    cdef Stream s
    cdef uint64_t golden = <uint64_t>0x9E3779B97F4A7C15
    # Each argument is mixed before the next is added, so that (1, 2) and (2, 1) differ.
    s.key = mix(mix(mix(seed + golden) + trial * golden) ^ (stream * <uint64_t>0xD1B54A32D192ED03))
    s.counter = 0
    return s


cdef inline uint64_t next_word(Stream* s) noexcept nogil:
    s.counter += 1
    return mix(s.key + s.counter * <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint32_t below(Stream* s, uint32_t n) noexcept nogil:
    """Uniform in 0..n-1, n >= 1, without bias (Lemire 2019: rejection on the low half)."""
    cdef uint64_t product = (next_word(s) >> 32) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t floor
    if low < n:
        floor = (<uint32_t>0 - n) % n
        while low < floor:
            product = (next_word(s) >> 32) * n
            low = <uint32_t>product
    return <uint32_t>(product >> 32)


cdef class Generator:
    cdef Stream _stream
