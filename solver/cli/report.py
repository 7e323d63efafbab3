"""`oddsmith GAME report`: everything about a position, as a file to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oddsmith.solver.answer import Answer
from oddsmith.solver.cli.common import (
    FORMATS,
    SUFFIXES,
    ResultFile,
    Whole,
    change_rules,
    command_line,
    emit,
    game_module,
    rules_options,
)
from oddsmith.solver.errors import InputError

ENDINGS = {"html": ".html", "markdown": ".md", "csv": ".csv", "json": ".json", "text": ".txt"}


def ranked_moves(module: Any, position: Any, simulations: int, seed: int) -> list[Answer]:
    """The moves ranked by search, where there is a move to make and all is known that it needs."""
    from oddsmith.solver.best import best_answer

    try:
        module.search_state(position)
    except InputError:
        return []
    answer, _ = best_answer(module, position, simulations=simulations, seed=seed,
                            command=command_line())
    return [answer]


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.argument("position")
    @click.option("-o", "--output", metavar="FILE",
                  help="Where to write it; - for standard output.  "
                  "Default: the name of the position with the format's ending.")
    @click.option("--format", "fmt", type=click.Choice(FORMATS),
                  help="Default: by the ending of FILE, else html.")
    @click.option("--json", "fmt", flag_value="json", help="Short for --format json -o -.")
    @click.option("--simulations", type=Whole(0, 10**8), default=16_000, show_default=True,
                  help="Of the search that ranks the moves; 0 leaves it out.")
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
    @rules_options
    def report(position: str, output: str | None, fmt: str | None, simulations: int, seed: int,
               players: str | None, variant: str | None, settings: tuple[str, ...]) -> None:
        """Write a report about a position: one HTML file that needs no network."""
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        if output is None:
            stem = "report" if position == "-" else Path(position).stem
            output = "-" if fmt == "json" else stem + ENDINGS[fmt or "html"]
        file = None if output == "-" else ResultFile(output, [position])
        if fmt is None:
            suffix = Path(output).suffix.lower()
            if output != "-" and suffix not in SUFFIXES:
                raise InputError(f"the ending {suffix or 'none'!r} of {output} names no format",
                                 hint=f"use one of {' '.join(SUFFIXES)}, or give --format")
            fmt = SUFFIXES.get(suffix, "html")
        answers = module.report_answers(loaded, command_line())
        if simulations:
            answers[1:1] = ranked_moves(module, loaded, simulations, seed)
        if file is None:
            emit(answers, fmt)
            return
        from oddsmith import reports

        title = f"{game.replace('_', ' ').title()}: {Path(position).name}"
        file.write(reports.render(answers, fmt, title=title, command=command_line()))
        click.echo(output)

    return report
