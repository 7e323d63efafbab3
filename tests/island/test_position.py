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


def test_options_are_written(tmp_path):
    """Those that differ, so that the position is read back under its rules."""
    rules = Rules(players=3, layout="############/############", roles=("diver", "pilot", "navigator"),
                  difficulty="elite", lift_rescue=False, hand_limit=6, water_meter=(1, 2, 9, 4),
                  pilot_flights_per_turn="unlimited", rise_shuffle="whole_pile")
    position = island.new(rules, 3)
    assert island.load(write(tmp_path, island.format_position(position))) == position
    assert position.rules == rules and position.water == 3


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
    ("actions = 3", 'phase = "discard"', "nobody has to discard", "phase"),
    ("actions = 3", 'phase = "draw"', "no treasure card is due", "[turn]"),
    ("actions = 3", 'phase = "between draws"', "no treasure card is due", "[turn]"),
    ("actions = 3", 'phase = "draw"\ndraws = 3', "draws is 3", "draws = 3"),
    ("actions = 3", 'phase = "flood"', "no flood card is due", "[turn]"),
    ("actions = 3", 'phase = "before flood"', "no flood card is due", "[turn]"),
    ("actions = 3", 'phase = "over"', '`ending` and phase = "over" go together', "[turn]"),
    ("actions = 3", 'ending = "won"', '`ending` and phase = "over" go together', "ending"),
    ('"earth", "sandbags"', '"wind", "wind", "wind", "fire", "fire", "fire"', "6 cards are in hand",
     '"fire"]'),
    ('"earth", "sandbags"', '"earth", "sandbags", "sandbags", "sandbags"', "3 cards of sandbags",
     '"sandbags"]'),
    ("players = 2", 'roles = ["pilot", "engineer"]', "player 1 is the engineer", None),
    ("# pile =", 'pile = [["observatory"], ["observatory"]] #', "observatory is here twice", "pile = "),
    ("# pile =", 'pile = [["observatory"]] #', "the flood card of fools_landing is nowhere", "[flood]"),
    ("# pile =", 'pile = ["observatory"] #', "must be a list of blocks", "pile = "),
    ('"lost_lagoon", "misty_marsh"]', '"misty_marsh", "misty_marsh"]', "misty_marsh is here twice",
     '"misty_marsh"]'),
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


def faults(position, **changed):
    return [fault.what for fault in island.check(msgspec.structs.replace(position, **changed))]


def with_hands(position, *hands):
    return tuple(msgspec.structs.replace(player, hand=hand)
                 for player, hand in zip(position.players, hands, strict=True))


SIX = (3, 3, 0, 0, 0, 0, 0)
NONE = (0,) * 7


def test_the_hand_limit_holds_but_where_a_discard_is_due():
    """Not once the game is over, either."""
    position = island.new(Rules(), 5)
    over, five = ["6 cards are in hand"], (3, 2, 0, 0, 0, 0, 0)
    for hands in ((SIX, NONE), (NONE, SIX)):
        held = {"players": with_hands(position, *hands)}
        assert faults(position, **held) == over
        given = ({"then": "actions", "actions": 2} if hands[1] is SIX else
                 {"then": "before flood", "floods": 2, "actions": 0})
        assert faults(position, **held, phase="discard", **given) == []
        assert faults(position, **held, phase="over", ending="water", water=10, actions=0) == []
    assert faults(position, players=with_hands(position, five, NONE)) == []


def test_an_option_lets_a_card_over_the_hand_limit_wait_for_the_next():
    """Who draws holds one too many between the two draws; at no other time, and nobody else does."""
    for option, seat in ((True, 1), (False, 0), (False, 1)):
        position = msgspec.structs.replace(
            island.new(Rules(hand_limit_between_draws=option), 5), turn=2, actions=0)
        hands = {"players": with_hands(position, *((SIX, NONE) if seat == 0 else (NONE, SIX)))}
        found = [] if not option and seat == 1 else ["6 cards are in hand"]
        for phase in ("between draws", "draw"):
            assert faults(position, **hands, phase=phase, draws=1) == found
        for given in ({"phase": "draw", "draws": 2}, {"phase": "before flood", "floods": 2},
                      {"phase": "flood", "floods": 2}, {"phase": "actions"}):
            assert faults(position, **hands, **given) == ["6 cards are in hand"]
    seven = with_hands(position, NONE, (3, 3, 1, 0, 0, 0, 0))
    assert faults(position, players=seven, phase="draw", draws=1) == ["7 cards are in hand"]


