"""Stone Age: whole games from the set-up to the winners, in plain Python, slow and readable.

Written only from the rules page (docs/rules/stone-age.md). A game is a chain of immutable States:
`turn` says what comes next ("chance", "over" or the seat that decides), `moves` and `apply` serve a
decision, `outcomes` and `deal` a chance step whose outcome the caller picks, `result` scores. The
facts, Options, Seat and State are in `stone_age_table.py`, the decisions in `stone_age_play.py`,
the single rules in `stone_age_rules.py`.

A State carries an agenda: the tasks to come, the first one first. Decisions are the tasks
    ("place", seat)               a place
    ("people", seat, place)       how many people there
    ("act", seat)                 the next place to use, or the two-resource card
    ("tools", seat, divisor, sum, card)   the tools added to a roll (of a card)
    ("pay", seat, place)          the payment for a card or tile, or declining
    ("raise", seat)               which of the lowest tools rises
    ("two", seat)                 two resources of choice
    ("die", dice, takers, waiting, index)   a die of a gift for the first taker
    ("hunger", seat, short)       how missing food is made up for
and chance steps are ("start",), ("tile", stack), ("card", slot), ("roll", seat, divisor, dice),
("extra", seat) and ("gift", seat). Placing and acting are always asked; every other decision is
asked only where at least two moves are legal. Moves and outcomes are tuples whose first item is
their name; `text` writes them.

How open points are read:

1.  Hidden cards and tiles have no order here: each that may come is equally likely. The tiles out
    of the game and those under the tops are one set, for nobody can tell them apart.
2.  Cards "slide right" without gaps and without change of order; empty places are dealt from price
    1 upwards. "Cannot be refilled": more empty places than cards in the deck; none is dealt then.
3.  "Next tile is turned up": at once; "a place emptied by a purchase stays empty" is about cards.
    Nobody can be on the new tile before the next round, so only what is known depends on this.
4.  A seat that can't place is skipped; as places only fill up, it can't place later in that round.
    A village place counts as used from the first person on it. People that found no place stay
    idle this round (and eat).
5.  The two-resource card can be used before any of one's own actions, and in feeding when food is
    short. It does not prolong a turn whose last action is done, and isn't offered in feeding with
    enough food: it would only turn into the resources that it stands for, now rather than later,
    which could matter only to a limited supply. From a limited supply with fewer than two left it
    gives what is left. Unused at the end it is worth 2 points.
6.  Paid resources are back in a limited supply before anything is gained for them. That supply
    limits everything gained: rolls, cards, gifts and the two resources of choice.
7.  The lowest tools are told apart only by whether they are used this round. A slot without a tool
    is unused: the first three rises give new, ready tools. Equal dice and equal tools are one
    choice; a one-use tool differs from a tool of its value. Tools that change nothing may be added.
8.  dice_gift = on_own_turn: the buyer takes at once ("buyer first"; it is his turn), every other
    seat at the start of its next action turn before its first action, the oldest gift first; that
    is in the next round for seats that have acted. What is not taken by the end lapses.
9.  `dice` = 3 or 3.5 replaces the dice for goods (places, hunt, card rolls); the gift, which picks
    and is no amount, is still rolled. Whether the sum is rounded before the division is the same.
10. starvation: "k" and "missing" count the food still missing after the payment. The whole rest or
    nothing can be paid except with per_missing.
11. one_use_tools_score counts unused one-use tools for toolmakers, not in a tie. The tie's "tools"
    are the total tool value of the three slots; tie_break = food compares food after this sum.
12. The end by a stack is looked for before that by max_rounds, and both before the refilling of the
    next round. With max_rounds reached no further round starts, so its cards don't matter.
13. "Buyer first, then clockwise": clockwise is the turn order. A gift die for a resource that a
    limited supply doesn't have, or at a maximum, may be taken and has no effect.
14. A tool or track gained by a gift during another seat's turn is that seat's at once; a tool that
    rises then is used or ready as it was.
"""

