"""Tests of the Forbidden Island reference: actions and roles, worked by hand on the drawn island."""

import pytest

from .island_cases import (
    BREAKERS,
    BRONZE,
    CLIFFS,
    COPPER,
    CORAL,
    CRIMSON,
    DEFAULT,
    DUNES,
    EMBERS,
    FOUR,
    GOLD,
    HOWLING,
    IRON,
    LAGOON,
    LANDING,
    LIFT,
    MARSH,
    MOON,
    OBSERVATORY,
    PHANTOM,
    SANDBAGS,
    SHADOWS,
    SILVER,
    SUN,
    TIDAL,
    TWILIGHT,
    WATCHTOWER,
    WHISPERING,
    after,
    counts,
    game,
    kinds,
    of,
    targets,
    walks,
)
from .island_table import DRY, TILES, Options, State, status

ON_BREAKERS = {HOWLING, TIDAL, CLIFFS, MARSH}


def one(role: str, **given: object) -> State:
    """Seat 0 with this role."""
    other = "messenger" if role != "messenger" else "engineer"
    return game(roles=(role, other), **given)


# Actions


def test_up_to_three_actions_and_none_is_legal() -> None:
    state = game()
    assert ("end actions",) in of_all(state)
    ended = after(state, ("end actions",))
    assert (ended.phase, ended.actions_left, ended.draws_left) == ("draw", 0, 2)
    state = after(state, ("walk", 0, HOWLING), ("walk", 0, GOLD))
    assert (state.phase, state.actions_left) == ("actions", 1)
    state = after(state, ("walk", 0, LANDING))
    assert (state.phase, state.actions_left, state.draws_left) == ("draw", 0, 2)


def of_all(state: State, options: Options = DEFAULT) -> list[tuple]:
    return [(kind, *move) for kind in kinds(state, options) for move in of(kind, state, options)]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_option_actions(number: int) -> None:
    options = Options(actions=number)
    state = game(options)
    for left in range(number, 0, -1):
        assert (state.phase, state.actions_left) == ("actions", left)
        state = after(
            state, ("walk", 0, HOWLING if state.pawns[0] == BREAKERS else BREAKERS), options=options
        )
    assert state.phase == "draw"


def test_after_the_last_action_only_specials_are_left() -> None:
    state = game(actions_left=1, hands={1: (LIFT,)})
    state = after(state, ("walk", 0, HOWLING))
    assert (state.phase, state.actions_left) == ("actions", 0)
    assert kinds(state) == {"end actions", "lift"}
    assert after(state, ("end actions",)).phase == "draw"


def test_end_actions_has_no_window_of_its_own() -> None:
    assert after(game(hands={0: (LIFT,)}), ("end actions",)).phase == "draw"


# Moving


def test_walk_up_down_left_right() -> None:
    assert walks(game()) == ON_BREAKERS
    assert walks(game(pawns=(LANDING, DUNES))) == {BRONZE, GOLD}
    assert walks(game(pawns=(SHADOWS, DUNES))) == {EMBERS, DUNES}  # no wrap to the next row
    state = after(game(), ("walk", 0, MARSH))
    assert (state.pawns, state.actions_left) == ((MARSH, DUNES), 2)


def test_walk_onto_flooded_but_not_onto_or_over_missing_tiles() -> None:
    state = game(flooded=(HOWLING,), sunk=(TIDAL,))
    assert walks(state) == ON_BREAKERS - {TIDAL}
    assert CORAL not in walks(state)


def test_only_the_seat_whose_turn_it_is_walks() -> None:
    assert {move[0] for move in of("walk", game())} == {0}
    assert {move[0] for move in of("walk", game(seat=1))} == {1}
    assert walks(game(seat=1)) == {SHADOWS, CRIMSON}


def test_explorer_walks_diagonally() -> None:
    assert walks(one("explorer")) == ON_BREAKERS | {SUN, WHISPERING, LAGOON, OBSERVATORY}
    assert walks(one("explorer", sunk=(SUN,))) == ON_BREAKERS | {WHISPERING, LAGOON, OBSERVATORY}


def test_a_stranded_pawn_is_not_lost() -> None:
    state = game(sunk=(TIDAL, MARSH, HOWLING, CLIFFS))
    assert walks(state) == set()
    assert "end actions" in kinds(state)


# Diver


@pytest.mark.parametrize("how", ["flooded", "sunk"])
def test_diver_passes_through_one_space(how: str) -> None:
    beyond = {GOLD, SUN, WHISPERING}
    reached = ON_BREAKERS | beyond if how == "flooded" else (ON_BREAKERS | beyond) - {HOWLING}
    assert walks(one("diver", **{how: (HOWLING,)})) == reached


