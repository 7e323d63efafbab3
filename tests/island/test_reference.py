"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os

import pytest

from tests.island.compare_games import compare_games
from tests.processes import count, count_for_long
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
    count_for_long(lambda seed: count(compare_games, range(seed, seed + JOBS), DECISIONS), 1000, JOBS,
                   (*reference.RULE_IDS, *ENDINGS))
