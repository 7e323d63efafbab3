"""The safest actions against brute force: every draw, swim and use of specials tried out."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache

import msgspec
import pytest

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.position import tiles_of
from oddsmith.solver.games.island.rules import TREASURES, Rules, tile_index, tiles
from oddsmith.solver.games.island.safest import safest


def brute_force(table, state):
    """The least chance of loss in the phase that the state is in, playing by the table."""
    first = table.unpack(state)

    @cache
    def worth(state):
        who = table.turn(state)
        fields = table.unpack(state)
        if who == engine.OVER:
            return Fraction(engine.ENDINGS[fields["ending"]] not in ("won", "turns"))
        if fields["turn"] != first["turn"] or fields["phase"] == engine.LAST_WINDOW:
            return Fraction(0)
        if who == engine.CHANCE:
            outcomes = table.outcomes(state)
            total = sum(weight for _, weight in outcomes)
            return sum(weight * worth(table.apply_unchecked(state, code))
                       for code, weight in outcomes) / total
        moves = [code for code in table.moves(state) if code & 0xFF != engine.WIN]
        if fields["phase"] == engine.BEFORE_FLOOD:
            if fields["floods"] != first["floods"]:  # specials are used before the phase
                moves = [engine.encode(engine.PASS)]
        else:  # only rescues of those who swim
            moves = [code for code in moves if code & 0xFF != engine.SANDBAGS
                     and (code & 0xFF != engine.LIFT
                          or not (code >> 16 & 0xFF) & ~fields["swimmers"])]
        return min((worth(table.apply_unchecked(state, code)) for code in moves), default=Fraction(1))

    return worth(state)


def small_island(draw):
    """A few tiles, most of them flooded, just before flood cards are drawn."""
    rules = Rules(
        players=draw.choice((2, 3)), lift_rescue=draw.random() < 0.5,
        lift_from=draw.choice(("one_tile", "anywhere")), diver_swim=draw.choice(("nearest", "any")),
        pilot_swim_free=draw.random() < 0.3, pilot_flights_per_turn=1,
    )
    table = engine.table(rules)
    fields = table.unpack(engine.to_state(island.new(rules, draw.randrange(1000))))
    landing = fields["place"][[tile.id for tile in tiles()].index("fools_landing")]
    tiles_left = [landing]
    while len(tiles_left) < draw.randint(4, 7):  # near ones and far ones
        tiles_left.append(draw.choice([k for k in range(24) if k not in tiles_left]))
    alive = sum(1 << k for k in tiles_left)
    wet = draw.choice((0.6, 0.8, 1, 1))
    flooded = [k for k in tiles_left if draw.random() < wet]
    captured = sum(1 << k for k, treasure in enumerate(TREASURES)
                   if draw.random() < 0.8 or not any(
                       fields["place"][tile_index(tile)] in tiles_left for tile in tiles_of(treasure)))
    cards = draw.sample(tiles_left, len(tiles_left))
    n_pile = draw.choice((1, 1, 2, 3, len(cards)))
    top = draw.choice((n_pile, 1))
    blocks = [sum(1 << k for k in cards[top:n_pile]), sum(1 << k for k in cards[:top])]
    lifts, sandbags = draw.choice((0, 1, 1)), draw.choice((0, 0, 1, 2))
    hands = [[0] * 7 for _ in range(rules.players)]
    hands[0][4], hands[-1][5] = lifts, sandbags
    fields |= {
        "in_play": alive, "flooded": sum(1 << k for k in flooded),
        "discard": sum(1 << k for k in cards[n_pile:]), "pile": [one for one in blocks if one],
        "captured": captured, "hands": hands, "draws": 0, "actions": 0, "phase": engine.BEFORE_FLOOD,
        "pawns": [draw.choice(flooded or tiles_left) for _ in range(rules.players)],
        "floods": draw.choice((2, 3, 4, 4)), "flights": draw.choice((0, 0, 1)),
        "roles": draw.sample((*draw.sample((0, 1, 2, 3, 4), rules.players - 1), 5), rules.players),
    }
    if not (lifts or sandbags):
        fields["phase"] = engine.FLOOD
    return table, fields, lifts, sandbags


@pytest.mark.parametrize("seed", range(8))
def test_flood_phase(seed):
    draw = random.Random(seed)
    seen = Counter()
    for _ in range(60):
        table, fields, lifts, sandbags = small_island(draw)
        state = table.pack(fields)
        phase = FloodPhase(table, state, fields["pile"], fields["discard"], fields["floods"])
        pawns = sum(space << (8 * seat) for seat, space in enumerate(fields["pawns"]))
        found = Fraction(
            phase.least_loss(fields["flooded"], pawns, fields["captured"], fields["flights"], lifts,
                             sandbags), phase.denominator)
        assert found == brute_force(table, state), fields
        seen[found in (0, 1)] += 1
    assert seen[False] > 10


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
    near = {code >> 8 & 0xFF for code in table.moves(table.pack({**fields, "pawns": [beside, beside]}))
            if code & 0xFF == engine.WALK}
    far = next(k for k in range(24) if k not in (landing, beside, *near))
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
