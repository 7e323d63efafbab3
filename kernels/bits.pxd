"""Sets as words of 64 bits: how many are in one, the lowest, the k-th."""
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #define oddsmith_popcount(x) __builtin_popcountll((unsigned long long)(x))
    #define oddsmith_lowest(x) __builtin_ctzll((unsigned long long)(x))
    /* One instruction deposits a bit at the k-th set one; Zen 1 and 2 have it in slow microcode. */
    #if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
    #include <immintrin.h>
    #define oddsmith_select(set, k) __builtin_ctzll(_pdep_u64(1ull << (k), (set)))
    #define oddsmith_select32 oddsmith_select
    #else
    /* The k-th set bit of each 4-bit mask. */
    static const unsigned char oddsmith_nth[64] = {
        0,0,0,0, 0,0,0,0, 1,0,0,0, 0,1,0,0, 2,0,0,0, 0,2,0,0, 1,2,0,0, 0,1,2,0,
        3,0,0,0, 0,3,0,0, 1,3,0,0, 0,1,3,0, 2,3,0,0, 0,2,3,0, 1,2,3,0, 0,1,2,3};
    static inline __attribute__((always_inline))
    int oddsmith_select_in(unsigned long long set, int k, int bits) {
        /* Without branches, which would be guessed wrong: halves, quarters, eighths, then bits. */
        int at = 0, n, beyond;
        for (int width = bits / 2; width >= 4; width >>= 1) {
            n = __builtin_popcountll(set & ((1ull << width) - 1));
            beyond = -(k >= n);
            k -= n & beyond; set >>= width & beyond; at += width & beyond;
        }
        return at + oddsmith_nth[(set & 0xF) * 4 + k];
    }
    #define oddsmith_select(set, k) oddsmith_select_in((set), (k), 64)
    #define oddsmith_select32(set, k) oddsmith_select_in((set), (k), 32)
    #endif
    """
    int popcount "oddsmith_popcount"(uint64_t x) noexcept nogil
    # Of a set that isn't empty.
    int lowest "oddsmith_lowest"(uint64_t x) noexcept nogil
    # The k-th of a set, 0 <= k < popcount.
    int select "oddsmith_select"(uint64_t set, int k) noexcept nogil
    int select32 "oddsmith_select32"(uint32_t set, int k) noexcept nogil
