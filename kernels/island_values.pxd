"""Chances of 128 bits, and a table of them."""
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    typedef unsigned __int128 oddsmith_wide;
    """
    ctypedef unsigned long long wide "oddsmith_wide"

cdef struct Entry:
    uint64_t a, b                    # the key; a is never 0
    wide value


cdef class Values:
    cdef Entry* slot
    cdef size_t n_slots, n_entries
    cdef bint full                   # something could not be kept

    cdef int grow(self, size_t n_slots) except -1
    cdef Entry* place(self, uint64_t a, uint64_t b) noexcept
    cdef const wide* find(self, uint64_t a, uint64_t b) noexcept
    cdef void keep(self, uint64_t a, uint64_t b, wide value) noexcept


cdef object whole(wide x)
