"""`oddsmith GAME simulate`: whole games between policies."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    INTERRUPTED,
    F,
    Positive,
    Watch,
    Whole,
    change_rules,
    command_line,
    emit,
    finish,
    game_module,
    named,
    output_options,
    rules_options,
    short_options,
)


def command(game: str) -> click.Command:
    """The verb for one game."""
    module = game_module(game)
    together = hasattr(module, "PROGRESS")

    def sweep_option(function: F) -> F:
        """--sweep, where the game says what can be tabulated."""
        if not hasattr(module, "SWEPT"):
            return function
        return click.option(
            "--sweep", "swept", metavar="OPTION[,OPTION...]",
            help="A table over all values of options, such as "
            f"{module.SWEPT}.")(function)

    @click.command()
    @click.argument("position", required=False)
    @click.option("--policy", "policies", metavar="NAME[,NAME...]",
                  help="One for all seats, or several, in order.  "
                  f"Default: {module.POLICIES}.")
    @click.option("--games", type=Whole(1, 10**9), default=10_000, show_default=True,
                  help="How many games, or at most how many with --until.")
    @click.option("--simulations", type=Whole(1, 10**9), default=2000, show_default=True,
                  help="Of the policy `search`, before each of its moves.")
    @click.option("--until", type=Positive(0.5), metavar="HALF_WIDTH",
                  help="Stop when every win share is known to +- this.")
    @sweep_option
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
    @click.option("--workers", type=Whole(1, 1024), help="Threads; default: all cores.")
    @rules_options
    @output_options
    @click.pass_context
    @short_options(game)
    def simulate(ctx: click.Context, position: str | None, policies: str | None, games: int,
                 simulations: int, until: float | None, seed: int,
                 workers: int | None, fmt: str,
                 players: str | None, variant: str | None, settings: tuple[str, ...],
                 swept: str | None = None) -> None:
        """Play whole games between policies and count.

        Without POSITION every game is dealt anew; where players are rivals the policies rotate over
        the seats, all rotations on the same deals.  From a position they sit in seat order.  Fewer
        policies than seats are repeated.

        The same seed gives the same answer on any number of workers.  Ctrl-C ends the run with
        the games played so far.

        Exit code 5: --games ended before the precision of --until was reached.
        """
        from oddsmith.solver import simulate, sweep, team

        change = change_rules(game, players, variant, settings)
        loaded = module.load(position, change) if position is not None else None
        rules = loaded.rules if loaded else change(module.Rules())
        names = named(policies, module.POLICIES)
        if swept is not None and (loaded or until):
            raise click.UsageError("--sweep is without POSITION and --until.")
        with Watch() as watch:
            if swept is not None:
                emit(sweep.sweep_answer(
                    module, rules, [field.strip() for field in swept.split(",")], names,
                    games=games, seed=seed, workers=workers, simulations=simulations,
                    stop=watch.stop,
                    command=command_line()), fmt)
                ctx.exit(INTERRUPTED if watch.interrupted else 0)
            play = team.simulate_answer if together else simulate.simulate_answer
            answer, precise = play(
                module, rules, loaded, names, games=games, seed=seed, workers=workers,
                until=until, simulations=simulations, command=command_line(),
                halted=lambda: watch.interrupted,
                stop=lambda results: watch.stop(f"{results.games:,} of {games:,} games"),
            )
        emit(answer, fmt)
        finish(ctx, watch, precise)

    return simulate
