"""Hand-made positions and steps in words, for the tests of the Stone Age reference."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from .stone_age import (
    FIRED,
    Options,
    Seat,
    State,
    advance,
    apply,
    deal,
    moves,
    new_game,
    outcomes,
    text,
    turn,
)
from .stone_age_table import CARDS, PLACES, TILES, Task

DEFAULT = Options()


def on(**people: int) -> tuple[int, ...]:
    """People by place; `clay_pit`, `card_1`."""
    counts = [0] * len(PLACES)
    for name, count in people.items():
        counts[PLACES.index(name.replace("_", " "))] = count
    return tuple(counts)


def tools(*slots: int, used: tuple[int, ...] = ()) -> tuple[tuple[int, bool], ...]:
    """Three tool slots: ready ones by value, then used ones; the rest are missing."""
    found = [(value, False) for value in slots] + [(value, True) for value in used]
    return tuple(sorted([(0, False)] * (3 - len(found)) + found))


def at(*tasks: Task, options: Options = DEFAULT, **given: Any) -> State:
    """A position in which these tasks come next, then the feeding.

    `s0`, `s1`, ...: changed fields of seats. The cards give food 7, 5, 3, 1 at prices 1 to 4; the
    tiles are 1 (2 wood, 1 brick: 10 points), 18 (4 of 1 kind), 26 (1 to 7) and 19 (4 of 2 kinds).
    """
    seats = [Seat(food=options.start_food, people=options.start_people)] * options.players
    for number in range(options.players):
        seats[number] = replace(seats[number], **given.pop(f"s{number}", {}))
    slots = given.pop("slots", (11, 12, 13, 14))
    tops = given.pop("tops", (1, 18, 26, 19)[: options.players])
    owned = {card for each in seats for card in each.cards}
    built = {tile for each in seats for tile in each.tiles}
    state = State(
        seats=tuple(seats),
        agenda=(*tasks, ("feeding",)),
        deck=given.pop("deck", frozenset(CARDS) - set(slots) - owned),
        unseen=given.pop("unseen", frozenset(TILES) - set(tops) - built),
        supply=given.pop("supply", options.resource_supply),
        slots=slots,
        tops=tops,
        stacks=given.pop("stacks", (options.stack_size,) * options.players),
        **given,
    )
    return advance(options, state)


def legal(state: State, options: Options = DEFAULT) -> list[str]:
    """The moves or outcomes in words."""
    if turn(state) == "chance":
        return [text(outcome) for outcome, _weight in outcomes(options, state)]
    return [text(move) for move in moves(options, state)]


def play(state: State, *steps: str, options: Options = DEFAULT) -> State:
    """The state after these moves and outcomes in words."""
    for words in steps:
        if turn(state) == "chance":
            (found,) = [each for each, _ in outcomes(options, state) if text(each) == words]
            state = deal(options, state, found)
        else:
            (found,) = [each for each in moves(options, state) if text(each) == words]
            state = apply(options, state, found)
    return state


def dealt(options: Options = DEFAULT, start: int = 0) -> State:
    """The first placing of a game with cards and tiles in the order of their numbers."""
    state = play(new_game(options), f"start {start}", options=options)
    while turn(state) == "chance":
        state = deal(options, state, outcomes(options, state)[0][0])
    return state


@contextmanager
def fires(*rules: str) -> Iterator[None]:
    """Each of these rules decides something inside."""
    before = {rule: FIRED[rule] for rule in rules}
    yield
    assert [rule for rule in rules if FIRED[rule] <= before[rule]] == []


def random_game(options: Options, rng: random.Random) -> Iterator[State]:
    """The states of a game with random moves and outcomes."""
    state = new_game(options)
    yield state
    while turn(state) != "over":
        if turn(state) == "chance":
            found, weights = zip(*outcomes(options, state), strict=True)
            state = deal(options, state, rng.choices(found, weights)[0])
        else:
            state = apply(options, state, rng.choice(moves(options, state)))
        yield state
