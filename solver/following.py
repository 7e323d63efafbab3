"""Following a game: moves and outcomes as typed, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from oddsmith.solver.errors import InputError

P = TypeVar("P")


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
