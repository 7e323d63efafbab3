"""Colours: of the pieces, and of the page in light and dark.

One place, because boards (SVG), pages (CSS variables), charts and terminal text share them.
Every pair that carries words has a contrast of at least 4.5:1; the tests compute it.
"""

from __future__ import annotations

from typing import NamedTuple


class Paint(NamedTuple):
    """The colours of one kind of piece: its face, the letter on it, its rim."""

    face: str
    letter: str
    rim: str


PAINTS: dict[str, Paint] = {
    "red": Paint("#c63a34", "#ffffff", "#8f211d"),
    "yellow": Paint("#f0bf37", "#33270a", "#b5860f"),
    "green": Paint("#2f7d55", "#ffffff", "#1a5538"),
    "purple": Paint("#7a4fb0", "#ffffff", "#54317f"),
    "blue": Paint("#2c67b5", "#ffffff", "#1a457f"),
    "black": Paint("#2a2f37", "#ffffff", "#737d8a"),
    "white": Paint("#f4f3ee", "#23282f", "#9aa1a8"),
}
"""Colour word -> paint."""

PLAIN = Paint("#5f6b79", "#ffffff", "#424c58")
"""The paint of any other colour word; the letter still tells the pieces apart."""


def paint(word: str) -> Paint:
    """The paint for a colour word.

    Args:
        word: "red", "yellow", ...

    Returns:
        Its paint, or `PLAIN` for a word that has none.
    """
    return PAINTS.get(word, PLAIN)


LIGHT: dict[str, str] = {
    "page": "#f5f7f8",
    "card": "#ffffff",
    "ink": "#16202a",
    "muted": "#55626f",
    "rule": "#dde3e8",
    "edge": "#c3ccd4",
    "accent": "#0c6470",
    "tint": "#e6f1f2",
    "exact-ink": "#14593a",
    "exact": "#e0f2e8",
    "estimate-ink": "#714400",
    "estimate": "#fdf0d8",
    "bar": "#2b8391",
    "sea": "#dbe8ec",
    "space": "#f7fafb",
    "label": "#4a5763",
    "ring": "#16202a",
}
"""Role -> colour on a light page."""

DARK: dict[str, str] = {
    "page": "#0f151b",
    "card": "#172029",
    "ink": "#e6edf2",
    "muted": "#9fadb9",
    "rule": "#2b3742",
    "edge": "#05080b",
    "accent": "#67c6d2",
    "tint": "#19303a",
    "exact-ink": "#93dcb4",
    "exact": "#17352a",
    "estimate-ink": "#f2c77c",
    "estimate": "#3a2d17",
    "bar": "#4aa5b3",
    "sea": "#1c2c36",
    "space": "#26353f",
    "label": "#a6b5c0",
    "ring": "#e6edf2",
}
"""Role -> colour on a dark page; the same roles as `LIGHT`."""
