"""What the number of the turn says about a position: values worked out from the rules page."""

from __future__ import annotations

import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import Rules
from tests.island.compare_games import both_rules, random_options
from tests.island.test_position import write

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


IMPOSSIBLE = [  # what is replaced, by what, the message, words of the line that it points at
    (("number = 3", "number = 5"), "8 treasure cards are in hands and discarded", "number"),
    (("number = 3", "number = 1"), "the water has risen by 1", "water ="),
    (("water = 2", "water = 3"), "the water has risen by 2", "water ="),
    # The Engineer's turn: he has had 3 actions, the Explorer 3; one more flooded tile takes a fifth card.
    (("twilight_hollow watch", "twilight_hollow~ watch"), "2 tiles have sunk and 7 are flooded", "tiles"),
    # As many flooded tiles, but the new one has never been drawn.
    (("twilight_hollow watch", "twilight_hollow~ watch", "observatory~", "observatory"),
     "twilight_hollow is flooded", '["fools_landing"'),
    (("[treasure]", '[treasure]\ncaptured = ["earth"]'), "earth can't have been captured", "captured"),
    # One rise makes two blocks of the pile.
    (('"phantom_rock"],', '],["phantom_rock"],', '"observatory",\n', '"observatory"\n'),
     "the flood pile has 3 blocks", "pile ="),
    # A turn of his own brought player 2 two cards to the two dealt; specials can't be given.
    (('"earth", "earth", "earth"', '"wind"', '"wind", "fire", "helicopter_lift"',
      '"helicopter_lift", "helicopter_lift", "helicopter_lift", "sandbags", "sandbags"',
      "sandbags = 1", "fire = 1"), "5 special cards are in hand", "sandbags"),
    # 24 cards are left by the set-up: turn 13 begins when all are drawn, three Waters Rise! among them.
    (("number = 3", "number = 13"), "the water has risen by 1", "water ="),
]


@pytest.mark.parametrize(("changes", "message", "pointed"), IMPOSSIBLE)
def test_what_can_t_have_come_about(tmp_path, changes, message, pointed):
    """Refused where the turns are counted, accepted where the number only tells whose turn it is."""
    text = changed(THIRD, *changes)
    with pytest.raises(InputError) as found:
        island.load(write(tmp_path, text))
    assert message in str(found.value)
    lines = [n for n, line in enumerate(text.split("\n"), 1) if pointed in line]
    assert any(f"game.toml:{n}:" in str(found.value) for n in lines), str(found.value)
    island.load(write(tmp_path, text.replace("number =", "counted = false\nnumber =")))


def test_what_is_shored_up_takes_actions(tmp_path):
    """With one action a turn: the Engineer's two tiles, the Explorer's one, and one for the Sandbags."""
    text = THIRD.replace("[turn]", "[rules]\nactions = 1\n[turn]")
    four = changed(text, "bridge~", "bridge", "abandon~", "abandon", "forest~", "forest", "deception~",
                   "deception")
    assert island.load(write(tmp_path, text)).counted
    assert len(island.load(write(tmp_path, four)).island.flooded) == 2
    with pytest.raises(InputError, match="2 tiles have sunk and 1 are flooded"):
        island.load(write(tmp_path, changed(four, "observatory~", "observatory")))


def test_the_water_can_have_risen_early(tmp_path):
    """In turn 1 the 6 cards of the set-up come on top: 3 and 3 of the meter's second mark sink them all."""
    text = THIRD.replace("[turn]", "[rules]\nwater_meter = [2, 3]\n[turn]").replace("(", "").replace(")", "")
    text = text.replace("~", "")
    for tile in ("breakers_bridge", "cliffs_of_abandon", "crimson_forest", "dunes_of_deception"):
        text = text.replace(f'"{tile}", ', "").replace(tile, f"({tile})")
    text = changed(text, "lost_lagoon misty_marsh", "(lost_lagoon) (misty_marsh)", """[["observatory",
         "phantom_rock"],
        [""", '[["observatory", "phantom_rock",')
    assert len(island.load(write(tmp_path, text)).island.sunk) == 6
    with pytest.raises(InputError, match="6 tiles have sunk and 1 are flooded"):
        island.load(write(tmp_path, changed(text, "twilight_hollow watch", "twilight_hollow~ watch")))


def test_a_pile_of_too_many_blocks(tmp_path):
    """The meter has 9 marks, so the waters rise 9 times at most."""
    text = changed(THIRD, "number = 3\n", "", "(lost_lagoon) (misty_marsh)",
                   "lost_lagoon misty_marsh")
    for n, message in ((10, None), (11, "the flood pile has 11 blocks")):
        names = [tile.id for tile in island.tiles()]
        blocks = [[name] for name in names[: n - 1]] + [names[n - 1 :]]
        pile = text[text.index("pile ="):text.index("[treasure]")]
        path = write(tmp_path, text.replace(pile, f"pile = {blocks}\n".replace("'", '"')))
        if message is None:
            assert len(island.load(path).flood_pile) == n
        else:
            with pytest.raises(InputError, match=message):
                island.load(path)


