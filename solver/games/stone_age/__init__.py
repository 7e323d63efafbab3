"""Stone Age (Bernd Brunnhofer, 2008): exact odds of dice and tools, payments, whole games.

    from oddsmith.solver.games import stone_age
    stone_age.yields(4, "wood", tools=3).mean()
    stone_age.split(stone_age.SplitQuestion(rolls=((4, "wood"), (3, "gold")), tools=(2, 3, 4)))
    stone_age.table(stone_age.Rules(players=3))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddsmith.solver.errors import InputError
from oddsmith.solver.games.stone_age.position import (
    BLANK,
    Player,
    Position,
    examine,
    format_position,
    load,
    new,
)
from oddsmith.solver.games.stone_age.questions import (
    Final,
    check_answer,
    final,
    final_answer,
    make_answer,
    report_answers,
    rules_assumptions,
    show_answer,
)
from oddsmith.solver.games.stone_age.rules import (
    Card,
    Rules,
    Tile,
    card,
    cards,
    editions,
    table,
    tile,
    tiles,
)
from oddsmith.solver.games.stone_age.soundness import check

if TYPE_CHECKING:
    from oddsmith.solver.games.stone_age.dice import (
        fewest_people,
        gift_answer,
        gift_shares,
        people_answer,
        table_answer,
        yield_answer,
        yields,
    )
    from oddsmith.solver.games.stone_age.engine import (
        format_code,
        format_line,
        make_move,
        parse_code,
        parse_codes,
        parse_move,
        search_state,
        to_state,
    )
    from oddsmith.solver.games.stone_age.payments import pay_answer
    from oddsmith.solver.games.stone_age.splits import SplitQuestion, split, split_answer
    from oddsmith.solver.games.stone_age.whole_games import (
        DRAWN,
        ENDINGS,
        FIRST_SEAT,
        TURN_UNIT,
        move_position,
        moves_answer,
        perft_state,
        sweep_values,
    )

_LAZY = dict.fromkeys(
    ("fewest_people", "gift_answer", "gift_shares", "people_answer", "table_answer",
     "yield_answer", "yields"), "dice",
) | dict.fromkeys(("SplitQuestion", "split", "split_answer"), "splits") | {
    "pay_answer": "payments"} | dict.fromkeys(
    ("format_code", "format_line", "make_move", "parse_code", "parse_codes",
     "parse_move", "search_state",
     "to_state"), "engine",
) | dict.fromkeys(
    ("DRAWN", "ENDINGS", "FIRST_SEAT", "TURN_UNIT", "move_position", "moves_answer",
     "perft_state", "sweep_values"), "whole_games",
)
"""Name -> module that is loaded when the name is first used."""

POLICIES = "greedy,random"
"""Who plays simulated games unless told otherwise."""

SWEPT = "players,starvation,dice_gift,resource_supply"
"""For the help: options to sweep over."""

TYPED_MOVES = ('"place forest 3" "place hut"', 'tools 1,1;tools none')
"""For the help: moves made one after the other, and moves compared."""

__all__ = [
    "BLANK", "DRAWN", "ENDINGS", "FIRST_SEAT", "POLICIES", "SWEPT", "TURN_UNIT", "TYPED_MOVES",
    "Card", "Final", "InputError", "Player", "Position", "Rules", "SplitQuestion", "Tile", "card",
    "cards", "check", "check_answer", "editions", "examine", "fewest_people", "final",
    "final_answer", "format_code", "format_line", "format_position", "gift_answer",
    "gift_shares", "load", "make_answer", "make_move", "move_position", "moves_answer", "new",
    "parse_code", "parse_codes", "parse_move", "pay_answer", "people_answer", "perft_state",
    "report_answers", "rules_assumptions", "search_state", "show_answer", "split", "split_answer",
    "sweep_values", "table", "table_answer", "tile", "tiles", "to_state", "yield_answer", "yields",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The names of `_LAZY`."""
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
