"""Forbidden Island: the safest actions of a turn, proven.

Minimised is the chance of having lost by the end of this turn's flood phase: over all actions of
the seat to move and all Helicopter Lifts that take it along before the draw, over the best use of
the special cards once after the treasure cards are drawn (drawn ones too), and over all swims.
Sandbags before the draw, and lifts of others, can as well wait until after it, unless the treasure
pile runs out in the draw (`last_cards`).  Where the turn's actions and lifts can win the game, the
chance is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, lcm

import msgspec

from oddsmith.kernels.island_safest import Reachable
from oddsmith.solver.answer import Answer, Block, Table, Text
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.flood_losses import Before, FloodLosses, what_matters
from oddsmith.solver.games.island.last_cards import LastCards, Moves, Play
from oddsmith.solver.games.island.odds import odds
from oddsmith.solver.games.island.pictures import island_map, next_draw, percent
from oddsmith.solver.games.island.position import Position, format_position, tiles_of
from oddsmith.solver.games.island.questions import make_answer, rules_assumptions
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.rules import TREASURES
from oddsmith.solver.games.island.treasure_draw import LIFT, SANDBAGS, Law, cards, draw_chances
from oddsmith.solver.odds import format_fraction

MOST_STATES = 2_000_000
"""States that are looked at; some 200,000 a second."""

MOST_LOOKS = 400
"""Of the islands that the least chance leaves, so many are looked at one turn further: those with
the fewest flooded tiles that a loss hangs on."""

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
            the game can be won, or several Lifts before the draw, which are not tried, might
            lower it.
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
            draw that the treasure pile is too small for; with at most 1 Lift and 2 Sandbags in all
            hands it is not known to happen.
    """
    if position.phase != "actions":
        raise InputError(f"the phase is {position.phase}", why="the question is for actions",
                         hint="`odds` answers it for any phase if nobody acts")
    table, state = engine.table(position.rules), engine.to_state(position)
    runs_out = _runs_out(position)
    reached = Reachable(table, state, MOST_STATES, *what_matters(position), runs_out)
    if reached.won:
        return _won(position, reached)
    if not reached.complete:
        raise _too_large(_bound(position))
    try:
        return (_with_cards if runs_out else _without_cards)(position, reached)
    except OverflowError:
        raise _too_large(_bound(position)) from None


def _runs_out(position: Position) -> bool:
    """Whether the treasure pile is too small for this turn's draw."""
    return sum(position.treasure_pile) < DRAWS


def _without_cards(position: Position, reached: Reachable) -> Safest:
    """Where nothing done before the draw changes it: special cards wait until after it."""
    law = _law(position)
    weight = lcm(*(p.denominator for _, p in law))
    losses = FloodLosses(position, (drawn.rises for drawn, _ in law))
    sandbags = sum(player.hand[SANDBAGS] for player in position.players)
    drawn = [one for one, _ in law]
    asked = {held: (held[0], [(one.rises, held[0] + one.lifts, sandbags + one.sandbags)
                              for one in drawn], len(law)) for held in reached.hands()}
    ends = losses.of_states(reached, asked, {group: drawn for group, _, _ in asked.values()})
    chances = {end: sum(int(p * weight) * loss for (_, p), loss in zip(law, end[1], strict=True))
               for end in ends}
    whole, least = losses.scale * weight, min(chances.values())
    best = sorted(state for end, states in ends.items() if chances[end] == least
                  for state in states)
    islands: dict[tuple[int, int], int] = {}      # the shortest way to each
    for state in best:
        before = Before(*reached.island(state))
        islands.setdefault((before.flooded, before.captured), state)
    threats = _threats(position)
    first = sorted(islands, key=lambda island: threats(*island))[:MOST_LOOKS]
    ways = [reached.moves(islands[island]) for island in first]
    return Safest(Fraction(least, whole), Fraction(next(iter(chances.values())), whole),
                  sum(map(len, ends.values())), len(best), _ways(position, ways))


def _with_cards(position: Position, reached: Reachable) -> Safest:
    """Where the treasure pile runs out in the draw: what is discarded before it counts."""
    last = LastCards(position, reached)
    found = last.least()
    if found.is_bound:
        raise _too_large(Fraction(found.least, found.whole))
    endings: dict[tuple[int, int, Play], tuple[int, int, Play]] = {}
    for state, (group, play) in found.best.items():
        before = Before(*reached.island(state))
        endings.setdefault((before.flooded, before.captured, play), (state, group, play))
    threats = _threats(position)
    islands: dict[tuple[int, int], Moves] = {}
    for flooded, captured, play in sorted(
            endings, key=lambda end: threats(*end[:2]) - end[2].sandbags)[:MOST_LOOKS]:
        ending = endings[flooded, captured, play]
        closing = last.closing(*ending)
        dry = flooded & ~sum(1 << space for space in closing.spaces)
        islands.setdefault((dry, captured), last.moves(ending[0], closing))
    ways = list(islands.values())
    idle = None if found.idle is None else Fraction(found.idle, found.whole)
    return Safest(Fraction(found.least, found.whole), idle, found.n_states, len(found.best),
                  _ways(position, ways))


