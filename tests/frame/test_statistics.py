"""Intervals against published values, scipy and simulation; stopping rules; tallies."""

from __future__ import annotations

import math
import random
import statistics as stdlib
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from oddsmith.solver.statistics import (
    Tally,
    clopper_pearson,
    incomplete_beta,
    mean_interval,
    more_trials_mean,
    more_trials_share,
    outwards,
    paired_difference,
    percent_range,
    range_words,
    ratio_difference,
    ratio_interval,
    t_value,
    wilson,
    z_value,
)

settings.register_profile("no deadline", deadline=None)  # a busy machine is no fault
settings.load_profile("no deadline")

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.9999])
SHARES = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
RESULTS = st.lists(st.integers(-(10**6), 10**6), max_size=30)


# Shares ----------------------------------------------------------------------------------------

# R. G. Newcombe, Two-sided confidence intervals for the single proportion: comparison of seven
# methods, Statistics in Medicine 17 (1998), 857-872, Table I: methods 3 (score) and 5 (exact).
NEWCOMBE = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]


@pytest.mark.parametrize(("successes", "n", "score", "exact"), NEWCOMBE)
def test_published_shares(
    successes: int, n: int, score: tuple[float, float], exact: tuple[float, float]
) -> None:
    assert tuple(round(end, 4) for end in wilson(successes, n)) == score
    assert tuple(round(end, 4) for end in clopper_pearson(successes, n)) == exact


@given(SHARES, LEVELS)
def test_shares_against_scipy(share: tuple[int, int], level: float) -> None:
    test = stats.binomtest(*share)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = test.proportion_ci(level, method)
        assert ours(*share, level) == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-12)


@given(SHARES, LEVELS)
def test_the_exact_ends_have_the_tails_they_should(share: tuple[int, int], level: float) -> None:
    successes, n = share
    low, high = clopper_pearson(successes, n, level)
    tail = pytest.approx((1 - level) / 2, rel=1e-9)
    assert low == 0 if successes == 0 else stats.binom.sf(successes - 1, n, low) == tail
    assert high == 1 if successes == n else stats.binom.cdf(successes, n, high) == tail


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_edges(interval: type[wilson]) -> None:
    for n in (1, 2, 10, 10**6):
        assert interval(0, n)[0] == 0.0
        assert interval(n, n)[1] == 1.0
        assert interval(n, n) == pytest.approx([1 - end for end in interval(0, n)[::-1]])
        assert 0 < interval(0, n)[1] < 1
    assert interval(0, 0) == (0.0, 1.0)
    for successes, n in [(-1, 5), (6, 5), (1, 0), (0, -1)]:
        with pytest.raises(ValueError, match="impossible"):
            interval(successes, n)
    for level in (0.0, 1.0, -1, 95, math.nan):
        with pytest.raises(ValueError, match="level"):
            interval(1, 2, level)


def test_few_successes_lose_no_digits() -> None:
    assert wilson(1, 10**12)[0] == pytest.approx(1.7653e-13, rel=1e-4)
    # For k = 1 the tail is 1 - (1 - p)^n.
    exact = -math.expm1(math.log1p(-0.025) / 10**6)
    assert clopper_pearson(1, 10**6)[0] == pytest.approx(exact, rel=1e-7)


@given(SHARES, LEVELS)
def test_an_interval_holds_its_estimate_and_is_symmetric(
    share: tuple[int, int], level: float
) -> None:
    successes, n = share
    for interval in (wilson, clopper_pearson):
        low, high = interval(successes, n, level)
        assert 0 <= low <= successes / n <= high <= 1
        assert low < high
        mirrored = interval(n - successes, n, level)
        assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


@given(SHARES)
def test_intervals_are_monotone(share: tuple[int, int]) -> None:
    successes, n = share
    for interval in (wilson, clopper_pearson):
        low, high = interval(successes, n)
        if successes < n:
            more = interval(successes + 1, n)
            assert low < more[0]
            assert high < more[1]
        sharper = interval(4 * successes, 4 * n)
        assert sharper[1] - sharper[0] < high - low
        surer = interval(successes, n, 0.99)
        assert surer[0] <= low
        assert surer[1] >= high
        assert surer != (low, high)


