"""Golden values of dice, tools and payments; icepool as an independent oracle."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import icepool
import numpy as np
import pytest

from oddsmith.kernels.stone_age_dice import fill_tables, sum_ways
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.stone_age import (
    SplitQuestion,
    fewest_people,
    gift_shares,
    split,
    yields,
)
from oddsmith.solver.games.stone_age.rules import DIVISORS

F = Fraction


def fraction(distribution):
    """An icepool die as value -> probability."""
    return {int(k): F(n, distribution.denominator()) for k, n in distribution.items()}


def test_sums_of_three_dice():
    assert sum_ways(3) == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]


@pytest.mark.parametrize(("what", "means"), [
    ("brick", "1/2 49/36 487/216 4049/1296 4 113725/23328 402407/69984"),
    ("stone", "1/3 1 367/216 1555/648 12053/3888 177293/46656 9/2"),
])
def test_mean_yields(what, means):
    assert [yields(n, what).mean() for n in range(1, 8)] == [F(one) for one in means.split()]


@pytest.mark.parametrize(("what", "d"), [("food", 2), ("wood", 3), ("gold", 6)])
def test_the_simple_formula_is_exact_for_2_3_6(what, d):
    for n in range(1, 11):
        for t in range(13):
            assert yields(n, what, t).mean() == (F(7, 2) * n + t - F(d - 1, 2)) / d


def test_four_wood():
    chances = [yields(n, "wood").p_where(lambda k: k >= 4) for n in (2, 3, 4, 5)]
    assert [round(float(p), 6) for p in chances] == [0.027778, 0.375, 0.760802, 0.941229]
    assert fewest_people("wood", 4, F(7, 10)) == (4, F(493, 648))
    assert fewest_people("gold", 99, F(1, 2)) is None


@pytest.mark.parametrize("n", range(1, 11))
def test_yields_agree_with_icepool(n):
    for what, d in DIVISORS.items():
        for t in (0, 1, 5, 12):
            expected = fraction((n @ icepool.d6 + t) // d)
            found = yields(n, what, t)
            assert {k: found.p(k) for k in found.outcomes} == expected


def test_all_tables():
    out = np.zeros((10, 4, 13, 25), np.uint32)
    fill_tables(out)
    for n in range(1, 11):
        for d, what in zip(range(3, 7), ("wood", "brick", "stone", "gold"), strict=True):
            for t in range(13):
                found = yields(n, what, t)
                row = [int(found.p(k) * 6**n) for k in range(25)]
                assert out[n - 1, d - 3, t].tolist() == row


def ask(rolls, tools=(), **more):
    return split(SplitQuestion(rolls=rolls, tools=tools, **more))[0]


WOOD, GOLD = (4, "wood"), (3, "gold")


def test_splits_in_a_fixed_order():
    assert ask((WOOD, GOLD), (2, 3, 4), fixed=True) == 31
    assert ask((GOLD, WOOD), (2, 3, 4), fixed=True) == F(65, 2)
    assert ask(((5, "food"), (2, "stone")), (1, 2, 2), fixed=True) == F(661, 24)


def test_the_best_order_is_found():
    assert ask((WOOD, GOLD), (2, 3, 4)) == F(65, 2)
    assert ask((WOOD,), (), values=(1,) * 5) == yields(4, "wood").mean()


def by_icepool(rolls, tools, values):
    """The value of a split in a fixed order, straight from its definition."""
    if not rolls:
        return F(0)
    (n, what), *rest = rolls
    total = F(0)
    later = {used: by_icepool(rest, tuple(left), values) for used, left in subsets(tools)}
    for pips, p in fraction(n @ icepool.d6).items():
        total += p * max(values[what] * ((pips + sum(used)) // DIVISORS[what]) + worth
                         for used, worth in later.items())
    return total


def subsets(tools):
    for size in range(len(tools) + 1):
        for chosen in combinations(range(len(tools)), size):
            yield (tuple(tools[k] for k in chosen),
                   [tools[k] for k in range(len(tools)) if k not in chosen])


@pytest.mark.parametrize(("rolls", "tools"), [
    (((2, "food"), (2, "brick")), (1, 2)), (((1, "stone"), (3, "wood"), (2, "gold")), (2, 3, 3)),
    (((3, "gold"), (3, "gold")), (4, 4, 4)), (((1, "food"),), ()),
])
def test_splits_agree_with_icepool(rolls, tools):
    values = dict(zip(DIVISORS, (2, 3, 4, 5, 6), strict=True))
    assert ask(rolls, tools, fixed=True) == by_icepool(rolls, tools, values)


def test_targets():
    alone = [yields(*WOOD).p_where(lambda k: k >= 4), yields(*GOLD).p_where(lambda k: k >= 1)]
    both = (("wood", 4), ("gold", 1))
    assert ask((WOOD, GOLD), (), target=both) == alone[0] * alone[1]
    # A tool of 2 goes to whichever roll needs it.
    helped = ask((WOOD, GOLD), (2,), target=both)
    assert alone[0] * alone[1] < helped < 1
    # Two rolls of one good add up.
    two = ask(((1, "wood"), (1, "wood")), (), target=(("wood", 3),))
    pips = [(a // 3 + b // 3) >= 3 for a in range(1, 7) for b in range(1, 7)]
    assert two == F(sum(pips), 36)


def test_the_policy_reaches_its_value():
    """Following the policy from its start gives the value that is told."""
    asked = SplitQuestion(rolls=(WOOD, (2, "stone"), (2, "food")), tools=(1, 2), one_use=(3,))
    best, policy = split(asked)
    tools = (*asked.tools, *asked.one_use)
    values = dict(zip(DIVISORS, asked.values, strict=True))
    choices = {(one.left, one.tools): one for one in policy}

    def follow(left, held):
        if not left:
            return F(0)
        one = choices[left, held]
        n, what = asked.rolls[one.roll]
        rest = tuple(k for k in left if k != one.roll)
        total = F(0)
        for low, high, used, _ in one.uses:
            after = follow(rest, tuple(k for k in held if k not in used))
            for pips in range(low, high + 1):
                goods = (pips + sum(tools[k] for k in used)) // DIVISORS[what]
                total += F(sum_ways(n)[pips - n], 6**n) * (goods * values[what] + after)
        return total

    assert follow((0, 1, 2), (0, 1, 2)) == best


def test_gifts():
    shares = gift_shares(2, [6, 5, 4, 3, 2, 1])
    assert shares[0].p(6) == F(11, 36)
    assert shares[1].p(6) == F(1, 36)
    for n in (2, 3, 4):
        for seat, found in enumerate(gift_shares(n, [6, 5, 4, 3, 2, 1])):
            expected = fraction(icepool.d6.keep(n, n - 1 - seat))
            assert {k: found.p(k) for k in found.outcomes} == expected
    assert gift_shares(3, [1, 2, 3, 4, 5, 6])[0].p(1) == 1 - F(5, 6) ** 3


def test_bad_questions():
    with pytest.raises(InputError, match="11 people"):
        yields(11, "wood")
    with pytest.raises(InputError, match="did you mean stone"):
        yields(3, "stome")
    with pytest.raises(InputError, match="no roll brings gold"):
        ask((WOOD,), target=(("gold", 1),))
    with pytest.raises(InputError, match="6 rolls"):
        ask((WOOD,) * 6)
    with pytest.raises(TooLarge):
        ask(((10, "food"),) * 5)
    with pytest.raises(TooLarge):
        ask((WOOD, GOLD, (2, "stone")), target=(("wood", 99), ("gold", 99), ("stone", 99)))
