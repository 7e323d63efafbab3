"""FUSE: the bomb cards by themselves, in plain Python and by brute force.

Written only from the rules page (docs/rules/fuse.md); how the page's open points are read is in
`fuse.py` beside this file. A die is (colour, number). What lies on a bomb is a tuple with a die or
None for each of its slots, `Dice`.
"""

import json
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

FACTS = json.loads(Path(__file__).with_name("fuse.json").read_text(encoding="utf-8"))
COLORS: tuple[str, ...] = tuple(FACTS["colors"])
NUMBERS: tuple[int, ...] = tuple(FACTS["numbers"])
DICE_PER_COLOR: int = FACTS["dice_per_color"]

Die = tuple[str, int]
Dice = tuple[Die | None, ...]
# (colours, numbers); None: any. All that is given must match.
Alternative = tuple[tuple[str, ...] | None, tuple[int, ...] | None]
# ("eq" or "ne", "color" or "number", slots), ("linear", slots, coefficients, comparison, right
# side) or ("any_of", lists of relations)
Relation = tuple[Any, ...]

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
FACES: tuple[Die, ...] = tuple(product(COLORS, NUMBERS))


@dataclass(frozen=True)
class Bomb:
    """A bomb card; `points` None: not known."""

    id: str
    points: int | None
    layout: str
    slots: tuple[tuple[Alternative, ...], ...]
    relations: tuple[Relation, ...] = ()
    supports: tuple[tuple[int, ...], ...] = ()  # for each slot those that must hold a die first
    doubtful: bool = False

    def __hash__(self) -> int:
        # By the name alone: bombs are looked up far more often than they are made.
        return hash(self.id)

    @property
    def empty(self) -> Dice:
        return (None,) * len(self.slots)


@dataclass(frozen=True)
class Fuse:
    """A fuse card: a colour or a number."""

    id: str
    color: str | None
    number: int | None


def read_relation(entry: dict[str, Any]) -> Relation:
    if entry["op"] == "any_of":
        return "any_of", tuple(tuple(map(read_relation, each)) for each in entry["of"])
    slots = tuple(entry["slots"])
    if entry["op"] == "linear":
        return "linear", slots, tuple(entry["coef"]), entry["cmp"], entry["rhs"]
    assert entry["op"] in ("eq", "ne"), entry
    return entry["op"], entry["attr"], slots


def read_bomb(entry: dict[str, Any]) -> Bomb:
    """A bomb from a card of the schema; a slot is {"accept": alternatives} or the alternatives."""
    slots = [slot["accept"] if isinstance(slot, dict) else slot for slot in entry["slots"]]
    supports = {int(slot): tuple(under) for slot, under in entry.get("supports", {}).items()}

    def given(alternative: dict[str, Any], what: str) -> tuple[Any, ...] | None:
        return tuple(alternative[what]) if what in alternative else None

    return Bomb(
        entry["id"],
        entry["points"],
        entry["layout"],
        tuple(tuple((given(a, "color"), given(a, "number")) for a in slot) for slot in slots),
        tuple(map(read_relation, entry.get("relations", []))),
        tuple(supports.get(slot, ()) for slot in range(len(slots))),
        entry.get("doubtful", False),
    )


PRINTED: dict[str, Bomb] = {each["id"]: read_bomb(each) for each in FACTS["bombs"]}
FUSES: dict[str, Fuse] = {
    each["id"]: Fuse(each["id"], each.get("color"), each.get("number"))
    for each in FACTS["fuse_cards"]
}


# Slots and signs


def accepts(bomb: Bomb, slot: int, die: Die) -> bool:
    """Whether the slot itself takes the die, whatever lies beside it."""
    color, number = die
    return any(
        (colors is None or color in colors) and (numbers is None or number in numbers)
        for colors, numbers in bomb.slots[slot]
    )


@lru_cache(maxsize=1000)
def faces_for(bomb: Bomb, slot: int) -> tuple[Die, ...]:
    """The faces that the slot itself takes."""
    return tuple(face for face in FACES if accepts(bomb, slot, face))


