"""Forbidden Island's whole games: the compiled table of a rule set, and its moves."""

from __future__ import annotations

from functools import cache

from oddsmith.kernels.island_game import IslandTable
from oddsmith.kernels.island_policies import TeamPlan
from oddsmith.solver.games.island.rules import Rules, compiled

(DEAL_TILES, DEAL_FLOOD, DEAL_ROLES, DEAL_HANDS, ACTIONS, DISCARD, BETWEEN_DRAWS, BEFORE_FLOOD, SWIM,
 LAST_WINDOW, DRAW, FLOOD, FINISHED, TO_DRAW, NEXT_TURN) = range(15)
"""The phases of kernels/island.pxd."""

(PASS, WALK, FLY, SHORE, GIVE, CAPTURE, NAVIGATE, LIFT, WIN, SANDBAGS, DROP, SWIM_TO, TILE, ROLE, CARD,
 FLOOD_CARD) = range(16)
"""The kinds of moves and outcomes; the lowest byte of a code."""

ENDINGS = ("", "won", "treasure", "landing", "drowned", "water", "turns")
"""Why a game is over, by the kernel's number."""

NOBODY = 255
CHANCE, OVER = -1, -2


@cache
def table(rules: Rules) -> IslandTable:
    """The rules as a game table."""
    made = IslandTable(compiled(rules))
    TeamPlan(made)
    return made


def encode(kind: int, *arguments: int) -> int:
    """The kernel's code of a move or outcome."""
    return kind | sum(argument << (8 * place) for place, argument in enumerate(arguments, 1))


def decode(code: int) -> tuple[int, tuple[int, int, int, int]]:
    """Its kind and four arguments."""
    a, b, c, d = (code >> shift & 0xFF for shift in (8, 16, 24, 32))
    return code & 0xFF, (a, b, c, d)
