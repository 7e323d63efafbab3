"""Reef: tables for the bound of reef_bounds.pxd."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from oddsmith.kernels.reef cimport Ruleset
from oddsmith.kernels.reef_bounds cimport MAX_GAIN


cdef void _add_one_space(const uint8_t* before, uint8_t* after) noexcept nogil:
    """after[mask] = the largest of before[mask] and before[mask with one more space]."""
    cdef int space, step, block, k
    memcpy(after, before, 1 << 16)
    for space in range(16):
        step = 1 << space
        block = 0
        while block < 1 << 16:
            for k in range(block, block + step):  # the masks without this space
                if before[k + step] > after[k]:
                    after[k] = before[k + step]
            block += 2 * step


cdef class GainTables:
    """The tables `most[shape][k]`, each built the first time it is needed."""

    def __cinit__(self):
        self._owners = {}

    cdef int prepare(self, const Ruleset* r, int shape, int k) except -1:
        """Make the tables of a shape for 0..min(k, MAX_GAIN) more spaces; 64 KB each."""
        cdef int j
        self.gains.most[shape][0] = r.best[shape]
        for j in range(1, min(k, MAX_GAIN) + 1):
            if self.gains.most[shape][j] == NULL:
                owner = PyBytes_FromStringAndSize(NULL, 1 << 16)
                _add_one_space(self.gains.most[shape][j - 1], <uint8_t*>PyBytes_AS_STRING(owner))
                self._owners[shape, j] = owner
                self.gains.most[shape][j] = <const uint8_t*>PyBytes_AS_STRING(owner)
        return 0
