"""Tests of the Reef reference itself: golden scores, small cases worked by hand, and a second brute force."""

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from . import reef
from .reef import CARDS, FIRED, RULE_IDS, Board, Card, Rules, parse_board

DEFAULT = Rules()
PLENTY = {"r": 9, "y": 9, "g": 9, "p": 9}

# The published worked scores, row by row: board, card, points.
GOLDEN = (
    (".,ryrr,yp,ggr/pg,r,gp,rryr/.,p,.,g/r,pyg,p,.", 57, 2),
    ("yy,p,yy,prr/yrr,r,rp,yr/gg,r,yrg,rpy/ppry,g,.,yppy", 45, 4),
    ("r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g", 17, 1),
    ("g,.,gyg,p/r,g,.,r/r,.,.,./.,g,.,.", 4, 1),
    (".,.,p,./.,g,.,r/g,yry,g,./.,.,yr,.", 23, 3),
    ("ypgg,.,yp,ggy/g,.,r,p/ggr,y,p,p/ygr,g,rgp,p", 18, 8),
    ("p,gp,.,./y,.,r,./p,p,y,p/.,.,y,.", 4, 5),
    ("rpy,.,gg,r/.,.,p,rpyp/pyg,ypr,.,./.,.,.,p", 60, 2),
    ("gy,gyyg,yy,./p,p,.,ppgp/.,yr,ry,./ypg,grr,.,yy", 22, 3),
    ("pp,r,.,gprp/.,pg,rgy,./.,yg,g,pgy/ry,rry,.,ryr", 30, 2),
    ("r,.,g,yg/gypp,rg,rpr,yp/.,gp,.,p/y,yr,grp,rp", 12, 4),
    ("y,gp,pgy,./g,r,y,ppg/pr,gpry,gp,./pypg,.,y,g", 14, 5),
    ("yp,.,g,pp/.,.,g,y/y,yr,g,ry/p,gr,r,g", 26, 5),
    ("gy,pr,g,./.,r,y,g/gyr,p,rypr,pyy/g,g,r,prr", 41, 4),
    ("gr,g,grpr,./p,.,ygrg,y/.,ryr,yg,y/py,gy,py,.", 27, 5),
    (".,yp,pg,r/yggp,r,p,rp/pyyr,ryr,.,./y,rg,py,g", 45, 4),
    (".,p,g,./ygr,yyrp,.,g/g,gyr,rgp,ppp/rryg,pg,rprp,gyy", 34, 5),
    ("yy,yg,rrpy,pp/rrr,rgp,gr,y/gr,rgy,y,./.,rg,yy,gpyp", 31, 5),
    ("gggy,grg,rpg,rrr/.,yg,gy,y/.,r,yyy,y/rp,p,rprr,ppg", 50, 6),
    ("r,yr,.,./.,.,g,rp/gy,p,rg,./g,g,yg,yyg", 39, 4),
)


def at(stacks: dict[int, str]) -> Board:
    """The board with these stacks by space index and nothing else."""
    return tuple(stacks.get(space, "") for space in range(16))


def full(stack: str) -> Board:
    return (stack,) * 16


def one_level_left(height: int = 4) -> Board:
    """Every space full but space 0, which has one free level."""
    return ("y" * (height - 1),) + ("y" * height,) * 15


def random_board(rng: random.Random, highest: int = 4, colours: str = "rygp") -> Board:
    return tuple("".join(rng.choices(colours, k=rng.randint(0, highest))) for _ in range(16))


def card_of(*cells: tuple[int, int, reef.Demand], coral: str = "rg", points: int = 3) -> Card:
    return Card(0, "made by hand", tuple(coral), points, cells, "", "")


def sets(*spaces: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(each) for each in spaces}


@pytest.mark.parametrize(("text", "card", "points"), GOLDEN)
def test_golden_scores(text: str, card: int, points: int) -> None:
    assert reef.score(parse_board(text), CARDS[card], DEFAULT)[1] == points
    assert reef.format_board(parse_board(text)) == text


# Notation, rules and card data


def test_notation() -> None:
    board = parse_board("r,.,.,./.,gy,.,./.,.,.,./.,.,.,pppp")
    assert board == at({0: "r", 5: "gy", 15: "pppp"})
    assert reef.format_board(board) == "r,.,.,./.,gy,.,./.,.,.,./.,.,.,pppp"


@pytest.mark.parametrize(
    "text",
    ["", "r,r,r,r/r,r,r,r/r,r,r,r", "r,r,r/r,r,r,r/r,r,r,r/r,r,r,r", "b,.,.,./.,.,.,./.,.,.,./.,.,.,.",
     ",.,.,./.,.,.,./.,.,.,./.,.,.,.", "r.,.,.,./.,.,.,./.,.,.,./.,.,.,."],
)  # fmt: skip
def test_notation_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="not 4 rows of 4"):
        parse_board(text)


def test_rules_defaults_are_the_first_values_of_the_page() -> None:
    assert vars(DEFAULT) == {
        "players": 2, "supply_per_color": None, "start_layout": "center", "stack_limit": 4, "hand_limit": 4,
        "deck_draw_cost": 1, "start_points": 3, "display_size": 3, "deck_draw_target_tie": "choose",
        "tallest_tie": "best", "short_supply": "place_available", "overlap": "disjoint", "end": "deck_at_once",
        "hand_scoring": "once", "hand_scoring_neighbor": "one", "tie_break": "empty",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("players", (2, 3, 4), (1, 5)),
        ("supply_per_color", (None, 5, 60), (4, 61)),
        ("start_layout", ("center", "edge", "free"), ("centre",)),
        ("stack_limit", (1, 8), (0, 9)),
        ("hand_limit", (1, 8), (0, 9)),
        ("deck_draw_cost", (0, 5), (-1, 6)),
        ("start_points", (0, 20), (-1, 21)),
        ("display_size", (1, 6), (0, 7)),
        ("deck_draw_target_tie", ("choose", "leftmost"), ("rightmost",)),
        ("tallest_tie", ("best", "all"), ("worst",)),
        ("short_supply", ("place_available", "illegal"), ("",)),
        ("overlap", ("disjoint", "overlapping"), ("none",)),
        ("end", ("deck_at_once", "finish_round", "immediate"), ("at_once",)),
        ("hand_scoring", ("once", "full", "none"), (None,)),
        ("hand_scoring_neighbor", ("one", "all"), ("none",)),
        ("tie_break", ("empty", "covered"), ("full",)),
    ],
)
def test_rules_take_the_values_of_the_page_only(
    name: str, good: tuple[object, ...], bad: tuple[object, ...]
) -> None:
    for value in good:
        assert getattr(Rules(**{name: value}), name) == value  # type: ignore[arg-type]
    for value in bad:
        with pytest.raises(ValueError, match=name):
            Rules(**{name: value})  # type: ignore[arg-type]


