"""What every position file begins with: its game, its rules, as many seats as they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from oddsmith.solver import variants
from oddsmith.solver.errors import nearest, typed
from oddsmith.solver.position import Document, Table

R = TypeVar("R", bound=msgspec.Struct)


def opened(document: Document, game: str) -> Table:
    """The root of a position file.

    Raises:
        InputError: it is of another game or format.
    """
    root = document.root
    named = root.text("game")
    if named != game:
        raise root.fault(
            "game", what=f"this is a position of {named!r}, not of {game!r}",
            why=f"the command is for {typed(game)}", hint=_other(named, game),
        )
    root.integer("format", 1, 1, default=1)
    return root


def _other(named: str, game: str) -> str:
    """What to do with a file of another game, or of one that is spelt wrong."""
    if nearest(named, (game,)):
        return f'game = "{game}"'
    return f"oddsmith {typed(named)} ..., if that is a game, or another file"


def rules_given(root: Table, rules: R, change_rules: Callable[[R], R] | None) -> R:
    """`rules` changed by the file's `[rules]`, then by the caller's variants and settings.

    Raises:
        InputError: a rule that doesn't fit, with its place.
    """
    table = root.table("rules", default=None)
    if table is not None:
        rules = variants.from_table(rules, table)
    return rules if change_rules is None else change_rules(rules)


def check_seats(root: Table, n_seats: int, players: int) -> None:
    """The [[player]] tables against the number of players that the rules say.

    Raises:
        InputError: there are more or fewer.
    """
    if n_seats != players:
        raise root.fault(
            "player", n_seats - 1,
            what=f"there are {n_seats} players, the rules say {players}",
            why="each player is one [[player]] table",
        )
