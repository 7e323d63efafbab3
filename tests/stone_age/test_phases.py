"""What a position needs for its phase: the seat that acts next, what is acted on, gifts, ends."""

from __future__ import annotations

import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import engine
from tests.stone_age.options import random_rules

OVER, CHANCE = -2, -1
SEAT = "food = 5"
ACTS = "placed = { hunt = 1 }"


def written(*players, rules="", phase="acting", table="", cards=(1, 2, 3, 4), tiles=None,
            stacks=None, number=3, to_move=1):
    """A position file of two players, or as many as given."""
    seats = [*players, *[SEAT] * (2 - len(players))]
    n = len(seats)
    return "\n".join([
        'game = "stone_age"', "[rules]", f"players = {n}", rules, "[table]", f'phase = "{phase}"',
        f"to_move = {to_move}", f"round = {number}", f"cards = {list(cards)}",
        f"tiles = {tiles or [10, 11, 12, 13][:n]}", f"stacks = {stacks or [7] * n}", table,
        *(f"\n[[player]]\n{seat}" for seat in seats)]) + "\n"


@pytest.fixture
def examine(tmp_path):
    def examine(text):
        """The position and what is wrong with it."""
        path = tmp_path / "game.toml"
        path.write_text(text)
        try:
            position, faults = stone_age.examine(str(path))
        except InputError as error:
            return None, [error.what]
        return position, [fault.what for fault in faults]

    return examine


# Who acts ----------------------------------------------------------------------------------------


def test_the_start_player_acts_first_after_placing(examine):
    placing = written("food = 20\nplaced = { hunt = 5 }", "food = 20", phase="placing", to_move=2,
                      table="start = 1")
    position, faults = examine(placing)
    assert (faults, position.acting) == ([], 0)
    after = stone_age.move_position(position, ["place forest 5"], None)
    assert (after.phase, after.to_move, after.acting) == ("acting", 0, 0)
    # And he who did not start waits for him.
    late, faults = examine(placing.replace("start = 1", "start = 1\nacting = 2"))
    assert (late.acting, faults) == (1, ["player 2 can't act next"])


def test_the_start_player_is_next_in_feeding_too(examine):
    hungry = written(SEAT, "food = 0\nresources = [9, 0, 0, 0]", phase="feeding", to_move=2,
                     table="start = 1\nmissing = 5")
    position, faults = examine(hungry)
    assert (position.acting, faults) == (0, [])


