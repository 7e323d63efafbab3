"""Reef's rules as data: the options, the editions, the 60 cards.

Every option of the rules page is a field of `Rules`; its default is the printed rule.  Rules are
plain values: variants change fields, code elsewhere never branches on an edition.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from oddsmith.kernels.reef import Rules as KernelRules
from oddsmith.kernels.reef_plan import Planner
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.reef.notation import (
    COLOR_WORDS,
    COLORS,
    Neighbours,
    Pattern,
    parse_pattern,
)
from oddsmith.solver.provenance import Facts

CORAL_BY_PLAYERS = {2: 18, 3: 24, 4: 28}


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force.  Defaults are those of the 2018 edition."""

    players: Annotated[int, Meta(ge=2, le=4, description="number of players")] = 2
    supply_per_color: Annotated[
        int | None,
        Meta(ge=5, le=60, description="coral in play of each colour; by players 18/24/28"),
    ] = None
    start_layout: Annotated[
        Literal["center", "edge", "free"],
        Meta(description="where the four first coral go: the 4 centre spaces, one on each; any "
             "of the 12 outer spaces, stacking allowed; any spaces, stacking allowed"),
    ] = "center"
    stack_limit: Annotated[int, Meta(ge=1, le=8, description="greatest height of a stack")] = 4
    hand_limit: Annotated[
        int, Meta(ge=1, le=8, description="no card may be taken with this many in hand")
    ] = 4
    deck_draw_cost: Annotated[
        int, Meta(ge=0, le=5, description="points to pay for the deck's top card")
    ] = 1
    start_points: Annotated[int, Meta(ge=0, le=20, description="points at the start")] = 3
    display_size: Annotated[int, Meta(ge=1, le=6, description="cards on display")] = 3
    deck_draw_target_tie: Annotated[
        Literal["choose", "leftmost"],
        Meta(description="which of several lowest display cards receives the payment"),
    ] = "choose"
    tallest_tie: Annotated[
        Literal["best", "all"],
        Meta(description="neighbour cards with tied tallest stacks: the best one, or the sum"),
    ] = "best"
    short_supply: Annotated[
        Literal["place_available", "illegal"],
        Meta(description="a card whose coral can't all be supplied: gives what there is, or "
             "can't be played"),
    ] = "place_available"
    overlap: Annotated[
        Literal["disjoint", "overlapping"],
        Meta(description="occurrences counted: the most disjoint ones, or all"),
    ] = "disjoint"
    end: Annotated[
        Literal["deck_at_once", "finish_round", "immediate"],
        Meta(description="an empty deck ends the game at once and an empty colour after the "
             "round; both after the round; both at once"),
    ] = "deck_at_once"
    hand_scoring: Annotated[
        Literal["once", "full", "none"],
        Meta(description="cards left in hand score at most one occurrence, in full, or nothing"),
    ] = "once"
    hand_scoring_neighbor: Annotated[
        Literal["one", "all"],
        Meta(description="under hand_scoring = once, a neighbour card scores one neighbour or "
             "all of its stack"),
    ] = "one"
    tie_break: Annotated[
        Literal["empty", "covered"],
        Meta(description="equal points: more empty spaces win, or more covered ones"),
    ] = "empty"

    def __post_init__(self) -> None:
        variants.check(self)

    @property
    def coral(self) -> int:
        """Coral in play of each colour."""
        if self.supply_per_color is not None:
            return self.supply_per_color
        return CORAL_BY_PLAYERS[self.players]


def resolve(rules: Rules) -> Rules:
    """Fill in the option whose default depends on another."""
    return msgspec.structs.replace(rules, supply_per_color=rules.coral)


class Card(msgspec.Struct, frozen=True):
    """One card; see data.toml for the fields."""

    number: int
    family: str
    coral: str
    points: int
    pattern: Pattern
    confirmed: str = ""

    @property
    def index(self) -> int:
        """Its index in the kernel."""
        return self.number - 1

    @property
    def wanted_colors(self) -> frozenset[str]:
        """Colour letters that the pattern asks for."""
        if isinstance(self.pattern, Neighbours):
            return frozenset((COLORS[self.pattern.center], COLORS[self.pattern.neighbour]))
        return frozenset(COLORS[cell.color] for cell in self.pattern if cell.color < len(COLORS))


FACTS = Facts(__file__)
editions, sources = FACTS.editions, FACTS.sources


@cache
def cards() -> tuple[Card, ...]:
    """All 60 cards, in order of their numbers."""
    return tuple(
        Card(**{**row, "pattern": parse_pattern(row["pattern"])}) for row in FACTS.data["cards"]
    )


def families() -> tuple[str, ...]:
    """Names of the pattern families, in card order."""
    return tuple(dict.fromkeys(card.family for card in cards()))


def card(number: object) -> Card:
    """The card with a number 1..60.

    Raises:
        InputError: no such card; the nearest number or family is suggested.
    """
    deck = cards()
    text = str(number).strip()
    if text.isascii() and text.isdigit() and len(text) < 9:
        value = int(text)
        if 1 <= value <= len(deck):
            return deck[value - 1]
        near = min(max(value, 1), len(deck))
        hint = f"the nearest number is {near}"
    elif family := nearest(text, families()):
        numbers = [str(card.number) for card in deck if card.family == family]
        hint = f"the cards of the family {family} are {', '.join(numbers)}"
    else:
        hint = "list the cards with: oddsmith reef cards"
    raise InputError(
        f"`{text}` is not a card", why=f"Reef's cards are numbered 1 to {len(deck)}", hint=hint
    )


def color_letter(word: str) -> str:
    """`yellow` or `y` -> `y`; raises InputError with the nearest colour."""
    for letter, name in COLOR_WORDS.items():
        if word.lower() in (letter, name):
            return letter
    near = nearest(word.lower(), COLOR_WORDS.values())
    raise InputError(
        f"`{word}` is not a coral colour",
        hint=f"did you mean {near}?" if near else f"one of {', '.join(COLOR_WORDS.values())}",
    )


@lru_cache(maxsize=16)
def _compiled(
    stack_limit: int, overlapping: bool, all_tied: bool, short_is_illegal: bool
) -> tuple[KernelRules, Planner]:
    rows = []
    for one in cards():
        if isinstance(one.pattern, Neighbours):
            pattern: tuple[Any, ...] = ("tallest", one.pattern.center, one.pattern.neighbour)
        else:
            pattern = tuple(
                (cell.row, cell.column, cell.color, cell.least, cell.most) for cell in one.pattern
            )
        rows.append((one.points, *(COLORS.index(letter) for letter in one.coral), pattern))
    kernel = KernelRules(rows, stack_limit, overlapping, all_tied, short_is_illegal)
    return kernel, Planner(kernel)


def compiled(rules: Rules) -> tuple[KernelRules, Planner]:
    """The kernel's form of the rules; built once for each combination that it depends on."""
    return _compiled(
        rules.stack_limit,
        rules.overlap == "overlapping",
        rules.tallest_tie == "all",
        rules.short_supply == "illegal",
    )
