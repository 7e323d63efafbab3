"""Tests of the Forbidden Island reference: swimming and drowning."""

from dataclasses import replace

from . import island
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
    game,
    kinds,
    of,
    swim_targets,
    swimming,
    targets,
)
from .island_table import DRY, TILES, Options, State, status

AROUND = (HOWLING, TIDAL, CLIFFS, MARSH)


def test_swim_to_an_adjacent_tile_in_play() -> None:
    state = swimming(BREAKERS, flooded=(HOWLING,), sunk=(MARSH,))
    assert (state.phase, island.decider(DEFAULT, state)) == ("swim", 0)
    assert of("swim", state) == [(0, HOWLING), (0, TIDAL), (0, CLIFFS)]
    state = after(state, ("swim", 0, HOWLING))
    assert (state.pawns, state.phase, state.turn) == ((HOWLING, DUNES), "actions", 2)


def test_swims_of_the_roles() -> None:
    assert swim_targets(BREAKERS, "messenger") == {HOWLING, TIDAL, CLIFFS, MARSH}
    around = {HOWLING, TIDAL, CLIFFS, MARSH, SUN, WHISPERING, LAGOON, OBSERVATORY}
    assert swim_targets(BREAKERS, "explorer") == around
    assert swim_targets(BREAKERS, "pilot") == set(TILES) - {BREAKERS}
    assert swim_targets(BREAKERS, "diver") == {HOWLING, TIDAL, CLIFFS, MARSH}
    assert swim_targets(BREAKERS, "navigator") == {HOWLING, TIDAL, CLIFFS, MARSH}


def test_diver_swims_to_the_nearest_tiles() -> None:
    around = (HOWLING, TIDAL, CLIFFS, MARSH)
    # two steps away: GOLD up, SUN, WHISPERING, LAGOON, OBSERVATORY, TWILIGHT, CORAL, CRIMSON
    near = {GOLD, SUN, WHISPERING, LAGOON, OBSERVATORY, TWILIGHT, CORAL, CRIMSON}
    captured = frozenset({"wind", "ocean", "earth"})
    assert swim_targets(BREAKERS, "diver", sunk=around, captured=captured) == near
    rest = tuple(near - {SUN})
    assert swim_targets(BREAKERS, "diver", sunk=around + rest, captured=captured) == {SUN}
    assert swim_targets(BREAKERS, "diver", sunk=around[1:]) == {HOWLING}


def test_option_diver_swim_any() -> None:
    options = Options(diver_swim="any")
    # through the space of MARSH, but not through dry HOWLING
    reached = {HOWLING, TIDAL, CLIFFS, LAGOON, OBSERVATORY, TWILIGHT}
    assert swim_targets(BREAKERS, "diver", options, sunk=(MARSH,)) == reached
    assert swim_targets(BREAKERS, "diver", options, flooded=(MARSH,)) == reached | {MARSH}


def test_nearest_counts_steps_on_the_grid() -> None:
    # Sea lies between BRONZE, alone at (0, 0), and all others: the first one is LANDING at (2, 0).
    drawn = ("#.###########", "..###########", "...#.........")
    board = (BRONZE, LANDING, *TILES[2:])
    for way, reached in (("nearest", {LANDING}), ("any", set())):
        options = Options(layout=drawn, diver_swim=way)
        state = swimming(BRONZE, "diver", options, board=board, hands={1: (LIFT,)})
        assert state.phase == "swim"
        assert targets("swim", state, options) == reached


def test_each_pawn_swims_separately_in_seat_order() -> None:
    options = Options(players=3)
    state = swimming(BREAKERS, options=options, pawns=(BREAKERS, LANDING, BREAKERS))
    assert (state.phase, island.decider(options, state)) == ("swim", 0)
    state = after(state, ("swim", 0, MARSH), options=options)
    assert (state.phase, island.decider(options, state)) == ("swim", 2)
    state = after(state, ("swim", 2, HOWLING), options=options)
    assert (state.pawns, state.phase) == ((MARSH, LANDING, HOWLING), "actions")


def test_specials_before_and_after_every_swim() -> None:
    state = swimming(
        BREAKERS, pawns=(BREAKERS, BREAKERS), hands={1: (SANDBAGS,)}, flooded=(SUN,), floods_left=2
    )
    assert {"swim", "sandbags"} == kinds(state)
    assert "sandbags" in kinds(after(state, ("swim", 0, MARSH)))
    assert after(state, ("swim", 0, MARSH), ("swim", 1, MARSH)).phase == "before flood"
    state = after(state, ("sandbags", 1, SUN))
    assert (state.phase, status(state, SUN)) == ("swim", DRY)


def stranded(options: Options = DEFAULT, role: str = "engineer", **given: object) -> State:
    return swimming(BREAKERS, role, options, sunk=AROUND, **given)


def test_a_pawn_that_can_not_swim_loses() -> None:
    assert island.result(stranded()) == ("lost", "drowned")
    assert island.result(stranded(hands={1: (SANDBAGS,)}, flooded=(SUN,))) == ("lost", "drowned")
    assert island.result(stranded(role="explorer")) is None
    assert island.result(stranded(role="pilot")) is None
    assert island.result(stranded(role="diver")) is None


