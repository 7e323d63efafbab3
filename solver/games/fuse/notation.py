"""FUSE's notation: dice, bombs with the dice that lie on them; parsed and formatted.

Dice are a colour's letter and a number, `r5 b2 k6` (black is k).  A bomb in hand is its id and what
lies on each slot, `.` for nothing: `p4-twins: r5 .`; a `*` behind the id says that it took a die
this roll (only where that matters).  Players and slots are numbered from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.fuse.bombs import COLORS, NUMBERS, format_face, parse_face

NOTHING = "."
USED = "*"


class Held(msgspec.Struct, frozen=True):
    """A bomb in a hand.

    Args:
        bomb: its id.
        faces: by slot the face that lies there, 0..29, or None.
        used: whether it took a die this roll, where a player's dice must go on different bombs.
    """

    bomb: str
    faces: tuple[int | None, ...]
    used: bool = False


def parse_dice(text: str) -> tuple[int, ...]:
    """Dice as typed, in ascending order of faces.

    >>> parse_dice("b2 r5")
    (4, 7)

    Raises:
        InputError: with the column inside `text`.
    """
    found = []
    for word in re.finditer(r"[^\s,]+", text):
        try:
            found.append(parse_face(word[0]))
        except InputError as error:
            raise InputError(error.what, why=error.why, hint=error.hint, line=1,
                             column=word.start() + 1) from None
    return tuple(sorted(found))


def format_dice(dice: Sequence[int]) -> str:
    """Dice as `parse_dice` reads them.

    >>> format_dice((4, 7))
    'r5 b2'
    """
    return " ".join(map(format_face, dice))


def parse_held(text: str) -> Held:
    """A bomb in hand as typed; the number of slots is for the reader to check.

    >>> parse_held("p4-twins: r5 .")
    Held(bomb='p4-twins', faces=(4, None), used=False)

    Raises:
        InputError: with the column inside `text`.
    """
    name, colon, rest = text.partition(":")
    bomb = name.strip()
    faces: list[int | None] = []
    for word in re.finditer(r"\S+", rest):
        try:
            faces.append(None if word[0] == NOTHING else parse_face(word[0]))
        except InputError as error:
            raise InputError(error.what, why=error.why, hint=f"{NOTHING} is an empty slot", line=1,
                             column=len(name + colon) + word.start() + 1) from None
    used = bomb.endswith(USED)
    return Held(bomb.removesuffix(USED).rstrip(), tuple(faces), used)


def format_held(held: Held) -> str:
    """A bomb in hand as `parse_held` reads it."""
    slots = " ".join(NOTHING if face is None else format_face(face) for face in held.faces)
    return f"{held.bomb}{USED * held.used}: {slots}"


FUSE_NAMES = (*COLORS, *map(str, range(1, NUMBERS + 1)))
"""The fuse cards: a colour or a number."""


def parse_fuse(word: str) -> int:
    """The number of a fuse card, `red` or `3`.

    Raises:
        InputError: there is none.
    """
    if word in FUSE_NAMES:
        return FUSE_NAMES.index(word)
    near = nearest(word, FUSE_NAMES)
    raise InputError(f"`{word}` is no fuse card", why=f"they are {', '.join(FUSE_NAMES)}",
                     hint=f"did you mean {near}?" if near else "")


def format_fuse(card: int) -> str:
    """The name of a fuse card.

    >>> format_fuse(0), format_fuse(7)
    ('red', '3')
    """
    return FUSE_NAMES[card]


def parse_match(text: str) -> int:
    """Faces that are removed, as a mask: those of a die `r5` (red, or a 5), or of a fuse card.

    Raises:
        InputError: neither a die nor a fuse card.
    """
    if text in FUSE_NAMES:
        return fuse_mask(parse_fuse(text))
    face = parse_face(text)
    return fuse_mask(face // NUMBERS) | fuse_mask(len(COLORS) + face % NUMBERS)


def format_match(mask: int) -> str:
    """Inverse of `parse_match`.

    >>> [format_match(parse_match(text)) for text in ("k1", "4", "red")]
    ['k1', '4', 'red']
    """
    cards = [card for card in range(len(FUSE_NAMES)) if mask & fuse_mask(card) == fuse_mask(card)]
    if len(cards) == 1:
        return format_fuse(cards[0])
    return format_face(cards[0] * NUMBERS + cards[1] - len(COLORS))


def fuse_mask(card: int) -> int:
    """The faces that a fuse card removes."""
    if card < len(COLORS):
        return 0x3F << NUMBERS * card
    return 0x01041041 << (card - len(COLORS))
