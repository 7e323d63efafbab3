"""The same games under every combination of values of some options, as a table.

Knows no game: of a team `team.py` plays them, of rivals `simulate.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oddsmith.solver import simulate, team
from oddsmith.solver.answer import Answer, Interval, Table
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.simulate import SIMULATIONS
from oddsmith.solver.statistics import percent_range

MOST_CELLS = 2000

Cell = tuple[dict[str, Any], tuple[str, ...], Interval]
"""A cell's numbers, what its row shows, and the interval of the first number there."""

Play = Callable[..., Cell]


def sweep_answer(
    game: Any, rules: Any, fields: Sequence[str], policies: Sequence[str], *, games: int,
    seed: int, workers: int | None = None, simulations: int = SIMULATIONS,
    stop: Callable[[str], bool] | None = None, command: str = "",
) -> Answer:
    """The same games under every combination of values of some options.

    Args:
        game: the package of the game; `sweep_values(field, rules)` lists the values of an option.
        rules: the other options.
        fields: names of options.
        policies, games, seed, workers: as for `simulate`; every cell uses the same seed.
        stop: called with words on how far it is; True ends it with the cells so far.

    Raises:
        InputError: an option that can't be swept, or one named twice; no cell can be played.
            Where only some can't, they are left out, and told.
        TooLarge: more than MOST_CELLS cells.
    """
    for field in fields:
        if fields.count(field) > 1:
            raise InputError(f"--sweep has {field} twice", why="each option has one place")
    cells: list[Any] = [rules]
    for field in fields:
        cells = [made for cell in cells for made in game.sweep_values(field, cell)]
        if len(cells) > MOST_CELLS:
            raise TooLarge(f"a sweep over {', '.join(fields)}",
                           estimate=f"{len(cells):,} cells or more of {games:,} games",
                           hint="sweep over fewer options")
    together = hasattr(game, "PROGRESS")
    columns, play = _team(game) if together else _rivals(game, policies)
    value: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    rows, first = [], None
    for k, cell in enumerate(cells):
        names = {field: getattr(cell, field) for field in fields}
        try:
            told, shown, interval = play(
                game.table(cell), policies, games=games, seed=seed, workers=workers,
                simulations=simulations)
        except InputError as error:      # rules that can't be played with these players
            if k + 1 == len(cells) and not value:
                raise
            left_out.append({**names, "why": error.what})
            continue
        first = first or interval
        value.append({**{name: list(v) if isinstance(v, tuple) else v
                         for name, v in names.items()}, **told})
        rows.append((*(" ".join(map(str, v)) if isinstance(v, tuple) else str(v)
                       for v in names.values()), *shown))
        if stop is not None and stop(f"{k + 1:,} of {len(cells):,} cells"):
            break
    n = len(fields)
    answer: Answer = game.make_answer(
        "simulate", f"{games:,} games in each of {len(value)} cells",
        {"cells": value, **({"left_out": left_out} if left_out else {})}, rules,
        exact=False, method="whole games; every cell from the same seed",
        assumptions=(*game.rules_assumptions(rules), f"policy {', '.join(policies)}",
                     *(() if together else simulate.seating(None, policies))),
        interval=first,
        inputs={"policies": list(policies), "games": games, "seed": seed, "sweep": list(fields)},
        blocks=(Table((*fields, *columns), tuple(rows),
                      numeric=(n, *range(n + 2, n + len(columns))),
                      note="The interval of the answer is that of the first cell."),
                *((Table((*fields, "why it was not played"), tuple(
                    tuple(map(str, one.values())) for one in left_out), title="Left out"),)
                  if left_out else ())),
        command=command,
    )
    return answer


def _team(game: Any) -> tuple[tuple[str, ...], Play]:
    turns = team.turns_word(game)

    def play(table: Any, policies: Sequence[str], *, games: int, seed: int,
             **how: Any) -> Cell:
        results = team.simulate(table, table.new_game(), policies, games=games, seed=seed, **how)
        told = team.told(game, results)
        shown = (f"{100 * told['win_rate']:.2f} %", percent_range(told["ci95"], 2),
                 f"{told[f'mean_{turns}']:.2f}", f"{told[f'mean_{game.PROGRESS}']:.2f}")
        return told, shown, _interval(told["ci95"], games, seed)

    return ("wins", "95 %", turns, game.PROGRESS), play


def _rivals(game: Any, policies: Sequence[str]) -> tuple[tuple[str, ...], Play]:
    """What the first policy does against the others; one alone, what its first seat does."""
    unit, first = simulate.turns_word(game), simulate.first_seat(game)
    alone = len(set(policies)) == 1

    def play(table: Any, policies: Sequence[str], **how: Any) -> Cell:
        results = simulate.from_the_deal(game, table, policies, **how)
        told = simulate.told(game, results)
        one = told[first.replace(" ", "_")] if alone else told["policies"][policies[0]]
        shown = (f"{100 * one['win_rate']:.2f} %", percent_range(one["ci95"], 2),
                 f"{one['mean_score']:.2f}", f"{one['mean_margin']:+.2f}",
                 f"{told[f'mean_{unit}']:.2f}")
        return told, shown, _interval(one["ci95"], results.deals, results.seed)

    return (f"{first if alone else policies[0]} wins", "95 %", "score", "margin", unit), play


def _interval(ends: Sequence[float], n: int, seed: int) -> Interval:
    low, high = ends
    return Interval(low, high, n, seed)
