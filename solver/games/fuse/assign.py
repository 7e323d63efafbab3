"""FUSE: which dice of a roll go where, which bomb to take, ranked by playouts on common dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from oddsmith.kernels.fuse_assign import pick_playouts, playouts
from oddsmith.solver.answer import Answer, Bars, Interval, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assignments import Assignment, Search
from oddsmith.solver.games.fuse.bombs import COLORS, NUMBERS
from oddsmith.solver.games.fuse.notation import format_dice, parse_dice
from oddsmith.solver.games.fuse.position import Position, format_position
from oddsmith.solver.games.fuse.progress import Progress
from oddsmith.solver.games.fuse.questions import make_answer, rules_assumptions
from oddsmith.solver.games.fuse.rules import compiled, deck_of
from oddsmith.solver.statistics import percent_range, wilson

SHOWN, SPARE = 20, 5
"""Assignments that are told; more that floats choose, before fractions put them in order."""

GAMES = 200
"""Playouts of each way, unless told otherwise."""

TRIED = 4
"""Games that choose among an assignment's orders and picks: a part of those that rank it."""

TAKES = 3
"""Bombs of the centre that are tried where one is filled, the easiest."""

THROWS = 2
"""Orders of the dice left over that are tried, the best by progress."""


class Found(NamedTuple):
    """An assignment, or a bomb to take, and how the games went.

    Args:
        moves: as typed.
        wins: of the games.
        number: what is exact: the progress, or the offers that a bomb needs.
        tried: orders and picks that were compared.
    """

    moves: list[str]
    wins: int
    number: Fraction
    tried: int


def with_roll(position: Position, roll: str) -> Position:
    """The position with these dice on the table, where the roll is due or lies there.

    Raises:
        InputError: no roll is assigned there, or it can't be rolled.
    """
    try:
        dice = parse_dice(roll) if roll else position.dice
    except InputError as error:
        raise InputError(f"the roll: {error.what}", why=error.why, hint=error.hint,
                         source="<command line>", line=1, column=error.column) from None
    if position.phase not in ("roll", "assign"):
        raise InputError(f"the phase is {position.phase}", why="a roll is assigned in phase = "
                         '"roll" or "assign"', hint="`moves` lists what can be done there",
                         source="<command line>")
    n = position.to_roll + len(position.dice)
    if len(dice) != n:
        example = (*position.dice, *_first(position, position.to_roll))
        raise InputError(
            f"the roll: {len(dice)} {'die is' if len(dice) == 1 else 'dice are'} told",
            why=f"{n} {'is' if n == 1 else 'are'} rolled", source="<command line>",
            hint=f'tell the roll, such as "{format_dice(sorted(example))}"')
    made = msgspec.structs.replace(position, dice=dice, to_roll=0, phase="assign")
    before = msgspec.structs.replace(made, dice=()).bag
    for color, left in enumerate(made.bag):
        if left < 0:
            raise InputError(f"the roll: `{roll}` has too many {COLORS[color]} dice",
                             why=f"{before[color]} are not on bombs",
                             hint="check the dice on the bombs, or the roll",
                             source="<command line>")
    return made


def _first(position: Position, n: int) -> list[int]:
    """Dice that can be rolled, for an example: as many colours as there are in the bag."""
    colors = sorted((k, color) for color, left in enumerate(position.bag) for k in range(left))
    return [color * NUMBERS + 4 - color for _, color in colors[:n]]


# Orders and picks --------------------------------------------------------------------------------


