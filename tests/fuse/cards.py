"""FUSE's cards read and judged anew, slowly and plainly: what the tests compare the kernels with.

A filling is a tuple of faces, None for an empty slot.  Nothing here comes from the product but its
data file.
"""

from __future__ import annotations

import tomllib
from functools import cache, reduce
from itertools import product
from pathlib import Path

import numpy as np

DATA = Path(__file__).parents[2] / "solver" / "games" / "fuse" / "data.toml"
COLORS = "rbgyk"
WORDS = {"color": lambda face: face // 6, "number": lambda face: face % 6 + 1}
ON = {"row": {}, "two_rows": {}, "pyramid3": {2: [0, 1]},
      "pyramid6": {3: [0, 1], 4: [1, 2], 5: [3, 4]}}
COMPARE = {"==": np.equal, "!=": np.not_equal, "<": np.less, ">": np.greater,
           "<=": np.less_equal, ">=": np.greater_equal}


@cache
def cards():
    """id -> the card's table in the data file."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return {card["id"]: card for card in data["cards"] + data["doubtful"] + data["synthetic"]}


def accepts(text, face):
    """Whether a slot takes a face: `bg`, `r|2`, `g2`, `?`."""
    for part in text.split("|"):
        colors = [sign for sign in part if sign in COLORS]
        numbers = [sign for sign in part if sign.isdigit()]
        if (not colors or COLORS[face // 6] in colors) and (
                not numbers or str(face % 6 + 1) in numbers):
            return True
    return False


def beneath(card):
    """slot -> the slots under it."""
    n = len(card["slots"])
    if card["layout"] == "stack":
        return {slot: [slot - 1] for slot in range(1, n)}
    if card["layout"] == "double_stack":
        return {slot: [slot - 1] for slot in range(n) if slot % (n // 2)}
    return ON[card["layout"]]


def broken(relation, faces):
    """Whether the dice that lie break a sign (arrays of fillings, None for an empty slot)."""
    if relation["op"] == "any_of":
        bad = np.ones((), bool)
        for group in relation["of"]:
            bad = bad & reduce(np.logical_or, [broken(one, faces) for one in group])
        return bad
    if relation["op"] == "linear":
        if any(faces[slot] is None for slot in relation["slots"]):
            return np.zeros((), bool)
        total = sum(factor * WORDS["number"](faces[slot]) for slot, factor in
                    zip(relation["slots"], relation["coef"], strict=True))
        return ~COMPARE[relation["cmp"]](total, relation["rhs"])
    lying = [WORDS[relation["attr"]](faces[slot]) for slot in relation["slots"]
             if faces[slot] is not None]
    bad = np.zeros((), bool)
    for i, one in enumerate(lying):
        for other in lying[:i]:
            bad = bad | ((one != other) if relation["op"] == "eq" else (one == other))
    return bad


def in_the_whole(relations):
    """The signs of a card when all `same number or colour` signs are decided alike."""
    either = [one for one in relations if one["op"] == "any_of"]
    if not either:
        return relations
    groups = {attr: [one for relation in either for group in relation["of"] for one in group
                     if one["attr"] == attr] for attr in ("number", "color")}
    return [one for one in relations if one["op"] != "any_of"] + [
        {"op": "any_of", "of": list(groups.values())}]


def fitting(card, slots, whole=False):
    """Which fillings of some slots break no sign: a boolean array, 30 long in each of them."""
    n = len(slots)
    relations = card.get("relations", [])
    faces = [None] * len(card["slots"])
    good = np.ones((30,) * n, bool)
    for axis, slot in enumerate(slots):
        shape = [1] * n
        shape[axis] = 30
        faces[slot] = np.arange(30).reshape(shape)
        good &= np.array([accepts(card["slots"][slot], face) for face in range(30)]).reshape(shape)
    for relation in in_the_whole(relations) if whole else relations:
        good &= ~broken(relation, faces)
    if n > 5:
        colors = np.stack(np.broadcast_arrays(*(face // 6 for face in faces)))
        good &= ~(colors == colors[0]).all(axis=0)
    return good


def subsets(n):
    """All lists of slots of a bomb with n."""
    return [[slot for slot in range(n) if wanted[slot]] for wanted in product((0, 1), repeat=n)]


def classes(deck, bomb, n, slots):
    """The kernel's class of every filling of some slots, found by walking: as `fitting`."""
    table = np.full((deck.n_classes(bomb) + 1, n, 30), -1)
    for cls in range(deck.n_classes(bomb)):
        table[cls] = deck.walk(bomb, cls)
    found = np.zeros((), int)
    for slot in slots:
        found = table[found[..., None], slot, np.arange(30)]
    return found
