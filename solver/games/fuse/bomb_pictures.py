"""How FUSE's bombs look (no output is made here)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from oddsmith.solver.answer import Card, Cards, CardSlot
from oddsmith.solver.games.fuse.bombs import (
    COLORS,
    FACES,
    LETTERS,
    NUMBERS,
    Bomb,
    Layout,
    Relation,
)

Have = tuple[int | None, ...]
Place = tuple[float, float]
"""From the left and from the top, in slots."""

_COMPARED = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
_TURNED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_UPRIGHT = {"<": "∨", ">": "∧", "=": "‖"}
"""Signs from the lower slot to the one above, turned with the reader."""


# Words -------------------------------------------------------------------------------------------


def percent(p: Fraction) -> str:
    """A chance in words; the exact fraction is in the answer's value.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('33.33 %', '0.0001 %', '> 99.99 %')
    """
    value = 100 * float(p)
    if value > 99.99 and p < 1:
        return "> 99.99 %"
    return f"{value:.2f} %" if value >= 0.01 or not value else f"{value:.1g} %".replace("e-0", "e-")


def points(bomb: Bomb) -> str:
    """What a bomb is worth, in words."""
    if bomb.points is None:
        return "points unknown"
    return f"{bomb.points} point{'s' * (bomb.points != 1)}"


def faces_words(faces: Sequence[int]) -> str:
    """Faces in short, whole colours and numbers joined.

    >>> faces_words(range(6)), faces_words(range(30)), faces_words([4, 10, 16, 22, 28])
    ('r1-6', 'all', '5 of any colour')
    """
    if len(faces) == FACES:
        return "all"
    by_color: dict[int, list[int]] = {}
    for face in faces:
        by_color.setdefault(face // NUMBERS, []).append(face % NUMBERS + 1)
    if len(by_color) == len(COLORS) and len({tuple(found) for found in by_color.values()}) == 1:
        return f"{_numbers(by_color[0])} of any colour"
    return " ".join(LETTERS[color] + _numbers(found) for color, found in by_color.items())


def _numbers(found: Sequence[int]) -> str:
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]}-{found[-1]}"
    return ",".join(map(str, found))


# Cards -------------------------------------------------------------------------------------------


def places(layout: Layout, n: int) -> list[Place]:
    """Where each slot is printed."""
    if layout == "two_rows":
        return [(k % (n // 2), k // (n // 2)) for k in range(n)]
    if layout == "stack":
        return [(0, n - 1 - k) for k in range(n)]
    if layout == "double_stack":
        return [(k // (n // 2), n // 2 - 1 - k % (n // 2)) for k in range(n)]
    if layout == "pyramid3":
        return [(0, 1), (1, 1), (0.5, 0)]
    if layout == "pyramid6":
        return [(0, 2), (1, 2), (2, 2), (0.5, 1), (1.5, 1), (1, 0)]
    return [(k, 0) for k in range(n)]


def printed(relation: Relation) -> tuple[dict[tuple[int, int], str], str]:
    """The signs between pairs of slots, and what stands behind the last one.

    >>> printed(Relation("linear", (0, 1), coef=(1, 1), rhs=7))
    ({(0, 1): '+'}, '= 7')
    >>> printed(Relation("linear", (1, 0), coef=(1, -1), cmp=">"))
    ({(0, 1): '<'}, '')
    """
    slots = relation.of[0][0].slots if relation.by_number_or_color else relation.slots
    pairs = list(pairwise(slots))
    if relation.op in ("eq", "ne") or relation.by_number_or_color:
        return dict.fromkeys(pairs, "≠" if relation.op == "ne" else "="), ""
    if relation.op != "linear" or set(relation.coef) - {1, -1} or relation.coef[0] < 0:
        return {}, ""  # the card's text tells it
    compare = _COMPARED.get(relation.cmp, relation.cmp)
    if len(slots) == 2 and slots[0] > slots[1] and relation.rhs == 0 > relation.coef[1]:
        pairs, compare = [(slots[1], slots[0])], _TURNED.get(compare, compare)
    n_plus = relation.coef.index(-1) if -1 in relation.coef else len(slots)
    if relation.rhs == 0 and set(relation.coef[n_plus:]) == {-1}:
        return {pair: compare if k == n_plus - 1 else "+" for k, pair in enumerate(pairs)}, ""
    return ({pair: "+" if relation.coef[k + 1] > 0 else "−" for k, pair in enumerate(pairs)},
            f"{compare} {relation.rhs}")


def _signs(bomb: Bomb) -> tuple[tuple[float, float, str], ...]:
    where = places(bomb.layout, len(bomb.slots))
    found: dict[Place, str] = {}
    for relation in bomb.relations:
        between, behind = printed(relation)
        for (a, b), sign in between.items():
            (ax, ay), (bx, by) = where[a], where[b]
            if abs(ax - bx) + abs(ay - by) == 1:  # signs stand between neighbours
                at = (ax + bx) / 2, (ay + by) / 2
                found[at] = _UPRIGHT.get(sign, sign) if ax == bx else sign
        if behind:
            x, y = where[max(relation.slots)]
            found[x + 0.5, y] = behind
    return tuple((x, y, sign) for (x, y), sign in found.items())


def _asked(bomb: Bomb, slot: int) -> tuple[tuple[str, str], ...]:
    """What the signs ask of a slot that takes any die: # its number, c its colour."""
    by: dict[str, set[tuple[int, ...]]] = {"#": set(), "c": set()}
    for relation in bomb.relations:
        for one in [one for group in relation.of for one in group] or [relation]:
            if slot in one.slots:
                by["c" if one.attr == "color" else "#"].add(one.slots)
    if by["#"] and by["c"]:
        both = by["#"] == by["c"] and not any(relation.of for relation in bomb.relations)
        return (("", "c#"),) if both else (("", "#"), ("", "c"))
    return (("", "#" if by["#"] else "c" if by["c"] else "?"),)


def _wants(bomb: Bomb, slot: int) -> tuple[tuple[str, str], ...]:
    wants = [(color, str(number)) for one in bomb.slots[slot].accept
             for color in one.colors or ("",) for number in one.numbers or ("",)]
    return _asked(bomb, slot) if ("", "") in wants else tuple(wants)


def bomb_card(bomb: Bomb, have: Have = (), unknown_points: int = 0) -> Card:
    """A bomb as a card to look at.

    Args:
        bomb: the card.
        have: the face that lies on each slot, None for none; empty for nothing.
        unknown_points: shown in brackets where the points aren't known; 0 for a ?.
    """
    assumed = f"({unknown_points})" if unknown_points else "?"
    slots = tuple(
        CardSlot(x, y, _wants(bomb, slot), ("", "") if face is None else
                 (COLORS[face // NUMBERS], str(face % NUMBERS + 1)))
        for slot, ((x, y), face) in enumerate(zip(
            places(bomb.layout, len(bomb.slots)), have or (None,) * len(bomb.slots), strict=True)))
    return Card(bomb.id, str(bomb.points or assumed), slots, _signs(bomb), bomb.text)


def cards_block(bombs: Sequence[Bomb], haves: Iterable[Have] = (), title: str = "",
                unknown_points: int = 0) -> Cards:
    """Bombs side by side, with what lies on them."""
    lying = tuple(haves) or ((),) * len(bombs)
    return Cards(tuple(bomb_card(bomb, have, unknown_points)
                       for bomb, have in zip(bombs, lying, strict=True)),
                 dict(zip(COLORS, LETTERS, strict=True)), title)
