"""Exact distributions against enumeration, published tables and icepool."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.solver.errors import InputError
from oddsmith.solver.odds import (
    Distribution,
    die,
    draw,
    format_fraction,
    from_weights,
    hypergeometric,
    mixture,
    parse_fraction,
    uniform,
)

settings.register_profile("no deadline", deadline=None)  # a busy machine is no fault
settings.load_profile("no deadline")

WEIGHTS = st.dictionaries(
    st.integers(-5, 5), st.integers(0, 10**20), min_size=1, max_size=5
).filter(lambda weights: any(weights.values()))
ANY = WEIGHTS.map(Distribution)


def check(distribution: Distribution[Any]) -> None:
    """What holds of every distribution."""
    assert distribution.total == sum(distribution.weights)
    assert math.gcd(*distribution.weights) == 1
    assert min(distribution.weights) > 0
    assert list(distribution.outcomes) == sorted(set(distribution.outcomes))
    assert sum(map(distribution.p, distribution.outcomes)) == 1
    assert len(distribution) == len(distribution.outcomes)
    pairs = tuple(zip(distribution.outcomes, distribution.weights, strict=True))
    assert tuple(distribution.items()) == pairs


# Published and enumerated ----------------------------------------------------------------------


def test_three_dice_are_oeis_a056150() -> None:
    a056150 = (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
    three = die(6).repeat(3)
    assert (three.outcomes, three.weights, three.total) == (tuple(range(3, 19)), a056150, 216)


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (4, 6), (5, 4), (3, 10), (7, 3)])
def test_dice_against_all_rolls(n: int, sides: int) -> None:
    rolls = Counter(map(sum, itertools.product(range(1, sides + 1), repeat=n)))
    total = die(sides).repeat(n)
    assert total == Distribution(rolls)
    assert total.mean() == n * Fraction(sides + 1, 2)
    assert total.variance() == n * Fraction(sides**2 - 1, 12)
    for outcome, p in total.at_least():
        assert p == Fraction(sum(w for s, w in rolls.items() if s >= outcome), sides**n)
        assert p == total.p_where(lambda value, least=outcome: value >= least)
    check(total)


@pytest.mark.parametrize("counts", [(3, 2), (1, 0, 4), (2, 2, 2), (5,), (3, 1, 2, 1)])
def test_draws_against_all_hands(counts: tuple[int, ...]) -> None:
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    for n in range(len(cards) + 1):
        hands = Counter(
            tuple(hand.count(kind) for kind in range(len(counts)))
            for hand in itertools.combinations(cards, n)
        )
        assert draw(counts, n) == Distribution(hands)
        first = Counter({})
        for hand, weight in hands.items():
            first[hand[0]] += weight
        assert hypergeometric(len(cards), counts[0], n) == Distribution(first)


def test_drawing_nothing() -> None:
    assert draw((), 0).outcomes == ((),)
    assert draw((2, 3), 0).outcomes == ((0, 0),)


@pytest.mark.parametrize(("counts", "n"), [((1, 1), 3), ((1, -1), 0), ((1, 1), -1), ((), 1)])
def test_impossible_draws(counts: tuple[int, ...], n: int) -> None:
    with pytest.raises(ValueError, match="drawn"):
        draw(counts, n)


def test_impossible_hypergeometric() -> None:
    for arguments in [(5, 6, 1), (5, 2, 6), (5, -1, 1)]:
        with pytest.raises(ValueError, match="drawn"):
            hypergeometric(*arguments)


# icepool ---------------------------------------------------------------------------------------


def same(ours: Distribution[Any], theirs: icepool.Die[Any]) -> bool:
    return ours == Distribution(dict(theirs.items()))


def test_against_icepool() -> None:
    d6, d4 = icepool.d(6), icepool.d(4)
    assert same(die(6).repeat(10), 10 @ d6)
    assert same(die(6) + die(4), d6 + d4)
    assert same(die(6).repeat(5).map(lambda x: x // 3), (5 @ d6).map(lambda x: x // 3))
    assert same(die(4).bind(lambda n: die(6).repeat(n)), d4 @ d6)
    assert same(mixture([(2, die(6)), (3, die(4)), (0, die(9))]), icepool.Die({d6: 2, d4: 3}))
    ours = die(6).repeat(7)
    assert (ours.mean(), ours.variance()) == ((7 @ d6).mean(), (7 @ d6).variance())


@given(WEIGHTS, WEIGHTS)
def test_sums_against_icepool(a: dict[int, int], b: dict[int, int]) -> None:
    ours = Distribution(a) + Distribution(b)
    assert same(ours, icepool.Die(a) + icepool.Die(b))


# Algebra ---------------------------------------------------------------------------------------


@given(ANY, ANY, ANY)
def test_sums(a: Distribution[int], b: Distribution[int], c: Distribution[int]) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)
    assert (a + b).mean() == a.mean() + b.mean()
    assert (a + b).variance() == a.variance() + b.variance()
    assert a + uniform([0]) == a
    check(a + b)


@given(ANY, st.integers(0, 6), st.integers(0, 6))
def test_repeats(a: Distribution[int], m: int, n: int) -> None:
    assert a.repeat(m) + a.repeat(n) == a.repeat(m + n)
    assert a.repeat(0) == uniform([0])
    assert a.repeat(1) == a
    assert a.repeat(m) == sum((a for _ in range(m)), start=uniform([0]))


def test_repeats_of_other_outcomes() -> None:
    assert uniform(["a", "b"]).repeat(2).outcomes == ("aa", "ab", "ba", "bb")
    with pytest.raises(ValueError, match="repeated"):
        die(6).repeat(-1)


@given(ANY)
def test_maps_and_mixtures(a: Distribution[int]) -> None:
    assert a.map(lambda x: x) == a
    assert a.map(lambda x: x * x).map(lambda y: y + 1) == a.map(lambda x: x * x + 1)
    assert a.bind(lambda x: uniform([x])) == a
    assert a.bind(lambda x: die(6).map(lambda y: x + y)) == a + die(6)
    assert mixture([(3, a), (5, a)]) == a
    assert a.map(lambda x: x > 0).mean() == a.p_where(lambda x: x > 0)
    check(a.bind(lambda x: die(abs(x) + 1)))


@given(
    st.lists(st.tuples(st.integers(0, 9), ANY), min_size=1).filter(lambda parts: any(dict(parts)))
)
def test_a_mixture_is_the_law_of_total_probability(
    parts: list[tuple[int, Distribution[int]]],
) -> None:
    whole = mixture(parts)
    shares = sum(share for share, _ in parts)
    for outcome in range(-5, 6):
        expected = sum(share * part.p(outcome) for share, part in parts) / Fraction(shares)
        assert whole.p(outcome) == expected
    check(whole)


@given(ANY)
def test_at_least(a: Distribution[int]) -> None:
    table = a.at_least()
    assert table[0] == (a.outcomes[0], 1)
    assert [p - q for (_, p), (_, q) in itertools.pairwise((*table, (None, Fraction(0))))] == [
        a.p(outcome) for outcome in a.outcomes
    ]


@given(WEIGHTS, st.integers(1, 10**30))
def test_equal_distributions_are_equal(weights: dict[int, int], factor: int) -> None:
    a = Distribution(weights)
    b = Distribution({key: weight * factor for key, weight in reversed(weights.items())})
    assert a == b
    assert hash(a) == hash(b)
    assert (a.weights, a.outcomes, repr(a)) == (b.weights, b.outcomes, repr(b))
    assert Distribution(list(weights.items()) * 2) == a
    assert eval(repr(a)) == a
    check(a)


def test_unequal_distributions() -> None:
    assert die(6) != die(5)
    assert die(6) != {1: 1}
    assert Distribution({1: 1, 2: 2}) != Distribution({1: 2, 2: 1})


# Edges -----------------------------------------------------------------------------------------


def test_probabilities() -> None:
    assert die(6).p(7) == 0
    assert die(6).p(6) == Fraction(1, 6)
    assert isinstance(die(6).p(7), Fraction)
    assert uniform("aab").p("a") == Fraction(2, 3)
    assert uniform([Fraction(1, 2), Fraction(1, 3)]).mean() == Fraction(5, 12)
    assert from_weights([0, 1, 3], start=-1).items().__next__() == (0, 1)
    assert from_weights([1, 1]) == uniform([0, 1])


def test_nothing_wraps() -> None:
    big = die(6).repeat(60)
    assert big.p(60) == Fraction(1, 6**60)
    assert big.total == 6**60 > 2**64


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: 2, 2: -1}, []])
def test_wrong_weights(weights: Any) -> None:
    with pytest.raises(ValueError, match="weight"):
        Distribution(weights)


@pytest.mark.parametrize("weight", [1.0, True, Fraction(1), "1"])
def test_weights_are_integers(weight: Any) -> None:
    with pytest.raises(TypeError, match="weights are integers"):
        Distribution({1: weight})


def test_wrong_makers() -> None:
    with pytest.raises(ValueError, match="weight"):
        die(0)
    with pytest.raises(ValueError, match="weight"):
        uniform([])
    with pytest.raises(ValueError, match="weight"):
        mixture([])
    with pytest.raises(ValueError, match="weight"):
        mixture([(1, die(2)), (-1, die(2))])
    with pytest.raises(TypeError):
        uniform([1, "a"])
    with pytest.raises(TypeError):
        uniform([0.5, 1.5]).mean()


# Fractions -------------------------------------------------------------------------------------


@given(st.fractions())
def test_fractions_are_read_as_they_were_written(value: Fraction) -> None:
    assert parse_fraction(format_fraction(value)) == value


def test_fractions() -> None:
    assert format_fraction(Fraction(0)) == "0/1"
    assert format_fraction(Fraction(-4, 6)) == "-2/3"
    assert format_fraction(7) == "7/1"
    assert parse_fraction("002/4") == Fraction(1, 2)
    long = Fraction(7**9000 + 1, 10**8000)  # Python's str() stops at 4,300 digits
    assert parse_fraction(format_fraction(long)) == long
    assert len(format_fraction(long)) > 12000


@pytest.mark.parametrize(
    "text",
    ["", "1", "1/0", "1/00", "1/-2", "a/b", "1/2/3", " 1/2", "1/2\n", "1.5/2", "+1/2", "١/٢"],
)
def test_wrong_fractions(text: str) -> None:
    with pytest.raises(InputError, match="is not a fraction") as caught:
        parse_fraction(text)
    assert caught.value.why == "it must be n/d, two integers, the second above 0"
