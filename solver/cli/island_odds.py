"""`oddsmith island odds`: what floods and sinks in the next turns if nobody acts."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    Whole,
    change_rules,
    command_line,
    emit,
    output_options,
    rules_options,
)


def command(game: str) -> click.Command:
    """The verb; `game` is island."""

    @click.command()
    @click.argument("position", required=False)
    @click.option("--turns", type=Whole(1, 20), default=10, show_default=True,
                  help="How many turns; the first is the rest of the present one.")
    @click.option("--difficulty", help="Short for --set difficulty=LEVEL.")
    @rules_options
    @output_options
    def odds(position: str | None, turns: int, difficulty: str | None, fmt: str,
             players: str | None, variant: str | None, settings: tuple[str, ...]) -> None:
        """The chance that each tile floods and sinks, that a treasure, Fools' Landing or anything
        is lost, if nobody acts: exact.

        Without POSITION: averaged over the random set-up.

        oddsmith island odds --players 2 --difficulty novice --turns 10
        """
        from oddsmith.solver.games.island import Rules, load
        from oddsmith.solver.games.island import odds as questions

        if difficulty is not None:
            settings = (f"difficulty={difficulty}", *settings)
        change = change_rules(game, players, variant, settings)
        if position is None:
            emit(questions.set_up_odds_answer(change(Rules()), turns, command_line()), fmt)
        else:
            emit(questions.odds_answer(load(position, change), turns, command_line()), fmt)

    return odds
