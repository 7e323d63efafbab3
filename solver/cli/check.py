"""`oddsmith GAME check`: every fault of a position."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    change_rules,
    command_line,
    emit,
    game_module,
    output_options,
    rules_options,
)

CHECK_FAILED = 4


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.argument("position")
    @rules_options
    @output_options
    @click.pass_context
    def check(ctx: click.Context, position: str, fmt: str, players: str | None,
              variant: str | None, settings: tuple[str, ...]) -> None:
        """List every fault of a position file, with line and column.

        Exit code 0: sound.  4: it has faults.  2: it can't be read as a position at all.
        """
        module = game_module(game)
        change = change_rules(game, players, variant, settings)
        loaded, faults = module.examine(position, change)
        emit(module.check_answer(loaded, faults, command_line()), fmt)
        if faults:
            ctx.exit(CHECK_FAILED)

    return check
