"""The set-up of FUSE on both sides, card by card, and the paces of a roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import erf, log, sqrt

from oddsmith.solver.games.fuse import engine
from tests.reference import fuse as reference
from tests.reference.fuse_rules import FIRED
from tests.reference.fuse_setup import SETUP_PHASES

SHARE_OF_HANDS = 0.1
"""Of the hands of one player alone so many are compared with all that can follow (slow)."""


def shares(weights):
    """Weights as parts of one."""
    total = sum(weight for _, weight in weights)
    return {what: Fraction(weight, total) for what, weight in weights}


def chances(table, state):
    """The kernel's next cards; where it draws the value first, both steps together."""
    found = {}
    for code, chance in shares(table.outcomes(state)).items():
        if code & 0xFF == engine.VALUE:
            inner = shares(table.outcomes(table.apply_unchecked(state, code)))
            found |= {card: chance * part for card, part in inner.items()}
        else:
            found[code] = chance
    return found


def compare_set_up(sides, draw, luck):
    """All of the set-up; returns both states, the first roll due."""
    options, table = sides.options, sides.table
    plain, state = reference.new_game(options), table.new_game()
    compare_box(sides, plain, state)
    if options.players == 1:
        deal_in_vain(options, plain, draw)
    to_the_end = options.players == 1 and draw.random() < SHARE_OF_HANDS
    while plain.phase in SETUP_PHASES:
        question = (options, plain)
        offered = shares(reference.outcomes(options, plain))
        found = {sides.names[code >> 8]: chance for code, chance in chances(table, state).items()}
        if options.players > 1 or plain.phase == "centre":
            assert found == offered, question
        else:
            # Hands that would be dealt again are never dealt by the kernel.
            assert found.keys() <= offered.keys(), question
            if to_the_end:
                assert found == accepted_shares(options, plain, offered), question
        code = table.sample(state, luck)
        if code & 0xFF == engine.VALUE:
            state = table.apply_unchecked(state, code)
            code = table.sample(state, luck)
        plain = reference.step(options, plain, sides.names[code >> 8])
        state = table.apply_unchecked(state, code)
        assert plain.hands[0] or options.players > 1, question
    return plain, state


def compare_box(sides, plain, state):
    """What there is before the first card."""
    fields = sides.table.unpack(state)
    in_box = sum(1 << sides.number[bomb] for bomb in sides.options.in_the_box)
    assert fields["unseen"] == in_box
    assert fields["fuse_unseen"] == 0x7FF
    assert fields["fuse_left"] == plain.fuses[1]
    assert fields["bombs_left"] == sum(number for _, number in plain.piles)
    assert fields["bag"] == list(plain.bag)


def deal_in_vain(options, start, draw):
    """One player alone: hands as the page deals them, until one may be kept."""
    plain = start
    while plain.phase == "deal":
        what, weights = zip(*reference.outcomes(options, plain), strict=True)
        plain = reference.step(options, plain, draw.choices(what, weights)[0])
        # A hand that is laid aside leaves nothing behind.
        assert plain.hands[0] or plain == start


def accepted_shares(options, plain, offered):
    """The chances of the next card of a hand that will be kept."""
    before, known = Counter(FIRED), {}
    kept = {bomb: chance * kept_chance(options, reference.step(options, plain, bomb), known)
            for bomb, chance in offered.items()}
    FIRED.clear()
    FIRED.update(before)
    total = sum(kept.values())
    return {bomb: chance / total for bomb, chance in kept.items() if chance}


def kept_chance(options, plain, known):
    """The probability that this hand, once all is dealt, isn't dealt again.

    Only the values count, so that of the cards of a value one stands for all.
    """
    hand = [options.value(bomb) for bomb, _ in plain.hands[0]]
    if plain.phase != "deal" or not hand:
        return Fraction(bool(hand))
    values = tuple(sorted(hand))
    if values not in known:
        of_value, one = Counter(), {}
        for bomb, chance in shares(reference.outcomes(options, plain)).items():
            of_value[options.value(bomb)] += chance
            one[options.value(bomb)] = bomb
        known[values] = sum(
            chance * kept_chance(options, reference.step(options, plain, one[value]), known)
            for value, chance in of_value.items())
    return known[values]


def compare_quantiles(options, found):
    """A distribution stands for the midpoints of 100 percentiles, in milliseconds, none below 1 s."""
    kind, mean, deviation = options.seconds_per_roll
    lengths = [code >> 8 for code, weight in sorted(found) for _ in range(weight)]
    assert len(lengths) == 100

    def below(milliseconds):
        """The chance of a shorter length."""
        length = milliseconds / 1000
        if kind == "lognormal":
            spread = log(1 + (deviation / mean) ** 2)
            return (1 + erf((log(length) - log(mean) + spread / 2) / sqrt(2 * spread))) / 2
        return (1 + erf((length - mean) / deviation / sqrt(2))) / 2

    for k, length in enumerate(lengths):
        assert length >= 1000
        assert below(length + 0.51) >= (k + 0.5) / 100
        assert length == 1000 or below(length - 0.51) <= (k + 0.5) / 100
