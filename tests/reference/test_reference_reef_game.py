"""Tests of the reference of whole games: cases worked by hand, and second ways to the answer."""

import random
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest

from . import reef, reef_game
from .reef import CARDS, COLOURS, FIRED, Board, Rules
from .reef_game import RULE_IDS, Move, State, apply, deal, is_chance, moves, outcomes, step

DEFAULT = Rules()


def at(stacks: dict[int, str]) -> Board:
    """The board with these stacks by space index and nothing else."""
    return tuple(stacks.get(space, "") for space in range(16))


def full(stack: str) -> Board:
    return (stack,) * 16


def ids(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


NOTHING = ids()
EMPTY_GAME = reef_game.new_game(DEFAULT)
START_BOARD = at({5: "r", 6: "y", 9: "g", 10: "p"})


def game(players: int = 2, **given: Any) -> State:
    """A position in play from fields of State and options of the rules; `hands` by seat.

    In the display 13 is worth 5 points, 17 is 1, 18 is 2. The top is 60, below it are 58 and 59.
    """
    options = {each.name for each in fields(Rules)}
    rules = Rules(players, **{name: given.pop(name) for name in options & given.keys()})
    hands = given.pop("hands", {})
    state = State(
        rules=rules,
        phase="play",
        boards=(START_BOARD,) * players,
        supply=tuple(reef.start_supply(rules)[colour] for colour in COLOURS),
        scores=(rules.start_points,) * players,
        hands=tuple(frozenset(hands.get(seat, ())) for seat in range(players)),
        secret=(NOTHING,) * players,
        deck=ids(58, 59),
        deck_top=60,
        display=(13, 17, 18),
        tokens=(0, 0, 0),
    )
    return replace(state, **given)


def kinds(state: State) -> dict[str, list[Move]]:
    """The moves without the plays by kind, and the number of the plays."""
    found: dict[str, list[Move]] = {}
    for move in moves(state):
        found.setdefault(move[0], []).append(move)
    return found


def before_start(rules: Rules) -> State:
    state = reef_game.new_game(rules)
    for card in range(1, 2 * rules.players + 1):
        state = deal(state, card)
    return state


def before_display(rules: Rules) -> State:
    state = before_start(rules)
    while state.phase == "start":
        state = apply(state, moves(state)[0])
    return state


def in_play(rules: Rules) -> State:
    """The first turn, dealt in the order of the card numbers."""
    state = before_display(rules)
    while is_chance(state):
        state = deal(state, min(state.deck))
    return state


# Set-up


@pytest.mark.parametrize(
    ("rules", "in_play_per_colour"),
    [
        (Rules(2), 18), (Rules(3), 24), (Rules(4), 28),
        (Rules(4, supply_per_color=5), 5), (Rules(2, supply_per_color=60), 60),
    ],
)  # fmt: skip
def test_new_game(rules: Rules, in_play_per_colour: int) -> None:
    state = reef_game.new_game(rules)
    assert state.supply == (in_play_per_colour,) * 4
    assert state.boards == (at({}),) * rules.players
    assert state.scores == (3,) * rules.players
    assert state.hands == state.secret == (NOTHING,) * rules.players
    assert (state.phase, state.deck, state.deck_top) == ("hands", ids(*range(1, 61)), None)
    assert (state.display, state.tokens, state.played, state.passes) == ((), (), NOTHING, 0)
    assert before_display(rules).supply == (in_play_per_colour - rules.players,) * 4


@pytest.mark.parametrize("points", [0, 3, 20])
def test_start_points(points: int) -> None:
    assert reef_game.new_game(Rules(3, start_points=points)).scores == (points,) * 3


def test_two_cards_to_each_seat_in_turn() -> None:
    state = reef_game.new_game(Rules(3))
    for seat, card in ((0, 7), (0, 60), (1, 1), (1, 2), (2, 30), (2, 4)):
        assert (state.phase, state.to_move, is_chance(state)) == ("hands", seat, True)
        assert outcomes(state) == [(each, 1) for each in range(1, 61) if each in state.deck]
        state = deal(state, card)
        assert card in state.hands[seat] & state.secret[seat]
        assert card not in state.deck
    assert state.hands == state.secret == (ids(7, 60), ids(1, 2), ids(30, 4))
    assert (state.phase, state.to_move, is_chance(state)) == ("start", 0, False)
    assert len(state.deck) == 54
    assert (state.display, state.deck_top) == ((), None)


@pytest.mark.parametrize("size", range(1, 7))
def test_display_from_the_left_then_the_top(size: int) -> None:
    state = before_display(Rules(display_size=size))
    for card in range(60, 60 - size, -1):
        assert (state.phase, is_chance(state), moves(state)) == ("display", True, [])
        assert len(outcomes(state)) == len(state.deck) == 56 - len(state.display)
        state = deal(state, card)
    assert (state.phase, is_chance(state), state.deck_top) == ("display", True, None)
    state = deal(state, 5)
    assert (state.phase, is_chance(state), state.to_move) == ("play", False, 0)
    assert state.display == tuple(range(60, 60 - size, -1))
    assert state.tokens == (0,) * size
    assert state.deck_top == 5
    assert len(state.deck) == 60 - 4 - size - 1
    assert 5 not in state.deck


def test_cards_that_cannot_come_up() -> None:
    with pytest.raises(ValueError, match="card 61 can't come up"):
        deal(reef_game.new_game(DEFAULT), 61)
    with pytest.raises(ValueError, match="card 1 can't come up"):
        deal(deal(reef_game.new_game(DEFAULT), 1), 1)
    for decision in (before_start(DEFAULT), in_play(DEFAULT)):
        with pytest.raises(ValueError, match="card 60 can't come up"):
            deal(decision, 60)
        with pytest.raises(ValueError, match="no card"):
            outcomes(decision)


def test_center_layout_is_laid_colour_by_colour() -> None:
    state = before_start(Rules(2))
    assert moves(state) == [("start", "r", space) for space in (5, 6, 9, 10)]
    state = apply(state, ("start", "r", 9))
    assert (state.boards[0], state.supply) == (at({9: "r"}), (17, 18, 18, 18))
    assert moves(state) == [("start", "y", space) for space in (5, 6, 10)]
    state = apply(apply(state, ("start", "y", 10)), ("start", "g", 5))
    assert (moves(state), state.to_move) == ([("start", "p", 6)], 0)
    state = apply(state, ("start", "p", 6))
    assert (state.phase, state.to_move, len(moves(state))) == ("start", 1, 4)
    for colour, space in (("r", 5), ("y", 6), ("g", 9), ("p", 10)):
        state = apply(state, ("start", colour, space))
    assert state.boards == (at({9: "r", 10: "y", 5: "g", 6: "p"}), START_BOARD)
    assert (state.phase, state.to_move, state.supply) == ("display", 0, (16,) * 4)


def test_layouts_in_seat_order() -> None:
    state, seats = before_start(Rules(4)), []
    while state.phase == "start":
        seats.append(state.to_move)
        state = apply(state, moves(state)[-1])
    assert seats == [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4


EDGE = (0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15)


@pytest.mark.parametrize(("layout", "spaces"), [("edge", EDGE), ("free", tuple(range(16)))])
def test_edge_and_free_layouts_take_any_colour_and_stack(layout: str, spaces: tuple[int]) -> None:
    state = before_start(Rules(start_layout=layout, stack_limit=2))
    assert moves(state) == [("start", colour, space) for colour in "rygp" for space in spaces]
    state = apply(apply(state, ("start", "g", 3)), ("start", "r", 3))
    assert (state.boards[0][3], state.supply) == ("gr", (17, 18, 17, 18))
    others = [space for space in spaces if space != 3]  # two are the limit
    assert moves(state) == [("start", colour, space) for colour in "yp" for space in others]
    state = apply(apply(state, ("start", "p", 2)), ("start", "y", 2))
    assert (state.boards[0], state.to_move) == (at({3: "gr", 2: "py"}), 1)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("layout", ["center", "edge", "free"])
def test_the_small_decisions_lead_to_every_start_board(
    layout: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {"center": (5, 6, 9, 10), "edge": (0, 3, 7, 15), "free": (2, 5, 8, 11)}
    monkeypatch.setattr(reef_game, "LAYOUTS", few)
    rules = Rules(start_layout=layout, stack_limit=limit)
    level = {replace(EMPTY_GAME, rules=rules, phase="start")}
    for _ in range(4):
        level = {apply(state, move) for state in level for move in moves(state)}
    assert {state.to_move for state in level} == {1}
    boards = [state.boards[0] for state in level]
    assert len(set(boards)) == len(boards)
    assert set(boards) == small_start_boards(few[layout], rules)
    if layout == "center":
        assert set(boards) == set(reef.start_layouts(rules))


def small_start_boards(spaces: tuple[int, ...], rules: Rules) -> set[Board]:
    """A second way: every order of the colours, cut into stacks in every way."""
    limit = 1 if rules.start_layout == "center" else rules.stack_limit
    found = set()
    for order in permutations(COLOURS):
        for heights in weak_compositions(4, len(spaces)):
            if max(heights) <= limit:
                letters = list(order)
                stacks = ["".join(letters.pop() for _ in range(height)) for height in heights]
                found.add(at(dict(zip(spaces, stacks, strict=True))))
    return found


def weak_compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    for bars in combinations(range(total + parts - 1), parts - 1):
        ends = (-1, *bars, total + parts - 1)
        yield tuple(right - left - 1 for left, right in pairwise(ends))


# Taking cards


def test_moves_of_a_turn() -> None:
    state = game(hands={0: {1}})
    found = kinds(state)
    assert found["take"] == [("take", 0), ("take", 1), ("take", 2)]
    assert found["draw"] == [("draw", 1)]
    assert len(found["play"]) == 136  # two equal coral on 16 spaces
    assert found.keys() == {"take", "draw", "play"}


def test_take_from_the_display() -> None:
    before = game(tokens=(0, 4, 2), hands={0: {1}})
    state = apply(before, ("take", 1))
    assert state.hands == (ids(1, 17), NOTHING)
    assert state.secret == (NOTHING, NOTHING)
    assert state.scores == (3 + 4, 3)
    assert (state.display, state.tokens) == ((13, 60, 18), (0, 0, 2))
    assert (state.deck_top, state.deck) == (None, ids(58, 59))
    assert (state.to_move, state.phase, is_chance(state), moves(state)) == (1, "play", True, [])
    assert (state.boards, state.supply, state.played) == (before.boards, before.supply, NOTHING)
    assert outcomes(state) == [(58, 1), (59, 1)]
    state = deal(state, 59)
    assert (state.deck_top, state.deck, is_chance(state)) == (59, ids(58), False)
    assert (state.phase, state.to_move) == ("play", 1)


@pytest.mark.parametrize(
    ("place", "display", "tokens"),
    [(0, (17, 18), (2, 3)), (1, (13, 18), (1, 3)), (2, (13, 17), (1, 2))],
)
def test_no_refill_from_an_empty_deck(
    place: int, display: tuple[int, ...], tokens: tuple[int, ...]
) -> None:
    before = game(end="finish_round", deck_top=None, deck=NOTHING, tokens=(1, 2, 3))
    assert kinds(before).keys() == {"take"}
    state = apply(before, ("take", place))
    assert (state.display, state.tokens) == (display, tokens)
    assert state.scores[0] == 3 + place + 1
    assert not is_chance(state)


def test_draw_from_the_deck() -> None:
    before = game(tokens=(5, 1, 0), hands={1: {3}}, to_move=1)
    state = apply(before, ("draw", 1))
    assert state.hands == (NOTHING, ids(3, 60))
    assert state.secret == (NOTHING, NOTHING)
    assert state.scores == (3, 2)
    assert (state.display, state.tokens) == ((13, 17, 18), (5, 2, 0))
    assert (state.deck_top, state.deck, is_chance(state)) == (None, ids(58, 59), True)
    assert state.to_move == 0
    assert deal(state, 58).deck_top == 58


@pytest.mark.parametrize(
    ("display", "tie", "targets"),
    [
        ((13, 17, 18), "choose", [1]),
        ((13, 17, 18), "leftmost", [1]),
        ((17, 13, 1), "choose", [0, 2]),
        ((17, 13, 1), "leftmost", [0]),
        ((13, 18, 53), "choose", [1, 2]),  # a neighbour card is worth 2
        ((13, 18, 53), "leftmost", [1]),
        ((13, 14, 15), "choose", [0, 1, 2]),
        ((13, 14, 15), "leftmost", [0]),
        ((49, 13), "choose", [1]),
        ((49,), "leftmost", [0]),
    ],
)
def test_payment_goes_to_the_lowest_printed_value(
    display: tuple[int, ...], tie: str, targets: list[int]
) -> None:
    tokens = tuple(range(len(display)))  # they don't matter
    state = game(display=display, tokens=tokens, deck_draw_target_tie=tie)
    assert reef_game.draws(state) == [("draw", target) for target in targets]
    assert kinds(state)["draw"] == reef_game.draws(state)


@pytest.mark.parametrize("cost", range(1, 6))
def test_draw_cost(cost: int) -> None:
    assert reef_game.draws(game(deck_draw_cost=cost, scores=(cost - 1, 20))) == []
    state = apply(game(deck_draw_cost=cost, scores=(cost, 20), tokens=(1, 1, 1)), ("draw", 1))
    assert (state.scores, state.tokens) == ((0, 20), (1, 1 + cost, 1))


def test_a_free_draw() -> None:
    state = game(deck_draw_cost=0, scores=(0, 0), tokens=(1, 2, 3))
    assert reef_game.draws(state) == [("draw", None)]
    state = apply(state, ("draw", None))
    assert (state.scores, state.tokens, state.hands[0]) == ((0, 0), (1, 2, 3), ids(60))


def test_a_draw_with_no_card_to_pay_onto_costs_all_the_same() -> None:
    state = game(display=(), tokens=())
    assert moves(state) == [("draw", None)]
    assert apply(state, ("draw", None)).scores == (2, 3)
    assert moves(replace(state, scores=(0, 3))) == [("pass",)]


@pytest.mark.parametrize("limit", range(1, 9))
def test_hand_limit(limit: int) -> None:
    cards = set(range(20, 20 + limit))
    others = {1: set(range(30, 40))}
    assert kinds(game(hand_limit=limit, hands={0: cards, **others})).keys() == {"play"}
    assert kinds(game(hand_limit=limit, hands={0: cards | {50}, **others})).keys() == {"play"}
    found = kinds(game(hand_limit=limit, hands={0: cards - {20}, **others}))
    assert found.keys() >= {"take", "draw"}


def test_the_opening_hand_may_be_above_the_limit() -> None:
    state = in_play(Rules(hand_limit=1))
    assert len(state.hands[0]) == 2
    assert kinds(state).keys() == {"play"}


# Playing cards


def plays_another_way(state: State, card: int) -> set[reef.Placement]:
    """A second way: free levels are chosen, not spaces tried."""
    stock = dict(zip(COLOURS, state.supply, strict=True))
    given = []
    for colour in CARDS[card].coral:
        if stock[colour]:
            stock[colour] -= 1
            given.append(colour)
    if state.rules.short_supply == "illegal" and len(given) < 2:
        return set()
    board = state.boards[state.to_move]
    levels = [s for s in range(16) for _ in range(state.rules.stack_limit - len(board[s]))]
    if not levels or not given:
        return {()}
    if len(levels) == 1 or len(given) == 1:
        return {((colour, space),) for colour in given for space in levels}
    one, other = given
    if one == other:
        return {((one, first), (one, second)) for first, second in combinations(levels, 2)}
    found = {((one, first), (other, second)) for first, second in permutations(levels, 2)}
    return found | {((other, space), (one, space)) for space in levels if levels.count(space) > 1}


def check_plays(state: State) -> None:
    """All plays of the seat to move: listed once, with distinct results that placing gives."""
    for card in state.hands[state.to_move]:
        listed = reef_game.plays(state, card)
        assert listed.keys() == plays_another_way(state, card)
        assert len(set(listed.values())) == len(listed)
        for placement, (board, supply) in listed.items():
            assert reef.place(state.boards[state.to_move], placement, state.rules) == board
            used = [colour for colour, _ in placement]
            assert supply == tuple(
                before - used.count(colour)
                for colour, before in zip(COLOURS, state.supply, strict=True)
            )


def test_plays_are_listed_in_one_order() -> None:
    state = game(hands={0: {1, 14}})  # coral gg and rg
    equal, different = reef_game.plays(state, 1), reef_game.plays(state, 14)
    assert len(equal) == 16 * 17 // 2
    assert len(different) == 16 * 15 + 2 * 16
    assert (("g", 3), ("g", 7)) in equal
    assert (("g", 7), ("g", 3)) not in equal
    assert (("r", 7), ("g", 3)) in different
    assert (("g", 3), ("r", 7)) not in different
    assert different[("r", 7), ("g", 7)][0][7] == "rg"
    assert different[("g", 7), ("r", 7)][0][7] == "gr"
    assert reef_game.plays(state, 2) == {}  # not in this hand
    check_plays(state)


def test_card_without_alphabetical_coral() -> None:
    listed = reef_game.plays(game(hands={0: {19}}), 19)  # coral pr
    assert (("p", 0), ("r", 1)) in listed
    assert (("r", 0), ("p", 1)) not in listed


@pytest.mark.parametrize(
    ("board", "supply", "options", "n_plays"),
    [
        (full("yyyy"), (9, 9, 9, 9), {}, 1),
        (full("yyyy"), (9, 9, 9, 9), {"stack_limit": 5}, 16 * 15),
        (("yyy", *full("yyyy")[1:]), (9, 9, 9, 9), {}, 2),
        (("yy", *full("yyyy")[1:]), (9, 9, 9, 9), {}, 2),
        (("yyy", "yyy", *full("yyyy")[2:]), (9, 9, 9, 9), {}, 2),
        (at({}), (1, 9, 1, 9), {}, 272),
        (at({}), (0, 9, 1, 9), {}, 16),
        (at({}), (1, 9, 0, 9), {}, 16),
        (at({}), (0, 9, 0, 9), {}, 1),
        (at({}), (0, 9, 1, 9), {"short_supply": "illegal"}, 0),
        (at({}), (1, 9, 1, 9), {"short_supply": "illegal"}, 272),
        (full("yyyy"), (9, 9, 0, 9), {"short_supply": "illegal"}, 0),
        (full("yyyy"), (9, 9, 9, 9), {"short_supply": "illegal"}, 1),
    ],
)
def test_number_of_plays(
    board: Board, supply: tuple[int, ...], options: dict[str, Any], n_plays: int
) -> None:
    state = game(hands={0: {14}}, boards=(board, at({})), supply=supply, **options)  # coral rg
    assert len(reef_game.plays(state, 14)) == n_plays
    check_plays(state)


def test_play() -> None:
    before = game(
        hands={0: {2}, 1: {1, 3, 60}}, secret=(ids(2), ids(1, 3)), to_move=1,
        played=ids(4), tokens=(0, 0, 2),
    )  # fmt: skip
    state = apply(before, ("play", 3, (("r", 0), ("r", 9))))
    assert state.boards == (START_BOARD, at({0: "r", 5: "r", 6: "y", 9: "gr", 10: "p"}))
    assert state.supply == (14, 16, 16, 16)
    assert state.hands == (ids(2), ids(1, 60))
    assert state.secret == (ids(2), ids(1))
    assert state.played == ids(3, 4)
    assert state.scores == (3, 3)  # the only green top is covered
    assert (state.display, state.tokens, state.deck_top) == ((13, 17, 18), (0, 0, 2), 60)
    assert (state.to_move, is_chance(state)) == (0, False)
    other = apply(before, ("play", 3, (("r", 0), ("r", 0))))
    assert (other.boards[1][0], other.scores) == ("rr", (3, 4))
    taken = apply(before, ("play", 60, (("r", 0), ("r", 1))))
    assert (taken.secret, taken.hands[1]) == (before.secret, ids(1, 3))


def test_play_scores_the_reef_as_it_is_after_placing() -> None:
    state = game(hands={0: {17}})  # any stack of height 2 for 1 point each, coral rp
    assert apply(state, ("play", 17, (("r", 5), ("p", 6)))).scores == (5, 3)
    assert apply(state, ("play", 17, (("r", 5), ("p", 5)))).scores == (3, 3)


def test_options_of_scoring_hold_when_played() -> None:
    board = at(dict.fromkeys((0, 1, 2), "yr"))
    move: Move = ("play", 26, (("p", 14), ("p", 15)))  # pairs of red 2s, 5 points
    state = game(hands={0: {26}}, boards=(board, at({})))
    assert apply(state, move).scores[0] == 3 + 5
    overlapping = replace(state, rules=Rules(overlap="overlapping"))
    assert apply(overlapping, move).scores[0] == 3 + 10
    tied = at({0: "r", 1: "g", 2: "r"})
    move = ("play", 53, (("p", 14), ("p", 15)))
    state = game(hands={0: {53}}, boards=(tied, at({})))
    assert apply(state, move).scores[0] == 3 + 2
    assert apply(replace(state, rules=Rules(tallest_tie="all")), move).scores[0] == 3 + 4


def test_a_play_without_any_coral_scores_too() -> None:
    state = game(hands={0: {1}}, boards=(full("yyyr"), at({})))
    state = apply(state, ("play", 1, ()))
    assert (state.scores, state.boards[0], state.supply) == ((19, 3), full("yyyr"), (16,) * 4)
    assert (state.hands[0], state.played) == (NOTHING, ids(1))


@pytest.mark.parametrize(
    "move",
    [
        ("take", 3), ("take", -1), ("draw", 0), ("draw", None), ("pass",), ("start", "r", 5),
        ("play", 14, (("g", 3), ("r", 7))),  # the other drop order
        ("play", 14, (("r", 3),)), ("play", 14, ()), ("play", 14, (("r", 3), ("g", 16))),
        ("play", 2, (("p", 3), ("p", 4))), ("play", 14, (("r", 3), ("r", 4))), ("draw", 2),
    ],
)  # fmt: skip
def test_illegal_moves_are_refused(move: Any) -> None:
    state = game(hands={0: {14}, 1: {2}})
    assert move not in moves(state)
    with pytest.raises(ValueError, match="illegal in phase play"):
        apply(state, move)


@pytest.mark.parametrize("phase", ["hands", "start", "display", "over"])
def test_turns_only_in_play(phase: str) -> None:
    state = game(hands={0: {14}}, phase=phase)
    for move in (("take", 0), ("draw", 1), ("pass",), ("play", 14, (("r", 3), ("g", 7)))):
        with pytest.raises(ValueError, match="illegal in phase"):
            apply(state, move)
    waiting = game(hands={0: {14}}, deck_top=None)
    with pytest.raises(ValueError, match="illegal in phase"):
        apply(waiting, ("take", 0))


def test_states_are_values() -> None:
    state = in_play(DEFAULT)
    assert state == in_play(DEFAULT)
    assert hash(state) == hash(in_play(DEFAULT))
    with pytest.raises(FrozenInstanceError):
        state.to_move = 1  # type: ignore[misc]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_round(players: int) -> None:
    state, seats = in_play(Rules(players, hand_limit=8)), []
    for _ in range(2 * players + 1):
        seats.append(state.to_move)
        state = apply(state, ("take", 0))
        state = deal(state, min(state.deck))
    assert seats == [*range(players), *range(players), 0]


# Passing

# Seat 0 and seat 1 have a full hand of one unplayable card each: only one green coral is left.
STUCK = game(
    short_supply="illegal", hand_limit=1, hands={0: {1}, 1: {10}}, supply=(5, 5, 1, 5)
)  # fmt: skip


def test_pass_only_without_another_move() -> None:
    assert moves(STUCK) == [("pass",)]
    assert kinds(replace(STUCK, supply=(5, 5, 2, 5))).keys() == {"play"}
    assert kinds(replace(STUCK, hands=(NOTHING, NOTHING))).keys() == {"take", "draw"}
    no_cards = game(display=(), tokens=(), deck_top=None, deck=NOTHING, end="finish_round")
    assert moves(no_cards) == [("pass",)]
    poor = replace(no_cards, deck_top=60, scores=(0, 0))
    assert moves(poor) == [("pass",)]


def test_pass_changes_nothing_but_the_turn() -> None:
    state = apply(STUCK, ("pass",))
    assert state == replace(STUCK, to_move=1, passes=1)


@pytest.mark.parametrize("first", [0, 1])
def test_all_passing_in_a_row_ends_the_game(first: int) -> None:
    state = apply(replace(STUCK, to_move=first), ("pass",))
    assert (state.phase, state.passes) == ("play", 1)
    state = apply(state, ("pass",))
    assert (state.phase, state.passes) == ("over", 2)
    assert (moves(state), is_chance(state)) == ([], False)
    # No red or yellow stack of what the cards ask for but seat 0's red one.
    assert reef_game.final_scores(state) == (4, 3)


def test_a_move_in_between_counts_passes_anew() -> None:
    state = replace(STUCK, hands=(ids(1), ids(2)))
    state = apply(apply(state, ("pass",)), ("play", 2, (("p", 0), ("p", 1))))
    assert (state.phase, state.passes, state.to_move) == ("play", 0, 0)
    state = apply(state, ("pass",))
    assert (state.phase, state.passes) == ("play", 1)


def test_three_players_need_three_passes() -> None:
    state = game(
        3, short_supply="illegal", hand_limit=1, hands={0: {1}, 1: {10}, 2: {8}},
        supply=(5, 5, 1, 5), to_move=2,
    )  # fmt: skip
    phases = []
    for _ in range(3):
        state = apply(state, ("pass",))
        phases.append(state.phase)
    assert phases == ["play", "play", "over"]


# The end


def empties_supply(seat: int, players: int = 2, **given: Any) -> State:
    """The seat has played the last two green."""
    before = game(players, hands={seat: {1}}, supply=(9, 9, 2, 9), to_move=seat, **given)
    return apply(before, ("play", 1, (("g", 0), ("g", 1))))


def empties_deck(seat: int, players: int = 2, **given: Any) -> State:
    """The seat has taken the last card of the deck onto the display."""
    return apply(game(players, deck=NOTHING, to_move=seat, **given), ("take", 0))


def draws_last(seat: int, players: int = 2, **given: Any) -> State:
    """The seat has drawn the last card of the deck."""
    return apply(game(players, deck=NOTHING, to_move=seat, **given), ("draw", 1))


@pytest.mark.parametrize(
    ("end", "supply_over", "deck_over"),
    [
        ("deck_at_once", {2}, {0, 1, 2}),
        ("finish_round", {2}, {2}),
        ("immediate", {0, 1, 2}, {0, 1, 2}),
    ],
)
def test_ends(end: str, supply_over: set[int], deck_over: set[int]) -> None:
    for seat in range(3):
        for trigger, over in (
            (empties_supply, supply_over), (empties_deck, deck_over), (draws_last, deck_over)
        ):  # fmt: skip
            state = trigger(seat, 3, end=end)
            assert state.phase == ("over" if seat in over else "play")
            assert state.to_move == (seat + 1) % 3
            assert not is_chance(state)


def test_rules_default_is_deck_at_once() -> None:
    assert empties_supply(0).phase == "play"
    assert empties_deck(0).phase == "over"


def test_no_end_before_both_are_empty() -> None:
    last_but_one = apply(game(deck=ids(59)), ("take", 0))
    assert (last_but_one.phase, is_chance(last_but_one)) == ("play", True)
    assert deal(last_but_one, 59).phase == "play"
    state = game(hands={0: {1}}, supply=(9, 9, 3, 9))
    assert apply(state, ("play", 1, (("g", 0), ("g", 1)))).phase == "play"


def test_the_round_is_finished() -> None:
    state = empties_supply(0, 3)
    assert (state.phase, state.to_move) == ("play", 1)
    state = deal(apply(state, ("take", 0)), 58)
    assert (state.phase, state.to_move) == ("play", 2)
    state = apply(state, ("draw", 1))
    assert (state.phase, state.to_move) == ("over", 0)
    # Nothing comes up any more, though the top is gone and a card is left below.
    assert (is_chance(state), state.deck_top, state.deck) == (False, None, ids(59))


def test_an_empty_deck_breaks_off_the_last_round() -> None:
    state = empties_supply(0, 3, deck=NOTHING)
    assert state.phase == "play"
    assert apply(state, ("take", 0)).phase == "over"


def test_last_round_without_a_deck() -> None:
    state = empties_deck(0, 3, end="finish_round", display=(13,), tokens=(0,))
    assert (state.phase, state.display, state.deck_top) == ("play", (60,), None)
    assert moves(state) == [("take", 0)]
    state = apply(state, ("take", 0))
    assert (state.phase, state.display, state.tokens) == ("play", (), ())
    assert moves(state) == [("pass",)]
    state = apply(state, ("pass",))
    assert (state.phase, state.passes, state.to_move) == ("over", 1, 0)


def test_a_pass_in_the_middle_of_the_last_round_ends_nothing() -> None:
    last = game(
        3, end="finish_round", deck_top=None, deck=NOTHING, display=(), tokens=(), to_move=1
    )
    state = apply(last, ("pass",))
    assert (state.phase, state.to_move) == ("play", 2)
    assert apply(state, ("pass",)).phase == "over"


@pytest.mark.parametrize("end", ["deck_at_once", "immediate"])
def test_a_pass_is_no_action(end: str) -> None:
    state = game(3, end=end, deck_top=None, deck=NOTHING, display=(), tokens=())
    assert apply(state, ("pass",)).phase == "play"
    assert apply(replace(state, to_move=2), ("pass",)).phase == "play"


# Final scores

TWO_REDS = at({0: "r", 5: "r"})
CENTRE_WITH_TWO = at({0: "r", 1: "g", 2: "g", 4: "g"})


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (3 + 1 + 2, 10 + 0)),  # 1: one red top of two; 53: one neighbour of two; 5: no red 2
        ({"hand_scoring": "full"}, (3 + 2 + 4, 10)),
        ({"hand_scoring": "none"}, (3, 10)),
        ({"hand_scoring_neighbor": "all"}, (3 + 1 + 4, 10)),
    ],
)
def test_final_scores_count_the_hands(options: dict[str, Any], expected: tuple[int, int]) -> None:
    board = at({0: "r", 1: "g", 4: "g", 2: "p", 15: "r"})
    over = game(
        hands={0: {1, 53}, 1: {5}}, boards=(board, START_BOARD), scores=(3, 10), phase="over",
        **options,
    )  # fmt: skip
    assert reef_game.final_scores(over) == expected
    assert reef_game.winners(over) == [1]
    assert reef_game.payoff(over) == (Fraction(0), Fraction(1))


