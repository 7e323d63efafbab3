"""Playouts and simulation: the same results for any number of workers and size of batches."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import engine
from oddsmith.solver.simulate import seatings, simulate


@pytest.mark.parametrize("policies", [("random",), ("greedy", "random")])
def test_workers_and_batches_do_not_matter(policies):
    table = engine.table(reef.Rules())
    results = {
        str(simulate(table, table.new_game(), policies, games=1000, seed=5, workers=workers,
                     batch=batch))
        for workers in (1, 2, 7) for batch in (1, 97, 4096)
    }
    assert len(results) == 1


def test_games_do_not_depend_on_their_neighbours():
    table = engine.table(reef.Rules(players=3))
    start = table.new_game()
    whole = np.zeros((50, 8), np.int32)
    play_games(table, start, ("random", "greedy", "random"), 9, 0, whole)
    for first in (0, 7, 49):
        part = np.zeros((1, 8), np.int32)
        play_games(table, start, ("random", "greedy", "random"), 9, first, part)
        assert (part[0] == whole[first]).all()


def test_streams_of_a_game():
    """Chance has its own stream, and each seat's thinking: a game replayed by hand is the same."""
    rules = reef.Rules(players=3)
    table = engine.table(rules)
    rows = np.zeros((4, 8), np.int32)
    policies = ("random", "greedy", "random")
    play_games(table, table.new_game(), policies, 9, 20, rows)
    for row, trial in zip(rows.tolist(), range(20, 24), strict=True):
        state, chance = table.new_game(), Generator(9, trial, 0)
        thinking = [Generator(9, trial, 1 + seat) for seat in range(3)]
        n_moves = 0
        while (turn := table.turn(state)) != engine.OVER:
            if turn == engine.CHANCE:
                code = table.sample(state, chance)
            else:
                code = table.policy_move(state, policies[turn], thinking[turn])
                n_moves += 1
            state = table.apply(state, code)
        assert row == [*table.payoff(state), *table.summary(state), n_moves]


def test_stopping_does_not_depend_on_workers():
    table = engine.table(reef.Rules())
    results = {
        str(simulate(table, table.new_game(), ["random"], games=60_000, seed=1, workers=workers,
                     batch=batch, stop=lambda so_far: so_far.games >= 10_000))
        for workers, batch in ((1, 1000), (2, 300))
    }
    assert len(results) == 1


def test_payoffs_are_shared():
    table = engine.table(reef.Rules(players=4))
    rows = np.zeros((2000, 10), np.int32)
    play_games(table, table.new_game(), ("random",) * 4, 3, 0, rows)
    assert (rows[:, :4].sum(axis=1) == 60).all()
    best = rows[:, 4:8].max(axis=1)
    winners = rows[:, :4] > 0
    assert (rows[:, 4:8][winners] == np.repeat(best, winners.sum(axis=1))).all()


def test_common_deals():
    """The same deals meet every seating: equal policies give mirrored results."""
    table = engine.table(reef.Rules())
    results = simulate(table, table.new_game(), ["greedy", "random"], games=400, seed=2)
    assert (results.games, results.deals) == (400, 200)
    assert results.policies["greedy"].payoff.mean / 60 > 0.95
    assert sum(one.payoff.total for one in results.policies.values()) == 400 * 60


def test_seatings():
    assert seatings(["a", "b", "c"], 3) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert seatings(["a", "a"], 2) == [("a", "a")]


def test_unknown_policies():
    table = engine.table(reef.Rules())
    with pytest.raises(InputError, match="not a policy"):
        simulate(table, table.new_game(), ["greedi"], games=1, seed=0)
    with pytest.raises(KeyError):
        play_games(table, table.new_game(), ("x", "y"), 1, 0, np.zeros((1, 6), np.int32))
    with pytest.raises(ValueError, match="policies"):
        play_games(table, table.new_game(), ("random",), 1, 0, np.zeros((1, 6), np.int32))
    with pytest.raises(ValueError, match="bytes"):
        play_games(table, b"x", ("random", "random"), 1, 0, np.zeros((1, 6), np.int32))
