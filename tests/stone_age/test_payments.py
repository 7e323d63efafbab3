"""`pay`: what scores at once and what the card of two resources makes possible, by the engine."""

from __future__ import annotations

import msgspec
import pytest

from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import Player, Position, Rules, engine
from oddsmith.solver.games.stone_age.payments import payments
from oddsmith.solver.games.stone_age.rules import CARD, FIELD, PLACES, TILE

TWO = 36


def position(place, number, goods, rules=None, **more):
    """The first of two players acts, on a place with this card or tile and on the field."""
    display, tops = [32, 2, 4, 6], [10, 11]
    if place < TILE:
        display[place - CARD] = number
    else:
        tops[place - TILE] = number
    mover = Player(goods=goods, placed=((FIELD, 1), (place, 1)), **more)
    made = Position(rules=rules or Rules(), players=(mover, Player()), phase="acting", round=3,
                    display=tuple(display), tops=tuple(tops), stacks=(7, 7))
    assert stone_age.check(made) == []
    return made


def by_the_engine(where, place):
    """(points at once, redeemed, paid) of every way to pay, played out."""
    found = set()
    for redeem in (False, True)[: 1 + where.players[0].two]:
        taken = [where]
        if redeem:
            after = stone_age.make_move(where, engine.REDEEM)
            # Where the supply leaves no choice it is made unasked.
            taken = [after] if after.phase == "acting" else [
                stone_age.make_move(after, code) for code in engine.legal_codes(after)]
        for one in taken:
            brought = tuple(b - a for a, b in zip(where.players[0].goods, one.players[0].goods,
                                                  strict=True))
            acting = stone_age.make_move(one, engine.USE | place << 8)
            for code in engine.legal_codes(acting) if acting.phase == "paying" else []:
                if code & 0xFF == engine.PAY:
                    paid = engine.goods_of(code)
                    short = any(n > have for n, have in zip(paid, where.players[0].goods,
                                                            strict=True))
                    if short == redeem:
                        score = stone_age.make_move(acting, code).players[0].score
                        found.add((score, brought, paid))
    return found


def told(where, place):
    return [(one.points, one.redeemed, one.paid) for one in payments(where, place)]


@pytest.mark.parametrize("number", range(1, 37))
def test_what_a_card_scores_at_once(number):
    if number in (2, 4, 6):
        return
    where = position(CARD, number, (1, 1, 0, 2))
    found = told(where, CARD)
    assert set(found) == by_the_engine(where, CARD)
    assert {points for points, _, _ in found} == {3 if number in (26, 27, 28) else 0}


@pytest.mark.parametrize(("place", "number", "goods", "rules"), [
    (TILE + 1, 13, (0, 1, 0, 0), None), (TILE, 27, (2, 0, 1, 0), None), (TILE, 20, (1, 1, 0, 1), None),
    (CARD + 3, 26, (1, 0, 0, 1), None), (TILE, 9, (0, 0, 1, 0), Rules(resource_supply=(0, 1, 2, 1))),
    (CARD + 1, 27, (0, 0, 0, 0), Rules(resource_supply=(1, 0, 0, 0))),
])
def test_payments_with_two_resources_of_choice(place, number, goods, rules):
    where = position(place, number, goods, rules, cards=(TWO,), two=True)
    found = told(where, place)
    assert len(found) == len(set(found))
    assert set(found) == by_the_engine(where, place)


def test_what_must_be_redeemed_is_told():
    where = position(TILE + 1, 13, (0, 1, 0, 0), cards=(TWO,), two=True)
    answer = stone_age.pay_answer(where, "tile 2")
    assert answer.title == "1 payment for tile 2"
    assert answer.answer == [{
        "pay": {"wood": 1, "brick": 1, "stone": 0, "gold": 1}, "points": 13,
        "left": {"wood": 0, "brick": 0, "stone": 0, "gold": 0}, "left_value": 0,
        "redeem": {"wood": 1, "brick": 0, "stone": 0, "gold": 1}}]
    # While the tile is paid for it is too late.
    now = msgspec.structs.replace(where, phase="paying", place=PLACES.index("tile 2"))
    assert payments(now, TILE + 1) == []


def test_bars_that_are_all_alike_are_left_out():
    same = stone_age.pay_answer(position(TILE, 27, (2, 0, 1, 0)), "tile 1")
    assert [type(block).__name__ for block in same.blocks] == ["Table"]
    differ = stone_age.pay_answer(position(CARD, 26, (2, 0, 1, 0)), "card 1")
    assert [type(block).__name__ for block in differ.blocks] == ["Table", "Bars"]
