"""FUSE: the options and the table (what lies where), in plain Python.

Written only from the rules page (docs/rules/fuse.md); how the page's open points are read is in
`fuse.py` beside this file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import gcd, lcm, log, sqrt
from random import Random
from typing import Any

from .fuse_bombs import COLORS, DICE_PER_COLOR, FUSES, Bomb, Dice, Die, covered, put
from .fuse_decks import SIX, documented, synthetic

__all__ = ["Options", "State", "replace"]

LEVELS = ("training", "standard", "expert", "elite", "insane")
DECK_SIZES = {
    1: (16, 19, 21, 23, 25),
    2: (17, 20, 22, 24, 26),
    3: (18, 21, 23, 25, 27),
    4: (19, 22, 24, 26, 28),
    5: (20, 23, 25, 27, 29),
}
CENTRE, HAND, SOLO_HAND = 5, 2, 4
EASY, HARD_PICK, SOLO_VALUES = (1, 2), (3, 4), 3
VALUES = (1, 2, 3, 4, 5, 6)
DICE_FOR_TWO, DICE_FOR_ONE = 4, 3
CHOICES: dict[str, tuple[Any, ...]] = {
    "six_point_bombs": ("out", "in"),
    "solo_dice": ("three", "one"),
    "two_player_same_bomb": (True, False),
    "decline": ("allowed", "forbidden"),
    "placement": ("completable", "any_not_yet_violated"),
    "same_number_or_color": ("linkwise", "whole"),
    "covered_dice_safe": (True, False),
    "removal": ("one", "all"),
    "pick": ("free", "easy_if_hard"),
    "insane_hands": (True, False),
    "setup": ("standard", "chosen_values"),
    "edition": (2015, 2019),
}
# A number of seconds, ("list", one, another, ...), ("normal", mean, deviation) or
# ("lognormal", mean, deviation)
Pace = int | Fraction | tuple[Any, ...]
Held = tuple[str, Dice]  # a bomb and what lies on it
Strike = tuple[str | None, int | None]  # dice of this colour or of this number are hit
Pile = tuple[tuple[str, ...], int]  # cards of which so many are in the deck, which ones is unknown
Choice = tuple[Any, ...]
DECKS = {"documented": documented, "synthetic": synthetic}


@dataclass(frozen=True)
class Options:
    """The number of players and the table of options of the rules page, default first."""

    players: int = 2
    level: str | int = "standard"
    deck: str | tuple[Bomb, ...] = "documented"
    unknown_points: int = 2
    six_point_bombs: str = "out"
    fuse_cards: int | None = None  # None: 6; in the edition of 2019 0
    seconds: int | Fraction = 600
    seconds_per_roll: Pace = 20
    solo_dice: str = "three"
    two_player_same_bomb: bool = True
    decline: str = "allowed"
    placement: str = "completable"
    same_number_or_color: str = "linkwise"
    covered_dice_safe: bool = True
    removal: str = "one"
    pick: str = "free"
    insane_hands: bool = True
    setup: str = "standard"
    chosen_values: tuple[int, ...] = ()  # bombs worth 1, 2, 3, ... in the deck
    edition: int = 2015
    bombs: dict[str, Bomb] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name}: {values}")
        if self.players not in DECK_SIZES:
            raise ValueError("1 to 5 players")
        if not (self.level in LEVELS or (isinstance(self.level, int) and self.level >= 1)):
            raise ValueError(f"level: {LEVELS} or a deck size")
        if self.unknown_points not in VALUES:
            raise ValueError("unknown_points: 1 to 6")
        if not 0 <= self.number_of_fuses <= len(FUSES):
            raise ValueError("fuse_cards: 0 to 11")
        if self.deck in DECKS:
            deck = DECKS[self.deck]()
        elif isinstance(self.deck, tuple):
            deck = self.deck
        else:
            raise ValueError("deck: documented, synthetic or cards")
        if self.pace not in ("number", "list", "normal", "lognormal"):
            raise ValueError("seconds_per_roll: a number, list, normal or lognormal")
        bombs = {bomb.id: bomb for bomb in deck}
        if len(bombs) < len(deck):
            raise ValueError("two cards have one id")
        object.__setattr__(self, "bombs", bombs)
        if (self.setup == "chosen_values") != bool(self.chosen_values):
            raise ValueError("chosen_values: with setup = chosen_values, and only then")

    @property
    def number_of_fuses(self) -> int:
        if self.fuse_cards is not None:
            return self.fuse_cards
        return 6 if self.edition == 2015 else 0

    @property
    def deck_size(self) -> int:
        if self.setup == "chosen_values":
            return sum(self.chosen_values)
        if self.level in LEVELS:
            return DECK_SIZES[self.players][LEVELS.index(self.level)]
        return int(self.level)

    @property
    def insane(self) -> bool:
        """ "Insane: the bombs in hand must be defused too"."""
        return self.level == "insane" and self.insane_hands

    @property
    def hand_size(self) -> int:
        return SOLO_HAND if self.players == 1 else HAND

    @property
    def dice_rolled(self) -> int:
        return {1: DICE_FOR_ONE, 2: DICE_FOR_TWO}.get(self.players, self.players)

    @property
    def takes(self) -> int:
        """How many dice each player takes at most in a turn."""
        if self.players == 1:
            return 3 if self.solo_dice == "three" else 1
        return 2 if self.players == 2 else 1

    @property
    def pace(self) -> str:
        """ "number", "list", "normal" or "lognormal"."""
        pace = self.seconds_per_roll
        return pace[0] if isinstance(pace, tuple) else "number"

    @property
    def whole(self) -> bool:
        return self.same_number_or_color == "whole"

    def value(self, bomb: str) -> int:
        points = self.bombs[bomb].points
        return self.unknown_points if points is None else points

    @property
    def in_the_box(self) -> tuple[str, ...]:
        """The bombs that a game may be made of; "the 6-point bombs are left out unless wanted"."""
        with_sixes = self.six_point_bombs == "in"
        return tuple(each.id for each in self.bombs.values() if with_sixes or each.points != SIX)


@dataclass(frozen=True)
class State:
    """Everything that matters for what can still happen."""

    phase: str = "deal"
    hands: tuple[tuple[Held, ...], ...] = ()
    centre: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()  # the bombs of the deck
    fuses: Pile = ((), 0)  # the fuse cards of the deck
    bag: tuple[int, ...] = (DICE_PER_COLOR,) * len(COLORS)
    to_draw: int = 0
    rolled: tuple[Die, ...] = ()  # those that nobody has taken yet
    taken: tuple[int, ...] = ()  # by each seat in this turn
    placed_on: tuple[str, ...] = ()  # bombs that got a die in this turn
    new: tuple[str, ...] = ()  # bombs picked in this turn
    picker: int | None = None  # the seat that takes a centre bomb
    strike: Strike | None = None
    due: tuple[int, ...] = ()  # seats that have to remove a die
    unplaced: tuple[str, ...] = ()  # the colours of the dice that are still to be rolled again
    defused: tuple[str, ...] = ()
    activated: tuple[str, ...] = ()  # fuse cards
    rolls: int = 0  # those that count, with the one that is played now
    used: Fraction = Fraction(0)  # seconds at the end of this roll
    result: tuple[str, ...] | None = None


# The bag and the hands


def color_counts(dice: tuple[Die | None, ...]) -> tuple[int, ...]:
    colors = [die[0] for die in dice if die]
    return tuple(colors.count(color) for color in COLORS)


def into_bag(state: State, *dice: Die) -> State:
    """These dice, already off the bombs, return to the bag."""
    more = color_counts(dice)
    bag = tuple(had + new for had, new in zip(state.bag, more, strict=True))
    return replace(state, bag=bag)


def on_bomb(state: State, seat: int, bomb: str) -> Dice:
    return dict(state.hands[seat])[bomb]


def with_hand(state: State, seat: int, hand: dict[str, Dice]) -> State:
    """The state with this hand; its order says nothing."""
    held = tuple(sorted(hand.items(), key=lambda item: item[0]))
    return replace(state, hands=(*state.hands[:seat], held, *state.hands[seat + 1 :]))


def with_dice(state: State, seat: int, bomb: str, dice: Dice) -> State:
    return with_hand(state, seat, {**dict(state.hands[seat]), bomb: dice})


def with_bomb(options: Options, state: State, seat: int, bomb: str) -> State:
    return with_dice(state, seat, bomb, options.bombs[bomb].empty)


def take_off(state: State, seat: int, bomb: str, slot: int) -> State:
    """ "Removed … dice return to the bag"."""
    dice = on_bomb(state, seat, bomb)
    die = dice[slot]
    assert die is not None
    return into_bag(with_dice(state, seat, bomb, put(dice, slot, None)), die)


def hit(strike: Strike, die: Die) -> bool:
    """ "with its new number or its colour"."""
    return die[0] == strike[0] or die[1] == strike[1]


def removable(options: Options, state: State, seat: int, strike: Strike) -> list[tuple[str, int]]:
    """The player's dice that are hit and not safe: (bomb, slot)."""
    found = []
    for bomb, dice in state.hands[seat]:
        for slot, die in enumerate(dice):
            if die is not None and hit(strike, die):
                safe = options.covered_dice_safe and covered(options.bombs[bomb], dice, slot)
                if not safe:
                    found.append((bomb, slot))
    return found


