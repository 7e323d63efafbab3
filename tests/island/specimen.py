"""Forbidden Island for the contract suite."""

from __future__ import annotations

import random

from oddsmith.solver.games.island import engine
from tests.contract.specimens import Specimen
from tests.island.compare_games import both_rules, random_options

WATERS_RISE = 6


def rules(seed, n):
    draw = random.Random(seed)
    return [both_rules(random_options(draw))[0] for _ in range(n)]


def conserved(table, state, rules):
    """28 treasure cards; every unsunk tile once in the flood piles; nobody on a sunk tile as long as the
    game goes on."""
    fields = table.unpack(state)
    if not fields["turn"]:
        return
    cards = [sum(kind) for kind in zip(fields["deck"], fields["used"], *fields["hands"],
                                       strict=True)]
    assert cards == list(rules.card_counts)
    piles = [*fields["pile"], fields["discard"]]
    assert sum(piles) == fields["in_play"] and fields["flooded"] & ~fields["in_play"] == 0
    seen = 0
    for block in piles:
        assert seen & block == 0
        seen |= block
    for seat, space in enumerate(fields["pawns"]) if not fields["ending"] else ():
        assert fields["in_play"] >> space & 1 or fields["swimmers"] >> seat & 1


def denominator(table, state):
    """Cards that may come: of the set-up, of the treasure pile, of the flood pile's top block."""
    fields = table.unpack(state)
    if fields["phase"] in (engine.DEAL_TILES, engine.DEAL_ROLES):
        return fields["undealt"].bit_count()
    if fields["phase"] == engine.DEAL_HANDS:
        return sum(fields["deck"]) - fields["deck"][WATERS_RISE]
    if fields["phase"] == engine.DRAW:
        return sum(fields["deck"])
    return fields["pile"][-1].bit_count()


def same(table, one, other):
    """All but what only the set-up, or only a discard, uses."""
    told = [table.unpack(state) for state in (one, other)]
    for fields in told:
        fields.pop("dealt")
        fields.pop("undealt")
        if fields["phase"] != engine.DISCARD:
            fields.pop("then")
    return told[0] == told[1]


SPECIMEN = Specimen("island", rules, conserved, denominator, same, ("rules", "random"), 20_000, None)
