"""Tests of the Forbidden Island reference: treasure cards, flood cards, hand limit."""

from dataclasses import replace

import pytest

from . import island
from .island_cases import (
    BREAKERS,
    BRONZE,
    CORAL,
    CRIMSON,
    DEFAULT,
    IRON,
    LIFT,
    MARSH,
    MOON,
    RISE,
    SANDBAGS,
    SUN,
    after,
    before_draw,
    before_flood,
    block,
    counts,
    game,
    kinds,
    of,
)
from .island_table import CARDS, DRY, FLOODED, SUNK, TILES, Options, State, status

FIVE = ("earth", "earth", "wind", "fire", "ocean")
NOT_BETWEEN = Options(hand_limit_between_draws=False)
ON_DEMAND = Options(treasure_reshuffle="on_demand")
WHOLE_PILE = Options(rise_shuffle="whole_pile")


def drawing(*pile: str, draws: int = 2, options: Options = DEFAULT, **given: object) -> State:
    """A treasure card is due from a pile of these."""
    return before_draw(options, draws, pile=counts(*pile), **given)


# Treasure cards


def test_two_cards_one_by_one_into_the_hand() -> None:
    state = game(hands={0: ("wind",), 1: ("fire",)})
    state = after(state, ("end actions",))
    assert (island.turn(state), state.phase, state.draws_left) == ("chance", "draw", 2)
    deck = dict(zip(CARDS, (5, 4, 4, 5, 3, 2, 3), strict=True))
    assert dict(island.outcomes(DEFAULT, state)) == deck
    state = after(state, "fire")
    assert (state.phase, state.draws_left) == ("draw", 1)
    assert state.hands == (("wind", "fire"), ("fire",))
    assert dict(island.outcomes(DEFAULT, state)) == deck | {"fire": 3}
    state = after(state, "earth")
    assert state.hands == (("earth", "wind", "fire"), ("fire",))
    assert (state.phase, state.draws_left, state.floods_left) == ("flood", 0, 2)


def test_a_window_between_the_cards() -> None:
    state = after(before_draw(), LIFT)  # just drawn, and of use at once
    assert (state.phase, island.turn(state)) == ("between draws", "team")
    assert kinds(state) == {"go on", "lift"}
    assert island.moves(DEFAULT, state)[0] == ("go on",)
    assert after(state, ("go on",)).phase == "draw"
    state = after(state, ("lift", 0, (0,), MARSH))  # no special is left: the window is over
    assert (state.phase, state.draws_left) == ("draw", 1)


def test_impossible_cards() -> None:
    with pytest.raises(ValueError, match="impossible"):
        after(drawing("fire"), "wind")


def test_waters_rise() -> None:
    state = before_draw(
        flooded=(SUN, MARSH),
        flood_discard=block(SUN, MARSH),
        flood_pile=(block(MOON), block(CORAL, IRON)),
        hands={0: ("wind",)},
    )
    state = after(state, RISE)
    assert state.water == 2
    assert state.flood_pile == (block(SUN, MARSH), block(MOON), block(CORAL, IRON))
    assert state.flood_discard == block()
    assert state.discard == counts(RISE)
    assert state.hands[0] == ("wind",)
    assert (state.phase, state.draws_left) == ("draw", 1)  # it counts as one of the two cards
    state = after(state, "earth")
    assert (state.phase, state.floods_left) == ("flood", 2)  # no replacement card
    assert island.outcomes(DEFAULT, state) == [(SUN, 1), (MARSH, 1)]


def test_waters_rise_shuffled_into_the_whole_pile() -> None:
    given = {
        "flood_discard": block(SUN, MARSH),
        "flood_pile": (block(MOON), block(CORAL, IRON)),
        "options": WHOLE_PILE,
    }
    state = after(before_draw(**given), RISE, options=WHOLE_PILE)
    assert state.flood_pile == (block(SUN, MARSH, MOON, CORAL, IRON),)
    assert (state.water, state.flood_discard) == (2, block())
    given["flood_discard"] = block()  # "Empty discard: only the meter moves"
    state = after(before_draw(**given), RISE, options=WHOLE_PILE)
    assert state.flood_pile == given["flood_pile"]


def test_two_waters_rise_in_a_turn() -> None:
    state = before_draw(flood_discard=block(SUN), flooded=(SUN,), water=2)
    pile = state.flood_pile
    state = after(state, RISE, RISE)
    assert (state.water, state.flood_pile) == (4, (block(SUN), *pile))
    assert state.discard == counts(RISE, RISE)
    assert (state.phase, state.floods_left) == ("flood", 3)


