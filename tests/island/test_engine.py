"""Positions as states, and moves as typed, by hand on the printed island.

                    LANDING   BRONZE
          COPPER    GOLD      IRON        SILVER
  MOON    SUN       HOWLING   WHISPERING  EMBERS   SHADOWS
"""

from __future__ import annotations

import msgspec
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import island
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.rules import CARDS, Rules


@pytest.fixture
def start(tmp_path):
    """Ann, the Engineer, on Bronze Gate with an earth card and Sandbags; Ben, the Pilot, on Fools'
    Landing with earth and ocean.  Breakers Bridge to Misty Marsh are flooded, their cards discarded."""
    path = tmp_path / "start.toml"
    path.write_text(island.BLANK, encoding="utf-8")
    return island.load(str(path))


def cards(*held):
    return tuple(held.count(card) for card in CARDS)


def changed(position, players=({}, {}), flooded=(), sunk=(), **values):
    """Another position: what is named of each player and of the position; more tiles flooded or sunk."""
    tiles = msgspec.structs.replace(
        position.island, flooded=(position.island.flooded | set(flooded)) - set(sunk),
        sunk=frozenset(sunk))
    seats = tuple(msgspec.structs.replace(player, **new)
                  for player, new in zip(position.players, players, strict=True))
    values.setdefault("flood_pile", tuple(block - set(sunk) for block in position.flood_pile))
    found = msgspec.structs.replace(position, island=tiles, players=seats, **values)
    assert island.check(found) == []
    return found


def legal(position, verb=""):
    """All moves or outcomes as typed."""
    game, state = engine.table(position.rules), engine.to_state(position)
    codes = game.moves(state) or [code for code, _ in game.outcomes(state)]
    return {text for code in codes
            if (text := engine.format_move(position, code)).startswith(verb)}


def after(position, *moves):
    for move in moves:
        position = engine.make_move(position, engine.parse_move(position, move))
    return position


def gathered(start):
    """All on Fools' Landing with all treasures and a Helicopter Lift."""
    return changed(start, ({"hand": cards("helicopter_lift"), "at": "fools_landing"}, {}),
                   captured=frozenset(("earth", "wind", "fire", "ocean")))


def won(start):
    return after(gathered(start), "win 1")


def refused(position, move):
    with pytest.raises(InputError) as found:
        after(position, move)
    return found.value


def test_flood_cards_come_from_the_top_block(start):
    top = frozenset(("observatory", "watchtower"))
    position = changed(start, flood_pile=(top, start.flood_pile[0] - top), phase="flood", floods=1,
                       actions=0)
    assert legal(position) == {"flood observatory", "flood watchtower"}
    then = after(position, "flood observatory")
    assert then.flood_pile == (top - {"observatory"}, start.flood_pile[0] - top)
    assert then.island.flooded == start.island.flooded | {"observatory"}
    assert then.flood_discard == start.flood_discard | {"observatory"}
    assert (then.phase, then.turn, then.to_move, then.actions) == ("actions", 2, 1, 3)


def test_waters_rise(start):
    """The meter goes up by one, the discard comes on top."""
    position = changed(start, phase="draw", draws=2, actions=0, water=3)
    assert legal(position, "card") == {f"card {card}" for card in CARDS}
    then = after(position, "card waters_rise")
    assert then.water == 4
    assert then.flood_pile == (start.flood_discard, *start.flood_pile)
    assert then.flood_discard == frozenset()
    assert then.treasure_discard == cards("waters_rise")
    assert (then.phase, then.draws) == ("between draws", 1)  # Ann may play Sandbags
    floods = after(then, "go on", "card fire")
    assert (floods.phase, floods.floods, floods.players[0].hand) == (
        "before flood", 3, cards("earth", "sandbags", "fire"))


def test_swimming(start):
    """Bronze Gate has sunk under Ann: she swims to Fools' Landing or Iron Gate."""
    position = changed(start, sunk=["bronze_gate"], phase="swim", floods=1, actions=0)
    assert legal(position, "swim") == {"swim 1 fools_landing", "swim 1 iron_gate"}
    then = after(position, "swim 1 iron_gate")
    assert [player.at for player in then.players] == ["iron_gate", "fools_landing"]
    assert then.island.sunk == {"bronze_gate"}
    assert then.phase == "before flood"


def test_captured_treasures(start):
    position = changed(start, ({"hand": cards(*["wind"] * 4), "at": "howling_garden"},
                               {"hand": cards()}))
    assert legal(position, "capture") == {"capture wind"}
    then = after(position, "capture wind")
    assert (then.captured, then.treasure_discard) == ({"wind"}, cards(*["wind"] * 4))
    once = changed(position, captured=frozenset(("wind", "ocean")))
    assert legal(once, "capture") == set()
    assert after(once, "walk gold_gate").captured == {"wind", "ocean"}
    assert "is not a card" in str(refused(position, "capture sandbags"))


@pytest.mark.parametrize(("then", "seat", "given", "phase"), [
    ("actions", 2, {"actions": 2}, "actions"), ("between draws", 1, {"draws": 1}, "draw"),
    ("before flood", 1, {"floods": 2}, "flood")])
