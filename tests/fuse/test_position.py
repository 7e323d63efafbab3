"""FUSE position files: what is refused, with its place, and what is read as it is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse
from tests.fuse import specimen

GOOD = fuse.BLANK


def faults(tmp_path, old, new):
    path = tmp_path / "game.toml"
    assert GOOD.count(old) == 1, old
    path.write_text(GOOD.replace(old, new))
    try:
        return fuse.examine(str(path))[1]
    except InputError as error:
        return [error]


def test_the_template_is_sound(tmp_path):
    assert faults(tmp_path, "roll = 3 ", "roll = 3 ") == []


@pytest.mark.parametrize(("old", "new", "words"), [
    ('"fuse"', '"chess"', "not of 'fuse'"),
    ('"p4-twins: r5 ."', '"p4-twin: r5 ."', "p4-twin"),
    ('"p4-twins: r5 ."', '"p4-222: r5 ."', "slots"),
    ('"p4-twins: r5 ."', '"p4-twins: r7 ."', "r7"),
    ('"p4-twins: r5 ."', '"p4-twins: r5 r5"', "full"),
    ('"p1-bg-yr-rb: . . b3"', '"p1-bg-yr-rb: r3 . b3"', "r3"),
    ('"p4-stack4-yrbg"', '"p4-stack4-yrbg: . r2 . ."', "below"),
    ('"r5 b2 g2 k6"', '"r5 b2 g2 k9"', "k9"),
    ("60 ", "6000 ", "6000"),
    ('"assign"', '"assgin"', "assgin"),
    ('[]         #', '["purple"] #', "purple"),
    ("taken = 0 ", "taken = 3 ", "3"),
    ("level = 16 ", "lvel = 16 ", "lvel"),
])
def test_faults_are_told_where_they_stand(tmp_path, old, new, words):
    found = faults(tmp_path, old, new)
    line = GOOD[:GOOD.index(old)].count("\n") + 1
    assert any(fault.line == line and words in fault.what + fault.why for fault in found), [
        (fault.where, fault.what, fault.why) for fault in found]


@pytest.mark.parametrize(("old", "new", "words"), [
    ('"p4-twins: r5 ."', '"p1-valley"', "p1-valley"),          # it lies in the centre, too
    ('"r5 b2 g2 k6"', '"r5 b2 g2 k6 k6"', ""),
    ('"assign"', '"pick"', ""),
    ('"assign"', '"over"', "ending"),
    ('"assign"', '"roll"', ""),
    ('"assign"', '"remove"', ""),
    ('"assign"', '"refill"', ""),
    ('"assign"', '"clock"', ""),
    ('[]         #', '["red", "red"] #', "twice"),
    ("defused = []", 'defused = ["p4-twins"]', "p4-twins"),
    ('"p4-222", ', "", "centre"),
    ("players = 2", "players = 3", "3"),
    ("level = 16 ", "level = 30 ", "28 bombs"),
])
def test_faults(tmp_path, old, new, words):
    found = faults(tmp_path, old, new)
    assert found
    assert any(words in fault.what + fault.why for fault in found), [
        (fault.what, fault.why) for fault in found]


def test_a_six_pointer_is_out_of_the_game(tmp_path):
    six = next(bomb.id for bomb in fuse.new(fuse.Rules(six_point_bombs="in"), 1).bombs.values()
               if bomb.points == 6)
    assert faults(tmp_path, '"p4-222", ', f'"{six}", ')


def test_dice_are_conserved(tmp_path):
    """Five of a colour on bombs and one on the table."""
    found = faults(tmp_path, 'bombs = ["p4-stack4-yrbg", "p1-colour-ne-chain4"]',
                   'bombs = ["p4-stack4-yrbg: y1 r1 . .", "p1-colour-ne-chain4: r1 b1 r1 ."]')
    assert found == []
    path = tmp_path / "game.toml"
    text = path.read_text().replace('dice = "r5 b2 g2 k6"', 'dice = "r5 r2 g2 k6"')
    path.write_text(text)
    found = fuse.examine(str(path))[1]
    assert found and any("red" in fault.what for fault in found)


# Positions that no game leads to ------------------------------------------------------------------

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def turned(tmp_path, name="roll", taken=(0, 0, 0), defused=None, **turn):
    """The faults of an example with another turn."""
    text = (EXAMPLES / f"fuse-{name}.toml").read_text()
    head, _, rest = text.partition("[turn]")
    table = rest[rest.index("[table]"):].replace("taken = 1", "")
    if defused is not None:
        table = re.sub("defused = .*", f"defused = {defused}", table)
    first, *players = table.split("[[player]]")
    given = {"roll": 12, "seconds": 240, "phase": "assign"} | turn
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    path = tmp_path / "game.toml"
    path.write_text(head + "[turn]\n" + "\n".join(lines) + "\n" + first + "".join(
        f"[[player]]{player}\ntaken = {n}\n" for player, n in zip(players, taken, strict=True)))
    return fuse.examine(str(path))[1]


@pytest.mark.parametrize(("turn", "what"), [
    ({"dice": "r3 b4 k3", "taken": (1, 1, 1)}, "3 dice are on the table and 3 have been taken"),
    ({"dice": "r3 b4 k3", "taken": (0, 0, 1)}, "3 dice are on the table and 1 have been taken"),
    ({"dice": "r3"}, "1 die was rolled"),
    ({"dice": "r3", "phase": "roll", "to_roll": 1}, "2 dice are rolled"),
    ({"dice": "r3 b4 k3", "phase": "remove", "removing": "y4"}, "3 dice are on the table"),
    ({"dice": "r3", "phase": "over", "ending": "bag"}, "dice are on the table"),
    ({"phase": "over", "ending": "bag"}, "dice are in the bag"),
    ({"phase": "over", "ending": "time"}, "240 of 600 seconds are gone"),
    ({"dice": "r3 b4 k3", "roll": 36000}, "36000 rolls in 240 seconds"),
    ({"dice": "r3 b4 k3", "defused": []}, "no bomb has been defused"),
])
def test_impossible_turns(tmp_path, turn, what):
    assert [fault for fault in turned(tmp_path, **turn) if what in fault.what], what


@pytest.mark.parametrize("turn", [
    {"dice": "r3 b4", "taken": (0, 0, 1)}, {"dice": "r3", "phase": "roll", "to_roll": 2},
    {"dice": "r3", "taken": (0, 1, 0)},                 # a bomb may have been defused meanwhile
    {"dice": "b4 k3", "phase": "remove", "removing": "y4"},
    {"phase": "over", "ending": "time", "seconds": 590}, {"dice": "r3 b4 k3", "roll": 200},
])
def test_possible_turns(tmp_path, turn):
    assert turned(tmp_path, **turn) == []


def test_who_picks_has_taken_a_die(tmp_path):
    pick = {"name": "pick", "phase": "pick", "player": 3, "dice": "g4 y3"}
    assert turned(tmp_path, taken=(0, 0, 1), **pick) == []
    for taken in ((0, 0, 0), (1, 0, 0)):
        [fault] = turned(tmp_path, taken=taken, **pick)
        assert fault.what == "player 3 picks a bomb and has taken no die"


def test_a_fuse_card_lies_where_it_was_activated(tmp_path):
    """Fuse card 4 removes dice, so it is among those that lie there, and someone took a bomb."""
    where = {"name": "pick", "phase": "remove", "player": 1, "removing": "4", "dice": "g4 y3"}
    found = turned(tmp_path, taken=(0, 0, 1), **where)
    assert any("has not been activated" in fault.what or "holds" in fault.what for fault in found)


@pytest.mark.parametrize("seed", range(60))
def test_no_position_of_a_game_is_refused(seed):
    """Every step of games under random options, by players who do anything."""
    [rules] = specimen.rules(9000 + seed, 1)
    table, draw = fuse.table(rules), Generator(seed)
    at, steps = fuse.new(rules, seed), 0
    while True:
        faults = fuse.check(at)
        assert not faults, (fuse.format_position(at), faults)
        if at.finished or steps > 400:
            return
        state = fuse.to_state(at)
        code = (table.sample(state, draw) if table.turn(state) < 0 else
                table.policy_move(state, ("random", "planner", "greedy")[seed % 3], draw))
        at, steps = fuse.make_move(at, code), steps + 1
