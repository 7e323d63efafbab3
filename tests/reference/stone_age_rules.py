"""Stone Age: the rules one by one: placing, tools, dice, payments, feeding, final scoring."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import factorial

from .stone_age_table import (
    CARD_PLACES,
    CARDS,
    FIELD,
    FIRED,
    FIXED_DICE,
    HUNT,
    HUT,
    MAX_PEOPLE,
    MAX_TOOL,
    MAX_TRACK,
    PRICES,
    RESOURCE_PLACES,
    ROOM,
    TILE_PLACES,
    TILES,
    TOOL_MAKER,
    VALUES,
    VILLAGE,
    Goods,
    Options,
    Seat,
    State,
    Tool,
    put,
)

# Placing


def at_maximum(seat: Seat, place: int) -> bool:
    """Whether the village place would be without effect."""
    return (
        (place == TOOL_MAKER and seat.tool_value == 3 * MAX_TOOL)
        or (place == HUT and seat.people == MAX_PEOPLE)
        or (place == FIELD and seat.track == MAX_TRACK)
    )


def objections(
    options: Options, state: State, number: int, place: int
) -> tuple[set[str], set[str]]:
    """Why this seat may not place there now; and the option values without which it might not."""
    seat = state.seats[number]
    against: set[str] = set()
    allowed: set[str] = set()
    people = [each.on[place] for each in state.seats]
    small = options.players < 4

    if seat.left == 0:
        against.add("place.people_left")
    if place == HUT and seat.left == 1:
        against.add("place.hut_two")
    if place in TILE_PLACES:
        stack = TILE_PLACES.index(place)
        if stack >= options.players or not state.tops[stack]:
            against.add("place.no_tile_place")
    if place in CARD_PLACES and not state.slots[CARD_PLACES.index(place)]:
        against.add("place.no_card")  # never: the places are refilled, or the game is over

    if people[number]:
        if place == HUNT and options.hunt_again:
            allowed.add("option.hunt_again.True")
        else:
            against.add("place.never_twice")
            if place == HUNT:
                against.add("option.hunt_again.False")
    elif place != HUNT and place not in RESOURCE_PLACES and any(people):
        against.add("place.one_person")  # taken by another seat
    if place in RESOURCE_PLACES:
        if sum(people) >= ROOM:
            against.add("place.room_seven")
        others = sum(1 for other, count in enumerate(people) if count and other != number)
        if small and others >= options.players - 1:  # "at most 1 player (2p) or 2 players (3p)"
            if options.resource_limit_small_games:
                against |= {"place.resource_limit", "option.resource_limit_small_games.True"}
            else:
                allowed.add("option.resource_limit_small_games.False")
    if place in VILLAGE:
        used = sum(1 for other in VILLAGE if any(each.on[other] for each in state.seats))
        if small and used >= 2 and not any(people):
            if options.village_limit_small_games:
                against |= {"place.village_limit", "option.village_limit_small_games.True"}
            else:
                allowed.add("option.village_limit_small_games.False")
        if at_maximum(seat, place):
            if options.place_at_max == "forbidden":
                against.add("option.place_at_max.forbidden")
            else:
                allowed.add("option.place_at_max.allowed")
    return against, allowed


def can_place(options: Options, state: State, number: int, place: int) -> bool:
    against, allowed = objections(options, state, number, place)
    if not against:
        FIRED.update(allowed)
        return True
    if sum(not each.startswith("option.") or "at_max" in each for each in against) == 1:
        FIRED.update(against)  # this rule alone decides
    return False


def room(state: State, number: int, place: int) -> int:
    """How many people the seat can place there at most."""
    left = state.seats[number].left
    if place == HUNT:
        return left
    if place in RESOURCE_PLACES:
        return min(left, ROOM - sum(each.on[place] for each in state.seats))
    return 2 if place == HUT else 1


# Tools


def raise_choices(tools: tuple[Tool, ...]) -> list[str]:
    """What can rise: one of the lowest, told apart by whether they are used. Nothing at 4,4,4."""
    lowest = min(value for value, _used in tools)
    if lowest == MAX_TOOL:
        return []
    found = {used for value, used in tools if value == lowest}
    return [name for name, used in (("ready", False), ("used", True)) if used in found]


def raised(options: Options, tools: tuple[Tool, ...], which: str) -> tuple[Tool, ...]:
    """The tools after one of the lowest has risen: "1,1,1 -> 2,2,2 -> 3,3,3 -> 4,4,4"."""
    lowest = min(value for value, _used in tools)
    old = (lowest, which == "used")
    if old not in tools or lowest == MAX_TOOL:
        raise ValueError("no such tool can rise")
    used = old[1]
    if used:
        FIRED[f"option.upgraded_tool_ready.{options.upgraded_tool_ready}"] += 1
        used = not options.upgraded_tool_ready
    FIRED["tool.raised" if lowest else "tool.new"] += 1
    FIRED["tool.level_up"] += bool(lowest) and len({value for value, _used in tools}) == 1
    FIRED["tool.new_ready"] += not lowest and any(each for _value, each in tools)
    return tuple(sorted(put(tools, tools.index(old), (lowest + 1, used))))


def tool_choices(seat: Seat) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The sets of ready tools, none included: values of slots, and one-use tools."""

    def parts(values: tuple[int, ...]) -> list[tuple[int, ...]]:
        ordered = sorted(values, reverse=True)
        return sorted({each for n in range(len(ordered) + 1) for each in combinations(ordered, n)})

    return list(product(parts(seat.ready), parts(seat.one_use)))


