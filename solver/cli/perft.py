"""`oddsmith GAME perft`: how many lines of play there are."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, game_module, position_verb


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.option("--depth", type=Whole(1, 4), default=2, show_default=True,
                  help="Moves and outcomes in a line.")
    @position_verb(game)
    def perft(position: Any, depth: int, fmt: str) -> None:
        """Count the lines of moves and chance outcomes, a check of the rules."""
        from oddsmith.solver.perft import perft_answer

        emit(perft_answer(game_module(game), position, depth, command_line()), fmt)

    return perft