def lines_of(position: Position, made: Assignment, throws: Sequence[Sequence[int]]
             ) -> list[tuple[int, ...]]:
    """The ways to make an assignment: the first is the plainest, each other differs in one thing.

    What fills a bomb comes first, then the easiest bomb of the centre is taken, then come the
    other dice; what stays over is thrown in the order that costs least.  Else another bomb is
    taken, another one is filled first, the other dice come first, or the next best order of
    throws.  Bombs taken later are left to the policy: what the centre will have then is not known.

    Args:
        position: the dice lie on the table.
        made: the assignment.
        throws: orders of the colours left over, the best first.
    """
    table, start = engine.table(position.rules), engine.to_state(position)
    hands = table.unpack(start)["hands"]
    empty = {bomb: faces.count(None) for hand in hands for bomb, faces, _ in hand}
    groups: dict[int, list[int]] = {}
    for code in made.moves:
        groups.setdefault(code >> 8 & 0xFF, []).append(code)
    fills = [codes for bomb, codes in groups.items() if len(codes) == empty[bomb]]
    rest = [code for codes in groups.values() if codes not in fills for code in codes]
    first = [code for codes in fills for code in codes]
    arranged = [[*first, *rest]]
    for codes in fills[1:]:
        others = [code for other in fills if other is not codes for code in other]
        arranged.append([*codes, *others, *rest])
    if fills and rest:
        arranged.append([*rest, *first])

    def with_take(moves: list[int], n: int) -> list[list[int]]:
        """The moves, and behind the first bomb that is filled one of the n easiest taken."""
        state = start
        for at, code in enumerate(moves, 1):
            state = table.apply(state, code)
            if table.unpack(state)["phase"] == engine.PICK:
                deck = compiled(position.rules).deck
                easiest = sorted(table.moves(state),
                                 key=lambda one: deck.offers(one >> 8 & 0xFF, 0))
                return [[*moves[:at], take, *moves[at:]] for take in easiest[:n]]
            if table.turn(state) < 0:
                break
        return [moves]

    placed = [*with_take(arranged[0], TAKES),
              *(one for moves in arranged[1:] for one in with_take(moves, 1))]
    picks = any(code & 0xFF == engine.TAKE for code in placed[0])
    if not made.left or (picks and position.rules.takes > 1):
        # Who has a take left may put another die on his new bomb: the policy goes on.
        return [tuple(moves) for moves in placed]
    ends = [(engine.encode(engine.STOP), *(engine.encode(engine.CHOOSE, color) for color in colors
                                           if len(set(colors)) > 1)) for colors in throws]
    return [*((*moves, *ends[0]) for moves in placed), *((*placed[0], *end) for end in ends[1:])]


def _throws(progress: Sequence[tuple[Fraction, tuple[int, ...]]]) -> list[tuple[int, ...]]:
    """The orders that are tried: the best by progress, one of those that are worth as much."""
    values = sorted({value for value, _ in progress}, reverse=True)[:THROWS]
    return [next(colors for value, colors in progress if value == wanted) for wanted in values]


# Playouts ----------------------------------------------------------------------------------------


def _wins(play: Callable[[int, Any], None], first: int, games: int) -> int:
    import numpy as np  # only where many games are played

    won = np.zeros(games, np.uint8)
    play(first, won)
    return int(won.sum())


def assign_answer(position: Position, roll: str = "", *, games: int = GAMES, seed: int = 1,
                  workers: int | None = None, command: str = "") -> Answer:
    """The best assignments of a roll."""
    position = with_roll(position, roll)
    search = Search(position)
    exact = Progress(position, search.fillings)
    # Floats chose a few more than are shown; fractions put them in order.
    ways = [(made, exact.throws(made.moves)) for made in islice(search.best(), SHOWN + SPARE)]
    ways.sort(key=lambda way: -way[1][0][0])
    table, state = engine.table(position.rules), engine.to_state(position)
    trial = max(1, games // TRIED)

    def played(way: tuple[Assignment, list[tuple[Fraction, tuple[int, ...]]]]) -> Found:
        made, progress = way
        lines, wins = lines_of(position, made, _throws(progress)), []

        def play(line: tuple[int, ...], first: int, n: int) -> int:
            return _wins(lambda first, won: playouts(table, state, line, seed, first, won),
                         first, n)

        if len(lines) > 1:
            # Games of their own, lest the luckiest line be taken for the best.
            wins = [play(line, games, trial) for line in lines]
            lines.insert(0, lines[wins.index(max(wins))])
        return Found([engine.format_move(position, code) for code in lines[0]],
                     play(lines[0], 0, games), progress[0][0], max(1, len(wins)))

    with ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(played, ways[:SHOWN]))
    most = max((one.tried for one in found), default=1)
    return _ranked(
        position, found, games, seed, question="assign", counted="progress",
        told=("assignment", "assignments"), sign=-1,
        method=f"{games} games each to the end on common dice, played on by planner"
        + (f"; the best of up to {most} orders and picks of each by {trial} other games"
           if most > 1 else "")
        + "; progress: expected offers spared, less what unplaced dice are expected to cost",
        inputs={"dice": format_dice(position.dice)}, command=command)


