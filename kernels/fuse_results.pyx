"""FUSE: results of games, the estimate of a state, its hash."""
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from oddsmith.kernels.fuse cimport (
    FINISHED, FUSE_CARDS, WON, FuseRules, State, lowest, popcount,
)
from oddsmith.kernels.game cimport PAYOFF_UNIT
from oddsmith.kernels.rng cimport mix

cdef enum:
    WIN_SCORE = 10
    FUSE_SCORE = 2
    SCORED_TIME = 10000      # milliseconds for a point, in a game that is won


cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """The team wins or loses together."""
    cdef int seat
    for seat in range((<const FuseRules*>rules).players):
        out[seat] = PAYOFF_UNIT if (<const State*>state).ending == WON else 0


cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """How the game ended, rolls, score, bombs defused, fuse cards activated, milliseconds."""
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef int fuses = FUSE_CARDS - popcount(s.fuse_unseen)
    out[0] = s.ending
    out[1] = s.roll
    out[2] = s.points + FUSE_SCORE * fuses
    if s.ending == WON:
        out[2] += WIN_SCORE + <int>((g.milliseconds - s.elapsed) // SCORED_TIME)
    out[3] = s.defused
    out[4] = fuses
    out[5] = s.elapsed
    return 6


cdef double evaluate(const void* rules, const void* state, int player) noexcept nogil:
    """Whether the rolls left will do for the slots left: 0 lost, 1 won.

    A roll is taken to bring 0.8 dice of each that is rolled; what lies on bombs in hand counts, and a
    bomb that stays in hand at the end needs no dice.
    """
    cdef const FuseRules* g = <const FuseRules*>rules
    cdef const State* s = <const State*>state
    cdef double rolls, dice, slots
    cdef uint64_t left = s.centre
    cdef int seat, i
    if s.phase == FINISHED:
        return s.ending == WON
    slots = g.mean_slots * s.bombs_left + 0.5
    while left:
        slots += g.bombs[lowest(left)].n_slots
        left &= left - 1
    for seat in range(g.players):
        for i in range(seat << g.shift, (seat << g.shift) + s.n_held[seat]):
            slots -= popcount(g.filled[s.row[i]])
            if g.hands_too:
                slots += g.bombs[s.bomb[i]].n_slots
    rolls = (g.milliseconds - <double>s.elapsed) / g.mean_length + 0.5
    dice = 0.8 * g.dice * rolls
    slots = max(0.5, slots)
    # Equal numbers are worth a half, twice the dice four fifths.
    return dice * dice / (dice * dice + slots * slots)


cdef uint64_t key(const void* rules, const void* state) noexcept nogil:
    """Of every byte: states hold nothing that doesn't matter, and their padding is 0."""
    cdef const char* bytes = <const char*>state
    cdef uint64_t word, h = 0
    cdef size_t k = 0
    while k + 8 <= sizeof(State):
        memcpy(&word, bytes + k, 8)
        h = mix(h ^ word)
        k += 8
    return h