def test_hand_cards_can_win() -> None:
    over = game(hands={0: {1}, 1: {5}}, scores=(3, 3), phase="over")
    assert reef_game.final_scores(over) == (4, 3)
    assert reef_game.payoff(over) == (Fraction(1), Fraction(0))


def test_no_final_score_before_the_end() -> None:
    for state in (reef_game.new_game(DEFAULT), in_play(DEFAULT)):
        for question in (reef_game.final_scores, reef_game.winners, reef_game.payoff):
            with pytest.raises(ValueError, match="isn't over"):
                question(state)


@pytest.mark.parametrize(
    ("boards", "tie_break", "expected"),
    [
        ((TWO_REDS, TWO_REDS, TWO_REDS), "empty", (Fraction(1, 3),) * 3),
        ((TWO_REDS, CENTRE_WITH_TWO, TWO_REDS), "empty", (Fraction(1, 2), 0, Fraction(1, 2))),
        ((TWO_REDS, CENTRE_WITH_TWO, TWO_REDS), "covered", (0, 1, 0)),
        ((TWO_REDS, at({0: "rrrr", 1: "r"}), TWO_REDS), "empty", (0, 1, 0)),
    ],
)
def test_payoff_of_ties(
    boards: tuple[Board, ...], tie_break: str, expected: tuple[Fraction, ...]
) -> None:
    over = game(3, boards=boards, tie_break=tie_break, phase="over")
    assert reef_game.payoff(over) == expected
    assert sum(reef_game.payoff(over)) == 1


