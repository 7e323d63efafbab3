"""The command line of Forbidden Island, as people and scripts meet it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).parent / "oddsmith")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("island-*.toml"))


def oddsmith(*args, stdin=None):
    return subprocess.run([COMMAND, "island", *map(str, args)], input=stdin, capture_output=True,
                          text=True, check=False)


def answer(*args, stdin=None):
    run = oddsmith(*args, "--json", stdin=stdin)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_shipped_examples(path):
    assert answer("check", path)["answer"]["sound"] is True
    shown = answer("show", path)["answer"]
    assert len(shown["tiles"]) == 24
    found = answer("odds", path)
    assert found["exact"] is True
    told = found["answer"]
    assert told["turns"] == list(range(1, 11))
    chances = [Fraction(p) for p in told["p_lost"]]
    assert all(0 <= p <= q <= 1 for p, q in pairwise(chances))
    for tile in told["tiles"].values():
        assert Fraction(tile["p_sunk"][-1]) + Fraction(tile["p_flooded"][-1]) <= 1
    if shown["phase"] == "actions":
        safest = answer("safest", path)["answer"]
        assert Fraction(safest["p_loss"]) <= Fraction(safest["p_idle"])
        assert safest["ways"]
    assert answer("moves", path)["answer"]
    assert len(answer("perft", path, "--depth", 2)["answer"]) == 2
    assert "Fools' Landing" in oddsmith("show", path).stdout.replace("\n", " ").replace("│", "")


def test_new_show_move(tmp_path):
    text = oddsmith("new", "--players", 3, "--seed", 7).stdout
    assert text == oddsmith("new", "--players", 3, "--seed", 7).stdout
    path = tmp_path / "game.toml"
    path.write_text(text)
    after = oddsmith("move", path, "end", "card", "--seed", 3)
    assert after.returncode == 0, after.stderr
    assert after.stdout.startswith("# drawn with --seed 3")
    assert answer("check", "-", stdin=after.stdout)["answer"]["sound"] is True
    bad = oddsmith("move", path, "swim 1 observatory")
    assert bad.returncode == 2 and "not legal" in bad.stderr


def test_odds_of_the_set_up():
    found = answer("odds", "--players", 2, "--difficulty", "novice", "--turns", 8)["answer"]
    assert found["e_sunk"][0] == "45/92" and found["e_sunk"][7] == "8839/1012"
    assert set(found["treasures"]) == {"earth", "wind", "fire", "ocean"}
    assert oddsmith("odds", "--turns", 21).returncode == 2


def test_odds_are_quick():
    middle = next(path for path in EXAMPLES if "before-flood" in path.stem)
    started = time.perf_counter()
    answer("odds", middle, "--turns", 10)
    assert time.perf_counter() - started < 5  # goal 1 s on an idle machine


def test_first_turn():
    found = answer("first-turn")["answer"]
    assert found["out_of_reach"]["explorer"] == "10/69"
    assert len(found["p_lost"]) == 12


def test_simulate():
    found = answer("simulate", "--games", 400, "--seed", 2)
    told = found["answer"]
    assert told["games"] == 400 == told["wins"] + sum(told["losses"].values())
    assert set(told["losses"]) == {"treasure", "landing", "drowned", "water", "turns"}
    assert found["exact"] is False and found["interval"]["n"] == 400
    assert told["ci95"][0] <= told["win_rate"] <= told["ci95"][1]
    again = answer("simulate", "--games", 400, "--seed", 2, "--workers", 1)
    assert again["answer"] == told
    here = answer("simulate", EXAMPLES[0], "--games", 50, "--policy", "rules,random")["answer"]
    assert here["games"] == 50
    assert oddsmith("simulate", "--policy", "rule").returncode == 2
    late = oddsmith("simulate", "--until", 0.0001, "--games", 300)
    assert late.returncode == 5


def test_sweep():
    found = answer("simulate", "--games", 60, "--sweep", "players,difficulty")["answer"]["cells"]
    assert [(cell["players"], cell["difficulty"]) for cell in found][::4] == [
        (2, "novice"), (3, "novice"), (4, "novice")]
    assert all(cell["games"] == 60 for cell in found)
    teams = answer("simulate", "--games", 20, "--sweep", "roles")["answer"]["cells"]
    assert len(teams) == 15
    assert oddsmith("simulate", "--sweep", "actions").returncode == 2


def test_report(tmp_path):
    out = tmp_path / "report.html"
    run = oddsmith("report", EXAMPLES[0], "-o", out)
    assert run.returncode == 0, run.stderr
    text = out.read_text()
    assert text.count("<svg") >= 2 and "od-map" in text
    markdown = oddsmith("report", EXAMPLES[0], "-o", "-", "--format", "markdown")
    assert markdown.returncode == 0 and "Fools' Landing: " in markdown.stdout.replace("\\", "")


def test_bad_input():
    for args in (["show", "nowhere.toml"], ["show", "-"], ["odds", "-", "--turns", "0"],
                 ["new", "--set", "layout=atlantis"], ["new", "--players", "5"],
                 ["odds", "--difficulty", "easy"]):
        run = oddsmith(*args, stdin="game = 3")
        assert run.returncode == 2, args
        assert "Traceback" not in run.stderr
