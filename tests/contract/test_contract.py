"""The contract of a game table and its position files, for every game."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from oddsmith.kernels import strategy
from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from oddsmith.solver.cli import oddsmith
from oddsmith.solver.cli.common import FORMATS
from oddsmith.solver.games import GAMES
from oddsmith.solver.search import search
from oddsmith.solver.simulate import simulate
from tests.contract.specimens import specimen

CHANCE, OVER = -1, -2
NOBODY = -1
TESTS = Path(__file__).parent.parent

everywhere = pytest.mark.parametrize("game", [specimen(name) for name in GAMES],
                                     ids=lambda game: game.name)


def games_of(game, seed, n):
    """(rules, table) of n rule sets, and the default rules first."""
    return [(rules, game.module.table(rules))
            for rules in (game.module.Rules(), *game.rules(seed, n))]


def walk(table, state, draw, policy="random"):
    """The states of a game to its end, each with whose turn it is."""
    while (turn := table.turn(state)) != OVER:
        yield turn, state
        code = (table.sample(state, draw) if turn == CHANCE
                else table.policy_move(state, policy, draw))
        state = table.apply_unchecked(state, code)
    yield OVER, state


@everywhere
def test_moves_are_distinct_and_legal(game):
    """n_moves and nth_move agree; every policy chooses among them; nobody is left without one."""
    draw = Generator(1)
    for _, table in games_of(game, 1, 8):
        for policy in table.policies:
            for turn, state in walk(table, table.new_game(), draw, policy):
                if turn < 0:
                    assert table.moves(state) == []
                    continue
                moves = table.moves(state)
                assert len(set(moves)) == len(moves) == table.n_moves(state) > 0
                assert table.policy_move(state, policy, draw) in moves


@everywhere
def test_chance_weights(game):
    """Outcomes are distinct, weights positive and sum to what the rules say; samples are outcomes."""
    draw = Generator(2)
    for _, table in games_of(game, 2, 8):
        for turn, state in walk(table, table.new_game(), draw):
            outcomes = table.outcomes(state)
            if turn != CHANCE:
                assert outcomes == []
                continue
            codes = [code for code, _ in outcomes]
            assert len(set(codes)) == len(codes) > 0
            assert all(weight > 0 for _, weight in outcomes)
            assert sum(weight for _, weight in outcomes) == game.denominator(table, state)
            assert table.sample(state, draw) in codes


@everywhere
def test_samples_follow_the_weights(game):
    """chi^2 of 200 samples an outcome on a few chance events of each rule set."""
    draw = Generator(3)
    for _, table in games_of(game, 3, 2):
        events = [state for turn, state in walk(table, table.new_game(), draw)
                  if turn == CHANCE and len(table.outcomes(state)) > 1]
        for state in events[:: max(1, len(events) // 4)]:
            weights = dict(table.outcomes(state))
            n, total = 200 * len(weights), sum(weights.values())
            counts = Counter(table.sample(state, draw) for _ in range(n))
            chi2 = sum((counts[code] - n * w / total) ** 2 / (n * w / total)
                       for code, w in weights.items())
            freedom = len(weights) - 1
            assert chi2 < freedom + 6 * (2 * freedom) ** 0.5 + 10


@everywhere
def test_conservation_and_termination(game):
    draw = Generator(4)
    for rules, table in games_of(game, 4, 12):
        for policy in game.policies:
            state = table.new_game()
            for step, (_, state) in enumerate(walk(table, table.new_game(), draw, policy)):
                game.conserved(table, state, rules)
                assert len(state) == table.state_size
                assert step < game.longest
            if game.conserved_payoff is not None:
                assert sum(table.payoff(state)) == game.conserved_payoff
            assert table.moves(state) == table.outcomes(state) == []


@everywhere
def test_a_position_follows_a_game(game, tmp_path):
    """Moves typed on position files and codes applied to states lead to the same place."""
    module, draw, path = game.module, Generator(5), tmp_path / "game.toml"
    for rules, table in games_of(game, 5, 12):
        position = module.new(rules, 3)
        state = module.to_state(position)
        for _ in range(60):
            turn = table.turn(state)
            if turn == OVER:
                break
            code = (table.sample(state, draw) if turn == CHANCE
                    else table.moves(state)[draw.below(table.n_moves(state))])
            text = module.format_code(position, code)
            position = module.move_position(position, [text], None)
            state = table.apply(state, code)
            path.write_text(module.format_position(position))
            again = module.load(str(path))
            assert again == position
            assert module.format_position(again) == path.read_text()
            if table.turn(state) != OVER:
                assert game.same(table, module.to_state(position), state), text
        assert bool(position.finished) == (table.turn(state) == OVER)


@everywhere
def test_moves_are_read_as_they_are_written(game):
    module, draw = game.module, Generator(6)
    for rules, table in games_of(game, 6, 6):
        position = module.new(rules, 4)
        for _ in range(25):
            state = module.to_state(position)
            if table.turn(state) == OVER:
                break
            if table.turn(state) == CHANCE:
                code = table.sample(state, draw)
            else:
                codes = table.moves(state)
                for code in codes[:: max(1, len(codes) // 50)]:
                    assert module.parse_code(position, module.format_code(position, code)) == code
                code = codes[draw.below(len(codes))]
            position = module.move_position(position, [module.format_code(position, code)], None)


@everywhere
def test_redeal_is_a_function_of_what_the_viewer_knows(game):
    """Redealing twice with the same stream is redealing once, whatever was hidden before; the
    viewer's moves stay the same, and so do his policies and estimates."""
    draw = Generator(7)
    for rules, table in games_of(game, 7, 5):
        for turn, state in walk(table, table.new_game(), draw):
            for viewer in (NOBODY, *range(table.n_players)):
                other = table.redeal(state, viewer, draw)
                assert (table.redeal(other, viewer, Generator(8))
                        == table.redeal(state, viewer, Generator(8)))
                assert table.turn(other) == turn
                game.conserved(table, other, rules)
                if viewer != NOBODY and turn != OVER:
                    assert table.evaluate(other, viewer) == table.evaluate(state, viewer)
                if turn == viewer >= 0:
                    assert table.moves(other) == table.moves(state)
                    for policy in table.policies:
                        assert (table.policy_move(other, policy, Generator(9))
                                == table.policy_move(state, policy, Generator(9)))


