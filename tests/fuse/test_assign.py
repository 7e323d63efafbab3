"""Assigning a roll: progress in the kernel against all assignments, playouts on common dice."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.kernels.fuse_assign import playouts, progress, unplaced
from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assign import (
    assign_answer,
    assignments,
    pick_answer,
    with_roll,
    with_takes,
)
from oddsmith.solver.games.fuse.progress import Progress
from tests.fuse import specimen


def rolled(players, seed):
    position = fuse.new(fuse.Rules(players=players, deck="synthetic"), seed)
    return fuse.move_position(position, ["roll"], Generator(seed))


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_progress_is_that_of_the_best_assignment(players):
    for seed in range(20):
        position = rolled(players, seed)
        gain, _ = progress(fuse.table(position.rules), fuse.to_state(position))
        ways = assignments(position)
        assert ways[0][0] == pytest.approx(gain, abs=1e-9)
        assert [way[0] for way in ways] == sorted((way[0] for way in ways), reverse=True)
        for _, moves in ways[:3]:
            assert moves == () or moves[0] in fuse.legal_codes(position)


def states(rules, seed, policy="random"):
    """Positions of a game in which a roll is assigned."""
    table, chance, thinking = fuse.table(rules), Generator(seed), Generator(seed, 1)
    position = fuse.new(rules, seed)
    while not position.finished:
        state = fuse.to_state(position)
        if position.phase == "assign":
            yield position
        code = (table.sample(state, chance) if table.turn(state) < 0
                else table.policy_move(state, policy, thinking))
        position = fuse.make_move(position, code)


@pytest.mark.parametrize("seed", range(14))
def test_exact_progress_is_that_of_the_kernel(seed):
    """Over all options, and bombs that can't be finished any more."""
    [rules] = specimen.rules(100 + seed, 1)
    for number, position in enumerate(states(rules, seed)):
        if number % 17 or number > 60:
            continue
        exact, table = Progress(position), fuse.table(rules)
        for color, cost in enumerate(unplaced(table, fuse.to_state(position))):
            assert float(exact.cost(color)) == pytest.approx(cost, abs=1e-8)
        ways = assignments(position)
        for gain, moves in ways[:4]:
            if rules.placement == "completable":
                assert float(exact.of(moves)) == pytest.approx(gain, abs=1e-8)


def test_bombs_taken_are_part_of_a_way():
    """What fills a bomb comes first, then one of the three easiest bombs of the centre."""
    for seed in range(9):
        for position in states(fuse.Rules(players=3), seed, "planner"):
            table, state = fuse.table(position.rules), fuse.to_state(position)
            for gain, moves in assignments(position)[:3]:
                ways = with_takes(position, moves)
                fills = [code for code in moves
                         if table.unpack(table.apply(state, code))["phase"] == engine.PICK]
                if not fills:
                    assert ways == [moves]
                    continue
                assert len(ways) == min(3, len(position.centre))
                for way in ways:
                    assert way[0] in fills and way[1] & 0xFF == engine.TAKE
                    assert sorted((way[0], *way[2:])) == sorted(moves)
                assert gain > 0
                return
    raise AssertionError("no bomb was filled")


def test_chosen_moves_are_those_of_one_roll():
    """What the policy would do anyway, chosen, gives the same games: nothing is left over for later."""
    compared = 0
    for position in states(fuse.Rules(players=3), 2, "planner"):
        table, state, moves = fuse.table(position.rules), fuse.to_state(position), []
        while table.unpack(state)["phase"] == engine.ASSIGN:
            code = table.policy_move(state, "planner", Generator(0))
            if code & 0xFF == engine.STOP:
                break
            moves.append(code)
            state = table.apply(state, code)
        if table.unpack(state)["phase"] == engine.PICK:
            continue                         # what comes then depends on cards
        won = [np.zeros(40, np.uint8) for _ in range(2)]
        playouts(table, fuse.to_state(position), moves, True, 5, 0, won[0])
        playouts(table, fuse.to_state(position), [], False, 5, 0, won[1])
        assert (won[0] == won[1]).all()
        compared += 1
    assert compared > 10


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


def test_bad_questions():
    position = rolled(3, 1)
    with pytest.raises(InputError, match="dice are told"):
        with_roll(position, "r5")
    with pytest.raises(InputError, match="is no die"):
        with_roll(position, "r5 b2 x9")
    with pytest.raises(InputError, match="the phase is assign"):
        pick_answer(position, games=5, seed=1)
