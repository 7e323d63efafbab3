"""Forbidden Island: results of games, the estimate of a state, its hash."""
from libc.stdint cimport int32_t, uint64_t

from oddsmith.kernels.game cimport PAYOFF_UNIT
from oddsmith.kernels.island cimport (
    FINISHED, LANDING, SPACES, TREASURES, WON, IslandRules, State, cards_of, popcount,
)
from oddsmith.kernels.rng cimport mix


cdef void payoff(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """The team wins or loses together."""
    cdef int seat
    for seat in range((<const IslandRules*>rules).players):
        out[seat] = PAYOFF_UNIT if (<const State*>state).ending == WON else 0


cdef int summary(const void* rules, const void* state, int32_t* out) noexcept nogil:
    """How the game ended, turns begun, treasures captured, tiles sunk."""
    cdef const State* s = <const State*>state
    out[0] = s.ending
    out[1] = s.turn
    out[2] = popcount(s.captured)
    out[3] = SPACES - popcount(s.in_play)
    return 4


cdef double evaluate(const void* rules, const void* state, int player) noexcept nogil:
    """How far the team has come, less what threatens it: 0 lost, 1 won.

    A treasure counts 0.2 when captured, up to half as much for cards held by one seat; the sum is
    multiplied by the share of the landing and of the treasure tiles that will probably last.
    """
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef const State* s = <const State*>state
    cdef double done = 0.1, safe = 1.0
    cdef int treasure, seat, most, left
    if s.phase == FINISHED:
        return s.ending == WON
    for treasure in range(TREASURES):
        if s.captured >> treasure & 1:
            done += 0.2
            continue
        most = 0
        for seat in range(g.players):
            most = max(most, cards_of(s.hand[seat], treasure))
        done += 0.1 * min(most, g.cards_to_capture) / max(1, g.cards_to_capture)
        # Each tile counts 2 dry, 1 flooded.
        left = (popcount(s.tiles_of[treasure] & s.in_play)
                + popcount(s.tiles_of[treasure] & s.in_play & ~s.flooded))
        safe *= 0.7 if left == 1 else 0.92 if left == 2 else 1.0
    if s.tiles_of[LANDING] & s.flooded:
        safe *= 0.75
    return done * safe * (1.0 - 0.5 * s.mark / g.n_marks)


cdef uint64_t key(const void* rules, const void* state) noexcept nogil:
    cdef const IslandRules* g = <const IslandRules*>rules
    cdef const State* s = <const State*>state
    cdef uint64_t h = mix(s.in_play | (<uint64_t>s.flooded << 24) | (<uint64_t>s.phase << 48)
                          | (<uint64_t>s.to_move << 56))
    cdef int k
    h = mix(h ^ s.discard ^ (<uint64_t>s.undealt << 24) ^ (<uint64_t>s.captured << 48)
            ^ (<uint64_t>s.mark << 52) ^ (<uint64_t>s.actions << 56) ^ (<uint64_t>s.draws << 60))
    h = mix(h ^ s.deck)
    h = mix(h ^ s.used)
    h = mix(h ^ s.turn ^ (<uint64_t>s.floods << 16) ^ (<uint64_t>s.swimmers << 24)
            ^ (<uint64_t>s.then << 32) ^ (<uint64_t>s.ending << 40) ^ (<uint64_t>s.dealt << 48)
            ^ (<uint64_t>s.flights << 56))
    for k in range(g.players):
        h = mix(h ^ s.hand[k] ^ (<uint64_t>s.role[k] << 56) ^ (<uint64_t>s.pawn[k] << 59))
    for k in range(s.n_blocks):
        h = mix(h ^ s.pile[k] ^ (<uint64_t>k << 32))
    for k in range(SPACES // 8):
        h = mix(h ^ (<const uint64_t*>s.place)[k])
    return h