# A whole game by hand


def test_a_game_by_hand() -> None:
    state = reef_game.new_game(Rules(supply_per_color=5))
    line: list[tuple[Move | int, tuple[int, int]]] = [
        *((card, (3, 3)) for card in (1, 3, 2, 4)),
        *((("start", colour, space), (3, 3)) for _ in range(2)
          for colour, space in zip("rygp", (5, 6, 9, 10), strict=True)),
        *((card, (3, 3)) for card in (57, 17, 18, 5)),
        (("play", 1, (("g", 0), ("g", 1))), (4, 3)),  # a red top
        (("draw", 1), (4, 2)),  # takes 5, pays onto 17
        (6, (4, 2)),
        (("take", 1), (5, 2)),  # takes 17 with the point; 6 comes into the display
        (7, (5, 2)),
        (("play", 2, (("p", 10), ("p", 10))), (5, 3)),  # a yellow top
        (("play", 3, (("r", 5), ("r", 5))), (8, 3)),  # three green tops
        (("play", 4, (("y", 0), ("y", 1))), (8, 4)),  # a purple top
        (("play", 17, (("r", 2), ("p", 2))), (9, 4)),  # a stack of 2; the last red: the last round
        (("take", 0), (9, 4)),  # takes 57
    ]  # fmt: skip
    for choice, scores in line:
        assert state.phase != "over"
        state = step(state, choice)
        assert state.scores == scores
    assert state.phase == "over"
    assert state.supply == (0, 1, 1, 0)
    assert state.boards == (
        at({0: "g", 1: "g", 2: "rp", 5: "rrr", 6: "y", 9: "g", 10: "p"}),
        at({0: "y", 1: "y", 5: "r", 6: "y", 9: "g", 10: "ppp"}),
    )
    assert state.hands == (NOTHING, ids(5, 57))
    assert state.secret == (NOTHING, NOTHING)
    assert state.played == ids(1, 2, 3, 4, 17)
    assert (state.display, state.tokens) == ((7, 6, 18), (0, 0, 0))
    # 57: the green stack has a red neighbour; 5: no red stack of exactly 2.
    assert reef_game.final_scores(state) == (9, 6)
    assert reef_game.winners(state) == [0]
    assert reef_game.payoff(state) == (Fraction(1), Fraction(0))


