"""Tests of the Forbidden Island reference: exact values known from elsewhere, and random games."""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import pytest

from . import island
from .island_cases import DEFAULT, DUNES, LANDING, RISE, SANDBAGS, after, counts, game, of
from .island_table import (
    CARDS,
    FLOODED,
    LAYOUTS,
    ROLES,
    SUNK,
    TILES,
    TILES_OF,
    TREASURES,
    Options,
    State,
    status,
)

Key = Callable[[State], Any]
Spread = list[tuple[State, Fraction | float]]


def merged(spread: Spread, key: Key) -> Spread:
    """One state of each kind, with the probability of the kind."""
    first: dict[Any, State] = {}
    weights: dict[Any, Fraction | float] = defaultdict(int)
    for state, weight in spread:
        kind = key(state)
        first.setdefault(kind, state)
        weights[kind] += weight
    return [(first[kind], weights[kind]) for kind in first]


def chance_step(options: Options, spread: Spread) -> Spread:
    found = []
    for state, weight in spread:
        cards = island.outcomes(options, state)
        total = sum(number for _, number in cards)
        found += [
            (island.step(options, state, card), weight * number / total) for card, number in cards
        ]
    return found


def probability(spread: Spread, condition: Callable[[State], bool]) -> Fraction | float:
    return sum(weight for state, weight in spread if condition(state))


def place(state: State, tile: str) -> tuple[str, int]:
    """The status of a tile and where its flood card is: a block, or -1 for the discard."""
    for number, block in enumerate(state.flood_pile):
        if tile in block:
            return status(state, tile), number
    return status(state, tile), -1


def in_general(state: State) -> tuple[Any, ...]:
    """What the coming flood cards depend on."""
    rise = state.pile[CARDS.index(RISE)]
    progress = (state.phase, state.turn, state.draws_left, state.floods_left, state.result)
    return (*progress, state.water, rise, sum(state.pile))


def all_alike(state: State) -> tuple[Any, ...]:
    """The kind of a state when it doesn't matter which tile is which."""
    return in_general(state), tuple(sorted(place(state, tile) for tile in TILES))


def by_use(state: State) -> tuple[Any, ...]:
    """The kind of a state when only the landing and the pairs of a treasure matter."""
    places = {tile: place(state, tile) for tile in TILES}
    landing = places.pop(LANDING)
    pairs = [
        tuple(sorted((places.pop(one), places.pop(other)))) for one, other in TILES_OF.values()
    ]
    return in_general(state), landing, tuple(sorted(pairs)), tuple(sorted(places.values()))


def flooded_at_first(options: Options, key: Key) -> Spread:
    """The deals by kind, at the start of turn 1; everybody swims as the Pilot, who always can."""
    state = island.new_game(options)
    for tile in TILES:
        state = after(state, tile, options=options)
    spread = [(state, Fraction(1))]
    while spread[0][0].phase == "initial flood":
        spread = merged(chance_step(options, spread), key)
    deal = (*ROLES[: options.players], *("earth", "wind") * options.players)
    spread = [(after(state, *deal, options=options), weight) for state, weight in spread]
    return [
        (replace(state, roles=("pilot",) * options.players), weight) for state, weight in spread
    ]


def to_the_end_of_turn(number: int, options: Options, spread: Spread, key: Key) -> Spread:
    """Nobody acts: always the first move, which ends the actions or goes on."""
    done: Spread = []
    while spread:
        spread = merged(spread, key)
        done += [each for each in spread if stopped(each[0], number)]
        rest = [each for each in spread if not stopped(each[0], number)]
        team = [each for each in rest if island.turn(each[0]) == "team"]
        spread = [
            (island.step(options, state, island.moves(options, state)[0]), weight)
            for state, weight in team
        ]
        spread += chance_step(options, [each for each in rest if island.turn(each[0]) == "chance"])
    return merged(done, key)


def stopped(state: State, number: int) -> bool:
    return state.phase == "over" or (state.phase == "actions" and state.turn > number)


PASSIVE = {
    "2 players, novice": (
        Options(),
        ("45/92", "131/92", "1321/506", "3757/1012", "5019/1012"),
    ),
    "4 players, legendary": (
        Options(players=4, difficulty="legendary"),
        ("33/38", "682/285", "1046/285", "103/19"),
    ),
}


@pytest.mark.parametrize("name", PASSIVE)
def test_expected_sunk_tiles_if_nobody_acts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # All games go on, whatever sinks; so all tiles are alike.
    monkeypatch.setattr(island, "lost_with", lambda *_: None)
    options, expected = PASSIVE[name]
    spread = flooded_at_first(options, all_alike)
    for number, value in enumerate(expected, start=1):
        spread = to_the_end_of_turn(number, options, spread, all_alike)
        sunk = sum(weight * state.status.count(SUNK) for state, weight in spread)
        assert sunk == Fraction(value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [(Options(), (0.02414, 0.08401)), (Options(players=4, difficulty="legendary"), (0.04856,))],
)
def test_lost_if_nobody_acts(options: Options, expected: tuple[float, ...]) -> None:
    spread = flooded_at_first(options, by_use)
    spread = [(state, float(weight)) for state, weight in spread]
    for number, value in enumerate(expected, start=1):
        spread = to_the_end_of_turn(number, options, spread, by_use)
        lost = probability(spread, lambda state: state.result is not None)
        assert round(float(lost), 5) == value
        assert sum(weight for _, weight in spread) == pytest.approx(1)


