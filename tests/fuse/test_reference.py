"""Kernel against reference, in parallel: a short run always, a long one with `make fuzz`."""

from __future__ import annotations

import os

import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from tests.fuse.compare_games import compare_games
from tests.processes import count, count_for_long
from tests.reference.fuse_rules import RULES

DECISIONS = 2_000
JOBS, BATCH = 10, 50
"""Of the short run, and of the long one at a time: what bombs take is remembered within a process."""

LISTED = 0.2
"""So many decisions are compared with all their legal moves (slow), the others by the one that is made."""

REFUSED = "setup.small_deck"
"""A deck of fewer than 5 bombs: the product has none."""

PLAYED = (*(rule for rule in RULES if rule != REFUSED), "won", "time", "bag")


def test_kernel_agrees_with_reference():
    """JOBS_SHARE (default 1) makes it shorter, for `make mutants`."""
    share = float(os.environ.get("JOBS_SHARE", "1"))
    seen = count(compare_games, range(max(1, round(share * JOBS))), DECISIONS, LISTED)
    if share < 1:
        return
    missing = [rule for rule in PLAYED if not seen[rule]]
    assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_kernel_agrees_with_reference_for_long():
    count_for_long(
        lambda seed: count(compare_games, range(seed, seed + BATCH), DECISIONS, LISTED), 1000, BATCH,
        PLAYED)


def test_decks_of_fewer_bombs_than_lie_in_the_centre():
    with pytest.raises(InputError, match="level"):
        fuse.Rules(level=4)
    with pytest.raises(InputError, match="chosen_values"):
        fuse.Rules(setup="chosen_values", chosen_values=(1, 1, 1, 1, 0))