from collections.abc import Callable
from dataclasses import replace

from .stone_age_play import DECISIONS, Move
from .stone_age_rules import (
    Final,
    can_place,
    final,
    fixed_sum,
    gift_rolls,
    ways,
    winners,
)
from .stone_age_table import (
    CARD_PLACES,
    FIRED,
    FIXED_DICE,
    KINDS,
    PLACES,
    RULE_IDS,
    Options,
    Seat,
    State,
    change,
    clockwise,
    put,
    todo,
)

__all__ = [
    "FIRED",
    "RULE_IDS",
    "Options",
    "Seat",
    "State",
    "apply",
    "deal",
    "moves",
    "new_game",
    "outcomes",
    "phase",
    "result",
    "text",
    "turn",
]

CHANCE = ("start", "tile", "card", "roll", "extra", "gift")
ALWAYS_ASKED = ("place", "act")


def new_game(options: Options) -> State:
    """The table before the start player is drawn and tiles and cards are turned up."""
    for name, default in (("start_food", 12), ("start_people", 5), ("stack_size", 7)):
        value = getattr(options, name)
        FIRED[f"option.{name}" + ("" if value == default else ".other")] += 1
    FIRED["setup.seat"] += 1
    seat = Seat(food=options.start_food, people=options.start_people)
    return State(
        seats=(seat,) * options.players,
        agenda=(
            ("start",),
            *(("tile", stack) for stack in range(options.players)),
            ("new round",),
        ),
        supply=options.resource_supply,
        tops=(0,) * options.players,
        stacks=(options.stack_size,) * options.players,
    )


def phase(state: State) -> str:
    """The name of the first task."""
    return str(state.agenda[0][0])


def turn(state: State) -> str | int:
    """Who is next: "chance", "over", or the seat that decides."""
    task = state.agenda[0]
    if task[0] in CHANCE:
        return "chance"
    if task[0] == "over":
        return "over"
    return int(task[2][0] if task[0] == "die" else task[1])


# Chance


def outcomes(options: Options, state: State) -> list[tuple[Move, int]]:
    """What can come up, each with an integer weight."""
    name, *rest = state.agenda[0]
    if name == "start":
        return [(("start", seat), 1) for seat in range(options.players)]
    if name == "tile":
        return [(("tile", tile), 1) for tile in sorted(state.unseen)]
    if name in ("card", "extra"):
        return [(("card", card), 1) for card in sorted(state.deck)]
    if name == "roll":
        return [(("roll", total), count) for total, count in ways(rest[2])]
    if name == "gift":
        return [(("gift", dice), count) for dice, count in gift_rolls(options.players)]
    raise ValueError("no chance step is next")


def deal(options: Options, state: State, outcome: Move) -> State:
    """The state after this outcome, up to the next decision or chance step."""
    if turn(state) != "chance" or outcome not in [each for each, _ in outcomes(options, state)]:
        raise ValueError(f"{outcome} can't come up here")
    (name, *rest), value = state.agenda[0], outcome[1]
    state = replace(state, agenda=state.agenda[1:])
    if name == "start":
        FIRED["setup.start_random"] += 1
        state = replace(state, start=value)
    elif name == "tile":
        FIRED["setup.tile_top"] += 1
        tops = put(state.tops, rest[0], value)
        state = replace(state, tops=tops, unseen=state.unseen - {value})
    elif name == "card":
        FIRED["setup.card_dealt"] += 1
        slots = put(state.slots, rest[0], value)
        state = replace(state, slots=slots, deck=state.deck - {value})
    elif name == "extra":
        FIRED["card.extra_bottom_only"] += 1
        seat = rest[0]
        state = change(state, seat, cards=state.seats[seat].cards | {value})
        state = replace(state, deck=state.deck - {value}, extra=(value, seat))
    elif name == "roll":
        FIRED[f"option.dice.{options.dice}"] += 1
        state = todo(state, ("tools", rest[0], rest[1], value, len(rest) > 3))
    else:
        FIRED[f"option.dice_gift.{options.dice_gift}"] += 1
        FIRED["gift.no_tools"] += any(state.seats[rest[0]].ready)
        order = clockwise(state, rest[0])
        if options.dice_gift == "at_once":
            state = todo(state, ("die", value, order, (), 0))
        else:
            state = todo(state, ("die", value, order[:1], order[1:], len(state.gifts)))
    return advance(options, state)


