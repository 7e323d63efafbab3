"""FUSE: how long bombs take, exactly.

One bomb: dice are offered one at a time and may be declined; nothing is removed.  Several bombs:
some dice a roll, each placed on any bomb or returned.  See docs/methods.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Literal

import msgspec

from oddsmith.kernels.fuse_hand import Hand
from oddsmith.kernels.fuse_hardness import merged
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.fuse.bombs import (
    COLORS,
    DICE_OF_COLOR,
    FACES,
    LETTERS,
    NUMBERS,
    Bomb,
    compiled,
    format_face,
    format_slot,
    parse_face,
)

Offer = Literal["uniform", "bag"]
Have = tuple[int | None, ...]
"""The face that lies on each slot, None for none."""

MOST_OFFERS = 300
ENOUGH = Fraction(9, 10)
"""Chances are told up to this one, unless a number of offers is asked for."""

MOST_DICE = 6
MOST_BOMBS = 4
MOST_LOOKS = 200_000_000
"""Rolls that a hand may have in all its states: some 10 to 20 seconds."""

MOST_BYTES = 1 << 30
EXACT_TARGETS = 500_000
"""Up to so many ways to leave states, a hand is worked out in fractions."""


class Taken(msgspec.Struct, frozen=True):
    """Dice that are taken when offered: onto which slot, and the expected offers after that."""

    faces: tuple[int, ...]
    slot: int
    then: Fraction


class Hardness(msgspec.Struct, frozen=True):
    """How long a bomb takes.

    Args:
        bomb: the card.
        have: what lies on it.
        offer: uniform (each of 30 faces alike) or bag (a die drawn from those not on the bomb).
        expected: offers until it is full, least of all ways to take and decline.
        within: [n - 1]: the greatest chance to be full within n offers.
        taken: the dice to take now, the best first.
    """

    bomb: Bomb
    have: Have
    offer: Offer
    expected: Fraction
    within: tuple[Fraction, ...]
    taken: tuple[Taken, ...]


class Rolls(msgspec.Struct, frozen=True):
    """How many rolls some bombs take.

    Args:
        expected: an exact fraction, or a float whose error is at most `error`.
        error: 0 where the value is exact.
        states: positions of the hand that were told apart.
    """

    bombs: tuple[Bomb, ...]
    dice: int
    expected: Fraction | float
    error: float
    states: int


# One bomb ----------------------------------------------------------------------------------------

_Used = tuple[int, ...]
_Node = tuple[int, _Used]
"""A merged class, and of the bag the dice of each colour that lie on the bomb."""


class _Ways(msgspec.Struct):
    """What may follow a node: total weight of all offers; (weight, nodes) of those of use."""

    total: int
    uses: list[tuple[int, list[_Node]]]
    expected: Fraction = Fraction(0)


def least(total: int, uses: Sequence[tuple[int, Fraction]]) -> Fraction:
    """Expected offers where some lead to a rest: wait for the best of them, as many as pay off.

    Args:
        total: weight of all offers.
        uses: (weight, expected offers after it).
    """
    best, weight, wait = None, 0, Fraction(total)
    for one, then in sorted(uses, key=lambda use: use[1]):
        if best is not None and then >= best:
            break
        weight += one
        wait += one * then
        best = wait / weight
    assert best is not None  # a class that can be finished
    return best


def _follow(rows: Sequence[Sequence[Sequence[int]]], start: _Node, offer: Offer
            ) -> dict[_Node, _Ways]:
    """All nodes from `start` on, each after those that may follow it."""
    found: dict[_Node, _Ways] = {}

    def visit(node: _Node) -> None:
        if node in found:
            return
        at, used = node
        uses: dict[tuple[_Node, ...], int] = {}
        for face, after in enumerate(rows[at]):
            color = face // NUMBERS
            weight, then = 1, used
            if offer == "bag":
                weight = DICE_OF_COLOR - used[color]
                then = tuple(n + (k == color) for k, n in enumerate(used))
            if after and weight:
                key = tuple((one, then) for one in after)
                uses[key] = uses.get(key, 0) + weight
        for nodes in uses:
            for one in nodes:
                visit(one)
        total = FACES if offer == "uniform" else (
            NUMBERS * (len(COLORS) * DICE_OF_COLOR - sum(used)))
        ways = _Ways(total, [(weight, list(nodes)) for nodes, weight in uses.items()])
        if uses:
            ways.expected = least(total, [
                (weight, min(found[one].expected for one in nodes))
                for weight, nodes in ways.uses])
        found[node] = ways

    visit(start)
    return found


def _within(found: dict[_Node, _Ways], start: _Node, n: int | None) -> tuple[Fraction, ...]:
    """Greatest chances to be full within 1, 2, ... offers: n, or as many as ENOUGH needs."""
    unit = lcm(*(ways.total for ways in found.values()))
    now = {node: int(not ways.uses) for node, ways in found.items()}  # over unit^offers
    denominator, chances = 1, list[Fraction]()
    while len(chances) < (n or MOST_OFFERS):
        new = {}
        for node, ways in found.items():
            stay = now[node]
            of_use = sum(weight for weight, _ in ways.uses)
            new[node] = unit // ways.total * ((ways.total - of_use) * stay + sum(
                weight * max(stay, *(now[one] for one in nodes)) for weight, nodes in ways.uses))
        now = new
        denominator *= unit
        chances.append(Fraction(now[start], denominator))
        if n is None and chances[-1] >= ENOUGH:
            break
    return tuple(chances)


def hardness(bomb: Bomb, have: Have = (), offer: Offer = "uniform", n: int | None = None, *,
             whole: bool = False) -> Hardness:
    """How long a bomb takes under the best taking and declining; exact.

    Args:
        bomb: the card.
        have: what lies on it; empty for nothing.
        offer: `uniform`: every face is as likely; `bag`: a die is drawn from the 25 less those on
            the bomb, rolled, and returned if declined.
        n: chances within 1 to n offers; None for as many as a chance of 90 % needs, at most 300.
        whole: option `same_number_or_color` is whole.

    Raises:
        InputError: no dice finish what lies there, or it can't lie so.
    """
    have = have or (None,) * len(bomb.slots)
    deck = compiled((bomb,), True, whole)
    number, rows, _ = merged(deck, 0)
    cls = class_of(bomb, have, whole)
    used = (0,) * len(COLORS)
    if offer == "bag":
        lying = [face // NUMBERS for face in have if face is not None]
        used = tuple(lying.count(color) for color in range(len(COLORS)))
    start = number[cls], used
    found = _follow(rows, start, offer)
    taken: dict[tuple[Fraction, int], list[int]] = {}
    nexts = deck.row(0, cls)
    for face in range(FACES):
        color = face // NUMBERS
        if offer == "bag" and used[color] == DICE_OF_COLOR:
            continue
        then = used if offer == "uniform" else tuple(
            n_used + (k == color) for k, n_used in enumerate(used))
        after = [(found[number[row[face]], then].expected, slot)
                 for slot, row in enumerate(nexts) if row[face] >= 0]
        if after and min(after)[0] < found[start].expected:
            taken.setdefault(min(after), []).append(face)
    return Hardness(
        bomb, have, offer, found[start].expected, _within(found, start, n),
        tuple(Taken(tuple(faces), slot, then) for (then, slot), faces in sorted(taken.items())))


def all_expected(bomb: Bomb, whole: bool = False) -> tuple[Fraction, ...]:
    """Expected offers of every class of partial fillings that can come about, by merged number.

    The number of a class is `kernels.fuse_hardness.merged`'s; the last one is the empty bomb.
    """
    _, rows, _ = merged(compiled((bomb,), True, whole), 0)
    used = (0,) * len(COLORS)
    found = _follow(rows, (len(rows) - 1, used), "uniform")
    return tuple(found[at, used].expected for at in range(len(rows)))


def class_of(bomb: Bomb, have: Have, whole: bool = False) -> int:
    """The kernel's class of what lies on a bomb.

    Raises:
        InputError: a die can't lie there, or they can't be finished.
    """
    deck = compiled((bomb,), True, whole)
    for slot, face in enumerate(have):
        if face is None:
            continue
        here = f"slot {slot + 1} of {bomb.id}"
        if not bomb.slots[slot].mask >> face & 1:
            raise InputError(f"{format_face(face)} doesn't fit {here}",
                             why=f"it takes {format_slot(bomb.slots[slot])}",
                             hint="write - for an empty slot; slots are counted as in `fuse bomb`")
        for below in bomb.beneath[slot]:
            if have[below] is None:
                raise InputError(f"no die can lie on {here}",
                                 why=f"slot {below + 1} beneath it is empty")
    for color, letter in enumerate(LETTERS):
        lying = [face for face in have if face is not None and face // NUMBERS == color]
        if len(lying) > DICE_OF_COLOR:
            raise InputError(f"{len(lying)} dice {letter} lie on {bomb.id}",
                             why=f"there are {DICE_OF_COLOR} of each colour")
    cls = deck.class_of(0, have)
    if cls < 0:
        raise InputError(f"{format_have(have)} can't be finished to {bomb.id}",
                         why=bomb.text or "no more dice fit all its signs")
    return cls


def parse_have(bomb: Bomb, text: str) -> Have:
    """What lies on a bomb: a die a slot, - for an empty one; slots left out are empty.

    >>> from oddsmith.solver.games.fuse.deck import load_deck
    >>> [twins] = [one for one in load_deck("documented").bombs if one.id == "p4-twins"]
    >>> parse_have(twins, "- r5")
    (None, 4)

    Raises:
        InputError: no dice, or too many.
    """
    words = text.split()
    if len(words) > len(bomb.slots):
        raise InputError(f"`{text}` is {len(words)} slots", why=f"{bomb.id} has {len(bomb.slots)}")
    faces = [None if word == "-" else parse_face(word) for word in words]
    return (*faces, *(None,) * (len(bomb.slots) - len(words)))


def format_have(have: Have) -> str:
    """The text of what lies on a bomb.

    >>> format_have((None, 4, None))
    '- r5'
    """
    words = ["-" if face is None else format_face(face) for face in have]
    while words and words[-1] == "-":
        words.pop()
    return " ".join(words)


# Several bombs -----------------------------------------------------------------------------------


def rolls(bombs: Sequence[Bomb], dice: int, haves: Sequence[Have] = (), *, whole: bool = False,
          most: int = MOST_LOOKS) -> Rolls:
    """Expected rolls until all bombs are full, under the best placing of each roll.

    Args:
        bombs: 1 to 4 cards.
        dice: 1 to 6 dice rolled at a time; each is placed on any bomb or returned.
        haves: what lies on each bomb; empty for nothing.
        whole: option `same_number_or_color` is whole.
        most: rolls in all states that may be looked at.

    Raises:
        InputError: a number out of range, or what lies can't be finished.
        TooLarge: more would have to be looked at; the estimate tells how many.
    """
    if not 1 <= len(bombs) <= MOST_BOMBS:
        raise InputError(f"a hand of {len(bombs)} bombs", why=f"it must be 1 to {MOST_BOMBS}")
    if not 1 <= dice <= MOST_DICE:
        raise InputError(f"{dice} dice a roll", why=f"it must be 1 to {MOST_DICE}")
    deck = compiled(tuple(bombs), True, whole)
    classes = [class_of(bomb, have, whole) if have else 0 for bomb, have in
               zip(bombs, haves or [()] * len(bombs), strict=True)]
    ids = " and ".join(bomb.id for bomb in bombs)
    hint = "fewer bombs, or fewer dice a roll"
    try:
        hand = Hand(deck, range(len(bombs)), classes, dice)
    except OverflowError as error:
        raise TooLarge(f"{ids} at once", estimate=f"up to {error.args[0]:,} states",
                       hint=hint) from None
    states, looks, memory = hand.estimate()
    if looks > most or memory > MOST_BYTES:
        raise TooLarge(f"{ids} at once, {dice} dice a roll", hint=hint,
                       estimate=f"{states:,} states with {looks:,} rolls; {memory >> 20:,} MB")
    value, relative = hand.solve()
    exact = _exactly(hand, FACES**dice)
    if exact is not None:
        return Rolls(tuple(bombs), dice, exact, 0.0, states)
    return Rolls(tuple(bombs), dice, value, value * relative, states)


def _exactly(hand: Hand, total: int) -> Fraction | None:
    """The expected rolls as a fraction; None where that takes too long or isn't proven.

    Floats chose where rolls lead.  They chose rightly if they put the values of states in the
    order of the fractions, equal floats standing for equal fractions.
    """
    ways = list(hand.ways())
    if sum(len(uses) for _, uses, _ in ways) > EXACT_TARGETS:
        return None
    exact: dict[int, Fraction] = {}
    rough: dict[int, float] = {}
    for state, uses, value in ways:
        rough[state] = value
        better = [(weight, exact[then]) for then, weight in uses if rough[then] < value]
        if not uses:
            exact[state] = Fraction(0)
            continue
        common = lcm(*(then.denominator for _, then in better))
        wait = total * common + sum(
            weight * then.numerator * (common // then.denominator) for weight, then in better)
        exact[state] = Fraction(wait, common * sum(weight for weight, _ in better))
    order = sorted(exact, key=lambda state: rough[state])
    if any(exact[a] > exact[b] or (rough[a] == rough[b] and exact[a] != exact[b])
           for a, b in pairwise(order)):
        return None
    return exact[0]
