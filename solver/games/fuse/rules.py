"""FUSE's rules as data: every option of the rules page, the size of the bomb deck, the pace.

Every option is a field of `Rules`; its default is the printed rule or the ruling that the rules
page names first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import floor
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from oddsmith.kernels.fuse import Rules as KernelRules
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse import bombs
from oddsmith.solver.games.fuse.bombs import POINTS
from oddsmith.solver.games.fuse.deck import DECKS, FACTS, Deck, load_deck

SEATS = 5
LEVELS = ("training", "standard", "expert", "elite", "insane")
FUSE_CARDS = 11
IN_CENTRE = 5
MOST_LENGTHS = 128
"""Different lengths of a roll that a pace can have: one chance event."""

PERCENTILES = 100
"""A distribution of the pace stands for so many equally likely lengths of a roll."""

Entry = Annotated[float, Meta(ge=1, le=3600)]
Count = Annotated[int, Meta(ge=0, le=54)]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force.  Defaults are those of the rules page."""

    players: Annotated[int, Meta(ge=1, le=SEATS, description="number of players")] = 2
    level: Annotated[
        Literal["training", "standard", "expert", "elite", "insane"] | int,
        Meta(ge=IN_CENTRE, le=50, description="bombs in the deck: by players; or a number"),
    ] = "standard"
    deck: Annotated[
        str, Meta(description="documented; synthetic: filled up with cards of ours where the "
                  "documented ones are too few; or the path of a file (.toml or .json)")
    ] = "documented"
    unknown_points: Annotated[
        int,
        Meta(ge=1, le=6, description="what documented bombs are worth whose value is not known"),
    ] = 2
    six_point_bombs: Annotated[
        Literal["out", "in"], Meta(description="whether the bombs worth 6 are in the game")
    ] = "out"
    fuse_cards: Annotated[
        int | None,
        Meta(ge=0, le=FUSE_CARDS,
             description="fuse cards in the bomb deck; 6, in the edition of 2019 none"),
    ] = None
    seconds: Annotated[int, Meta(ge=1, le=36000, description="how long a game lasts")] = 600
    seconds_per_roll: Annotated[
        Entry | tuple[Entry, ...] | str,
        Meta(min_length=1, max_length=MOST_LENGTHS,
             description="how long a roll takes until the next: a number of 1 to 3600; equally "
             "likely ones in a list; or `normal MEAN SD`, `lognormal MEAN SD`"),
    ] = 20.0
    solo_dice: Annotated[
        Literal["three", "one"], Meta(description="dice of a roll that one player alone may take")
    ] = "three"
    two_player_same_bomb: Annotated[
        bool, Meta(description="each of two players may put both his dice of a roll on one bomb")
    ] = True
    decline: Annotated[
        Literal["allowed", "forbidden"],
        Meta(description="dice may be left over; or only those that no player with a take left "
             "could place"),
    ] = "allowed"
    placement: Annotated[
        Literal["completable", "any_not_yet_violated"],
        Meta(description="a die is placed only where some dice can still finish the bomb; or "
             "wherever no sign is violated yet, and bombs that can't be finished may be cleared"),
    ] = "completable"
    same_number_or_color: Annotated[
        Literal["linkwise", "whole"],
        Meta(description="[#/c] = [#/c]: each neighbouring pair shares its number or its colour; "
             "or all of a card by number, or all by colour"),
    ] = "linkwise"
    covered_dice_safe: Annotated[
        bool, Meta(description="a die that lies below another one is not removed")
    ] = True
    removal: Annotated[
        Literal["one", "all"],
        Meta(description="each player removes one die of the number or colour, or all of them"),
    ] = "one"
    pick: Annotated[
        Literal["free", "easy_if_hard"],
        Meta(description="any bomb of the centre is taken; or, while holding one worth 3 or 4, no "
             "other of these unless there are only such"),
    ] = "free"
    insane_hands: Annotated[
        bool, Meta(description="at the level insane the bombs in hand must be defused too")
    ] = True
    setup: Annotated[
        Literal["standard", "chosen_values"],
        Meta(description="bombs are dealt at random; or the bomb deck has so many of each value as "
             "chosen_values says"),
    ] = "standard"
    chosen_values: Annotated[
        tuple[Count, Count, Count, Count, Count],
        Meta(description="bombs worth 1, 2, 3, 4 and 6 in the bomb deck, with setup=chosen_values"),
    ] = (6, 6, 5, 5, 0)
    edition: Annotated[
        Literal["2015", "2019"], Meta(description="printing; that of 2019 plays without fuse cards "
                                      "unless fuse_cards says otherwise")
    ] = "2015"

    def __post_init__(self) -> None:
        pace: Any = self.seconds_per_roll
        if type(pace) is int:
            msgspec.structs.force_setattr(self, "seconds_per_roll", float(pace))
        elif isinstance(pace, (tuple, list)):
            msgspec.structs.force_setattr(self, "seconds_per_roll", tuple(
                float(one) if type(one) is int else one for one in pace))
        variants.check(self)
        lengths_of(self.seconds_per_roll)
        if self.setup == "chosen_values" and sum(self.chosen_values) < IN_CENTRE:
            raise InputError(f"chosen_values has {sum(self.chosen_values)} bombs",
                             why=f"{IN_CENTRE} lie in the centre at first")
        out = self.six_point_bombs == "out"
        if self.setup == "chosen_values" and self.chosen_values[4] and out:
            raise InputError("chosen_values has bombs worth 6", why="they are out of the game",
                             hint="--set six_point_bombs=in")

    @property
    def n_fuse_cards(self) -> int:
        """Fuse cards in the bomb deck."""
        if self.fuse_cards is not None:
            return self.fuse_cards
        return 0 if self.edition == "2019" else 6

    @property
    def deck_size(self) -> int:
        """Bombs in the bomb deck, opening hands not counted, those of the centre among them.

        >>> Rules(players=3, level="standard").deck_size
        21
        """
        if self.setup == "chosen_values":
            return sum(self.chosen_values)
        if isinstance(self.level, int):
            return self.level
        # One player alone: 16, 19, 21, 23, 25; one more for each other player.
        return (16, 19, 21, 23, 25)[LEVELS.index(self.level)] + self.players - 1

    @property
    def bombs_a_player(self) -> int:
        """Bombs in an opening hand."""
        return 4 if self.players == 1 else 2

    @property
    def dice_a_roll(self) -> int:
        """Dice that are drawn, if so many are in the bag."""
        return {1: 3, 2: 4}.get(self.players, self.players)

    @property
    def takes(self) -> int:
        """Dice of a roll that one player may take."""
        if self.players == 1:
            return 3 if self.solo_dice == "three" else 1
        return 2 if self.players == 2 else 1

    @property
    def hands_too(self) -> bool:
        """Whether the bombs in hand must be defused too."""
        return self.level == "insane" and self.insane_hands


