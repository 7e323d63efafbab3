"""Text: grids, folding, colours, and what a pipe gets."""

from __future__ import annotations

import io
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from oddsmith.reports import print_text, render
from oddsmith.reports.text import bar_characters
from oddsmith.reports.text_tables import column_widths
from oddsmith.solver.answer import Answer, Bars, Board, Cell, Table

ESCAPE = "\x1b"

GRID = """\
The whole reef
    A       B
  ┌───────┬───────┐
1 │ R     │ Y     │
  │ (1)#1 │       │
  ├───────┼───────┤
2 │ GP    │ ·     │
  │ #1    │       │
  └───────┴───────┘
R red, Y yellow, G green, P purple; bottom to top
"""

TABLE = """\
All placements that score
rank  placement  occurrences     points  gap
────────────────────────────────────────────
1 ★   C3, A4     B2 B3 · C2 C3        9    0
                 · A4
2     C3, D3     B2 B3 · C2 C3        6    3
3     A4, A4     A4                   3    6
4     B1 | D1    none                 0    9
★ is the best placement. Equal placements
are listed once.
"""


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class OldFile(io.StringIO):
    """A file whose encoding lacks block characters."""

    encoding = "latin-1"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("LINES", "24")


def wide(answer: Answer) -> Answer:
    """The answer with one table of 40 wide cells a row."""
    columns = tuple(f"column-{i}" for i in range(40))
    table = Table(columns=columns, rows=(tuple(f"value-{i}-of-this-row" for i in range(40)),))
    return msgspec.structs.replace(answer, blocks=(table,))


def test_a_board_is_a_grid_of_letters_marks_and_groups(score: Answer) -> None:
    assert GRID in render(score, "text")


def test_a_table_is_ruled_aligned_and_folded_between_words(score: Answer) -> None:
    assert TABLE in render(score, "text", width=44)
    assert "\n\n\n" not in render(score, "text")


def test_marks_that_are_signs_need_no_brackets(score: Answer) -> None:
    cells = ((Cell("R", "+1+2", 1), Cell("", "2")),)
    board = Board(cells, {"R": "red"}, ("a", "b"), ("1",))
    answer = msgspec.structs.replace(score, blocks=(board,))
    assert "│ +1+2#1 │ (2)    │" in render(answer, "text")
    assert "| 1 | R +1+2 #1 | (2) |" in render(answer, "markdown")


def test_boards_stand_side_by_side_only_where_they_fit(score: Answer) -> None:
    assert re.search("^Before +After$", render(score, "text"), re.MULTILINE)
    assert re.search("^Before$", render(score, "text", width=60), re.MULTILINE)


def test_marked_rows_and_pieces_are_coloured_but_say_the_same(score: Answer) -> None:
    plain, colored = render(score, "text"), render(score, "text", color=True)
    assert ESCAPE not in plain
    assert "48;2;198;58;52mR" in colored  # the letter on a red ground
    stripped = re.sub("\x1b\\[[0-9;]*m", "", colored)
    assert [line.rstrip() for line in stripped.split("\n")] == plain.split("\n")


@pytest.mark.parametrize("width", [24, 40, 80, 120])
def test_nothing_is_wider_than_asked_and_nothing_is_cut(score: Answer, width: int) -> None:
    text = render(score, "text", width=width)
    lines = [line for line in text.split("\n") if not set(line) & set("│┌├└")]
    assert all(cell_len(line) <= width for line in lines)
    for word in re.findall(r"\w+", " ".join([score.method, *score.assumptions, "occurrences"])):
        assert word in text
    assert re.search(r"^B1 \| D1|: B1 \| D1|B1 \| D1 ", text, re.MULTILINE)


def test_a_pipe_gets_whole_lines_without_escapes(score: Answer) -> None:
    out = io.StringIO()
    print_text(wide(score), out)
    header, _, row = out.getvalue().split("\n")[3:6]
    assert [f"column-{i}" for i in range(40)] == header.split()
    assert [f"value-{i}-of-this-row" for i in range(40)] == row.split()
    assert ESCAPE not in out.getvalue()


