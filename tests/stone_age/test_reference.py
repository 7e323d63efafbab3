"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os

import pytest

from tests.processes import count, count_for_long
from tests.reference import stone_age as reference
from tests.stone_age.compare_games import compare_games

DECISIONS = 2_000
JOBS = 24
ENDINGS = ("cards", "tiles", "max_rounds")
FIRING = (*reference.RULE_IDS, *ENDINGS)
"""Made-up positions make the rare rules fire, too: ties, and the two-resource card in feeding."""


def test_kernel_agrees_with_reference():
    """JOBS_SHARE (default 1) makes it shorter, for `make mutants`."""
    share = float(os.environ.get("JOBS_SHARE", "1"))
    seen = count(compare_games, range(max(1, round(share * JOBS))), DECISIONS)
    print(f"{seen['decisions']:,} decisions, {seen['chance']:,} chance steps")
    if share < 1:
        return
    missing = [rule for rule in FIRING if not seen[rule]]
    assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_kernel_agrees_with_reference_for_long():
    count_for_long(lambda seed: count(compare_games, range(seed, seed + JOBS), DECISIONS), 1000, JOBS,
                   FIRING)
