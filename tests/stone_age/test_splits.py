"""Splits of positions: the roll on the table, the rules, the supply; the engine as the judge."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import SplitQuestion, engine, split
from oddsmith.solver.games.stone_age.position import Player, Position
from oddsmith.solver.games.stone_age.rules import FIELD, HUNT, PLACES, Rules
from oddsmith.solver.games.stone_age.splits import parse_target, split_of_position
from tests.stone_age.options import random_rules

F = Fraction
EXAMPLES = Path(__file__).parents[2] / "examples"
OVER, CHANCE = -2, -1
VALUES = (3, 4, 5, 6)
CARD = 8


def at(name):
    return PLACES.index(name)


def position(placed, tools=0, rules=None, **more):
    """The first of two players acts."""
    mover = Player(people=10, tools=tools, placed=tuple(sorted((at(k), n) for k, n in placed.items())),
                   one_use=more.pop("one_use", ()), cards=more.pop("cards", ()))
    fields = {"phase": "acting", "round": 3, "display": (1, 2, 3, 4), "tops": (10, 11),
              "stacks": (7, 7), **more}
    made = Position(rules=rules or Rules(), players=(mover, Player()), **fields)
    assert stone_age.check(made) == []
    return made


def by_the_engine(where):
    """The most that the rolls of the mover bring on average, move by move."""
    seat = where.to_move
    mover = where.players[seat]
    # Somebody on the field never acts, so that the turn, and the round, do not end.
    mover = msgspec.structs.replace(
        mover, placed=tuple(sorted({**dict(mover.placed), FIELD: 1}.items())))
    where = msgspec.structs.replace(
        where, players=tuple(mover if k == seat else one for k, one in enumerate(where.players)))
    table = stone_age.table(where.rules)

    def worth(state):
        told = table.unpack(state)["seats"][seat]
        return 2 * told["food"] + sum(
            n * v for n, v in zip(told["goods"], VALUES, strict=True))

    @cache
    def best(state):
        if table.turn(state) == CHANCE:
            outcomes = table.outcomes(state)
            total = sum(weight for _, weight in outcomes)
            return sum(F(weight, total) * gained(state, code) for code, weight in outcomes)
        moves = table.moves(state)
        if engine.PHASES[table.unpack(state)["phase"]] == "acting":
            moves = [code for code in moves
                     if code & 0xFF == engine.USE and HUNT <= code >> 8 & 0xFF < CARD]
        return max((gained(state, code) for code in moves), default=F(0))

    def gained(state, code):
        after = table.apply(state, code)
        return worth(after) - worth(state) + best(after)

    return best(engine.to_state(where))


def asked(where):
    found = split_of_position(where)
    return None if found is None else split(found)[0]


@pytest.mark.parametrize(("where", "value"), [
    # A sum on the table takes its tools first, and spares what later rolls want more.
    (position({"forest": 2}, 5, phase="tools", place=at("river"), kind=3, sum=9), 20),
    # Dice that are due are rolled first.
    (position({"forest": 2}, 5, phase="roll", place=at("river"), kind=3, dice=2), 18),
    (position({"forest": 2}, 1, Rules(dice="3.5")), 6),
    # There is no gold to take, so all tools go to the wood.
    (position({"forest": 2, "river": 3}, 4, Rules(resource_supply=(28, 18, 12, 0))), 10),
])
def test_the_position_is_what_counts(where, value):
    assert asked(where) == value == by_the_engine(where)


def test_the_shipped_roll():
    where = stone_age.load(str(EXAMPLES / "stone-age-tools.toml"))
    best, policy = split(split_of_position(where))
    assert best == F(31, 2) == by_the_engine(where)
    assert len(policy[0].uses[0][2]) == 1
    assert stone_age.report_answers(where)[-1].answer["value"] == "31/2"


def test_a_card_and_a_place_share_a_supply():
    """One wood is left for the card's roll and the forest together."""
    scarce = Rules(resource_supply=(1, 18, 12, 10))
    where = position({"forest": 1, "hunt": 1}, 3, scarce, phase="roll", place=at("card 1"), kind=0,
                     dice=2, cards=(25,), display=(0, 2, 3, 4))
    assert asked(where) == by_the_engine(where)
    assert split(split_of_position(where))[1][-1].needs in ({"wood": 0}, {"wood": 1})