def test_diver_passes_through_any_number() -> None:
    # HOWLING, then right to WHISPERING, then right to EMBERS: out at SILVER, SHADOWS, CRIMSON
    state = one("diver", sunk=(HOWLING,), flooded=(WHISPERING, EMBERS))
    through = {GOLD, SUN, WHISPERING, IRON, EMBERS, SILVER, SHADOWS, CRIMSON}
    assert walks(state) == {TIDAL, CLIFFS, MARSH} | through
    assert len(of("walk", state)) == len(walks(state))  # one move an end


def test_diver_not_through_dry_spaces_nor_to_his_own() -> None:
    assert walks(one("diver")) == ON_BREAKERS
    assert walks(one("diver", flooded=(GOLD,))) == ON_BREAKERS
    ring = one("diver", flooded=(BREAKERS, HOWLING, WHISPERING, CLIFFS))
    assert BREAKERS not in walks(ring)


def test_diver_not_over_open_sea() -> None:
    atoll = Options(layout="atoll_of_decisions")
    # The spaces from the top: 0 1 2 in the first row at x = 2 3 4; 3 4 at x = 1 2, 5 6 at x = 4 5.
    state = game(atoll, roles=("diver", "messenger"), pawns=(TILES[4], TILES[23]))
    assert walks(state, atoll) == {TILES[0], TILES[3]}  # (2,1): (2,0) and (1,1), not over (3,1)


# Pilot


def test_pilot_flies_anywhere_once_a_turn() -> None:
    state = one("pilot", sunk=(PHANTOM,))
    assert targets("fly", state) == set(TILES) - {BREAKERS, PHANTOM}
    state = after(state, ("fly", WATCHTOWER))
    assert (state.pawns[0], state.actions_left, state.flights) == (WATCHTOWER, 2, 1)
    assert "fly" not in kinds(state)
    assert walks(state) == {TWILIGHT, OBSERVATORY}


def test_flight_to_an_adjacent_tile_is_not_a_walk() -> None:
    state = one("pilot")
    assert after(state, ("fly", MARSH)) != after(state, ("walk", 0, MARSH))
    assert "fly" in kinds(after(state, ("walk", 0, MARSH)))


def test_flight_is_independent_of_the_lift() -> None:
    state = one("pilot", hands={0: (LIFT, LIFT)})
    state = after(state, ("fly", MOON))
    assert of("lift", state)
    state = one("pilot", hands={0: (LIFT,)})
    assert "fly" in kinds(after(state, ("lift", 0, (0,), MOON)))


def test_flight_is_reset_every_turn() -> None:
    state = one("pilot", flights=1, phase="flood", floods_left=1)
    assert after(state, MOON).flights == 0


def test_only_the_pilot_flies_and_only_in_his_turn() -> None:
    assert "fly" not in kinds(game())
    assert "fly" not in kinds(one("pilot", seat=1))


def test_option_flights() -> None:
    unlimited = Options(pilot_flights_per_turn="unlimited")
    state = game(unlimited, roles=("pilot", "messenger"))
    assert targets("fly", state, unlimited) == set(TILES) - {BREAKERS} - ON_BREAKERS
    state = after(state, ("fly", MOON), options=unlimited)
    assert state.flights == 0
    assert targets("fly", state, unlimited) == set(TILES) - {MOON, SUN, CORAL}
    two = Options(pilot_flights_per_turn=2)
    state = after(game(two, roles=("pilot", "messenger")), ("fly", MOON), options=two)
    assert "fly" in kinds(state, two)
    assert "fly" not in kinds(after(state, ("fly", SUN), options=two), two)


# Shoring up


def test_shore_the_own_and_adjacent_tiles() -> None:
    state = one("messenger", flooded=(BREAKERS, HOWLING, SUN, DUNES), sunk=(TIDAL,))
    assert of("shore", state) == [((HOWLING,),), ((BREAKERS,),)]
    state = after(state, ("shore", (HOWLING,)))
    assert (status(state, HOWLING), status(state, BREAKERS)) == (DRY, "flooded")
    assert state.actions_left == 2


def test_explorer_shores_diagonally() -> None:
    state = one("explorer", flooded=(BREAKERS, HOWLING, SUN, DUNES))
    assert of("shore", state) == [((SUN,),), ((HOWLING,),), ((BREAKERS,),)]