def test_no_treasure_card_can_be_drawn_from_an_empty_pile():
    position = island.new(Rules(), 5)
    due = {"phase": "draw", "draws": 1, "actions": 0, "players": with_hands(position, NONE, NONE)}
    assert faults(position, **due, treasure_discard=(5, 5, 5, 5, 3, 2, 3)) == [
        "the treasure pile is empty", "there is no treasure card to draw"]
    assert faults(position, **due, treasure_discard=(5, 5, 5, 5, 3, 2, 2)) == []


def test_the_end_of_a_game_may_show_what_ended_it():
    position = island.new(Rules(), 5)
    assert faults(position, water=10, phase="over", ending="water", actions=0) == []
    assert faults(position, water=9) == []
    at = position.players[0].at
    left = frozenset(position.island.tiles) - position.flood_discard - {at}
    sunk = {"island": msgspec.structs.replace(position.island, sunk=frozenset([at]),
                                              flooded=position.island.flooded - {at}),
            "flood_pile": (left,), "flood_discard": position.flood_discard - {at}, "actions": 0}
    assert faults(position, **sunk) == ["player 1 stands on a sunk tile"]
    assert faults(position, **sunk, phase="swim") == []
    assert faults(position, **sunk, phase="over", ending="drowned") == []


def test_every_tile_in_play_has_one_flood_card():
    """A block that is used up is no more; a used-up pile is made anew."""
    position = island.new(Rules(), 5)
    (pile,), discard = position.flood_pile, position.flood_discard
    some, one = frozenset(sorted(pile)[:4]), frozenset(sorted(discard)[:1])
    assert faults(position, flood_pile=(some, pile - some)) == []
    assert faults(position, flood_pile=(pile | one,)) == [
        f"{min(one)} is in the flood pile twice or also in its discard"]
    assert faults(position, flood_pile=(pile, frozenset(sorted(pile)[:1]))) == [
        f"{min(pile)} is in the flood pile twice or also in its discard"]
    missing = next(tile for tile in position.island.tiles if tile in some)
    assert faults(position, flood_pile=(pile - some,)) == [f"the flood card of {missing} is nowhere"]
    assert faults(position, flood_pile=(pile, frozenset())) == ["this block is empty"]
    whole = {"flood_discard": pile | discard}
    assert faults(position, **whole, flood_pile=(frozenset(),)) == ["this block is empty"]
    assert faults(position, **whole, flood_pile=()) == ["the flood pile is empty"]
    sunk = msgspec.structs.replace(position.island, sunk=one, flooded=position.island.flooded - one)
    stand = [player.at for player in position.players]
    assert min(one) not in stand
    assert faults(position, island=sunk) == [f"the card of {min(one)} is still there"]
    assert faults(position, island=sunk, flood_discard=discard - one) == []


def test_what_follows_from_a_position():
    """The pile is what is neither held nor discarded; turn t is seat (t - 1) modulo the players."""
    position = island.new(Rules(players=3), 5)
    held = with_hands(position, (1, 0, 0, 0, 1, 0, 0), NONE, (0, 2, 0, 0, 0, 0, 0))
    now = msgspec.structs.replace(position, players=held, treasure_discard=(1, 0, 0, 0, 0, 2, 1))
    assert now.treasure_pile == (3, 3, 5, 5, 2, 0, 2)
    assert [msgspec.structs.replace(now, turn=turn).to_move for turn in (1, 2, 3, 4)] == [0, 1, 2, 0]
    shown = [msgspec.structs.replace(now, water=mark).flood_cards for mark in range(1, 10)]
    assert shown == [2, 2, 3, 3, 3, 4, 4, 5, 5]


def test_what_a_file_leaves_out_of_the_turn(tmp_path):
    """All actions, where actions are due, and no others."""
    def turn(text):
        return island.load(write(tmp_path, island.BLANK.replace("actions = 3", text)))

    without = turn("")
    assert (without.phase, without.actions, without.turn) == ("actions", 3, 1)
    flood = turn('phase = "flood"\nfloods = 2')
    assert (flood.actions, flood.floods, flood.draws, flood.flights) == (0, 2, 0, 0)
    text = island.BLANK.replace("actions = 3", 'phase = "discard"').replace(
        '"earth", "ocean"', '"wind", "wind", "wind", "fire", "fire", "fire"')
    assert island.load(write(tmp_path, text)).then == "actions"


@pytest.mark.parametrize("n", [1, 5])
def test_two_to_four_can_play(tmp_path, n):
    head, first, *_ = island.BLANK.split("[[player]]")
    with pytest.raises(InputError, match=f"there are {n} players"):
        island.load(write(tmp_path, head + n * f"[[player]]{first}"))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds(seed):
    with pytest.raises(InputError, match="the seed can't be"):
        island.new(Rules(), seed)


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
