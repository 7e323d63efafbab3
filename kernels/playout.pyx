"""Whole games between policies, many of them, without the GIL.  Knows no game.

Game i of a seed draws from its own streams: one for chance, one for each seat's thinking.  So the
same decisions meet the same deck whoever makes them, and results depend neither on the number of
workers nor on how games are split into batches.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from oddsmith.kernels.game cimport (
    MAX_PLAYERS, MAX_SUMMARY, OVER, Game, GameTable, let_chance, policy_t,
)
from oddsmith.kernels.rng cimport Stream, open_stream

cdef enum:
    CHANCE_STREAM = 0
    PLAYER_STREAM = 1        # and one more for each seat
    REDEAL_STREAM = 15
    NOT_REDEALT = -2


cdef int32_t play_out(const Game* game, const void* rules, void* state, const policy_t* policies,
                      int n_players, uint64_t seed, uint64_t trial) noexcept nogil:
    """Play a state to its end; returns the number of moves made."""
    cdef Stream chance = open_stream(seed, trial, CHANCE_STREAM)
    cdef Stream thinking[MAX_PLAYERS]
    cdef int seat, n_made = 0
    for seat in range(n_players):
        thinking[seat] = open_stream(seed, trial, PLAYER_STREAM + seat)
    seat = let_chance(game, rules, state, &chance)
    while seat != OVER:
        n_made += 1
        game.apply(rules, state, policies[seat](rules, state, &thinking[seat]))
        seat = let_chance(game, rules, state, &chance)
    return n_made


def play_games(GameTable table, bytes start, tuple policies, uint64_t seed, uint64_t first,
               int32_t[:, ::1] out, int viewer=NOT_REDEALT):
    """Play games first, first + 1, ... of a seed, one for each row of `out`.

    Args:
        table: the game.
        start: the state that every game starts from.
        policies: a name of `table.policies` for each seat.
        seed: of all the games.
        first: number of the game in row 0.
        viewer: each game first resamples what this seat can't know; -1: what nobody at the
            table knows (`redeal` for a seat that doesn't exist); -2: nothing.
        out: int32 (n, n_players + summary + 1): payoffs in 1/60, the game's summary, moves made.

    Returns:
        How many columns of each row were filled.
    """
    cdef policy_t chosen[MAX_PLAYERS]
    cdef int32_t numbers[MAX_SUMMARY]
    cdef Py_ssize_t i, n = out.shape[0], n_columns = out.shape[1]
    cdef int k, n_summary = 0, seat, n_players = table.n_players
    cdef int32_t n_made
    cdef Stream unknown
    cdef const char* start_bytes = start
    cdef void* state = malloc(table.game.state_size)
    if state == NULL:
        raise MemoryError
    try:
        table._check_state(start)
        if len(policies) != n_players:
            raise ValueError(f"{n_players} players need {n_players} policies")
        for seat in range(n_players):
            chosen[seat] = <policy_t><size_t>table.policies[policies[seat]]
        if n_columns < n_players + 1:
            raise ValueError("too few columns for the results")
        with nogil:
            for i in range(n):
                memcpy(state, start_bytes, table.game.state_size)
                if viewer != NOT_REDEALT:
                    unknown = open_stream(seed, first + i, REDEAL_STREAM)
                    table.game.redeal(table.rules, state, viewer, &unknown)
                n_made = play_out(&table.game, table.rules, state, chosen, n_players, seed,
                                       first + i)
                table.game.payoff(table.rules, state, &out[i, 0])
                n_summary = table.game.summary(table.rules, state, numbers)
                for k in range(min(n_summary, n_columns - n_players - 1)):
                    out[i, n_players + k] = numbers[k]
                out[i, min(n_players + n_summary, n_columns - 1)] = n_made
    finally:
        free(state)
    return n_players + n_summary + 1