def use_tools(seat: Seat, slots: tuple[int, ...], one_use: tuple[int, ...]) -> dict[str, object]:
    """The changed fields of the seat: "used whole, on one roll, once a round"; "once, then gone"."""
    tools = list(seat.tools)
    for value in slots:
        tools.remove((value, False))
        tools.append((value, True))
    left = list(seat.one_use)
    for value in one_use:
        left.remove(value)
    return {"tools": tuple(sorted(tools)), "one_use": tuple(left)}


# Dice


@cache
def ways(dice: int) -> tuple[tuple[int, int], ...]:
    """Each sum of so many dice with the number of ways to roll it."""
    sums = Counter({0: 1})
    for _die in range(dice):
        sums = Counter(
            {
                total: sum(sums[total - pips] for pips in range(1, 7))
                for total in range(min(sums) + 1, max(sums) + 7)
            }
        )
    return tuple(sorted(sums.items()))


def fixed_sum(options: Options, dice: int) -> int:
    """The sum without dice. Rounding it down changes nothing, for tools and divisors are whole."""
    return int(FIXED_DICE[options.dice] * dice)


@cache
def gift_rolls(players: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each multiset of one die per player with the number of orders it can be rolled in."""
    found = {}
    for dice in product(range(1, 7), repeat=players):
        if list(dice) == sorted(dice):
            orders = factorial(players)
            for count in Counter(dice).values():
                orders //= factorial(count)
            found[dice] = orders
    return tuple(found.items())


# Payments


@cache
def multisets(goods: Goods, total: int) -> tuple[Goods, ...]:
    """The ways to take so many resources in all out of these."""
    if total < 0:
        return ()
    if not goods:
        return ((),) if total == 0 else ()
    return tuple(
        (first, *rest)
        for first in range(min(goods[0], total) + 1)
        for rest in multisets(goods[1:], total - first)
    )


def card_payments(goods: Goods, slot: int) -> tuple[Goods, ...]:
    """ "pay its price in any resources (never food)"."""
    return multisets(goods, PRICES[slot])


def tile_payments(goods: Goods, tile: int) -> tuple[Goods, ...]:
    facts = TILES[tile]
    if facts["kind"] == "fixed":
        cost = tuple(facts["cost"].values())
        return (cost,) if all(a >= b for a, b in zip(goods, cost, strict=True)) else ()
    if facts["kind"] == "exact":
        paid = multisets(goods, facts["count"])
        return tuple(each for each in paid if sum(map(bool, each)) == facts["kinds"])
    return tuple(
        paid for count in range(facts["min"], facts["max"] + 1) for paid in multisets(goods, count)
    )


def worth(goods: Goods) -> int:
    """ "Value of wood/brick/stone/gold = 3/4/5/6"."""
    return sum(count * value for count, value in zip(goods, VALUES, strict=True))


# Feeding


def penalty(options: Options, missing: int) -> int:
    """The points lost where so much food is missing after all payments."""
    if missing == 0:
        return 0
    FIRED[f"option.starvation.{options.starvation}"] += 1
    if options.starvation == "per_missing":
        return 7 * missing // 2
    if options.starvation == "flat_plus":
        return 10 + missing
    return 10


def food_payments(options: Options, goods: Goods, short: int) -> list[Goods]:
    """The resources that can be paid for missing food, at least one: "the whole rest"."""
    first = 1 if options.starvation == "per_missing" else short
    return [paid for count in range(first, short + 1) for paid in multisets(goods, count)]


# Final scoring


@dataclass(frozen=True)
class Final:
    """The final score of a seat, item by item; `play` is what it had during the game."""

    play: int
    greens: int
    farmers: int
    toolmakers: int
    builders: int
    shamans: int
    resources: int

    @property
    def total(self) -> int:
        return sum(vars(self).values())


def green_points(cards: frozenset[int]) -> int:
    """ "each set of s different green symbols s^2 (duplicates form further sets)"."""
    symbols = Counter(
        CARDS[card]["scoring"]["symbol"]
        for card in cards
        if CARDS[card]["scoring"]["background"] == "green"
    )
    points = sets = 0
    while symbols:
        points += len(symbols) ** 2
        sets += 1
        symbols = Counter({each: count - 1 for each, count in symbols.items() if count > 1})
    FIRED["score.greens"] += sets > 0
    FIRED["score.further_sets"] += sets > 1
    return points


def figures(cards: frozenset[int], figure: str) -> int:
    scoring = (CARDS[card]["scoring"] for card in cards)
    return sum(each["count"] for each in scoring if each.get("figure") == figure)


def final(options: Options, seat: Seat) -> Final:
    """The final scoring of one seat."""
    tools = seat.tool_value
    makers = figures(seat.cards, "toolmaker")
    if seat.one_use:
        FIRED[f"option.one_use_tools_score.{options.one_use_tools_score}"] += makers > 0
        if options.one_use_tools_score:
            tools += sum(seat.one_use)
    scored = Final(
        play=seat.score,
        greens=green_points(seat.cards),
        farmers=figures(seat.cards, "farmer") * seat.track,
        toolmakers=makers * tools,
        builders=figures(seat.cards, "builder") * len(seat.tiles),
        shamans=figures(seat.cards, "shaman") * seat.people,
        resources=sum(seat.goods) + 2 * seat.two,
    )
    for item in ("farmers", "toolmakers", "builders", "shamans", "resources"):
        FIRED[f"score.{item}"] += getattr(scored, item) > 0
    FIRED["score.food_nothing"] += seat.food > 0
    FIRED["two.unused_at_end"] += seat.two
    return scored


def winners(options: Options, seats: tuple[Seat, ...], totals: tuple[int, ...]) -> tuple[int, ...]:
    """The winners: "Tie: higher food track + tools + people; then shared", or leftover food."""
    best = [number for number, total in enumerate(totals) if total == max(totals)]

    def narrowed(tied: list[int], key: dict[int, int]) -> list[int]:
        return [number for number in tied if key[number] == max(key[each] for each in tied)]

    second = {n: each.track + each.tool_value + each.people for n, each in enumerate(seats)}
    food = {n: each.food for n, each in enumerate(seats)}
    left = narrowed(best, second)
    FIRED["tie.broken"] += len(left) < len(best)
    by_food = narrowed(left, food)
    FIRED[f"option.tie_break.{options.tie_break}"] += len(by_food) < len(left)
    if options.tie_break == "food":
        left = by_food
    FIRED["tie.shared"] += len(left) > 1
    return tuple(left)
