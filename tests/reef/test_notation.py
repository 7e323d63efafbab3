"""Boards, spaces, placements and patterns: parse and format agree; faults are located."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import notation
from oddsmith.solver.games.reef.inputs import inline_board

boards = st.lists(st.text("rygp", max_size=8), min_size=16, max_size=16).map(
    lambda stacks: reef.Board(tuple(stacks)))
EXAMPLE = ".,r,.,./gy,.,.,./.,.,rygp,./.,.,.,p"


@given(boards)
def test_one_line_round_trip(board):
    assert reef.parse_board(reef.format_board(board), 8) == board


@given(boards)
def test_drawn_round_trip(board):
    assert reef.parse_board(notation.draw_board(board), 8) == board


@pytest.mark.parametrize("drawing", [
    ". r . .\ngy . . .\n. . rygp .\n. . . p",
    "  a b c d\n1 . r . .\n2 gy . . .\n3 . . rygp .\n4 . . . p\n",
    "+----+\n| . | r | . | . |\n+----+\n| gy | . | . | . |\n|.|.|rygp|.|\n| . | . | . | p |\n+---+",
    "    a      b      c      d\n  ┌──────┬──────┬──────┬──────┐\n1 │ .    │ r    │ .    │ .    │\n"
    "  ├──────┼──────┼──────┼──────┤\n2 │ gy   │ .    │ .    │ .    │\n3 │ .    │ .    │ rygp │ .    "
    "│\n4 │ .    │ .    │ .    │ p    │\n  └──────┴──────┴──────┴──────┘",
    ".,r,.,./\ngy,.,.,./\n.,.,rygp,./\n.,.,.,p",
    ". , r , . , . / gy,.,.,. / .,.,rygp,. / .,.,.,p",
])
def test_drawings_are_read(drawing):
    assert reef.format_board(reef.parse_board(drawing)) == EXAMPLE


@pytest.mark.parametrize(("text", "line", "column", "word"), [
    (".,.,.,./.,x,.,./.,.,.,./.,.,.,.", 1, 11, "`x` in space b2"),
    (".,.,.,./.,R,.,./.,.,.,./.,.,.,.", 1, 11, "`R` in space b2"),
    (".,.,.,./.,rygpr,.,./.,.,.,./.,.,.,.", 1, 15, "`rygpr` on b2 has 5 pieces"),
    (".,.,./.,.,.,./.,.,.,./.,.,.,.", 1, 1, "row 1 has 3 spaces"),
    (".,.,.,./.,.,.,.,./.,.,.,./.,.,.,.", 1, 9, "row 2 has 5 spaces"),
    (".,.,.,./.,.,.,./.,.,.,.", 1, 17, "this one has 3"),
    (".,.,.,./.,.,.,./.,.,.,./.,.,.,./.,.,.,.", 1, 33, "this one has 5"),
    (".,.,.,./.,,.,./.,.,.,./.,.,.,.", 1, 11, "nothing is written for space b2"),
    ("", 1, 1, "this one has 0"),
    ("| . | . | . | . |\n| . | . | . | . |\n| . | q | . | . |\n| . | . | . | . |", 3, 7, "`q`"),
    ("1 . . . .\n2 . . .\n3 . . . .\n4 . . . .", 2, 1, "row 2 has 3 spaces"),
])
def test_faults_are_located(text, line, column, word):
    with pytest.raises(InputError) as caught:
        reef.parse_board(text)
    assert word in caught.value.what
    assert (caught.value.line, caught.value.column) == (line, column)


@given(st.text(max_size=60))
def test_any_text_is_a_board_or_an_input_error(text):
    try:
        board = reef.parse_board(text)
    except InputError as error:
        assert 1 <= error.line <= text.count("\n") + 1 + len(text)  # a real place
        return
    assert all(len(stack) <= 4 for stack in board.stacks)


def test_inline_faults_name_the_command_line():
    with pytest.raises(InputError) as caught:
        inline_board(".,.,.,./.,x,.,./.,.,.,./.,.,.,.", reef.Rules())
    assert str(caught.value).startswith("<command line>:1:11: `x`")


@given(boards)
def test_bits(board):
    tops, low, high = board.bits
    for space, stack in enumerate(board.stacks):
        for k, letter in enumerate("rygp"):
            assert (tops >> (16 * k + space) & 1) == (stack[-1:] == letter)
        for level in range(8):
            word = low if level < 4 else high
            assert (word >> (16 * (level % 4) + space) & 1) == (len(stack) > level)


def test_spaces_and_pieces():
    names = [reef.format_space(space) for space in range(16)]
    assert names[0] == "a1" and names[3] == "d1" and names[15] == "d4"
    assert [reef.parse_space(name) for name in names] == list(range(16))
    pieces = [(color, space) for color in range(4) for space in range(16)]
    assert [reef.parse_piece(reef.format_piece(piece)) for piece in pieces] == pieces
    for wrong in ("", "a", "a5", "e1", "a1x", "1a", "@a1", "x@a1", "r@", "r@e1", "ra1"):
        with pytest.raises(InputError):
            reef.parse_piece(wrong)


@pytest.mark.parametrize("number", range(1, 61))
def test_patterns_round_trip_and_have_words(number):
    pattern = reef.card(number).pattern
    assert notation.parse_pattern(notation.format_pattern(pattern)) == pattern
    assert notation.describe_pattern(pattern)


@pytest.mark.parametrize("wrong", ["", "x", "r5", "r+", "rr", "tallest r", "r,,y"])
def test_wrong_patterns(wrong):
    with pytest.raises(ValueError):
        notation.parse_pattern(wrong)
