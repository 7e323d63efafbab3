"""Stone Age: the facts, the options and the table (what lies where), in plain Python.

Written only from the rules page (docs/rules/stone-age.md); how the page's open points are read is
in `stone_age.py` beside this file.
"""

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

FACTS = json.loads(Path(__file__).with_name("stone_age.json").read_text(encoding="utf-8"))
CARDS: dict[int, dict[str, Any]] = {each["id"]: each for each in FACTS["cards"]["cards"]}
TILES: dict[int, dict[str, Any]] = {each["id"]: each for each in FACTS["buildings"]["tiles"]}
PRICES: tuple[int, ...] = tuple(FACTS["cards"]["slot_costs_right_to_left"])

KINDS = ("wood", "brick", "stone", "gold")
VALUES: tuple[int, ...] = tuple(FACTS["buildings"]["resource_values"][kind] for kind in KINDS)
FOOD_DIVISOR = 2
# What a roll is divided by also says what it gives: 2 food, 3 wood, 4 brick, 5 stone, 6 gold.
DIVISORS = (FOOD_DIVISOR, 3, 4, 5, 6)

TOOL_MAKER, HUT, FIELD, HUNT, FOREST, CLAY_PIT, QUARRY, RIVER = range(8)
VILLAGE = (TOOL_MAKER, HUT, FIELD)
RESOURCE_PLACES = (FOREST, CLAY_PIT, QUARRY, RIVER)
CARD_PLACES = (8, 9, 10, 11)  # card 1 (price 1, the rightmost) to card 4
TILE_PLACES = (12, 13, 14, 15)  # one a stack
PLACES = (
    *("tool maker", "hut", "field", "hunt", "forest", "clay pit", "quarry", "river"),
    *(f"card {number}" for number in range(1, 5)),
    *(f"tile {number}" for number in range(1, 5)),
)
MAX_PEOPLE, MAX_TRACK, MAX_TOOL, ROOM = 10, 10, 4, 7

CHOICES: dict[str, tuple[Any, ...]] = {
    "starvation": ("flat", "per_missing", "flat_plus"),
    "hunt_again": (False, True),
    "choose_two": ("later", "at_once"),
    "dice_gift": ("at_once", "on_own_turn"),
    "tools_on_card_roll": (True, False),
    "village_limit_small_games": (True, False),
    "resource_limit_small_games": (True, False),
    "place_at_max": ("allowed", "forbidden"),
    "one_use_tools_score": (False, True),
    "upgraded_tool_ready": (False, True),
    "tie_break": ("shared", "food"),
    "dice": ("six_sided", "3", "3.5"),
}
FIXED_DICE = {"3": Fraction(3), "3.5": Fraction(7, 2)}
SUPPLIES = ((20, 16, 12, 10), (28, 18, 12, 10))

Goods = tuple[int, ...]  # of each of KINDS
Tool = tuple[int, bool]  # the value of a tool slot (0: none yet) and whether it is used this round
Task = tuple[Any, ...]
T = TypeVar("T")
NOTHING: Goods = (0, 0, 0, 0)

