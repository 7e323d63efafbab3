"""Playing many games between policies: whole results, integer aggregates, honest intervals.

Knows no game: it plays a table of functions (kernels/game.pxd).  Results depend on the seed alone,
not on the number of workers or the size of batches.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, TypeVar, cast

import msgspec

from oddsmith.kernels.game import GameTable
from oddsmith.kernels.playout import play_games
from oddsmith.solver.answer import Answer, Bars, Block, Interval, Table
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.search import NOBODY, PAYOFF_UNIT, SEARCH, Halted, play_searching
from oddsmith.solver.statistics import Tally, range_words, share_interval, told_ends

R = TypeVar("R")
BATCH = 1024
ROUND, SEARCHING_ROUND = 8192, 2
"""Deals between two looks at the stopping rule: fixed, so that nothing else moves the stop."""

SIMULATIONS = 2000
"""Of a searching seat before each move, unless told otherwise."""

NOT_REDEALT = -2


class PolicyResult(msgspec.Struct, frozen=True):
    """What one policy did; each tally counts a deal once, with the sum over its seats in it.

    Args:
        seats: how often the policy sits in a deal, over all seatings.
        payoff: results in 1/60 of a win (shared wins are split).
        score: final scores.
        margin: its score less the best of the others.
    """

    seats: int
    payoff: Tally = Tally()
    score: Tally = Tally()
    margin: Tally = Tally()

    def __add__(self, other: PolicyResult) -> PolicyResult:
        return PolicyResult(self.seats, self.payoff + other.payoff, self.score + other.score,
                            self.margin + other.margin)

    @property
    def wins(self) -> Fraction:
        """Games won, shared wins split."""
        return Fraction(self.payoff.total, PAYOFF_UNIT)

    @property
    def games(self) -> int:
        """Seats taken in all games."""
        return self.payoff.n * self.seats

    def win_interval(self) -> tuple[float, float]:
        """95 % interval of the share of wins.

        Wilson's, with one trial a deal: games on the same deal are not independent, and the
        interval holds however they depend on each other.
        """
        return share_interval(self.wins / self.games, self.payoff.n)

    def mean(self, tally: Tally) -> tuple[Fraction, tuple[float, float]]:
        """Mean for one seat and game, with its 95 % interval over deals."""
        low, high = tally.interval()
        return tally.mean / self.seats, (low / self.seats, high / self.seats)


class Results(msgspec.Struct, frozen=True):
    """Aggregates of some games: by policy, by seat, and the turns of each game.

    `games` is deals times seatings; `endings` counts games by what ended them, where the game's
    summary tells it.
    """

    games: int
    deals: int
    seed: int
    policies: dict[str, PolicyResult]
    seats: tuple[PolicyResult, ...]
    turns: PolicyResult
    endings: tuple[int, ...] = ()

    def __add__(self, other: Results) -> Results:
        return Results(
            self.games + other.games, self.deals + other.deals, self.seed,
            {name: one + other.policies[name] for name, one in self.policies.items()},
            tuple(one + two for one, two in zip(self.seats, other.seats, strict=True)),
            self.turns + other.turns,
            tuple(one + two for one, two in zip(self.endings, other.endings, strict=True)),
        )


def seatings(policies: Sequence[str], n_players: int) -> list[tuple[str, ...]]:
    """Who sits where: all rotations of the policies, each once.

    One name sits everywhere.  Fewer names than seats are repeated in order.

    >>> seatings(["greedy", "random"], 3)
    [('greedy', 'random', 'greedy'), ('random', 'greedy', 'random')]
    >>> seatings(["greedy"], 2)
    [('greedy', 'greedy')]
    """
    names = list(policies)
    rotations = []
    for shift in range(len(names)):
        turned = names[shift:] + names[:shift]
        seats = seats_from(turned, n_players)
        if seats not in rotations:
            rotations.append(seats)
    return rotations


def seats_from(names: Sequence[str], n_players: int) -> tuple[str, ...]:
    """A policy for each seat: fewer names than seats are repeated in order."""
    return tuple(names[seat % len(names)] for seat in range(n_players))


def check_policies(table: GameTable, names: Sequence[str]) -> None:
    """Raise InputError for a policy that the game doesn't have."""
    known = [*table.policies, SEARCH]
    for name in names:
        if name not in known:
            near = nearest(name, known)
            raise InputError(f"`{name}` is not a policy", why=f"policies are {', '.join(known)}",
                             hint=f"did you mean {near}?" if near else "",
                             source="<command line>")


