"""Odds if nobody acts where the treasure pile runs out, against the plain rules and by hand."""

from __future__ import annotations

from fractions import Fraction as F

import msgspec
import pytest

from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.odds import odds, set_up_odds
from oddsmith.solver.games.island.position import Player
from oddsmith.solver.games.island.rules import Rules
from tests.island.compare_games import both_rules, fields_of
from tests.reference import island as reference
from tests.reference.island_cases import (
    CORAL,
    LAGOON,
    LANDING,
    MARSH,
    OBSERVATORY,
    RISE,
    TIDAL,
    WATCHTOWER,
    game,
)
from tests.reference.island_table import CARDS, TILES, Options, status

IN_PLAY = (LANDING, CORAL, TIDAL, LAGOON, MARSH, OBSERVATORY, WATCHTOWER)
TURNS = 5
FEW = 3
"""Where turns take long to follow one by one."""
TAGGED = (LANDING, CORAL, LAGOON)
"""Tiles whose odds are compared; one of each use."""


def place(state, tile):
    """The status of a tile and where its flood card is."""
    at = [number for number, block in enumerate(state.flood_pile) if tile in block]
    return status(state, tile), *at


def kind(state):
    """States with the same odds for the tagged tiles."""
    rise = CARDS.index(RISE)
    other = sorted(place(state, tile) for tile in IN_PLAY if tile not in (*TAGGED, TIDAL))
    return (state.phase, state.then, state.turn, state.draws_left, state.floods_left, state.result,
            state.water, sum(state.pile), state.pile[rise], sum(state.discard), state.discard[rise],
            *map(len, state.hands), *(place(state, tile) for tile in (*TAGGED, TIDAL)), *other)


def passed(options, state):
    """Nobody acts: what is over the hand limit is discarded, the Pilot swims to the first tile."""
    moves = reference.moves(options, state)
    idle = [move for move in moves if move[0] in ("end actions", "go on")]
    plain = [move for move in moves if move[0] in ("discard", "swim")]
    return reference.step(options, state, (plain if state.phase == "swim" else idle or plain)[0])


def turn_by_turn(options, state, turns):
    """All states at the end of each turn, with their chances."""
    spread, ends = [(state, F(1))], []
    for number in range(state.turn + 1, state.turn + 1 + turns):
        done, going = [], spread
        while going:
            merged = {}
            for one, chance in going:
                first, sum_ = merged.get(kind(one), (one, 0))
                merged[kind(one)] = first, sum_ + chance
            going = []
            for one, chance in merged.values():
                if one.phase == "over" or one.turn == number:
                    done.append((one, chance))
                elif reference.turn(one) == "chance":
                    cards = reference.outcomes(options, one)
                    total = sum(weight for _, weight in cards)
                    going += [(reference.step(options, one, card), chance * weight / total)
                              for card, weight in cards]
                else:
                    going.append((passed(options, one), chance))
        spread = done
        ends.append(done)
    return ends


SMALL = {"cards_per_treasure": 2, "helicopters": 0, "sandbags": 0, "waters_rise": 2, "hand_limit": 2,
         "water_meter": (1, 2, 1, 1, 0)}
OPTIONS = {
    "as printed": {},
    "one limit": {"hand_limit_between_draws": False},
    "made anew on demand": {"treasure_reshuffle": "on_demand"},
    "both": {"treasure_reshuffle": "on_demand", "hand_limit_between_draws": False},
    "into the whole pile": {"rise_shuffle": "whole_pile"},
    "all cards in the hands": {"hand_limit": 9, "waters_rise": 1},
    "skull": {"water_meter": (1, 2)},
    "three players": {"players": 3, "waters_rise": 3},
}
STARTS = {
    "player 2": {"turn": 2, "seat": 1, "hands": {0: ("earth",), 1: ("wind", "wind")}},
    "one of a pair has sunk": {"sunk": [TIDAL]},
    "draw": {"phase": "draw", "draws_left": 2},
    "between draws": {"phase": "between draws", "draws_left": 1},
    "before flood": {"phase": "before flood", "floods_left": 2},
    "flood": {"phase": "flood", "floods_left": 1},
    "discard, then draw": {"phase": "discard", "then": "between draws", "draws_left": 1,
                           "hands": {0: ("earth", "earth", "wind", "fire"), 1: ("wind",)}},
    "discard, then flood": {"phase": "discard", "then": "before flood", "floods_left": 2,
                            "hands": {0: ("earth", "earth", "wind", "fire"), 1: ("wind", "ocean")}},
    "discard, then act": {"phase": "discard", "then": "actions", "actions_left": 2,
                          "hands": {0: ("earth",), 1: ("wind", "wind", "fire", "ocean")}},
}


@pytest.mark.parametrize(("changed", "start"), [
    *((changed, "actions") for changed in OPTIONS), *(("as printed", start) for start in STARTS)])
