"""`oddsmith fuse bomb`: how long one bomb takes."""

from __future__ import annotations

from typing import Any, Literal

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, output_options
from oddsmith.solver.cli.fuse_bombs import bomb_rules


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @click.argument("card")
    @click.option("--have", default="", metavar="DICE",
                  help='What lies on it: a die a slot, - for none, such as "r5" or "- k1".')
    @click.option("--offer", type=click.Choice(["uniform", "bag"]), default="uniform",
                  show_default=True, help="Each face alike, or dice drawn from the bag.")
    @click.option("--within", type=Whole(1, 300), metavar="N",
                  help="Chances within 1 to N offers; default: as many as 90 % needs.")
    @bomb_rules
    @output_options
    def bomb(rules: Any, card: str, have: str, offer: Literal["uniform", "bag"],
             within: int | None, fmt: str) -> None:
        """How long the bomb CARD takes, offered one die after the other: expected offers, the
        chance to be done within n, the dice to take. Exact.

        oddsmith fuse bomb p4-twins --have "r5"
        """
        from oddsmith.solver.games.fuse.bomb_answers import bomb_answer

        emit(bomb_answer(rules, card, have, offer, within, command_line()), fmt)

    return bomb
