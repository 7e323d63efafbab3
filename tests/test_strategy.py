"""Strategies of one's own: a Numba function as a policy, as the playouts' policy, as an estimate."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from oddsmith.kernels import strategy
from oddsmith.kernels.rng import Generator
from oddsmith.kernels.search import Tree
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import engine
from oddsmith.solver.simulate import simulate


@pytest.fixture
def table():
    """A table of its own: what is added to it is seen by nobody else."""
    engine.table.cache_clear()
    yield reef.table(reef.Rules())
    engine.table.cache_clear()


def last_move(table):
    n_moves, nth_move = (strategy.callable_of(table, name) for name in ("n_moves", "nth_move"))

    @numba.cfunc(strategy.SIGNATURES["policy"])
    def policy(rules, state, draw):
        return nth_move(rules, state, n_moves(rules, state) - 1)

    return policy


def test_a_policy_of_ones_own(table):
    policy = last_move(table)
    table.add_policy("last move", policy.address)
    state, draw = engine.to_state(reef.new(reef.Rules(), 7)), Generator(1)
    assert table.policy_move(state, "last move", draw) == table.moves(state)[-1]
    found = simulate(table, table.new_game(), ["greedy", "last move"], games=40, seed=1)
    assert found.policies["greedy"].payoff.mean > found.policies["last move"].payoff.mean
    assert table.default_policy == "greedy"
    table.add_policy("mine", policy.address, default=True)
    assert table.functions["policy"] == policy.address


def test_an_estimate_of_ones_own_orders_the_moves(table):
    """It reads the state as a record: the more points of player 2, the better it says it is."""
    state_type = strategy.state_dtype(table)

    @numba.cfunc(strategy.SIGNATURES["evaluate"])
    def estimate(rules, state, player):
        return numba.carray(state, 1, state_type)[0].score[player] / 1000.0

    table.use_evaluate(estimate.address)
    state = engine.to_state(reef.new(reef.Rules(), 7))
    score = np.frombuffer(state, state_type)[0]["score"][0]
    assert table.evaluate(state, 0) == score / 1000
    tree = Tree(table, state, 1, 0, 1 << 24)
    tree.grow(200)
    points = [table.unpack(table.apply(state, move))["scores"][0] for move, _, _, _ in tree.root()]
    opened = points[1:]  # the first is what the playouts would do
    assert opened == sorted(opened, reverse=True)


def test_random_numbers_are_those_of_the_kernels(table):
    """A policy that draws by `strategy.below` makes the moves of the kernel's random one."""
    n_moves, nth_move = (strategy.callable_of(table, name) for name in ("n_moves", "nth_move"))

    @numba.cfunc(strategy.SIGNATURES["policy"])
    def uniform(rules, state, draw):
        n = n_moves(rules, state)
        return nth_move(rules, state, strategy.below(numba.carray(draw, 1, strategy.STREAM), n))

    table.add_policy("uniform", uniform.address)
    state = engine.to_state(reef.new(reef.Rules(), 7))
    for seed in range(200):
        one, other = Generator(seed), Generator(seed)
        assert (table.policy_move(state, "uniform", one)
                == table.policy_move(state, "random", other))
        assert one.word() == other.word()
