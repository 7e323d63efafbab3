"""Stone Age: what each decision allows and what each move does, task by task (see `stone_age.py`).

The functions get the arguments of their task; the moves are made with the task already taken off
the agenda.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .stone_age_rules import (
    can_place,
    card_payments,
    food_payments,
    multisets,
    penalty,
    raise_choices,
    raised,
    room,
    tile_payments,
    tool_choices,
    use_tools,
    worth,
)
from .stone_age_table import (
    CARD_PLACES,
    CARDS,
    FIELD,
    FIRED,
    FOOD_DIVISOR,
    HUNT,
    HUT,
    KINDS,
    MAX_PEOPLE,
    MAX_TRACK,
    NOTHING,
    PLACES,
    RESOURCE_PLACES,
    TILE_PLACES,
    TILES,
    TOOL_MAKER,
    VILLAGE,
    Options,
    State,
    change,
    gain,
    of_kind,
    put,
    spend,
    todo,
)

Move = tuple[Any, ...]

# Placing


def place_moves(options: Options, state: State, seat: int) -> list[Move]:
    places = range(len(PLACES))
    return [("place", place) for place in places if can_place(options, state, seat, place)]


def place_made(options: Options, state: State, move: Move, seat: int) -> State:
    return todo(state, ("people", seat, move[1]), ("placing", (seat + 1) % options.players))


def people_moves(_options: Options, state: State, seat: int, place: int) -> list[Move]:
    most = room(state, seat, place)
    return [("people", count) for count in range(2 if place == HUT else 1, most + 1)]


def people_made(_options: Options, state: State, move: Move, number: int, place: int) -> State:
    seat, count = state.seats[number], move[1]
    on = put(seat.on, place, seat.on[place] + count)
    FIRED["place.how_many"] += place == HUNT or place in RESOURCE_PLACES
    FIRED["place.hunt_unlimited"] += place == HUNT and sum(s.on[HUNT] for s in state.seats) > 7
    state = change(state, number, left=seat.left - count, on=on)
    FIRED["place.village_both"] += (
        place in VILLAGE and len(state.seats) < 4 and sum(on[each] > 0 for each in VILLAGE) == 2
    )
    return state


# Acting


def act_moves(options: Options, state: State, number: int) -> list[Move]:
    seat = state.seats[number]
    found: list[Move] = [("use", place) for place, people in enumerate(seat.on) if people]
    FIRED["act.any_order"] += len(found) > 1
    if seat.two and options.choose_two == "later":
        found.append(("redeem",))
    return found


def act_made(_options: Options, state: State, move: Move, number: int) -> State:
    state = todo(state, ("actions", number))
    seat = state.seats[number]
    if move[0] == "redeem":
        FIRED["two.used_in_actions"] += 1
        return todo(change(state, number, two=False), ("two", number))
    place = move[1]
    people = seat.on[place]
    state = change(state, number, on=put(seat.on, place, 0))
    if place in (TOOL_MAKER, FIELD):
        FIRED["act.gained_at_once"] += any(state.seats[number].on)
    if place == TOOL_MAKER:
        return tool_gained(state, number, "tool.maximum")
    if place == HUT:
        FIRED["hut.person" if seat.people < MAX_PEOPLE else "hut.maximum"] += 1
        if seat.people < MAX_PEOPLE:
            state = replace(state, grown=state.grown | {number})
        return change(state, number, people=min(MAX_PEOPLE, seat.people + 1))
    if place == FIELD:
        return track_gained(state, number, "track.maximum")
    if place == HUNT or place in RESOURCE_PLACES:
        divisor = FOOD_DIVISOR + place - HUNT
        return todo(state, ("roll", number, divisor, people))
    return todo(state, ("pay", number, place))


def tool_gained(state: State, number: int, at_maximum: str) -> State:
    choices = raise_choices(state.seats[number].tools)
    FIRED[at_maximum] += not choices
    FIRED["tool.choice"] += len(choices) > 1
    return todo(state, ("raise", number))


def track_gained(state: State, number: int, at_maximum: str) -> State:
    track = state.seats[number].track
    FIRED["field.track" if track < MAX_TRACK else at_maximum] += 1
    return change(state, number, track=min(MAX_TRACK, track + 1))


def raise_moves(_options: Options, state: State, number: int) -> list[Move]:
    return [("raise", each) for each in raise_choices(state.seats[number].tools)]


def raise_made(options: Options, state: State, move: Move, number: int) -> State:
    return change(state, number, tools=raised(options, state.seats[number].tools, move[1]))


def tools_moves(
    options: Options, state: State, number: int, _divisor: int, _sum: int, card: bool
) -> list[Move]:
    choices = tool_choices(state.seats[number])
    if card:
        FIRED[f"option.tools_on_card_roll.{options.tools_on_card_roll}"] += len(choices) > 1
        if not options.tools_on_card_roll:
            return [("tools", (), ())]
    return [("tools", slots, one_use) for slots, one_use in choices]


def tools_made(
    _options: Options, state: State, move: Move, number: int, divisor: int, pips: int, _card: bool
) -> State:
    """ "roll one die per person, then add any chosen unused tools, divide [...], round down"."""
    _name, slots, one_use = move
    seat = state.seats[number]
    FIRED["roll.tools"] += len(slots) > 0
    FIRED["roll.one_use"] += len(one_use) > 0
    FIRED["roll.tool_kept_for_later"] += len(slots) < len(seat.ready)
    FIRED["roll.tool_used_before"] += any(used for _value, used in seat.tools)
    state = change(state, number, **use_tools(seat, slots, one_use))
    total = pips + sum(slots) + sum(one_use)
    FIRED["roll.rounded_down"] += total % divisor > 0
    if divisor == FOOD_DIVISOR:
        FIRED["roll.food"] += 1
        return change(state, number, food=seat.food + total // divisor)
    FIRED["roll.goods"] += 1
    return gain(state, number, put(NOTHING, divisor - 3, total // divisor))


# Buying cards and tiles


def pay_moves(_options: Options, state: State, number: int, place: int) -> list[Move]:
    goods = state.seats[number].goods
    if place in CARD_PLACES:
        paid = card_payments(goods, CARD_PLACES.index(place))
    else:
        paid = tile_payments(goods, state.tops[TILE_PLACES.index(place)])
    return [*(("pay", each) for each in paid), ("decline",)]


def pay_made(options: Options, state: State, move: Move, number: int, place: int) -> State:
    if move[0] == "decline":
        what = "card" if place in CARD_PLACES else "tile"
        able = len(pay_moves(options, state, number, place)) > 1
        FIRED[f"{what}.declined" if able else f"{what}.unaffordable"] += 1
        return state
    paid = move[1]
    state = spend(state, number, paid)
    seat = state.seats[number]
    if place in CARD_PLACES:
        FIRED["card.price"] += 1
        FIRED["card.place_stays_empty"] += 1
        slot = CARD_PLACES.index(place)
        card = state.slots[slot]
        state = change(state, number, cards=seat.cards | {card})
        state = replace(state, slots=put(state.slots, slot, 0))
        return card_top(options, state, number, CARDS[card]["immediate"])
    stack = TILE_PLACES.index(place)
    tile = state.tops[stack]
    FIRED[f"tile.{TILES[tile]['kind']}"] += 1
    state = change(state, number, score=seat.score + worth(paid), tiles=seat.tiles | {tile})
    left = state.stacks[stack] - 1
    state = replace(state, tops=put(state.tops, stack, 0), stacks=put(state.stacks, stack, left))
    FIRED["tile.next_turned_up" if left else "tile.last_of_stack"] += 1
    return todo(state, ("tile", stack)) if left else state


def card_top(options: Options, state: State, number: int, top: dict[str, Any]) -> State:
    """ "The top acts at once"."""
    kind, amount = top["type"], top.get("amount", 0)
    seat = state.seats[number]
    FIRED[f"card.{kind}"] += 1
    if kind == "food":
        return change(state, number, food=seat.food + amount)
    if kind == "resource":
        return gain(state, number, of_kind(top["resource"], amount))
    if kind == "points":
        return change(state, number, score=seat.score + amount)
    if kind == "tool":
        return tool_gained(state, number, "tool.maximum")
    if kind == "food_track":
        return track_gained(state, number, "track.maximum")
    if kind == "one_use_tool":
        return change(state, number, one_use=tuple(sorted((*seat.one_use, amount))))
    if kind == "choose_resources":
        FIRED[f"option.choose_two.{options.choose_two}"] += 1
        if options.choose_two == "later":
            return change(state, number, two=True)
        return todo(state, ("two", number))
    if kind == "extra_card_scoring_only":
        return todo(state, ("extra", number))
    if kind == "roll_resource":
        divisor = 3 + KINDS.index(top["resource"])
        return todo(state, ("roll", number, divisor, top["dice"], "card"))
    return todo(state, ("gift", number))


def two_moves(_options: Options, state: State, _number: int) -> list[Move]:
    there = (2, 2, 2, 2) if state.supply is None else tuple(min(2, each) for each in state.supply)
    return [("take", goods) for goods in multisets(there, min(2, sum(there)))]


def two_made(_options: Options, state: State, move: Move, number: int) -> State:
    return gain(state, number, move[1])


def die_moves(
    _options: Options, _state: State, dice: tuple[int, ...], *_rest: object
) -> list[Move]:
    return [("die", pips) for pips in sorted(set(dice))]


def die_made(
    _options: Options,
    state: State,
    move: Move,
    dice: tuple[int, ...],
    takers: tuple[int, ...],
    waiting: tuple[int, ...],
    index: int,
) -> State:
    """ "each takes one: 1 wood, 2 brick, 3 stone, 4 gold, 5 tool, 6 food track"."""
    pips, seat = move[1], takers[0]
    rest = put(dice, dice.index(pips), 0)
    rest = tuple(each for each in rest if each)
    FIRED["gift.clockwise"] += len(takers) > 1
    FIRED["gift.last_die"] += not rest
    if takers[1:]:
        state = todo(state, ("die", rest, takers[1:], waiting, index))
    elif waiting:
        gifts = (*state.gifts[:index], (rest, waiting), *state.gifts[index:])
        state = replace(state, gifts=gifts)
    if pips == 5:
        FIRED["gift.tool"] += 1
        return tool_gained(state, seat, "gift.tool_maximum")
    if pips == 6:
        FIRED["gift.track"] += 1
        return track_gained(state, seat, "gift.track_maximum")
    FIRED["gift.goods"] += 1
    return gain(state, seat, put(NOTHING, pips - 1, 1))


# Feeding


def hunger_moves(options: Options, state: State, number: int, short: int) -> list[Move]:
    seat = state.seats[number]
    found: list[Move] = [("feed", paid) for paid in food_payments(options, seat.goods, short)]
    found.append(("starve",))
    if seat.two and options.choose_two == "later":
        found.append(("redeem",))
    return found


def hunger_made(options: Options, state: State, move: Move, number: int, short: int) -> State:
    if move[0] == "redeem":
        FIRED["two.used_in_feeding"] += 1
        state = change(state, number, two=False)
        return todo(state, ("two", number), ("hunger", number, short))
    missing = short
    if move[0] == "feed":
        FIRED["feed.resources"] += 1
        state = spend(state, number, move[1])
        missing = short - sum(move[1])
        FIRED["starve.partial"] += missing > 0
    else:
        able = len(hunger_moves(options, state, number, short)) > 1
        FIRED["feed.starve" if able else "feed.no_choice"] += 1
    FIRED["end.tiles_fed"] += 0 in state.stacks
    score = state.seats[number].score - penalty(options, missing)
    FIRED["feed.negative_score"] += score < 0
    return change(state, number, score=score)


DECISIONS: dict[str, tuple[Callable[..., list[Move]], Callable[..., State]]] = {
    "place": (place_moves, place_made),
    "people": (people_moves, people_made),
    "act": (act_moves, act_made),
    "raise": (raise_moves, raise_made),
    "tools": (tools_moves, tools_made),
    "pay": (pay_moves, pay_made),
    "two": (two_moves, two_made),
    "die": (die_moves, die_made),
    "hunger": (hunger_moves, hunger_made),
}
