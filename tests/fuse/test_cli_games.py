"""FUSE's common verbs and its questions about play, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ROLL, PICK, OPENING = (str(EXAMPLES / f"fuse-{name}.toml") for name in ("roll", "pick", "opening"))


def run(*args):
    return CliRunner().invoke(oddsmith, ["fuse", *map(str, args)], catch_exceptions=True)


def answer(*args):
    made = run(*args, "--json")
    assert made.exit_code == 0, (made.output, made.exception)
    return json.loads(made.output)["answer"]


@pytest.mark.parametrize("file", [ROLL, PICK, OPENING])
def test_common_verbs(file):
    for verb in ("show", "check", "moves"):
        assert run(verb, file).exit_code == 0
    assert answer("check", file)["sound"]
    assert answer("perft", file, "--depth", 2)[0]["lines"] > 1


def test_a_game_can_be_followed(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(run("new", "--players", 3, "--seed", 5).output)
    for texts in (["roll"], ["stop"]):
        made = run("move", path, *texts, "--seed", 1)
        assert made.exit_code == 0, made.exception
        path.write_text(made.output)
    assert answer("check", path)["sound"]


def test_simulate():
    found = answer("simulate", "--players", 3, "--level", "standard", "--seconds-per-roll", 15,
                   "--games", 200)
    assert found["games"] == 200 and found["wins"] > 100
    assert found["wins"] + sum(found["losses"].values()) == 200
    assert set(found["losses"]) == {"time", "bag"}
    assert {"win_rate", "ci95", "mean_rolls", "mean_score"} <= set(found)


def test_short_options_give_way_to_set():
    assert answer("simulate", "--players", 3, "--level", "elite", "--set", "level=7",
                  "--games", 20)["wins"] == 20


def test_sweep():
    cells = answer("simulate", "--sweep", "players,level", "--deck", "synthetic", "--games", 4)
    assert len(cells["cells"]) == 25


def test_a_sweep_leaves_out_what_can_not_be_played():
    """Too few documented cards for four and five players, as in `pace`."""
    found = answer("simulate", "--sweep", "players", "--games", 4)
    assert [cell["players"] for cell in found["cells"]] == [1, 2, 3]
    assert [cell["players"] for cell in found["left_out"]] == [4, 5]
    assert "28 bombs" in found["left_out"][0]["why"]
    assert "28 bombs" in run("simulate", "--sweep", "level", "--players", 5,
                             "--games", 4).exception.what


def test_best_searches():
    found = answer("best", ROLL, "--simulations", 64)
    assert found[0]["rank"] == 1


def test_assign_and_pick():
    ways = answer("assign", ROLL, "--games", 20)
    assert ways
    told = answer("assign", OPENING, "r5 b2 k6", "--games", 5)
    assert told
    bombs = answer("pick", PICK, "--games", 10)
    assert bombs


def test_pace():
    cell = answer("pace", "--players", 3, "--level", "training", "--games", 60)["cells"][0]
    assert cell["curve"][0]["win_rate"] == 1.0


@pytest.mark.parametrize("args", [
    ("assign", ROLL, "r5 b2"), ("assign", ROLL, "r9 b2 k1"), ("pace", "--players", "7"),
    ("simulate", "--players", "4"), ("simulate", "--deck", "documentd"),
    ("simulate", "--level", "hard"), ("simulate", "--seconds-per-roll", "0"),
    ("simulate", "--sweep", "colour"), ("move", OPENING, "place r5 p4-twins 1"),
    ("move", OPENING, "roll r5 b2"), ("move", ROLL, "place r3 p1-valley 9"),
    ("move", ROLL, "flip r3"), ("best", OPENING),
])
def test_bad_input(args):
    made = run(*args)
    assert isinstance(made.exception, (InputError, SystemExit))
    if isinstance(made.exception, InputError):
        assert made.exception.what and "\n" not in made.exception.what


def test_reports(tmp_path):
    page = tmp_path / "fuse.html"
    assert run("report", ROLL, "--output", page).exit_code == 0
    assert "<html" in page.read_text()
