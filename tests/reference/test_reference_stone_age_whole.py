"""Tests of the Stone Age reference: words, refusals, and whole games with random moves."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from .stone_age import (
    RULE_IDS,
    Options,
    State,
    apply,
    deal,
    moves,
    outcomes,
    phase,
    result,
    text,
    turn,
)
from .stone_age_cases import DEFAULT, dealt, play, random_game
from .stone_age_table import CARDS, CHOICES, SUPPLIES, TILES

# Words and refusals


def test_text() -> None:
    words = {
        ("tools", (), ()): "tools none",
        ("tools", (2, 1), (3,)): "tools 2,1 one-use 3",
        ("tools", (), (4, 3)): "tools one-use 4,3",
        ("take", (1, 0, 0, 1)): "take wood gold",
        ("pay", (2, 0, 0, 1)): "pay wood 2 gold 1",
        ("gift", (1, 3, 3, 6)): "gift 1 3 3 6",
        ("place", 5): "place clay pit",
        ("raise", "used"): "raise used",
    }
    assert {move: text(move) for move in words} == words


def test_refusals() -> None:
    state = dealt()
    with pytest.raises(ValueError):
        apply(DEFAULT, state, ("place", 15))
    with pytest.raises(ValueError):
        outcomes(DEFAULT, state)
    with pytest.raises(ValueError):
        deal(DEFAULT, state, ("card", 9))
    state = play(play(state, "place hunt", "people 5", "place forest", "people 5"), "use hunt")
    with pytest.raises(ValueError):
        moves(DEFAULT, state)
    with pytest.raises(ValueError):
        deal(DEFAULT, state, ("roll", 4))


# Whole games


def random_options(rng: random.Random) -> Options:
    chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
    players = rng.choice((2, 3, 4))
    return Options(
        players=players,
        resource_supply=rng.choice((None, *SUPPLIES, (3, 2, 1, 1))),
        max_rounds=rng.choice((60, 60, 6)),
        start_food=rng.choice((12, 0)),
        start_people=rng.choice((5, 5, 10, 2)),
        stack_size=rng.choice((7, 2)),
        **chosen,
    )


def check(options: Options, state: State) -> None:
    """What holds in every state."""
    cards = Counter(state.deck) + Counter(card for card in state.slots if card)
    tiles = Counter(state.unseen) + Counter(top for top in state.tops if top)
    for seat in state.seats:
        cards.update(seat.cards)
        tiles.update(seat.tiles)
        assert min(seat.goods) >= 0
        assert seat.food >= 0
        assert options.start_people <= seat.people <= 10
        assert 0 <= seat.track <= 10
        values = [value for value, _used in seat.tools]
        assert max(values) - min(values) <= 1
        assert max(values) <= 4
        assert seat.left + sum(seat.on) <= seat.people
        if phase(state) in ("place", "people"):
            assert seat.left + sum(seat.on) == seat.people
    assert cards == Counter(list(CARDS))
    assert tiles == Counter(list(TILES))
    held = [sum(kind) for kind in zip(*(seat.goods for seat in state.seats), strict=True)]
    if options.resource_supply is not None:
        total = tuple(a + b for a, b in zip(held, state.supply or (), strict=True))
        assert total == options.resource_supply
    if turn(state) == "over":
        assert state.cause in ("cards", "tiles", "max_rounds")
        assert state.rounds <= options.max_rounds
        return
    if turn(state) == "chance":
        found = outcomes(options, state)
        assert all(weight > 0 for _, weight in found)
        words = [text(outcome) for outcome, _ in found]
    else:
        words = [text(move) for move in moves(options, state)]
        assert len(words) > 1 or phase(state) in ("place", "act")
    assert len(set(words)) == len(words) > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_default_games(players: int) -> None:
    for seed in range(2):
        for state in random_game(Options(players), random.Random(seed)):
            check(Options(players), state)
        assert turn(state) == "over"
        scores, best = result(Options(players), state)
        assert best
        assert all(scores[seat].total == max(each.total for each in scores) for seat in best)


@pytest.mark.parametrize("seed", range(24))
def test_games_with_options(seed: int) -> None:
    rng = random.Random(seed)
    options = random_options(rng)
    for state in random_game(options, rng):
        check(options, state)
    assert turn(state) == "over"


def test_every_rule_is_tested() -> None:
    """Each rule id is named in a test that sees it decide something."""
    here = Path(__file__).parent
    source = "".join(path.read_text() for path in here.glob("test_reference_stone_age*.py"))
    named = set(re.findall(r'"([a-z_]+\.[A-Za-z_0-9.]+)"', source))
    assert [rule for rule in RULE_IDS if rule not in named] == []
    assert len(set(RULE_IDS)) == len(RULE_IDS)
