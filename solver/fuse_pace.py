"""FUSE: the pace that a team needs.

The policies don't look at the clock, so a game that is won in its R-th roll is won at every pace of
at most seconds / R a roll.  One set of games without a limit thus gives the chance at every pace.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from oddsmith.kernels.playout import play_games
from oddsmith.solver.answer import Answer, Bars, Block, Interval, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.questions import make_answer, rules_assumptions
from oddsmith.solver.games.fuse.rules import LEVELS, SEATS, Rules
from oddsmith.solver.search import SEARCH
from oddsmith.solver.simulate import BATCH, check_policies, in_rounds
from oddsmith.solver.statistics import range_words, wilson, z_value

PACES = (8, 10, 12, 14, 16, 18, 20, 22, 25, 30, 40)
"""Seconds a roll that are told."""

SHARES = (0.9, 0.5, 0.1)
"""Chances whose pace is told."""

MOST_ROLLS = 600
"""No game goes on longer; at the printed 600 seconds that is a roll a second."""

WON = 1


class Rolls(msgspec.Struct, frozen=True):
    """In which roll games were won; games that were not are in none."""

    games: int
    won_in: Counter[int]

    def __add__(self, other: Rolls) -> Rolls:
        return Rolls(self.games + other.games, self.won_in + other.won_in)

    def wins(self, rolls: int) -> int:
        """Games won within so many rolls."""
        return sum(n for roll, n in self.won_in.items() if roll <= rolls)

    def rolls_for(self, wins: int) -> int | None:
        """The rolls within which so many games are won; None if they never are."""
        for roll in sorted(self.won_in):
            wins -= self.won_in[roll]
            if wins <= 0:
                return roll
        return None


def play(rules: Rules, policy: str, games: int, seed: int, workers: int | None = None,
         stop: Callable[[Rolls], bool] | None = None) -> Rolls:
    """Play games without a limit of time.

    Args:
        rules: whose seconds and pace are left aside.
        policy: of all seats; it doesn't search.
        games, seed, workers: game i depends on (seed, i) only.
        stop: called with the results so far; True ends the run.

    Raises:
        InputError: an unknown policy, or a deck that is too small.
    """
    table = engine.table(msgspec.structs.replace(rules, seconds=MOST_ROLLS, seconds_per_roll=1.0))
    check_policies(table, [policy])
    if policy == SEARCH:
        raise InputError("the games can't be played by search", why="they would take hours",
                         hint="choose another --policy")
    start, seats = table.new_game(), (policy,) * table.n_players

    def some(first: int, n: int) -> Rolls:
        import numpy as np  # only where many games are played

        rows = np.zeros((n, table.n_players + 3), np.int32)
        play_games(table, start, seats, seed, first, rows)
        ending, roll = rows[:, -3], rows[:, -2]
        return Rolls(n, Counter(roll[ending == WON].tolist()))

    return in_rounds(some, games, searching=False, workers=workers, batch=BATCH, stop=stop)


def _pace(rolls: int | None, seconds: int) -> float:
    """The slowest pace at which so many rolls fit; 0 for none."""
    return seconds / rolls if rolls else 0.0


def told(rules: Rules, found: Rolls) -> dict[str, Any]:
    """Chance to win by pace, and pace by chance, each with its 95 % interval.

    The interval of a pace comes from order statistics: the games among which the share of all
    games lies with 95 %.
    """
    n, curve, needed = found.games, [], []
    for pace in PACES:
        wins = found.wins(rules.seconds // pace)
        curve.append({"seconds_per_roll": pace, "wins": wins, "win_rate": wins / n,
                      "ci95": list(wilson(wins, n))})
    for share in SHARES:
        spread = z_value(0.95) * math.sqrt(n * share * (1 - share))
        at = [max(1, math.ceil(n * share)), max(1, math.floor(n * share - spread)),
              math.ceil(n * share + spread) + 1]
        best, high, low = (_pace(found.rolls_for(wins), rules.seconds) for wins in at)
        needed.append({"win_rate": share, "seconds_per_roll": best, "ci95": [low, high]})
    return {"players": rules.players, "level": rules.level, "games": n, "curve": curve,
            "needed": needed}


def parse_players(text: str) -> tuple[int, ...]:
    """`3`, `2,4`, `1..5`.

    Raises:
        InputError: no numbers of players.
    """
    found: list[int] = []
    for part in text.split(","):
        low, dots, high = part.strip().partition("..")
        ends = (low, high if dots else low)
        if not all(end in map(str, range(1, SEATS + 1)) for end in ends):
            raise InputError(f"--players can't be {text}", why=f"1 to {SEATS} can play",
                             hint="3, 2,4 or 1..5", source="<command line>")
        found += range(int(ends[0]), int(ends[1]) + 1)
    if not found:
        raise InputError(f"--players {text} names nobody", hint="1..5", source="<command line>")
    return tuple(dict.fromkeys(found))


def parse_levels(text: str) -> tuple[str, ...]:
    """`all`, or levels with commas between them; numbers of bombs are fine."""
    return LEVELS if text == "all" else tuple(word.strip() for word in text.split(","))


def pace_answer(
    cells: Sequence[Rules], policy: str, *, games: int, seed: int, workers: int | None = None,
    stop: Callable[[str], bool] | None = None, command: str = "",
) -> Answer:
    """The chance to win over seconds a roll, for some rules.

    Args:
        cells: the rules; those whose deck is too small are named, not played.
        policy, games, seed, workers: as for `play`, the same games for every cell.
        stop: called with words on how far it is; True ends it with the cells so far.

    Raises:
        InputError: no deck is large enough, or an unknown policy.
    """
    value: list[dict[str, Any]] = []
    small: list[dict[str, Any]] = []
    refused: InputError | None = None
    for k, rules in enumerate(cells):
        try:
            engine.table(rules)
        except InputError as error:
            refused = error
            small.append({"players": rules.players, "level": rules.level, "why": error.what})
            continue
        value.append(told(rules, play(rules, policy, games, seed, workers)))
        if stop is not None and stop(f"{k + 1} of {len(cells)} tables"):
            break
    if not value:
        assert refused is not None  # there is a cell at least
        raise refused
    low, high = value[0]["curve"][0]["ci95"]
    rules = cells[0]
    return make_answer(
        "pace", "The pace a team needs", {"cells": value, "too_small": small}, rules, exact=False,
        method="whole games without a clock; one that is won in roll R is won at every pace of at "
        f"most {rules.seconds} / R seconds a roll",
        assumptions=(*rules_assumptions(msgspec.structs.replace(
            rules, level=Rules().level)), f"policy {policy}",
            f"{rules.seconds} seconds; every roll takes as long"),
        interval=Interval(low, high, games, seed),
        inputs={"policy": policy, "games": games, "seed": seed,
                "cells": [[one.players, one.level] for one in cells]},
        blocks=_blocks(value, small), command=command,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _blocks(value: list[dict[str, Any]], small: list[dict[str, Any]]) -> tuple[Block, ...]:
    names = [f"{one['players']} player{'s' * (one['players'] > 1)}, {one['level']}"
             for one in value]
    middle = [one["needed"][SHARES.index(0.5)] for one in value]
    blocks: list[Block] = [
        Table(("game", *(f"{_percent(share)} of games" for share in SHARES), "95 % of the middle"),
              tuple((name, *(f"{one['seconds_per_roll']:.1f} s" if one["seconds_per_roll"] else "-"
                             for one in cell["needed"]),
                     range_words(half["ci95"], 1, unit=" s"))
                    for name, cell, half in zip(names, value, middle, strict=True)),
              title="Seconds a roll that win so many games", numeric=(1, 2, 3),
              note="-: not at any pace."),
        Bars(tuple(names), tuple(half["seconds_per_roll"] for half in middle),
             title="The pace that wins every other game", unit="s",
             low=tuple(half["ci95"][0] for half in middle),
             high=tuple(half["ci95"][1] for half in middle)),
        Table(("game", *(f"{pace} s" for pace in PACES)),
              tuple((name, *(_percent(point["win_rate"]) for point in cell["curve"]))
                    for name, cell in zip(names, value, strict=True)),
              title="Games won, by seconds a roll", numeric=tuple(range(1, len(PACES) + 1)),
              note="The interval of the answer is that of the first number; all: --json."),
    ]
    if len(value) == 1:
        curve = value[0]["curve"]
        blocks.append(Bars(
            tuple(f"{point['seconds_per_roll']} s" for point in curve),
            tuple(100 * point["win_rate"] for point in curve), title="Games won by seconds a roll",
            unit="%", low=tuple(100 * point["ci95"][0] for point in curve),
            high=tuple(100 * point["ci95"][1] for point in curve)))
    if small:
        blocks.append(Table(
            ("game", "why it was not played"),
            tuple((f"{one['players']} players, {one['level']}", one["why"]) for one in small),
            title="The deck is too small", note="--deck synthetic has cards for all."))
    return tuple(blocks)
