"""CSV, read back by the csv module."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.reports import render
from oddsmith.solver.answer import Answer, Table, Text
from oddsmith.solver.errors import InputError


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def with_blocks(*blocks: Table | Text) -> Answer:
    return Answer(
        game="", question="", title="The answer", answer=0, exact=True, method="m", blocks=blocks
    )


def test_one_table_is_plain_csv(score: Answer) -> None:
    rows = read(render(score, "csv"))
    assert rows[0] == ["rank", "placement", "occurrences", "points", "gap"]
    assert rows[1] == ["1 ★", "C3, A4", "B2 B3 · C2 C3 · A4", "9", "0"]
    assert len(rows) == 5


def test_several_tables_have_comments_and_blank_lines(score: Answer, estimate: Answer) -> None:
    lines = render([score, estimate], "csv").split("\n")
    assert lines[0] == "# Card 37 scores 9 points: All placements that score"
    assert lines[6:8] == [
        "",
        "# Chance of winning by number of players: Change against the printed rules",
    ]
    assert lines[8] == "label,value (%),low,high"
    assert lines[9] == "two players,4.25,3.612,4.881"


def test_tables_of_one_answer_are_named_by_their_titles() -> None:
    one, two = Table(columns=("a",), rows=(), title="One"), Table(columns=("b",), rows=())
    assert render(with_blocks(one, two), "csv") == "# One\na\n\n# The answer\nb\n"


def test_nothing_tabular_is_the_users_error() -> None:
    with pytest.raises(InputError, match="no table"):
        render(with_blocks(Text(body="only words")), "csv")


def test_line_ends_inside_cells_are_newlines() -> None:
    table = Table(columns=("a", "b"), rows=(("one\r\ntwo", "three\rfour"),))
    assert render(with_blocks(table), "csv") == 'a,b\n"one\ntwo","three\nfour"\n'


cells = st.text(max_size=15).filter(lambda text: "\r" not in text)
rows_of_two = st.lists(st.tuples(cells, cells), max_size=4).map(tuple)


@given(rows_of_two)
def test_any_cell_comes_back(rows: tuple[tuple[str, str], ...]) -> None:
    text = render(with_blocks(Table(columns=("a", "b"), rows=rows)), "csv")
    assert read(text) == [["a", "b"], *map(list, rows)]


@given(rows_of_two, rows_of_two, st.text(max_size=20))
def test_any_cell_of_two_tables_comes_back(
    first: tuple[tuple[str, str], ...], second: tuple[tuple[str, str], ...], title: str
) -> None:
    tables = [Table(columns=("a", "b"), rows=rows, title=title) for rows in (first, second)]
    answer = msgspec.structs.replace(with_blocks(), blocks=tuple(tables))
    rows = read(render(answer, "csv"))
    cut = 2 + len(first)
    assert rows[1:cut] == [["a", "b"], *map(list, first)]
    assert rows[cut] == []
    assert rows[cut + 1][0].startswith("#")
    assert rows[cut + 2 :] == [["a", "b"], *map(list, second)]
