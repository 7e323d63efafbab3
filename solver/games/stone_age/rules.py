"""Stone Age's rules as data: the options, the editions, the 36 cards and the 28 tiles.

Every option of the rules page is a field of `Rules`; its default is the printed rule.  Rules are
plain values: variants change fields, code elsewhere never branches on an edition.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from oddsmith.kernels.stone_age_policies import use_policies
from oddsmith.kernels.stone_age_table import StoneAgeTable
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.provenance import Facts

KINDS = ("wood", "brick", "stone", "gold")
PLACES = ("tool maker", "hut", "field", "hunt", "forest", "clay pit", "quarry", "river",
          "card 1", "card 2", "card 3", "card 4", "tile 1", "tile 2", "tile 3", "tile 4")
TOOL_MAKER, HUT, FIELD, HUNT, FOREST, CARD, TILE = 0, 1, 2, 3, 4, 8, 12
"""Where each group of places begins in `PLACES`."""

SYMBOLS = ("medicine", "art", "writing", "pottery", "time", "transport", "music", "weaving")
FIGURES = ("farmer", "toolmaker", "builder", "shaman")
TOPS = ("food", "resource", "points", "tool", "field", "one_use", "extra_card", "two", "roll",
        "gift")
"""Tops of cards, in the order of kernels/stone_age.pxd."""

DIVISORS = {"food": 2, "wood": 3, "brick": 4, "stone": 5, "gold": 6}
GOODS = tuple(DIVISORS)
MOST_PEOPLE, MOST_TRACK, MOST_TOOLS, CROWD = 10, 10, 12, 7
NO_SYMBOL = 255


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force.  Defaults are the printed rules."""

    players: Annotated[int, Meta(ge=2, le=4, description="number of players")] = 2
    resource_supply: Annotated[
        Literal["unlimited"]
        | Annotated[tuple[Annotated[int, Meta(ge=0, le=999)], ...],
                    Meta(min_length=4, max_length=4)],
        Meta(description="wood, brick, stone and gold pieces there are; who gains takes what is "
             "left, payments return"),
    ] = "unlimited"
    starvation: Annotated[
        Literal["flat", "per_missing", "flat_plus"],
        Meta(description="points lost for missing food: 10; floor(3.5 x missing), where part may "
             "be paid; 10 and 1 more for each missing"),
    ] = "flat"
    hunt_again: Annotated[
        bool, Meta(description="people may be added to the hunt again in the same round")
    ] = False
    choose_two: Annotated[
        Literal["later", "at_once"],
        Meta(description="the card of two resources of choice is kept and used once, or taken at "
             "once"),
    ] = "later"
    dice_gift: Annotated[
        Literal["at_once", "on_own_turn"],
        Meta(description="the dice of a gift are taken at once, clockwise from the buyer; or by "
             "each other player at the start of his next action turn"),
    ] = "at_once"
    tools_on_card_roll: Annotated[
        bool, Meta(description="tools may be added to the roll that a card gives")
    ] = True
    village_limit_small_games: Annotated[
        bool, Meta(description="with 2 or 3 players only two of tool maker, hut and field are used "
                   "in a round")
    ] = True
    resource_limit_small_games: Annotated[
        bool, Meta(description="a resource place takes people of 1 player (of 2) or 2 (of 3)")
    ] = True
    place_at_max: Annotated[
        Literal["allowed", "forbidden"],
        Meta(description="whether people may go to the hut, field or tool maker of which the "
             "player can have no more: it blocks the place without effect"),
    ] = "allowed"
    one_use_tools_score: Annotated[
        bool, Meta(description="one-use tools left at the end count for toolmakers")
    ] = False
    upgraded_tool_ready: Annotated[
        bool, Meta(description="a used tool that rises is ready again")
    ] = False
    tie_break: Annotated[
        Literal["shared", "food"],
        Meta(description="after points and food track + tools + people: shared, or more food left"),
    ] = "shared"
    max_rounds: Annotated[
        int, Meta(ge=1, le=200, description="the game is scored as it stands after so many rounds")
    ] = 60
    start_food: Annotated[int, Meta(ge=0, le=99, description="food at the start")] = 12
    start_people: Annotated[int, Meta(ge=1, le=10, description="people at the start")] = 5
    stack_size: Annotated[
        int, Meta(ge=1, le=14, description="building tiles in each stack, one stack a player; "
                  "players x size is at most 28")
    ] = 7
    dice: Annotated[
        Literal["six_sided", 3, "3.5"],
        Meta(description="six-sided dice, or as if every die for goods showed 3 or 3.5"),
    ] = "six_sided"

    def __post_init__(self) -> None:
        variants.check(self)
        if self.players * self.stack_size > N_TILES:
            raise InputError(
                f"stack_size can't be {self.stack_size} with {self.players} players",
                why=f"there are {N_TILES} building tiles",
                hint=f"at most {N_TILES // self.players}",
            )


N_TILES = 28


