"""Whole games: worked examples, options one by one, ends and their causes."""

from __future__ import annotations

import random

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import Player, Position, Rules, engine, final
from oddsmith.solver.games.stone_age.rules import PLACES
from tests.stone_age.options import random_rules

OVER = -2
DISPLAY, TOPS = (11, 12, 13, 14), (1, 18, 26, 2)


def at(name):
    return PLACES.index(name)


def position(*players, rules=None, **more):
    """A position of two players (or as many as given) in the action phase of the first."""
    seats = [Player(**one) for one in players] or [Player(), Player()]
    rules = rules or Rules(players=len(seats), start_people=min(5, *(one.people for one in seats)))
    sold = sum(len(seat.tiles) for seat in seats)
    stacks = [rules.stack_size] * len(seats)
    stacks[0] -= sold
    fields = {"rules": rules, "players": tuple(seats), "phase": "acting", "display": DISPLAY,
              "tops": TOPS[: len(seats)], "stacks": tuple(stacks), **more}
    made = Position(**fields)
    assert stone_age.check(made) == []
    return made


def go(where, *moves):
    return stone_age.move_position(where, moves, None)


def legal(where):
    return [stone_age.format_code(where, code) for code in engine.legal_codes(where)]


def placing(*players, **more):
    return position(*players, phase="placing", **more)


# The rule book's examples ------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "people", "tools", "pips", "used", "item", "gain"), [
    ("hunt", 5, 0, 14, None, "food", 7),
    ("hunt", 3, 1, 11, "1", "food", 6),
    ("hunt", 2, 2, 4, "1,1", "food", 3),
    ("river", 2, 1, 5, "none", 3, 0),
    ("river", 2, 1, 4, "1", 3, 0),
    ("river", 3, 6, 7, "2,2", 3, 1),
    ("river", 3, 6, 7, "2,2,2", 3, 2),
    ("forest", 4, 0, 11, None, 0, 3),
])
def test_rolls(place, people, tools, pips, used, item, gain):
    before = position({"people": 9, "food": 0, "tools": tools, "placed": ((at(place), people),
                                                                         (at("field"), 1))}, {})
    after = go(before, f"use {place}", f"roll {pips}", *([f"tools {used}"] if used else []))
    player = after.players[0]
    assert (player.food if item == "food" else player.goods[item]) == gain


def test_final_scoring():
    """Greens, farmers, toolmakers, builders, shamans, resources as the rule book counts them."""
    greens = (1, 2, 3, 4, 12, 11, 26, 27)   # 5 kinds, then pottery and music again: 25 + 4
    kinds = {stone_age.card(n).bottom for n in greens}
    assert len(kinds) == 6
    assert final(Player(cards=(1, 2, 3, 4, 26, 11, 27)), Rules()).greens == 25 + 4
    assert final(Player(cards=(7, 8, 17), track=7), Rules()).farmers == 35
    assert final(Player(cards=(9, 33), tools=7), Rules()).toolmakers == 21
    assert final(Player(cards=(5, 6, 16, 28), tiles=tuple(range(1, 7))), Rules()).builders == 42
    assert final(Player(cards=(20, 22), people=8), Rules()).shamans == 24
    assert final(Player(cards=(1, 2, 3, 4, 12, 13, 23, 26)), Rules()).greens == 64
    assert final(Player(goods=(1, 2, 3, 4), two=True, food=9), Rules()).resources == 12