def test_engineer_shores_one_or_two() -> None:
    state = one("engineer", flooded=(BREAKERS, HOWLING, MARSH, SUN), actions_left=1)
    singles = [(BREAKERS,), (HOWLING,), (MARSH,)]
    pairs = [(HOWLING, BREAKERS), (HOWLING, MARSH), (BREAKERS, MARSH)]
    assert {move[0] for move in of("shore", state)} == {*singles, *pairs}
    assert len(of("shore", state)) == 6
    state = after(state, ("shore", (HOWLING, MARSH)))  # with one action left
    assert [status(state, tile) for tile in (HOWLING, MARSH)] == [DRY, DRY]
    assert status(state, BREAKERS) == "flooded"
    assert (state.phase, state.actions_left) == ("draw", 0)


def test_engineer_does_not_shore_diagonally() -> None:
    assert of("shore", one("engineer", flooded=(SUN, LAGOON))) == []


# Giving


def test_give_on_the_same_tile() -> None:
    cards = ("earth", "earth", "fire", LIFT, SANDBAGS)
    state = game(pawns=(BREAKERS, BREAKERS), hands={0: cards, 1: ("wind",)})
    assert of("give", state) == [(0, 1, "earth"), (0, 1, "fire")]  # no special; none is taken
    state = after(state, ("give", 0, 1, "earth"))
    assert state.hands == (("earth", "fire", LIFT, SANDBAGS), ("earth", "wind"))
    assert state.actions_left == 2
    assert not of("give", game(hands={0: cards}))


def test_messenger_gives_from_anywhere() -> None:
    state = one("messenger", hands={0: ("earth", LIFT)})
    assert of("give", state) == [(0, 1, "earth")]
    elsewhere = one("engineer", hands={0: ("earth",)})
    assert of("give", elsewhere) == []  # nobody gives to a messenger from afar


def test_receiver_may_have_none_or_five() -> None:
    state = one("messenger", hands={0: ("earth",)})
    assert after(state, ("give", 0, 1, "earth")).hands == ((), ("earth",))
    five = ("wind", "wind", "fire", "fire", LIFT)
    state = one("messenger", hands={0: ("earth",), 1: five})
    state = after(state, ("give", 0, 1, "earth"))
    assert (state.phase, state.then, state.actions_left) == ("discard", "actions", 2)
    assert [move[:2] for move in of("discard", state)] == [
        (1, "earth"),
        (1, "wind"),
        (1, "fire"),
        (1, LIFT),
    ]
    state = after(state, ("discard", 1, "earth"))
    assert (state.phase, state.actions_left, state.hands) == ("actions", 2, ((), five))
    assert state.discard == counts("earth")


# Capturing


@pytest.mark.parametrize("tile", [SUN, MOON])
@pytest.mark.parametrize("how", ["dry", "flooded"])
def test_capture_on_either_tile_flooded_or_not(tile: str, how: str) -> None:
    flooded = (tile,) if how == "flooded" else ()
    state = game(pawns=(tile, DUNES), flooded=flooded, hands={0: ("earth",) * 5})
    assert of("capture", state) == [("earth",)]
    state = after(state, ("capture", "earth"))
    assert (state.captured, state.actions_left) == ({"earth"}, 2)
    assert state.hands[0] == ("earth",)  # "Capture with 5 matching keeps 1"
    assert state.discard == counts(*("earth",) * 4)
    assert "capture" not in kinds(state)


def test_capture_with_the_other_tile_sunk() -> None:
    assert of("capture", game(pawns=(SUN, DUNES), sunk=(MOON,), hands={0: ("earth",) * 4}))


@pytest.mark.parametrize(
    ("tile", "hands", "captured"),
    [
        (SUN, {0: ("earth",) * 3}, ()),  # too few
        (SUN, {0: ("earth",) * 3, 1: ("earth",)}, ()),  # not in one hand
        (SUN, {1: ("earth",) * 4}, ()),  # not the own hand
        (HOWLING, {0: ("earth",) * 4}, ()),  # another treasure's tile
        (MARSH, {0: ("earth",) * 4}, ()),
        (SUN, {0: ("earth",) * 4}, ("earth",)),  # captured before
    ],
)
def test_no_capture(tile: str, hands: dict, captured: tuple[str, ...]) -> None:
    state = game(pawns=(tile, tile), hands=hands, captured=frozenset(captured))
    assert "capture" not in kinds(state)


def test_option_cards_to_capture() -> None:
    three = Options(cards_to_capture=3)
    state = game(three, pawns=(SUN, DUNES), hands={0: ("earth",) * 4})
    assert after(state, ("capture", "earth"), options=three).hands[0] == ("earth",)
    five = Options(cards_to_capture=5)
    assert "capture" not in kinds(state, five)


