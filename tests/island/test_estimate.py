"""The static estimate tells how games of `rules` end."""

from __future__ import annotations

import pytest

from oddsmith.kernels.island_estimate import terms
from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import Rules

GAMES = 1000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_estimate_is_calibrated(players):
    """Mean estimates are about win rates where one move in 20 is at random, as in its games."""
    table = island.table(Rules(players=players))
    found: list[tuple[float, bool]] = []
    for number in range(GAMES):
        draw, state, seen = Generator(5, number, 0), table.new_game(), []
        while (turn := table.turn(state)) != engine.OVER:
            if turn == engine.CHANCE:
                move = table.sample(state, draw)
            else:
                move = table.policy_move(state, "rules", draw)
                if draw.below(20) == 0:
                    move = table.moves(state)[draw.below(table.n_moves(state))]
                if draw.below(12) == 0:
                    seen.append(table.evaluate(state, 0))
            state = table.apply_unchecked(state, move)
        found += [(p, table.payoff(state)[0] > 0) for p in seen]
        assert table.evaluate(state, 0) == (table.payoff(state)[0] > 0)
    found.sort()
    share = len(found) // 4
    for part in (found[:share], found[share:-share], found[-share:]):
        expected = sum(p for p, _ in part) / len(part)
        won = sum(w for _, w in part) / len(part)
        assert abs(expected - won) < 0.08
    low, high = found[:share], found[-share:]
    assert sum(w for _, w in high) > 3 * sum(w for _, w in low)


def test_what_brings_the_win_nearer_counts():
    rules = Rules(layout="forbidden_island")
    table, position = island.table(rules), island.new(rules, 3)
    fields = table.unpack(engine.to_state(position))
    start = table.pack(fields)
    assert len(terms(table, start)) == 44
    worse = table.pack({**fields, "mark": fields["mark"] + 3})
    assert table.evaluate(worse, 0) < table.evaluate(start, 0)
    flooded = table.pack({**fields, "flooded": fields["flooded"] | fields["in_play"]})
    assert table.evaluate(flooded, 0) < table.evaluate(start, 0)