editions, sources = FACTS.editions, FACTS.sources


# The pace ----------------------------------------------------------------------------------------


def lengths_of(pace: float | tuple[float, ...] | str, seconds: int | None = None
               ) -> dict[int, int]:
    """Lengths of a roll in milliseconds, each with its weight.

    A distribution stands for the midpoints of its 100 percentiles, all equally likely; none is
    shorter than a second.  `lognormal` is given by the mean and standard deviation of the length
    itself, not of its logarithm.

    Args:
        pace: as in the rules.
        seconds: how long the game lasts, for a pace that is one number: so many rolls fit into the
            game as its decimals say, though milliseconds have fewer of them.

    >>> lengths_of(20.0), lengths_of((18.0, 22.5, 18.0))
    ({20000: 1}, {18000: 2, 22500: 1})
    >>> lengths_of(14.2857, 600), lengths_of(14.2859, 600)
    ({14285: 1}, {14286: 1})

    Raises:
        InputError: text that says no distribution.
    """
    if isinstance(pace, float):
        # Cut, not rounded: n rolls that fit into the game must fit in milliseconds, too.
        length = _milliseconds(pace)
        if seconds is not None and 1000 * seconds // length > floor(seconds / pace + 1e-9):
            length += 1
        return {length: 1}
    found = ([_milliseconds(one) for one in pace] if isinstance(pace, tuple)
             else [round(1000 * max(1.0, one)) for one in _percentiles(pace)])
    weights: dict[int, int] = {}
    for length in sorted(found):
        weights[length] = weights.get(length, 0) + 1
    return weights


def _milliseconds(seconds: float) -> int:
    """Whole milliseconds of some seconds; what floats are off by is no part of one."""
    return floor(1000 * seconds + 1e-6)


def mean_pace(rules: Rules) -> float:
    """Mean seconds a roll."""
    lengths = lengths_of(rules.seconds_per_roll)
    return sum(length * n for length, n in lengths.items()) / sum(lengths.values()) / 1000


