"""The words and numbers that every format shares: exactness, intervals, bars, boards."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from oddsmith.solver.answer import Answer, Bars, Block, Board, Cell, Interval, Table, Text
from oddsmith.solver.statistics import outwards

_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Text that is safe to print: control characters become U+FFFD.

    A terminal would obey them, XML forbids them, and none belongs in a name or a title.

    Args:
        text: any text.

    Returns:
        The text with line feeds as its only line ends; tabs stay.
    """
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Printable text with every run of white space as one space."""
    return " ".join(printable(text).split())


def game_name(key: str) -> str:
    """A game's key as words: "stone_age" -> "Stone Age"."""
    return key.replace("_", " ").title()


# ---- exactness -----------------------------------------------------------------------------


def interval_words(interval: Interval) -> str:
    """An interval in words: "95 % interval 0.412 … 0.437, n = 100,000, seed 7"."""
    low, high = format_ends(interval.low, interval.high, _interval_digits([interval]))
    level = f"{100 * interval.level:.4g} %"
    return f"{level} interval {low} … {high}, n = {interval.n:,}, seed {interval.seed}"


def verdict(answer: Answer) -> tuple[str, str]:
    """How sure an answer is, as a word and what belongs to it.

    Args:
        answer: the answer.

    Returns:
        ("exact", "") or ("estimate", the interval; without one, where the bound is told).
    """
    if answer.exact:
        return "exact", ""
    if answer.interval is None:
        return "estimate", "not proven; the method says what bounds it"
    return "estimate", interval_words(answer.interval)


# ---- numbers -------------------------------------------------------------------------------


def format_number(value: float, digits: int) -> str:
    """A number with `digits` decimals; one that would look like 0 keeps two figures."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    words = f"{value + 0.0:,.{digits}f}"  # the sum turns -0.0 into 0.0
    vanishes = value and not float(words.replace(",", ""))
    return f"{value:.2g}" if vanishes else words


def format_ends(low: float, high: float, digits: int) -> tuple[str, str]:
    """The ends of an interval, rounded outwards so that it never claims too much."""
    if math.isfinite(low) and math.isfinite(high):
        return outwards(low, high, digits)
    first, last = (outwards(end, end, digits)[at] if math.isfinite(end)
                   else format_number(end, digits) for at, end in enumerate((low, high)))
    return first, last


def _decimals(value: float) -> int:
    """How many decimals the shortest form of a number has."""
    if value == int(value):
        return 0
    from decimal import Decimal

    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _interval_digits(intervals: Iterable[Interval]) -> int:
    return _digits([(i.low, i.high) for i in intervals], [])


def _digits(ends: Sequence[tuple[float, float]], values: Sequence[float]) -> int:
    """Decimals for numbers shown together.

    With intervals two figures of a typical half width, else four figures of the largest
    value; never more than the numbers have, never more than 8.
    """
    shown = [x for x in (*values, *(e for pair in ends for e in pair)) if math.isfinite(x)]
    widths = [high - low for low, high in ends if math.isfinite(high - low) and high > low]
    if widths:
        median = sorted(widths)[(len(widths) - 1) // 2]
        wanted = 1 - math.floor(math.log10(median / 2))
    else:
        largest = max((abs(x) for x in shown), default=0.0)
        wanted = 3 - math.floor(math.log10(largest)) if largest else 0
    return max(0, min(wanted, max(map(_decimals, shown), default=0), 8))


# ---- bars ----------------------------------------------------------------------------------


class Bar(NamedTuple):
    """One bar, with its numbers as they are shown."""

    label: str
    value: float
    ends: tuple[float, float] | None
    value_words: str
    interval_words: str


def bars_of(block: Bars) -> list[Bar]:
    """The bars of a chart, numbers formatted alike.

    Args:
        block: the chart.

    Returns:
        One `Bar` a label, in order; `ends` is None where the value is exact.

    Raises:
        ValueError: labels, values and intervals differ in number.
    """
    n = len(block.labels)
    ends: list[tuple[float, float] | None] = [None] * n
    if block.low or block.high:
        ends = list(zip(block.low, block.high, strict=True))
    digits = _digits([e for e in ends if e is not None], block.values)
    unit = f" {one_line(block.unit)}" if block.unit else ""
    bars = []
    for label, value, end in zip(block.labels, block.values, ends, strict=True):
        around = " … ".join(format_ends(*end, digits)) if end is not None else ""
        words = format_number(value, digits) + unit
        bars.append(Bar(one_line(label), value, end, words, around))
    return bars


def scale_of(bars: Sequence[Bar], most: float = 0.0) -> tuple[float, float]:
    """The ends of the axis that holds every bar, every interval, 0 and `most`."""
    numbers = [x for bar in bars for x in (bar.value, *(bar.ends or ())) if math.isfinite(x)]
    return min(0.0, *numbers, 0.0), max(0.0, *numbers, most)


# ---- boards --------------------------------------------------------------------------------


def edge_name(names: Sequence[str], index: int) -> str:
    """The label of a row or column, "" beyond those that are named."""
    return one_line(names[index]) if index < len(names) else ""


def legend(board: Board) -> list[tuple[str, str]]:
    """The letters that lie on a board, each with its colour word, in the board's order."""
    used = {piece for row in board.cells for cell in row for piece in cell.pieces}
    return [(letter, word) for letter, word in board.colors.items() if letter in used]


def cell_words(board: Board, row: int, column: int) -> str:
    """One space in words: "B2: red, green on top; height 2; mark 1; group 1"."""
    cell: Cell = board.cells[row][column]
    place = edge_name(board.column_names, column) + edge_name(board.row_names, row)
    pieces = [board.colors.get(letter, letter) for letter in cell.pieces]
    if not pieces:
        said = ["empty"]
    elif len(pieces) == 1:
        said = pieces
    else:
        said = [f"{', '.join(pieces)} on top", f"height {len(pieces)}"]
    said += [f"mark {cell.mark}"] if cell.mark else []
    said += [f"group {cell.group}"] if cell.group > 0 else []
    return one_line(f"{place}: {'; '.join(said)}")


def board_words(board: Board) -> str:
    """The text alternative of a board: its `alt`, else every space that isn't bare."""
    if board.alt:
        return one_line(board.alt)
    told = [
        cell_words(board, r, c)
        for r, row in enumerate(board.cells)
        for c, cell in enumerate(row)
        if cell != Cell()
    ]
    return ". ".join(told) + "." if told else "An empty board."


# ---- blocks --------------------------------------------------------------------------------


def blocks_of(answer: Answer) -> tuple[Block, ...]:
    """An answer's blocks; of an answer without any, its plain value as a table or a text."""
    if answer.blocks:
        return answer.blocks
    if isinstance(answer.answer, dict | list | tuple):
        rows = tuple(_flat("", answer.answer))
        return (Table(columns=("what", "value"), rows=rows),)
    return (Text(body=_plain(answer.answer)),)


def _flat(path: str, value: Any) -> Iterable[tuple[str, str]]:
    """Nested data as rows of path and value."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list | tuple) and value:
        for index, inner in enumerate(value, start=1):
            yield from _flat(f"{path}[{index}]", inner)
    else:
        yield path, _plain(value)


def _plain(value: Any) -> str:
    """A plain value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None or value in ({}, []) else str(value)
