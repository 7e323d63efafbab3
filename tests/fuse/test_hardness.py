"""Expected offers and rolls against plain recursions over the fillings themselves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from oddsmith.kernels.fuse_hand import Hand
from oddsmith.kernels.fuse_hardness import merged
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.fuse import hardness as exact
from oddsmith.solver.games.fuse.bombs import compiled
from oddsmith.solver.games.fuse.deck import load_deck
from oddsmith.solver.games.fuse.hardness import (
    all_expected,
    format_have,
    hardness,
    parse_have,
    rolls,
)
from tests.fuse.cards import beneath, cards, fitting

BY_ID = {bomb.id: bomb for bomb in load_deck("synthetic").bombs}


@cache
def solutions(name, whole=False):
    """All full fillings of a card."""
    n = len(cards()[name]["slots"])
    return [tuple(map(int, one)) for one in zip(*fitting(cards()[name], range(n), whole).nonzero(),
                                                strict=True)]


@cache
def partial(name, whole=False):
    """All partial fillings that can be finished."""
    n = len(cards()[name]["slots"])
    return {tuple(face if keep else None for face, keep in zip(full, mask, strict=True))
            for full in solutions(name, whole) for mask in product((0, 1), repeat=n)}


def placings(name, have, face, whole=False):
    """The fillings after a die is placed legally."""
    below = beneath(cards()[name])
    for slot, lying in enumerate(have):
        if lying is None and all(have[under] is not None for under in below.get(slot, ())):
            after = (*have[:slot], face, *have[slot + 1:])
            if after in partial(name, whole):
                yield after


def by_iteration(name, offer, whole=False, start=None):
    """Expected offers from each filling, as fractions, by the definition: the fixed point of
    v = 1 + mean of min(v, what a die leads to), reached from above in finitely many steps."""
    values = {}

    def value(have):
        if have in values:
            return values[have]
        if None not in have:
            values[have] = Fraction(0)
            return values[have]
        used = Counter(face // 6 for face in have if face is not None)
        options = []
        for face in range(30):
            weight = 1 if offer == "uniform" else 5 - used[face // 6]
            after = [value(one) for one in placings(name, have, face, whole)] if weight else []
            if after:
                options.append((weight, min(after)))
        total = 30 if offer == "uniform" else 6 * (25 - sum(used.values()))
        v = None
        while True:
            taken = [(w, x) for w, x in options if v is None or x < v]
            new = (total + sum(w * x for w, x in taken)) / Fraction(sum(w for w, _ in taken))
            if v is not None and new >= v:
                break
            v = new
        values[have] = v
        return v

    value(start or (None,) * len(cards()[name]["slots"]))
    return values


FEW = [name for name in BY_ID if len(cards()[name]["slots"]) <= 4
       and fitting(cards()[name], range(len(cards()[name]["slots"]))).sum() <= 2000]


def test_there_are_enough_plain_cases():
    assert len(FEW) >= 25
    assert {len(cards()[name]["slots"]) for name in FEW} == {2, 3, 4}


@pytest.mark.parametrize("offer", ["uniform", "bag"])
@pytest.mark.parametrize("name", FEW)
def test_expected_offers_from_every_filling(name, offer):
    bomb = BY_ID[name]
    told = by_iteration(name, offer)
    for have in sorted(told, key=str)[:: max(1, len(told) // 40)]:
        assert hardness(bomb, have, offer, 1).expected == told[have]
    if offer == "uniform":
        number, _, _ = merged(compiled((bomb,)), 0)
        deck, values = compiled((bomb,)), all_expected(bomb)
        for have, value in told.items():
            cls = deck.class_of(0, have)
            assert values[number[cls]] == value
            assert deck.offers(0, cls) == pytest.approx(float(value), rel=1e-13)


def test_whole_is_harder():
    bomb = BY_ID["p2-same-num-or-colour3"]
    assert hardness(bomb, whole=True).expected > hardness(bomb).expected
    start = (0, 1, None)  # r1 r2: the third must be red by `whole`; red or a 2 by links
    told = by_iteration(bomb.id, "uniform", True, start)[start]
    assert hardness(bomb, start, whole=True).expected == told == 5
    assert hardness(bomb, start).expected == 3


@pytest.mark.parametrize("offer", ["uniform", "bag"])
@pytest.mark.parametrize("name", ["p1-bg-yr-rb", "p3-rk-b2-sum7", "p4-stack4-yrbg", "px-r2-gb-36",
                                  "px-pyr3-g-3-k"])
def test_chances_within_some_offers(name, offer):
    @cache
    def chance(have, n):
        if None not in have:
            return Fraction(1)
        if n == 0:
            return Fraction(0)
        used = Counter(face // 6 for face in have if face is not None)
        total, found = 0, Fraction(0)
        for face in range(30):
            weight = 1 if offer == "uniform" else 5 - used[face // 6]
            total += weight
            if weight:
                found += weight * max(chance(have, n - 1),
                                      *(chance(one, n - 1) for one in placings(name, have, face)),
                                      Fraction(0))
        return found / total

    # From the fifth offer on it may pay to decline a die that fits.
    told = hardness(BY_ID[name], (), offer, 6).within
    assert told == tuple(chance((None,) * len(BY_ID[name].slots), n) for n in range(1, 7))


def test_chances_and_dice_to_take():
    bomb = BY_ID["p4-222"]
    told = hardness(bomb)
    assert told.within[-1] >= Fraction(9, 10) > told.within[-2]
    assert list(told.within) == sorted(told.within)
    assert told.within[2] == Fraction(1, 216)
    assert [(one.faces, one.slot, one.then) for one in told.taken] == [((1, 7, 13, 19, 25), 0, 12)]
    # A valley of # > # < #: a 1 in the middle is worth most; nobody takes a 6 there.
    valley = hardness(BY_ID["p1-valley"])
    assert valley.taken[0].faces == (0, 6, 12, 18, 24)
    assert valley.taken[0].slot == 1
    assert {face % 6 for one in valley.taken if one.slot == 1 for face in one.faces} < {0, 1, 2}
    full = hardness(bomb, (1, 7, 13))
    assert (full.expected, full.within, full.taken) == (0, (1,), ())
    assert len(hardness(bomb, n=300).within) == 300


def test_the_bag_runs_low():
    # Four of a colour: each one that lies there is missing in the bag.
    told = hardness(BY_ID["p4-same-colour4"], (0, 1, 2, None), "bag", 1)
    assert told.expected == Fraction(22 * 6, 2 * 6)
    assert told.within == (Fraction(1, 11),)
    uniform = hardness(BY_ID["p4-same-colour4"], (0, 1, 2, None), "uniform", 1)
    assert uniform.expected == 5


def test_what_lies_on_a_bomb():
    bomb = BY_ID["p4-stack4-asc"]
    assert parse_have(bomb, "r2 k3") == (1, 26, None, None)
    assert format_have(parse_have(bomb, "r2 k3")) == "r2 k3"
    assert parse_have(bomb, "") == (None,) * 4
    for text, what in (("r2 r3 r4 r5 r6", "5 slots"), ("x", "no die")):
        with pytest.raises(InputError, match=what):
            parse_have(bomb, text)
    for name, text, what in (
        ("p4-stack4-asc", "- r3", "no die can lie on slot 2"),
        ("p4-stack4-asc", "r5", "can't be finished"),
        ("p4-222", "- r3", "r3 doesn't fit slot 2 of p4-222"),
    ):
        with pytest.raises(InputError, match=what):
            hardness(BY_ID[name], parse_have(BY_ID[name], text))


# Several bombs -----------------------------------------------------------------------------------


def plain_rolls(names, dice, starts=None):
    """Expected rolls of a hand by the definition: every ordered roll, every placing."""
    decks = [compiled((BY_ID[name],)) for name in names]
    rows = [[deck.row(0, cls) for cls in range(deck.n_classes(0))] for deck in decks]
    values, total = {}, 30**dice

    @cache
    def after(state):
        """face -> states after it is placed."""
        found = [set() for _ in range(30)]
        for k, cls in enumerate(state):
            for row in rows[k][cls]:
                for face, then in enumerate(row):
                    if then >= 0:
                        found[face].add((*state[:k], then, *state[k + 1:]))
        return found

    def reach(state, roll):
        states = {state}
        front = {(state, roll)}
        while front:
            new = set()
            for here, rest in front:
                for i, face in enumerate(rest):
                    for then in after(here)[face]:
                        new.add((then, rest[:i] + rest[i + 1:]))
            states |= {here for here, _ in new}
            front = new
        return states - {state}

    def value(state):
        if state not in values:
            options = []
            if any(after(state)):
                for roll, weight in Counter(
                        tuple(sorted(one)) for one in product(range(30), repeat=dice)).items():
                    found = [value(one) for one in reach(state, roll)]
                    if found:
                        options.append((weight, min(found)))
            v = Fraction(0)
            if options:
                options.sort(key=lambda option: option[1])
                v, wait, used = None, Fraction(total), 0
                for weight, then in options:
                    if v is not None and then >= v:
                        break
                    wait, used = wait + weight * then, used + weight
                    v = wait / used
            values[state] = v
        return values[state]

    return value(tuple(starts or (0,) * len(names)))


@pytest.mark.parametrize(("names", "dice"), [
    (("p1-bg-yr-rb", "px-r2-gb-36"), 1),
    (("p1-bg-yr-rb", "px-r2-gb-36"), 2),
    (("p4-stack4-yrbg", "p3-stack3-3-g-y1"), 2),
    (("p4-222", "p3-rk-b2-sum7"), 2),
    (("p4-stack4-asc", "p4-stack4-yrbg"), 2),
    (("p6-pyr6-colours", "px-pyr3-g-3-k"), 1),
    (("px-stack3-bkr", "px-pyr3-g-3-k"), 3),
    (("p3-same-num3", "p4-222"), 1),
    (("p4-twins", "p1-diff2"), 1),
    (("p4-222", "p4-222"), 2),
    (("p2-b-3-g6",), 3),
    (("p1-diff2", "px-stack3-bkr", "p4-222"), 1),
])
def test_expected_rolls(names, dice):
    told = rolls([BY_ID[name] for name in names], dice)
    assert told.expected == plain_rolls(names, dice)
    assert told.error == 0


def test_expected_rolls_of_bombs_begun():
    bombs = [BY_ID["p1-bg-yr-rb"], BY_ID["p4-stack4-yrbg"]]
    haves = [parse_have(bombs[0], "- r1"), parse_have(bombs[1], "y1 r1")]
    starts = [compiled((bomb,)).class_of(0, have) for bomb, have in zip(bombs, haves, strict=True)]
    assert rolls(bombs, 2, haves).expected == plain_rolls([bomb.id for bomb in bombs], 2, starts)
    assert rolls(bombs, 2, [(), ()]).expected == rolls(bombs, 2).expected
    full = [parse_have(bombs[0], "b1 r1 r2"), parse_have(bombs[1], "y1 r1 b1 g1")]
    assert rolls(bombs, 2, full).expected == 0


def test_one_die_a_roll_is_one_offer():
    for name in ("p2-same-num-or-colour3", "p1-colour-ne-chain4", "p6-pyr6-mixed"):
        assert rolls([BY_ID[name]], 1).expected == hardness(BY_ID[name]).expected


def test_more_dice_and_fewer_bombs_are_quicker():
    two = [BY_ID["p2-two-sums"], BY_ID["p1-num-both-colour"]]
    told = [rolls(two, dice).expected for dice in (1, 2, 3)]
    assert told == sorted(told, reverse=True)
    alone = [rolls([bomb], 2).expected for bomb in two]
    assert max(alone) < told[1] < sum(alone)
    assert rolls(two[::-1], 2).expected == told[1]


def test_floats_are_as_near_as_they_say(monkeypatch):
    names = ["p1-valley", "p2-two-sums", "p4-stack4-asc", "p3-rk-b2-sum7"]
    for pair in product(names, repeat=2):
        bombs = [BY_ID[name] for name in pair]
        proven = rolls(bombs, 3).expected
        assert isinstance(proven, Fraction)
        monkeypatch.setattr(exact, "EXACT_TARGETS", 0)
        rough = rolls(bombs, 3)
        monkeypatch.undo()
        assert isinstance(rough.expected, float)
        assert 0 < rough.error < 1e-10
        assert abs(Fraction(rough.expected) - proven) <= Fraction(rough.error)


def test_floats_that_put_states_in_the_wrong_order_prove_nothing():
    class Doubtful:
        def __init__(self, values):
            self.values = values

        def ways(self):
            low, high = self.values
            yield 3, [], 0.0
            yield 2, [(3, 10)], low
            yield 1, [(3, 9)], high
            yield 0, [(1, 20), (2, 5)], 99.0

    right = exact._exactly(Doubtful((3.0, 3.3)), 30)
    assert right == (30 + 20 * Fraction(30, 9) + 5 * Fraction(3)) / 25
    assert exact._exactly(Doubtful((3.4, 3.3)), 30) is None
    assert exact._exactly(Doubtful((3.3, 3.3)), 30) is None


def test_what_a_hand_refuses():
    bombs = list(BY_ID.values())
    for some, dice in (([], 1), (bombs[:5], 1), (bombs[:1], 0), (bombs[:1], 7)):
        with pytest.raises(InputError, match=r"hand of|dice a roll"):
            rolls(some, dice)
    hard = [BY_ID[name] for name in ("p2-same-num-or-colour3", "p1-num-both-colour",
                                     "p1-pair-colour-pair-number", "p1-colour-ne-chain4")]
    with pytest.raises(TooLarge) as caught:
        rolls(hard, 2)
    assert "states" in caught.value.estimate
    odd = [BY_ID[name] for name in ("p1-valley", "p3-gy-rb-sum7", "p3-rk-b2-sum7", "p2-two-sums")]
    with pytest.raises(TooLarge) as caught:
        rolls(odd, 1)
    assert caught.value.estimate == f"up to {22 * 14 * 14 * 31:,} states"
    with pytest.raises(TooLarge, match="at once") as caught:
        rolls(hard[:2], 3, most=1000)
    assert "rolls" in caught.value.estimate
    deck = compiled((BY_ID["p4-222"],))
    with pytest.raises(ValueError, match="1 to 4"):
        Hand(deck, [], [], 1)
    with pytest.raises(ValueError, match="dice"):
        Hand(deck, [0], [0], 7)
    with pytest.raises(ValueError, match="can't be finished"):
        Hand(deck, [0], [99], 1)
    with pytest.raises(IndexError):
        Hand(deck, [1], [0], 1)
