"""Forbidden Island: the least chance of losing in a flood phase, by Waters Rise! drawn before."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import NamedTuple

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.position import Position

ALL_TREASURES = 0xF


class Before(NamedTuple):
    """An island before its flood phase.

    Args:
        flooded: spaces.
        pawns: their spaces, one byte a seat.
        captured: set of treasures.
        flown: flights of this turn, where they matter for swimming.
    """

    flooded: int
    pawns: int
    captured: int
    flown: int


class FloodLosses:
    """The flood phases of a turn.

    Args:
        position: for what the actions don't change.
        rises: numbers of Waters Rise! that may be drawn.

    Attributes:
        scale: what the chances are numerators over.

    Raises:
        OverflowError: a phase has too many flood cards; from `least`: too many situations.
    """

    def __init__(self, position: Position, rises: Iterable[int]) -> None:
        state = engine.to_state(position)
        self._rules = position.rules
        self._landing = position.island.space("fools_landing")
        self._phases = {n: _phase(position, state, n) for n in sorted(set(rises))}
        self.scale = lcm(*(one.denominator for one in self._phases.values() if one))
        self.flights_matter = not position.rules.pilot_swim_free

    def least(self, rises: int, before: Before, lifts: int, sandbags: int) -> int:
        """The least chance of losing behind so many Waters Rise!, specials used best.

        Where they can win the game it is 0.
        """
        phase = self._phases[rises]
        if phase is None:
            return self.scale
        if before.captured == ALL_TREASURES and self._lifts_to_win(before) <= lifts:
            return 0
        return self.scale // phase.denominator * phase.least_loss(*before, lifts, sandbags)

    def _lifts_to_win(self, before: Before) -> int:
        """Helicopter Lifts that bring all pawns to Fools' Landing, and the last one."""
        spaces = {before.pawns >> (8 * seat) & 0xFF for seat in range(self._rules.players)}
        spaces.discard(self._landing)
        return 1 + (len(spaces) if self._rules.lift_from == "one_tile" else bool(spaces))

    def useful(self, before: Before) -> int:
        """Flooded spaces on which Sandbags may lower one of the chances."""
        useful = 0
        for phase in self._phases.values():
            if phase:
                useful |= phase.useful(*before)
        return useful


def _phase(position: Position, state: bytes, rises: int) -> FloodPhase | None:
    """The flood phase after so many Waters Rise!; None behind the skull."""
    rules, fields = position.rules, engine.table(position.rules).unpack(state)
    mark = fields["mark"] + rises
    if mark >= len(rules.water_meter):
        return None
    pile, discard = list(fields["pile"]), fields["discard"]
    if rises and discard:
        pile = [sum(pile) | discard] if rules.rise_shuffle == "whole_pile" else [*pile, discard]
        discard = 0
    return FloodPhase(engine.table(rules), state, pile, discard, rules.water_meter[mark])
