"""What is best here, and what is it worth: search over a game table, and moves settled by play.

Knows no game.  A search is a fixed number of simulations in a fixed number of independent trees
(kernels/search.pyx), merged in order: the same seed and number give the same answer on any number
of workers.  What it returns is the value under this search, with an interval from the spread
over the trees; it is not a proof.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from oddsmith.kernels.game import GameTable
from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.kernels.search import Tree
from oddsmith.solver.errors import InputError
from oddsmith.solver.following import OVER
from oddsmith.solver.statistics import (
    Difference,
    Tally,
    more_trials_mean,
    paired_difference,
    ratio_difference,
    ratio_interval,
    share_interval,
)

SEARCH = "search"
"""The policy of a seat that searches before each of its moves."""

NOBODY = -1
"""The viewer of a redeal who knows only what everybody knows."""

TREES = 8
MEMORY = 1 << 30
"""Bytes for all trees together; a full tree goes on with the nodes it has."""

SLICE = 0.2
"""Seconds between two looks at the clock and the keyboard; no result depends on it."""

LOOK = 1000
"""Simulations a tree between two looks at `until`: fixed, so that the stop is reproducible."""

SOME = 500
"""Simulations of a searching seat's tree between two looks at the keyboard."""

RESAMPLES = 2000
PAYOFF_UNIT = 60
PLAY_ROUND = 2000
"""Games of each move between two looks at the stopping rule."""


class Ranked(msgspec.Struct, frozen=True):
    """One move of a search.

    Args:
        move: its code.
        visits: simulations that began with it.
        values: each seat's mean result, 0..1, shared wins split.
        interval: 95 % for the value of the seat that asks.
        gap: how much less than the best move's value.
        p_best: share of resamplings of the trees in which it comes first.
        unclear: whether the spread over the trees leaves open which of it and the best is better.
        line: codes of the moves expected to follow, this one first.
    """

    move: int
    visits: int
    values: tuple[float, ...]
    interval: tuple[float, float]
    gap: float
    p_best: float
    unclear: bool
    line: tuple[int, ...]


class Found(msgspec.Struct, frozen=True):
    """What a search found.

    Args:
        seat: that asked and decides.
        ranked: best first, all moves that were tried.
        n_moves: legal moves.
        simulations, trees, seed: the numbers that reproduce it.
        nodes: in all trees.
        visited: nodes visited on the way down, over all simulations.
        full: whether the memory bound stopped the growth of a tree.
        precise: whether the precision asked was reached.
    """

    seat: int
    ranked: tuple[Ranked, ...]
    n_moves: int
    simulations: int
    trees: int
    seed: int
    nodes: int
    visited: int
    full: bool
    precise: bool