# Random games


def random_rules(rng: random.Random) -> Rules:
    drawn = {each.name: rng.choice(list(each.metadata["values"])) for each in fields(Rules)}
    drawn["supply_per_color"] = rng.choice((None, 5, 6, 8, 12, 60))
    return Rules(**drawn)


def check_state(state: State) -> None:
    """Every card is in one place, all coral is somewhere, nobody is in debt."""
    top = [] if state.deck_top is None else [state.deck_top]
    cards = [*state.deck, *top, *state.display, *state.played, *frozenset().union(*state.hands)]
    assert sorted(cards) == list(range(1, 61))
    rules = state.rules
    coral = "".join(stack for board in state.boards for stack in board)
    in_play = rules.supply_per_color or {2: 18, 3: 24, 4: 28}[rules.players]
    assert state.supply == tuple(in_play - coral.count(colour) for colour in COLOURS)
    assert min(state.supply) >= 0
    assert min(state.scores) >= 0
    assert len(state.tokens) == len(state.display)
    assert all(map(frozenset.issubset, state.secret, state.hands))
    assert all(len(hand) <= max(2, rules.hand_limit) for hand in state.hands)
    assert all(len(stack) <= rules.stack_limit for board in state.boards for stack in board)


def check_step(state: State, choice: Move | int, after: State) -> None:
    """What changes with a choice, and nothing else; the moves are those of the page."""
    if isinstance(choice, int):
        assert (choice, 1) in outcomes(state)
        assert (after.scores, after.tokens[: len(state.tokens)]) == (state.scores, state.tokens)
        return
    seat, rules = state.to_move, state.rules
    listed = moves(state)
    assert choice in listed
    assert len(set(listed)) == len(listed)
    others = [each for each in range(rules.players) if each != seat]
    for name in ("boards", "scores", "hands", "secret"):
        for other in others:
            assert getattr(after, name)[other] == getattr(state, name)[other]
    if state.phase == "start":
        return
    hand = state.hands[seat]
    may_take = len(hand) < rules.hand_limit
    assert ("take", 0) in listed or not (may_take and state.display)
    can_draw = may_take and state.deck_top is not None
    can_draw = can_draw and state.scores[seat] >= rules.deck_draw_cost
    assert can_draw == any(move[0] == "draw" for move in listed)
    assert len([move for move in listed if move[0] == "play"]) == sum(
        len(plays_another_way(state, card)) for card in hand
    )
    points = sum(after.scores) + sum(after.tokens) - sum(state.scores) - sum(state.tokens)
    if choice[0] == "play":
        board = after.boards[seat]
        assert points == reef.score(board, CARDS[choice[1]], rules)[1]
        assert after.played - state.played == {choice[1]}
    else:
        assert points == 0
        assert (after.boards, after.supply) == (state.boards, state.supply)
        assert len(after.hands[seat]) == len(hand) + (choice[0] != "pass")
    assert after.to_move == (seat + 1) % rules.players


