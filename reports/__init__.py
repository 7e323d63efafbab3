"""Oddsmith's reports: an `Answer` as terminal text, JSON, Markdown, CSV or one HTML file.

The block kinds of `oddsmith.solver.answer` are all that is known here; no game is.  Every
format is a module of its own, loaded when it is asked for, so that importing this package
costs nothing (rich, Jinja2 and matplotlib are only paid for by those who use them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from oddsmith.solver.answer import Answer, Board

__all__ = ["FORMATS", "board_svg", "fragment", "print_text", "render"]

FORMATS = ("text", "json", "markdown", "csv", "html")
"""The names that `render` takes."""


def render(
    answers: Answer | Sequence[Answer],
    fmt: str,
    *,
    title: str = "",
    command: str = "",
    width: int | None = None,
    color: bool | None = None,
) -> str:
    """Answers in one of the `FORMATS`; same answers, same bytes.

    Args:
        answers: one answer or several; several share one page, one JSON array, one CSV file.
        fmt: one of `FORMATS`.
        title: heading above the answers (text, Markdown, HTML); of a single answer's page it
            replaces the answer's own title.
        command: command line at the foot (Markdown, HTML); a single answer's own if empty.
        width: columns that text is folded to; as wide as the content needs if None.
        color: whether text carries terminal colours; no if None, since a string is no terminal.

    Returns:
        The document, ending in a newline.

    Raises:
        ValueError: `fmt` is unknown, or there are no answers.
        oddsmith.solver.errors.InputError: CSV of answers that hold nothing tabular.
    """
    if fmt not in FORMATS:
        raise ValueError(f"unknown format {fmt!r}; one of: {', '.join(FORMATS)}")
    several = _several(answers)
    if fmt == "json":
        from oddsmith.reports.json_data import render_json

        return render_json(several)
    if fmt == "csv":
        from oddsmith.reports.csv_table import render_csv

        return render_csv(several)
    if fmt == "markdown":
        from oddsmith.reports.markdown import render_markdown

        return render_markdown(several, title=title, command=command)
    if fmt == "html":
        from oddsmith.reports.html import render_page

        return render_page(several, title=title, command=command)
    from oddsmith.reports.text import render_text

    return render_text(several, title=title, width=width, color=bool(color))


def print_text(answer: Answer | Sequence[Answer], file: TextIO | None = None) -> None:
    """Print answers as text, folded and coloured on a terminal, plain and whole elsewhere.

    Args:
        answer: one answer or several.
        file: where to print; standard output if None.

    Raises:
        ValueError: there are no answers.
        OSError: the file can't be written.
    """
    from oddsmith.reports.text import print_answers

    print_answers(_several(answer), file)


def fragment(answer: Answer) -> str:
    """An answer as a piece of HTML with its own style, for notebooks.

    Args:
        answer: the answer.

    Returns:
        One `<section>`; it brings its own light and dark colours and touches nothing outside.
    """
    from oddsmith.reports.html import render_fragment

    return render_fragment(answer)


def board_svg(board: Board) -> str:
    """A board as a standalone SVG picture.

    Args:
        board: the board; its `alt` (or a description of every stack) is the text alternative.

    Returns:
        One `<svg>` element with role, title and description, light and dark colours.
    """
    from oddsmith.reports.boards import draw_board

    return draw_board(board, standalone=True)


def _several(answers: Answer | Sequence[Answer]) -> tuple[Answer, ...]:
    """One answer or several, as a tuple that isn't empty."""
    from oddsmith.solver.answer import Answer

    several = (answers,) if isinstance(answers, Answer) else tuple(answers)
    if not several:
        raise ValueError("no answers to render")
    return several
