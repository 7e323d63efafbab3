"""Tests of the FUSE reference: set-up, the deck, options."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import comb, prod
from random import Random

import pytest

from . import fuse
from .fuse_bombs import FUSES, PRINTED
from .fuse_cases import (
    BG_YR_RB,
    DIFF2,
    FALLING,
    NE_CHAIN,
    PAIRS,
    PYRAMID,
    RED,
    SAME_NUMBER,
    SUM7,
    TWINS,
    TWO_SUMS,
    TWOS,
    UNKNOWN_ROW,
    VALLEY,
    YRBG,
    position,
)
from .fuse_decks import documented, synthetic
from .fuse_setup import chosen, deck_outcomes, out_of_deck
from .fuse_table import Options, chance_in_time, drawn_time, rolls_in_time, weights


def random_deal(options: Options, seed: int) -> fuse.State:
    rng = Random(seed)
    return fuse.deal(options, lambda _, cards: rng.choice([card for card, _ in cards]))


def deck_of(*ids: str) -> tuple:
    return tuple(PRINTED[each] for each in ids)


SIZES = {
    ("training", 1): 16,
    ("standard", 1): 19,
    ("insane", 1): 25,
    ("training", 2): 17,
    ("standard", 2): 20,
    ("expert", 2): 22,
    ("standard", 3): 21,
    ("elite", 4): 26,
    ("standard", 5): 23,
    ("insane", 5): 29,
}


@pytest.mark.parametrize(("level", "players"), SIZES)
def test_the_deck_is_as_large_as_the_table_says(level, players):
    options = Options(players=players, level=level, deck="synthetic")
    state = random_deal(options, 1)
    size = SIZES[level, players]
    assert len(state.centre) == 5
    ((unseen, number),) = state.piles
    assert number == size - 5
    assert len(unseen) == 49 - players * options.hand_size - 5
    assert state.fuses == (tuple(FUSES), 6)
    assert state.phase == "draw"
    assert sum(state.bag) == 25


def test_each_further_player_is_one_more_bomb():
    solo = {"training": 16, "standard": 19, "expert": 21, "elite": 23, "insane": 25}
    for level, size in solo.items():
        sizes = [Options(players=players, level=level).deck_size for players in range(1, 6)]
        assert sizes == list(range(size, size + 5))


def test_a_deck_size_of_ones_own():
    state = random_deal(Options(level=7), 3)
    assert state.piles[0][1] == 2
    assert not Options(level=29).insane
    small = random_deal(Options(level=3), 3)
    assert len(small.centre) == 3
    assert small.piles[0][1] == 0


def test_two_bombs_each_four_solo():
    for players in range(1, 6):
        state = random_deal(Options(players=players, deck="synthetic"), players)
        assert [len(hand) for hand in state.hands] == ([4] if players == 1 else [2] * players)
        assert all(not any(lying) for hand in state.hands for _, lying in hand)


def test_the_second_bomb_is_easy_where_the_first_is_not():
    options = Options()
    state = fuse.new_game(options)
    first = dict(fuse.outcomes(options, state))
    assert set(first) == set(options.in_the_box)
    for card in first:
        second = dict(fuse.outcomes(options, fuse.apply(options, state, card)))
        assert set(second.values()) == {1}
        if options.value(card) in (3, 4, 6):
            assert {options.value(each) for each in second} == {1, 2}
            assert len(second) == sum(options.value(each) < 3 for each in first)
        else:
            assert set(second) == set(first) - {card}
    # The rejects are shuffled back: the next seat may get them.
    state = fuse.apply(options, fuse.apply(options, state, TWINS), DIFF2)
    assert TWOS in dict(fuse.outcomes(options, state))
    assert TWINS not in dict(fuse.outcomes(options, state))


def test_a_six_is_a_hard_first_bomb():
    options = Options(six_point_bombs="in", level=5)
    state = fuse.apply(options, fuse.new_game(options), PYRAMID)
    assert {options.value(each) for each, _ in fuse.outcomes(options, state)} == {1, 2}


def test_unknown_bombs_are_worth_what_is_said():
    for points, allowed in ((1, True), (2, True), (3, False), (5, False)):
        options = Options(unknown_points=points)
        state = fuse.apply(options, fuse.new_game(options), TWINS)
        assert (UNKNOWN_ROW in dict(fuse.outcomes(options, state))) == allowed
    # Worth 5 is worth 3 or more.
    options = Options(unknown_points=5)
    state = fuse.apply(options, fuse.new_game(options), UNKNOWN_ROW)
    assert TWINS not in dict(fuse.outcomes(options, state))
    assert DIFF2 in dict(fuse.outcomes(options, state))


def test_six_point_bombs_are_out_unless_wanted():
    out, wanted = Options(), Options(six_point_bombs="in")
    assert len(out.in_the_box) == 28
    assert len(wanted.in_the_box) == 32
    assert UNKNOWN_ROW in Options(unknown_points=6).in_the_box


def test_a_solo_hand_has_three_values():
    options = Options(players=1)
    state = fuse.new_game(options)
    whole = state
    for card in (TWINS, TWOS, DIFF2):
        state = fuse.apply(options, state, card)
    assert fuse.apply(options, state, BG_YR_RB) == whole
    assert fuse.apply(options, state, SUM7).phase == "centre"
    for seed in range(30):
        hand = random_deal(options, seed).hands[0]
        assert len({options.value(bomb) for bomb, _ in hand}) >= 3


def test_the_chance_of_a_solo_hand():
    """Redealing all leaves each good set of four equally likely."""
    options = Options(players=1, level=1, deck=deck_of(DIFF2, VALLEY, TWO_SUMS, SUM7, TWOS))
    hands: Counter[tuple[str, ...]] = Counter()
    spread = {fuse.new_game(options): Fraction(1)}
    for _ in range(4):
        following: Counter[fuse.State] = Counter()
        for state, probability in spread.items():
            cards = fuse.outcomes(options, state)
            for card, _ in cards:
                following[fuse.apply(options, state, card)] += probability / len(cards)
        spread = following
    again = spread.pop(fuse.new_game(options), 0)
    for state, probability in spread.items():
        hands[tuple(bomb for bomb, _ in state.hands[0])] += probability / (1 - again)
    # 1, 1, 2, 3, 4: every four have three values.
    assert again == 0
    assert set(hands.values()) == {Fraction(1, 5)}
    assert len(hands) == 5


@pytest.mark.parametrize(
    "options",
    [
        Options(players=4),
        Options(players=2, level="insane"),
        Options(players=5, level="insane", six_point_bombs="in"),
        Options(players=1, level=25),
        Options(players=1, level=1, deck=deck_of(DIFF2, VALLEY, NE_CHAIN, PAIRS, BG_YR_RB, TWOS)),
        Options(setup="chosen_values", chosen_values=(7,)),
        Options(setup="chosen_values", chosen_values=(0, 0, 0, 0, 1)),
        Options(setup="chosen_values", chosen_values=(0, 0, 0, 0, 0, 1)),
    ],
)
def test_too_few_cards(options):
    with pytest.raises(ValueError, match=r"needed|needs|wanted"):
        fuse.new_game(options)


def test_no_easy_bomb_for_a_second_one():
    options = Options(level=1, deck=deck_of(TWINS, TWOS, SAME_NUMBER, SUM7, FALLING))
    state = fuse.apply(options, fuse.new_game(options), TWINS)
    with pytest.raises(ValueError, match="no bomb"):
        fuse.outcomes(options, state)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 6},
        {"players": 0},
        {"level": "hard"},
        {"level": 0},
        {"deck": "real"},
        {"deck": deck_of(TWINS, TWINS)},
        {"unknown_points": 0},
        {"unknown_points": 7},
        {"six_point_bombs": "some"},
        {"fuse_cards": 12},
        {"fuse_cards": -1},
        {"seconds_per_roll": ("uniform", 1, 2)},
        {"solo_dice": "two"},
        {"decline": "never"},
        {"placement": "free"},
        {"same_number_or_color": "any"},
        {"removal": "two"},
        {"pick": "hard"},
        {"setup": "chosen_values"},
        {"chosen_values": (5, 5)},
        {"edition": 2020},
    ],
)
def test_options_that_there_are_not(wrong):
    with pytest.raises(ValueError, match=r"."):
        Options(**wrong)


def test_fuse_cards_by_edition():
    assert Options().number_of_fuses == 6
    assert Options(edition=2019).number_of_fuses == 0
    assert Options(edition=2019, fuse_cards=4).number_of_fuses == 4
    assert Options(fuse_cards=0).number_of_fuses == 0
    assert random_deal(Options(edition=2019), 1).fuses[1] == 0


def test_the_centre_gets_no_fuse_cards():
    options = Options(fuse_cards=11)
    state = fuse.deal(
        options, chosen([[TWINS, DIFF2], [TWOS, VALLEY]], [SUM7, YRBG, PAIRS, FALLING, TWO_SUMS])
    )
    assert state.centre == tuple(sorted((SUM7, YRBG, PAIRS, FALLING, TWO_SUMS)))
    assert [bomb for bomb, _ in state.hands[1]] == [VALLEY, TWOS]


def test_a_chosen_deal_is_dealt():
    options = Options(level=6)
    state = fuse.deal(
        options, chosen([[DIFF2, TWINS], [VALLEY, TWOS]], [SUM7, YRBG, PAIRS, FALLING, TWO_SUMS])
    )
    ((unseen, number),) = state.piles
    assert number == 1
    assert not {DIFF2, TWINS, VALLEY, TWOS, SUM7} & set(unseen)


# What the deck turns up


def probability(state: fuse.State, card: str) -> Fraction:
    cards = deck_outcomes(state)
    return Fraction(dict(cards).get(card, 0), sum(weight for _, weight in cards))


def test_a_card_is_a_bomb_or_a_fuse_card_by_what_is_left():
    state = random_deal(Options(), 5)
    ((unseen, number),) = state.piles
    assert (len(unseen), number) == (19, 15)
    assert probability(state, RED) == Fraction(6, 21) / 11
    assert probability(state, unseen[0]) == Fraction(15, 21) / 19
    state = out_of_deck(state, RED)
    assert probability(state, RED) == 0
    assert probability(state, "fuse-number-1") == Fraction(5, 20) / 10
    state = out_of_deck(state, unseen[0])
    assert probability(state, unseen[1]) == Fraction(14, 19) / 18
    assert sum(probability(state, card) for card, _ in deck_outcomes(state)) == 1


def test_known_cards_are_uniform():
    state = position(Options(), {}, deck=(TWINS, TWOS), fuse_deck=(RED,))
    assert deck_outcomes(state) == [(TWINS, 1), (TWOS, 1), (RED, 1)]


def test_weights():
    halves = [
        ("a", Fraction(1, 2)),
        ("b", Fraction(1, 3)),
        ("c", Fraction(0)),
        ("d", Fraction(1, 6)),
    ]
    assert weights(halves) == [("a", 3), ("b", 2), ("d", 1)]


# So many of each value


def test_chosen_values_are_in_the_deck():
    options = Options(setup="chosen_values", chosen_values=(2, 3, 4, 1), deck="synthetic")
    assert options.deck_size == 10
    for seed in range(5):
        state = random_deal(options, seed)
        left = [number for _, number in state.piles]
        seen = Counter(options.value(bomb) for bomb in state.centre)
        assert [seen[value] + number for value, number in zip(range(1, 7), left, strict=True)] == [
            *(2, 3, 4, 1),
            *(0, 0),
        ]


def test_the_centre_of_chosen_values():
    """By value as many as are left, and uniform within the value."""
    options = Options(setup="chosen_values", chosen_values=(3, 0, 0, 3), deck="synthetic")
    state = fuse.new_game(options)
    rng = Random(4)
    while state.phase == "deal":
        cards = fuse.outcomes(options, state)
        state = fuse.apply(options, state, rng.choice(cards)[0])
    cards = dict(fuse.outcomes(options, state))
    total = sum(cards.values())
    ones = [bomb for bomb in cards if options.value(bomb) == 1]
    assert Fraction(sum(cards[bomb] for bomb in ones), total) == Fraction(1, 2)
    assert len({cards[bomb] for bomb in ones}) == 1
    state = fuse.apply(options, state, ones[0])
    cards = dict(fuse.outcomes(options, state))
    left = sum(weight for bomb, weight in cards.items() if options.value(bomb) == 1)
    assert Fraction(left, sum(cards.values())) == Fraction(2, 5)


def test_what_the_deck_needs_is_not_dealt():
    cards = deck_of(DIFF2, VALLEY, TWO_SUMS, SUM7, TWOS, TWINS)
    options = Options(setup="chosen_values", chosen_values=(2,), deck=cards)
    dealt = dict(fuse.outcomes(options, fuse.new_game(options)))
    assert set(dealt) == {TWO_SUMS, SUM7, TWOS, TWINS}


def test_hands_are_dealt_from_what_the_deck_does_not_need():
    """Two of the three cards worth 1 are in the deck: the third is any of them."""
    cards = deck_of(DIFF2, VALLEY, NE_CHAIN, TWO_SUMS, SUM7, TWOS, TWINS)
    options = Options(setup="chosen_values", chosen_values=(2,), deck=cards)
    state = fuse.new_game(options)
    assert dict(fuse.outcomes(options, state)) == {
        **dict.fromkeys((DIFF2, VALLEY, NE_CHAIN), 1),
        **dict.fromkeys((TWO_SUMS, SUM7, TWOS, TWINS), 3),
    }
    # A second bomb after a hard one: one worth 1, or the one worth 2.
    state = fuse.apply(options, state, TWINS)
    assert dict(fuse.outcomes(options, state)) == {DIFF2: 1, VALLEY: 1, NE_CHAIN: 1, TWO_SUMS: 3}


def test_chosen_values_of_an_assumed_value():
    options = Options(setup="chosen_values", chosen_values=(0, 0, 0, 0, 3), unknown_points=5)
    assert [len(bombs) for bombs, number in fuse.new_game(options).piles if number] == [3]


# Time


def test_rolls_that_count_at_a_fixed_pace():
    assert rolls_in_time(Options()) == 30
    assert rolls_in_time(Options(seconds_per_roll=19)) == 31
    assert rolls_in_time(Options(seconds_per_roll=Fraction(601, 30))) == 29
    assert chance_in_time(Options(), 30) == 1
    assert chance_in_time(Options(), 31) == 0


def test_rolls_that_count_with_a_list_of_times():
    options = Options(seconds=40, seconds_per_roll=("list", 10, 10, 30))
    assert chance_in_time(options, 1) == 1
    # 10 + 10, 10 + 30, 30 + 10; not 30 + 30
    assert chance_in_time(options, 2) == Fraction(8, 9)
    assert chance_in_time(options, 3) == Fraction(2, 3) ** 3
    assert chance_in_time(options, 4) == Fraction(2, 3) ** 4
    assert chance_in_time(options, 5) == 0
    with pytest.raises(ValueError, match="list"):
        chance_in_time(replace(options, seconds_per_roll=("normal", 20, 5)), 2)


@pytest.mark.parametrize("kind", ["normal", "lognormal"])
def test_drawn_times_have_the_mean_and_deviation(kind):
    rng = Random(7)
    options = Options(seconds_per_roll=(kind, 20, 4))
    times = [float(drawn_time(options, rng)) for _ in range(4000)]
    mean = sum(times) / len(times)
    deviation = (sum((time - mean) ** 2 for time in times) / len(times)) ** 0.5
    assert abs(mean - 20) < 0.3
    assert abs(deviation - 4) < 0.3
    assert min(times) > 0


def test_a_normal_time_is_never_zero_or_less():
    rng = Random(7)
    options = Options(seconds_per_roll=("normal", 1, 4))
    assert min(drawn_time(options, rng) for _ in range(500)) > 0


# Dice


def test_dice_are_drawn_by_colour_and_rolled():
    options = Options(players=3)
    state = random_deal(options, 2)
    assert state.to_draw == 3
    cards = dict(fuse.outcomes(options, state))
    assert len(cards) == 30
    assert set(cards.values()) == {5}
    state = fuse.apply(options, state, ("red", 3))
    cards = dict(fuse.outcomes(options, state))
    assert {cards["red", number] for number in range(1, 7)} == {4}
    assert {cards["blue", number] for number in range(1, 7)} == {5}


@pytest.mark.parametrize(("players", "number"), [(1, 3), (2, 4), (3, 3), (4, 4), (5, 5)])
def test_as_many_dice_as_players_or_four_or_three(players, number):
    assert random_deal(Options(players=players, deck="synthetic"), 2).to_draw == number


def test_the_chance_of_three_colours():
    """Three dice of different colours: hypergeometric."""
    options = Options(players=3)
    spread = {random_deal(options, 2): Fraction(1)}
    for _ in range(3):
        following: Counter[fuse.State] = Counter()
        for state, part in spread.items():
            cards = fuse.outcomes(options, state)
            total = sum(weight for _, weight in cards)
            for die, weight in cards:
                # The number doesn't matter here.
                if die[1] == 1:
                    drawn = fuse.draw_die(options, state, die)
                    following[drawn] += part * weight * 6 / total
        spread = following
    different = sum(part for s, part in spread.items() if len({d[0] for d in s.rolled}) == 3)
    assert different == Fraction(comb(5, 3) * prod((5, 5, 5)), comb(25, 3))
    assert sum(spread.values()) == 1


def test_decks():
    assert Options().bombs.keys() == {bomb.id for bomb in documented()}
    assert Options(deck="synthetic").bombs.keys() == {bomb.id for bomb in synthetic()}
    assert Options(deck=deck_of(TWOS)).bombs.keys() == {TWOS}