def reason_for_the_end(record: list[tuple[State, Move | int]], end: State) -> None:
    """Why the game has ended, from its whole record."""
    deciding = [state for state, _ in record if state.phase == "play" and not is_chance(state)]
    turns = [state.to_move for state in deciding]
    equally_many = len({turns.count(seat) for seat in range(end.rules.players)}) == 1
    supply, deck = 0 in end.supply, end.deck_top is None and not end.deck
    at_once = {"deck_at_once": deck, "finish_round": False, "immediate": deck or supply}
    all_passed = end.passes == end.rules.players
    assert at_once[end.rules.end] or (equally_many and (supply or deck)) or all_passed


@pytest.mark.parametrize("seed", range(30))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    record = reef_game.random_playout(rules, rng)
    assert record[0][0] == reef_game.new_game(rules)
    afters = [state for state, _ in record[1:]] + [step(*record[-1])]
    for (state, choice), after in zip(record, afters, strict=True):
        check_state(state)
        check_step(state, choice, after)
        assert step(state, choice) == after
        if state.phase == "play" and not is_chance(state) and rng.random() < 0.1:
            check_plays(state)
    end = afters[-1]
    check_state(end)
    assert (end.phase, moves(end), is_chance(end)) == ("over", [], False)
    assert all(state.phase != "over" for state, _ in record)
    reason_for_the_end(record, end)
    payoff = reef_game.payoff(end)
    assert sum(payoff) == 1
    assert [seat for seat, share in enumerate(payoff) if share] == reef_game.winners(end)
    assert all(map(int.__ge__, reef_game.final_scores(end), end.scores))


