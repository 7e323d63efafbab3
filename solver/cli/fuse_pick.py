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
    @click.option("--player", "number", type=Whole(1, 5),
                  help="Whose next bomb it is; who takes one now, or who holds the bag.")
    @click.option("--workers", type=Whole(1, 1024), help="Threads; default: all cores.")
    def pick(position: Any, games: int, seed: int, number: int | None, workers: int | None,
             fmt: str) -> None:
        """Which bomb of the centre a player should take next; anywhere in a game."""
        from oddsmith.solver.games.fuse.assign import pick_answer

        seat = None if number is None else number - 1
        emit(pick_answer(position, seat, games=games, seed=seed, workers=workers,
                         command=command_line()), fmt)

    return pick
