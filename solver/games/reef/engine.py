"""Reef's whole games: the compiled table of a rule set, and its moves."""

from __future__ import annotations

from functools import cache

import msgspec

from oddsmith.kernels.reef_game import ReefTable
from oddsmith.solver.games.reef.rules import Rules, compiled, resolve

DEAL_HANDS, START, DEAL_DISPLAY, PLAY, DEAL_TOP, FINISHED = range(6)
"""The phases of kernels/reef_game.pxd."""

PASS, PUT_START, TAKE, DRAW, PLAY_CARD, DEAL = range(6)
"""The kinds of moves; the lowest byte of a move's code."""

NO_CARD = 255
CHANCE, OVER = -1, -2


@cache
def table(rules: Rules) -> ReefTable:
    """The rules as a game table."""
    rules = resolve(rules)
    scoring, _ = compiled(rules)
    return ReefTable(scoring, {
        "players": rules.players,
        "coral": rules.coral,
        "start_layout": ("center", "edge", "free").index(rules.start_layout),
        "hand_limit": rules.hand_limit,
        "draw_cost": rules.deck_draw_cost,
        "start_points": rules.start_points,
        "display_size": rules.display_size,
        "leftmost": rules.deck_draw_target_tie == "leftmost",
        "end": ("deck_at_once", "finish_round", "immediate").index(rules.end),
        "hand_scoring": ("once", "full", "none").index(rules.hand_scoring),
        "hand_neighbours": rules.hand_scoring_neighbor == "all",
        "covered": rules.tie_break == "covered",
    })


class Move(msgspec.Struct, frozen=True):
    """A move or outcome, decoded.

    Args:
        kind: PASS, PUT_START, TAKE, DRAW, PLAY_CARD or DEAL.
        card: its number (PLAY_CARD, DEAL).
        place: index on the display (TAKE; DRAW: the card that is paid, None for none).
        pieces: the coral placed, in order, as (colour index, space) (PUT_START, PLAY_CARD).
    """

    kind: int
    card: int | None = None
    place: int | None = None
    pieces: tuple[tuple[int, int], ...] = ()


def decode(code: int) -> Move:
    """What a 64-bit code of the kernel means."""
    kind, a, b = code & 0xFF, (code >> 8) & 0xFF, (code >> 16) & 0xFF
    if kind == PUT_START:
        return Move(kind, pieces=((a, b),))
    if kind == TAKE:
        return Move(kind, place=a)
    if kind == DRAW:
        return Move(kind, place=None if a == NO_CARD else a)
    if kind == DEAL:
        return Move(kind, card=a + 1)
    if kind == PLAY_CARD:
        placed = code >> 20
        pieces = ((placed & 0xF, placed >> 4 & 0xF), (placed >> 8 & 0xF, placed >> 12 & 0xF))
        return Move(kind, card=a + 1, pieces=pieces[: b & 0xF])
    return Move(PASS)


def encode(move: Move) -> int:
    """The code that `decode` reads."""
    if move.kind == PUT_START:
        color, space = move.pieces[0]
        return PUT_START | color << 8 | space << 16
    if move.kind in (TAKE, DRAW):
        return move.kind | (NO_CARD if move.place is None else move.place) << 8
    if move.card is None:
        return PASS
    code = move.kind | (move.card - 1) << 8
    if move.kind == PLAY_CARD:
        code |= len(move.pieces) << 16
        for k, (color, space) in enumerate(move.pieces):
            code |= (color | space << 4) << (20 + 8 * k)
    return code
