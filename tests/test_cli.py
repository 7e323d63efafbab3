"""The command line as a process: answers, formats, exit codes, messages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import GAMES, reef

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
    edge = oddsmith("reef", "new", "--players", 3, "--seed", 3, "--set", "start_layout=edge").stdout
    recipe = edge.splitlines()[0].removeprefix("# oddsmith ").split()
    assert oddsmith(*recipe).stdout == edge
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
    shipped = EXAMPLES[0].with_name("variant-high-stacks.toml")
    assert answer("reef", "score", tall, 1, "--variant", shipped)["answer"][0]["points"] == 1
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


def test_names_are_told_as_they_are_typed():
    for name in ("stone-age", "stone_age"):
        assert "resource_supply" in oddsmith("explain", name).stdout
    dealt = oddsmith("stone_age", "new", "--seed", 7).stdout
    assert dealt.startswith("# oddsmith stone-age new --seed 7\n")
    assert "oddsmith explain stone-age" in oddsmith("stone-age", "new", "--blank").stdout
    for args in ([], ["--help"], ["stone-age", "--help"], ["explain"], ["explain", "stone-age"],
                 ["stone-agee", "new"], ["stone-age", "shwo"], ["explain", "stoneage"]):
        run = oddsmith(*args)
        assert "stone_age" not in run.stdout + run.stderr, args
    other = oddsmith("stone-age", "show", EXAMPLES[0])
    assert "the command is for stone-age" in other.stderr


@pytest.mark.parametrize("name", GAMES)
def test_options_of_simulate(name):
    """--sweep is offered where it can be used; an empty policy is none."""
    shown = "--sweep" in oddsmith(name, "simulate", "--help").stdout
    assert shown == hasattr(import_module(GAMES[name]), "sweep_values") == (name != "reef")
    for policy in ("", "random,", ","):
        run = oddsmith(name, "simulate", "--policy", policy, "--games", 2)
        assert (run.returncode, "--policy has an empty name" in run.stderr) == (2, True)
    run = oddsmith("reef", "best", EXAMPLES[0], "--moves", "draw,pass", "--policy", "")
    assert (run.returncode, "empty name" in run.stderr) == (2, True)


def test_games_explain_bench_version():
    assert list(GAMES) == [row["game"] for row in answer("games")["answer"]]
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
    (["reef", "new", "--players", "5"], ["--players can't be 5", "from 2 to 4"]),
    (["reef", "new", "--players", "two"], ["--players can't be two"]),
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
    (["reef", "plan", BOARD, 1, "--time", "nan"], ["--time"]),
    (["reef", "plan", BOARD, 1, "--nodes", "\uff19"], ["--nodes"]),
    (["reef", "new", "--seed", "\uff17"], ["--seed"]),
    (["reef", "new", "--blank", "--players", 3], ["--blank"]),
    (["reef", "new", "--players", "3x"], ["--players can't be 3x"]),
    (["reef", "score", "1 . . . .\n3 . . . .\n2 . . . .\n4 . . . .", 1], ["row 2 is labelled 3"]),
    (["reef", "score", "d c b a\n. . . .\n. . . .\n. . . .\n. . . .", 1], ["not labelled a b c d"]),
    (["reef", "score", "x" * 300 + ",/", 1], ["a board has 4 rows"]),
    (["demo", "-o", ""], ["can't write"]),
    (["demo", "-o", "/"], ["can't write", "folder"]),
    (["demo", "-o", "/no/where.html"], ["can't write /no/where.html"]),
    (["reef", "simulate", "--policy", "greedi"], ["not a policy", "greedy"]),
    (["reef", "simulate", "--policy", "random,random,random"], ["3 policies for 2 players"]),
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


def test_unreadable_file(tmp_path, monkeypatch):
    path = tmp_path / "secret.toml"
    path.write_text("game = 'reef'")
    path.chmod(0)
    if os.geteuid() == 0:  # root reads everything, so be somebody else for a moment
        os.seteuid(65534)
    try:
        with pytest.raises(InputError, match="may not read"):
            reef.load(str(path))
    finally:
        os.seteuid(os.getuid())


def test_output_survives_a_closed_pipe():
    process = subprocess.Popen([COMMAND, "reef", "cards", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(("redirection", "words"), [
    (">&-", "standard output is closed"), ("> /dev/full", "can't be written")])
def test_output_that_cant_be_written(redirection, words):
    for args in ("reef cards --json", "reef new --seed 7", "games"):
        run = subprocess.run(f"{COMMAND} {args} {redirection}", shell=True, capture_output=True,
                             text=True, check=False)
        assert run.returncode == 2, run.stderr
        assert words in run.stderr
        assert "Traceback" not in run.stderr


def test_an_early_interrupt_is_quiet():
    for delay in (0.05, 0.08, 0.12):
        process = subprocess.Popen([COMMAND, "reef", "cards"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        # Before our first line runs the interpreter itself may be caught; from then on, never.
        with process.stderr:
            assert "oddsmith/solver" not in process.stderr.read()
        process.wait(timeout=20)


def test_a_report_never_replaces_its_input(game, tmp_path):
    victim = tmp_path / "victim.html"
    victim.write_text(game.read_text())
    for args in ([], ["-o", victim], ["-o", victim, "--format", "csv"]):
        run = oddsmith("reef", "report", victim, *args, cwd=tmp_path)
        assert run.returncode == 2
        assert "would replace the input" in run.stderr
        assert victim.read_text() == game.read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_report_to_what_is_no_plain_file(game, tmp_path):
    """A pipe (as /dev/null is a device) stays what it is, and a link keeps its target."""
    pipe, link, real = tmp_path / "pipe", tmp_path / "link.txt", tmp_path / "real.txt"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    args = ("reef", "report", game, "--simulations", 0, "--format", "text", "-o")
    assert oddsmith(*args, pipe).returncode == 0
    reader.join(timeout=20)
    assert "Reef position" in read[0]
    assert pipe.is_fifo()
    real.write_text("before")
    link.symlink_to(real)
    assert oddsmith(*args, link).returncode == 0
    assert link.is_symlink()
    assert "Reef position" in real.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "pipe", "real.txt"]


def test_a_report_takes_the_ending_of_its_format(game, tmp_path):
    for fmt, name in {"csv": "game.csv", "markdown": "game.md", "text": "game.txt"}.items():
        run = oddsmith("reef", "report", game, "--format", fmt, cwd=tmp_path)
        assert (run.returncode, run.stdout.strip()) == (0, name)
    assert not (tmp_path / "game.html").exists()


def test_a_report_where_cards_cant_be_played(game, tmp_path):
    """Under short_supply = illegal a card on display, or the hand, may be unplayable."""
    text = game.read_text().replace("players = 2", 'players = 2\nshort_supply = "illegal"')
    text = text.replace("\nsupply =", "\n# supply =").replace("\ndeck =", "\n# deck =")
    text = text.replace("1 | .  | .  | .  | .  |", "1 | rrrr | rrrr | rrrr | rrr |", 1)
    path = tmp_path / "short.toml"
    path.write_text(text)
    found = answer("reef", "report", path, "-o", "-")
    addition = next((part for part in found if part["question"] == "addition"), None)
    worth = [row for part in found if part["question"] == "worth" for row in part["answer"]]
    assert any(row["points"] is None for row in worth)  # card 6 or 12 wants two red
    assert addition is None or any(row["adds"] is None for row in addition["answer"])


@pytest.mark.parametrize("board", [
    "| . | r | . | . |\n" + "+" + "-" * 300 + "+\n" + "| . | . | . | . |\n" * 3,
    ". r . .\n. . . .\n. . . .\n. . . .",
])
def test_drawn_boards_on_the_command_line(board):
    assert answer("reef", "score", board, 1)["answer"][0]["points"] == 1


def test_long_lists_are_refused_at_once(game, tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(game.read_text().replace("played = []", f"played = {[1] * 200_000}"))
    started = time.monotonic()
    run = oddsmith("reef", "check", path)
    assert (run.returncode, time.monotonic() - started < 5) == (2, True)
    assert "lists 200000 cards" in run.stderr
    path.write_text(game.read_text() + '[[player]]\nhand = []\nboard = ""\n' * 3000)
    run = oddsmith("reef", "check", path)
    assert (run.returncode, "at most 4" in run.stderr) == (2, True)


def test_a_plan_for_other_cards_says_so(game):
    found = answer("reef", "plan", game, 6, 1)
    assert "as if player 1 also held 1" in found["assumptions"]


def test_score_of_another_player(game):
    assert [row["card"] for row in answer("reef", "score", game, "--player", 2)["answer"]] == [24, 28]
    assert oddsmith("reef", "score", game, "--player", 3).returncode == 2


def test_overlapping_occurrences_are_counted_in_the_picture():
    run = oddsmith("reef", "score", "r,r,r,./r,r,r,./.,.,.,./.,.,.,.", 49, "--set",
                   "overlap=overlapping")
    assert "2x" in run.stdout
    assert "#1 " not in run.stdout.partition("exact")[0].partition("#1, #2")[0]


def test_moves_move_perft_simulate(game):
    moves = answer("reef", "moves", game)["answer"]
    assert len(moves) == 276
    assert moves[0] == {"move": "take 13", "points": 0}
    run = oddsmith("reef", "move", game, "take 13", "top 33", "play 24 g@a1 g@a2")
    assert run.returncode == 0, run.stderr
    shown = answer("reef", "show", "-", stdin=run.stdout)["answer"]
    assert (shown["deck_top"], shown["display"], shown["played"]) == (33, [58, 55, 12], [24])
    assert shown["players"][0]["hand"] == [6, 20, 13]
    drawn = oddsmith("reef", "move", game, "take 13", "top", "--seed", 5).stdout
    assert drawn == oddsmith("reef", "move", game, "take 13", "top", "--seed", 5).stdout
    assert answer("reef", "perft", game)["answer"][1] == {
        "depth": 2, "lines": 75280, "weighted": 75280}
    found = answer("reef", "simulate", "--policy", "greedy,random", "--games", 200, "--seed", 3)
    assert found["exact"] is False
    assert found["interval"]["n"] == 100
    assert sorted(found["answer"]) == ["first_player", "games", "mean_turns", "mean_turns_ci95",
                                       "policies"]
    greedy = found["answer"]["policies"]["greedy"]
    assert greedy["ci95"][0] <= greedy["win_rate"] <= greedy["ci95"][1]
    assert greedy["win_rate"] > 0.9
    again = oddsmith("reef", "simulate", "--policy", "greedy,random", "--games", 200, "--seed", 3,
                     "--workers", 1, "--json")
    assert json.loads(again.stdout) == found
    from_here = answer("reef", "simulate", game, "--policy", "greedy", "--games", 100, "--set",
                       "tallest_tie=all")
    assert from_here["answer"]["games"] == 100
    assert sum(seat["wins"] for seat in from_here["answer"]["seats"]) == 100
    assert "option tallest_tie = all" in from_here["assumptions"]
    assert oddsmith("reef", "simulate", "").returncode == 2


def test_a_game_can_be_followed_call_by_call(game, tmp_path):
    """Also when the new top card is told in a later call; the end tells the result."""
    path = tmp_path / "next.toml"
    run = oddsmith("reef", "move", game, "take 13")
    path.write_text(run.stdout)
    assert answer("reef", "check", path)["answer"]["sound"] is True
    assert oddsmith("reef", "moves", path).returncode == 2
    run = oddsmith("reef", "move", path, "top 33", "play 24 g@a1 g@a2")
    assert run.returncode == 0, run.stderr
    last = reef.load(str(game))
    rest = sorted(set(range(1, 61)) - {6, 20, 24, 28, 13, 55, 12, 58})
    text = reef.format_position(last).replace("played = []", f"played = {rest}")
    path.write_text(text.replace("deck = 53", "deck = 1"))
    run = oddsmith("reef", "move", path, "draw 55")
    assert run.returncode == 0, run.stderr
    shown = answer("reef", "show", "-", stdin=run.stdout)["answer"]
    assert shown["finished"] == "the deck is empty"
    assert len(shown["result"]["scores"]) == 2
    assert shown["result"]["winners"]


def test_tops_are_drawn_anew_and_can_be_repeated(game):
    drawn = {oddsmith("reef", "move", game, "take 13", "top").stdout for _ in range(4)}
    assert len(drawn) > 1
    text = drawn.pop()
    seed = text.split("--seed ")[1].split()[0]
    assert oddsmith("reef", "move", game, "take 13", "top", "--seed", seed).stdout == text


def test_illegal_moves_say_why(game):
    for move, why in [("play 6 y@a1 y@a2", "brings rr"), ("play 1 g@a1 g@a2", "not in the hand"),
                      ("pass", "no other legal move"), ("top 33", "no new top card is due"),
                      ("draw 13", "lowest printed value")]:
        run = oddsmith("reef", "move", game, move)
        assert (run.returncode, why in run.stderr) == (2, True), run.stderr


def test_simulate_can_be_interrupted():
    process = subprocess.Popen(
        [COMMAND, "reef", "simulate", "--policy", "random", "--games", "1000000000", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert json.loads(out)["answer"]["games"] >= 8192
    assert "Traceback" not in err


def test_simulate_until():
    run = oddsmith("reef", "simulate", "--policy", "random", "--until", "0.001", "--games", 500,
                   "--json")
    assert run.returncode == 5
    run = oddsmith("reef", "simulate", "--policy", "random", "--until", "0.05", "--games", 90000,
                   "--json")
    assert run.returncode == 0
    assert json.loads(run.stdout)["answer"]["games"] < 90000


def test_no_color_and_plain_pipes():
    out = oddsmith("reef", "score", BOARD, 17).stdout
    assert "\x1b" not in out
    assert "…" not in out
