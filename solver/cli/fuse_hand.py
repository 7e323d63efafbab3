"""`oddsmith fuse hand`: several bombs at once."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, output_options
from oddsmith.solver.cli.fuse_bombs import bomb_rules


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @click.argument("cards", nargs=-1, required=True)
    @click.option("--dice-per-roll", type=Whole(1, 6), default=2, show_default=True, metavar="N")
    @click.option("--have", multiple=True, metavar="DICE",
                  help='What lies on them, once a bomb in order, such as "r5 -"; "" for nothing.')
    @bomb_rules
    @output_options
    def hand(rules: Any, cards: tuple[str, ...], dice_per_roll: int, have: tuple[str, ...],
             fmt: str) -> None:
        """Expected rolls until all CARDS (1 to 4 bombs) are full, under the best split of each
        roll: exact.

        oddsmith fuse hand p3-same-num3 p4-222 --dice-per-roll 2
        """
        from oddsmith.solver.games.fuse.bomb_answers import hand_answer

        emit(hand_answer(rules, cards, dice_per_roll, have, command_line()), fmt)

    return hand
