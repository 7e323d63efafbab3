"""What there was time for by a round: values worked out from the rules page."""

from __future__ import annotations

import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import engine
from tests.stone_age.options import random_rules


@pytest.fixture
def load(tmp_path):
    def load(*players, number=2, n=2, counted="", rules="", stacks=None, tiles=(10, 11, 12, 13),
             cards=(1, 2, 3, 4), phase="placing", table=""):
        """A position at the start of a round."""
        seats = [*players, *[""] * (n - len(players))]
        path = tmp_path / "game.toml"
        path.write_text("\n".join([
            'game = "stone_age"', "[rules]", f"players = {n}", rules, "[table]", f'phase = "{phase}"',
            f"round = {number}", counted, table, f"cards = {list(cards)}", f"tiles = {list(tiles[:n])}",
            f"stacks = {stacks or [7] * n}", *(f"\n[[player]]\n{seat}" for seat in seats)]) + "\n")
        return stone_age.load(str(path))

    return load


# What two players have at the start of a round, the first round that allows it, the message before.
TIMES = [
    # One visit of the tool maker a round, whoever comes.
    (("tools = [1]", ""), 2, "1 tools were made"),
    (("tools = [1]", "tools = [1, 1]"), 4, "3 tools were made"),
    (("tools = [4, 4, 4]", ""), 13, "12 tools were made"),
    (("people = 6", ""), 2, "1 people are new"),
    (("people = 7", "people = 6"), 4, "3 people are new"),
    (("track = 2", "track = 1"), 4, "3 fields were tilled"),
    # Of the three places of the village two are used in a round: 4 times in two rounds.
    (("tools = [1]\ntrack = 1\npeople = 6", "tools = [1]\ntrack = 1"), 4, "5 times people"),
    # 4 cards are sold in a round.
    (("cards = [11, 12, 13, 14]", "cards = [15]"), 3, "5 cards are bought"),
    # Five people: four cards and the field are theirs in one round, a tool as well is not.
    (("cards = [11, 12, 13, 14]\ntrack = 1", ""), 2, "4 cards are bought"),
    (("cards = [11, 12, 13, 14]\ntrack = 1\ntools = [1]", ""), 3, "has got more than people"),
    # 7 in the forest: 5 people roll 30 at most, 10 wood.  The river: 30 / 6.
    (("resources = [10, 0, 0, 0]", ""), 2, "has 10 wood"),
    (("resources = [0, 0, 0, 11]", ""), 4, "has 11 gold"),
    # Hunting brings 15 at most, and 5 eat: 12 + 10 by round 2, 12 + 20 by round 3.
    (("food = 22", ""), 2, "has 22 food"),
    (("food = 23", ""), 3, "has 23 food"),
    (("food = 33", ""), 4, "has 33 food"),
    # Starving costs 10 a round.
    (("score = -10", ""), 2, "has -10 points"),
    (("score = -20", ""), 3, "has -20 points"),
]


@pytest.mark.parametrize(("players", "first", "message"), TIMES)
def test_the_first_round_that_allows_it(load, players, first, message):
    assert load(*players, number=first).counted
    with pytest.raises(InputError) as found:
        load(*players, number=first - 1)
    assert message in str(found.value)
    # Where the round is not known nothing is concluded from it.
    assert not load(*players, number=first - 1, counted="counted = false").counted


def test_cards_and_gifts_bring_tools_and_fields(load):
    """Card 29 is a tool, 30 and 31 are fields; a gift (5 to 10) gives each one die, a tool or a field."""
    assert load("cards = [29, 30, 31]\ntools = [1, 1]\ntrack = 3", number=2)
    with pytest.raises(InputError, match="2 tools were made"):
        load("cards = [29, 30, 31]\ntools = [1, 1, 1]\ntrack = 3", number=2)
    assert load("cards = [5]\ntools = [1, 1]", "track = 1", number=2)
    with pytest.raises(InputError, match="2 tools were made"):
        load("cards = [5]\ntools = [1, 1]", "tools = [1, 1]", number=2)
    with pytest.raises(InputError, match="3 times people"):
        load("cards = [5]\ntools = [1, 1]\ntrack = 1", "track = 1\npeople = 6", number=2)


def test_one_alone_has_no_children(load):
    """The hut takes two."""
    assert load("people = 3", rules="start_people = 2", number=3)
    with pytest.raises(InputError, match="the hut takes 2"):
        load("people = 2", rules="start_people = 1", number=3)


