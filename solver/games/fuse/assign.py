"""FUSE: which dice of a roll go where, which bomb to take, ranked by playouts on common dice."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from oddsmith.kernels.fuse_assign import playouts, unplaced
from oddsmith.kernels.fuse_hardness import merged
from oddsmith.solver.answer import Answer, Bars, Interval, Table
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import NUMBERS
from oddsmith.solver.games.fuse.notation import format_dice, parse_dice
from oddsmith.solver.games.fuse.position import Position, format_position
from oddsmith.solver.games.fuse.progress import Progress
from oddsmith.solver.games.fuse.questions import make_answer, rules_assumptions
from oddsmith.solver.games.fuse.rules import compiled, deck_of
from oddsmith.solver.statistics import wilson

SHOWN, SPARE = 20, 5
"""Ways that are told; more that floats choose, before fractions put them in order."""

GAMES = 200
"""Playouts of each way, unless told otherwise."""

TAKES = 3
"""Bombs of the centre that are tried where one is filled, the easiest."""

KEPT = 4
"""Ways of placing the same dice that are kept for each player."""

Way = tuple[float, tuple[int, ...]]
"""Offers spared, and the moves."""


class Line(NamedTuple):
    """Moves that are ranked.

    Args:
        codes: of the moves, in order.
        progress: exact.
        stop: whether the team stops behind them; else the policy goes on.
    """

    codes: tuple[int, ...]
    progress: Fraction
    stop: bool


def with_roll(position: Position, roll: str) -> Position:
    """The position with these dice on the table, where the roll is due or lies there."""
    dice = parse_dice(roll) if roll else position.dice
    if position.phase not in ("roll", "assign"):
        raise InputError(f"the phase is {position.phase}", why="a roll is assigned in phase = "
                         '"roll" or "assign"')
    n = position.to_roll + len(position.dice)
    if len(dice) != n:
        raise InputError(f"{len(dice)} dice are told", why=f"{n} are rolled",
                         source="<command line>")
    made = msgspec.structs.replace(position, dice=dice, to_roll=0, phase="assign")
    for color, left in enumerate(made.bag):
        if left < 0:
            raise InputError(f"`{roll}` has too many dice of a colour", why="they lie on bombs",
                             hint=f"{position.bag[color]} are in the bag")
    return made


def _ways(position: Position, seat: int, fields: dict[str, Any], sub: tuple[int, ...]
          ) -> list[Way]:
    """The best ways in which a player places exactly these dice."""
    deck, found = compiled(position.rules).deck, dict[frozenset[int], Way]()
    one_each = position.rules.players == 2 and not position.rules.two_player_same_bomb

    def go(left: tuple[int, ...], classes: list[int], used: frozenset[int], gain: float,
           moves: tuple[int, ...]) -> None:
        if not left:
            key = frozenset(moves)
            if key not in found or found[key][0] < gain:
                found[key] = gain, moves
            return
        for at, face in enumerate(left):
            if face in left[:at]:
                continue
            for k, (bomb, _, _) in enumerate(fields["hands"][seat]):
                if classes[k] == 1 or k in used:
                    continue
                for slot, row in enumerate(deck.row(bomb, classes[k])):
                    then = row[face]
                    if then < 0 or not deck.completable(bomb, then):
                        continue
                    go((*left[:at], *left[at + 1:]), [*classes[:k], then, *classes[k + 1:]],
                       used | {k} if one_each else used,
                       gain + deck.offers(bomb, classes[k]) - deck.offers(bomb, then),
                       (*moves, engine.encode(engine.PLACE, bomb, slot, face)))

    marked = frozenset(k for k, (_, _, used) in enumerate(fields["hands"][seat]) if used)
    go(sub, fields["classes"][seat], marked, 0.0, ())
    return sorted(found.values(), key=lambda way: -way[0])[:KEPT]


def assignments(position: Position, n: int = SHOWN) -> list[Way]:
    """The best assignments of the dice on the table by exact progress, the best first."""
    table, state = engine.table(position.rules), engine.to_state(position)
    fields, cost = table.unpack(state), unplaced(table, state)
    dice = position.dice
    best: dict[int, list[Way]] = {0: [(0.0, ())]}
    for seat in range(position.rules.players):
        takes = position.rules.takes - fields["taken"][seat]
        options: dict[int, list[Way]] = {0: [(0.0, ())]}
        for mask in range(1, 1 << len(dice)):
            if mask.bit_count() <= takes:
                chosen = tuple(face for d, face in enumerate(dice) if mask >> d & 1)
                if ways := _ways(position, seat, fields, chosen):
                    options[mask] = ways
        merged: dict[int, dict[tuple[int, ...], float]] = {}
        for mask, before in best.items():
            for sub, ways in options.items():
                if not mask & sub:
                    into = merged.setdefault(mask | sub, {})
                    for gain, moves in before:
                        for more, added in ways:
                            into[(*moves, *added)] = gain + more
        best = {mask: sorted(((gain, moves) for moves, gain in found.items()),
                             key=lambda way: -way[0])[:n] for mask, found in merged.items()}
    told: dict[tuple[int, ...], Way] = {}
    for mask, ways in best.items():
        if position.rules.decline == "forbidden" and not mask:
            continue
        rest = sum(cost[face // NUMBERS] for d, face in enumerate(dice) if not mask >> d & 1)
        for gain, moves in ways:
            key = tuple(sorted(moves))
            if key not in told or told[key][0] < gain - rest:
                told[key] = gain - rest, moves
    return sorted(told.values(), key=lambda way: -way[0])[:n] or [(0.0, ())]


def different(position: Position, ways: Sequence[Way]) -> list[tuple[int, ...]]:
    """Of ways that put the same dice on the same bombs with the same future, the first."""
    table, state = engine.table(position.rules), engine.to_state(position)
    hands, deck = table.unpack(state)["hands"], compiled(position.rules).deck
    lying = {bomb: faces for hand in hands for bomb, faces, _ in hand}
    numbers = {bomb: merged(deck, bomb)[0] for bomb in lying}

    def future(bomb: int, faces: Sequence[int | None]) -> int:
        cls = deck.class_of(bomb, faces)
        # Classes that need a die on an empty slot are told apart as they are.
        return numbers[bomb][cls] if cls < deck.n_reachable(bomb) else -cls

    found: dict[Any, tuple[int, ...]] = {}
    for _, moves in ways:
        after: dict[int, list[int | None]] = {}
        for code in moves:
            _, (bomb, slot, face) = engine.decode(code)
            after.setdefault(bomb, list(lying[bomb]))[slot] = face
        key = frozenset((bomb, future(bomb, faces), tuple(sorted(
            face for face in faces if face is not None))) for bomb, faces in after.items())
        found.setdefault(key, moves)
    return list(found.values())


def with_takes(position: Position, moves: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ways to make some placements: what fills a bomb first, then one of the easiest bombs that
    may be taken.

    Later bombs are left to the policy: what the centre will have then is not known.
    """
    table, state = engine.table(position.rules), engine.to_state(position)
    legal = table.moves(state)
    for code in [one for one in moves if one in legal]:
        if table.unpack(table.apply(state, code))["phase"] == engine.PICK:
            moves = (code, *(one for one in moves if one != code))
            break
    for at, code in enumerate(moves):
        state = table.apply(state, code)
        if table.unpack(state)["phase"] == engine.PICK:
            deck = compiled(position.rules).deck
            easiest = sorted(table.moves(state), key=lambda one: deck.offers(one >> 8 & 0xFF, 0))
            return [(*moves[:at + 1], take, *moves[at + 1:]) for take in easiest[:TAKES]]
        if table.turn(state) < 0:
            break
    return [moves]


