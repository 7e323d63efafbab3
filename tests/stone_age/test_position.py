"""Position files: what is read, what is refused and where."""

from __future__ import annotations

import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import Rules

BLANK = stone_age.BLANK


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "game.toml"
        path.write_text(text)
        return str(path)

    return write


def test_the_blank_file_is_sound(write):
    position = stone_age.load(write(BLANK))
    assert stone_age.check(position) == []
    assert position.players[1].placed == ((1, 2), (4, 3))
    assert stone_age.format_position(stone_age.load(write(stone_age.format_position(position)))) == (
        stone_age.format_position(position))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_games(players, write):
    rules = Rules(players=players)
    position = stone_age.new(rules, 7)
    assert position == stone_age.new(rules, 7)
    assert position != stone_age.new(rules, 8)
    assert (position.phase, position.round, position.n_deck) == ("placing", 1, 32)
    assert stone_age.load(write(stone_age.format_position(position))) == position
    starts = {stone_age.new(rules, seed).start for seed in range(40)}
    assert starts == set(range(players))


# What is changed in the blank file, what is said, and the line that is shown.
BAD = [
    ("people = 5", "people = 11", "people is 11", "people = 11"),
    ("tools = []  ", "tools = [1, 3, 1]", "nobody can have tools of 1, 3, 1", "tools = [1, 3, 1]"),
    ("cards = [1, 12, 23, 34]", "cards = [1, 12, 23, 12]", "card 12 is here twice", "cards = [1, 12"),
    ("cards = []  ", "cards = [34]", "card 34 is here twice", "cards = [34]"),
    ("cards = [1, 12, 23, 34]", "cards = [1, 12, 23, 0]", "3 cards are on display", "cards = [1, 12"),
    ("tiles = [1, 18]", "tiles = [1, 1]", "tile 1 is here twice", "tiles = [1, 1]"),
    ("tiles = []  ", "tiles = [5]", "0 tiles are missing from the stacks", "stacks = [7, 7]"),
    ("stacks = [7, 7]", "stacks = [7, 8]", "stack 2 has 8 tiles", "stacks = [7, 8]"),
    ("stacks = [7, 7]", "stacks = [7, 0]", "there can be no face-up tile", "tiles = [1, 18]"),
    ("track = 0 ", "track = 11 ", "track is 11", "track = 11"),
    ("hut = 2", "hut = 1", "1 people are on the hut", "hut = 1"),
    ("forest = 3", "forest = 4", "6 people are placed", "forest = 4"),
    ("forest = 3", "forrest = 3", "`forrest` is not a place", "forrest = 3"),
    ("forest = 3", '"tile 3" = 1', "there is no tile 3", '"tile 3" = 1'),
    ("# used = [1]", "used = [1]", "no tool of 1 can have been used", "used = [1]"),
    ("# one_use = [3]", "one_use = [3]", "there is no one-use tool of 3", "one_use = [3]"),
    ("# two_card = true", "two_card = true", "the card of two resources isn't held", "two_card"),
    ('# extra = "?"', 'extra = "?"', "there is no extra card", "extra ="),
    ('phase = "placing"', 'phase = "paying"\nplace = "hut"', "there is nothing to pay", "phase ="),
    ('phase = "placing"', 'phase = "paying"', "place is missing", "[table]"),
    ('phase = "placing"', 'phase = "plaicng"', 'phase is "plaicng"', "phase ="),
    ('phase = "placing"', 'phase = "tools"\nplace = "hunt"\nsum = 9', "no tool is ready", "phase ="),
    ("placed = { field", "# placed = { field", "player 1 can't be next to place", "to_move"),
    ('phase = "placing"', 'phase = "feeding"', "no food is missing", "phase ="),
    ('phase = "placing"', 'phase = "raising"', "there is no choice of the tool", "phase ="),
    ('phase = "placing"', 'phase = "gift"', "there is no die to take", "phase ="),
    ("round = 1", "round = 0", "round 0 can't be in the phase", "round = 0"),
    ("resources = [0, 0, 0, 0]", "resources = [0, 0, 0]", "resources is", "resources ="),
    ("resources = [0", "resource = [0", "resource", "resource ="),
    ("players = 2", "players = 3", "there are 2 players, the rules say 3", "[[player]]"),
    ("players = 2", "stack_size = 15", "stack_size", "stack_size = 15"),
    ('game = "stone_age"', 'game = "reef"', "this is a position of 'reef'", "game ="),
]


