"""FUSE position files: what is refused, with its place, and what is read as it is written."""

from __future__ import annotations

import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import fuse

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
