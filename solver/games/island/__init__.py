"""Forbidden Island (Matt Leacock, 2010): exact flood odds, safest actions, whole games.

    from oddsmith.solver.games import island
    from oddsmith.solver.games.island.odds import odds
    from oddsmith.solver.games.island.safest import safest
    position = island.new(island.Rules(players=2), seed=1)
    odds(position, turns=10).p_lost[-1]
    safest(position).p_loss
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.island.notation import Island, format_island, parse_island
from oddsmith.solver.games.island.position import (
    BLANK,
    Player,
    Position,
    examine,
    format_position,
    load,
    new,
)
from oddsmith.solver.games.island.questions import (
    check_answer,
    make_answer,
    report_answers,
    rules_assumptions,
    show_answer,
)
from oddsmith.solver.games.island.rules import Rules, editions, layouts, roles, tiles
from oddsmith.solver.games.island.soundness import check

if TYPE_CHECKING:
    from oddsmith.solver.games.island.engine import (
        format_code,
        format_line,
        format_move,
        legal_codes,
        make_move,
        parse_code,
        parse_move,
        search_state,
        table,
        to_state,
    )
    from oddsmith.solver.games.island.whole_games import (
        DRAWN,
        ENDINGS,
        PROGRESS,
        move_position,
        moves_answer,
        perft_state,
        sweep_values,
    )

_LAZY = {
    "table": "engine", "to_state": "engine", "legal_codes": "engine", "make_move": "engine",
    "parse_move": "engine", "format_move": "engine",
    "format_code": "engine", "format_line": "engine", "parse_code": "engine",
    "search_state": "engine", "DRAWN": "whole_games",
    "ENDINGS": "whole_games", "PROGRESS": "whole_games", "move_position": "whole_games",
    "moves_answer": "whole_games", "perft_state": "whole_games", "sweep_values": "whole_games",
}
"""Name -> module that is loaded when the name is first used."""

POLICIES = "rules"
"""Who plays simulated games unless told otherwise."""

TYPED_MOVES = ('"shore copper_gate" end "card earth"', 'shore copper_gate,end')
"""For the help: moves made one after the other, and moves compared."""

SWEPT = "players,difficulty,roles,layout"
"""For the help: options to sweep over."""

__all__ = [
    "BLANK", "DRAWN", "ENDINGS", "POLICIES", "PROGRESS", "SWEPT", "TYPED_MOVES", "InputError",
    "Island", "Player", "Position", "Rules", "check", "check_answer", "editions", "examine",
    "format_code", "format_island", "format_line", "format_move", "format_position", "layouts",
    "legal_codes", "load", "make_answer", "make_move", "move_position", "moves_answer", "new",
    "parse_code", "parse_island", "parse_move", "perft_state", "report_answers", "roles",
    "rules_assumptions", "search_state", "show_answer", "sweep_values", "table", "tiles",
    "to_state",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The names of `_LAZY`."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