def test_what_follows_a_discard(start, then, seat, given, phase):
    values = {"actions": 0} | given
    players = [{"hand": cards()}, {"hand": cards()}]
    players[seat - 1] = {"hand": cards(*["fire"] * 5, "wind")}
    position = changed(start, players, phase="discard", then=then, **values)
    assert legal(position) == {f"discard {seat} fire", f"discard {seat} wind"}
    done = after(position, f"discard {seat} fire")
    assert (done.phase, done.then, done.treasure_discard) == (phase, "", cards("fire"))
    assert {name: getattr(done, name) for name in values} == values


def test_the_pilot_has_flown(start):
    position = changed(start, turn=2)
    assert len(legal(position, "fly")) == 23
    assert legal(changed(position, flights=1, actions=2), "fly") == set()
    assert after(position, "fly watchtower").flights == 1


def test_moves_told_and_read(start):
    position = changed(start, ({}, {"at": "bronze_gate"}))
    assert legal(position, "give") == {"give 2 earth"}
    assert legal(position, "end") == {"end"}
    given = after(position, "give 2 earth")
    assert [player.hand for player in given.players] == [cards("sandbags"),
                                                         cards("earth", "earth", "ocean")]
    flood = changed(start, phase="before flood", floods=2, actions=0)
    assert legal(flood, "go") == {"go on"} and legal(flood, "end") == set()
    lifted = changed(start, ({"hand": cards("helicopter_lift")}, {"at": "bronze_gate"}))
    assert [player.at for player in after(lifted, "lift 1 1+2 misty_marsh").players] == [
        "misty_marsh", "misty_marsh"]
    assert [player.at for player in after(lifted, "lift 1 2 misty_marsh").players] == [
        "bronze_gate", "misty_marsh"]


def test_two_of_a_kind_in_any_order(start):
    wet = changed(start, flooded=["iron_gate", "fools_landing"])
    both = after(wet, "shore iron_gate fools_landing")
    assert both == after(wet, "shore fools_landing iron_gate")
    assert both.island.flooded == start.island.flooded
    assert "is not a move" in str(refused(wet, "shore iron_gate fools_landing bronze_gate"))
    rules = Rules(players=3, navigator_split=True, roles=("navigator", "pilot", "diver"))
    three = island.new(rules, 5)
    codes = {engine.parse_move(three, text) for text in (
        "navigate 2 gold_gate 3 iron_gate", "navigate 3 iron_gate 2 gold_gate")}
    assert len(codes) == 1


@pytest.mark.parametrize("text", ["walk iron_gate silver_gate", "go off", "end now", "go", "win", "shore",
                                  "lift 1 misty_marsh", "discard 1", "swim iron_gate"])
def test_not_a_move(start, text):
    assert "is not a move" in str(refused(start, text))


@pytest.mark.parametrize("player", ["0", "3", "-1", "²"])
def test_no_such_player(start, player):
    assert f"there is no player {player}" in str(refused(start, f"give {player} earth"))


def test_why_a_move_is_refused(start):
    assert "is not legal here" in refused(start, "walk watchtower").what
    assert refused(changed(start, actions=0), "walk iron_gate").why == "no action is left"
    assert "before the team has moved" in refused(start, "card earth").why
    draw = changed(start, phase="draw", draws=1, actions=0)
    assert "a treasure card is due" in refused(draw, "walk iron_gate").why
    flood = changed(start, phase="flood", floods=1, actions=0)
    assert "a flood card is due" in refused(flood, "walk iron_gate").why
    over = won(start)
    assert refused(over, "walk iron_gate").what == "the game is over: the team has won"


def test_a_card_is_drawn_where_it_is_due(start):
    draw = changed(start, phase="draw", draws=1, actions=0)
    flood = changed(start, phase="flood", floods=1, actions=0)
    for position, verb, other in ((draw, "card", "flood"), (flood, "flood", "card")):
        code = engine.parse_move(position, verb, Generator(1))
        assert engine.format_move(position, code) in legal(position, verb)
        for typed, given in ((other, Generator(1)), (verb, None)):
            with pytest.raises(InputError, match="card is due"):
                engine.parse_move(position, typed, given)


def test_where_a_search_can_begin(start):
    assert engine.search_state(start) == engine.to_state(start)
    with pytest.raises(InputError, match="a card is due first"):
        engine.search_state(changed(start, phase="draw", draws=1, actions=0))
    with pytest.raises(InputError, match="the team has won"):
        engine.search_state(won(start))


def test_a_line_ends_where_nobody_decides(start):
    walk, end = (engine.parse_move(start, text) for text in ("walk iron_gate", "end"))
    assert engine.format_line(start, [walk, end, end, end]) == ["walk iron_gate", "end"]
    everybody = gathered(start)
    win = engine.parse_move(everybody, "win 1")
    assert engine.format_line(everybody, [win, win]) == ["win 1"]
    assert after(everybody, "win 1").finished == "the team has won"
