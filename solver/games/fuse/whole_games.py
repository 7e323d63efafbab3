"""FUSE: moves listed and made, what simulated games are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import follow, listed, listing_title
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.notation import format_dice, parse_dice
from oddsmith.solver.games.fuse.position import Position
from oddsmith.solver.games.fuse.questions import make_answer
from oddsmith.solver.games.fuse.rules import LEVELS, SEATS, Rules

DRAWN = ("card", "die", "number", "seconds")
"""Outcomes that, typed alone, are drawn by chance."""

ENDINGS = engine.ENDINGS
PROGRESS = "score"
"""What the summary of a game counts besides its turns."""

TURNS = "rolls"
"""What a turn is called."""

perft_state = engine.to_state
"""The state whose lines are counted: nothing is unknown in this game."""

SWEEPS = ("players", "level")


def sweep_values(field: str, rules: Rules) -> list[Rules]:
    """The rules with every value of one option.

    Raises:
        InputError: an option that can't be swept.
    """
    values: Sequence[Any]
    if field == "players":
        values = range(1, SEATS + 1)
    elif field == "level":
        values = LEVELS
    else:
        raise InputError(f"can't sweep over `{field}`", why=f"choose from {', '.join(SWEEPS)}")
    return [msgspec.structs.replace(rules, **{field: value}) for value in values]


def moves_answer(position: Position, command: str = "") -> Answer:
    """Every legal move, or every outcome with its chance where chance is next."""
    table, state = engine.table(position.rules), engine.to_state(position)
    value, block = listed(table, state, lambda code: engine.format_move(position, code))
    due = engine.DUE[position.phase][0] if table.turn(state) == engine.CHANCE else ""
    title = listing_title(len(value), position.finished, due)
    return make_answer(
        "moves", title, value, position.rules, method="listed in the game's fixed order",
        inputs={"to_move": position.to_move + 1, "phase": position.phase,
                "dice": format_dice(position.dice)},
        blocks=(block,), command=command,
    )


def move_position(position: Position, texts: Sequence[str], draw: Any) -> Position:
    """The position after moves and outcomes as typed; words of DRAWN alone draw with `draw`.

    `roll r5 b2 k6` stands for the dice one by one, `roll` alone draws them all.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    return follow(position, texts, lambda at, text: _make(at, text, draw))


def _make(position: Position, text: str, draw: Any) -> Position:
    verb, _, rest = text.strip().partition(" ")
    if verb != "roll":
        return engine.make_move(position, engine.parse_move(position, text, draw))
    if position.phase != "roll":
        raise InputError("no dice are to be rolled", why=f"the phase is {position.phase}")
    if not rest.strip() and draw is None:
        raise InputError("the dice are missing", hint="roll r5 b2 k6")
    dice = [f"die {format_dice((face,))}" for face in parse_dice(rest)]
    n = position.to_roll
    if dice and len(dice) != n:
        raise InputError(f"{len(dice)} dice are told", why=f"{n} are to be rolled")
    for one in dice or ["die"] * n:
        position = engine.make_move(position, engine.parse_move(position, one, draw))
    return position
