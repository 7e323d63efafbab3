"""Plans: open boards against brute force, tight supplies, budgets."""

from __future__ import annotations

import random

import pytest

from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.position import pack_supply
from oddsmith.solver.games.reef.questions import best_placement
from oddsmith.solver.games.reef.rules import compiled
from tests.reef.compare import check_plan, random_board
from tests.reference import reef as reference


def brute_force(board, numbers, rules, supply):
    """All orders and placements, by the kernel's own moves and counts (proven elsewhere)."""
    kernel, _ = compiled(rules)

    def best(bits, left, packed):
        if not left:
            return 0
        totals = []
        for number in left:
            rest = tuple(other for other in left if other != number)
            card = reef.card(number)
            seen = set()
            for _, after, supply_after in kernel.moves(bits, card.index, packed):
                if (after, supply_after) not in seen:
                    seen.add((after, supply_after))
                    tail = best(after, rest, supply_after)
                    if tail is not None:
                        totals.append(kernel.count(after, card.index) * card.points + tail)
        return max(totals, default=None)

    packed = 0xFFFFFFFF if supply is None else pack_supply(supply)
    return best(board.bits, tuple(numbers), packed)


@pytest.mark.parametrize("seed", range(12))
def test_two_cards_on_open_boards(seed):
    draw = random.Random(seed)
    rules = reef.Rules(overlap=draw.choice(("disjoint", "overlapping")),
                       tallest_tie=draw.choice(("best", "all")))
    board = reef.Board(random_board(draw, 4))
    numbers = draw.sample(range(1, 61), 2)
    supply = None if seed % 2 else {color: draw.choice((1, 2, 9)) for color in "rygp"}
    expected = brute_force(board, numbers, rules, supply)
    check_plan(board, numbers, rules, supply, expected, f"{board} {numbers} {supply}")


@pytest.mark.parametrize("seed", range(4))
def test_one_card_against_the_reference_on_open_boards(seed):
    draw = random.Random(100 + seed)
    board = reef.Board(random_board(draw, 4))
    for number in draw.sample(range(1, 61), 8):
        expected = reference.plan(board.stacks, [reference.CARDS[number]], None, reference.Rules())
        check_plan(board, [number], reef.Rules(), None, expected, f"{board} {number}")


@pytest.mark.parametrize("seed", range(60))
def test_three_cards_with_a_short_supply(seed):
    """Positions that differ only by the supply must not be taken for the same."""
    draw = random.Random(seed)
    rules = reef.Rules(short_supply=draw.choice(("place_available", "illegal")))
    board = reef.Board(random_board(draw, 4, draw.randint(1, 3)))
    numbers = draw.sample(range(1, 61), 3)
    supply = {color: draw.choice((0, 1, 2)) for color in "rygp"}
    expected = brute_force(board, numbers, rules, supply)
    check_plan(board, numbers, rules, supply, expected, f"{board} {numbers} {supply} {rules}")


@pytest.mark.parametrize("seed", range(60))
def test_four_cards(seed):
    draw = random.Random(seed)
    rules = reef.Rules(overlap=draw.choice(("disjoint", "overlapping")),
                       stack_limit=draw.choice((2, 4)))
    board = reef.Board(random_board(draw, rules.stack_limit, draw.randint(3, 5)))
    numbers = draw.sample(range(1, 61), 4)
    expected = brute_force(board, numbers, rules, None)
    assert reef.plan(board, numbers, rules).total == expected, f"{board} {numbers} {rules}"


@pytest.mark.parametrize(("seed", "total"), [
    (356, 26), (360, 25), (448, 28), (479, 29), (697, 21), (757, 31), (827, 29)])
def test_a_board_reached_again_with_more_points(seed, total):
    """From four cards on two orders can lead to one board with different points."""
    board = reef.unpack_board(reef.random_boards(1, seed)[0])
    numbers = random.Random(seed).sample(range(1, 61), 4)
    check_plan(board, numbers, reef.Rules(), None, total, str(seed))


def test_a_space_in_reach_beside_a_cheaper_one():
    """Two coral on the empty b3 make two pairs, though one coral on d1 would raise it to 2."""
    rules = reef.Rules(overlap="overlapping")
    board = reef.parse_board(".,rr,.,r/rrrr,rrrr,rrrr,rrrr/rr,.,rr,rrrr/rrrr,rrrr,rrrr,rrrr")
    plan = reef.plan(board, [30], rules)
    assert (plan.total, plan.steps[0].place) == (4, ("g@b3", "y@b3"))
    assert best_placement(board, reef.card(30), rules).points == 4


def test_cards_that_cant_all_be_played():
    with pytest.raises(InputError, match="can't all be played"):
        reef.plan(".,.,.,./.,r,.,./.,.,.,./.,.,.,.", [1, 21], reef.Rules(short_supply="illegal"),
                  supply={"r": 5, "y": 5, "g": 3, "p": 5})


@pytest.mark.parametrize("supply", [
    {"r": 256, "y": 0, "g": 0, "p": 0}, {"r": -1, "y": 3, "g": 3, "p": 3}, {"r": 3}, {},
    {"red": 3, "yellow": 3, "green": 3, "purple": 3}, {"r": 1.0, "y": 3, "g": 3, "p": 3}])
def test_impossible_supplies(supply):
    with pytest.raises(InputError, match="a supply can't be"):
        reef.plan(".,.,.,./.,r,.,./.,.,.,./.,.,.,.", [4], supply=supply)


def test_impossible_objects():
    for wrong in ({"overlap": "bogus"}, {"players": 9}, {"stack_limit": 100}, {"end": None}):
        with pytest.raises(InputError, match="can't be"):
            reef.Rules(**wrong)
    for stacks in (("r",) * 3, ("x",) * 16, ("r" * 9,) + ("",) * 15):
        with pytest.raises(InputError):
            reef.Board(stacks)
    with pytest.raises(InputError, match="stack has 5"):
        reef.score(reef.Board(("r" * 5,) + ("",) * 15), 1)
    with pytest.raises(InputError, match="seed"):
        reef.new(reef.Rules(), -1)


def test_plan_sizes():
    board = ".,.,.,./.,r,.,./.,.,.,./.,.,.,."
    with pytest.raises(InputError, match="at least one card"):
        reef.plan(board, [])
    with pytest.raises(InputError, match="named twice"):
        reef.plan(board, [1, 1])
    with pytest.raises(TooLarge):
        reef.plan(board, range(1, 10))


def test_budgets_give_a_plan_and_a_bound():
    board = ".,r,y,p/rgg,y,p,g/r,r,gp,r/r,r,.,g"
    exact = reef.plan(board, [17, 54, 49, 19])
    assert exact.exact
    for max_nodes in (1, 10, 100, 1000):
        found = reef.plan(board, [17, 54, 49, 19], max_nodes=max_nodes)
        assert found.total <= exact.total <= found.bound
        assert found == reef.plan(board, [17, 54, 49, 19], max_nodes=max_nodes)
        assert sum(step.points for step in found.steps) == found.total
    again = reef.plan(board, [17, 54, 49, 19], max_nodes=exact.n_nodes)
    assert (again.total, again.exact) == (exact.total, True)


def test_plan_shows_itself_in_a_notebook():
    assert "<svg" in reef.plan(".,.,.,./.,r,.,./.,.,.,./.,.,.,.", [1])._repr_html_()
    assert "<svg" in reef.score(".,.,.,./.,r,.,./.,.,.,./.,.,.,.", 1)._repr_html_()
    assert "<svg" in reef.parse_board(".,.,.,./.,r,.,./.,.,.,./.,.,.,.")._repr_html_()
