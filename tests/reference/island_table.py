"""Forbidden Island: the table: tiles, cards, options, and the state of a game.

Everything is named by the ids of island.json: tiles, treasures, roles and cards are strings. Seats
are numbers from 0.

FIRED counts how often each rule of RULE_IDS decided something; for an option value: how often it
came into play where another value would have given another answer.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = json.loads(Path(__file__).with_name("island.json").read_text(encoding="utf-8"))
TILES: tuple[str, ...] = tuple(tile["id"] for tile in DATA["tiles"])
PLACE = {tile: index for index, tile in enumerate(TILES)}  # in `State.status`
LANDING = "fools_landing"
TREASURES: tuple[str, ...] = tuple(DATA["treasures"])
TREASURE_OF: dict[str, str | None] = {tile["id"]: tile["treasure"] for tile in DATA["tiles"]}
TILES_OF = {
    treasure: tuple(tile for tile in TILES if TREASURE_OF[tile] == treasure)
    for treasure in TREASURES
}
ROLES: tuple[str, ...] = tuple(DATA["roles"])
START_TILE = {tile["start_role"]: tile["id"] for tile in DATA["tiles"] if tile["start_role"]}
LAYOUTS = {layout["id"]: tuple(layout["rows"]) for layout in DATA["layouts"]}
START_LEVELS: dict[str, int] = DATA["start_levels"]

LIFT, SANDBAGS, WATERS_RISE = "helicopter_lift", "sandbags", "waters_rise"
CARDS = (*TREASURES, LIFT, SANDBAGS, WATERS_RISE)
SPECIALS = (LIFT, SANDBAGS)
OPENING_HAND = 2
TREASURE_DRAWS = 2

DRY, FLOODED, SUNK = "dry", "flooded", "sunk"

Choice = tuple[Any, ...]  # a move, e.g. ("walk", 0, "observatory")
Counts = tuple[int, ...]  # of the treasure cards, in the order of CARDS

CHOICES: dict[str, tuple[Any, ...]] = {
    "difficulty": tuple(START_LEVELS),
    "lift_rescue": (True, False),
    "lift_from": ("one_tile", "anywhere"),
    "rise_shuffle": ("on_top", "whole_pile"),
    "navigator_uses_target_power": ("step", "none"),
    "navigator_split": (False, True),
    "diver_swim": ("nearest", "any"),
    "pilot_swim_free": (True, False),
    "hand_limit_between_draws": (True, False),
    "treasure_reshuffle": ("at_once", "on_demand"),
}
NUMBERS = (
    *("hand_limit", "actions", "cards_per_treasure", "cards_to_capture", "initial_flood"),
    *("waters_rise", "helicopters", "sandbags", "water_meter", "pilot_flights_per_turn"),
    *("max_turns", "water_level"),
)


@dataclass(frozen=True)
class Options:
    """The table of options, each with its default, and the number of players."""

    players: int = 2
    layout: str | tuple[str, ...] = "forbidden_island"  # or the rows of a drawn map: # is a tile
    difficulty: str = "novice"
    water_level: int | None = None  # instead of the difficulty
    lift_rescue: bool = True
    lift_from: str = "one_tile"
    rise_shuffle: str = "on_top"
    navigator_uses_target_power: str = "step"
    navigator_split: bool = False
    diver_swim: str = "nearest"
    pilot_swim_free: bool = True
    hand_limit_between_draws: bool = True
    treasure_reshuffle: str = "at_once"
    hand_limit: int = 5
    actions: int = 3
    cards_per_treasure: int = 5
    cards_to_capture: int = 4
    initial_flood: int = 6
    waters_rise: int = 3
    helicopters: int = 3
    sandbags: int = 2
    water_meter: tuple[int, ...] = (2, 2, 3, 3, 3, 4, 4, 5, 5)  # then the skull
    pilot_flights_per_turn: int | str = 1  # or "unlimited"
    roles: str | tuple[str, ...] = "random"  # or one role a seat
    max_turns: int = 200

    def __post_init__(self) -> None:
        problems = [name for name, values in CHOICES.items() if getattr(self, name) not in values]
        checks = {
            "players": self.players in (2, 3, 4),
            "layout": self.layout in LAYOUTS or "".join(self.layout).count("#") == len(TILES),
            "water_level": 1 <= self.start_level <= len(self.water_meter),
            "hand_limit": self.hand_limit >= 1,
            "actions": self.actions >= 0,
            "cards_to_capture": self.cards_to_capture >= 1,
            "cards_per_treasure": sum(self.deck[:-1]) >= OPENING_HAND * self.players,
            "initial_flood": 0 <= self.initial_flood <= len(TILES),
            "max_turns": self.max_turns >= 1,
            "pilot_flights_per_turn": self.pilot_flights_per_turn == "unlimited"
            or isinstance(self.pilot_flights_per_turn, int),
            "roles": self.roles == "random"
            or (len(set(self.roles) & set(ROLES)) == len(self.roles) == self.players),
        }
        problems += [name for name, good in checks.items() if not good]
        if problems:
            raise ValueError(f"options that can't be: {', '.join(problems)}")

    @property
    def start_level(self) -> int:
        level = START_LEVELS.get(self.difficulty, 0)
        return level if self.water_level is None else self.water_level

    @property
    def deck(self) -> Counts:
        """The treasure cards of the game."""
        treasure_cards = (self.cards_per_treasure,) * len(TREASURES)
        return (*treasure_cards, self.helicopters, self.sandbags, self.waters_rise)


DEFAULTS = {each.name: each.default for each in fields(Options)}


@dataclass(frozen=True)
class State:
    """A point of a game. All of it is public; what isn't known is the order within the piles."""

    phase: str
    board: tuple[str, ...] = ()  # the tile on each space, row by row; a sunk tile keeps its name
    status: tuple[str, ...] = (DRY,) * len(TILES)  # in the order of TILES
    pawns: tuple[str, ...] = ()  # the tile of each seat's pawn
    roles: tuple[str, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()  # in the order of CARDS
    captured: frozenset[str] = frozenset()
    pile: Counts = (0,) * len(CARDS)
    discard: Counts = (0,) * len(CARDS)
    # Blocks from the top: each a set of cards whose order is unknown, all orders equally likely.
    flood_pile: tuple[frozenset[str], ...] = ()
    flood_discard: frozenset[str] = frozenset()
    water: int = 1  # 1 is the lowest level
    turn: int = 1
    seat: int = 0  # whose turn it is
    actions_left: int = 0
    flights: int = 0  # the Pilot's in this turn; not counted when they are unlimited
    draws_left: int = 0  # treasure cards still due in this turn, once the actions are over
    floods_left: int = 0  # flood cards still due in this turn, once the treasure cards are drawn
    then: str = ""  # while somebody discards to the hand limit: the phase that follows
    result: tuple[str, ...] | None = None


def replace(state: State, **values: Any) -> State:
    """The state with other values of these fields, as dataclasses.replace, but much quicker."""
    assert values.keys() <= state.__dict__.keys()
    other = object.__new__(State)
    other.__dict__.update(state.__dict__ | values)
    return other


def status(state: State, tile: str) -> str:
    return state.status[PLACE[tile]]


def in_play(state: State, tile: str) -> bool:
    return status(state, tile) != SUNK


def with_status(state: State, tile: str, value: str) -> State:
    index = PLACE[tile]
    return replace(state, status=(*state.status[:index], value, *state.status[index + 1 :]))


def put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with another value at this index."""
    return (*values[:index], value, *values[index + 1 :])


def changed(counts: Counts, card: str, by: int) -> Counts:
    index = CARDS.index(card)
    return put(counts, index, counts[index] + by)


def sorted_hand(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=CARDS.index))


def give_card(state: State, seat: int, card: str) -> State:
    """The card comes into this hand."""
    hand = sorted_hand((*state.hands[seat], card))
    return replace(state, hands=put(state.hands, seat, hand))


def drop_card(state: State, seat: int, card: str) -> State:
    """The card leaves this hand."""
    hand = list(state.hands[seat])
    hand.remove(card)
    return replace(state, hands=put(state.hands, seat, tuple(hand)))


def discard_card(state: State, seat: int, card: str) -> State:
    """The card goes from this hand to the treasure discard."""
    state = drop_card(state, seat, card)
    return replace(state, discard=changed(state.discard, card, 1))


def fired(rule: str, decided: object = True) -> None:
    FIRED[rule] += bool(decided)


def fired_option(options: Options, name: str, decided: object = True) -> None:
    """Count the value of this option; numbers only as the default or another one."""
    value = getattr(options, name)
    if name in NUMBERS:
        value = "default" if value == DEFAULTS[name] else "other"
    elif name == "layout":
        value = value if value in LAYOUTS else "drawn"
    elif name == "roles":
        value = value if value == "random" else "named"
    fired(f"option.{name}.{str(value).lower()}", decided)


# Geometry


@lru_cache(maxsize=64)
def spaces(layout: str | tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The (x, y) of the spaces for tiles, row by row from the top left."""
    rows = LAYOUTS[layout] if isinstance(layout, str) else layout
    return tuple((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#")


@lru_cache(maxsize=256)
def coordinates(
    layout: str | tuple[str, ...], board: tuple[str, ...]
) -> dict[str, tuple[int, int]]:
    """Where each tile lies, or lay."""
    return dict(zip(board, spaces(layout), strict=True))


@lru_cache(maxsize=256)
def neighbours(
    layout: str | tuple[str, ...], board: tuple[str, ...], diagonally: bool
) -> dict[str, tuple[str, ...]]:
    """The tiles beside each tile, sunk ones too."""
    where = coordinates(layout, board)
    found = {}
    for tile, (x, y) in where.items():
        beside = []
        for other, (other_x, other_y) in where.items():
            across, down = abs(x - other_x), abs(y - other_y)
            orthogonal, diagonal = across + down == 1, across == down == 1
            if orthogonal or (diagonal and diagonally):
                beside.append(other)
        found[tile] = tuple(sorted(beside, key=PLACE.__getitem__))
    return found


FIRED: Counter[str] = Counter()
RULE_IDS: tuple[str, ...] = (
    # Set-up
    "setup.tiles",  # "Tiles shuffled into the [...] shape"
    "setup.flood",  # "6 flood cards are drawn: those tiles are flooded, the cards form the discard"
    "setup.role",  # "Each player gets a random role"
    "setup.start_tile",  # "starts on that role's tile"
    "setup.start_flooded",  # "even if flooded"
    "setup.cards",  # "2 treasure cards each"
    "setup.no_waters_rise",  # "a Waters Rise! is replaced and shuffled back"
    "setup.level",  # "start novice 1, normal 2, elite 3, legendary 4"
    # Actions
    "actions.none_taken",  # "0 is legal" (no action taken in the turn)
    "actions.not_all",  # "Up to 3 actions" (ended early)
    "actions.used_up",  # "Up to 3 actions" (no further one)
    "move.adjacent",  # "Move one tile up, down, left, right"
    "move.not_diagonal",  # (a tile in play lies diagonally, and the mover is no Explorer)
    "move.onto_flooded",  # "onto flooded"
    "move.not_missing",  # "not onto or over missing tiles"
    "shore.own",  # "Shore up the own ..."
    "shore.adjacent",  # "... or an orthogonally adjacent flooded tile"
    "give.same_tile",  # "to a player on the same tile" (somebody is elsewhere)
    "give.no_special",  # "never a special card"
    "give.receiver_empty",  # "the receiver may have 0 ..."
    "give.receiver_full",  # "... or 5 cards"
    "capture.either_tile",  # "standing on either of its two tiles" (the other one is in play, too)
    "capture.flooded",  # "flooded or not"
    "capture.too_few",  # "discard 4 of its cards" (some, but fewer)
    "capture.one_hand",  # "the 4 cards must be in one hand" (there are 4 in several)
    "capture.keeps_rest",  # "Capture with 5 matching keeps 1"
    "capture.to_discard",  # "The 4 captured cards go to the discard"
    # Treasure cards
    "draw.to_hand",  # "Draw 2 treasure cards"
    "draw.one_by_one",  # "one by one" (something can be done between them)
    "draw.nothing_left",  # "Both treasure piles empty: nothing is drawn"
    "draw.reshuffled",  # "Either deck is reshuffled the moment it is used up" (the treasure deck)
    "rise.meter",  # "Waters Rise!: meter +1"
    "rise.on_top",  # "shuffle the flood discard and put it on top of the flood pile"
    "rise.discarded",  # "discard the card; no replacement card"
    "rise.no_discard",  # "Empty discard: only the meter moves"
    "rise.second_in_turn",  # "Two in one turn: +2, shuffled once" (the second has nothing to shuffle)
    "rise.last_card",  # "A last card that is Waters Rise! is resolved and discarded first"
    # Flood cards
    "flood.as_many",  # "as many as the meter shows"
    "flood.floods",  # "a dry tile floods"
    "flood.sinks",  # "a flooded tile sinks and leaves the game with its card"
    "flood.top_block",  # "put it on top" (the card comes from the first of several blocks)
    "flood.reshuffled",  # "Either deck is reshuffled [...]" (the flood deck, after the last card)
    "flood.reshuffled_mid_draw",  # "flood: also in the middle of a draw"
    "flood.resolved_first",  # "resolves, joins the discard, and only then an empty pile is reshuffled"
    # Swimming
    "swim.adjacent",  # "swim at once to an orthogonally adjacent tile in play"
    "swim.flooded",  # "flooded is fine"
    "swim.each_separately",  # "each separately" (several pawns on the tile)
    "swim.loss_first",  # "The loss of a sunk tile [...] is checked before swimming" (somebody was on it)
    "swim.stranded_lives",  # "A stranded pawn has not lost until its tile sinks"
    # Hand limit
    "limit.draw",  # "Hand limit 5, specials included, enforced at once"
    "limit.specials_count",  # "specials included" (without them the limit would hold)
    "limit.outside_turn",  # "also outside one's own turn"
    "limit.between_draws",  # "and between the two draws"
    "limit.use_special",  # "a special may be used while being discarded"
    "limit.discard_special",  # "A special must have an effect, unless it is a forced discard"
    "limit.after_reshuffle",  # "hand-limit discards made after that start the new discard"
    # Special cards
    "special.off_turn",  # "at any time, by any player" (not by the seat whose turn it is)
    "special.no_action",  # "no action" (played with no action left)
    "special.between_floods",  # "before and after every [...] single flood card"
    "special.while_swimming",  # "before and after every [...] swim"
    "lift.several",  # "any chosen pawns"
    "lift.one_of_several",  # "any chosen pawns" (others stay behind)
    "lift.target_in_play",  # "to one other tile in play" (a sunk one isn't)
    "sandbags.any_tile",  # "shore up any flooded tile"
    "sandbags.needs_flooded",  # "A special must have an effect" (held, no tile is flooded)
    "sandbags.too_late",  # "not once its flood card is shown" (a tile sinks while Sandbags are held)
    # Roles
    "explorer.move",  # "moves ... diagonally too"
    "explorer.shore",  # "shores up ..."
    "explorer.swim",  # "and swims diagonally too"
    "pilot.fly",  # "flies to any tile for 1 action"
    "pilot.once",  # "once per own turn" (an action left, the flight used)
    "pilot.reset",  # "reset every turn"
    "pilot.swim",  # "swims to any tile in play"
    "navigator.moves_other",  # "for 1 action moves one other player"
    "navigator.two_steps",  # "up to 2 adjacent tiles"
    "navigator.not_himself",  # "nor move himself so"
    "diver.through",  # "passes through any number of adjacent flooded or missing spaces"
    "diver.not_through_dry",  # "The Diver's inner spaces may not be dry"
    "diver.swim",  # "swims to the nearest tile in play" (not adjacent)
    "engineer.two",  # "1 or 2 tiles per shore-up action"
    "engineer.last_action",  # "An Engineer with one action left still shores 2"
    "messenger.anywhere",  # "gives from anywhere"
    # Turns and the end
    "turn.clockwise",  # "Seat 0 starts, then clockwise"
    "win",  # "all 4 treasures, all pawns on Fools' Landing, any one player discards a Helicopter Lift"
    "win.flooded_landing",  # "flooded is fine"
    "win.off_turn",  # "The win can be claimed on anybody's turn"
    "win.between_floods",  # "at any moment, also between flood cards"
    "win.hand_limit",  # "and when discarding for the hand limit"
    "win.not_all_there",  # "all pawns on Fools' Landing" (all treasures and a Lift, but somebody isn't)
    "lose.treasure",  # "both tiles of an uncaptured treasure sunk"
    "lose.not_captured",  # "both tiles sinking after capture is no loss"
    "lose.landing",  # "Fools' Landing sunk"
    "lose.drowned",  # "a pawn cannot swim (and is not lifted)"
    "lose.water",  # "the meter reaches the skull"; "before any flood card is drawn"
    # Options
    *(f"option.layout.{layout}" for layout in (*LAYOUTS, "drawn")),
    *(f"option.{name}.{str(value).lower()}" for name in CHOICES for value in CHOICES[name]),
    *("option.roles.random", "option.roles.named"),
    *(f"option.{name}.{value}" for name in NUMBERS for value in ("default", "other")
      if (name, value) != ("water_level", "default")),
)  # fmt: skip
