"""Tests of the Forbidden Island reference: special cards, the win, the losses, the last turn."""

import pytest

from . import island
from .island_cases import (
    BREAKERS,
    CORAL,
    DEFAULT,
    DUNES,
    EMBERS,
    FOUR,
    GOLD,
    HOWLING,
    LANDING,
    LIFT,
    MARSH,
    MOON,
    RISE,
    SANDBAGS,
    SHADOWS,
    SUN,
    TIDAL,
    WHISPERING,
    after,
    before_draw,
    before_flood,
    counts,
    game,
    kinds,
    of,
    targets,
)
from .island_table import DRY, TILES, Options, State, status

THREE = Options(players=3)
ANYWHERE = Options(players=3, lift_from="anywhere")


# Helicopter Lift


def test_lift_moves_any_pawns_from_one_tile() -> None:
    state = game(THREE, pawns=(SUN, SUN, MARSH), hands={1: (LIFT,)}, sunk=(CORAL,))
    lifts = of("lift", state, THREE)
    assert {pawns for _, pawns, _ in lifts} == {(0,), (1,), (0, 1), (2,)}
    assert {holder for holder, _, _ in lifts} == {1}
    for pawns, start in (((0,), SUN), ((0, 1), SUN), ((2,), MARSH)):
        reached = {tile for _, lifted, tile in lifts if lifted == pawns}
        assert reached == set(TILES) - {start, CORAL}
    assert len(lifts) == 4 * 22
    state = after(state, ("lift", 1, (0, 1), LANDING), options=THREE)
    assert (state.pawns, state.hands[1]) == ((LANDING, LANDING, MARSH), ())
    assert state.discard == counts(LIFT)
    assert state.actions_left == 3  # "no action"


def test_lift_is_listed_once_for_two_cards_of_a_hand() -> None:
    one = of("lift", game(hands={0: (LIFT,)}))
    assert of("lift", game(hands={0: (LIFT, LIFT)})) == one
    both = of("lift", game(hands={0: (LIFT,), 1: (LIFT,)}))
    assert len(both) == 2 * len(one)  # who plays it makes a difference


def test_option_lift_from_anywhere() -> None:
    state = game(ANYWHERE, pawns=(SUN, MOON, MARSH), hands={1: (LIFT,)})
    lifts = of("lift", state, ANYWHERE)
    assert {pawns for _, pawns, _ in lifts} == {
        *((0,), (1,), (2,)),
        *((0, 1), (0, 2), (1, 2)),
        (0, 1, 2),
    }
    assert (1, (0, 1), SUN) not in lifts  # seat 0 is there already: that's lifting seat 1
    assert (1, (1,), SUN) in lifts
    # to 23 tiles for one pawn, 22 for two, 21 for three
    assert len(lifts) == 3 * 23 + 3 * 22 + 21
    state = after(state, ("lift", 1, (0, 1, 2), GOLD), options=ANYWHERE)
    assert state.pawns == (GOLD, GOLD, GOLD)


def test_anywhere_follows_lift_rescue() -> None:
    for rescue in (True, False):
        options = Options(lift_from="anywhere", lift_rescue=rescue)
        state = before_flood(BREAKERS, options=options, flooded=(BREAKERS,), hands={0: (LIFT,)})
        state = after(state, BREAKERS, options=options)
        lifted = {move[1] for move in of("lift", state, options)}
        assert lifted == ({(0,), (1,), (0, 1)} if rescue else {(1,)})


def test_specials_of_everybody_at_any_time() -> None:
    hands = {1: (LIFT, SANDBAGS)}
    given = {"hands": hands, "flooded": (SUN,)}
    for state in (
        game(**given),
        game(**given, actions_left=0),
        game(**given, seat=1),
        after(before_draw(**given), "fire"),
        after(before_draw(**given, draws=1), "fire"),
        after(before_flood(MARSH, **given, floods_left=2), MARSH),
        after(before_flood(BREAKERS, flooded=(SUN, BREAKERS), hands=hands), BREAKERS),
    ):
        assert {"lift", "sandbags"} <= kinds(state)
        assert (1, SUN) in of("sandbags", state)


# Sandbags


def test_sandbags_shore_up_any_flooded_tile() -> None:
    state = game(hands={0: (SANDBAGS,)}, flooded=(SUN, DUNES), sunk=(CORAL,))
    assert of("sandbags", state) == [(0, SUN), (0, DUNES)]
    state = after(state, ("sandbags", 0, DUNES))
    assert (status(state, DUNES), status(state, SUN)) == (DRY, "flooded")
    assert (state.hands[0], state.discard) == ((), counts(SANDBAGS))
    assert state.actions_left == 3


def test_sandbags_must_have_an_effect() -> None:
    assert of("sandbags", game(hands={0: (SANDBAGS,)})) == []


def test_shored_tile_keeps_its_flood_card_in_the_discard() -> None:
    state = game(hands={0: (SANDBAGS,)}, flooded=(SUN,), flood_discard=frozenset({SUN}))
    assert after(state, ("sandbags", 0, SUN)).flood_discard == {SUN}
    state = game(flooded=(HOWLING,), flood_discard=frozenset({HOWLING}))
    assert after(state, ("shore", (HOWLING,))).flood_discard == {HOWLING}


# The win


def winning(**given: object) -> State:
    values = {"captured": frozenset(FOUR), "pawns": (LANDING, LANDING), "hands": {1: (LIFT,)}}
    return game(**(values | given))


