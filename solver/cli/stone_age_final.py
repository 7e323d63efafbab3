"""`oddsmith stone-age final`: final scores itemised, as if the game ended now."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import command_line, emit, position_verb


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @position_verb(game)
    def final(position: Any, fmt: str) -> None:
        """Final scores item by item, and what one more card, person, tool or field would add."""
        from oddsmith.solver.games.stone_age import final_answer

        emit(final_answer(position, command_line()), fmt)

    return final
