"""What no Stone Age game comes to: notes on what there was no time for by the round.

In a round each place of the village, each card and each tile serves one player once, everybody's
people act once, and everybody is fed once.  Nothing is noted that a game can come to.  Nor is
anything refused: answers look ahead from the position, whatever has led there.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oddsmith.solver.errors import counted
from oddsmith.solver.games.stone_age.position import SLOTS, Player, Position, start_acts
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    CROWD,
    DIVISORS,
    FIELD,
    FOREST,
    GOODS,
    HUNT,
    HUT,
    KINDS,
    PLACES,
    TILE,
    TOOL_MAKER,
    Rules,
    Tile,
    card,
    tile,
)

WORTH = tuple(DIVISORS[kind] for kind in KINDS)
"""Points of wood, brick, stone and gold: as many as the pips that bring one."""

CARD_DICE = 2


class Past(msgspec.Struct, frozen=True):
    """What there was time for.

    Args:
        rounds: whose actions have begun.
        acted: action turns of each seat, the present one included.
        waiting: of each seat, people that have yet to act in the present action turn.
        fed: feedings of each seat that are over.
    """

    rounds: int
    acted: tuple[int, ...]
    waiting: tuple[tuple[tuple[int, int], ...], ...]
    fed: tuple[int, ...]


def history_notes(position: Position) -> list[str]:
    """What there was no time for in the rounds that were played; empty if there was for all."""
    past = _past(position)
    places = [*_too_few(position), *_village(position, past), *_bought(position, past)]
    return [*(places or _fetched(position, past)), *_goods(position, past),
            *_points(position, past)]


def _past(position: Position) -> Past:
    n, before = len(position.players), max(0, position.round - 1)
    order = [(position.start + k) % n for k in range(n)]
    in_actions = position.round > 0 and not start_acts(
        position.phase, position.round, position.feeding)
    ended = position.feeding or position.phase in ("feeding", "over")
    turn = order.index(position.acting) if in_actions else -1
    acted, waiting, fed = [], [], []
    for seat, player in enumerate(position.players):
        at = order.index(seat)
        acts = in_actions and at <= turn
        acted.append(before + (ended or acts))
        waiting.append(player.placed if in_actions and at >= turn else ())
        eaten = position.phase == "over" or (ended and at < order.index(position.to_move))
        fed.append(before + eaten)
    return Past(before + (ended or in_actions), tuple(acted), tuple(waiting), tuple(fed))


def _by(position: Position) -> str:
    return f"by round {position.round}"


def _count(player: Player, top: str) -> int:
    return sum(card(number).top == top for number in player.cards)


def _dice_taken(position: Position, seat: int) -> int:
    """Dice of gifts that a seat has taken; each gift has one for everybody."""
    bought = sum(_count(player, "gift") for player in position.players)
    due = sum(seat in seats for _, seats in position.gifts) + (position.phase == "gift roll")
    return bought - due


# The village -------------------------------------------------------------------------------------


def _risen(position: Position, seat: int) -> tuple[int, int]:
    """Tools and food track that come from the tool maker, the field or dice of gifts."""
    player = position.players[seat]
    raising = position.phase == "raising" and seat == position.to_move
    return (max(0, player.tools + raising - _count(player, "tool")),
            max(0, player.track - _count(player, "field")))


def _too_few(position: Position) -> Iterator[str]:
    """Everybody's people stay."""
    least = position.rules.start_people
    for seat, player in enumerate(position.players, 1):
        if player.people < least:
            yield (f"player {seat} has {player.people} people: everybody starts with {least}, and "
                   "nobody leaves")


def _grown(position: Position, seat: int) -> int:
    """How often the hut has made people of a seat more."""
    return max(0, position.players[seat].people - position.rules.start_people)


