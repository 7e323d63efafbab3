"""Python's door to the counter-based generator of rng.pxd."""
from libc.stdint cimport uint64_t

from oddsmith.kernels.rng cimport Stream, below, next_word, open_stream


cdef class Generator:
    """Draws of one stream of one trial: a function of (seed, trial, stream) alone.

    Args:
        seed, trial, stream: integers in 0..2^64-1.

    >>> a, b = Generator(7, 0, 1), Generator(7, 0, 1)
    >>> [a.below(6) for _ in range(5)] == [b.below(6) for _ in range(5)]
    True
    """

    def __init__(self, uint64_t seed, uint64_t trial=0, uint64_t stream=0):
        self._stream = open_stream(seed, trial, stream)

    def word(self):
        """The next 64 random bits as an integer."""
        return next_word(&self._stream)

    def below(self, n):
        """A uniform integer in 0..n-1.

        Raises:
            ValueError: n is not in 1..2^32-1.
        """
        if not 1 <= n <= 0xFFFFFFFF:
            raise ValueError(f"n must be in 1..4294967295, not {n}")
        return below(&self._stream, n)

    def shuffled(self, items):
        """A new list with the items in uniform random order (Fisher-Yates)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