def test_waters_rise_with_an_empty_discard() -> None:
    state = before_draw()
    assert (after(state, RISE).flood_pile, after(state, RISE).water) == (state.flood_pile, 2)


def test_no_window_within_waters_rise() -> None:
    state = after(before_draw(hands={1: (LIFT,)}, flood_discard=block(SUN), flooded=(SUN,)), RISE)
    assert state.phase == "between draws"
    assert (state.water, state.discard, state.flood_pile[0]) == (2, counts(RISE), block(SUN))


def test_the_skull_loses_before_any_flood_card() -> None:
    state = after(before_draw(water=8, hands={1: (LIFT,)}), RISE)
    assert (state.water, state.phase) == (9, "between draws")
    state = after(state, ("go on",), RISE)
    assert island.result(state) == ("lost", "water")
    assert island.turn(state) == "over"
    assert island.moves(DEFAULT, state) == []


@pytest.mark.parametrize(("level", "cards"), list(enumerate((2, 2, 3, 3, 3, 4, 4, 5, 5), start=1)))
def test_as_many_flood_cards_as_the_meter_shows(level: int, cards: int) -> None:
    state = after(before_draw(draws=1, water=level), "fire")
    assert (state.phase, state.floods_left) == ("flood", cards)
    for left in range(cards, 0, -1):
        assert (state.phase, state.floods_left) == ("flood", left)
        state = after(state, TILES[left])
    assert (state.phase, state.turn, state.seat) == ("actions", 2, 1)


def test_option_water_meter() -> None:
    options = Options(water_meter=(0, 7))
    state = after(before_draw(options, 1), "fire", options=options)
    assert (state.phase, state.turn) == ("actions", 2)  # it shows 0: no flood card
    state = after(before_draw(options, 1), RISE, options=options)
    assert (state.phase, state.floods_left) == ("flood", 7)
    state = after(before_draw(options, 1, water=2), RISE, options=options)
    assert island.result(state) == ("lost", "water")


# The treasure deck is used up


def test_treasure_deck_is_reshuffled_at_once() -> None:
    state = drawing("fire", discarded=("wind", "wind", RISE))
    state = after(state, "fire")
    assert (state.pile, state.discard) == (counts("wind", "wind", RISE), counts())
    assert (state.phase, state.draws_left) == ("draw", 1)
    state = after(drawing("fire", draws=1, discarded=("wind",)), "fire")
    assert (state.phase, state.pile, state.discard) == ("flood", counts("wind"), counts())


def test_option_treasure_reshuffle_on_demand() -> None:
    given = {"options": ON_DEMAND, "discarded": ("wind", "wind", RISE)}
    state = after(drawing("fire", draws=1, **given), "fire", options=ON_DEMAND)
    assert state.phase == "flood"
    assert (state.pile, state.discard) == (counts(), counts("wind", "wind", RISE))
    # as the second card is due
    state = after(
        drawing("fire", hands={1: (SANDBAGS,)}, flooded=(SUN,), **given), "fire", options=ON_DEMAND
    )
    assert (state.phase, state.pile) == ("between draws", counts())
    again = after(state, ("go on",), options=ON_DEMAND)
    assert (again.phase, again.pile) == ("draw", counts("wind", "wind", RISE))
    # with what is discarded in the window before it
    state = after(state, ("sandbags", 1, SUN), options=ON_DEMAND)
    assert (state.phase, state.pile, state.discard) == (
        "draw",
        counts("wind", "wind", RISE, SANDBAGS),
        counts(),
    )


def test_last_card_waters_rise_is_reshuffled_too() -> None:
    state = after(drawing(RISE, discarded=("wind",)), RISE)
    assert (state.pile, state.discard, state.water) == (counts("wind", RISE), counts(), 2)


def test_hand_limit_discards_start_the_new_discard() -> None:
    state = after(drawing("fire", discarded=("wind",), hands={0: FIVE}), "fire")
    assert (state.phase, state.pile, state.discard) == ("discard", counts("wind"), counts())
    state = after(state, ("discard", 0, "earth"))
    assert (state.phase, state.pile, state.discard) == ("draw", counts("wind"), counts("earth"))


def test_both_treasure_piles_empty() -> None:
    state = after(drawing("fire"), "fire")
    assert (state.phase, state.draws_left, state.floods_left) == ("flood", 0, 2)
    state = game(pile=counts(), hands={1: (LIFT,)})
    state = after(state, ("end actions",))
    assert (state.phase, state.floods_left) == ("before flood", 2)


