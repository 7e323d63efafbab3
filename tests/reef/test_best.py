"""The best count of a card by sets of spaces, against every placement."""

from __future__ import annotations

import random

import pytest

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.rules import compiled
from tests.reef.compare import random_board

OPTIONS = [
    {},
    {"stack_limit": 1},
    {"stack_limit": 2},
    {"stack_limit": 6},
    {"overlap": "overlapping", "tallest_tie": "all"},
    {"short_supply": "illegal"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_best_count_is_the_best_of_all_placements(options):
    draw = random.Random(str(options))
    rules = reef.Rules(**options)
    kernel, planner = compiled(rules)
    for trial in range(60):
        # From nearly empty to nearly full, where there is no space to put coral aside.
        free_levels = draw.randrange(6) if trial % 4 == 0 else None
        board = reef.Board(random_board(draw, rules.stack_limit, free_levels))
        supply = 0xFFFFFFFF if trial % 3 else sum(
            draw.choice((0, 1, 2, 9)) << 8 * color for color in range(4))
        for card in draw.sample(reef.cards(), 20):
            counts = [kernel.count(after, card.index)
                      for _, after, _ in kernel.moves(board.bits, card.index, supply)]
            most = max(counts, default=-1)
            where = f"{board} card {card.number} supply {supply:08x}"
            assert planner.best_count(board.bits, card.index, supply) == most, where
            for floor in range(most + 3):
                found = planner.best_count(board.bits, card.index, supply, floor)
                assert found == most if most > floor else found <= floor, where
