"""Decks and options for comparing the compiled FUSE with the plain reference: both get the same."""

from __future__ import annotations

import json
import random
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.deck import load_deck
from tests.reference import fuse as reference
from tests.reference import fuse_decks
from tests.reference.fuse_bombs import (
    COLORS,
    NUMBERS,
    PRINTED,
    Bomb,
    faces_for,
    read_bomb,
    solvable,
)
from tests.reference.fuse_decks import FULL_DECK, faults_of_deck
from tests.reference.fuse_table import LEVELS, Options

USER_DECKS = 2

# As a rule for the product, and as the reference has it.
PACES = (
    (20.0, 20), (20.0, 20), (30.0, 30), (12.5, Fraction(25, 2)), (600.0, 600), (17.0, 17),
    ((15.0, 25.0, 40.0), ("list", 15, 25, 40)), ((20.0, 10.5, 20.0), ("list", 20, Fraction(21, 2), 20)),
    ((20.0,), ("list", 20)), ((50.0, 100.0), ("list", 50, 100)),
    ("normal 20 5", ("normal", 20, 5)), ("normal 10 12", ("normal", 10, 12)),
    ("lognormal 25 10", ("lognormal", 25, 10)), ("lognormal 15 25", ("lognormal", 15, 25)),
)
OPTIONS = {
    "players": (1, 2, 3, 4, 5),
    "level": (*LEVELS, *LEVELS, "insane", 5, 8, 17),
    "unknown_points": (2, 2, 2, 1, 3, 4, 5, 6),
    "six_point_bombs": ("out", "in"),
    "fuse_cards": (None, None, None, *range(12)),
    "seconds": (600, 600, 300, 100, 1000),
    "solo_dice": ("three", "one"),
    "two_player_same_bomb": (True, False),
    "decline": ("allowed", "forbidden"),
    "placement": ("completable", "any_not_yet_violated"),
    "same_number_or_color": ("linkwise", "whole"),
    "covered_dice_safe": (True, False),
    "removal": ("one", "all"),
    "pick": ("free", "easy_if_hard"),
    "insane_hands": (True, False),
    "setup": ("standard", "standard", "chosen_values"),
    "edition": (2015, 2019),
}
KEEP_DEFAULT = 0.3
ANY = ("players", "level")  # all values alike


@dataclass(frozen=True)
class Sides:
    """The same rules for the kernel and for the reference."""

    rules: fuse.Rules
    options: Options
    table: object
    names: tuple[str, ...]  # of the bombs, in the kernel's order
    number: dict[str, int]  # of each bomb


# Options ------------------------------------------------------------------------------------------


def random_sides(draw, seen):
    """Both sides under random options; what is refused is refused by both, and drawn anew."""
    while True:
        values = {name: draw.choice(values) if name in ANY or draw.random() > KEEP_DEFAULT else values[0]
                  for name, values in OPTIONS.items()}
        deck, plain_deck = draw.choice(decks())
        pace, plain_pace = draw.choice(PACES)
        chosen = [draw.choice((0, 1, 2, 4)) for _ in range(5)]
        if values["six_point_bombs"] == "out":
            chosen[4] = 0
        if sum(chosen) < 5:
            chosen[0] += 5
        by_value = values["setup"] == "chosen_values"
        options = Options(**values, deck=plain_deck, seconds_per_roll=plain_pace,
                          chosen_values=(*chosen[:4], 0, chosen[4]) if by_value else ())
        made = values | {"edition": str(values["edition"]), "deck": deck, "seconds_per_roll": pace}
        if by_value:
            made["chosen_values"] = tuple(chosen)
        rules = fuse.Rules(**made)
        try:
            table = engine.table(rules)
        except InputError as error:
            # Whether a second bomb worth 1 or 2 is left shows only later in the reference.
            assert "worth 1 or 2" in str(error) or not can_be_dealt(options), (error, values)
            seen["refused"] += 1
            continue
        assert can_be_dealt(options), values
        names = engine._names(rules)
        return Sides(rules, options, table, names, {name: k for k, name in enumerate(names)})