def _play_deals(
    table: GameTable, start: bytes, seated: list[tuple[str, ...]], seed: int, first: int, n: int,
    redealt: bool, simulations: int, n_endings: int, halted: Callable[[], bool],
) -> Results:
    """All seatings of the deals first to first + n - 1."""
    import numpy as np  # only where many games are played

    n_players = table.n_players
    rows = np.zeros((len(seated), n, 2 * n_players + 2 + (n_endings > 0)), np.int32)
    for k, seats in enumerate(seated):
        if SEARCH in seats:
            filled = play_searching(table, start, seats, seed, first, rows[k], redealt,
                                    simulations, halted)
        else:
            filled = play_games(table, start, seats, seed, first, rows[k],
                                NOBODY if redealt else NOT_REDEALT)
        if filled < rows.shape[2]:
            raise ValueError("the game's summary must begin with each seat's score and the turns")
    wide = rows.astype(np.int64)
    payoffs, scores = wide[:, :, :n_players], wide[:, :, n_players : 2 * n_players]
    margins = np.empty_like(scores)
    for seat in range(n_players):
        others = [other for other in range(n_players) if other != seat]
        margins[:, :, seat] = scores[:, :, seat] - scores[:, :, others].max(axis=2)

    def result(seat_of: list[tuple[int, int]]) -> PolicyResult:
        """Sums over (seating, seat) pairs for each deal."""
        sums = (sum(values[k, :, seat] for k, seat in seat_of)
                for values in (payoffs, scores, margins))
        return PolicyResult(len(seat_of), *(Tally.of_array(values) for values in sums))

    names = dict.fromkeys(name for seats in seated for name in seats)
    policies = {
        name: result([(k, seat) for k, seats in enumerate(seated)
                      for seat, sitting in enumerate(seats) if sitting == name])
        for name in names
    }
    turns = Tally.of_array(wide[:, :, 2 * n_players].sum(axis=0))
    seats_of = tuple(
        result([(k, seat) for k in range(len(seated))]) for seat in range(n_players)
    )
    endings = np.bincount(wide[:, :, 2 * n_players + 1].ravel(), minlength=n_endings + 1)
    return Results(n * len(seated), n, seed, policies, seats_of,
                   PolicyResult(len(seated), score=turns),
                   tuple(int(count) for count in endings[1 : n_endings + 1]))


