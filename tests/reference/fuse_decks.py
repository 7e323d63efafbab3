"""FUSE: the decks of bomb cards, in plain Python.

Written only from the rules page (docs/rules/fuse.md). The generated cards of `synthetic` are this
reference's own: a comparison of games gives both sides the same cards (Options.deck).
"""

from functools import cache
from itertools import combinations
from typing import Any

from .fuse_bombs import COLORS, PRINTED, Bomb, read_bomb, solvable

FULL_DECK, SIX, SIX_POINT_BOMBS = 54, 6, 5


@cache
def documented() -> tuple[Bomb, ...]:
    """The documented cards, "without the doubtful card"."""
    return tuple(bomb for bomb in PRINTED.values() if not bomb.doubtful)


def face_of(bomb: Bomb) -> tuple[Any, ...]:
    """What is printed on the card."""
    return bomb.points, bomb.slots, bomb.relations, bomb.supports


def faults_of_deck(bombs: tuple[Bomb, ...]) -> list[str]:
    """What is wrong with a user's deck: "54 cards, five worth 6, unique, each solvable"."""
    faults = []
    if len(bombs) != FULL_DECK:
        faults.append(f"{len(bombs)} cards, not {FULL_DECK}")
    if sum(bomb.points == SIX for bomb in bombs) != SIX_POINT_BOMBS:
        faults.append("not five cards worth 6")
    for one, other in combinations(bombs, 2):
        if one.id == other.id or face_of(one) == face_of(other):
            faults.append(f"{one.id} and {other.id} are the same")
    faults += [f"{bomb.id} can't be solved" for bomb in bombs if not solvable(bomb)]
    return faults


@cache
def synthetic() -> tuple[Bomb, ...]:
    """The documented cards "filled up with generated cards of the same families, clearly named".

    First a fifth card worth 6, then always one of the value that has the fewest cards so far.
    """
    bombs, made = list(documented()), generated()

    def number_of(points: int) -> int:
        return sum(bomb.points == points for bomb in bombs)

    while len(bombs) < FULL_DECK:
        missing = number_of(SIX) < SIX_POINT_BOMBS
        points = SIX if missing else min((1, 2, 3, 4), key=number_of)
        bombs.append(next(each for each in made if each.points == points and each not in bombs))
    return tuple(bombs)


def generated() -> list[Bomb]:
    """Two cards of each value from 1 to 4 for each colour, and a large pyramid."""
    bombs = []
    for turn in range(len(COLORS)):
        colors = COLORS[turn:] + COLORS[:turn]
        bombs += [generated_card(points, two, *colors) for points in range(1, 5) for two in (0, 1)]
    return [*bombs, generated_card(SIX, 0, *COLORS)]


def generated_card(points: int, two: int, a: str, b: str, c: str, d: str, e: str) -> Bomb:
    """One of the family of its value; the five colours in an order that starts with `a`."""
    n = COLORS.index(a) + 1

    def color(*which: str) -> list[dict[str, Any]]:
        return [{"color": list(which)}]

    def number(*which: int) -> list[dict[str, Any]]:
        return [{"number": list(which)}]

    def total(right: int) -> dict[str, Any]:
        return {"op": "linear", "slots": [0, 1], "coef": [1, 1], "cmp": "==", "rhs": right}

    stack = {"1": [0], "2": [1], "3": [2]}
    pyramid = {"3": [0, 1], "4": [1, 2], "5": [3, 4]}
    # layout, slots, signs, what must lie beneath
    families: dict[tuple[int, int], tuple[str, list[Any], list[Any], dict[str, list[int]]]] = {
        (1, 0): ("row", [color(a, c), color(b, e), color(c, d)], [], {}),
        (1, 1): ("row", [[{}], color(a, b, c)], [total(n + 4)], {}),
        (2, 0): ("row", [color(a) + number(n + 1), color(b, d), number(n)], [], {}),
        (2, 1): ("row", [number(n, n + 1), color(a, d), color(a, e)], [], {}),
        (3, 0): ("row", [color(a), number(n), [{"color": [c], "number": [n + 1]}]], [], {}),
        (3, 1): ("row", [color(a, b), color(c, d)], [total(n + 4)], {}),
        (4, 0): ("stack", [color(d), color(a), color(c), color(e)], [], stack),
        (4, 1): ("stack", [number(n), color(b), number(n + 1), color(a)], [], stack),
        (SIX, 0): ("pyramid6", [color(each) for each in (a, b, a, c, d, e)], [], pyramid),
    }
    layout, slots, signs, supports = families[points, two]
    return read_bomb(
        {
            "id": f"synthetic-{points}-{'ab'[two]}-{a}",
            "points": points,
            "layout": layout,
            "slots": slots,
            "relations": signs,
            "supports": supports,
        }
    )
