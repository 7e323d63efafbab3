"""Assigning a roll: progress in the kernel against all assignments, playouts on common dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from oddsmith.kernels.fuse_assign import pick_playouts, playouts, progress, unplaced
from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assign import assign_answer, lines_of, pick_answer, with_roll
from oddsmith.solver.games.fuse.assignments import Assignment, Search
from oddsmith.solver.games.fuse.progress import Progress
from tests.fuse import specimen
from tests.fuse.test_assignments import states

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def rolled(players, seed):
    position = fuse.new(fuse.Rules(players=players, deck="synthetic"), seed)
    return fuse.move_position(position, ["roll"], Generator(seed))


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_the_kernel_finds_the_most_that_is_spared(players):
    """On empty bombs nothing can be removed yet, so that is all it counts."""
    for seed in range(20):
        position = rolled(players, seed)
        gain, move = progress(fuse.table(position.rules), fuse.to_state(position))
        search = Search(position)
        values = [{part: max(way.gain for way in ways) for part, ways in mine.items()}
                  for mine in search._ways]
        most = max(search._bounds(values, position.dice)[0].values())
        assert most == pytest.approx(gain, abs=1e-9)
        assert move in fuse.legal_codes(position)
        assert next(search.best()).progress <= gain + 1e-9


@pytest.mark.parametrize("seed", range(14))
def test_exact_progress_is_that_of_the_search(seed):
    """Over all options, and bombs that can't be finished any more."""
    [rules] = specimen.rules(100 + seed, 1)
    for number, position in enumerate(states(rules, seed)):
        if number % 17 or number > 60:
            continue
        search = Search(position)
        exact = Progress(position, search.fillings)
        hands = [way[()][0].hand for way in search._ways]
        for color, cost in enumerate(unplaced(fuse.table(rules), fuse.to_state(position))):
            if rules.removal == "all" and any(
                    len(search.fillings.of[one].drops) > 1 for hand in hands for one in hand):
                break                    # there the kernel adds up the dice of one bomb
            assert sum(search._losses.cost(hand, (color,)) for hand in hands) == pytest.approx(
                cost, abs=1e-8)          # the kernel's, of one die thrown alone
        for made in islice(search.best(), 8):
            assert float(exact.of(made.moves)) == pytest.approx(made.progress, abs=1e-8)


def filling(players, seed=9):
    """Positions of games in which the best assignment fills a bomb, and this assignment."""
    for position in states(fuse.Rules(players=players), seed, "planner"):
        table = fuse.table(position.rules)
        for made in islice(Search(position).best(), 3):
            state = fuse.to_state(position)
            for code in made.moves:
                state = table.apply(state, code)
                if table.unpack(state)["phase"] == engine.PICK:
                    yield position, made
                    break


@pytest.mark.parametrize("players", [1, 2, 3])
def test_orders_and_picks_are_part_of_a_way(players):
    """Every line makes the whole assignment; three bombs are tried, and the other dice first."""
    firsts, seen = 0, 0
    for position, made in islice(filling(players), 25):
        throws = [colors for _, colors in Progress(position).throws(made.moves)][:1]
        lines = lines_of(position, made, throws)
        assert len(set(lines)) == len(lines)
        for line in lines:
            placed = sorted(code for code in line if code & 0xFF == engine.PLACE)
            assert placed == sorted(made.moves)
            takes = [k for k, code in enumerate(line) if code & 0xFF == engine.TAKE]
            assert len(takes) == 1
            firsts += takes == [1] and len(placed) > 1
        taken = {code for line in lines for code in line if code & 0xFF == engine.TAKE}
        assert len(taken) == min(3, len(position.centre))
        orders = {tuple(code for code in line if code & 0xFF == engine.PLACE) for line in lines}
        seen += len(orders) > 1
    assert firsts and seen


def test_throws_follow_what_stays_over():
    """The team stops, then throws the dice in each order, where there is one to choose."""
    for position in states(fuse.Rules(players=3), 3, "planner"):
        made = Assignment(0.0, (), position.dice)
        orders = [colors for _, colors in Progress(position).throws(())]
        ends = [[engine.encode(engine.CHOOSE, color) for color in colors]
                for colors in orders if len(set(colors)) > 1]
        assert [list(line) for line in lines_of(position, made, orders)] == [
            [engine.encode(engine.STOP), *end] for end in ends or [[]]]


def test_each_way_is_a_different_assignment():
    """Orders and picks are tried within an assignment; they take no rows from others."""
    for position, _ in islice(filling(3), 3):
        value = assign_answer(position, games=4).answer
        placed = [frozenset(text for text in one["moves"] if text.startswith("place"))
                  for one in value]
        assert len(set(placed)) == len(placed)
        assert any(one["tried"] > 1 for one in value)


