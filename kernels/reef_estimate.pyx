"""Reef: a static estimate of a seat's result, for the search to order moves by.

Points so far, and for each card in hand a share of the most it could count if it were played next
(the bound of reef_bounds, not a placement: a search asks for thousands of these).
"""
from libc.math cimport exp
from libc.stdint cimport uint8_t
from libc.string cimport memset

from oddsmith.kernels.game cimport GameTable
from oddsmith.kernels.reef cimport Board, Card, count
from oddsmith.kernels.reef_bounds cimport Pieces, add_coral, highest_count
from oddsmith.kernels.reef_game cimport FINISHED, GameRules, State, hand_points

cdef double SHARE = 0.7          # of what a card in hand could score
cdef double SCALE = 12.0         # points of lead that make 73 % (logistic)


cdef double worth(const GameRules* g, const State* s, int seat, int viewer) noexcept nogil:
    """Points so far and expected from what the viewer knows of the hand."""
    cdef const Card* c
    cdef Pieces p
    cdef int k
    cdef double total = s.score[seat]
    if s.phase == FINISHED:
        return total + hand_points(g, s, seat)
    for k in range(s.n_hand[seat]):
        if seat != viewer and s.secret[seat] >> s.hand[seat][k] & 1:
            continue
        c = &g.scoring.cards[s.hand[seat][k]]
        memset(&p, 0, sizeof(Pieces))
        add_coral(c, &p)
        total += SHARE * c.points * highest_count(g.scoring, g.gains, c, &s.board[seat], &p)
    return total


cdef double estimate(const void* rules, const void* state, int player) noexcept nogil:
    """Logistic in the lead over the best other seat."""
    cdef const GameRules* g = <const GameRules*>rules
    cdef const State* s = <const State*>state
    cdef double own = worth(g, s, player, player), other = -1e9
    cdef int seat
    for seat in range(g.players):
        if seat != player:
            other = max(other, worth(g, s, seat, player))
    return 1.0 / (1.0 + exp((other - own) / SCALE))


def use_estimate(GameTable table):
    """Put the estimate into a table of Reef whose bounds are prepared (reef_policies.Greedy)."""
    table.game.evaluate = estimate
