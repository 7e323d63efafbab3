"""Positions made by hand for the tests of the FUSE reference and for comparisons with it.

Dice are written as r1 (red), b2 (blue), g3 (green), y4 (yellow), k5 (black), an empty slot as ".".
"""

from fractions import Fraction
from typing import Any

from . import fuse
from .fuse_bombs import COLORS, DICE_PER_COLOR, FUSES, Dice, Die
from .fuse_table import Choice, Options, State, color_counts, replace

LETTERS = dict(zip("rbgyk", COLORS, strict=True))

NE_CHAIN, BG_YR_RB, PAIRS, NUM_BOTH_COLOR = (
    "p1-colour-ne-chain4",
    "p1-bg-yr-rb",
    "p1-pair-colour-pair-number",
    "p1-num-both-colour",
)
VALLEY, DIFF2, LINKS, FALL_FROM_4 = (
    "p1-valley",
    "p1-diff2",
    "p2-same-num-or-colour3",
    "p2-4gt-gt",
)
K1_K2_K3, TWO_SUMS, B_3_G6 = "p2-k1-k2-k3", "p2-two-sums", "p2-b-3-g6"
SUM7, SAME_NUMBER, STACK3 = "p3-gy-rb-sum7", "p3-same-num3", "p3-stack3-3-g-y1"
RISING, FALLING, YRBG = "p4-stack4-asc", "p4-stack4-desc", "p4-stack4-yrbg"
SAME_COLOR, TWOS, TWINS, STACK5 = "p4-same-colour4", "p4-222", "p4-twins", "p4-stack5-y1"
PYRAMID, MIXED, DOUBLE = "p6-pyr6-colours", "p6-pyr6-mixed", "p6-dstack-14-25-36"
UNKNOWN_STACK, UNKNOWN_PYRAMID, UNKNOWN_ROW = "px-stack3-bkr", "px-pyr3-g-3-k", "px-r2-gb-36"
RED, BLUE, GREEN, YELLOW, BLACK, ONE, TWO, THREE, FOUR, FIVE, SIX = FUSES


def die(text: str) -> Die:
    return LETTERS[text[0]], int(text[1])


def dice(text: str) -> Dice:
    """What lies on a bomb, or dice in a row."""
    return tuple(None if each == "." else die(each) for each in text.split())


def rolled_dice(text: str) -> tuple[Die, ...]:
    return tuple(sorted(each for each in dice(text) if each))


def position(options: Options, hands: dict[int, dict[str, str]], **given: Any) -> State:
    """A position from fields of State, with this on the bombs of the hands ("": nothing).

    Also `deck` and `fuse_deck`, exactly the cards left, `rolled` and `out` (dice out of the game for
    the test) as text. All other dice are in the bag. The fifth roll is played unless said otherwise.
    """
    held = tuple(
        tuple(
            sorted(
                (bomb, dice(lying) if lying else options.bombs[bomb].empty)
                for bomb, lying in hands.get(seat, {}).items()
            )
        )
        for seat in range(options.players)
    )
    rolled = rolled_dice(given.pop("rolled", ""))
    out = dice(given.pop("out", ""))
    placed = tuple(each for hand in held for _, lying in hand for each in lying)
    waiting = tuple((color, 0) for color in given.get("unplaced", ()))
    strike = given.get("strike")
    if strike and given["phase"] in ("reroll", "remove"):
        waiting = (*waiting, strike)
    used = color_counts((*rolled, *placed, *waiting, *out))
    deck, fuse_deck = given.pop("deck", ()), given.pop("fuse_deck", ())
    rolls = given.get("rolls", 5)
    fixed = options.pace == "number"
    values = {
        "phase": "take",
        "hands": held,
        "rolled": rolled,
        "piles": ((tuple(deck), len(deck)),),
        "fuses": (tuple(fuse_deck), len(fuse_deck)),
        "bag": tuple(DICE_PER_COLOR - number for number in used),
        "taken": (0,) * options.players,
        "rolls": rolls,
        "used": Fraction(options.seconds_per_roll) * rolls if fixed else Fraction(0),
    }
    state = State(**(values | given))
    assert min(state.bag) >= 0, state.bag
    for _, lying in (each for hand in state.hands for each in hand):
        assert len(lying) == len(options.bombs[_].slots)
    return replace(state, centre=tuple(sorted(state.centre)))