def test_a_pile_that_stayed_empty_is_reshuffled_when_a_card_is_due() -> None:
    state = game(pile=counts(), hands={1: (LIFT,)}, discarded=("earth",))
    state = after(state, ("end actions",))
    assert (state.phase, state.pile, state.discard) == ("draw", counts("earth"), counts())
    # the Lift played in the window fills the discard
    state = after(drawing("fire", hands={1: (LIFT,)}), "fire")
    assert (state.phase, state.pile) == ("between draws", counts())
    assert after(state, ("go on",)).phase == "before flood"
    state = after(state, ("lift", 1, (0,), MARSH))
    assert (state.phase, state.pile, state.draws_left) == ("draw", counts(LIFT), 1)


# Hand limit


def test_hand_limit_between_the_draws() -> None:
    state = after(before_draw(hands={0: FIVE}), "fire")
    assert (state.phase, state.then, state.draws_left) == ("discard", "between draws", 1)
    assert island.decider(DEFAULT, state) == 0
    assert island.moves(DEFAULT, state) == [
        ("discard", 0, card) for card in ("earth", "wind", "fire", "ocean")
    ]
    state = after(state, ("discard", 0, "fire"))
    assert (state.phase, state.then, state.hands[0]) == ("draw", "", FIVE)
    assert state.discard == counts("fire")
    state = after(state, "wind")
    assert (state.phase, state.then, state.floods_left) == ("discard", "before flood", 2)
    assert after(state, ("discard", 0, "ocean")).phase == "flood"


def test_option_hand_limit_between_draws_off() -> None:
    state = after(before_draw(NOT_BETWEEN, hands={0: FIVE}), "fire", options=NOT_BETWEEN)
    assert (state.phase, len(state.hands[0])) == ("draw", 6)
    state = after(state, "wind", options=NOT_BETWEEN)
    assert (state.phase, len(state.hands[0])) == ("discard", 7)
    state = after(state, ("discard", 0, "fire"), options=NOT_BETWEEN)
    assert state.phase == "discard"
    assert after(state, ("discard", 0, "fire"), options=NOT_BETWEEN).phase == "flood"
    # also if there is no second card
    state = drawing("fire", options=NOT_BETWEEN, hands={0: FIVE})
    assert after(state, "fire", options=NOT_BETWEEN).phase == "discard"


def test_specials_count_for_the_hand_limit() -> None:
    state = after(before_draw(hands={0: ("earth", "wind", "fire", LIFT, SANDBAGS)}), "ocean")
    assert state.phase == "discard"
    assert ("discard", 0, LIFT) in island.moves(DEFAULT, state)
    assert ("discard", 0, SANDBAGS) in island.moves(DEFAULT, state)


def test_a_special_may_be_used_while_being_discarded() -> None:
    hand = ("earth", "wind", "fire", LIFT, SANDBAGS)
    state = after(before_draw(hands={0: hand, 1: (LIFT, SANDBAGS)}, flooded=(SUN,)), "ocean")
    assert kinds(state) == {"discard", "lift", "sandbags"}
    # at once: only by the one who is over the limit
    assert {move[0] for kind in ("lift", "sandbags") for move in of(kind, state)} == {0}
    state = after(state, ("sandbags", 0, SUN))
    assert (state.phase, status(state, SUN)) == ("between draws", DRY)
    assert state.discard == counts(SANDBAGS)


def test_a_forced_discard_needs_no_effect() -> None:
    state = before_draw(hands={0: ("earth", "wind", "fire", "ocean", SANDBAGS)})
    state = after(state, "ocean")
    assert kinds(state) == {"discard"}  # no tile is flooded
    assert after(state, ("discard", 0, SANDBAGS)).discard == counts(SANDBAGS)


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_option_hand_limit(limit: int) -> None:
    options = Options(hand_limit=limit)
    hand = ("earth", "wind", "fire", "ocean", "earth", "wind", "fire")[:limit]
    state = after(before_draw(options, hands={0: hand[1:]}), hand[0], options=options)
    assert (state.phase, len(state.hands[0])) == ("draw", limit)
    assert after(state, "ocean", options=options).phase == "discard"


def test_hand_limit_below_the_dealt_cards() -> None:
    options = Options(hand_limit=1)
    roles, hands = ("pilot", "diver"), (("fire", LIFT), ("wind", "wind"))
    state = island.dealt(options, TILES, TILES[6:12], roles, hands)
    assert (state.phase, state.then, island.decider(options, state)) == ("discard", "actions", 0)
    state = after(state, ("lift", 0, (0,), MARSH), options=options)
    assert (state.phase, island.decider(options, state)) == ("discard", 1)
    state = after(state, ("discard", 1, "wind"), options=options)
    assert (state.phase, state.turn, state.actions_left, state.seat) == ("actions", 1, 3, 0)


