"""Tests of the FUSE reference: unplaced dice, the end of the game, the score, exact values."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from . import fuse
from .fuse_cases import (
    BG_YR_RB,
    DIFF2,
    FALLING,
    LINKS,
    PYRAMID,
    RED,
    RISING,
    SUM7,
    TWINS,
    TWOS,
    UNKNOWN_PYRAMID,
    VALLEY,
    YRBG,
    after,
    dice,
    die,
    late_positions,
    next_roll,
    position,
    struck_by,
    take,
)
from .fuse_search import best, best_moves
from .fuse_table import Options, State, on_bomb

TWO, THREE, SOLO = Options(), Options(players=3), Options(players=1)
INSANE = replace(TWO, level="insane")


def unplaced(hands: dict[int, dict[str, str]], *colors: str, options: Options = TWO) -> State:
    return position(options, hands, phase="unplaced", unplaced=colors, centre=(DIFF2, LINKS))


# Unplaced dice


def test_the_team_chooses_the_order():
    state = unplaced({0: {TWOS: "r2 . ."}}, "red", "red", "black")
    assert fuse.turn(state) == "team"
    assert fuse.moves(TWO, state) == [("roll", "red"), ("roll", "black")]
    state = after(TWO, state, ("roll", "red"))
    assert state.unplaced == ("red", "black")
    assert fuse.outcomes(TWO, state) == [(number, 1) for number in range(1, 7)]


def test_dice_with_the_number_or_the_colour_are_hit():
    hands = {0: {TWOS: "r2 b2 .", VALLEY: "k5 . ."}, 1: {SUM7: "g3 ."}}
    state = struck_by(TWO, unplaced(hands, "black"), "black", 3)
    assert state.due == (0, 1)
    assert fuse.moves(TWO, state) == [("remove", 0, VALLEY, 0)]
    state = struck_by(TWO, unplaced(hands, "black"), "black", 2)
    assert state.due == (0,)
    assert set(fuse.moves(TWO, state)) == {
        ("remove", 0, VALLEY, 0),
        ("remove", 0, TWOS, 0),
        ("remove", 0, TWOS, 1),
    }
    assert fuse.decider(state) == 0
    state = after(TWO, state, ("remove", 0, TWOS, 0))
    assert on_bomb(state, 0, TWOS) == dice(". b2 .")
    # The die and the removed one are in the bag; the next turn has begun.
    assert state.phase == "draw"
    assert state.bag == (5, 4, 4, 5, 4)


def test_one_after_the_other():
    hands = {0: {TWOS: "r2 b2 ."}, 1: {SUM7: "g3 ."}}
    state = struck_by(TWO, unplaced(hands, "black", "yellow"), "yellow", 3)
    state = after(TWO, state, ("remove", 1, SUM7, 0))
    assert state.phase == "unplaced"
    assert state.bag == (4, 4, 5, 5, 4)
    state = struck_by(TWO, state, "black", 6)
    assert state.phase == "draw"
    assert state.rolls == 6


def test_covered_dice_are_safe():
    hands = {0: {YRBG: "y1 r1 b1 ."}, 1: {RISING: "r1 b3 . ."}}
    assert struck_by(TWO, unplaced(hands, "red"), "red", 6).phase == "draw"
    state = struck_by(TWO, unplaced(hands, "red"), "red", 1)
    assert fuse.moves(TWO, state) == [("remove", 0, YRBG, 2)]
    assert state.due == (0,)
    options = replace(TWO, covered_dice_safe=False)
    state = struck_by(options, unplaced(hands, "red"), "red", 6)
    assert state.due == (0, 1)
    assert fuse.moves(options, state) == [("remove", 0, YRBG, 1)]
    state = after(options, state, ("remove", 0, YRBG, 1))
    assert on_bomb(state, 0, YRBG) == dice("y1 . b1 .")


def test_pyramids_cover_what_a_die_lies_on():
    hands = {0: {PYRAMID: "k1 r1 k2 b1 . ."}, 1: {UNKNOWN_PYRAMID: "g1 y3 ."}}
    options = replace(TWO, six_point_bombs="in")
    state = struck_by(options, unplaced(hands, "black"), "black", 6)
    assert fuse.moves(options, state) == [("remove", 0, PYRAMID, 2)]
    state = struck_by(options, unplaced(hands, "red"), "red", 1)
    assert fuse.moves(options, state) == [("remove", 0, PYRAMID, 3)]
    assert state.due == (0, 1)


def test_all_dice_that_are_hit():
    options = replace(TWO, removal="all")
    hands = {0: {TWOS: "r2 b2 .", VALLEY: "k5 . k6"}, 1: {YRBG: "y2 r2 . ."}}
    state = struck_by(options, unplaced(hands, "black"), "black", 2)
    assert on_bomb(state, 0, TWOS) == dice(". . .")
    assert on_bomb(state, 0, VALLEY) == dice(". . .")
    # The yellow 2 was covered when the number was known.
    assert on_bomb(state, 1, YRBG) == dice("y2 . . .")
    assert state.phase == "draw"


def test_players_without_bombs_remove_nothing():
    state = struck_by(
        INSANE,
        position(INSANE, {1: {TWOS: "r2 . ."}}, phase="unplaced", unplaced=("red",)),
        "red",
        1,
    )
    assert state.due == (1,)


# The end


def test_the_last_centre_bomb_wins():
    options, state = late_positions()["last centre bomb"]
    state = take(options, state, 0, "y2", TWOS, 2)
    assert fuse.moves(options, state) == [("pick", DIFF2)]
    state = after(options, state, ("pick", DIFF2))
    assert fuse.result(state) == ("win",)
    assert fuse.turn(state) == "over"
    assert fuse.moves(options, state) == []
    # Other dice were rolled, and bombs are in hand: they don't matter.
    assert state.rolled


def test_a_bomb_left_in_the_centre_is_no_win():
    options, state = late_positions()["two centre bombs"]
    state = after(options, state, ("take", 0, die("y2"), TWOS, 2), ("pick", DIFF2))
    assert state.phase == "take"
    state = after(options, state, ("take", 1, die("r4"), SUM7, 1), ("pick", YRBG))
    assert fuse.result(state) == ("win",)


def test_a_deck_that_is_not_empty_is_no_win():
    state = position(TWO, {0: {TWOS: "r2 k2 ."}}, centre=(DIFF2,), fuse_deck=(RED,), rolled="b2")
    state = after(TWO, state, ("take", 0, die("b2"), TWOS, 2), ("pick", DIFF2))
    assert state.phase == "reveal"
    state = after(TWO, state, RED)
    assert fuse.result(state) == ("win",)
    assert state.activated == (RED,)


def test_insane_goes_on_until_the_hands_are_defused():
    hands = {0: {TWOS: "r2 k2 ."}, 1: {SUM7: "g3 ."}}
    state = position(INSANE, hands, centre=(DIFF2,), rolled="b2 r4 k6 k5")
    state = after(INSANE, state, ("take", 0, die("b2"), TWOS, 2), ("pick", DIFF2))
    assert state.phase == "take"
    assert state.result is None
    state = take(INSANE, state, 1, "r4", SUM7, 1)
    # Nothing is left to take.
    assert state.hands[1] == ()
    assert state.phase == "take"
    assert fuse.moves(INSANE, state)[-1] == ("stop",)
    state = take(INSANE, state, 0, "k6", DIFF2, 0)
    state = struck_by(INSANE, state, "black", 1)
    assert state.phase == "remove"
    state = after(INSANE, state, ("remove", 0, DIFF2, 0))
    state = replace(state, phase="take", rolled=(die("g1"), die("g3")), to_draw=0)
    state = take(INSANE, state, 0, "g3", DIFF2, 0)
    state = take(INSANE, state, 0, "g1", DIFF2, 1)
    assert fuse.result(state) == ("win",)


def test_insane_hands_need_not_be_defused():
    options, state = late_positions()["insane hands off"]
    state = after(options, state, ("take", 0, die("y2"), TWOS, 2), ("pick", DIFF2))
    assert fuse.result(state) == ("win",)


def test_an_empty_bag_loses():
    options, state = late_positions()["empty bag"]
    state = take(options, state, 0, "k5", "p1-colour-ne-chain4", 0)
    state = take(options, state, 1, "y6", "p1-pair-colour-pair-number", 0)
    state = take(options, state, 2, "b3", VALLEY, 0)
    state = take(options, state, 3, "g1", LINKS, 0)
    state = take(options, state, 4, "r2", "px-r2-gb-36", 0)
    assert fuse.result(state) == ("lost", "bag")


def test_an_empty_bag_after_the_last_die():
    options, state = late_positions()["empty bag after this die"]
    assert fuse.moves(options, state) == [("take", 4, die("r2"), "px-r2-gb-36", 0)]
    assert fuse.result(take(options, state, 4, "r2", "px-r2-gb-36", 0)) == ("lost", "bag")


def test_fewer_dice_in_the_bag():
    options, state = late_positions()["bag of three dice after this die"]
    state = take(options, state, 4, "r2", "px-r2-gb-36", 0)
    assert state.to_draw == 3
    assert len(fuse.outcomes(options, state)) == 3 * 6
    state = after(options, state, ("blue", 1), ("green", 1), ("yellow", 1))
    assert state.phase == "take"
    assert sum(state.bag) == 0


def test_time_up():
    options, state = late_positions()["time up on this roll"]
    won = after(options, state, ("take", 0, die("y2"), TWOS, 2), ("pick", DIFF2))
    won = after(options, won, ("take", 1, die("r4"), SUM7, 1), ("pick", YRBG))
    assert fuse.result(won) == ("win",)
    assert fuse.result(next_roll(options, state)) == ("lost", "time")
    assert next_roll(options, replace(state, rolls=29, used=Fraction(580))).phase == "draw"
    assert next_roll(options, replace(state, rolls=29, used=Fraction(5801, 10))).phase == "over"


def test_time_that_is_used_up_comes_before_the_bag():
    options, state = late_positions()["empty bag"]
    state = replace(state, used=Fraction(600), rolled=())
    assert fuse.result(next_roll(options, state)) == ("lost", "time")
    # With time left the bag is looked at before the roll's length.
    state = replace(state, used=Fraction(590))
    assert fuse.result(next_roll(options, state)) == ("lost", "bag")
    options = replace(options, seconds_per_roll=("list", 20, 30))
    assert fuse.result(next_roll(options, state)) == ("lost", "bag")
    assert fuse.result(next_roll(options, replace(state, used=Fraction(600)))) == ("lost", "time")


def test_drawn_times():
    options = Options(seconds=50, seconds_per_roll=("list", 20, 30, 20))
    state = position(options, {0: {TWOS: ""}}, centre=(DIFF2,), rolls=0)
    state = next_roll(options, state)
    assert state.phase == "time"
    assert fuse.outcomes(options, state) == [(20, 2), (30, 1)]
    state = next_roll(options, after(options, state, 30))
    assert state.used == 30
    assert after(options, state, 20).phase == "draw"
    assert fuse.result(after(options, state, 30)) == ("lost", "time")
    with pytest.raises(ValueError, match="time"):
        fuse.apply(options, state, 25)


def test_continuous_times():
    options = Options(seconds_per_roll=("normal", 20, 5))
    state = next_roll(options, position(options, {}, centre=(DIFF2,)))
    with pytest.raises(ValueError, match="continuous"):
        fuse.outcomes(options, state)
    assert after(options, state, Fraction(41, 2)).used == Fraction(41, 2)
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="time"):
            fuse.apply(options, state, wrong)


# The score


def over(won: bool, **given: object) -> State:
    result = ("win",) if won else ("lost", "time")
    return position(TWO, {}, phase="over", result=result, **given)


def test_the_score():
    given = {"defused": (TWOS, DIFF2, LINKS), "activated": (RED, "fuse-number-1")}
    points = 4 + 1 + 2 + 2 * 2
    assert fuse.score(TWO, over(False, used=Fraction(600), **given)) == points
    assert fuse.score(TWO, over(True, used=Fraction(600), **given)) == points + 10
    assert fuse.score(TWO, over(True, used=Fraction(591), **given)) == points + 10
    assert fuse.score(TWO, over(True, used=Fraction(590), **given)) == points + 11
    assert fuse.score(TWO, over(True, used=Fraction(5999, 10), **given)) == points + 10
    assert fuse.score(TWO, over(True, used=Fraction(100), **given)) == points + 60
    longer = replace(TWO, seconds=700)
    assert fuse.score(longer, over(True, used=Fraction(600), **given)) == points + 20


def test_the_score_of_unknown_bombs():
    for points in (2, 5):
        options = replace(TWO, unknown_points=points)
        assert fuse.score(options, over(False, defused=(UNKNOWN_PYRAMID,))) == points


# Exact values


# Out of the game, so that less is to be looked at: the bag has 3 red and 3 black dice.
OUT = " ".join(["r1"] * 2 + ["b1"] * 5 + ["g1"] * 5 + ["y1"] * 5)


def test_one_roll_is_left():
    """Any of three dice shows a 2."""
    hands = {0: {TWOS: "k2 k2 ."}}
    state = next_roll(THREE, position(THREE, hands, centre=(DIFF2,), rolls=29, out=OUT))
    assert best(THREE, state) == 1 - Fraction(5, 6) ** 3


def test_two_rolls_are_left():
    """After a failure no die, rolled again, may be black or show a 2."""
    hands = {0: {TWOS: "k2 k2 ."}}
    state = next_roll(THREE, position(THREE, hands, centre=(DIFF2,), rolls=28, out=OUT))
    hit = 1 - Fraction(5, 6) ** 3
    spared = Fraction(comb(3, 3), comb(6, 3)) * Fraction(5, 6) ** 3
    assert best(THREE, state) == hit + (1 - hit) * spared * hit


def test_two_bombs_in_the_last_roll():
    """Both have to be defused, in any order."""
    options, state = late_positions()["time up on this roll"]
    state = replace(state, rolled=(die("r4"), die("y2")))
    values = best_moves(options, state)
    assert values["take", 0, die("y2"), TWOS, 2] == 1
    assert values["take", 1, die("r4"), SUM7, 1] == 1
    assert values["take", 0, die("y2"), VALLEY, 0] == 0
    assert values["stop",] == 0


def test_the_order_of_taking_matters():
    """The fuse card before the other bomb is defused takes the die that it needs."""
    hands = {0: {TWOS: "r2 k2 ."}, 1: {SUM7: "g3 ."}}
    centre = (DIFF2, FALLING, YRBG, BG_YR_RB)
    state = position(TWO, hands, centre=centre, fuse_deck=("fuse-color-green",), rolls=30)
    state = replace(state, rolled=(die("b2"), die("r4")))
    defused = best_moves(TWO, state, lambda _, end: len(end.defused))
    assert defused["take", 1, die("r4"), SUM7, 1] == 2
    assert defused["take", 0, die("b2"), TWOS, 2] == 1


def test_declining_may_be_best():
    """A die that is placed blocks its slot: the red one is better left unplaced."""
    hands = {0: {TWINS: ""}}
    state = position(SOLO, hands, centre=(DIFF2,), rolls=30, rolled="b2 r4 b2")
    values = best_moves(SOLO, state)
    assert values["take", 0, die("r4"), TWINS, 0] == 0
    assert values["take", 0, die("b2"), TWINS, 0] == 1
