"""Boards as SVG: legible without colour, well formed, outlined where spaces belong together."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.reports import board_svg
from oddsmith.reports.outline import components, outline_path
from oddsmith.reports.words import board_words
from oddsmith.solver.answer import Answer, Board, Boards, Cell

SVG = "{http://www.w3.org/2000/svg}"


def after(answer: Answer) -> Board:
    boards = answer.blocks[1]
    assert isinstance(boards, Boards)
    return boards.boards[1]


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_standalone_and_told_in_words(score: Answer) -> None:
    root = ElementTree.fromstring(board_svg(after(score)))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == "After"
    words = root.findtext(f"{SVG}desc") or ""
    assert "C3: green, red, yellow, purple on top; height 4; mark 1; group 2" in words
    assert "D1" not in words
    assert words in root.attrib["aria-label"]
    assert "prefers-color-scheme:dark" in (root.findtext(f"{SVG}style") or "")


def test_the_given_alternative_wins(score: Answer) -> None:
    boards = score.blocks[1]
    assert isinstance(boards, Boards)
    root = ElementTree.fromstring(board_svg(boards.boards[0]))
    assert root.findtext(f"{SVG}desc") == "The board before: ten stacks around the centre."


def test_everything_is_told_by_signs(score: Answer) -> None:
    shown = texts(board_svg(after(score)))
    for name in ("A", "B", "C", "D", "3", "4"):
        assert name in shown
    assert shown.count("#1") == shown.count("#2") == shown.count("#3") == 1
    assert "P4" in shown, "top piece with the height of its stack"
    assert "R" in shown, "a single piece has no height"
    column = "".join(shown)
    assert "P4GRYP1" in column, "pieces from bottom to top beside the stack, then the mark"


def test_outlines_differ_by_more_than_colour(score: Answer) -> None:
    svg = board_svg(after(score))
    rings = re.findall('<path class="od-ring"[^>]*>', svg)
    assert len(rings) == 3
    dashes = [re.findall('stroke-dasharray="([^"]*)"', ring) for ring in rings]
    assert dashes[0] == []
    assert len(set(map(tuple, dashes))) == 3


@pytest.mark.parametrize("height", range(1, 9))
def test_tall_stacks_stay_in_their_space(height: int) -> None:
    cell = Cell(pieces="RYGPRYGP"[:height], mark="12", group=1)
    board = Board(cells=((cell,),), colors={"R": "red"}, column_names=("A",), row_names=("1",))
    root = ElementTree.fromstring(board_svg(board))
    (group,) = root.iter(f"{SVG}g")
    for circle in group.iter(f"{SVG}circle"):
        x, y, r = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert 0 <= x - r <= x + r <= 86
        assert 0 <= y - r <= y + r <= 86


def test_an_empty_board_is_a_picture_too() -> None:
    bare = Board(cells=(), colors={}, column_names=(), row_names=())
    ElementTree.fromstring(board_svg(bare))
    assert board_words(bare) == "An empty board."


cells = st.builds(
    Cell, pieces=st.text(max_size=5), mark=st.text(max_size=3), group=st.integers(-1, 4)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(cells, max_size=3).map(tuple), max_size=3).map(tuple), st.text())
def test_any_board_is_well_formed(rows: tuple[tuple[Cell, ...], ...], text: str) -> None:
    board = Board(
        cells=rows, colors={text: text}, column_names=(text,), row_names=(text,), title=text
    )
    root = ElementTree.fromstring(board_svg(board))
    spaces = [node for node in root.iter(f"{SVG}rect") if node.attrib["class"] == "od-space"]
    assert len(spaces) == sum(map(len, rows))


# ---- outlines ------------------------------------------------------------------------------


def path(*spaces: tuple[int, int]) -> str:
    return outline_path(spaces, pitch=10, inset=1, radius=0, origin=0)


def corners(drawn: str) -> list[list[tuple[float, float]]]:
    """The corner points of every closed part of a path."""
    return [
        [(float(x), float(y)) for x, y in re.findall(r"Q(\S+) (\S+)", part)]
        for part in drawn.split("Z")[:-1]
    ]


def test_one_space_is_a_square() -> None:
    assert corners(path((0, 0))) == [[(1, 1), (9, 1), (9, 9), (1, 9)]]


def test_neighbours_share_one_outline() -> None:
    assert corners(path((0, 0), (0, 1))) == [[(1, 1), (19, 1), (19, 9), (1, 9)]]


def test_spaces_that_touch_by_a_corner_have_an_outline_each() -> None:
    assert corners(path((0, 0), (1, 1))) == [
        [(1, 1), (9, 1), (9, 9), (1, 9)],
        [(11, 11), (19, 11), (19, 19), (11, 19)],
    ]


def test_a_ring_has_an_outer_and_an_inner_outline() -> None:
    ring = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    outer, inner = corners(path(*ring))
    assert set(outer) == {(1, 1), (29, 1), (29, 29), (1, 29)}
    assert set(inner) == {(9, 9), (21, 9), (21, 21), (9, 21)}


spaces = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


@given(spaces)
def test_outlines_enclose_exactly_the_spaces(chosen: set[tuple[int, int]]) -> None:
    drawn = outline_path(chosen, pitch=10, inset=0, radius=0, origin=0)
    area = 0.0  # by the shoelace formula; holes run the other way round
    for loop in corners(drawn):
        area += sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*loop, loop[0]])) / 2
    assert area == 100 * len(chosen)


@given(spaces)
def test_components_are_a_partition_into_connected_parts(chosen: set[tuple[int, int]]) -> None:
    parts = components(chosen)
    assert set().union(*parts) == chosen
    assert sum(map(len, parts)) == len(chosen)
    for part in parts:
        around = {(r + a, c + b) for r, c in part for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        assert not (around - part) & chosen
