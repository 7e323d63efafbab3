"""Toy games, to show that search and playouts know no game: any tree of moves and chance, and a
game of hidden cards.  Their functions are compiled by Numba, their exact values are plain sums."""

from __future__ import annotations

from fractions import Fraction

import numba
import numpy as np
from numba import carray

from oddsmith.kernels import strategy
from oddsmith.kernels.game import FunctionTable

CHANCE, OVER = -1, -2

# A tree of moves and chance ------------------------------------------------------------------------

NODE = np.dtype([("turn", "i4"), ("n", "i4"), ("first", "i4"), ("weight", "u4"),
                 ("payoff", ("i4", (5,)))], align=True)
PLACE = np.dtype([("node", "u8")])


def cfunc(name):
    return numba.cfunc(strategy.SIGNATURES[name])


@cfunc("turn")
def tree_turn(rules, state):
    return carray(rules, 1 << 20, NODE)[carray(state, 1, PLACE)[0].node].turn


@cfunc("n_moves")
def tree_n_moves(rules, state):
    return carray(rules, 1 << 20, NODE)[carray(state, 1, PLACE)[0].node].n


@cfunc("nth_move")
def tree_nth_move(rules, state, k):
    return k


@cfunc("apply")
def tree_apply(rules, state, move):
    place = carray(state, 1, PLACE)
    place[0].node = carray(rules, 1 << 20, NODE)[place[0].node].first + move


@cfunc("outcomes")
def tree_outcomes(rules, state, out):
    nodes, outcomes = carray(rules, 1 << 20, NODE), carray(out, 128, strategy.OUTCOME)
    node = nodes[carray(state, 1, PLACE)[0].node]
    for k in range(node.n):
        outcomes[k].move = k
        outcomes[k].weight = nodes[node.first + k].weight
    return node.n


@cfunc("sample")
def tree_sample(rules, state, draw):
    nodes = carray(rules, 1 << 20, NODE)
    node = nodes[carray(state, 1, PLACE)[0].node]
    total = 0
    for k in range(node.n):
        total += nodes[node.first + k].weight
    left = strategy.below(carray(draw, 1, strategy.STREAM), total)
    for k in range(node.n):
        if left < nodes[node.first + k].weight:
            return k
        left -= nodes[node.first + k].weight
    return 0


@cfunc("redeal")
def nothing_hidden(rules, state, viewer, draw):
    pass


@cfunc("payoff")
def tree_payoff(rules, state, out):
    node = carray(rules, 1 << 20, NODE)[carray(state, 1, PLACE)[0].node]
    payoffs = carray(out, 5, np.int32)
    for seat in range(5):
        payoffs[seat] = node.payoff[seat]


@cfunc("summary")
def no_summary(rules, state, out):
    return 0


@cfunc("policy")
def tree_random(rules, state, draw):
    n = carray(rules, 1 << 20, NODE)[carray(state, 1, PLACE)[0].node].n
    return strategy.below(carray(draw, 1, strategy.STREAM), n)


@cfunc("key")
def tree_key(rules, state):
    return strategy.mix(carray(state, 1, PLACE)[0].node + np.uint64(1))


def tree_table(tree, n_players):
    """A tree as a game: (seat, [subtrees]), (CHANCE, [(weight, subtree)]) or leaf(...)."""
    order = [(1, tree)]  # breadth first: the children of a node are neighbours
    for _, node in order:
        if not is_leaf(node):
            order += node[1] if node[0] == CHANCE else [(1, child) for child in node[1]]
    rows = np.zeros(len(order), NODE)
    at_next = 1
    for row, (weight, node) in zip(rows, order, strict=True):
        row["weight"] = weight
        if is_leaf(node):
            row["turn"], row["payoff"][:n_players] = OVER, node[1]
            continue
        row["turn"], row["n"], row["first"] = node[0], len(node[1]), at_next
        at_next += len(node[1])
    functions = {
        "turn": tree_turn.address, "n_moves": tree_n_moves.address,
        "nth_move": tree_nth_move.address, "apply": tree_apply.address,
        "outcomes": tree_outcomes.address, "sample": tree_sample.address,
        "redeal": nothing_hidden.address, "payoff": tree_payoff.address,
        "summary": no_summary.address, "key": tree_key.address,
        "policies": {"random": tree_random.address},
    }
    table = FunctionTable(PLACE.itemsize, n_players, functions, rules=rows.ctypes.data, owner=rows)
    return table, bytes(PLACE.itemsize)


def is_leaf(node):
    return node[0] == OVER


def tree_values(node):
    """Exact result of each seat, 0..1, when each seat does what is best for itself."""
    if is_leaf(node):
        return tuple(Fraction(payoff, 60) for payoff in node[1])
    if node[0] == CHANCE:
        total = sum(weight for weight, _ in node[1])
        below = [(weight, tree_values(child)) for weight, child in node[1]]
        return tuple(sum(weight * values[seat] for weight, values in below) / total
                     for seat in range(len(below[0][1])))
    return max((tree_values(child) for child in node[1]), key=lambda values: values[node[0]])


def tree_means(node):
    """Exact mean result of each seat when every move is made at random."""
    if is_leaf(node):
        return tuple(Fraction(payoff, 60) for payoff in node[1])
    weighted = node[1] if node[0] == CHANCE else [(1, child) for child in node[1]]
    total = sum(weight for weight, _ in weighted)
    below = [(weight, tree_means(child)) for weight, child in weighted]
    return tuple(sum(weight * means[seat] for weight, means in below) / total
                 for seat in range(len(below[0][1])))


def leaf(*payoffs):
    return (OVER, payoffs)


