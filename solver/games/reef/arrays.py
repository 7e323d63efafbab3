"""Reef over arrays: many boards at once (NumPy and Numba are imported with this module)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from oddsmith.kernels import patterns
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.reef.notation import COLORS, SPACES, Board, parse_board
from oddsmith.solver.games.reef.rules import Rules, card, cards, compiled

Boards = npt.NDArray[np.uint64]
MOST_PLACED = 60  # what four start coral leave of 16 stacks of 4


def pack_boards(boards: Iterable[Board | str], stack_limit: int = 4) -> Boards:
    """Boards as an array: uint64 (n, 3), rows (tops, low, high) of kernels/reef.pxd.

    >>> pack_boards([".,.,.,./.,r,.,./.,.,gy,./.,.,.,."]).shape
    (1, 3)
    """
    rows = []
    for board in boards:
        if not isinstance(board, Board | str):
            raise InputError(f"{board!r} is not a board", hint="give Boards or notations")
        rows.append((parse_board(board, stack_limit) if isinstance(board, str) else board).bits)
    return np.array(rows, dtype=np.uint64).reshape(len(rows), 3)


def unpack_board(row: npt.NDArray[np.uint64]) -> Board:
    """A board that packs to this row; pieces under the tops, which no rule reads, become red.

    >>> str(unpack_board(pack_boards([".,.,.,./.,r,.,./.,.,gy,./.,.,.,."])[0]))
    '.,.,.,./.,r,.,./.,.,ry,./.,.,.,.'
    """
    tops, low, high = (int(word) for word in row)
    stacks = []
    for space in range(SPACES):
        height = sum((word >> (16 * lane + space)) & 1 for word in (low, high) for lane in range(4))
        top = [letter for k, letter in enumerate(COLORS) if tops >> (16 * k + space) & 1]
        stacks.append(COLORS[0] * (height - 1) + top[0] if height else "")
    return Board(tuple(stacks))


@lru_cache(maxsize=16)
def _tables(rules: Rules) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Programs of all cards and the shape tables that they refer to."""
    kernel, _ = compiled(rules)
    programs = np.array([kernel.program(one.index) for one in cards()], dtype=np.int64)
    tables = np.zeros((programs[:, 2].max() + 1, 1 << 16), np.uint8)
    for one in cards():
        if table := kernel.table(one.index):
            tables[programs[one.index, 2]] = np.frombuffer(table, np.uint8)
    return programs, tables


def score_many(
    boards: Boards | Iterable[Board | str],
    numbers: Sequence[int] | None = None,
    rules: Rules | None = None,
) -> npt.NDArray[np.uint8]:
    """Points of cards on boards.

    Args:
        boards: an array from `pack_boards`, or boards or notations.
        numbers: card numbers; default all 60.
        rules: default: the printed rules.

    Returns:
        uint8 (n_boards, n_cards): points (255 can't be passed, see docs/methods.md).

    Raises:
        InputError: an unknown card, a bad board, a stack over the limit.

    >>> score_many(["r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g"], [17, 1]).tolist()
    [[1, 2]]
    """
    rules = rules or Rules()
    if not isinstance(boards, np.ndarray):
        boards = pack_boards(boards, rules.stack_limit)
    _check_boards(boards, rules.stack_limit)
    programs, tables = _tables(rules)
    if numbers is not None:
        programs = programs[[card(number).index for number in numbers]]
    out = np.empty((len(programs), len(boards)), np.uint8)
    patterns.score_boards(np.ascontiguousarray(boards), np.ascontiguousarray(programs), tables,
                          rules.stack_limit, rules.tallest_tie == "all", out)
    return out.T


def _check_boards(boards: Boards, stack_limit: int) -> None:
    if boards.dtype != np.uint64 or boards.ndim != 2 or boards.shape[1] != 3:
        raise InputError(
            f"boards must be a uint64 array of shape (n, 3), not {boards.dtype} of shape "
            f"{boards.shape}", hint="make one with reef.pack_boards",
        )
    if stack_limit < 8 and len(boards):
        # The first level above the limit must be empty everywhere; levels are nested.
        column, lane = (1, stack_limit) if stack_limit < 4 else (2, stack_limit - 4)
        if np.bitwise_or.reduce(boards[:, column]) >> np.uint64(16 * lane) & np.uint64(0xFFFF):
            raise InputError("a stack is higher than the stack limit",
                             why=f"the stack limit is {stack_limit}",
                             hint="pass rules with a higher stack_limit")


def random_boards(n: int, seed: int, least: int = 10, most: int = 18) -> Boards:
    """Random mid-game boards, for benchmarks and tests.

    One coral of each colour on the four centre spaces, then `least` to `most` more pieces of
    random colours, each on a random stack below the limit of 4.

    Args:
        n: how many boards.
        seed: the same seed gives the same boards.
        least, most: coral placed, as by 5 to 9 cards; at most 60.

    Raises:
        InputError: a number out of range.
    """
    if n < 0 or seed < 0 or not 0 <= least <= most <= MOST_PLACED:
        raise InputError("random_boards needs n and seed of 0 or more, and "
                         f"0 <= least <= most <= {MOST_PLACED}")
    draw = np.random.default_rng(seed)
    tops = np.zeros((n, 16), np.uint8)
    heights = np.zeros((n, 16), np.uint8)
    order = np.argsort(draw.random((n, 4)), axis=1)
    for k, space in enumerate((5, 6, 9, 10)):
        tops[:, space] = order[:, k]
        heights[:, space] = 1
    pieces = draw.integers(least, most + 1, n)
    for k in range(most):
        active = np.flatnonzero(pieces > k)
        # The space: the largest of random keys among the stacks that still have room.
        keys = draw.random((len(active), 16)) * (heights[active] < 4)
        space = np.argmax(keys, axis=1)
        tops[active, space] = draw.integers(0, 4, len(active))
        heights[active, space] += 1
    spaces = np.arange(16, dtype=np.uint64)
    boards = np.zeros((n, 3), np.uint64)
    one = np.uint64(1)
    occupied = (heights > 0).astype(np.uint64)
    boards[:, 0] = (occupied << (np.uint64(16) * tops.astype(np.uint64) + spaces)).sum(axis=1)
    for level in range(4):
        mask = ((heights > level).astype(np.uint64) * (one << spaces)).sum(axis=1)
        boards[:, 1] |= mask << np.uint64(16 * level)
    return boards
