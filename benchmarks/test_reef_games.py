"""Whole games of Reef, one thread."""

from __future__ import annotations

import random

import numpy as np

from oddsmith.kernels.playout import play_games
from oddsmith.solver.games import reef
from tests.reference import reef as scoring
from tests.reference import reef_game as reference


def test_random_games_reference(benchmark, figure):
    draw = random.Random(1)
    benchmark.pedantic(lambda: reference.random_playout(scoring.Rules(), draw), rounds=3)
    figure("random games, reference", 1 / benchmark.stats.stats.median, "games/s")


def test_random_games(benchmark, figure):
    _games(benchmark, figure, "random", 50_000, "300,000/s")


def test_greedy_games(benchmark, figure):
    _games(benchmark, figure, "greedy", 1000, "20,000/s")


def _games(benchmark, figure, policy, n, goal):
    table = reef.table(reef.Rules())
    rows = np.zeros((n, 6), np.int32)
    start = table.new_game()
    benchmark.pedantic(play_games, args=(table, start, (policy, policy), 1, 0, rows), rounds=5,
                       warmup_rounds=1)
    figure(f"{policy} games, 2 players", n / benchmark.stats.stats.median, "games/s", goal,
           "random games, reference")
    # The last coral of each start layout has one place only: no decision.
    decisions = rows[:, -1].sum() - 2 * n
    figure(f"{policy} games, decisions", decisions / benchmark.stats.stats.median, "decisions/s")
