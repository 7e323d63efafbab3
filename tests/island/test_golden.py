"""Values from outside, and values derived independently (exact fractions)."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise

import pytest

from oddsmith.solver.games.island import Rules, new
from oddsmith.solver.games.island.first_turn import first_turn
from oddsmith.solver.games.island.odds import odds, set_up_odds

PASSIVE = {
    (2, "novice"): (
        "45/92 131/92 1321/506 3757/1012 5019/1012 1561/253 7543/1012 8839/1012",
        {1: .02414, 2: .08401, 3: .17008, 4: .25255, 6: .44708, 8: .64101, 10: .82325}),
    (4, "legendary"): (
        "33/38 682/285 1046/285 103/19 398/57 1003/114 409/38 7411/570",
        {1: .04856, 2: .15794, 3: .25142, 4: .38983, 6: .64158, 8: .88415, 10: .99485}),
}


@pytest.mark.parametrize(("players", "difficulty"), PASSIVE)
def test_passive_island(players, difficulty):
    found = set_up_odds(Rules(players=players, difficulty=difficulty), 10)
    sunk, lost = PASSIVE[players, difficulty]
    assert found.e_sunk[:8] == tuple(map(F, sunk.split()))
    for turn, p in lost.items():
        assert abs(float(found.p_lost[turn - 1]) - p) < 5.1e-6
    assert found.p_sunk["observatory"] == found.p_sunk["fools_landing"]


def test_set_up():
    found = set_up_odds(Rules(), 1)
    # A flooded tile sinks in turn 1 with 15/184 (2 players, novice); 6 of 24 are flooded.
    assert found.p_sunk["fools_landing"][0] == F(1, 4) * F(15, 184)
    assert found.p_skull == (0,)
    late = set_up_odds(Rules(water_level=8, waters_rise=3), 1)
    assert late.p_skull[0] == F(1, 92)  # two Waters Rise! among the first two cards


def test_a_flooded_tile_of_a_position():
    position = new(Rules(), 4)
    found = odds(position, 1)
    for tile in position.island.flooded:
        if position.treasure_pile[-1] == 3:
            assert found.p_sunk[tile] == (F(15, 184),)
    assert sum(p[0] for p in found.p_sunk.values()) == F(45, 92) == found.e_sunk[0]


def test_first_turn():
    found = first_turn(Rules())
    assert found.out_of_reach == {
        "diver": F(4611612, 18574248), "engineer": F(59, 138), "explorer": F(10, 69),
        "messenger": F(59, 138), "navigator": F(59, 138), "pilot": 0,
    }
    assert found.p_out_of_reach == F(1945439, 6965343)
    assert found.p_lost[2, "novice"] == F(1355970983, 682632941760)
    told = [round(float(found.p_lost[players, "novice"]), 8) for players in (2, 3, 4)]
    assert told == [0.00198638, 0.00122388, 0.00070625]


def test_large_decks_have_large_prime_factors():
    """31 cards in the pile: denominators have the factor 31."""
    rules = Rules(cards_per_treasure=7)
    found = set_up_odds(rules, 4)
    assert all(0 <= p <= q <= 1 for p, q in pairwise(found.p_lost))
    left = 4 * 7 + 5 + 3 - 4
    p_rise = 1 - F((left - 3) * (left - 4), left * (left - 1))
    twice = F(3 * 2, left * (left - 1))
    assert found.p_sunk["observatory"][0] == F(1, 4) * ((p_rise - twice) * F(2, 6) + twice * F(3, 6))
