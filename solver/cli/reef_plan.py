"""`oddsmith reef plan`: the proven best plan for some cards."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import (
    BUDGET_ENDED,
    INTERRUPTED,
    Positive,
    Watch,
    Whole,
    change_rules,
    command_line,
    emit,
    is_notation,
    output_options,
    rules_options,
)


def _progress(search: Any) -> str:
    best = "none yet" if search.total is None else search.total
    return f"{search.nodes:,} positions, best {best}, at most {search.bound}"


def command(game: str) -> click.Command:
    """The verb; `game` is reef."""

    @click.command()
    @click.argument("board")
    @click.argument("cards", nargs=-1)
    @click.option("--player", type=Whole(1, 4),
                  help="Seat whose hand is planned; default: the player to move.")
    @click.option("--time", "seconds", type=Positive(), default=60.0,
                  show_default=True,
                  help="Seconds after which the best plan so far is given, with its bound.")
    @click.option("--nodes", "max_nodes", type=Whole(min=1),
                  help="The same as a number of positions, which can be repeated exactly.")
    @rules_options
    @output_options
    @click.pass_context
    def plan(ctx: click.Context, board: str, cards: tuple[str, ...], player: int | None,
             seconds: float, max_nodes: int | None, fmt: str, players: str | None,
             variant: str | None, settings: tuple[str, ...]) -> None:
        """Play all the given cards: the best order and placements, proven optimal.

        BOARD is notation, or a position file: then the hand (or CARDS), the supply and the rules
        come from the file.  Without a file the supply is unlimited.

        oddsmith reef plan "r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g" 17 4 31

        Exit code 5: --time or --nodes ended first; the plan is the best one found, with a bound
        that no plan can beat.
        """
        from oddsmith.solver.games.reef import load, questions
        from oddsmith.solver.games.reef.inputs import inline_board
        from oddsmith.solver.games.reef.rules import Rules

        change = change_rules(game, players, variant, settings)
        if is_notation(board):
            if not cards:
                raise click.UsageError("Name at least one card after the board.")
            if player is not None:
                raise click.UsageError("--player needs a position file.")
            rules = change(Rules())
            reef, supply, chosen, note = inline_board(board, rules), None, list(cards), ""
        else:
            position = load(board, change)
            seat = questions.seat_of(position, player)
            rules, supply = position.rules, position.supply
            reef = position.players[seat].board
            chosen = list(cards) or [str(k) for k in questions.hand_of(position, seat)]
            note = questions.cards_elsewhere(position, seat, questions.distinct_cards(chosen))
        with Watch() as watch:
            found = questions.plan(
                reef, chosen, rules, supply=supply, seconds=seconds, max_nodes=max_nodes,
                stop=lambda search: watch.stop(_progress(search)),
            )
        emit(questions.plan_answer(found, command_line(), note), fmt)
        if not found.exact:
            ctx.exit(INTERRUPTED if watch.interrupted else BUDGET_ENDED)

    return plan
