"""Whole games of FUSE played by the kernel and by the plain reference, step by step.

Both deal the same bombs.  At each step the legal moves, or the outcomes with their chances, have to be
the same; then both make the same one.  What leaves no choice happens at once in the kernel, or is asked
by one side alone: such steps are made until both ask the same.
"""

from __future__ import annotations

import random
from collections import Counter

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import COLORS, NUMBERS
from tests.reference import fuse as reference
from tests.reference import fuse_setup
from tests.reference.fuse_bombs import FUSES
from tests.reference.fuse_rules import FIRED

OPTIONS = {
    "unknown_points": (2, 1, 6), "six_point_bombs": ("out", "in"), "fuse_cards": (None, 0, 3, 11),
    "solo_dice": ("three", "one"), "two_player_same_bomb": (True, False),
    "decline": ("allowed", "forbidden"), "placement": ("completable", "any_not_yet_violated"),
    "same_number_or_color": ("linkwise", "whole"), "covered_dice_safe": (True, False),
    "removal": ("one", "all"), "pick": ("free", "easy_if_hard"), "seconds": (600, 300, 100, 2400),
}
SETUP = (engine.DEAL_HANDS, engine.DEAL_CENTRE)
FUSE_IDS = tuple(FUSES)
ENDINGS = {1: ("win",), 2: ("lost", "time"), 3: ("lost", "bag")}


def random_options(draw):
    """Some options changed; decks so small that the documented cards are enough."""
    options = {name: draw.choice(values) if draw.random() < 0.5 else values[0]
               for name, values in OPTIONS.items()}
    return options | {"players": draw.randint(1, 5), "level": draw.choice((5, 6, 8, 10)),
                      "deck": "documented"}


def die(face):
    return COLORS[face // NUMBERS], face % NUMBERS + 1


def told_by_kernel(names, code):
    """A move or outcome in words that both can be asked for."""
    kind, (a, b, c) = engine.decode(code)
    return {
        engine.PLACE: lambda: ("take", die(c), names[a], b), engine.STOP: lambda: ("stop",),
        engine.CLEAR: lambda: ("clear", names[a]), engine.TAKE: lambda: ("pick", names[a]),
        engine.DROP: lambda: ("remove", names[a], b), engine.CHOOSE: lambda: ("roll", COLORS[a]),
        engine.DIE: lambda: die(a), engine.NUMBER: lambda: a + 1, engine.BOMB: lambda: names[a],
        engine.FUSE: lambda: FUSE_IDS[a],
    }[kind]()


def told_by_reference(move):
    """The same; seats follow from the bombs, of which there is one each."""
    return (move[0], *move[2:]) if move[0] in ("take", "clear", "remove") else move


def dealt(options, table, names, draw):
    """The kernel's state behind the set-up and the reference's with the same bombs."""
    state = table.new_game()
    while table.unpack(state)["phase"] in SETUP:
        state = table.apply_unchecked(state, table.sample(state, draw))
    fields = table.unpack(state)
    hands = [[names[bomb] for bomb, _, _ in hand] for hand in fields["hands"]]
    centre = [name for k, name in enumerate(names) if fields["centre"] >> k & 1]
    return state, reference.deal(options, fuse_setup.chosen(hands, centre))


def compare_outcomes(options, table, names, state, plain):
    kernel, expected = Counter(), Counter()
    for code, weight in table.outcomes(state):
        kernel[told_by_kernel(names, code)] += weight
    for outcome, weight in reference.outcomes(options, plain):
        expected[outcome] += weight
    total, expected_total = sum(kernel.values()), sum(expected.values())
    assert kernel.keys() == expected.keys(), (plain, kernel, expected)
    for outcome, weight in kernel.items():
        assert weight * expected_total == expected[outcome] * total, (plain, outcome)


def compare_one_game(seed):
    """How many decisions and chance events agreed, and how the game ended."""
    draw, seen = random.Random(seed), Counter()
    chosen = random_options(draw)
    rules, options = fuse.Rules(**chosen), reference.Options(**chosen)
    table, names = engine.table(rules), engine._names(rules)
    luck, policy = Generator(seed, 1), draw.choice(("random", "greedy", "planner"))
    state, plain = dealt(options, table, names, luck)
    while True:
        turn, expected_turn = table.turn(state), reference.turn(plain)
        moves = reference.moves(options, plain) if expected_turn in ("team", "player") else []
        if turn == engine.OVER and expected_turn == "over":
            fields = table.unpack(state)
            assert plain.result == ENDINGS[fields["ending"]], (chosen, plain)
            assert table.summary(state)[1] == plain.rolls, (chosen, plain)
            seen[plain.result[-1]] += 1
            return seen
        if turn == engine.CHANCE and table.unpack(state)["phase"] == engine.CLOCK:
            state = table.apply_unchecked(state, table.outcomes(state)[0][0])  # a steady pace
            continue
        codes = {told_by_kernel(names, code): code for code in table.moves(state)} if turn >= 0 else {}
        if codes.keys() == {("stop",)} and plain.phase != "take":
            state = table.apply_unchecked(state, codes[("stop",)])
            continue
        told = {told_by_reference(move): move for move in moves}
        if len(moves) == 1 and told.keys() != codes.keys():
            plain = reference.step(options, plain, moves[0])
            continue
        assert (turn == engine.CHANCE) == (expected_turn == "chance"), (chosen, plain, codes)
        if turn == engine.CHANCE:
            compare_outcomes(options, table, names, state, plain)
            code = table.sample(state, luck)
            plain = reference.step(options, plain, told_by_kernel(names, code))
            seen["chance"] += 1
        else:
            assert codes.keys() == told.keys(), (chosen, plain, codes, told)
            code = (table.policy_move(state, policy, luck) if draw.random() < 0.6
                    else codes[draw.choice(sorted(codes))])
            plain = reference.step(options, plain, told[told_by_kernel(names, code)])
            seen["decisions"] += len(codes) > 1
        state = table.apply_unchecked(state, code)


def compare_games(seed, n):
    """At least n decisions of games under random options."""
    FIRED.clear()
    seen = Counter()
    while seen["decisions"] < n:
        seen += compare_one_game(seed)
        seed += 100_003
    return Counter(FIRED) + seen
