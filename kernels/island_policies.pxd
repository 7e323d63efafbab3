"""Forbidden Island: what `rules` looks at in a state, for the estimate as well."""
from libc.stdint cimport uint32_t

from oddsmith.kernels.island cimport IslandRules, State

cdef struct View:            # what a decision looks at again and again
    uint32_t top             # blocks of the flood pile
    uint32_t second
    double sinks[4]          # chance that a flooded tile sinks this turn: top, second, discard, rest
    double worth[4]          # of shoring up a tile whose loss costs 1
    double most              # of `worth`
    uint32_t critical        # flooded tiles whose loss is the game, or a pawn
    uint32_t last_pair       # of an uncaptured treasure, both tiles flooded
    uint32_t pair            # of an uncaptured treasure
    uint32_t near            # beside Fools' Landing
    uint32_t pawns
    uint32_t cornered        # pawns with no dry tile to go to
    int team_lifts           # in hands
    int holder               # of a Helicopter Lift, or NOBODY
    bint home                # all treasures captured


cdef inline int place_of(const State* s, const View* v, uint32_t tile) noexcept nogil:
    """Where the flood card of a tile is: an index of `sinks` and `worth`."""
    return 0 if tile & v.top else 2 if tile & s.discard else 1 if tile & v.second else 3


cdef void look(const IslandRules* g, const State* s, View* v) noexcept nogil
cdef int distance(const IslandRules* g, const State* s, int seat, uint32_t target,
                  uint32_t* step) noexcept nogil
