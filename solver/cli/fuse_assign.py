"""`oddsmith fuse assign`: ranked by playouts on common dice."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, position_verb


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @position_verb(game)
    @click.argument("roll", required=False, default="")
    @click.option("--games", type=Whole(1, 10**7), default=200, show_default=True,
                  help="Playouts of each way.")
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
    @click.option("--workers", type=Whole(1, 1024), help="Threads; default: all cores.")
    def assign(position: Any, roll: str, games: int, seed: int, workers: int | None, fmt: str
               ) -> None:
        """The best assignments of a roll, such as "r5 b2 k6", to players and slots."""
        from oddsmith.solver.games.fuse.assign import assign_answer

        emit(assign_answer(position, roll, games=games, seed=seed, workers=workers,
                           command=command_line()), fmt)

    return assign
