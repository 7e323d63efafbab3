"""FUSE for the contract suite."""

from __future__ import annotations

import random
from collections import Counter

from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import NUMBERS
from oddsmith.solver.games.fuse.rules import deck_of, in_game, lengths_of, points_of
from tests.contract.specimens import Specimen

LEVELS = ("training", "standard", "expert", "elite", "insane", 6, 9)
OPTIONS = {
    "unknown_points": (2, 2, 1, 6), "six_point_bombs": ("out", "in"),
    "fuse_cards": (None, None, 0, 3, 11), "seconds": (600, 300, 2400),
    "seconds_per_roll": (20.0, 12.0, (15.0, 25.0, 40.0), "normal 20 5", "lognormal 25 10"),
    "solo_dice": ("three", "one"), "two_player_same_bomb": (True, False),
    "decline": ("allowed", "forbidden"), "placement": ("completable", "any_not_yet_violated"),
    "same_number_or_color": ("linkwise", "whole"), "covered_dice_safe": (True, False),
    "removal": ("one", "all"), "pick": ("free", "easy_if_hard"), "insane_hands": (True, False),
    "edition": ("2015", "2019"),
}


MADE = [fuse.Rules()]
"""All rules that were handed out: a table doesn't tell its own."""


def random_options(draw):
    """Options of a game that can be dealt, drawn from all of them."""
    options = {name: draw.choice(values) for name, values in OPTIONS.items()}
    options |= {"players": draw.randint(1, 5), "level": draw.choice(LEVELS), "deck": "synthetic"}
    if draw.random() < 0.25:
        options |= {"setup": "chosen_values", "level": "standard",
                    "chosen_values": (*(draw.randint(1, 5) for _ in range(4)), 0)}
        if sum(options["chosen_values"]) < 5:
            options["chosen_values"] = (2, 2, 2, 2, 0)
    return options


def rules(seed, n):
    draw = random.Random(seed)
    made = [fuse.Rules(**random_options(draw)) for _ in range(n)]
    MADE.extend(made)
    return made


def conserved(table, state, rules):
    """25 dice; every bomb in one place; hands and slots as the rules have them."""
    fields = table.unpack(state)
    dice = list(fields["bag"])
    for face in fields["dice"]:
        dice[face // NUMBERS] += 1
    if fields["phase"] == engine.REROLL:
        dice[fields["thrown"]] += 1
    deck = deck_of(rules).bombs
    seen = fields["centre"]
    for seat, hand in enumerate(fields["hands"]):
        assert fields["taken"][seat] <= rules.takes
        assert len(hand) <= rules.bombs_a_player
        for bomb, faces, _ in hand:
            assert not seen >> bomb & 1
            seen |= 1 << bomb
            for slot, face in zip(deck[bomb].slots, faces, strict=True):
                if face is not None:
                    assert slot.mask >> face & 1
                    dice[face // NUMBERS] += 1
    assert dice == [5] * 5
    assert seen & fields["unseen"] == 0
    assert fields["centre"].bit_count() <= 5
    pool = sum(1 << k for k, bomb in enumerate(deck) if in_game(rules, bomb))
    assert (seen | fields["unseen"]) & ~pool == 0
    assert (seen | fields["unseen"]).bit_count() + fields["defused"] == pool.bit_count()
    assert fields["fuse_unseen"].bit_count() - fields["fuse_left"] == 11 - rules.n_fuse_cards
    gone = pool & ~(seen | fields["unseen"])
    assert fields["points"] == sum(points_of(rules, bomb) for k, bomb in enumerate(deck)
                                   if gone >> k & 1)


def denominator(table, state):
    """Faces in the bag; numbers; lengths of a roll; cards that may be next.

    Where values bind the next bomb, they are drawn first; one player's opening hand has three of them.
    """
    fields = table.unpack(state)
    rules = next(rules for rules in reversed(MADE) if fuse.table(rules) is table)
    deck = deck_of(rules).bombs
    phase = fields["phase"]
    if phase == engine.ROLL:
        return sum(fields["bag"]) * NUMBERS
    if phase == engine.REROLL:
        return NUMBERS
    if phase == engine.CLOCK:
        return sum(lengths_of(rules.seconds_per_roll).values())
    unseen = [points_of(rules, bomb) for k, bomb in enumerate(deck) if fields["unseen"] >> k & 1]
    chosen, dealing = rules.setup == "chosen_values", phase == engine.DEAL_HANDS
    left = Counter(unseen)
    if chosen:
        left = Counter(dict(enumerate(fields["value_left"])))
        left = Counter(unseen) - left if dealing else left
    held = [points_of(rules, deck[bomb]) for hand in fields["hands"] for bomb, _, _ in hand]
    low = dealing and rules.players > 1 and len(held) % 2 and held[-1] >= 3
    fuses = phase == engine.REFILL and fields["fuse_left"] and not fields["value"]
    if fields["value"]:
        return unseen.count(fields["value"])
    if dealing and rules.players == 1:
        return ways(left, set(held), 4 - len(held))
    if chosen:
        n = sum(count for value, count in left.items() if not low or value <= 2)
    else:
        n = sum(not low or value <= 2 for value in unseen)
    if not fuses:
        return n
    kinds = fields["fuse_unseen"].bit_count()
    if not fields["bombs_left"]:
        return kinds
    return (fields["bombs_left"] + fields["fuse_left"]) * kinds * (1 if chosen else n)


def ways(left, seen, n):
    """Ordered draws of n more bombs, counted by value, with three values in all."""
    if n == 0:
        return len(seen) >= 3
    return sum(count * ways(left - Counter([value]), seen | {value}, n - 1)
               for value, count in left.items() if count)


SPECIMEN = Specimen("fuse", rules, conserved, denominator, lambda table, one, other: one == other,
                    ("planner", "random"), 20_000, None)
