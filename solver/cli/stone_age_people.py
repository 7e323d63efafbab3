"""`oddsmith stone-age people`: the fewest people for a yield."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from oddsmith.solver.cli.common import Whole, command_line, emit, output_options, typed_there
from oddsmith.solver.cli.stone_age_tools import tool_options, tool_values
from oddsmith.solver.errors import InputError

PROBABILITY = re.compile(
    r"([0-9]{1,20}(\.[0-9]{0,30})?|\.[0-9]{1,30})(e-?[0-9]{1,2})?%?|[0-9]{1,20}/[0-9]{1,20}")
"""What is read: exact fractions of longer texts, and of large exponents, would not end."""


def confidence_of(text: str) -> Fraction:
    """`0.7`, `70%` or `7/10` as a fraction, exactly as written.

    Raises:
        InputError: not a probability above 0 and up to 1.
    """
    try:
        value = Fraction(text.rstrip("%")) if PROBABILITY.fullmatch(text) else Fraction(0)
    except ZeroDivisionError:
        value = Fraction(0)
    value /= 100 if text.endswith("%") else 1
    if not 0 < value <= 1:
        raise InputError(f"--confidence can't be {text[:40]!r}",
                         why="it is a probability above 0 and up to 1", hint="0.7, 70% or 7/10",
                         source="<command line>")
    return value


def command(game: str) -> click.Command:
    """The verb; `game` is stone_age."""

    @click.command()
    @click.argument("good")
    @click.option("--at-least", type=Whole(1, 99), required=True, help="Goods wanted.")
    @click.option("--confidence", default="0.5", show_default=True, metavar="P",
                  help="The chance that is enough.")
    @tool_options
    @output_options
    def people(good: str, at_least: int, confidence: str, tools: str, one_use: str,
               fmt: str) -> None:
        """The fewest people that bring at least so much of GOOD with some confidence.

        oddsmith stone-age people wood --at-least 4 --confidence 0.7
        """
        from oddsmith.solver.games.stone_age.dice import people_answer

        with typed_there():
            answer = people_answer(good, at_least, confidence_of(confidence),
                                   *tool_values(tools, one_use), command_line())
        emit(answer, fmt)

    return people