def test_chosen_moves_are_those_of_one_roll():
    """What the policy would do anyway, chosen, gives the same games: nothing is left over for later."""
    compared = 0
    for position in states(fuse.Rules(players=3), 2, "planner"):
        table, state, moves = fuse.table(position.rules), fuse.to_state(position), []
        while table.unpack(state)["phase"] == engine.ASSIGN:
            code = table.policy_move(state, "planner", Generator(0))
            moves.append(code)
            state = table.apply(state, code)
        if table.unpack(state)["phase"] == engine.PICK:
            continue                         # what comes then depends on cards
        won = [np.zeros(40, np.uint8) for _ in range(2)]
        playouts(table, fuse.to_state(position), moves, 5, 0, won[0])
        playouts(table, fuse.to_state(position), [], 5, 0, won[1])
        assert (won[0] == won[1]).all()
        compared += 1
    assert compared > 10


def test_chosen_moves_are_not_left_for_the_next_roll():
    """A placement that comes too late, all dice being placed, is made in no later roll either."""
    compared = 0
    rules = fuse.Rules(players=3, level="training", seconds_per_roll=18.0)
    for position in states(rules, 4, "planner"):
        table, start = fuse.table(position.rules), fuse.to_state(position)
        made = next(Search(position).best())
        after = start
        for code in made.moves:
            after = table.apply(after, code)
            if table.unpack(after)["phase"] != engine.ASSIGN:
                break
        if made.left or table.unpack(after)["phase"] == engine.PICK:
            continue
        deck = fuse.engine.compiled(rules).deck
        late = [engine.encode(engine.PLACE, bomb, slot, face)
                for hand in table.unpack(after)["hands"] for bomb, faces, _ in hand
                for slot, row in enumerate(deck.row(bomb, deck.class_of(bomb, faces)))
                for face in range(30) if row[face] >= 0]
        for extra in late[::9]:
            won = [np.zeros(40, np.uint8) for _ in range(2)]
            playouts(table, start, made.moves, 5, 0, won[0])
            playouts(table, start, [*made.moves, extra], 5, 0, won[1])
            assert (won[0] == won[1]).all()
            compared += 1
        if compared > 60:
            return
    raise AssertionError(f"only {compared} were compared")


@pytest.mark.parametrize("seed", range(20))
def test_every_roll_can_be_asked_about(seed):
    """Over all options: ways begin with legal moves, dice are placed once."""
    [rules] = specimen.rules(300 + seed, 1)
    for number, position in enumerate(states(rules, seed)):
        if number % 19 == 0:
            value = assign_answer(position, games=1).answer
            assert [one["rank"] for one in value] == list(range(1, len(value) + 1))
            for one in value:
                if one["moves"]:
                    assert fuse.parse_code(position, one["moves"][0]) >= 0
                assert sum(text.startswith("place") for text in one["moves"]) <= len(position.dice)
        if number > 80:
            return


def test_answers_depend_on_the_seed_alone():
    position = rolled(3, 1)
    one, two = (assign_answer(position, "", games=20, seed=5).answer for _ in range(2))
    assert one == two and len(one) <= 20


def test_a_pick_is_asked_about_anywhere():
    """The bombs of the centre, with the offers they need; any player, any phase."""
    position = rolled(3, 1)
    for seat in (None, 0, 2):
        answer = pick_answer(position, seat, games=20)
        assert sorted(one["moves"] for one in answer.answer) == sorted(
            [f"take {name}"] for name in position.centre)
        assert answer.inputs["player"] == (seat or 0) + 1
        for one in answer.answer:
            assert Fraction(one["offers"]) > 1
    chance = fuse.new(fuse.Rules(players=3), 1)
    assert len(pick_answer(chance, 1, games=5).answer) == 5


def test_a_chosen_pick_is_that_of_its_player():
    """Where he takes one now, it is the same as the move; the bombs make a difference."""
    position = fuse.load(str(EXAMPLES / "fuse-pick.toml"))
    table, state = fuse.table(position.rules), fuse.to_state(position)
    won = []
    for code in table.moves(state):
        direct, deferred = np.zeros(60, np.uint8), np.zeros(60, np.uint8)
        playouts(table, state, [code], 3, 0, direct)
        pick_playouts(table, state, position.seat, code, 3, 0, deferred)
        assert (direct == deferred).all()
        won.append(int(direct.sum()))
    assert len(set(won)) > 1


def test_bad_questions():
    position = rolled(3, 1)
    with pytest.raises(InputError, match="1 die is told"):
        with_roll(position, "r5")
    with pytest.raises(InputError, match="is no die"):
        with_roll(position, "r5 b2 x9")
    with pytest.raises(InputError, match="--player can't be 4"):
        pick_answer(position, 3, games=5, seed=1)
