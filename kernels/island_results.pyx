"""Forbidden Island: results of games, the hash of a state."""
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
