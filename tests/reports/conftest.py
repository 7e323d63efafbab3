"""Answers as the games give them, with every kind of block."""

from __future__ import annotations

import pytest

from oddsmith.solver.answer import Answer, Bars, Board, Boards, Cell, Interval, Table, Text

COLORS = {"R": "red", "Y": "yellow", "G": "green", "P": "purple"}


def board(title: str, rows: str, alt: str = "") -> Board:
    """A board from rows of cells: letters, then "!mark" and "#group"; "." is an empty stack."""
    cells = []
    for line in rows.strip().splitlines():
        row = []
        for word in line.split():
            stack, _, group = word.partition("#")
            pieces, _, mark = stack.partition("!")
            row.append(Cell(pieces=pieces.strip("."), mark=mark, group=int(group or 0)))
        cells.append(tuple(row))
    columns = tuple("ABCDEFGH"[: max(map(len, cells))])
    names = tuple(str(i + 1) for i in range(len(cells)))
    return Board(
        cells=tuple(cells),
        colors=COLORS,
        column_names=columns,
        row_names=names,
        title=title,
        alt=alt,
    )


BEFORE = """
.    .    R    .
G    RY   PP   .
.    YG   GRY  .
.    .    .    YPGG
"""

AFTER = """
.     .     R     .
G     RYR#1 PP#2  .
.     YG#1  GRYP!1#2 .
P!2#3 .     .     YPGG
"""


@pytest.fixture
def score() -> Answer:
    """An exact Reef score with every kind of block."""
    return Answer(
        game="reef",
        question="score",
        title="Card 37 scores 9 points",
        answer={"points": 9, "occurrences": ["B2 B3", "C2 C3", "A4"], "share": "9/14"},
        exact=True,
        method="Every placement of the two pieces, each with the best set of disjoint occurrences.",
        assumptions=(
            "The supply holds both purple pieces.",
            "Rotations of a pattern count as the same set of spaces.",
        ),
        rules_id="reef-2018-4f1c9a",
        sources=(
            "Card data from one public list; 14 of 60 cards confirmed by reviews.",
            "Rule book, page 5: each top piece may count once.",
        ),
        inputs={"card": 37, "board": BEFORE},
        command='oddsmith reef score "A1:R …" --card 37 --format html',
        blocks=(
            Text(
                body="Placing purple on C3 and on A4 completes three occurrences of the pattern, "
                "3 points each.\n\nNo other placement gives more than 6."
            ),
            Boards(
                title="The placement",
                boards=(
                    board("Before", BEFORE, "The board before: ten stacks around the centre."),
                    board("After", AFTER),
                ),
            ),
            Table(
                title="All placements that score",
                columns=("rank", "placement", "occurrences", "points", "gap"),
                rows=(
                    ("1 ★", "C3, A4", "B2 B3 · C2 C3 · A4", "9", "0"),
                    ("2", "C3, D3", "B2 B3 · C2 C3", "6", "3"),
                    ("3", "A4, A4", "A4", "3", "6"),
                    ("4", "B1 | D1", "none", "0", "9"),
                ),
                numeric=(3, 4),
                marked=(0,),
                note="★ is the best placement. Equal placements are listed once.",
            ),
            Bars(
                title="Points by placement",
                labels=("C3, A4", "C3, D3", "A4, A4"),
                values=(9.0, 6.0, 3.0),
                unit="points",
            ),
            board("The whole reef", "R!1#1 Y\nGP#1 ."),
        ),
    )


@pytest.fixture
def estimate() -> Answer:
    """A simulated comparison with intervals, one of them negative."""
    return Answer(
        game="forbidden_island",
        question="compare",
        title="Chance of winning by number of players",
        answer={"p_win": {"2": 0.4241, "3": 0.4687, "4": 0.391}},
        exact=False,
        method="Random play on common random numbers.",
        interval=Interval(low=0.41234567, high=0.43591234, n=100_000, seed=7),
        blocks=(
            Text(title="What was compared"),
            Bars(
                title="Change against the printed rules",
                labels=("two players", "three players and a long label", "four players"),
                values=(4.25, 0.44, -1.9),
                low=(3.612, 0.1, -2.412),
                high=(4.881, 0.8, -1.399),
                unit="%",
                note="Differences on common random numbers.",
            ),
        ),
        command="oddsmith island compare --players 2,3,4 --seed 7",
    )
