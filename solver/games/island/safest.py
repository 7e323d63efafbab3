"""Forbidden Island: the safest actions of a turn, proven.

Minimised is the chance of having lost by the end of this turn's flood phase: over all actions of
the seat to move and all Helicopter Lifts that take it along before the draw, over the best use of
the special cards once after the treasure cards are drawn (drawn ones too), and over all swims.
Sandbags before the draw, and lifts of others, can as well wait until after it.  Where the turn's
actions and lifts can win the game, the chance is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import msgspec

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.kernels.island_safest import reachable
from oddsmith.solver.answer import Answer, Block, Table, Text
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.odds import odds
from oddsmith.solver.games.island.pictures import island_map, next_draw, percent
from oddsmith.solver.games.island.position import Position, format_position
from oddsmith.solver.games.island.questions import make_answer
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.rules import TREASURES
from oddsmith.solver.odds import format_fraction

MOST_STATES = 400_000
"""States that are looked at; some 100,000 a second."""

MOST_LOOKS = 400
"""Of the islands that the least chance leaves, so many are looked at one turn further."""

MOST_WAYS = 12
"""Of those, so many are told."""

LIFT, SANDBAGS, RISE = 4, 5, 6


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


def _discard_can_grow(position: Position) -> bool:
    """Whether a special card or a capture could add to the treasure discard before the draw."""
    needed = position.rules.cards_to_capture
    return any(
        player.hand[LIFT] or player.hand[SANDBAGS]
        or any(player.hand[kind] >= needed and treasure not in position.captured
               for kind, treasure in enumerate(TREASURES))
        for player in position.players
    )


def _draws(position: Position) -> dict[tuple[int, int, int], Fraction]:
    """Chances of (Waters Rise!, Helicopter Lifts, Sandbags) among the two cards drawn."""
    found: Counter[tuple[int, int, int]] = Counter()

    def draw(pile: tuple[int, ...], used: tuple[int, ...], left: int, got: tuple[int, int, int],
             p: Fraction) -> None:
        if not any(pile):
            pile, used = used, (0,) * len(used)
        total = sum(pile)
        if left == 0 or total == 0:
            found[got] += p  # type: ignore[assignment]
            return
        for kind, n in enumerate(pile):
            if n:
                rest = (*pile[:kind], n - 1, *pile[kind + 1 :])
                gone = used if kind != RISE else (*used[:RISE], used[RISE] + 1)
                more = (got[0] + (kind == RISE), got[1] + (kind == LIFT),
                        got[2] + (kind == SANDBAGS))
                draw(rest, gone, left - 1, more, p * n / total)

    draw(position.treasure_pile, position.treasure_discard, DRAWS, (0, 0, 0), Fraction(1))
    return dict(found)  # type: ignore[arg-type]


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


def safest(position: Position) -> Safest:
    """The safest actions for the rest of the turn.

    Args:
        position: in the phase of actions.

    Raises:
        InputError: another phase; a treasure pile that runs out in the draw after discards that
            can still change: it isn't covered.
        TooLarge: more than MOST_STATES states; always fewer with at most 1 Helicopter Lift.
    """
    if position.phase != "actions":
        raise InputError(f"the phase is {position.phase}", why="the question is for actions",
                         hint="`odds` answers it for any phase if nobody acts")
    table, state = engine.table(position.rules), engine.to_state(position)
    reached = reachable(table, state, MOST_STATES)
    if reached is not None and reached[1]:
        return _won(position, reached[0])
    if sum(position.treasure_pile) < DRAWS and _discard_can_grow(position):
        raise InputError(
            "the treasure pile runs out in this turn's draw",
            why="what is discarded before it would be drawn again, which is not covered",
            hint="`best` ranks the moves by search")
    outcomes = _draws(position)
    phases = {rises: _phase(position, state, rises) for rises, _, _ in outcomes}
    scale = lcm(*(phase.denominator for phase in phases.values() if phase is not None))
    weights = lcm(*(p.denominator for p in outcomes.values()))
    sandbags = sum(player.hand[SANDBAGS] for player in position.players)

    def chance_of(flooded: int, pawns: int, captured: int, flown: int, lifts: int,
                  aided: bool = True) -> int:
        """Over scale * weights; without aid no special card is used after the draw."""
        total = 0
        for (rises, drawn_lifts, drawn_sandbags), p in outcomes.items():
            phase, weight = phases[rises], p.numerator * (weights // p.denominator)
            if phase is None:
                total += weight * scale
            else:
                total += weight * (scale // phase.denominator) * phase.least_loss(
                    flooded, pawns, captured, flown, aided * (lifts + drawn_lifts),
                    aided * (sandbags + drawn_sandbags))
        return total

    if reached is None:
        raise _too_large(Fraction(_unaided(position, chance_of), scale * weights))
    chances: dict[tuple[int, int, int, int, int], int] = {}
    first: dict[tuple[int, int, int, int, int], tuple[int, ...]] = {}
    flights_matter = not position.rules.pilot_swim_free
    try:
        for (flooded, pawns, captured, _, flown, lifts), way in reached[0].items():
            merged = (flooded, pawns, captured, flown * flights_matter, lifts)
            if merged not in chances:
                chances[merged], first[merged] = chance_of(*merged), way
    except OverflowError:
        # Each state looked at is a bound, as it can be reached; so is using no special card.
        phases = {rises: _phase(position, state, rises) for rises, _, _ in outcomes}
        best_yet = min([_unaided(position, chance_of), *chances.values()])
        raise _too_large(Fraction(best_yet, scale * weights)) from None
    least = min(chances.values())
    best = [merged for merged, p in chances.items() if p == least]
    islands: dict[tuple[int, int], tuple[int, ...]] = {}      # the shortest way to each
    for merged in best:
        islands.setdefault((merged[0], merged[2]), first[merged])
    whole = scale * weights
    return Safest(Fraction(least, whole), Fraction(next(iter(chances.values())), whole),
                  len(chances), len(best), _ways(position, list(islands.values())[:MOST_LOOKS]))


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


def _unaided(position: Position, chance_of: Callable[..., int]) -> int:
    """The chance of doing nothing and using no special card."""
    fields = engine.table(position.rules).unpack(engine.to_state(position))
    pawns = sum(space << (8 * seat) for seat, space in enumerate(fields["pawns"]))
    return chance_of(fields["flooded"], pawns, fields["captured"], fields["flights"], 0, False)


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
