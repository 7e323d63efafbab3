"""The weights of Forbidden Island's estimate: a regression on states of games that `rules` plays.

    python -m benchmarks.fit_island [--games 60000]

Prints the weights in the order of kernels/island_estimate.pyx, and how well they tell wins of games
that they were not fitted to.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
from numpy.typing import NDArray

from oddsmith.kernels.island_estimate import terms
from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import island
from oddsmith.solver.games.island.engine import OVER

LEVELS = ("novice", "novice", "normal", "normal", "elite", "legendary")
"""Levels that are won more often tell more."""

ASTRAY = 20
"""One move in so many is a random one: the search asks about moves that `rules` never makes."""

APART = 15
"""Decisions between two states of a game, on average."""

RIDGE = 3.0
HELD_BACK = 10
"""One game in so many is not fitted to."""


def play(number: int) -> tuple[list[list[float]], bool]:
    """Some states of one game, and whether it was won."""
    draw = Generator(1, number, 0)
    rules = island.Rules(players=2 + draw.below(3), difficulty=LEVELS[draw.below(len(LEVELS))],
                         lift_rescue=draw.below(3) == 0)
    table = island.table(rules)
    state, seen = table.new_game(), list[list[float]]()
    while table.turn(state := table.let_chance(state, draw)) != OVER:
        if draw.below(ASTRAY):
            move = table.policy_move(state, "rules", draw)
        else:
            move = table.moves(state)[draw.below(table.n_moves(state))]
        state = table.apply_unchecked(state, move)
        if draw.below(APART) == 0 and table.turn(state) != OVER:
            seen.append(terms(table, state))
    return seen, table.payoff(state)[0] > 0


def fit(x: NDArray[np.float64], won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (p - won) + RIDGE * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def log_loss(p: NDArray[np.float64], won: NDArray[np.float64]) -> float:
    return -float(np.mean(np.log(np.where(won > 0, p, 1 - p))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60_000)
    games = [play(number) for number in range(parser.parse_args().games)]
    held = [number % HELD_BACK == 0 for number, (seen, _) in enumerate(games) for _ in seen]
    x = np.array(list(itertools.chain.from_iterable(seen for seen, _ in games)))
    won = np.array([float(result) for seen, result in games for _ in seen])
    test = np.array(held)
    weights = fit(x[~test], won[~test])
    p = 1 / (1 + np.exp(-x[test] @ weights))
    base = np.full_like(p, won[~test].mean())
    print(f"{len(x):,} states of {len(games):,} games, {won.mean():.1%} won")
    print(f"log loss of games held back: {log_loss(p, won[test]):.4f}; "
          f"of one guess for all: {log_loss(base, won[test]):.4f}")
    for first in range(0, len(weights), 10):
        print("    " + ", ".join(f"{weight:.3g}" for weight in weights[first:first + 10]) + ",")


if __name__ == "__main__":
    main()
