"""`oddsmith stone-age table`: the printable tables of mean yields."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import command_line, emit, output_options


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @output_options
    def table(fmt: str) -> None:
        """Mean yields of 1 to 10 people for every good, with tools of 0 to 12.

        oddsmith stone-age table --format html > tables.html
        """
        from oddsmith.solver.games.stone_age.dice import table_answer

        emit(table_answer(command_line()), fmt)

    return table
