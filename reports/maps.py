"""Maps of named places: as SVG pictures, as ruled text, as rows of words.

A place tells its state by a word and by its look: dry, flooded (waves), sunk (only the sea).
Tokens are discs with a letter.  A tint and its number tell the heat; colour never stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from oddsmith.reports.palette import DARK, LIGHT, paint
from oddsmith.reports.words import one_line
from oddsmith.solver.answer import Map, Place

PITCH = 104
SIDE = 98
FRAME = 8
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_LOOKS = {
    "od-map-sea": {"fill": "sea"}, "od-map-space": {"fill": "space"},
    "od-map-name": {"fill": "label"}, "od-map-wave": {"stroke": "bar"},
    "od-map-heat": {"fill": "heat"}, "od-map-sunk": {"stroke": "label"},
}
_HEAT = {"light": "#d5482f", "dark": "#ff7a59"}
SUNK = "sunk"
FLOODED = "flooded"
MOST_WIDE = 11
LEAST_WIDE = 6


# SVG ---------------------------------------------------------------------------------------------


def map_style(prefix: str = "") -> str:
    """CSS that colours maps by the page's variables; `prefix` is a selector before every rule."""
    return _rules({**{role: f"var(--od-{role})" for role in LIGHT}, "heat": _HEAT["light"]},
                  f"{prefix} ".lstrip())


def draw_map(block: Map, *, standalone: bool) -> str:
    """A map as one `<svg>` element; standalone ones bring namespace and dark colours along."""
    n_columns = max((len(row) for row in block.rows), default=0)
    width, height = 2 * FRAME + PITCH * n_columns, 2 * FRAME + PITCH * len(block.rows)
    title, words = one_line(block.title) or "Map", map_words(block)
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    parts = [
        f'<svg{namespace} class="od-board od-map" role="img" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="{_FONT}"'
        f' aria-label="{escape(f"{title}. {words}")}">',
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>",
    ]
    if standalone:
        dark = _rules({**DARK, "heat": _HEAT["dark"]}, "")
        parts.append(f"<style>@media (prefers-color-scheme:dark){{{dark}}}</style>")
    parts.append(f'<rect {_look("od-map-sea")} width="{width}" height="{height}" rx="20"/>')
    for r, row in enumerate(block.rows):
        for c, place in enumerate(row):
            if place is not None:
                x, y = FRAME + PITCH * c + 3, FRAME + PITCH * r + 3
                parts.append(f'<g transform="translate({x} {y})"><title>'
                             f"{escape(place_words(block, place))}</title>"
                             f"{_place(block, place)}</g>")
    parts.append("</svg>")
    return "".join(parts)


def _rules(colors: dict[str, str], lead: str) -> str:
    return "".join(
        f"{lead}.{name}{{{';'.join(f'{what}:{colors[role]}' for what, role in look.items())}}}"
        for name, look in _LOOKS.items()
    )


def _look(name: str) -> str:
    colors = {**LIGHT, "heat": _HEAT["light"]}
    return f'class="{name}" ' + " ".join(f'{k}="{colors[r]}"' for k, r in _LOOKS[name].items())


def _place(block: Map, place: Place) -> str:
    """One place in the coordinates of its square."""
    if place.state == SUNK:
        return (f'<rect {_look("od-map-sunk")} width="{SIDE}" height="{SIDE}" rx="14" fill="none"'
                f' stroke-dasharray="3 6" stroke-opacity=".6"/>{_words("sunk", SIDE / 2, 11)}')
    parts = [f'<rect {_look("od-map-space")} width="{SIDE}" height="{SIDE}" rx="14"/>']
    if place.heat:
        parts.append(f'<rect {_look("od-map-heat")} width="{SIDE}" height="{SIDE}" rx="14"'
                     f' fill-opacity="{0.08 + 0.55 * place.heat:.3f}"/>')
    if place.state == FLOODED:
        for y in (SIDE - 10, SIDE - 5):
            parts.append(f'<path {_look("od-map-wave")} fill="none" stroke-width="2.4" d="M8 {y}'
                         + "q5 -6 10 0t10 0" * 4 + '"/>')
    lines = _wrapped(place.name, 11)
    for k, line in enumerate(lines):
        parts.append(_words(line, 17 + 13 * k, 11.5, bold=True))
    below = 17 + 13 * len(lines)
    if place.note:
        parts.append(_words(place.note, below, 10.5))
    if place.heat_words:
        parts.append(_words(place.heat_words, SIDE - 19, 11))
    wide = 22 * len(place.tokens)
    for k, letter in enumerate(place.tokens):
        face, ink, rim = paint(block.colors.get(letter, ""))
        x = SIDE / 2 - wide / 2 + 11 + 22 * k
        parts.append(f'<circle cx="{x:g}" cy="58" r="10" fill="{face}" stroke="{rim}"/>'
                     f'<text x="{x:g}" y="62.5" text-anchor="middle" font-size="12"'
                     f' font-weight="700" fill="{ink}">{escape(letter)}</text>')
    return "".join(parts)


