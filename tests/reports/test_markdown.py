"""Markdown, read back by a CommonMark parser."""

from __future__ import annotations

from itertools import pairwise

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from oddsmith.reports import render
from oddsmith.reports.markdown import escape
from oddsmith.reports.words import one_line
from oddsmith.solver.answer import Answer, Table


def parse(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def plain(token: Token) -> str:
    """The words of an inline token; it must hold nothing but words (and bold)."""
    allowed = {"text", "text_special", "strong_open", "strong_close", "softbreak"}
    assert {child.type for child in token.children or []} <= allowed, token.content
    return "".join(child.content for child in token.children or [])


def tables(text: str) -> list[list[list[str]]]:
    """Every table as rows of cells."""
    found: list[list[list[str]]] = []
    tokens = parse(text)
    for before, token in pairwise(tokens):
        if before.type == "table_open":
            found.append([])
        if before.type == "tr_open":
            found[-1].append([])
        if before.type in ("th_open", "td_open"):
            found[-1][-1].append(plain(token))
    return found


def test_tables_boards_and_bars_are_tables(score: Answer) -> None:
    before, after, placements, bars, reef = tables(render(score, "markdown"))
    assert before[0] == ["", "A", "B", "C", "D"]
    assert before[2] == ["2", "G", "RY", "PP", ""]
    assert after[3] == ["3", "", "YG #1", "GRYP (1) #2", ""]
    assert placements[1] == ["1 ★", "C3, A4", "B2 B3 · C2 C3 · A4", "9", "0"]
    assert placements[4][1] == "B1 | D1"
    assert bars[1:] == [["C3, A4", "9 points"], ["C3, D3", "6 points"], ["A4, A4", "3 points"]]
    assert reef[2] == ["2", "GP #1", ""]


def test_intervals_get_a_column(estimate: Answer) -> None:
    (bars,) = tables(render(estimate, "markdown"))
    assert bars[0] == ["", "value", "95 % interval"]
    assert bars[1] == ["two players", "4.25 %", "3.61 … 4.89"]


def test_headings_form_an_outline(score: Answer, estimate: Answer) -> None:
    def outline(text: str) -> list[str]:
        return [token.tag for token in parse(text) if token.type == "heading_open"]

    assert outline(render(estimate, "markdown")) == ["h1", "h2"]
    both = render([score, estimate], "markdown", title="Both")
    assert outline(both) == ["h1", "h2", "h2", "h3"]


def test_the_command_is_at_the_foot(score: Answer) -> None:
    assert render(score, "markdown").endswith(f"`{score.command}`\n")
    assert render(score, "markdown", command="a `b`").endswith("`` a `b` ``\n")


lines = st.text(max_size=40)


@example("__0__ *a* snake_case `b` <i> [c](d) ~~e~~ &amp; \\")
@example("1. a #")
@given(lines)
def test_escaped_text_is_read_as_itself(text: str) -> None:
    for prefix, kind in (("", "paragraph_open"), ("# ", "heading_open")):
        tokens = parse(prefix + escape(text))
        if not one_line(text):
            continue
        assert [token.type for token in tokens[:2]] == [kind, "inline"]
        assert len(tokens) == 3
        assert plain(tokens[1]) == one_line(text)


@settings(deadline=None)
@given(st.lists(st.lists(lines, min_size=2, max_size=2), min_size=1, max_size=3))
def test_cells_are_read_as_themselves(rows: list[list[str]]) -> None:
    answer = Answer(game="", question="", title="t", answer=0, exact=True, method="m", blocks=())
    table = Table(columns=("a", "b"), rows=tuple(tuple(map(one_line, row)) for row in rows))
    (found,) = tables(render(msgspec.structs.replace(answer, blocks=(table,)), "markdown"))
    assert found[1:] == [list(map(one_line, row)) for row in rows]
