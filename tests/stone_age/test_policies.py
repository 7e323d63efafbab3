"""What the policies do, by their definition."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from oddsmith.kernels.playout import play_games
from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import stone_age
from oddsmith.solver.games.stone_age import Rules, engine
from tests.stone_age.options import OPTIONS, random_rules

CHANCE, OVER = -1, -2


def test_every_option_is_drawn():
    assert tuple(OPTIONS) == tuple(Rules.__struct_fields__)


def decisions(policy, n_games, rules=None):
    """(position's fields, code) of every decision of some games."""
    draw = Generator(5)
    for seed in range(n_games):
        table = stone_age.table(rules or random_rules(random.Random(seed)))
        state = table.new_game()
        while (turn := table.turn(state)) != OVER:
            if turn == CHANCE:
                code = table.sample(state, draw)
            else:
                code = table.policy_move(state, policy, draw)
                yield table.unpack(state), code
            state = table.apply_unchecked(state, code)


def test_starve_never_pays_for_food():
    kinds = [code & 0xFF for _, code in decisions("starve", 30)]
    assert engine.STARVE in kinds
    assert engine.FEED not in kinds


@pytest.mark.parametrize("policy", ["greedy", "tuned"])
def test_people_are_fed_with_what_is_cheap(policy):
    """Up to two missing foods are paid, with the cheapest resources."""
    fed = 0
    for told, code in decisions(policy, 60, Rules(players=4, start_food=4)):
        goods = told["seats"][told["to_move"]]["goods"]
        if told["phase"] != 14 or told["sum"] > 2 or sum(goods) < told["sum"]:
            continue
        cheapest, left = [], told["sum"]
        for have in goods:
            cheapest.append(min(have, left))
            left -= cheapest[-1]
        assert engine.goods_of(code) == tuple(cheapest)
        fed += 1
    assert fed > 5


def wins(policies, n=600):
    table = stone_age.table(Rules())
    rows = np.zeros((n, 7), np.int32)
    play_games(table, table.new_game(), policies, 1, 0, rows)
    return rows[:, 0].mean() / 60


def test_the_order_of_strength():
    assert wins(("greedy", "random")) > 0.95
    assert wins(("starve", "random")) > 0.95
    assert wins(("tuned", "greedy")) > 0.6
    assert wins(("tuned", "starve")) > 0.55


def test_playouts_follow_the_tuned_policy():
    assert stone_age.table(Rules()).default_policy == "tuned"


def test_gifts_of_the_future_are_in_the_file():
    """A position with dice that others still have to take is written and read back."""
    rules = Rules(players=3, dice_gift="on_own_turn")
    position, draw = stone_age.new(rules, 2), Generator(3)
    table, seen = stone_age.table(rules), 0
    while not position.finished and seen < 3:
        state = stone_age.to_state(position)
        code = (table.sample(state, draw) if table.turn(state) == CHANCE
                else table.policy_move(state, "greedy", draw))
        position = engine.make_move(position, code)
        if position.gifts and position.phase == "acting":
            seen += 1
            again = msgspec.structs.replace(position)
            assert stone_age.check(again) == []
            assert "[[table.gifts]]" in stone_age.format_position(again)
    assert seen == 3
