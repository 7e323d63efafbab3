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
cdef struct Outcome:
    move_t move
    uint32_t weight

ctypedef int (*turn_t)(const void* rules, const void* state) noexcept nogil
ctypedef move_t (*nth_move_t)(const void* rules, const void* state, int k) noexcept nogil
ctypedef void (*apply_t)(const void* rules, void* state, move_t move) noexcept nogil
ctypedef int (*outcomes_t)(const void* rules, const void* state, Outcome* out) noexcept nogil
ctypedef move_t (*policy_t)(const void* rules, const void* state, Stream* draw) noexcept nogil
ctypedef int (*chance_t)(const void* rules, void* state, Stream* draw) noexcept nogil
ctypedef void (*redeal_t)(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil
ctypedef void (*payoff_t)(const void* rules, const void* state, int32_t* out) noexcept nogil
ctypedef int (*summary_t)(const void* rules, const void* state, int32_t* out) noexcept nogil
ctypedef double (*evaluate_t)(const void* rules, const void* state, int player) noexcept nogil
ctypedef uint64_t (*key_t)(const void* rules, const void* state) noexcept nogil

cdef struct Game:
    size_t state_size
    # Whether `redeal` can change anything: seats that know different things.
    bint hidden
    # Who decides now (a seat), or CHANCE, or OVER.
    turn_t turn
    # The number of legal moves of the seat to decide, and the k-th in a fixed order.
    turn_t n_moves
    nth_move_t nth_move
    # Make a move, or let an outcome happen.
    apply_t apply
    # All outcomes of the chance event with integer weights; returns how many.
    outcomes_t outcomes
    # One outcome, drawn by weight.
    policy_t sample
    # Let chance decide as long as it is its turn, then return `turn`: what `sample` and `apply` do one
    # by one, without a code for each outcome.  NULL: by them.
    chance_t chance
    # Resample what a seat can't know: a function of what it knows and of the stream alone.
    redeal_t redeal
    # Result per player in PAYOFF_UNITs, once the game is over.
    payoff_t payoff
    # Numbers for statistics, once the game is over; returns how many.  Of rivals: each seat's
    # score, then the turns; of a team: the ending (1 is the win), the turns, how far it came.
    summary_t summary
    # The default playout move; like every policy, from what its seat knows alone.
    policy_t policy
    # Static estimate of a seat's result, 0..1, from what that seat knows alone; NULL for none.
    evaluate_t evaluate
    # 64-bit hash of the whole state.
    key_t key


cdef inline int let_chance(const Game* game, const void* rules, void* state,
                           Stream* draw) noexcept nogil:
    """Let chance decide until a seat does or the game is over; who decides then, or OVER."""
    cdef int seat
    if game.chance != NULL:
        return game.chance(rules, state, draw)
    seat = game.turn(rules, state)
    while seat == CHANCE:
        game.apply(rules, state, game.sample(rules, state, draw))
        seat = game.turn(rules, state)
    return seat


cdef class GameTable:
    cdef Game game
    cdef const void* rules
    cdef public object owner           # keeps alive what the rules point at
    cdef readonly int n_players
    cdef readonly dict policies        # name -> address of a policy_t
    cdef readonly list fields          # (name, NumPy format, offset) of the state's fields
    cdef int _check_state(self, bytes state) except -1
