"""The safest actions against brute force: every draw, swim and use of specials tried out."""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache

import msgspec
import pytest

from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.position import tiles_of
from oddsmith.solver.games.island.rules import TREASURES, Rules, tile_index, tiles
from oddsmith.solver.games.island.safest import safest


class TooMany(Exception):
    """More situations than a test has time for."""


def brute_force(table, state, may_win=True, most=1_000_000):
    """The least chance of having lost at the end of the turn, playing by the table.

    Special cards are used in actions, after the draw, and to rescue.
    """
    first, left = table.unpack(state), [most]

    def allowed(move, fields):
        kind, (_, card, *_) = engine.decode(move)
        if fields["phase"] == engine.ACTIONS or (
                fields["phase"] == engine.DISCARD and fields["then"] == engine.ACTIONS):
            return True
        if fields["phase"] == engine.DISCARD:        # over the hand limit in the draw
            return kind == engine.DROP and card < len(TREASURES)
        if fields["phase"] == engine.BETWEEN_DRAWS:
            return kind == engine.PASS
        if fields["phase"] == engine.BEFORE_FLOOD:   # specials are used before the first card
            return kind == engine.PASS or (not fields["flooding"]
                                           and (may_win or kind != engine.WIN))
        return (kind not in (engine.SANDBAGS, engine.WIN)    # only rescues of those who swim
                and (kind != engine.LIFT or not card & ~fields["swimmers"]))

    @cache
    def worth(state, flooding):
        left[0] -= 1
        if left[0] < 0:
            raise TooMany
        who = table.turn(state)
        fields = table.unpack(state) | {"flooding": flooding}
        if who == engine.OVER:
            return Fraction(engine.ENDINGS[fields["ending"]] not in ("won", "turns"))
        if fields["turn"] != first["turn"] or fields["phase"] == engine.LAST_WINDOW:
            return Fraction(0)
        if who == engine.CHANCE:
            outcomes = table.outcomes(state)
            total = sum(weight for _, weight in outcomes)
            return sum(weight * worth(table.apply_unchecked(state, code),
                                      code & 0xFF == engine.FLOOD_CARD)
                       for code, weight in outcomes) / total
        least = Fraction(1)
        for code in table.moves(state):
            if least and allowed(code, fields):
                least = min(least, worth(table.apply_unchecked(state, code), flooding))
        return least

    return worth(state, False)


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
        assert found == brute_force(table, state, may_win=True), fields
        seen[found in (0, 1)] += 1
    assert seen[False] > 10


def whole_turn(draw, most_lifts=1):
    """A few tiles at the start of a turn, the treasure pile (nearly) used up."""
    few = draw.random() < 0.4            # the whole discard may be in the hands
    rules = Rules(
        players=draw.choice((2, 2, 3)), actions=draw.choice((1, 2)),
        lift_rescue=draw.random() < 0.5, lift_from=draw.choice(("one_tile", "anywhere")),
        diver_swim=draw.choice(("nearest", "any")), pilot_swim_free=draw.random() < 0.5,
        treasure_reshuffle=draw.choice(("at_once", "on_demand")),
        hand_limit_between_draws=draw.random() < 0.6,
        rise_shuffle=draw.choice(("on_top", "whole_pile")),
        hand_limit=draw.choice((3, 4, 5)), cards_to_capture=3, cards_per_treasure=2 + 2 * (not few),
        waters_rise=draw.choice((1, 2, 3)), helicopters=draw.choice((1, 2)),
        sandbags=draw.choice((1, 2)), water_meter=(1, 2, 2, 3),
        water_level=draw.choice((1, 2, 3, 4)),
    )
    table = engine.table(rules)
    fields = table.unpack(engine.to_state(island.new(rules, draw.randrange(1000))))
    spaces = draw.sample(range(24), 8)   # near ones and far ones
    landing = fields["place"][[tile.id for tile in tiles()].index("fools_landing")]
    near = [k for k in range(24) if engine.encode(engine.WALK, k) in table.moves(
        table.pack(fields | {"pawns": [landing] * rules.players, "in_play": 0xFFFFFF,
                             "phase": engine.ACTIONS}))]
    alive = [landing, *dict.fromkeys(k for k in draw.sample(near, len(near)) + spaces
                                     if k != landing)][:draw.choice((3, 4, 4, 5))]
    wet = draw.choice((0.9, 1))
    flooded = [k for k in alive if draw.random() < wet]
    captured = sum(1 << k for k, treasure in enumerate(TREASURES)
                   if draw.random() < 0.3 or not any(
                       fields["place"][tile_index(tile)] in alive for tile in tiles_of(treasure)))
    floods = draw.sample(alive, len(alive))
    n_pile = draw.choice((1, 2, len(floods)))
    cards = [kind for kind in range(4) for _ in range(rules.cards_per_treasure)]
    cards += [4] * rules.helicopters + [5] * rules.sandbags + [6] * rules.waters_rise
    draw.shuffle(cards)
    hands = [[0] * 7 for _ in range(rules.players)]
    for hand in hands:
        wanted = draw.choice((rules.hand_limit, rules.hand_limit, rules.hand_limit - 1, 1))
        for _ in range(wanted):
            held = sum(one[4] for one in hands)
            fit = [k for k, card in enumerate(cards) if card < 4 or card == 5
                   or (card == 4 and held < most_lifts)]
            if fit:
                hand[cards.pop(draw.choice(fit))] += 1
    deck, used = [0] * 7, [0] * 7
    for _ in range(min(draw.choice((0, 1, 1, 1, 2)), len(cards))):
        deck[cards.pop()] += 1
    for card in cards:
        used[card] += 1
    if not any(deck) and rules.treasure_reshuffle == "at_once":
        deck, used = used, deck
    fields |= {
        "in_play": sum(1 << k for k in alive), "flooded": sum(1 << k for k in flooded),
        "discard": sum(1 << k for k in floods[n_pile:]),
        "pile": [sum(1 << k for k in floods[:n_pile])], "captured": captured, "hands": hands,
        "deck": deck, "used": used, "phase": engine.ACTIONS, "actions": rules.actions,
        "pawns": [draw.choice(alive) for _ in range(rules.players)],
        "roles": draw.sample(range(6), rules.players),
    }
    return table, rules, fields


