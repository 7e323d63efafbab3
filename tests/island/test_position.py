"""Position files: round trips, every fault located, sound positions after every step."""

from __future__ import annotations

import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import Rules


def write(tmp_path, text):
    path = tmp_path / "game.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("seed", range(9))
def test_round_trips(tmp_path, seed):
    """Through a whole game: text and back, moves and back, sound all along."""
    draw, chance = random.Random(seed), Generator(seed)
    position = island.new(Rules(players=2 + seed % 3), seed)
    while not position.finished:
        assert island.check(position) == []
        assert island.load(write(tmp_path, island.format_position(position))) == position
        table, state = engine.table(position.rules), engine.to_state(position)
        if table.turn(state) == engine.CHANCE:
            codes = [code for code, _ in table.outcomes(state)]
        else:
            codes = table.moves(state)
            if draw.random() < 0.7:
                codes = [table.policy_move(state, "rules", chance)]
        for code in codes:
            assert engine.parse_move(position, engine.format_move(position, code)) == code
        position = engine.make_move(position, draw.choice(codes))
    assert island.check(position) == []
    assert island.load(write(tmp_path, island.format_position(position))) == position
    with pytest.raises(InputError, match="the game is over"):
        engine.make_move(position, 0)


def test_blank_is_sound(tmp_path):
    assert island.load(write(tmp_path, island.BLANK)).island.flooded


FAULTS = [  # what is replaced, by what, the message, words of the line that it points at
    ('game = "island"', 'game = "reef"', "this is a position of 'reef'", 'game = "reef"'),
    ("fools_landing bronze_gate", "fools_landing bronze_gat", "`bronze_gat` is not a tile",
     "bronze_gat"),
    ("fools_landing bronze_gate", "fools_landing", "this row has 1 tile,", "fools_landing"),
    ("observatory phantom_rock", "observatory observatory", "observatory is here twice",
     "observatory observatory"),
    ("\nlost_lagoon~", "\n(lost_lagoon)", "the card of lost_lagoon is still there", "discard = ["),
    ('hand = ["earth", "sandbags"]', 'hand = ["earht"]', "`earht` is not a card", "earht"),
    ('hand = ["earth", "sandbags"]', 'hand = ["waters_rise"]', "`waters_rise` is not a card",
     "waters_rise"),
    ('role = "pilot"', 'role = "engineer"', "there are two engineers", None),
    ('at = "fools_landing"', 'at = "atlantis"', "`atlantis` is not a tile", "atlantis"),
    ('at = "fools_landing"', 'at = "observatory"', "stands on a sunk tile", 'at = "observatory"'),
    ("captured = []", 'captured = ["gold"]', "entry 1 of captured", "captured"),
    ("water = 1 ", "water = 12 ", "water is 12", "water = 12"),
    ("water = 1 ", "water = 10 ", "the water meter shows the skull", "water = 10"),
    ("discard = {}", "discard = { earth = 4 }", "6 cards of earth", "discard = {"),
    ("discard = {}", "discord = {}", 'unknown key "discord"', "discord"),
    ("actions = 3", "actions = 4", "actions is 4", "actions = 4"),
    ("actions = 3", 'phase = "swim"', "nobody has to swim", "phase"),
    ("players = 2", "players = 3", "there are 2 players, the rules say 3", None),
    ("players = 2", 'layout = "atoll"', "`atoll` is not a layout", None),
]


@pytest.mark.parametrize(("old", "new", "message", "pointed"), FAULTS)
def test_faults_are_located(tmp_path, old, new, message, pointed):
    text = island.BLANK.replace(old, new)
    if "observatory" in new and "at =" in new:
        text = text.replace(" observatory phantom_rock", " (observatory) phantom_rock")
    assert text != island.BLANK
    with pytest.raises(InputError) as found:
        island.load(write(tmp_path, text))
    assert message in str(found.value)
    if pointed is not None:
        lines = [n for n, line in enumerate(text.split("\n"), 1) if pointed in line]
        assert any(f"game.toml:{n}:" in str(found.value) for n in lines), str(found.value)


def test_a_pile_left_out_is_one_block(tmp_path):
    text = island.BLANK.replace('"lost_lagoon", "misty_marsh"]', '"misty_marsh"]')
    assert "lost_lagoon" in island.load(write(tmp_path, text)).flood_pile[0]


def test_lost_positions_are_faults():
    position = island.new(Rules(), 5)
    tiles = position.island.tiles
    for gone, what in (({"fools_landing"}, "Fools' Landing has sunk"),
                       ({"coral_palace", "tidal_palace"}, "both tiles of ocean have sunk")):
        sunk = msgspec.structs.replace(position.island, sunk=frozenset(gone))
        pile = (frozenset(tiles) - position.flood_discard - gone,)
        lost = msgspec.structs.replace(position, island=sunk, flood_pile=pile,
                                       flood_discard=position.flood_discard - gone)
        assert what in [fault.what for fault in island.check(lost)]
        kept = msgspec.structs.replace(lost, captured=frozenset(["ocean"]))
        if "coral_palace" in gone:
            assert what not in [fault.what for fault in island.check(kept)]


MOVES = [
    ("walk", "is not a move"), ("wlak observatory", "is not a move"), ("walk atlantis", "not a tile"),
    ("give 9 earth", "there is no player 9"), ("win 1", "not legal"),
    ("card", "no treasure card is due"), ("flood observatory", "not legal"), ("lift 1 1", "not a move"),
]


@pytest.mark.parametrize(("text", "message"), MOVES)
def test_bad_moves(text, message):
    position = island.new(Rules(), 5)
    with pytest.raises(InputError) as found:
        island.move_position(position, [text], None)
    assert message in str(found.value)


@pytest.mark.parametrize(("options", "message"), [
    ({"roles": ("pilot", "pilot")}, "named twice"),
    ({"roles": ("pilot", "diver"), "players": 3}, "2 roles are named"),
    ({"layout": "####"}, "the map has 4 spaces"),
    ({"layout": "atlantis"}, "is not a layout"),
    ({"water_level": 12}, "can't start at mark 12"),
    ({"cards_per_treasure": 1, "helicopters": 0, "sandbags": 0, "players": 4}, "can't be dealt"),
    ({"hand_limit": 0}, "hand_limit"),
])
def test_bad_rules(options, message):
    with pytest.raises(InputError, match=message):
        Rules(**options)
