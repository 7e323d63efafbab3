"""Intervals and stopping rules from integer counts and sums.

Every estimate rests on a `Tally`: integers only, so that trials may be added in any order and in
any batches with the same result (Law 2).  Floats begin where an interval is made.  Exact answers
never come here.

>>> wins = Tally.of([1, 0, 1, 1])
>>> wins + Tally.of([0, 1]) == Tally.of([1, 0, 1, 1, 0, 1])
True
>>> wins.mean
Fraction(3, 4)
>>> [round(end, 3) for end in wilson(3, 4)]
[0.301, 0.954]

For a share (won or not won) use `wilson`, or `clopper_pearson` where the level must be kept for
certain; both stay honest near 0 and 1, which `mean_interval` does not.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec


class Tally(msgspec.Struct, frozen=True):
    """Count, sum and sum of squares of integer results, and the least and greatest of them.

    Tallies of separate trials are added with `+`, which is associative and commutative.
    """

    n: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    greatest: int | None = None

    @classmethod
    def of(cls, values: Iterable[int]) -> Tally:
        """The tally of some results."""
        seen = list(values)
        if not seen:
            return cls()
        squares = sum(value * value for value in seen)
        return cls(len(seen), sum(seen), squares, min(seen), max(seen))

    @classmethod
    def of_array(cls, values: Any) -> Tally:
        """The tally of a NumPy array of integers, not empty."""
        return cls(len(values), int(values.sum()), int((values * values).sum()),
                   int(values.min()), int(values.max()))

    def __add__(self, other: Tally) -> Tally:
        if self.least is None or self.greatest is None:
            return other
        if other.least is None or other.greatest is None:
            return self
        return Tally(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.greatest, other.greatest),
        )

    @property
    def mean(self) -> Fraction:
        """The mean.

        Raises:
            ZeroDivisionError: nothing has been counted.
        """
        return Fraction(self.total, self.n)

    @property
    def variance(self) -> Fraction:
        """The unbiased sample variance, (n Q - S^2) / (n (n - 1)).

        Raises:
            ZeroDivisionError: fewer than two results have been counted.
        """
        return Fraction(self.n * self.squares - self.total**2, self.n * (self.n - 1))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """`mean_interval` of these results."""
        return mean_interval(self.total, self.squares, self.n, level)


def told_ends(ends: tuple[float, float]) -> list[float] | None:
    """The ends of an interval as plain data; None where one trial tells no spread.

    >>> told_ends((1.0, 2.5)), told_ends((-math.inf, math.inf))
    ([1.0, 2.5], None)
    """
    return list(ends) if all(map(math.isfinite, ends)) else None


# Shares ----------------------------------------------------------------------------------------


def wilson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a share.

    The ends are the p for which |successes/n - p| = z sqrt(p (1 - p) / n): E. B. Wilson, Probable
    inference, the law of succession, and statistical inference, JASA 22 (1927), 209-212; without
    continuity correction.

    Args:
        successes: 0 to n.
        n: independent trials; for 0 the interval is (0, 1).
        level: of confidence, such as 0.95.

    Raises:
        ValueError: an argument is out of range.

    >>> [round(end, 4) for end in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    _check_share(successes, n, level)
    if n == 0:
        return 0.0, 1.0
    z = z_value(level)
    return _wilson_low(successes, n, z), 1.0 - _wilson_low(n - successes, n, z)


def share_interval(share: float | Fraction, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share of n trials that may have been split among several.

    The ends are those of the whole numbers of successes below and above, so it is never narrower
    than `wilson` of either.

    >>> share_interval(0.75, 4) == wilson(3, 4)
    True
    """
    return wilson(math.floor(share * n), n)[0], wilson(math.ceil(share * n), n)[1]


