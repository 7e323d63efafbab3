"""Cards with slots for dice: as SVG pictures, as ruled text, as words.

A slot shows what fits it: stripes of colour with letters or numbers.  A die that lies there is a
filled square with its number in it.  Letters stand beside colours, which never stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from oddsmith.reports.palette import LIGHT, paint
from oddsmith.reports.words import one_line
from oddsmith.solver.answer import Card, Cards, CardSlot

SIDE = 46
PITCH = 64
STACKED = 50
"""From slot to slot upwards, where no sign stands between them."""

HEAD = 34
EDGE = 12
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_LOOKS = {
    "od-face": {"fill": "sea"}, "od-slot": {"fill": "space", "stroke": "label"},
    "od-words": {"fill": "label"}, "od-die": {"fill": "none", "stroke": "ring"},
    "od-corner": {"fill": "ring"}, "od-corner-sign": {"fill": "space"},
}
_NONE = ("", "")


# Words -------------------------------------------------------------------------------------------


def want_words(block: Cards, want: tuple[str, str]) -> str:
    """One thing that fits: `b`, `2`, `g2`; `?` for anything."""
    color, sign = want
    return one_line(block.letters.get(color, color[:1]) + sign) or "?"


def slot_words(block: Cards, slot: CardSlot) -> str:
    """A slot: `[b|2]`, or `(r5)` where a die lies."""
    if slot.die != _NONE:
        return f"({want_words(block, slot.die)})"
    return f"[{'|'.join(want_words(block, want) for want in slot.wants) or '?'}]"


def card_words(block: Cards, card: Card) -> str:
    """What a card asks for: its caption, else its slots in order."""
    lying = [f"slot {k}: {want_words(block, slot.die)}" for k, slot in enumerate(card.slots, 1)
             if slot.die != _NONE]
    told = one_line(card.caption) or " ".join(slot_words(block, slot) for slot in card.slots)
    return f"{told}; {', '.join(lying)}" if lying else told


# SVG ---------------------------------------------------------------------------------------------


def card_style(prefix: str = "") -> str:
    """CSS that colours cards by the page's variables; `prefix` is a selector before every rule."""
    colors = {**{role: f"var(--od-{role})" for role in LIGHT}, "none": "none"}
    lead = f"{prefix} ".lstrip()
    return "".join(
        f"{lead}.{name}{{{';'.join(f'{what}:{colors[role]}' for what, role in look.items())}}}"
        for name, look in _LOOKS.items()
    )


def draw_card(block: Cards, card: Card) -> str:
    """A card as one `<svg>` element for a page."""
    upright = PITCH if any(y % 1 for _, y, _ in card.signs) else STACKED
    ends = [(x + 1, y) for x, y in ((slot.x, slot.y) for slot in card.slots)]
    ends += [(x + 0.5 + len(sign) / 5, y) for x, y, sign in card.signs]
    title = one_line(card.title)
    wide = max((x for x, _ in ends), default=1) * PITCH - (PITCH - SIDE)
    width = max(2 * EDGE + wide, 2 * EDGE + 7.9 * len(title) + 30)
    left = (width - wide) / 2
    height = HEAD + SIDE + EDGE + upright * max((y for _, y in ends), default=0)
    words = escape(f"{title}: {card_words(block, card)}")
    parts = [
        f'<svg class="od-board" role="img" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" font-family="{_FONT}" aria-label="{words}">',
        f"<title>{words}</title>",
    ]
    parts.append(f'<rect {_look("od-face")} width="{width:g}" height="{height:g}" rx="12"/>'
                 f'<text {_look("od-words")} x="{EDGE}" y="21" font-size="12.5"'
                 f' font-weight="600">{escape(title)}</text>')
    if card.corner:
        parts.append(f'<circle {_look("od-corner")} cx="{width - 20:g}" cy="17" r="11"/>'
                     f'<text {_look("od-corner-sign")} x="{width - 20:g}" y="21.5" font-size="13"'
                     f' text-anchor="middle" font-weight="700">{escape(one_line(card.corner))}'
                     "</text>")
    for x, y, sign in card.signs:
        at = left + PITCH * x + SIDE / 2
        anchor = "middle" if len(sign) == 1 else "start"
        at -= 0 if len(sign) == 1 else 8
        parts.append(f'<text {_look("od-words")} x="{at:g}" y="{HEAD + upright * y + 29:g}"'
                     f' font-size="18" text-anchor="{anchor}" font-weight="700">'
                     f"{escape(one_line(sign))}</text>")
    for slot in card.slots:
        parts.append(f'<g transform="translate({left + PITCH * slot.x:g}'
                     f' {HEAD + upright * slot.y:g})"><title>{escape(slot_words(block, slot))}'
                     f"</title>{_slot(block, slot)}</g>")
    parts.append("</svg>")
    return "".join(parts)


def _look(name: str) -> str:
    colors = {**LIGHT, "none": "none"}
    return f'class="{name}" ' + " ".join(f'{k}="{colors[r]}"' for k, r in _LOOKS[name].items())


