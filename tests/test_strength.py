"""Matches go on where they were stopped: nothing is played or counted twice."""

from __future__ import annotations

import json

import pytest

from benchmarks import strength

MATCH = strength.Match("reef", ("greedy", "random"), 6, 1, seed=3)


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    return tmp_path / "match.jsonl"


def test_a_match_resumes(results, capsys):
    strength.run("match", MATCH, 2)
    whole = capsys.readouterr().out
    lines = results.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + MATCH.deals
    results.write_text("".join(lines[:4]) + lines[4][:9])  # killed in the middle of a line
    strength.run("match", MATCH, 1)
    assert capsys.readouterr().out == whole
    deals = strength.finished("match", MATCH)
    assert sorted(deals) == list(range(MATCH.deals))
    kept = [json.loads(line)["deal"] for line in results.read_text().splitlines()[1:]
            if line.endswith("}")]
    assert sorted(kept) == list(range(MATCH.deals))
    assert deals == strength.finished("match", MATCH)


def test_more_deals_go_on(results, capsys):
    strength.run("match", MATCH, 1)
    longer = strength.Match("reef", ("greedy", "random"), 8, 1, seed=3)
    strength.run("match", longer, 1)
    assert "| 8 x 2 |" in capsys.readouterr().out


def test_another_match_is_refused(results):
    strength.run("match", MATCH, 1)
    other = strength.Match("reef", ("greedy", "random"), 6, 1, seed=4)
    with pytest.raises(SystemExit, match="of another match"):
        strength.run("match", other, 1)


def test_matches_are_deals_of_simulate():
    """A deal of a match is the deal of the same seed and number of `simulate`."""
    from oddsmith.solver.games import reef
    from oddsmith.solver.simulate import PAYOFF_UNIT, simulate

    table = reef.table(reef.Rules())
    found = simulate(table, table.new_game(), MATCH.policies, games=12, seed=3)
    deals = [strength.play_deal(MATCH, deal) for deal in range(6)]
    wins = sum(payoffs[0][0] + payoffs[1][1] for payoffs in deals)
    assert found.policies["greedy"].payoff.total == wins
    assert all(sum(map(sum, payoffs)) == 2 * PAYOFF_UNIT for payoffs in deals)