def test_the_kernel_scores_as_the_items_add_up():
    draw = random.Random(1)
    for seed in range(60):
        rules = random_rules(draw)
        table, state = stone_age.table(rules), None
        state = table.new_game()
        chance = Generator(seed)
        while table.turn(state) != OVER:
            state = table.apply_unchecked(
                state, table.sample(state, chance) if table.turn(state) == -1
                else table.policy_move(state, draw.choice(("random", "greedy", "starve")), chance))
        blank = msgspec.structs.replace(stone_age.new(rules, 1), phase="over")
        told = engine.from_state(blank, state)
        scores = table.summary(state)[: rules.players]
        assert [final(player, rules).total for player in told.players] == scores
        ranks = [(points, p.track + p.tools + p.people, p.food * (rules.tie_break == "food"))
                 for points, p in zip(scores, told.players, strict=True)]
        winners = [rank == max(ranks) for rank in ranks]
        assert table.payoff(state) == [60 // sum(winners) * won for won in winners]


def test_seven_gold_for_a_tile():
    after = go(position({"goods": (0, 0, 0, 7), "placed": ((at("tile 2"), 1),)}, {},
                        tops=(1, 26)), "use tile 2", "pay gold 7")
    assert (after.players[0].score, after.players[0].tiles, after.phase) == (42, (26,), "turn tile")


# Placing -----------------------------------------------------------------------------------------


def test_places_of_a_small_game():
    where = placing()
    assert "place hut" in legal(where)
    where = go(where, "place field", "place hut", "place forest 2")
    # Two village places are used; the forest takes one player of two.
    assert "place tool maker" not in legal(where)
    assert "place forest" not in legal(where)
    assert "place clay pit" in legal(where)
    loose = {"village_limit_small_games": False, "resource_limit_small_games": False}
    where = go(placing(rules=Rules(**loose)), "place field", "place hut", "place forest 2")
    assert {"place tool maker", "place forest"} <= set(legal(where))


def test_three_players_share_a_resource_place():
    where = placing({"people": 9}, {"people": 9}, {"people": 9})
    where = go(where, "place river 3", "place river 2")
    assert "place river" not in legal(where)
    where = go(placing({"people": 9}, {"people": 9}, {"people": 9}, {"people": 9}),
               "place river 3", "place river 2", "place river 1")
    assert "place river" in legal(where)
    full = go(placing({"people": 9}, {"people": 9}, {"people": 9}, {"people": 9}),
              "place river 3", "place river 2", "place river 2")
    assert "place river" not in legal(full)


def test_seven_people_in_all():
    where = go(placing({"people": 9}, {"people": 9}, {"people": 9}, {"people": 9}),
               "place quarry 5", "place quarry")
    assert legal(where) == ["people 1", "people 2"]
    assert "place quarry" not in legal(go(where, "people 2"))


def test_the_hut_takes_two():
    assert "place hut" not in legal(placing({"people": 1}, {}))


def test_both_people_go_to_the_hut():
    where = go(placing({"people": 2}, {"people": 1}), "place hut", "place field")
    assert (where.phase, where.to_move) == ("acting", 0)


def test_hunting_again():
    where = go(placing({}, {"people": 1}), "place hunt 2", "place hunt")
    assert "place hunt" not in legal(where)
    where = go(placing({}, {"people": 1}, rules=Rules(hunt_again=True, start_people=1)),
               "place hunt 2", "place hunt")
    assert go(where, "place hunt 3").players[0].placed == ((at("hunt"), 5),)


def test_places_at_the_maximum():
    full = {"people": 10, "track": 10, "tools": 12}
    assert {"place hut", "place field", "place tool maker"} <= set(legal(placing(full, {})))
    strict = legal(placing(full, {}, rules=Rules(place_at_max="forbidden")))
    assert not {"place hut", "place field", "place tool maker"} & set(strict)


def test_nobody_passes_while_he_can_place():
    where = go(placing({"people": 2}, {"people": 1}), "place hunt 1", "place field")
    assert (where.phase, where.to_move) == ("placing", 0)
    where = go(where, "place forest")
    assert (where.phase, where.to_move) == ("acting", 0)


# Acting ------------------------------------------------------------------------------------------


def test_a_new_person_eats_and_works_later():
    where = position({"people": 5, "food": 6, "placed": ((at("hut"), 2),)}, {"food": 9})
    after = go(where, "use hut")
    assert (after.players[0].people, after.players[0].food) == (6, 0)
    assert after.phase == "placing"
    assert sum(n for _, n in after.players[0].placed) == 0


def test_tools_rise_in_order():
    seen, player = [], {"tools": 0}
    for _ in range(13):
        after = go(position({**player, "food": 9, "placed": ((at("tool maker"), 1),)},
                            {"food": 9}), "use tool maker")
        player = {"tools": after.players[0].tools}
        seen.append(player["tools"])
    assert seen == [*range(1, 13), 12]
    assert [stone_age.engine.levels(n) for n in (3, 5, 12)] == [(1, 1, 1), (2, 2, 1), (4, 4, 4)]


@pytest.mark.parametrize(("ready", "used"), [(False, (2,)), (True, ())])
def test_the_player_chooses_which_tool_rises(ready, used):
    where = position({"tools": 3, "used": (1,), "placed": ((at("tool maker"), 1), (at("hunt"), 1))},
                     {}, rules=Rules(upgraded_tool_ready=ready))
    where = go(where, "use tool maker")
    assert legal(where) == ["raise ready", "raise used"]
    assert go(where, "raise ready").players[0].used == (1,)
    assert go(where, "raise used").players[0].used == used
    assert go(where, "raise used").players[0].tools == 4


def test_a_tool_is_used_once_a_round():
    where = position({"tools": 2, "food": 12, "placed": ((at("hunt"), 1), (at("forest"), 1))}, {})
    where = go(where, "use hunt", "roll 3", "tools 1,1", "use forest", "roll 1")
    assert where.players[0].used == ()      # the next round has begun
    assert where.players[0].food == 12 + 2 - 5
    assert where.round == 2


def test_one_use_tools():
    where = position({"tools": 2, "one_use": (2,), "cards": (35,),
                      "placed": ((at("river"), 2), (at("hunt"), 1))}, {})
    where = go(where, "use river", "roll 8")
    assert "tools 1 one-use 2" in legal(where)
    after = go(where, "tools 1,1 one-use 2")
    assert (after.players[0].goods[3], after.players[0].one_use) == (2, ())
    left = Player(cards=(35,), one_use=(2,), tools=2)
    assert final(left, Rules()).toolmakers == 4
    assert final(left, Rules(one_use_tools_score=True)).toolmakers == 8


def buys(number, rules=None, price=1, **player):
    """The position after the first player has bought a card."""
    shown = [n for n in (11, 12, 13, 14) if n != number][:3]
    shown.insert(price - 1, number)
    mover = {"goods": (price, 0, 0, 0), "placed": ((7 + price, 1), (at("hunt"), 1)), **player}
    return go(position(mover, {}, rules=rules or Rules(), display=tuple(shown)),
              f"use card {price}", f"pay wood {price}")


@pytest.mark.parametrize(("number", "change"), [
    (11, {"food": 7}), (18, {"goods": (0, 0, 2, 0)}), (26, {"score": 3}), (29, {"tools": 1}),
    (30, {"track": 1}), (33, {"one_use": (4,)}), (36, {"two": True}),
])
def test_tops_of_cards(number, change):
    after = buys(number).players[0]
    for name, value in change.items():
        assert getattr(after, name) == value


def test_cards_cost_what_their_place_says():
    where = position({"goods": (1, 1, 1, 1), "placed": ((at("card 3"), 1), (at("card 4"), 1))}, {})
    assert legal(go(where, "use card 3"))[-1] == "decline"
    assert len(legal(go(where, "use card 3"))) == 4 + 1
    after = go(where, "use card 3", "pay wood 1 brick 1 stone 1", "use card 4")
    assert after.phase != "paying"          # one gold doesn't pay for it
    assert after.players[0].cards == (13,)


def test_the_extra_card():
    where = buys(32)
    assert where.phase == "extra card"
    after = go(where, "card 7")
    assert after.players[0].extra == 7
    assert final(after.players[0], Rules()).farmers == 0
    table, state = stone_age.table(after.rules), stone_age.to_state(after)
    assert table.redeal(state, -1, Generator(1)) == state   # told in a file: known to who asks
    state = stone_age.to_state(after, secret=True)
    for viewer, kept in ((0, True), (1, False)):
        seen = {table.unpack(table.redeal(state, viewer, Generator(k)))["extra"] for k in range(40)}
        assert (seen == {6}) is kept


def test_rolls_of_cards():
    where = buys(23, tools=2)
    assert (where.phase, where.dice, where.kind) == ("roll", 2, 3)
    assert go(where, "roll 10", "tools 1,1").players[0].goods[3] == 2
    plain = go(buys(23, Rules(tools_on_card_roll=False), tools=2), "roll 10")
    assert (plain.players[0].goods[3], plain.phase) == (1, "acting")


def test_two_resources_later_or_at_once():
    where = buys(36)
    assert "redeem" in legal(where)
    after = go(where, "redeem", "take wood 1 gold 1")
    assert (after.players[0].goods, after.players[0].two) == ((1, 0, 0, 1), False)
    now = buys(36, Rules(choose_two="at_once"))
    assert now.phase == "choosing"
    assert len(legal(now)) == 10


def test_a_dice_gift_goes_round():
    where = go(buys(1), "gift 5 6")
    assert (where.to_move, legal(where)) == (0, ["die 5", "die 6"])
    after = go(where, "die 5")
    assert (after.players[0].tools, after.players[1].track) == (1, 1)
    where = go(buys(1, Rules(dice_gift="on_own_turn")), "gift 5 6", "die 5")
    assert (where.players[1].track, where.gifts) == (0, (((6,), (1,)),))
    after = go(where, "use hunt", "roll 4", "tools none")
    assert (after.players[1].track, after.gifts) == (1, ())


def test_gifts_at_the_maximum_do_nothing():
    after = go(buys(1, tools=12, track=10), "gift 5 5")
    assert (after.players[0].tools, after.players[1].tools) == (12, 1)


def test_a_bought_place_stays_empty():
    after = buys(11)
    assert after.display == (0, 12, 13, 14)
    after = go(after, "use hunt", "roll 3")
    assert (after.phase, after.display) == ("deal", (12, 13, 14, 0))
    assert go(after, "card 20").display == (12, 13, 14, 20)


def test_limited_supplies():
    rules = Rules(resource_supply=(2, 2, 2, 2))
    where = position({"goods": (1, 0, 0, 0), "placed": ((at("forest"), 3), (at("card 1"), 1))}, {},
                     rules=rules)
    after = go(where, "use forest", "roll 18")
    assert after.players[0].goods == (2, 0, 0, 0)
    assert after.supply == (0, 2, 2, 2)
    assert go(after, "use card 1", "pay wood 1").supply == (1, 2, 2, 2)


@pytest.mark.parametrize(("dice", "wood", "food"), [(3, 3, 6), ("3.5", 3, 7)])
def test_without_dice(dice, wood, food):
    where = position({"placed": ((at("forest"), 3), (at("field"), 1))}, {}, rules=Rules(dice=dice))
    assert go(where, "use forest").players[0].goods[0] == wood
    where = position({"placed": ((at("hunt"), 4), (at("field"), 1))}, {}, rules=Rules(dice=dice))
    assert go(where, "use hunt").players[0].food == food
    # An odd number of half pips is rounded down before tools are added.
    where = position({"placed": ((at("hunt"), 1), (at("field"), 1)), "tools": 1}, {},
                     rules=Rules(dice=dice))
    assert go(where, "use hunt", "tools 1").players[0].food == 2


# Feeding and ends --------------------------------------------------------------------------------


def hungry(rules=None, **player):
    """The position in which the first player has to feed with no food."""
    mover = {"food": 0, "people": 5, "track": 1, "placed": ((at("field"), 1),), **player}
    return go(position(mover, {}, rules=rules or Rules()), "use field")


def test_feeding_gains_first():
    assert hungry(food=3).players[0].food == 0
    where = hungry(goods=(2, 2, 0, 0))
    assert (where.phase, where.sum) == ("feeding", 3)
    assert legal(where) == ["feed wood 2 brick 1", "feed wood 1 brick 2", "starve"]
    assert go(where, "starve").players[0].score == -10
    assert go(where, "feed wood 1 brick 2").players[0].goods == (1, 0, 0, 0)


def test_starving_without_a_choice():
    after = hungry(goods=(2, 0, 0, 0))
    assert (after.players[0].score, after.players[0].goods, after.phase) == (
        -10, (2, 0, 0, 0), "placing")


def test_other_penalties():
    partly = hungry(Rules(starvation="per_missing"), goods=(2, 0, 0, 0))
    assert legal(partly) == ["feed wood 1", "feed wood 2", "starve"]
    assert go(partly, "feed wood 2").players[0].score == -3     # floor(3.5)
    assert go(partly, "starve").players[0].score == -10         # floor(10.5)
    plus = hungry(Rules(starvation="flat_plus"), goods=(3, 0, 0, 0))
    assert go(plus, "starve").players[0].score == -13


def test_the_card_of_two_feeds():
    where = hungry(goods=(1, 0, 0, 0), two=True, cards=(36,))
    assert legal(where) == ["starve", "redeem"]
    where = go(where, "redeem", "take wood 2")
    assert legal(where) == ["feed wood 3", "starve"]


def test_the_round_passes_left():
    after = go(position({"placed": ((at("field"), 1),)}, {}), "use field")
    assert (after.start, after.to_move, after.round) == (1, 1, 2)


def test_an_empty_stack_ends_the_game_after_the_round():
    rules = Rules(stack_size=1)
    where = position({"goods": (2, 1, 0, 0), "food": 0, "placed": ((at("tile 1"), 1),)}, {},
                     rules=rules)
    after = go(where, "use tile 1", "pay wood 2 brick 1")
    assert (after.cause, after.players[0].score) == ("tiles", 10 - 10)


def test_cards_that_run_out_end_the_game_at_once():
    rest = tuple(n for n in range(1, 37) if n not in (11, 12, 13, 14))
    where = position({"goods": (1, 0, 0, 0), "placed": ((at("card 1"), 1),)},
                     {"cards": tuple(n for n in rest if n < 32)})
    where = go(where, "use card 1", "pay wood 1")
    assert where.phase == "deal"
    emptied = position({"goods": (1, 0, 0, 0), "placed": ((at("card 1"), 1),)}, {"cards": rest})
    after = go(emptied, "use card 1", "pay wood 1")
    assert (after.cause, after.round) == ("cards", 1)


def test_the_limit_of_rounds_is_told():
    where = position({"placed": ((at("field"), 1),)}, {}, rules=Rules(max_rounds=1))
    after = go(where, "use field")
    assert (after.cause, after.finished) == ("rounds", "max_rounds was reached")


def test_scores_may_be_negative():
    table = stone_age.table(Rules(start_food=0, start_people=10))
    state, draw = table.new_game(), Generator(1)
    lowest = 0
    while table.turn(state) != OVER:
        code = (table.sample(state, draw) if table.turn(state) == -1
                else table.policy_move(state, "starve", draw))
        state = table.apply_unchecked(state, code)
        lowest = min(lowest, *(seat["score"] for seat in table.unpack(state)["seats"]))
    assert lowest < -10


def test_ties():
    over = {"phase": "over", "cause": "rounds"}
    seats = [{"score": 9, "food": 3}, {"score": 9, "food": 5}]
    for more, payoff in (({}, [30, 30]), ({"tie_break": "food"}, [0, 60])):
        rules = Rules(max_rounds=1, **more)
        where = position(*seats, rules=rules, **over)
        assert stone_age.table(rules).payoff(stone_age.to_state(where)) == payoff
    where = position({"score": 9}, {"score": 9, "track": 1}, rules=Rules(max_rounds=1),
                     **over)
    assert stone_age.table(where.rules).payoff(stone_age.to_state(where)) == [0, 60]


def test_what_is_typed():
    where = placing()
    with pytest.raises(InputError, match=r"move 1, `place forrest`: `forrest` is not a place"):
        go(where, "place forrest")
    with pytest.raises(InputError, match="`use forest` is not legal here"):
        go(where, "use forest")
    with pytest.raises(InputError, match="is not a move"):
        go(where, "build forest")
    with pytest.raises(InputError, match="has no such tool"):
        go(go(position({"tools": 1, "placed": ((at("hunt"), 1),)}, {}), "use hunt", "roll 3"),
           "tools 3")


def test_tools_as_typed():
    placed = ((at("field"), 1), (at("hunt"), 1))
    where = go(position({"tools": 4, "one_use": (3,), "cards": (34,), "placed": placed}, {}),
               "use hunt", "roll 3")
    for text, n in (("tools none", 0), ("tools 2,1", 3), ("tools 1 2 one-use 3", 6),
                    ("tools one-use 3", 3)):
        assert go(where, text).players[0].food == (3 + n) // 2, text
    for text, what in (("tools none 1", "`none` is not the value"), ("tools 1 none", "`none`"),
                       ("tools none one-use 3", "`none`"), ("tools one-use", "are missing"),
                       ("tools one-use 3,3", "one-use tools can't be 3,3"),
                       ("tools 1 one-use 1", "one-use tools can't be 1")):
        with pytest.raises(InputError, match=what):
            go(where, text)


def test_numbers_of_people_as_typed():
    where = placing()
    assert go(where, "place hunt 2") == go(where, "place hunt", "people 2")
    one = placing({"people": 1}, {"people": 1})
    assert go(one, "place hunt 1") == go(one, "place hunt")
    for text in ("place hut 2", "place field 1", "place card 1 1"):
        with pytest.raises(InputError, match=f"superfluous in `{text}`"):
            go(where, text)
    assert go(where, "place card 1").players[0].placed == ((at("card 1"), 1),)


def test_sums_that_dice_can_show():
    where = go(position({"placed": ((at("hunt"), 5),)}, {}), "use hunt")
    with pytest.raises(InputError) as caught:
        go(where, "roll 31")
    assert caught.value.why == "chance decides: 5 dice show 5 to 30"


def test_payments_are_counted():
    """The multisets of the golden page."""
    rich = {"goods": (9, 9, 9, 9)}
    for number, n in ((18, 4), (19, 18), (20, 12), (21, 1), (22, 4), (23, 24), (24, 24), (25, 4),
                      (26, 329), (1, 1)):
        where = position({**rich, "placed": ((at("tile 1"), 1),)}, {}, tops=(number, 28))
        assert len(legal(go(where, "use tile 1"))) == n + 1
    for slot, n in enumerate((4, 10, 20, 35), 1):
        where = position({**rich, "placed": ((at(f"card {slot}"), 1),)}, {})
        assert len(legal(go(where, f"use card {slot}"))) == n + 1
