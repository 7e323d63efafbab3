"""Comparing the compiled Reef with the plain reference on random questions.

Each function takes (seed, n), asks n questions and returns how often each rule of the reference
fired; a disagreement raises AssertionError with everything needed to ask again.
"""

from __future__ import annotations

import random
from collections import Counter

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.position import UNLIMITED_SUPPLY, pack_supply
from oddsmith.solver.games.reef.questions import best_placement
from oddsmith.solver.games.reef.rules import compiled
from tests.reference import reef as reference

COLORS = "rygp"
OPTIONS = {
    "stack_limit": (4, 4, 4, 1, 2, 3, 5, 6, 7, 8),
    "tallest_tie": ("best", "all"),
    "short_supply": ("place_available", "illegal"),
    "overlap": ("disjoint", "overlapping"),
}


def random_options(draw: random.Random) -> dict[str, object]:
    return {name: draw.choice(values) for name, values in OPTIONS.items()}


def random_board(draw: random.Random, limit: int, free_levels: int | None = None) -> tuple[str, ...]:
    """Any kind of board: sparse or full, flat or high, of many colours or few.

    With `free_levels`, the board has just so many free places for coral.
    """
    colors = draw.sample(COLORS, draw.choice((1, 2, 2, 3, 4, 4)))
    if free_levels is None:
        heights = [draw.choice((0, 1, 1, 2, 2, 3, 4, limit)) for _ in range(16)]
        heights = [min(height, limit) for height in heights]
    else:
        heights = [limit] * 16
        for _ in range(free_levels):
            heights[draw.choice([k for k in range(16) if heights[k]])] -= 1
    return tuple("".join(draw.choice(colors) for _ in range(height)) for height in heights)


def random_supply(draw: random.Random) -> dict[str, int] | None:
    if draw.random() < 0.5:
        return None
    return {color: draw.choice((0, 1, 1, 2, 5)) for color in COLORS}


def packed(supply: dict[str, int] | None) -> int:
    return UNLIMITED_SUPPLY if supply is None else pack_supply(supply)


def compare_scores(seed: int, n: int) -> Counter[str]:
    """n (board, card, options) triples: count, points and the occurrences shown."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    n_cards = len(reference.CARDS)
    for _ in range(0, n, n_cards):
        options = random_options(draw)
        rules, plain_rules = reef.Rules(**options), reference.Rules(**options)
        board = reef.Board(random_board(draw, rules.stack_limit))
        kernel, _ = compiled(rules)
        bits = board.bits
        chosen = draw.randint(1, n_cards)
        for number, card in reference.CARDS.items():
            expected = reference.score(board.stacks, card, plain_rules)
            count = kernel.count(bits, number - 1)
            question = f"{board} card {number} {options}"
            assert (count, count * card.points) == expected, question
            if number == chosen:
                check_shown(board, card, rules, plain_rules, question)
    return Counter(reference.FIRED)


def check_shown(board, card, rules, plain_rules, question):
    """The occurrences that the product shows are one of the largest choices."""
    shown = reef.score(board, card.id, rules)
    cells = [frozenset(reef.parse_space(name) for name in spaces) for spaces in shown.cells]
    if not card.centre:
        assert len(set(cells)) == len(cells) == shown.count, question
        assert frozenset(cells) in reference.disjoint_sets(board.stacks, card, plain_rules), question
        return
    tallest = [reef.parse_space(name) for name in shown.tallest]
    scoring = Counter(space for spaces in cells for space in spaces)
    assert any(
        {space for space, _ in choice} == set(tallest)
        and Counter(space for _, near in choice for space in near) == scoring
        for choice in reference.tallest_choices(board.stacks, card, plain_rules)
    ), question


def compare_arrays(seed: int, n: int) -> Counter[str]:
    """n scores by the array kernel against the scalar one (which `compare_scores` proves)."""
    draw = random.Random(seed)
    for _ in range(max(1, n // (60 * 500))):
        rules = reef.Rules(**random_options(draw))
        boards = [reef.Board(random_board(draw, rules.stack_limit)) for _ in range(500)]
        kernel, _ = compiled(rules)
        found = reef.score_many(boards, rules=rules)
        for row, board in zip(found.tolist(), boards, strict=True):
            expected = [kernel.count(board.bits, card.index) * card.points for card in reef.cards()]
            assert row == expected, f"{board} {rules}"
    return Counter()


def compare_placements(seed: int, n: int) -> Counter[str]:
    """n lists of placements and best placements, on tight and open boards, with all supplies."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    for _ in range(n):
        options = random_options(draw)
        rules, plain_rules = reef.Rules(**options), reference.Rules(**options)
        free = draw.choice((None, None, 0, 1, 2, 3, 5))
        board = reef.Board(random_board(draw, rules.stack_limit, free))
        card = reference.CARDS[draw.randint(1, 60)]
        supply = random_supply(draw)
        kernel, _ = compiled(rules)
        question = f"{board} card {card.id} {options} {supply}"
        expected = reference.placements(board.stacks, card, supply, plain_rules)
        found = {}
        for pieces, bits, left in kernel.moves(board.bits, card.id - 1, packed(supply)):
            after = board.placed(pieces)
            assert after.bits == bits, question
            shown = None if supply is None else tuple(left >> (8 * k) & 0xFF for k in range(4))
            placed = tuple((COLORS[color], space) for color, space in pieces)
            found.setdefault((after.stacks, shown), []).append(placed)
        assert found.keys() == expected.keys(), question
        for result, placed in found.items():
            assert len(set(placed)) == len(placed), question
            assert set(placed) <= set(expected[result]), question
        best = best_placement(board, reef.card(card.id), rules, packed(supply))
        assert (best.points if best else None) == reference.best_placement(
            board.stacks, card, supply, plain_rules), question
    return Counter(reference.FIRED)


