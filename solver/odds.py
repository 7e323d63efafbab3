"""Exact distributions: integer weights over one denominator.

>>> two = die(6) + die(6)
>>> two.p(7), two.mean(), two.p_where(lambda total: total >= 10)
(Fraction(1, 6), Fraction(7, 1), Fraction(1, 6))
>>> die(6).repeat(3).weights
(1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
>>> die(6).bind(lambda n: die(6).repeat(n)).p(1)
Fraction(1, 36)

Weights are Python integers, so nothing overflows and nothing is rounded; they are reduced by
their greatest common divisor, so that equal distributions are equal objects.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, TypeVar

from oddsmith.solver.errors import InputError

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Distribution(Generic[T]):
    """A probability distribution over finitely many outcomes; immutable.

    Outcomes must be hashable and sortable among themselves: numbers, strings, tuples of them.

    Args:
        weights: outcome -> weight, or pairs of these (weights of equal outcomes are added).
            Weights are integers of at least 0; outcomes of weight 0 are left out.

    Raises:
        ValueError: a weight is negative, or all are 0.
        TypeError: a weight is not an integer, or outcomes can't be sorted.
    """

    __slots__ = ("_weight", "total")

    total: int
    """The common denominator, the sum of the weights."""

    def __init__(self, weights: Mapping[T, int] | Iterable[tuple[T, int]]) -> None:
        sums: dict[T, int] = {}
        for outcome, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if type(weight) is not int:
                raise TypeError(f"weights are integers, not {weight!r}")
            if weight < 0:
                raise ValueError(f"weight {weight} is negative")
            if weight:
                sums[outcome] = sums.get(outcome, 0) + weight
        if not sums:
            raise ValueError("a distribution needs an outcome with a weight above 0")
        divisor = math.gcd(*sums.values())
        keys: list[Any] = list(sums)  # that they can be sorted is the caller's promise
        self._weight: dict[T, int] = {key: sums[key] // divisor for key in sorted(keys)}
        self.total = sum(self._weight.values())

    @property
    def outcomes(self) -> tuple[T, ...]:
        """What may happen, sorted."""
        return tuple(self._weight)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights of the outcomes, in their order; their greatest common divisor is 1."""
        return tuple(self._weight.values())

    def items(self) -> Iterator[tuple[T, int]]:
        """Outcome and weight, in order."""
        return iter(self._weight.items())

    def __len__(self) -> int:
        return len(self._weight)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self._weight == other._weight

    def __hash__(self) -> int:
        return hash(tuple(self._weight.items()))

    def __repr__(self) -> str:
        return f"Distribution({self._weight!r})"

    # Questions

    def p(self, outcome: T) -> Fraction:
        """The probability of one outcome; 0 if it is none."""
        return Fraction(self._weight.get(outcome, 0), self.total)

    def p_where(self, happens: Callable[[T], bool]) -> Fraction:
        """The probability that the outcome is one for which `happens` is true."""
        return Fraction(sum(w for outcome, w in self.items() if happens(outcome)), self.total)

    def at_least(self) -> tuple[tuple[T, Fraction], ...]:
        """For each outcome, in order, the probability of it or a greater one.

        >>> die(3).at_least()
        ((1, Fraction(1, 1)), (2, Fraction(2, 3)), (3, Fraction(1, 3)))
        """
        left = self.total
        table = []
        for outcome, weight in self.items():
            table.append((outcome, Fraction(left, self.total)))
            left -= weight
        return tuple(table)

    def mean(self) -> Fraction:
        """The expected value of numeric outcomes."""
        return self._moment(1)

    def variance(self) -> Fraction:
        """The variance of numeric outcomes, E(X^2) - E(X)^2."""
        return self._moment(2) - self._moment(1) ** 2

    def _moment(self, power: int) -> Fraction:
        values: Iterable[tuple[Any, int]] = self.items()
        # Fraction refuses the sum if an outcome is a float: it would not be exact.
        return Fraction(sum(value**power * weight for value, weight in values), self.total)

    # New distributions

    def map(self, f: Callable[[T], U]) -> Distribution[U]:
        """The distribution of `f(outcome)`.

        >>> die(6).map(lambda pips: pips % 2)
        Distribution({0: 1, 1: 1})
        """
        return Distribution((f(outcome), weight) for outcome, weight in self.items())

    def bind(self, f: Callable[[T], Distribution[U]]) -> Distribution[U]:
        """What comes of `f(outcome)`, itself uncertain."""
        return mixture((weight, f(outcome)) for outcome, weight in self.items())

    def __add__(self, other: Distribution[T]) -> Distribution[T]:
        """The sum of two independent outcomes."""
        ours: Iterable[tuple[Any, int]] = self.items()
        return Distribution((x + y, v * w) for x, v in ours for y, w in other.items())

    def repeat(self, n: int) -> Distribution[T]:
        """The sum of `n` independent outcomes; for n = 0 it is the number 0.

        Raises:
            ValueError: n is negative.
        """
        if n < 0:
            raise ValueError(f"nothing can be repeated {n} times")
        if n == 0:
            zero: Any = 0
            return Distribution({zero: 1})
        total = self
        for digit in f"{n:b}"[1:]:  # square and multiply, from the highest power of two
            total += total
            if digit == "1":
                total += self
        return total


