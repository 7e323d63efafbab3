"""Tests of the FUSE reference: random games under all options, and that every rule decides something."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from . import fuse
from .fuse_bombs import COLORS, DICE_PER_COLOR, PRINTED, completable, supported
from .fuse_cases import (
    BG_YR_RB,
    DIFF2,
    FALLING,
    LINKS,
    SAME_NUMBER,
    SUM7,
    TWINS,
    TWO_SUMS,
    TWOS,
    VALLEY,
    YRBG,
    late_positions,
    position,
)
from .fuse_play import at_random, random_game
from .fuse_rules import FIRED, RULES
from .fuse_table import Choice, Options, State, color_counts

GAMES = {
    "solo": Options(players=1),
    "two": Options(),
    "three": Options(players=3, level="training"),
    "four": Options(players=4, deck="synthetic", level="expert"),
    "five": Options(players=5, deck="synthetic", six_point_bombs="in", level="elite"),
    "insane": Options(players=2, deck="synthetic", level="insane", seconds=1500),
    "insane hands off": Options(deck="synthetic", level="insane", insane_hands=False),
    "solo one of three": Options(players=1, solo_dice="one", edition=2019),
    "one die a bomb": Options(two_player_same_bomb=False, decline="forbidden"),
    "may be spoilt": Options(placement="any_not_yet_violated", fuse_cards=11),
    "spoilt in fives": Options(
        players=5, placement="any_not_yet_violated", deck="synthetic", decline="forbidden"
    ),
    "whole": Options(same_number_or_color="whole", pick="easy_if_hard"),
    "nothing safe": Options(covered_dice_safe=False, players=3, unknown_points=4),
    "all go": Options(removal="all", seconds_per_roll=("list", 10, 20, 20)),
    "all go, nothing safe": Options(removal="all", covered_dice_safe=False, players=3),
    "normal": Options(seconds_per_roll=("normal", 15, 5), level=4),
    "lognormal": Options(seconds_per_roll=("lognormal", 15, 5), level=8, six_point_bombs="in"),
    "chosen": Options(setup="chosen_values", chosen_values=(4, 3, 2, 1), fuse_cards=0),
    "own deck": Options(
        level=3,
        deck=tuple(
            PRINTED[each]
            for each in (DIFF2, VALLEY, BG_YR_RB, LINKS, TWO_SUMS, SUM7, TWOS, TWINS, SAME_NUMBER)
        ),
    ),
}


def eager(_: Options, state: State, offered: list[Choice], rng: Random) -> Choice:
    """Places dice where it can, mostly."""
    takes = [move for move in offered if move[0] == "take"]
    if takes and rng.random() < 0.9:
        lying = {bomb: sum(map(bool, on_it)) for hand in state.hands for bomb, on_it in hand}
        most = max(lying[move[3]] for move in takes)
        return rng.choice([move for move in takes if lying[move[3]] == most])
    return rng.choice(offered)


def everything(state: State) -> tuple[int, ...]:
    """The dice by colour, wherever they are."""
    placed = tuple(die for hand in state.hands for _, lying in hand for die in lying)
    waiting = [(color, 0) for color in state.unplaced]
    if state.phase in ("reroll", "remove"):
        assert state.strike is not None
        waiting.append((str(state.strike[0]), 0))
    outside = color_counts((*placed, *state.rolled, *waiting))
    return tuple(a + b for a, b in zip(state.bag, outside, strict=True))


def check(options: Options, state: State) -> None:
    assert everything(state) == (DICE_PER_COLOR,) * len(COLORS)
    held = [bomb for hand in state.hands for bomb, _ in hand]
    unseen = [card for cards, _ in (*state.piles, state.fuses) for card in cards]
    every = [*held, *state.centre, *state.defused, *state.activated, *unseen]
    assert len(every) == len(set(every)) == len(options.in_the_box) + 11
    assert len(state.centre) <= 5
    assert all(0 <= number <= len(cards) for cards, number in (*state.piles, state.fuses))
    for bomb, lying in (each for hand in state.hands for each in hand):
        card = options.bombs[bomb]
        if options.placement == "completable":
            assert completable(card, lying, options.whole)
        if options.covered_dice_safe:
            filled = [slot for slot, die in enumerate(lying) if die]
            assert all(supported(card, lying, slot) for slot in filled)
        assert None in lying
    assert max(state.taken) <= options.takes
    if fuse.turn(state) in ("team", "player"):
        offered = fuse.moves(options, state)
        assert offered
        assert len(set(offered)) == len(offered)
    if state.phase != "over":
        assert state.used <= options.seconds


def check_step(options: Options, before: State, after: State) -> None:
    gone = len(after.defused) - len(before.defused)
    assert gone in (0, 1)
    assert len(after.activated) - len(before.activated) in (0, 1)
    if before.phase == "take" and after.phase == "take":
        assert len(after.rolled) <= len(before.rolled)
    if after.rolls > before.rolls and options.pace == "number":
        assert after.used == after.rolls * Fraction(options.seconds_per_roll)


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name):
    options = GAMES[name]
    for seed in range(2):
        states = random_game(options, Random(seed), eager if seed else at_random)
        for state in states:
            check(options, state)
        for before, after in pairwise(states):
            if "begin" not in (before.phase, after.phase):
                check_step(options, before, after)
        assert fuse.result(states[-1]) in (("win",), ("lost", "time"), ("lost", "bag"))
        fuse.score(options, states[-1])


@pytest.mark.parametrize("name", late_positions())
def test_late_games(name):
    options, start = late_positions()[name]
    for seed in range(3):
        states = random_game(options, Random(seed), eager, start)
        for state in states:
            assert everything(state) == (DICE_PER_COLOR,) * len(COLORS)
        assert fuse.result(states[-1])
        fuse.score(options, states[-1])


def test_apply_accepts_what_is_offered():
    options = GAMES["may be spoilt"]
    state, rng = fuse.new_game(options), Random(9)
    for _ in range(300):
        if fuse.turn(state) == "over":
            break
        if fuse.turn(state) == "chance":
            choice = rng.choice([what for what, _ in fuse.outcomes(options, state)])
        else:
            choice = eager(options, state, fuse.moves(options, state), rng)
        following = fuse.apply(options, state, choice)
        assert following == fuse.step(options, state, choice)
        state = following


def test_a_better_policy_wins_more():
    wins: Counter[str] = Counter()
    for seed in range(6):
        for policy in (eager, at_random):
            states = random_game(Options(level="training"), Random(seed), policy)
            wins[policy.__name__] += len(states[-1].defused)
    assert wins["eager"] > wins["at_random"]


def test_levels_are_harder_or_easier():
    sizes = [Options(level=level).deck_size for level in ("training", "standard", "expert")]
    assert sizes == sorted(set(sizes))


def six_of_a_colour() -> None:
    """Six links as a whole: all of one number, for there are no six dice of a colour."""
    links = PRINTED[LINKS].relations
    more = [
        ("any_of", tuple((("eq", attr, (slot, slot + 1)),) for attr in ("number", "color")))
        for slot in range(2, 5)
    ]
    six_links = replace(
        PRINTED[LINKS],
        id="six links",
        slots=PRINTED[LINKS].slots * 2,
        supports=((),) * 6,
        relations=(*links, *more),
    )
    own = Options(deck=(six_links, PRINTED[DIFF2]), same_number_or_color="whole")
    state = position(own, {0: {"six links": "r1 r2 r3 . . ."}}, centre=(DIFF2,), rolled="r2 r1")
    assert fuse.moves(own, state) == [("stop",)]


def test_no_six_dice_of_a_colour():
    FIRED.clear()
    six_of_a_colour()
    assert FIRED["take.five_of_a_colour"]


# Every rule


def special_games() -> Iterator[tuple[Options, State]]:
    """Positions for what random games hardly meet."""
    yield from late_positions().values()
    easy = Options(pick="easy_if_hard")
    hard = {0: {TWOS: "r2 k2 .", TWINS: ""}, 1: {YRBG: "y1 r1 b1 .", SUM7: "g3 ."}}
    for centre in ((FALLING, SAME_NUMBER, VALLEY), (FALLING, SAME_NUMBER)):
        for options in (easy, replace(easy, pick="free")):
            yield options, position(options, hands=hard, centre=centre, rolled="y2 r4 g4 b1")


def test_every_rule_decides_something():
    FIRED.clear()
    rng = Random(11)
    for options in GAMES.values():
        for policy in (eager, at_random):
            states = random_game(options, rng, policy)
            fuse.score(options, states[-1])
    for options, start in special_games():
        for policy in (eager, eager, at_random):
            states = random_game(options, rng, policy, start)
            fuse.score(options, states[-1])
    six_of_a_colour()
    assert set(RULES) - set(FIRED) == set()
    assert set(FIRED) <= set(RULES)
