"""Tree search: exact values of toy games, what it may know, reproducibility, bounds."""

from __future__ import annotations

import itertools
import random
import signal
import threading

import numpy as np
import pytest

from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.kernels.search import Tree
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.search import (
    MEMORY,
    TREES,
    _interval,
    _Tried,
    pick,
    play_searching,
    search,
    settle,
)
from tests import toys


def found_values(table, state, simulations=40_000, **more):
    found = search(table, state, simulations=simulations, seed=3, **more)
    return found, {one.move: one.values for one in found.ranked}


def test_chance_weights_and_a_third_player():
    table, root = toys.tree_table(toys.THREE_PLAYERS, 3)
    found, values = found_values(table, root)
    exact = [toys.tree_values(child) for child in toys.THREE_PLAYERS[1]]
    assert [float(value[0]) for value in exact] == pytest.approx([0.4, 0.1, 0.315])
    assert found.ranked[0].move == 0
    assert values[0] == pytest.approx([float(v) for v in exact[0]])
    # A poor move is searched only until that is clear; its own value takes a search of its own.
    assert max(values[1][0], values[2][0]) < 0.4
    _, third = found_values(table, table.apply_unchecked(table.apply_unchecked(root, 1), 1))
    assert third[0] == pytest.approx((0, 10 / 60, 50 / 60), abs=0.03)
    _, second = found_values(table, table.apply_unchecked(root, 2))
    assert second[1] == pytest.approx([float(v) for v in exact[2]], abs=0.03)
    low, high = found.ranked[0].interval
    assert low <= 0.4 <= high
    assert found.ranked[0].p_best == 1.0
    assert not any(one.unclear for one in found.ranked)


def random_tree(draw, depth):
    if depth == 0 or draw.random() < 0.1:
        return toys.leaf(*(draw.randrange(61) for _ in range(3)))
    n = draw.randint(1, 4)
    if draw.random() < 0.35:
        return (toys.CHANCE, [(draw.choice((1, 2, 9)), random_tree(draw, depth - 1))
                              for _ in range(n)])
    return (draw.randrange(3), [random_tree(draw, depth - 1) for _ in range(n)])


def clear(node):
    """Whether every decision differs by a tenth of a win or more: what is nearly equal to one seat
    may be all the difference to another, and no search tells it soon."""
    if toys.is_leaf(node):
        return True
    below = [child for _, child in node[1]] if node[0] == toys.CHANCE else node[1]
    if node[0] != toys.CHANCE and len(below) > 1:
        first, second = sorted(toys.tree_values(child)[node[0]] for child in below)[-1:-3:-1]
        if first - second < 0.1:
            return False
    return all(map(clear, below))


def clear_trees(n):
    seeds = itertools.count()
    trees = ((0, [random_tree(draw, 4) for _ in range(3)])
             for draw in (random.Random(seed) for seed in seeds))
    return list(itertools.islice(filter(clear, trees), n))


@pytest.mark.parametrize("tree", clear_trees(25), ids=range(25))
def test_random_trees(tree):
    """Every seat maximises its own result: the values of max^n, to the accuracy of the search."""
    table, root = toys.tree_table(tree, 3)
    found, _ = found_values(table, root)
    exact = [float(toys.tree_values(child)[0]) for child in tree[1]]
    assert exact[found.ranked[0].move] >= max(exact) - 0.02
    assert found.ranked[0].values[0] == pytest.approx(max(exact), abs=0.05)


def test_playouts_weigh_chance():
    table, root = toys.tree_table(toys.THREE_PLAYERS, 3)
    rows = np.zeros((40_000, 4), np.int32)
    play_games(table, root, ("random",) * 3, 1, 0, rows)
    for seat, mean in enumerate(toys.tree_means(toys.THREE_PLAYERS)):
        error = rows[:, seat].std() / 60 / 200
        assert abs(rows[:, seat].mean() / 60 - float(mean)) < 5 * error


@pytest.mark.parametrize("card", range(3))
def test_hidden_hands_are_not_seen(card):
    """The value of playing is that of guessing with what the answer told, not of peeking."""
    table = toys.hands_table()
    playing = 0.5 if card == 0 else 1.0
    answers = []
    for other in {0, 1, 2} - {card}:
        found, values = found_values(table, toys.hands_state(card, other))
        assert values[toys.STAY] == pytest.approx((0.6, 0.4))
        assert values[toys.PLAY][0] == pytest.approx(playing, abs=0.05)
        assert found.ranked[0].move == (toys.STAY if card == 0 else toys.PLAY)
        answers.append([(one.move, one.visits, one.values) for one in found.ranked])
    assert answers[0] == answers[1]  # nothing that is hidden has any influence


def test_the_other_seat_decides_by_its_own_hand():
    """Seat 1 doesn't see the card of seat 0 and knows its own."""
    table = toys.hands_table()
    for card in range(3):
        state = table.apply(toys.hands_state((card + 1) % 3, card), toys.PLAY)
        found, values = found_values(table, state, 4000)
        assert values[toys.FOLD][1] == pytest.approx(1 / 3)
        assert values[toys.RAISE][1] == pytest.approx((20 + 10 * (2 * card - 1)) / 60)
        assert found.ranked[0].move == (toys.FOLD if card == 0 else toys.RAISE)


