"""Scoring: all 60 cards on random mid-game boards (disjoint maximum)."""

from __future__ import annotations

from oddsmith.solver.games import reef
from tests.reference import reef as reference

N_CARDS = 60


def test_score_many(benchmark, boards):
    """Goal: 200 M card scores/s and 3,000 times the reference."""
    reef.score_many(boards[:1])
    benchmark(reef.score_many, boards)
    _per_score(benchmark, len(boards))


def test_score_many_overlapping(benchmark, boards):
    rules = reef.Rules(overlap="overlapping", tallest_tie="all")
    reef.score_many(boards[:1], rules=rules)
    benchmark(reef.score_many, boards, None, rules)
    _per_score(benchmark, len(boards))


def test_score_many_reference(benchmark, boards):
    few = [reference.parse_board(str(reef.unpack_board(row))) for row in boards[:50]]
    rules = reference.Rules()

    def score_all():
        for board in few:
            for card in reference.CARDS.values():
                reference.score(board, card, rules)

    benchmark(score_all)
    _per_score(benchmark, len(few))


def test_one_score(benchmark, hands):
    """One score with its occurrences, as `oddsmith reef score` asks."""
    board, (number, *_) = hands[0]
    benchmark(reef.score, board, number)


def _per_score(benchmark, n_boards):
    n = n_boards * N_CARDS
    benchmark.extra_info["scores_a_second"] = n / benchmark.stats.stats.median
    print(f"\n{benchmark.name}: {n / benchmark.stats.stats.median / 1e6:.3f} M card scores/s")
