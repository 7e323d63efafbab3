"""`oddsmith reef score`: what cards score on a board."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    change_rules,
    command_line,
    emit,
    is_notation,
    output_options,
    rules_options,
)


def command(game: str) -> click.Command:
    """The verb; `game` is reef."""

    @click.command()
    @click.argument("board")
    @click.argument("cards", nargs=-1)
    @rules_options
    @output_options
    def score(board: str, cards: tuple[str, ...], fmt: str, players: str | None,
              variant: str | None, settings: tuple[str, ...]) -> None:
        """What cards score on a board, without placing anything.

        BOARD is notation (rows from the top separated by /, spaces by commas, stacks bottom to
        top in r y g p, . for empty), or a position file: then the board is that of the player to
        move, and CARDS default to his hand.

        oddsmith reef score "r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g" 17 4
        """
        from oddsmith.solver.games.reef import load, questions
        from oddsmith.solver.games.reef.inputs import inline_board
        from oddsmith.solver.games.reef.rules import Rules

        change = change_rules(game, players, variant, settings)
        if is_notation(board):
            rules = change(Rules())
            reef = inline_board(board, rules)
            if not cards:
                raise click.UsageError("Name at least one card after the board.")
        else:
            position = load(board, change)
            rules, reef = position.rules, position.players[position.to_move].board
            cards = cards or tuple(str(number) for number in questions.hand_of(position))
        chosen = questions.distinct_cards(cards)
        answer = questions.score_answer(
            [questions.score(reef, one.number, rules) for one in chosen], command_line()
        )
        emit(answer, fmt)

    return score
