"""Tests of the Stone Age reference: facts, set-up, placing, dice, tools, payments, scoring."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from . import stone_age, stone_age_rules
from .stone_age import Options, Seat, State, new_game, phase, result, turn
from .stone_age_cases import DEFAULT, at, dealt, fires, legal, on, play, tools
from .stone_age_rules import (
    Final,
    card_payments,
    final,
    gift_rolls,
    green_points,
    multisets,
    tile_payments,
    ways,
    winners,
    worth,
)
from .stone_age_table import CARDS, KINDS, PLACES, PRICES, TILES

MANY = (9, 9, 9, 9)


def ids(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


# The facts


def test_cards() -> None:
    assert sorted(CARDS) == list(range(1, 37))
    assert PRICES == (1, 2, 3, 4)
    tops = Counter(each["immediate"]["type"] for each in CARDS.values())
    assert tops == {
        "dice_gift": 10, "food": 7, "resource": 5, "roll_resource": 3, "points": 3, "tool": 1,
        "food_track": 2, "extra_card_scoring_only": 1, "one_use_tool": 3, "choose_resources": 1,
    }  # fmt: skip
    symbols = Counter(each["scoring"].get("symbol") for each in CARDS.values())
    assert symbols.pop(None) == 20
    assert set(symbols.values()) == {2}
    assert len(symbols) == 8


def test_tiles() -> None:
    assert sorted(TILES) == list(range(1, 29))
    for tile, facts in TILES.items():
        values = [worth(paid) for paid in tile_payments(MANY, tile)]
        assert (min(values), max(values)) == (facts["vp_min"], facts["vp_max"])


# Options


def test_defaults() -> None:
    assert Options(
        2, None, "flat", False, "later", "at_once", True, True, True, "allowed", False, False,
        "shared", 60, 12, 5, 7, "six_sided",
    ) == DEFAULT  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1}, {"players": 5}, {"starvation": "none"}, {"dice": "4"}, {"max_rounds": 0},
        {"resource_supply": (1, 2, 3)}, {"resource_supply": (1, 2, 3, -1)}, {"start_food": -1},
        {"start_people": 0}, {"start_people": 11}, {"stack_size": 0}, {"stack_size": 15},
        {"players": 4, "stack_size": 8}, {"players": 3, "stack_size": 10},
    ],
)  # fmt: skip
def test_refused_options(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Options(**wrong)


# Set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_game(players: int) -> None:
    options = Options(players)
    with fires(
        "setup.seat", "option.start_food", "option.start_people", "option.stack_size",
        "setup.start_random", "setup.tile_top", "setup.card_dealt",
    ):  # fmt: skip
        state = new_game(options)
        assert turn(state) == "chance"
        assert stone_age.outcomes(options, state) == [(("start", n), 1) for n in range(players)]
        for seat in state.seats:
            assert (seat.people, seat.food, seat.track, seat.score) == (5, 12, 0, 0)
            assert (seat.goods, seat.tool_value, seat.cards) == ((0, 0, 0, 0), 0, ids())
        assert state.stacks == (7,) * players
        state = play(state, f"start {players - 1}", options=options)
        for stack in range(players):
            assert state.agenda[0] == ("tile", stack)
            assert len(legal(state, options)) == 28 - stack
            state = play(state, f"tile {28 - stack}", options=options)
        for slot in range(4):
            assert state.agenda[0] == ("card", slot)
            assert len(legal(state, options)) == 36 - slot
            state = play(state, f"card {36 - slot}", options=options)
    assert state.slots == (36, 35, 34, 33)  # price 1 first
    assert state.tops == (28, 27, 26, 25)[:players]
    assert (phase(state), turn(state), len(state.deck)) == ("place", players - 1, 32)


def test_other_set_up() -> None:
    options = Options(4, start_food=3, start_people=10, stack_size=2)
    with fires("option.start_food.other", "option.start_people.other", "option.stack_size.other"):
        state = new_game(options)
    assert state.seats[3].food == 3
    assert state.seats[0].people == 10
    assert state.stacks == (2, 2, 2, 2)


# Placing


def test_first_placing() -> None:
    state = dealt(Options(4))
    assert legal(state, Options(4)) == [f"place {place}" for place in PLACES]
    assert legal(dealt()) == [f"place {place}" for place in PLACES[:14]]


def test_turn_order_and_numbers() -> None:
    with fires("place.turn_order", "place.how_many", "place.everybody_done", "act.turn_order"):
        state = dealt(start=1)
        assert turn(state) == 1
        state = play(state, "place hunt")
        assert legal(state) == [f"people {count}" for count in range(1, 6)]
        assert turn(state) == 1
        state = play(state, "people 3")
        assert (turn(state), state.seats[1].left, state.seats[1].on) == (0, 2, on(hunt=3))
        state = play(state, "place tool maker")  # exactly 1: not asked
        assert turn(state) == 1
        state = play(state, "place hut")  # exactly 2
        assert state.seats[1].left == 0
        assert turn(state) == 0
        state = play(state, "place forest")
        state = play(state, "people 4")
    assert (phase(state), turn(state)) == ("act", 1)
    assert all(seat.left == 0 for seat in state.seats)
    assert all(sum(seat.on) == 5 for seat in state.seats)


def placing(options: Options = DEFAULT, **given: Any) -> State:
    return at(("placing", 0), options=options, **given)


def test_one_person_left() -> None:
    with fires("place.hut_two"):
        state = placing(s0={"left": 1}, s1={"left": 3})
        assert "place hut" not in legal(state)
    with fires("place.people_left"):
        after = play(state, "place hunt")
        assert (turn(after), "place hut" in legal(after)) == (1, True)
        after = play(after, "place hut")
        assert turn(after) == 1  # seat 0 has nobody left
    state = play(state, "place river")  # 1 person: how many isn't asked
    assert state.seats[0].on == on(river=1)


def test_never_twice() -> None:
    with fires("place.never_twice", "option.hunt_again.False"):
        state = placing(s0={"left": 3, "on": on(hunt=1, forest=1)}, s1={"left": 1})
        found = legal(state)
    assert "place hunt" not in found
    assert "place forest" not in found
    options = Options(hunt_again=True)
    with fires("option.hunt_again.True"):
        state = placing(options, s0={"left": 3, "on": on(hunt=1, forest=1)})
        found = legal(state, options)
    assert "place hunt" in found
    assert "place forest" not in found
    state = play(state, "place hunt", "people 2", options=options)
    assert state.seats[0].on == on(hunt=3, forest=1)


def test_one_person_places() -> None:
    with fires("place.one_person", "place.no_tile_place"):
        there = on(tool_maker=1, card_1=1, tile_2=1)
        found = legal(placing(s0={"left": 3}, s1={"on": there}))
    assert found == [
        "place hut", "place field", "place hunt", "place forest", "place clay pit",
        "place quarry", "place river", "place card 2", "place card 3", "place card 4",
        "place tile 1",
    ]  # fmt: skip


def test_hunt_unlimited() -> None:
    with fires("place.hunt_unlimited"):
        state = placing(s0={"left": 10, "people": 10}, s1={"on": on(hunt=9)})
        state = play(state, "place hunt")
        assert len(legal(state)) == 10
        play(state, "people 10")


def test_room_for_seven() -> None:
    options = Options(4)
    with fires("place.room_seven"):
        seats = {"s1": {"on": on(forest=5, river=7)}, "s2": {"on": on(quarry=6)}}
        state = placing(options, s0={"left": 4}, **seats)
        found = legal(state, options)
    assert "place river" not in found
    assert legal(play(state, "place forest", options=options), options) == ["people 1", "people 2"]
    state = play(state, "place quarry", options=options)  # room for 1: not asked
    assert state.seats[0].on == on(quarry=1)
    alone = placing(options, s0={"left": 9})
    assert len(legal(play(alone, "place clay pit", options=options), options)) == 7


@pytest.mark.parametrize("players", [2, 3, 4])
def test_resource_limit(players: int) -> None:
    one, two = (
        {"s1": {"on": on(forest=1)}},
        {"s1": {"on": on(forest=1)}, "s2": {"on": on(forest=1)}},
    )
    options = Options(players)
    free = Options(players, resource_limit_small_games=False)
    given = one if players == 2 else two
    if players < 4:
        with fires("place.resource_limit", "option.resource_limit_small_games.True"):
            found = legal(placing(options, s0={"left": 2}, **given), options)
        assert "place forest" not in found
        with fires("option.resource_limit_small_games.False"):
            assert "place forest" in legal(placing(free, s0={"left": 2}, **given), free)
    if players > 2:
        assert "place forest" in legal(placing(options, s0={"left": 2}, **one), options)
    if players == 4:
        given = {**two, "s3": {"on": on(forest=1)}}
        assert "place forest" in legal(placing(options, s0={"left": 2}, **given), options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_village_limit(players: int) -> None:
    options = Options(players)
    given = {"s0": {"left": 2, "on": on(hut=2)}, "s1": {"left": 2, "on": on(field=1)}}
    found = legal(placing(options, **given), options)
    assert ("place tool maker" in found) == (players == 4)
    if players == 4:
        return
    with fires("place.village_limit", "option.village_limit_small_games.True"):
        placing(options, **given)
    free = Options(players, village_limit_small_games=False)
    with fires("option.village_limit_small_games.False"):
        assert "place tool maker" in legal(placing(free, **given), free)
    with fires("place.village_both"):  # "may both be one player's"
        state = placing(options, s0={"left": 2, "on": on(hut=2)})
        state = play(state, "place field", options=options)
    assert "place tool maker" not in legal(state, options)


@pytest.mark.parametrize(
    ("place", "top", "below"),
    [
        ("tool maker", {"tools": tools(4, 4, 4)}, {"tools": tools(3, 4, 4)}),
        ("hut", {"people": 10}, {"people": 9}),
        ("field", {"track": 10}, {"track": 9}),
    ],
)
def test_place_at_max(place: str, top: dict[str, Any], below: dict[str, Any]) -> None:
    forbidden = Options(place_at_max="forbidden")
    with fires("option.place_at_max.allowed"):
        assert f"place {place}" in legal(placing(s0={"left": 2, **top}))
    with fires("option.place_at_max.forbidden"):
        found = legal(placing(forbidden, s0={"left": 2, **top}), forbidden)
    assert f"place {place}" not in found
    assert f"place {place}" in legal(placing(forbidden, s0={"left": 2, **below}), forbidden)


def test_skipped() -> None:
    """Seat 1 is everywhere it could go; seat 0 goes on alone, then the people left are idle."""
    full = on(hunt=1, forest=1, clay_pit=1, quarry=1, river=1, tool_maker=1, hut=2)
    cards = on(card_1=1, card_2=1, card_3=1, card_4=1, tile_1=1, tile_2=1)
    with fires("place.skipped"):
        s1 = {"left": 1, "people": 9, "on": full}
        state = at(("placing", 1), s0={"left": 3, "on": cards}, s1=s1)
    assert (turn(state), legal(state)) == (0, ["place hunt"])
    state = play(state, "place hunt", "people 1")
    assert (phase(state), turn(state)) == ("act", 0)
    assert state.seats[1].left == 0
    assert (
        state.seats[0].left == 0
    )  # nothing is left for seat 0 either, two people of whom are idle


# Dice and expected goods (golden page)


def test_ways() -> None:
    counts = (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
    assert ways(3) == tuple(zip(range(3, 19), counts, strict=True))
    for dice in range(1, 11):
        assert sum(count for _sum, count in ways(dice)) == 6**dice


def expected(dice: int, divisor: int, added: int = 0) -> Fraction:
    return sum(
        (Fraction((total + added) // divisor * count, 6**dice) for total, count in ways(dice)),
        Fraction(0),
    )


def test_expected_goods() -> None:
    for dice, divisor, added in product(range(1, 11), (2, 3, 6), range(13)):
        exact = (Fraction(7, 2) * dice + added - Fraction(divisor - 1, 2)) / divisor
        assert expected(dice, divisor, added) == exact
    brick = "1/2 49/36 487/216 4049/1296 4 113725/23328 402407/69984"
    stone = "1/3 1 367/216 1555/648 12053/3888 177293/46656 9/2"
    assert [expected(dice, 4) for dice in range(1, 8)] == list(map(Fraction, brick.split()))
    assert [expected(dice, 5) for dice in range(1, 8)] == list(map(Fraction, stone.split()))


def test_four_wood() -> None:
    chances = [
        round(sum(count for total, count in ways(dice) if total >= 12) / 6**dice, 6)
        for dice in (2, 3, 4, 5)
    ]
    assert chances == [0.027778, 0.375, 0.760802, 0.941229]


@cache
def best(state: State) -> Fraction:
    """The expected value of food and goods when all tools are used as well as possible."""
    if turn(state) == "chance":
        found = stone_age.outcomes(DEFAULT, state)
        total = sum(weight for _, weight in found)
        after = ((stone_age.deal(DEFAULT, state, each), weight) for each, weight in found)
        return sum((best(each) * weight for each, weight in after), Fraction(0)) / total
    if phase(state) == "tools":
        found = stone_age.moves(DEFAULT, state)
        return max(best(stone_age.apply(DEFAULT, state, each)) for each in found)
    assert phase(state) == "act"
    return Fraction(worth(state.seats[0].goods) + 2 * state.seats[0].food)


@pytest.mark.parametrize(
    ("rolls", "slots", "value"),
    [
        (((3, 4), (6, 3)), (2, 3, 4), Fraction(31)),
        (((6, 3), (3, 4)), (2, 3, 4), Fraction(65, 2)),
        (((2, 5), (5, 2)), (1, 2, 2), Fraction(661, 24)),
    ],
)
def test_tools_split_over_rolls(
    rolls: tuple[tuple[int, int], ...], slots: tuple[int, ...], value: Fraction
) -> None:
    tasks = [("roll", 0, divisor, dice) for divisor, dice in rolls]
    me = {"food": 0, "tools": tools(*slots)}
    assert best(at(*tasks, ("act", 0), s0=me)) == value


# Payments (golden page)


def test_payments() -> None:
    exact = {(t["count"], t["kinds"]): n for n, t in TILES.items() if t["kind"] == "exact"}
    found = {key: len(tile_payments(MANY, tile)) for key, tile in exact.items()}
    assert [found[4, kinds] for kinds in (1, 2, 3, 4)] == [4, 18, 12, 1]
    assert [found[5, kinds] for kinds in (1, 2, 3, 4)] == [4, 24, 24, 4]
    assert len(tile_payments(MANY, 26)) == 329
    assert max(worth(paid) for paid in tile_payments(MANY, 26)) == 42
    assert [len(card_payments(MANY, slot)) for slot in range(4)] == [4, 10, 20, 35]
    assert tile_payments((2, 1, 0, 5), 1) == ((2, 1, 0, 0),)
    assert tile_payments((1, 9, 9, 9), 1) == ()
    assert multisets((1, 0, 2, 0), 2) == ((0, 0, 2, 0), (1, 0, 1, 0))


def test_gift_rolls() -> None:
    for players in (2, 3, 4):
        brute = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=players))
        assert dict(gift_rolls(players)) == brute


# Final scoring (golden page)


def test_greens() -> None:
    with fires("score.greens", "score.further_sets"):
        assert green_points(ids(1, 2, 3, 4, 26, 11, 27)) == 29
    assert green_points(ids(1, 2, 3, 4, 12, 13, 23, 26)) == 64
    assert green_points(ids(*CARDS)) == 128
    assert green_points(ids(5, 6)) == 0
    assert green_points(ids(13, 14)) == 2  # the same symbol twice


def test_figures() -> None:
    six = ids(1, 2, 3, 4, 5, 6)
    with fires("score.farmers", "score.toolmakers", "score.builders", "score.shamans"):
        assert final(DEFAULT, Seat(cards=ids(7, 8, 17), track=7)).farmers == 35
        assert final(DEFAULT, Seat(cards=ids(33, 35), tools=tools(2, 2, 3))).toolmakers == 21
        assert final(DEFAULT, Seat(cards=ids(6, 15, 28), tiles=six)).builders == 42
        assert final(DEFAULT, Seat(cards=ids(20, 22), people=8)).shamans == 24
    totals = {
        figure: sum(
            each["scoring"].get("count", 0) * (each["scoring"].get("figure") == figure)
            for each in CARDS.values()
        )
        for figure in ("builder", "farmer", "toolmaker", "shaman")
    }
    assert totals == {"builder": 9, "farmer": 7, "toolmaker": 8, "shaman": 7}


def test_leftovers() -> None:
    with fires("score.resources", "score.food_nothing", "two.unused_at_end"):
        scored = final(DEFAULT, Seat(goods=(1, 2, 3, 4), food=30, two=True, score=-7))
    assert scored == Final(-7, 0, 0, 0, 0, 0, 12)
    assert scored.total == 5


def test_one_use_tools_score() -> None:
    seat = Seat(cards=ids(9), tools=tools(1, 1, 1), one_use=(3, 4))
    with fires("option.one_use_tools_score.False"):
        assert final(DEFAULT, seat).toolmakers == 6
    with fires("option.one_use_tools_score.True"):
        assert final(Options(one_use_tools_score=True), seat).toolmakers == 20


def test_winners() -> None:
    low = Seat(track=1, tools=tools(2, 1, 1), people=6, food=5)  # 1 + 4 + 6
    high = Seat(track=2, tools=tools(4), people=6, food=0)  # 2 + 4 + 6
    assert winners(DEFAULT, (high, low), (10, 11)) == (1,)
    with fires("tie.broken"):
        assert winners(DEFAULT, (low, high), (10, 10)) == (1,)
    same = replace(high, food=3, one_use=(2,), track=1, people=7)
    with fires("tie.shared", "option.tie_break.shared"):
        assert winners(DEFAULT, (low, high, same), (10, 10, 10)) == (1, 2)
    by_food = Options(tie_break="food")
    with fires("option.tie_break.food"):
        assert winners(by_food, (low, high, same), (10, 10, 10)) == (2,)
    assert winners(by_food, (high, high), (10, 10)) == (0, 1)


def test_result() -> None:
    state = at(("over",), s0={"score": 3, "goods": (1, 0, 0, 0)}, s1={"score": 4})
    scores, best_seats = result(DEFAULT, state)
    assert [each.total for each in scores] == [4, 4]
    assert best_seats == (0, 1)


def test_penalties() -> None:
    for missing, flat, each, plus in [
        (1, 10, 3, 11),
        (2, 10, 7, 12),
        (3, 10, 10, 13),
        (5, 10, 17, 15),
    ]:
        assert stone_age_rules.penalty(DEFAULT, missing) == flat
        assert stone_age_rules.penalty(Options(starvation="per_missing"), missing) == each
        assert stone_age_rules.penalty(Options(starvation="flat_plus"), missing) == plus
    assert stone_age_rules.penalty(DEFAULT, 0) == 0


def test_kinds() -> None:
    assert KINDS == ("wood", "brick", "stone", "gold")
    assert worth((1, 0, 0, 0)) == 3
    assert worth((1, 1, 1, 1)) == 18
