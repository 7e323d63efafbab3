"""What no game comes to is noted, what no position can have is refused: worked out from the rules page."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.history import history_notes
from oddsmith.solver.games.island.odds import odds
from oddsmith.solver.games.island.rules import Rules
from oddsmith.solver.games.island.soundness import notes
from tests.island.compare_games import both_rules, random_options
from tests.island.test_position import write
from tests.test_cli import oddsmith

# Two turns are over.  4 cards were dealt and 4 drawn, one of them Waters Rise!; the meter showed 2 and 2.
# The first turn flooded observatory and phantom_rock; then the 8 cards came on top, and the second one
# sank two of them.
THIRD = '''game = "island"
[turn]
number = 3
[island]
tiles = """
fools_landing bronze_gate
copper_gate gold_gate iron_gate silver_gate
temple_of_the_moon temple_of_the_sun howling_garden whispering_garden cave_of_embers cave_of_shadows
coral_palace tidal_palace breakers_bridge~ cliffs_of_abandon~ crimson_forest~ dunes_of_deception~
(lost_lagoon) (misty_marsh) observatory~ phantom_rock~
twilight_hollow watchtower
"""
[flood]
water = 2
pile = [["breakers_bridge", "cliffs_of_abandon", "crimson_forest", "dunes_of_deception", "observatory",
         "phantom_rock"],
        ["fools_landing", "bronze_gate", "copper_gate", "gold_gate", "iron_gate", "silver_gate",
         "temple_of_the_moon", "temple_of_the_sun", "howling_garden", "whispering_garden",
         "cave_of_embers", "cave_of_shadows", "coral_palace", "tidal_palace", "twilight_hollow",
         "watchtower"]]
[treasure]
discard = { sandbags = 1, waters_rise = 1 }
[[player]]
role = "engineer"
at = "copper_gate"
hand = ["earth", "earth", "earth"]
[[player]]
role = "explorer"
at = "iron_gate"
hand = ["wind", "fire", "helicopter_lift"]
'''


def changed(text, *changes):
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture
def noted(tmp_path):
    """The notes on what no game comes to; that they are told together with what it means."""
    def noted(text):
        position = island.load(write(tmp_path, text))
        told, found = notes(position), history_notes(position)
        assert told == ([*found, "no game gets here: answers are those of the position as it stands"]
                        if found else [])
        return "; ".join(found)
    return noted


IMPOSSIBLE = [  # what is replaced, by what, the note
    (("number = 3", "number = 5"), "turn 5, but 8 treasure cards are in hands and discarded: by then it is "
     "12, 4 dealt and 8 drawn"),
    (("number = 3", "number = 1"), "the water has risen by 1: 0 treasure cards can have been drawn by turn 1"),
    (("water = 2", "water = 3"), "the water has risen by 2: 1 Waters Rise! is discarded, and the pile was not "
     "made anew yet"),
    (("water = 2", "water = 1"), "the water has risen by 0: 1 Waters Rise! is discarded"),
    # The Engineer's turn: he has had 3 actions, the Explorer 3; one more flooded tile takes a fifth card.
    (("twilight_hollow watch", "twilight_hollow~ watch"), "turn 3, but 2 tiles have sunk and 7 are flooded: "
     "with 6 flooded at first that takes 5 flood cards, and by then 4 are drawn"),
    # As many flooded tiles, but the new one has never been drawn.
    (("twilight_hollow watch", "twilight_hollow~ watch", "observatory~", "observatory"),
     "twilight_hollow is flooded: its card is in the lowest block"),
    (("[treasure]", '[treasure]\ncaptured = ["earth"]'), "earth can't have been captured: it takes 4 of its "
     "cards, 0 are discarded, and the pile was not made anew yet"),
    # One rise makes two blocks of the pile.
    (('"phantom_rock"],', '],["phantom_rock"],', '"observatory",\n', '"observatory"\n'),
     "the flood pile has 3 blocks: the water has risen by 1, and each rise adds one"),
    # A turn of his own brought player 2 two cards to the two dealt; specials can't be given.
    (('"earth", "earth", "earth"', '"wind"', '"wind", "fire", "helicopter_lift"',
      '"helicopter_lift", "helicopter_lift", "helicopter_lift", "sandbags", "sandbags"',
      "sandbags = 1", "fire = 1"), "player 2 holds 5 special cards: he was dealt and has drawn 4 cards by "
     "turn 3, and specials can't be given"),
    # 24 cards are left by the set-up: turn 13 begins when all are drawn, three Waters Rise! among them.
    (("number = 3", "number = 13"), "turn 13, but the water has risen by 1 with 1 Waters Rise! discarded"),
    (("number = 3", "number = 2", '"fire", "helicopter_lift"', '"fire"', '"earth", "earth", "earth"', '"earth"',
      "(lost_lagoon) (misty_marsh)", "(lost_lagoon) misty_marsh", '["breakers', '["misty_marsh", "breakers',
      "observatory~", "observatory"),
     "turn 2, but 5 treasure cards are in hands and discarded: by then it is 6, 4 dealt and 2 drawn"),
]


@pytest.mark.parametrize(("changes", "note"), IMPOSSIBLE)
def test_what_can_t_have_come_about(noted, changes, note):
    assert noted(THIRD) == ""
    assert note in noted(changed(THIRD, *changes))


def test_what_is_shored_up_takes_actions(noted):
    """With one action a turn: the Engineer's two tiles, the Explorer's one, and one for the Sandbags."""
    text = THIRD.replace("[turn]", "[rules]\nactions = 1\n[turn]")
    four = changed(text, "bridge~", "bridge", "abandon~", "abandon", "forest~", "forest", "deception~",
                   "deception")
    assert noted(text) == noted(four) == ""
    assert ("2 tiles have sunk and 1 is flooded: with 6 flooded at first and at least 4 flood cards drawn by "
            "then, 5 tiles would have been shored up, and at most 4 can have been"
            ) in noted(changed(four, "observatory~", "observatory"))


def test_the_water_can_have_risen_early(noted):
    """In turn 1 the 6 cards of the set-up come on top: 3 and 3 of the meter's second mark sink them all."""
    text = THIRD.replace("[turn]", "[rules]\nwater_meter = [2, 3]\n[turn]").replace("(", "").replace(")", "")
    text = text.replace("~", "")
    for tile in ("breakers_bridge", "cliffs_of_abandon", "crimson_forest", "dunes_of_deception"):
        text = text.replace(f'"{tile}", ', "").replace(tile, f"({tile})")
    text = changed(text, "lost_lagoon misty_marsh", "(lost_lagoon) (misty_marsh)", """[["observatory",
         "phantom_rock"],
        [""", '[["observatory", "phantom_rock",')
    assert noted(text) == ""
    assert ("6 tiles have sunk and 1 is flooded: with 6 flooded at first that takes 7 flood cards, and by then "
            "at most 6 are drawn") in noted(changed(text, "twilight_hollow watch", "twilight_hollow~ watch"))


