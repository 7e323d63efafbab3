"""Reef over arrays: every card on every board, the twin of `count` in reef.pxd.

Boards come as rows (tops, low, high) of reef.pxd.  A chunk of boards is split into lanes, one
16-bit mask a board: lanes 0-3 the colours, 4-11 the levels 1-8, 12 an empty one.  Then each card
is one short loop over lanes, which the compiler turns into vector code.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from oddsmith.kernels.jit import kernel, popcount16

N_LANES = 13
LEVEL_1 = 4
EMPTY = 12
CHUNK = 1024  # boards a chunk: its lanes stay in the first-level cache

COUNT, SAME, PAIR, TALLEST = range(4)  # the kinds of reef.pxd, same order
ANY_COLOR = 4


@kernel
def _split_lanes(boards, lanes):
    for i in range(boards.shape[0]):
        tops, low, high = boards[i, 0], boards[i, 1], boards[i, 2]
        for k in range(4):
            shift = np.uint64(16 * k)
            lanes[k, i] = np.uint16(tops >> shift)
            lanes[LEVEL_1 + k, i] = np.uint16(low >> shift)
            lanes[LEVEL_1 + 4 + k, i] = np.uint16(high >> shift)


@kernel
def _tallest_of(lanes, color, limit, found):
    """For each board the tallest stacks topped with a colour."""
    for i in range(found.shape[0]):
        found[i] = lanes[color, i]
    for h in range(2, limit + 1):
        level = lanes[LEVEL_1 + h - 1]
        for i in range(found.shape[0]):
            higher = np.uint16(found[i] & level[i])
            found[i] = higher if higher else found[i]


@kernel
def _neighbour_planes(wanted, planes):
    """How many of each space's 8 neighbours are in `wanted`, in binary, one lane a digit.

    Eight shifted copies are summed by full adders: first left + own + right in each row, then
    the rows above and below in full and the own row without the space itself.
    """
    for i in range(wanted.shape[0]):
        w = wanted[i]
        left = np.uint16(np.uint16(w << np.uint16(1)) & np.uint16(0xEEEE))
        right = np.uint16(np.uint16(w >> np.uint16(1)) & np.uint16(0x7777))
        side_1 = np.uint16(left ^ right)          # the own row: left + right
        side_2 = np.uint16(left & right)
        row_1 = np.uint16(side_1 ^ w)             # left + right + the space itself
        row_2 = np.uint16(side_2 | np.uint16(side_1 & w))
        up_1, up_2 = np.uint16(row_1 << np.uint16(4)), np.uint16(row_2 << np.uint16(4))
        down_1, down_2 = np.uint16(row_1 >> np.uint16(4)), np.uint16(row_2 >> np.uint16(4))
        ones = np.uint16(up_1 ^ down_1 ^ side_1)
        carry = np.uint16((up_1 & down_1) | (side_1 & np.uint16(up_1 ^ down_1)))
        # Twos: up_2 + down_2 + side_2 + carry, 0..4.
        half = np.uint16(up_2 ^ down_2)
        twos_3 = np.uint16(half ^ side_2)
        over_3 = np.uint16((up_2 & down_2) | (side_2 & half))
        twos = np.uint16(twos_3 ^ carry)
        over = np.uint16(twos_3 & carry)
        planes[0, i] = ones
        planes[1, i] = twos
        planes[2, i] = np.uint16(over_3 ^ over)
        planes[3, i] = np.uint16(over_3 & over)


@kernel
def _best_centre(tallest, planes, points, out):
    """The highest neighbour count among the tallest stacks, digit by digit from the top."""
    for i in range(out.shape[0]):
        among = tallest[i]
        total = np.uint16(0)
        for digit in range(3, -1, -1):
            having = np.uint16(among & planes[digit, i])
            total = np.uint16(total + total + np.uint16(having != 0))
            among = having if having else among
        out[i] = np.uint8(total * points)


@kernel
def _all_centres(tallest, planes, points, out):
    """The sum of the neighbour counts over all tallest stacks (tallest_tie = all)."""
    for i in range(out.shape[0]):
        total = np.uint16(0)
        for digit in range(4):
            total = np.uint16(total + (popcount16(np.uint16(tallest[i] & planes[digit, i]))
                                       << np.uint16(digit)))
        out[i] = np.uint8(total * points)


@kernel
def _count_spaces(a, b, c, points, out):
    for i in range(out.shape[0]):
        out[i] = np.uint8(popcount16(np.uint16(a[i] & b[i] & ~c[i])) * points)


@kernel
def _count_same(a, b, c, table, points, out):
    for i in range(out.shape[0]):
        out[i] = np.uint8(table[np.uint16(a[i] & b[i] & ~c[i])] * points)


@kernel
def _count_pairs(a, b, c, d, e, f, split, table, points, out):
    other_side = np.uint16(~split)
    for i in range(out.shape[0]):
        one = np.uint16(a[i] & b[i] & ~c[i])
        two = np.uint16(d[i] & e[i] & ~f[i])
        out[i] = np.uint8((table[np.uint16((one & split) | (two & other_side))]
                           + table[np.uint16((one & other_side) | (two & split))]) * points)


@kernel
def _lane_indices(color, least, most):
    """The three lanes whose first & second & ~third are the spaces that match."""
    first = LEVEL_1 if color == ANY_COLOR else color
    third = EMPTY if most == 0 else LEVEL_1 + most
    return first, LEVEL_1 + least - 1, third


@kernel
def score_boards(
    boards: npt.NDArray[np.uint64],
    programs: npt.NDArray[np.int64],
    tables: npt.NDArray[np.uint8],
    limit: int,
    all_tied: bool,
    out: npt.NDArray[np.uint8],
) -> None:
    """Points of every card on every board.

    Args:
        boards: uint64 (n, 3), rows (tops, low, high).
        programs: int64 (n_cards, 10), rows of `reef.Rules.program`.
        tables: uint8 (n_shapes, 65536), rows of `reef.Rules.table`.
        limit: the stack limit, 1..8.
        all_tied: option tallest_tie = all.
        out: uint8 (n_cards, n), filled with points (no card can pass 255; see docs/methods.md).
    """
    lanes = np.zeros((N_LANES, CHUNK), np.uint16)
    tallest = np.zeros((4, CHUNK), np.uint16)
    planes = np.zeros((4, 4, CHUNK), np.uint16)
    have_tallest = np.zeros(4, np.bool_)
    have_planes = np.zeros(4, np.bool_)
    for start in range(0, boards.shape[0], CHUNK):
        n = min(CHUNK, boards.shape[0] - start)
        _split_lanes(boards[start:start + n], lanes)
        have_tallest[:] = False
        have_planes[:] = False
        for k in range(programs.shape[0]):
            kind, points = programs[k, 0], programs[k, 1]
            shape, split = programs[k, 2], programs[k, 3]
            color, other = programs[k, 4], programs[k, 7]
            factor = np.uint16(points)
            target = out[k, start:start + n]
            if kind == TALLEST:
                if not have_tallest[color]:
                    _tallest_of(lanes, color, limit, tallest[color, :n])
                    have_tallest[color] = True
                if not have_planes[other]:
                    _neighbour_planes(lanes[other, :n], planes[other, :, :n])
                    have_planes[other] = True
                if all_tied:
                    _all_centres(tallest[color, :n], planes[other], factor, target)
                else:
                    _best_centre(tallest[color, :n], planes[other], factor, target)
                continue
            a, b, c = _lane_indices(color, programs[k, 5], programs[k, 6])
            if kind == COUNT:
                _count_spaces(lanes[a], lanes[b], lanes[c], factor, target)
            elif kind == SAME:
                _count_same(lanes[a], lanes[b], lanes[c], tables[shape], factor, target)
            else:
                d, e, f = _lane_indices(other, programs[k, 8], programs[k, 9])
                _count_pairs(lanes[a], lanes[b], lanes[c], lanes[d], lanes[e], lanes[f],
                             np.uint16(split), tables[shape], factor, target)
