"""Boards and hands that every Reef benchmark uses."""

from __future__ import annotations

import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import reef


@pytest.fixture(scope="session")
def boards():
    """100,000 random mid-game boards, packed."""
    return reef.random_boards(100_000, seed=2)


@pytest.fixture(scope="session")
def hands():
    """Boards with hands of 4 random cards, the same for every benchmark."""
    numbers = [card.number for card in reef.cards()]
    draw = Generator(3)
    return [
        (reef.unpack_board(row), draw.shuffled(numbers)[:4])
        for row in reef.random_boards(200, seed=3)
    ]
