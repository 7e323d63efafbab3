"""FUSE, one thread: whole games, the best assignment of a roll, ranked assignments."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from oddsmith.kernels.fuse_assign import progress
from oddsmith.kernels.playout import play_games
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assign import assign_answer
from oddsmith.solver.games.fuse.assignments import Search
from tests.reference import fuse_play, fuse_table

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_random_fuse_reference(benchmark, figure):
    draw, options = random.Random(1), fuse_table.Options(players=4, deck="synthetic")
    benchmark.pedantic(lambda: fuse_play.random_game(options, draw), rounds=5, warmup_rounds=1)
    figure("random FUSE games, reference", 1 / benchmark.stats.stats.median, "games/s")


@pytest.mark.parametrize(("policy", "n", "goal"), [("random", 20_000, "100,000/s"),
                                                    ("greedy", 20_000, ""), ("planner", 2000, "")])
def test_fuse_games(benchmark, figure, policy, n, goal):
    table = fuse.table(fuse.Rules(players=4, deck="synthetic"))
    rows = np.zeros((n, 11), np.int32)
    benchmark.pedantic(play_games, args=(table, table.new_game(), (policy,) * 4, 1, 0, rows),
                       rounds=5, warmup_rounds=1)
    figure(f"{policy} FUSE games, 4 players, standard", n / benchmark.stats.stats.median,
           "games/s", goal, "random FUSE games, reference")


def rolled():
    """5 dice over 5 players."""
    position = fuse.new(fuse.Rules(players=5, deck="synthetic"), 3)
    dice = [f"die {word}" for word in ("r5", "b2", "k6", "g1", "y4")]
    return fuse.move_position(position, dice, None)


def test_assignment(benchmark, figure):
    """Exact progress: the best assignment, and the best 20."""
    position = rolled()
    benchmark(lambda: list(islice(Search(position).best(), 20)))
    figure("FUSE assignments of 5 dice over 5 players, the best 20 by exact progress",
           1000 * benchmark.stats.stats.median, "ms", "10 ms")


def test_planned_assignment(benchmark, figure):
    """As the planner counts in the games of playouts."""
    position = rolled()
    benchmark(progress, engine.table(position.rules), engine.to_state(position))
    figure("FUSE assignment of 5 dice over 5 players, as the planner estimates it",
           1000 * benchmark.stats.stats.median, "ms")


def test_ranked_assignments(figure, benchmark):
    position = fuse.load(str(EXAMPLES / "fuse-roll.toml"))
    benchmark.pedantic(assign_answer, args=(position,), rounds=3, warmup_rounds=1)
    figure("FUSE assignments ranked by 200 playouts each", benchmark.stats.stats.median, "s", "1 s")
