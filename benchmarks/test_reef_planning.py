"""Placing and planning."""

from __future__ import annotations

import statistics
import time

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.position import UNLIMITED_SUPPLY
from oddsmith.solver.games.reef.rules import compiled
from tests.reference import reef as reference


def test_best_placement(benchmark, boards):
    """Mean over the 60 cards, exact over all placements.  Goal: 1.5 us."""
    _, planner = compiled(reef.Rules())
    few = boards[:2000].copy()

    def all_cards():
        return [planner.time_best_placement(few, card.index, UNLIMITED_SUPPLY)
                for card in reef.cards()]

    all_cards()
    benchmark(all_cards)
    _per_placement(benchmark, len(few) * 60)


def test_best_placement_reference(benchmark, hands):
    board, numbers = hands[0]
    plain, rules = reference.parse_board(str(board)), reference.Rules()

    def four_cards():
        return [reference.best_placement(plain, reference.CARDS[n], None, rules) for n in numbers]

    benchmark.pedantic(four_cards, rounds=3)
    _per_placement(benchmark, 4)


def test_plan_3_cards(benchmark, hands):
    """Goal: median 0.1 s, at most 2 s."""
    _plans(benchmark, hands, 3)


def test_plan_4_cards(benchmark, hands):
    """Goal: median 4 s, at most 30 s."""
    _plans(benchmark, hands, 4)


def test_plan_2_cards_reference(benchmark, hands):
    board, numbers = hands[0]
    plain, rules = reference.parse_board(str(board)), reference.Rules()
    cards = [reference.CARDS[n] for n in numbers[:2]]
    benchmark.pedantic(lambda: reference.plan(plain, cards, None, rules), rounds=1)


def test_plan_2_cards(benchmark, hands):
    board, numbers = hands[0]
    benchmark(reef.plan, board, numbers[:2])


def _per_placement(benchmark, n):
    print(f"\n{benchmark.name}: {benchmark.stats.stats.median / n * 1e6:.3f} us a card")


def _plans(benchmark, hands, n_cards):
    times = []

    def plan_all():
        times.clear()
        for board, numbers in hands:
            started = time.perf_counter()
            assert reef.plan(board, numbers[:n_cards]).exact
            times.append(time.perf_counter() - started)

    benchmark.pedantic(plan_all, rounds=3, warmup_rounds=1)
    benchmark.extra_info["median_plan"] = statistics.median(times)
    benchmark.extra_info["slowest_plan"] = max(times)
    print(f"\n{benchmark.name}: median {statistics.median(times) * 1e3:.2f} ms, "
          f"at most {max(times) * 1e3:.1f} ms over {len(times)} hands")
