"""Whole games of FUSE played by the kernel and by the plain reference, step by step.

Both get the same rules, deck and deal.  Before each step the whole state has to be the same, and the
outcomes with their chances; the move that is made is legal on both sides, and at a share of the decisions
all legal moves are compared.  What leaves no choice happens at once in the kernel, or is asked by one
side alone: such steps are made until both ask the same.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games.fuse import engine
from tests.fuse.compare_decks import random_sides
from tests.fuse.compare_late import late_state
from tests.fuse.compare_setup import chances, compare_quantiles, compare_set_up
from tests.reference import fuse as reference
from tests.reference.fuse_bombs import COLORS, FACES, FUSES, NUMBERS
from tests.reference.fuse_rules import FIRED

PHASES = {
    "time": engine.CLOCK, "draw": engine.ROLL, "take": engine.ASSIGN, "pick": engine.PICK,
    "reveal": engine.REFILL, "fuse": engine.REMOVE, "remove": engine.REMOVE, "unplaced": engine.THROW,
    "reroll": engine.REROLL, "over": engine.FINISHED,
}
ENDINGS = {None: 0, ("win",): 1, ("lost", "time"): 2, ("lost", "bag"): 3}
NAMES = {1: "won", 2: "time", 3: "bag"}
FACE_OF = {face: k for k, face in enumerate(FACES)}
FUSE_OF = {card: k for k, card in enumerate(FUSES)}
SET_UPS, LATE, GAMES_EACH = 4, 10, 2
"""Under the same options; one of the set-ups is followed by a whole game, each late position by some."""


# The state, told by both --------------------------------------------------------------------------


def mask(sides, bombs):
    return sum(1 << sides.number[bomb] for bomb in bombs)


def struck(strike):
    return sum(1 << k for k, (color, number) in enumerate(FACES) if color == strike[0] or number == strike[1])


def fields_of(sides, plain):
    """A reference state after the set-up as the kernel's `unpack` tells it, hands sorted by bomb.

    Unplaced dice are told by colour, as the first face of it; marks of a roll where dice may be taken.
    """
    options, phase = sides.options, plain.phase
    taking = phase in ("take", "pick", "reveal", "fuse") or plain.result == ("win",)
    each = options.players == 2 and not options.two_player_same_bomb
    hands = []
    for hand, taken in zip(plain.hands, plain.taken, strict=True):
        marks = plain.placed_on if each and taking and taken < options.takes else ()
        hands.append(sorted((sides.number[bomb], tuple(die and FACE_OF[die] for die in dice), bomb in marks)
                            for bomb, dice in hand))
    bag = list(plain.bag)
    if phase == "remove":  # the kernel has the die that was rolled again in the bag already
        bag[COLORS.index(plain.strike[0])] += 1
    value_left = [0] * 7
    if options.setup == "chosen_values":
        value_left[1:] = [number for _, number in plain.piles]
    dice = [COLORS.index(color) * len(NUMBERS) for color in plain.unplaced]
    return {
        "unseen": mask(sides, [bomb for bombs, _ in plain.piles for bomb in bombs]),
        "centre": mask(sides, plain.centre), "elapsed": 1000 * plain.used, "roll": plain.rolls,
        "match": struck(plain.strike) if phase in ("fuse", "remove") else 0,
        "fuse_unseen": sum(1 << FUSE_OF[card] for card in plain.fuses[0]), "fuse_left": plain.fuses[1],
        "points": sum(map(options.value, plain.defused)), "defused": len(plain.defused),
        "bombs_left": sum(number for _, number in plain.piles), "hands": hands,
        "taken": list(plain.taken) if taking else [0] * options.players,
        "dice": sorted(dice or map(FACE_OF.get, plain.rolled)), "bag": bag, "value_left": value_left,
        "to_draw": plain.to_draw, "value": 0, "phase": PHASES[phase],
        "then": {"fuse": engine.REFILL, "remove": engine.THROW}.get(phase, 0),
        "seat": reference.decider(plain) or 0,
        "thrown": COLORS.index(plain.strike[0]) if phase == "reroll" else 0,
        "ending": ENDINGS[plain.result], "dealt": 0,
    }


def told(sides, fields):
    """What `unpack` says, as `fields_of` has it."""
    del fields["classes"]
    taken = fields["taken"]
    fields["hands"] = [
        sorted((bomb, faces, used and n < sides.options.takes) for bomb, faces, used in hand)
        for hand, n in zip(fields["hands"], taken, strict=True)]
    if fields["phase"] in (engine.THROW, engine.REROLL) or fields["then"] == engine.THROW:
        fields["dice"] = [face // len(NUMBERS) * len(NUMBERS) for face in fields["dice"]]
    return fields


def whose(sides, plain):
    """Whose turn it is; who holds the bag speaks for the team."""
    who = reference.turn(plain)
    if who == "team":
        return (plain.rolls - 1) % sides.options.players
    return {"chance": engine.CHANCE, "over": engine.OVER}.get(who, reference.decider(plain))


# Moves and outcomes -------------------------------------------------------------------------------


def code_of(sides, choice):
    """A move of the reference as a code of the kernel."""
    match choice:
        case ("take", _, die, bomb, slot):
            return engine.PLACE | sides.number[bomb] << 8 | slot << 16 | FACE_OF[die] << 24
        case ("remove", _, bomb, slot):
            return engine.DROP | sides.number[bomb] << 8 | slot << 16
        case ("pick", bomb):
            return engine.TAKE | sides.number[bomb] << 8
        case ("roll", color):
            return engine.CHOOSE | COLORS.index(color) << 8
        case ("clear", _, bomb):
            return engine.CLEAR | sides.number[bomb] << 8
    assert choice == ("stop",), choice
    return engine.STOP


def plain_move(sides, plain, code):
    """A code of the kernel as a move of the reference."""
    kind, (a, b, c) = engine.decode(code)
    if kind in (engine.STOP, engine.CHOOSE):
        return ("roll", COLORS[a]) if kind == engine.CHOOSE else ("stop",)
    name = sides.names[a]
    if kind == engine.TAKE:
        return "pick", name
    seat = next(seat for seat, hand in enumerate(plain.hands) for bomb, _ in hand if bomb == name)
    return {engine.PLACE: ("take", seat, FACES[c], name, b), engine.CLEAR: ("clear", seat, name),
            engine.DROP: ("remove", seat, name, b)}[kind]


def outcome_code(sides, phase, outcome):
    """An outcome of the reference as a code of the kernel."""
    if phase == "draw":
        return engine.DIE | FACE_OF[outcome] << 8
    if phase == "reroll":
        return engine.NUMBER | (outcome - 1) << 8
    if phase == "time":
        return engine.LENGTH | int(1000 * outcome) << 8
    if outcome in FUSE_OF:
        return engine.FUSE | FUSE_OF[outcome] << 8
    return engine.BOMB | sides.number[outcome] << 8


def compare_outcomes(sides, plain, state):
    """The outcomes of the reference by the kernel's codes; a length not drawn from a list as it is."""
    found = sides.table.outcomes(state)
    if plain.phase == "time" and sides.options.pace != "list":
        compare_quantiles(sides.options, found)
        return {code: Fraction(code >> 8, 1000) for code, _ in found}
    expected = reference.outcomes(sides.options, plain)
    codes = {outcome_code(sides, plain.phase, outcome): outcome for outcome, _ in expected}
    if plain.phase == "reveal":
        found = chances(sides.table, state).items()
    found = dict(found)
    assert found.keys() == codes.keys()
    total, expected_total = sum(found.values()), sum(weight for _, weight in expected)
    for code, (_, weight) in zip(codes, expected, strict=True):
        assert found[code] * expected_total == weight * total, codes[code]
    return codes