# Making distributions --------------------------------------------------------------------------


def die(sides: int) -> Distribution[int]:
    """One roll of a fair die with the numbers 1 to `sides`.

    Raises:
        ValueError: there are no sides.
    """
    return uniform(range(1, sides + 1))


def uniform(outcomes: Iterable[T]) -> Distribution[T]:
    """Each outcome as likely as the others; one that comes twice is twice as likely.

    Raises:
        ValueError: there are no outcomes.
    """
    return Distribution((outcome, 1) for outcome in outcomes)


def from_weights(weights: Iterable[int], start: int = 0) -> Distribution[int]:
    """The outcomes `start`, `start` + 1, ... with these weights.

    Raises:
        ValueError: a weight is negative, or all are 0.

    >>> from_weights([1, 2, 1], start=2) == die(2) + die(2)
    True
    """
    return Distribution(enumerate(weights, start))


def mixture(parts: Iterable[tuple[int, Distribution[T]]]) -> Distribution[T]:
    """One of several distributions, chosen with integer weights.

    Raises:
        ValueError: a weight is negative, or all are 0.

    >>> mixture([(1, die(2)), (2, die(3))]).weights
    (7, 7, 4)
    """
    weighted = list(parts)
    common = math.lcm(*(part.total for _, part in weighted))
    return Distribution(
        (outcome, share * w * (common // part.total))
        for share, part in weighted
        for outcome, w in part.items()
    )


def hypergeometric(population: int, special: int, draws: int) -> Distribution[int]:
    """How many special cards are among `draws` from `population` cards, `special` of them special.

    Raises:
        ValueError: more is drawn or special than there is, or a number is negative.

    >>> hypergeometric(5, 2, 2).weights
    (3, 6, 1)
    """
    return draw((special, population - special), draws).map(lambda taken: taken[0])


def draw(counts: Sequence[int], draws: int) -> Distribution[tuple[int, ...]]:
    """How many of each kind are among `draws` cards drawn without replacement.

    The multivariate hypergeometric distribution: k_i of kind i with weight prod C(counts_i, k_i).

    Raises:
        ValueError: more is drawn than there is, or a number is negative.

    >>> draw((2, 1), 2)
    Distribution({(1, 1): 2, (2, 0): 1})
    """
    if min(counts, default=0) < 0 or not 0 <= draws <= sum(counts):
        raise ValueError(f"{draws} can't be drawn from {tuple(counts)}")
    ways: dict[tuple[int, ...], int] = {(): 1}
    behind = sum(counts)
    for count in counts:
        behind -= count
        longer = {}
        for taken, weight in ways.items():
            left = draws - sum(taken)
            for k in range(max(0, left - behind), min(count, left) + 1):
                longer[(*taken, k)] = weight * math.comb(count, k)
        ways = longer
    return Distribution(ways)


# Writing fractions -----------------------------------------------------------------------------


def format_fraction(value: Fraction | int) -> str:
    """`value` as "n/d" in lowest terms, also where d is 1; inverse of `parse_fraction`.

    >>> format_fraction(Fraction(2, 6)), format_fraction(0)
    ('1/3', '0/1')
    """
    # Decimal writes integers of any length; str stops at 4,300 digits.
    return f"{Decimal(value.numerator)}/{Decimal(value.denominator)}"


def parse_fraction(text: str) -> Fraction:
    """The value of "n/d"; it need not be in lowest terms.

    Raises:
        InputError: `text` has another form, or d is 0.

    >>> parse_fraction("2/6")
    Fraction(1, 3)
    """
    found = re.fullmatch(r"(-?[0-9]+)/([0-9]+)", text)
    if found is None or not found[2].strip("0"):
        raise InputError(
            f"{text[:40]!r} is not a fraction",
            why="it must be n/d, two integers, the second above 0",
        )
    return Fraction(int(Decimal(found[1])), int(Decimal(found[2])))
