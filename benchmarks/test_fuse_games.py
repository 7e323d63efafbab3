"""FUSE, one thread: whole games, the best assignment of a roll, ranked assignments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from oddsmith.kernels.fuse_assign import progress
from oddsmith.kernels.playout import play_games
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assign import assign_answer

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(("policy", "n", "goal"), [("random", 20_000, "100,000/s"),
                                                    ("greedy", 20_000, ""), ("planner", 2000, "")])
def test_fuse_games(benchmark, figure, policy, n, goal):
    table = fuse.table(fuse.Rules(players=4, deck="synthetic"))
    rows = np.zeros((n, 11), np.int32)
    benchmark.pedantic(play_games, args=(table, table.new_game(), (policy,) * 4, 1, 0, rows),
                       rounds=5, warmup_rounds=1)
    figure(f"{policy} FUSE games, 4 players, standard", n / benchmark.stats.stats.median,
           "games/s", goal)


def test_assignment(benchmark, figure):
    """5 dice over 5 players: exact progress."""
    position = fuse.new(fuse.Rules(players=5, deck="synthetic"), 3)
    dice = [f"die {word}" for word in ("r5", "b2", "k6", "g1", "y4")]
    state = engine.to_state(fuse.move_position(position, dice, None))
    benchmark(progress, engine.table(position.rules), state)
    figure("FUSE assignment of 5 dice over 5 players", 1000 * benchmark.stats.stats.median, "ms",
           "10 ms")


def test_ranked_assignments(figure, benchmark):
    position = fuse.load(str(EXAMPLES / "fuse-roll.toml"))
    benchmark.pedantic(assign_answer, args=(position,), rounds=3, warmup_rounds=1)
    figure("FUSE assignments ranked by 200 playouts each", benchmark.stats.stats.median, "s", "1 s")