def _threats(position: Position) -> Callable[[int, int], int]:
    """How many flooded tiles of an island a loss hangs on, by what is flooded and captured."""
    mask = position.island.mask
    landing = mask(("fools_landing",))
    pairs = [mask(tiles_of(treasure)) for treasure in TREASURES]

    def threats(flooded: int, captured: int) -> int:
        vital = landing
        for k, pair in enumerate(pairs):
            if not captured >> k & 1:
                vital |= pair
        return (flooded & vital).bit_count()

    return threats


def _won(position: Position, reached: Reachable) -> Safest:
    """The last of the states reached can be left by winning the game."""
    after, texts = position, []
    for code in reached.moves(len(reached) - 1):
        texts.append(engine.format_move(after, code))
        after = engine.make_move(after, code)
    win = next(code for code in engine.legal_codes(after) if code & 0xFF == engine.WIN)
    nothing = Fraction(0)
    way = Way((*texts, engine.format_move(after, win)), nothing, nothing)
    return Safest(nothing, None, len(reached), 1, (way,))


def _too_large(bound: Fraction) -> TooLarge:
    digits = Fraction(ceil(bound * 10**6), 10**6)      # an upper bound is rounded up
    return TooLarge(
        "the safest actions", estimate="too many states to look at; the least chance is at most "
        f"{percent(digits, 4)}",
        hint="with fewer special cards or actions it can be told",
    )


def _bound(position: Position) -> Fraction:
    """The least chance if nothing is done before the draw, as far as it can be told."""
    fields = engine.table(position.rules).unpack(engine.to_state(position))
    pawns = sum(space << (8 * seat) for seat, space in enumerate(fields["pawns"]))
    before = Before(fields["flooded"], pawns, fields["captured"], fields["flights"])
    law = _law(position)
    lifts, sandbags = (sum(player.hand[kind] for player in position.players)
                       for kind in (LIFT, SANDBAGS))
    least = Fraction(1)
    for held_lifts, held_sandbags in ((0, 0), (0, sandbags), (lifts, 0), (lifts, sandbags)):
        with suppress(OverflowError):
            losses = FloodLosses(position, (drawn.rises for drawn, _ in law))
            least = min(least, sum((p * Fraction(losses.least(
                drawn.rises, before, held_lifts, held_sandbags), losses.scale)
                for drawn, p in law), Fraction(0)))
    return least


def _law(position: Position) -> Law:
    """What may be drawn if nothing is discarded before."""
    hand = position.players[position.to_move].hand
    return draw_chances(position.rules, cards(position.treasure_pile),
                        cards(position.treasure_discard), sum(hand), sum(hand[:LIFT]))


def _ways(position: Position, best: Sequence[tuple[int, ...]]) -> tuple[Way, ...]:
    """Ways to the least chance, those first that leave least for the next turn."""
    ways, table, start = [], engine.table(position.rules), engine.to_state(position)
    for moves in best:
        state = start
        for code in moves:
            state = table.apply_unchecked(state, code)
        ahead = odds(engine.from_state(position.rules, state, position.players), 2)
        ways.append(Way(tuple(engine.format_move(position, code) for code in moves),
                        ahead.p_lost[1], ahead.p_skull[1]))
    ways.sort(key=lambda way: (way.p_lost_next, way.p_skull_next, _cards_spent(way.moves),
                               len(way.moves)))
    return tuple(ways[:MOST_WAYS])


def _cards_spent(moves: Sequence[str]) -> int:
    """Special cards that are played or given up."""
    return sum(move.startswith(("lift", "sandbags", "discard")) for move in moves)


def _optimised(position: Position) -> tuple[str, ...]:
    """What the chance is the least over."""
    before = ("actions of the player to move, gifts and what is discarded for the hand limit "
              "included, and all special cards before the draw: the treasure pile runs out in it "
              "and discards come back"
              if _runs_out(position) else
              "actions of the player to move and Helicopter Lifts that take his pawn along before "
              "the draw (other special cards can as well wait)")
    return (
        f"optimised: {before}; Sandbags, lifts and a win once after the treasure draw, drawn "
        "cards included; swims; rescue by Helicopter Lift if lift_rescue allows it",
        "nobody has to discard a special card for the hand limit in the draw",
    )


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
        assumptions=(*_optimised(position), *rules_assumptions(position.rules)),
        inputs={"position": format_position(position)}, blocks=tuple(blocks), command=command,
    )
