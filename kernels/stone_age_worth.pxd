"""Stone Age: what things are worth in points, for policies and the static estimate."""
from libc.stdint cimport uint64_t

from oddsmith.kernels.stone_age cimport Rules, Seat, State

cdef struct Taste:
    double pip               # of a resource not yet spent: 3, 4, 5, 6 pips
    double food              # of one food that will be eaten
    double person            # of one more person, a round
    double track             # of one more on the food track, a round
    double tool              # of one more on a tool, a round
    bint starves             # never pays for missing food

cdef Taste EATING
cdef Taste STARVING

cdef double rounds_left(const Rules* g, const State* s) noexcept nogil
cdef double card_worth(const Rules* g, const Seat* p, int card, const Taste* t,
                       double rounds) noexcept nogil
cdef double goods_worth(uint64_t goods, const Taste* t) noexcept nogil
cdef double die_worth(const Seat* p, int value, const Taste* t, double rounds) noexcept nogil
cdef double place_worth(const Rules* g, const State* s, int seat, int place, int n,
                        const Taste* t, double rounds) noexcept nogil
cdef double tile_price(const Rules* g, const State* s, const Seat* p, int tile,
                       const Taste* t) noexcept nogil
cdef double estimate(const void* rules, const void* state, int player) noexcept nogil
