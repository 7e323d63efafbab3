"""Reef's whole games: answers about moves and lines of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import follow, listing_title
from oddsmith.solver.games.reef import engine
from oddsmith.solver.games.reef.notation import format_board
from oddsmith.solver.games.reef.position import UNKNOWN, Position
from oddsmith.solver.games.reef.questions import make_answer
from oddsmith.solver.games.reef.rules import card, compiled

DRAWN = ("top",)
"""Outcomes that, typed alone, are drawn by chance."""


def moves_answer(position: Position, command: str = "") -> Answer:
    """Every legal move with the points it scores at once."""
    kernel, _ = compiled(position.rules)
    board = position.players[position.to_move].board
    value, rows = [], []
    for move in [] if position.finished else engine.legal_moves(position):
        points = 0
        if move.kind == engine.PLAY_CARD and move.card is not None:
            one = card(move.card)
            points = one.points * kernel.count(board.placed(move.pieces).bits, one.index)
        elif move.kind == engine.TAKE and move.place is not None:
            points = position.tokens[move.place]
        elif move.kind == engine.DRAW:
            points = -position.rules.deck_draw_cost
        text = engine.format_move(position, move)
        value.append({"move": text, "points": points})
        rows.append((text, f"{points:+d}"))
    return make_answer(
        "moves", listing_title(len(rows), position.finished, ""), value, position.rules,
        method="listed in the game's fixed order",
        inputs={"to_move": position.to_move + 1, "board": format_board(board)},
        blocks=(Table(("move", "points at once"), tuple(rows), numeric=(1,)),), command=command,
    )


def move_position(position: Position, texts: Sequence[str], draw: Any) -> Position:
    """The position after moves and outcomes as typed; `top` alone draws with `draw`.

    Raises:
        InputError: the first that is no legal move, named with its place in the list.
    """
    return follow(position, texts, lambda at, text: engine.make_move(
        at, engine.parse_move(at, text, draw)))


def perft_state(position: Position) -> bytes:
    """The state whose lines are counted.

    Raises:
        InputError: a hand holds an unknown card.
    """
    if any(UNKNOWN in player.hand for player in position.players):
        raise InputError("perft needs every hand known", hint="write the cards in the file")
    return engine.to_state(position)