def test_a_terminal_gets_colours_and_records_instead_of_cut_rows(score: Answer) -> None:
    out = Terminal()
    print_text(wide(score), out)
    plain = re.sub("\x1b\\[[0-9;]*m", "", out.getvalue())
    assert plain != out.getvalue()
    assert "column-39: value-39-of-this-row\n" in plain
    assert max(map(len, plain.split("\n"))) <= 50


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_without_colour_folds_but_has_no_escapes(
    score: Answer, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    out = Terminal()
    print_text([score, wide(score)], out)
    assert ESCAPE not in out.getvalue()
    assert max(map(len, out.getvalue().split("\n"))) <= (50 if name == "NO_COLOR" else 80)


def test_standard_output_is_the_default(score: Answer, capsys: pytest.CaptureFixture[str]) -> None:
    print_text(score)
    assert capsys.readouterr().out == render(score, "text")


def test_an_old_encoding_gets_question_marks_instead_of_an_error(score: Answer) -> None:
    out = OldFile()
    print_text(score, out)
    out.getvalue().encode("latin-1")
    assert "Card 37 scores 9 points" in out.getvalue()


def test_control_characters_never_reach_the_terminal(score: Answer) -> None:
    hostile = "\x1b]0;owned\x07 [red]x[/red]"
    table = Table(columns=(hostile,), rows=((hostile,),), title=hostile)
    text = render(msgspec.structs.replace(score, title=hostile, blocks=(table,)), "text")
    assert not set(text) & {"\x1b", "\x07"}
    assert text.count("[red]x[/red]") == 4


def test_bars_carry_numbers_and_intervals(estimate: Answer) -> None:
    text = render(estimate, "text")
    assert re.search(r"two players +█+[▏▎▍▌▋▊▉]? +4\.25 %  \(3\.61 … 4\.89\)", text)
    assert re.search(r"four players +█+ +-1\.90 %  \(-2\.42 … -1\.39\)", text)
    positive = re.search("(?<=two players)( +)█", text)
    negative = re.search("(?<=four players)( +)█", text)
    assert positive is not None
    assert negative is not None
    assert len(negative[1]) < len(positive[1]), "negative bars go to the left"


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (4.0, 0.0, 4.0, "████"),
        (2.0, 0.0, 4.0, "██  "),
        (2.5, 0.0, 4.0, "██▌ "),
        (0.0, 0.0, 4.0, "    "),
        (1e-9, 0.0, 4.0, "▏   "),
        (-2.0, -2.0, 2.0, "██  "),
        (1.0, -2.0, 2.0, "  █ "),
        (float("nan"), 0.0, 4.0, "    "),
        (0.0, 0.0, 0.0, "    "),
    ],
)
def test_bar_characters(value: float, low: float, high: float, expected: str) -> None:
    assert bar_characters(value, low, high, 4) == expected


finite = st.floats(-1e12, 1e12)


@given(st.lists(finite, min_size=1, max_size=6))
def test_bars_have_their_length_and_their_order(values: list[float]) -> None:
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    bars = [bar_characters(value, low, high, 20) for value in values]
    assert all(len(bar) == 20 for bar in bars)
    lengths = [len(bar.strip()) for value, bar in zip(values, bars, strict=True) if value >= 0]
    values = [value for value in values if value >= 0]
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [lengths[i] for i in order] == sorted(lengths)


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Z"]), max_size=12)


@given(
    st.lists(st.lists(words, min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(1, 60),
)
def test_column_widths_fill_the_room_or_are_none(rows: list[list[str]], room: int) -> None:
    widths = column_widths(["a", "b", "c"], rows, {1}, room)
    least = [max(1, *(cell_len(row[c]) for row in rows)) for c in range(3)]
    if widths is None:
        assert sum(least) + 4 > room
    else:
        assert sum(widths) + 4 <= room
        assert all(w >= needed for w, needed in zip(widths, least, strict=True))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=30), st.integers(10, 100))
def test_any_text_in_any_place_prints(text: str, width: int) -> None:
    answer = Answer(
        game="",
        question="q",
        title=text,
        answer=[text],
        exact=False,
        method=text,
        assumptions=(text,),
        blocks=(
            Table(columns=(text, "b"), rows=((text, text),), title=text, note=text),
            Bars(labels=(text, text), values=(1.5, -2.0), title=text, unit=text),
        ),
    )
    assert "estimate" in render(answer, "text", width=width).replace("\n", "")
    assert "estimate" in render(answer, "text")
