"""Tests of the Stone Age reference: actions, cards, tiles, feeding, the end, whole games."""

from typing import Any

import pytest

from .stone_age import (
    Options,
    State,
    outcomes,
    phase,
    result,
    turn,
)
from .stone_age_cases import DEFAULT, at, dealt, fires, legal, on, play, tools

LATER = Options(dice_gift="on_own_turn")
AT_ONCE = Options(choose_two="at_once")
FEW = Options(resource_supply=(2, 1, 0, 1))


def ids(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def acting(options: Options = DEFAULT, **given: Any) -> State:
    """Seat 0 and then the others act."""
    turns = [("turn", seat) for seat in range(options.players)]
    return at(*turns, options=options, **given)


def bought(card: int, options: Options = DEFAULT, **given: Any) -> State:
    """Seat 0 has just paid 1 wood for this card; it has a person on the field left to act."""
    s0 = {"goods": (1, 0, 0, 0), "on": on(card_1=1, field=1), **given.pop("s0", {})}
    state = acting(options, s0=s0, slots=(card, 12, 13, 14), **given)
    assert legal(play(state, "use card 1", options=options), options)[-1] == "decline"
    return play(state, "use card 1", "pay wood 1", options=options)


# Order of the actions


def test_turns() -> None:
    with fires("act.turn_order", "act.any_order", "act.gained_at_once", "place.village_both"):
        state = dealt(start=1)
        state = play(state, "place tool maker", "place hunt", "people 2", "place field")
        state = play(state, "place quarry", "people 3", "place clay pit", "people 3")
        assert (phase(state), turn(state)) == ("act", 1)
        assert legal(state) == ["use tool maker", "use field", "use clay pit"]
        state = play(state, "use tool maker", "use clay pit")
        assert len(legal(state)) == 16
        state = play(state, "roll 7")
        assert legal(state) == ["tools none", "tools 1"]  # gained in this turn
        state = play(state, "tools 1")
        assert state.seats[1].goods == (0, 2, 0, 0)
        assert legal(state) == ["use field"]
        state = play(state, "use field")
        assert (phase(state), turn(state)) == ("act", 0)
        assert legal(state) == ["use hunt", "use quarry"]


def test_next_round() -> None:
    options = Options(3)
    with fires(
        "next.start_left",
        "next.slide",
        "next.refill",
        "next.tools_ready",
        "act.people_return",
        "feed.turn_order",
    ):
        state = acting(
            options,
            start=2,
            slots=(11, 0, 0, 14),
            s0={"on": on(hunt=5), "tools": tools(used=(1,)), "food": 9},
        )
        state = play(state, "use hunt", "roll 12", options=options)
        assert [seat.food for seat in state.seats] == [10, 7, 7]
        assert state.start == 0
        assert state.slots == (11, 14, 0, 0)
        assert state.agenda[0] == ("card", 2)
        state = play(state, "card 1", "card 2", options=options)
    assert state.slots == (11, 14, 1, 2)
    assert state.rounds == 1
    assert [seat.left for seat in state.seats] == [5, 5, 5]
    assert state.seats[0].tools == tools(1)
    assert (phase(state), turn(state)) == ("place", 0)


# Tool maker, hut, field


def toolmaker(slots: tuple[tuple[int, bool], ...], options: Options = DEFAULT) -> State:
    state = acting(options, s0={"on": on(tool_maker=1, field=1), "tools": slots})
    return play(state, "use tool maker", options=options)


def test_tools_grow() -> None:
    with fires("tool.new", "tool.raised", "tool.level_up", "tool.maximum"):
        slots = tools()
        for expected in [(0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 2, 2)]:
            slots = toolmaker(slots).seats[0].tools
            assert tuple(value for value, _ in slots) == expected
        for expected in [(2, 2, 3), (2, 3, 3), (3, 3, 3), (3, 3, 4), (3, 4, 4), (4, 4, 4)]:
            slots = toolmaker(slots).seats[0].tools
            assert tuple(value for value, _ in slots) == expected
        assert toolmaker(slots).seats[0].tools == slots


def test_new_tool_is_ready() -> None:
    with fires("tool.new_ready"):
        state = toolmaker(tools(used=(1, 1)))
    assert state.seats[0].tools == tools(1, used=(1, 1))


def test_choice_of_the_lowest() -> None:
    state = toolmaker(tools(1, used=(1, 2)))
    assert phase(state) == "raise"
    with fires("tool.choice"):
        toolmaker(tools(1, used=(1, 2)))
    assert legal(state) == ["raise ready", "raise used"]
    assert play(state, "raise ready").seats[0].tools == tools(2, used=(1, 2))
    with fires("option.upgraded_tool_ready.False"):
        assert play(state, "raise used").seats[0].tools == tools(1, used=(2, 2))
    ready = Options(upgraded_tool_ready=True)
    state = toolmaker(tools(1, used=(1, 2)), ready)
    assert play(state, "raise ready", options=ready).seats[0].tools == tools(2, used=(1, 2))
    with fires("option.upgraded_tool_ready.True"):
        state = play(state, "raise used", options=ready)
    assert state.seats[0].tools == tools(1, 2, used=(2,))
    # no choice: the lowest are alike
    assert toolmaker(tools(2, used=(1, 1))).seats[0].tools == tools(2, used=(1, 2))
    assert toolmaker(tools(1, 1, used=(2,))).seats[0].tools == tools(1, 2, used=(2,))


def test_hut() -> None:
    with fires("hut.person", "feed.new_person_eats"):
        state = acting(s0={"on": on(hut=2), "people": 9}, s1={"on": on(field=1)})
        state = play(state, "use hut")
        assert state.seats[0].people == 10
        assert state.seats[0].left == 0  # works from the next round
        state = play(state, "use field")
    assert state.seats[0].food == 2
    assert state.seats[0].left == 10
    state = acting(s0={"on": on(hut=2, field=1)})
    assert play(state, "use hut").seats[0].people == 6
    with fires("hut.maximum"):
        state = acting(s0={"on": on(hut=2, field=1), "people": 10})
        assert play(state, "use hut").seats[0].people == 10


def test_field() -> None:
    state = acting(s0={"on": on(hut=2, field=1), "track": 9})
    with fires("field.track"):
        assert play(state, "use field").seats[0].track == 10
    state = acting(s0={"on": on(hut=2, field=1), "track": 10})
    with fires("track.maximum"):
        assert play(state, "use field").seats[0].track == 10


# Rolls: the worked examples of the golden page


@pytest.mark.parametrize(
    ("place", "dice", "total", "slots", "used", "gained"),
    [
        ("hunt", 5, 14, tools(), "", 7),
        ("hunt", 3, 11, tools(1), "tools 1", 6),
        ("hunt", 2, 4, tools(1, 1), "tools 1,1", 3),
        ("river", 2, 5, tools(used=(1,)), "", 0),
        ("river", 3, 7, tools(2, 2, 2), "tools 2,2,2", 2),
        ("forest", 2, 8, tools(), "", 2),
        ("clay pit", 2, 8, tools(), "", 2),
        ("quarry", 2, 9, tools(1, 4), "tools 1", 2),
        ("quarry", 2, 9, tools(1, 4), "tools none", 1),
    ],
)
def test_rolls(place: str, dice: int, total: int, slots: Any, used: str, gained: int) -> None:
    people = on(**{place.replace(" ", "_"): dice}, field=1)
    state = acting(s0={"on": people, "tools": slots, "food": 0})
    state = play(state, f"use {place}")
    found = outcomes(DEFAULT, state)
    assert (found[0][0], found[-1][0]) == (("roll", dice), ("roll", 6 * dice))
    assert sum(weight for _, weight in found) == 6**dice
    with fires("option.dice.six_sided"):
        state = play(state, f"roll {total}", *[used] * bool(used))
    seat = state.seats[0]
    assert (seat.food if place == "hunt" else sum(seat.goods)) == gained
    assert phase(state) == "act"


def test_tools_on_rolls() -> None:
    me = {"tools": tools(1, 2, 2), "one_use": (2, 4), "on": on(forest=1, hunt=1, field=1)}
    state = play(acting(s0=me), "use forest", "roll 2")
    assert len(legal(state)) == 6 * 4  # 0-1 of 1, 0-2 of 2; each one-use tool or not
    with fires("roll.tools", "roll.one_use", "roll.goods", "roll.tool_kept_for_later"):
        state = play(state, "tools 2 one-use 2")  # (2 + 2 + 2) / 3
        assert state.seats[0].goods == (2, 0, 0, 0)
        assert state.seats[0].tools == tools(1, 2, used=(2,))
        assert state.seats[0].one_use == (4,)
        state = play(state, "use hunt", "roll 6")
    assert len(legal(state)) == 4 * 2
    with fires("roll.tool_used_before", "roll.food", "roll.rounded_down"):
        state = play(state, "tools 2,1 one-use 4")  # (6 + 3 + 4) / 2
    assert state.seats[0].food == 12 + 6
    assert state.seats[0].one_use == ()
    assert state.seats[0].ready == ()


@pytest.mark.parametrize(("dice", "food", "gold"), [("3", 4, 1), ("3.5", 5, 1)])
def test_fixed_dice(dice: str, food: int, gold: int) -> None:
    options = Options(dice=dice)
    state = acting(options, s0={"on": on(hunt=3, river=2, field=1), "food": 0})
    with fires("option.dice.3" if dice == "3" else "option.dice.3.5"):
        state = play(state, "use hunt", "use river", options=options)
    assert state.seats[0].food == food  # 9 / 2, 10.5 / 2
    assert state.seats[0].goods == (0, 0, 0, gold)
    assert turn(bought(1, options)) == "chance"  # the gift is still rolled
    assert bought(25, options).seats[0].goods == (2, 0, 0, 0)  # (6 or 7) / 3


def test_limited_supply() -> None:
    me = {"on": on(forest=5, field=1), "goods": (0, 0, 0, 2)}
    state = play(acting(FEW, s0=me), "use forest", options=FEW)
    with fires("option.resource_supply.limited"):
        state = play(state, "roll 30", options=FEW)
    assert state.seats[0].goods == (2, 0, 0, 2)  # 10 wood, but 2 are left
    assert state.supply == (0, 1, 0, 1)
    state = play(acting(s0={**me, "goods": (18, 0, 0, 0)}), "use forest")
    with fires("option.resource_supply.unlimited"):
        assert play(state, "roll 30").seats[0].goods == (28, 0, 0, 0)
    # payments return before anything is gained: the second stone is the one just paid
    options = Options(resource_supply=(0, 0, 1, 0))
    me = {"on": on(card_1=1, field=1), "goods": (0, 0, 1, 0)}
    state = acting(options, s0=me, slots=(18, 12, 13, 14))
    with fires("supply.payment_returns"):
        state = play(state, "use card 1", "pay stone 1", options=options)
    assert state.seats[0].goods == (0, 0, 2, 0)
    assert state.supply == (0, 0, 0, 0)


# Cards


def test_price() -> None:
    me = {"on": on(card_3=1, field=1), "goods": (2, 0, 0, 2), "food": 50}
    state = play(acting(s0=me), "use card 3")
    assert legal(state) == ["pay wood 1 gold 2", "pay wood 2 gold 1", "decline"]
    with fires("card.price", "card.food", "card.place_stays_empty"):
        after = play(state, "pay wood 1 gold 2")
    assert after.seats[0].goods == (1, 0, 0, 0)
    assert after.seats[0].food == 53  # card 13: 3 food
    assert after.seats[0].cards == ids(13)
    assert after.slots == (11, 12, 0, 14)
    with fires("card.declined"):
        after = play(state, "decline")
    assert (after.slots, after.seats[0].goods) == ((11, 12, 13, 14), (2, 0, 0, 2))
    with fires("card.unaffordable"):
        after = play(acting(s0={**me, "goods": (1, 1, 0, 0)}), "use card 3")
    assert (phase(after), after.slots) == ("act", (11, 12, 13, 14))


def test_simple_tops() -> None:
    with fires("card.resource", "card.points", "card.tool", "card.food_track", "card.one_use_tool"):
        assert bought(18).seats[0].goods == (0, 0, 2, 0)
        assert bought(21).seats[0].goods == (0, 0, 0, 1)
        assert bought(22).seats[0].goods == (0, 1, 0, 0)
        assert bought(26).seats[0].score == 3
        assert bought(29).seats[0].tools == tools(1)
        assert bought(30).seats[0].track == 1
        assert bought(33).seats[0].one_use == (4,)
        assert bought(34, s0={"one_use": (4,)}).seats[0].one_use == (3, 4)
    assert phase(bought(29, s0={"tools": tools(1, 1, used=(1,))})) == "raise"


def test_roll_card() -> None:
    with fires("card.roll_resource"):
        state = bought(24, s0={"tools": tools(1, used=(3,))})
    assert turn(state) == "chance"
    assert sum(weight for _, weight in outcomes(DEFAULT, state)) == 36
    with fires("option.tools_on_card_roll.True"):
        state = play(state, "roll 9")
        assert legal(state) == ["tools none", "tools 1"]
        assert play(state, "tools 1").seats[0].goods == (0, 0, 2, 0)
    options = Options(tools_on_card_roll=False)
    state = bought(24, options, s0={"tools": tools(1, used=(3,))})
    with fires("option.tools_on_card_roll.False"):
        state = play(state, "roll 9", options=options)
    assert state.seats[0].goods == (0, 0, 1, 0)
    assert state.seats[0].tools == tools(1, used=(3,))


def test_extra_card() -> None:
    with fires("card.extra_card_scoring_only"):
        state = bought(32)
    assert len(legal(state)) == 32
    with fires("card.extra_bottom_only"):
        state = play(state, "card 27")
    assert state.seats[0].cards == ids(32, 27)
    assert state.seats[0].score == 0  # not its 3 points
    assert state.extra == (27, 0)
    assert 27 not in state.deck
    with fires("card.extra_no_deck"):
        state = bought(32, deck=ids())
    assert (phase(state), state.seats[0].cards, state.extra) == ("act", ids(32), None)


def test_two_resources() -> None:
    with fires("card.choose_resources", "option.choose_two.later"):
        state = bought(36)
    assert legal(state) == ["use field", "redeem"]
    with fires("two.used_in_actions"):
        state = play(state, "redeem")
    assert len(legal(state)) == 10
    state = play(state, "take brick gold")
    assert (state.seats[0].goods, legal(state)) == ((0, 1, 0, 1), ["use field"])
    with fires("option.choose_two.at_once"):
        state = bought(36, AT_ONCE)
    assert (phase(state), len(legal(state, AT_ONCE))) == ("two", 10)
    state = play(state, "take gold gold", options=AT_ONCE)
    assert (state.seats[0].goods, state.seats[0].two) == ((0, 0, 0, 2), False)


def test_two_resources_of_a_limited_supply() -> None:
    options = Options(resource_supply=(0, 1, 0, 1))
    state = bought(36, options)  # the wood paid is there again
    state = play(state, "redeem", options=options)
    assert legal(state, options) == ["take brick gold", "take wood gold", "take wood brick"]
    one = Options(resource_supply=(0, 0, 0, 1))
    state = acting(one, s0={"two": True, "on": on(field=1)})
    state = play(state, "redeem", options=one)
    assert (phase(state), state.seats[0].goods) == ("act", (0, 0, 0, 1))


def test_two_resources_do_not_prolong_a_turn() -> None:
    state = acting(s0={"two": True, "on": on(field=1)}, s1={"on": on(field=1)})
    state = play(state, "use field")
    assert (turn(state), state.seats[0].two) == (1, True)


# Gifts


def test_gift() -> None:
    options = Options(4)
    with fires(
        "card.dice_gift",
        "gift.no_tools",
        "gift.clockwise",
        "gift.last_die",
        "gift.goods",
        "gift.track",
        "option.dice_gift.at_once",
    ):
        state = bought(1, options, s0={"tools": tools(1)})
        assert len(legal(state, options)) == 126
        assert dict(outcomes(options, state))["gift", (1, 3, 3, 6)] == 12
        state = play(state, "gift 1 3 3 6", options=options)
        assert (turn(state), legal(state, options)) == (0, ["die 1", "die 3", "die 6"])
        state = play(state, "die 3", options=options)
        assert (turn(state), legal(state, options)) == (1, ["die 1", "die 3", "die 6"])
        state = play(state, "die 6", options=options)
        assert (turn(state), legal(state, options)) == (2, ["die 1", "die 3"])
        state = play(state, "die 1", options=options)
    assert [seat.goods for seat in state.seats] == [
        (0, 0, 1, 0), (0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0),
    ]  # fmt: skip
    assert [seat.track for seat in state.seats] == [0, 1, 0, 0]
    assert (turn(state), legal(state, options)) == (0, ["use field"])


def test_gift_without_choice() -> None:
    state = play(bought(1), "gift 2 2")
    assert [seat.goods for seat in state.seats] == [(0, 1, 0, 0)] * 2
    assert phase(state) == "act"


def test_gift_of_a_tool() -> None:
    with fires("gift.tool"):
        state = play(bought(1, s1={"tools": tools(1, used=(1, 2))}), "gift 4 5", "die 4")
    assert (phase(state), turn(state)) == ("raise", 1)
    state = play(state, "raise ready")
    assert state.seats[1].tools == tools(2, used=(1, 2))
    assert turn(state) == 0
    top = {"track": 10, "tools": tools(4, 4, 4)}
    with fires("gift.tool_maximum", "gift.track_maximum"):
        state = play(bought(1, s0=top, s1=top), "gift 5 6", "die 5")
    assert [(seat.track, seat.tool_value) for seat in state.seats] == [(10, 12)] * 2


def test_gift_of_a_limited_supply() -> None:
    options = Options(resource_supply=(0, 0, 0, 0))
    state = play(bought(1, options), "gift 1 4", "die 4", options=options)
    assert [seat.goods for seat in state.seats] == [(0, 0, 0, 0), (1, 0, 0, 0)]


def test_gift_on_own_turn() -> None:
    """Seat 1 buys, 2 takes in this round, 3 and 0 in the next one (start player: seat 1)."""
    options = Options(4, dice_gift="on_own_turn")
    people = on(card_1=1, field=1)
    state = at(
        *(("turn", seat) for seat in (1, 2, 3, 0)),
        options=options,
        start=1,
        slots=(1, 12, 13, 14),
        s1={"goods": (1, 0, 0, 0), "on": people},
        s2={"on": on(field=1)},
    )
    state = play(state, "use card 1", "pay wood 1", options=options)
    with fires("option.dice_gift.on_own_turn"):
        state = play(state, "gift 1 2 3 4", options=options)
    assert (turn(state), len(legal(state, options))) == (1, 4)
    state = play(state, "die 4", options=options)
    assert (turn(state), phase(state)) == (1, "act")
    assert state.gifts == (((1, 2, 3), (2, 3, 0)),)
    state = play(state, "use field", options=options)
    assert (turn(state), legal(state, options)) == (2, ["die 1", "die 2", "die 3"])
    state = play(state, "die 3", options=options)
    assert (turn(state), legal(state, options)) == (2, ["use field"])


def test_oldest_gift_first() -> None:
    gifts = (((1, 2), (0, 1)), ((3, 4), (0, 1)))
    state = acting(LATER, gifts=gifts, s0={"on": on(field=1)}, s1={"on": on(hut=2)})
    assert (turn(state), legal(state, LATER)) == (0, ["die 1", "die 2"])
    state = play(state, "die 2", options=LATER)
    assert legal(state, LATER) == ["die 3", "die 4"]
    state = play(state, "die 3", options=LATER)
    assert state.gifts == (((1,), (1,)), ((4,), (1,)))
    state = play(state, "use field", options=LATER)  # seat 1: only one die each, not asked
    assert state.seats[1].goods == (1, 0, 0, 1)
    assert (turn(state), state.gifts) == (1, ())


def test_order_of_gifts_is_kept() -> None:
    gifts = (((1, 2), (0, 1)), ((3, 4), (1,)))
    state = acting(LATER, gifts=gifts, s0={"on": on(field=1)}, s1={"on": on(hut=2)})
    state = play(state, "die 2", options=LATER)
    assert state.gifts == (((1,), (1,)), ((3, 4), (1,)))


def test_gift_lapses() -> None:
    options = Options(dice_gift="on_own_turn", max_rounds=1)
    with fires("gift.lapsed"):
        state = at(("feeding",), options=options, gifts=(((1,), (1,)),))
    assert (phase(state), state.seats[1].goods) == ("over", (0, 0, 0, 0))


# Tiles


def tile(number: int, goods: tuple[int, ...], **given: Any) -> State:
    me = {"on": on(tile_1=1, field=1), "goods": goods}
    return play(acting(s0=me, tops=(number, 2), **given), "use tile 1")


def test_tiles_bought() -> None:
    state = tile(1, (2, 2, 0, 0))
    assert legal(state) == ["pay wood 2 brick 1", "decline"]
    with fires("tile.fixed", "tile.next_turned_up"):
        after = play(state, "pay wood 2 brick 1")
    assert after.seats[0].score == 10
    assert after.seats[0].tiles == ids(1)
    assert (after.tops, after.stacks) == ((0, 2), (6, 7))
    assert len(legal(after)) == 26  # at once
    after = play(after, "tile 28")
    assert after.tops == (28, 2)
    assert legal(after) == ["use field"]
    with fires("tile.declined"):
        after = play(state, "decline")
    assert (after.seats[0].score, after.tops) == (0, (1, 2))
    with fires("tile.unaffordable"):
        assert phase(tile(1, (9, 0, 9, 9))) == "act"
    state = tile(19, (3, 2, 0, 1))  # 4 of exactly 2 kinds
    assert sorted(legal(state)) == sorted(
        ["pay wood 2 brick 2", "pay wood 3 brick 1", "pay wood 3 gold 1", "decline"]
    )
    with fires("tile.exact"):
        assert play(state, "pay wood 3 gold 1").seats[0].score == 15
    state = tile(26, (0, 0, 0, 8))
    assert len(legal(state)) == 8
    with fires("tile.range"):
        assert play(state, "pay gold 7").seats[0].score == 42
    with fires("tile.last_of_stack"):
        after = play(tile(1, (2, 1, 0, 0), stacks=(1, 7)), "pay wood 2 brick 1")
    assert (after.tops, after.stacks, phase(after)) == ((0, 2), (0, 7), "act")


# Feeding


def hungry(options: Options = DEFAULT, **me: Any) -> State:
    return at(options=options, s0={"people": 6, **me})


def test_enough_food() -> None:
    with fires("feed.track_first", "feed.enough"):
        state = hungry(food=4, track=2, goods=(1, 1, 1, 1))
    assert (turn(state), state.seats[0].food) == (1, 0)  # nothing asked; seat 1 starts next
    assert state.seats[0].goods == (1, 1, 1, 1)


def test_short_of_food() -> None:
    with fires("feed.all_food"):
        state = hungry(food=3, track=1, goods=(1, 2, 0, 0), score=4)
    assert (phase(state), state.seats[0].food) == ("hunger", 0)
    assert legal(state) == ["feed brick 2", "feed wood 1 brick 1", "starve"]
    with fires("feed.resources"):
        after = play(state, "feed wood 1 brick 1")
    assert (after.seats[0].goods, after.seats[0].score) == ((0, 1, 0, 0), 4)
    with fires("feed.starve", "feed.negative_score", "option.starvation.flat"):
        after = play(state, "starve")
    assert (after.seats[0].goods, after.seats[0].score) == ((1, 2, 0, 0), -6)
    with fires("feed.no_choice"):
        after = hungry(food=0, goods=(1, 0, 0, 0))  # 6 missing, all or nothing
    assert (after.seats[0].goods, after.seats[0].score) == ((1, 0, 0, 0), -10)


def test_feeding_with_the_two_resource_card() -> None:
    state = hungry(food=4, two=True)
    assert legal(state) == ["starve", "redeem"]
    with fires("two.used_in_feeding"):
        state = play(state, "redeem", "take wood wood")
    assert legal(state) == ["feed wood 2", "starve"]
    state = play(state, "feed wood 2")
    assert (state.seats[0].score, state.seats[0].goods, state.seats[0].two) == (0, (0,) * 4, False)
    assert hungry(food=6, two=True).seats[0].two  # not asked with enough food
    assert hungry(AT_ONCE, food=0).seats[0].score == -10


def test_starvation() -> None:
    options = Options(starvation="per_missing")
    state = hungry(options, food=3, goods=(1, 2, 0, 0))
    assert sorted(legal(state, options)) == sorted(
        ["feed wood 1", "feed brick 1", "feed brick 2", "feed wood 1 brick 1",
         "feed wood 1 brick 2", "starve"]
    )  # fmt: skip
    with fires("option.starvation.per_missing"):
        assert play(state, "starve", options=options).seats[0].score == -10  # floor(10.5)
    with fires("starve.partial"):
        after = play(state, "feed wood 1", options=options)
    assert (after.seats[0].score, after.seats[0].goods) == (-7, (0, 2, 0, 0))
    assert play(state, "feed brick 2", options=options).seats[0].score == -3
    assert play(state, "feed wood 1 brick 2", options=options).seats[0].score == 0
    options = Options(starvation="flat_plus")
    state = hungry(options, food=4, goods=(1, 1, 0, 0))
    assert legal(state, options) == ["feed wood 1 brick 1", "starve"]
    with fires("option.starvation.flat_plus"):
        assert play(state, "starve", options=options).seats[0].score == -12


def test_feeding_order() -> None:
    options = Options(3)
    poor = {"food": 0, "goods": (5, 0, 0, 0)}
    state = at(options=options, start=1, s0=poor, s1=poor, s2=poor)
    for seat in (1, 2, 0):
        assert turn(state) == seat
        state = play(state, "starve", options=options)
    assert state.start == 2


# The end


def test_end_of_the_cards() -> None:
    with fires("end.cards"):
        state = at(slots=(0, 0, 5, 6), deck=ids(7))
    assert (phase(state), turn(state), state.cause) == ("over", "over", "cards")
    assert (state.rounds, state.start, state.deck) == (1, 1, ids(7))
    state = at(slots=(0, 0, 5, 6), deck=ids(7, 8))
    assert turn(state) == "chance"
    assert phase(at(deck=ids())) == "place"  # nothing to refill


def test_end_of_a_stack() -> None:
    with fires("end.tiles_after_round", "end.tiles_fed"):
        state = at(stacks=(0, 3), s1={"food": 4, "goods": (1, 0, 0, 0), "score": 7})
        assert (phase(state), turn(state)) == ("hunger", 1)
        state = play(state, "starve")
    assert (phase(state), state.cause, state.rounds) == ("over", "tiles", 1)
    scores, best = result(DEFAULT, state)
    assert [each.total for each in scores] == [0, -2]
    assert best == (0,)


def test_max_rounds() -> None:
    options = Options(max_rounds=3)
    assert phase(at(options=options, rounds=1)) == "place"
    with fires("option.max_rounds"):
        state = at(options=options, rounds=2)
    assert (phase(state), state.cause, state.rounds) == ("over", "max_rounds", 3)
    assert at(options=options, rounds=2, stacks=(7, 0)).cause == "tiles"
    assert DEFAULT.max_rounds == 60