def supported(bomb: Bomb, dice: Dice, slot: int) -> bool:
    """ "stacks from the bottom up; a pyramid die needs the card or two dice under it"."""
    return all(dice[under] is not None for under in bomb.supports[slot])


def covered(bomb: Bomb, dice: Dice, slot: int) -> bool:
    """ "A die below another in a stack or pyramid"."""
    return any(
        die is not None and slot in under for die, under in zip(dice, bomb.supports, strict=True)
    )


def is_link(relation: Relation) -> bool:
    """`[#/c]=[#/c]`: the same number or the same colour."""
    if relation[0] != "any_of" or any(len(each) != 1 for each in relation[1]):
        return False
    signs = [each[0] for each in relation[1]]
    if any(sign[0] != "eq" for sign in signs):
        return False
    return sorted(sign[1] for sign in signs) == ["color", "number"] and signs[0][2] == signs[1][2]


@lru_cache(maxsize=1000)
def signs_of(bomb: Bomb, whole: bool) -> tuple[Relation, ...]:
    """The signs of the bomb; `whole`: each chain of links is by number, or by colour, throughout."""
    if not whole:
        return bomb.relations
    signs = [each for each in bomb.relations if not is_link(each)]
    chains: list[tuple[set[int], list[Relation]]] = []
    for link in filter(is_link, bomb.relations):
        slots, links = set(link[1][0][0][2]), [link]
        for chain in [each for each in chains if each[0] & slots]:
            chains.remove(chain)
            slots, links = slots | chain[0], chain[1] + links
        chains.append((slots, links))
    for _, links in chains:
        places = [link[1][0][0][2] for link in links]
        by = [tuple(("eq", attr, slots) for slots in places) for attr in ("number", "color")]
        signs.append(("any_of", tuple(by)))
    return tuple(signs)


def violated(relation: Relation, dice: Dice) -> bool:
    """Whether the dice that lie there break the relation already; empty slots break nothing."""
    if relation[0] == "any_of":
        return all(any(violated(sign, dice) for sign in each) for each in relation[1])
    if relation[0] in ("eq", "ne"):
        _, attr, slots = relation
        which = attr == "number"
        lying = [die[which] for slot in slots if (die := dice[slot])]
        if relation[0] == "eq":
            return len(set(lying)) > 1
        return len(set(lying)) < len(lying)
    _, slots, coefficients, comparison, right = relation
    numbers = [die[1] for slot in slots if (die := dice[slot])]
    if len(numbers) < len(slots):
        return False
    left = sum(one * number for one, number in zip(coefficients, numbers, strict=True))
    return not COMPARE[comparison](left, right)


def put(dice: Dice, slot: int, die: Die | None) -> Dice:
    return (*dice[:slot], die, *dice[slot + 1 :])


def not_violated(bomb: Bomb, dice: Dice, whole: bool = False) -> bool:
    return not any(violated(each, dice) for each in signs_of(bomb, whole))


def colors_possible(dice: Dice) -> bool:
    """ "at most 5 dice a colour"."""
    colors = [die[0] for die in dice if die]
    return all(colors.count(color) <= DICE_PER_COLOR for color in colors)


def completions(
    bomb: Bomb, dice: Dice, whole: bool = False, limited: bool = True
) -> Iterator[Dice]:
    """Each way in which faces finish the bomb, the empty slots filled from the left.

    `limited`: at most 5 dice of each colour on the bomb.
    """
    if not not_violated(bomb, dice, whole) or (limited and not colors_possible(dice)):
        return
    if None not in dice:
        yield dice
        return
    slot = dice.index(None)
    for face in faces_for(bomb, slot):
        yield from completions(bomb, put(dice, slot, face), whole, limited)


@lru_cache(maxsize=200_000)
def completable(bomb: Bomb, dice: Dice, whole: bool = False, limited: bool = True) -> bool:
    return next(completions(bomb, dice, whole, limited), None) is not None