@pytest.mark.parametrize(("n", "p"), [(20, 0.1), (50, 0.5), (200, 0.02), (30, 0.9)])
def test_coverage_of_shares(n: int, p: float) -> None:
    """The exact probability that the interval holds p, from the binomial weights themselves."""

    def coverage(interval: type[wilson]) -> float:
        held = [k for k in range(n + 1) if interval(k, n)[0] <= p <= interval(k, n)[1]]
        return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in held)

    assert coverage(clopper_pearson) >= 0.95
    assert 0.92 < coverage(wilson) < 0.99


# Means -----------------------------------------------------------------------------------------


@given(RESULTS.filter(lambda values: len(values) > 1), LEVELS)
def test_means_against_scipy(values: list[int], level: float) -> None:
    low, high = Tally.of(values).interval(level)
    sem = stdlib.stdev(values) / math.sqrt(len(values))
    if sem == 0:
        assert low == high == values[0]
        return
    theirs = stats.t.interval(level, len(values) - 1, stdlib.fmean(values), sem)
    assert (low, high) == pytest.approx(theirs, rel=1e-9, abs=1e-6 * sem)


def test_a_published_mean() -> None:
    # Student's own sleep data (1908): the additional hours of sleep of ten patients, in tenths.
    # R's t.test(extra ~ group, data = sleep, paired = TRUE) gives 0.7001142 to 2.4598858.
    tenths = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14]
    low, high = Tally.of(tenths).interval()
    assert (round(low / 10, 4), round(high / 10, 4)) == (0.7001, 2.4599)


def test_mean_edges() -> None:
    assert mean_interval(0, 0, 0) == (-math.inf, math.inf)
    assert mean_interval(7, 49, 1) == (-math.inf, math.inf)
    assert mean_interval(14, 98, 2) == (7.0, 7.0)
    for sums in [(3, 1, 2), (1, 1, -1), (1, 0, 1)]:
        with pytest.raises(ValueError, match="no results"):
            mean_interval(*sums)
    with pytest.raises(ValueError, match="level"):
        mean_interval(1, 1, 2, 95)


def test_huge_sums_are_exact_until_the_end() -> None:
    # As floats, the two terms of the variance would agree in all their digits.
    shift = 10**12
    low, high = Tally.of([shift, shift + 1, shift + 2, shift + 1]).interval()
    near = Tally.of([0, 1, 2, 1]).interval()
    assert high - low == pytest.approx(near[1] - near[0], rel=1e-3)
    assert Tally.of([10**400, 10**400]).variance == 0


@given(RESULTS.filter(lambda values: len(values) > 1), st.integers(-1000, 1000))
def test_a_mean_moves_with_its_results(values: list[int], shift: int) -> None:
    low, high = Tally.of(values).interval()
    moved = Tally.of([value + shift for value in values]).interval()
    assert moved == pytest.approx((low + shift, high + shift), abs=1e-6)
    assert low <= stdlib.fmean(values) + 1e-9
    assert high >= stdlib.fmean(values) - 1e-9


def test_coverage_of_means() -> None:
    rng = random.Random(20240501)
    held = 0
    for _ in range(4000):
        low, high = Tally.of([rng.randint(1, 6) + rng.randint(1, 6) for _ in range(8)]).interval()
        held += low <= 7 <= high
    # Four standard errors of 4,000 trials at 95 % are 1.4 %.
    assert abs(held / 4000 - 0.95) < 0.014


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=20))
def test_paired_difference(pairs: list[tuple[int, int]]) -> None:
    ours = paired_difference(Tally.of([a - b for a, b in pairs]))
    assert ours.mean == Fraction(sum(a - b for a, b in pairs), len(pairs))
    assert (ours.low, ours.high) == Tally.of([a - b for a, b in pairs]).interval()
    assert ours.sign == (1 if ours.low > 0 else -1 if ours.high < 0 else 0)
    theirs = paired_difference(Tally.of([b - a for a, b in pairs]))
    assert theirs.sign == -ours.sign


def test_pairs_on_common_numbers_tell_more_than_separate_means() -> None:
    rng = random.Random(7)
    luck = [rng.randint(0, 100) for _ in range(200)]
    first = [value + rng.randint(0, 3) for value in luck]
    paired = paired_difference(Tally.of([a - b for a, b in zip(first, luck, strict=True)]))
    assert paired.sign == 1
    one, other = Tally.of(first).interval(), Tally.of(luck).interval()
    assert one[0] < other[1]  # apart, the two means can't be told apart