def test_hidden_hands_end_the_line():
    """A line that is told can't rest on a card that nobody knows."""
    table = toys.hands_table()
    found, _ = found_values(table, toys.hands_state(1, 2))
    assert found.ranked[0].line == (toys.PLAY,)
    tree, root = toys.tree_table((0, [(1, [toys.leaf(0, 60), toys.leaf(60, 0)])]), 2)
    found, _ = found_values(tree, root, 800)
    assert found.ranked[0].line == (0, 0)


def lines_of(table, state):
    """The lines of a tree that looks deep enough to have the other seat's replies."""
    tree = Tree(table, state, 1, 0, MEMORY, patience=2)
    tree.grow(200)
    return tuple(tuple(tree.line(move)) for move, visits, _, _ in tree.root() if visits)


def test_a_line_tells_nothing_that_is_hidden():
    """Late positions, where few cards are left that a hidden hand may hold, dealt in many ways."""
    table, _ = opening()
    draw, checked = Generator(3), 0
    for trial in range(6):
        state, chance = table.new_game(), Generator(5, trial)
        for step in range(60):
            if (turn := table.turn(state)) == -2:
                break
            state = table.apply_unchecked(state, table.sample(state, chance) if turn == -1
                                          else table.policy_move(state, "greedy", chance))
            fields = table.unpack(state)
            if step % 8 or table.turn(state) < 0 or not fields["top"]:
                continue
            # A card of the other hand is hidden among itself and the one that the deck still has.
            other = 1 - table.turn(state)
            fields["secret"] = [[], []]
            fields["secret"][other] = fields["hands"][other][:1]
            fields["deck"], rest = fields["deck"][:1], fields["deck"][1:]
            fields["played"] += rest
            asked = table.pack(fields)
            if table.turn(asked) >= 0 and table.n_moves(asked) > 1 and fields["secret"][other]:
                seen = {lines_of(table, table.redeal(asked, table.turn(asked), draw))
                        for _ in range(6)}
                assert len(seen) == 1
                checked += 1
    assert checked >= 5


def test_moves_that_tie_share_the_chance_of_being_best():
    table, root = toys.tree_table((0, [toys.leaf(60, 0), toys.leaf(60, 0), toys.leaf(0, 60)]), 2)
    found, _ = found_values(table, root, 8 * 300)
    shares = {one.move: one.p_best for one in found.ranked}
    assert shares[2] == 0
    assert shares[0] + shares[1] == pytest.approx(1)
    visits = {one.move: one.visits for one in found.ranked}
    if visits[0] == visits[1]:
        assert shares[0] == shares[1]


def test_half_of_the_moves_and_more_are_looked_at():
    """Wide decisions: an eighth of the visits of a tree are moves that it has opened."""
    table, state = opening()
    found = search(table, state, simulations=8 * 2400, seed=1)
    assert len(found.ranked) >= min(found.n_moves, 300)


def opening(seed=7, **options):
    rules = reef.Rules(**options)
    return reef.table(rules), reef.to_state(reef.new(rules, seed))


def test_workers_do_not_matter():
    table, state = opening(players=3)
    answers = {str(search(table, state, simulations=400, seed=1, workers=workers).ranked)
               for workers in (1, 2, 7)}
    assert len(answers) == 1
    assert answers != {str(search(table, state, simulations=400, seed=2).ranked)}


def test_slices_do_not_matter():
    """A tree grown in parts is the tree grown at once: simulation i depends on (seed, tree, i)."""
    table, state = opening()
    whole, parts = (Tree(table, state, 5, 2, MEMORY) for _ in range(2))
    whole.grow(300)
    for n in (1, 2, 97, 200):
        parts.grow(n)
    assert whole.root() == parts.root()
    assert (whole.n_nodes, whole.visited) == (parts.n_nodes, parts.visited)


def test_a_clock_gives_the_number_that_reproduces():
    table, state = opening()
    timed = search(table, state, simulations=10**6, seed=1, seconds=0.3)
    assert timed.simulations < 10**6
    again = search(table, state, simulations=timed.simulations, seed=1)
    assert timed.ranked == again.ranked


def test_stop_keeps_what_is_known():
    table, state = opening()
    seen = []
    found = search(table, state, simulations=10**6, seed=1, stop=lambda n: seen.append(n) or True)
    assert found.simulations == seen[0] > 0
    assert found.simulations % TREES == 0


def test_until():
    table, root = toys.tree_table(toys.THREE_PLAYERS, 3)
    found = search(table, root, simulations=10**6, seed=1, until=0.02)
    low, high = found.ranked[0].interval
    assert found.precise
    assert high - low <= 0.04
    assert found.simulations < 10**6
    coarse = search(table, root, simulations=80, seed=1, until=0.001)
    assert not coarse.precise


