"""Stone Age's whole games: answers about moves and lines of play, options to sweep over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import follow, listing_title
from oddsmith.solver.games.stone_age import engine
from oddsmith.solver.games.stone_age.position import UNKNOWN, Position
from oddsmith.solver.games.stone_age.questions import make_answer
from oddsmith.solver.games.stone_age.rules import Rules

DRAWN = engine.DRAWN
"""Outcomes that, typed alone, are drawn by chance."""

TURN_UNIT = "rounds"
"""What the summary of a finished game counts."""

FIRST_SEAT = "seat 1"
"""Who the first seat is: the start player is drawn in each game."""

ENDINGS = ("cards", "tiles", "max_rounds")
"""What may end a game, as the summary numbers it from 1."""

SUPPLIES = ("unlimited", (20, 16, 12, 10), (28, 18, 12, 10))
"""Those of the rules page: none, the box of 2008, the box of today."""


def sweep_values(field: str, rules: Rules) -> list[Rules]:
    """The rules with every value of one option.

    Raises:
        InputError: an option that can't be swept.
    """
    listed: dict[str, tuple[Any, ...]] = {"players": (2, 3, 4), "resource_supply": SUPPLIES}
    for name, kind in get_type_hints(Rules).items():
        if kind is bool:
            listed[name] = (False, True)
        elif get_origin(kind) is Literal:
            listed[name] = get_args(kind)
    if field not in listed:
        raise InputError(f"can't sweep over `{field}`", why=f"choose from {', '.join(listed)}")
    return [msgspec.structs.replace(rules, **{field: value}) for value in listed[field]]


def moves_answer(position: Position, command: str = "") -> Answer:
    """Every legal move with the points it scores at once."""
    value, rows = [], []
    for code in engine.legal_codes(position):
        after = engine.make_move(position, code)
        points = after.players[position.to_move].score - position.players[position.to_move].score
        text = engine.format_code(position, code)
        value.append({"move": text, "points": points})
        rows.append((text, f"{points:+d}"))
    return make_answer(
        "moves", listing_title(len(rows), position.finished, ""), value, position.rules,
        method="listed in the game's fixed order",
        inputs={"to_move": position.to_move + 1, "phase": position.phase},
        blocks=(Table(("move", "points at once"), tuple(rows), numeric=(1,)),), command=command,
    )


def move_position(position: Position, texts: Sequence[str], draw: Any) -> Position:
    """The position after moves and outcomes as typed; an outcome's verb alone draws with `draw`.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    def make(at: Position, text: str) -> Position:
        for code in engine.parse_moves(at, text, draw):
            at = engine.make_move(at, code)
        return at

    return follow(position, texts, make)


def perft_state(position: Position) -> bytes:
    """The state whose lines are counted.

    Raises:
        InputError: an extra card is unknown.
    """
    if any(player.extra == UNKNOWN for player in position.players):
        raise InputError("perft needs every card known", hint="write the extra card in the file")
    return engine.to_state(position)
