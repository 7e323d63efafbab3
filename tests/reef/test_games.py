"""Whole games: the table against the reference, and what every game table must keep."""

from __future__ import annotations

import os
from collections import Counter

import msgspec
import numpy as np
import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import engine
from oddsmith.solver.games.reef.whole_games import move_position
from tests.processes import count, count_for_long
from tests.reef import compare_games
from tests.reef.test_reference import USED
from tests.reference import reef as scoring
from tests.reference import reef_game as reference

# What whole games add to the rules that test_reference.py counts.
RULES = [rule for rule in (*scoring.RULE_IDS, *reference.RULE_IDS) if rule not in USED]


def test_table_agrees_with_reference():
    share = float(os.environ.get("JOBS_SHARE", "1"))
    fired = count(compare_games.compare_games, range(max(4, round(share * 20))), 250)
    print(fired["decisions"], "decisions")
    fired += count(compare_games.compare_endings, range(2), 1000)
    if share == 1:
        missing = [rule for rule in RULES if not fired[rule]]
        assert not missing, "these rules never decided anything: " + ", ".join(missing)


@pytest.mark.fuzz
def test_table_agrees_with_reference_for_long():
    """The complete lists of moves are compared at one decision in 32."""
    def batch(seed):
        return (count(compare_games.compare_games, range(seed, seed + 16), 3000, 1 / 32, 5)
                + count(compare_games.compare_endings, range(seed, seed + 2), 1000))

    count_for_long(batch, 10_000, 16, RULES)


def test_a_state_has_room_for_what_the_options_allow():
    """More cards on the display or in a hand would be written behind their places."""
    table = engine.table(reef.Rules())
    fields = table.unpack(engine.to_state(reef.new(reef.Rules(), 7)))
    assert table.pack(fields)
    long = {"display": [1] * 7, "tokens": [0] * 7}
    with pytest.raises(ValueError, match="a display of 6"):
        table.pack({**fields, **long})
    with pytest.raises(ValueError, match="hands of 8"):
        table.pack({**fields, "hands": [[1] * 9, *fields["hands"][1:]]})


def test_random_policy_is_uniform_over_the_moves():
    table = engine.table(reef.Rules())
    state = engine.to_state(reef.new(reef.Rules(), 7))
    moves, draw = table.moves(state), Generator(1)
    counts = Counter(table.policy_move(state, "random", draw) for _ in range(100 * len(moves)))
    assert set(counts) == set(moves)
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < len(moves) + 6 * (2 * len(moves)) ** 0.5


def test_redeal_keeps_what_the_viewer_knows_and_varies_the_rest():
    table, draw = engine.table(reef.Rules(players=3)), Generator(3)
    state = table.new_game()
    while table.turn(state) == engine.CHANCE or table.unpack(state)["phase"] == engine.START:
        code = (table.sample(state, draw) if table.turn(state) == engine.CHANCE
                else table.moves(state)[0])
        state = table.apply(state, code)
    taken = table.apply(state, engine.encode(engine.Move(engine.TAKE, place=0)))
    before = table.unpack(taken)
    seen = set()
    for _ in range(300):
        after = table.unpack(table.redeal(taken, 1, draw))
        assert {**after, "hands": 0, "secret": 0, "deck": 0} == {
            **before, "hands": 0, "secret": 0, "deck": 0}
        assert after["hands"][1] == before["hands"][1]
        assert after["hands"][0][2] == before["hands"][0][2]  # taken from the display: known
        assert sorted([*after["deck"], *after["hands"][0][:2], *after["hands"][2]]) == sorted(
            [*before["deck"], *before["hands"][0][:2], *before["hands"][2]])
        seen.update(after["hands"][0][:2])
    assert len(seen) == 60 - 2 - 3 - 1  # everything but the viewer's hand, the display, the top


def test_greedy_plays_the_most_points():
    """Greedy is what its definition says, checked on every decision of some games."""
    for rules in (reef.Rules(), reef.Rules(players=3, stack_limit=2, hand_limit=2)):
        table, draw = engine.table(rules), Generator(6)
        kernel, _ = engine.compiled(rules)
        for _ in range(3):
            state = table.new_game()
            while (turn := table.turn(state)) != engine.OVER:
                if turn == engine.CHANCE:
                    state = table.apply_unchecked(state, table.sample(state, draw))
                    continue
                code = table.policy_move(state, "greedy", draw)
                if table.unpack(state)["phase"] == engine.PLAY:
                    check_greedy(table, kernel, state, code)
                state = table.apply_unchecked(state, code)


