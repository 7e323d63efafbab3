"""Forbidden Island's rules as data: the options, tiles, treasures, roles, meter and layouts.

Every option of the rules page is a field of `Rules`; its default is the printed rule or the ruling
that the rules page names first.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from oddsmith.kernels.island import Rules as KernelRules
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.provenance import Facts

SPACES = 24
SEATS = 4
NO_ROLE = 255
ANY_NUMBER = 255
START_CARDS = 2
Role = Literal["diver", "engineer", "explorer", "messenger", "navigator", "pilot"]
TREASURES = ("earth", "wind", "fire", "ocean")
CARDS = (*TREASURES, "helicopter_lift", "sandbags", "waters_rise")
"""Kinds of treasure cards, in the kernel's order."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force.  Defaults are those of the rules page."""

    players: Annotated[int, Meta(ge=2, le=4, description="number of players")] = 2
    difficulty: Annotated[
        Literal["novice", "normal", "elite", "legendary"],
        Meta(description="where the water meter starts: at mark 1, 2, 3 or 4"),
    ] = "novice"
    water_level: Annotated[
        int | None, Meta(ge=1, le=15, description="the mark where the meter starts; by difficulty")
    ] = None
    layout: Annotated[
        str,
        Meta(description="one of the twelve layouts, or a map of 24 spaces drawn in # and ., its "
             "rows separated by /"),
    ] = "forbidden_island"
    roles: Annotated[
        Literal["random"] | tuple[Role, ...],
        Meta(min_length=2, max_length=4, description="dealt at random, or the role of each seat"),
    ] = "random"
    lift_rescue: Annotated[
        bool, Meta(description="a Helicopter Lift may save pawns from a tile that just sank")
    ] = True
    lift_from: Annotated[
        Literal["one_tile", "anywhere"],
        Meta(description="the pawns that a Helicopter Lift moves stand on one tile, or anywhere"),
    ] = "one_tile"
    rise_shuffle: Annotated[
        Literal["on_top", "whole_pile"],
        Meta(description="Waters Rise! puts the shuffled flood discard on top of the flood pile, "
             "or shuffles it into the whole pile"),
    ] = "on_top"
    navigator_uses_target_power: Annotated[
        Literal["step", "none"],
        Meta(description="the Navigator moves the Explorer diagonally too, and the Diver through a "
             "missing space as one of the 2 steps; or everybody orthogonally over tiles"),
    ] = "step"
    navigator_split: Annotated[
        bool, Meta(description="the Navigator may move two other players one step each")
    ] = False
    diver_swim: Annotated[
        Literal["nearest", "any"],
        Meta(description="the Diver swims to a nearest tile (orthogonal grid steps), or to any "
             "that one dive reaches"),
    ] = "nearest"
    pilot_swim_free: Annotated[
        bool,
        Meta(description="the Pilot swims to any tile; false: beyond the adjacent ones only with "
             "a flight left"),
    ] = True
    hand_limit_between_draws: Annotated[
        bool, Meta(description="the hand limit holds between the two treasure cards of a turn")
    ] = True
    treasure_reshuffle: Annotated[
        Literal["at_once", "on_demand"],
        Meta(description="an empty treasure pile is made anew at once, or when a card is due"),
    ] = "at_once"
    hand_limit: Annotated[int, Meta(ge=1, le=20, description="cards in a hand, specials too")] = 5
    actions: Annotated[int, Meta(ge=1, le=9, description="actions in a turn")] = 3
    cards_per_treasure: Annotated[
        int, Meta(ge=1, le=15, description="cards of each treasure")
    ] = 5
    cards_to_capture: Annotated[
        int, Meta(ge=1, le=15, description="cards that capture a treasure")
    ] = 4
    initial_flood: Annotated[int, Meta(ge=0, le=24, description="tiles flooded at first")] = 6
    waters_rise: Annotated[int, Meta(ge=0, le=9, description="Waters Rise! cards")] = 3
    helicopters: Annotated[int, Meta(ge=0, le=9, description="Helicopter Lift cards")] = 3
    sandbags: Annotated[int, Meta(ge=0, le=9, description="Sandbags cards")] = 2
    water_meter: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=24)], ...],
        Meta(min_length=1, max_length=15,
             description="flood cards at each mark of the meter; behind the last is the skull"),
    ] = (2, 2, 3, 3, 3, 4, 4, 5, 5)
    pilot_flights_per_turn: Annotated[
        int | Literal["unlimited"],
        Meta(ge=1, le=9, description="how often the Pilot may fly in a turn"),
    ] = 1
    max_turns: Annotated[
        int, Meta(ge=1, le=1000, description="a game of so many turns ends there, not won")
    ] = 200

    def __post_init__(self) -> None:
        variants.check(self)
        spaces_of(self.layout)
        if self.roles != "random":
            if len(self.roles) != self.players:
                raise InputError(f"{len(self.roles)} roles are named for {self.players} players",
                                 why="a team has one role for each seat")
            if len(set(self.roles)) < len(self.roles):
                raise InputError("a role is named twice", why="every role exists once")
        if self.start_level > len(self.water_meter):
            raise InputError(f"the water meter can't start at mark {self.start_level}",
                             why=f"it has {len(self.water_meter)} marks before the skull")
        dealt = 4 * self.cards_per_treasure + self.helicopters + self.sandbags
        if dealt < START_CARDS * self.players:
            raise InputError(f"{dealt} cards can't be dealt to {self.players} players",
                             why=f"each starts with {START_CARDS}, Waters Rise! not among them")

    @property
    def start_level(self) -> int:
        """The mark, from 1, where the water meter starts."""
        if self.water_level is not None:
            return self.water_level
        return int(FACTS.data["water"]["start"][self.difficulty])

    @property
    def card_counts(self) -> tuple[int, ...]:
        """How many treasure cards of each kind there are, in the order of CARDS."""
        return (*(self.cards_per_treasure,) * 4, self.helicopters, self.sandbags,
                self.waters_rise)