def test_random_games_repeat() -> None:
    one, other = (reef_game.random_playout(DEFAULT, random.Random(3)) for _ in range(2))
    assert one == other
    assert one != reef_game.random_playout(DEFAULT, random.Random(4))


# Every rule id fires where the rule decides, and not where it doesn't

Call = Callable[[], object]


def then(state: State, *choices: Move | int) -> Call:
    def call() -> None:
        after = state
        for choice in choices:
            after = step(after, choice)

    return call


def listing(state: State) -> Call:
    return lambda: moves(state)


def final(hands: dict[int, set[int]]) -> Call:
    return lambda: reef_game.final_scores(game(hands=hands, phase="over"))


def starting(points: int) -> Call:
    return lambda: reef_game.new_game(Rules(start_points=points))


def drawing(**given: Any) -> Call:
    return lambda: reef_game.draws(game(**given))


SECOND_OF_TWO = step(EMPTY_GAME, 1)
LAST_START = game(phase="start", boards=(START_BOARD, at({5: "r", 6: "y", 9: "g"})), to_move=1)
NOT_LAST_START = replace(LAST_START, boards=(at({5: "r", 6: "y", 9: "g"}), at({})), to_move=0)
TOP_NEXT = game(phase="display", deck_top=None)
DISPLAY_NEXT = game(phase="display", deck_top=None, display=(13, 17), tokens=(0, 0))
NO_DECK = game(end="finish_round", deck_top=None, deck=NOTHING)
WITH_ONE = game(hands={0: {1}})
LAY_ONE: Move = ("play", 1, (("g", 0), ("g", 1)))
FULL_HAND = ids(1, 2, 3, 4)
LAST_TOP = game(deck=NOTHING)