def next_roll(options: Options, state: State) -> State:
    """The turn after this position begins."""
    return fuse.begin_turn(options, replace(state, phase="begin"))


def of(kind: str, options: Options, state: State) -> list[Choice]:
    """The legal moves of this kind, without its name."""
    return [move[1:] for move in fuse.moves(options, state) if move[0] == kind]


def after(options: Options, state: State, *choices: Any) -> State:
    """The state after these moves and outcomes."""
    for choice in choices:
        state = fuse.apply(options, state, choice)
    return state


def take(options: Options, state: State, seat: int, shown: str, bomb: str, slot: int) -> State:
    return after(options, state, ("take", seat, die(shown), bomb, slot))


def struck_by(options: Options, state: State, color: str, number: int) -> State:
    """The next unplaced die of this colour shows this number."""
    return after(options, state, ("roll", color), number)


def late_positions() -> dict[str, tuple[Options, State]]:
    """Positions near an end, by name, from which whole games can be played."""
    two, three, solo = Options(players=2), Options(players=3), Options(players=1)
    found: dict[str, tuple[Options, State]] = {}

    def add(name: str, options: Options, hands: dict[int, dict[str, str]], **given: Any) -> None:
        found[name] = options, position(options, hands, **given)

    almost = {0: {TWOS: "k2 r2 .", VALLEY: ""}, 1: {SUM7: "g3 .", TWINS: "b4 ."}}
    add("last centre bomb", two, almost, centre=(DIFF2,), rolled="y2 r4 b4 g1")
    add("two centre bombs", two, almost, centre=(DIFF2, YRBG), rolled="y2 r4 b4 g1")
    add("last bomb, dice on it", two, almost, centre=(DIFF2,), rolled="y6 k5 y1 g1")
    add(
        "insane, centre empty",
        replace(two, level="insane"),
        {0: {TWOS: "k2 r2 ."}, 1: {SUM7: "g3 ."}},
        rolled="y2 r4 b4 g1",
    )
    add(
        "insane, one without bombs",
        replace(two, level="insane"),
        {1: {SUM7: "g3 .", DIFF2: ""}},
        rolled="y2 r4 b5 g3",
    )
    add(
        "insane hands off",
        replace(two, level="insane", insane_hands=False),
        almost,
        centre=(DIFF2,),
        rolled="y2 r4 b4 g1",
    )
    add(
        "fuse cards in a row",
        three,
        {
            0: {TWOS: "k2 r2 .", VALLEY: "k4 . y5"},
            1: {SUM7: "g3 .", YRBG: "y2 r2 . ."},
            2: {SAME_NUMBER: "k6 . .", RISING: "r1 r2 . ."},
        },
        centre=(DIFF2, FALLING, BG_YR_RB, LINKS),
        fuse_deck=(RED, TWO, BLACK),
        rolled="y2 r4 b4",
    )
    add(
        "fuse cards and bombs mixed",
        three,
        {
            0: {TWOS: "k2 r2 .", VALLEY: "k4 . y5"},
            1: {SUM7: "g3 .", YRBG: "y2 r2 . ."},
            2: {SAME_NUMBER: "k6 . .", RISING: "r1 r2 . ."},
        },
        centre=(DIFF2, FALLING, BG_YR_RB, LINKS, PAIRS),
        deck=(K1_K2_K3, STACK3),
        fuse_deck=(RED, TWO, BLACK),
        rolled="y2 r4 b4",
    )
    add(
        "players without bombs",
        replace(three, level="insane"),
        {2: {SAME_NUMBER: "k6 r6 .", RISING: "r1 r2 . ."}},
        rolled="y6 r4 b4",
    )
    add(
        "stacks covered",
        two,
        {
            0: {YRBG: "y2 r2 b2 .", STACK5: "r2 y2 y1 r3 ."},
            1: {UNKNOWN_PYRAMID: "g2 b3 .", RISING: "y1 g2 r3 ."},
        },
        centre=(DIFF2, FALLING),
        rolled="r2 y3 k2 b6",
    )
    add(
        "pyramids covered",
        replace(two, six_point_bombs="in"),
        {
            0: {PYRAMID: "k1 r2 k3 b4 . .", VALLEY: "y4 . ."},
            1: {MIXED: "k1 k3 r2 b4 . .", DOUBLE: "r1 b5 . r3 g4 ."},
        },
        centre=(DIFF2, FALLING),
        rolled="k6 y3 g2 b6",
    )
    add(
        "time up on this roll",
        two,
        almost,
        centre=(DIFF2, YRBG),
        rolls=30,
        rolled="y2 r4 b4 g1",
    )
    add("time up after one more", two, almost, centre=(DIFF2, YRBG), rolls=29, rolled="k6 k5 k4 k3")
    five = Options(players=5, six_point_bombs="in")
    full = {
        0: {PYRAMID: "k1 r1 k2 b3 g4 .", NE_CHAIN: ""},
        1: {STACK5: "r2 y2 y1 y3 .", PAIRS: ""},
        2: {MIXED: "k1 r3 b2 k6 g1 .", VALLEY: ""},
        3: {YRBG: "y1 r3 b4 .", LINKS: ""},
        4: {SAME_NUMBER: "g4 b4 .", UNKNOWN_ROW: ". g5 ."},
    }
    add("empty bag", five, full, centre=(DIFF2, FALLING), rolled="r2 b3 g1 y6 k5")
    fuller = {
        0: {PYRAMID: "k1 r1 k2 b3 g4 .", NE_CHAIN: "k5 . . ."},
        1: {STACK5: "r2 y2 y1 y3 .", PAIRS: "y6 . . ."},
        2: {MIXED: "k1 r3 b2 k6 g1 .", VALLEY: "b3 . ."},
        3: {YRBG: "y1 r3 b4 .", LINKS: "g1 . ."},
        4: {SAME_NUMBER: "g4 b4 .", UNKNOWN_ROW: ". g5 ."},
    }
    add(
        "empty bag after this die",
        replace(five, decline="forbidden"),
        fuller,
        centre=(DIFF2, FALLING),
        rolled="r2",
        taken=(1, 1, 1, 1, 0),
    )
    add(
        "bag of three dice after this die",
        replace(five, decline="forbidden"),
        {**fuller, 1: full[1], 2: full[2], 3: full[3]},
        centre=(DIFF2, FALLING),
        rolled="r2",
        taken=(1, 1, 1, 1, 0),
    )
    add(
        "solo",
        solo,
        {0: {TWOS: "k2 r2 .", VALLEY: "k4 . y5", YRBG: "y3 . . .", TWINS: ""}},
        centre=(DIFF2, FALLING),
        fuse_deck=(FOUR,),
        rolled="y2 k1 r6",
    )
    spoilt = {
        0: {FALL_FROM_4: "r4 b1 .", VALLEY: "k1 . y5"},
        1: {TWO_SUMS: "r1 r1 b6 .", DIFF2: ""},
    }
    add(
        "bombs that can't be finished",
        replace(two, placement="any_not_yet_violated"),
        spoilt,
        centre=(TWINS, TWOS),
        deck=(YRBG,),
        fuse_deck=(SIX,),
        rolled="g1 k6 y3 b4",
    )
    return found