def fits(bomb: Bomb, dice: Dice, slot: int, die: Die) -> bool:
    """An empty slot with all it needs beneath it that accepts the die; signs not considered."""
    return dice[slot] is None and supported(bomb, dice, slot) and accepts(bomb, slot, die)


def can_place(
    bomb: Bomb,
    dice: Dice,
    slot: int,
    die: Die,
    placement: str = "completable",
    whole: bool = False,
) -> bool:
    """Whether the die may be placed on this slot."""
    if not fits(bomb, dice, slot, die):
        return False
    after = put(dice, slot, die)
    if placement == "completable":
        return completable(bomb, after, whole)
    return not_violated(bomb, after, whole)


# Whole cards


def fillings(bomb: Bomb, whole: bool = False, limited: bool = True) -> int:
    """The ordered fillings: in how many ways faces fill all slots as the card wants it."""
    return sum(1 for _ in completions(bomb, bomb.empty, whole, limited))


def buildable(bomb: Bomb) -> bool:
    """Whether some order fills every slot after those beneath it."""
    filled: set[int] = set()
    while True:
        ready = {slot for slot, under in enumerate(bomb.supports) if filled.issuperset(under)}
        if ready == filled:
            return len(filled) == len(bomb.slots)
        filled = ready


def solvable(bomb: Bomb, whole: bool = False) -> bool:
    return buildable(bomb) and completable(bomb, bomb.empty, whole)


def attributes(bomb: Bomb) -> set[str]:
    """What the card asks of a die: "color", "number" or both."""

    def of(relation: Relation) -> set[str]:
        if relation[0] == "any_of":
            return {attr for each in relation[1] for sign in each for attr in of(sign)}
        return {"number"} if relation[0] == "linear" else {relation[1]}

    found = {attr for relation in bomb.relations for attr in of(relation)}
    for slot in bomb.slots:
        found |= {"color" for colors, _ in slot if colors is not None}
        found |= {"number" for _, numbers in slot if numbers is not None}
    return found


def kinds_of_faces(bomb: Bomb) -> dict[Die, int]:
    """One face of each kind that the card tells apart, with the number of such faces."""
    asked, found = attributes(bomb), defaultdict(int)
    for color, number in FACES:
        kind = (
            color if "color" in asked or len(bomb.slots) > DICE_PER_COLOR else COLORS[0],
            number if "number" in asked else NUMBERS[0],
        )
        found[kind] += 1
    return dict(found)


def expected_offers(
    bomb: Bomb, placement: str = "completable", whole: bool = False
) -> Fraction | None:
    """How many dice must be offered one by one until the card is full, under the best policy.

    Each die is uniform over the 30 faces, may be declined, and is never removed. The answer is
    exact: a value for each Dice, from those with more dice to those with fewer. None: the card can't
    be finished.
    """
    faces = kinds_of_faces(bomb)

    @cache
    def value(dice: Dice) -> Fraction | None:
        if None not in dice:
            return Fraction(0)
        offered: list[tuple[Fraction, int]] = []
        for face, weight in faces.items():
            after = [
                value(put(dice, slot, face))
                for slot in range(len(dice))
                if can_place(bomb, dice, slot, face, placement, whole)
            ]
            finite = [each for each in after if each is not None]
            if finite:
                offered.append((min(finite), weight))
        return best_of_offers(offered)

    return value(bomb.empty)


def best_of_offers(offered: list[tuple[Fraction, int]]) -> Fraction | None:
    """Min over the sets of faces taken of (30 + what remains after those taken) / their number.

    From V = 1 + sum(weight/30 * min(V, after)): the faces with the least remainder are taken.
    """
    best, taken, remaining = None, 0, Fraction(0)
    for after, weight in sorted(offered):
        taken, remaining = taken + weight, remaining + weight * after
        here = (len(FACES) + remaining) / taken
        best = here if best is None else min(best, here)
    return best
