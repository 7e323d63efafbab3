"""`oddsmith GAME show`: a position to look at."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import command_line, emit, game_module, position_verb


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @position_verb(game)
    def show(position: Any, fmt: str) -> None:
        """Show a position: boards, hands, and what follows from them."""
        emit(game_module(game).show_answer(position, command_line()), fmt)

    return show
