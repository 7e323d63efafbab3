"""The pace a team needs: one set of games without a clock against games with one."""

from __future__ import annotations

import pytest

from oddsmith.solver import team
from oddsmith.solver.errors import InputError
from oddsmith.solver.fuse_pace import (
    SHARES,
    pace_answer,
    parse_levels,
    parse_players,
    play,
    told,
)
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.rules import LEVELS, Rules

RULES = Rules(players=3, level="training")


@pytest.mark.parametrize("pace", [14.0, 18.0, 20.0])
def test_the_same_games_as_with_a_clock(pace):
    """Exactly as many of the same games are won at each pace."""
    found = play(RULES, "planner", 600, 7)
    rules = Rules(players=3, level="training", seconds_per_roll=pace)
    table = engine.table(rules)
    clocked = team.simulate(table, table.new_game(), ["planner"], games=600, seed=7)
    assert found.wins(int(600 // pace)) == clocked.wins > 0


def test_needed_paces():
    """At the pace that is told at least the share is won; a little slower, less."""
    found = play(RULES, "planner", 600, 7)
    cell = told(RULES, found)
    for share, one in zip(SHARES, cell["needed"], strict=True):
        pace = one["seconds_per_roll"]
        assert found.wins(round(600 / pace)) >= share * 600
        assert found.wins(round(600 / pace) - 1) < share * 600
        assert one["ci95"][0] <= pace <= one["ci95"][1]
    rates = [point["win_rate"] for point in cell["curve"]]
    assert rates == sorted(rates, reverse=True)


def test_workers_do_not_matter():
    assert play(RULES, "planner", 1500, 3, workers=1) == play(RULES, "planner", 1500, 3, workers=3)


def test_small_decks_are_named():
    answer = pace_answer([Rules(players=3), Rules(players=5)], "greedy", games=50, seed=1)
    assert [cell["players"] for cell in answer.answer["cells"]] == [3]
    assert [cell["players"] for cell in answer.answer["too_small"]] == [5]
    with pytest.raises(InputError, match="28 bombs"):
        pace_answer([Rules(players=5)], "greedy", games=50, seed=1)
    with pytest.raises(InputError, match="search"):
        pace_answer([Rules(players=3)], "search", games=50, seed=1)


def test_parsing():
    assert parse_players("1..5") == (1, 2, 3, 4, 5)
    assert parse_players("2,4") == (2, 4)
    assert parse_levels("all") == LEVELS
    assert parse_levels("elite, 7") == ("elite", "7")
    for text in ("0..3", "x", "", "3..1", "6"):
        with pytest.raises(InputError):
            parse_players(text)
