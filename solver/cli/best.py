"""`oddsmith GAME best`: the moves ranked by search, or some of them settled by play."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from oddsmith.solver.cli.common import (
    Positive,
    Watch,
    Whole,
    command_line,
    emit,
    finish,
    game_module,
    in_words_of,
    named,
    position_verb,
    search_options,
)


def _split(moves: str) -> list[str]:
    """Some moves typed as one text."""
    return [text.strip() for text in moves.split(";" if ";" in moves else ",")]


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @position_verb(game)
    @search_options
    @click.option("--top", type=Whole(1, 10_000), default=12, show_default=True,
                  help="Rows to show; --json has every move that was tried.")
    @click.option("--until", type=Positive(0.5), metavar="HALF_WIDTH",
                  help="Stop when the best value (with --moves: every difference) is known to "
                  "+- this.")
    @click.option("--moves", metavar="MOVE,MOVE...",
                  help="Settle these moves by whole games on common random numbers instead.")
    @click.option("--policy", "policies", metavar="NAME[,NAME...]",
                  help="Who plays on after --moves.  [default: the game's own playout policy]")
    @click.option("--games", type=Whole(1, 10**9), default=100_000, show_default=True,
                  help="Of each of --moves, at most.")
    @click.pass_context
    def best(ctx: click.Context, /, position: Any, fmt: str, top: int, until: float | None,
             moves: str | None, policies: str | None, games: int, **budget: Any) -> None:
        """Rank the moves of the player to move by tree search.

        The player to move sees only what he can know; everybody else plays for himself (or for
        the team).  The same --simulations and --seed give the same answer on any number of
        workers.  Ctrl-C ends the search with what is known; the number printed reproduces it.

        oddsmith GAME best game.toml --moves "RIVALS" --until 0.005

        Moves that have a comma in them are separated by semicolons.

        Exit code 5: the budget ended before the precision of --until was reached.
        """
        from oddsmith.solver.best import best_answer, settle_answer

        settling = ("policies", "games")
        ranking = ("simulations", "memory", "top")
        for name in settling if moves is None else ranking:
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"--{'policy' if name == 'policies' else name} is for "
                    f"{'--moves' if moves is None else 'ranking all moves, not for --moves'}.")
        module = game_module(game)
        with Watch() as watch:
            if moves is None:
                simulations = budget["simulations"]
                answer, precise = best_answer(
                    module, position, top=top, until=until, command=command_line(),
                    stop=lambda done: watch.stop(f"{done:,} of {simulations:,} simulations"),
                    **budget,
                )
            else:
                default = module.table(position.rules).default_policy
                answer, precise = settle_answer(
                    module, position, _split(moves),
                    named(policies, default),
                    games=games, until=until,
                    seed=budget["seed"], workers=budget["workers"], seconds=budget["seconds"],
                    command=command_line(),
                    stop=lambda done: watch.stop(f"{done:,} of {games:,} games of each move"),
                )
        emit(answer, fmt)
        finish(ctx, watch, precise)

    return in_words_of(game, best)
