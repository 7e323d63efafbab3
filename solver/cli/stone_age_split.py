"""`oddsmith stone-age split`: the best use of tools over several rolls."""

from __future__ import annotations

from typing import Any

import click

from oddsmith.solver.cli.common import (
    change_rules,
    command_line,
    emit,
    output_options,
    rules_options,
    typed_there,
)
from oddsmith.solver.cli.stone_age_tools import tool_options, tool_values
from oddsmith.solver.errors import InputError

MOST_VALUE = 1000


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @click.argument("rolls", nargs=-1, required=True)
    @tool_options
    @click.option("--values", metavar="2,3,4,5,6",
                  help="Worth of a food, wood, brick, stone, gold; this is the default.")
    @click.option("--count", is_flag=True, help="Every good is worth 1.")
    @click.option("--target", metavar="4:wood,1:gold",
                  help="The chance to get at least all of these, instead of a value.")
    @click.option("--order", type=click.Choice(("best", "fixed")), default="best",
                  show_default=True, help="Choose each next roll, or roll in the order given.")
    @rules_options
    @output_options
    def split(rolls: tuple[str, ...], tools: str, one_use: str, values: str | None, count: bool,
              target: str | None, order: str, players: str | None, variant: str | None,
              settings: tuple[str, ...], fmt: str) -> None:
        """The best use of tools over several rolls, decided after each roll.

        ROLLS are PEOPLE:GOOD; or one position file: then the rolls that the player to move has
        still to make, the one on the table first, with his tools that are ready.

        oddsmith stone-age split 4:wood 3:gold --tools 2,3,4
        """
        from oddsmith.solver.games.stone_age import Rules, load
        from oddsmith.solver.games.stone_age.notation import parse_numbers, parse_roll
        from oddsmith.solver.games.stone_age.splits import (
            parse_target,
            split_answer,
            split_of_position,
            split_of_rules,
        )

        if sum((values is not None, count, target is not None)) > 1:
            raise click.UsageError("Give one of --values, --count and --target.")
        more: dict[str, Any] = {"fixed": order == "fixed"}
        if count:
            more["values"] = (1,) * 5
        with typed_there():
            if values is not None:
                more["values"] = tuple(parse_numbers(values, "--values", 0, MOST_VALUE))
                if len(more["values"]) != 5:
                    raise InputError(f"--values can't be {values!r}",
                                     why="five numbers are wanted: food, wood, brick, stone, gold")
            if target is not None:
                more["target"] = parse_target(target)
        change = change_rules(game, players, variant, settings)
        if len(rolls) == 1 and ":" not in rolls[0]:
            if tools or one_use:
                raise click.UsageError("With a position file the tools come from it.")
            position = load(rolls[0], change)
            asked = split_of_position(position, **more)
            if asked is None:
                raise InputError("there is nothing to roll for",
                                 why=f"player {position.to_move + 1} has no people on the hunt or "
                                 "a resource place", source=rolls[0])
            with typed_there():
                answer = split_answer(asked, position.rules, command_line())
            emit(answer, fmt)
            return
        rules = change(Rules())
        with typed_there():
            slots, once = tool_values(tools, one_use)
            asked = split_of_rules(rules, tuple(map(parse_roll, rolls)), tools=slots,
                                   one_use=once, **more)
            answer = split_answer(asked, rules, command_line())
        emit(answer, fmt)

    return split
