"""Forbidden Island: the least chance of losing in a flood phase, by Waters Rise! drawn before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.kernels.island_safest import Reachable
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.treasure_draw import Drawn

ALL_TREASURES = 0xF


class Before(NamedTuple):
    """An island before its flood phase.

    Args:
        flooded: spaces.
        pawns: their spaces, one byte a seat.
        captured: set of treasures.
        flown: flights of this turn.
    """

    flooded: int
    pawns: int
    captured: int
    flown: int


Held = tuple[int, tuple[int, ...], int, int, bool]
"""The cards of a state, as `Reachable.hands` tells them."""

Asked = tuple[int, list[tuple[int, int, int]], int]
"""What `Reachable.losses` asks of states with such cards."""

Losses = tuple[int, ...]
"""Least chances by what is drawn, as numerators."""


class FloodLosses:
    """The flood phases of a turn.

    Args:
        position: for what the actions don't change.
        rises: numbers of Waters Rise! that may be drawn.

    Attributes:
        scale: what the chances are numerators over.

    Raises:
        OverflowError: a phase has too many flood cards; from its methods: too many situations.
    """

    def __init__(self, position: Position, rises: Iterable[int]) -> None:
        state, wanted = engine.to_state(position), set(rises)
        self._phases = [_phase(position, state, n) if n in wanted else None
                        for n in range(max(wanted) + 1)]
        self.scale = lcm(*(one.denominator for one in self._phases if one))
        self._factors = [self.scale // one.denominator if one else 0 for one in self._phases]
        self._flights_matter = not position.rules.pilot_swim_free

    def least(self, rises: int, before: Before, lifts: int, sandbags: int) -> int:
        """The least chance of losing behind so many Waters Rise!, specials used best.

        Where they can win the game it is 0.
        """
        phase = self._phases[rises]
        if phase is None:
            return self.scale
        return self._factors[rises] * phase.least_loss(*before, lifts, sandbags)

    def of_states(self, reached: Reachable, asked: Mapping[Held, Asked],
                  drawn: Mapping[int, Sequence[Drawn]]) -> dict[tuple[int, Losses], list[int]]:
        """States by their group and the least chances, the actions left forgotten.

        Args:
            asked: as in `Reachable.losses`.
            drawn: by group: what is drawn with each of its questions.
        """
        found: dict[tuple[int, Losses], list[int]] = {}
        for (group, *values), states in reached.losses(self._phases, dict(asked),
                                                       self._flights_matter).items():
            assert group is not None
            lose = tuple(self.scale if value is None else self._factors[one.rises] * value
                         for value, one in zip(values, drawn[group], strict=True))
            found[group, lose] = states
        return found

    def signature(self, before: Before) -> tuple[tuple[int, int], ...]:
        """Islands of one signature are alike in all phases (see `FloodPhase.signature`)."""
        return tuple(phase.signature(*before) for phase in self._phases if phase)

    def useful(self, before: Before) -> int:
        """Flooded spaces on which Sandbags may lower one of the chances."""
        useful = 0
        for phase in self._phases:
            if phase:
                useful |= phase.useful(*before)
        return useful


def what_matters(position: Position) -> tuple[int, int]:
    """Spaces where some pawn may be in danger in this turn's flood phase, and those to shore up.

    All spaces where a phase is too long to tell.
    """
    state = engine.to_state(position)
    fields = engine.table(position.rules).unpack(state)
    risky = shored = 0
    for rises in range(min(DRAWS, position.rules.waters_rise) + 1):
        try:
            phase = _phase(position, state, rises)
        except OverflowError:
            return fields["in_play"], fields["in_play"]
        if phase:
            more = phase.matter(fields["flooded"], fields["captured"])
            risky, shored = risky | more[0], shored | more[1]
    return risky, shored


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