def test_odds_agree_with_the_plain_rules(changed, start, monkeypatch):
    """Nobody acts, and a loss by tiles doesn't stop the island; 4 to 7 cards in the treasure pile."""
    monkeypatch.setattr(reference, "lost_with", lambda *_: None)
    rules, options = both_rules(vars(Options(**(SMALL | OPTIONS[changed]))))
    given = {"hands": {0: ("earth", "earth"), 1: ("wind", "wind")}} | STARTS.get(start, {})
    sunk = [tile for tile in TILES if tile not in IN_PLAY] + given.pop("sunk", [])
    state = game(options, roles=("pilot", "diver", "engineer")[: options.players], sunk=sunk,
                 pawns=(OBSERVATORY,) * options.players, captured=frozenset(("earth", "wind", "fire")),
                 flooded=(LANDING, CORAL, MARSH), flood_discard=frozenset((LANDING, LAGOON)), **given)
    # Whoever stands on a sinking tile can always swim.
    state = reference.replace(state, roles=("pilot",) * options.players)
    state_of = engine.table(rules).pack(fields_of(options, state))
    position = engine.from_state(rules, state_of, [Player("", "", "", ())] * options.players)
    most = FEW if options.rise_shuffle == "whole_pile" else TURNS
    ends = turn_by_turn(options, state, most)
    for turns in (1, 2, most):
        found = odds(position, turns)
        assert all(found.p_sunk[tile] == (1,) * turns for tile in sunk)
        for turn in range(turns):
            def p(condition, turn=turn):
                return sum(chance for one, chance in ends[turn] if condition(one))

            assert found.p_skull[turn] == p(lambda one: one.result == ("lost", "water"))
            for tile in TAGGED:
                assert found.p_sunk[tile][turn] == p(lambda one, t=tile: status(one, t) == "sunk")
                assert found.p_flooded[tile][turn] == p(
                    lambda one, t=tile: status(one, t) == "flooded")
            assert found.p_sunk["observatory"][turn] == found.p_sunk["watchtower"][turn]
            assert found.p_treasure == {"ocean": found.p_treasure["ocean"]}
            assert found.p_treasure["ocean"][turn] == p(lambda one: (
                status(one, CORAL) == status(one, TIDAL) == "sunk"))
            assert found.p_lost[turn] == p(lambda one: status(one, LANDING) == "sunk" or (
                status(one, CORAL) == status(one, TIDAL) == "sunk"))
            assert found.e_sunk[turn] == sum(
                chance * one.status.count("sunk") for one, chance in ends[turn])
    assert not any(one.result == ("lost", "drowned") for one, _ in ends[-1])


def test_a_pile_of_one_card():
    """All four treasure cards are dealt and half of them discarded, as the hand limit is 1; the pile
    is a Waters Rise!.  It is drawn and the pile made anew, of three cards: it comes again with 1/3.  If
    not, player 1 discards, and player 2 draws from a treasure card and Waters Rise!: it comes at once,
    or as the last card."""
    found = set_up_odds(Rules(cards_per_treasure=1, helicopters=0, sandbags=0, waters_rise=1,
                              hand_limit=1, water_meter=(0, 0)), 3)
    assert found.p_skull == (F(1, 3), 1, 1)


def test_all_tiles_flooded_at_first():
    """Their cards are the pile again: each card drawn sinks a tile."""
    found = set_up_odds(Rules(initial_flood=24, waters_rise=0), 3)
    assert found.e_sunk == (2, 4, 6)
    assert found.p_flooded["observatory"] == (F(22, 24), F(20, 24), F(18, 24))
    dry = set_up_odds(Rules(initial_flood=0, waters_rise=0), 2)
    assert (dry.e_sunk, dry.p_flooded["observatory"]) == ((0, 0), (F(2, 24), F(4, 24)))


def test_waters_rise_into_the_whole_pile():
    """24 cards, 3 of them Waters Rise!: a flooded tile is among 2 of 24 after one of them, 3 after two."""
    once, twice = 2 * F(3, 24) * F(21, 23), F(3, 24) * F(2, 23)
    found = set_up_odds(Rules(rise_shuffle="whole_pile"), 1)
    assert found.p_sunk["observatory"] == (F(1, 4) * (once * F(2, 24) + twice * F(3, 24)),)


@pytest.mark.parametrize("turns", [0, 21])
def test_turns_out_of_range(turns):
    with pytest.raises(InputError, match="turns ahead"):
        set_up_odds(Rules(), turns)


def test_no_odds_of_a_game_that_is_over():
    position = island.new(Rules(), 5)
    for phase, ending, message in (("over", "won", "the team has won"),
                                   ("last window", "", "the turns are up")):
        late = msgspec.structs.replace(position, phase=phase, ending=ending, actions=0)
        with pytest.raises(InputError, match=f"the game is over: {message}"):
            odds(late, 1)