# Flood cards


def test_a_dry_tile_floods() -> None:
    state = after(before_flood(SUN, MARSH, floods_left=2), SUN)
    assert (status(state, SUN), state.flood_discard) == (FLOODED, block(SUN))
    assert state.flood_pile[0] == block(MARSH)
    assert (state.phase, state.floods_left) == ("flood", 1)


def test_a_flooded_tile_sinks_and_leaves_with_its_card() -> None:
    state = after(before_flood(SUN, MARSH, flooded=(SUN,), floods_left=2), SUN)
    assert (status(state, SUN), state.flood_discard) == (SUNK, block())
    assert SUN not in block().union(*state.flood_pile)


def test_flood_cards_come_from_the_first_block() -> None:
    state = before_flood(floods_left=3, flood_pile=(block(SUN), block(CORAL, IRON), block(MOON)))
    assert island.outcomes(DEFAULT, state) == [(SUN, 1)]
    state = after(state, SUN)
    assert island.outcomes(DEFAULT, state) == [(IRON, 1), (CORAL, 1)]
    assert state.flood_pile == (block(CORAL, IRON), block(MOON))


def test_flood_deck_is_reshuffled_in_the_middle_of_a_draw() -> None:
    state = before_flood(
        floods_left=2, flood_pile=(block(SUN),), flood_discard=block(MARSH), flooded=(MARSH,)
    )
    state = after(state, SUN)
    assert (state.flood_pile, state.flood_discard) == ((block(SUN, MARSH),), block())
    assert (state.phase, state.floods_left) == ("flood", 1)
    state = after(state, SUN)  # "the same tile can flood and sink in one phase"
    assert (status(state, SUN), state.turn) == (SUNK, 2)
    # a sunk tile's card isn't among the reshuffled ones
    state = before_flood(flood_pile=(block(SUN),), flood_discard=block(MARSH), flooded=(MARSH, SUN))
    assert after(state, SUN).flood_pile == (block(MARSH),)


def test_reshuffled_before_the_pawns_swim() -> None:
    state = before_flood(
        flood_pile=(block(BREAKERS),), flood_discard=block(MARSH), flooded=(MARSH, BREAKERS)
    )
    state = after(state, BREAKERS)
    assert (state.phase, state.flood_pile) == ("swim", (block(MARSH),))


def test_flood_deck_is_reshuffled_after_the_last_card_of_a_turn() -> None:
    state = before_flood(flood_pile=(block(SUN),), flood_discard=block(MARSH))
    assert after(state, SUN).flood_pile == (block(SUN, MARSH),)


def test_windows_between_flood_cards() -> None:
    state = game(phase="before flood", floods_left=2, hands={1: (SANDBAGS,)}, flooded=(SUN,))
    assert island.decider(DEFAULT, state) is None
    assert island.moves(DEFAULT, state) == [("go on",), ("sandbags", 1, SUN)]
    state = after(state, ("go on",), MARSH)
    assert (state.phase, state.floods_left) == ("before flood", 1)
    assert of("sandbags", state) == [(1, SUN), (1, MARSH)]
    state = after(state, ("sandbags", 1, MARSH))
    assert (state.phase, state.floods_left) == ("flood", 1)  # none is held any more
    assert state.flood_discard == block(MARSH)


def test_held_but_useless_sandbags_make_a_window() -> None:
    state = after(before_draw(draws=1, hands={1: (SANDBAGS,)}), "fire")
    assert island.moves(DEFAULT, state) == [("go on",)]


def test_the_last_window_of_a_turn_is_the_next_first_action() -> None:
    state = after(before_flood(SUN, hands={0: (LIFT,)}), SUN)
    assert (state.phase, state.seat, state.turn) == ("actions", 1, 2)
    assert "lift" in kinds(state)


def test_sandbags_are_too_late_once_the_card_is_shown() -> None:
    state = after(before_flood(SUN, flooded=(SUN,), hands={0: (SANDBAGS,)}), SUN)
    assert status(state, SUN) == SUNK
    assert of("sandbags", state) == []


def test_turns_go_clockwise() -> None:
    options = Options(players=4)
    seats = []
    state = game(options)
    for tile in (SUN, MARSH, BRONZE, IRON, CRIMSON):
        seats.append(state.seat)
        state = replace(state, phase="flood", floods_left=1, actions_left=0)
        state = after(state, tile, options=options)
    assert seats == [0, 1, 2, 3, 0]
    assert (state.turn, state.actions_left, state.seat) == (6, 3, 1)