def test_cards_are_those_of_the_data() -> None:
    assert sorted(CARDS) == list(range(1, 61))
    assert all(len(card.coral) == 2 for card in CARDS.values())
    assert Counter(colour for card in CARDS.values() for colour in card.coral) == dict.fromkeys("rygp", 30)
    neighbour_cards = [card for card in CARDS.values() if card.centre]
    assert len(neighbour_cards) == 8
    assert {card.points for card in neighbour_cards} == {2}
    assert all(bool(card.cells) != bool(card.centre and card.neighbour) for card in CARDS.values())
    assert CARDS[15].coral == ("y", "p")
    assert CARDS[15].cells == ((0, 0, ("g", 4, 4)),)
    assert CARDS[31].cells == ((0, 0, ("r", 2, 8)), (1, 1, ("y", 2, 8)))
    assert CARDS[37].cells[2] == (0, 2, ("r", 1, 8))
    assert (CARDS[53].centre, CARDS[53].neighbour) == ("r", "g")


def test_data_has_only_the_heights_that_the_page_explains() -> None:
    data = json.loads(Path(reef.__file__).with_name("reef_cards.json").read_text(encoding="utf-8"))
    ranges = {
        (cell["min_h"], cell["max_h"]) for card in data["cards"] for cell in card["pattern"].get("cells", ())
    }
    assert ranges == {(1, 4), (2, 4), (2, 2), (3, 3), (4, 4)}


def test_mirror_images_add_nothing() -> None:
    for card in CARDS.values():
        mirrored = card_of(*((row, -column, demand) for row, column, demand in card.cells))
        assert not card.cells or mirrored.positions.keys() == card.positions.keys()


# Patterns


@pytest.mark.parametrize(
    ("demand", "fitting", "others"),
    [
        (("r", 1, 8), ["r", "gr", "ggggr", "ggggggrr"], ["", "g", "rg", "rrrrg"]),
        (("r", 2, 2), ["rr", "gr"], ["", "r", "rg", "grr", "ggrr"]),
        (("r", 4, 4), ["gggr"], ["ggr", "ggggr", "ggggggr"]),
        (("r", 2, 8), ["gr", "ggr", "gggr", "ggggr", "gggggggr"], ["", "r", "rg"]),
        (("any", 2, 2), ["rr", "gp"], ["", "r", "rrr"]),
        (("any", 1, 8), ["r", "ggggy"], [""]),
    ],
)
def test_fits(demand: reef.Demand, fitting: list[str], others: list[str]) -> None:
    assert all(reef.fits(stack, demand) for stack in fitting)
    assert not any(reef.fits(stack, demand) for stack in others)


def test_each_cell_of_any_colour_is_free() -> None:
    assert reef.occurrences(at({0: "rg", 1: "yp", 2: "gg"}), CARDS[30], DEFAULT) == sets((0, 1), (1, 2))


def test_an_occurrence_does_not_run_over_the_edge_of_the_board() -> None:
    assert reef.occurrences(at({2: "r", 3: "r", 4: "r"}), CARDS[37], DEFAULT) == set()
    assert reef.occurrences(at({3: "r", 4: "g"}), CARDS[20], DEFAULT) == set()


@pytest.mark.parametrize(
    ("card", "stacks", "expected"),
    [
        (20, {5: "r", 4: "g", 6: "g", 1: "g", 9: "g", 0: "g"}, sets((4, 5), (5, 6), (1, 5), (5, 9))),
        (31, {5: "rr", 0: "yy", 2: "yy", 8: "yy", 10: "y", 4: "yy"}, sets((0, 5), (2, 5), (5, 8))),
        (37, dict.fromkeys((0, 1, 2, 3, 4, 8), "r"), sets((0, 1, 2), (1, 2, 3), (0, 4, 8))),
        (41, dict.fromkeys((0, 5, 10, 15, 3, 6, 9), "r"), sets((0, 5, 10), (5, 10, 15), (3, 6, 9))),
        (45, dict.fromkeys((0, 1, 4, 5), "r"), sets((0, 1, 4), (0, 1, 5), (0, 4, 5), (1, 4, 5))),
        (49, dict.fromkeys((0, 1, 4, 5, 2, 6), "r"), sets((0, 1, 4, 5), (1, 2, 5, 6))),
    ],
)
def test_occurrences(card: int, stacks: dict[int, str], expected: set[frozenset[int]]) -> None:
    assert reef.occurrences(at(stacks), CARDS[card], DEFAULT) == expected


@pytest.mark.parametrize(
    ("card", "n_positions"),
    [(1, 16), (20, 48), (26, 24), (30, 24), (31, 36), (37, 16), (41, 8), (45, 36), (49, 9)],
)
def test_positions(card: int, n_positions: int) -> None:
    assert len(CARDS[card].positions) == n_positions


def turned(board: Board) -> Board:
    """The board a quarter turn clockwise."""
    return tuple(board[(3 - column) * 4 + row] for row in range(4) for column in range(4))


