"""Tests of the FUSE reference: taking and placing dice, defusing, the centre."""

from dataclasses import replace

import pytest

from . import fuse
from .fuse_bombs import PRINTED
from .fuse_cases import (
    BG_YR_RB,
    BLACK,
    DIFF2,
    FALL_FROM_4,
    FALLING,
    LETTERS,
    LINKS,
    MIXED,
    PYRAMID,
    RED,
    RISING,
    SAME_NUMBER,
    SUM7,
    TWINS,
    TWO_SUMS,
    TWOS,
    VALLEY,
    YRBG,
    after,
    dice,
    die,
    of,
    position,
    take,
)
from .fuse_table import Options, State, on_bomb

TWO, THREE, SOLO = Options(), Options(players=3), Options(players=1)
CENTRE = (BG_YR_RB, FALLING, LINKS, TWO_SUMS, YRBG)


def takers(options: Options, state: State) -> set[tuple[int, str, str, int]]:
    """Who can take what: (seat, die, bomb, slot)."""
    moves = of("take", options, state)
    letter = {color: each for each, color in LETTERS.items()}
    return {(seat, letter[color] + str(n), bomb, slot) for seat, (color, n), bomb, slot in moves}


def centre_four(hands: dict[int, dict[str, str]], options: Options = TWO, **given: object) -> State:
    return position(options, hands, **({"centre": CENTRE[:4]} | given))


# Who takes what


def test_the_team_chooses_who_takes_which_die():
    state = centre_four({0: {SUM7: ""}, 1: {DIFF2: ""}}, THREE, rolled="g5 r2 k1")
    assert takers(THREE, state) == {
        (0, "g5", SUM7, 0),
        (0, "r2", SUM7, 1),
        (1, "g5", DIFF2, 0),
        (1, "r2", DIFF2, 1),
        (1, "k1", DIFF2, 1),
    }
    assert fuse.decider(state) is None
    assert fuse.turn(state) == "team"


def test_dice_of_one_face_are_one_choice():
    state = centre_four({0: {TWOS: ""}}, THREE, rolled="r2 r2 k1")
    assert takers(THREE, state) == {(0, "r2", TWOS, slot) for slot in range(3)}
    state = take(THREE, state, 0, "r2", TWOS, 1)
    assert state.rolled == ()
    assert on_bomb(state, 0, TWOS) == dice(". r2 .")


def test_each_takes_at_most_one():
    hands = {0: {TWOS: ""}, 1: {TWINS: ""}, 2: {DIFF2: ""}}
    state = take(THREE, centre_four(hands, THREE, rolled="r2 b2 k2"), 0, "r2", TWOS, 0)
    assert {seat for seat, *_ in takers(THREE, state)} == {1, 2}
    state = take(THREE, state, 1, "b2", TWINS, 0)
    assert {seat for seat, *_ in takers(THREE, state)} == {2}


@pytest.mark.parametrize("players", [4, 5])
def test_with_more_players_too(players):
    options = Options(players=players)
    hands = {0: {TWOS: ""}, 1: {SUM7: ""}}
    state = take(options, centre_four(hands, options, rolled="r2 b2 k2 r3"), 0, "r2", TWOS, 0)
    assert {seat for seat, *_ in takers(options, state)} == {1}


def test_two_players_take_two_each():
    state = centre_four({0: {TWOS: "", VALLEY: ""}, 1: {TWINS: ""}}, rolled="r2 b2 k2 y2")
    state = take(TWO, state, 0, "r2", TWOS, 0)
    assert (0, "b2", TWOS, 1) in takers(TWO, state)
    assert (0, "b2", VALLEY, 0) in takers(TWO, state)
    # Any order: seat 1 in between.
    between = take(TWO, state, 1, "k2", TWINS, 0)
    assert (0, "b2", TWOS, 1) in takers(TWO, between)
    done = take(TWO, state, 0, "b2", TWOS, 1)
    assert {seat for seat, *_ in takers(TWO, done)} == {1}


