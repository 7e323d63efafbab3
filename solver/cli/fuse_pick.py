"""`oddsmith fuse pick`: ranked by playouts on common dice."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, position_verb


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @position_verb(game)
    @click.option("--games", type=Whole(1, 10**7), default=200, show_default=True,
                  help="Playouts of each way.")
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
    def pick(position: Any, games: int, seed: int, fmt: str) -> None:
        """Which bomb of the centre to take next."""
        from oddsmith.solver.games.fuse.assign import pick_answer

        emit(pick_answer(position, games=games, seed=seed, command=command_line()), fmt)

    return pick