# How often each rule decided something. Option values: where another value gave another answer.
FIRED: Counter[str] = Counter()
RULE_IDS: tuple[str, ...] = (
    # Set-up
    *("setup.start_random", "setup.seat", "setup.tile_top", "setup.card_dealt"),
    *(f"option.start_{what}" for what in ("food", "people")),
    *("option.start_food.other", "option.start_people.other"),
    *("option.stack_size", "option.stack_size.other"),
    # 1 Placing
    *("place.turn_order", "place.skipped", "place.everybody_done", "place.people_left"),
    *("place.never_twice", "place.hut_two", "place.one_person", "place.room_seven"),
    *("place.how_many", "place.hunt_unlimited", "place.village_limit", "place.resource_limit"),
    *("place.village_both", "place.no_tile_place"),
    # 2 Actions
    *("act.turn_order", "act.any_order", "act.gained_at_once", "act.people_return"),
    *("tool.new", "tool.raised", "tool.level_up", "tool.maximum", "tool.choice", "tool.new_ready"),
    *("hut.person", "hut.maximum", "field.track", "track.maximum"),
    *("roll.food", "roll.goods", "roll.rounded_down", "roll.tools", "roll.tool_kept_for_later"),
    *("roll.one_use", "roll.tool_used_before"),
    *("card.price", "card.declined", "card.unaffordable", "card.place_stays_empty"),
    *("card.food", "card.resource", "card.points", "card.tool", "card.food_track"),
    *("card.one_use_tool", "card.choose_resources", "card.extra_card_scoring_only"),
    *("card.roll_resource", "card.dice_gift", "card.extra_bottom_only", "card.extra_no_deck"),
    *("two.used_in_actions", "two.used_in_feeding", "two.unused_at_end"),
    *("gift.clockwise", "gift.last_die", "gift.goods", "gift.tool", "gift.track"),
    *("gift.tool_maximum", "gift.track_maximum", "gift.no_tools"),
    *("tile.fixed", "tile.exact", "tile.range", "tile.next_turned_up", "tile.last_of_stack"),
    *("tile.declined", "tile.unaffordable"),
    # 3 Feeding
    *("feed.track_first", "feed.enough", "feed.all_food", "feed.resources", "feed.starve"),
    *("feed.no_choice", "feed.negative_score", "feed.new_person_eats", "feed.turn_order"),
    # 4 Next round, end
    *("next.start_left", "next.slide", "next.refill", "next.tools_ready"),
    *("end.cards", "end.tiles_after_round", "end.tiles_fed"),
    *("score.greens", "score.further_sets", "score.farmers", "score.toolmakers"),
    *("score.builders", "score.shamans", "score.resources", "score.food_nothing"),
    *("tie.broken", "tie.shared"),
    # Options
    *("option.resource_supply.unlimited", "option.resource_supply.limited"),
    *("supply.payment_returns", "option.max_rounds", "starve.partial", "gift.lapsed"),
    *(f"option.{name}.{value}" for name, values in CHOICES.items() for value in values),
)


@dataclass(frozen=True)
class Options:
    """The number of players and the table of options of the rules page, default first."""

    players: int = 2
    resource_supply: Goods | None = None  # None: unlimited
    starvation: str = "flat"
    hunt_again: bool = False
    choose_two: str = "later"
    dice_gift: str = "at_once"
    tools_on_card_roll: bool = True
    village_limit_small_games: bool = True
    resource_limit_small_games: bool = True
    place_at_max: str = "allowed"
    one_use_tools_score: bool = False
    upgraded_tool_ready: bool = False
    tie_break: str = "shared"
    max_rounds: int = 60
    start_food: int = 12
    start_people: int = 5
    stack_size: int = 7
    dice: str = "six_sided"

    def __post_init__(self) -> None:
        if self.players not in (2, 3, 4):
            raise ValueError("2 to 4 players")
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name} is one of {values}")
        supply = self.resource_supply
        if supply is not None and (len(supply) != len(KINDS) or min(supply) < 0):
            raise ValueError("resource_supply: a number for each of wood, brick, stone and gold")
        if self.stack_size < 1 or self.players * self.stack_size > len(TILES):
            raise ValueError("stack_size: players x size are at most 28 tiles, and at least 1 each")
        if not 1 <= self.start_people <= MAX_PEOPLE or self.start_food < 0 or self.max_rounds < 1:
            raise ValueError("start_people 1 to 10, start_food from 0, max_rounds from 1")