THREE_PLAYERS = (0, [
    leaf(24, 20, 16),                                   # safe: 0.4
    (CHANCE, [                                          # 1 : 9
        (1, leaf(60, 0, 0)),
        (9, (2, [                                       # the third player decides
            (1, [leaf(50, 4, 6), leaf(0, 10, 50)]),     # the second takes 10, the third has 50
            leaf(30, 10, 20),
        ])),
    ]),
    (1, [                                               # the second player decides
        leaf(60, 0, 0),
        (CHANCE, [(9, leaf(21, 30, 9)), (1, leaf(0, 0, 60))]),   # he takes 27 of 60
    ]),
])
"""Chance weights 1:9 and a third player.  Whoever weighs outcomes equally, or takes the others for
friends or for foes, chooses wrongly: the values of the three moves are 0.4, 0.1 and 0.315."""


# Hidden cards --------------------------------------------------------------------------------------

HANDS = np.dtype([("card", ("u1", (2,))), ("n_dealt", "u1"), ("phase", "u1"), ("raised", "u1"),
                  ("guess", "u1"), ("pad", ("u1", (2,)))])
BID, ANSWER, GUESS, END = range(4)
STAY, PLAY, FOLD, RAISE, SAY = range(5)     # SAY + c guesses card c


@cfunc("turn")
def hands_turn(rules, state):
    s = carray(state, 1, HANDS)[0]
    if s.n_dealt < 2:
        return CHANCE
    if s.phase == END:
        return OVER
    return 1 if s.phase == ANSWER else 0


@cfunc("n_moves")
def hands_n_moves(rules, state):
    return 2


@cfunc("nth_move")
def hands_nth_move(rules, state, k):
    s = carray(state, 1, HANDS)[0]
    if s.phase == BID:
        return STAY + k
    if s.phase == ANSWER:
        return FOLD + k
    return SAY + (s.card[0] + 1 + k) % 3    # one of the two cards that one doesn't hold


@cfunc("apply")
def hands_apply(rules, state, move):
    s = carray(state, 1, HANDS)
    if s[0].n_dealt < 2:
        s[0].card[s[0].n_dealt] = move
        s[0].n_dealt += 1
    elif move == STAY:
        s[0].phase = END
    elif move == PLAY:
        s[0].phase = ANSWER
    elif move < SAY:
        s[0].raised = move == RAISE
        s[0].phase = GUESS
    else:
        s[0].guess = move - SAY + 1
        s[0].phase = END


@cfunc("outcomes")
def hands_outcomes(rules, state, out):
    s, outcomes = carray(state, 1, HANDS)[0], carray(out, 128, strategy.OUTCOME)
    n = 0
    for card in range(3):
        if s.n_dealt == 0 or card != s.card[0]:
            outcomes[n].move = card
            outcomes[n].weight = 1
            n += 1
    return n


@cfunc("sample")
def hands_sample(rules, state, draw):
    s, stream = carray(state, 1, HANDS)[0], carray(draw, 1, strategy.STREAM)
    if s.n_dealt == 0:
        return strategy.below(stream, 3)
    return (s.card[0] + 1 + strategy.below(stream, 2)) % 3


@cfunc("redeal")
def hands_redeal(rules, state, viewer, draw):
    s, stream = carray(state, 1, HANDS), carray(draw, 1, strategy.STREAM)
    if viewer == 1:
        s[0].card[0] = (s[0].card[1] + 1 + strategy.below(stream, 2)) % 3
        return
    if viewer != 0:
        s[0].card[0] = strategy.below(stream, 3)
    s[0].card[1] = (s[0].card[0] + 1 + strategy.below(stream, 2)) % 3


@cfunc("payoff")
def hands_payoff(rules, state, out):
    s, payoffs = carray(state, 1, HANDS)[0], carray(out, 2, np.int32)
    if s.guess == 0:
        payoffs[0], payoffs[1] = 36, 24
        return
    payoffs[0] = 60 if s.guess - 1 == s.card[1] else 0
    payoffs[1] = 20 + 10 * s.raised * (np.int32(s.card[1]) * 2 - 1)   # raising pays from card 1 on


@cfunc("policy")
def hands_random(rules, state, draw):
    s = carray(state, 1, HANDS)[0]
    k = strategy.below(carray(draw, 1, strategy.STREAM), 2)
    if s.phase == BID:
        return STAY + k
    return FOLD + k if s.phase == ANSWER else SAY + (s.card[0] + 1 + k) % 3


@cfunc("key")
def hands_key(rules, state):
    s = carray(state, 1, HANDS)[0]
    return strategy.mix(np.uint64(
        s.card[0] + 4 * s.card[1] + 16 * s.n_dealt + 64 * s.phase + 256 * s.raised
        + 512 * s.guess) + np.uint64(1))


def hands_table():
    """Seat 0 stays (0.6 for it) or plays; then seat 1 folds or raises by its card; seat 0 guesses it.

    Seat 1 does best to fold with card 0 and to raise with 1 and 2, whatever seat 0 holds.  So with
    card 0 seat 0 learns nothing, guesses right half of the time, and should stay; with card 1 or
    2 it learns everything and should play.  Whoever peeks into the hidden hand always plays.
    """
    functions = {
        "turn": hands_turn.address, "n_moves": hands_n_moves.address,
        "nth_move": hands_nth_move.address, "apply": hands_apply.address,
        "outcomes": hands_outcomes.address, "sample": hands_sample.address,
        "redeal": hands_redeal.address, "payoff": hands_payoff.address,
        "summary": no_summary.address, "key": hands_key.address,
        "policies": {"random": hands_random.address},
    }
    return FunctionTable(HANDS.itemsize, 2, functions, hidden=True)


def hands_state(card, other):
    s = np.zeros(1, HANDS)
    s["card"], s["n_dealt"] = (card, other), 2
    return s.tobytes()
