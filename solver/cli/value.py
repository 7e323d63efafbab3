"""`oddsmith GAME value`: what a position is worth to each seat."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import (
    Positive,
    Watch,
    command_line,
    emit,
    finish,
    game_module,
    position_verb,
    search_options,
)


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @position_verb(game)
    @search_options
    @click.option("--until", type=Positive(0.5), metavar="HALF_WIDTH",
                  help="Stop when the value is known to +- this.")
    @click.pass_context
    def value(ctx: click.Context, /, position: Any, fmt: str, until: float | None,
              **budget: Any) -> None:
        """Say how often each seat wins from here, if the player to move does what is best.

        By the search of `best`: everybody plays on as the search does.

        Exit code 5: the budget ended before the precision of --until was reached.
        """
        from oddsmith.solver.best import value_answer

        simulations = budget["simulations"]
        with Watch() as watch:
            answer, precise = value_answer(
                game_module(game), position, until=until, command=command_line(),
                stop=lambda done: watch.stop(f"{done:,} of {simulations:,} simulations"), **budget,
            )
        emit(answer, fmt)
        finish(ctx, watch, precise)

    return value