SET_UP = [
    (("water = 1 ", "water = 3 "), "the water has risen by 2"),
    (("misty_marsh~", "misty_marsh"), "0 tiles have sunk and 5 are flooded"),
    (("twilight_hollow watch", "twilight_hollow~ watch"), "0 tiles have sunk and 7 are flooded"),
    (('"lost_lagoon", "misty_marsh"]', '"lost_lagoon"]'), "5 flood cards are discarded"),
    (('"earth", "sandbags"]', '"earth"]'), "3 treasure cards are in hands and discarded"),
    (('"earth", "sandbags"]', '"earth", "wind", "fire"]', '"earth", "ocean"]', '"earth"]'),
     "3 cards are in hand"),
    (("discard = {}", "discard = { earth = 1 }"), "5 treasure cards are in hands and discarded"),
    (('at = "bronze_gate"', 'at = "copper_gate"'), "player 1 has left bronze_gate"),
    (('at = "fools_landing"', 'at = "copper_gate"'), "player 2 has left fools_landing"),
]


@pytest.mark.parametrize(("changes", "message"), SET_UP)
def test_before_the_first_action(tmp_path, changes, message):
    text = changed(island.BLANK, *changes)
    with pytest.raises(InputError) as found:
        island.load(write(tmp_path, text))
    assert message in str(found.value)
    island.load(write(tmp_path, text.replace("number = 1 ", "# number = 1 ")))


ALWAYS = [  # whatever the turn: what is written under [turn], the message
    ('phase = "draw"\ndraws = 2\nactions = 1', "1 actions are left"),
    ('phase = "between draws"\ndraws = 2', "2 treasure cards are due"),
    ("draws = 1", "1 treasure cards are due"),
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
    for number in ("number = 3", "number = 3\ncounted = false"):
        with pytest.raises(InputError) as found:
            island.load(write(tmp_path, THIRD.replace("number = 3", f"{number}\n{turn}")))
        assert message in str(found.value)


RULES = [  # options, changes, the message
    ('difficulty = "elite"', (), "the water meter stands at mark 2"),
    ("waters_rise = 0", ("waters_rise = 1", "fire = 1"), "there is no Waters Rise!"),
    ("cards_to_capture = 6\ncards_per_treasure = 7", ("[treasure]", '[treasure]\ncaptured = ["earth"]'),
     "the hand limit is 5"),
    ('rise_shuffle = "whole_pile"', (), "the flood pile has 2 blocks"),
    ("max_turns = 2", (), "number is 3"),
]


@pytest.mark.parametrize(("options", "changes", "message"), RULES)
def test_what_no_game_of_these_rules_has(tmp_path, options, changes, message):
    text = changed(THIRD, *changes).replace("[turn]", f"[rules]\n{options}\n[turn]")
    with pytest.raises(InputError) as found:
        island.load(write(tmp_path, text.replace("number = 3", "number = 3\ncounted = false")))
    assert message in str(found.value)


def test_hands_over_the_limit(tmp_path):
    """Player 1 draws in turn 3: he alone can have a sixth card, and no seventh."""
    def asked(one, two, turn='phase = "discard"\nthen = "between draws"\ndraws = 1\ncounted = false'):
        hands = (("earth wind wind wind wind ocean fire", one), ("fire earth fire earth ocean earth", two))
        first, second = (", ".join(f'"{card}"' for card in cards.split()[:n]) for cards, n in hands)
        return island.load(write(tmp_path, changed(
            THIRD, "number = 3", f"number = 3\n{turn}", '"earth", "earth", "earth"', first,
            '"wind", "fire", "helicopter_lift"', second)))

    assert sum(asked(6, 3).players[0].hand) == 6
    for one, two, message in ((7, 3, "7 cards are in hand"), (3, 6, "too many cards")):
        with pytest.raises(InputError, match=message):
            asked(one, two)
    given = 'phase = "discard"\nthen = "actions"\nactions = 2\ncounted = false'
    assert sum(asked(3, 6, given).players[1].hand) == 6
    with pytest.raises(InputError, match="the one who was given a card"):
        asked(6, 3, given)


def test_a_turn_that_isn_t_counted_stays_so(tmp_path):
    """Left out, or said to be so: through moves and files."""
    text = changed(THIRD, "number = 3\n", "", "water = 2", "water = 9")
    position = island.load(write(tmp_path, text))
    assert (position.turn, position.counted) == (1, False)
    assert any("counted = false" in note for note in island.position.notes(position))
    draw = random.Random(4)
    for _ in range(60):
        if position.finished:
            break
        table, state = engine.table(position.rules), engine.to_state(position)
        codes = table.moves(state) or [code for code, _ in table.outcomes(state)]
        position = engine.make_move(position, draw.choice(codes))
        assert island.load(write(tmp_path, island.format_position(position))) == position
        assert not position.counted
    assert position.turn > 1


@pytest.mark.parametrize("seed", range(40))
def test_no_position_of_a_game_is_refused(seed):
    """At every decision and card of games of any rules; and no other turn fits the first pile."""
    draw, chance = random.Random(seed), Generator(seed)
    rules = both_rules(random_options(draw))[0] if seed % 4 else Rules(players=2 + seed % 3)
    table, state = engine.table(rules), island.new(rules, seed)
    players, state = state.players, engine.to_state(state)
    first_pile = sum(rules.card_counts) - 2 * rules.players
    while True:
        position = engine.from_state(rules, state, players)
        assert island.check(position) == [], island.format_position(position)
        for turn in (position.turn - 1, position.turn + 1):
            if 1 <= turn < min(first_pile / 2 - 1, rules.max_turns) and position.ending != "won":
                assert island.check(msgspec.structs.replace(position, turn=turn))
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
