"""Boards typed on the command line."""

from __future__ import annotations

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.reef.notation import Board, parse_board
from oddsmith.solver.games.reef.rules import Rules


def inline_board(text: str, rules: Rules) -> Board:
    """Read a board given as an argument.

    Raises:
        InputError: located on the command line, with the offending line shown.
    """
    try:
        return parse_board(text, rules.stack_limit)
    except InputError as error:
        lines = text.splitlines() or [""]
        raise InputError(
            error.what, why=error.why, hint=error.hint, source="<command line>",
            line=error.line, column=error.column, text=lines[min(error.line, len(lines)) - 1],
        ) from None