# Games --------------------------------------------------------------------------------------------


class Taste:
    """Who plays a game: a policy, at random, or a mixture; at random mostly dice that fill bombs."""

    def __init__(self, draw, seed):
        self.draw, self.luck = draw, Generator(seed, 1)
        self.policy = draw.choice(("random", "greedy", "planner"))
        self.p_policy = draw.choice((0, 0.5, 0.9, 1))
        self.p_place = draw.choice((0, 0.5, 0.9, 1))

    def choose(self, sides, state, codes):
        if self.draw.random() < self.p_policy:
            return sides.table.policy_move(state, self.policy, self.luck)
        placing = [code for code in codes if code & 0xFF == engine.PLACE]
        if placing and self.draw.random() < self.p_place:
            codes = placing
        return self.draw.choice(codes)


def compare_one_game(sides, plain, state, taste, listed):
    """A game to its end; a difference is told with the position in which it showed."""
    seen, at = Counter(), [plain]
    try:
        follow(sides, at, state, taste, listed, seen)
    except (AssertionError, ValueError, KeyError) as error:
        raise AssertionError(f"{error!r} in {sides.rules} {at[0]}") from error
    return seen


def follow(sides, at, state, taste, listed, seen):
    """`at` holds the reference's state, for the message of a failure."""
    table, options = sides.table, sides.options
    while True:
        plain, fields = at[0], table.unpack(state)
        phase = fields["phase"]
        if plain.phase in ("remove", "fuse", "unplaced"):
            moves = reference.moves(options, plain)
            if len(moves) == 1:
                at[0] = reference.step(options, plain, moves[0])
                continue
        if plain.phase == "time" and phase != engine.CLOCK:
            ((length, _),) = reference.outcomes(options, plain)
            at[0] = reference.step(options, plain, length)
            continue
        if phase == engine.ASSIGN and plain.phase != "take":
            assert table.moves(state) == [engine.STOP]
            state = table.apply_unchecked(state, engine.STOP)
            continue
        expected = fields_of(sides, plain)
        assert told(sides, fields) == expected, (fields, expected)
        assert table.turn(state) == whose(sides, plain)
        if plain.phase == "over":
            break
        if reference.turn(plain) == "chance":
            codes = compare_outcomes(sides, plain, state)
            code = table.sample(state, taste.luck)
            if code & 0xFF == engine.VALUE:
                state = table.apply_unchecked(state, code)
                code = table.sample(state, taste.luck)
            at[0] = reference.step(options, plain, codes[code])
        else:
            codes = table.moves(state)
            code = taste.choose(sides, state, codes)
            move = plain_move(sides, plain, code)
            if taste.draw.random() < listed:
                moves = [code_of(sides, one) for one in reference.moves(options, plain)]
                assert len(codes) == len(moves) == table.n_moves(state)
                assert set(codes) == set(moves)
                at[0] = reference.step(options, plain, move)
            else:
                at[0] = reference.apply(options, plain, move)
            seen["decisions"] += len(codes) > 1
        state = table.apply_unchecked(state, code)
    compare_result(sides, plain, state)
    seen[NAMES[ENDINGS[plain.result]]] += 1


def compare_result(sides, plain, state):
    ending = ENDINGS[plain.result]
    assert sides.table.payoff(state) == [60 * (ending == 1)] * sides.options.players
    assert sides.table.summary(state) == [
        ending, plain.rolls, reference.score(sides.options, plain), len(plain.defused),
        len(plain.activated), 1000 * plain.used,
    ]


def compare_games(seed, n, listed=1.0):
    """At least n decisions of games under random options: whole ones, and many that are nearly over."""
    FIRED.clear()
    draw, seen = random.Random(seed), Counter()
    while seen["decisions"] < n:
        sides = random_sides(draw, seen)
        for k in range(SET_UPS):
            plain, state = compare_set_up(sides, draw, Generator(draw.getrandbits(60)))
            if k == 0:
                seen += compare_one_game(sides, plain, state, Taste(draw, draw.getrandbits(60)), listed)
        for k in range(LATE * GAMES_EACH):
            if k % GAMES_EACH == 0:
                plain = late_state(sides, draw)
                state = sides.table.pack(fields_of(sides, plain))
            seen += compare_one_game(sides, plain, state, Taste(draw, draw.getrandbits(60)), listed)
    return Counter(FIRED) + seen
