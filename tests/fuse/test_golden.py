"""Values that were derived by other people with other means; see docs/fuse.md."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith.solver.games.fuse.bombs import compiled
from oddsmith.solver.games.fuse.deck import load_deck
from oddsmith.solver.games.fuse.hardness import all_expected, hardness, rolls
from tests.fuse.cards import cards, fitting

BY_ID = {bomb.id: bomb for bomb in load_deck("documented").bombs}
EXPECTED = {
    "p4-222": Fraction(18),
    "p4-twins": Fraction(31),
    "p4-stack4-yrbg": Fraction(20),
    "p3-same-num3": Fraction(13),
    "p4-same-colour4": Fraction(16),
    "p1-valley": Fraction(1369, 360),
    "p4-stack4-asc": Fraction(113, 8),
}
SOLUTIONS = {"p1-bg-yr-rb": 1728, "p3-same-num3": 750, "p4-twins": 30}


@pytest.mark.parametrize("name", EXPECTED)
def test_expected_offers(name):
    bomb = BY_ID[name]
    assert hardness(bomb).expected == EXPECTED[name]
    assert all_expected(bomb)[-1] == EXPECTED[name]
    assert compiled((bomb,)).offers(0, 0) == pytest.approx(float(EXPECTED[name]), rel=1e-14)
    assert rolls([bomb], 1).expected == EXPECTED[name]


@pytest.mark.parametrize("name", SOLUTIONS)
def test_solutions(name):
    deck = compiled((BY_ID[name],))
    n = deck.n_slots(0)

    def fillings(cls, slot):
        if slot == n:
            return 1
        return sum(fillings(then, slot + 1) for then in deck.walk(0, cls)[slot] if then >= 0)

    assert fillings(0, 0) == SOLUTIONS[name] == fitting(cards()[name], range(n)).sum()


def test_numbers_of_classes():
    """From 4 to 493 classes of partial fillings a card."""
    deck = compiled(load_deck("documented").bombs)
    reachable = [deck.n_reachable(bomb) for bomb in range(deck.n_bombs)]
    assert (min(reachable), max(reachable)) == (4, 493)
