"""Boards as SVG pictures: stacks seen from above, every piece told by a letter.

A space shows the top piece as a disc with its letter and the stack's height, the pieces below
as rims under the disc, and the whole stack as a column of letters at the side.  Every shape
has its light colours as plain attributes (any SVG viewer draws them) and a class by which a
style sheet turns it dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from oddsmith.reports.outline import components, outline_path
from oddsmith.reports.palette import DARK, LIGHT, paint
from oddsmith.reports.words import board_words, cell_words, edge_name, one_line
from oddsmith.solver.answer import Board, Cell

PITCH = 92
"""From space to space; 6 of it is the gap."""

SIDE = 86
"""Of a space's rounded square."""

FRAME = 8
"""From the board's edge to the first space."""

EDGE = 26
"""Room for the names of columns and rows."""

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_DISC = 24.0
_STEP = 5.0
_CHIP = 7.0

_LOOKS: dict[str, dict[str, str]] = {
    "od-sea": {"fill": "sea"},
    "od-space": {"fill": "space"},
    "od-label": {"fill": "label"},
    "od-tint": {"fill": "accent"},
    "od-ring": {"stroke": "ring"},
    "od-tag": {"fill": "ring", "stroke": "space"},
    "od-tag-sign": {"fill": "space"},
    "od-mark": {"fill": "space", "stroke": "ring"},
    "od-mark-sign": {"fill": "ring"},
}
"""Class -> what it colours, by which role of the palette."""

_DASHES = ("", "9 5", "2 4.5")
"""Group 1 has a solid outline, 2 a dashed, 3 a dotted one, and so on; numbers tell the rest."""


def board_style(prefix: str = "") -> str:
    """CSS that colours boards by the page's variables.

    Args:
        prefix: selector in front of every rule, so that a fragment styles only itself.

    Returns:
        The rules.
    """
    return _rules({role: f"var(--od-{role})" for role in LIGHT}, f"{prefix} ".lstrip())