def can_be_dealt(options):
    try:
        reference.new_game(options)
    except ValueError:
        return False
    return True


# Decks --------------------------------------------------------------------------------------------


@cache
def decks():
    """Name for the product, cards for the reference."""
    made = load_deck("synthetic").bombs
    return (
        ("documented", "documented"),
        ("synthetic", tuple(map(plain_bomb, made))),
        (loaded(map(card_of, fuse_decks.synthetic())), "synthetic"),
        *(user_deck(random.Random(seed), f"house-{seed}") for seed in range(USER_DECKS)),
    )


def loaded(cards):
    """The name of a user's deck that the product has read; it reads a file once."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump({"cards": list(cards)}, file)
        file.flush()
        load_deck(file.name)
        return file.name


def plain_relation(relation):
    """A sign of the product's as the reference has it."""
    if relation.op == "any_of":
        return "any_of", tuple(tuple(map(plain_relation, group)) for group in relation.of)
    if relation.op == "linear":
        return "linear", relation.slots, relation.coef, relation.cmp, relation.rhs
    return relation.op, relation.attr, relation.slots


def plain_bomb(bomb):
    """A card of the product's as the reference has it."""
    slots = tuple(tuple((one.colors or None, one.numbers or None) for one in slot.accept)
                  for slot in bomb.slots)
    made = Bomb(bomb.id, bomb.points, bomb.layout, slots,
                tuple(map(plain_relation, bomb.relations)), bomb.beneath)
    # One object a card: the same bombs are found again without comparing all that is on them.
    return PRINTED[bomb.id] if PRINTED.get(bomb.id) == made else made


def card_of(bomb: Bomb):
    """A card of the reference as it is written in a user's file."""
    def alternative(colors, numbers):
        given = {"color": colors, "number": numbers}
        return {what: list(values) for what, values in given.items() if values}

    def sign(relation):
        if relation[0] == "any_of":
            return {"op": "any_of", "of": [[sign(one) for one in each] for each in relation[1]]}
        if relation[0] == "linear":
            return dict(zip(("op", "slots", "coef", "cmp", "rhs"), relation, strict=True))
        return dict(zip(("op", "attr", "slots"), relation, strict=True))

    return {
        "id": bomb.id, "points": bomb.points, "layout": bomb.layout,
        "slots": [{"accept": [alternative(*one) for one in slot]} for slot in bomb.slots],
        "relations": [sign(relation) for relation in bomb.relations],
        "supports": {str(slot): list(under) for slot, under in enumerate(bomb.supports) if under},
    }


# Cards that nobody printed ------------------------------------------------------------------------

LAYOUTS = (("row", 2), ("row", 3), ("row", 4), ("two_rows", 4), ("stack", 3), ("stack", 4),
           ("double_stack", 4), ("pyramid3", 3))
LARGE = (("row", 6), ("two_rows", 6), ("double_stack", 6), ("pyramid6", 6), ("stack", 5))
LINK = [[{"op": "eq", "attr": "number"}], [{"op": "eq", "attr": "color"}]]


def user_deck(draw, name):
    """54 cards, five of them worth 6: printed ones, and kinds of cards that nobody printed."""
    cards = [card_of(bomb) for bomb in draw.sample(list(PRINTED.values()), 12) if bomb.points != 6]
    cards += [one_color_card(draw, f"{name}-colour-{k}", k % 4 + 1) for k in range(6)]
    cards += [large_card(draw, f"{name}-six-{k}", 6) for k in range(5)]
    known = {asked(read_bomb(one)) for one in cards}
    while len(cards) < FULL_DECK:
        made = small_card(draw, f"{name}-{len(cards)}", draw.choice((1, 1, 2, 2, 3, 4, None)))
        bomb = read_bomb(made)
        if asked(bomb) not in known and soon_looked_at(bomb) and solvable(bomb):
            known.add(asked(bomb))
            cards.append(made)
    bombs = tuple(PRINTED.get(one["id"]) or read_bomb(one) for one in cards)
    assert not faults_of_deck(bombs)
    return loaded(cards), bombs