def search(
    table: GameTable,
    state: bytes,
    *,
    simulations: int,
    seed: int,
    workers: int | None = None,
    memory: int = MEMORY,
    seconds: float | None = None,
    until: float | None = None,
    stop: Callable[[int], bool] | None = None,
) -> Found:
    """Search a state in which a seat decides.

    Args:
        table: the game.
        state: what is hidden in it from the seat that decides has no influence.
        simulations: in all, rounded up to a multiple of TREES.
        seed: simulation i of tree t depends on (seed, t, i) only.
        workers: threads; default: as many as there are processors.
        memory: bytes for all trees together.
        seconds: end earlier when they are over; `Found.simulations` reproduces the answer.
        until: end earlier when the interval of the best move's value is +- this or less.
        stop: called with the simulations so far now and then; True ends the search.

    Raises:
        ValueError: nobody decides in the state, or there is no move.
        InputError: the memory doesn't hold the moves of the root.
    """
    begin = time.monotonic()
    quota, seat = -(-simulations // TREES), table.turn(state)
    try:
        trees = [Tree(table, state, seed, number, memory // TREES) for number in range(TREES)]
    except MemoryError as error:
        raise InputError(f"the search can't begin: {error}", hint="give it more memory") from None
    done, step, precise = 0, 16, False
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        while done < quota and not precise:
            # Looks at `until` fall on multiples of LOOK whatever the slices are.
            n = min(step, quota - done, LOOK - done % LOOK)
            before = time.monotonic()
            list(pool.map(lambda tree, n=n: tree.grow(n), trees))
            done += n
            took = time.monotonic() - before
            if took < SLICE / 2:
                step *= 2
            elif took > SLICE and step > 1:
                step //= 2
            if until is not None and (done % LOOK == 0 or done == quota):
                low, high = merge(trees, seat)[0].interval
                precise = high - low <= 2 * until
            if seconds is not None and time.monotonic() - begin >= seconds:
                break
            if stop is not None and stop(done * TREES):
                break
    return Found(
        seat, merge(trees, seat), table.n_moves(state), done * TREES, TREES, seed,
        sum(tree.n_nodes for tree in trees), sum(tree.visited for tree in trees),
        any(tree.full for tree in trees), precise or until is None,
    )


def effort(found: Found) -> str:
    """How much was searched, for people."""
    full = " The memory bound stopped the growth of the trees." if found.full else ""
    return (f"{len(found.ranked):,} of {found.n_moves:,} legal moves were tried: "
            f"{found.simulations:,} simulations in {found.trees} trees, {found.nodes:,} nodes, "
            f"seed {found.seed}.{full}")


def pick(
    table: GameTable, state: bytes, simulations: int, seed: int,
    halted: Callable[[], bool] = lambda: False,
) -> int:
    """The move that `search` ranks first, found in this thread: for searching seats in games.

    Raises:
        Halted: `halted` said so, which is asked now and then.
    """
    if table.n_moves(state) == 1:
        return table.moves(state)[0]
    trees = [Tree(table, state, seed, number, MEMORY // TREES) for number in range(TREES)]
    quota = -(-simulations // TREES)
    for tree in trees:
        for done in range(0, quota, SOME):
            tree.grow(min(SOME, quota - done))
            if halted():
                raise Halted
    return _in_order(_tried(trees), table.turn(state))[0].move


class _Tried(msgspec.Struct):
    """A root move in all trees: visits and each seat's total, tree by tree."""

    move: int
    visits: list[int]
    totals: list[tuple[float, ...]]

    def of(self, seat: int) -> list[float]:
        return [totals[seat] for totals in self.totals]

    def value(self, seat: int) -> float:
        return math.fsum(self.of(seat)) / sum(self.visits)

    def careful(self, seat: int) -> float:
        """What moves are ranked by: the value less its standard error, at most 1/2 / sqrt(n)."""
        return self.value(seat) - 0.5 / math.sqrt(sum(self.visits))


def _tried(trees: Sequence[Tree]) -> list[_Tried]:
    """The root moves that some tree tried, in the order in which they were opened."""
    nothing = (0.0,) * trees[0].n_players
    found: dict[int, _Tried] = {}
    for number, tree in enumerate(trees):
        for move, visits, _, totals in tree.root():
            if visits:
                one = found.setdefault(
                    move, _Tried(move, [0] * len(trees), [nothing] * len(trees)))
                one.visits[number], one.totals[number] = visits, totals
    return list(found.values())


def _in_order(tried: list[_Tried], seat: int) -> list[_Tried]:
    return sorted(tried, key=lambda one: (-one.careful(seat), one.move))


def merge(trees: Sequence[Tree], seat: int) -> tuple[Ranked, ...]:
    """The root moves of some trees as one table, best first."""
    order = _in_order(_tried(trees), seat)
    first = order[0]
    chances = _chances(order, seat)
    return tuple(
        Ranked(
            one.move, sum(one.visits), tuple(one.value(k) for k in range(trees[0].n_players)),
            _interval(one, seat), first.value(seat) - one.value(seat), chance,
            one is not first and _unclear(first, one, seat),
            tuple(trees[one.visits.index(max(one.visits))].line(one.move)),
        )
        for one, chance in zip(order, chances, strict=True)
    )


def _interval(one: _Tried, seat: int) -> tuple[float, float]:
    """95 %: Student's over the trees, or Wilson's over the simulations where that is wider.

    Few trees that happen to agree would otherwise claim more than their visits can know.
    """
    value, n = one.value(seat), sum(one.visits)
    low, high = share_interval(value, n)
    spread = ratio_interval(one.of(seat), one.visits)
    return max(0.0, min(low, spread[0])), min(1.0, max(high, spread[1]))


def _unclear(first: _Tried, one: _Tried, seat: int) -> bool:
    """Whether the trees leave open which of two moves is better."""
    low, high = ratio_difference(first.of(seat), first.visits, one.of(seat), one.visits)
    return low <= 0 <= high


def _chances(order: list[_Tried], seat: int) -> list[float]:
    """How often each move comes first when the trees are drawn anew, with replacement.

    (Bootstrap over independent trees; Efron 1979.)
    """
    import numpy as np  # only where a search has run

    n_trees = len(order[0].visits)
    draw = Generator(0, 0, 0)
    drawn = np.zeros((RESAMPLES, n_trees))
    for row in drawn:
        for _ in range(n_trees):
            row[draw.below(n_trees)] += 1
    visits = drawn @ np.array([one.visits for one in order], float).T
    totals = drawn @ np.array([one.of(seat) for one in order]).T
    with np.errstate(divide="ignore", invalid="ignore"):
        careful = np.where(visits > 0, (totals - 0.5 * np.sqrt(visits)) / visits, -np.inf)
    best = careful == careful.max(axis=1, keepdims=True)
    shares = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return [float(share) / RESAMPLES for share in shares]


# Games with searching seats ----------------------------------------------------------------------

CHANCE_STREAM, PLAYER_STREAM, REDEAL_STREAM = 0, 1, 15
"""As in kernels/playout.pyx: the same seed deals the same games to searching seats and others."""


class Halted(Exception):
    """A game was given up in its middle, as the caller asked."""


def play_searching(
    table: GameTable, start: bytes, policies: Sequence[str], seed: int, first: int, rows: Any,
    redealt: bool, simulations: int, halted: Callable[[], bool] = lambda: False,
) -> int:
    """`play_games` where some seats have the policy `search`, with so many simulations a move.

    `halted` is asked before each move and now and then in a search; True raises Halted.

    Returns:
        How many columns of each row were filled.
    """
    n_players, told = table.n_players, list[int]()
    for trial, row in enumerate(rows, first):
        state, n_made = start, 0
        chance = Generator(seed, trial, CHANCE_STREAM)
        thinking = [Generator(seed, trial, PLAYER_STREAM + seat) for seat in range(n_players)]
        if redealt:
            state = table.redeal(state, NOBODY, Generator(seed, trial, REDEAL_STREAM))
        while (turn := table.turn(state := table.let_chance(state, chance))) != OVER:
            if halted():
                raise Halted
            if policies[turn] == SEARCH:
                move = pick(table, state, simulations, thinking[turn].word(), halted)
            else:
                move = table.policy_move(state, policies[turn], thinking[turn])
            n_made += 1
            state = table.apply_unchecked(state, move)
        told = table.summary(state)
        summary = told[: len(row) - n_players - 1]
        row[: n_players + len(summary) + 1] = [*table.payoff(state), *summary, n_made]
    return n_players + len(told) + 1


# Moves settled by play ---------------------------------------------------------------------------


class Settled(msgspec.Struct, frozen=True):
    """Moves compared by whole games on common random numbers.

    Args:
        games: of each move.
        payoffs: of the seat that decides, for each move, in 1/60 of a win.
        differences: first move less each of the others, in 1/60 of a win.
        precise: whether every difference is known as precisely as asked.
    """

    games: int
    payoffs: tuple[Tally, ...]
    differences: tuple[Difference, ...]
    precise: bool


def settle(
    table: GameTable,
    state: bytes,
    moves: Sequence[int | Sequence[int]],
    policies: Sequence[str],
    *,
    games: int,
    seed: int,
    workers: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    stop: Callable[[int], bool] | None = None,
) -> Settled:
    """Play games on after each of some moves; game i meets the same deal after all of them.

    Args:
        table: the game.
        state: a seat decides in it; what it can't know is dealt anew for each game.
        moves: legal moves, two or more; one may be several that follow each other.
        policies: of the seats, by name.
        games: of each move, at most.
        seed: game i depends on (seed, i) only.
        workers: threads; default: as many as there are processors.
        until: stop when the interval of every difference to the first move is +- this or less.
        seconds: end earlier when they are over; `Settled.games` reproduces the answer.
        stop: called with the games so far now and then; True ends it.
    """
    import numpy as np  # only where many games are played

    seat = table.turn(state)
    after = []
    for move in moves:
        start = state
        for code in [move] if isinstance(move, int) else move:
            start = table.apply(start, code)
        after.append(start)
    sums, differences = [Tally()] * len(moves), [Tally()] * (len(moves) - 1)
    done, precise, begin = 0, False, time.monotonic()

    def play(start: bytes, first: int, n: int) -> Any:  # payoffs of the seat that decides
        rows = np.zeros((n, table.n_players + 1), np.int32)
        play_games(table, start, tuple(policies), seed, first, rows, seat)
        return rows[:, seat].astype(np.int64)

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        while done < games and not precise:
            n = min(PLAY_ROUND, games - done)
            results = list(pool.map(lambda start, first=done, n=n: play(start, first, n), after))
            sums = [one + Tally.of_array(result) for one, result in zip(sums, results, strict=True)]
            differences = [one + Tally.of_array(results[0] - result)
                           for one, result in zip(differences, results[1:], strict=True)]
            done += n
            precise = until is not None and all(
                more_trials_mean(one, until * PAYOFF_UNIT) == 0 for one in differences)
            if seconds is not None and time.monotonic() - begin >= seconds:
                break
            if stop is not None and stop(done):
                break
    return Settled(done, tuple(sums), tuple(paired_difference(one) for one in differences),
                   precise or until is None)