def test_four_players_use_all_of_the_village(load):
    seats = ("tools = [1]", "track = 1", "people = 6")
    assert load(*seats, n=4)
    with pytest.raises(InputError, match="3 times people"):
        load(*seats, n=3)
    assert load(*seats, n=3, rules="village_limit_small_games = false")


def test_one_tile_of_a_stack_is_sold_in_a_round(load):
    """Tiles 5 and 6 are bought; what they brought is in the score."""
    five, six = (stone_age.tiles()[k].points for k in (4, 5))
    both = f"tiles = [5, 6]\nscore = {five + six}"
    assert load(f"tiles = [5]\nscore = {five}", stacks=[6, 7], number=2)
    assert load(both, stacks=[6, 6], number=2)
    with pytest.raises(InputError, match="2 tiles of stack 1 are sold"):
        load(both, stacks=[5, 7], number=2)
    with pytest.raises(InputError, match="1 tiles of stack 1 are sold"):
        load(f"tiles = [5]\nscore = {five}", stacks=[6, 7], number=1)
    with pytest.raises(InputError, match=f"has {five - 11} points"):
        load(f"tiles = [5]\nscore = {five - 11}", stacks=[6, 7], number=2)


def test_the_present_action_turn(load):
    """Who hunts now has gained nothing there yet, and who stands on the field has not tilled it."""
    acts = {"number": 1, "phase": "acting"}
    assert load("placed = { hunt = 4 }\ntrack = 1", "placed = { forest = 5 }", **acts)
    with pytest.raises(InputError, match="1 fields were tilled"):
        load("placed = { hunt = 4, field = 1 }\ntrack = 1", **acts)
    with pytest.raises(InputError, match="has 13 food"):
        load("placed = { hunt = 5 }\nfood = 13", **acts)
    assert load("placed = { forest = 1 }\nfood = 24", **acts)      # 4 have hunted
    with pytest.raises(InputError, match="has 25 food"):
        load("placed = { forest = 1 }\nfood = 25", **acts)
    # Two tools: 16 from the hunt of each round, 5 eaten; the third hunt is still to come, its tools too.
    third = {**acts, "number": 3}
    assert load("placed = { hunt = 5 }\ntools = [1, 1]\nfood = 34", **third)
    with pytest.raises(InputError, match="has 35 food"):
        load("placed = { hunt = 5 }\ntools = [1, 1]\nfood = 35", **third)


@pytest.mark.parametrize(("seat", "most"), [
    ("tiles = [5]", stone_age.tiles()[4].points), ("cards = [26, 27]", 6), ("", 0)])
def test_points_come_from_cards_and_tiles(load, seat, most):
    stacks = [6, 7] if "tiles" in seat else None
    assert load(f"{seat}\nscore = {most}", stacks=stacks)
    with pytest.raises(InputError, match=f"has {most + 1} points"):
        load(f"{seat}\nscore = {most + 1}", stacks=stacks)
    assert load(f"{seat}\nscore = {most + 1}", stacks=stacks, counted="counted = false")


def test_a_round_that_is_left_out(load, tmp_path):
    made = load("tools = [4, 4, 4]", number=1, counted="counted = false")
    text = stone_age.format_position(made)
    path = tmp_path / "again.toml"
    path.write_text(text)
    assert stone_age.load(str(path)) == made
    path.write_text(text.replace("counted = false\n", "").replace("round = 1\n", ""))
    assert stone_age.load(str(path)) == made
    after = stone_age.move_position(made, ["place field"], None)
    assert not after.counted and stone_age.check(after) == []


@pytest.mark.parametrize("seed", range(16))
def test_no_position_of_a_game_is_refused(seed):
    """Random and sensible games of any rules; and the end of a game doesn't fit into half its rounds."""
    draw, chance = random.Random(seed), Generator(seed)
    rules = random_rules(draw) if seed % 4 else stone_age.Rules(players=2 + seed // 4 % 3)
    table = stone_age.table(rules)
    state, blank, policy = table.new_game(), stone_age.new(rules, 1), draw.choice(list(table.policies))
    while table.turn(state) != engine.OVER:
        state = table.apply_unchecked(
            state, table.sample(state, chance) if table.turn(state) == engine.CHANCE
            else draw.choice(table.moves(state)) if draw.random() < 0.3
            else table.policy_move(state, policy, chance))
        if draw.random() < 0.3 or table.turn(state) == engine.OVER:
            position = engine.from_state(blank, state)
            assert stone_age.check(position) == [], stone_age.format_position(position)
    if not seed % 4:
        early = msgspec.structs.replace(position, phase="placing", cause="", round=position.round // 3)
        assert stone_age.check(msgspec.structs.replace(early, counted=True))
