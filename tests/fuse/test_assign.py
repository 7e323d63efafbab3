"""Assigning a roll: progress in the kernel against all assignments, playouts on common dice."""

from __future__ import annotations

import pytest

from oddsmith.kernels.fuse_assign import progress, unplaced
from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse.assign import assign_answer, assignments, pick_answer, with_roll
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
