"""`oddsmith GAME moves`: every legal move."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import command_line, emit, game_module, position_verb


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @position_verb(game)
    def moves(position: Any, fmt: str) -> None:
        """List every legal move of the player to move, in the game's fixed order."""
        emit(game_module(game).moves_answer(position, command_line()), fmt)

    return moves