def _wilson_low(k: float, n: float, z: float) -> float:
    """The lower root, in the form that loses no digits where it is close to 0."""
    root = math.sqrt(z * z + 4.0 * k * ((n - k) / n))
    return 2.0 * k * k / (n * (2.0 * k + z * z + z * root))


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of Clopper and Pearson: it covers the share with at least `level`, always.

    The ends are the p for which the binomial tail from the observed count on has probability
    (1 - level) / 2: C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits
    illustrated in the case of the binomial, Biometrika 26 (1934), 404-413.

    Args and errors as for `wilson`.

    >>> [round(end, 4) for end in clopper_pearson(0, 10)]
    [0.0, 0.3085]
    """
    _check_share(successes, n, level)
    tail = (1.0 - level) / 2.0
    return _exact_low(successes, n, tail), 1.0 - _exact_low(n - successes, n, tail)


def _exact_low(k: int, n: int, tail: float) -> float:
    """The p with P(X >= k) = tail for X binomial(n, p); that probability is I_p(k, n - k + 1)."""
    if k == 0:
        return 0.0
    return _root(lambda p: incomplete_beta(p, k, n - k + 1) - tail, 0.0, 1.0)


# Means -----------------------------------------------------------------------------------------


def mean_interval(
    total: int, total_squares: int, n: int, level: float = 0.95
) -> tuple[float, float]:
    """Student's interval for a mean: S/n +- t s / sqrt(n), with n - 1 degrees of freedom.

    s^2 = (n Q - S^2) / (n (n - 1)) is taken from the integers S = `total`, Q = `total_squares`
    without rounding.  (Student, The probable error of a mean, Biometrika 6 (1908), 1-25.)  It
    takes the mean as normally distributed: right for scores over many trials, too narrow for
    rare events.

    Args:
        total, total_squares: sums of the results and of their squares.
        n: independent trials; for 0 and 1 the interval is (-inf, inf).
        level: of confidence.

    Raises:
        ValueError: no results have such sums, or an argument is out of range.

    >>> [round(end, 3) for end in mean_interval(15, 55, 5)]
    [1.037, 4.963]
    """
    _check_level(level)
    spread = n * total_squares - total * total
    if n < 0 or spread < 0:
        raise ValueError("no results have these sums")
    if n < 2:
        return -math.inf, math.inf
    mean = total / n
    half = t_value(n - 1, level) * math.sqrt(spread / (n * n * (n - 1)))
    return mean - half, mean + half


def ratio_interval(
    totals: Sequence[float], counts: Sequence[float], level: float = 0.95
) -> tuple[float, float]:
    """Student's interval for a mean over clusters of different sizes, sum(totals) / sum(counts).

    The clusters are independent, what is in one of them need not be: the spread is that of
    total - ratio * count (W. G. Cochran, Sampling Techniques, 3rd ed. 1977, section 6.4).

    Args:
        totals, counts: of each cluster; for fewer than two the interval is (-inf, inf).
        level: of confidence.

    >>> [round(end, 3) for end in ratio_interval([1, 2, 3, 4, 5], [1, 1, 1, 1, 1])]
    [1.037, 4.963]
    """
    ratio = math.fsum(totals) / math.fsum(counts)
    half = _half_width(_residuals(totals, counts), level)
    return ratio - half, ratio + half


def ratio_difference(
    totals: Sequence[float], counts: Sequence[float],
    other_totals: Sequence[float], other_counts: Sequence[float], level: float = 0.95,
) -> tuple[float, float]:
    """`ratio_interval` of one mean less another over the same clusters: pairs that vary together.

    >>> ratio_difference([1, 2, 3], [1, 1, 1], [0, 1, 2], [1, 1, 1])
    (1.0, 1.0)
    """
    difference = (math.fsum(totals) / math.fsum(counts)
                  - math.fsum(other_totals) / math.fsum(other_counts))
    one, other = _residuals(totals, counts), _residuals(other_totals, other_counts)
    if len(one) < 2 or len(other) < 2:
        return -math.inf, math.inf
    residuals = [a - b for a, b in zip(one, other, strict=True)]
    half = _half_width(residuals, level)
    return difference - half, difference + half


def _residuals(totals: Sequence[float], counts: Sequence[float]) -> list[float]:
    """(total - ratio * count) / mean count of each cluster.

    A large cluster pulls the ratio to itself, so its residual is enlarged as the jackknife does
    (MacKinnon and White 1985, HC3); equal ones are left as they are.
    """
    all_counts = math.fsum(counts)
    ratio = math.fsum(totals) / all_counts
    if max(counts) == all_counts:
        return [math.inf]  # one cluster has it all: nothing tells the spread
    return [(total - ratio * count) * (len(counts) - 1) / (all_counts - count)
            for total, count in zip(totals, counts, strict=True)]


def _half_width(residuals: Sequence[float], level: float) -> float:
    n = len(residuals)
    if n < 2:
        return math.inf
    return t_value(n - 1, level) * math.sqrt(
        math.fsum(one * one for one in residuals) / (n * (n - 1)))


class Difference(msgspec.Struct, frozen=True):
    """A mean difference with its interval; `sign` is 0 where the interval can't tell."""

    mean: Fraction
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 if the first is better, -1 if the second is, 0 if that is open."""
        return (self.low > 0) - (self.high < 0)


def paired_difference(tally: Tally, level: float = 0.95) -> Difference:
    """Of two things tried on the same random numbers, how much the first scores above the second.

    The differences of the pairs are the results (`mean_interval`), so that whatever both have in
    common cancels; the interval is narrower than that of two separate means by the factor
    sqrt(1 - correlation).

    Args:
        tally: of first - second for each pair of trials; one pair at least.
        level: of confidence.

    >>> paired_difference(Tally.of([3, 1, 2, 2, 2])).sign
    1
    """
    return Difference(tally.mean, *tally.interval(level))


# Stopping --------------------------------------------------------------------------------------

LEAST: Final = 100
"""Trials before a stopping rule is trusted: the spread of a few tells nothing."""


def more_trials_mean(
    tally: Tally, half_width: float, level: float = 0.95, least: int = LEAST
) -> int:
    """How many more trials until the interval of a mean is +- `half_width`; 0 if it is already.

    n = (t s / h)^2 with the spread seen so far; so ask again when they are done.  A rule that
    looks at the interval after each batch keeps its level as h gets small: Y. S. Chow,
    H. Robbins, On the asymptotic theory of fixed-width sequential confidence intervals for the
    mean, Ann. Math. Statist. 36 (1965), 457-462.

    Args:
        tally: of the results so far.
        half_width: wanted, in units of the results, above 0.
        level: of confidence.
        least: trials that are made in any case, 2 or more.

    Raises:
        ValueError: an argument is out of range.

    >>> more_trials_mean(Tally(n=1000, total=0, squares=1000, least=-1, greatest=1), 0.01)
    37547
    """
    _check_stop(half_width, least)
    if tally.n < least:
        return least - tally.n
    low, high = tally.interval(level)
    half = (high - low) / 2.0
    if half <= half_width:
        return 0
    return max(math.ceil(tally.n * (half / half_width) ** 2) - tally.n, 1)


def more_trials_share(
    successes: int, n: int, half_width: float, level: float = 0.95, least: int = LEAST
) -> int:
    """How many more trials until `wilson` is +- `half_width`; 0 if it is already.

    The n at which z sqrt(n p q + z^2/4) / (n + z^2) = h for the share p = 1 - q seen so far.

    Args and errors as for `wilson` and `more_trials_mean`.

    >>> more_trials_share(500, 1000, 0.01)
    8600
    """
    _check_stop(half_width, least)
    low, high = wilson(successes, n, level)
    if n < least:
        return least - n
    if (high - low) / 2.0 <= half_width:
        return 0
    zz = z_value(level) ** 2
    pq = successes * (n - successes) / (n * n)
    root = math.sqrt(zz * zz * pq * pq + half_width**2 * zz * zz * (1.0 - 4.0 * pq))
    return max(math.ceil((zz * pq + root) / (2.0 * half_width**2) - zz) - n, 1)


# Quantiles -------------------------------------------------------------------------------------


@functools.cache
def z_value(level: float) -> float:
    """The z with P(|Z| <= z) = level for a standard normal Z.

    >>> round(z_value(0.95), 6)
    1.959964
    """
    from statistics import NormalDist  # costs 10 ms, and few commands need it

    _check_level(level)
    return -NormalDist().inv_cdf((1.0 - level) / 2.0)


@functools.cache
def t_value(freedom: int, level: float) -> float:
    """The t with P(|T| <= t) = level for Student's T with `freedom` degrees of freedom.

    P(|T| > t) = I_x(freedom/2, 1/2) at x = freedom / (freedom + t^2) (Abramowitz, Stegun, Handbook
    of Mathematical Functions, 26.7.1 and 26.5.27); from 1,000 degrees on their expansion 26.7.5,
    then exact to 10 digits.

    >>> round(t_value(4, 0.95), 4)
    2.7764
    """
    _check_level(level)
    if freedom < 1000:
        x = _root(lambda x: incomplete_beta(x, freedom / 2.0, 0.5) - (1.0 - level), 0.0, 1.0)
        return math.sqrt(freedom * (1.0 - x) / x)
    z = z_value(level)
    return (
        z
        + (z**3 + z) / (4.0 * freedom)
        + (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / (96.0 * freedom**2)
        + (3.0 * z**7 + 19.0 * z**5 + 17.0 * z**3 - 15.0 * z) / (384.0 * freedom**3)
    )


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b), for 0 < x < 1 and a, b > 0.

    By its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated
    by the modified method of Lentz.  The relative error is about 1e-16 times the logarithms of
    the gamma functions: 1e-13 for a + b = 100, 1e-8 for a million, 1e-5 for 10^9.

    >>> round(incomplete_beta(0.5, 2, 3), 12)
    0.6875
    """
    if x > (a + 1.0) / (a + b + 2.0):  # there the fraction of the complement converges faster
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logs + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, 1_000_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        step = 1.0
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d or tiny)
            c = 1.0 + term / c or tiny
            step *= c * d
        fraction *= step
        if abs(step - 1.0) < 1e-15:
            break
    return front * fraction


