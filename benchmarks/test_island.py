"""Forbidden Island, one thread: whole games, flood phases, exact questions."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from oddsmith.kernels.flood import flood, start_lanes
from oddsmith.kernels.playout import play_games
from oddsmith.solver.games import island
from oddsmith.solver.games.island.odds import odds
from oddsmith.solver.games.island.safest import safest
from tests.reference import island as reference

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_random_island_reference(benchmark, figure):
    draw, options = random.Random(1), reference.Options(players=4, difficulty="normal")
    benchmark.pedantic(lambda: reference.random_game(options, draw), rounds=5)
    figure("random island games, reference", 1 / benchmark.stats.stats.median, "games/s")


@pytest.mark.parametrize(("policy", "n", "goal"), [("random", 30_000, "200,000/s"),
                                                    ("rules", 3000, "30,000/s")])
def test_island_games(benchmark, figure, policy, n, goal):
    table = island.table(island.Rules(players=4, difficulty="normal"))
    rows = np.zeros((n, 9), np.int32)
    benchmark.pedantic(play_games, args=(table, table.new_game(), (policy,) * 4, 1, 0, rows),
                       rounds=5, warmup_rounds=1)
    figure(f"{policy} island games, 4 players, normal", n / benchmark.stats.stats.median, "games/s",
           goal, "random island games, reference")


def test_flood_phases(benchmark, figure):
    n, turns = 200_000, 10

    def run():
        flood(*start_lanes(n), 2 * turns, 1)

    benchmark.pedantic(run, rounds=5, warmup_rounds=1)
    figure("flood phases of 2 cards", n * turns / benchmark.stats.stats.median, "turns/s",
           "50 M/s")


@pytest.mark.parametrize("name", ["opening", "middle-game"])
def test_odds(benchmark, figure, name):
    position = island.load(str(EXAMPLES / f"island-{name}.toml"))
    benchmark.pedantic(odds, args=(position, 10), rounds=3)
    figure(f"odds of 10 turns, {name}", benchmark.stats.stats.median, "s", "1 s")


def test_safest(benchmark, figure):
    position = island.load(str(EXAMPLES / "island-middle-game.toml"))
    benchmark.pedantic(safest, args=(position,), rounds=3)
    figure("safest, middle game", benchmark.stats.stats.median, "s", "5 s")
