"""Playing many games of a team against the game: wins, why the others were lost, intervals.

Knows no game: it plays a table of functions whose summary begins with the number of the ending
(1 is the win), the turns, and how far the team came.  Results depend on the seed alone, not on the
number of workers or the size of batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from oddsmith.kernels.game import GameTable
from oddsmith.kernels.playout import play_games
from oddsmith.solver.answer import Answer, Bars, Block, Interval, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.search import SEARCH, play_searching
from oddsmith.solver.simulate import (
    BATCH,
    SIMULATIONS,
    check_policies,
    in_rounds,
    seats_from,
)
from oddsmith.solver.statistics import Tally, percent_range, range_words, told_ends, wilson

WON = 1


class Results(msgspec.Struct, frozen=True):
    """Aggregates of some games.

    Args:
        games: how many.
        endings: how often each ending came, by its number in the game's list.
        turns: begun, of each game.
        progress: how far the team came (treasures captured).
    """

    games: int
    endings: dict[int, int]
    turns: Tally
    progress: Tally

    def __add__(self, other: Results) -> Results:
        endings = Counter(self.endings) + Counter(other.endings)
        return Results(self.games + other.games, dict(endings), self.turns + other.turns,
                       self.progress + other.progress)

    @property
    def wins(self) -> int:
        """Games won."""
        return self.endings.get(WON, 0)

    def win_interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of wins."""
        return wilson(self.wins, self.games)


def _play(table: GameTable, start: bytes, seats: tuple[str, ...], seed: int, first: int,
          n: int, simulations: int, halted: Callable[[], bool]) -> Results:
    import numpy as np  # only where many games are played

    rows = np.zeros((n, table.n_players + 5), np.int32)
    if SEARCH in seats:
        play_searching(table, start, seats, seed, first, rows, False, simulations, halted)
    else:
        play_games(table, start, seats, seed, first, rows)
    summary = rows[:, table.n_players :].astype(np.int64)
    numbers, counts = np.unique(summary[:, 0], return_counts=True)
    return Results(n, dict(zip(numbers.tolist(), counts.tolist(), strict=True)),
                   Tally.of_array(summary[:, 1]), Tally.of_array(summary[:, 2]))


