"""Reef (Emerson Matsuuchi, 2018): exact scores and proven plans.

    from oddsmith.solver.games import reef
    reef.score("r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g", 17).points
    reef.plan("r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g", [17, 4])
    reef.score_many(reef.random_boards(1000, seed=1), [1, 2, 3])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.reef.notation import (
    Board,
    format_board,
    format_piece,
    format_space,
    parse_board,
    parse_piece,
    parse_space,
)
from oddsmith.solver.games.reef.position import (
    BLANK,
    Position,
    check,
    examine,
    format_position,
    load,
    new,
)
from oddsmith.solver.games.reef.questions import (
    Plan,
    Score,
    check_answer,
    make_answer,
    plan,
    plan_position,
    report_answers,
    rules_assumptions,
    score,
    show_answer,
)
from oddsmith.solver.games.reef.rules import Card, Rules, card, cards, editions

if TYPE_CHECKING:
    from oddsmith.solver.games.reef.arrays import (
        pack_boards,
        random_boards,
        score_many,
        unpack_board,
    )
    from oddsmith.solver.games.reef.engine import (
        format_code,
        format_line,
        format_move,
        legal_moves,
        make_move,
        parse_code,
        parse_move,
        search_state,
        table,
        to_state,
    )
    from oddsmith.solver.games.reef.whole_games import (
        DRAWN,
        move_position,
        moves_answer,
        perft_state,
    )

_LAZY = {
    "pack_boards": "arrays", "random_boards": "arrays", "score_many": "arrays",
    "unpack_board": "arrays", "table": "engine", "to_state": "engine",
    "legal_moves": "engine", "make_move": "engine", "parse_move": "engine", "format_move": "engine",
    "search_state": "engine", "parse_code": "engine", "format_line": "engine",
    "format_code": "engine",
    "DRAWN": "whole_games", "move_position": "whole_games", "moves_answer": "whole_games",
    "perft_state": "whole_games",
}
"""Name -> module that is loaded when the name is first used; `arrays` brings NumPy and Numba."""

POLICIES = "greedy,random"
"""Who plays simulated games unless told otherwise."""

TYPED_MOVES = ('"take 13" "top 33" "play 24 g@a1 g@a2"', 'take 13,take 38')
"""For the help: moves made one after the other, and moves compared."""

__all__ = [
    "BLANK", "DRAWN", "POLICIES", "TYPED_MOVES", "Board", "Card", "InputError", "Plan",
    "Position", "Rules", "Score", "card", "cards", "check", "check_answer", "editions",
    "examine", "format_board", "format_code", "format_line", "format_move", "format_piece",
    "format_position", "format_space", "legal_moves", "load", "make_answer", "make_move",
    "move_position", "moves_answer", "new", "pack_boards", "parse_board", "parse_code",
    "parse_move", "parse_piece", "parse_space", "perft_state", "plan", "plan_position",
    "random_boards", "report_answers", "rules_assumptions", "score", "score_many",
    "search_state", "show_answer", "table", "to_state", "unpack_board",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The names of `_LAZY`."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