def test_explorer_swims_only_one_step() -> None:
    diagonals = (SUN, WHISPERING, LAGOON, OBSERVATORY)
    given = {"captured": frozenset({"wind", "ocean", "earth"})}
    state = swimming(BREAKERS, "explorer", sunk=(*AROUND, *diagonals), **given)
    assert island.result(state) == ("lost", "drowned")


def test_a_lift_saves_from_the_tile_that_just_sank() -> None:
    state = stranded(hands={1: (LIFT,)}, floods_left=2)
    assert (state.phase, island.moves(DEFAULT, state)[0]) == ("swim", ("go on",))
    assert island.result(after(state, ("go on",))) == ("lost", "drowned")
    state = after(state, ("lift", 1, (0,), SUN))
    assert (state.phase, state.pawns, state.floods_left) == ("flood", (SUN, DUNES), 1)
    # another use of it leaves the pawn to drown
    state = stranded(hands={1: (LIFT,)})
    assert island.result(after(state, ("lift", 1, (1,), SUN))) == ("lost", "drowned")
    # who could swim may be lifted just as well, and no pawn is lifted onto the sunk tile
    state = swimming(BREAKERS, hands={0: (LIFT,)})
    assert (0, (0,), LANDING) in of("lift", state)
    assert BREAKERS not in targets("lift", state)
    assert after(state, ("lift", 0, (0,), LANDING)).phase == "actions"


def test_a_lift_saves_several_from_the_sunk_tile() -> None:
    state = stranded(hands={1: (LIFT,)}, pawns=(BREAKERS, BREAKERS))
    assert after(state, ("lift", 1, (0, 1), SUN)).pawns == (SUN, SUN)
    assert island.result(after(state, ("lift", 1, (1,), SUN))) == ("lost", "drowned")


def test_the_first_swims_before_the_second_drowns() -> None:
    given = {"pawns": (BREAKERS, BREAKERS), "hands": {1: (LIFT,)}}
    state = stranded(role="pilot", **given)
    assert len(of("swim", state)) == 19
    state = after(state, ("swim", 0, SUN))
    assert (state.phase, island.decider(DEFAULT, state)) == ("swim", 1)
    assert island.moves(DEFAULT, state)[0] == ("go on",)
    state = stranded(role="pilot", pawns=(BREAKERS, BREAKERS))
    assert island.result(after(state, ("swim", 0, SUN))) == ("lost", "drowned")


def test_option_lift_rescue_off() -> None:
    options = Options(lift_rescue=False)
    assert island.result(stranded(options, hands={0: (LIFT,)})) == ("lost", "drowned")
    state = swimming(BREAKERS, options=options, hands={0: (LIFT,)})
    assert {move[1] for move in of("lift", state, options)} == {(1,)}  # not from the sunk tile


def test_option_pilot_swim_free_off() -> None:
    options = Options(pilot_swim_free=False)
    state = swimming(BREAKERS, "pilot", options)
    assert targets("swim", state, options) == set(TILES) - {BREAKERS}
    state = swimming(BREAKERS, "pilot", options, floods_left=2)
    assert after(state, ("swim", 0, MOON), options=options).flights == 1
    assert after(state, ("swim", 0, MARSH), options=options).flights == 0  # no flight
    state = swimming(BREAKERS, "pilot", options, flights=1)
    assert targets("swim", state, options) == set(AROUND)
    assert island.result(stranded(options, "pilot", flights=1)) == ("lost", "drowned")
    # also in another seat's turn
    state = swimming(BREAKERS, "pilot", options, seat=1, floods_left=2)
    assert after(state, ("swim", 0, MOON), options=options).flights == 1


def test_pilot_swims_free_of_the_flight() -> None:
    assert swim_targets(BREAKERS, "pilot", flights=1) == set(TILES) - {BREAKERS}
    state = swimming(BREAKERS, "pilot", floods_left=2)
    assert after(state, ("swim", 0, MOON)).flights == 0


def test_pilot_swims_free_when_flights_are_unlimited() -> None:
    options = Options(pilot_swim_free=False, pilot_flights_per_turn="unlimited")
    state = swimming(BREAKERS, "pilot", options, floods_left=2)
    assert after(state, ("swim", 0, MOON), options=options).flights == 0


def test_the_drawn_island() -> None:
    state = game(pawns=(WATCHTOWER, PHANTOM))
    assert targets("walk", state) == {TWILIGHT, OBSERVATORY}
    assert targets("walk", replace(state, seat=1)) == {CRIMSON, OBSERVATORY}
    state = game(pawns=(SILVER, COPPER))
    assert targets("walk", state) == {IRON, EMBERS}
    assert targets("walk", replace(state, seat=1)) == {GOLD, SUN}
    assert targets("walk", game(pawns=(SHADOWS, LANDING))) == {EMBERS, DUNES}
    assert targets("walk", game(pawns=(WHISPERING, LANDING))) == {IRON, HOWLING, EMBERS, CLIFFS}