def simulate(
    table: GameTable, start: bytes, policies: Sequence[str], *, games: int, seed: int,
    workers: int | None = None, batch: int = BATCH, simulations: int = SIMULATIONS,
    stop: Callable[[Results], bool] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Results:
    """Play games from a state.

    Args:
        table: the game.
        start: the state that every game starts from.
        policies: in seat order, repeated if they are fewer.
        games: how many.
        seed: game i depends on (seed, i) only.
        workers: threads; default: as many as there are processors.
        batch: games a task; no result depends on it.
        simulations: before each move of a seat with the policy `search`.
        stop: called with the results so far after each round of games; True ends it there.
        halted: asked now and then in games that search; True gives up the games being played.

    Raises:
        InputError: an unknown policy.
        KeyboardInterrupt: halted before the first game was finished.
    """
    check_policies(table, policies)
    if len(policies) > table.n_players:
        raise InputError(f"{len(policies)} policies for {table.n_players} players")
    seats = seats_from(policies, table.n_players)
    return in_rounds(
        lambda first, n: _play(table, start, seats, seed, first, n, simulations, halted), games,
        searching=SEARCH in policies, workers=workers, batch=batch, stop=stop,
    )


# Answers -----------------------------------------------------------------------------------------


def turns_word(game: Any) -> str:
    """What the game calls a turn."""
    return str(getattr(game, "TURNS", "turns"))


def _half_width(results: Results) -> float:
    low, high = results.win_interval()
    return (high - low) / 2


def told(game: Any, results: Results) -> dict[str, Any]:
    """The numbers of a run as plain data."""
    turns = turns_word(game)
    losses = {name: results.endings.get(number, 0)
              for number, name in enumerate(game.ENDINGS) if number > WON}
    return {
        "games": results.games, "wins": results.wins, "win_rate": results.wins / results.games,
        "ci95": list(results.win_interval()), "losses": losses,
        f"mean_{turns}": float(results.turns.mean),
        f"mean_{turns}_ci95": told_ends(results.turns.interval()),
        f"mean_{game.PROGRESS}": float(results.progress.mean),
        f"mean_{game.PROGRESS}_ci95": told_ends(results.progress.interval()),
    }


def simulate_answer(
    game: Any, rules: Any, position: Any, policies: Sequence[str], *, games: int, seed: int,
    workers: int | None = None, until: float | None = None, simulations: int = SIMULATIONS,
    stop: Callable[[Results], bool] | None = None,
    halted: Callable[[], bool] = lambda: False, command: str = "",
) -> tuple[Answer, bool]:
    """Whole games of a team, from the deal or from a position.

    Args:
        game: the package of the game.
        rules: used without a position.
        position: None deals each game anew.
        policies, games, seed, workers: as for `simulate`.
        until: stop when the interval of the share of wins is at most this half width.
        stop: called with the results so far now and then; True ends the run there.

    Returns:
        The answer, and whether the precision asked was reached.
    """
    if position is not None and position.finished:
        raise InputError(f"the game is over: {position.finished}",
                         hint="`show` tells the result")
    used = rules if position is None else position.rules
    table = game.table(used)

    def precise(results: Results) -> bool:
        return until is not None and _half_width(results) <= until

    def enough(results: Results) -> bool:
        return precise(results) or (stop is not None and stop(results))

    start = table.new_game() if position is None else game.to_state(position)
    results = simulate(table, start, policies, games=games, seed=seed, workers=workers,
                       simulations=simulations, stop=enough, halted=halted)
    value = told(game, results)
    answer: Answer = game.make_answer(
        "simulate", f"{results.games:,} games", value, used, exact=False,
        method="whole games",
        assumptions=(*game.rules_assumptions(used), f"policy {', '.join(policies)}",
                     *(["the order of the piles is dealt anew for each game"] if position else [])),
        interval=Interval(*results.win_interval(), results.games, seed),
        inputs={"policies": list(policies), "games": games, "until": until, "seed": seed,
                **({"simulations": simulations} if SEARCH in policies else {}),
                "players": table.n_players,
                "position": position and game.format_position(position)},
        blocks=_blocks(game, value), command=command,
    )
    return answer, until is None or precise(results)


def _mean(value: dict[str, Any], name: str) -> str:
    return f"{value[name]:.2f} ({range_words(value[f'{name}_ci95'])})"


def _blocks(game: Any, value: dict[str, Any]) -> tuple[Block, ...]:
    n, turns = value["games"], turns_word(game)
    rows = [("won", f"{value['wins']:,}", f"{100 * value['win_rate']:.2f} %",
             percent_range(value["ci95"], 2))]
    bars = [("won", value["win_rate"], value["ci95"])]
    for name, lost in value["losses"].items():
        if lost or name != "turns":
            ends = wilson(lost, n)
            rows.append((f"lost: {name}", f"{lost:,}", f"{100 * lost / n:.2f} %",
                         percent_range(ends, 2)))
            bars.append((f"lost: {name}", lost / n, list(ends)))
    return (
        Table(("ending", "games", "share", "95 %"), tuple(rows), numeric=(1, 2),
              note=f"{turns.title()} a game: {_mean(value, f'mean_{turns}')}. "
              f"{game.PROGRESS.title()} a game: {_mean(value, f'mean_{game.PROGRESS}')}."),
        Bars(tuple(name for name, _, _ in bars), tuple(100 * share for _, share, _ in bars),
             title="How games end", unit="%", low=tuple(100 * ends[0] for _, _, ends in bars),
             high=tuple(100 * ends[1] for _, _, ends in bars)),
    )
