"""Counting lines of play: the same question about every game table, a check of its rules."""

from __future__ import annotations

from typing import Any

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.errors import TooLarge

MOST_LINES = 3_000_000
"""Positions whose moves perft will count: half a minute."""


def perft_answer(game: Any, position: Any, depth: int, command: str = "") -> Answer:
    """The number of lines of moves and outcomes of some depth.

    Args:
        game: the package of the game; its `perft_state` refuses a position with unknown cards.
        position: where the lines begin.
        depth: moves and outcomes of a line, 1 or more.
        command: as typed.

    Raises:
        InputError: a card is unknown.
        TooLarge: more than MOST_LINES positions would have to be looked into.
    """
    table, state = game.table(position.rules), game.perft_state(position)
    rows, value, lines = [], [], 1
    for so_deep in range(1, depth + 1):
        if lines > MOST_LINES:
            raise TooLarge(
                f"perft to depth {depth}", estimate=f"{lines:,} positions at depth {so_deep - 1} "
                "to be looked into, some 100,000 a second", hint=f"--depth {so_deep - 1}",
            )
        lines, weighted = table.perft(state, so_deep)
        rows.append((str(so_deep), str(lines), str(weighted)))
        value.append({"depth": so_deep, "lines": lines, "weighted": weighted})
    answer: Answer = game.make_answer(
        "perft", f"Lines to depth {depth}", value, position.rules,
        method="all moves and outcomes; weighted: times the outcomes' weights",
        blocks=(Table(("depth", "lines", "weighted"), tuple(rows), numeric=(0, 1, 2)),),
        command=command,
    )
    return answer
