"""The safest actions against brute force: every draw, swim and use of specials tried out."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations

import msgspec
import pytest

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import Rules
from oddsmith.solver.games.island.safest import safest
from tests.island.compare_games import both_rules, fields_of, late_state


def brute_force(table, state):
    """The least chance of loss in the phase that the state is in, playing by the table."""
    turn = table.unpack(state)["turn"]

    @cache
    def worth(state):
        who = table.turn(state)
        fields = table.unpack(state)
        if who == engine.OVER:
            return Fraction(engine.ENDINGS[fields["ending"]] not in ("won", "turns"))
        if fields["turn"] != turn or fields["phase"] == engine.LAST_WINDOW:
            return Fraction(0)
        if who == engine.CHANCE:
            outcomes = table.outcomes(state)
            total = sum(weight for _, weight in outcomes)
            return sum(weight * worth(table.apply_unchecked(state, code))
                       for code, weight in outcomes) / total
        moves = table.moves(state)
        if fields["phase"] == engine.BEFORE_FLOOD:
            moves = [engine.encode(engine.PASS)]  # specials are used before the phase
        else:  # only rescues of those who swim
            moves = [code for code in moves if code & 0xFF != engine.SANDBAGS
                     and (code & 0xFF != engine.LIFT
                          or not (code >> 16 & 0xFF) & ~fields["swimmers"])]
        return min(worth(table.apply_unchecked(state, code)) for code in moves)

    return worth(state)


def prepared(table, fields, sandbags):
    """States after playing up to so many Sandbags."""
    tiles = [k for k in range(24) if fields["flooded"] >> k & 1]
    for n in range(sandbags + 1):
        for chosen in combinations(tiles, min(n, len(tiles))):
            flooded = fields["flooded"] & ~sum(1 << k for k in chosen)
            yield table.pack({**fields, "flooded": flooded})


@pytest.mark.parametrize("seed", range(12))
def test_flood_phase(seed):
    draw = random.Random(seed)
    done = 0
    while done < 12:
        rules, options = both_rules({
            "players": draw.choice((2, 3, 4)), "layout": "forbidden_island",
            "lift_rescue": draw.random() < 0.5,
            "lift_from": draw.choice(("one_tile", "anywhere")),
            "diver_swim": draw.choice(("nearest", "any")),
            "pilot_swim_free": draw.random() < 0.5,
        })
        late = late_state(options, draw)
        table = engine.table(rules)
        fields = fields_of(options, late)
        n_alive = bin(fields["in_play"]).count("1")
        if fields["phase"] == engine.FINISHED or n_alive > 13:
            continue
        n_cards = draw.choice((1, 2, 3))
        sandbags, lifts = draw.choice((0, 0, 1)), draw.choice((0, 1)) * rules.lift_rescue
        flown = draw.choice((0, 1))
        fields |= {"phase": engine.BEFORE_FLOOD, "flights": flown, "floods": n_cards, "draws": 0, "actions": 0,
                   "swimmers": 0, "then": 0,
                   "hands": [[0, 0, 0, 0, lifts if seat == 0 else 0, 0, 0]
                             for seat in range(rules.players)]}
        if not lifts:
            fields["phase"] = engine.FLOOD
        state = table.pack(fields)
        phase = FloodPhase(table, state, fields["pile"], fields["discard"], n_cards)
        pawns = sum(space << (8 * seat) for seat, space in enumerate(fields["pawns"]))
        found = Fraction(phase.least_loss(fields["flooded"], pawns, fields["captured"], flown, lifts,
                                          sandbags), phase.denominator)
        expected = min(brute_force(table, one) for one in prepared(table, fields, sandbags))
        if lifts:  # a lift may also be used before the phase, never with more chance to lose
            assert found <= expected
        else:
            assert found == expected, (rules, fields)
        done += 1


def test_shoring_up_saves():
    position = island.new(Rules(difficulty="legendary", players=4), 9)
    found = safest(position)
    assert found.p_loss < found.p_idle
    assert found.ways and found.n_states >= found.n_best > 0
    first = found.ways[0].moves
    after = position
    for text in first:
        after = engine.make_move(after, engine.parse_move(after, text))
    again = safest(msgspec.structs.replace(after, actions=0, phase="actions"))
    assert again.p_idle == again.p_loss == found.p_loss


def test_refusals():
    position = island.new(Rules(), 1)
    with pytest.raises(InputError, match="the phase is flood"):
        safest(msgspec.structs.replace(position, phase="flood", floods=1))


def test_a_win_of_several_moves():
    """Both pawns have to come to Fools' Landing: one walks, the other is lifted."""
    position = island.new(Rules(), 1)
    spots = position.island.tiles
    landing = spots.index("fools_landing")
    table = engine.table(position.rules)
    fields = table.unpack(engine.to_state(position))
    beside = next(k for k in range(24) if k != landing and "walk" in " ".join(
        engine.format_move(position, code) for code in table.moves(table.pack(
            {**fields, "pawns": [k, k]})) if code & 0xFF == engine.WALK and code >> 8 == landing))
    far = next(k for k in range(24) if k not in (landing, beside))
    fields |= {"captured": 15, "pawns": [beside, far], "phase": engine.ACTIONS, "actions": 1,
               "hands": [[0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0, 0]]}
    made = engine.from_state(position.rules, table.pack(fields), position.players)
    found = safest(made)
    assert found.p_loss == 0
    assert found.p_idle is None
    (way,) = found.ways
    after = made
    for text in way.moves:
        after = engine.make_move(after, engine.parse_move(after, text))
    assert after.ending == "won"
    one_lift = msgspec.structs.replace(made, players=(
        made.players[0], msgspec.structs.replace(made.players[1], hand=(0,) * 7)))
    assert safest(one_lift).p_idle is not None