def several_ends(end: str) -> tuple[Call, Call]:
    """Where the values of `end` differ, and the last seat emptying the deck, where all are over."""
    return (lambda: empties_deck(0, end=end)), (lambda: empties_deck(1, end=end))


DECIDES: dict[str, tuple[Call, Call]] = {
    **{
        f"option.start_points.{points}": (starting(points), starting((points + 1) % 21))
        for points in range(21)
    },
    "deal.secret": (then(EMPTY_GAME, 1), then(DISPLAY_NEXT, 58)),
    "deal.opening_hand": (then(SECOND_OF_TWO, 2), then(EMPTY_GAME, 1)),
    "layout.seat_order": (
        then(NOT_LAST_START, ("start", "p", 10)),
        then(LAST_START, ("start", "p", 10)),
    ),
    "layout.before_display": (
        then(LAST_START, ("start", "p", 10)),
        then(NOT_LAST_START, ("start", "p", 10)),
    ),
    "deal.display": (then(DISPLAY_NEXT, 58), then(TOP_NEXT, 58)),
    "deal.deck_top": (then(TOP_NEXT, 58), then(DISPLAY_NEXT, 58)),
    **{
        f"option.display_size.{size}": (
            then(before_display(Rules(display_size=size)), *range(11, 12 + size)),
            then(before_display(Rules(display_size=size)), *range(11, 11 + size)),
        )
        for size in range(1, 7)
    },
    "known.taken_card": (then(WITH_ONE, ("take", 0)), then(WITH_ONE, LAY_ONE)),
    "known.opening_card": (
        then(replace(WITH_ONE, secret=WITH_ONE.hands), LAY_ONE),
        then(WITH_ONE, LAY_ONE),
    ),
    "known.next_top": (then(WITH_ONE, ("take", 0), 58), then(WITH_ONE, ("take", 0))),
    "cards.no_return": (
        then(replace(LAST_TOP, played=ids(2)), ("take", 0)),
        then(LAST_TOP, ("take", 0)),
    ),
    "turn.clockwise": (then(WITH_ONE, LAY_ONE), listing(WITH_ONE)),
    "turn.next_round": (then(game(to_move=1), ("take", 0)), then(game(to_move=0), ("take", 0))),
    "turn.exactly_one": (listing(WITH_ONE), listing(game())),
    "take.hand_limit": (
        listing(game(hands={0: FULL_HAND})),
        listing(replace(NO_DECK, hands=(FULL_HAND, NOTHING), display=(), tokens=())),
    ),
    **{
        f"option.hand_limit.{limit}": (
            listing(game(hand_limit=limit, hands={0: set(range(20, 20 + limit))})),
            listing(game(hand_limit=limit, hands={0: set(range(21, 20 + limit))})),
        )
        for limit in range(1, 9)
    },
    "take.display": (then(game(), ("take", 0)), then(game(), ("draw", 1))),
    "take.tokens": (
        then(game(tokens=(1, 0, 0)), ("take", 0)),
        then(game(tokens=(1, 0, 0)), ("take", 1)),
    ),
    "take.refill": (then(game(), ("take", 0)), then(NO_DECK, ("take", 0))),
    "take.no_refill": (then(NO_DECK, ("take", 0)), then(LAST_TOP, ("take", 0))),
    "draw.top": (then(game(), ("draw", 1)), then(game(), ("take", 1))),
    "draw.payment": (then(game(), ("draw", 1)), then(game(deck_draw_cost=0), ("draw", None))),
    "draw.lowest": (drawing(), drawing(display=(17, 1, 2))),
    **{
        f"option.deck_draw_target_tie.{tie}": (
            drawing(display=(17, 1, 18), deck_draw_target_tie=tie),
            drawing(deck_draw_target_tie=tie),
        )
        for tie in ("choose", "leftmost")
    },
    "draw.no_points": (drawing(scores=(0, 3)), drawing(scores=(0, 3), deck_draw_cost=0)),
    **{
        f"option.deck_draw_cost.{cost}": (
            drawing(deck_draw_cost=cost),
            drawing(deck_draw_cost=cost, deck_top=None),
        )
        for cost in range(6)
    },
    "play.discard": (then(WITH_ONE, LAY_ONE), then(WITH_ONE, ("take", 0))),
    "play.score": (then(WITH_ONE, LAY_ONE), then(WITH_ONE, ("play", 1, (("g", 5), ("g", 6))))),
    "play.scoring_nothing": (
        then(WITH_ONE, ("play", 1, (("g", 5), ("g", 6)))),
        then(WITH_ONE, LAY_ONE),
    ),
    "pass": (listing(STUCK), listing(replace(STUCK, supply=(5, 5, 2, 5)))),
    "end.all_passed": (then(STUCK, ("pass",), ("pass",)), then(STUCK, ("pass",))),
    "end.supply": (lambda: empties_supply(0), lambda: empties_deck(0)),
    "end.deck": (lambda: empties_deck(0), lambda: empties_supply(0)),
    "end.at_once": (lambda: empties_deck(0), lambda: empties_supply(1)),
    "end.round_goes_on": (lambda: empties_supply(0), lambda: empties_supply(1)),
    "end.round_finished": (lambda: empties_supply(1), lambda: empties_supply(0)),
    **{f"option.end.{end}": several_ends(end) for end in ("deck_at_once", "finish_round")},
    "option.end.immediate": several_ends("immediate"),
    "end.hand_cards": (final({0: {1}}), final({0: {5}})),
}

