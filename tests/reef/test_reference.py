"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.processes import every_rule_fired
from tests.reef import compare
from tests.reference import reef as reference

# What one job of each comparison asks; about a second of the reference's time each.
QUESTIONS = {
    compare.compare_scores: 12_000,
    compare.compare_arrays: 60_000,
    compare.compare_placements: 150,
    compare.compare_plans: 40,
    compare.compare_deals: 200,
}
JOBS = {
    compare.compare_scores: 24,
    compare.compare_arrays: 2,
    compare.compare_placements: 12,
    compare.compare_plans: 6,
    compare.compare_deals: 2,
}

# Rules of the reference that only whole games use.
WHOLE_GAMES = ("option.hand_scoring", "option.tie_break", "end.")
USED = [rule for rule in reference.RULE_IDS if not rule.startswith(WHOLE_GAMES)]


def run(jobs):
    """Run (comparison, seed) jobs on two processes; count questions and fired rules."""
    asked, fired = Counter(), Counter()
    with ProcessPoolExecutor(2) as pool:
        futures = [(compare_one, pool.submit(compare_one, seed, QUESTIONS[compare_one]))
                   for compare_one, seed in jobs]
        try:
            for compare_one, future in futures:
                fired += future.result()
                asked[compare_one.__name__] += QUESTIONS[compare_one]
        finally:
            pool.shutdown(cancel_futures=True)  # after a disagreement the rest can't matter
    return asked, fired


def test_kernel_agrees_with_reference():
    """JOBS_SHARE (default 1) makes it shorter, for `make mutants`."""
    share = float(os.environ.get("JOBS_SHARE", "1"))
    jobs = [(compare_one, seed) for compare_one, n in JOBS.items()
            for seed in range(max(1, round(share * n)))]
    asked, fired = run(jobs)
    print(dict(asked))
    if share < 1:
        return
    missing = [rule for rule in USED if not fired[rule]]
    assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_kernel_agrees_with_reference_for_long():
    """SECONDS (default 600) of comparisons; 1 M scores agree.

    Each rule has to fire 1,000 times in 600 s or more, at least once in less.
    """
    seconds = float(os.environ.get("SECONDS", "600"))
    until = time.monotonic() + seconds
    seed, asked, fired = 1000, Counter(), Counter()
    while time.monotonic() < until or asked["compare_scores"] < 1_000_000:
        jobs = [(compare_one, seed + k) for compare_one, n in JOBS.items() for k in range(n)]
        more_asked, more_fired = run(jobs)
        seed, asked, fired = seed + 1000, asked + more_asked, fired + more_fired
        print(f"\r{dict(asked)}", end="", flush=True)
    print()
    every_rule_fired(fired, USED, 1000 if seconds >= 600 else 1)