def _words(text: str, y: float, size: float, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (f'<text {_look("od-map-name")} x="{SIDE / 2:g}" y="{y:g}" text-anchor="middle"'
            f' font-size="{size:g}"{weight}>{escape(one_line(text))}</text>')


def _wrapped(name: str, width: int) -> list[str]:
    """A name on at most two lines; what is longer ends in an ellipsis."""
    lines = [""]
    for word in one_line(name).split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width and len(lines) < 2:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line if len(line) <= width else line[: width - 1] + "…" for line in lines]


# Text --------------------------------------------------------------------------------------------


def place_words(block: Map, place: Place) -> str:
    """One place in words: `Observatory: flooded; Pilot; 11 %`."""
    said = [place.state, *(block.names.get(letter, letter) for letter in place.tokens),
            place.note, place.heat_words]
    return one_line(f"{place.name}: {'; '.join(word for word in said if word)}")


def map_words(block: Map) -> str:
    """The text alternative of a map: its `alt`, else every place."""
    if block.alt:
        return one_line(block.alt)
    return ". ".join(place_words(block, place) for row in block.rows for place in row if place)


def map_text(block: Map, width: int) -> list[Text]:
    """The lines of a map as ruled text, no wider than `width` where that is possible."""
    n_columns = max((len(row) for row in block.rows), default=0)
    inner = max(LEAST_WIDE, min(MOST_WIDE, (width - 1) // max(1, n_columns) - 3))
    lines = [_rule(n_columns, inner, ("┌", "┬", "┐"))]
    for r, row in enumerate(block.rows):
        if r:
            lines.append(_rule(n_columns, inner, ("├", "┼", "┤")))
        cells = [_cell(block, place, inner) for place in row]
        cells += [_cell(block, None, inner)] * (n_columns - len(row))
        lines += [Text.assemble(*_between([cell[k] for cell in cells], inner)) for k in range(4)]
    lines.append(_rule(n_columns, inner, ("└", "┴", "┘")))
    key = [f"{letter} {block.names.get(letter, '')}" for letter in block.colors
           if any(place and letter in place.tokens for row in block.rows for place in row)]
    if block.heat_title:
        key.append(f"%: {block.heat_title}")
    lines.append(Text("; ".join(["~ flooded", *key]), style="dim"))
    return lines


def _between(cells: Sequence[Text], inner: int) -> list[Text | tuple[str, str]]:
    parts: list[Text | tuple[str, str]] = []
    for cell in cells:
        padded = cell.copy()
        padded.append(" " * (inner - cell.cell_len))
        parts += [("│ ", "dim"), padded, (" ", "")]
    return [*parts, ("│", "dim")]


def _rule(n_columns: int, inner: int, ends: tuple[str, str, str]) -> Text:
    left, middle, right = ends
    return Text(left + middle.join(["─" * (inner + 2)] * n_columns) + right, style="dim")


def _cell(block: Map, place: Place | None, inner: int) -> list[Text]:
    """The four lines of one place: name, name, tokens and note, state and heat."""
    if place is None:
        return [Text("≈" * inner if k in (1, 2) else "", style="dim") for k in range(4)]
    if place.state == SUNK:
        return [Text(), Text("(sunk)"[:inner], style="dim"),
                Text(_cut(place.name, inner), style="dim"), Text()]
    names = [*_wrapped(place.name, inner), ""][:2]
    tokens = Text()
    for letter in place.tokens:
        face, ink, _ = paint(block.colors.get(letter, ""))
        tokens.append(letter, Style(color=ink, bgcolor=face, bold=True))
    if place.note:
        room = inner - tokens.cell_len - bool(place.tokens)
        tokens.append((" " if place.tokens else "") + _cut(place.note, room))
    wave = "~ " if place.state == FLOODED else ""
    style = "blue" if wave else ""
    return [*(Text(name, style="bold blue" if wave else "bold") for name in names), tokens,
            Text(_cut(wave + place.heat_words, inner), style=style)]


def _cut(text: str, width: int) -> str:
    text = one_line(text)
    return text if cell_len(text) <= width else text[: max(0, width - 1)] + "…"


def map_rows(block: Map) -> list[list[str]]:
    """The map as rows of cells in words, for formats that have tables; sea is empty."""
    n_columns = max((len(row) for row in block.rows), default=0)
    return [[place_words(block, place) if place else "" for place in row]
            + [""] * (n_columns - len(row)) for row in block.rows]
