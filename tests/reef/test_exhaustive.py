"""Every filling of each pattern's bounding box, at every place and rotation that matters."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from oddsmith.solver.games import reef
from tests.reference import reef as reference

HEIGHTS = (1, 2, 3, 4)
ALL_STACKS = ["", *("g" * (height - 1) + top for height in HEIGHTS for top in "rygp")]


def kinds(card):
    """Stacks that the pattern can tell apart, as few as that needs."""
    if card.centre:
        x, y = card.centre, card.neighbour
        other = next(c for c in "rygp" if c not in (x, y))
        return ["", x, other + x, other, y]
    demands = {demand for _, _, demand in card.cells}
    if all(low == 1 for _, low, _ in demands):  # heights play no part
        colors = sorted({color for color, _, _ in demands})
        other = next(c for c in "rygp" if c not in colors)
        return ["", *colors, other, colors[0] + other]
    if len(card.cells) == 1 or card.id in (30, 31):  # one card of the family with everything
        return ALL_STACKS
    colors = sorted({color for color, _, _ in demands})
    other = next(c for c in "rygp" if c not in colors)
    return ["", other, 2 * other, *(c for c in colors), *(other + c for c in colors),
            *(2 * other + c for c in colors), *(3 * other + c for c in colors[:1])]


def box(card):
    if card.centre:
        return 2, 3
    rows = 1 + max(row for row, _, _ in card.cells)
    columns = 1 + max(column for _, column, _ in card.cells)
    return rows, columns


@pytest.mark.parametrize("number", range(1, 61))
def test_every_filling_of_the_bounding_box(number):
    card = reference.CARDS[number]
    rows, columns = box(card)
    fillings = kinds(card)
    n_cells = rows * columns
    if len(fillings) ** n_cells > 20_000:  # the 3 x 3 box of diagonal_3: colour or not
        fillings = fillings[:3] if n_cells > 4 else fillings
    places = [(0, 0), (4 - rows, 4 - columns), (1, 0), (0, 1)]
    boards = []
    for k, filling in enumerate(product(fillings, repeat=n_cells)):
        top, left = places[k % len(places)]
        if top + rows > 4 or left + columns > 4:
            top, left = 0, 0
        stacks = [""] * 16
        for cell, stack in enumerate(filling):
            row, column = divmod(cell, columns)
            if k % 2:  # lying the other way round, to meet the rotations
                row, column = rows - 1 - row, columns - 1 - column
            stacks[4 * (top + row) + left + column] = stack
        boards.append(tuple(stacks))
    assert len(boards) == len(fillings) ** n_cells
    rules = reference.Rules()
    expected = [reference.score(board, card, rules)[1] for board in boards]
    found = reef.score_many([reef.Board(board) for board in boards], [number])[:, 0]
    wrong = np.flatnonzero(found != np.array(expected))
    assert not len(wrong), f"{reef.Board(boards[wrong[0]])} card {number}"
    assert len(set(expected)) > 1, "these fillings test nothing"
