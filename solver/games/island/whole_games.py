"""Forbidden Island's whole games: answers about moves and lines of play, options to sweep over."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import follow
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
    value: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = []
    if table.turn(state) == engine.CHANCE:
        outcomes = table.outcomes(state)
        total = sum(weight for _, weight in outcomes)
        for code, weight in outcomes:
            text = engine.format_move(position, code)
            value.append({"outcome": text, "weight": weight, "p": f"{weight}/{total}"})
            rows.append((text, f"{weight}/{total}"))
        title = f"A card is due: {len(rows)} outcomes"
        table_block = Table(("outcome", "chance"), tuple(rows), numeric=(1,))
    else:
        for code in table.moves(state):
            text = engine.format_move(position, code)
            value.append({"move": text})
            rows.append((text,))
        title = f"{len(rows)} legal move{'s' * (len(rows) != 1)}"
        if position.finished:
            title = f"No moves: {position.finished}"
        table_block = Table(("move",), tuple(rows))
    return make_answer(
        "moves", title, value, position.rules, method="listed in the game's fixed order",
        inputs={"to_move": position.to_move + 1, "phase": position.phase}, blocks=(table_block,),
        command=command,
    )


def move_position(position: Position, texts: Sequence[str], draw: Any) -> Position:
    """The position after moves and outcomes as typed; `card` and `flood` alone draw with `draw`.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    return follow(position, texts, lambda at, text: engine.make_move(
        at, engine.parse_move(at, text, draw)))
