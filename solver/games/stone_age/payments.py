"""Stone Age: every payment for a card or tile, ranked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.stone_age import pictures
from oddsmith.solver.games.stone_age.engine import PAY, goods_of, to_state
from oddsmith.solver.games.stone_age.position import Position, format_position
from oddsmith.solver.games.stone_age.questions import make_answer
from oddsmith.solver.games.stone_age.rules import CARD, KINDS, PLACES, TILE, card, table, tile

VALUES = (3, 4, 5, 6)
"""Points of a wood, brick, stone, gold."""

Goods = tuple[int, ...]


class Payment(msgspec.Struct, frozen=True):
    """One payment.

    Args:
        points: scored at once.
        worth: value of what is left.
        paid, left: wood, brick, stone, gold.
        redeemed: what the card of two resources has to bring for it; none where it is not needed.
    """

    points: int
    worth: int
    paid: Goods
    left: Goods
    redeemed: Goods = (0, 0, 0, 0)


def _value(goods: Goods) -> int:
    return sum(n * v for n, v in zip(goods, VALUES, strict=True))


def payments(position: Position, place: int) -> list[Payment]:
    """Every payment of the player to move for what lies on a place, best first.

    Most points first, then most value left.  A card of two resources that is still held may be
    redeemed before the place is acted on, not while it is paid for.
    """
    held = position.players[position.to_move].goods
    found = [_payment(position, place, held, paid) for paid in _paid(position, place, held)]
    paying_now = position.phase == "paying" and position.place == place
    if position.players[position.to_move].two and not paying_now:
        for brought in _two_resources(position):
            more = tuple(a + b for a, b in zip(held, brought, strict=True))
            found += [_payment(position, place, more, paid, brought)
                      for paid in _paid(position, place, more)
                      if any(n > have for n, have in zip(paid, held, strict=True))]
    return sorted(found, key=lambda one: (-one.points, -one.worth, one.redeemed, one.paid))


def _paid(position: Position, place: int, held: Goods) -> Iterator[Goods]:
    """What a player with these goods may pay."""
    seat = position.to_move
    players = list(position.players)
    players[seat] = msgspec.structs.replace(players[seat], goods=held, two=False)
    asking = msgspec.structs.replace(position, players=tuple(players), phase="paying",
                                     place=place, gifts=(), sum=0, dice=0, feeding=False,
                                     cause="", acting=seat)
    for code in table(position.rules).moves(to_state(asking)):
        if code & 0xFF == PAY:
            yield goods_of(code)


def _payment(position: Position, place: int, held: Goods, paid: Goods,
             redeemed: Goods = (0, 0, 0, 0)) -> Payment:
    if place >= TILE:
        points = tile(position.tops[place - TILE]).points or _value(paid)
    else:
        bought = card(position.display[place - CARD])
        points = bought.amount if bought.top == "points" else 0
    left = tuple(have - n for have, n in zip(held, paid, strict=True))
    return Payment(points, _value(left), paid, left, redeemed)


def _two_resources(position: Position) -> Iterator[Goods]:
    """What the card of two resources can bring: less than two only from an empty supply."""
    there = position.supply or (2, 2, 2, 2)
    for kinds in combinations_with_replacement(range(len(KINDS)), min(2, sum(there))):
        goods = tuple(kinds.count(kind) for kind in range(len(KINDS)))
        if all(n <= left for n, left in zip(goods, there, strict=True)):
            yield goods


def pay_answer(position: Position, thing: str, command: str = "") -> Answer:
    """Every payment for a card or tile, ranked by points and by what is left.

    Args:
        position: the player to move pays.
        thing: a place, such as "card 2" or "tile 1".
        command: as typed.

    Raises:
        InputError: no such place, or nothing is offered there.
    """
    place = place_offered(position, thing)
    found = payments(position, place)
    value: list[dict[str, Any]] = [
        {"pay": dict(zip(KINDS, one.paid, strict=True)), "points": one.points,
         "left": dict(zip(KINDS, one.left, strict=True)), "left_value": one.worth,
         **({"redeem": dict(zip(KINDS, one.redeemed, strict=True))} if any(one.redeemed) else {})}
        for one in found
    ]
    title = f"{len(found)} payment{'s' * (len(found) != 1)} for {PLACES[place]}" if found else (
        f"{PLACES[place].capitalize()} can't be paid for")
    return make_answer(
        "pay", title, value, position.rules,
        method="all payments; most points first, then most value left (3, 4, 5, 6 a piece)"
        + ("; redeem: what the card of two resources is redeemed for, before the place is used"
           if any(any(one.redeemed) for one in found) else ""),
        inputs={"position": format_position(position), "place": PLACES[place]},
        blocks=pictures.pay_blocks(offer_words(position, place), found), command=command,
    )


def place_offered(position: Position, thing: str) -> int:
    """The index of the place where something is offered; raises InputError otherwise."""
    offered = [k for k in range(CARD, CARD + 4) if position.display[k - CARD]]
    offered += [TILE + k for k, number in enumerate(position.tops) if number]
    names = [PLACES[k] for k in offered]
    if thing not in names:
        near = nearest(thing, names)
        raise InputError(f"nothing is offered on `{thing}`", why=f"there are {', '.join(names)}",
                         hint=f"did you mean {near}?" if near else "", source="<command line>")
    return offered[names.index(thing)]


def offer_words(position: Position, place: int) -> str:
    """What lies on a place, in words."""
    if place >= TILE:
        number = position.tops[place - TILE]
        return f"tile {number}: {tile(number).words}"
    one = card(position.display[place - CARD])
    return f"card {one.number}, price {place - CARD + 1}: {one.top_words}; {one.bottom_words}"
