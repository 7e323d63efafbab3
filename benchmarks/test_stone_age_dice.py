"""Stone Age's tables of dice and splits of tools, beside icepool, dyce and plain Python."""

from __future__ import annotations

from functools import cache
from itertools import product

import icepool
import numpy as np
import pytest

from oddsmith.kernels.stone_age_dice import Split, fill_tables

GRID = list(product(range(1, 11), range(3, 7), range(13)))
"""The 520 tables: dice, divisor, tools."""


def kernel_tables():
    out = np.zeros((10, 4, 13, 25), np.uint32)
    fill_tables(out)
    return [{k: int(w) for k, w in enumerate(out[n - 1, d - 3, t]) if w} for n, d, t in GRID]


def plain_tables():
    ways = {0: {0: 1}}
    for n in range(1, 11):
        ways[n] = {}
        for total, weight in ways[n - 1].items():
            for pips in range(1, 7):
                ways[n][total + pips] = ways[n].get(total + pips, 0) + weight
    tables = []
    for n, d, t in GRID:
        table = {}
        for total, weight in ways[n].items():
            table[(total + t) // d] = table.get((total + t) // d, 0) + weight
        tables.append(table)
    return tables


def icepool_tables():
    return [((n @ icepool.d6) + t) // d for n, d, t in GRID]


def test_tables_icepool(benchmark, figure):
    made = benchmark.pedantic(icepool_tables, rounds=3)
    expected = kernel_tables()
    for die, table, (n, _, _) in zip(made, expected, GRID, strict=True):
        scale = 6**n // die.denominator()
        assert {int(k): w * scale for k, w in die.items()} == table
    figure("520 tables, icepool", 520 / benchmark.stats.stats.median, "tables/s")


def test_tables_dyce(benchmark, figure):
    dyce = pytest.importorskip("dyce")

    def tables():
        pools = {n: n @ dyce.H(6) for n in range(1, 11)}
        return [(pools[n] + t) // d for n, d, t in GRID]

    made = benchmark.pedantic(tables, rounds=3)
    for histogram, table in zip(made, kernel_tables(), strict=True):
        assert {int(k): w for k, w in histogram.items()} == table
    figure("520 tables, dyce", 520 / benchmark.stats.stats.median, "tables/s")


def test_tables_plain(benchmark, figure):
    assert benchmark.pedantic(plain_tables, rounds=3) == kernel_tables()
    figure("520 tables, plain Python", 520 / benchmark.stats.stats.median, "tables/s")


def test_tables(benchmark, figure):
    out = np.zeros((10, 4, 13, 25), np.uint32)
    benchmark.pedantic(fill_tables, args=(out,), rounds=200, iterations=20, warmup_rounds=5)
    took = benchmark.stats.stats.median
    figure("520 tables", 520 / took, "tables/s", "52 M/s (10 us)", "520 tables, icepool")
    figure("520 tables (plain)", 520 / took, "tables/s", "", "520 tables, plain Python")


def plain_split():
    """4 people on wood, then 3 on gold, with tools of 2, 3 and 4, by plain recursion."""
    rolls, tools = ((4, 3, 3), (3, 6, 6)), (2, 3, 4)
    ways = [dict.fromkeys(range(6 * n + 1), 0) for n, _, _ in rolls]
    for table, (n, _, _) in zip(ways, rolls, strict=True):
        for dice in product(range(1, 7), repeat=n):
            table[sum(dice)] += 1

    @cache
    def best(k, left):
        if k == len(rolls):
            return 0
        _, d, value = rolls[k]
        later = 6 ** sum(n for n, _, _ in rolls[k + 1:])
        return sum(
            weight * max(value * ((pips + sum(tools[i] for i in range(3) if used >> i & 1)) // d)
                         * later + best(k + 1, left & ~used)
                         for used in range(8) if used & ~left == 0)
            for pips, weight in ways[k].items() if weight)

    return best(0, 7)


def test_split_plain(benchmark, figure):
    assert benchmark.pedantic(plain_split, rounds=3) == 31 * 6**7
    figure("split 3 tools, 2 rolls, plain Python", 1 / benchmark.stats.stats.median, "splits/s")


def test_split(benchmark, figure):
    split = Split([(4, 3, 3, 1), (3, 6, 6, 4)], [2, 3, 4], {}, True)
    benchmark.pedantic(split.solve, args=(1000,), rounds=20, warmup_rounds=1)
    assert split.solve()[0] == 31 * 6**7
    figure("split 3 tools, 2 rolls", 1000 / benchmark.stats.stats.median, "splits/s",
           "333,000/s (3 us)", "split 3 tools, 2 rolls, plain Python")


def test_large_split(benchmark, figure):
    rolls = [(4, d, d, d - 2) for d in range(2, 7)]
    split = Split(rolls, [1, 2, 2, 2, 3, 4], {}, False)
    benchmark.pedantic(split.solve, rounds=5)
    figure("split 6 tools, 5 rolls, best order", 1 / benchmark.stats.stats.median, "splits/s",
           "1/s")
