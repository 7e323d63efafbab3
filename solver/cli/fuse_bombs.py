"""`oddsmith fuse bombs`: the cards of a deck."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

from oddsmith.solver.cli.common import (
    change_options,
    change_rules,
    command_line,
    emit,
    output_options,
)

F = TypeVar("F", bound=Callable[..., Any])


def bomb_rules(function: F) -> F:
    """--deck, --variant and --set; the command gets `rules`."""

    @functools.wraps(function)
    def run(deck: str | None, variant: str | None, settings: tuple[str, ...], **own: Any) -> None:
        from oddsmith.solver.games.fuse import Rules

        if deck is not None:
            settings = (f"deck={deck}", *settings)
        function(rules=change_rules("fuse", None, variant, settings)(Rules()), **own)

    made: Any = click.option(
        "--deck", metavar="NAME|FILE", help="documented (the default), synthetic, or a file of "
        "your own; short for --set deck=NAME.")(change_options(run))
    return cast(F, made)


def command(game: str) -> click.Command:
    """The verb; `game` is fuse."""

    @click.command()
    @click.option("--points", type=click.Choice(["1", "2", "3", "4", "6", "unknown"]),
                  help="Only bombs worth this.")
    @bomb_rules
    @output_options
    def bombs(rules: Any, points: str | None, fmt: str) -> None:
        """The bomb cards of a deck, drawn, with how long they take: exact.

        oddsmith fuse bombs --points 4
        """
        from oddsmith.solver.games.fuse.bomb_answers import bombs_answer

        emit(bombs_answer(rules, points, command_line()), fmt)

    return bombs