@lru_cache(maxsize=64)
def _percentiles(text: str) -> list[float]:
    found = re.fullmatch(r"(normal|lognormal)[ (]+([0-9.]+)[ ,]+([0-9.]+) *\)?", text.strip())
    try:
        mean, deviation = float(found[2]), float(found[3])  # type: ignore[index]
    except (TypeError, ValueError):
        raise InputError(
            f"seconds_per_roll can't be `{text}`",
            why="it is a number of 1 to 3600, a list of such, `normal MEAN SD` or "
            "`lognormal MEAN SD`",
            hint="normal 20 5") from None
    if not (1 <= mean <= 3600 and 0 < deviation <= 3600):
        raise InputError(f"seconds_per_roll can't be `{text}`",
                         why="the mean is 1 to 3600, the standard deviation above 0, at most 3600")
    from math import exp, log
    from statistics import NormalDist  # only where a pace is a distribution

    middle = [(2 * k + 1) / (2 * PERCENTILES) for k in range(PERCENTILES)]
    if found[1] == "normal":  # type: ignore[index]
        return [min(3600.0, NormalDist(mean, deviation).inv_cdf(p)) for p in middle]
    spread = log(1 + (deviation / mean) ** 2)
    normal = NormalDist(log(mean) - spread / 2, spread**0.5)
    return [min(3600.0, exp(normal.inv_cdf(p))) for p in middle]


# For the kernel ----------------------------------------------------------------------------------


def deck_of(rules: Rules) -> Deck:
    """The deck that the rules name.

    Raises:
        InputError: it has too few cards for the set-up, or can't be read.
    """
    deck = load_deck(rules.deck)
    _enough(rules, deck)
    return deck


def points_of(rules: Rules, bomb: bombs.Bomb) -> int:
    """What a bomb is worth."""
    return bomb.points or rules.unknown_points


def in_game(rules: Rules, bomb: bombs.Bomb) -> bool:
    """Whether a card of the deck is in the game: those printed with 6 may be left out."""
    return rules.six_point_bombs == "in" or bomb.points != 6


def _enough(rules: Rules, deck: Deck) -> None:
    """Refuse a deck that can't be dealt."""
    left = [points_of(rules, bomb) for bomb in deck.bombs if in_game(rules, bomb)]
    hands = rules.bombs_a_player * rules.players
    needed = hands + rules.deck_size
    others = [name for name in DECKS if name != rules.deck and needed <= sum(
        in_game(rules, bomb) for bomb in load_deck(name).bombs)]
    try_this = f"--set deck={', '.join(others)}" if others else ""
    if not others:
        most = len(left) - hands
        try_this = f"level={most} or lower" if most >= IN_CENTRE else "fewer players"
        if any(needed <= len(load_deck(name).bombs) for name in (*DECKS, rules.deck)):
            try_this += ", or six_point_bombs=in, with a deck that has them"

    def too_few(what: str, wanted: str) -> InputError:
        return InputError(f"deck {rules.deck} has {what}", why=f"{wanted}: decks are "
                          f"{', '.join(DECKS)}, or a file", hint=try_this)

    if len(left) < needed:
        raise too_few(f"{len(left)} bombs for this game",
                      f"{rules.players} player{'s' * (rules.players > 1)} need {hands} in hand and "
                      f"{rules.deck_size} in the bomb deck")
    if rules.setup == "chosen_values":
        for value, n in zip(POINTS, rules.chosen_values, strict=True):
            if left.count(value) < n:
                raise too_few(f"{left.count(value)} bombs worth {value}",
                              f"chosen_values asks for {n}")
            for _ in range(n):
                left.remove(value)
    if rules.players == 1:
        if len(set(left)) < 3:
            raise too_few("too few different values for a hand",
                          "one player alone starts with three different ones")
    elif sum(value <= 2 for value in left) < 2 * rules.players - 1:
        raise too_few("too few bombs worth 1 or 2 for the hands",
                      "who starts with one worth 3 or more gets one worth 1 or 2 with it")


@lru_cache(maxsize=64)
def compiled(rules: Rules) -> KernelRules:
    """The kernel's form of the rules.

    Raises:
        InputError, TooLarge: see `deck_of`.
    """
    deck = deck_of(rules)
    cards = bombs.compiled(deck.bombs, rules.placement == "completable",
                           rules.same_number_or_color == "whole", rules.unknown_points)
    chosen = [0] * 7
    if rules.setup == "chosen_values":
        for value, n in zip(POINTS, rules.chosen_values, strict=True):
            chosen[value] = n
    return KernelRules(
        cards, sum(1 << k for k, bomb in enumerate(deck.bombs) if in_game(rules, bomb)), chosen,
        lengths_of(rules.seconds_per_roll, rules.seconds), {
            "players": rules.players,
            "deck_size": rules.deck_size,
            "fuse_cards": rules.n_fuse_cards,
            "milliseconds": 1000 * rules.seconds,
            "dice": rules.dice_a_roll,
            "takes": rules.takes,
            "one_bomb_each": rules.players == 2 and not rules.two_player_same_bomb,
            "must_place": rules.decline == "forbidden",
            "clears": rules.placement == "any_not_yet_violated",
            "covered_safe": rules.covered_dice_safe,
            "remove_all": rules.removal == "all",
            "easy_if_hard": rules.pick == "easy_if_hard",
            "hands_too": rules.hands_too,
            "by_value": rules.setup == "chosen_values",
        })
