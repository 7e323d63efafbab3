"""Tests of the Forbidden Island reference: the data, the options and the set-up."""

from typing import Any

import pytest

from . import island
from .island_cases import (
    BRONZE,
    COPPER,
    DEFAULT,
    FOUR,
    GOLD,
    IRON,
    LANDING,
    LIFT,
    MOON,
    SANDBAGS,
    SHADOWS,
    SILVER,
    SUN,
    after,
    block,
    counts,
    of,
)
from .island_table import (
    DRY,
    FLOODED,
    LAYOUTS,
    ROLES,
    START_TILE,
    TILES,
    TILES_OF,
    TREASURES,
    Options,
    State,
    neighbours,
    spaces,
    status,
)

HANDS = (("earth", LIFT), ("wind", "wind"))


def first_outcome(_: State, found: list[tuple[Any, int]]) -> Any:
    return found[0][0]


def test_data() -> None:
    assert len(TILES) == len(set(TILES)) == 24
    assert TREASURES == FOUR
    assert [len(tiles) for tiles in TILES_OF.values()] == [2, 2, 2, 2]
    assert START_TILE == {
        "pilot": LANDING,
        "engineer": BRONZE,
        "explorer": COPPER,
        "navigator": GOLD,
        "diver": IRON,
        "messenger": SILVER,
    }
    assert set(START_TILE) == set(ROLES)


# From the printed pictures: tiles in each row, and how many pairs touch along an edge or a corner.
@pytest.mark.parametrize(
    ("layout", "rows", "edges", "touching"),
    [
        ("forbidden_island", (2, 4, 6, 6, 4, 2), 36, 70),
        ("treasure_island", (4, 5, 3, 3, 5, 4), 29, 53),
        ("island_of_shadows", (6, 6, 6, 6), 38, 68),
        ("volcano_island", (5, 5, 4, 5, 5), 36, 64),
        ("island_of_death", (3, 7, 5, 3, 3, 3), 35, 65),
        ("bay_of_gulls", (2, 2, 4, 8, 6, 2), 32, 58),
        ("bone_island", (4, 8, 8, 4), 34, 64),
        ("coral_reef", (2, 4, 6, 6, 4, 2), 35, 67),
        ("skull_island", (6, 4, 6, 4, 4), 33, 59),
        ("bridge_of_horrors", (7, 10, 7), 33, 57),
        ("atoll_of_decisions", (3, 4, 4, 2, 4, 4, 3), 24, 44),
        ("arch_of_fate", (3, 5, 6, 6, 4), 31, 59),
    ],
)
def test_layouts(layout: str, rows: tuple[int, ...], edges: int, touching: int) -> None:
    heights = [y for _, y in spaces(layout)]
    assert tuple(heights.count(y) for y in range(len(rows))) == rows
    assert sum(rows) == 24
    for diagonally, pairs in ((False, edges), (True, touching)):
        beside = neighbours(layout, TILES, diagonally)
        assert sum(map(len, beside.values())) == 2 * pairs
    assert layout in LAYOUTS
    assert len(LAYOUTS) == 12


def test_drawn_map() -> None:
    drawn = ("############", "", "############")
    options = Options(layout=drawn)
    assert spaces(drawn) == tuple((x, y) for y in (0, 2) for x in range(12))
    state = island.dealt(options, TILES, TILES[6:12], ("pilot", "engineer"), HANDS)
    assert of("walk", state, options) == [(0, BRONZE)]


@pytest.mark.parametrize(
    "given",
    [
        {"players": 1},
        {"players": 5},
        {"layout": "atlantis"},
        {"layout": ("#" * 23,)},
        {"layout": ("#" * 25,)},
        {"difficulty": "hard"},
        {"water_level": 0},
        {"water_level": 10},
        {"roles": ("pilot",)},
        {"roles": ("pilot", "pilot")},
        {"roles": ("pilot", "cook")},
        {"initial_flood": 25},
        {"cards_per_treasure": 0, "helicopters": 3, "sandbags": 0},
        {"pilot_flights_per_turn": "many"},
        *({name: "no such value"} for name in ("lift_from", "rise_shuffle", "diver_swim")),
    ],
)
def test_options_that_can_not_be(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="can't be"):
        Options(**given)


def test_defaults() -> None:
    assert Options() == Options(
        players=2,
        layout="forbidden_island",
        difficulty="novice",
        water_level=None,
        lift_rescue=True,
        lift_from="one_tile",
        rise_shuffle="on_top",
        navigator_uses_target_power="step",
        navigator_split=False,
        diver_swim="nearest",
        pilot_swim_free=True,
        hand_limit_between_draws=True,
        treasure_reshuffle="at_once",
        hand_limit=5,
        actions=3,
        cards_per_treasure=5,
        cards_to_capture=4,
        initial_flood=6,
        waters_rise=3,
        helicopters=3,
        sandbags=2,
        water_meter=(2, 2, 3, 3, 3, 4, 4, 5, 5),
        pilot_flights_per_turn=1,
        roles="random",
        max_turns=200,
    )
    assert sum(Options().deck) == 28


# The set-up


