"""`oddsmith stone-age pay`: every payment for a tile or card, ranked."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import command_line, emit, position_verb


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @position_verb(game)
    @click.argument("place", nargs=-1, required=True)
    def pay(position: Any, place: tuple[str, ...], fmt: str) -> None:
        """Every payment of the player to move for PLACE: most points first, then most value left.

        oddsmith stone-age pay game.toml "tile 1"
        """
        from oddsmith.solver.games.stone_age import pay_answer

        emit(pay_answer(position, " ".join(place), command_line()), fmt)

    return pay