@pytest.mark.parametrize("n", [8, 9, 17, 18])
def test_blocks_that_there_is_room_for(tmp_path, n):
    """A pile has 17 blocks at most.  From mark 1 the waters can rise 9 times, from mark 2 of 9 eight times."""
    names = [tile.id for tile in island.tiles()]
    blocks = [[name] for name in names[: n - 1]] + [names[n - 1 :]]
    text = changed(THIRD, "(lost_lagoon) (misty_marsh)", "lost_lagoon misty_marsh")
    pile = text[text.index("pile ="):text.index("[treasure]")]
    text = text.replace(pile, f"pile = {blocks}\n".replace("'", '"'))
    calm = changed(text, "[turn]", "[rules]\nwaters_rise = 0\n[turn]", ", waters_rise = 1", ", fire = 1")
    for asked, fits in ((changed(text, "water = 2", "water = 1"), n <= 8), (text, n <= 9), (calm, n <= 17)):
        if fits:
            position = island.load(write(tmp_path, asked))
            assert len(position.flood_pile) == n
            assert f"the flood pile has {n} blocks" in "; ".join(history_notes(position))
        else:
            with pytest.raises(InputError, match=f"the flood pile has {n} blocks"):
                island.load(write(tmp_path, asked))


SET_UP = [
    (("water = 1 ", "water = 3 "), "the water has risen by 2"),
    (("misty_marsh~", "misty_marsh"), "0 tiles have sunk and 5 are flooded: with 6 flooded at first and at "
     "least 0 flood cards drawn by then, 1 tile would have been shored up, and at most 0 can have been"),
    (("twilight_hollow watch", "twilight_hollow~ watch"), "0 tiles have sunk and 7 are flooded: with 6 flooded "
     "at first that takes 1 flood card, and by then 0 are drawn"),
    (('"lost_lagoon", "misty_marsh"]', '"lost_lagoon"]'), "5 flood cards are discarded"),
    (('"earth", "sandbags"]', '"earth"]'), "3 treasure cards are in hands and discarded"),
    (('"earth", "sandbags"]', '"earth", "wind", "fire"]', '"earth", "ocean"]', '"earth"]'),
     "player 1 holds 3 cards"),
    (("discard = {}", "discard = { earth = 1 }"), "5 treasure cards are in hands and discarded"),
    (('at = "bronze_gate"', 'at = "copper_gate"'), "player 1 has left bronze_gate"),
    (('at = "fools_landing"', 'at = "copper_gate"'), "player 2 has left fools_landing"),
]