def test_steps_of_the_setup() -> None:
    state = island.new_game(DEFAULT)
    for number, tile in enumerate(reversed(TILES)):
        assert (island.turn(state), state.phase) == ("chance", "tiles")
        assert len(island.outcomes(DEFAULT, state)) == 24 - number
        state = after(state, tile)
    assert state.board == TILES[::-1]
    for number, tile in enumerate((SUN, MOON, SHADOWS, LANDING, IRON, BRONZE)):
        assert state.phase == "initial flood"
        assert [weight for _, weight in island.outcomes(DEFAULT, state)] == [1] * (24 - number)
        state = after(state, tile)
    drawn = block(SUN, MOON, SHADOWS, LANDING, IRON, BRONZE)
    assert {tile for tile in TILES if status(state, tile) == FLOODED} == drawn
    assert (state.flood_discard, state.flood_pile) == (drawn, (block(*TILES) - drawn,))
    assert (state.phase, len(island.outcomes(DEFAULT, state))) == ("roles", 6)
    state = after(state, "diver")  # "even if flooded"
    assert state.pawns == (IRON,)
    assert {role for role, _ in island.outcomes(DEFAULT, state)} == set(ROLES) - {"diver"}
    state = after(state, "messenger")
    assert (state.pawns, state.phase) == ((IRON, SILVER), "hands")
    cards = {"earth": 5, "wind": 5, "fire": 5, "ocean": 5, LIFT: 3, SANDBAGS: 2}
    assert dict(island.outcomes(DEFAULT, state)) == cards  # a Waters Rise! is replaced
    state = after(state, LIFT, "fire")
    assert state.hands == (("fire", LIFT), ())
    assert dict(island.outcomes(DEFAULT, state)) == cards | {"fire": 4, LIFT: 2}
    state = after(state, "earth", "wind")
    assert state.hands == (("fire", LIFT), ("earth", "wind"))
    assert state.pile == (4, 4, 4, 5, 2, 2, 3)  # with all Waters Rise! cards
    assert state.discard == counts()
    assert (state.phase, state.turn, state.seat, state.actions_left) == ("actions", 1, 0, 3)
    assert state.water == 1


def test_dealt_is_this_deal() -> None:
    board = (*TILES[5:], *TILES[:5])
    flooded, roles = TILES[3:9], ("explorer", "pilot")
    state = island.dealt(DEFAULT, board, flooded, roles, HANDS)
    assert (state.board, state.roles, state.hands) == (board, roles, HANDS)
    assert state.flood_discard == set(flooded)
    assert state.pawns == (COPPER, LANDING)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players(players: int) -> None:
    state = island.deal(Options(players=players), first_outcome)
    assert [len(hand) for hand in state.hands] == [2] * players
    assert len(set(state.roles)) == len(state.pawns) == players
    assert sum(state.pile) == 28 - 2 * players


@pytest.mark.parametrize(
    ("given", "level"),
    [
        ({}, 1),
        ({"difficulty": "normal"}, 2),
        ({"difficulty": "elite"}, 3),
        ({"difficulty": "legendary"}, 4),
        ({"water_level": 9, "difficulty": "elite"}, 9),
    ],
)
def test_start_level(given: dict[str, Any], level: int) -> None:
    assert island.deal(Options(**given), first_outcome).water == level


def test_option_roles() -> None:
    team = ("navigator", "explorer", "engineer")
    options = Options(players=3, roles=team)
    seen = []

    def choose(state: State, found: list[tuple[Any, int]]) -> Any:
        seen.append(state.phase)
        return found[-1][0]

    state = island.deal(options, choose)
    assert (state.roles, state.pawns) == (team, (GOLD, COPPER, BRONZE))
    assert "roles" not in seen
    assert len(seen) == 24 + 6 + 6


@pytest.mark.parametrize("number", [0, 1, 23])
def test_option_initial_flood(number: int) -> None:
    state = island.deal(Options(initial_flood=number), first_outcome)
    assert len(state.flood_discard) == state.status.count(FLOODED) == number
    assert state.status.count(DRY) == len(state.flood_pile[0]) == 24 - number


def test_a_used_up_flood_deck_is_reshuffled_in_the_setup() -> None:
    state = island.deal(Options(initial_flood=24), first_outcome)
    assert (state.flood_pile, state.flood_discard) == ((block(*TILES),), block())
    assert set(state.status) == {FLOODED}


def test_options_of_the_deck() -> None:
    options = Options(cards_per_treasure=6, waters_rise=4, helicopters=1, sandbags=0)
    state = island.deal(options, first_outcome)
    assert state.hands == (("earth", "earth"), ("earth", "earth"))
    assert state.pile == (2, 6, 6, 6, 1, 0, 4)


def test_impossible_deals() -> None:
    with pytest.raises(ValueError, match="impossible"):
        island.dealt(DEFAULT, TILES, TILES[:6], ("pilot", "pilot"), HANDS)
    rise = (("waters_rise", "earth"), ("earth", "earth"))
    with pytest.raises(ValueError, match="impossible"):
        island.dealt(DEFAULT, TILES, TILES[:6], ("pilot", "diver"), rise)
    with pytest.raises(ValueError, match="no chance"):
        island.outcomes(DEFAULT, island.deal(DEFAULT, first_outcome))
