"""Values and positions that were once wrong."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island.odds import set_up_odds
from oddsmith.solver.games.island.safest import safest
from tests.test_cli import oddsmith as typed

ROOT = Path(__file__).parent.parent.parent
LATE = '''game = "island"
[rules]
players = 2
[turn]
number = 1
actions = 3
[island]
tiles = """
fools_landing bronze_gate
copper_gate gold_gate iron_gate silver_gate
temple_of_the_moon temple_of_the_sun howling_garden whispering_garden cave_of_embers cave_of_shadows
coral_palace tidal_palace breakers_bridge cliffs_of_abandon crimson_forest dunes_of_deception
lost_lagoon misty_marsh observatory phantom_rock
twilight_hollow watchtower~
"""
[flood]
water = 9
discard = ["watchtower"]
[treasure]
captured = ["earth", "wind", "fire", "ocean"]
discard = { earth = 4, wind = 4, fire = 4, ocean = 4 }
[[player]]
role = "engineer"
at = "fools_landing"
hand = ["helicopter_lift"]
[[player]]
role = "explorer"
at = "fools_landing"
hand = ["earth"]
'''


@pytest.fixture
def late(tmp_path):
    def load(old="", new=""):
        path = tmp_path / "late.toml"
        path.write_text(LATE.replace(old, new))
        return island.load(str(path))
    return load


def test_the_skull_comes_whether_or_not_fools_landing_has_sunk():
    """24 cards, 3 of them Waters Rise!, two a turn: the second one drawn ends the game."""
    found = set_up_odds(island.Rules(players=2, water_level=8), 6)
    for turn, p in enumerate(found.p_skull, 1):
        k = 2 * turn
        none, one = Fraction(comb(21, k), comb(24, k)), Fraction(3 * comb(21, k - 1), comb(24, k))
        assert p == 1 - none - one


def test_a_win_that_can_be_claimed_is_safe(late):
    found = safest(late())
    assert (found.p_loss, found.p_idle) == (0, None)
    assert found.ways[0].moves == ("win 1",)


def test_a_pile_that_runs_out_after_discards(late):
    """What is discarded before the draw comes again in it; it was refused once."""
    position = late(
        'discard = { earth = 4, wind = 4, fire = 4, ocean = 4 }\n[[player]]\nrole = "engineer"\n'
        'at = "fools_landing"',
        'discard = { earth = 4, wind = 5, fire = 5, ocean = 4, sandbags = 2, helicopter_lift = 2, '
        'waters_rise = 3 }\n[[player]]\nrole = "engineer"\nat = "observatory"')
    assert sum(position.treasure_pile) == 1
    assert 0 <= safest(position).p_loss <= safest(position).p_idle


def test_an_empty_flood_pile_is_a_fault(late):
    with pytest.raises(InputError, match="flood pile is empty"):
        tiles = LATE[LATE.index('"""') + 3 : LATE.rindex('"""')].replace("~", "").split()
        late('discard = ["watchtower"]', f"pile = []\ndiscard = {tiles}".replace("'", '"'))


def test_the_tutorial_runs(tmp_path, monkeypatch):
    """Every command of docs/island.md, in its order."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "island.md").read_text(encoding="utf-8")
    commands = re.findall(r"^ {4}oddsmith (island .*)$", text, re.MULTILINE)
    assert len(commands) >= 8
    for command in commands:
        words, _, target = command.partition(" > ")
        words = re.sub(r"--games \d+", "--games 200", words.partition(" #")[0])
        run = CliRunner().invoke(oddsmith, shlex.split(words))
        assert run.exit_code == 0, (command, run.output, run.exception)
        if target:
            Path(target.strip()).write_text(run.stdout)


def test_a_bad_layout_is_shown_where_it_stands(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(LATE.replace("players = 2", 'players = 2\nlayout = "####|####"'))
    found = typed("island", "check", str(path))
    assert found.returncode == 2
    assert "game.toml:4:10" in found.stderr


def test_an_option_is_swept_once():
    found = typed("island", "simulate", "--sweep", "players,players")
    assert found.returncode == 2
    assert "players twice" in found.stderr