@pytest.mark.parametrize(("old", "new", "what", "line"), BAD)
def test_impossible_positions_are_refused_where_they_are(old, new, what, line, write):
    text = BLANK.replace(old, new, 1)
    assert text != BLANK
    with pytest.raises(InputError) as caught:
        stone_age.load(write(text))
    error = caught.value
    assert what in error.what
    shown = text.splitlines()[error.line - 1]
    assert line in shown


def test_two_players_on_one_place(write):
    text = BLANK.replace('"clay pit" = 2', "forest = 1")
    with pytest.raises(InputError, match="people of 2 players are on the forest"):
        stone_age.load(write(text))
    text = BLANK.replace('"clay pit" = 2', "hut = 2")
    with pytest.raises(InputError, match="4 people are on the hut"):
        stone_age.load(write(text))


def test_limited_resources(write):
    text = BLANK.replace("players = 2", "players = 2\nresource_supply = [2, 2, 2, 2]")
    text = text.replace("resources = [0, 0, 0, 0]", "resources = [0, 0, 3, 0]")
    with pytest.raises(InputError, match="players hold 1 more stone than there is"):
        stone_age.load(write(text))


def test_the_rules_of_a_stack():
    with pytest.raises(InputError, match="stack_size can't be 8 with 4 players"):
        Rules(players=4, stack_size=8)


def test_an_unknown_extra_card(write):
    text = BLANK.replace("cards = []  ", "cards = [32]").replace('# extra = "?"', 'extra = "?"')
    position = stone_age.load(write(text))
    assert position.n_deck == 36 - 4 - 1 - 1
    again = stone_age.move_position(position, ["place river 1"], None)
    assert again.players[0].extra == 0
    with pytest.raises(InputError, match="the extra card of player 1 isn't known"):
        stone_age.search_state(position)
    # A card that turns up is not the one that is unknown.
    due = text.replace('phase = "placing"', 'phase = "deal"').replace(
        "cards = [1, 12, 23, 34]", "cards = [1, 12, 23, 0]")
    due = due.replace("\nplaced = ", "\n# placed = ")
    due = stone_age.load(write(due))
    for number in (2, 3, 36):
        assert stone_age.move_position(due, [f"card {number}"], None).display == (1, 12, 23, number)


def test_faults_are_listed_in_order(write):
    text = BLANK.replace("stacks = [7, 7]", "stacks = [7, 6]").replace("hut = 2", "hut = 1")
    _, faults = stone_age.examine(write(text))
    assert [fault.what for fault in faults] == [
        "1 tiles are missing from the stacks", "1 people are on the hut"]


def test_questions_of_a_position(write):
    position = stone_age.load(write(BLANK.replace("resources = [0, 0, 0, 0]",
                                                  "resources = [3, 2, 1, 1]")))
    pay = stone_age.pay_answer(position, "tile 1").answer
    assert pay == [{"pay": {"wood": 2, "brick": 1, "stone": 0, "gold": 0}, "points": 10,
                    "left": {"wood": 1, "brick": 1, "stone": 1, "gold": 1}, "left_value": 18}]
    cards = stone_age.pay_answer(position, "card 1").answer
    assert [row["left_value"] for row in cards] == [25, 24, 23, 22]
    final = stone_age.final_answer(position).answer[0]
    assert final["total"] == 7
    assert {"what": "card 23: art", "points": 1} in final["adds"]
    with pytest.raises(InputError, match="nothing is offered on `tile 3`"):
        stone_age.pay_answer(position, "tile 3")
    titles = [answer.question for answer in stone_age.report_answers(position)]
    assert titles[:2] == ["show", "final"]
    assert titles.count("pay") == 6