@everywhere
def test_search_is_blind_to_what_is_hidden(game):
    """The same answer wherever the seat to decide can't tell two states apart."""
    draw = Generator(9)
    for _, table in games_of(game, 9, 1):
        decisions = [state for turn, state in walk(table, table.new_game(), draw)
                     if turn >= 0 and table.n_moves(state) > 1]
        for state in decisions[:: max(1, len(decisions) // 3)]:
            other = table.redeal(state, table.turn(state), draw)
            one, two = (search(table, s, simulations=80, seed=1).ranked for s in (state, other))
            assert one == two


@everywhere
def test_keys_tell_states_apart(game):
    draw = Generator(10)
    for _, table in games_of(game, 10, 3):
        states = {state for _ in range(3) for _, state in walk(table, table.new_game(), draw)}
        assert len({table.key(state) for state in states}) == len(states)


@everywhere
def test_workers_and_batches_do_not_matter(game):
    table = game.module.table(game.module.Rules())
    for policies in ([game.policies[1]], list(game.policies)):
        results = {
            str(simulate(table, table.new_game(), policies, games=600, seed=5, workers=workers,
                         batch=batch))
            for workers in (1, 2, 7) for batch in (1, 97, 4096)
        }
        assert len(results) == 1


@everywhere
def test_estimates_are_shares(game):
    draw = Generator(12)
    for _, table in games_of(game, 12, 2):
        for turn, state in walk(table, table.new_game(), draw):
            if turn != OVER:
                assert all(0 <= table.evaluate(state, seat) <= 1
                           for seat in range(table.n_players))


@everywhere
def test_states_are_records(game):
    """The NumPy type of the state covers it: fields don't overlap, lie inside, and are aligned."""
    table = game.module.table(game.module.Rules())
    dtype, end = strategy.state_dtype(table), 0
    for name, (field, offset) in sorted(dtype.fields.items(), key=lambda one: one[1][1]):
        assert offset >= end, name
        base = field.base
        assert offset % (8 if base.names else base.itemsize) == 0, name
        end = offset + field.itemsize
    assert end <= dtype.itemsize == table.state_size < end + 8
    assert np.frombuffer(table.new_game(), dtype).size == 1


def pinned(game, kind):
    return tomllib.loads((TESTS / game.name / f"{kind}.toml").read_text()).get(kind, [])


def rules_of(game, entry):
    return variants.from_values(game.module.Rules(), json.loads(entry["rules"]))


@everywhere
def test_perft(game):
    """Lines of moves and chance to some depth, each once and by weight (record.py wrote them)."""
    entries = pinned(game, "perft")
    assert len(entries) >= 5
    for entry in entries:
        rules = rules_of(game, entry)
        position = game.module.new(rules, entry["seed"])
        position = game.module.move_position(position, entry["moves"], None)
        table, state = game.module.table(rules), game.module.to_state(position)
        for depth, (lines, weighted) in enumerate(entry["lines"], 1):
            assert table.perft(state, depth) == (lines, weighted), entry


@everywhere
def test_playthroughs(game):
    """Whole recorded games, move by move in notation, end as they did."""
    entries = pinned(game, "playthrough")
    assert len(entries) >= 5
    for entry in entries:
        rules = rules_of(game, entry)
        table = game.module.table(rules)
        position = game.module.new(rules, entry["seed"])
        for text in entry["moves"]:
            position = game.module.move_position(position, [text], None)
        state = game.module.to_state(position)
        assert table.turn(state) == OVER
        assert table.payoff(state) == entry["payoff"]
        if "scores" in entry:
            assert table.summary(state)[: len(entry["scores"])] == entry["scores"]


@everywhere
def test_policies_differ_in_strength(game):
    """The stronger policy wins more on the same deals: a policy that is never called fails here.

    Against the weaker one; a team has it in all seats.
    """
    table = game.module.table(game.module.Rules())
    rows = [np.zeros((400, table.n_players + 1), np.int32) for _ in game.policies]
    for policy, out in zip(game.policies, rows, strict=True):
        other = policy if game.conserved_payoff is None else game.policies[1]
        others = (other,) * (table.n_players - 1)
        play_games(table, table.new_game(), (policy, *others), 1, 0, out)
    assert rows[0][:, 0].sum() > rows[1][:, 0].sum()


@everywhere
@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("n", [1, 2])
def test_one_deal_tells_no_spread(game, n, fmt):
    """One deal (two games of two rivals): a mean has no interval then, in any format."""
    policies = ",".join(game.policies[:n])
    if n == 2 and game.conserved_payoff is None:
        policies = game.policies[0]
    done = CliRunner().invoke(oddsmith, [game.name, "simulate", "--games", str(n), "--policy",
                                         policies, "--format", fmt], catch_exceptions=False)
    assert done.exit_code == 0
    assert not re.search(r"\b(inf|nan)\b", done.stdout, re.IGNORECASE)
    if fmt == "json":
        answer = json.loads(done.stdout)["answer"]
        means = [ends for key, ends in answer.items() if key.startswith("mean") and "ci95" in key]
        one_deal = n == 1 or game.conserved_payoff is not None
        assert means
        assert all((ends is None) == one_deal for ends in means)


@everywhere
def test_chance_at_once_is_chance_one_by_one(game):
    """The same events from the same stream, and no draw more."""
    draw = Generator(13)
    for rules, table in games_of(game, 13, 12):
        for turn, state in walk(table, table.new_game(), draw):
            seed = draw.word()
            at_once, one_by_one, after = Generator(seed), Generator(seed), state
            while table.turn(after) == CHANCE:
                after = table.apply(after, table.sample(after, one_by_one))
            assert table.let_chance(state, at_once) == after
            assert at_once.word() == one_by_one.word()
            game.conserved(table, after, rules)
            assert turn == CHANCE or after == state