def occurrences_by_turning_the_board(board: Board, card: Card) -> set[frozenset[int]]:
    """A second way: the pattern only moves, the board turns."""
    names = tuple(str(space) for space in range(16))
    found = set()
    for _ in range(4):
        for down, right in product(range(-3, 4), repeat=2):
            moved = [(row + down, column + right, demand) for row, column, demand in card.cells]
            if all(row in range(4) and column in range(4) for row, column, _ in moved) and all(
                lowest <= len(board[row * 4 + column]) <= highest
                and colour in ("any", board[row * 4 + column][-1])
                for row, column, (colour, lowest, highest) in moved
            ):
                found.add(frozenset(int(names[row * 4 + column]) for row, column, _ in moved))
        board, names = turned(board), turned(names)
    return found


def largest_by_counting_down(found: set[frozenset[int]]) -> set[frozenset[frozenset[int]]]:
    """A second way: all subsets, the largest first."""
    for size in range(len(found), -1, -1):
        choices = {
            frozenset(choice)
            for choice in combinations(found, size)
            if len(frozenset().union(*choice)) == sum(map(len, choice))
        }
        if choices:
            return choices
    raise AssertionError


def neighbours_on_a_padded_board(board: Board, card: Card) -> list[int]:
    """A second way: what each tallest stack scores, on a board with a rim of empty spaces."""
    padded = {(row, column): "" for row in range(-1, 5) for column in range(-1, 5)}
    padded |= {(space // 4, space % 4): stack for space, stack in enumerate(board)}
    centres = {place: len(stack) for place, stack in padded.items() if stack.endswith(card.centre)}
    counts = []
    for (row, column), height in centres.items():
        if height == max(centres.values()):
            window = [padded[row + i, column + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
            counts.append(sum(stack.endswith(card.neighbour) for stack in window))
    return counts


@pytest.mark.parametrize("seed", range(30))
def test_scores_agree_with_a_second_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, rng.randint(1, 8), rng.choice(("rygp", "ryg", "gp")))
    for card in CARDS.values():
        if card.centre:
            counts = neighbours_on_a_padded_board(board, card)
            expected = {"best": max(counts, default=0), "all": sum(counts)}
            for tie, count in expected.items():
                assert reef.score(board, card, Rules(tallest_tie=tie)) == (count, 2 * count)
            continue
        found = occurrences_by_turning_the_board(board, card)
        assert reef.occurrences(board, card, DEFAULT) == found
        overlapping = reef.score(board, card, Rules(overlap="overlapping"))
        assert overlapping == (len(found), len(found) * card.points)
        if len(found) <= 12:
            choices = largest_by_counting_down(found)
            count = len(next(iter(choices)))
            assert reef.disjoint_sets(board, card, DEFAULT) == choices
            assert reef.score(board, card, DEFAULT) == (count, count * card.points)


def test_same_set_of_spaces_counts_once_even_with_two_readings() -> None:
    card = card_of((0, 0, ("r", 1, 8)), (0, 1, ("any", 1, 8)))
    assert reef.score(at({0: "r", 1: "r"}), card, Rules(overlap="overlapping")) == (1, 3)


def test_a_pattern_without_symmetry_turns_but_is_not_mirrored() -> None:
    knight = card_of((0, 0, ("r", 1, 8)), (1, 0, ("y", 1, 8)), (2, 0, ("y", 1, 8)), (2, 1, ("g", 1, 8)))
    assert reef.score(at({0: "r", 4: "y", 8: "y", 9: "g"}), knight, DEFAULT)[0] == 1
    assert reef.score(at({2: "r", 1: "y", 0: "y", 4: "g"}), knight, DEFAULT)[0] == 1
    assert reef.score(at({1: "r", 5: "y", 9: "y", 8: "g"}), knight, DEFAULT)[0] == 0


# Disjoint occurrences


def test_maximum_of_disjoint_occurrences() -> None:
    row = at(dict.fromkeys((0, 1, 2, 3), "yr"))  # pairs 01 12 23
    assert reef.score(row, CARDS[26], DEFAULT) == (2, 10)
    assert reef.disjoint_sets(row, CARDS[26], DEFAULT) == {frozenset(sets((0, 1), (2, 3)))}
    assert reef.score(row, CARDS[26], Rules(overlap="overlapping")) == (3, 15)
    assert reef.disjoint_sets(row, CARDS[26], Rules(overlap="overlapping")) == {
        frozenset(sets((0, 1), (1, 2), (2, 3)))
    }


def test_every_choice_that_reaches_the_maximum() -> None:
    row = at(dict.fromkeys((0, 1, 2), "yr"))
    assert reef.disjoint_sets(row, CARDS[26], DEFAULT) == {frozenset(sets((0, 1))), frozenset(sets((1, 2)))}
    assert reef.disjoint_sets(at({}), CARDS[26], DEFAULT) == {frozenset()}
    assert reef.disjoint_sets(at({}), CARDS[26], Rules(overlap="overlapping")) == {frozenset()}


@pytest.mark.parametrize(("card", "count", "n_choices"), [(1, 16, 1), (37, 5, 16), (45, 5, 16), (49, 4, 1)])
def test_a_reef_of_one_colour(card: int, count: int, n_choices: int) -> None:
    assert reef.score(full("r"), CARDS[card], DEFAULT)[0] == count
    assert len(reef.disjoint_sets(full("r"), CARDS[card], DEFAULT)) == n_choices


def test_pairs_tile_the_board_in_36_ways() -> None:
    assert reef.score(full("rr"), CARDS[26], DEFAULT) == (8, 40)
    assert len(reef.disjoint_sets(full("rr"), CARDS[26], DEFAULT)) == 36  # domino tilings of 4 x 4


def test_cells_and_neighbour_functions_refuse_each_others_cards() -> None:
    with pytest.raises(ValueError, match="is a neighbour card"):
        reef.occurrences(at({}), CARDS[53], DEFAULT)
    with pytest.raises(ValueError, match="is a neighbour card"):
        reef.disjoint_sets(at({}), CARDS[53], DEFAULT)
    with pytest.raises(ValueError, match="is no neighbour card"):
        reef.tallest_choices(at({}), CARDS[1], DEFAULT)


# Neighbour cards (53: a tallest red stack, its green neighbours)

EIGHT = (0, 1, 2, 4, 6, 8, 9, 10)  # the neighbours of space 5


def test_all_eight_neighbours_and_no_others_score() -> None:
    board = at({space: "g" for space in range(16) if space != 5} | {5: "r"})
    assert reef.score(board, CARDS[53], DEFAULT) == (8, 16)
    assert reef.tallest_choices(board, CARDS[53], DEFAULT) == {frozenset({(5, frozenset(EIGHT))})}


def test_neighbours_end_at_the_edge() -> None:
    assert reef.score(at({3: "r", 4: "g", 8: "g"}), CARDS[53], DEFAULT) == (0, 0)
    assert reef.score(at({3: "r", 2: "g", 6: "g", 7: "yg"}), CARDS[53], DEFAULT) == (3, 6)


def test_only_a_tallest_stack_counts_whatever_it_scores() -> None:
    board = at({0: "rr", 10: "r", 9: "g", 11: "g", 12: "yyyy"})
    assert reef.score(board, CARDS[53], DEFAULT) == (0, 0)
    assert reef.tallest_choices(board, CARDS[53], DEFAULT) == {frozenset({(0, frozenset())})}


TIED = at({0: "yr", 2: "gr", 1: "g", 3: "g", 15: "yr", 14: "r", 11: "pppp"})  # 0 has 1; 2 has 1 and 3; 15 none


def test_tallest_tie() -> None:
    every = Rules(tallest_tie="all")
    assert reef.score(TIED, CARDS[53], DEFAULT) == (2, 4)
    assert reef.tallest_choices(TIED, CARDS[53], DEFAULT) == {frozenset({(2, frozenset({1, 3}))})}
    assert reef.score(TIED, CARDS[53], every) == (3, 6)  # space 1 counts for both of its tallest stacks
    assert reef.tallest_choices(TIED, CARDS[53], every) == {
        frozenset({(0, frozenset({1})), (2, frozenset({1, 3})), (15, frozenset())})
    }


def test_equally_good_tallest_stacks_may_both_be_shown() -> None:
    board = at({0: "r", 2: "r", 1: "g"})
    shown = {frozenset({(0, frozenset({1}))}), frozenset({(2, frozenset({1}))})}
    assert reef.tallest_choices(board, CARDS[53], DEFAULT) == shown
    assert reef.score(board, CARDS[53], DEFAULT) == (1, 2)


@pytest.mark.parametrize("tie", ["best", "all"])
def test_no_stack_of_the_centre_colour(tie: str) -> None:
    board = at({0: "rg", 1: "g"})
    assert reef.score(board, CARDS[53], Rules(tallest_tie=tie)) == (0, 0)
    assert reef.tallest_choices(board, CARDS[53], Rules(tallest_tie=tie)) == {frozenset()}


def test_overlap_changes_nothing_for_a_neighbour_card() -> None:
    assert reef.score(TIED, CARDS[53], Rules(overlap="overlapping")) == (2, 4)


# Cards left in hand


@pytest.mark.parametrize(
    ("hand_scoring", "neighbor", "tie", "cells_points", "neighbour_points"),
    [
        ("once", "one", "best", 3, 2),
        ("once", "all", "best", 3, 4),
        ("once", "one", "all", 3, 2),
        ("once", "all", "all", 3, 6),
        ("full", "one", "best", 6, 4),
        ("full", "all", "best", 6, 4),
        ("full", "one", "all", 6, 6),
        ("none", "one", "best", 0, 0),
        ("none", "all", "all", 0, 0),
    ],
)
def test_hand_score(
    hand_scoring: str, neighbor: str, tie: str, cells_points: int, neighbour_points: int
) -> None:
    rules = Rules(hand_scoring=hand_scoring, hand_scoring_neighbor=neighbor, tallest_tie=tie)
    two_pairs = at({0: "r", 1: "g", 14: "g", 15: "r"})
    assert reef.hand_score(two_pairs, CARDS[20], rules) == cells_points
    assert reef.hand_score(TIED, CARDS[53], rules) == neighbour_points
    assert reef.hand_score(at({}), CARDS[20], rules) == reef.hand_score(at({}), CARDS[53], rules) == 0


def test_hand_score_of_one_occurrence_is_the_same_once_and_full() -> None:
    for hand_scoring in ("once", "full"):
        assert reef.hand_score(at({0: "r", 1: "g"}), CARDS[20], Rules(hand_scoring=hand_scoring)) == 3


def test_hand_score_once_is_one_occurrence_under_overlapping_too() -> None:
    assert reef.hand_score(at({0: "g", 1: "r", 2: "g"}), CARDS[20], Rules(overlap="overlapping")) == 3


# Placing (card 13: coral g p; card 1: coral g g)


def test_two_colours_on_the_empty_board() -> None:
    results = reef.placements(at({}), CARDS[13], None, DEFAULT)
    assert len(results) == 16 * 15 + 16 * 2  # two spaces; one space in either order
    assert results[at({3: "g", 7: "p"}), None] == [(("g", 3), ("p", 7)), (("p", 7), ("g", 3))]
    assert results[at({3: "gp"}), None] == [(("g", 3), ("p", 3))]
    assert results[at({3: "pg"}), None] == [(("p", 3), ("g", 3))]
    assert sum(map(len, results.values())) == 2 * 16 * 16


def test_two_equal_coral_on_the_empty_board() -> None:
    results = reef.placements(at({}), CARDS[1], None, DEFAULT)
    assert len(results) == 16 * 15 // 2 + 16
    assert results[at({3: "g", 7: "g"}), None] == [(("g", 3), ("g", 7)), (("g", 7), ("g", 3))]
    assert results[at({3: "gg"}), None] == [(("g", 3), ("g", 3))]


@pytest.mark.parametrize("limit", range(1, 9))
def test_stack_limit(limit: int) -> None:
    rules = Rules(stack_limit=limit)
    two_free = ("y" * limit,) * 14 + ("y" * (limit - 1),) * 2
    expected = {(*two_free[:14], two_free[14] + a, two_free[15] + b) for a, b in ("gp", "pg")}
    assert {board for board, _ in reef.placements(two_free, CARDS[13], None, rules)} == expected
    two_levels = ("y" * limit,) * 15 + ("y" * max(0, limit - 2),)
    # Limit 1 leaves a single level: either coral. Above, both go on the one space in either order.
    expected = {("y" * limit,) * 15 + ("y" * max(0, limit - 2) + added,) for added in ("gp", "pg")}
    if limit == 1:
        expected = {("y",) * 15 + (added,) for added in "gp"}
    assert {board for board, _ in reef.placements(two_levels, CARDS[13], None, rules)} == expected


def test_coral_comes_from_the_supply() -> None:
    results = reef.placements(at({}), CARDS[13], {"r": 1, "y": 2, "g": 3, "p": 4}, DEFAULT)
    assert {left for _, left in results} == {(1, 2, 2, 3)}
    supply = {"g": 2}  # a colour that isn't named has run out
    assert {left for _, left in reef.placements(at({}), CARDS[1], supply, DEFAULT)} == {(0, 0, 0, 0)}
    assert supply == {"g": 2}


ILLEGAL = Rules(short_supply="illegal")


def boards_and_supplies(
    board: Board, card: int, supply: reef.Supply, rules: Rules = DEFAULT
) -> set[tuple[Board, object]]:
    return set(reef.placements(board, CARDS[card], supply, rules))


@pytest.mark.parametrize("rules", [DEFAULT, ILLEGAL])
def test_one_level_and_two_colours_either_is_placed(rules: Rules) -> None:
    board = one_level_left()
    assert reef.placements(board, CARDS[13], PLENTY, rules) == {
        (("yyyg", *board[1:]), (9, 9, 8, 9)): [(("g", 0),)],
        (("yyyp", *board[1:]), (9, 9, 9, 8)): [(("p", 0),)],
    }


@pytest.mark.parametrize("rules", [DEFAULT, ILLEGAL])
def test_one_level_and_two_equal_coral_one_is_placed(rules: Rules) -> None:
    board = one_level_left()
    results = reef.placements(board, CARDS[1], {"g": 2}, rules)
    assert results == {(("yyyg", *board[1:]), (0, 0, 1, 0)): [(("g", 0),)]}


@pytest.mark.parametrize("rules", [DEFAULT, ILLEGAL])
def test_no_room_is_one_legal_placement_of_nothing(rules: Rules) -> None:
    assert reef.placements(full("yyyy"), CARDS[13], PLENTY, rules) == {(full("yyyy"), (9, 9, 9, 9)): [()]}
    assert reef.placements(full("yyyy"), CARDS[1], None, rules) == {(full("yyyy"), None): [()]}


def test_short_supply_gives_what_it_has() -> None:
    one_green = {"g": 1}
    results = reef.placements(at({}), CARDS[1], one_green, DEFAULT)  # of two equal coral, one
    assert results == {(at({space: "g"}), (0, 0, 0, 0)): [(("g", space),)] for space in range(16)}
    assert reef.placements(at({}), CARDS[13], one_green, DEFAULT) == results  # of two colours, the other
    nothing = {(at({}), (5, 5, 0, 0)): [()]}
    assert reef.placements(at({}), CARDS[13], {"r": 5, "y": 5}, DEFAULT) == nothing
    assert reef.placements(at({}), CARDS[1], {"r": 5, "y": 5}, DEFAULT) == nothing


@pytest.mark.parametrize("board", [at({}), one_level_left(), full("yyyy")])
@pytest.mark.parametrize(
    ("card", "supply"), [(1, {"g": 1, "p": 9}), (13, {"g": 9}), (13, {"p": 9}), (13, {"r": 9})]
)
def test_short_supply_illegal_whatever_the_room(board: Board, card: int, supply: dict[str, int]) -> None:
    assert reef.placements(board, CARDS[card], supply, ILLEGAL) == {}
    assert reef.best_placement(board, CARDS[card], supply, ILLEGAL) is None
    assert reef.plan(board, [CARDS[card]], supply, ILLEGAL) is None
    assert reef.placements(board, CARDS[card], supply, DEFAULT) != {}


def test_short_supply_together_with_one_level() -> None:
    board = one_level_left()
    assert boards_and_supplies(board, 13, {"p": 1}) == {(("yyyp", *board[1:]), (0, 0, 0, 0))}
    assert boards_and_supplies(board, 13, {"g": 1}) == {(("yyyg", *board[1:]), (0, 0, 0, 0))}
    assert boards_and_supplies(board, 1, {"g": 1}) == {(("yyyg", *board[1:]), (0, 0, 0, 0))}
    assert boards_and_supplies(board, 1, {"p": 1}) == {(board, (0, 0, 0, 1))}
    assert boards_and_supplies(full("yyyy"), 1, {"g": 1}) == {(full("yyyy"), (0, 0, 1, 0))}


def results_of_dropping_on(
    board: Board, wanted: str, left: dict[str, int], limit: int
) -> set[tuple[Board, object]]:
    """A second way: drop whatever can be dropped until nothing more can be."""
    results = set()
    for colour, space in product(set(wanted), range(16)):
        if left[colour] > 0 and len(board[space]) < limit:
            after = tuple(stack + colour if i == space else stack for i, stack in enumerate(board))
            taken = {c: n - (c == colour) for c, n in left.items()}
            results |= results_of_dropping_on(after, wanted.replace(colour, "", 1), taken, limit)
    return results or {(board, tuple(left[colour] for colour in "rygp"))}


@pytest.mark.parametrize("seed", range(20))
def test_placements_agree_with_dropping_until_nothing_can_be_dropped(seed: int) -> None:
    rng = random.Random(seed)
    limit = rng.randint(1, 8)
    board = [rng.choice(("y" * limit, "p" * limit, "g" * rng.randint(0, limit))) for _ in range(16)]
    for n_free in range(4):  # as it is, then with 0, 1 and 2 spaces that may have room
        supply = {colour: rng.randint(0, 2) for colour in "rygp"}
        for card in rng.sample(list(CARDS.values()), 5):
            expected = results_of_dropping_on(tuple(board), "".join(card.coral), supply, limit)
            assert boards_and_supplies(tuple(board), card.id, supply, Rules(stack_limit=limit)) == expected
        board = ["y" * limit] * (16 - n_free) + board[:n_free]


def test_placed_coral_never_moves() -> None:
    board = random_board(random.Random(7))
    for after, _ in reef.placements(board, CARDS[13], None, DEFAULT):
        assert all(new.startswith(old) for old, new in zip(board, after, strict=True))
        assert sum(map(len, after)) == sum(map(len, board)) + 2


# The best placement and plans


def test_best_placement() -> None:
    assert reef.best_placement(at({}), CARDS[17], None, DEFAULT) == 1  # both on one space: a stack of 2
    assert reef.best_placement(at({}), CARDS[18], None, DEFAULT) == 0  # scoring nothing is allowed
    assert reef.best_placement(at({0: "g"}), CARDS[17], None, DEFAULT) == 1
    assert reef.best_placement(at({0: "g", 1: "g"}), CARDS[17], None, DEFAULT) == 2


def test_placing_is_mandatory_even_where_it_costs_points() -> None:
    board = ("yyr",) + ("yyyy",) * 15
    assert reef.score(board, CARDS[9], DEFAULT) == (1, 4)  # a red stack of exactly 3
    assert reef.best_placement(board, CARDS[9], None, DEFAULT) == 0  # coral y y: it must go there
    assert reef.best_placement(board, CARDS[9], {"r": 5}, DEFAULT) == 4  # no yellow is left to place


def plan_by_listing_all_lines(
    board: Board, cards: list[Card], supply: dict[str, int], rules: Rules
) -> int | None:
    """A second way: every order, every pair of drops, no memo."""
    totals = []
    for order in permutations(cards):
        lines = [(board, supply, 0)]
        for card in order:
            lines = [
                (after, dict(zip("rygp", left or (), strict=True)), total + reef.score(after, card, rules)[1])
                for before, stock, total in lines
                for after, left in reef.placements(before, card, stock, rules)
            ]
        totals += [total for _, _, total in lines]
    return max(totals, default=None)


@pytest.mark.parametrize("seed", range(6))
def test_plan_agrees_with_a_list_of_all_lines(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        board = tuple(rng.choice(("yyyy", "rgpg", "ggrr", "pppr", "rrrg")) for _ in range(13))
        board += tuple(rng.choice(("yy", "r", "gp", "yyg")) for _ in range(3))
        supply = {colour: rng.randint(0, 3) for colour in "rygp"}
        cards = rng.sample(list(CARDS.values()), 2)
        rules = Rules(short_supply=rng.choice(("place_available", "illegal")))
        assert reef.plan(board, cards, supply, rules) == plan_by_listing_all_lines(board, cards, supply, rules)


def test_plan() -> None:
    full_board = full("yyyy")
    assert reef.plan(at({}), [], None, DEFAULT) == 0
    assert reef.plan(full_board, [CARDS[2], CARDS[14], CARDS[1]], None, DEFAULT) == 16 + 80
    assert reef.plan(at({}), [CARDS[3]], PLENTY, DEFAULT) == reef.best_placement(
        at({}), CARDS[3], PLENTY, DEFAULT
    )
    board = ("yyg", "gg") + ("yyyy",) * 14
    assert reef.plan(board, [CARDS[1], CARDS[3]], None, DEFAULT) == plan_by_listing_all_lines(
        board, [CARDS[1], CARDS[3]], PLENTY, DEFAULT
    )
    assert reef.plan(at({}), [CARDS[1], CARDS[1]], {"g": 3}, ILLEGAL) is None


NEVER = (0, 0, ("any", 7, 7))


def test_plan_distinguishes_boards_by_height() -> None:
    board = ("g", "g") + ("yyyy",) * 14
    cards = [card_of(NEVER, coral="gg"), card_of((0, 0, ("any", 2, 2)), coral="rr")]
    # Both greens on one stack or one on each: green tops either way; only the latter makes two stacks of 2.
    assert reef.plan(board, cards, {"g": 2}, DEFAULT) == 6


def test_plan_distinguishes_boards_by_supply() -> None:
    board = ("yy", "yyy") + ("yyyy",) * 14  # three free levels
    two_colours, equal = card_of(NEVER, coral="rg"), card_of(NEVER, coral="pp")
    last = card_of((0, 0, ("r", 4, 4)), coral="gg", points=50)
    # r, g, p and p, p, r can end with the same tops; only the latter leaves the last card its two greens.
    assert reef.plan(board, [two_colours, equal, last], {"r": 1, "g": 2, "p": 2}, ILLEGAL) == 50


# Set-up


@pytest.mark.parametrize(("players", "in_play"), [(2, 18), (3, 24), (4, 28)])
def test_start_supply(players: int, in_play: int) -> None:
    assert reef.start_supply(Rules(players=players)) == dict.fromkeys("rygp", in_play - players)
    assert reef.start_supply(Rules(players=players, supply_per_color=5)) == dict.fromkeys("rygp", 5 - players)


@pytest.mark.parametrize(
    ("layout", "limit", "n_layouts"),
    [
        ("center", 1, 24),
        ("center", 4, 24),
        ("edge", 1, 12 * 11 * 10 * 9),
        ("edge", 4, 12 * 13 * 14 * 15),
        ("free", 1, 16 * 15 * 14 * 13),
        ("free", 2, 16 * 17 * 18 * 19 - 16 * 24 - 16 * 15 * 24),  # less 4 on one space, less 3 on one space
        ("free", 3, 16 * 17 * 18 * 19 - 16 * 24),
        ("free", 8, 16 * 17 * 18 * 19),
    ],
)
def test_start_layouts(layout: str, limit: int, n_layouts: int) -> None:
    boards = list(reef.start_layouts(Rules(start_layout=layout, stack_limit=limit)))
    assert len(boards) == len(set(boards)) == n_layouts
    used = {"center": {5, 6, 9, 10}, "edge": set(range(16)) - {5, 6, 9, 10}, "free": set(range(16))}[layout]
    for board in boards:
        assert sorted("".join(board)) == sorted("rygp")
        assert max(map(len, board)) <= limit
    assert {space for board in boards for space in range(16) if board[space]} == used


# The end (SPREAD: 12 empty spaces, no stack of 4; STACKED: 13 empty, two stacks of 4)

SPREAD = at({0: "r", 1: "r", 2: "r", 3: "r"})
STACKED = at({0: "rrrr", 1: "gggg", 2: "g"})
STACKED_ONCE = at({0: "rrrr", 1: "ggggg", 2: "g"})


@pytest.mark.parametrize(
    ("boards", "scores", "tie_break", "winners"),
    [
        ([SPREAD, STACKED], [9, 8], "empty", [0]),
        ([SPREAD, STACKED], [8, 9], "covered", [1]),
        ([SPREAD, STACKED], [9, 9], "empty", [1]),
        ([SPREAD, STACKED], [9, 9], "covered", [0]),
        ([SPREAD, STACKED, STACKED], [9, 8, 8], "empty", [0]),
        ([STACKED_ONCE, STACKED], [9, 9], "empty", [1]),  # a stack of 5 isn't a stack of height 4
        ([STACKED_ONCE, STACKED], [9, 9], "covered", [1]),
        ([STACKED, STACKED_ONCE, STACKED, SPREAD], [9, 9, 9, 9], "empty", [0, 2]),
        ([SPREAD, SPREAD, STACKED], [7, 7, 6], "empty", [0, 1]),
        ([SPREAD, SPREAD, SPREAD, SPREAD], [0, 0, 0, 0], "covered", [0, 1, 2, 3]),
    ],
)
def test_final_ranking(boards: list[Board], scores: list[int], tie_break: str, winners: list[int]) -> None:
    assert reef.final_ranking(boards, scores, Rules(tie_break=tie_break)) == winners


# Every rule id fires where the rule decides, and not where it doesn't

Call = Callable[[], object]


def scoring(card: int, stacks: dict[int, str], **options: str) -> Call:
    return lambda: reef.score(at(stacks), CARDS[card], Rules(**options))  # type: ignore[arg-type]


def in_hand(card: int, board: Board, **options: str) -> Call:
    return lambda: reef.hand_score(board, CARDS[card], Rules(**options))  # type: ignore[arg-type]


def placing(card: int, board: Board, supply: reef.Supply = None, **options: object) -> Call:
    return lambda: reef.placements(board, CARDS[card], supply, Rules(**options))  # type: ignore[arg-type]


def playing(card: int, board: Board, supply: reef.Supply = None) -> Call:
    return lambda: reef.best_placement(board, CARDS[card], supply, DEFAULT)


def starting(**options: object) -> Call:
    return lambda: list(reef.start_layouts(Rules(**options)))  # type: ignore[arg-type]


def supplying(**options: int) -> Call:
    return lambda: reef.start_supply(Rules(**options))  # type: ignore[arg-type]


def ending(boards: list[Board], scores: list[int], tie_break: str = "empty") -> Call:
    return lambda: reef.final_ranking(boards, scores, Rules(tie_break=tie_break))


def nothing() -> None:
    pass


RED_ROW = dict.fromkeys((0, 1, 2), "yr")  # two overlapping pairs
TWO_REDS = at({0: "r", 5: "r"})
TWO_GREENS = {0: "r", 1: "g", 2: "g", 5: "g"}
# 0-1 is the first pair found, but only 0-4 with 1-2 makes two.
FIRST_COSTS_ONE = dict.fromkeys((0, 1, 2, 4), "rr")

DECIDES: dict[str, tuple[Call, Call]] = {
    "pattern.top_colour": (scoring(1, {0: "rg"}), scoring(1, {0: "gg"})),
    "pattern.any_colour": (scoring(17, {0: "rg"}), scoring(5, {0: "rr"})),
    "pattern.any_height": (scoring(1, {0: "gr"}), scoring(1, {0: "r"})),
    "pattern.exact_height": (scoring(5, {0: "ggr"}), scoring(5, {0: "gr"})),
    "pattern.at_least_height": (scoring(31, {0: "r"}), scoring(31, {0: "rr", 5: "yy"})),
    "pattern.open_height_above_4": (scoring(31, {0: "yyyyr"}), scoring(13, {0: "yyyyr"})),
    "pattern.rotation": (scoring(20, {0: "g", 1: "r"}), scoring(20, {0: "r", 1: "g"})),
    "pattern.same_set_once": (scoring(26, {0: "rr", 1: "rr"}), scoring(20, {0: "r", 1: "g"})),
    "score.times_points": (scoring(1, {0: "r", 1: "r"}), scoring(1, {0: "r"})),
    "score.maximum": (scoring(26, FIRST_COSTS_ONE), scoring(26, RED_ROW)),
    "option.overlap.disjoint": (scoring(26, RED_ROW), scoring(26, {0: "rr", 1: "rr"})),
    "option.overlap.overlapping": (
        scoring(26, RED_ROW, overlap="overlapping"),
        scoring(26, {0: "rr", 1: "rr"}, overlap="overlapping"),
    ),
    "neighbour.tallest": (
        scoring(53, {0: "rr", 10: "r", 11: "g"}),
        scoring(53, {0: "rr", 1: "g", 10: "r", 11: "g"}),
    ),
    "neighbour.other_colours": (scoring(53, {0: "r", 1: "yg"}), scoring(53, {0: "r", 1: "g"})),
    "neighbour.no_centre": (scoring(53, {0: "g"}), scoring(53, {0: "r"})),
    "neighbour.orthogonal": (scoring(53, {0: "r", 1: "g"}), scoring(53, {0: "r", 5: "g", 2: "g"})),
    "neighbour.diagonal": (scoring(53, {0: "r", 5: "g"}), scoring(53, {0: "r", 4: "g", 2: "g"})),
    "option.tallest_tie.best": (scoring(53, {0: "r", 1: "g", 2: "r"}), scoring(53, {0: "r", 1: "g", 3: "r"})),
    "option.tallest_tie.all": (
        scoring(53, {0: "r", 1: "g", 2: "r"}, tallest_tie="all"),
        scoring(53, {0: "r", 1: "g", 3: "r"}, tallest_tie="all"),
    ),
    "option.hand_scoring.once": (in_hand(1, TWO_REDS), in_hand(1, at({0: "r"}))),
    "option.hand_scoring.full": (
        in_hand(1, TWO_REDS, hand_scoring="full"),
        in_hand(1, at({0: "r"}), hand_scoring="full"),
    ),
    "option.hand_scoring.none": (
        in_hand(1, at({0: "r"}), hand_scoring="none"),
        in_hand(1, at({0: "g"}), hand_scoring="none"),
    ),
    "option.hand_scoring_neighbor.one": (in_hand(53, at(TWO_GREENS)), in_hand(53, at({0: "r", 1: "g"}))),
    "option.hand_scoring_neighbor.all": (
        in_hand(53, at(TWO_GREENS), hand_scoring_neighbor="all"),
        in_hand(53, at(TWO_GREENS), hand_scoring_neighbor="all", hand_scoring="full"),
    ),
    "place.empty_space": (placing(1, at({})), placing(1, full("y"))),
    "place.on_stack": (placing(1, full("y")), placing(1, at({}), stack_limit=1)),
    "place.stack_limit": (placing(1, one_level_left()), placing(1, full("yy"))),
    **{
        f"option.stack_limit.{limit}": (
            placing(1, one_level_left(limit), stack_limit=limit),
            placing(1, one_level_left(limit), stack_limit=limit % 8 + 1),
        )
        for limit in range(1, 9)
    },
    "place.same_space": (placing(1, at({})), placing(1, at({}), stack_limit=1)),
    "place.either_order": (placing(13, at({})), placing(1, at({}))),
    "place.mandatory": (playing(9, ("yyr",) + ("yyyy",) * 15), playing(9, ("yyr",) + ("yyyy",) * 15, {"y": 0})),
    "place.scoring_nothing": (playing(1, at({})), playing(1, at({0: "r"}))),
    "place.then_score": (playing(17, at({})), playing(1, at({0: "r"}))),
    "place.no_room": (placing(1, one_level_left()), placing(1, full("yyy"))),
    "place.full_board": (placing(1, full("yyyy")), placing(1, one_level_left())),
    "place.no_room_choice": (placing(13, one_level_left()), placing(13, one_level_left(), {"g": 1})),
    "supply.taken": (placing(1, at({}), PLENTY), placing(1, full("yyyy"), PLENTY)),
    "supply.short": (placing(1, at({}), {"g": 1}), placing(1, at({}), {"g": 2})),
    "supply.nothing": (placing(1, at({}), {"g": 0}), placing(1, at({}), {"g": 1})),
    "supply.one_of_two_equal": (placing(1, at({}), {"g": 1}), placing(13, at({}), {"g": 1})),
    "option.short_supply.place_available": (placing(1, at({}), {"g": 1}), placing(1, at({}), {"g": 2})),
    "option.short_supply.illegal": (
        placing(1, at({}), {"g": 1}, short_supply="illegal"),
        placing(1, at({}), {"g": 2}, short_supply="illegal"),
    ),
    "start.from_supply": (supplying(), nothing),
    "option.supply_per_color.by_players": (supplying(), supplying(supply_per_color=18)),
    "option.supply_per_color.given": (supplying(supply_per_color=18), supplying(players=4)),
    "option.start_layout.center": (starting(), starting(start_layout="edge")),
    "option.start_layout.edge": (starting(start_layout="edge"), starting()),
    "option.start_layout.free": (starting(start_layout="free"), starting()),
    "start.stacking": (starting(start_layout="edge"), starting(start_layout="edge", stack_limit=1)),
    "start.stack_limit": (starting(start_layout="edge", stack_limit=3), starting(stack_limit=1)),
    "end.most_points": (ending([SPREAD, SPREAD], [1, 0]), ending([SPREAD, STACKED], [1, 1])),
    "option.tie_break.empty": (ending([SPREAD, STACKED], [1, 1]), ending([STACKED_ONCE, STACKED], [1, 1])),
    "option.tie_break.covered": (
        ending([SPREAD, STACKED], [1, 1], "covered"),
        ending([SPREAD, STACKED], [1, 0], "covered"),
    ),
    "end.stacks_of_4": (ending([STACKED_ONCE, STACKED], [1, 1]), ending([SPREAD, STACKED], [1, 1])),
    "end.shared": (ending([SPREAD, SPREAD], [1, 1]), ending([SPREAD, STACKED], [1, 1])),
}


def test_rule_ids_are_listed_once_and_all_have_a_case() -> None:
    assert len(set(RULE_IDS)) == len(RULE_IDS)
    assert set(DECIDES) == set(RULE_IDS)


@pytest.mark.parametrize("rule_id", RULE_IDS)
def test_rule_fires_where_it_decides(rule_id: str) -> None:
    deciding, quiet = DECIDES[rule_id]
    FIRED.clear()
    deciding()
    assert FIRED[rule_id] > 0
    assert set(FIRED) <= set(RULE_IDS)
    FIRED.clear()
    quiet()
    assert FIRED[rule_id] == 0
