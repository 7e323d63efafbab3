"""`oddsmith stone-age yield`: what some people bring."""

from __future__ import annotations

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, output_options, typed_there
from oddsmith.solver.cli.stone_age_tools import tool_options, tool_values


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @click.argument("people", type=Whole(1, 10))
    @click.argument("good")
    @tool_options
    @output_options
    def yields(people: int, good: str, tools: str, one_use: str, fmt: str) -> None:
        """What PEOPLE bring of GOOD (food, wood, brick, stone, gold) with all the tools given.

        oddsmith stone-age yield 4 wood --tools 1,2
        """
        from oddsmith.solver.games.stone_age.dice import yield_answer

        with typed_there():
            answer = yield_answer(people, good, *tool_values(tools, one_use), command_line())
        emit(answer, fmt)

    return yields
