"""Forbidden Island's notation: islands drawn as words, hands of cards, moves; parsed and formatted.

An island: the tiles' ids row by row as its layout has them, from the left; `observatory~` is
flooded, `(observatory)` has sunk.  Players are numbered from 1.  See docs/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from oddsmith.solver.errors import InputError, counted, nearest
from oddsmith.solver.games.island.rules import (
    CARDS,
    SPACES,
    spaces_of,
    tile_index,
    tiles,
)

FLOODED_SIGN = "~"


class Island(msgspec.Struct, frozen=True):
    """The tiles of a game.

    Args:
        tiles: the id of the tile on each of the 24 spaces, row by row; sunk ones too.
        flooded: ids of the flooded tiles.
        sunk: ids of those that have left the game.
    """

    tiles: tuple[str, ...]
    flooded: frozenset[str] = frozenset()
    sunk: frozenset[str] = frozenset()

    @property
    def in_play(self) -> tuple[str, ...]:
        """The tiles that have not sunk, row by row."""
        return tuple(tile for tile in self.tiles if tile not in self.sunk)

    def mask(self, wanted: Sequence[str] | frozenset[str]) -> int:
        """Tiles as a set of spaces, one bit each."""
        return sum(1 << space for space, tile in enumerate(self.tiles) if tile in wanted)

    def named(self, mask: int) -> frozenset[str]:
        """A set of spaces as tiles."""
        return frozenset(tile for space, tile in enumerate(self.tiles) if mask >> space & 1)

    def space(self, tile: str) -> int:
        """The space of a tile."""
        return self.tiles.index(tile)


def format_island(island: Island, layout: str = "forbidden_island") -> str:
    """The island as drawn in position files, one line a row."""
    def word(tile: str) -> str:
        if tile in island.sunk:
            return f"({tile})"
        return tile + FLOODED_SIGN * (tile in island.flooded)

    rows: dict[int, list[str]] = {}
    for (_, row), tile in zip(spaces_of(layout), island.tiles, strict=True):
        rows.setdefault(row, []).append(word(tile))
    width = max(map(len, map(word, island.tiles)))
    return "\n".join(" ".join(word.ljust(width) for word in row).rstrip()
                     for row in rows.values())


def parse_island(text: str, layout: str = "forbidden_island") -> Island:
    """Read an island drawn as words.

    Raises:
        InputError: with line and column (1-based) inside `text`.
    """
    wanted: dict[int, int] = {}
    for _, row in spaces_of(layout):
        wanted[row] = wanted.get(row, 0) + 1
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.split()]
    if len(lines) != len(wanted):
        raise InputError(
            f"the island has {len(lines)} rows, its layout has {len(wanted)}",
            why="each row of the layout is a line with the ids of its tiles",
            line=lines[-1][0] if lines else 1, column=1,
        )
    seen: dict[str, str] = {}
    for (number, line), n in zip(lines, wanted.values(), strict=True):
        words = list(re.finditer(r"\S+", line))
        if len(words) != n:
            raise InputError(f"this row has {counted(len(words), 'tile')}, the layout has {n}",
                             why="sea is not written", line=number,
                             column=words[0].start() + 1)
        for found in words:
            try:
                tile, how = _parse_tile(found[0])
                if tile in seen:
                    raise InputError(f"{tile} is here twice", why="every tile exists once")
            except InputError as error:
                raise InputError(error.what, why=error.why, hint=error.hint, line=number,
                                 column=found.start() + 1) from None
            seen[tile] = how
    assert len(seen) == SPACES
    return Island(tuple(seen), frozenset(t for t, how in seen.items() if how == "flooded"),
                  frozenset(t for t, how in seen.items() if how == "sunk"))


def _parse_tile(word: str) -> tuple[str, str]:
    """The tile of a word, and `dry`, `flooded` or `sunk`."""
    how = "dry"
    if word.startswith("(") and word.endswith(")"):
        word, how = word[1:-1], "sunk"
    elif word.endswith(FLOODED_SIGN):
        word, how = word[:-1], "flooded"
    return tiles()[tile_index(word)].id, how


def parse_card(word: str, kinds: Sequence[str] = CARDS) -> int:
    """The number of a kind of treasure card.

    Raises:
        InputError: no such card; the nearest is suggested.
    """
    if word in kinds:
        return kinds.index(word)
    near = nearest(word, kinds)
    raise InputError(f"`{word}` is not a card", why=f"cards are {', '.join(kinds)}",
                     hint=f"did you mean {near}?" if near else "")


def format_cards(counts: Sequence[int]) -> str:
    """Cards by kind in words: `2 earth, 1 sandbags`."""
    told = [f"{n} {card}" for card, n in zip(CARDS, counts, strict=True) if n]
    return ", ".join(told) or "none"


def tile_name(tile: str) -> str:
    """`fools_landing` -> `Fools' Landing`."""
    return tiles()[tile_index(tile)].name
