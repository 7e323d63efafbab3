"""Stone Age at the command line: every question, both spellings, the shipped positions, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("stone-age-*.toml"))
TOOLS = next(path for path in EXAMPLES if "tools" in path.name)
VARIANT = Path(__file__).parents[2] / "examples" / "variant-limited-supply.toml"


def run(*args):
    return CliRunner().invoke(oddsmith, ["stone-age", *map(str, args)], catch_exceptions=True)


def ask(*args):
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_both_spellings():
    one = CliRunner().invoke(oddsmith, ["stone-age", "yield", "2", "food", "--json"])
    two = CliRunner().invoke(oddsmith, ["stone_age", "yield", "2", "food", "--json"])
    assert json.loads(one.stdout)["answer"] == json.loads(two.stdout)["answer"]
    assert "stone-age" in CliRunner().invoke(oddsmith, ["--help"]).stdout


def test_yield():
    found = ask("yield", 1, "wood", "--tools", "1,2", "--one-use", 3)
    assert found["answer"] == {
        "distribution": [[2, "1/3"], [3, "1/2"], [4, "1/6"]], "mean": "17/6",
        "at_least": [[2, "1/1"], [3, "2/3"], [4, "1/6"]]}
    assert found["exact"] is True


def test_people():
    answer = ask("people", "wood", "--at-least", 4, "--confidence", "0.7")["answer"]
    assert (answer["people"], answer["p"]) == (4, "493/648")
    for text in ("70%", "7/10", "7e-1", ".7"):
        assert ask("people", "wood", "--at-least", 4, "--confidence", text)["answer"] == answer


def test_people_that_there_is_room_for():
    food = ask("people", "food", "--at-least", 15)["answer"]
    assert (food["people"], len(food["chances"])) == (9, 10)
    brick = ask("people", "brick", "--at-least", 5, "--tools", "1,1")["answer"]
    assert (brick["people"], brick["p"], len(brick["chances"])) == (5, "1/2", 7)
    note = "the forest takes 7 people: no roll of a game is of 8"
    assert note in ask("yield", 8, "wood")["assumptions"]
    assert note not in ask("yield", 7, "wood")["assumptions"]
    assert len(ask("yield", 8, "food")["assumptions"]) == 1


@pytest.mark.parametrize("question", [("yield", 4, "wood"), ("people", "wood", "--at-least", 4),
                                      ("split", "4:wood", "3:gold")])
def test_tools_that_nobody_has(question):
    def notes(*tools):
        return [one for one in ask(*question, *tools)["assumptions"] if "no player has" in one]

    assert notes("--tools", "2,3,4") == ["no player has tools of 2, 3, 4: there are three slots, "
                                         "and they differ by 1 at most"]
    assert notes("--tools", "1,1,1,1")
    assert notes("--tools", "1,3,1")
    assert notes("--one-use", "3,3") == ["no player has one-use tools of 3, 3: there is one of "
                                         "each value"]
    for tools in ("2,1,1", "2", "4,4,4", "2,1"):
        assert notes("--tools", tools, "--one-use", "2,3") == []


def test_split():
    rolls = ("split", "4:wood", "3:gold", "--tools", "2,3,4")
    assert ask(*rolls)["answer"]["value"] == "65/2"
    assert ask(*rolls, "--order", "fixed")["answer"]["value"] == "31/1"
    assert ask(*rolls, "--values", "2,3,4,5,6")["answer"] == ask(*rolls)["answer"]
    assert ask(*rolls, "--count")["answer"]["value"] != "65/2"
    first = ask(*rolls)["answer"]["policy"][0]
    assert first["rolls_left"] == ["4:wood", "3:gold"]
    assert first["use"][0] == {"sums": [3, 3], "tools": "3", "p": "1/216"}
    chance = ask("split", "4:wood", "3:gold", "--target", "4:wood,1:gold")["answer"]["value"]
    assert chance == "50779/69984"  # 493/648 x 206/216
    assert ask("split", TOOLS)["answer"]["value"] == "31/2"
    assert "Use 1 now, on what is rolled 3:food." in run("split", TOOLS).stdout


def test_rules_of_a_split(tmp_path):
    # Three people in the forest show 9, so the tools bring most with the hunt's 3: 3 food, 3 wood.
    found = ask("split", TOOLS, "--set", "dice=3")
    assert found["answer"]["value"] == "15/1"
    assert "option dice = 3" in found["assumptions"]
    page = tmp_path / "page.json"
    assert run("report", TOOLS, "--set", "dice=3", "--simulations", 0, "-o", page).exit_code == 0
    assert json.loads(page.read_text())[-1]["answer"]["value"] == "15/1"
    assert ask("split", "2:wood", "--tools", 1, "--set", "dice=3.5")["answer"]["value"] == "6/1"
    limited = ask("split", "4:wood", "--variant", VARIANT, "--set",
                  "resource_supply=[1,16,12,10]")
    assert limited["answer"]["value"] == "3/1"   # 4 pips at least
    assert any("supply has 1 wood" in one for one in limited["assumptions"])


def test_charts_of_a_gift_share_one_scale():
    shown = run("gift", "--players", 4).stdout
    bars = {line.split("%")[0].split()[-1]: line.count("█") for line in shown.splitlines()
            if "█" in line}
    by_chance = sorted((float(p), n) for p, n in bars.items())
    assert [n for _, n in by_chance] == sorted(n for _, n in by_chance)
    assert by_chance[-1][1] == 40


def test_gift_and_table():
    seats = ask("gift", "--players", 4)["answer"]["seats"]
    assert seats[0]["dice"][5] == [6, "671/1296"]
    table = ask("table")["answer"]
    assert table["gold"][2][0] == "4/3"
    assert {len(rows) for rows in table.values()} == {10}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_shipped_positions(path, tmp_path):
    assert ask("check", path)["answer"]["sound"] is True
    shown = ask("show", path)["answer"]
    assert ask("moves", path)["answer"]
    assert ask("final", path)["answer"][0]["seat"] == 1
    assert ask("perft", path, "--depth", 1)["answer"][0]["lines"] >= 1
    best = ask("best", path, "--simulations", 16)["answer"]
    assert best[0]["rank"] == 1
    for fmt in ("text", "markdown", "html", "csv"):
        assert run("show", path, "--format", fmt).exit_code == 0
    page = tmp_path / "page.html"
    assert run("report", path, "-o", page, "--simulations", 16).exit_code == 0
    assert "Final scores" in page.read_text()
    assert len(shown["players"]) == len(ask("final", path)["answer"])


def test_following_a_game(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(run("new", "--players", 3, "--seed", 7).stdout)
    moves = [one["move"] for one in ask("moves", path)["answer"]]
    assert "place forest" in moves
    after = run("move", path, "place forest 2")
    path.write_text(after.stdout)
    assert "forest = 2" in after.stdout
    refused = run("move", path, "use forest")
    assert isinstance(refused.exception, InputError)
    assert "`use forest` is not legal here" in str(refused.exception)


def test_moves_are_compared_as_they_are_typed(tmp_path):
    opening = next(path for path in EXAMPLES if "opening" in path.name)
    found = ask("best", opening, "--moves", "place hunt 2,place hut", "--games", 50)["answer"]
    assert {one["move"] for one in found["moves"]} == {"place hunt 2", "place hut"}
    # The same games as after the first of the two decisions.
    path = tmp_path / "hunt.toml"
    path.write_text(run("move", opening, "place hunt").stdout)
    two = [ask("best", where, "--moves", moves, "--games", 50, "--policy", "greedy")["answer"]
           for where, moves in ((opening, "place hunt 2,place hunt 4"), (path, "people 2,people 4"))]
    values = [[one["value"] for one in answer["moves"]] for answer in two]
    assert values[0] == values[1]
    error = run("best", opening, "--moves", "place hunt 9,place hut").exception
    assert "`people 9` is not legal here" in str(error)


def test_simulate():
    found = ask("simulate", "--policy", "greedy,starve", "--games", 40, "--variant", VARIANT)
    answer = found["answer"]
    assert answer["policies"]["greedy"]["games"] == 40
    assert set(answer["policies"]["greedy"]) >= {"wins", "ci95", "mean_score", "mean_margin"}
    assert 5 < answer["mean_rounds"] < 30
    assert sum(answer["endings"].values()) == 40
    short = ask("simulate", "--policy", "random", "--games", 6, "--set", "max_rounds=2")["answer"]
    assert short["endings"] == {"cards": 0, "tiles": 0, "max_rounds": 6}
    assert short["mean_rounds"] == 2


def test_sweep():
    """A cell is what `simulate` tells under its rules; the first policy's wins are shown."""
    found = ask("simulate", "--sweep", "players,starvation", "--games", 12)
    cells = found["answer"]["cells"]
    assert [(cell["players"], cell["starvation"]) for cell in cells] == [
        (n, one) for n in (2, 3, 4) for one in ("flat", "per_missing", "flat_plus")]
    alone = ask("simulate", "--games", 12, "--players", 3, "--set", "starvation=flat_plus")["answer"]
    cell = dict(cells[5])
    assert (cell.pop("players"), cell.pop("starvation")) == (3, "flat_plus")
    assert cell == alone
    first = cells[0]["policies"]["greedy"]
    assert [found["interval"][end] for end in ("low", "high")] == first["ci95"]
    words = run("simulate", "--sweep", "dice", "--policy", "random", "--games", 4).stdout
    assert "seat 1 wins" in words and "3.5" in words
    assert len(ask("simulate", "--sweep", "resource_supply", "--games", 4)["answer"]["cells"]) == 3


