"""`best`, `value`, `simulate --policy search` and the ranked moves of a report, as processes."""

from __future__ import annotations

import shlex
import signal
import subprocess
import time
from importlib import import_module
from pathlib import Path

import pytest

from oddsmith.solver.games import GAMES
from tests.test_cli import COMMAND, EXAMPLES, answer, oddsmith

OPENING = str(next(path for path in EXAMPLES if "opening" in path.name))
FEW = ("--simulations", "400")


@pytest.fixture
def hidden(tmp_path):
    """A position whose other hand nobody has seen."""
    path = tmp_path / "hidden.toml"
    path.write_text(oddsmith("reef", "new", "--blank").stdout)
    return path


def test_best_json():
    found = answer("reef", "best", OPENING, *FEW)
    assert found["exact"] is False
    assert found["interval"]["n"] == 400
    moves = found["answer"]
    assert [one["rank"] for one in moves] == list(range(1, len(moves) + 1))
    assert sum(one["simulations"] for one in moves) == 400
    assert sum(one["p_best"] for one in moves) == pytest.approx(1)
    assert moves[0]["gap"] == 0
    for one in moves:
        assert one["ci95"][0] <= one["value"] <= one["ci95"][1]
        assert one["line"][0] == one["move"]
    legal = {one["move"] for one in answer("reef", "moves", OPENING)["answer"]}
    assert {one["move"] for one in moves} <= legal


def test_the_same_bytes_on_any_number_of_workers():
    outputs = {oddsmith("reef", "best", OPENING, *FEW, "--json", "--workers", n).stdout
               for n in (1, 2, 7)}
    assert len(outputs) == 1
    assert outputs != {oddsmith("reef", "best", OPENING, *FEW, "--json", "--seed", 2).stdout}


def test_the_command_of_a_timed_search_can_be_repeated():
    found = answer("reef", "best", OPENING, "--time", "0.3", "--simulations", 10**6)
    n = found["inputs"]["simulations"]
    assert n < 10**6
    again = answer("reef", "best", OPENING, "--simulations", n)
    assert again["answer"] == found["answer"]


def test_value_json():
    found = answer("reef", "value", OPENING, *FEW)["answer"]
    assert [one["seat"] for one in found["seats"]] == [1, 2]
    assert sum(one["value"] for one in found["seats"]) == pytest.approx(1)
    assert found["line"][0] == found["best"]
    ranked = answer("reef", "best", OPENING, *FEW)["answer"]
    assert (found["best"], found["seats"][0]["value"]) == (ranked[0]["move"], ranked[0]["value"])


@pytest.mark.parametrize(("game", "name"), [("fuse", "fuse-roll"), ("island", "island-middle-game")])
def test_a_team_has_one_value(game, name):
    """And one interval, that of the answer."""
    position = str(Path(OPENING).with_name(f"{name}.toml"))
    told = answer(game, "value", position, *FEW)
    assert "seats" not in told["answer"]
    assert set(told["answer"]["team"]) == {"value", "ci95"}
    assert told["answer"]["team"]["ci95"] == [told["interval"]["low"], told["interval"]["high"]]
    words = oddsmith(game, "value", position, *FEW).stdout
    assert "the team" in words and "player 2" not in words
    best = answer(game, "best", position, *FEW)["answer"]
    assert told["answer"]["team"]["value"] == best[0]["value"]


def test_settled_moves():
    found = answer("reef", "best", OPENING, "--moves", "take 13,play 6 r@a1 r@b2",
                   "--games", 2000)["answer"]
    assert {one["move"] for one in found["moves"]} == {"take 13", "play 6 r@a1 r@b2"}
    difference = found["differences"][0]
    assert difference["ci95"][0] <= difference["value"] <= difference["ci95"][1]
    run = oddsmith("reef", "best", OPENING, "--moves", "take 13,take 13")
    assert (run.returncode, "two different moves" in run.stderr) == (2, True)
    run = oddsmith("reef", "best", OPENING, "--moves", "take 13,take 1")
    assert (run.returncode, "not on display" in run.stderr) == (2, True)
    run = oddsmith("reef", "best", OPENING, "--moves", "take 13,draw", "--policy", "search")
    assert (run.returncode, "another --policy" in run.stderr) == (2, True)


@pytest.mark.parametrize("game", GAMES)
def test_hints_about_moves_are_in_the_game_s_own_words(game):
    examples = Path(OPENING).parent.glob(f"{game.replace('_', '-')}-*.toml")
    run = oddsmith(game, "best", next(examples), "--moves", ",")
    assert (run.returncode, "empty move" in run.stderr) == (2, True)
    assert import_module(GAMES[game]).TYPED_MOVES[1] in run.stderr


def test_budgets_end_with_code_5():
    for budget in (("--simulations", 80), ("--moves", "take 13,take 55", "--games", 500)):
        run = oddsmith("reef", "best", OPENING, "--until", "0.0001", *budget)
        assert run.returncode == 5
        assert "95 %" in run.stdout
        assert oddsmith("reef", "best", OPENING, "--until", "0.5", *budget).returncode == 0


def test_options_that_would_do_nothing_are_refused():
    for options in (("--games", 5), ("--policy", "random"),
                    ("--moves", "take 13,take 55", "--simulations", 80),
                    ("--moves", "take 13,take 55", "--top", 3)):
        run = oddsmith("reef", "best", OPENING, *options)
        assert (run.returncode, "--moves" in run.stderr) == (2, True)
    run = oddsmith("reef", "best", OPENING, "--moves", "take 13,")
    assert (run.returncode, "empty move" in run.stderr) == (2, True)