# Tallies ---------------------------------------------------------------------------------------


@given(RESULTS, RESULTS, RESULTS)
def test_batches_and_their_order_do_not_matter(a: list[int], b: list[int], c: list[int]) -> None:
    whole = Tally.of(a + b + c)
    assert (Tally.of(a) + Tally.of(b)) + Tally.of(c) == whole
    assert Tally.of(a) + (Tally.of(b) + Tally.of(c)) == whole
    assert Tally.of(c) + Tally.of(a) + Tally.of(b) == whole
    assert whole == sum((Tally.of([value]) for value in a + b + c), Tally())


@given(RESULTS)
def test_tally_against_the_standard_library(values: list[int]) -> None:
    tally = Tally.of(iter(values))
    assert (tally.n, tally.total) == (len(values), sum(values))
    assert (tally.least, tally.greatest) == (min(values, default=None), max(values, default=None))
    if values:
        assert tally.mean == stdlib.mean(map(Fraction, values))
    if len(values) > 1:
        assert tally.variance == stdlib.variance(map(Fraction, values))


def test_nothing_counted() -> None:
    assert Tally.of([]) == Tally() == Tally() + Tally()
    with pytest.raises(ZeroDivisionError):
        _ = Tally().mean
    with pytest.raises(ZeroDivisionError):
        _ = Tally.of([1]).variance


# Stopping --------------------------------------------------------------------------------------


def half(interval: tuple[float, float]) -> float:
    return (interval[1] - interval[0]) / 2


@given(
    st.integers(100, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.001, 0.3),
    LEVELS,
)
def test_more_trials_for_a_share(share: tuple[int, int], width: float, level: float) -> None:
    successes, n = share
    more = more_trials_share(successes, n, width, level)
    assert (more == 0) == (half(wilson(successes, n, level)) <= width)
    if more:  # with the same share, the number is enough and no smaller one is
        p, z = successes / n, z_value(level)

        def score_half(trials: int) -> float:
            return z * math.sqrt(trials * p * (1 - p) + z * z / 4) / (trials + z * z)

        assert score_half(n + more) <= width * (1 + 1e-9)
        assert score_half(n + more - 1) > width * (1 - 1e-9)


@given(st.lists(st.integers(0, 9), min_size=100, max_size=150), st.floats(0.01, 2))
def test_more_trials_for_a_mean(values: list[int], width: float) -> None:
    tally = Tally.of(values)
    more = more_trials_mean(tally, width)
    assert (more == 0) == (half(tally.interval()) <= width)
    if more:
        n = tally.n + more
        spread = math.sqrt(tally.variance)
        assert t_value(n - 1, 0.95) * spread / math.sqrt(n) <= width * (1 + 1e-9)
        assert t_value(tally.n - 1, 0.95) * spread / math.sqrt(n - 1) > width * (1 - 1e-9)


def test_a_stopping_rule_wants_some_trials_first() -> None:
    assert more_trials_share(0, 0, 0.5) == 100
    assert more_trials_share(99, 99, 0.5) == 1
    assert more_trials_share(100, 100, 0.5) == 0
    assert more_trials_share(3, 10, 0.5, least=12) == 2
    assert more_trials_mean(Tally(), 1) == 100
    assert more_trials_mean(Tally.of([5] * 99), 1) == 1
    assert more_trials_mean(Tally.of([5] * 100), 1) == 0
    assert more_trials_mean(Tally.of([1, 9]), 1, least=10) == 8


@pytest.mark.parametrize(("width", "least"), [(0.0, 100), (-1.0, 100), (math.nan, 100), (0.1, 1)])
def test_wrong_stopping_rules(width: float, least: int) -> None:
    with pytest.raises(ValueError, match="stopping rule"):
        more_trials_share(1, 2, width, least=least)
    with pytest.raises(ValueError, match="stopping rule"):
        more_trials_mean(Tally.of([1, 2]), width, least=least)