def simulate(
    table: GameTable,
    start: bytes,
    policies: Sequence[str],
    *,
    games: int,
    seed: int,
    workers: int | None = None,
    batch: int = BATCH,
    fixed_seats: bool = False,
    redealt: bool = False,
    simulations: int = SIMULATIONS,
    n_endings: int = 0,
    stop: Callable[[Results], bool] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Results:
    """Play games from a state.

    Args:
        table: the game.
        start: the state that every game starts from.
        policies: names; every rotation of them over the seats meets the same deals.
        games: how many, rounded up to whole rounds of seatings.
        seed: deal i depends on (seed, i) only.
        workers: threads; default: as many as there are processors.
        batch: deals a task; no result depends on it.
        fixed_seats: policies sit as given, without rotation.
        redealt: resample the unknown cards of `start` for each deal.
        simulations: before each move of a seat with the policy `search`.
        n_endings: causes of the end, numbered from 1 in the summary after the turns; 0 for none.
        stop: called with the results so far after each round of deals; True ends it there.
        halted: asked now and then in games that search; True gives up the deals being played.

    Raises:
        InputError: an unknown policy.
        ValueError: the game's summary doesn't begin with the scores and the turns.
        KeyboardInterrupt: halted before the first deal was finished.
    """
    check_policies(table, policies)
    seated = seatings(policies, table.n_players)
    if fixed_seats:
        seated = seated[:1]
    n_deals = -(-games // len(seated))
    return in_rounds(
        lambda first, n: _play_deals(table, start, seated, seed, first, n, redealt, simulations,
                                     n_endings, halted),
        n_deals, searching=SEARCH in policies, workers=workers, batch=batch, stop=stop,
    )


def in_rounds(
    play: Callable[[int, int], R], n: int, *, searching: bool, workers: int | None, batch: int,
    stop: Callable[[R], bool] | None,
) -> R:
    """Play trials 0 to n - 1 in batches over threads and add their results in order.

    Args:
        play: (first, how many) -> results, which are added with `+`; Halted gives them up.
        n: trials, 1 or more.
        searching: whether a trial takes seconds: then rounds and batches are small.
        workers, batch, stop: as for `simulate`.

    Raises:
        KeyboardInterrupt: given up before the first batch was finished.
    """
    done: Any = None
    round_size = SEARCHING_ROUND if searching else ROUND
    batch = 1 if searching else batch
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for begin in range(0, n, round_size):
            end = min(n, begin + round_size)
            futures = [pool.submit(play, first, min(batch, end - first))
                       for first in range(begin, end, batch)]
            try:
                for future in futures:
                    done = future.result() if done is None else done + future.result()
            except Halted:
                break
            if done is not None and stop is not None and stop(done):
                break
    if done is None:
        raise KeyboardInterrupt
    return cast(R, done)


# Answers -----------------------------------------------------------------------------------------


def turns_word(game: Any) -> str:
    """What the game's summary counts."""
    return str(getattr(game, "TURN_UNIT", "turns"))


def first_seat(game: Any) -> str:
    """Who the first seat is."""
    return str(getattr(game, "FIRST_SEAT", "first player"))


def _endings(game: Any) -> Sequence[str]:
    """What may end a game, where its summary tells it."""
    endings: Sequence[str] = getattr(game, "ENDINGS", ())
    return endings


def _check_seats(table: GameTable, policies: Sequence[str]) -> None:
    if len(policies) > table.n_players:
        raise InputError(f"{len(policies)} policies for {table.n_players} players")


def from_the_deal(game: Any, table: Any, policies: Sequence[str], **how: Any) -> Results:
    """`simulate`, every game dealt anew.

    Raises:
        InputError: an unknown policy, or more than seats.
    """
    _check_seats(table, policies)
    return simulate(table, table.new_game(), policies, n_endings=len(_endings(game)), **how)


def told(game: Any, results: Results, dealt: bool = True) -> dict[str, Any]:
    """The numbers of a run as plain data.

    Args:
        dealt: whether each game was dealt anew: then the first seat is told; else every seat.
    """
    unit, endings = turns_word(game), _endings(game)
    turns, turns_interval = results.turns.mean(results.turns.score)
    value: dict[str, Any] = {
        "games": results.games,
        "policies": {name: _told(one) for name, one in results.policies.items()},
        f"mean_{unit}": float(turns), f"mean_{unit}_ci95": told_ends(turns_interval),
    }
    if endings:
        value["endings"] = dict(zip(endings, results.endings, strict=True))
    if dealt:
        value[first_seat(game).replace(" ", "_")] = _told(results.seats[0])
    else:
        value["seats"] = [_told(one) for one in results.seats]
    return value


def simulate_answer(
    game: Any, rules: Any, position: Any, policies: Sequence[str], *, games: int, seed: int,
    workers: int | None = None, until: float | None = None, simulations: int = SIMULATIONS,
    stop: Callable[[Results], bool] | None = None,
    halted: Callable[[], bool] = lambda: False, command: str = "",
) -> tuple[Answer, bool]:
    """Whole games between policies, from the deal or from a position.

    Args:
        game: the package of the game.
        rules: used without a position.
        position: None deals each game anew and rotates the policies over the seats.
        policies: one for all seats, or in seat order.
        games: the most that are played.
        seed: game i depends on (seed, i) only.
        workers: threads.
        until: stop when the interval of each win share that has to be estimated is at most this
            half width.
        stop: called with the results so far now and then; True ends the run there.

    Returns:
        The answer, and whether the precision asked was reached.
    """
    if position is not None and position.finished:
        raise InputError(f"the game is over: {position.finished}",
                         hint="`show` tells the result")
    used = rules if position is None else position.rules
    table = game.table(used)
    _check_seats(table, policies)

    def estimated(results: Results) -> list[PolicyResult]:
        """What there is to be estimated: one policy against itself wins 1/n for certain."""
        if position is not None:
            return list(results.seats)
        rivals = list(results.policies.values())
        return rivals if len(rivals) > 1 else [results.seats[0]]

    def precise(results: Results) -> bool:
        return until is not None and all(
            _half_width(one) <= until for one in estimated(results))

    def enough(results: Results) -> bool:
        return precise(results) or (stop is not None and stop(results))

    how: dict[str, Any] = {"games": games, "seed": seed, "workers": workers,
                           "simulations": simulations, "stop": enough, "halted": halted}
    if position is None:
        results = from_the_deal(game, table, policies, **how)
    else:
        results = simulate(table, game.to_state(position), policies, fixed_seats=True,
                           redealt=True, n_endings=len(_endings(game)), **how)
    value = told(game, results, dealt=position is None)
    low, high = estimated(results)[0].win_interval()
    answer: Answer = game.make_answer(
        "simulate", f"{results.games:,} games", value, used, exact=False,
        method="whole games; intervals count each deal once",
        assumptions=(*game.rules_assumptions(used), *seating(position, policies)),
        interval=Interval(low, high, results.deals, seed),
        inputs={"policies": list(policies), "games": games, "until": until, "seed": seed,
                **({"simulations": simulations} if SEARCH in policies else {}),
                "players": table.n_players,
                "position": position and game.format_position(position)},
        blocks=_blocks(results, first_seat(game) if position is None else "", turns_word(game),
                       _endings(game)), command=command,
    )
    return answer, until is None or precise(results)


def seating(position: Any, policies: Sequence[str]) -> list[str]:
    """How the policies sit, and what else is assumed about games of rivals."""
    if position is not None:
        return ["policies sit in seat order, repeated if they are fewer", "shared wins are split",
                "turns are counted from the position on",
                "the deck, and unknown cards of hands, are dealt anew for each game"]
    rotated = "policies are rotated over the seats; every rotation meets the same deals"
    return [*([rotated] if len(set(policies)) > 1 else []), "shared wins are split"]


def _half_width(one: PolicyResult) -> float:
    low, high = one.win_interval()
    return (high - low) / 2


def _told(one: PolicyResult) -> dict[str, Any]:
    score, score_interval = one.mean(one.score)
    margin, margin_interval = one.mean(one.margin)
    return {
        "games": one.games, "wins": float(one.wins), "win_rate": float(one.wins / one.games),
        "ci95": list(one.win_interval()), "mean_score": float(score),
        "mean_score_ci95": told_ends(score_interval), "mean_margin": float(margin),
        "mean_margin_ci95": told_ends(margin_interval),
    }


def _blocks(
    results: Results, first: str, unit: str, endings: Sequence[str]
) -> tuple[Block, ...]:
    named = list(results.policies.items())
    if not first:
        named += [(f"seat {seat}", one) for seat, one in enumerate(results.seats, 1)]
    else:
        named.append((first, results.seats[0]))
    rows = []
    for name, one in named:
        told = _told(one)
        rows.append((name, f"{told['games']:,}", f"{told['wins']:,.1f}",
                     f"{100 * told['win_rate']:.2f} %", range_words(told["ci95"], 2, 100, " %"),
                     f"{told['mean_score']:.2f}", range_words(told["mean_score_ci95"]),
                     f"{told['mean_margin']:+.2f}", range_words(told["mean_margin_ci95"])))
    turns, ends = results.turns.mean(results.turns.score)
    intervals = [one.win_interval() for _, one in named]
    return (
        Table(("who", "games", "wins", "win rate", "95 %", "score", "95 %", "margin", "95 %"),
              tuple(rows), numeric=(1, 2, 3, 5, 7),
              note=f"{unit.capitalize()} a game: {float(turns):.2f} "
              f"({range_words(told_ends(ends))})"
              + "".join(f"; ended by {name}: {count:,}" for name, count
                        in zip(endings, results.endings, strict=True))),
        Bars(tuple(name for name, _ in named),
             tuple(100 * float(one.wins / one.games) for _, one in named), title="Win rate",
             unit="%", low=tuple(100 * low for low, _ in intervals),
             high=tuple(100 * high for _, high in intervals)),
    )
