"""Fools' Landing lost on turn 1 under other rules; worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.island.first_turn import first_turn
from oddsmith.solver.games.island.rules import Rules

OUT_OF_REACH = F(1945439, 6965343)
"""The mean over the roles, with the printed rules."""


def lost(players, after_one, after_two, out=OUT_OF_REACH, rises=3, sandbags=2, lifts=3):
    """Flooded, out of reach, no special among the cards dealt, then one or two Waters Rise!.

    Args:
        after_one, after_two: the chance that Fools' Landing is drawn after so many.
    """
    plain, dealt = 20 + sandbags + lifts, 2 * players
    none = F(comb(20, dealt), comb(plain, dealt))
    left = plain + rises - dealt
    other = left - rises - sandbags
    return F(1, 4) * out * none * (F(rises * other, comb(left, 2)) * after_one
                                   + F(comb(rises, 2), comb(left, 2)) * after_two)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_level(players):
    """The meter goes 2, 2, 3, 3, 3, 4: marks 1 to 6; 6 cards were discarded."""
    found = first_turn(Rules()).p_lost
    for level, (one, two) in {"novice": (2, 3), "normal": (3, 3), "elite": (3, 3),
                              "legendary": (3, 4)}.items():
        assert found[players, level] == lost(players, F(one, 6), F(two, 6))


def test_a_water_level():
    """Instead of the difficulty: mark 5 has 3 flood cards, 6 has 4, 7 has 4."""
    found = first_turn(Rules(water_level=5)).p_lost
    assert found[2, "novice"] == found[2, "legendary"] == lost(2, F(4, 6), F(4, 6))


def test_the_skull_comes_before_any_flood_card():
    found = first_turn(Rules(water_meter=(2, 2))).p_lost
    assert found[2, "novice"] == lost(2, F(2, 6), 0)
    assert found[2, "normal"] == 0


def test_the_whole_discard_is_drawn():
    """No more than certain: 9 flood cards of a discard of 6."""
    found = first_turn(Rules(water_meter=(9, 9, 9, 9))).p_lost
    assert found[2, "novice"] == lost(2, 1, 1)


def test_waters_rise_into_the_whole_pile():
    found = first_turn(Rules(rise_shuffle="whole_pile")).p_lost
    assert found[2, "novice"] == lost(2, F(2, 24), F(3, 24))


def test_named_roles():
    """The first seat's counts; the Pilot starts on Fools' Landing and shores it up."""
    assert set(first_turn(Rules(roles=("pilot", "diver"))).p_lost.values()) == {0}
    found = first_turn(Rules(roles=("explorer", "pilot")))
    assert found.p_out_of_reach == F(10, 69)
    assert found.p_lost[2, "novice"] == lost(2, F(2, 6), F(3, 6), out=F(10, 69))


@pytest.mark.parametrize(("sandbags", "lifts"), [(0, 0), (0, 3), (5, 0)])
def test_special_cards(sandbags, lifts):
    found = first_turn(Rules(sandbags=sandbags, helicopters=lifts, waters_rise=4)).p_lost
    assert found[3, "novice"] == lost(3, F(2, 6), F(3, 6), rises=4, sandbags=sandbags, lifts=lifts)


def test_one_action():
    """The own tile or one beside it: the layout has 36 pairs of tiles side by side (18 in a row, 18 in a
    column) and 34 corner to corner, of 24 * 23 / 2 = 276."""
    found = first_turn(Rules(actions=1)).out_of_reach
    plain = 1 - F(36, 276)
    assert found == {"diver": plain, "engineer": plain, "explorer": 1 - F(36 + 34, 276),
                     "messenger": plain, "navigator": plain, "pilot": 0}


@pytest.mark.parametrize(("flooded", "good"), [(0, False), (1, True), (19, True), (20, False)])
def test_tiles_flooded_at_first(flooded, good):
    """The longest flood is 5 cards, and the pile has 24 less those that are flooded."""
    rules = Rules(initial_flood=flooded, roles=("explorer", "pilot"))
    if good:
        assert first_turn(rules).p_lost[2, "novice"] > 0
    else:
        with pytest.raises(InputError, match="initial_flood can't be"):
            first_turn(rules)


@pytest.mark.parametrize(("lifts", "rises", "good"), [
    (3, 3, False), (4, 1, False), (4, 2, True), (5, 1, True)])
def test_cards_for_four_players(lifts, rises, good):
    """Four treasure cards and the Lifts are dealt, 8 cards to 4 players; two cards must be left."""
    rules = Rules(cards_per_treasure=1, helicopters=lifts, sandbags=0, waters_rise=rises)
    if good:
        found = first_turn(rules).p_lost
        assert found[4, "novice"] == 0   # some Lift is always dealt
        assert found[2, "novice"] > 0
    else:
        with pytest.raises(InputError, match="too few"):
            first_turn(rules)
