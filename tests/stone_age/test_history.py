"""What there was no time for by a round is noted: values worked out from the rules page."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import engine
from oddsmith.solver.games.stone_age.history import history_notes
from oddsmith.solver.games.stone_age.soundness import notes
from tests.stone_age.options import random_rules
from tests.test_cli import oddsmith

END = "no game gets here: answers are those of the position as it stands"


def written(*players, number=2, n=2, rules="", stacks=None, tiles=(10, 11, 12, 13), cards=(1, 2, 3, 4),
            phase="placing"):
    """A position at the start of a round."""
    seats = [*players, *[""] * (n - len(players))]
    return "\n".join([
        'game = "stone_age"', "[rules]", f"players = {n}", rules, "[table]", f'phase = "{phase}"',
        f"round = {number}", f"cards = {list(cards)}", f"tiles = {list(tiles[:n])}",
        f"stacks = {stacks or [7] * n}", *(f"\n[[player]]\n{seat}" for seat in seats)]) + "\n"


@pytest.fixture
def noted(tmp_path):
    """The notes of a position on what no game comes to; none of them is a fault."""
    def noted(*players, **more):
        path = tmp_path / "game.toml"
        path.write_text(written(*players, **more))
        position = stone_age.load(str(path))
        found = history_notes(position)
        assert notes(position) == ([*found, END] if found else [])
        return "; ".join(found)

    return noted


# What two players have at the start of a round, the first round that allows it, the message before.
TIMES = [
    # One visit of the tool maker a round, whoever comes.
    (("tools = [1]", ""), 2, "1 tool was made: the tool maker serves one player a round, 0 times by round 1"),
    (("tools = [1]", "tools = [1, 1]"), 4, "3 tools were made"),
    (("tools = [4, 4, 4]", ""), 13, "12 tools were made"),
    (("people = 6", ""), 2, "1 of the people is new"),
    (("people = 7", "people = 6"), 4, "3 of the people are new: the hut serves one player a round, 2 times by round 3"),
    (("track = 2", "track = 1"), 4, "3 fields were tilled"),
    # Of the three places of the village two are used in a round: 4 times in two rounds.
    (("tools = [1]\ntrack = 1\npeople = 6", "tools = [1]\ntrack = 1"), 4, "5 times people"),
    # 4 cards are sold in a round.
    (("cards = [11, 12, 13, 14]", "cards = [15]"), 3, "5 cards are bought: 4 can be in a round, 4 by round 2"),
    # Five people: four cards and the field are theirs in one round, a tool as well is not.
    (("cards = [11, 12, 13, 14]\ntrack = 1", ""), 2, "4 cards are bought"),
    (("cards = [11, 12, 13, 14]\ntrack = 1\ntools = [1]", ""), 3, "has got more than people"),
    # 7 in the forest: 5 people roll 30 at most, 10 wood.  The river: 30 / 6.
    (("resources = [10, 0, 0, 0]", ""), 2, "player 1 has 10 wood: at most 0 can have come by round 1"),
    (("resources = [0, 0, 0, 11]", ""), 4, "has 11 gold"),
    # Hunting brings 15 at most, and 5 eat: 12 + 10 by round 2, 12 + 20 by round 3.
    (("food = 22", ""), 2, "has 22 food"),
    (("food = 23", ""), 3, "has 23 food"),
    (("food = 33", ""), 4, "has 33 food"),
    # Starving costs 10 a round.
    (("score = -10", ""), 2, "has -10 points"),
    (("score = -20", ""), 3, "has -20 points"),
]


@pytest.mark.parametrize(("players", "first", "note"), TIMES)
def test_the_first_round_that_allows_it(noted, players, first, note):
    assert noted(*players, number=first) == ""
    assert note in noted(*players, number=first - 1)


def test_cards_and_gifts_bring_tools_and_fields(noted):
    """Card 29 is a tool, 30 and 31 are fields; a gift (5 to 10) gives each one die, a tool or a field."""
    assert noted("cards = [29, 30, 31]\ntools = [1, 1]\ntrack = 3") == ""
    assert "2 tools were made" in noted("cards = [29, 30, 31]\ntools = [1, 1, 1]\ntrack = 3")
    assert noted("cards = [5]\ntools = [1, 1]", "track = 1") == ""
    assert "2 tools were made" in noted("cards = [5]\ntools = [1, 1]", "tools = [1, 1]")
    assert "3 times people" in noted("cards = [5]\ntools = [1, 1]\ntrack = 1", "track = 1\npeople = 6")


def test_one_alone_has_no_children(noted):
    """The hut takes two."""
    assert noted("people = 3", rules="start_people = 2", number=3) == ""
    assert "the hut takes 2" in noted("people = 2", rules="start_people = 1", number=3)


def test_people_stay(noted):
    assert noted("people = 3") == "player 1 has 3 people: everybody starts with 5, and nobody leaves"
    # 3 of them hunt 9 and eat 3 in the round.
    assert noted("people = 3\nfood = 18").endswith("nobody leaves")
    assert "player 1 has 19 food: at most 18 can have come by round 2" in noted("people = 3\nfood = 19")


def test_four_players_use_all_of_the_village(noted):
    seats = ("tools = [1]", "track = 1", "people = 6")
    assert noted(*seats, n=4) == ""
    assert "3 times people" in noted(*seats, n=3)
    assert noted(*seats, n=3, rules="village_limit_small_games = false") == ""


def test_one_tile_of_a_stack_is_sold_in_a_round(noted):
    """Tiles 5 and 6 are bought; what they brought is in the score."""
    five, six = (stone_age.tiles()[k].points for k in (4, 5))
    both = f"tiles = [5, 6]\nscore = {five + six}"
    assert noted(f"tiles = [5]\nscore = {five}", stacks=[6, 7]) == ""
    assert noted(both, stacks=[6, 6]) == ""
    assert ("2 tiles are sold of stack 1: one can be in a round, 1 by round 2") in noted(both, stacks=[5, 7])
    assert ("1 tile is sold of stack 1: one can be in a round, 0 by round 1"
            ) in noted(f"tiles = [5]\nscore = {five}", stacks=[6, 7], number=1)
    assert f"has {five - 11} points" in noted(f"tiles = [5]\nscore = {five - 11}", stacks=[6, 7])


def test_the_present_action_turn(noted):
    """Who hunts now has gained nothing there yet, and who stands on the field has not tilled it."""
    acts = {"number": 1, "phase": "acting"}
    assert noted("placed = { hunt = 4 }\ntrack = 1", "placed = { forest = 5 }", **acts) == ""
    assert "1 field was tilled" in noted("placed = { hunt = 4, field = 1 }\ntrack = 1", **acts)
    assert "has 13 food" in noted("placed = { hunt = 5 }\nfood = 13", **acts)
    assert noted("placed = { forest = 1 }\nfood = 24", **acts) == ""       # 4 have hunted
    assert "has 25 food" in noted("placed = { forest = 1 }\nfood = 25", **acts)
    # Two tools: 16 from the hunt of each round, 5 eaten; the third hunt is still to come, its tools too.
    third = {**acts, "number": 3}
    assert noted("placed = { hunt = 5 }\ntools = [1, 1]\nfood = 34", **third) == ""
    assert "has 35 food" in noted("placed = { hunt = 5 }\ntools = [1, 1]\nfood = 35", **third)


@pytest.mark.parametrize(("seat", "most"), [
    ("tiles = [5]", stone_age.tiles()[4].points), ("cards = [26, 27]", 6), ("", 0)])
def test_points_come_from_cards_and_tiles(noted, seat, most):
    stacks = [6, 7] if "tiles" in seat else None
    assert noted(f"{seat}\nscore = {most}", stacks=stacks) == ""
    points = "1 point" if most == 0 else f"{most + 1} points"
    assert f"has {points}: his cards and tiles can have brought {most};" in noted(
        f"{seat}\nscore = {most + 1}", stacks=stacks)


def test_what_if(tmp_path):
    """Twelve tools in round 1: told, and answered."""
    path = tmp_path / "game.toml"
    path.write_text(written("tools = [4, 4, 4]\nresources = [9, 9, 9, 9]\nplaced = { \"tile 1\" = 1, river = 3 }",
                            phase="acting", number=1))
    checked = oddsmith("stone-age", "check", path, "--json")
    assert checked.returncode == 0
    told = json.loads(checked.stdout)["answer"]
    assert (told["sound"], told["faults"]) == (True, [])
    assert told["notes"][0].startswith("12 tools were made") and told["notes"][-1] == END
    assert "player 1 has 9 wood" in told["notes"][1]
    for verb in ("check", "show"):
        words = " ".join(oddsmith("stone-age", verb, path).stdout.replace("│", "").split())
        assert all(note[1:] in words for note in told["notes"]), words
    for verb in (["moves"], ["move", path, "use river"], ["pay", path, "tile 1"], ["split"], ["final"],
                 ["best", "--simulations", "16"], ["simulate", "--games", "4"], ["perft", "--depth", "1"]):
        asked = oddsmith("stone-age", *verb, *[path] * (path not in verb))
        assert asked.returncode == 0, (verb, asked.stderr)


@pytest.mark.parametrize("seed", range(16))
def test_no_position_of_a_game_gives_a_note(seed):
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
            found = stone_age.check(position) + history_notes(position)
            assert found == [], stone_age.format_position(position)
    if not seed % 4:
        early = msgspec.structs.replace(position, phase="placing", cause="", round=position.round // 3)
        assert history_notes(early)