def test_tiles_of_the_treasures() -> None:
    found = {}
    for tile in TILES:
        for treasure in FOUR:
            if of("capture", game(pawns=(tile, DUNES), hands={0: (treasure,) * 4})):
                found.setdefault(treasure, set()).add(tile)
    assert found == {
        "earth": {MOON, SUN},
        "wind": {HOWLING, WHISPERING},
        "fire": {EMBERS, SHADOWS},
        "ocean": {CORAL, TIDAL},
    }


# Navigator: the other pawn is on DUNES

NEAR_DUNES = {SHADOWS, CRIMSON, EMBERS, CLIFFS, PHANTOM}


def steered(role: str, options: Options = DEFAULT, **given: object) -> set[str]:
    state = game(options, roles=("navigator", role), **given)
    assert {move[0] for move in of("navigate", state, options)} == {1}  # never himself
    assert len(of("navigate", state, options)) == len(targets("navigate", state, options))
    return targets("navigate", state, options)


def test_navigator_moves_another_up_to_two_tiles() -> None:
    for role in ("messenger", "engineer", "pilot", "diver"):  # never the Pilot's flight
        assert steered(role) == NEAR_DUNES
    state = game(roles=("navigator", "messenger"))
    state = after(state, ("navigate", 1, CLIFFS))
    assert (state.pawns, state.actions_left, state.seat) == ((BREAKERS, CLIFFS), 2, 0)
    assert walks(state) == ON_BREAKERS


def test_navigator_moves_nobody_over_missing_tiles() -> None:
    assert steered("messenger", sunk=(CRIMSON,)) == {SHADOWS, EMBERS}
    assert steered("messenger", flooded=(CRIMSON,)) == NEAR_DUNES


def test_navigator_uses_the_explorers_diagonals() -> None:
    two_away = {IRON, SILVER, WHISPERING, OBSERVATORY, WATCHTOWER}
    assert steered("explorer") == NEAR_DUNES | two_away
    assert steered("explorer", Options(navigator_uses_target_power="none")) == NEAR_DUNES


def test_navigator_moves_the_diver_through_a_missing_space() -> None:
    none = Options(navigator_uses_target_power="none")
    assert steered("diver", sunk=(CRIMSON,)) == NEAR_DUNES - {CRIMSON}
    assert steered("diver", none, sunk=(CRIMSON,)) == {SHADOWS, EMBERS}
    # the second step ends on a tile, and there is no third one
    assert steered("diver", sunk=(CRIMSON, CLIFFS)) == {SHADOWS, EMBERS, PHANTOM}


def test_navigators_diver_not_over_open_sea() -> None:
    atoll = Options(layout="atoll_of_decisions")
    # the other pawn on (3,0): 1 or 2 steps along the ring, not over the sea at (3,1)
    state = game(atoll, roles=("navigator", "diver"), pawns=(TILES[23], TILES[1]))
    ring = {TILES[0], TILES[2], TILES[4], TILES[5]}
    assert targets("navigate", state, atoll) == ring


def test_navigator_can_not_split_the_steps() -> None:
    options = Options(players=3)
    state = game(options, roles=("messenger", "engineer", "navigator"), seat=2)
    assert {len(move) for move in of("navigate", state, options)} == {2}
    assert {move[0] for move in of("navigate", state, options)} == {0, 1}


def test_option_navigator_split() -> None:
    options = Options(players=3, navigator_split=True)
    state = game(
        options,
        roles=("explorer", "navigator", "messenger"),
        pawns=(DUNES, BREAKERS, LANDING),
        seat=1,
    )
    split = {move for move in of("navigate", state, options) if len(move) == 4}
    assert split == {
        (0, first, 2, second)
        for first in (SHADOWS, CRIMSON, EMBERS, PHANTOM)  # with the explorer's diagonals
        for second in (BRONZE, GOLD)
    }
    state = after(state, ("navigate", 0, EMBERS, 2, GOLD), options=options)
    assert (state.pawns, state.actions_left) == ((EMBERS, BREAKERS, GOLD), 2)
    plain = Options(players=3, navigator_split=True, navigator_uses_target_power="none")
    state = game(
        plain,
        roles=("explorer", "navigator", "messenger"),
        pawns=(DUNES, BREAKERS, LANDING),
        seat=1,
    )
    assert len([move for move in of("navigate", state, plain) if len(move) == 4]) == 4


def test_navigator_moves_himself_by_one_tile() -> None:
    state = game(roles=("navigator", "messenger"))
    assert walks(state) == ON_BREAKERS
    assert "navigate" not in kinds(game(roles=("navigator", "messenger"), seat=1))
    assert COPPER not in walks(state)
