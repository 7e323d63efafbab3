"""Forbidden Island: when the waters rise if nobody acts, whatever the tiles do.

The treasure cards decide on each turn whether the flood discard comes on top, how many flood cards
follow, and whether the skull is reached; the tiles have no say in it.  So the treasure cards are
followed on their own, and states with the same future are made one class (backwards, from the last
turn), which leaves a handful a turn.  See docs/methods.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from oddsmith.solver.games.island.rules import Rules

SKULL = -1
DRAWS = 2
"""Treasure cards of a turn."""


class Draw(NamedTuple):
    """What the treasure cards of a turn may bring.

    Args:
        chance: of it.
        rise: whether a Waters Rise! is among them.
        then: a class of floods, or SKULL.
    """

    chance: Fraction
    rise: bool
    then: int


class Floods(NamedTuple):
    """The end of a turn.

    Args:
        cards: how many flood cards are drawn.
        then: the class of the next turn.
        most: no more flood cards than this are drawn in all turns after it.
        may_rise: whether a Waters Rise! may come in them.
    """

    cards: int
    then: int
    most: int
    may_rise: bool


class Turn(NamedTuple):
    """A turn: by class, what its treasure cards may bring; then its floods, by class.

    The first class of the first turn is where the island starts.
    """

    draws: tuple[tuple[Draw, ...], ...]
    floods: tuple[Floods, ...]


class Treasures(NamedTuple):
    """The treasure cards where order is unknown: pile and discard with the Waters Rise! among them.

    Args:
        hands: how many cards each seat holds.
        mark: of the water meter, from 0.
    """

    pile: int
    rises: int
    used: int
    used_rises: int
    hands: tuple[int, ...]
    mark: int


def turns_ahead(rules: Rules, start: Treasures, seat: int, due: int, floods: int | None,
                turns: int) -> tuple[list[Turn], list[Fraction]]:
    """The law of the next turns, and the chance that the skull is reached by the end of each.

    Args:
        seat: whose turn the first one is.
        due: treasure cards due in it.
        floods: flood cards due in it, if its treasure cards are drawn; else None.
        turns: how many, the first one included.
    """
    drawn: list[dict[Treasures, dict[Treasures, Fraction]]] = []
    risen: list[Fraction] = []
    now = {start: Fraction(1)}
    p_skull = Fraction(0)
    for turn in range(turns):
        n_draws = DRAWS if turn else due
        to_move = (seat + turn) % rules.players
        drawn.append({one: _draw(rules, one, to_move, n_draws) for one in now})
        after: dict[Treasures, Fraction] = {}
        for one, chance in now.items():
            for then, p in drawn[-1][one].items():
                if then.mark >= len(rules.water_meter):
                    p_skull += chance * p
                else:
                    kept = _forget(then, turns - turn - 1)
                    after[kept] = after.get(kept, Fraction(0)) + chance * p
        now = after
        risen.append(p_skull)
    return _classes(rules, drawn, floods, turns), risen


def _draw(rules: Rules, start: Treasures, seat: int, n_draws: int) -> dict[Treasures, Fraction]:
    """What one turn's treasure cards lead to; the skull ends it."""
    now = {start: Fraction(1)}
    for k in range(n_draws):
        after: dict[Treasures, Fraction] = {}
        for one, chance in now.items():
            for then, p in _card(rules, one, seat, k == n_draws - 1):
                after[then] = after.get(then, Fraction(0)) + chance * p
        now = after
    return now


def _card(rules: Rules, one: Treasures, seat: int,
          last: bool) -> list[tuple[Treasures, Fraction]]:
    """One treasure card."""
    if one.mark >= len(rules.water_meter):
        return [(one, Fraction(1))]
    if one.pile == 0:
        one = _made_anew(one)
    if one.pile == 0:                     # all cards are in the hands
        return [(_limited(rules, one, seat, last), Fraction(1))]
    found = []
    if one.rises:
        then = one._replace(pile=one.pile - 1, rises=one.rises - 1, used=one.used + 1,
                            used_rises=one.used_rises + 1, mark=one.mark + 1)
        found.append((then, Fraction(one.rises, one.pile)))
    if one.pile > one.rises:
        hands = tuple(n + (k == seat) for k, n in enumerate(one.hands))
        then = one._replace(pile=one.pile - 1, hands=hands)
        found.append((then, Fraction(one.pile - one.rises, one.pile)))
    if rules.treasure_reshuffle == "at_once":
        found = [(_made_anew(then) if then.pile == 0 else then, p) for then, p in found]
    return [(_limited(rules, then, seat, last), p) for then, p in found]


def _made_anew(one: Treasures) -> Treasures:
    return one._replace(pile=one.used, rises=one.used_rises, used=0, used_rises=0)


def _limited(rules: Rules, one: Treasures, seat: int, last: bool) -> Treasures:
    """Cards over the hand limit are discarded."""
    over = one.hands[seat] - rules.hand_limit
    if over <= 0 or not (last or rules.hand_limit_between_draws):
        return one
    hands = tuple(min(n, rules.hand_limit) if k == seat else n for k, n in enumerate(one.hands))
    return one._replace(hands=hands, used=one.used + over)


def _forget(one: Treasures, turns_left: int) -> Treasures:
    """Without what can't matter, as the pile will not be used up."""
    if one.pile > DRAWS * turns_left:
        return one._replace(used=0, used_rises=0, hands=(0,) * len(one.hands))
    return one


def _classes(rules: Rules, drawn: list[dict[Treasures, dict[Treasures, Fraction]]],
             floods: int | None, turns: int) -> list[Turn]:
    """States with the same future made one, from the last turn back."""
    law: list[Turn] = []
    class_of: dict[Treasures, int] | None = None      # of the turn behind; all alike at the end
    most, may_rise = [0], [False]                     # by class of the turn behind
    for turn in range(turns - 1, -1, -1):
        ends: dict[Floods, int] = {}
        ways: dict[tuple[Draw, ...], int] = {}
        now: dict[Treasures, int] = {}
        for one, leads in drawn[turn].items():
            chances: dict[tuple[bool, int], Fraction] = {}
            for then, p in leads.items():
                rise = then.mark > one.mark
                if then.mark >= len(rules.water_meter):
                    end = SKULL
                else:
                    cards = rules.water_meter[then.mark]
                    if turn == 0 and floods is not None:
                        cards = floods
                    behind = 0 if class_of is None else class_of[_forget(then, turns - turn - 1)]
                    end = ends.setdefault(
                        Floods(cards, behind, most[behind], may_rise[behind]), len(ends))
                chances[rise, end] = chances.get((rise, end), Fraction(0)) + p
            way = tuple(Draw(p, rise, end) for (rise, end), p in sorted(chances.items()))
            now[one] = ways.setdefault(way, len(ways))
        listed = tuple(ends)
        most = [max((listed[draw.then].cards + listed[draw.then].most for draw in way
                     if draw.then != SKULL), default=0) for way in ways]
        may_rise = [any(draw.rise or (draw.then != SKULL and listed[draw.then].may_rise)
                        for draw in way) for way in ways]
        law.append(Turn(tuple(ways), listed))
        class_of = now
    return law[::-1]