@pytest.mark.parametrize(("changes", "note"), SET_UP)
def test_before_the_first_action(noted, changes, note):
    assert noted(island.BLANK) == ""
    assert note in noted(changed(island.BLANK, *changes))


RULES = [  # options, changes, the note
    ('difficulty = "elite"', (), "the water meter stands at mark 2: it starts at mark 3 and never falls"),
    ("waters_rise = 0", ("waters_rise = 1", "fire = 1"), "there is no Waters Rise!"),
    ("cards_to_capture = 6\ncards_per_treasure = 7", ("[treasure]", '[treasure]\ncaptured = ["earth"]'),
     "1 treasure is captured: it takes 6 cards of one hand, and the hand limit is 5"),
    ("cards_to_capture = 6", ("[treasure]", '[treasure]\ncaptured = ["earth", "fire"]'),
     "2 treasures are captured: it takes 6 cards, and there are 5"),
    ('rise_shuffle = "whole_pile"', (), "the flood pile has 2 blocks"),
]


@pytest.mark.parametrize(("options", "changes", "note"), RULES)
def test_what_no_game_of_these_rules_comes_to(noted, options, changes, note):
    text = changed(THIRD, *changes).replace("[turn]", f"[rules]\n{options}\n[turn]")
    assert note in noted(text)


def test_nothing_follows_from_a_meter_that_can_t_be_right(noted):
    """From mark 3 on two turns flood at least 6 tiles; but where mark 2 came from isn't known."""
    elite = THIRD.replace("[turn]", '[rules]\ndifficulty = "elite"\n[turn]')
    assert noted(elite) == "the water meter stands at mark 2: it starts at mark 3 and never falls"


def test_a_game_of_fewer_turns(tmp_path):
    with pytest.raises(InputError, match="number is 3"):
        island.load(write(tmp_path, THIRD.replace("[turn]", "[rules]\nmax_turns = 2\n[turn]")))


def test_what_if(tmp_path):
    """The mark is set to 5, the discard left as it is: told, and answered from mark 5."""
    text = changed(THIRD, "water = 2", "water = 5")
    path = write(tmp_path, text)
    checked = oddsmith("island", "check", path, "--json")
    assert checked.returncode == 0
    told = json.loads(checked.stdout)["answer"]
    assert (told["sound"], told["faults"]) == (True, [])
    assert told["notes"] == [
        "the water has risen by 4: 1 Waters Rise! is discarded, and the pile was not made anew yet",
        "no game gets here: answers are those of the position as it stands"]
    for verb in ("check", "show"):
        words = " ".join(oddsmith("island", verb, path).stdout.replace("│", "").split())
        assert all(note in words for note in told["notes"]), words
    for verb in (["odds"], ["safest"], ["moves"], ["move", path, "end"], ["best", "--simulations", "16"],
                 ["value", "--simulations", "16"], ["simulate", "--games", "4"], ["perft", "--depth", "1"]):
        asked = oddsmith("island", *verb, *[path] * (path not in verb))
        assert asked.returncode == 0, (verb, asked.stderr)
    # 3 of the 6 flooded tiles on top sink; 4 at marks 6 and 7, for 2 of the 20 cards left are Waters Rise!
    none = Fraction(18 * 17, 20 * 19)
    assert odds(island.load(path), 1).e_sunk == (2 + 3 * none + 4 * (1 - none),)


