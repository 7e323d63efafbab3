"""Stone Age notation: paired `parse_x` and `format_x`.

Goods are written `wood 2 gold 1`, tools `2,1 one-use 3`, a roll `4:wood`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.stone_age.rules import KINDS, MOST_TOOLS, PLACES, good

MOST_DICE, SLOTS = 10, 3


def levels(tools: int) -> tuple[int, ...]:
    """The values of the tool slots for a total tool value, highest first.

    >>> levels(4), levels(2), levels(0)
    ((2, 1, 1), (1, 1), ())
    """
    low, high = divmod(tools, 3)
    return (low + 1,) * high + ((low,) * (3 - high) if low else ())


def parse_tools(values: Sequence[int]) -> int:
    """The total value of tool slots.

    Raises:
        InputError: no player can have these tools.

    >>> parse_tools([1, 2, 1])
    4
    """
    total = sum(values)
    if sorted(values, reverse=True) != list(levels(total) if 0 <= total <= MOST_TOOLS else ()):
        raise InputError(
            f"nobody can have tools of {', '.join(map(str, values))}",
            why="tools grow 1, 1, 1, then 2, 2, 2, then 3, 3, 3, then 4, 4, 4",
        )
    return total


def format_goods(goods: Sequence[int]) -> str:
    """`wood 2 gold 1`, or `nothing`.

    >>> format_goods((2, 0, 0, 1))
    'wood 2 gold 1'
    """
    parts = (f"{kind} {n}" for kind, n in zip(KINDS, goods, strict=True) if n)
    return " ".join(parts) or "nothing"


def parse_goods(words: Sequence[str]) -> tuple[int, ...]:
    """The inverse of `format_goods`, from its words; a kind without a number is one of it.

    Raises:
        InputError: an unknown kind, food, a kind twice or a bad number.

    >>> parse_goods("wood 2 gold 1".split())
    (2, 0, 0, 1)
    """
    goods = [0] * len(KINDS)
    left = [] if list(words) == ["nothing"] else list(words)
    while left:
        word = left.pop(0)
        kind = good(word)
        if kind == "food":
            raise InputError("food is no resource", why=f"resources are {', '.join(KINDS)}")
        n = 1
        if left and left[0].isdigit() and left[0].isascii():
            n = int(left.pop(0)[:9])
        if goods[KINDS.index(kind)]:
            raise InputError(f"{kind} is named twice")
        goods[KINDS.index(kind)] = n
    return tuple(goods)


def format_tools(slots: Iterable[int], one_use: Iterable[int]) -> str:
    """`2,1 one-use 3`, or `none`.

    >>> format_tools([2, 1], [3])
    '2,1 one-use 3'
    """
    parts = [",".join(map(str, sorted(slots, reverse=True)))]
    if extra := ",".join(map(str, sorted(one_use))):
        parts.append(f"one-use {extra}")
    return " ".join(part for part in parts if part) or "none"


def odd_tools(tools: Sequence[int], one_use: Sequence[int]) -> list[str]:
    """Why no player can have these tools, though they may be asked about; empty if one can.

    Some of a player's tools are fine: those that are ready.

    >>> odd_tools([2, 3, 4], [3]), odd_tools([2, 1], [])
    (['no player has tools of 2, 3, 4: there are three slots, and they differ by 1 at most'], [])
    """
    found = []
    if len(tools) > SLOTS or max(tools, default=0) - min(tools, default=0) > 1:
        found.append(f"no player has tools of {', '.join(map(str, tools))}: there are three slots, "
                     "and they differ by 1 at most")
    if len(set(one_use)) < len(one_use):
        found.append(f"no player has one-use tools of {', '.join(map(str, one_use))}: there is one "
                     "of each value")
    return found


def parse_numbers(text: str, what: str, low: int, high: int) -> list[int]:
    """`1,2` as a list of integers in a range; "" is empty.

    Raises:
        InputError: something else; names `what`.
    """
    numbers = []
    for part in text.split(",") if text.strip() else []:
        if not re.fullmatch(r"\s*[0-9]{1,6}\s*", part) or not low <= int(part) <= high:
            raise InputError(f"{what} can't be {text!r}",
                             why=f"numbers from {low} to {high} are wanted, separated by commas")
        numbers.append(int(part))
    return numbers


def parse_roll(text: str) -> tuple[int, str]:
    """`4:wood` -> (4, "wood"): people and the good.

    Raises:
        InputError: another form, or a number of people that can't be.
    """
    count, colon, word = text.partition(":")
    if not colon or not re.fullmatch("[0-9]{1,6}", count):
        raise InputError(f"`{text}` is not a roll", why="a roll is PEOPLE:GOOD, such as 4:wood")
    return people(int(count)), good(word)


def people(n: int) -> int:
    """A number of people that may roll together.

    Raises:
        InputError: not in 1..10.
    """
    if not 1 <= n <= MOST_DICE:
        raise InputError(f"{n} people can't roll together", why=f"it takes 1 to {MOST_DICE}")
    return n


def parse_place(text: str) -> int:
    """The index of a place by its name.

    Raises:
        InputError: no such place; the nearest is suggested.
    """
    if text in PLACES:
        return PLACES.index(text)
    near = nearest(text, PLACES)
    raise InputError(f"`{text}` is not a place", why=f"places are {', '.join(PLACES)}",
                     hint=f"did you mean {near}?" if near else "")
