"""`oddsmith GAME perft`: how many lines of play there are."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    Whole,
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
    @click.option("--depth", type=Whole(1, 4), default=2, show_default=True,
                  help="Moves and outcomes in a line.")
    @rules_options
    @output_options
    def perft(position: str, depth: int, fmt: str, players: str | None, variant: str | None,
              settings: tuple[str, ...]) -> None:
        """Count the lines of moves and chance outcomes, a check of the rules."""
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        emit(module.perft_answer(loaded, depth, command_line()), fmt)

    return perft