def test_two_dice_on_one_bomb_only_if_wanted():
    options = replace(TWO, two_player_same_bomb=False)
    hands = {0: {TWOS: "", VALLEY: ""}, 1: {TWINS: ""}}
    state = take(options, centre_four(hands, rolled="r2 b2 k2 y2"), 0, "r2", TWOS, 0)
    assert {bomb for seat, _, bomb, _ in takers(options, state) if seat == 0} == {VALLEY}
    # The next turn starts anew.
    state = centre_four(hands, rolled="r2 b2 k2 y2")
    assert {bomb for seat, _, bomb, _ in takers(options, state) if seat == 0} == {TWOS, VALLEY}


def test_the_same_bomb_is_no_matter_for_others():
    options = replace(SOLO, two_player_same_bomb=False)
    state = centre_four({0: {TWOS: ""}}, options, rolled="r2 b2 k2")
    state = take(options, state, 0, "r2", TWOS, 0)
    assert (0, "b2", TWOS, 1) in takers(options, state)


def test_solo_takes_up_to_three():
    state = centre_four({0: {TWOS: "", VALLEY: ""}}, SOLO, rolled="r2 b2 k2")
    state = take(SOLO, state, 0, "r2", TWOS, 0)
    state = take(SOLO, state, 0, "b2", VALLEY, 0)
    state = take(SOLO, state, 0, "k2", TWOS, 1)
    assert state.phase == "draw"
    assert state.rolls == 6


def test_solo_takes_one_of_three():
    options = replace(SOLO, solo_dice="one")
    state = centre_four({0: {TWOS: "", VALLEY: ""}}, options, rolled="r2 b2 k2")
    state = take(options, state, 0, "r2", TWOS, 0)
    assert state.phase == "unplaced"
    assert state.unplaced == ("blue", "black")


def test_a_player_without_bombs_takes_no_die():
    options = replace(THREE, level="insane")
    state = position(options, {1: {TWOS: ""}}, rolled="r2 b2 k2")
    assert {seat for seat, *_ in takers(options, state)} == {1}


def test_a_die_that_fits_nowhere_is_not_taken():
    state = centre_four({0: {TWOS: ""}, 1: {SUM7: ""}}, rolled="k1 k3 k4 k5")
    assert fuse.moves(TWO, state) == [("stop",)]
    # Nobody can take one after the draw: the phase ends by itself.
    drawing = position(TWO, {0: {TWOS: ""}}, rolled="k1", phase="draw", to_draw=1, centre=CENTRE)
    state = after(TWO, drawing, ("black", 3))
    assert state.phase == "unplaced"
    assert state.unplaced == ("black", "black")


def test_illegal_moves_are_refused():
    state = centre_four({0: {TWOS: ""}, 1: {SUM7: ""}}, rolled="k1 k2")
    for wrong in (("take", 0, die("k1"), TWOS, 0), ("take", 1, die("k2"), TWOS, 0), ("pick", YRBG)):
        with pytest.raises(ValueError, match="take"):
            fuse.apply(TWO, state, wrong)


# Declining


def test_a_die_may_stay_over():
    state = centre_four({0: {TWOS: ""}}, rolled="r2 k1")
    assert ("stop",) in fuse.moves(TWO, state)
    state = after(TWO, state, ("stop",))
    assert state.unplaced == ("red", "black")
    assert state.rolled == ()


def test_no_die_stays_over_that_could_be_placed():
    options = replace(THREE, decline="forbidden")
    hands = {0: {TWOS: ""}, 1: {SUM7: "", TWINS: ""}}
    state = centre_four(hands, options, rolled="r2 b2 k1")
    assert ("stop",) not in fuse.moves(options, state)
    # Seat 1's only take makes what is left over unplaceable: k1 fits the twins.
    state = take(options, state, 0, "r2", TWOS, 0)
    assert ("stop",) not in fuse.moves(options, state)
    state = take(options, state, 1, "b2", SUM7, 1)
    assert state.phase == "unplaced"
    assert state.unplaced == ("black",)


# Defusing and the centre