def test_memory_is_bounded():
    table, state = opening()
    tree = Tree(table, state, 1, 0, 1 << 18, patience=2)
    tree.grow(5000)
    assert tree.full
    assert tree.memory <= 1 << 18
    assert tree.simulations == 5000
    with pytest.raises(InputError, match="can't begin"):
        search(table, state, simulations=8, seed=1, memory=8 * 1024)
    with pytest.raises(ValueError, match="nobody decides"):
        search(table, table.new_game(), simulations=8, seed=1)
    with pytest.raises(ValueError, match="nobody decides"):
        Tree(table, table.new_game(), 1, 0, MEMORY)


def test_every_move_is_looked_at_in_the_end():
    """Progressive widening leaves no legal move out."""
    wide = (0, [toys.leaf(k, 60 - k) for k in range(60)])
    table, root = toys.tree_table(wide, 2)
    found, _ = found_values(table, root, 8 * 6000)
    assert len(found.ranked) == 60
    assert found.ranked[0].move == 59


def test_intervals_cover():
    """The exact value of a move lies in its interval about as often as the 95 % say."""
    chancy = (0, [(toys.CHANCE, [(1, toys.leaf(60, 0)), (2, toys.leaf(0, 60))]),
                  (toys.CHANCE, [(1, toys.leaf(0, 60)), (1, toys.leaf(30, 30))])])
    table, root = toys.tree_table(chancy, 2)
    covered = sum(
        low <= 1 / 3 <= high
        for seed in range(200)
        for one in search(table, root, simulations=800, seed=seed, workers=1).ranked[:1]
        for low, high in [one.interval])
    assert covered >= 184  # 190 expected; 184 and fewer has chance 0.8 %


def test_intervals_count_what_trees_disagree_on():
    """Two trees that are sure of 0.4 and of 0.6: Student's t for one degree of freedom is 12.7."""
    low, high = _interval(_Tried(0, [1000, 1000], [(400.0,), (600.0,)]), 0)
    assert (low, high) == (0, 1)             # 0.5 +- 1.27
    four = _Tried(0, [1000] * 4, [(400.0,), (600.0,), (400.0,), (600.0,)])
    half = 3.182446 * (4 * 0.1**2 / 3 / 4) ** 0.5     # three degrees
    assert _interval(four, 0) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)


def test_searching_seats_meet_the_same_deals():
    """A seat that searches, and the others, draw from the streams of playouts."""
    table, _ = opening()
    rows = np.zeros((2, 6), np.int32)
    play_games(table, table.new_game(), ("greedy", "random"), 4, 10, rows)
    again = np.zeros((2, 6), np.int32)
    play_searching(table, table.new_game(), ("greedy", "random"), 4, 10, again, False, 8)
    assert (rows == again).all()
    play_searching(table, table.new_game(), ("search", "random"), 4, 10, again, False, 80)
    assert (again[:, 0] == 60).all()


def test_pick_is_the_best_of_search():
    table, state = opening()
    assert pick(table, state, 400, 9) == search(table, state, simulations=400, seed=9).ranked[0].move


def test_settled_moves():
    table, root = toys.tree_table(toys.THREE_PLAYERS, 3)
    exact = [float(toys.tree_means(child)[0]) for child in toys.THREE_PLAYERS[1]]
    found = settle(table, root, [0, 1, 2], ["random"] * 3, games=200_000, seed=1, until=0.01)
    assert found.precise
    assert found.games < 200_000
    for payoffs, mean in zip(found.payoffs, exact, strict=True):
        assert float(payoffs.mean) / 60 == pytest.approx(mean, abs=0.03)
    assert [one.sign for one in found.differences] == [
        1 if exact[0] > mean else -1 for mean in exact[1:]]
    with pytest.raises(ValueError, match="not legal"):
        settle(table, root, [0, 9], ["random"] * 3, games=10, seed=1)


def test_settled_moves_meet_the_same_deals():
    """Chance falls alike behind all moves: what one of them gains on the other never varies."""
    better, worse = ((toys.CHANCE, [(1, toys.leaf(60 - less, less)), (2, toys.leaf(10 - less, 60)),
                                    (3, toys.leaf(30 - less, 30))]) for less in (0, 10))
    table, root = toys.tree_table((0, [better, worse]), 2)
    found = settle(table, root, [0, 1], ["random"] * 2, games=3000, seed=1)
    assert found.payoffs[0].mean > found.payoffs[1].mean
    (difference,) = found.differences
    assert difference.low == difference.mean == difference.high == 10


def test_interrupt(monkeypatch):
    """Ctrl-C in the middle of a search ends it with an answer."""
    from click.testing import CliRunner

    from oddsmith.solver.cli import oddsmith

    threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT)).start()
    run = CliRunner().invoke(
        oddsmith, ["reef", "best", "examples/reef-opening.toml", "--simulations", "100000000"])
    assert run.exit_code == 130
    assert "simulations in 8 trees" in run.output