def compare_plans(seed: int, n: int) -> Counter[str]:
    """n plans of 1 to 3 cards against brute force; boards tight enough for brute force to end."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    for _ in range(n):
        options = random_options(draw)
        rules, plain_rules = reef.Rules(**options), reference.Rules(**options)
        n_cards = draw.choice((1, 2, 2, 3))
        most_free = {1: 40, 2: 6, 3: 4}[n_cards]
        limit = rules.stack_limit
        board = reef.Board(random_board(draw, limit, min(16 * limit, draw.randint(0, most_free))))
        numbers = draw.sample(range(1, 61), n_cards)
        supply = random_supply(draw)
        question = f"{board} cards {numbers} {options} {supply}"
        expected = reference.plan(board.stacks, [reference.CARDS[k] for k in numbers], supply,
                                  plain_rules)
        check_plan(board, numbers, rules, supply, expected, question)
    return Counter(reference.FIRED)


def check_plan(board, numbers, rules, supply, expected, question):
    """The product's total is the expected one, and its steps really score it."""
    try:
        plan = reef.plan(board, numbers, rules, supply=supply)
    except reef.InputError:
        assert expected is None, question
        return
    assert plan.exact, question
    assert plan.total == plan.bound == expected, question
    assert sorted(step.card for step in plan.steps) == sorted(numbers), question
    plain_rules = reference.Rules(
        stack_limit=rules.stack_limit, tallest_tie=rules.tallest_tie, overlap=rules.overlap,
        short_supply=rules.short_supply,
    )
    stacks, left, total = board.stacks, supply, 0
    for step in plan.steps:
        card = reference.CARDS[step.card]
        pieces = tuple(
            (COLORS[color], space) for color, space in (reef.parse_piece(p) for p in step.place)
        )
        for (after, rest), placed in reference.placements(stacks, card, left, plain_rules).items():
            if pieces in placed:
                stacks = after
                left = None if rest is None else dict(zip(COLORS, rest, strict=True))
                break
        else:
            raise AssertionError(f"illegal step {step.card} {step.place}: {question}")
        points = reference.score(stacks, card, plain_rules)[1]
        assert points == step.points, question
        total += points
    assert total == plan.total, question


def compare_deals(seed: int, n: int) -> Counter[str]:
    """n dealt games: legal start boards, the right supply, hands and display."""
    reference.FIRED.clear()
    draw = random.Random(seed)
    layouts: dict[object, set[tuple[str, ...]]] = {}
    for _ in range(n):
        options = {
            "players": draw.choice((2, 3, 4)), "supply_per_color": draw.choice((None, 5, 60)),
            "start_layout": draw.choice(("center", "edge", "free")),
            "stack_limit": draw.choice((1, 2, 4)), "start_points": draw.choice((0, 3, 20)),
            "display_size": draw.choice((1, 3, 6)),
        }
        rules, plain_rules = reef.Rules(**options), reference.Rules(**options)
        position = reef.new(rules, draw.randrange(1 << 64))
        key = (plain_rules.start_layout, plain_rules.stack_limit)
        if key not in layouts:
            layouts[key] = set(reference.start_layouts(plain_rules))
        assert all(player.board.stacks in layouts[key] for player in position.players), options
        assert position.supply == reference.start_supply(plain_rules), options
        assert [len(player.hand) for player in position.players] == [2] * rules.players
        assert [player.score for player in position.players] == [rules.start_points] * rules.players
        assert len(position.display) == rules.display_size
        assert position.n_deck == 60 - 2 * rules.players - rules.display_size
        assert not reef.check(position), options
    return Counter(reference.FIRED)


COMPARISONS = (compare_scores, compare_arrays, compare_placements, compare_plans, compare_deals)
