"""Forbidden Island: what the team can do now, counted by kind, and the k-th of it."""
from libc.stdint cimport uint8_t, uint32_t

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    DISCARD, SEATS, SWIM, IslandRules, State, lowest, n_cards,
)

cdef struct Menu:
    int total
    int n_pass
    int n_walks
    int n_flights
    int n_shores
    int n_gives
    int n_captures
    int n_navigations
    int n_splits
    int n_swims
    int n_drops
    int n_lifts                      # of one holder
    int n_sandbags                   # of one holder
    uint32_t walks
    uint32_t flights
    uint32_t shores
    uint32_t swims
    uint32_t moved[SEATS]            # where the Navigator can send each seat
    uint32_t stepped[SEATS]          # by one step (navigator_split)
    uint8_t gives[SEATS]             # kinds of cards that each seat can be given
    uint8_t drops                    # kinds of cards
    uint8_t lift_holders
    uint8_t sandbags_holders
    uint8_t winners                  # holders of a Helicopter Lift that wins now

cdef void look_up(const IslandRules* g, const State* s, Menu* menu) noexcept nogil
cdef move_t choose(const IslandRules* g, const State* s, const Menu* menu, int k) noexcept nogil
cdef uint32_t swims(const IslandRules* g, const State* s, int seat) noexcept nogil
cdef uint32_t navigations(const IslandRules* g, const State* s, int seat) noexcept nogil
cdef bint can_win(const IslandRules* g, const State* s) noexcept nogil


cdef inline int decider(const IslandRules* g, const State* s) noexcept nogil:
    """The seat whose decision it is; the seat to move in windows that are everybody's."""
    cdef int seat
    if s.phase == SWIM:
        return lowest(s.swimmers)
    if s.phase == DISCARD:
        for seat in range(g.players):
            if n_cards(s.hand[seat]) > g.hand_limit:
                return seat
    return s.to_move
