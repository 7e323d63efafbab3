"""Worked scores from outside (computed by an independent brute force)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from oddsmith.solver.games import reef

with (Path(__file__).parent / "golden.csv").open(encoding="utf-8") as file:
    ROWS = [(row["board"], int(row["card"]), row["family"], int(row["points"]))
            for row in csv.DictReader(file, delimiter=";")]


@pytest.mark.parametrize(("board", "number", "family", "points"), ROWS)
def test_golden_score(board, number, family, points):
    assert reef.card(number).family == family
    assert reef.score(board, number).points == points
    assert reef.score_many([board], [number]).tolist() == [[points]]


def test_all_golden_rows_are_there():
    assert len(ROWS) == 20
