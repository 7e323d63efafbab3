"""Following a game: moves and outcomes one after the other, as typed or to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd
from typing import Any, TypeVar

from oddsmith.kernels.game import GameTable
from oddsmith.solver.answer import Table
from oddsmith.solver.errors import InputError

P = TypeVar("P")

CHANCE, OVER = -1, -2
"""Whose turn it is where no seat decides: as in kernels/game.pxd."""


def follow(position: P, texts: Sequence[str], make: Callable[[P, str], P]) -> P:
    """The position after some moves and outcomes.

    Args:
        position: where they begin.
        texts: as typed.
        make: the position after one of them; InputError where it isn't legal.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    for number, text in enumerate(texts, 1):
        try:
            position = make(position, text)
        except InputError as error:
            raise InputError(f"move {number}, `{text}`: {error.what}", why=error.why,
                             hint=error.hint, source="<command line>") from None
    return position


def line_told(position: P, codes: Iterable[int], decides: Callable[[P], bool],
              told: Callable[[P, int], str], make: Callable[[P, int], P]) -> list[str]:
    """Moves made one after the other, as typed; it ends where nobody decides.

    Args:
        position: where they begin.
        codes: of the moves.
        decides: whether somebody decides in a position.
        told: a move there as it is typed.
        make: the position after it.
    """
    texts = []
    for code in codes:
        if not decides(position):
            break
        texts.append(told(position, code))
        position = make(position, code)
    return texts


def listed(table: GameTable, state: bytes, told: Callable[[int], str]
           ) -> tuple[list[dict[str, Any]], Table]:
    """Every legal move as typed, or every outcome with its chance: values, and a table of them."""
    if table.turn(state) != CHANCE:
        moves = [told(code) for code in table.moves(state)]
        return [{"move": text} for text in moves], Table(("move",), tuple((one,) for one in moves))
    outcomes = [(told(code), weight) for code, weight in table.outcomes(state)]
    total = sum(weight for _, weight in outcomes)
    value: list[dict[str, Any]] = [{"outcome": text, "weight": weight, "p": _chance(weight, total)}
                                   for text, weight in outcomes]
    rows = tuple((one["outcome"], one["p"]) for one in value)
    return value, Table(("outcome", "chance"), rows, numeric=(1,))


def listing_title(n: int, finished: str, due: str) -> str:
    """The title of n moves or outcomes.

    Args:
        finished: why the game is over, if it is.
        due: what chance brings next, such as "a card"; empty where a seat decides.

    >>> listing_title(1, "", ""), listing_title(6, "", "a card")
    ('1 legal move', 'A card is due: 6 outcomes')
    """
    if finished:
        return f"No moves: {finished}"
    if due:
        return f"{due.capitalize()} is due: {n} outcomes"
    return f"{n} legal move{'s' * (n != 1)}"


def _chance(weight: int, total: int) -> str:
    """A chance in lowest terms, n/d."""
    common = gcd(weight, total)
    return f"{weight // common}/{total // common}"