def test_flooded_in_the_setup() -> None:
    spread = flooded_at_first(DEFAULT, by_use)

    def both(state: State, treasure: str) -> bool:
        return all(status(state, tile) == FLOODED for tile in TILES_OF[treasure])

    landing = probability(spread, lambda state: status(state, LANDING) == FLOODED)
    assert landing == Fraction(1, 4)
    pairs = sum(
        weight * sum(both(state, treasure) for treasure in TREASURES) for state, weight in spread
    )
    assert pairs == 4 * Fraction(5, 92)
    any_pair = probability(spread, lambda state: any(both(state, each) for each in TREASURES))
    assert any_pair == Fraction(7031, 33649)


def first_turn() -> State:
    """The landing and five more tiles are flooded, no special was dealt."""
    hands = (("earth", "earth"), ("earth", "wind"))
    return island.dealt(DEFAULT, TILES, (LANDING, *TILES[19:]), ("pilot", "diver"), hands)


def landing_too(state: State) -> tuple[Any, ...]:
    sandbags = any(SANDBAGS in hand for hand in state.hands)
    return all_alike(state), place(state, LANDING), sandbags


def test_waters_rise_in_the_first_turn() -> None:
    spread = [(after(first_turn(), ("end actions",)), Fraction(1))]
    for _ in range(2):
        spread = chance_step(DEFAULT, spread)
        spread = [
            (after(state, ("go on",)) if state.phase == "between draws" else state, weight)
            for state, weight in spread
        ]
    found = [probability(spread, lambda state, n=n: state.water == 1 + n) for n in range(3)]
    assert found == [Fraction(35, 46), Fraction(21, 92), Fraction(1, 92)]


def test_a_flooded_tile_sinks_in_the_first_turn() -> None:
    spread = to_the_end_of_turn(1, DEFAULT, [(first_turn(), Fraction(1))], landing_too)
    lost = ("lost", "landing")
    assert probability(spread, lambda state: state.result == lost) == Fraction(15, 184)


def test_landing_lost_in_the_first_turn() -> None:
    # It is flooded (1/4), the first player can't shore it up, and there are no specials in the
    # four dealt cards and no Sandbags in the drawn ones.
    unsaved = Fraction(1945439, 6965343)
    no_special = Fraction(comb(20, 4), comb(25, 4))
    spread = to_the_end_of_turn(1, DEFAULT, [(first_turn(), Fraction(1))], landing_too)
    sinks = probability(spread, lambda state: state.phase == "over" and not landing_too(state)[2])
    published = Fraction(1355970983, 682632941760)
    assert Fraction(1, 4) * unsaved * no_special * sinks == published


@pytest.mark.parametrize(
    ("role", "unsaved"),
    [
        ("pilot", Fraction(0)),
        ("explorer", Fraction(10, 69)),
        ("navigator", Fraction(59, 138)),
        ("messenger", Fraction(59, 138)),
        ("engineer", Fraction(59, 138)),
    ],
)
def test_tiles_out_of_reach_of_the_first_player(role: str, unsaved: Fraction) -> None:
    out_of_reach = 0
    other = "diver"
    for start in TILES:
        states, shored = {game(roles=(role, other), pawns=(start, DUNES), flooded=TILES)}, set()
        for _ in range(3):
            for state in states:
                shored |= {tiles[0] for (tiles,) in of("shore", state)}
            states = {
                island.step(DEFAULT, state, move)
                for state in states
                for move in island.moves(DEFAULT, state)
                if move[0] in ("walk", "fly") and state.actions_left > 1
            }
        out_of_reach += len(set(TILES) - shored)
    assert Fraction(out_of_reach, 24 * 23) == unsaved


# Random games


def random_options(rng: random.Random) -> Options:
    choices = {
        "players": (2, 3, 4),
        "layout": (*LAYOUTS, ("#" * 8,) * 3),
        "difficulty": ("novice", "normal", "elite", "legendary"),
        "water_level": (None, None, 1, 3),
        "lift_rescue": (True, False),
        "lift_from": ("one_tile", "anywhere"),
        "rise_shuffle": ("on_top", "whole_pile"),
        "navigator_uses_target_power": ("step", "none"),
        "navigator_split": (False, True),
        "diver_swim": ("nearest", "any"),
        "pilot_swim_free": (True, False),
        "hand_limit_between_draws": (True, False),
        "treasure_reshuffle": ("at_once", "on_demand"),
        "hand_limit": (5, 5, 1, 3, 8),
        "actions": (3, 3, 0, 1, 5),
        "cards_per_treasure": (5, 5, 3),
        "cards_to_capture": (4, 2, 1),
        "initial_flood": (6, 6, 0, 12, 24),
        "waters_rise": (3, 3, 0, 6),
        "helicopters": (3, 3, 0, 8),
        "sandbags": (2, 2, 0, 8),
        "water_meter": (DEFAULT.water_meter, DEFAULT.water_meter, (0, 1, 1, 1, 1), (6,) * 4),
        "pilot_flights_per_turn": (1, 0, 2, "unlimited"),
        "max_turns": (200, 200, 5),
    }
    options = Options(**{name: rng.choice(values) for name, values in choices.items()})
    if rng.random() < 0.3:
        options = replace(options, roles=tuple(rng.sample(ROLES, options.players)))
    return options


