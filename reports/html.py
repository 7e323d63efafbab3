"""HTML: one self-contained page, or a fragment for notebooks, from Jinja2 templates.

The templates hold the structure and the style; this module prepares what they show.  Nothing
is loaded from anywhere: pictures are inline SVG, the data is JSON inside the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from oddsmith.reports import palette
from oddsmith.reports.boards import board_style, draw_board
from oddsmith.reports.cards import card_style, draw_card
from oddsmith.reports.charts import bars_svg
from oddsmith.reports.json_data import render_json
from oddsmith.reports.maps import draw_map, map_style
from oddsmith.reports.words import (
    bars_of,
    blocks_of,
    game_name,
    legend,
    one_line,
    printable,
    verdict,
)
from oddsmith.solver import __version__
from oddsmith.solver import answer as kinds
from oddsmith.solver.answer import Answer

if TYPE_CHECKING:
    from jinja2 import Environment


def render_page(answers: Sequence[Answer], *, title: str = "", command: str = "") -> str:
    """Answers as one HTML file.

    Args:
        answers: at least one.
        title: heading of the page; a single answer's own title if empty.
        command: command line at the foot; a single answer's own if empty.

    Returns:
        The file's text.
    """
    single = len(answers) == 1
    games = sorted({answer.game for answer in answers if answer.game})
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=one_line(title or (answers[0].title if single else f"{len(answers)} answers")),
            eyebrow=", ".join(map(game_name, games)),
            single=single,
            answers=[_view(answer) for answer in answers],
            command=one_line(command or (answers[0].command if single else "")),
            # "<" would let "</script>" or "<!--" in a name end the element.
            data=Markup(render_json(answers).replace("<", "\\u003c")),
            **_look(""),
        )
    )


def render_fragment(answer: Answer) -> str:
    """An answer as one `<section>` with its own style; see `oddsmith.reports.fragment`.

    Args:
        answer: the answer.

    Returns:
        The element's text.
    """
    template = _environment().get_template("fragment.html.j2")
    return template.render(answer=_view(answer), **_look(".oddsmith"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["printable"] = printable
    return environment


def _look(scope: str) -> dict[str, Any]:
    """The colours, as CSS declarations, and the style of boards."""
    return {
        "light": _declarations(palette.LIGHT),
        "dark": _declarations(palette.DARK),
        "board_style": Markup(board_style(scope) + map_style(scope) + card_style(scope)),
        "paints": palette.PAINTS,
        "version": __version__,
    }


def _declarations(colors: dict[str, str]) -> Markup:
    return Markup("".join(f"--od-{role}:{color};" for role, color in colors.items()))


def _view(answer: Answer) -> dict[str, Any]:
    """What the templates say about an answer."""
    word, detail = verdict(answer)
    return {
        "title": one_line(answer.title),
        "game": game_name(answer.game),
        "exact": answer.exact,
        "word": word,
        "detail": detail,
        "method": printable(answer.method),
        "assumptions": [printable(text) for text in answer.assumptions],
        "rules_id": one_line(answer.rules_id),
        "sources": [printable(text) for text in answer.sources],
        "command": one_line(answer.command),
        "blocks": [_block(block) for block in blocks_of(answer)],
    }


def _block(block: kinds.Block) -> dict[str, Any]:
    """What the templates say about a block; `kind` is its tag."""
    view: dict[str, Any] = {"title": one_line(block.title)}
    if isinstance(block, kinds.Text):
        paragraphs = re.split(r"\n\s*\n", printable(block.body))
        return view | {"kind": "text", "paragraphs": [p for p in paragraphs if p.strip()]}
    if isinstance(block, kinds.Table):
        return view | {"kind": "table", "table": block, "note": printable(block.note)}
    if isinstance(block, kinds.Bars):
        bars = bars_of(block)
        return view | {
            "kind": "bars",
            "svg": Markup(bars_svg(block)),
            "bars": bars,
            "with_intervals": any(bar.ends for bar in bars),
            "note": printable(block.note),
        }
    if isinstance(block, kinds.Map):
        return view | {"kind": "map", "svg": Markup(draw_map(block, standalone=False)),
                       "note": one_line(f"Tint: {block.heat_title}" if block.heat_title else "")}
    if isinstance(block, kinds.Cards):
        return view | {"kind": "cards", "letters": [
            {"letter": letter, "word": word, "paint": palette.paint(word)}
            for word, letter in block.letters.items()
        ], "cards": [Markup(draw_card(block, card)) for card in block.cards]}
    boards = (block,) if isinstance(block, kinds.Board) else block.boards
    return {
        "kind": "boards",
        "title": "" if isinstance(block, kinds.Board) else one_line(block.title),
        "boards": [
            {"title": one_line(board.title), "svg": Markup(draw_board(board, standalone=False))}
            for board in boards
        ],
        "columns": max((len(row) for b in boards for row in b.cells), default=0),
        "key": [
            {"letter": letter, "word": word, "paint": palette.paint(word)}
            for letter, word in dict(pair for board in boards for pair in legend(board)).items()
        ],
        "more": [("", "small number: height of the stack")] * any(
            len(cell.pieces) > 1 for b in boards for row in b.cells for cell in row)
        + [("#1", "outlined together")] * any(
            cell.group > 0 for b in boards for row in b.cells for cell in row),
    }
