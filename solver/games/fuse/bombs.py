"""FUSE's bombs as data: slots, signs between them, what lies on what; compiled for the kernels.

A face of a die is a number from 0 to 29: colour * 6 + number - 1, colours in the order of COLORS.
As text it is the colour's letter and the number, `r5`; black is `k`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from oddsmith.kernels.fuse_bombs import Deck as KernelDeck
from oddsmith.kernels.fuse_bombs import Unsolvable
from oddsmith.solver.errors import InputError, TooLarge

COLORS = ("red", "blue", "green", "yellow", "black")
LETTERS = "rbgyk"
"""One letter a colour; k is black."""
NUMBERS = 6
FACES = len(COLORS) * NUMBERS
DICE_OF_COLOR = 5
MOST_SLOTS = 6
POINTS = (1, 2, 3, 4, 6)
"""What a bomb can be worth."""
LAYOUTS = ("row", "two_rows", "stack", "double_stack", "pyramid3", "pyramid6")

Layout = Literal["row", "two_rows", "stack", "double_stack", "pyramid3", "pyramid6"]
Kind = Literal["documented", "doubtful", "synthetic", "user"]


class Accept(msgspec.Struct, frozen=True):
    """Dice of one of some colours and one of some numbers; none named: all."""

    colors: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


class Slot(msgspec.Struct, frozen=True):
    """A place for one die, which must fit one of the alternatives."""

    accept: tuple[Accept, ...]

    @property
    def mask(self) -> int:
        """The faces it accepts, bit by face.

        >>> f"{parse_slot('r|2').mask:030b}"
        '000010000010000010000010111111'
        """
        return sum(1 << face for face in range(FACES) if any(
            (not one.colors or COLORS[face // NUMBERS] in one.colors)
            and (not one.numbers or face % NUMBERS + 1 in one.numbers) for one in self.accept))


class Relation(msgspec.Struct, frozen=True):
    """A sign of a card.

    Args:
        op: `eq`, `ne`: the slots share, or all differ in, their `attr`; `linear`: the sum of
            coef * number compares with rhs; `any_of`: one of the lists `of` holds in full.
        slots: from 0.
        attr: color or number.
        coef: one a slot.
        cmp: ==, !=, <, >, <= or >=.
        rhs: the right-hand side.
        of: the lists.
    """

    op: Literal["eq", "ne", "linear", "any_of"]
    slots: tuple[int, ...] = ()
    attr: str = ""
    coef: tuple[int, ...] = ()
    cmp: str = "=="
    rhs: int = 0
    of: tuple[tuple[Relation, ...], ...] = ()

    @property
    def by_number_or_color(self) -> bool:
        """Whether it is the sign that asks for the same number or the same colour."""
        alone = [one[0] for one in self.of if len(one) == 1]
        return (len(alone) == len(self.of) == 2 and {one.op for one in alone} == {"eq"}
                and {one.attr for one in alone} == {"color", "number"}
                and alone[0].slots == alone[1].slots)


class Bomb(msgspec.Struct, frozen=True, kw_only=True):
    """One bomb card.

    Args:
        id: its name in answers and files.
        points: what it is worth; None where nobody tells.
        layout: how it is drawn.
        slots: as printed left to right, stacks and pyramids bottom to top.
        relations: the signs; all hold when the card is full.
        beneath: of each slot, the slots that must hold a die before it takes one.
        kind: documented, doubtful, synthetic or user.
        text, sources, confidence, note: where it comes from.
    """

    id: str
    points: int | None
    layout: Layout
    slots: tuple[Slot, ...]
    relations: tuple[Relation, ...] = ()
    beneath: tuple[tuple[int, ...], ...]
    kind: Kind = "user"
    text: str = ""
    sources: tuple[str, ...] = ()
    confidence: str = ""
    note: str = ""


# Notation ----------------------------------------------------------------------------------------


def parse_face(text: str) -> int:
    """The face `r5`, `k1`; letters of either case.

    >>> parse_face("r5"), parse_face("k1")
    (4, 24)

    Raises:
        InputError: no die shows this.
    """
    if len(text) == 2 and text[0].lower() in LETTERS and text[1] in "123456":
        return LETTERS.index(text[0].lower()) * NUMBERS + int(text[1]) - 1
    raise InputError(f"`{text}` is no die", why="a die is a colour, r b g y or k (black), and a "
                     "number from 1 to 6", hint="for example r5")


def format_face(face: int) -> str:
    """The text of a face.

    >>> format_face(24)
    'k1'
    """
    return f"{LETTERS[face // NUMBERS]}{face % NUMBERS + 1}"


def parse_slot(text: str) -> Slot:
    """What a slot takes: `bg` blue or green, `g2` a green 2, `r|2` red or a 2, `?` anything.

    Raises:
        InputError: it says something else.
    """
    accept = []
    for part in text.split("|"):
        letters = part.rstrip("123456")
        numbers = part[len(letters):]
        if part == "?":
            accept.append(Accept())
        elif not part or set(letters) - set(LETTERS) or len(set(part)) < len(part):
            raise InputError(f"`{text}` says nothing about a slot", why="a slot takes colours (r b "
                             "g y k), numbers (1-6), both (g2), alternatives behind |, or ?")
        else:
            accept.append(Accept(tuple(COLORS[LETTERS.index(sign)] for sign in letters),
                                 tuple(map(int, numbers))))
    return Slot(tuple(accept))


def format_slot(slot: Slot) -> str:
    """The text of a slot.

    >>> format_slot(parse_slot("bg|2"))
    'bg|2'
    """
    return "|".join(
        "".join(LETTERS[COLORS.index(color)] for color in one.colors)
        + "".join(map(str, one.numbers)) or "?" for one in slot.accept)


def supports(layout: Layout, n_slots: int) -> tuple[tuple[int, ...], ...]:
    """What lies beneath each slot of a layout."""
    if layout == "stack":
        return ((), *((slot,) for slot in range(n_slots - 1)))
    if layout == "double_stack":
        half = n_slots // 2
        return tuple(() if slot % half == 0 else (slot - 1,) for slot in range(n_slots))
    if layout == "pyramid3":
        return ((), (), (0, 1))
    if layout == "pyramid6":
        return ((), (), (), (0, 1), (1, 2), (3, 4))
    return ((),) * n_slots


# For the kernels ---------------------------------------------------------------------------------

_Test = tuple[str, bool, tuple[int, ...], tuple[int, ...], str, int]


def _test(relation: Relation) -> _Test:
    factors = relation.coef or (1,) * len(relation.slots)
    return (relation.op, relation.attr == "number", relation.slots, factors, relation.cmp,
            relation.rhs)


def clauses(bomb: Bomb, whole: bool) -> list[list[list[_Test]]]:
    """A bomb's signs: all of the clauses must hold, of each one alternative, in full.

    Args:
        bomb: the card.
        whole: option `same_number_or_color`: all such signs of a card by number, or all by colour.
    """
    found, by_attr = [], {"number": list[_Test](), "color": list[_Test]()}
    for relation in bomb.relations:
        if relation.op != "any_of":
            found.append([[_test(relation)]])
        elif whole and relation.by_number_or_color:
            for (one,) in relation.of:
                by_attr[one.attr].append(_test(one))
        else:
            found.append([[_test(one) for one in group] for group in relation.of])
    if by_attr["number"]:
        found.append(list(by_attr.values()))
    return found


def _kernel_bomb(bomb: Bomb, whole: bool, points: int) -> Any:
    return ([slot.mask for slot in bomb.slots], clauses(bomb, whole),
            [sum(1 << slot for slot in below) for below in bomb.beneath], points)


@lru_cache(maxsize=64)
def compiled(bombs: tuple[Bomb, ...], only_completable: bool = True, whole: bool = False,
             unknown_points: int = 2) -> KernelDeck:
    """Bombs in the kernel's form, numbered as they are given.

    Args:
        bombs: cards.
        only_completable: option `placement` is completable.
        whole: option `same_number_or_color` is whole.
        unknown_points: what bombs without known points are worth.

    Raises:
        InputError: no dice finish one of them; its message names the card.
        TooLarge: one has too many partial fillings.
    """
    try:
        return KernelDeck([_kernel_bomb(bomb, whole, bomb.points or unknown_points)
                           for bomb in bombs], only_completable)
    except Unsolvable as error:
        bomb = bombs[error.args[0]]
        raise InputError(
            f"card {bomb.id}: slots and relations: no dice finish this bomb",
            why=f"there are {DICE_OF_COLOR} dice of each colour with the numbers 1 to {NUMBERS}",
        ) from None
    except OverflowError as error:
        bomb = bombs[error.args[0]]
        raise TooLarge(
            f"card {bomb.id}: slots and relations: too many partial fillings",
            estimate=f"more than 4 million for {len(bomb.slots)} slots",
            hint="fewer slots, or fewer that both numbers and colours matter for",
        ) from None


def find_bomb(bombs: Sequence[Bomb], word: str, deck: str) -> Bomb:
    """The bomb of an id.

    Raises:
        InputError: no such bomb; the nearest is suggested.
    """
    from oddsmith.solver.errors import nearest

    for bomb in bombs:
        if bomb.id == word:
            return bomb
    near = nearest(word, [bomb.id for bomb in bombs])
    raise InputError(f"`{word}` is no bomb of the deck {deck}",
                     why="`oddsmith fuse bombs` lists them",
                     hint=f"did you mean {near}?" if near else "")


def n_documented(bombs: Iterable[Bomb]) -> int:
    """How many of the cards are documented."""
    return sum(bomb.kind == "documented" for bomb in bombs)