def check(options: Options, state: State) -> None:
    """What holds at every point of a game."""
    in_hands = counts(*(card for hand in state.hands for card in hand))
    gone = zip(in_hands, state.pile, state.discard, strict=True)
    assert tuple(sum(each) for each in gone) == options.deck
    flood_cards = [tile for block in state.flood_pile for tile in block]
    flood_cards += state.flood_discard
    assert sorted(flood_cards) == sorted(tile for tile in TILES if status(state, tile) != SUNK)
    assert state.phase == "over" or all(state.flood_pile) or state.phase == "initial flood"
    if state.phase not in ("swim", "over"):
        assert all(status(state, tile) != SUNK for tile in state.pawns)
    late = not options.hand_limit_between_draws and state.draws_left
    if state.phase not in ("discard", "over", "hands") and not late:
        assert all(len(hand) <= options.hand_limit for hand in state.hands)
    if state.turn and state.phase not in ("over", *island.SETUP_PHASES):
        assert state.seat == (state.turn - 1) % options.players
    assert (state.phase == "over") == (state.result is not None)
    assert state.draws_left == 0 or state.floods_left == 0
    if state.phase == "draw":
        assert any(state.pile)


def check_moves(options: Options, state: State) -> None:
    """No move is listed twice, and no two lead to the same state."""
    listed = island.moves(options, state)
    assert listed
    assert len({island.step(options, state, move) for move in listed}) == len(listed)


@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(50):
        options = random_options(rng)
        game = island.random_game(options, rng)
        for state, _ in game:
            check(options, state)
            if island.turn(state) == "team" and rng.random() < 0.1 and number < 25:
                check_moves(options, state)
        end = game[-1][0]
        assert island.turn(end) == "over"
        assert end.turn <= options.max_turns
        for (before, choice), (following, _) in pairwise(game[-8:]):
            assert island.apply(options, before, choice) == following
        with pytest.raises(ValueError, match="impossible"):
            island.apply(options, end, ("go on",))


def test_replace_is_dataclass_replace() -> None:
    state = game()
    assert island.replace(state, water=3, seat=1) == replace(state, water=3, seat=1)
    with pytest.raises(AssertionError):
        island.replace(state, watre=3)


@pytest.mark.parametrize(
    ("players", "difficulty", "longest"),
    [
        *((2, "novice", 40), (3, "novice", 39), (4, "novice", 38)),
        *((2, "legendary", 26), (3, "legendary", 25), (4, "legendary", 24)),
    ],
)
def test_longest_game(players: int, difficulty: str, longest: int) -> None:
    """The Waters Rise! cards come last in each deck, no tile sinks, and no hand keeps a card."""
    options = Options(players=players, difficulty=difficulty)
    hands = (("earth", "wind"),) * players
    roles = ("pilot", "diver", "engineer", "explorer")[:players]
    state = island.dealt(options, TILES, TILES[:6], roles, hands)
    while state.phase != "over":
        if state.phase == "draw":
            cards = [card for card, _ in island.outcomes(options, state)]
            state = island.step(options, all_discarded(state), cards[0])
        elif state.phase == "flood":
            state = replace(state, status=(island.DRY,) * 24)
            state = island.step(options, state, island.outcomes(options, state)[0][0])
        else:
            state = island.step(options, state, island.moves(options, state)[0])
    assert island.result(state) == ("lost", "water")
    assert state.turn == longest


def all_discarded(state: State) -> State:
    """The state with the cards of all hands in the discard."""
    in_hands = counts(*(card for hand in state.hands for card in hand))
    discard = tuple(map(sum, zip(state.discard, in_hands, strict=True)))
    return replace(state, hands=((),) * len(state.hands), discard=discard)


def test_probabilities_of_a_block() -> None:
    """ "in the next w cards with probability clamp((w - earlier blocks)/|block|, 0, 1)"."""
    pile = (frozenset(TILES[:3]), frozenset(TILES[3:7]))
    state = game(phase="flood", floods_left=5, flood_pile=pile)
    weights = Fraction(1)
    for _ in range(5):
        cards = [card for card, _ in island.outcomes(DEFAULT, state) if card != TILES[3]]
        weights *= Fraction(len(cards), len(island.outcomes(DEFAULT, state)))
        state = island.step(DEFAULT, state, cards[0])
    assert 1 - weights == Fraction(5 - 3, 4)
