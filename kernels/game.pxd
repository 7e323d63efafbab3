"""A game is one table of functions on a plain state; search and playouts know nothing else.

Each rule set fills in a `Game`.  A state is a fixed-size struct without pointers (memcpy copies
it); `rules` points at the rule set's own compiled options.  A move, a chance outcome too, is one
64-bit code that means the same in every state, so that different deals can be compared.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from oddsmith.kernels.rng cimport Stream

cdef enum:
    CHANCE = -1              # `turn`: an outcome is drawn now
    OVER = -2                # `turn`: the game is over
    MAX_PLAYERS = 5
    MAX_OUTCOMES = 128       # of one chance event
    MAX_SUMMARY = 16         # numbers of a finished game
    PAYOFF_UNIT = 60         # one whole win, in payoffs: divisible among 1..5 winners

ctypedef uint64_t move_t
ctypedef move_t (*policy_t)(const void* rules, const void* state, Stream* draw) noexcept nogil

cdef struct Outcome:
    move_t move
    uint32_t weight

cdef struct Game:
    size_t state_size
    # Who decides now (a seat), or CHANCE, or OVER.
    int (*turn)(const void* rules, const void* state) noexcept nogil
    # The number of legal moves of the seat to decide, and the k-th in a fixed order.
    int (*n_moves)(const void* rules, const void* state) noexcept nogil
    move_t (*nth_move)(const void* rules, const void* state, int k) noexcept nogil
    # Make a move, or let an outcome happen.
    void (*apply)(const void* rules, void* state, move_t move) noexcept nogil
    # All outcomes of the chance event with integer weights; returns how many.
    int (*outcomes)(const void* rules, const void* state, Outcome* out) noexcept nogil
    # One outcome, drawn by weight.
    move_t (*sample)(const void* rules, const void* state, Stream* draw) noexcept nogil
    # Resample what a seat can't know.
    void (*redeal)(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil
    # Result per player in PAYOFF_UNITs, once the game is over.
    void (*payoff)(const void* rules, const void* state, int32_t* out) noexcept nogil
    # Numbers for statistics, once the game is over; returns how many.
    int (*summary)(const void* rules, const void* state, int32_t* out) noexcept nogil
    # The default playout move.
    policy_t policy
    # Static estimate of a seat's result, 0..1.
    double (*evaluate)(const void* rules, const void* state, int player) noexcept nogil
    # 64-bit hash of the whole state.
    uint64_t (*key)(const void* rules, const void* state) noexcept nogil


cdef class GameTable:
    cdef Game game
    cdef const void* rules
    cdef public object owner           # keeps alive what the rules point at
    cdef readonly int n_players
    cdef readonly dict policies        # name -> address of a policy_t
    cdef int _check_state(self, bytes state) except -1