# Decisions


def moves(options: Options, state: State) -> list[Move]:
    """The legal moves of the seat to decide."""
    name, *rest = state.agenda[0]
    if name not in DECISIONS:
        raise ValueError("no decision is next")
    return DECISIONS[name][0](options, state, *rest)


def apply(options: Options, state: State, move: Move) -> State:
    """The state after this move, up to the next decision or chance step."""
    if move not in moves(options, state):
        raise ValueError(f"{move} isn't legal here")
    return advance(options, perform(options, state, move))


def perform(options: Options, state: State, move: Move) -> State:
    name, *rest = state.agenda[0]
    after = replace(state, agenda=state.agenda[1:])
    return DECISIONS[name][1](options, after, move, *rest)


def advance(options: Options, state: State) -> State:
    """Go on until a decision with a choice, a chance step or the end is next."""
    while True:
        name, *rest = state.agenda[0]
        if name in AUTOMATIC:
            state = AUTOMATIC[name](options, replace(state, agenda=state.agenda[1:]), *rest)
        elif name == "roll" and options.dice in FIXED_DICE:
            FIRED[f"option.dice.{options.dice}"] += 1
            state = replace(state, agenda=state.agenda[1:])
            total = fixed_sum(options, rest[2])
            state = todo(state, ("tools", rest[0], rest[1], total, len(rest) > 3))
        elif name == "extra" and not state.deck:
            FIRED["card.extra_no_deck"] += 1
            state = replace(state, agenda=state.agenda[1:])
        elif name in CHANCE or name == "over" or name in ALWAYS_ASKED:
            return state
        else:
            found = moves(options, state)
            if len(found) > 1:
                return state
            if found:
                state = perform(options, state, found[0])
            else:
                state = replace(state, agenda=state.agenda[1:])


# The course of a round


def new_round(options: Options, state: State) -> State:
    """ "cards slide right and refill"; "At once when the 4 card places cannot be refilled"."""
    left = tuple(card for card in state.slots if card)
    empty = len(CARD_PLACES) - len(left)
    slots = left + (0,) * empty
    FIRED["next.slide"] += slots != state.slots
    state = replace(state, slots=slots)
    if empty > len(state.deck):
        FIRED["end.cards"] += 1
        return over(state, "cards")
    FIRED["next.refill"] += state.rounds > 0 and empty > 0
    cards = [("card", slot) for slot in range(len(left), len(CARD_PLACES))]
    return todo(state, *cards, ("wake",))


def wake(_options: Options, state: State) -> State:
    """All people can be placed."""
    for number, seat in enumerate(state.seats):
        FIRED["act.people_return"] += state.rounds > 0
        state = change(state, number, left=seat.people)
    return todo(state, ("placing", state.start))


def placing(options: Options, state: State, first: int) -> State:
    """ "again and again until nobody can"."""
    for seat in clockwise(state, first):
        if any(can_place(options, state, seat, place) for place in range(len(PLACES))):
            FIRED["place.turn_order"] += 1
            FIRED["place.skipped"] += seat != first
            return todo(state, ("place", seat))
    FIRED["place.everybody_done"] += 1
    for seat in range(options.players):
        state = change(state, seat, left=0)
    turns = [("turn", seat) for seat in clockwise(state, state.start)]
    return todo(state, *turns, ("feeding",))