# Text of a position, what is said of it.
BAD = {
    "acting for another": (written(ACTS, ACTS, table="acting = 2"), "it is player 2's action turn"),
    "people of one who has acted": (written(ACTS, ACTS, to_move=2), "people of player 1 are placed"),
    "nobody to act": (written("cards = [36]\ntwo_card = true"), "player 1 has no people to act"),
    "two places to none": (written(SEAT, "placed = { hut = 2, river = 3 }", phase="placing"),
                           "player 1 can't be next to place people"),
    "the start player never": (written(SEAT, "placed = { hut = 2 }", phase="placing", to_move=2),
                               "player 2 can't be next to place people"),
    "people on the full forest": (written(SEAT, "placed = { forest = 3 }", phase="how many",
                                          table='start = 2\nplace = "forest"'),
                                  "player 1 can't place people on the forest now"),
    "people on one's own forest": (
        written("placed = { forest = 3 }", "placed = { hut = 2 }", phase="how many",
                table='place = "forest"'), "player 1 can't place people on the forest now"),
    "another good": (written(phase="roll", table='place = "forest"\ngood = "gold"\ndice = 3'),
                     "nobody rolls for gold there"),
    "dice on the hut": (written(phase="roll", table='place = "hut"\ngood = "wood"\ndice = 3'),
                        "nobody rolls there"),
    "nine dice of five people": (written(phase="roll", table='place = "hunt"\ndice = 9'),
                                 "9 dice can't be rolled"),
    "eight on the forest": (written("people = 9", phase="roll", table='place = "forest"\ndice = 8'),
                            "8 dice can't be rolled"),
    "four of five with four placed": (
        written("placed = { river = 4 }", phase="roll", table='place = "forest"\ndice = 4'),
        "4 dice can't be rolled"),
    "still on the river": (
        written("placed = { river = 2 }", phase="roll", table='place = "river"\ndice = 2'),
        "the people on the river act now"),
    "a card that rolls nothing": (
        written("cards = [9]", phase="roll", cards=(0, 2, 3, 4),
                table='place = "card 1"\ngood = "wood"\ndice = 2'),
        "no card that rolls for wood was bought there"),
    "five dice of a card": (
        written("cards = [25]", phase="roll", cards=(0, 2, 3, 4),
                table='place = "card 1"\ngood = "wood"\ndice = 5'), "5 dice can't be rolled"),
    "no good of a card": (written("cards = [25]", phase="roll", cards=(0, 2, 3, 4),
                                  table='place = "card 1"\ndice = 2'), "good is missing from [table]"),
    "a sum of sixty": (written("tools = [1]", phase="tools", table='place = "forest"\nsum = 60'),
                       "a sum of 60 can't have been rolled"),
    "a sum of fixed dice": (written("tools = [1]", phase="tools", rules="dice = 3",
                                    table='place = "forest"\nsum = 7'),
                            "a sum of 7 can't have been rolled"),
    "no tools for cards": (
        written("cards = [25]\ntools = [1]", phase="tools", rules="tools_on_card_roll = false",
                cards=(0, 2, 3, 4), table='place = "card 1"\ngood = "wood"\nsum = 7'),
        "no tool can be added"),
    "placing at an empty stack": (written("tiles = [1, 2, 3, 4, 5, 6, 7]", phase="placing",
                                          tiles=[0, 11], stacks=[0, 7]), "stack 1 is empty"),
    "a tool used in placing": (written("tools = [1]\nused = [1]", phase="placing"),
                               "player 1 has used no tool yet"),
    "a tool used by the next": (written(ACTS, "tools = [1]\nused = [1]"),
                                "player 2 has used no tool yet"),
    "tiles are left": (written(phase="over", table='cause = "tiles"'), "this does not end the game"),
    "cards are left": (written(phase="over", table='cause = "cards"'), "this does not end the game"),
    "rounds are left": (written(phase="over", table='cause = "rounds"'), "this does not end the game"),
    "over without a cause": (written(phase="over"), "this does not end the game"),
    "no extra card": (written("cards = [32]\n" + ACTS), "player 1 lacks his extra card"),
    "round 100": (written(ACTS, number=100), "there is no round 100"),
    "set up with a score": (written("score = 3", phase="start player", number=0, cards=(0,) * 4,
                                    tiles=[0, 0]), "player 1 has had a turn"),
    "placed in feeding": (written("food = 0\n" + ACTS, phase="feeding", table="missing = 5"),
                          "people of player 1 are placed"),
    "food left": (written("food = 3\nresources = [9, 0, 0, 0]", phase="feeding", table="missing = 2"),
                  "3 food is left while 2 is missing"),
    "more missing than eaten": (
        written("food = 0\ntrack = 3\nresources = [9, 0, 0, 0]", phase="feeding", table="missing = 3"),
        "3 food can't be missing"),
    "gaps before a deal": (written(phase="deal", cards=(0, 2, 0, 4)),
                           "an empty place lies before a card"),
    "another first": (written(phase="deal", cards=(2, 4, 0, 0), to_move=2),
                      "player 2 can't be first to place"),
    "choosing without the card": (written(phase="choosing"), "no two resources are to be chosen"),
    "choosing with the card held": (written("cards = [36]\ntwo_card = true", phase="choosing"),
                                    "no two resources are to be chosen"),
    "choosing in feeding, nothing missing": (
        written("cards = [36]\nfood = 0", phase="choosing", table="feeding = true"),
        "no food is missing"),
    "no card gives a card": (written("cards = [9]", phase="extra card", cards=(0, 2, 3, 4)),
                             "no extra card is due"),
    "no card gives dice": (written("cards = [25]", phase="gift roll", cards=(0, 2, 3, 4)),
                           "no gift is due"),
    "a gift in placing": (written("cards = [9]", phase="placing",
                                  table="[[table.gifts]]\ndice = [1, 2]\nseats = [1, 2]"),
                          "a gift is open"),
    "equal dice": (written("cards = [9]", phase="gift", cards=(0, 2, 3, 4),
                           table="[[table.gifts]]\ndice = [2, 2]\nseats = [1, 2]"),
                   "there is no choice of a die"),
    "one die of one": (written("cards = [9]", phase="gift", cards=(0, 2, 3, 4),
                               table="[[table.gifts]]\ndice = [1]\nseats = [1]"),
                       "there is no choice of a die"),
    "seats after the buyer are done": (
        written("cards = [9]", SEAT, SEAT, phase="gift", cards=(0, 2, 3, 4),
                table="[[table.gifts]]\ndice = [1, 2]\nseats = [1, 3]"),
        "player 1 can't be the one who takes a die now"),
    "the buyer bought none": (written("cards = [25]", "cards = [9]", phase="gift",
                                      cards=(0, 2, 3, 4),
                                      table="[[table.gifts]]\ndice = [1, 2]\nseats = [1, 2]"),
                              "player 1 has bought no gift"),
    "more gifts than cards": (
        written(ACTS + "\ncards = [9]", rules='dice_gift = "on_own_turn"',
                table="[[table.gifts]]\ndice = [6]\nseats = [2]\n" * 2), "2 gifts are open"),
    "nine gifts": (written(ACTS + "\ncards = [9]", rules='dice_gift = "on_own_turn"',
                           table="[[table.gifts]]\ndice = [6]\nseats = [2]\n" * 9),
                   "9 gifts are open"),
    "a die not taken": (
        written(ACTS + "\ncards = [9]", rules='dice_gift = "on_own_turn"',
                table="[[table.gifts]]\ndice = [6]\nseats = [1]"),
        "player 1 has yet to take a die of this gift"),
    "a key of another phase": (written(ACTS, table="sum = 9"),
                               "sum means nothing in the phase 'acting'"),
    "missing while acting": (written(ACTS, table="missing = 2"),
                             "missing means nothing in the phase 'acting'"),
    "one way to choose": (written("cards = [36]", phase="choosing", cards=(1, 2, 3, 0),
                                  rules="resource_supply = [0, 0, 0, 0]"),
                          "player 1 has nothing to decide"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_no_position_has(name, examine):
    text, what = BAD[name]
    _, faults = examine(text)
    assert what in faults


GOOD = {
    "the good follows from the place": (
        written(phase="roll", table='place = "hunt"\ndice = 3'), {"kind": 4}),
    "and for a resource": (
        written("tools = [1]", phase="tools", table='place = "quarry"\nsum = 9'), {"kind": 2}),
    "an empty deck gives no extra card": (
        written(f"cards = {list(range(5, 37))}\n" + ACTS), {"n_deck": 0}),
    "the last card as the extra card": (
        written(f"cards = {[n for n in range(5, 37) if n != 9]}", phase="extra card",
                cards=(0, 0, 0, 4), number=9).replace("[5, 6", "[1, 2, 3, 5, 6"), {"n_deck": 1}),
    "a cause that is left out": (
        written("tiles = [1, 2, 3, 4, 5, 6, 7]", phase="over", tiles=[0, 11], stacks=[0, 7]),
        {"cause": "tiles"}),
    "people on the hunt one after the other": (
        written("placed = { hunt = 2 }", "placed = { forest = 2, hut = 2 }", phase="placing",
                rules="hunt_again = true"), {"to_move": 0}),
    "he who can't place is passed over": (
        written("placed = { hunt = 5 }", "placed = { hut = 2, forest = 2 }", phase="placing",
                to_move=2), {"to_move": 1}),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_a_game_comes_to(name, examine):
    text, fields = GOOD[name]
    position, faults = examine(text)
    assert faults == []
    assert {key: getattr(position, key) for key in fields} == fields


def test_no_position_that_is_reached_is_refused():
    """Random and sensible games under random options: every position of them is sound."""
    draw = random.Random(11)
    for seed in range(24):
        rules = random_rules(draw)
        table, chance = stone_age.table(rules), Generator(seed)
        state, blank = table.new_game(), stone_age.new(rules, 1)
        policy = draw.choice(list(table.policies))
        while True:
            position = engine.from_state(blank, state)
            if position.phase != "placing" or draw.random() < 0.2:
                assert stone_age.check(position) == [], stone_age.format_position(position)
            if table.turn(state) == OVER:
                break
            state = table.apply_unchecked(
                state, table.sample(state, chance) if table.turn(state) == CHANCE
                else draw.choice(table.moves(state)) if draw.random() < 0.5
                else table.policy_move(state, policy, chance))


def test_nine_gifts_do_not_fit_into_a_state(examine):
    """The kernel has room for eight: more would be written behind them."""
    position, faults = examine(written(
        ACTS + f"\ncards = {list(range(5, 11))}", rules='dice_gift = "on_own_turn"'))
    assert faults == []
    many = msgspec.structs.replace(position, gifts=(((6,), (1,)),) * 9)
    with pytest.raises(ValueError, match="8 gifts"):
        engine.to_state(many)
