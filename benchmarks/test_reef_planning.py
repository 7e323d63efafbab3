"""Placing and planning."""

from __future__ import annotations

import statistics
import time

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.position import UNLIMITED_SUPPLY
from oddsmith.solver.games.reef.rules import compiled
from tests.reference import reef as reference

N_CARDS = 60


def test_best_placement_reference(benchmark, hands, figure):
    board, numbers = hands[0]
    plain, rules = reference.parse_board(str(board)), reference.Rules()

    def four_cards():
        return [reference.best_placement(plain, reference.CARDS[n], None, rules) for n in numbers]

    benchmark.pedantic(four_cards, rounds=3)
    figure("best placement, reference", benchmark.stats.stats.median / 4 * 1e6, "us a card")


def test_best_placement(benchmark, boards, figure):
    """Mean over the 60 cards, proven over all placements."""
    _, planner = compiled(reef.Rules())
    few = boards[:2000].copy()

    def all_cards():
        return [planner.time_best_placement(few, card.index, UNLIMITED_SUPPLY)
                for card in reef.cards()]

    all_cards()
    benchmark(all_cards)
    figure("best placement", benchmark.stats.stats.median / len(few) / N_CARDS * 1e6, "us a card",
           "1.5 us", "best placement, reference")


def test_plan_2_cards_reference(benchmark, hands, figure):
    board, numbers = hands[0]
    plain, rules = reference.parse_board(str(board)), reference.Rules()
    cards = [reference.CARDS[n] for n in numbers[:2]]
    benchmark.pedantic(lambda: reference.plan(plain, cards, None, rules), rounds=1)
    figure("plan of 2 cards, reference", benchmark.stats.stats.median * 1e3, "ms")


def test_plan_2_cards(benchmark, hands, figure):
    board, numbers = hands[0]
    benchmark(reef.plan, board, numbers[:2])
    figure("plan of 2 cards", benchmark.stats.stats.median * 1e3, "ms",
           against="plan of 2 cards, reference")


def test_plan_3_cards(benchmark, hands, figure):
    _plans(benchmark, hands, figure, 3, "100 ms, 2,000 ms")


def test_plan_4_cards(benchmark, hands, figure):
    _plans(benchmark, hands, figure, 4, "4,000 ms, 30,000 ms")


def _plans(benchmark, hands, figure, n_cards, goal):
    """Brute force can't end here; the sketch these goals come from took 100 and 7,800 ms."""
    times = []

    def plan_all():
        times.clear()
        for board, numbers in hands:
            started = time.perf_counter()
            assert reef.plan(board, numbers[:n_cards]).exact
            times.append(time.perf_counter() - started)

    benchmark.pedantic(plan_all, rounds=3, warmup_rounds=1)
    figure(f"plan of {n_cards} cards, proven, median", statistics.median(times) * 1e3, "ms", goal)
    figure(f"plan of {n_cards} cards, proven, slowest", max(times) * 1e3, "ms", goal)