def test_stopping_by_precision_ends_and_keeps_its_level() -> None:
    rng = random.Random(3)
    held = 0
    for _ in range(300):
        wins = n = 0
        while more := more_trials_share(wins, n, 0.05):
            wins += sum(rng.random() < 0.3 for _ in range(more))
            n += more
        assert n < 500
        low, high = wilson(wins, n)
        held += low <= 0.3 <= high
    assert held / 300 > 0.91


# Quantiles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.01, 0.5, 0.9, 0.95, 0.99, 0.9999, 1 - 1e-12])
def test_z_against_scipy(level: float) -> None:
    assert z_value(level) == pytest.approx(-stats.norm.ppf((1 - level) / 2), rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 30, 200, 999, 1000, 5000, 10**6, 10**12])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.95, 0.99, 0.9999])
def test_t_against_scipy(freedom: int, level: float) -> None:
    theirs = -stats.t.ppf((1 - level) / 2, freedom)
    assert t_value(freedom, level) == pytest.approx(theirs, rel=2e-10)


def test_t_of_one_degree_is_a_tangent() -> None:
    assert t_value(1, 0.95) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-12)


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0.01, 5000), st.floats(0.01, 5000))
def test_incomplete_beta_against_scipy(x: float, a: float, b: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-14)


def test_scipy_and_numpy_are_not_needed() -> None:
    code = (
        "import sys; from oddsmith.solver.statistics import *;"
        "before = 'statistics' in sys.modules;"
        "wilson(1, 2), clopper_pearson(1, 2), mean_interval(1, 1, 2);"
        "print(before, {'numpy', 'scipy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False set()\n"


# Ratios of sums over clusters ----------------------------------------------------------------


def test_equal_clusters_are_plain_results() -> None:
    """With as many results in each cluster it is Student's interval of the cluster means."""
    totals = [3, 8, 1, 9, 5, 4, 4, 7]
    tally = Tally.of(totals)
    assert ratio_interval(totals, [1] * 8) == pytest.approx(tally.interval())
    halves = [end / 2 for end in tally.interval()]
    assert ratio_interval(totals, [2] * 8) == pytest.approx(halves)
    assert ratio_interval([3], [2]) == (-math.inf, math.inf)


def test_coverage_of_ratios() -> None:
    """Clusters of different sizes; the mean is 0.3 whatever the sizes."""
    draw = random.Random(5)
    covered = 0
    for _ in range(1000):
        counts = [draw.choice((40, 100, 200, 400)) for _ in range(8)]
        shifts = [draw.uniform(-0.1, 0.1) for _ in counts]
        totals = [sum(draw.random() < 0.3 + shift for _ in range(count))
                  for count, shift in zip(counts, shifts, strict=True)]
        low, high = ratio_interval(totals, counts)
        covered += low <= 0.3 <= high
    assert 890 <= covered <= 970  # eight clusters of such different sizes: a little narrow


def test_what_clusters_share_cancels() -> None:
    """Two means that move together from cluster to cluster differ by little."""
    draw = random.Random(6)
    shared = [draw.gauss(0, 5) for _ in range(8)]
    first = [10 * (one + draw.gauss(1, 0.1)) for one in shared]
    second = [20 * (one + draw.gauss(0, 0.1)) for one in shared]
    low, high = ratio_difference(first, [10] * 8, second, [20] * 8)
    assert 0.7 < low < 1 < high < 1.3
    apart = ratio_interval(first, [10] * 8)
    assert apart[1] - apart[0] > 10 * (high - low)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e3), st.integers(0, 6))
def test_ranges_never_claim_too_much(low: float, width: float, digits: int) -> None:
    ends = low, low + width
    told_low, told_high = (float(word.replace(",", "")) for word in outwards(*ends, digits))
    assert told_low <= low and told_high >= ends[1]
    assert ends[0] - told_low < 1.01 * 10**-digits and told_high - ends[1] < 1.01 * 10**-digits
    first, _, last = range_words(ends, digits).partition(" to ")
    assert (first, last) == outwards(*ends, digits)


def test_ranges_are_told_alike() -> None:
    """A share, its percentage and a bar of it have the same ends."""
    ends = wilson(0, 1000)
    assert percent_range(ends, 2) == "0.00 to 0.39 %"
    assert outwards(*ends, 4) == ("0.0000", "0.0039")
    assert range_words((-0.015, 0.021), 2, 1, " s", signed=True) == "-0.02 to +0.03 s"
