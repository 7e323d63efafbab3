"""The counter-based generator: pinned values, no bias, streams apart."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

from oddsmith.kernels.rng import Generator


def test_values_are_pinned():
    """Seeds mean the same in every version."""
    draw = Generator(7, 1, 2)
    assert [draw.below(1000) for _ in range(6)] == [763, 976, 996, 441, 951, 237]


def test_a_stream_depends_on_seed_trial_and_stream_only():
    seen = {
        tuple(Generator(seed, trial, stream).word() for _ in range(2))
        for seed in range(12) for trial in range(12) for stream in range(12)
    }
    assert len(seen) == 12**3


@pytest.mark.parametrize(("n", "n_buckets"), [
    (1, 1), (2, 2), (3, 3), (6, 6), (7, 7), (52, 13), (1000, 10), (3 << 30, 12)])
def test_below_is_uniform(n, n_buckets):
    draw = Generator(n)
    buckets = Counter(draw.below(n) * n_buckets // n for _ in range(24_000))
    assert set(buckets) == set(range(n_buckets))
    assert sum(buckets.values()) == 24_000
    if n > 1:
        assert chisquare(list(buckets.values())).pvalue > 1e-6


def test_below_refuses_nonsense():
    for n in (0, -1, 2**32):
        with pytest.raises(ValueError):
            Generator(1).below(n)


def test_shuffles_are_uniform():
    counts = Counter(tuple(Generator(3, trial).shuffled("abcd")) for trial in range(24_000))
    assert len(counts) == 24
    assert chisquare(list(counts.values())).pvalue > 1e-6
