"""Stone Age as the contract suite needs it."""

from __future__ import annotations

import random

from oddsmith.solver.games.stone_age.position import PHASES
from tests.contract.specimens import Specimen
from tests.stone_age.options import random_rules


def rules(seed, n):
    draw = random.Random(seed)
    return [random_rules(draw) for _ in range(n)]


def conserved(table, state, rules):
    """36 cards and 28 tiles, each somewhere once; people and tools that there can be; goods that
    are on hand or in a limited supply."""
    told = table.unpack(state)
    seats = told["seats"]
    cards = [*told["deck"], *(card for card in told["slots"] if card is not None),
             *(card for seat in seats for card in seat["cards"])]
    cards += [] if told["extra"] is None else [told["extra"]]
    assert sorted(cards) == list(range(36))
    bought = [tile for seat in seats for tile in seat["tiles"]]
    tiles = [*told["unseen"], *(tile for tile in told["tops"] if tile is not None), *bought]
    assert sorted(tiles) == list(range(28))
    assert sum(rules.stack_size - left for left in told["stacks"]) == len(bought)
    for seat in seats:
        assert rules.start_people <= seat["people"] <= 10
        assert 0 <= seat["track"] <= 10
        assert 0 <= seat["tools"] <= 12
        low = 3 - seat["tools"] % 3 if seat["tools"] >= 3 else 0
        assert seat["used_low"] <= low
        assert seat["used_high"] <= seat["tools"] % 3
        assert sum(seat["on"].values()) + seat["left"] <= seat["people"]
    if rules.resource_supply != "unlimited":
        held = [sum(seat["goods"][kind] for seat in seats) for kind in range(4)]
        assert [n + left for n, left in zip(held, told["supply"], strict=True)] == list(
            rules.resource_supply)


def denominator(table, state):
    told = table.unpack(state)
    return {"start player": table.n_players, "turn tile": len(told["unseen"]),
            "deal": len(told["deck"]), "extra card": len(told["deck"]),
            "roll": 6 ** told["dice"], "gift roll": 6 ** table.n_players,
            }[PHASES[told["phase"]]]


def same(table, one, other):
    """A file tells the extra card to everybody who reads it."""
    told = [table.unpack(state) for state in (one, other)]
    for fields in told:
        fields.pop("extra_open")
    return told[0] == told[1]


SPECIMEN = Specimen("stone_age", rules, conserved, denominator, same, ("greedy", "random"), 12_000,
                    60)