def pick_answer(position: Position, seat: int | None = None, *, games: int = GAMES, seed: int = 1,
                workers: int | None = None, command: str = "") -> Answer:
    """Which bomb of the centre a player should take next, now or when he has filled one.

    Args:
        position: anywhere in a game.
        seat: the player; None: who takes one now, or who holds the bag.
        games, seed, workers, command: as for `assign_answer`.
    """
    if position.finished or not position.centre:
        raise InputError("no bomb can be taken", why=f"the game is over: {position.finished}"
                         if position.finished else "the centre is empty")
    seat = position.to_move if seat is None else seat
    if not 0 <= seat < len(position.players):
        raise InputError(f"--player can't be {seat + 1}",
                         why=f"{len(position.players)} play" if len(position.players) > 1
                         else "one player plays", hint="players are numbered from 1",
                         source="<command line>")
    now = position.phase == "pick" and seat == position.seat
    table, state, exact = (engine.table(position.rules), engine.to_state(position),
                           Progress(position))
    bombs = deck_of(position.rules).bombs
    order = [bomb.id for bomb in bombs]
    codes = table.moves(state) if now else [
        engine.encode(engine.TAKE, order.index(name)) for name in position.centre]

    def played(code: int) -> Found:
        bomb = code >> 8 & 0xFF
        wins = _wins(lambda first, won: pick_playouts(table, state, seat, code, seed, first, won),
                     0, games)
        return Found([engine.format_move(position, code)], wins,
                     exact.offers(bomb, (None,) * len(bombs[bomb].slots)), 1)

    with ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(played, codes))
    when = "" if now else (f"; player {seat + 1} takes the bomb as soon as he has filled one, if "
                           "it still lies there")
    return _ranked(
        position, found, games, seed, question="pick", counted="offers", told=("bomb", "bombs"),
        sign=1, method=f"{games} games each to the end on common dice, played on by planner{when}"
        "; offers: dice that the bomb is expected to need",
        inputs={"player": seat + 1}, command=command)


def _ranked(position: Position, found: list[Found], games: int, seed: int, *, question: str,
            counted: str, told: tuple[str, str], sign: int, method: str, inputs: dict[str, Any],
            command: str) -> Answer:
    """An answer about moves, those with the most games won first."""
    found.sort(key=lambda one: (-one.wins, sign * one.number))
    ends = [wilson(one.wins, games) for one in found]
    value: list[dict[str, Any]] = [
        {"rank": rank, "moves": one.moves, "wins": one.wins, "win_rate": one.wins / games,
         "ci95": list(interval), counted: str(one.number),
         **({"tried": one.tried} if question == "assign" else {})}
        for rank, (one, interval) in enumerate(zip(found, ends, strict=True), 1)]
    rows = tuple((str(rank), "; ".join(one.moves) or "nothing is placed",
                  f"{100 * one.wins / games:.1f} %", percent_range(interval),
                  f"{float(one.number):.2f}")
                 for rank, (one, interval) in enumerate(zip(found, ends, strict=True), 1))
    return make_answer(
        question, f"{len(rows)} {told[len(rows) != 1]}, the best first", value, position.rules,
        exact=False, method=method, assumptions=rules_assumptions(position.rules),
        interval=Interval(*ends[0], games, seed),
        inputs={"games": games, "seed": seed, **inputs, "position": format_position(position)},
        blocks=(
            Table(("rank", "moves", "wins", "95 %", counted), rows, numeric=(0, 2, 4)),
            Bars(tuple(str(one["rank"]) for one in value),
                 tuple(100 * one["win_rate"] for one in value), title="Games won, by rank",
                 unit="%", low=tuple(100 * one["ci95"][0] for one in value),
                 high=tuple(100 * one["ci95"][1] for one in value)),
        ),
        command=command)
