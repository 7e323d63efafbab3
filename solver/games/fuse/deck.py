"""FUSE's decks: documented, synthetic (filled up to 54 cards), or a user's file.

A file is TOML like `data.toml`, or JSON with the same keys; a slot may be written out as
{"accept": [{"color": ["red"], "number": [2]}, ...]}, colours and numbers of one entry both being
asked for.  Every fault is one located message that names the card and the field.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

import msgspec

from oddsmith.kernels.fuse_bombs import Deck as KernelDeck
from oddsmith.solver.errors import InputError, TooLarge, nearest
from oddsmith.solver.games.fuse.bombs import (
    COLORS,
    LAYOUTS,
    NUMBERS,
    POINTS,
    Accept,
    Bomb,
    Kind,
    Layout,
    Relation,
    Slot,
    compiled,
    n_documented,
    parse_slot,
    supports,
)
from oddsmith.solver.json_document import open_document
from oddsmith.solver.position import Document, Path, Table
from oddsmith.solver.provenance import Facts
from oddsmith.solver.reading import show

CARDS = 54
SIX_POINTERS = 5
DECKS = ("documented", "synthetic")
"""The decks that need no file."""

COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
SIZES = {"row": (1, 2, 3, 4, 5, 6), "two_rows": (2, 4, 6), "stack": (2, 3, 4, 5, 6),
         "double_stack": (4, 6), "pyramid3": (3,), "pyramid6": (6,)}
"""How many slots each layout has."""

FACTS = Facts(__file__)


class Deck(msgspec.Struct, frozen=True):
    """Bombs to play with.

    Args:
        name: documented, synthetic, or the file.
        bombs: the cards.
    """

    name: str
    bombs: tuple[Bomb, ...]

    @property
    def contents(self) -> str:
        """What the rules are named by (rules_id): the name; of a user's deck what its cards say.

        A deck that is edited makes other rules, one that is moved or renamed the same.
        """
        if self.name in DECKS:
            return self.name
        said = [(bomb.id, bomb.points, [slot.mask for slot in bomb.slots],
                 sorted(map(repr, _rules_of(bomb)[1])), bomb.beneath) for bomb in self.bombs]
        return "cards " + hashlib.sha256(msgspec.json.encode(sorted(said))).hexdigest()

    @property
    def n_documented(self) -> int:
        """How many of the cards are documented."""
        return n_documented(self.bombs)

    def told(self) -> str:
        """Which deck it is, as each answer says it.

        >>> load_deck("synthetic").told()
        'deck synthetic: 54 cards, 32 of them documented'
        """
        return (f"deck {self.name}: {len(self.bombs)} cards, "
                f"{self.n_documented} of them documented")


@cache
def load_deck(name: str) -> Deck:
    """A deck.

    Args:
        name: `documented`, `synthetic`, or the path of a file.

    Raises:
        InputError: no such deck; what is wrong with the file's first faulty card and field.
        TooLarge: a card has too many partial fillings.
    """
    if name == "documented":
        return Deck(name, _shipped("cards", "documented"))
    if name == "synthetic":
        return Deck(name, (*_shipped("cards", "documented"), *_shipped("synthetic", "synthetic")))
    if "/" not in name and "." not in name and name != "-":
        near = nearest(name, DECKS)
        raise InputError(f"`{name}` is no deck", why="decks are documented, synthetic, or the path "
                         "of a file (.toml or .json)", hint=f"did you mean {near}?" if near else "")
    return read_deck(open_document(name))


def doubtful_bombs() -> tuple[Bomb, ...]:
    """Cards that may not exist; they are in no deck."""
    return _shipped("doubtful", "doubtful")


@cache
def _shipped(key: str, kind: Kind) -> tuple[Bomb, ...]:
    root = Table(_Shipped(), (), FACTS.data)
    return tuple(_read_bomb(table, kind) for table in root.tables(key))


class _Shipped(Document):
    """Our own facts, read without a text to point into."""

    __slots__ = ()

    def __init__(self) -> None:
        self.text, self.source, self.places = "", "data.toml", {}


def read_deck(document: Document) -> Deck:
    """The deck in a document.

    Raises:
        InputError, TooLarge: as `load_deck`.
    """
    root = document.root
    for key in ("schema", "name", "edition", "provenance", "confidence"):
        root.text(key, default="")
    tables = root.tables("cards")
    for key in ("colors", "numbers", "dice_per_color", "totals", "semantics", "fuse_cards",
                "fuse_cards_note", "not_documented"):  # notes of the published card data
        root.has(key)
    bombs = tuple(_read_bomb(table, "user") for table in tables)
    root.finish()
    asked = [_rules_of(bomb) for bomb in bombs]
    for at, bomb in enumerate(bombs):
        try:
            compiled((bomb,))
        except (InputError, TooLarge) as error:
            raise _at_card(root, at, error) from None
        for earlier, before in enumerate(bombs[:at]):
            if before.id == bomb.id:
                raise root.fault("cards", at, "id", what=f"card {bomb.id}: id: it stands twice",
                                 why="each card has an id of its own", hint="rename one")
            if asked[earlier] == asked[at] or same_bomb(before, bomb):
                raise root.fault("cards", at, "slots", what=f"card {bomb.id}: slots: the same as "
                                 f"card {before.id}", why="no bomb is in the deck twice",
                                 hint="change one of the two")
    six = [at for at, bomb in enumerate(bombs) if bomb.points == 6]
    if len(six) > SIX_POINTERS:
        at = six[SIX_POINTERS]
        raise root.fault("cards", at, "points", what=f"card {bombs[at].id}: points: it is the "
                         f"{SIX_POINTERS + 1}th card worth 6", why=f"{SIX_POINTERS} bombs are",
                         hint="points = 4, or another value")
    if len(bombs) != CARDS:
        last = f", the last is card {bombs[-1].id}" if bombs else ""
        raise root.fault("cards", len(bombs) - 1, what=f"cards: there are {len(bombs)}{last}",
                         why=f"a deck has {CARDS} bombs", at_key=True,
                         hint=f"add {CARDS - len(bombs)}" if len(bombs) < CARDS
                         else f"take {len(bombs) - CARDS} out")
    if len(six) < SIX_POINTERS:
        raise root.fault("cards", what=f"points: {len(six)} cards are worth 6",
                         why=f"{SIX_POINTERS} bombs are", at_key=True,
                         hint="6-pointers: " + (", ".join(bombs[at].id for at in six) or "none"))
    known = {_rules_of(bomb): bomb for bomb in _shipped("cards", "documented")}
    return Deck(document.source, tuple(
        msgspec.structs.replace(bomb, kind="documented")
        if rules in known and bomb.points in (known[rules].points, None)
        else bomb for bomb, rules in zip(bombs, asked, strict=True)))


def _at_card(root: Table, at: int, error: InputError | TooLarge) -> InputError | TooLarge:
    """What is wrong with a whole card, with its place in the file."""
    if isinstance(error, InputError):
        return root.fault("cards", at, "slots", what=error.what, why=error.why,
                          hint=error.hint or "change its slots or its relations")
    where = root.fault("cards", at, "slots", what="").where
    return TooLarge(f"{where}: {error.what}", estimate=error.estimate, hint=error.hint)


def _rules_of(bomb: Bomb) -> Any:
    """What a player has to do for a card, however its signs are written."""
    return (tuple(slot.mask for slot in bomb.slots), frozenset(map(_normal, bomb.relations)),
            bomb.beneath)


def _normal(relation: Relation) -> Any:
    """A sign, the order of its slots and of its lists left aside."""
    if relation.op == "any_of":
        return relation.op, frozenset(frozenset(map(_normal, group)) for group in relation.of)
    if relation.op != "linear":
        return relation.op, relation.attr, frozenset(relation.slots)
    terms = frozenset((slot, factor) for slot, factor in
                      zip(relation.slots, relation.coef, strict=True) if factor)
    if relation.cmp in (">", ">="):      # turned round, so that it says the same
        return (relation.op, frozenset((slot, -factor) for slot, factor in terms),
                {">": "<", ">=": "<="}[relation.cmp], -relation.rhs)
    return relation.op, terms, relation.cmp, relation.rhs


def same_bomb(one: Bomb, other: Bomb) -> bool:
    """Whether two cards take the same dice on the same slots, however their signs are written."""
    if len(one.slots) != len(other.slots) or one.beneath != other.beneath:
        return False
    if _rules_of(one) == _rules_of(other):
        return True
    return all(_alike(compiled((one,), whole=whole), compiled((other,), whole=whole))
               for whole in (False, True))


def _alike(one: KernelDeck, other: KernelDeck) -> bool:
    """Whether two automata of a bomb make the same steps."""
    if one.n_classes(0) != other.n_classes(0):
        return False
    pairs, to_do = {0: 0}, [0]
    while to_do:
        cls = to_do.pop()
        for row, with_row in zip(one.row(0, cls), other.row(0, pairs[cls]), strict=True):
            for then, with_then in zip(row, with_row, strict=True):
                if (then < 0) != (with_then < 0):
                    return False
                if then >= 0 and then not in pairs:
                    pairs[then] = with_then
                    to_do.append(then)
                elif then >= 0 and pairs[then] != with_then:
                    return False
    return True


# One card ----------------------------------------------------------------------------------------


class _Card:
    """A card's table, and messages that name card and field."""

    def __init__(self, table: Table) -> None:
        self.table = table
        name = table.as_dict().get("id") if table.as_dict() else None
        self.name = f"card {name}" if isinstance(name, str) and name else table.label

    def fault(self, *keys: str | int, what: str, why: str = "", hint: str = "",
              at_key: bool = False) -> InputError:
        return self.table.fault(*keys, what=f"{self.name}: {_field(keys)}: {what}", why=why,
                                hint=hint or _EXAMPLES.get(str(keys[0]) if keys else "", ""),
                                at_key=at_key)

    @contextmanager
    def naming(self, field: str) -> Iterator[None]:
        """Messages of the table's getters, the card put in front."""
        try:
            yield
        except InputError as error:
            error.what = f"{self.name}: {field}: {error.what}"
            raise

    # Values that may be written in more than one way are looked at by hand.

    def keys(self, value: Any, path: Path, known: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.fault(*path, what=f"it is {show(value)}",
                             why="it must be a table of " + ", ".join(known))
        for key in value:
            if key not in known:
                raise self.fault(*path, key, what=f"unknown key {show(key)}",
                                 why="known keys are " + ", ".join(known),
                                 hint=nearest(key, known, 0.7) or "leave it out", at_key=True)
        return value

    def array(self, value: Any, path: Path, wanted: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fault(*path, what=f"it is {show(value)}", why=f"it must be {wanted}")
        return value

    def integers(self, value: Any, path: Path, low: int, high: int) -> tuple[int, ...]:
        for i, one in enumerate(self.array(value, path, "an array of integers")):
            if type(one) is not int or not low <= one <= high:
                raise self.fault(*path, i, what=f"{show(one)} is out of range",
                                 why=f"it must be an integer from {low} to {high}")
        return tuple(value)

    def choice(self, value: Any, path: Path, choices: tuple[Any, ...]) -> Any:
        # 1.0 and true equal 1, but are no integers.
        if value not in choices or type(value) is not type(choices[0]):
            near = nearest(value, map(str, choices)) if isinstance(value, str) else ""
            raise self.fault(*path, what=f"it is {show(value)}" if value is not None else "missing",
                             why="it must be one of " + ", ".join(map(show, choices)), hint=near)
        return value


def _field(keys: Path) -> str:
    """`slots[2].accept[0]` for the path of a value."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")


_KEYS = ("id", "points", "layout", "slots", "relations", "supports", "text", "sources",
         "confidence", "note")


_EXAMPLES = {
    "id": 'id = "house-1"',
    "points": "points = 3; left out where nobody knows",
    "layout": 'layout = "row"',
    "slots": 'slots = ["r", "2", "?"]',
    "relations": 'relations = [{ op = "ne", attr = "color", slots = [0, 1] }]',
    "supports": 'supports = { "1" = [0] }: slot 1 needs a die on slot 0',
}
"""How the fields of a card look, for the hints of messages."""


def _read_bomb(table: Table, kind: Kind) -> Bomb:
    card = _Card(table)
    data = card.keys(table.as_dict(), (), _KEYS)
    with card.naming("id"):
        name = table.text("id")
    if not re.fullmatch(r"[\w.-]+", name):
        raise card.fault("id", what=f"it is {show(name)}", why="an id is made of letters, digits, "
                         "_, . and -, so that it can be typed")
    points = data.get("points")
    if points is not None:
        card.choice(points, ("points",), POINTS)
    layout = cast(Layout, card.choice(data.get("layout"), ("layout",), LAYOUTS))
    slots = _slots(card, data.get("slots"), layout)
    relations = tuple(
        _relation(card, one, ("relations", i), len(slots), nested=False) for i, one in
        enumerate(card.array(data.get("relations", []), ("relations",), "an array of tables")))
    beneath = supports(layout, len(slots))
    if "supports" in data:
        told = _supports(card, data["supports"], len(slots))
        if told != beneath and data["supports"] != {} and any(beneath):
            raise card.fault("supports", what="they are not those of the layout " + layout,
                             why="there " + "; ".join(
                                 f"slot {slot} lies on {' and '.join(map(str, below))}"
                                 for slot, below in enumerate(beneath) if below),
                             hint="leave supports out")
        beneath = beneath if data["supports"] == {} else told
    with card.naming("text"):
        text = table.text("text", default="")
    with card.naming("sources"):
        sources = table.texts("sources", default=())
    with card.naming("confidence"):
        confidence = table.text("confidence", default="")
    with card.naming("note"):
        note = table.text("note", default="")
    return Bomb(id=name, points=points, layout=layout, slots=slots, relations=relations,
                beneath=beneath, kind=kind, text=text, sources=sources, confidence=confidence,
                note=note)


def _slots(card: _Card, value: Any, layout: Layout) -> tuple[Slot, ...]:
    if value is None:
        raise card.fault("slots", what="missing", why='it says what each takes, as ["r", "2"]')
    slots = card.array(value, ("slots",), "an array, one entry a slot")
    if len(slots) not in SIZES[layout]:
        sizes = " or ".join(map(str, SIZES[layout]))
        raise card.fault("slots", what=f"there are {len(slots)}",
                         why=f"a bomb with the layout {layout} has {sizes}",
                         hint="another layout, or so many slots")
    return tuple(_slot(card, one, i) for i, one in enumerate(slots))


def _slot(card: _Card, value: Any, at: int) -> Slot:
    if isinstance(value, str):
        try:
            return parse_slot(value)
        except InputError as error:
            raise card.fault("slots", at, what=error.what, why=error.why) from None
    if type(value) is int and 1 <= value <= NUMBERS:
        raise card.fault("slots", at, what=f"it is {value}", why="what a slot takes is text, or a "
                         "table with accept", hint=f'"{value}"')
    data = card.keys(value, ("slots", at), ("accept",))
    path: Path = ("slots", at, "accept")
    found = []
    for i, one in enumerate(card.array(data.get("accept"), path, "an array of tables")):
        wanted = card.keys(one, (*path, i), ("color", "number"))
        colors = card.array(wanted.get("color", []), (*path, i, "color"), "an array of colours")
        for k, color in enumerate(colors):
            card.choice(color, (*path, i, "color", k), COLORS)
        numbers = card.integers(wanted.get("number", []), (*path, i, "number"), 1, NUMBERS)
        found.append(Accept(tuple(colors), numbers))
    if not found:
        raise card.fault(*path, what="it is empty", why="then no die fits the slot",
                         hint="{} takes anything")
    return Slot(tuple(found))


def _relation(card: _Card, value: Any, path: Path, n: int, nested: bool
              ) -> Relation:
    ops = ("eq", "ne", "linear") + ("any_of",) * (not nested)
    keys = {"eq": ("attr", "slots"), "ne": ("attr", "slots"),
            "linear": ("slots", "coef", "cmp", "rhs"), "any_of": ("of",)}
    op = card.choice(card.keys(value, path, ("op", "attr", "slots", "coef", "cmp", "rhs", "of"))
                     .get("op"), (*path, "op"), ops)
    data = card.keys(value, path, ("op", *keys[op]))
    if op == "any_of":
        lists = card.array(data.get("of"), (*path, "of"), "an array of lists of relations")
        for i, group in enumerate(lists or [[]]):
            if not group:
                raise card.fault(*path, "of", *([i] if lists else []), what="it is empty",
                                 why="a list without relations holds for all dice",
                                 hint="leave the sign out")
        return Relation(op, of=tuple(
            tuple(_relation(card, one, (*path, "of", i, k), n, nested=True) for k, one in
                  enumerate(card.array(group, (*path, "of", i), "a list of relations")))
            for i, group in enumerate(lists)))
    for key in keys[op]:
        if key not in data:
            raise card.fault(*path, what=f"{key} is missing",
                             why=f"{op} has " + ", ".join(keys[op]))
    slots = card.integers(data["slots"], (*path, "slots"), 0, n - 1)
    if len(set(slots)) < len(slots) or len(slots) < (1 if op == "linear" else 2):
        raise card.fault(*path, "slots", what=f"it is {show(data['slots'])}",
                         why="a sign joins different slots")
    if op != "linear":
        return Relation(op, slots, card.choice(data["attr"], (*path, "attr"), ("color", "number")))
    coef = card.integers(data["coef"], (*path, "coef"), -99, 99)
    if len(coef) != len(slots):
        raise card.fault(*path, "coef", what=f"there are {len(coef)} for {len(slots)} slots",
                         why="each slot has one")
    if type(data["rhs"]) is not int or abs(data["rhs"]) > 9999:
        raise card.fault(*path, "rhs", what=f"it is {show(data['rhs'])}",
                         why="it must be an integer from -9999 to 9999")
    return Relation(op, slots, coef=coef, rhs=data["rhs"],
                    cmp=card.choice(data["cmp"], (*path, "cmp"), COMPARISONS))


def _supports(card: _Card, value: Any, n: int) -> tuple[tuple[int, ...], ...]:
    data = card.keys(value, ("supports",), tuple(map(str, range(n))))
    beneath = []
    for slot in range(n):
        below = card.integers(data.get(str(slot), []), ("supports", str(slot)), 0, n - 1)
        for i, one in enumerate(below):
            if one >= slot:
                raise card.fault("supports", str(slot), i, what=f"slot {one} lies no lower",
                                 why="slots are listed from the bottom up")
        beneath.append(tuple(sorted(set(below))))
    return tuple(beneath)