@pytest.mark.parametrize("seed", range(8))
def test_whole_turn(seed):
    """All actions, gifts, discards and special cards of a turn, most where the pile runs out."""
    draw = random.Random(seed)
    seen = Counter()
    for _ in range(80):
        table, rules, fields = whole_turn(draw)
        state = table.pack(fields)
        start = engine.from_state(rules, state, island.new(rules, 1).players)
        found = safest(start)
        with suppress(TooMany):
            least = brute_force(table, state, most=3000)
            assert found.p_loss == least, island.format_position(start)
            seen[least in (0, 1)] += 1
        for way in found.ways[:3]:
            after = start
            for text in way.moves:
                after = engine.make_move(after, engine.parse_move(after, text))
    assert seen[False] >= 3


SEVERAL = """
game = "island"
format = 1
[rules]
players = 2
water_level = 1
rise_shuffle = "whole_pile"
diver_swim = "any"
treasure_reshuffle = "on_demand"
hand_limit = 3
cards_per_treasure = 2
cards_to_capture = 2
waters_rise = 2
water_meter = [4, 0]
[turn]
phase = "actions"
actions = 0
[island]
tiles = '''
(watchtower)         (whispering_garden)
(cave_of_shadows)    (copper_gate)        (bronze_gate)     (cliffs_of_abandon)
(misty_marsh)        (dunes_of_deception) (gold_gate)       (phantom_rock)   (crimson_forest)  (tidal_palace)
(silver_gate)        temple_of_the_moon~  howling_garden    (coral_palace)   (cave_of_embers)  (lost_lagoon)
(breakers_bridge)    temple_of_the_sun~   fools_landing     iron_gate
twilight_hollow~     observatory~
'''
[flood]
water = 1
discard = ["iron_gate", "temple_of_the_moon", "temple_of_the_sun", "howling_garden", "observatory",
           "twilight_hollow"]
[treasure]
captured = ["fire", "ocean"]
discard = { earth = 2, wind = 2, fire = 1, helicopter_lift = 1, sandbags = 1, waters_rise = 1 }
[[player]]
role = "messenger"
at = "temple_of_the_sun"
hand = ["fire", "ocean", "sandbags"]
[[player]]
role = "engineer"
at = "observatory"
hand = ["ocean", "helicopter_lift", "helicopter_lift"]
"""


def test_several_lifts(tmp_path):
    """Both Lifts before the draw are best, which is not tried: a bound, rounded up."""
    path = tmp_path / "several.toml"
    path.write_text(SEVERAL, encoding="utf-8")
    position = island.load(str(path))
    least = brute_force(engine.table(position.rules), engine.to_state(position))
    with pytest.raises(TooLarge) as told:
        safest(position)
    assert told.value.exit_code == 3
    bound = Fraction(re.search(r"at most ([\d.]+) %", str(told.value))[1]) / 100
    assert (least, bound) == (Fraction(1, 6), Fraction("0.181819"))     # 2/11, rounded up


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


@pytest.mark.parametrize(("lift_from", "at", "lifts"), [
    ("one_tile", (0, 0), 1), ("one_tile", (0, 1), 2), ("one_tile", (1, 1), 2),
    ("one_tile", (1, 2), 3), ("anywhere", (0, 0), 1), ("anywhere", (1, 2), 2)])