def test_win() -> None:
    state = winning(flooded=(LANDING,))  # "flooded is fine"
    assert of("win", state) == [(1,)]
    state = after(state, ("win", 1))
    assert (island.turn(state), island.result(state)) == ("over", ("win",))
    assert state.discard == counts(LIFT)
    assert island.moves(DEFAULT, state) == []


@pytest.mark.parametrize(
    "given",
    [
        {"captured": frozenset(FOUR[:3])},
        {"pawns": (LANDING, MARSH)},
        {"pawns": (MARSH, MARSH)},
        {"hands": {1: (SANDBAGS, "earth")}},
    ],
)
def test_no_win(given: dict) -> None:
    assert of("win", winning(**given)) == []


def test_win_needs_all_pawns() -> None:
    given = {"captured": frozenset(FOUR), "hands": {0: (LIFT,)}}
    assert of("win", game(THREE, pawns=(LANDING, LANDING, MARSH), **given), THREE) == []
    assert of("win", game(THREE, pawns=(LANDING,) * 3, **given), THREE) == [(0,)]


def test_a_lift_can_do_something_else_than_win() -> None:
    state = winning()
    assert (1, (0, 1), MARSH) in of("lift", state)
    assert island.result(after(state, ("lift", 1, (0, 1), MARSH))) is None


def test_the_win_takes_one_more_lift_after_flying_there() -> None:
    state = winning(pawns=(MARSH, MARSH), hands={0: (LIFT,), 1: (LIFT,)})
    state = after(state, ("lift", 0, (0, 1), LANDING), ("win", 1))
    assert island.result(state) == ("win",)


def test_win_between_flood_cards_and_with_no_action_left() -> None:
    for given in (
        {"phase": "before flood", "floods_left": 1},
        {"phase": "between draws", "draws_left": 1},
        {"actions_left": 0},
    ):
        assert island.result(after(winning(**given), ("win", 1))) == ("win",)


def test_win_while_discarding() -> None:
    hand = ("earth", "wind", "fire", "ocean", LIFT)
    state = after(winning(phase="draw", draws_left=2, hands={0: hand}), "fire")
    assert state.phase == "discard"
    assert island.result(after(state, ("win", 0))) == ("win",)


def test_win_after_a_swim() -> None:
    given = {"pawns": (GOLD, LANDING), "roles": ("engineer", "messenger"), "floods_left": 2}
    state = before_flood(
        GOLD, flooded=(GOLD,), captured=frozenset(FOUR), hands={0: (LIFT,)}, **given
    )
    state = after(state, GOLD)
    assert of("win", state) == []
    assert island.result(after(state, ("swim", 0, LANDING), ("win", 0))) == ("win",)


# Losses


def test_landing_sunk() -> None:
    # also with everything captured, and before anybody swims or is lifted
    given = {"captured": frozenset(FOUR), "pawns": (LANDING, LANDING), "hands": {0: (LIFT,)}}
    state = after(before_flood(LANDING, flooded=(LANDING,), **given), LANDING)
    assert (island.turn(state), island.result(state)) == ("over", ("lost", "landing"))


@pytest.mark.parametrize(
    ("one", "other", "treasure"),
    [
        (MOON, SUN, "earth"),
        (HOWLING, WHISPERING, "wind"),
        (EMBERS, SHADOWS, "fire"),
        (CORAL, TIDAL, "ocean"),
    ],
)
def test_both_tiles_of_a_treasure_sunk(one: str, other: str, treasure: str) -> None:
    for first, second in ((one, other), (other, one)):
        given = {"flooded": (second,), "sunk": (first,), "pawns": (second, DUNES)}
        state = after(before_flood(second, **given), second)  # before the pawn swims
        assert island.result(state) == ("lost", "treasure")
        state = after(before_flood(second, **given, captured=frozenset({treasure})), second)
        assert island.result(state) is None
        rest = frozenset(FOUR) - {treasure}
        state = after(before_flood(second, **given, captured=rest), second)
        assert island.result(state) == ("lost", "treasure")


def test_one_tile_of_a_treasure_sunk() -> None:
    state = after(before_flood(SUN, flooded=(SUN, MOON)), SUN)
    assert island.result(state) is None


def test_water() -> None:
    state = after(before_draw(water=9), RISE)
    assert island.result(state) == ("lost", "water")


# The last turn


def test_max_turns() -> None:
    options = Options(max_turns=1, waters_rise=0)
    state = after(before_flood(SUN, options=options), SUN, options=options)
    assert (island.turn(state), island.result(state)) == ("over", ("max_turns",))
    two = Options(max_turns=2)
    assert after(before_flood(SUN, options=two), SUN, options=two).turn == 2


def test_window_after_the_last_card_of_the_last_turn() -> None:
    options = Options(max_turns=1)
    given = {"captured": frozenset(FOUR), "pawns": (LANDING, LANDING), "hands": {0: (LIFT, LIFT)}}
    state = after(before_flood(SUN, options=options, **given), SUN, options=options)
    assert (state.phase, island.decider(options, state)) == ("last window", None)
    assert island.moves(options, state)[:2] == [("go on",), ("win", 0)]
    assert island.result(after(state, ("win", 0), options=options)) == ("win",)
    assert island.result(after(state, ("go on",), options=options)) == ("max_turns",)
    state = after(state, ("lift", 0, (1,), MARSH), options=options)
    assert (state.phase, "win" in kinds(state, options)) == ("last window", False)
    assert targets("lift", state, options) == set(TILES)


def test_a_loss_in_the_last_turn_is_a_loss() -> None:
    options = Options(max_turns=1)
    state = before_flood(LANDING, options=options, flooded=(LANDING,))
    assert island.result(after(state, LANDING, options=options)) == ("lost", "landing")