def _root(increasing: Callable[[float], float], low: float, high: float) -> float:
    """The zero of an increasing function, by halving until there is no float between."""
    while low < (middle := (low + high) / 2.0) < high:
        if increasing(middle) < 0.0:
            low = middle
        else:
            high = middle
    return high


def _check_level(level: float) -> None:
    if not 0.0 < level < 1.0:
        raise ValueError(f"a level lies between 0 and 1, not at {level}")


def _check_share(successes: int, n: int, level: float) -> None:
    _check_level(level)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials are impossible")


def _check_stop(half_width: float, least: int) -> None:
    if not half_width > 0.0 or least < 2:
        raise ValueError("a stopping rule needs a half width above 0 and at least 2 trials")


def outwards(low: float, high: float, digits: int) -> tuple[str, str]:
    """The ends of an interval with so many decimals, rounded outwards: it never claims too much.

    >>> outwards(0.1234, 0.5678, 2)
    ('0.12', '0.57')
    """
    from decimal import Decimal  # not on the way to a small exact answer

    step = Decimal(1).scaleb(-digits)
    ends = (Decimal(repr(end + 0.0)) for end in (low, high))  # the sum turns -0.0 into 0.0
    first, last = (f"{end.quantize(step, rounding=rounding):,f}" for end, rounding in
                   zip(ends, ("ROUND_FLOOR", "ROUND_CEILING"), strict=True))
    return first, last


def range_words(ends: Sequence[float] | None, digits: int = 2, factor: float = 1, unit: str = "",
                signed: bool = False) -> str:
    """An interval in words, rounded outwards; a dash where one deal tells no spread.

    >>> range_words((0.0, 0.00381), 2, 100, " %")
    '0.00 to 0.39 %'
    >>> range_words((-0.5, 0.25), 1, signed=True)
    '-0.5 to +0.3'
    """
    if ends is None:
        return "-"
    low, high = ends
    words = outwards(factor * low, factor * high, digits)
    first, last = (f"+{one}" if signed and not one.startswith("-") else one for one in words)
    return f"{first} to {last}{unit}"


def percent_range(ends: Sequence[float], digits: int = 1) -> str:
    """An interval of a share in percent, rounded outwards."""
    return range_words(ends, digits, 100, " %")