def _village(position: Position, past: Past) -> Iterator[str]:
    """The three places serve one player a round; in small games only two of them are used."""
    rules, players = position.rules, position.players
    occupied = [place for seat in past.waiting for place, _ in seat if place <= FIELD]
    grown = [_grown(position, seat) for seat in range(len(players))]
    dice = [_dice_taken(position, seat) for seat in range(len(players))]
    risen = [_risen(position, seat) for seat in range(len(players))]
    made = [max(0, tools - n) for (tools, _), n in zip(risen, dice, strict=True)]
    tilled = [max(0, track - n) for (_, track), n in zip(risen, dice, strict=True)]
    for place, needed, one, more in (
        (TOOL_MAKER, made, "tool was made", "tools were made"),
        (HUT, grown, "of the people is new", "of the people are new"),
        (FIELD, tilled, "field was tilled", "fields were tilled"),
    ):
        most = past.rounds - (place in occupied)
        if sum(needed) > most:
            yield (f"{counted(sum(needed), one, more)}: the {PLACES[place]} serves one player a "
                   f"round, {counted(most, 'time')} {_by(position)}"
                   + ("" if place == HUT else "; cards and dice of gifts are not counted"))
            return
    if not (len(players) < 4 and rules.village_limit_small_games):
        return
    both = [max(0, tools + track - n) for (tools, track), n in zip(risen, dice, strict=True)]
    most = 2 * past.rounds - len(occupied)
    if sum(both) + sum(grown) > most:
        yield (f"{counted(sum(both) + sum(grown), 'time')} people were in the village: with "
               f"{len(players)} players two of its places are used in a round, "
               f"{counted(most, 'time')} {_by(position)}")


# Cards and tiles ---------------------------------------------------------------------------------


def _bought(position: Position, past: Past) -> Iterator[str]:
    """Every card place and stack sells once a round."""
    owned = [len(player.cards) for player in position.players]
    sold = position.display.count(0) if past.rounds == position.round else 0
    if position.phase == "over" and position.cause == "cards":
        sold = SLOTS               # they have slid together
    most = SLOTS * max(0, position.round - 1) + sold
    if sum(owned) > most:
        yield (f"{counted(sum(owned), 'card is', 'cards are')} bought: {SLOTS} can be in a round, "
               f"{most} {_by(position)}")
    occupied = [place for seat in past.waiting for place, _ in seat]
    for k, left in enumerate(position.stacks):
        most = past.rounds - (TILE + k in occupied)
        if position.rules.stack_size - left > most:
            tiles = counted(position.rules.stack_size - left, "tile is", "tiles are")
            yield f"{tiles} sold of stack {k + 1}: one can be in a round, {most} {_by(position)}"


def _people(rules: Rules, player: Player, turn: int) -> int:
    """The most people of a player in one of his action turns, from 1."""
    return min(player.people, rules.start_people + turn - 1)


def _fetched(position: Position, past: Past) -> Iterator[str]:
    """Whatever a player has got in the village, as cards and as tiles took people."""
    rules = position.rules
    for seat, player in enumerate(position.players):
        grown = _grown(position, seat)
        village = max(0, sum(_risen(position, seat)) - _dice_taken(position, seat))
        needed = len(player.cards) + len(player.tiles) + village + 2 * grown
        most = sum(_people(rules, player, turn) for turn in range(1, past.acted[seat] + 1))
        most -= sum(n for _, n in past.waiting[seat]) if past.acted[seat] == past.rounds else 0
        if grown and rules.start_people == 1:
            yield (f"player {seat + 1} has {player.people} people: everybody starts with 1, and "
                   "the hut takes 2")
        elif needed > most:
            yield (f"player {seat + 1} has got more than people can fetch: his cards, tiles, "
                   f"tools, fields and people took {needed}, and {max(0, most)} can have acted "
                   f"{_by(position)}")


# Goods -------------------------------------------------------------------------------------------


def _goods(position: Position, past: Past) -> Iterator[str]:
    """What rolls and cards can have brought at best, nothing being paid but food."""
    for seat, player in enumerate(position.players):
        for k, kind in enumerate(KINDS):
            most = _most_goods(position, past, seat, k)
            if player.goods[k] > most:
                yield (f"player {seat + 1} has {player.goods[k]} {kind}: at most {most} can have "
                       f"come {_by(position)}")
        most = _most_food(position, past, seat)
        if player.food > most:
            yield (f"player {seat + 1} has {player.food} food: at most {most} can have come "
                   f"{_by(position)}")


