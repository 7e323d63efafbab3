"""`oddsmith stone-age gift`: what each seat can expect of a dice gift."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, output_options, typed_there


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @click.option("--players", type=Whole(2, 4), default=4, show_default=True)
    @click.option("--rank", default="6,5,4,3,2,1", show_default=True,
                  help="The dice in the order in which everybody likes them, best first.")
    @output_options
    def gift(players: int, rank: str, fmt: str) -> None:
        """One die per player is rolled; the buyer takes one first, then clockwise.

        oddsmith stone-age gift --players 4 --rank 5,6,4,3,2,1
        """
        from oddsmith.solver.games.stone_age.dice import gift_answer
        from oddsmith.solver.games.stone_age.notation import parse_numbers

        with typed_there():
            answer = gift_answer(players, parse_numbers(rank, "--rank", 1, 6), command_line())
        emit(answer, fmt)

    return gift
