"""Boards as text: a ruled grid of letters, several side by side where they fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from oddsmith.reports.palette import paint
from oddsmith.reports.words import edge_name, legend, one_line
from oddsmith.solver.answer import Board, Cell

_GAP = "   "


def boards_text(boards: Sequence[Board], width: int) -> list[Text]:
    """The lines of several boards, side by side as far as `width` allows.

    Args:
        boards: the boards, in reading order.
        width: columns to fill; a single board may be wider.

    Returns:
        One `Text` a line, followed by a line that names the letters.
    """
    lines: list[Text] = []
    inner = max((_widest(board) for board in boards), default=0)
    signed = {r for b in boards for r, row in enumerate(b.cells) if any(map(_signs, row))}
    for strip in _strips([_grid(board, inner, signed) for board in boards], width):
        if lines:
            lines.append(Text())
        lines += _beside(strip)
    words = dict(pair for board in boards for pair in legend(board))
    if words:
        key = ", ".join(f"{letter} {word}" for letter, word in words.items())
        tall = any(len(c.pieces) > 1 for b in boards for row in b.cells for c in row)
        lines.append(Text(f"{key}{'; bottom to top' if tall else ''}", style="dim"))
    return lines


def pieces_text(board: Board, pieces: str) -> Text:
    """A stack's letters from bottom to top, each on its colour, the top one bold."""
    text = Text()
    for i, letter in enumerate(pieces):
        face, ink, _ = paint(board.colors.get(letter, ""))
        style = Style(color=ink, bgcolor=face, bold=i == len(pieces) - 1)
        text.append(one_line(letter) or "?", style)
    return text


def _signs(cell: Cell) -> str:
    """Mark and group, as signs that need no colour: "(1)#2", "+1#2"."""
    mark = one_line(cell.mark)
    group = f"#{cell.group}" if cell.group > 0 else ""
    return (f"({mark})" if mark[:1].isalnum() else mark) + group


def _widest(board: Board) -> int:
    """The width of the widest content of a space, or of a column's name."""
    cells = [cell for row in board.cells for cell in row]
    words = [*map(one_line, board.column_names), *map(_signs, cells)]
    return max(3, *map(cell_len, words), *(pieces_text(board, c.pieces).cell_len for c in cells), 3)


def _grid(board: Board, inner: int, signed: set[int]) -> list[Text]:
    """One board: title, column names, then ruled rows with their names at the left.

    Mark and group stand below the letters, so that the grid stays narrow enough for two
    boards on a terminal line; `signed` are the rows that have such a line, the same in all
    boards of a block, so that their rows stand level.
    """
    n_columns = max((len(row) for row in board.cells), default=0)
    edges = [edge_name(board.row_names, r) for r in range(len(board.cells))]
    margin = max((cell_len(edge) for edge in edges), default=0)
    lines = [Text(one_line(board.title), style="bold")] if board.title else []
    names = (edge_name(board.column_names, c) for c in range(n_columns))
    heads = (f"  {_padded(Text(name), inner).plain} " for name in names)
    lines.append(Text(" " * (margin + 1) + "".join(heads), style="dim"))
    lines.append(_rule(margin, n_columns, inner, ("┌", "┬", "┐")))
    for r, row in enumerate(board.cells):
        if r:
            lines.append(_rule(margin, n_columns, inner, ("├", "┼", "┤")))
        bare = [Text()] * (n_columns - len(row))
        stacks = [pieces_text(board, c.pieces) if c.pieces else Text("·", "dim") for c in row]
        lines.append(_row(edges[r].rjust(margin), stacks + bare, inner))
        if r in signed:
            lines.append(_row(" " * margin, [Text(_signs(cell)) for cell in row] + bare, inner))
    lines.append(_rule(margin, n_columns, inner, ("└", "┴", "┘")))
    return lines


def _row(edge: str, cells: Iterable[Text], inner: int) -> Text:
    line = Text.assemble((f"{edge} ", "dim"))
    for cell in cells:
        line = Text.assemble(line, ("│ ", "dim"), _padded(cell, inner), " ")
    return Text.assemble(line, ("│", "dim"))


def _rule(margin: int, n_columns: int, inner: int, ends: tuple[str, str, str]) -> Text:
    left, middle, right = ends
    rule = left + middle.join(["─" * (inner + 2)] * n_columns) + right
    return Text(" " * (margin + 1) + rule, style="dim")


def _padded(text: Text, width: int) -> Text:
    padded = text.copy()
    padded.append(" " * (width - text.cell_len))
    return padded


def _strips(grids: Iterable[list[Text]], width: int) -> list[list[list[Text]]]:
    """Grids in rows, each row as full as `width` allows."""
    strips: list[list[list[Text]]] = []
    used = 0
    for grid in grids:
        needed = max(line.cell_len for line in grid)
        if strips and used + len(_GAP) + needed <= width:
            strips[-1].append(grid)
            used += len(_GAP) + needed
        else:
            strips.append([grid])
            used = needed
    return strips


def _beside(grids: Sequence[list[Text]]) -> list[Text]:
    """Grids next to each other."""
    height = max(len(grid) for grid in grids)
    lines = [Text() for _ in range(height)]
    for i, grid in enumerate(grids):
        width = max(line.cell_len for line in grid)
        whole = grid + [Text()] * (height - len(grid))
        for line, part in zip(lines, whole, strict=True):
            line.append(_GAP if i else "")
            line.append_text(_padded(part, width))
    return lines
