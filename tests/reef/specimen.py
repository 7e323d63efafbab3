"""Reef for the contract suite."""

from __future__ import annotations

import random

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.rules import resolve
from tests.contract.specimens import Specimen
from tests.reef import compare_games


def rules(seed, n):
    draw = random.Random(seed)
    return [reef.Rules(**compare_games.random_options(draw)) for _ in range(n)]


def conserved(table, state, rules):
    """Sixty cards, each somewhere once; hands within the limit; coral on boards or in supply."""
    fields = table.unpack(state)
    cards = [*fields["deck"], *fields["played"], *fields["display"],
             *(card for hand in fields["hands"] for card in hand)]
    cards += [] if fields["top"] is None else [fields["top"]]
    assert sorted(cards) == list(range(60))
    assert all(len(hand) <= max(2, rules.hand_limit) for hand in fields["hands"])
    assert all(set(secret) <= set(hand)
               for secret, hand in zip(fields["secret"], fields["hands"], strict=True))
    on_boards = sum((low | high << 64).bit_count() for _, low, high in fields["boards"])
    in_supply = sum(fields["supply"].to_bytes(4, "little"))
    assert on_boards + in_supply == 4 * resolve(rules).coral


def denominator(table, state):
    return len(table.unpack(state)["deck"])


def same(table, one, other):
    """Hands are sets; a file knows neither the number of turns nor which card came first."""
    told = [table.unpack(state) for state in (one, other)]
    for fields in told:
        fields["hands"] = [sorted(hand) for hand in fields["hands"]]
        fields.pop("turns")
    return told[0] == told[1]


SPECIMEN = Specimen("reef", rules, conserved, denominator, same, ("greedy", "random"), 2000, 60)
