"""`oddsmith GAME moves`: every legal move."""

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
    def moves(position: str, fmt: str, players: str | None, variant: str | None,
              settings: tuple[str, ...]) -> None:
        """List every legal move of the player to move, in the game's fixed order."""
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        emit(module.moves_answer(loaded, command_line()), fmt)

    return moves