def _rolled(position: Position, past: Past, seat: int, turn: int, good: str) -> int:
    """The most that a player's people can have brought of a good in one of his action turns."""
    player = position.players[seat]
    n, place = _people(position.rules, player, turn), HUNT + GOODS.index(good)
    if turn == past.rounds and past.waiting[seat]:
        n -= sum(k for _, k in past.waiting[seat])
        if place in dict(past.waiting[seat]):
            return 0
    if (turn == past.rounds and seat == position.to_move and position.phase in ("roll", "tools")
            and position.place == place):
        return 0
    if place >= FOREST:
        n = min(n, CROWD)
    return max(0, 6 * n + player.tools) // DIVISORS[good]


def _one_use(player: Player, good: str) -> int:
    """The most that one-use tools which are gone can have added."""
    gone = [card(number).amount for number in player.cards if card(number).top == "one_use"]
    return sum(-(-value // DIVISORS[good]) for value in gone if value not in player.one_use)


def _most_goods(position: Position, past: Past, seat: int, k: int) -> int:
    player, kind = position.players[seat], KINDS[k]
    most = sum(_rolled(position, past, seat, turn, kind)
               for turn in range(1, past.acted[seat] + 1))
    most += _one_use(player, kind) + _dice_taken(position, seat)
    for one in map(card, player.cards):
        if one.top == "resource" and one.kind == kind:
            most += one.amount
        elif one.top == "roll" and one.kind == kind:
            most += (6 * CARD_DICE + player.tools) // DIVISORS[kind] + 1
        elif one.top == "two" and not player.two:
            most += one.amount
    rolls = position.phase in ("roll", "tools") and CARD <= position.place < TILE
    if seat == position.to_move and rolls and position.kind == k:
        most -= (6 * CARD_DICE + player.tools) // DIVISORS[kind] + 1
    if seat == position.to_move and position.phase == "choosing":
        most -= 2
    return most


def _most_food(position: Position, past: Past, seat: int) -> int:
    rules, player = position.rules, position.players[seat]
    eaten = player.track - min(rules.start_people, player.people)
    food = rules.start_food
    for turn in range(1, past.acted[seat] + 1):
        food += _rolled(position, past, seat, turn, "food")
        if turn <= past.fed[seat]:
            food = max(0, food + eaten)
    # In feeding, those after the seat that has to decide have not eaten yet.
    return food + _one_use(player, "food") + sum(
        card(number).amount for number in player.cards if card(number).top == "food")


# Points ------------------------------------------------------------------------------------------


def points_from(player: Player) -> tuple[int, int]:
    """The fewest and most points of a player's cards and tiles."""
    worths = [_worth(tile(number)) for number in player.tiles]
    points = sum(card(number).amount for number in player.cards if card(number).top == "points")
    return points + sum(low for low, _ in worths), points + sum(high for _, high in worths)


def _worth(one: Tile) -> tuple[int, int]:
    if one.points:
        return one.points, one.points
    if not one.count:
        return WORTH[0], WORTH[-1] * one.most
    spare = one.count - one.kinds
    return (sum(WORTH[: one.kinds]) + spare * WORTH[0],
            sum(WORTH[-one.kinds :]) + spare * WORTH[-1])


def _points(position: Position, past: Past) -> Iterator[str]:
    for seat, player in enumerate(position.players):
        worst = {"flat": 10, "per_missing": 7 * player.people // 2,
                 "flat_plus": 10 + player.people}[position.rules.starvation]
        least, most = points_from(player)
        if player.score > most:
            yield (f"player {seat + 1} has {counted(player.score, 'point')}: his cards and tiles "
                   f"can have brought {most}; the final scoring is not written")
        elif player.score < least - worst * past.fed[seat]:
            yield (f"player {seat + 1} has {counted(player.score, 'point')}: his cards and tiles "
                   f"brought {least} at least, and starving costs {worst} at most, "
                   f"{counted(past.fed[seat], 'time')} {_by(position)}")
