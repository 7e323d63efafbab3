"""FUSE's common verbs and its questions about play, at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.deck import load_deck

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


def refused(*args):
    made = run(*args)
    assert isinstance(made.exception, InputError), (made.output, made.exception)
    return made.exception


@pytest.mark.parametrize(("args", "where", "what", "hint"), [
    (("assign", ROLL, "x5 b2 k6"), "<command line>:1:1", "the roll: `x5` is no die", "r5"),
    (("assign", ROLL, "r5 b2"), "<command line>", "the roll: 2 dice are told", '"r3 b4 k3"'),
    (("assign", OPENING), "<command line>", "the roll: 0 dice are told", 'such as "'),
    (("assign", PICK, "r5"), "<command line>", "the phase is pick", "moves"),
    (("move", ROLL, "place r3 p1-valley 9"), "<command line>",
     "move 1, `place r3 p1-valley 9`: p1-valley has no slot `9`", "from the left"),
    (("move", ROLL, "remove p1-diff2 3"), "<command line>",
     "move 1, `remove p1-diff2 3`: p1-diff2 has no slot `3`", "from the left"),
    (("pick", ROLL, "--player", 5), "<command line>", "--player can't be 5", "numbered from 1"),
    (("simulate", "--players", 3, "--level", 50), "", "28 bombs", "level=22 or lower"),
    (("simulate", "--players", 4), "", "28 bombs", "--set deck=synthetic"),
])
def test_messages(args, where, what, hint):
    error = refused(*args)
    assert error.where == where and what in error.what and hint in error.hint, str(error)


def test_slots_are_told():
    assert refused("move", ROLL, "place r3 p1-valley 4").why == "its slots are 1, 2, 3"


def test_what_is_due_is_told_with_an_example():
    assert "such as `die r5`, or draw it with `die`" in refused("move", OPENING, "stop").why
    assert refused("best", OPENING).hint.endswith('move FILE "die r5"')


def changed(tmp_path, old, new):
    path = tmp_path / "game.toml"
    text = Path(OPENING).read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize(("new", "what", "place"), [
    ("players = 3\nlevel = 50", "28 bombs", (7, 9)),
    ('players = 3\ndeck = "mine.json"', "no such file", (7, 8)),
])
def test_decks_of_positions_have_a_place(tmp_path, new, what, place):
    path = changed(tmp_path, "players = 3", new)
    error = refused("show", path)
    assert what in error.what and error.source == str(path)
    assert (error.line, error.column) == place


def test_a_game_that_is_none(tmp_path):
    assert refused("show", changed(tmp_path, '"fuse"', '"fuze"')).hint == 'game = "fuse"'
    assert refused("show", changed(tmp_path, '"fuse"', '"reef"')).hint.startswith("oddsmith reef")


def test_a_deck_lies_beside_its_position(tmp_path, monkeypatch):
    """Wherever the command is given; what is written can be read from anywhere."""
    cards = [{"id": bomb.id, "points": bomb.points, "layout": bomb.layout,
              "slots": [{"accept": [{"color": list(one.colors), "number": list(one.numbers)}
                                    for one in slot.accept]} for slot in bomb.slots],
              "relations": [msgspec.to_builtins(sign) for sign in bomb.relations]}
             for bomb in load_deck("synthetic").bombs]
    for card in cards:
        card["relations"] = [shortened(sign) for sign in card["relations"]]
    (tmp_path / "mine.json").write_text(json.dumps({"cards": cards}))
    path = changed(tmp_path, "players = 3", 'players = 3\ndeck = "mine.json"')
    assert run("check", path).exit_code == 0
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    made = run("move", path, "die r5")
    assert made.exit_code == 0
    (other / "next.toml").write_text(made.output)
    monkeypatch.chdir("/")
    assert run("check", other / "next.toml").exit_code == 0


def shortened(sign):
    """A relation as a file has it."""
    keys = {"eq": ("attr", "slots"), "ne": ("attr", "slots"), "any_of": ("of",),
            "linear": ("slots", "coef", "cmp", "rhs")}[sign["op"]]
    made = {"op": sign["op"], **{key: sign[key] for key in keys}}
    if "of" in made:
        made["of"] = [[shortened(one) for one in group] for group in made["of"]]
    return made


def test_chances_are_in_lowest_terms():
    assert {one["p"] for one in answer("moves", OPENING)} == {"1/30"}


def test_reports(tmp_path):
    page = tmp_path / "fuse.html"
    assert run("report", ROLL, "--output", page).exit_code == 0
    assert "<html" in page.read_text()
