"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os
import time
from collections import Counter

import pytest

from tests.island.compare_games import compare_games
from tests.processes import count
from tests.reference import island as reference

DECISIONS = 1_500
JOBS = 10
ENDINGS = ("won", "treasure", "landing", "drowned", "water", "turns")


def test_kernel_agrees_with_reference():
    """JOBS_SHARE (default 1) makes it shorter, for `make mutants`."""
    share = float(os.environ.get("JOBS_SHARE", "1"))
    seen = count(compare_games, range(max(1, round(share * JOBS))), DECISIONS)
    if share < 1:
        return
    missing = [rule for rule in (*reference.RULE_IDS, *ENDINGS) if not seen[rule]]
    assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_kernel_agrees_with_reference_for_long():
    """SECONDS (default 600) of comparisons; each rule has to fire 1,000 times in 600 s."""
    seconds = float(os.environ.get("SECONDS", "600"))
    until = time.monotonic() + seconds
    seed, seen = 1000, Counter()
    while time.monotonic() < until:
        seen += count(compare_games, range(seed, seed + JOBS), DECISIONS)
        seed += JOBS
        print(f"\r{seen['decisions']:,} decisions", end="", flush=True)
    least = 1000 if seconds >= 600 else 1
    rare = [rule for rule in (*reference.RULE_IDS, *ENDINGS) if seen[rule] < least]
    assert not rare, f"these rules decided fewer than {least} times: " + ", ".join(rare)