def begin_turn(_options: Options, state: State, seat: int) -> State:
    """Gifts waiting for this seat's turn, the oldest first; then its actions."""
    for index, (dice, waiting) in enumerate(state.gifts):
        if seat in waiting:
            rest = tuple(each for each in waiting if each != seat)
            gifts = (*state.gifts[:index], *state.gifts[index + 1 :])
            state = replace(state, gifts=gifts)
            return todo(state, ("die", dice, (seat,), rest, index), ("turn", seat))
    FIRED["act.turn_order"] += 1
    return todo(state, ("actions", seat))


def actions(_options: Options, state: State, seat: int) -> State:
    """The next action of this seat, if people of it are left to act."""
    return todo(state, ("act", seat)) if any(state.seats[seat].on) else state


def feeding(_options: Options, state: State) -> State:
    FIRED["feed.turn_order"] += 1
    seats = [("feed", seat) for seat in clockwise(state, state.start)]
    return todo(state, *seats, ("end of round",))


def feed(_options: Options, state: State, number: int) -> State:
    """ "First gain food = food track, then pay 1 per person"."""
    seat = state.seats[number]
    FIRED["feed.track_first"] += seat.food < seat.people and seat.track > 0
    FIRED["feed.new_person_eats"] += number in state.grown
    food = seat.food + seat.track - seat.people
    if food >= 0:
        FIRED["feed.enough"] += 1
        return change(state, number, food=food)
    FIRED["feed.all_food"] += food > -seat.people
    return todo(change(state, number, food=0), ("hunger", number, -food))


def end_of_round(options: Options, state: State) -> State:
    """The ends after a round; else "Start player passes left [...] tools are ready"."""
    state = replace(state, rounds=state.rounds + 1, grown=frozenset())
    if 0 in state.stacks:
        FIRED["end.tiles_after_round"] += 1
        return over(state, "tiles")
    if state.rounds >= options.max_rounds:
        FIRED["option.max_rounds"] += 1
        return over(state, "max_rounds")
    for number, seat in enumerate(state.seats):
        FIRED["next.tools_ready"] += any(used for _value, used in seat.tools)
        tools = tuple(sorted((value, False) for value, _used in seat.tools))
        state = change(state, number, tools=tools)
    FIRED["next.start_left"] += 1
    start = (state.start + 1) % options.players
    return todo(replace(state, start=start), ("new round",))


def over(state: State, cause: str) -> State:
    FIRED["gift.lapsed"] += bool(state.gifts)
    return replace(state, cause=cause, agenda=(("over",),))


AUTOMATIC: dict[str, Callable[..., State]] = {
    "new round": new_round,
    "wake": wake,
    "placing": placing,
    "turn": begin_turn,
    "actions": actions,
    "feeding": feeding,
    "feed": feed,
    "end of round": end_of_round,
}


# The end


def result(options: Options, state: State) -> tuple[tuple[Final, ...], tuple[int, ...]]:
    """The itemised final scores by seat, and the winners."""
    scores = tuple(final(options, seat) for seat in state.seats)
    return scores, winners(options, state.seats, tuple(each.total for each in scores))


def text(move: Move) -> str:
    """A move or outcome in words: `pay wood 2 gold 1`, `take wood gold`, `tools 2,1 one-use 3`."""
    name, *rest = move
    if name in ("place", "use"):
        return f"{name} {PLACES[rest[0]]}"
    if name in ("pay", "feed"):
        pairs = zip(KINDS, rest[0], strict=True)
        return " ".join([name, *(f"{kind} {count}" for kind, count in pairs if count)])
    if name == "take":
        pairs = zip(KINDS, rest[0], strict=True)
        return " ".join([name, *(kind for kind, count in pairs for _ in range(count))])
    if name == "tools":
        slots, one_use = (",".join(map(str, each)) for each in rest)
        parts = [slots] * bool(slots) + [f"one-use {one_use}"] * bool(one_use)
        return " ".join([name, *(parts or ["none"])])
    if name == "gift":
        return " ".join(map(str, (name, *rest[0])))
    return " ".join(map(str, move))
