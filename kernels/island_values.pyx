"""Chances of 128 bits, and a table of them by keys of 128 bits."""
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free

from oddsmith.kernels.rng cimport mix

cdef enum:
    MOST_SLOTS = 1 << 23             # 256 MB, half of them used


cdef class Values:
    """A table that grows up to MOST_SLOTS; then it is `full`.

    Raises:
        MemoryError: no room for it.
    """

    def __cinit__(self):
        self.grow(1 << 12)

    def __dealloc__(self):
        free(self.slot)

    cdef int grow(self, size_t n_slots) except -1:
        cdef Entry* old = self.slot
        cdef size_t n_old = self.n_slots, k
        cdef Entry* slot = <Entry*>calloc(n_slots, sizeof(Entry))
        if slot == NULL:
            raise MemoryError
        self.slot, self.n_slots = slot, n_slots
        for k in range(n_old):
            if old[k].a:
                self.place(old[k].a, old[k].b)[0] = old[k]
        free(old)
        return 0

    cdef Entry* place(self, uint64_t a, uint64_t b) noexcept:
        """The entry of a key, or the free one for it."""
        cdef size_t at = mix(a ^ mix(b)) & (self.n_slots - 1)
        while self.slot[at].a and (self.slot[at].a != a or self.slot[at].b != b):
            at = (at + 1) & (self.n_slots - 1)
        return &self.slot[at]

    cdef const wide* find(self, uint64_t a, uint64_t b) noexcept:
        """The value of a key, or NULL; valid until the next one is kept."""
        cdef Entry* entry = self.place(a, b)
        return &entry.value if entry.a else NULL

    cdef void keep(self, uint64_t a, uint64_t b, wide value) noexcept:
        cdef Entry* entry
        if self.full or 2 * self.n_entries >= self.n_slots:
            if self.full or self.n_slots >= MOST_SLOTS:
                self.full = True
                return
            try:
                self.grow(2 * self.n_slots)
            except MemoryError:
                self.full = True
                return
        entry = self.place(a, b)
        entry.a, entry.b, entry.value = a, b, value
        self.n_entries += 1


cdef object whole(wide x):
    """As a Python integer."""
    if x >> 63 == 0:
        return <int64_t>x
    return (<object><uint64_t>(x >> 64) << 64) | <uint64_t>x
