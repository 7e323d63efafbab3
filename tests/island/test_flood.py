"""The array kernel of flood phases: every card once, uniform draws, chances as counted."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from oddsmith.kernels.flood import flood, start_lanes


def test_cards_are_kept_and_a_pile_is_made_anew():
    lanes = start_lanes(3000)
    alive_before = lanes[3].copy()
    for step in range(40):
        flood(*lanes, 1, step)
        pile, discard, flooded, alive = lanes
        assert not (pile & discard).any()
        assert ((pile | discard) == alive).all()
        assert not (flooded & ~alive).any()
        assert not (discard & ~flooded).any()  # nobody shores up
        assert ((alive & ~alive_before) == 0).all()
        assert (pile[alive != 0] != 0).all()
        alive_before = alive.copy()


def test_draws_are_uniform():
    n = 240_000
    lanes = start_lanes(n)
    flood(*lanes, 1, 5)
    counts = [int(((lanes[1] >> np.uint32(k)) & np.uint32(1)).sum()) for k in range(24)]
    assert counts[:6] == [n] * 6
    for count in counts[6:]:
        assert abs(count - n / 18) < 5 * sqrt(n / 18)


def test_chances():
    """18 cards flood the dry tiles; of the next ones each sinks a tile of the 24."""
    n = 100_000
    lanes = start_lanes(n)
    flood(*lanes, 20, 9)
    assert (np.bitwise_count(lanes[3]) == 22).all()
    for k in range(24):
        sunk = n - int(((lanes[3] >> np.uint32(k)) & np.uint32(1)).sum())
        p = 2 / 24
        assert abs(sunk - n * p) < 5 * sqrt(n * p * (1 - p))


def test_batches_don_t_matter():
    whole = start_lanes(5000)
    flood(*whole, 15, 3)
    parts = [start_lanes(2500), start_lanes(2500)]
    for k, lanes in enumerate(parts):
        flood(*lanes, 15, 3, first=2500 * k)
    for lane, one, two in zip(whole, *parts, strict=True):
        assert (lane == np.concatenate([one, two])).all()


def test_bad_arrays():
    lanes = start_lanes(10)
    with pytest.raises(ValueError, match="four uint32"):
        flood(lanes[0], lanes[1], lanes[2], lanes[3][:5], 1, 1)