def test_a_card_s_roll_without_tools():
    bare = Rules(tools_on_card_roll=False)
    where = position({"forest": 1}, 4, bare, phase="roll", place=at("card 1"), kind=3, dice=2,
                     cards=(23,), display=(0, 2, 3, 4))
    with_tools = msgspec.structs.replace(where, rules=Rules())
    assert asked(where) == by_the_engine(where) < asked(with_tools) == by_the_engine(with_tools)


def test_positions_of_games():
    """Reached positions of random rules: the split is what the engine's moves bring."""
    draw, compared = random.Random(3), set()
    for seed in range(30):
        rules = random_rules(draw)
        table, chance = stone_age.table(rules), Generator(seed)
        state, blank, n = table.new_game(), stone_age.new(rules, 1), 0
        while table.turn(state) != OVER and n < 8:
            where = engine.from_state(blank, state)
            found = (split_of_position(where) if where.phase in ("acting", "roll", "tools")
                     and draw.random() < 0.3 else None)
            if found and sum(k for k, _ in found.rolls) <= 4 and len(found.tools) < 3:
                assert split(found)[0] == by_the_engine(where), stone_age.format_position(where)
                compared.add(where.phase)
                n += 1
            state = table.apply_unchecked(
                state, table.sample(state, chance) if table.turn(state) == CHANCE
                else draw.choice(table.moves(state)))
    assert compared == {"acting", "roll", "tools"}


# What is asked ------------------------------------------------------------------------------------


def test_a_place_takes_seven():
    with pytest.raises(InputError, match="8 people can't roll for wood together"):
        split(SplitQuestion(rolls=((8, "wood"),)))
    assert split(SplitQuestion(rolls=((10, "food"),)))[0] > 0
    told = stone_age.split_answer(SplitQuestion(rolls=((6, "wood"), (5, "food"))))
    assert "11 people roll, though nobody has more than 10" in told.assumptions


def test_targets_are_numbers_of_goods():
    assert parse_target("12:food,1:gold") == (("food", 12), ("gold", 1))
    sure = SplitQuestion(rolls=((5, "food"),), tools=(4, 4, 4), target=parse_target("2:food"))
    assert split(sure)[0] == 1
    twelve = SplitQuestion(rolls=((7, "food"),), target=parse_target("12:food"))
    assert split(twelve)[0] == stone_age.yields(7, "food").p_where(lambda k: k >= 12)
    for text, why in (("0:wood", "can't ask for 0 wood"), ("1000:wood", "can't ask for 1000"),
                      ("wood", "can't be 'wood'"), ("1:wood,2:wood", "named twice")):
        with pytest.raises(InputError, match=why):
            parse_target(text)


def test_what_is_still_needed_is_told_in_goods():
    one = SplitQuestion(rolls=((1, "wood"), (1, "gold")), tools=(2,),
                        target=(("wood", 2), ("gold", 1)))
    told = stone_age.split_answer(one).answer["policy"]
    assert told[0]["needs"] == {"wood": 2, "gold": 1}
    assert all(set(step["needs"]) == {"wood", "gold"} for step in told)
    assert {tuple(step["needs"].values()) for step in told} <= {
        (w, g) for w in range(3) for g in range(2)}


def test_a_target_that_the_supply_does_not_have():
    where = position({"river": 3}, 0, Rules(resource_supply=(28, 18, 12, 1)))
    with pytest.raises(InputError, match="nobody can get 2 gold"):
        split(split_of_position(where, target=(("gold", 2),)))
    alone = stone_age.yields(3, "gold").p_where(lambda k: k >= 1)
    assert split(split_of_position(where, target=(("gold", 1),)))[0] == alone