def test_a_sweep_tells_what_it_can_not_do():
    for name, message in (("start_food", "can't sweep over `start_food`"),
                          ("players,players", "players twice")):
        assert message in str(run("simulate", "--sweep", name, "--games", 4).exception)
    found = ask("simulate", "--sweep", "players", "--policy", "greedy,random,starve", "--games", 6)
    assert [cell["players"] for cell in found["answer"]["cells"]] == [3, 4]
    assert found["answer"]["left_out"] == [{"players": 2, "why": "3 policies for 2 players"}]


BAD = [
    (("yield", 11, "wood"), "11"), (("yield", 3, "stome"), "did you mean stone"),
    (("yield", 3, "wood", "--tools", "5"), "--tools can't be '5'"),
    (("people", "wood", "--at-least", 4, "--confidence", "1.5"), "--confidence can't be '1.5'"),
    (("people", "wood", "--at-least", 4, "--confidence", "1e-9999999"), "can't be '1e-9999999'"),
    (("people", "wood", "--at-least", 4, "--confidence", "1/0"), "can't be '1/0'"),
    (("people", "wood", "--at-least", 4, "--confidence", "0." + "5" * 5000), "can't be '0.555"),
    (("people", "gold", "--at-least", 30), "7 people don't bring 30 gold"),
    (("people", "gold", "--at-least", 5), "and the river takes 7"),
    (("people", "food", "--at-least", 31), "10 people don't bring 31 food"),
    (("split", "8:wood"), "8 people can't roll for wood together"),
    (("split", "4:wood", "--target", "0:wood"), "--target can't ask for 0 wood"),
    (("split", TOOLS, "--players", "3"), "there are 2 players, the rules say 3"),
    (("split", "wood:4"), "`wood:4` is not a roll"),
    (("split", "4:wood", "--values", "1,2"), "five numbers"),
    (("split", "4:wood", "--count", "--target", "1:wood"), "Give one of"),
    (("yield", 3, "wood", "--one-use", "x"), "--one-use can't be 'x'"),
    (("split", "4:wood", "--values", "1,2,3,4,x"), "--values can't be '1,2,3,4,x'"),
    (("split", "4:wodo"), "did you mean wood"),
    (("split", "11:food"), "11 people can't roll together"),
    (("split", "4:wood", "--target", "1:gold"), "no roll brings gold"),
    (("simulate", "--policy", "greeedy"), "did you mean greedy"),
    (("gift", "--rank", "1,2,x"), "--rank can't be '1,2,x'"),
    (("gift", "--rank", "1,2,3"), "--rank can't be 1,2,3"),
    (("pay", EXAMPLES[0], "tile 9"), "nothing is offered on `tile 9`"),
    (("new", "--players", 4, "--set", "stack_size=9"), "stack_size can't be 9 with 4 players"),
]


@pytest.mark.parametrize(("args", "message"), BAD)
def test_bad_input(args, message):
    done = run(*args)
    error = done.exception
    assert done.exit_code != 0
    assert isinstance(error, (InputError, SystemExit))
    assert message in f"{done.output} {error}"
    if isinstance(error, InputError):
        assert error.where.startswith("<command line>") or error.line