def _ranked(position: Position, lines: Sequence[Line], games: int, seed: int, question: str,
            command: str) -> Answer:
    import numpy as np  # only where many games are played

    table, state = engine.table(position.rules), engine.to_state(position)

    def wins_of(line: Line) -> int:
        won = np.zeros(games, np.uint8)
        playouts(table, state, line.codes, line.stop, seed, 0, won)
        return int(won.sum())

    with ThreadPoolExecutor() as pool:
        found = [(wins, line.progress,
                  [engine.format_move(position, code) for code in line.codes], wilson(wins, games))
                 for wins, line in zip(pool.map(wins_of, lines), lines, strict=True)]
    found.sort(key=lambda one: (-one[0], -one[1]))
    value: list[dict[str, Any]] = [
             {"rank": rank, "moves": texts, "wins": wins, "win_rate": wins / games,
              "ci95": list(ends), "progress": str(progress)}
             for rank, (wins, progress, texts, ends) in enumerate(found, 1)]
    rows = tuple((str(rank), "; ".join(texts) or "nothing is placed", f"{100 * wins / games:.1f} %",
                  f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %", f"{float(progress):.2f}")
                 for rank, (wins, progress, texts, ends) in enumerate(found, 1))
    return make_answer(
        question, f"{len(rows)} ways, the best first", value, position.rules, exact=False,
        method=f"{games} games each to the end on common dice, played on by planner; progress: "
        "expected offers spared, less what unplaced dice are expected to cost",
        assumptions=rules_assumptions(position.rules),
        interval=Interval(*found[0][3], games, seed),
        inputs={"games": games, "seed": seed, "dice": format_dice(position.dice),
                "position": format_position(position)},
        blocks=(
            Table(("rank", "moves", "wins", "95 %", "progress"), rows, numeric=(0, 2, 4)),
            Bars(tuple(str(one["rank"]) for one in value),
                 tuple(100 * one["win_rate"] for one in value), title="Games won, by rank",
                 unit="%", low=tuple(100 * one["ci95"][0] for one in value),
                 high=tuple(100 * one["ci95"][1] for one in value)),
        ),
        command=command)


def assign_answer(position: Position, roll: str = "", *, games: int = GAMES, seed: int = 1,
                  command: str = "") -> Answer:
    """The best assignments of a roll."""
    position = with_roll(position, roll)
    exact = Progress(position)
    # Floats chose a few more than are shown; fractions put them in order.
    found = different(position, assignments(position, 4 * SHOWN))[:SHOWN + SPARE]
    ways = sorted(((exact.of(moves), moves) for moves in found), key=lambda way: -way[0])[:SHOWN]
    stop = position.rules.decline == "allowed"
    lines = []
    for progress, moves in ways:
        for line in with_takes(position, moves):
            # Who has a take left may put another die on his new bomb.
            goes_on = len(line) > len(moves) and position.rules.takes > 1
            lines.append(Line(line, progress, stop and not goes_on))
    return _ranked(position, lines[:SHOWN], games, seed, "assign", command)


def pick_answer(position: Position, *, games: int = GAMES, seed: int = 1, command: str = ""
                ) -> Answer:
    """Which bomb of the centre to take."""
    if position.phase != "pick":
        raise InputError(f"the phase is {position.phase}",
                         why='a bomb is taken in phase = "pick"')
    table, exact = engine.table(position.rules), Progress(position)
    bombs = deck_of(position.rules).bombs
    lines = [Line((code,), -exact.offers(bomb := code >> 8 & 0xFF,
                                         (None,) * len(bombs[bomb].slots)), False)
             for code in table.moves(engine.to_state(position))]
    return _ranked(position, lines, games, seed, "pick", command)
