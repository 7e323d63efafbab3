"""The best count of a card by sets of spaces, against every placement."""

from __future__ import annotations

import random

import pytest

from oddsmith.kernels.reef import Rules as Kernel
from oddsmith.kernels.reef_plan import Planner
from oddsmith.solver.games import reef
from tests.reef.compare import random_board

OPTIONS = [
    {},
    {"stack_limit": 1},
    {"stack_limit": 2},
    {"stack_limit": 6},
    {"overlapping": True},
    {"all_tied": True},
    {"short_is_illegal": True},
]


def any_coral(draw):
    """The patterns of the game on cards with other coral: in it some kinds go with few colours."""
    for one in reef.cards():
        if isinstance(one.pattern, tuple):
            pattern = tuple((cell.row, cell.column, cell.color, cell.least, cell.most)
                            for cell in one.pattern)
        else:
            pattern = ("tallest", one.pattern.center, one.pattern.neighbour)
        yield one.points, draw.randrange(4), draw.randrange(4), pattern


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_best_count_is_the_best_of_all_placements(options):
    draw = random.Random(str(options))
    limit = options.get("stack_limit", 4)
    for trial in range(120):
        kernel = Kernel(list(any_coral(draw)), **{"stack_limit": 4, **options})
        planner = Planner(kernel)
        free_levels = draw.randrange(8) if trial % 3 == 0 else None
        board = reef.Board(random_board(draw, limit, free_levels))
        supply = 0xFFFFFFFF if trial % 3 else sum(
            draw.choice((0, 1, 2, 9)) << 8 * color for color in range(4))
        # The neighbour cards and pairs, for which coral can also spoil something, twice.
        for card in (*draw.sample(range(60), 10), *draw.sample(range(40, 60), 10)):
            counts = [kernel.count(after, card)
                      for _, after, _ in kernel.moves(board.bits, card, supply)]
            most = max(counts, default=-1)
            where = f"{board} {kernel.program(card)} supply {supply:08x}"
            assert planner.best_count(board.bits, card, supply) == most, where
            floor = draw.randrange(most + 3)
            found = planner.best_count(board.bits, card, supply, floor)
            assert found == most if most > floor else found <= floor, where
