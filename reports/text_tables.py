"""Tables as text: natural width where there is room, else folded, else one row a record."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from oddsmith.reports.words import printable
from oddsmith.solver.answer import Table

_GUTTER = 2
"""Spaces between columns."""


def table_text(console: Any, table: Table) -> None:
    """Print a table's header and rows; nothing is ever cut off.

    Args:
        console: where to print; its width is the room.
        table: the table; title and note are the caller's.
    """
    rows = [[printable(cell) for cell in row] for row in table.rows]
    columns = [printable(name) for name in table.columns]
    if not columns:
        return
    widths = column_widths(columns, rows, set(table.numeric), console.width)
    if widths is None:
        _records(console, columns, rows, set(table.marked))
        return
    numeric, marked = set(table.numeric), set(table.marked)
    text = Text(no_wrap=True)  # one print for all rows: each costs a lot
    text.append(_row(console, columns, widths, numeric), "bold")
    text.append("─" * (sum(widths) + _GUTTER * (len(widths) - 1)) + "\n", "dim")
    for r, row in enumerate(rows):
        text.append(_row(console, row, widths, numeric), "bold" if r in marked else None)
    text.right_crop(1)  # the last line feed, which print adds
    console.print(text)


def _row(console: Any, cells: list[str], widths: list[int], numeric: set[int]) -> str:
    """One row, on as many lines as its tallest cell needs."""
    lines = ""
    folded = [_folded(console, cell, w) for cell, w in zip(cells, widths, strict=False)]
    for parts in zip_longest(*folded, fillvalue=""):
        line = ""
        for c, (part, width) in enumerate(zip(parts, widths, strict=False)):
            space = " " * (width - cell_len(part))
            line += (space + part if c in numeric else part + space) + " " * _GUTTER
        lines += line.rstrip() + "\n"
    return lines


def _folded(console: Any, cell: str, width: int) -> list[str]:
    """A cell's lines, folded between words."""
    if "\n" not in cell and "\t" not in cell and cell_len(cell) <= width:
        return [cell]
    return [line.plain.rstrip() for line in Text(cell).wrap(console, width)]


def column_widths(
    columns: list[str], rows: list[list[str]], numeric: set[int], room: int
) -> list[int] | None:
    """Widths that need no broken words, or None if there are none.

    Args:
        columns: the header.
        rows: the cells.
        numeric: columns that must not fold.
        room: columns of the console.

    Returns:
        Natural widths if they fit; else the widest columns give way, down to their longest
        word; None if even that is too wide.
    """
    natural, least = [], []
    for c, name in enumerate(columns):
        cells = [name, *(row[c] for row in rows if c < len(row))]
        natural.append(max(1, *(cell_len(line) for cell in cells for line in cell.split("\n"))))
        words = [cell_len(word) for cell in cells for word in cell.split()]
        least.append(natural[-1] if c in numeric else max(1, *words, 1))
    room -= _GUTTER * (len(columns) - 1)
    if sum(least) > room:
        return None
    widths = list(natural)
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda c: (widths[c] > least[c], widths[c]))
        widths[widest] -= 1
    return widths


def _records(console: Any, columns: list[str], rows: list[list[str]], marked: set[int]) -> None:
    """A table too wide for the console: one line a cell, a blank line between rows."""
    for r, row in enumerate(rows):
        if r:
            console.print()
        for name, cell in zip(columns, row, strict=False):
            line = Text(f"{name}: " if name else "", style="dim")
            line.append(cell, "not dim bold" if r in marked else "not dim")
            console.print(line, overflow="fold")
