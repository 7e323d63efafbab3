"""What Stone Age's questions about dice share: the options for tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from oddsmith.solver.games.stone_age.notation import parse_numbers

F = TypeVar("F", bound=Callable[..., Any])


def tool_options(function: F) -> F:
    """--tools and --one-use; the command gets the texts `tools` and `one_use`."""
    for option in (
        click.option("--one-use", default="", metavar="3,4", help="Values of one-use tools, 2-4."),
        click.option("--tools", default="", metavar="1,2", help="Values of the tools, 1-4 each."),
    ):
        function = option(function)
    return function


def tool_values(tools: str, one_use: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The values of both kinds of tools.

    Raises:
        InputError: no numbers, or out of range.
    """
    return (tuple(parse_numbers(tools, "--tools", 1, 4)),
            tuple(parse_numbers(one_use, "--one-use", 2, 4)))
