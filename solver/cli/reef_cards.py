"""`oddsmith reef cards`: the card list."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import command_line, emit, output_options


def command(game: str) -> click.Command:
    """The verb; `game` is reef."""

    @click.command()
    @click.option("--wants", metavar="COLOUR", help="The pattern asks for this colour.")
    @click.option("--gives", metavar="COLOUR", help="The card brings this coral.")
    @click.option("--family", metavar="NAME", help="The pattern family, such as diagonal_3.")
    @output_options
    def cards(wants: str | None, gives: str | None, family: str | None, fmt: str) -> None:
        """The 60 cards with their patterns, points, coral, and who confirms them."""
        from oddsmith.solver.games.reef.questions import cards_answer

        emit(cards_answer(wants, gives, family, command_line()), fmt)

    return cards
