"""Stone Age: what things are worth in points, for policies and the static estimate."""
from libc.stdint cimport uint64_t

from oddsmith.kernels.stone_age cimport Rules, Seat, State

cdef struct Taste:
    double pip               # of a resource not yet spent: 3, 4, 5, 6 pips
    double food              # of one food that will be eaten
    double person            # of one more person, a round
    double track             # of one more on the food track, a round
    double tool              # of one more on a tool, a round
    double price             # pips of a resource paid for a card
    double green             # of a green symbol for those to come, a round
    double farmer            # of a figure for what it will still count, a round
    double toolmaker
    double builder
    double shaman
    double missing           # share of a tile's worth while one resource is missing
    double spare             # of one on a tool kept for a roll still to come
    double hungry            # of a food that is missing this round, in food
    double card_pace         # cards a player and round
    double tile_pace         # rounds a tile
    bint starves             # never pays for missing food

cdef Taste PLAIN
cdef Taste TUNED
cdef Taste STARVING

cdef double rounds_left(const Rules* g, const State* s, const Taste* t) noexcept nogil
cdef double card_worth(const Rules* g, const Seat* p, int card, const Taste* t,
                       double rounds) noexcept nogil
cdef double goods_worth(uint64_t goods, const Taste* t) noexcept nogil
cdef double die_worth(const Seat* p, int value, const Taste* t, double rounds) noexcept nogil
cdef double place_worth(const Rules* g, const State* s, int seat, int place, int n,
                        const Taste* t, double rounds) noexcept nogil
cdef double tile_price(const Rules* g, const State* s, const Seat* p, int tile,
                       const Taste* t) noexcept nogil
cdef double estimate(const void* rules, const void* state, int player) noexcept nogil