def _slot(block: Cards, slot: CardSlot) -> str:
    """A slot in the coordinates of its square."""
    if slot.die != _NONE:
        face, ink, _ = paint(slot.die[0])
        sign = _sign(SIDE / 2, 22, ink, want_words(block, slot.die))
        return (f'<rect width="{SIDE}" height="{SIDE}" rx="9" fill="{face}"/>'
                f'<rect {_look("od-die")} x="1.5" y="1.5" width="{SIDE - 3}" height="{SIDE - 3}"'
                f' rx="8" stroke-width="3"/>{sign}')
    parts = [f'<rect {_look("od-slot")} width="{SIDE}" height="{SIDE}" rx="9" stroke-width="1.2"'
             ' stroke-dasharray="3 3"/>']
    n = max(1, len(slot.wants))
    stripe = (SIDE - 6) / n
    for k, want in enumerate(slot.wants or (_NONE,)):
        x, words = 3 + stripe * k, want_words(block, want)
        size = 19 if n == 1 else 15 if n == 2 else 11
        if want[0]:
            face, ink, _ = paint(want[0])
            parts.append(f'<rect x="{x:g}" y="3" width="{stripe:g}" height="{SIDE - 6}" rx="5"'
                         f' fill="{face}"/>{_sign(x + stripe / 2, size, ink, words)}')
        else:
            parts.append(_sign(x + stripe / 2, size, "", words))
    return "".join(parts)


def _sign(x: float, size: float, ink: str, words: str) -> str:
    fill = f'fill="{ink}"' if ink else _look("od-words")
    return (f'<text {fill} x="{x:g}" y="{SIDE / 2 + size * 0.36:g}" text-anchor="middle"'
            f' font-size="{size:g}" font-weight="700">{escape(words)}</text>')


# Text --------------------------------------------------------------------------------------------


def cards_text(block: Cards, width: int) -> list[Text]:
    """The lines of cards as ruled text, side by side as far as `width` allows."""
    lines: list[Text] = []
    strip: list[list[Text]] = []
    for card in block.cards:
        drawn = _drawn(block, card)
        used = sum(one[0].cell_len + 2 for one in strip)
        if strip and used + drawn[0].cell_len > width:
            lines += _beside(strip)
            strip = []
        strip.append(drawn)
    if strip:
        lines += _beside(strip)
    used_words = {word for card in block.cards for slot in card.slots
                  for word, _ in (*slot.wants, slot.die)}
    key = [f"{letter} {word}" for word, letter in block.letters.items() if word in used_words]
    return [*lines, Text(", ".join(key), style="dim")] if key else lines


def _drawn(block: Cards, card: Card) -> list[Text]:
    """One card in its frame; all lines are as wide."""
    cell = max((len(slot_words(block, slot)) for slot in card.slots), default=3)
    placed: dict[float, list[tuple[int, Text]]] = {}
    for slot in card.slots:
        words = _slot_text(block, slot)
        start = round(slot.x * (cell + 3) + (cell - words.cell_len) / 2)
        placed.setdefault(slot.y, []).append((start, words))
    for x, y, sign in card.signs:
        start = int(x * (cell + 3) + cell / 2 - (0 if y % 1 == 0 else 0.5))
        placed.setdefault(y, []).append((start, Text(one_line(sign), style="bold")))
    rows = []
    for _, parts in sorted(placed.items()):
        row = Text()
        for start, words in sorted(parts, key=lambda part: part[0]):
            row.append(" " * (start - row.cell_len))
            row.append_text(words)
        rows.append(row)
    title, corner = f"┌ {one_line(card.title)} ", f" {one_line(card.corner)} ┐"
    inner = max([row.cell_len for row in rows] + [cell_len(title) + cell_len(corner) - 4])
    head = Text.assemble((title, "bold"), "─" * (inner + 4 - cell_len(title) - cell_len(corner)),
                         (corner, "bold"))
    body = [Text.assemble("│ ", row, " " * (inner - row.cell_len), " │") for row in rows]
    return [head, *body, Text("└" + "─" * (inner + 2) + "┘")]


def _slot_text(block: Cards, slot: CardSlot) -> Text:
    words = slot_words(block, slot)
    text = Text(words[0])
    wants = slot.wants if slot.die == _NONE else (slot.die,)
    for k, want in enumerate(wants or (_NONE,)):
        text.append("|" if k else "")
        face, ink, _ = paint(want[0])
        text.append(want_words(block, want), Style(color=ink, bgcolor=face) if want[0] else "")
    text.append(words[-1])
    return text


def _beside(cards: Sequence[list[Text]]) -> list[Text]:
    height = max(map(len, cards))
    lines = [Text() for _ in range(height)]
    for i, card in enumerate(cards):
        width = card[0].cell_len
        for line, part in zip(lines, card + [Text(" " * width)] * (height - len(card)),
                              strict=True):
            line.append("  " if i else "")
            line.append_text(part)
    return lines
