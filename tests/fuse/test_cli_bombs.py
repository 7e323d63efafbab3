"""The verbs bombs, bomb and hand, as people and scripts meet them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.solver.games.fuse.bomb_pictures import bomb_card, cards_block, faces_words, printed
from oddsmith.solver.games.fuse.bombs import Bomb, Relation, parse_slot, supports
from oddsmith.solver.games.fuse.deck import load_deck

COMMAND = str(Path(sys.executable).parent / "oddsmith")
BY_ID = {bomb.id: bomb for bomb in load_deck("synthetic").bombs}


def oddsmith(*args):
    return subprocess.run([COMMAND, "fuse", *map(str, args)], capture_output=True, text=True,
                          check=False)


def answer(*args):
    run = oddsmith(*args, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_bomb():
    told = answer("bomb", "p4-twins", "--have", "r5", "--within", 3)
    value = told["answer"]
    assert told["exact"] is True
    assert value["expected"] == "30/1"
    assert value["within"] == [[1, "1/30"], [2, "59/900"], [3, "2611/27000"]]
    assert value["have"] == "r5"
    assert value["take"] == [{"faces": "r5", "slot": 2, "then": "0/1"}]
    assert value["deck"] == {"name": "documented", "cards": 32, "documented": 32}
    assert told["assumptions"][0] == "deck documented: 32 cards, 32 of them documented"
    assert told["command"].startswith("oddsmith fuse bomb p4-twins")
    bag = answer("bomb", "p4-same-colour4", "--offer", "bag")["answer"]
    assert Fraction(bag["expected"]) > 16
    whole = answer("bomb", "p2-same-num-or-colour3", "--set", "same_number_or_color=whole")
    assert Fraction(whole["answer"]["expected"]) > 7
    assert "option same_number_or_color = whole" in whole["assumptions"]
    assert whole["rules_id"] != told["rules_id"]
    doubtful = answer("bomb", "px-same-num-or-colour2")
    assert any("doubtful" in line for line in doubtful["assumptions"])


def test_bombs():
    told = answer("bombs", "--points", 4)
    assert len(told["answer"]["bombs"]) == 8
    assert {bomb["points"] for bomb in told["answer"]["bombs"]} == {4}
    hardness = {bomb["id"]: bomb["expected"] for bomb in told["answer"]["bombs"]}
    assert hardness["p4-222"] == "18/1"
    assert len(answer("bombs", "--deck", "synthetic")["answer"]["bombs"]) == 54
    unknown = answer("bombs", "--points", "unknown", "--set", "unknown_points=3")
    assert [bomb["points"] for bomb in unknown["answer"]["bombs"]] == [None] * 3
    assert "3 bombs of unknown value are taken to be worth 3" in unknown["assumptions"]


def test_hand():
    told = answer("hand", "p3-same-num3", "p4-222", "--dice-per-roll", 2)
    assert told["answer"]["expected"] == "129050807/11979000"
    assert told["answer"]["error"] == 0
    begun = answer("hand", "p3-same-num3", "p4-222", "--have", "r1 b1", "--have", "- r2")
    assert [bomb["have"] for bomb in begun["answer"]["bombs"]] == ["r1 b1", "- r2"]
    assert Fraction(begun["answer"]["expected"]) < Fraction(told["answer"]["expected"])
    text = oddsmith("hand", "p3-same-num3", "p4-222").stdout
    assert "129050807/11979000 = 10.7731 rolls of 2 dice" in text
    assert "one after the other" in text


@pytest.mark.parametrize("fmt", ["text", "markdown", "csv", "html"])
@pytest.mark.parametrize("args", [("bombs", "--points", "6"), ("bomb", "p4-stack4-asc", "--have", "r2"),
                                  ("hand", "p1-valley", "p4-stack4-asc")])
def test_every_format(args, fmt):
    run = oddsmith(*args, "--format", fmt)
    assert run.returncode == 0, run.stderr
    text = run.stdout
    if fmt == "html":
        assert text.count("<svg") > 1
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "p4-stack4-asc" in text or args[0] == "bombs"
    elif fmt == "csv":
        assert {"bombs": "card,points,dice", "bomb": "dice,onto slot", "hand": "bombs,expected"}[
            args[0]] in text
    else:
        assert "documented" in text


def test_pictures_in_text():
    text = oddsmith("bombs", "--points", "4").stdout
    for line in ("│ [c] = [c] = [c] = [c] │", "│ [2]   [2]   [2] │", "│ [c#] = [c#] │", "│ [y1]"):
        assert line in text
    assert "│ (r5) = [c#] │" in oddsmith("bomb", "p4-twins", "--have", "r5").stdout
    assert "[g|y] + [r|b] = 7" in oddsmith("bomb", "p3-gy-rb-sum7").stdout
    assert "[#|c] = [#|c] = [#|c]" in oddsmith("bomb", "p2-same-num-or-colour3").stdout


def test_pictures():
    signs = {name: {sign for _, _, sign in bomb_card(bomb).signs} for name, bomb in BY_ID.items()}
    assert signs["p1-valley"] == {">", "<"}
    assert signs["p2-two-sums"] == {"+", "="}
    assert signs["p1-diff2"] == {"−", "= 2"}
    assert signs["p4-stack4-asc"] == {"∨"}
    assert signs["p4-stack4-desc"] == {"∧"}
    assert signs["p1-colour-ne-chain4"] == {"≠"}
    assert signs["p6-pyr6-mixed"] == set()
    # Every sign of every card is shown.
    assert all(printed(relation)[0] for bomb in BY_ID.values() for relation in bomb.relations)
    card = bomb_card(BY_ID["px-r2-gb-36"], unknown_points=2)
    assert card.corner == "(2)"
    assert [slot.wants for slot in card.slots] == [
        (("red", ""), ("", "2")), (("green", ""), ("blue", "")), (("", "3"), ("", "6"))]
    assert bomb_card(BY_ID["px-r2-gb-36"]).corner == "?"
    strange = Bomb(id="x", points=1, layout="row", slots=(parse_slot("?"),) * 3,
                   beneath=supports("row", 3), relations=(
                       Relation("linear", (0, 2), coef=(2, 1), cmp=">=", rhs=9),
                       Relation("linear", (1, 0), coef=(1, -1), cmp="<=")))
    assert bomb_card(strange).signs == ((0.5, 0.0, "≥"),)
    assert cards_block([strange]).cards == (bomb_card(strange),)
    assert faces_words([0, 1, 8]) == "r1,2 b3"


@pytest.mark.parametrize(("args", "what", "code"), [
    (("bomb", "p4-twinz"), "did you mean p4-twins", 2),
    (("bomb", "synthetic-1-hill"), "--deck synthetic", 2),
    (("bomb", "p4-twins", "--have", "r5,r6"), "--have: `r5,r6` is no die", 2),
    (("bomb", "p4-twins", "--have", "r5 r6"), "can't be finished", 2),
    (("bomb", "p4-222", "--have", "r3"), "doesn't fit slot 1", 2),
    (("bomb", "p4-222", "--deck", "nowhere.toml"), "no such file", 2),
    (("bomb", "p4-222", "--deck", "synthetics"), "is no deck", 2),
    (("bomb", "p4-222", "--within", "0"), "--within", 2),
    (("bomb", "p4-222", "--set", "placment=completable"), "placement", 2),
    (("hand", "p4-222", "--dice-per-roll", "7"), "--dice-per-roll", 2),
    (("hand", "p4-222", "--have", "", "--have", "r2"), "--have stands 2 times", 2),
    (("hand", "p4-222", "p4-twins", "p3-same-num3", "p1-valley", "p1-diff2"), "a hand of 5 bombs", 2),
    (("hand", "p4-222", "p4-twins", "p4-222"), "<command line>: p4-222 is named twice", 2),
    (("hand", "p4-222", "--have", "2"), "<command line>: --have: `2` is no die", 2),
    (("hand", "p2-same-num-or-colour3", "p1-num-both-colour", "p1-pair-colour-pair-number",
      "p1-colour-ne-chain4"), "estimate: up to 155,448,384 states", 3),
])
def test_refused(args, what, code):
    run = oddsmith(*args)
    assert run.returncode == code
    assert what in run.stderr
    assert not run.stdout


def test_a_deck_of_ones_own(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text('[[cards]]\nid = "a"\npoints = 6\nlayout = "row"\nslots = ["r", "2|7"]\n')
    run = oddsmith("bombs", "--deck", path)
    assert run.returncode == 2
    assert f"{path}:5:15: card a: slots[1]: `2|7` says nothing about a slot" in run.stderr


def test_no_small_answer_imports_heavy_libraries():
    code = ("import sys; from oddsmith.solver.cli import main\n"
            "try: main(['fuse', 'bomb', 'p4-222', '--json'])\n"
            "except SystemExit: pass\n"
            "assert not {'numpy', 'numba', 'matplotlib'} & set(sys.modules), sorted(sys.modules)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_a_hand_is_quick():
    start = time.perf_counter()
    answer("hand", "p1-colour-ne-chain4", "p2-same-num-or-colour3", "--dice-per-roll", 2)
    assert time.perf_counter() - start < 5
