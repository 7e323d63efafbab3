"""Whole games of Stone Age, one thread."""

from __future__ import annotations

import numpy as np

from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import stone_age

CHANCE, OVER = -1, -2


def steps_a_game(table, policy, n=30):
    """Decisions and chance events of a game, counted in Python."""
    draw, steps = Generator(1), 0
    for _ in range(n):
        state = table.new_game()
        while (turn := table.turn(state)) != OVER:
            state = table.apply_unchecked(
                state, table.sample(state, draw) if turn == CHANCE
                else table.policy_move(state, policy, draw))
            steps += 1
    return steps / n


def test_random_games(benchmark, figure):
    _games(benchmark, figure, "random", 2, 5000, "30,000/s", "18 M/s")


def test_greedy_games(benchmark, figure):
    _games(benchmark, figure, "greedy", 2, 2000)


def test_greedy_games_of_four(benchmark, figure):
    _games(benchmark, figure, "greedy", 4, 1000)


def _games(benchmark, figure, policy, players, n, goal="", steps_goal=""):
    table = stone_age.table(stone_age.Rules(players=players))
    rows = np.zeros((n, 2 * players + 3), np.int32)
    benchmark.pedantic(play_games, args=(table, table.new_game(), (policy,) * players, 1, 0, rows),
                       rounds=5, warmup_rounds=1)
    took = benchmark.stats.stats.median
    figure(f"{policy} games, {players} players", n / took, "games/s", goal)
    figure(f"{policy} games, {players} players, steps", n * steps_a_game(table, policy) / took,
           "steps/s", steps_goal)