class Card(msgspec.Struct, frozen=True):
    """One civilization card; see data.toml for the fields."""

    number: int
    top: str
    amount: int
    bottom: str
    kind: str = "wood"
    count: int = 0

    @property
    def index(self) -> int:
        """Its index in the kernel."""
        return self.number - 1

    @property
    def top_words(self) -> str:
        """What it does at once, in words."""
        n = self.amount
        return {
            "food": f"{n} food", "resource": f"{n} {self.kind}", "points": f"{n} points",
            "tool": "1 tool", "field": "food track +1", "one_use": f"one-use tool of {n}",
            "extra_card": "the deck's top card", "two": "2 resources of choice",
            "roll": f"roll {n} dice for {self.kind}", "gift": "dice gift",
        }[self.top]

    @property
    def bottom_words(self) -> str:
        """What it scores for at the end, in words."""
        return f"{self.count} {self.bottom}{'s' * (self.count != 1)}" if self.count else self.bottom


class Tile(msgspec.Struct, frozen=True):
    """One building tile; see data.toml for the fields."""

    number: int
    cost: tuple[int, ...] | None = None
    points: int = 0
    count: int = 0
    kinds: int = 0
    most: int = 0

    @property
    def index(self) -> int:
        """Its index in the kernel."""
        return self.number - 1

    @property
    def words(self) -> str:
        """What it costs, in words."""
        if self.cost is not None:
            paid = ", ".join(f"{n} {kind}" for kind, n in zip(KINDS, self.cost, strict=True) if n)
            return f"{paid} for {self.points}"
        if self.count:
            return f"{self.count} resources of {self.kinds} kind{'s' * (self.kinds != 1)}"
        return f"1 to {self.most} resources"


FACTS = Facts(__file__)
editions, sources = FACTS.editions, FACTS.sources


@cache
def cards() -> tuple[Card, ...]:
    """All 36 cards, in order of their numbers."""
    return tuple(Card(**row) for row in FACTS.data["cards"])


@cache
def tiles() -> tuple[Tile, ...]:
    """All 28 tiles, in order of their numbers."""
    return tuple(
        Tile(**{**row, "cost": tuple(row["cost"])} if "cost" in row else row)
        for row in FACTS.data["tiles"]
    )


def card(number: object) -> Card:
    """The card with a number 1..36.

    Raises:
        InputError: no such card.
    """
    found: Card = _numbered(number, cards(), "card")
    return found


def tile(number: object) -> Tile:
    """The tile with a number 1..28.

    Raises:
        InputError: no such tile.
    """
    found: Tile = _numbered(number, tiles(), "tile")
    return found


def _numbered(number: object, things: tuple[Any, ...], what: str) -> Any:
    text = str(number).strip()
    if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= len(things):
        return things[int(text) - 1]
    raise InputError(f"`{text}` is not a {what}",
                     why=f"Stone Age's {what}s are numbered 1 to {len(things)}")


def kind_brought(place: int) -> int:
    """The index of what people on the hunt or a resource place bring; food is the last."""
    return len(KINDS) if place == HUNT else place - FOREST


def good(word: str) -> str:
    """The good that a word names.

    Raises:
        InputError: none of food, wood, brick, stone, gold; the nearest is suggested.
    """
    if word.lower() in GOODS:
        return word.lower()
    near = nearest(word.lower(), GOODS)
    raise InputError(f"`{word}` is not a good",
                     why=f"goods are {', '.join(GOODS)}",
                     hint=f"did you mean {near}?" if near else "")


@lru_cache(maxsize=64)
def table(rules: Rules) -> StoneAgeTable:
    """The rules as a game table."""
    limited = rules.resource_supply != "unlimited"
    small = rules.players < 4
    made = StoneAgeTable(
        [(TOPS.index(one.top), KINDS.index(one.kind), one.amount,
          SYMBOLS.index(one.bottom) if one.bottom in SYMBOLS else NO_SYMBOL,
          FIGURES.index(one.bottom) if one.bottom in FIGURES else 0, one.count)
         for one in cards()],
        [(one.cost, one.points, one.count or (0 if one.cost else 1), one.count or one.most,
          one.kinds) for one in tiles()],
        {
            "players": rules.players, "limited": limited,
            "supply": rules.resource_supply if limited else (0, 0, 0, 0),
            "starvation": ("flat", "per_missing", "flat_plus").index(rules.starvation),
            "hunt_again": rules.hunt_again, "at_once": rules.choose_two == "at_once",
            "own_turn": rules.dice_gift == "on_own_turn",
            "card_roll_tools": rules.tools_on_card_roll,
            "village_limit": small and rules.village_limit_small_games,
            "visitors": (rules.players - 1 if small and rules.resource_limit_small_games
                         else rules.players + 1),
            "forbid_max": rules.place_at_max == "forbidden",
            "one_use_score": rules.one_use_tools_score,
            "upgraded_ready": rules.upgraded_tool_ready, "food_ties": rules.tie_break == "food",
            "max_rounds": rules.max_rounds, "start_food": rules.start_food,
            "start_people": rules.start_people, "stack_size": rules.stack_size,
            "half_pips": {"six_sided": 0, 3: 6, "3.5": 7}[rules.dice],
        },
    )
    use_policies(made)
    return made