def draw_board(board: Board, *, standalone: bool) -> str:
    """A board as one `<svg>` element.

    Args:
        board: the board.
        standalone: whether to bring namespace and dark colours along; within a page, the
            page has them.

    Returns:
        The element's text.
    """
    n_rows = len(board.cells)
    n_columns = max((len(row) for row in board.cells), default=0)
    width, height = EDGE + _sea(n_columns), EDGE + _sea(n_rows)
    title, words = one_line(board.title) or "Board", board_words(board)
    label = escape(f"{title}. {words}")
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    parts = [
        f'<svg{namespace} class="od-board" role="img" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="{_FONT}" aria-label="{label}">',
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>",
    ]
    if standalone:
        parts.append(f"<style>@media (prefers-color-scheme:dark){{{_rules(DARK, '')}}}</style>")
    parts.append(_frame(board, n_rows, n_columns))
    spaces = {(r, c): cell for r, row in enumerate(board.cells) for c, cell in enumerate(row)}
    groups: dict[int, list[tuple[int, int]]] = {}
    for place, cell in spaces.items():
        parts.append(_square(*_corner(*place)))
        if cell.group > 0:
            groups.setdefault(cell.group, []).append(place)
    outlines = {group: _outline(places) for group, places in sorted(groups.items())}
    parts += (f'<path {_look("od-tint")} fill-opacity=".14" d="{d}"/>' for d in outlines.values())
    tall = any(len(cell.pieces) > 1 for cell in spaces.values())
    for (r, c), cell in spaces.items():
        if cell.pieces or cell.mark:
            x, y = _corner(r, c)
            told = escape(cell_words(board, r, c))
            parts.append(
                f'<g transform="translate({x} {y})"><title>{told}</title>'
                f"{_stack(board, cell, tall)}</g>"
            )
    for group, outline in outlines.items():
        dash = _DASHES[(group - 1) % len(_DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(
            f'<path {_look("od-ring")} fill="none" stroke-width="2.5" stroke-linecap="round"'
            f'{dashes} d="{outline}"/>'
        )
    for group in outlines:  # above every outline
        for part in components(groups[group]):
            x, y = _corner(*min(part))
            parts.append(_tag(x + 6, y - 6, f"#{group}"))
    parts.append("</svg>")
    return "".join(parts)


def _sea(n: int) -> int:
    """The width of the sea around `n` spaces."""
    return 2 * FRAME + PITCH * n - (PITCH - SIDE if n else 0)


def _corner(row: int, column: int) -> tuple[int, int]:
    """Where a space's top left corner is: x and y."""
    return EDGE + FRAME + PITCH * column, EDGE + FRAME + PITCH * row


def _rules(colors: dict[str, str], lead: str) -> str:
    """A style sheet for the classes, from the colours of the roles."""
    return "".join(
        f"{lead}.{name}{{{';'.join(f'{what}:{colors[role]}' for what, role in look.items())}}}"
        for name, look in _LOOKS.items()
    )


def _look(name: str) -> str:
    """The attributes of a class: its name and its colours on a light page."""
    return f'class="{name}" ' + " ".join(f'{k}="{LIGHT[role]}"' for k, role in _LOOKS[name].items())


def _frame(board: Board, n_rows: int, n_columns: int) -> str:
    """The sea around the spaces, and the names along its edges."""
    parts = [
        f'<rect {_look("od-sea")} x="{EDGE}" y="{EDGE}" width="{_sea(n_columns)}"'
        f' height="{_sea(n_rows)}" rx="20"/>'
    ]
    for c in range(n_columns):
        x = EDGE + FRAME + PITCH * c + SIDE / 2
        parts.append(_label(x, EDGE - 9, edge_name(board.column_names, c)))
    for r in range(n_rows):
        y = EDGE + FRAME + PITCH * r + SIDE / 2
        parts.append(_label(EDGE - 13, y + 5, edge_name(board.row_names, r)))
    return "".join(parts)


def _label(x: float, y: float, name: str) -> str:
    return (
        f'<text {_look("od-label")} x="{x:g}" y="{y:g}" text-anchor="middle"'
        f' font-size="14" font-weight="600">{escape(name)}</text>'
    )


def _square(x: float, y: float) -> str:
    return f'<rect {_look("od-space")} x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" rx="14"/>'


def _outline(spaces: Iterable[tuple[int, int]]) -> str:
    gap = PITCH - SIDE
    origin = EDGE + FRAME - gap / 2
    return outline_path(list(spaces), pitch=PITCH, inset=gap / 2 + 3, radius=12, origin=origin)


def _stack(board: Board, cell: Cell, tall: bool) -> str:
    """What stands on one space, in the coordinates of its square."""
    parts = []
    n = len(cell.pieces)
    if n:
        x = 36.0 if tall else SIDE / 2  # all discs of a board stand alike
        step = min(_STEP, 3 * _STEP / max(1, n - 1))
        top = SIDE / 2 - step * (n - 1) / 2
        for i, letter in enumerate(cell.pieces):
            face, _, rim = paint(board.colors.get(letter, ""))
            y = top + step * (n - 1 - i)
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{_DISC:g}" fill="{face}" stroke="{rim}"'
                f' stroke-width="1.5"/>'
            )
        parts.append(_face(board, cell.pieces[-1], n, x, top))
    if n > 1:
        parts.append(_chips(board, cell.pieces))
    if cell.mark:
        parts.append(_mark(one_line(cell.mark)))
    return "".join(parts)


def _face(board: Board, letter: str, height: int, x: float, y: float) -> str:
    """The top piece's letter, with the height of the stack as an index."""
    _, ink, _ = paint(board.colors.get(letter, ""))
    base = y + (6 if letter.islower() else 8)  # small letters are less high
    index = f'<tspan font-size="14" dx="1" dy="5">{height}</tspan>' if height > 1 else ""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{_DISC - 4:g}" fill="none" stroke="{ink}"'
        f' stroke-opacity=".28" stroke-width="1.2"/>'
        f'<text x="{x:g}" y="{base:g}" text-anchor="middle" font-size="23" font-weight="700"'
        f' fill="{ink}">{_letter(letter)}{index}</text>'
    )


def _chips(board: Board, pieces: str) -> str:
    """The whole stack as a column of letters, the bottom piece at the bottom."""
    pitch = min(2 * _CHIP + 1.5, (SIDE - 8) / len(pieces))
    radius = min(_CHIP, pitch / 2)
    x, low = SIDE - 14.5, SIDE / 2 + pitch * (len(pieces) - 1) / 2
    parts = []
    for i, letter in enumerate(pieces):
        face, ink, rim = paint(board.colors.get(letter, ""))
        y = low - pitch * i
        base = y + radius * (0.36 if letter.islower() else 0.5)
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{face}" stroke="{rim}"/>'
            f'<text x="{x:g}" y="{base:g}" text-anchor="middle"'
            f' font-size="{radius * 1.4:g}" font-weight="700" fill="{ink}">{_letter(letter)}</text>'
        )
    return "".join(parts)


def _letter(letter: str) -> str:
    return escape(one_line(letter) or "?")


def _mark(sign: str) -> str:
    """A mark: a light round label in the space's lower left corner."""
    return _sign(4, SIDE - 23, sign, "od-mark", 1.6)


def _tag(x: float, y: float, sign: str) -> str:
    """A group's number: a dark label that sits on the outline."""
    return _sign(x, y, sign, "od-tag", 2)


def _sign(x: float, y: float, sign: str, name: str, line: float) -> str:
    """A short sign in a round box whose top left corner is (x, y)."""
    width = max(19.0, 8.0 * len(sign) + 7)
    return (
        f'<rect {_look(name)} stroke-width="{line}" x="{x:g}" y="{y:g}" width="{width:g}"'
        f' height="19" rx="9.5"/><text {_look(f"{name}-sign")} x="{x + width / 2:g}"'
        f' y="{y + 13.8:g}" text-anchor="middle" font-size="12" font-weight="700">'
        f"{escape(sign)}</text>"
    )
