"""Tests of the FUSE reference: the bomb cards by themselves."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from .fuse_bombs import (
    COLORS,
    FACES,
    FUSES,
    PRINTED,
    Bomb,
    Die,
    accepts,
    buildable,
    can_place,
    completable,
    covered,
    expected_offers,
    fillings,
    not_violated,
    put,
    read_bomb,
    solvable,
)
from .fuse_cases import (
    B_3_G6,
    BG_YR_RB,
    DIFF2,
    DOUBLE,
    FALL_FROM_4,
    FALLING,
    K1_K2_K3,
    LINKS,
    MIXED,
    NE_CHAIN,
    NUM_BOTH_COLOR,
    PAIRS,
    PYRAMID,
    RISING,
    SAME_COLOR,
    SAME_NUMBER,
    STACK5,
    SUM7,
    TWINS,
    TWO_SUMS,
    TWOS,
    UNKNOWN_PYRAMID,
    VALLEY,
    YRBG,
    dice,
    die,
)
from .fuse_decks import SIX_POINT_BOMBS, documented, faults_of_deck, synthetic

GOLDEN_OFFERS = {
    TWOS: Fraction(18),
    TWINS: Fraction(31),
    YRBG: Fraction(20),
    SAME_NUMBER: Fraction(13),
    SAME_COLOR: Fraction(16),
    VALLEY: Fraction(1369, 360),
    RISING: Fraction(113, 8),
}


def places(bomb: str, lying: str, shown: str, **how: object) -> list[int]:
    """The slots of the bomb that this die may be placed on."""
    card = PRINTED[bomb]
    on_it = dice(lying)
    return [s for s in range(len(on_it)) if can_place(card, on_it, s, die(shown), **how)]


@pytest.mark.parametrize("bomb", GOLDEN_OFFERS)
def test_expected_offers_are_the_golden_ones(bomb):
    assert expected_offers(PRINTED[bomb]) == GOLDEN_OFFERS[bomb]


@pytest.mark.parametrize("bomb", [TWOS, TWINS, YRBG, VALLEY, DIFF2, SUM7])
def test_who_may_spoil_a_bomb_needs_no_fewer_offers(bomb):
    card = PRINTED[bomb]
    assert expected_offers(card, "any_not_yet_violated") == expected_offers(card)


def test_an_offer_is_declined_where_that_is_better():
    # 4 > # > #: a 2 in the middle leaves a sixth of the faces, a 3 a third.
    # Last die after a 3: 30/10 = 3 offers, after a 2: 6. The 4 (5 faces) and the rest in any order.
    value = expected_offers(PRINTED[FALL_FROM_4])
    forced = Fraction(30, 5) + Fraction(30, 10) + Fraction(3 + 6, 2)
    assert value is not None
    assert value < forced


def test_a_card_that_cannot_be_finished_has_no_expected_offers():
    impossible = read_bomb(
        {"id": "x", "points": 1, "layout": "row", "slots": [[{"number": [1]}], [{"number": [2]}]]}
        | {"relations": [{"op": "eq", "attr": "number", "slots": [0, 1]}]}
    )
    assert expected_offers(impossible) is None
    assert expected_offers(impossible, "any_not_yet_violated") is None
    assert not solvable(impossible)


@pytest.mark.parametrize(
    ("bomb", "number"),
    [
        (BG_YR_RB, 1728),
        (SAME_NUMBER, 750),
        (TWINS, 30),
        (SUM7, 24),
        (DIFF2, 4 * 25),
        (FALL_FROM_4, 5 * 3 * 25),
        (K1_K2_K3, 1000),
        (B_3_G6, 6 * 5),
        (NUM_BOTH_COLOR, 30 * 5 * 6),
        (LINKS, 30 * 10 * 10),
        (PYRAMID, 6**6),
    ],
)
def test_ordered_fillings(bomb, number):
    assert fillings(PRINTED[bomb]) == number


def test_ordered_fillings_by_trying_all_faces():
    for card in documented():
        if len(card.slots) < 4:
            number = sum(
                all(accepts(card, slot, face) for slot, face in enumerate(faces))
                and not_violated(card, faces)
                for faces in product(FACES, repeat=len(card.slots))
            )
            assert fillings(card) == number


def test_links_as_a_whole_are_all_by_number_or_all_by_colour():
    card = PRINTED[LINKS]
    assert fillings(card, whole=True) == 6 * 125 + 5 * 216 - 30
    assert places(LINKS, "r1 r2 .", "b2") == [2]
    assert places(LINKS, "r1 r2 .", "b2", whole=True) == []
    assert places(LINKS, "r1 r2 .", "r3", whole=True) == [2]
    assert places(LINKS, "r1 r1 .", "b1", whole=True) == [2]
    # Far apart: something between them may still do.
    assert places(LINKS, "r1 . .", "b2") == [2]
    assert places(LINKS, "r1 . .", "b2", whole=True) == []


def test_links_that_do_not_hang_together_are_no_whole():
    link = {"op": "any_of", "of": [[{"op": "eq", "attr": a}] for a in ("number", "color")]}

    def linked(*slots: int) -> dict[str, object]:
        return link | {"of": [[each[0] | {"slots": list(slots)}] for each in link["of"]]}

    two = {"id": "x", "points": 1, "layout": "two_rows", "slots": [[{}]] * 4}
    apart = read_bomb(two | {"relations": [linked(0, 1), linked(2, 3)]})
    lying = dice("r1 r2 b3 k3")
    assert completable(apart, lying, whole=True)
    chain = read_bomb(two | {"relations": [linked(0, 1), linked(2, 3), linked(1, 2)]})
    # by colour, by number, by number
    assert completable(chain, dice("r1 r3 b3 k3"))
    assert not completable(chain, dice("r1 r3 b3 k3"), whole=True)


@pytest.mark.parametrize(
    ("bomb", "lying", "shown", "slots"),
    [
        # colours, numbers, both, split slots
        (BG_YR_RB, ". . .", "b1", [0, 2]),
        (BG_YR_RB, ". . .", "r1", [1, 2]),
        (BG_YR_RB, ". . .", "k1", []),
        (B_3_G6, ". . .", "g3", [1]),
        (B_3_G6, ". . .", "g6", [2]),
        (B_3_G6, ". . .", "b3", [0, 1]),
        (K1_K2_K3, ". . .", "k4", [0, 1, 2]),
        (K1_K2_K3, ". . .", "r3", [2]),
        # signs refer to the neighbouring dice
        (NE_CHAIN, "r1 . . .", "r2", [2, 3]),
        (NE_CHAIN, "r1 . r2 .", "b2", [1, 3]),
        (PAIRS, "r1 . . .", "r2", [1, 2, 3]),
        (PAIRS, "r1 . . .", "b2", [2, 3]),
        (PAIRS, "r1 . g3 .", "b3", [3]),
        (NUM_BOTH_COLOR, ". r3 .", "b3", [0]),
        (NUM_BOTH_COLOR, ". r3 .", "r1", [2]),
        (NUM_BOTH_COLOR, ". r3 .", "r3", [0, 2]),
        (DIFF2, ". .", "r2", [1]),
        (DIFF2, ". .", "r3", [0, 1]),
        (DIFF2, ". .", "r5", [0]),
        (DIFF2, "k5 .", "r3", [1]),
        (DIFF2, "k5 .", "r2", []),
        (VALLEY, ". . .", "r1", [1]),
        (VALLEY, ". . .", "r6", [0, 2]),
        (VALLEY, "k3 . .", "r3", [2]),
        (FALL_FROM_4, ". . .", "r4", [0]),
        (FALL_FROM_4, ". . .", "r1", [2]),
        (FALL_FROM_4, ". . .", "r3", [1]),
        (TWO_SUMS, "r1 r1 . .", "b2", []),
        (TWO_SUMS, "r1 r1 . .", "b1", [2, 3]),
        (TWO_SUMS, "r1 . . .", "b6", [1, 2, 3]),
        (TWO_SUMS, "r1 . b6 .", "b6", [1]),
        (SUM7, ". .", "g6", [0]),
        (SUM7, "g6 .", "r1", [1]),
        (SUM7, "g6 .", "r2", []),
        (TWINS, "g6 .", "g6", [1]),
        (TWINS, "g6 .", "g5", []),
        (SAME_NUMBER, "g6 . .", "k5", []),
        # from the bottom up, and a rising stack needs room above
        (YRBG, ". . . .", "r1", []),
        (YRBG, ". . . .", "y1", [0]),
        (YRBG, "y1 . . .", "r1", [1]),
        (RISING, ". . . .", "r3", [0]),
        (RISING, ". . . .", "r4", []),
        (FALLING, ". . . .", "r4", [0]),
        (FALLING, ". . . .", "r3", []),
        (STACK5, "r1 r1 . . .", "y1", [2]),
        (STACK5, "r1 r1 . . .", "y2", []),
        (UNKNOWN_PYRAMID, ". . .", "k3", [1]),
        (UNKNOWN_PYRAMID, "g1 b3 .", "k3", [2]),
        (UNKNOWN_PYRAMID, "g1 . .", "k3", [1]),
        (PYRAMID, "k1 r1 . . . .", "b1", [3]),
        (PYRAMID, "k1 r1 . . . .", "g1", []),
        (PYRAMID, "k1 r1 k1 b1 . .", "y1", []),
        (PYRAMID, "k1 r1 k1 b1 g1 .", "y1", [5]),
        (DOUBLE, ". . . . . .", "r1", [0, 3]),
        (DOUBLE, "r1 . . . . .", "g5", [1]),
        (DOUBLE, "r1 . . r1 . .", "g5", [1, 4]),
    ],
)
def test_where_a_die_may_be_placed(bomb, lying, shown, slots):
    assert places(bomb, lying, shown) == slots


@pytest.mark.parametrize(
    ("bomb", "lying", "shown", "slots"),
    [
        (VALLEY, ". . .", "r1", [0, 1, 2]),
        (VALLEY, "k3 . .", "r3", [2]),
        (FALL_FROM_4, "r4 . .", "k1", [1, 2]),
        (RISING, ". . . .", "r6", [0]),
        (RISING, "r6 . . .", "r6", []),
        (TWO_SUMS, "r1 r1 . .", "b6", [2, 3]),
        (TWO_SUMS, "r1 r1 b6 .", "b6", []),
        (DIFF2, ". .", "r1", [0, 1]),
        (DIFF2, "r1 .", "r1", []),
        (SAME_NUMBER, "g6 . .", "k5", []),
        (TWINS, "g6 .", "g5", []),
        (B_3_G6, ". . .", "k1", []),
        (YRBG, ". . . .", "r1", []),
    ],
)
def test_where_a_die_violates_nothing_yet(bomb, lying, shown, slots):
    assert places(bomb, lying, shown, placement="any_not_yet_violated") == slots


def test_at_most_five_dice_of_a_colour_finish_a_bomb():
    lying = dice("k1 k1 k2 k3 . .")
    card = PRINTED[MIXED]
    assert can_place(card, lying, 4, die("k4"))
    five = put(lying, 4, die("k4"))
    assert can_place(card, five, 5, die("y4"))
    assert accepts(card, 5, die("k5"))
    assert not can_place(card, five, 5, die("k5"))
    assert can_place(card, five, 5, die("k5"), "any_not_yet_violated")
    assert completable(card, put(five, 5, die("k5")), limited=False)
    allowed = dice("k1 k3 k2 k3 g1 .")
    assert can_place(card, allowed, 5, die("k5"))


def test_sixth_die_of_a_colour_is_not_counted_among_the_fillings():
    six = {"id": "x", "points": 6, "layout": "row", "slots": [[{"number": [1]}]] * 6}
    card = read_bomb(six)
    assert fillings(card) == 5**6 - 5
    assert fillings(card, limited=False) == 5**6
    alike = read_bomb(six | {"relations": [{"op": "eq", "attr": "color", "slots": list(range(6))}]})
    assert not solvable(alike)
    assert fillings(alike, limited=False) == 5


def test_what_is_covered():
    stack = PRINTED[YRBG]
    lying = dice("y1 r1 b1 .")
    assert [covered(stack, lying, slot) for slot in range(4)] == [True, True, False, False]
    pyramid, lying = PRINTED[PYRAMID], dice("k1 r1 k2 b1 . .")
    assert [covered(pyramid, lying, slot) for slot in range(6)] == [True, True, *[False] * 4]
    double, lying = PRINTED[DOUBLE], dice("r1 . . r1 g1 .")
    assert [covered(double, lying, slot) for slot in range(6)] == [*[False] * 3, True, False, False]


def test_neighbours_of_a_longer_unequal_sign_all_differ():
    card = read_bomb(
        {"id": "x", "points": 1, "layout": "row", "slots": [[{}]] * 3}
        | {"relations": [{"op": "ne", "attr": "number", "slots": [0, 1, 2]}]}
    )
    assert fillings(card) == 6 * 5 * 4 * 125
    assert not can_place(card, dice("r1 . ."), 2, die("b1"), "any_not_yet_violated")


@pytest.mark.parametrize(
    ("comparison", "pairs"), [("==", 6), ("!=", 30), (">", 15), ("<", 15), (">=", 21), ("<=", 21)]
)
def test_comparisons(comparison, pairs):
    sign = {"op": "linear", "slots": [0, 1], "coef": [1, -1], "cmp": comparison, "rhs": 0}
    card = {"id": "x", "points": 1, "layout": "row", "slots": [[{"color": ["red"]}]] * 2}
    assert fillings(read_bomb(card | {"relations": [sign]})) == pairs


def test_card_data():
    assert len(PRINTED) == 33
    assert [bomb.id for bomb in PRINTED.values() if bomb.doubtful] == ["px-same-num-or-colour2"]
    assert len(documented()) == 32
    assert sum(bomb.points is None for bomb in PRINTED.values()) == 4
    assert {(fuse.color, fuse.number) for fuse in FUSES.values()} == {
        *((color, None) for color in COLORS),
        *((None, number) for number in range(1, 7)),
    }
    for bomb in PRINTED.values():
        assert solvable(bomb), bomb.id
        if bomb.points is not None:
            assert bomb.id.startswith(f"p{bomb.points}-")


def test_slots_may_be_written_as_in_the_schema():
    entry = {"id": "x", "points": None, "layout": "stack", "supports": {"1": [0]}}
    slots = [[{"color": ["red"]}], [{"number": [1]}, {"color": ["blue"]}]]
    short = read_bomb(entry | {"slots": slots, "relations": []})
    assert short == read_bomb(entry | {"slots": [{"accept": each} for each in slots]})
    assert short.supports == ((), (0,))


def ring() -> Bomb:
    return replace(PRINTED[TWINS], id="ring", supports=((1,), (0,)))


def test_slots_that_rest_on_each_other_cannot_be_built():
    assert not buildable(ring())
    assert not solvable(ring())
    assert buildable(PRINTED[PYRAMID])


def test_a_whole_deck():
    deck = synthetic()
    assert faults_of_deck(deck) == []
    assert sum(bomb.points == 6 for bomb in deck) == SIX_POINT_BOMBS
    made = [bomb for bomb in deck if bomb not in documented()]
    assert len(made) == 22
    assert all(bomb.id.startswith("synthetic-") for bomb in made)


def test_faults_of_a_deck():
    deck = synthetic()
    assert faults_of_deck(deck[:-1]) == ["53 cards, not 54"]
    doubled = (*deck[:-1], replace(deck[0], id="other name"))
    assert faults_of_deck(doubled) == [f"{deck[0].id} and other name are the same"]
    assert faults_of_deck((*deck[:-1], ring())) == ["ring can't be solved"]
    sixth = next(bomb for bomb in deck if bomb.points != 6)
    six = tuple(replace(bomb, points=6) if bomb is sixth else bomb for bomb in deck)
    assert faults_of_deck(six) == ["not five cards worth 6"]


def test_dice_are_named():
    shown: Die = die("k5")
    assert shown == ("black", 5)
    assert dice("r1 . g3") == (("red", 1), None, ("green", 3))
