"""`oddsmith island first-turn`: losing Fools' Landing before the second player has moved."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    change_rules,
    command_line,
    emit,
    output_options,
    rules_options,
)


def command(game: str) -> click.Command:
    """The verb; `game` is island."""

    @click.command("first-turn")
    @rules_options
    @output_options
    def first_turn(fmt: str, players: str | None, variant: str | None,
                   settings: tuple[str, ...]) -> None:
        """The chance to lose Fools' Landing on turn 1, for 2, 3 and 4 players and every level.

        Exact, from all set-ups, when the first player does everything to shore it up.
        """
        from oddsmith.solver.games.island import Rules
        from oddsmith.solver.games.island.first_turn import first_turn_answer

        emit(first_turn_answer(change_rules(game, players, variant, settings)(Rules()),
                               command_line()), fmt)

    return first_turn
