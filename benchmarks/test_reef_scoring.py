"""Scoring: all 60 cards on random mid-game boards (disjoint maximum)."""

from __future__ import annotations

from oddsmith.solver.games import reef
from tests.reference import reef as reference

N_CARDS = 60
UNIT = "card scores/s"


def test_score_many_reference(benchmark, boards, figure):
    """The baseline: the plain rules."""
    few = [reference.parse_board(str(reef.unpack_board(row))) for row in boards[:50]]
    rules = reference.Rules()

    def score_all():
        for board in few:
            for card in reference.CARDS.values():
                reference.score(board, card, rules)

    benchmark(score_all)
    figure("score, reference", len(few) * N_CARDS / benchmark.stats.stats.median, UNIT)


def test_score_many(benchmark, boards, figure):
    reef.score_many(boards[:1])
    benchmark(reef.score_many, boards)
    figure("score_many", len(boards) * N_CARDS / benchmark.stats.stats.median, UNIT,
           "200 M/s, 3,000 x", "score, reference")


def test_score_many_overlapping(benchmark, boards, figure):
    rules = reef.Rules(overlap="overlapping", tallest_tie="all")
    reef.score_many(boards[:1], rules=rules)
    benchmark(reef.score_many, boards, None, rules)
    figure("score_many, other options", len(boards) * N_CARDS / benchmark.stats.stats.median, UNIT,
           against="score, reference")


def test_one_score(benchmark, hands, figure):
    """One score with its occurrences, as `oddsmith reef score` asks."""
    board, (number, *_) = hands[0]
    benchmark(reef.score, board, number)
    figure("score, one with its occurrences", 1 / benchmark.stats.stats.median, UNIT,
           against="score, reference")
