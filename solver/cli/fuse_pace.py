"""`oddsmith fuse pace`: the chance to win over seconds a roll."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    INTERRUPTED,
    Watch,
    Whole,
    change_options,
    change_rules,
    command_line,
    emit,
    output_options,
)


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @click.option("--players", default="1..5", show_default=True, metavar="N[,N...]|A..B")
    @click.option("--level", "levels", default="standard", show_default=True,
                  metavar="NAME[,NAME...]|all", help="Levels, or numbers of bombs.")
    @click.option("--deck", metavar="NAME", help="Short for --set deck=NAME.")
    @click.option("--policy", default="planner", show_default=True)
    @click.option("--games", type=Whole(1, 10**7), default=2000, show_default=True,
                  help="For each number of players and level.")
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True)
    @click.option("--workers", type=Whole(1, 1024), help="Threads; default: all cores.")
    @change_options
    @output_options
    @click.pass_context
    def pace(ctx: click.Context, players: str, levels: str, deck: str | None, policy: str,
             games: int, seed: int, workers: int | None, variant: str | None,
             settings: tuple[str, ...], fmt: str) -> None:
        """The chance to win over seconds a roll, and the pace that a team needs.

        oddsmith fuse pace --players 1..5 --level all --deck synthetic
        """
        from oddsmith.solver.fuse_pace import pace_answer, parse_levels, parse_players
        from oddsmith.solver.games.fuse import Rules

        if deck is not None:
            settings = (f"deck={deck}", *settings)
        cells = [change_rules(game, str(n), variant, (f"level={level}", *settings))(Rules())
                 for n in parse_players(players) for level in parse_levels(levels)]
        with Watch() as watch:
            answer = pace_answer(cells, policy, games=games, seed=seed, workers=workers,
                                 stop=watch.stop, command=command_line())
        emit(answer, fmt)
        if watch.interrupted:
            ctx.exit(INTERRUPTED)

    return pace
