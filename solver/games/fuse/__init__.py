"""FUSE (Kane Klenko, 2015): odds of bombs, the best assignment of a roll, the pace a team needs.

    from oddsmith.solver.games import fuse
    position = fuse.new(fuse.Rules(players=2, level="training"), seed=1)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.notation import (
    Held,
    format_dice,
    format_held,
    parse_dice,
    parse_held,
)
from oddsmith.solver.games.fuse.position import (
    BLANK,
    Player,
    Position,
    examine,
    format_position,
    load,
    new,
)
from oddsmith.solver.games.fuse.questions import (
    check_answer,
    make_answer,
    report_answers,
    rules_assumptions,
    show_answer,
)
from oddsmith.solver.games.fuse.rules import Rules, editions
from oddsmith.solver.games.fuse.soundness import check

if TYPE_CHECKING:
    from oddsmith.solver.games.fuse.engine import (
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
    from oddsmith.solver.games.fuse.whole_games import (
        DRAWN,
        ENDINGS,
        PROGRESS,
        TURNS,
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
    "ENDINGS": "whole_games", "PROGRESS": "whole_games", "TURNS": "whole_games",
    "move_position": "whole_games", "moves_answer": "whole_games", "perft_state": "whole_games",
    "sweep_values": "whole_games",
}
"""Name -> module that is loaded when the name is first used."""

POLICIES = "planner"
"""Who plays simulated games unless told otherwise."""

TYPED_MOVES = ('"place r5 p4-twins 1" stop', 'place r5 p4-twins 1,stop')
"""For the help: moves made one after the other, and moves compared."""

SHORT_OPTIONS = ("level", "deck", "seconds_per_roll")
"""Options of the rules that verbs without a position take as options of their own, too."""

SWEPT = "players,level"
"""For the help: options to sweep over."""

__all__ = [
    "BLANK", "DRAWN", "ENDINGS", "POLICIES", "PROGRESS", "SHORT_OPTIONS", "SWEPT", "TURNS",
    "TYPED_MOVES", "Held", "InputError", "Player", "Position", "Rules", "check", "check_answer",
    "editions", "examine", "format_code", "format_dice", "format_held", "format_line",
    "format_move", "format_position", "legal_codes", "load", "make_answer", "make_move",
    "move_position", "moves_answer", "new", "parse_code", "parse_dice", "parse_held",
    "parse_move", "perft_state", "report_answers", "rules_assumptions", "search_state",
    "show_answer", "sweep_values", "table", "to_state",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The names of `_LAZY`."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
