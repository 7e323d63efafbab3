"""`oddsmith GAME show`: a position to look at."""

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


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.argument("position")
    @rules_options
    @output_options
    def show(position: str, fmt: str, players: str | None, variant: str | None,
             settings: tuple[str, ...]) -> None:
        """Show a position: boards, hands, and what follows from them."""
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        emit(module.show_answer(loaded, command_line()), fmt)

    return show
