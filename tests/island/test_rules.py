"""The rules as data, against the rules page: options and their defaults, meter, cards, layouts."""

from __future__ import annotations

import msgspec
import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.island import rules as island
from oddsmith.solver.games.island.notation import format_island, parse_island
from oddsmith.solver.games.island.rules import Rules, spaces_of

DEFAULTS = {
    "players": 2, "difficulty": "novice", "water_level": None, "layout": "forbidden_island",
    "roles": "random", "lift_rescue": True, "lift_from": "one_tile", "rise_shuffle": "on_top",
    "navigator_uses_target_power": "step", "navigator_split": False, "diver_swim": "nearest",
    "pilot_swim_free": True, "hand_limit_between_draws": True, "treasure_reshuffle": "at_once",
    "hand_limit": 5, "actions": 3, "cards_per_treasure": 5, "cards_to_capture": 4,
    "initial_flood": 6, "waters_rise": 3, "helicopters": 3, "sandbags": 2,
    "water_meter": (2, 2, 3, 3, 3, 4, 4, 5, 5), "pilot_flights_per_turn": 1, "max_turns": 200,
}
"""Of the rules page's table."""


def test_defaults():
    assert msgspec.structs.asdict(Rules()) == DEFAULTS


def test_start_of_the_meter():
    levels = {level: Rules(difficulty=level).start_level
              for level in ("novice", "normal", "elite", "legendary")}
    assert levels == {"novice": 1, "normal": 2, "elite": 3, "legendary": 4}
    assert Rules(difficulty="elite", water_level=9).start_level == 9


def test_cards():
    """28: five of each treasure, 3 Helicopter Lifts, 2 Sandbags, 3 Waters Rise!."""
    assert dict(zip(island.CARDS, Rules().card_counts, strict=True)) == {
        "earth": 5, "wind": 5, "fire": 5, "ocean": 5, "helicopter_lift": 3, "sandbags": 2,
        "waters_rise": 3}
    changed = Rules(cards_per_treasure=6, helicopters=1, sandbags=4, waters_rise=0)
    assert changed.card_counts == (6, 6, 6, 6, 1, 4, 0)


def test_cards_for_all_hands():
    """Two each, and Waters Rise! is never dealt."""
    few = {"players": 4, "cards_per_treasure": 1, "helicopters": 2}
    assert sum(Rules(**few, sandbags=2, waters_rise=0).card_counts) == 8
    with pytest.raises(InputError, match="7 cards can't be dealt to 4 players"):
        Rules(**few, sandbags=1)


def test_the_meter_may_start_at_its_last_mark():
    assert Rules(water_meter=(1, 2, 3), water_level=3).start_level == 3
    with pytest.raises(InputError, match="can't start at mark 4"):
        Rules(water_meter=(1, 2, 3), difficulty="legendary")


def test_spaces_are_numbered_row_by_row():
    assert spaces_of("forbidden_island")[:6] == ((2, 0), (3, 0), (1, 1), (2, 1), (3, 1), (4, 1))
    drawn = "############/############"
    assert spaces_of(drawn) == tuple((x, y) for y in range(2) for x in range(12))
    for wrong in ("###########/############", "#############/############"):
        with pytest.raises(InputError, match="24 tiles"):
            spaces_of(wrong)
    with pytest.raises(InputError, match="is not a layout"):
        spaces_of("###########x/############")


def test_an_island_is_drawn_as_its_layout():
    island_ = parse_island("\n".join(" ".join(tile.id for tile in island.tiles()[k : k + 12])
                                     for k in (0, 12)), "############/############")
    assert format_island(island_, "############/############").count("\n") == 1
    assert island_.tiles == tuple(tile.id for tile in island.tiles())


def test_a_tile_is_named_by_its_id():
    assert (island.tile_index("fools_landing"), len(island.tiles())) == (0, 24)
    with pytest.raises(InputError, match="is not a tile") as found:
        island.tile_index("observatry")
    assert found.value.hint == "did you mean observatory?"