ALWAYS = [  # whatever the turn: what is written under [turn], the message
    ('phase = "draw"\ndraws = 2\nactions = 1', "1 action is left"),
    ('phase = "between draws"\ndraws = 2', "2 treasure cards are due"),
    ("draws = 1", "1 treasure card is due"),
    ("floods = 2", "2 flood cards are due"),
    ('phase = "flood"\nfloods = 3', "3 flood cards are due"),       # mark 2 shows 2
    ('phase = "before flood"', "no flood card is due"),
    ('phase = "discard"\nthen = "before flood"\nfloods = 2', "nobody has to discard"),
    ('phase = "discard"\nthen = "before flood"', "no flood card is due"),
    ('then = "actions"', "nothing is to follow"),
    ("flights = 1", "there is no Pilot"),
    ('phase = "over"\nending = "won"\nactions = 0', "the team can't have won"),
    ('phase = "over"\nending = "landing"', "Fools' Landing has not sunk"),
    ('phase = "over"\nending = "treasure"', "every treasure is captured or has a tile left"),
    ('phase = "over"\nending = "drowned"', "no pawn is on a sunk tile"),
    ('phase = "over"\nending = "water"', "the water meter doesn't show the skull"),
]


@pytest.mark.parametrize(("turn", "message"), ALWAYS)
def test_what_no_turn_has(tmp_path, turn, message):
    with pytest.raises(InputError) as found:
        island.load(write(tmp_path, THIRD.replace("number = 3", f"number = 3\n{turn}")))
    assert message in str(found.value)


def test_hands_over_the_limit(tmp_path):
    """Player 1 draws in turn 3: he alone can have a sixth card, and no seventh."""
    def asked(one, two, turn='phase = "discard"\nthen = "between draws"\ndraws = 1'):
        hands = (("earth wind wind wind wind ocean fire", one), ("fire earth fire earth ocean earth", two))
        first, second = (", ".join(f'"{card}"' for card in cards.split()[:n]) for cards, n in hands)
        return island.load(write(tmp_path, changed(
            THIRD, "number = 3", f"number = 3\n{turn}", '"earth", "earth", "earth"', first,
            '"wind", "fire", "helicopter_lift"', second)))

    assert sum(asked(6, 3).players[0].hand) == 6
    for one, two, message in ((7, 3, "7 cards are in hand"), (3, 6, "too many cards")):
        with pytest.raises(InputError, match=message):
            asked(one, two)
    given = 'phase = "discard"\nthen = "actions"\nactions = 2'
    assert sum(asked(3, 6, given).players[1].hand) == 6
    with pytest.raises(InputError, match="the one who was given a card"):
        asked(6, 3, given)


@pytest.mark.parametrize("seed", range(40))
def test_no_position_of_a_game_gives_a_note(seed):
    """At every decision and card of games of any rules; and no other turn fits the first pile."""
    draw, chance = random.Random(seed), Generator(seed)
    rules = both_rules(random_options(draw))[0] if seed % 4 else Rules(players=2 + seed % 3)
    table, state = engine.table(rules), island.new(rules, seed)
    players, state = state.players, engine.to_state(state)
    first_pile = sum(rules.card_counts) - 2 * rules.players
    while True:
        position = engine.from_state(rules, state, players)
        assert island.check(position) == history_notes(position) == [], island.format_position(position)
        for turn in (position.turn - 1, position.turn + 1):
            if 1 <= turn < min(first_pile / 2 - 1, rules.max_turns) and position.ending != "won":
                assert history_notes(msgspec.structs.replace(position, turn=turn))
        turn = table.turn(state)
        if turn == engine.OVER:
            break
        if turn == engine.CHANCE:
            code = table.sample(state, chance)
        elif draw.random() < (0.2, 1)[seed % 5 == 1]:
            code = draw.choice(table.moves(state))
        else:
            code = table.policy_move(state, "rules", chance)
        state = table.apply_unchecked(state, code)