def test_a_full_bomb_is_defused_at_once():
    state = centre_four({0: {TWOS: "r2 k2 ."}, 1: {SUM7: ""}}, rolled="b2 g3 k1 k4")
    bag = state.bag
    state = take(TWO, state, 0, "b2", TWOS, 2)
    assert state.phase == "pick"
    assert fuse.decider(state) == 0
    assert fuse.turn(state) == "player"
    assert state.defused == (TWOS,)
    assert state.hands[0] == ()
    red, blue, green, yellow, black = bag
    assert state.bag == (red + 1, blue + 1, green, yellow, black + 1)
    assert set(of("pick", TWO, state)) == {(bomb,) for bomb in CENTRE[:4]}
    state = after(TWO, state, ("pick", LINKS))
    assert state.hands[0] == ((LINKS, (None,) * 3),)
    assert LINKS not in state.centre
    # The deck is out: the roll goes on.
    assert state.phase == "take"
    assert {seat for seat, *_ in takers(TWO, state)} == {0, 1}


def test_the_new_bomb_gets_dice_in_the_same_turn():
    state = centre_four({0: {TWOS: "r2 k2 ."}, 1: {SUM7: ""}}, rolled="b2 g3 k1 k4")
    state = after(TWO, state, ("take", 0, die("b2"), TWOS, 2), ("pick", LINKS))
    assert (0, "k1", LINKS, 0) in takers(TWO, state)
    state = take(TWO, state, 0, "k1", LINKS, 0)
    assert {seat for seat, *_ in takers(TWO, state)} == {1}


def test_the_centre_is_refilled():
    state = centre_four(
        {0: {TWOS: "r2 k2 ."}}, centre=CENTRE, deck=(DIFF2, VALLEY), rolled="b2 g3 k1 k4"
    )
    state = after(TWO, state, ("take", 0, die("b2"), TWOS, 2), ("pick", LINKS))
    assert state.phase == "reveal"
    assert fuse.outcomes(TWO, state) == [(DIFF2, 1), (VALLEY, 1)]
    state = after(TWO, state, VALLEY)
    assert VALLEY in state.centre
    assert len(state.centre) == 5
    assert state.phase == "take"
    assert state.piles == (((DIFF2,), 1),)


def test_pick_free_or_easy_if_hard():
    hands = {0: {TWOS: "r2 k2 .", TWINS: ""}}
    centre = (BG_YR_RB, LINKS, SUM7, FALLING)
    for pick, offered in (("free", set(centre)), ("easy_if_hard", {BG_YR_RB, LINKS})):
        options = replace(TWO, pick=pick)
        state = take(
            options, position(options, hands, rolled="b2", centre=centre), 0, "b2", TWOS, 2
        )
        assert {bomb for (bomb,) in of("pick", options, state)} == offered


def test_pick_with_an_easy_bomb_in_hand_or_none_in_the_centre():
    options = replace(TWO, pick="easy_if_hard", six_point_bombs="in")

    def offered(other: str, *centre: str) -> set[str]:
        hands = {0: {TWOS: "r2 k2 ."} | ({other: ""} if other else {})}
        state = position(options, hands, rolled="b2", centre=centre)
        return {each for (each,) in of("pick", options, take(options, state, 0, "b2", TWOS, 2))}

    assert offered(DIFF2, SUM7, FALLING, LINKS) == {SUM7, FALLING, LINKS}
    # The defused bomb isn't held any more.
    assert offered("", SUM7, LINKS) == {SUM7, LINKS}
    assert offered(SAME_NUMBER, SUM7, FALLING) == {SUM7, FALLING}
    assert offered(SAME_NUMBER, SUM7, LINKS) == {LINKS}
    # A 6 is neither held nor taken as hard.
    assert offered(PYRAMID, SUM7, LINKS) == {SUM7, LINKS}
    assert offered(TWINS, SUM7, MIXED) == {MIXED}


def test_an_unknown_bomb_is_as_hard_as_it_is_said_to_be():
    unknown = "px-stack3-bkr"
    for points, offered in ((2, {unknown, BG_YR_RB}), (4, {BG_YR_RB})):
        options = replace(TWO, pick="easy_if_hard", unknown_points=points)
        hands = {0: {TWOS: "r2 k2 .", SUM7: ""}}
        state = position(options, hands, rolled="b2", centre=(unknown, BG_YR_RB))
        state = take(options, state, 0, "b2", TWOS, 2)
        assert {bomb for (bomb,) in of("pick", options, state)} == offered


