"""The command line as a process: answers, formats, exit codes, messages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("oddsmith"))
BOARD = "r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g"
EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("reef-*.toml"))


def oddsmith(*args, stdin=None, env=None, cwd=None):
    return subprocess.run(
        [COMMAND, *map(str, args)], input=stdin, capture_output=True, text=True, cwd=cwd,
        env={**os.environ, **(env or {})}, timeout=60, check=False,
    )


def answer(*args, **more):
    run = oddsmith(*args, "--json", **more)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("game") / "game.toml"
    path.write_text(oddsmith("reef", "new", "--players", 2, "--seed", 7).stdout)
    return path


def test_score_json():
    found = answer("reef", "score", BOARD, 17, 4, 60)
    assert found["schema"] == 1
    assert found["exact"] is True
    assert found["answer"][:2] == [
        {"card": 17, "count": 1, "points": 1, "cells": [["a3"]]},
        {"card": 4, "count": 1, "points": 1, "cells": [["a3"]]},
    ]
    assert found["answer"][2] == {
        "card": 60, "count": 1, "points": 2, "cells": [["b2"]], "tallest": ["a3"]}
    assert found["rules_id"] == answer("reef", "score", BOARD, 1)["rules_id"]


def test_score_options_change_the_answer():
    board = "r,r,r,./r,r,r,./.,.,.,./.,.,.,."
    assert answer("reef", "score", board, 49)["answer"][0]["points"] == 6
    found = answer("reef", "score", board, 49, "--set", "overlap=overlapping")
    assert found["answer"][0]["points"] == 12
    assert found["assumptions"] == ["option overlap = overlapping"]


def test_score_of_a_file_is_the_hand(game):
    assert [row["card"] for row in answer("reef", "score", game)["answer"]] == [6, 20]
    assert [row["card"] for row in answer("reef", "score", game, 1)["answer"]] == [1]


def test_plan_json(game):
    found = answer("reef", "plan", BOARD, 17, 4)
    assert found["exact"] is True
    assert found["answer"]["total"] == 6
    assert sum(step["points"] for step in found["answer"]["steps"]) == 6
    assert [sorted(step) for step in found["answer"]["steps"]] == [["card", "place", "points"]] * 2
    assert "the supply of coral is unlimited" in found["assumptions"]
    assert answer("reef", "plan", game)["answer"]["total"] == 3
    assert answer("reef", "plan", game, "--player", 2)["answer"]["total"] >= 0


def test_plan_that_ends_early_says_so():
    run = oddsmith("reef", "plan", BOARD, 57, 17, 12, 31, 46, "--nodes", 1, "--json")
    assert run.returncode == 5
    found = json.loads(run.stdout)
    assert found["exact"] is False
    assert found["answer"]["bound"] >= found["answer"]["total"]


HARD = (".,r,y,p/rgg,y,p,g/r,r,gp,r/r,r,.,g", 17, 54, 49, 19, 34, 30, 22, 25)


def test_plan_can_be_interrupted():
    process = subprocess.Popen(
        [COMMAND, "reef", "plan", *map(str, HARD), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out)["exact"] is False
    assert "Traceback" not in err


def test_plan_time_budget():
    started = time.monotonic()
    run = oddsmith("reef", "plan", *HARD, "--time", 1, "--json")
    assert run.returncode == 5
    assert time.monotonic() - started < 10


def test_new_is_reproducible_and_feeds_the_other_verbs(game):
    text = game.read_text()
    assert oddsmith("reef", "new", "--seed", 7).stdout == text
    assert answer("reef", "check", "-", stdin=text)["answer"]["sound"] is True
    assert answer("reef", "show", "-", stdin=text)["answer"]["deck"] == 53
    blank = oddsmith("reef", "new", "--blank").stdout
    assert answer("reef", "check", "-", stdin=blank)["answer"]["sound"] is True
    without_seed = oddsmith("reef", "new").stdout
    assert without_seed.startswith("# oddsmith reef new --seed ")
    seed = without_seed.split("--seed ")[1].split()[0]
    assert oddsmith("reef", "new", "--seed", seed).stdout == without_seed
    for_four = oddsmith("reef", "new", "--players", 4, "--seed", 1,
                        "--set", "start_layout=edge").stdout
    assert answer("reef", "show", "-", stdin=for_four)["answer"]["supply"]["red"] == 24


def test_check_lists_faults_with_exit_code_4(game):
    bad = game.read_text().replace("hand = [6, 20]", "hand = [6, 13]")
    run = oddsmith("reef", "check", "-", "--json", stdin=bad)
    assert run.returncode == 4
    faults = json.loads(run.stdout)["answer"]["faults"]
    assert faults[0]["line"] == 10
    assert "card 13 is here twice" in faults[0]["what"]
    assert oddsmith("reef", "show", "-", stdin=bad).returncode == 2


def test_variant_files(game, tmp_path):
    variant = tmp_path / "high.toml"
    variant.write_text('game = "reef"\nname = "High"\n[rules]\nstack_limit = 6\n')
    tall = "rrrrr,.,.,./.,.,.,./.,.,.,./.,.,.,."
    assert oddsmith("reef", "score", tall, 1).returncode == 2
    assert answer("reef", "score", tall, 1, "--variant", variant)["answer"][0]["points"] == 1
    run = oddsmith("reef", "score", tall, 1, "--variant", variant, "--set", "stack_limit=4")
    assert run.returncode == 2
    found = answer("reef", "show", game, "--variant", variant)
    assert "option stack_limit = 6" in found["assumptions"]


def test_cards():
    found = answer("reef", "cards", "--wants", "yellow", "--family", "diagonal_3")
    assert [card["card"] for card in found["answer"]] == [42]
    assert len(answer("reef", "cards")["answer"]) == 60
    assert all("g" in card["coral"] for card in answer("reef", "cards", "--gives", "g")["answer"])


@pytest.mark.parametrize("fmt", ["text", "json", "markdown", "csv", "html"])
def test_every_format_of_every_verb(game, fmt):
    for args in (["score", BOARD, 17], ["plan", BOARD, 17, 4], ["show", game], ["check", game],
                 ["cards"]):
        run = oddsmith("reef", *args, "--format", fmt)
        assert run.returncode == 0, run.stderr
        assert run.stdout.strip()
        assert not run.stderr


def test_report(game, tmp_path):
    run = oddsmith("reef", "report", game, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "game.html\n"
    page = (tmp_path / "game.html").read_text()
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert "oddsmith reef report" in page
    again = tmp_path / "again"
    again.mkdir()
    oddsmith("reef", "report", game, cwd=again)
    assert (again / "game.html").read_text() == page
    for name in ("r.md", "r.json", "r.csv", "r.txt"):
        assert oddsmith("reef", "report", game, "-o", name, cwd=tmp_path).returncode == 0
        assert (tmp_path / name).stat().st_size > 100
    assert json.loads((tmp_path / "r.json").read_text())
    run = oddsmith("reef", "report", game, "-o", "r.xyz", cwd=tmp_path)
    assert run.returncode == 2
    run = oddsmith("reef", "report", game, "-o", tmp_path / "no" / "r.html")
    assert run.returncode == 2
    assert "can't write" in run.stderr


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_shipped_examples(path):
    assert answer("reef", "check", path)["answer"]["sound"] is True
    assert answer("reef", "plan", path)["exact"] is True
    assert answer("reef", "show", path)["answer"]["finished"] == ""


def test_demo(tmp_path):
    run = oddsmith("demo", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert all(path.name in run.stdout for path in EXAMPLES)
    assert "http" not in (tmp_path / "demo.html").read_text().replace("http://www.w3.org/", "")


def test_games_explain_bench_version():
    assert {"reef"} == {row["game"] for row in answer("games")["answer"]}
    topics = answer("explain")["answer"]
    for topic in topics:
        assert len(answer("explain", topic)["answer"]) > 100
    assert oddsmith("explain", "reef").stdout.count("deck_draw_target_tie") == 1
    assert answer("bench")["answer"]["signature"] == "362aa53cba437d4e"
    assert oddsmith("--version").stdout.startswith("oddsmith ")
    module = subprocess.run([sys.executable, "-m", "oddsmith.solver", "--version"],
                            capture_output=True, text=True, check=True)
    assert module.stdout.startswith("oddsmith ")


def test_help_of_everything():
    assert oddsmith("--help").returncode == 0
    assert oddsmith("reef", "--help").returncode == 0
    for verb in ("score", "plan", "cards", "new", "show", "check", "report"):
        run = oddsmith("reef", verb, "--help")
        assert run.returncode == 0
        assert "Usage: oddsmith reef" in run.stdout


BAD = [
    (["reef", "score", BOARD, 61], ["`61` is not a card", "nearest number is 60"]),
    (["reef", "score", BOARD, "diagonal3"], ["not a card", "41, 42, 43, 44"]),
    (["reef", "score", BOARD, 5, 5], ["card 5 is named twice"]),
    (["reef", "score", BOARD], ["at least one card"]),
    (["reef", "score", "r,.,./.,.,.,./.,.,.,./.,.,.,.", 1], ["<command line>:1:1", "row 1 has 3"]),
    (["reef", "score", "rrrrr,.,.,./.,.,.,./.,.,.,./.,.,.,.", 1],
     ["<command line>:1:5", "stack limit is 4"]),
    (["reef", "plan", BOARD], ["at least one card"]),
    (["reef", "plan", BOARD, *range(1, 10)], ["9 cards"]),
    (["reef", "score", BOARD, 1, "--set", "stack_limt=3"], ["stack_limt", "try: stack_limit"]),
    (["reef", "score", BOARD, 1, "--set", "stack_limit"], ["= is missing"]),
    (["reef", "score", BOARD, 1, "--set", "overlap=disjont"], ["disjont", "try: disjoint"]),
    (["reef", "new", "--players", "5"], ["players can't be", "from 2 to 4"]),
    (["reef", "new", "--players", "two"], ["players can't be"]),
    (["reef", "new", "--seed", "-1"], ["--seed"]),
    (["reef", "cards", "--family", "diagonal_4"], ["not a pattern family", "diagonal_3"]),
    (["reef", "cards", "--wants", "yelow"], ["not a coral colour", "yellow"]),
    (["reef", "show", "/nonexistent.toml"], ["/nonexistent.toml"]),
    (["reef", "show", "/"], ["folder"]),
    (["reef", "plan", "no-such-file"], ["no-such-file"]),
    (["reef", "scor", BOARD], ["Did you mean 'score'?"]),
    (["ref"], ["Did you mean 'reef'?"]),
    (["explain", "notaton"], ["oddsmith explain notation"]),
    (["reef", "plan", BOARD, 1, "--player", 2], ["needs a position file"]),
    (["reef", "plan", BOARD, 1, "--time", "0"], ["--time"]),
]


@pytest.mark.parametrize(("args", "words"), BAD, ids=lambda value: str(value)[:60])
def test_bad_input(args, words):
    started = time.monotonic()
    run = oddsmith(*args)
    assert run.returncode == (3 if "9 cards" in words else 2), run.stderr
    assert not run.stdout
    assert "Traceback" not in run.stderr
    for word in words:
        assert word in run.stderr
    assert time.monotonic() - started < 5  # far more than it takes; a hang is what this is for


def make_bad_files(folder):
    game = oddsmith("reef", "new", "--seed", 7).stdout
    (folder / "empty.toml").write_text("")
    (folder / "junk.toml").write_bytes(bytes(range(256)) * 40)
    (folder / "broken.toml").write_text(game.replace("display = [", "display = [[", 1))
    (folder / "unknown.toml").write_text(game.replace("to_move", "to_mov", 1))
    (folder / "latin.toml").write_bytes(game.replace("Player 1", "J\u00f6rg", 1).encode("latin-1"))
    with (folder / "large.toml").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    (folder / "folder").mkdir()
    return {"empty.toml": "empty", "junk.toml": "", "broken.toml": ":11:1", "unknown.toml": ":9:1",
            "latin.toml": "UTF-8", "large.toml": "large", "folder": "folder"}


def test_bad_files(tmp_path):
    for name, word in make_bad_files(tmp_path).items():
        for verb in ("show", "check", "plan", "score", "report"):
            started = time.monotonic()
            run = oddsmith("reef", verb, tmp_path / name)
            assert run.returncode == 2, (name, verb, run.stdout, run.stderr)
            assert "Traceback" not in run.stderr
            assert word in run.stderr, (name, run.stderr)
            assert len(run.stderr) < 2000
            assert time.monotonic() - started < 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path):
    path = tmp_path / "secret.toml"
    path.write_text("game = 'reef'")
    path.chmod(0)
    assert oddsmith("reef", "show", path).returncode == 2


def test_output_survives_a_closed_pipe():
    run = subprocess.run(f"{COMMAND} reef cards | head -1", shell=True, capture_output=True,
                         text=True, check=True)
    assert "Traceback" not in run.stderr
    assert "Broken" not in run.stderr


def test_no_color_and_plain_pipes():
    out = oddsmith("reef", "score", BOARD, 17).stdout
    assert "\x1b" not in out
    assert "…" not in out
