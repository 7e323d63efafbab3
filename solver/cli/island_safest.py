"""`oddsmith island safest`: the actions that leave the least chance of losing this turn."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import command_line, emit, position_verb


def command(game: str) -> click.Command:
    """The verb; `game` is island."""

    @click.command()
    @position_verb(game)
    def safest(position: Any, fmt: str) -> None:
        """The least chance of having lost by the end of this turn, and the actions that reach it.

        Exact: over all actions, the best use of special cards and the best swims.  POSITION must
        be in the phase of actions.

        Exit code 3: too many special cards in hand; a bound is told.
        """
        from oddsmith.solver.games.island.safest import safest_answer

        emit(safest_answer(position, command_line()), fmt)

    return safest