def check_greedy(table, kernel, state, code):
    fields = table.unpack(state)
    seat, move = fields["to_move"], engine.decode(code)

    def best_of(card, board, supply):
        after = [bits for _, bits, _ in kernel.moves(board, card, supply)]
        points = reef.cards()[card].points
        return max((points * kernel.count(bits, card) for bits in after), default=-1)

    board, hand, supply = fields["boards"][seat], fields["hands"][seat], fields["supply"]
    plays = []
    for legal in table.moves(state):
        one = engine.decode(legal)
        if one.kind == engine.PLAY_CARD:
            after = table.unpack(table.apply_unchecked(state, legal))
            bits = after["boards"][seat]
            points = reef.card(one.card).points * kernel.count(bits, one.card - 1)
            plays.append((legal, one, points, bits, after["supply"]))
    most = max((points for _, _, points, _, _ in plays), default=-1)
    takes = [legal for legal in table.moves(state)
             if engine.decode(legal).kind in (engine.TAKE, engine.DRAW)]
    if most <= 0 and takes:
        def worth(legal):
            one = engine.decode(legal)
            taken = fields["display"][one.place] if one.kind == engine.TAKE else fields["top"]
            return best_of(taken, board, supply)

        assert code == max(takes, key=worth)  # the first of the best
        return
    if not plays:
        assert move.kind == engine.PASS
        return
    # At most the best 40 of the tied plays are examined, to keep the test short.
    tied = [play for play in plays if play[2] == most]

    def rest(play):
        others = [card for card in hand if card != play[1].card - 1]
        return sum(max(0, best_of(card, play[3], play[4])) for card in others)

    chosen = next(play for play in tied if play[0] == code)
    assert all(rest(play) <= rest(chosen) for play in tied[::max(1, len(tied) // 12)])


def test_moves_are_read_as_people_write_them():
    position = reef.new(reef.Rules(), 7)
    position = msgspec.structs.replace(position, display=(13, 55, 12))
    same = engine.parse_move(position, "play 20 p@c3 p@a1")
    assert same == engine.parse_move(position, "play 20 p@a1 p@c3")
    for wrong, words in [("", "not a move"), ("tak 13", "not a move"), ("take 14", "not on display"),
                         ("play 6 r@a1 r@z9", "not a space"), ("play 99", "not a card"),
                         ("draw 14", "not on display"), ("top 61", "not a card")]:
        with pytest.raises(InputError, match=words):
            engine.parse_move(position, wrong)
    for illegal in ("play 24 g@a1 g@a2", "play 6 y@a1 y@a2", "play 6 r@a1", "pass", "top 1",
                    "draw 13"):
        with pytest.raises(InputError, match="not legal"):
            move_position(position, [illegal], None)
    unknown = msgspec.structs.replace(position.players[0], hand=(0, 0))
    hidden = msgspec.structs.replace(position, players=(unknown, position.players[1]))
    after = move_position(hidden, ["play 1 g@a1 g@a1"], None)
    assert after.players[0].hand == (0,)
    with pytest.raises(InputError, match="unknown card"):
        engine.legal_moves(hidden)


def test_a_hand_that_nobody_knows_may_have_to_pass():
    rules = reef.Rules(short_supply="illegal", supply_per_color=5, hand_limit=2)
    first, second = reef.new(rules, 7).players
    stacks = list(first.board.stacks)
    stacks[0] = "rrr"  # with the two of the start all five are gone
    dealt = msgspec.structs.replace(
        reef.new(rules, 7), to_move=1,
        players=(msgspec.structs.replace(first, board=reef.Board(tuple(stacks))),
                 msgspec.structs.replace(second, hand=(0, 0))))
    assert dealt.supply["r"] == 0
    assert not dealt.finished
    assert move_position(dealt, ["pass"], None).to_move == 0
    with pytest.raises(InputError, match="not legal"):  # a display card could be taken
        move_position(msgspec.structs.replace(dealt, players=(
            dealt.players[0], msgspec.structs.replace(second, hand=(0,)))), ["pass"], None)


def test_state_rows_are_whole():
    """The state is a plain struct: copying its bytes copies the game."""
    table = engine.table(reef.Rules())
    state = table.new_game()
    assert np.frombuffer(state, np.uint8).size == len(state)
    with pytest.raises(ValueError, match="not legal"):
        table.apply(state, 0)
    with pytest.raises(ValueError, match="not over"):
        table.payoff(state)
    with pytest.raises(ValueError, match="bytes"):
        table.turn(state[:-1])