def test_a_clock_ends_the_settling_of_moves():
    began = time.monotonic()
    run = oddsmith("reef", "best", OPENING, "--moves", "take 13,take 55", "--time", 1,
                   "--games", 10**8)
    assert run.returncode == 0
    assert time.monotonic() - began < 30


def test_interrupted_searching_games():
    with subprocess.Popen([COMMAND, "reef", "simulate", "--policy", "search,greedy",
                           "--simulations", "1000000"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        began = time.monotonic()
        run.communicate(timeout=60)
    assert run.returncode == 130
    assert time.monotonic() - began < 20


def test_hidden_hands(hidden):
    assert len(answer("reef", "best", hidden, *FEW)["answer"]) > 1
    text = hidden.read_text()
    hidden.write_text(text.replace("to_move = 1", "to_move = 2"))
    run = oddsmith("reef", "best", hidden, *FEW)
    assert run.returncode == 2
    assert "holds an unknown card" in run.stderr


def test_secret_cards_are_hidden_from_the_others(hidden):
    """Which secret cards a hand really holds changes nothing for the player to move."""
    text = hidden.read_text()
    outputs = set()
    for cards in ("[7, 8]", "[50, 60]"):
        hidden.write_text(text.replace('["?", "?"]', f"{cards}\nsecret = {cards}"))
        outputs.add(str([one["value"] for one in answer("reef", "best", hidden, *FEW)["answer"]]))
    hidden.write_text(text.replace('["?", "?"]', "[50, 60]"))
    known = str([one["value"] for one in answer("reef", "best", hidden, *FEW)["answer"]])
    assert len(outputs) == 1
    assert outputs != {known}


def test_secret_faults(hidden):
    text = hidden.read_text()
    for written, words in (("[9]", "card 9 is not in the hand"), ("[5, 6, 5]", "3 cards are secret"),
                           ('["?"]', "must be its number")):
        hidden.write_text(text.replace("secret = [5, 6]", f"secret = {written}"))
        run = oddsmith("reef", "check", hidden)
        assert run.returncode in (2, 4)
        assert words in run.stdout + run.stderr


def test_secrets_are_followed_through_a_game(hidden, tmp_path):
    moved = tmp_path / "moved.toml"
    moved.write_text(oddsmith("reef", "move", hidden, "play 5 g@a1 p@a1").stdout
                     or oddsmith("reef", "move", hidden, "take 1", "top 9").stdout)
    assert "secret = [" in moved.read_text()
    assert oddsmith("reef", "check", moved).returncode == 0


def test_no_move_to_rank(tmp_path):
    run = oddsmith("reef", "move", OPENING, "take 13")
    due = tmp_path / "due.toml"
    due.write_text(run.stdout)
    for verb in ("best", "value"):
        run = oddsmith("reef", verb, due)
        assert run.returncode == 2
        assert "top card is not known yet" in run.stderr


def test_simulated_search():
    found = answer("reef", "simulate", "--policy", "search,random", "--games", 4, "--simulations", 80)
    assert found["answer"]["policies"]["search"]["wins"] == 4
    assert found["inputs"]["simulations"] == 80
    outputs = {oddsmith("reef", "simulate", "--policy", "search,greedy", "--games", 4,
                        "--simulations", 40, "--workers", n).stdout for n in (1, 2)}
    assert len(outputs) == 1


def test_report_ranks_the_moves(tmp_path):
    target = tmp_path / "report.html"
    assert oddsmith("reef", "report", OPENING, "-o", target, *FEW).returncode == 0
    assert "Value of each move" in target.read_text()
    assert oddsmith("reef", "report", OPENING, "-o", target, "--simulations", 0).returncode == 0
    assert "Value of each move" not in target.read_text()


def test_an_interrupted_search_tells_what_it_knows():
    with subprocess.Popen([COMMAND, "reef", "best", OPENING, "--simulations", "100000000"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (130, "")
    assert "simulations in 8 trees" in out


def test_moves_with_commas_are_compared():
    tools = str(next(Path(OPENING).parent.glob("stone-age-tools.toml")))
    found = answer("stone-age", "best", tools, "--moves", "tools 1,1; tools none", "--games", "40",
                   "--seed", "1")
    assert {one["move"] for one in found["answer"]["moves"]} == {"tools 1,1", "tools none"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("verb", ["best", "move", "new"])
def test_help_speaks_of_the_game_at_hand(game, verb):
    typed = game.replace("_", "-")
    text = oddsmith(typed, verb, "--help").stdout
    assert f"oddsmith {typed} {verb}" in text
    for word in ("GAME", "RIVALS", *(other for other in GAMES if other != game)):
        assert word not in text


@pytest.mark.parametrize(("game", "settings"), [
    ("island", ("roles=diver,pilot", "lift_rescue=false")), ("stone-age", ("dice_gift=on_own_turn",)),
    ("reef", ("overlap=overlapping", "end=immediate")),
])
def test_the_head_of_a_new_game_makes_it_again(game, settings):
    options = [word for one in settings for word in ("--set", one)]
    made = oddsmith(game, "new", *options)
    head = made.stdout.splitlines()[0]
    again = oddsmith(*shlex.split(head.removeprefix("# oddsmith ")))
    assert again.stdout == made.stdout
