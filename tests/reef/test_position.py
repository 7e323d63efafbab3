"""Position files: written, read back, checked; each fault at its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import position as positions


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "game.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def deal(seed=7, **options):
    return reef.format_position(reef.new(reef.Rules(**options), seed))


@pytest.mark.parametrize("options", [
    {}, {"players": 3}, {"players": 4, "start_layout": "free", "stack_limit": 8},
    {"supply_per_color": 5, "players": 4}, {"display_size": 6, "start_points": 0},
    {"start_layout": "edge", "overlap": "overlapping", "tie_break": "covered"},
])
@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_round_trip(write, options, seed):
    position = reef.new(reef.Rules(**options), seed)
    assert reef.load(write(reef.format_position(position))) == position
    assert reef.format_position(position) == reef.format_position(
        reef.new(reef.Rules(**options), seed))


def test_deals_differ_by_seed():
    assert len({deal(seed) for seed in range(50)}) == 50


def test_a_deal_is_pinned():
    """The same seed deals the same game in every version."""
    position = reef.new(reef.Rules(), 7)
    assert (position.display, position.deck_top) == ((13, 55, 12), 58)
    assert [player.hand for player in position.players] == [(6, 20), (24, 28)]
    assert str(position.players[0].board) == ".,.,.,./.,p,r,./.,g,y,./.,.,.,."


def test_blank_template_is_a_sound_position(write):
    position, faults = reef.examine(write(reef.BLANK))
    assert not faults
    assert position.players[1].hand == (0, 0)
    assert position.n_deck == 60 - 3 - 4


def test_unseen_cards():
    position = reef.new(reef.Rules(), 7)
    assert len(position.unseen) == 60 - 4 - 3 - 1
    assert not set(position.unseen) & {13, 55, 12, 58, 6, 20, 24, 28}


BASE = deal()


def line_of(text, needle):
    return next(k for k, line in enumerate(text.splitlines(), 1) if needle in line)


FAULTS = [
    # (what is replaced, by what, words of the message, a text on the faulty line)
    ("hand = [6, 20]", "hand = [6, 61]", "`61` is not a card", "hand = [6, 61]"),
    ("hand = [6, 20]", "hand = [6, 6]", "card 6 is here twice", "hand = [6, 6]"),
    ("hand = [6, 20]", "hand = [6, 13]", "card 13 is here twice", "display"),
    ("hand = [6, 20]", "hand = [6, true]", "a card must be its number", "hand = [6, true]"),
    ("hand = [6, 20]", 'hand = [6, "x"]', "a card must be its number", "hand = [6,"),
    ("hand = [6, 20]", "hand = 6", "must be a list", "hand = 6"),
    ("hand = [6, 20]", "hand = [1, 2, 3, 4, 5]", "5 cards are in hand", "hand = [1,"),
    ("display = [13, 55, 12]", "display = [13, 55]", "2 cards are on display", "display"),
    ("display = [13, 55, 12]", "display = [13, 55, 12, 1]", "4 cards are on display", "display"),
    ("tokens = [0, 0, 0]", "tokens = [0, 0]", "tokens are listed for 2 cards", "tokens"),
    ("tokens = [0, 0, 0]", "tokens = [0, 0, -1]", "entry 3 of tokens is -1", "tokens"),
    ("deck_top = 58\n", "", "deck_top is missing", ""),
    ("deck = 53", "deck = 52", "said to have 52 cards", "deck = 52"),
    ("red = 16", "red = 15", "said to have 15 red coral", "supply"),
    ("to_move = 1", "to_move = 3", "to_move is 3", "to_move"),
    ("to_move = 1", "to_moov = 1", "unknown key", "to_moov"),
    ("score = 3", "score = -1", "score is -1", "score = -1"),
    ('game = "reef"', 'game = "chess"', "a position of 'chess'", "game"),
    ("players = 2", "players = 3", "there are 2 players, the rules say 3", "[[player]]"),
    ("players = 2", "stack_limt = 2", "there is no rule", "stack_limt"),
    ("players = 2", "players = 2\nstack_limit = 9", "stack_limit can't be 9", "stack_limit"),
    ("2 | .  | p  | r  | .  |", "2 | .  | p  | x  | .  |", "`x` in space c2", "| x "),
    ("2 | .  | p  | r  | .  |", "2 | .  | p  | r  |", "row 2 has 3 spaces", "| r  |"),
    ("2 | .  | p  | r  | .  |", "2 | .  | p  | rrrrr | .  |", "rrrrr", "rrrrr"),
]


@pytest.mark.parametrize(("old", "new", "words", "on_line"), FAULTS)
def test_faults(write, old, new, words, on_line):
    text = BASE.replace(old, new, 1)
    assert text != BASE
    path = write(text)
    with pytest.raises(InputError) as caught:
        reef.load(path)
    assert words in caught.value.what
    if on_line:
        assert on_line in text.splitlines()[caught.value.line - 1]
        assert caught.value.column >= 1
        assert str(caught.value).startswith(f"{path}:{caught.value.line}:{caught.value.column}: ")


def test_too_much_coral(write):
    text = BASE.replace("1 | .  | .  | .  | .  |", "1 | rrrr | rrrr | rrrr | rrrr |", 1)
    text = text.replace(text[text.index("supply ="):text.index("\n", text.index("supply ="))], "")
    with pytest.raises(InputError) as caught:
        reef.load(write(text.replace("4 | .  | .  | .  | .  |", "4 | rrrr | . | . | . |", 1)))
    assert caught.value.what == "22 red coral lie on the boards"
    assert "18 of each colour" in caught.value.why


def test_every_fault_is_listed(write):
    text = BASE.replace("hand = [6, 20]", "hand = [6, 13]").replace("deck = 53", "deck = 9")
    text = text.replace("tokens = [0, 0, 0]", "tokens = [0]")
    _, faults = reef.examine(write(text))
    assert [fault.what for fault in faults] == [
        "card 13 is here twice: in the hand of player 1 and on display",
        "tokens are listed for 1 cards", "card 20 is not in the hand",
        "the deck is said to have 9 cards"]


def test_notes_do_not_forbid(write):
    text = BASE.replace("2 | .  | p  | r  | .  |", "2 | .  | p  | .  | .  |", 1)
    text = text.replace("red = 16", "red = 17")
    position, faults = reef.examine(write(text))
    assert not faults
    assert positions.notes(position) == [
        "player 1 has no red coral, but every player starts with one of each colour and coral "
        "never leaves a board"]


def test_more_coral_than_was_played_is_noted(write):
    text = BASE.replace("1 | .  | .  | .  | .  |", "1 | r  | y  | .  | .  |", 1)
    text = text.replace("red = 16", "red = 15").replace("yellow = 16", "yellow = 15")
    position, faults = reef.examine(write(text))
    assert not faults
    assert positions.notes(position) == [
        "10 coral lie on the boards, but the start and the cards under `played` have brought at "
        "most 8: is `played` complete"]


def test_a_hand_limit_below_the_opening_hand(write):
    assert not reef.check(reef.new(reef.Rules(hand_limit=1), 5))


@pytest.mark.parametrize(("old", "new", "hint"), [
    ("hand = [6", "hadn = [6", "write hand for hadn"), ("[table]", "[tabel]", "write table for tabel"),
    ("display = ", "dislay = ", "write display for dislay")])
def test_slips_in_required_keys(write, old, new, hint):
    with pytest.raises(InputError) as caught:
        reef.load(write(BASE.replace(old, new, 1)))
    assert caught.value.hint == hint
    assert caught.value.line == line_of(BASE, old.split(" =")[0])


def test_game_over_is_noticed():
    position = reef.new(reef.Rules(supply_per_color=5), 1)
    full = reef.parse_board("rr,r,.,./.,r,y,./.,g,p,./.,.,.,.")
    first = positions.msgspec.structs.replace(position.players[0], board=full)
    over = positions.msgspec.structs.replace(position, players=(first, position.players[1]))
    assert over.supply["r"] == 0
    assert over.finished == "the supply of red is empty"
    later = positions.msgspec.structs.replace(over, to_move=1)
    assert later.finished == ""
    at_once = positions.msgspec.structs.replace(
        later, rules=reef.Rules(supply_per_color=5, end="immediate"))
    assert at_once.finished


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(BASE) - 1), st.integers(0, 12), st.text(max_size=6))
def test_mutated_files_never_give_a_traceback(tmp_path_factory, at, n, inserted):
    path = tmp_path_factory.mktemp("fuzz") / "game.toml"
    path.write_text(BASE[:at] + inserted + BASE[at + n:], encoding="utf-8", errors="replace")
    try:
        position = reef.load(str(path))
    except InputError as error:
        assert error.what
    else:
        assert not reef.check(position)