@dataclass(frozen=True)
class Seat:
    """What one player has. `left`: people to be placed yet; `on`: people on each place."""

    goods: Goods = NOTHING
    score: int = 0
    food: int = 12
    people: int = 5
    left: int = 0
    track: int = 0
    tools: tuple[Tool, ...] = ((0, False),) * 3  # sorted
    one_use: tuple[int, ...] = ()  # the unused ones, sorted
    two: bool = False  # the two-resource card is kept
    cards: frozenset[int] = frozenset()
    tiles: frozenset[int] = frozenset()
    on: tuple[int, ...] = (0,) * len(PLACES)

    @property
    def tool_value(self) -> int:
        return sum(value for value, _used in self.tools)

    @property
    def ready(self) -> tuple[int, ...]:
        """The values of the tools not used this round."""
        return tuple(value for value, used in self.tools if value and not used)


@dataclass(frozen=True)
class State:
    """A point of a game, with all that anybody knows.

    `agenda` is what is to come, first things first: its first task is the decision, the chance step
    or "over"; `stone_age.py` lists the tasks. `unseen` are the tiles never turned up.
    """

    seats: tuple[Seat, ...]
    agenda: tuple[Task, ...]
    deck: frozenset[int] = frozenset(CARDS)
    unseen: frozenset[int] = frozenset(TILES)
    supply: Goods | None = None
    slots: tuple[int, ...] = (0, 0, 0, 0)  # the card at each price, 0: none
    tops: tuple[int, ...] = ()  # the face-up tile of each stack, 0: none
    stacks: tuple[int, ...] = ()  # tiles left, the face-up one included
    start: int = 0
    rounds: int = 0  # rounds played
    extra: tuple[int, int] | None = None  # the extra card and its seat
    gifts: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()  # (dice left, seats to take)
    cause: str = ""
    grown: frozenset[int] = field(default=frozenset(), compare=False)  # seats with a new person


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with another value at this index."""
    return (*values[:index], value, *values[index + 1 :])


def change(state: State, seat: int, **changed: Any) -> State:
    """The state with these fields of a seat changed."""
    return replace(state, seats=put(state.seats, seat, replace(state.seats[seat], **changed)))


def gain(state: State, seat: int, goods: Goods) -> State:
    """The seat takes so many resources; from a limited supply "what is left"."""
    before = state.seats[seat].goods
    if state.supply is not None:
        taken = tuple(min(pair) for pair in zip(goods, state.supply, strict=True))
        FIRED["option.resource_supply.limited"] += taken != goods
        goods = taken
        state = replace(
            state, supply=tuple(a - b for a, b in zip(state.supply, goods, strict=True))
        )
    state = change(state, seat, goods=tuple(a + b for a, b in zip(before, goods, strict=True)))
    if state.supply is None and any(goods):
        held = [sum(kind) for kind in zip(*(each.goods for each in state.seats), strict=True)]
        FIRED["option.resource_supply.unlimited"] += any(
            have > limit and got for have, limit, got in zip(held, SUPPLIES[0], goods, strict=True)
        )
    return state


def spend(state: State, seat: int, goods: Goods) -> State:
    """The seat pays these resources; "payments return" to a limited supply."""
    before = state.seats[seat].goods
    if any(have < paid for have, paid in zip(before, goods, strict=True)):
        raise ValueError(f"seat {seat} doesn't have {goods}")
    state = change(state, seat, goods=tuple(a - b for a, b in zip(before, goods, strict=True)))
    if state.supply is not None:
        FIRED["supply.payment_returns"] += any(goods)
        state = replace(
            state, supply=tuple(a + b for a, b in zip(state.supply, goods, strict=True))
        )
    return state


def of_kind(kind: str, amount: int = 1) -> Goods:
    return put(NOTHING, KINDS.index(kind), amount)


def todo(state: State, *tasks: Task) -> State:
    """The state with these tasks before all others."""
    return replace(state, agenda=(*tasks, *state.agenda))


def clockwise(state: State, first: int) -> tuple[int, ...]:
    """All seats in turn order from this one."""
    count = len(state.seats)
    return tuple((first + step) % count for step in range(count))