def test_lifts_that_win(lift_from, at, lifts):
    """One Lift for each tile with pawns off Fools' Landing (0), or one for all; and the last."""
    table = engine.table(Rules(lift_from=lift_from))
    fields = table.unpack(engine.to_state(island.new(Rules(lift_from=lift_from), 1)))
    landing = fields["place"][tile_index("fools_landing")]
    spaces = [landing, *(k for k in (0, 23) if k != landing)]
    pawns = sum(spaces[k] << (8 * seat) for seat, k in enumerate(at))
    phase = FloodPhase(table, table.pack(fields), [1 << landing], 0, 1)    # it is sure to sink
    for held in range(4):
        lost = phase.least_loss(1 << landing, pawns, 0xF, 0, held, 0)
        assert lost == (phase.denominator if held < lifts else 0)


def test_sandbags_where_two_pawns_may_come_to():
    """Five tiles in a row sink, the one in the middle first: only that one, dry, saves both pawns."""
    rules = Rules(roles=("engineer", "messenger"))
    table = engine.table(rules)
    place = tile_index("fools_landing")
    fields = next(found for seed in range(200) if (found := table.unpack(engine.to_state(
        island.new(rules, seed))))["place"][place] >= 22)
    landing, row = fields["place"][place], range(6, 11)      # in the last row, in the third
    tiles_left = sum(1 << space for space in row)
    fields |= {"in_play": tiles_left | 1 << landing}
    pile = [1 << row[1] | 1 << row[3], 1 << row[0] | 1 << row[4], 1 << row[2]]    # the top last
    phase = FloodPhase(table, table.pack(fields), pile, 1 << landing, 5)
    pawns = row[0] | row[4] << 8

    def least(dry, sandbags):
        flooded = tiles_left & ~sum(1 << row[k] for k in dry)
        return phase.least_loss(flooded, pawns, 0xF, 0, 0, sandbags) / phase.denominator

    assert least((), 0) == least((0,), 0) == least((1,), 0) == least((3,), 0) == 1
    assert least((2,), 0) == least((), 1) == 0


def test_a_lift_brings_who_can_be_given_a_card():
    """The next Waters Rise! is the skull, and 3 are among the 5 cards that are drawn from.

    A Lift adds itself to them; as it takes Ben, with 5 cards, off a tile alone that will sink to the
    seat to move, a gift adds one more.
    """
    rules = Rules(roles=("engineer", "messenger"), treasure_reshuffle="on_demand", actions=1,
                  cards_per_treasure=2, cards_to_capture=2, helicopters=1, sandbags=0)
    table, start = engine.table(rules), island.new(rules, 1)
    place = tile_index("fools_landing")
    fields = next(found for seed in range(200) if (found := table.unpack(engine.to_state(
        island.new(rules, seed))))["place"][place] in range(1, 6))
    fields |= {"in_play": 0x80003F, "flooded": 0x800000, "mark": len(rules.water_meter) - 1,
               "hands": [[1, 0, 0, 0, 1, 0, 0], [0, 2, 2, 1, 0, 0, 0]], "deck": [0] * 7,
               "used": [1, 0, 0, 1, 0, 0, 3], "discard": 0, "pile": [0x00003F, 0x800000],
               "pawns": [0, 23], "captured": 0xF}
    found = safest(engine.from_state(rules, table.pack(fields), start.players))
    assert found.p_loss == 1 - Fraction(4, 7) * Fraction(3, 6)
    assert found.p_idle == 1 - Fraction(3, 6) * Fraction(2, 5)
    assert all([move.split()[0] for move in way.moves] == ["lift", "give", "discard"]
               for way in found.ways)


def test_a_gift_saves_a_discard_between_the_draws():
    """Fools' Landing is about to sink, and Sandbags are the one card of the treasure discard.

    With 5 cards in hand the first card drawn makes one go there, too; with 4 it doesn't.
    """
    rules = Rules(roles=("engineer", "messenger"), treasure_reshuffle="on_demand", actions=1,
                  cards_per_treasure=2, cards_to_capture=2, helicopters=0, sandbags=1, waters_rise=0)
    table, start = engine.table(rules), island.new(rules, 1)
    fields = table.unpack(engine.to_state(start))
    landing = 1 << fields["place"][tile_index("fools_landing")]
    far = next(space for space in (0, 23) if landing.bit_length() - 1 - space not in range(-6, 7))
    fields |= {"flooded": landing, "pawns": [far, far], "discard": 0, "deck": [0, 0, 0, 1, 0, 0, 0],
               "hands": [[2, 2, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0]], "used": [0, 0, 0, 0, 0, 1, 0],
               "pile": [0xFFFFFF & ~landing, landing], "captured": 0xF}
    found = safest(engine.from_state(rules, table.pack(fields), start.players))
    assert (found.p_loss, found.p_idle) == (0, Fraction(1, 2))
    assert all(way.moves[0].startswith("give 2") for way in found.ways)
