"""`oddsmith reef score`: what cards score on a board."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import (
    Whole,
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
    @click.option("--player", type=Whole(1, 4),
                  help="Seat whose board is scored; default: the player to move.")
    @rules_options
    @output_options
    def score(board: str, cards: tuple[str, ...], player: int | None, fmt: str, players: str | None,
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
            if player is not None:
                raise click.UsageError("--player needs a position file.")
        else:
            position = load(board, change)
            seat = questions.seat_of(position, player)
            rules, reef = position.rules, position.players[seat].board
            cards = cards or tuple(str(number) for number in questions.hand_of(position, seat))
        chosen = questions.distinct_cards(cards)
        answer = questions.score_answer(
            [questions.score(reef, one.number, rules) for one in chosen], command_line()
        )
        emit(answer, fmt)

    return score