# Bombs that can't be finished


SPOIL = replace(TWO, placement="any_not_yet_violated")


def test_a_bomb_may_be_spoilt_and_cleared():
    state = centre_four({0: {FALL_FROM_4: "r4 . ."}, 1: {SUM7: "g1 ."}}, SPOIL, rolled="k1 k6")
    assert (0, "k1", FALL_FROM_4, 1) not in takers(TWO, state)
    assert ("clear", 0, FALL_FROM_4) not in fuse.moves(SPOIL, state)
    state = take(SPOIL, state, 0, "k1", FALL_FROM_4, 1)
    # No die can be taken, but the bomb may be cleared now.
    assert fuse.moves(SPOIL, state) == [("clear", 0, FALL_FROM_4), ("stop",)]
    bag = state.bag
    state = after(SPOIL, state, ("clear", 0, FALL_FROM_4))
    assert sum(state.bag) == sum(bag) + 2
    assert on_bomb(state, 0, FALL_FROM_4) == (None,) * 3
    assert state.phase == "take"
    assert takers(SPOIL, state) == {(0, "k6", FALL_FROM_4, 1), (0, "k6", FALL_FROM_4, 2)}


def test_clearing_is_no_take_and_not_for_others():
    hands = {0: {FALL_FROM_4: "r4 k1 ."}, 1: {SUM7: "g1 .", RISING: "r5 . . ."}}
    state = centre_four(hands, SPOIL, rolled="k2 k4")
    assert set(of("clear", SPOIL, state)) == {(0, FALL_FROM_4), (1, RISING)}
    state = after(SPOIL, state, ("clear", 0, FALL_FROM_4), ("clear", 1, RISING))
    assert state.taken == (0, 0)
    assert of("clear", SPOIL, state) == []


def test_clearing_when_no_die_is_left():
    state = centre_four({0: {FALL_FROM_4: "r4 . ."}}, SPOIL, rolled="k1")
    state = take(SPOIL, state, 0, "k1", FALL_FROM_4, 1)
    assert fuse.moves(SPOIL, state) == [("clear", 0, FALL_FROM_4), ("stop",)]
    assert after(SPOIL, state, ("stop",)).phase == "draw"
    assert after(SPOIL, state, ("clear", 0, FALL_FROM_4)).phase == "draw"


def test_an_empty_bomb_is_not_cleared():
    # Not even one that no faces finish: it would change nothing, again and again.
    card = replace(PRINTED[TWINS], relations=(("eq", "color", (0, 1)), ("ne", "color", (0, 1))))
    own = Options(deck=(card, PRINTED[SUM7]), placement="any_not_yet_violated")
    state = position(own, {0: {TWINS: ""}, 1: {SUM7: ""}}, centre=(), rolled="g3")
    assert of("clear", own, state) == []
    lying = position(own, {0: {TWINS: "r1 ."}, 1: {SUM7: ""}}, centre=(), rolled="g3")
    assert of("clear", own, lying) == [(0, TWINS)]


def test_no_clearing_where_bombs_stay_completable():
    state = centre_four({0: {FALL_FROM_4: "r4 k1 ."}}, rolled="k4 b4")
    assert of("clear", TWO, state) == []


def test_links_whole():
    hands = {0: {LINKS: "r1 r2 ."}}
    state = centre_four(hands, THREE, rolled="b2 r5 k1")
    assert takers(THREE, state) == {(0, "b2", LINKS, 2), (0, "r5", LINKS, 2)}
    whole = replace(THREE, same_number_or_color="whole")
    assert takers(whole, state) == {(0, "r5", LINKS, 2)}


# A lower die that isn't safe may go, and its slot is filled again


def test_an_empty_slot_under_dice():
    options = replace(TWO, covered_dice_safe=False)
    state = centre_four({0: {YRBG: ". r2 b3 ."}}, options, rolled="y1 g1 r1 b1")
    assert takers(options, state) == {(0, "y1", YRBG, 0), (0, "g1", YRBG, 3)}


