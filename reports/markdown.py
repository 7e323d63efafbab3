"""Markdown (GitHub's kind): for issues, wikis and chat; boards and charts become tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddsmith.reports.cards import card_words
from oddsmith.reports.maps import map_rows
from oddsmith.reports.words import (
    bars_of,
    blocks_of,
    edge_name,
    legend,
    one_line,
    printable,
    verdict,
)
from oddsmith.solver import answer as kinds
from oddsmith.solver.answer import Answer

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
_LEADING = re.compile(r"^[-+#=:]|^\d+(?=[.)])")
_TRAILING = re.compile(r"#+$")


def render_markdown(answers: Sequence[Answer], *, title: str = "", command: str = "") -> str:
    """Answers as Markdown.

    Args:
        answers: at least one.
        title: first heading; a single answer's own title if empty.
        command: command line at the foot; a single answer's own if empty.

    Returns:
        The document, ending in a newline.
    """
    parts: list[str] = []
    if len(answers) == 1:
        answer = answers[0]
        parts.append(f"# {escape(title or answer.title)}")
        parts += _answer(answer, 2)
        command = command or answer.command
    else:
        if title:
            parts.append(f"# {escape(title)}")
        for answer in answers:
            parts.append(f"## {escape(answer.title)}")
            parts += _answer(answer, 3)
            if answer.command:
                parts.append(_code(answer.command))
    if command:
        parts.append(_code(command))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text on one line, as Markdown that shows exactly it.

    Args:
        text: any text.

    Returns:
        The text with what Markdown would obey escaped.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", one_line(text))
    escaped = _TRAILING.sub(lambda m: "\\#" * len(m[0]), escaped)  # else a heading's end
    return _LEADING.sub(lambda m: f"{m[0]}\\" if m[0].isdigit() else f"\\{m[0]}", escaped)


def _code(text: str) -> str:
    """A code span whose fence is longer than any run of backquotes inside."""
    line = one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{fence}{space}{line}{space}{fence}"


def _answer(answer: Answer, level: int) -> list[str]:
    parts: list[str] = []
    for block in blocks_of(answer):
        parts += _block(block, level)
    parts.append("\n".join(_footer(answer)))
    return parts


def _block(block: kinds.Block, level: int) -> list[str]:
    if isinstance(block, kinds.Text):
        heading = [f"{'#' * level} {escape(block.title)}"] if block.title else []
        return heading + [
            "\\\n".join(map(escape, paragraph.strip("\n").split("\n")))
            for paragraph in re.split(r"\n\s*\n", printable(block.body))
            if paragraph.strip()
        ]
    if isinstance(block, kinds.Boards):
        parts = [f"**{escape(block.title)}**"] if block.title else []
        return parts + [part for board in block.boards for part in _board(board)]
    if isinstance(block, kinds.Board):
        return _board(block)
    parts = [f"**{escape(block.title)}**"] if block.title else []
    if isinstance(block, kinds.Map):
        rows = map_rows(block)
        return [*parts, _table([""] * max(map(len, rows), default=1), rows, set(), set())]
    if isinstance(block, kinds.Cards):
        rows = [[card.title, card.corner, card_words(block, card)] for card in block.cards]
        return [*parts, _table(("card", "", "slots"), rows, set(), set())]
    if isinstance(block, kinds.Table):
        parts.append(_table(block.columns, block.rows, set(block.numeric), set(block.marked)))
    else:
        parts.append(_chart(block))
    return parts + ([f"*{escape(block.note)}*"] if block.note.strip() else [])


def _table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    numeric: set[int],
    marked: set[int],
) -> str:
    lines = [_row(map(_cell, columns))]
    lines.append(_row("---:" if c in numeric else "---" for c in range(len(columns))))
    for r, row in enumerate(rows):
        cells = map(_cell, row)
        lines.append(_row(f"**{cell}**" if cell and r in marked else cell for cell in cells))
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return "<br>".join(
        _SPECIAL.sub(r"\\\g<0>", line.strip()) for line in printable(text).split("\n")
    )


def _board(board: kinds.Board) -> list[str]:
    """A board as a table of stacks, its letters named below."""
    n_columns = max((len(row) for row in board.cells), default=0)
    columns = ["", *(edge_name(board.column_names, c) for c in range(n_columns))]
    rows = []
    for r, row in enumerate(board.cells):
        stacks = map(_stack, row)
        rows.append([edge_name(board.row_names, r), *stacks, *[""] * (n_columns - len(row))])
    parts = [f"**{escape(board.title)}**"] if board.title else []
    parts.append(_table(columns, rows, set(), set()))
    key = ", ".join(f"{letter} {word}" for letter, word in legend(board))
    said = [one_line(board.alt), f"Stacks bottom to top: {key}." if key else ""]
    return parts + ([escape(" ".join(said))] if any(said) else [])


def _stack(cell: kinds.Cell) -> str:
    """A space as letters, mark and group: "GRY (1) #2"."""
    mark = f"({cell.mark})" if cell.mark[:1].isalnum() else cell.mark
    group = f"#{cell.group}" if cell.group > 0 else ""
    return " ".join(filter(None, (cell.pieces, mark, group)))


def _chart(block: kinds.Bars) -> str:
    bars = bars_of(block)
    columns = ["", "value"]
    rows = [[bar.label, bar.value_words] for bar in bars]
    if any(bar.ends for bar in bars):
        columns.append("95 % interval")
        rows = [[*row, bar.interval_words] for row, bar in zip(rows, bars, strict=True)]
    return _table(columns, rows, {1, 2}, set())


def _footer(answer: Answer) -> list[str]:
    word, detail = verdict(answer)
    lines = ["---", "", f"- **{word}**{', ' + escape(detail) if detail else ''}"]
    lines.append(f"- method: {escape(answer.method)}")
    if answer.assumptions:
        lines.append("- assumptions:")
        lines += [f"  - {escape(assumption)}" for assumption in answer.assumptions]
    if answer.rules_id:
        lines.append(f"- rules: {_code(answer.rules_id)}")
    if answer.sources:
        lines.append("- sources:")
        lines += [f"  - {escape(source)}" for source in answer.sources]
    return lines
