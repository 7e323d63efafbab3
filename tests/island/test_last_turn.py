"""The odds of turns after the game's last (`max_turns`), worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

import msgspec
import pytest

from oddsmith.solver.games.island import Rules, new
from oddsmith.solver.games.island.odds import odds, odds_answer, set_up_odds, set_up_odds_answer

CALM = {"waters_rise": 0, "initial_flood": 24}
"""Every tile is flooded and the water doesn't rise: each turn sinks two of 24."""


def told(answer):
    return [one for one in answer.assumptions if "the game ends" in one]


@pytest.mark.parametrize("last", [1, 3, 9])
def test_averaged_over_the_set_up(last):
    found = set_up_odds(Rules(max_turns=last, **CALM), 10)
    played = [min(turn, last) for turn in range(1, 11)]
    assert found.e_sunk == tuple(2 * n for n in played)
    for tile in ("fools_landing", "observatory"):
        assert found.p_sunk[tile] == tuple(F(n, 12) for n in played)
        assert found.p_flooded[tile] == tuple(1 - F(n, 12) for n in played)
    both = tuple(F(comb(22, 2 * n - 2), comb(24, 2 * n)) for n in played)
    assert found.p_treasure["earth"] == both
    assert found.last == last


def test_the_skull_can_t_be_reached_after_it():
    """3 of the 24 cards left are Waters Rise!, the first of which is the skull; two a turn."""
    found = set_up_odds(Rules(water_meter=(2,), max_turns=2), 4)
    p = [1 - F(comb(21, k), comb(24, k)) for k in (2, 4)]
    assert found.p_skull == (*p, p[-1], p[-1])


@pytest.mark.parametrize(("turn", "n"), [(10, 3), (12, 1), (3, 10)])
def test_of_a_position(turn, n):
    """Turns 10, 11 and 12 are played, then the game is over."""
    position = msgspec.structs.replace(new(Rules(max_turns=12, **CALM), 7), turn=turn)
    found = odds(position, 10)
    assert found.e_sunk == tuple(2 * min(k, n) for k in range(1, 11))
    assert found.p_sunk["fools_landing"] == tuple(F(min(k, n), 12) for k in range(1, 11))
    assert len(found.p_lost) == len(found.p_skull) == len(found.p_treasure["wind"]) == 10


def test_the_answer_tells_it():
    rules = Rules(max_turns=12)
    late = msgspec.structs.replace(new(rules, 7), turn=10)
    (line,) = told(odds_answer(late, 10))
    assert "ends after turn 3 of these" in line
    assert "after turn 12 of these" in told(set_up_odds_answer(rules, 12))[0]
    assert not told(odds_answer(late, 2))
    assert not told(set_up_odds_answer(rules, 11))


def test_changed_options_are_assumptions():
    rules = Rules(max_turns=12, difficulty="elite", players=3)
    for answer in (odds_answer(new(rules, 7), 2), set_up_odds_answer(rules, 2)):
        assert answer.assumptions[:2] == ("option difficulty = elite", "option max_turns = 12")
        assert "nobody acts" in answer.assumptions[2]