def taken_by(bomb):
    """The faces that each slot takes."""
    return tuple(faces_for(bomb, slot) for slot in range(len(bomb.slots)))


def asked(bomb):
    """What makes a card another card, whatever it is worth."""
    return taken_by(bomb), frozenset(bomb.relations), bomb.supports


def soon_looked_at(bomb):
    """Whether the reference, that tries all fillings, is done with the card soon."""
    return prod(map(len, taken_by(bomb))) <= (30_000 if len(bomb.relations) < 2 else 3_000)


def under(layout, n):
    """What lies beneath each slot."""
    half = n // 2
    return {
        "stack": {slot: [slot - 1] for slot in range(1, n)},
        "double_stack": {slot: [slot - 1] for slot in range(n) if slot % half},
        "pyramid3": {2: [0, 1]}, "pyramid6": {3: [0, 1], 4: [1, 2], 5: [3, 4]},
    }.get(layout, {})


def card(name, points, layout, slots, signs):
    beneath = {str(slot): below for slot, below in under(layout, len(slots)).items()}
    return {"id": name, "points": points, "layout": layout, "slots": slots, "relations": signs,
            "supports": beneath}


def accepted(draw, *, anything):
    """What a slot takes."""
    def some(values):
        return draw.sample(values, draw.choice((1, 2, 2, 3)))

    return {"accept": draw.choice([
        *([{}] for _ in range(4 * anything)),
        [{"color": some(COLORS)}], [{"number": some(NUMBERS)}],
        [{"color": some(COLORS), "number": some(NUMBERS)}],
        [{"color": some(COLORS)}, {"number": some(NUMBERS)}],
    ])}


def small_card(draw, name, points):
    layout, n = draw.choice(LAYOUTS)
    slots = [accepted(draw, anything=True) for _ in range(n)]
    return card(name, points, layout, slots, [sign(draw, n) for _ in range(draw.choice((0, 1, 1, 2)))])


def large_card(draw, name, points):
    """Without signs: to look at all fillings of six slots takes too long."""
    layout, n = draw.choice(LARGE)
    return card(name, points, layout, [accepted(draw, anything=False) for _ in range(n)], [])


def one_color_card(draw, name, points):
    """One slot of six wants a colour that the other five would take, too."""
    rare, common = draw.sample(COLORS, 2)
    number = draw.choice(NUMBERS)
    slots = [[{"color": [rare, common]}] for _ in range(5)]
    slots.insert(draw.randrange(6), [{"color": [rare], "number": [number, number % 6 + 1]}])
    return card(name, points, "row", [{"accept": slot} for slot in slots], [])


def sign(draw, n):
    at = draw.randrange(n - 1)
    pair = [at, at + 1]
    row = list(range(at, draw.randint(at + 2, n)))
    coef = draw.choice(([1, 1], [1, -1], [-1, 1], [2, -1]))
    return draw.choice([
        {"op": "eq", "attr": "color", "slots": row}, {"op": "eq", "attr": "number", "slots": row},
        {"op": "ne", "attr": "color", "slots": row}, {"op": "ne", "attr": "number", "slots": row},
        {"op": "any_of", "of": [[one | {"slots": pair} for one in each] for each in LINK]},
        {"op": "linear", "slots": pair, "coef": coef, "cmp": draw.choice((">", "<", ">=", "<=", "!=")),
         "rhs": 0},
        {"op": "linear", "slots": pair, "coef": coef, "cmp": "==", "rhs": draw.randint(1, 5)},
    ])