def pile_can_run_dry(rules: Rules) -> bool:
    """Whether all treasure cards can be in hands: a turn's two are over the limit for a moment."""
    most = max(START_CARDS * rules.players, rules.players * rules.hand_limit + 2)
    return not rules.waters_rise and sum(rules.card_counts) <= most


class Tile(msgspec.Struct, frozen=True):
    """One tile: its id and name, the treasure that can be captured there, who starts there."""

    id: str
    name: str
    treasure: str = ""
    start: str = ""


class RoleCard(msgspec.Struct, frozen=True):
    """One role: its id, the letter and colour of its pawn, the tile where it starts."""

    id: str
    letter: str
    color: str
    start: str


class Layout(msgspec.Struct, frozen=True):
    """One shape of the island."""

    id: str
    name: str
    status: str
    rows: tuple[str, ...]


FACTS = Facts(__file__)
editions, sources = FACTS.editions, FACTS.sources


@cache
def tiles() -> tuple[Tile, ...]:
    """The 24 tiles; Fools' Landing is the first."""
    return tuple(Tile(**row) for row in FACTS.data["tiles"])


@cache
def roles() -> tuple[RoleCard, ...]:
    """The six roles, in the kernel's order."""
    return tuple(RoleCard(**row) for row in FACTS.data["roles"])


@cache
def layouts() -> dict[str, Layout]:
    """The twelve layouts by id."""
    return {row["id"]: Layout(**{**row, "rows": tuple(row["rows"])})
            for row in FACTS.data["layouts"]}


def treasure_name(treasure: str) -> str:
    """`earth` -> `The Earth Stone`."""
    return next(str(row["name"]) for row in FACTS.data["treasures"] if row["id"] == treasure)


def tile_index(word: str) -> int:
    """The number of a tile, by its id.

    Raises:
        InputError: no such tile; the nearest is suggested.
    """
    ids = [tile.id for tile in tiles()]
    if word in ids:
        return ids.index(word)
    near = nearest(word, ids)
    raise InputError(f"`{word}` is not a tile", why="tiles are named by their ids, as in `show`",
                     hint=f"did you mean {near}?" if near else "")


def map_rows(layout: str) -> tuple[str, ...]:
    """The rows of a layout's map, `#` a space and `.` sea.

    Raises:
        InputError: neither a layout's id nor a drawing.
    """
    if layout in layouts():
        return layouts()[layout].rows
    rows = tuple(row.strip() for row in layout.strip().replace("\n", "/").split("/"))
    if set("".join(rows)) - {"#", "."} or "#" not in layout:
        near = nearest(layout, layouts())
        raise InputError(
            f"`{layout}` is not a layout",
            why=f"layouts are {', '.join(layouts())}, or a map drawn in # and .",
            hint=f"did you mean {near}?" if near else "",
        )
    return rows


@lru_cache(maxsize=64)
def spaces_of(layout: str) -> tuple[tuple[int, int], ...]:
    """The 24 spaces of a layout as (column, row), row by row.

    Raises:
        InputError: not a layout, or not of 24 spaces.
    """
    found = tuple((x, y) for y, row in enumerate(map_rows(layout))
                  for x, sign in enumerate(row) if sign == "#")
    if len(found) != SPACES:
        raise InputError(f"the map has {len(found)} spaces", why="there are 24 tiles",
                         hint="draw 24 times #")
    return found


@lru_cache(maxsize=64)
def compiled(rules: Rules) -> KernelRules:
    """The kernel's form of the rules."""
    names = [role.id for role in roles()]
    team = [] if rules.roles == "random" else [names.index(role) for role in rules.roles]
    flights = rules.pilot_flights_per_turn
    return KernelRules(spaces_of(rules.layout), rules.water_meter, team, {
        "players": rules.players,
        "start_mark": rules.start_level - 1,
        "hand_limit": rules.hand_limit,
        "actions": rules.actions,
        "cards_per_treasure": rules.cards_per_treasure,
        "cards_to_capture": rules.cards_to_capture,
        "initial_flood": rules.initial_flood,
        "waters_rise": rules.waters_rise,
        "helicopters": rules.helicopters,
        "sandbags": rules.sandbags,
        "flights": ANY_NUMBER if flights == "unlimited" else flights,
        "lift_rescue": rules.lift_rescue,
        "lift_anywhere": rules.lift_from == "anywhere",
        "rise_whole_pile": rules.rise_shuffle == "whole_pile",
        "navigator_power": rules.navigator_uses_target_power == "step",
        "navigator_split": rules.navigator_split,
        "diver_swims_anywhere": rules.diver_swim == "any",
        "pilot_swim_free": rules.pilot_swim_free,
        "limit_between_draws": rules.hand_limit_between_draws,
        "reshuffle_at_once": rules.treasure_reshuffle == "at_once",
        "max_turns": rules.max_turns,
    })
