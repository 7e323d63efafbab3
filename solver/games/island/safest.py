"""Forbidden Island: the safest actions of a turn, proven.

Minimised is the chance of having lost by the end of this turn's flood phase: over all actions of
the seat to move and all Helicopter Lifts that take it along before the draw, over the best use of
the special cards once after the treasure cards are drawn (drawn ones too), and over all swims.
Sandbags before the draw, and lifts of others, can as well wait until after it, unless the treasure
pile runs out in the draw (`last_cards`).  Where the turn's actions and lifts can win the game, the
chance is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import msgspec

from oddsmith.kernels.island_safest import reachable
from oddsmith.solver.answer import Answer, Block, Table, Text
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.flood_losses import Before, FloodLosses
from oddsmith.solver.games.island.last_cards import Closing, LastCards, Moves
from oddsmith.solver.games.island.odds import odds
from oddsmith.solver.games.island.pictures import island_map, next_draw, percent
from oddsmith.solver.games.island.position import Position, format_position
from oddsmith.solver.games.island.questions import make_answer
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.treasure_draw import LIFT, SANDBAGS, Law, cards, draw_chances
from oddsmith.solver.odds import format_fraction

if TYPE_CHECKING:
    from oddsmith.kernels.island_safest import Key

MOST_STATES = 400_000
"""States that are looked at; some 100,000 a second."""

MOST_LOOKS = 400
"""Of the islands that the least chance leaves, so many are looked at one turn further."""

MOST_WAYS = 12
"""Of those, so many are told."""


class Way(msgspec.Struct, frozen=True):
    """Moves that lead to a state with the least chance of losing.

    Args:
        moves: as typed, in order; none: end the actions at once.
        p_lost_next: chance of a tile loss by the end of the next player's turn, nobody acting from
            the state on.
        p_skull_next: the same for the skull.
    """

    moves: tuple[str, ...]
    p_lost_next: Fraction
    p_skull_next: Fraction


class Safest(msgspec.Struct, frozen=True):
    """The least chance of having lost by the end of the turn's flood phase.

    Args:
        p_loss: the least chance.
        p_idle: the chance if the seat to move does nothing (specials are used best); None where
            the game can be won.
        n_states: states looked at.
        n_best: how many of them reach the least chance.
        ways: to different islands among those, the least chance of loss next turn first.
    """

    p_loss: Fraction
    p_idle: Fraction | None
    n_states: int
    n_best: int
    ways: tuple[Way, ...]


def safest(position: Position) -> Safest:
    """The safest actions for the rest of the turn.

    Args:
        position: in the phase of actions.

    Raises:
        InputError: another phase.
        TooLarge: more than MOST_STATES states, or several Helicopter Lifts to be played before a
            draw that the treasure pile is too small for; never with at most 1 Lift and 2 Sandbags
            in all hands.
    """
    if position.phase != "actions":
        raise InputError(f"the phase is {position.phase}", why="the question is for actions",
                         hint="`odds` answers it for any phase if nobody acts")
    table, state = engine.table(position.rules), engine.to_state(position)
    runs_out = sum(position.treasure_pile) < DRAWS
    reached = reachable(table, state, MOST_STATES, runs_out)
    if reached is None:
        raise _too_large(_unaided(position))
    if reached[1]:
        return _won(position, reached[0])
    return (_with_cards if runs_out else _without_cards)(position, reached[0])


def _without_cards(position: Position, reached: Mapping[Key, Moves]) -> Safest:
    """Where nothing done before the draw changes it: special cards wait until after it."""
    law = _law(position)
    weight = lcm(*(p.denominator for _, p in law))
    losses = FloodLosses(position, (drawn.rises for drawn, _ in law))
    sandbags = sum(player.hand[SANDBAGS] for player in position.players)
    chances: dict[tuple[Before, int], int] = {}
    first: dict[tuple[Before, int], Moves] = {}
    try:
        for (flooded, pawns, captured, _, flown, lifts, _), moves in reached.items():
            end = Before(flooded, pawns, captured, flown * losses.flights_matter), lifts
            if end not in chances:
                first[end] = moves
                chances[end] = sum(
                    int(p * weight) * losses.least(drawn.rises, end[0], lifts + drawn.lifts,
                                                   sandbags + drawn.sandbags) for drawn, p in law)
    except OverflowError:
        # Each state looked at is a bound, as it can be reached; so is using no special card.
        least = min([Fraction(one, losses.scale * weight) for one in chances.values()], default=1)
        raise _too_large(min(least, _unaided(position))) from None
    whole, least = losses.scale * weight, min(chances.values())
    best = [end for end, p in chances.items() if p == least]
    islands: dict[tuple[int, int], Moves] = {}      # the shortest way to each
    for end in best:
        islands.setdefault((end[0].flooded, end[0].captured), first[end])
    return Safest(Fraction(least, whole), Fraction(next(iter(chances.values())), whole),
                  len(chances), len(best), _ways(position, list(islands.values())[:MOST_LOOKS]))


def _with_cards(position: Position, reached: Mapping[Key, Moves]) -> Safest:
    """Where the treasure pile runs out in the draw: what is discarded before it counts."""
    try:
        last = LastCards(position, reached)
        found = last.least()
    except OverflowError:
        raise _too_large(_unaided(position)) from None
    if found.is_bound:
        raise _too_large(Fraction(found.least, found.whole))
    islands: dict[tuple[int, int], tuple[Moves, Closing]] = {}
    for (before, _), (moves, closing) in found.best.items():
        dry = before.flooded & ~sum(1 << space for space in closing.spaces)
        islands.setdefault((dry, before.captured), (moves, closing))
    ways = [last.moves(*way) for way in list(islands.values())[:MOST_LOOKS]]
    return Safest(Fraction(found.least, found.whole), Fraction(found.idle, found.whole),
                  found.n_states, len(found.best), _ways(position, ways))


def _won(position: Position, reached: Mapping[Any, tuple[int, ...]]) -> Safest:
    """The last of the states reached can be left by winning the game."""
    after, texts = position, []
    for code in list(reached.values())[-1]:
        texts.append(engine.format_move(after, code))
        after = engine.make_move(after, code)
    win = next(code for code in engine.legal_codes(after) if code & 0xFF == engine.WIN)
    nothing = Fraction(0)
    way = Way((*texts, engine.format_move(after, win)), nothing, nothing)
    return Safest(nothing, None, len(reached), 1, (way,))


def _too_large(bound: Fraction) -> TooLarge:
    return TooLarge(
        "the safest actions", estimate="too many states to look at; the least chance is at most "
        f"{percent(bound, 4)}",
        hint="always answered with at most 1 Helicopter Lift and 2 Sandbags in all hands",
    )


def _unaided(position: Position) -> Fraction:
    """The chance of doing nothing, no special card used; 1 where the flood phase is too long."""
    fields = engine.table(position.rules).unpack(engine.to_state(position))
    pawns = sum(space << (8 * seat) for seat, space in enumerate(fields["pawns"]))
    before = Before(fields["flooded"], pawns, fields["captured"], fields["flights"])
    law = _law(position)
    try:
        losses = FloodLosses(position, (drawn.rises for drawn, _ in law))
        return sum((p * Fraction(losses.least(drawn.rises, before, 0, 0), losses.scale)
                    for drawn, p in law), Fraction(0))
    except OverflowError:
        return Fraction(1)


def _law(position: Position) -> Law:
    """What may be drawn if nothing is discarded before."""
    hand = position.players[position.to_move].hand
    return draw_chances(position.rules, cards(position.treasure_pile),
                        cards(position.treasure_discard), sum(hand), sum(hand[:LIFT]))


def _ways(position: Position, best: Sequence[tuple[int, ...]]) -> tuple[Way, ...]:
    """Ways to the least chance, those first that leave least for the next turn."""
    ways = []
    for moves in best:
        after = position
        for code in moves:
            after = engine.make_move(after, code)
        ahead = odds(after, 2)
        ways.append(Way(tuple(engine.format_move(position, code) for code in moves),
                        ahead.p_lost[1], ahead.p_skull[1]))
    ways.sort(key=lambda way: (way.p_lost_next, way.p_skull_next, len(way.moves)))
    return tuple(ways[:MOST_WAYS])


def safest_answer(position: Position, command: str = "") -> Answer:
    """The safest actions of a position."""
    found = safest(position)
    value = {
        "p_loss": format_fraction(found.p_loss),
        "p_idle": None if found.p_idle is None else format_fraction(found.p_idle),
        "n_states": found.n_states, "n_best": found.n_best,
        "ways": [{"moves": list(way.moves), "p_lost_next": format_fraction(way.p_lost_next),
                  "p_skull_next": format_fraction(way.p_skull_next)} for way in found.ways],
    }
    rows = tuple((str(k), "; ".join(way.moves) or "do nothing", percent(way.p_lost_next),
                  percent(way.p_skull_next)) for k, way in enumerate(found.ways, 1))
    more = found.n_best - len(found.ways)
    chances = [("with the safest actions", percent(found.p_loss, 4))]
    if found.p_idle is not None:
        chances.append(("if the seat to move does nothing", percent(found.p_idle, 4)))
    blocks: list[Block] = [
        Table(("chance of having lost", ""), tuple(chances), title="By the end of this turn",
              numeric=(1,), marked=(0,)),
        Table(("", "actions", "tile loss by next turn", "skull by next turn"), rows,
              title="Ways to the least chance", numeric=(0, 2, 3),
              note=f"{more:,} more states reach it." if more else ""),
        Text(body="Next turn: the chance by the end of the next player's turn if nobody acts from "
             "there on, specials unused and pawns ignored."),
        island_map(position, next_draw(position), "chance to be among the next flood cards"),
    ]
    return make_answer(
        "safest", f"Least chance of losing this turn: {percent(found.p_loss)}", value,
        position.rules,
        method=f"all {found.n_states:,} states that actions can lead to, merged",
        assumptions=(
            "optimised: actions of the player to move and Helicopter Lifts that take his pawn "
            "along before the draw; Sandbags and lifts once after the treasure draw, drawn ones "
            "included; swims; rescue by Helicopter Lift if lift_rescue allows it",
            "nobody has to discard a special card for the hand limit",
        ),
        inputs={"position": format_position(position)}, blocks=tuple(blocks), command=command,
    )
