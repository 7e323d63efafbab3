"""Forbidden Island: the chance to lose Fools' Landing on turn 1.

The first player does everything to shore it up.  It is lost if it is flooded in the set-up, out of
his reach, nobody was dealt a special card, Waters Rise! brings its card back, and it is drawn;
Sandbags drawn in the turn save it, too.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.island.pictures import percent
from oddsmith.solver.games.island.questions import make_answer
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.rules import (
    CARDS,
    SEATS,
    SPACES,
    START_CARDS,
    Rules,
    compiled,
    roles,
)
from oddsmith.solver.odds import format_fraction

LEVELS = ("novice", "normal", "elite", "legendary")


class FirstTurn(msgspec.Struct, frozen=True):
    """Chances of the first turn.

    Args:
        out_of_reach: by role, that the first player can't shore up Fools' Landing, given that it is
            flooded.
        p_out_of_reach: the mean over the roles that he can have.
        p_lost: by (players, difficulty), that Fools' Landing is lost on turn 1.
    """

    out_of_reach: dict[str, Fraction]
    p_out_of_reach: Fraction
    p_lost: dict[tuple[int, str], Fraction]


def first_turn(rules: Rules) -> FirstTurn:
    """The chances of the first turn; players and difficulty of the rules are ignored.

    Raises:
        InputError: so many tiles are flooded at first that the flood pile can run out in turn 1, or
            there are so few treasure cards that 4 players can't be dealt them or their pile can.
    """
    flooded = rules.initial_flood
    if not 1 <= flooded <= SPACES - max(rules.water_meter):
        raise InputError(
            f"initial_flood can't be {flooded} for this question",
            why="Fools' Landing must have been flooded and the flood pile must outlast turn 1",
        )
    cards, dealt = sum(rules.card_counts), START_CARDS * SEATS
    if cards - rules.waters_rise < dealt or cards < dealt + DRAWS:
        raise InputError(
            f"{cards} treasure cards are too few for this question",
            why=f"4 players are dealt {dealt} of them, Waters Rise! not among them, and {DRAWS} "
            "are drawn in turn 1",
        )
    kernel = compiled(rules)
    out = {
        role.id: Fraction(0) if role.id == "pilot"
        else Fraction(*kernel.out_of_reach(number, flooded))
        for number, role in enumerate(roles())
    }
    mean = sum(out.values(), Fraction(0)) / len(out)
    if rules.roles != "random":
        mean = out[rules.roles[0]]
    return FirstTurn(out, mean, {
        (players, level): Fraction(flooded, SPACES) * mean * _not_saved(rules, players, level)
        for players in (2, 3, 4) for level in LEVELS
    })


def _not_saved(rules: Rules, players: int, level: str) -> Fraction:
    """The chance that no special card helps and the cards drawn sink a flooded tile."""
    counts = dict(zip(CARDS, rules.card_counts, strict=True))
    rises, sandbags = counts["waters_rise"], counts["sandbags"]
    dealt = START_CARDS * players
    plain = sum(counts.values()) - rises
    special = sandbags + counts["helicopter_lift"]
    none_dealt = Fraction(comb(plain - special, dealt), comb(plain, dealt))
    left = plain - dealt + rises
    pairs = comb(left, 2)
    mark = Rules(difficulty=level).start_level if rules.water_level is None else rules.water_level  # type: ignore[arg-type]
    block = SPACES if rules.rise_shuffle == "whole_pile" else rules.initial_flood

    def drawn(mark: int) -> Fraction:
        """The chance of a card of the shuffled discard to be drawn; behind the skull nothing is."""
        if mark > len(rules.water_meter):
            return Fraction(0)
        return min(Fraction(1), Fraction(rules.water_meter[mark - 1], block))

    once = Fraction(rises * (left - rises - sandbags), pairs) * drawn(mark + 1)
    twice = Fraction(comb(rises, 2), pairs) * drawn(mark + 2)
    return none_dealt * (once + twice)


def first_turn_answer(rules: Rules, command: str = "") -> Answer:
    """The table of players and levels, and the reach of each role."""
    found = first_turn(rules)
    value: dict[str, Any] = {
        "out_of_reach": {role: format_fraction(p) for role, p in found.out_of_reach.items()},
        "p_out_of_reach": format_fraction(found.p_out_of_reach),
        "p_lost": [{"players": players, "difficulty": level, "p": format_fraction(p)}
                   for (players, level), p in found.p_lost.items()],
    }
    rows = tuple(
        (str(players), *(percent(found.p_lost[players, level], 4) for level in LEVELS))
        for players in (2, 3, 4)
    )
    return make_answer(
        "first-turn", "Losing Fools' Landing on turn 1", value, rules,
        method="every set-up of Fools' Landing, the first player's start tile and the flooded "
        "tiles counted; cards by their numbers",
        assumptions=("the first player does everything to shore up Fools' Landing",
                     "a special card dealt to anybody, or Sandbags drawn, saves it"),
        blocks=(
            Table(("players", *LEVELS), rows, title="Chance to lose it", numeric=(0, 1, 2, 3, 4)),
            Table(("role of the first player", "chance"),
                  tuple((role, percent(p)) for role, p in found.out_of_reach.items()),
                  title="Fools' Landing flooded: out of reach", numeric=(1,)),
        ), command=command,
    )
