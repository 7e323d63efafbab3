"""Tables as text: natural width where there is room, else folded, else one row a record."""

from __future__ import annotations

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from oddsmith.reports.words import printable
from oddsmith.solver.answer import Table

_GUTTER = 2
"""Between columns: one space of padding, and one where the box has its (blank) divider."""


def table_text(console: Console, table: Table) -> None:
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
    grid = Grid(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GUTTER - 1, 0, 0)
    )
    for c, (name, width) in enumerate(zip(columns, widths, strict=True)):
        grid.add_column(
            Text(name),
            width=width,
            justify="right" if c in table.numeric else "left",
            overflow="fold",
            header_style="bold",
        )
    for r, row in enumerate(rows):
        cells = (Text(cell) for cell in row[: len(columns)])
        grid.add_row(*cells, style="bold" if r in table.marked else None)
    console.print(grid)


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


def _records(console: Console, columns: list[str], rows: list[list[str]], marked: set[int]) -> None:
    """A table too wide for the console: one line a cell, a blank line between rows."""
    for r, row in enumerate(rows):
        if r:
            console.print()
        for name, cell in zip(columns, row, strict=False):
            line = Text(f"{name}: " if name else "", style="dim")
            line.append(cell, "not dim bold" if r in marked else "not dim")
            console.print(line, overflow="fold")