# Fuse cards


def revealing(hands: dict[int, dict[str, str]], options: Options, **given: object) -> State:
    """Seat 0 has just picked a bomb; the deck has only fuse cards."""
    named = {"phase": "reveal", "centre": CENTRE[:3], "fuse_deck": (RED, BLACK)}
    return position(options, hands, **(named | given))


def test_a_fuse_card_hits_every_player_in_seat_order():
    hands = {0: {TWOS: "r2 k2 ."}, 1: {SUM7: "g3 r4"}, 2: {SAME_NUMBER: "r6 r6 ."}}
    hands[1] = {SUM7: "g3 ."}
    state = after(THREE, revealing(hands, THREE), RED)
    assert state.activated == (RED,)
    assert state.phase == "fuse"
    # Seat 1 has no red die.
    assert state.due == (0, 2)
    assert fuse.decider(state) == 0
    assert fuse.moves(THREE, state) == [("remove", 0, TWOS, 0)]
    state = after(THREE, state, ("remove", 0, TWOS, 0))
    assert fuse.decider(state) == 2
    assert set(fuse.moves(THREE, state)) == {
        ("remove", 2, SAME_NUMBER, 0),
        ("remove", 2, SAME_NUMBER, 1),
    }
    state = after(THREE, state, ("remove", 2, SAME_NUMBER, 1))
    assert on_bomb(state, 2, SAME_NUMBER) == dice("r6 . .")
    assert state.phase == "reveal"
    assert state.bag == (4, 5, 4, 5, 4)


def test_fuse_cards_in_a_row_until_the_deck_is_out():
    hands = {0: {TWOS: "r2 k2 ."}, 1: {SUM7: "g3 ."}}
    state = after(TWO, revealing(hands, TWO, rolled="r2 b3 b1 b4"), RED, ("remove", 0, TWOS, 0))
    assert fuse.outcomes(TWO, state) == [(BLACK, 1)]
    state = after(TWO, state, BLACK, ("remove", 0, TWOS, 1))
    assert state.phase == "take"
    assert state.activated == (RED, BLACK)
    assert len(state.centre) == 3
    # Fuse cards don't hit the dice that were rolled.
    assert len(state.rolled) == 4


def test_a_fuse_card_of_a_number():
    hands = {0: {TWOS: "r2 k2 ."}, 1: {SUM7: "g3 ."}}
    state = after(TWO, revealing(hands, TWO, fuse_deck=("fuse-number-3",)), "fuse-number-3")
    assert state.due == (1,)


def test_a_fuse_card_that_hits_nobody():
    state = after(TWO, revealing({0: {TWOS: "b2 g2 ."}}, TWO, deck=(DIFF2,)), RED)
    assert state.phase == "reveal"
    state = after(TWO, state, DIFF2)
    assert state.phase == "reveal"
    assert len(state.centre) == 4


def test_covered_dice_are_safe_from_fuse_cards():
    hands = {0: {YRBG: "y1 r1 . ."}, 1: {YRBG: "y1 r1 b1 ."}}
    state = after(TWO, revealing({0: hands[0], 1: {RISING: "r1 b2 . ."}}, TWO), RED)
    assert fuse.moves(TWO, state) == [("remove", 0, YRBG, 1)]
    assert state.due == (0,)
    unsafe = replace(TWO, covered_dice_safe=False)
    assert after(unsafe, revealing({1: {RISING: "r1 b2 . ."}}, TWO), RED).due == (1,)


def test_a_fuse_card_with_all_dice():
    options = replace(TWO, removal="all")
    hands = {0: {TWOS: "r2 r2 .", VALLEY: "r5 . ."}, 1: {SUM7: "g3 .", RISING: "r1 r2 . ."}}
    state = after(options, revealing(hands, options), RED)
    assert state.phase == "reveal"
    assert on_bomb(state, 0, TWOS) == dice(". . .")
    assert on_bomb(state, 0, VALLEY) == dice(". . .")
    assert on_bomb(state, 1, RISING) == dice("r1 . . .")
