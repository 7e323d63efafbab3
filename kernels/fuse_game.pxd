"""FUSE: whole games."""
from libc.stdint cimport uint8_t, uint64_t

from oddsmith.kernels.fuse cimport HELD, MAX_DICE, PLACE, FuseRules, Rules, State, code
from oddsmith.kernels.game cimport GameTable, move_t

cdef struct Menu:            # what the team can do while it assigns dice
    int total
    int n_places
    int n_clears
    bint can_stop
    uint64_t[HELD] places    # of each place in hand that is open: bit 8 * die + slot
    uint8_t[MAX_DICE] face   # of the dice; NO_FACE for one that is like the one before
    uint8_t[HELD] clears

cdef void look_up(const FuseRules* g, const State* s, Menu* menu) noexcept nogil
cdef void apply(const void* rules, void* state, move_t move) noexcept nogil
cdef int turn(const void* rules, const void* state) noexcept nogil
cdef int n_moves(const void* rules, const void* state) noexcept nogil
cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil


# The placement of a bit of `places`.
cdef inline move_t placement(const State* s, const Menu* menu, int i, int at) noexcept nogil:
    return code(PLACE, s.bomb[i], at & 7, menu.face[at >> 3])


cdef class FuseTable(GameTable):
    cdef Rules _compiled
