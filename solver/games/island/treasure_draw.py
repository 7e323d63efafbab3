"""Forbidden Island: what the treasure cards of a turn may bring.

Treasure cards are alike here: what counts are Waters Rise!, Helicopter Lifts and Sandbags.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.rules import Rules

LIFT, SANDBAGS, RISE = 4, 5, 6
"""Kinds of treasure cards, after the four treasures."""


class Cards(NamedTuple):
    """Treasure cards by what they do."""

    treasures: int
    lifts: int
    sandbags: int
    rises: int


class Drawn(NamedTuple):
    """What is among the cards drawn."""

    rises: int
    lifts: int
    sandbags: int


Law = tuple[tuple[Drawn, Fraction], ...]
"""The chances of all that may be drawn."""

NONE = Cards(0, 0, 0, 0)
ONE_TREASURE = Cards(1, 0, 0, 0)


def cards(by_kind: Sequence[int]) -> Cards:
    """Cards counted by their seven kinds."""
    return Cards(sum(by_kind[:LIFT]), by_kind[LIFT], by_kind[SANDBAGS], by_kind[RISE])


@lru_cache(maxsize=1 << 16)
def draw_chances(rules: Rules, pile: Cards, used: Cards, held: int, spare: int) -> Law:
    """What the cards of a turn may bring, drawn by a seat that discards no special card.

    Args:
        pile, used: treasure pile and discard as the draw begins.
        held: cards in the hand of the seat that draws.
        spare: the treasure cards among them: it may have to discard one between the draws.
    """
    found: dict[Drawn, Fraction] = defaultdict(Fraction)

    def draw(pile: Cards, used: Cards, held: int, spare: int, left: int, got: Drawn,
             p: Fraction) -> None:
        if not any(pile):
            pile, used = used, NONE
        if left == 0 or not any(pile):
            found[got] += p
            return
        for kind, n in enumerate(pile):
            if n == 0:
                continue
            one = Cards(*(int(k == kind) for k in range(len(pile))))
            rest, gone = _less(pile, one), _plus(used, Cards(0, 0, 0, one.rises))
            if rules.treasure_reshuffle == "at_once" and not any(rest):
                rest, gone = gone, NONE
            now_held, now_spare = held + 1 - one.rises, spare + one.treasures
            if rules.hand_limit_between_draws and now_held > rules.hand_limit and now_spare:
                now_held, now_spare, gone = now_held - 1, now_spare - 1, _plus(gone, ONE_TREASURE)
            more = Drawn(got.rises + one.rises, got.lifts + one.lifts, got.sandbags + one.sandbags)
            draw(rest, gone, now_held, now_spare, left - 1, more, p * n / sum(pile))

    draw(pile, used, held, spare, DRAWS, Drawn(0, 0, 0), Fraction(1))
    return tuple(sorted(found.items()))


def _plus(some: Cards, more: Cards) -> Cards:
    return Cards(*(a + b for a, b in zip(some, more, strict=True)))


def _less(some: Cards, fewer: Cards) -> Cards:
    return Cards(*(a - b for a, b in zip(some, fewer, strict=True)))
