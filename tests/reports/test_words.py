"""The numbers and words that all formats share."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oddsmith.reports.words import (
    bars_of,
    format_ends,
    format_number,
    game_name,
    interval_words,
    one_line,
    printable,
)
from oddsmith.solver.answer import Bars, Interval


def shown(*values: float, low: tuple[float, ...] = (), high: tuple[float, ...] = ()) -> list[str]:
    block = Bars(labels=("x",) * len(values), values=values, low=low, high=high)
    return [bar.value_words for bar in bars_of(block)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((9.0, 6.0), ["9", "6"]),
        ((0.5, 0.25), ["0.50", "0.25"]),
        ((1 / 36, 6 / 36), ["0.0278", "0.1667"]),
        ((1234567.0, 0.5), ["1,234,567", "0.5"]),
        ((0.9, 0.0000123), ["0.9000", "1.2e-05"]),
        ((math.nan, math.inf), ["–", "∞"]),
        ((0.0,), ["0"]),
    ],
)
def test_numbers_are_shown_alike_and_never_vanish(
    values: tuple[float, ...], expected: list[str]
) -> None:
    assert shown(*values) == expected


def test_intervals_set_the_number_of_digits() -> None:
    assert shown(0.512345, low=(0.500123,), high=(0.52391,)) == ["0.512"]


def test_interval_words() -> None:
    told = interval_words(Interval(low=0.41234567, high=0.43591234, n=100_000, seed=7))
    assert told == "95 % interval 0.412 … 0.436, n = 100,000, seed 7"
    told = interval_words(Interval(low=12.0, high=13.0, n=10, seed=0, level=0.999))
    assert told == "99.9 % interval 12 … 13, n = 10, seed 0"


@example(536870912.0, -5.960464477539063e-08, 8)
@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.integers(0, 8))
def test_ends_are_rounded_outwards(one: float, two: float, digits: int) -> None:
    low, high = sorted((one, two))
    # Exactly, of the shortest decimals that a float is read from: a difference of floats may be off
    # by more than the digits shown.
    exact_low, exact_high = Fraction(repr(low)), Fraction(repr(high))
    told_low, told_high = (Fraction(x.replace(",", "")) for x in format_ends(low, high, digits))
    assert exact_low - Fraction(1, 10**digits) < told_low <= exact_low
    assert exact_high <= told_high < exact_high + Fraction(1, 10**digits)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 8))
def test_only_nothing_looks_like_nothing(value: float, digits: int) -> None:
    assert (float(format_number(value, digits).replace(",", "")) == 0) == (value == 0)


def test_printable_and_one_line() -> None:
    assert printable("a\r\nb\rc\td\x1b[0m\x00") == "a\nb\nc\td\ufffd[0m\ufffd"
    assert one_line("  a \n b\t") == "a b"
    assert game_name("forbidden_island") == "Forbidden Island"
