"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os

import pytest

from tests.fuse.compare_games import compare_games
from tests.processes import count, count_for_long
from tests.reference.fuse_rules import RULES

DECISIONS = 1_000
JOBS = 10
NOT_PLAYED = (
    "setup.", "option.setup", "option.level", "option.deck", "option.edition", "option.insane_hands",
    "option.seconds_per_roll", "win.hands_defused", "time.", "lose.bag", "score.",
    "clear.not_needed", "draw.fewer", "take.no_bombs", "pick.nothing_left", "win.not_yet",
    "take.five_of_a_colour",
)
"""Rules of the set-up, of big decks (`insane`), of the pace and of the score."""
PLAYED = tuple(rule for rule in RULES if not rule.startswith(NOT_PLAYED))


def test_kernel_agrees_with_reference():
    """JOBS_SHARE (default 1) makes it shorter, for `make mutants`."""
    share = float(os.environ.get("JOBS_SHARE", "1"))
    seen = count(compare_games, range(max(1, round(share * JOBS))), DECISIONS)
    if share < 1:
        return
    missing = [rule for rule in (*PLAYED, "win", "time") if not seen[rule]]
    assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_kernel_agrees_with_reference_for_long():
    count_for_long(lambda seed: count(compare_games, range(seed, seed + JOBS), DECISIONS), 1000, JOBS,
                   PLAYED)