def deck_left(state: State) -> int:
    return sum(number for _, number in state.piles) + state.fuses[1]


# Time


def rolls_in_time(options: Options) -> int:
    """How many rolls count at a fixed pace: "roll k counts if it ends by 600 s"."""
    pace = options.seconds_per_roll
    assert not isinstance(pace, tuple)
    return Fraction(options.seconds) // Fraction(pace)


def chance_in_time(options: Options, rolls: int) -> Fraction:
    """The probability that so many rolls all count, at a fixed pace or with a list of times."""
    pace = options.seconds_per_roll
    times = pace[1:] if isinstance(pace, tuple) else (pace,)
    if options.pace not in ("number", "list"):
        raise ValueError("only for a number or a list")
    spread = {Fraction(0): Fraction(1)}
    for _ in range(rolls):
        following: dict[Fraction, Fraction] = {}
        for used, probability in spread.items():
            for time in times:
                after = used + Fraction(time)
                if after <= options.seconds:
                    part = probability / len(times)
                    following[after] = following.get(after, Fraction(0)) + part
        spread = following
    return sum(spread.values(), Fraction(0))


def drawn_time(options: Options, rng: Random) -> Fraction:
    """The seconds of one roll from a normal or lognormal distribution; never 0 or less."""
    assert isinstance(options.seconds_per_roll, tuple)
    kind, mean, deviation = options.seconds_per_roll
    if kind == "normal":
        while True:
            time = rng.gauss(mean, deviation)
            if time > 0:
                return Fraction(time)
    assert kind == "lognormal", kind
    variance = log(1 + (deviation / mean) ** 2)
    return Fraction(rng.lognormvariate(log(mean) - variance / 2, sqrt(variance)))


def weights(parts: Sequence[tuple[Any, Fraction | int]]) -> list[tuple[Any, int]]:
    """The same proportions in the least integers."""
    parts = [(what, part) for what, part in parts if part]
    common = reduce(lcm, (part.denominator for _, part in parts), 1)
    numbers = [int(part * common) for _, part in parts]
    factor = gcd(*numbers) or 1
    return [(what, number // factor) for (what, _), number in zip(parts, numbers, strict=True)]
