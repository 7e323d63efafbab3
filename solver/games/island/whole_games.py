"""Forbidden Island's whole games: answers about moves and lines of play, options to sweep over."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import follow, listed, listing_title
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.questions import make_answer
from oddsmith.solver.games.island.rules import Rules, layouts, roles

DRAWN = ("card", "flood")
"""Outcomes that, typed alone, are drawn by chance."""

ENDINGS = engine.ENDINGS
PROGRESS = "treasures"
"""What the summary of a game counts besides its turns."""

perft_state = engine.to_state
"""The state whose lines are counted: nothing is unknown in this game."""

SWEEPS = ("players", "difficulty", "roles", "layout")


def sweep_values(field: str, rules: Rules) -> list[Rules]:
    """The rules with every value of one option.

    Raises:
        InputError: an option that can't be swept.
    """
    values: Sequence[Any]
    if field == "players":
        values = (2, 3, 4)
    elif field == "difficulty":
        values = ("novice", "normal", "elite", "legendary")
    elif field == "roles":
        values = list(itertools.combinations([role.id for role in roles()], rules.players))
    elif field == "layout":
        values = list(layouts())
    else:
        raise InputError(f"can't sweep over `{field}`", why=f"choose from {', '.join(SWEEPS)}",
                         hint="players before roles, as a team has one role for each of them")
    return [msgspec.structs.replace(rules, **{field: value}) for value in values]


def moves_answer(position: Position, command: str = "") -> Answer:
    """Every legal move, or every outcome with its chance where a card is due."""
    table, state = engine.table(position.rules), engine.to_state(position)
    value, block = listed(table, state, lambda code: engine.format_move(position, code))
    due = "a card" if table.turn(state) == engine.CHANCE else ""
    title = listing_title(len(value), position.finished, due)
    return make_answer(
        "moves", title, value, position.rules, method="listed in the game's fixed order",
        inputs={"to_move": position.to_move + 1, "phase": position.phase}, blocks=(block,),
        command=command,
    )


def move_position(position: Position, texts: Sequence[str], draw: Any) -> Position:
    """The position after moves and outcomes as typed; `card` and `flood` alone draw with `draw`.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    return follow(position, texts, lambda at, text: engine.make_move(
        at, engine.parse_move(at, text, draw)))