# The rule ids of reef.py that a whole game decides by itself, too.
SHARED: dict[str, tuple[Call, Call]] = {
    "option.start_layout.center": (listing(NOT_LAST_START), listing(game())),
    "option.start_layout.edge": (
        listing(before_start(Rules(start_layout="edge"))),
        listing(NOT_LAST_START),
    ),
    "option.start_layout.free": (
        listing(before_start(Rules(start_layout="free"))),
        listing(NOT_LAST_START),
    ),
    "start.stacking": (
        then(before_start(Rules(start_layout="free")), ("start", "r", 3), ("start", "p", 3)),
        then(before_start(Rules(start_layout="free")), ("start", "r", 3), ("start", "p", 2)),
    ),
    "start.stack_limit": (
        then(
            before_start(Rules(start_layout="free", stack_limit=1)),
            ("start", "r", 3),
            ("start", "p", 2),
        ),
        then(before_start(Rules(start_layout="free")), ("start", "r", 3), ("start", "p", 2)),
    ),
    "start.from_supply": (lambda: reef_game.new_game(DEFAULT), then(EMPTY_GAME, 1)),
    "supply.taken": (then(WITH_ONE, LAY_ONE), then(WITH_ONE, ("take", 0))),
}


def test_rule_ids_are_listed_once_and_all_have_a_case() -> None:
    assert len(set(RULE_IDS)) == len(RULE_IDS)
    assert not set(RULE_IDS) & set(reef.RULE_IDS)
    assert set(DECIDES) == set(RULE_IDS)
    assert set(SHARED) <= set(reef.RULE_IDS)


@pytest.mark.parametrize("rule_id", [*RULE_IDS, *SHARED])
def test_rule_fires_where_it_decides(rule_id: str) -> None:
    deciding, quiet = (DECIDES | SHARED)[rule_id]
    for call, fires in ((deciding, True), (quiet, False)):
        reef_game.canonical.cache_clear()
        FIRED.clear()
        call()
        assert (FIRED[rule_id] > 0) == fires
        assert set(FIRED) <= set(RULE_IDS) | set(reef.RULE_IDS)
