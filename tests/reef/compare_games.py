"""Comparing whole games of the compiled Reef with the plain reference, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache

from oddsmith.solver.games import reef
from oddsmith.solver.games.reef import engine
from tests.reef.compare import random_board
from tests.reference import reef as scoring
from tests.reference import reef_game as reference

COLORS = "rygp"
OPTIONS = {
    "players": (2, 2, 3, 4),
    "supply_per_color": (None, None, 5, 6, 8, 10, 14, 60),
    "start_layout": ("center", "edge", "free"),
    "stack_limit": (4, 4, 1, 2, 3, 5, 6, 7, 8),
    "hand_limit": (4, 4, 1, 2, 3, 5, 6, 7, 8),
    "deck_draw_cost": (1, 1, 0, 2, 3, 4, 5),
    "start_points": (3, 3, *range(21)),
    "display_size": (3, 3, 1, 2, 4, 5, 6),
    "deck_draw_target_tie": ("choose", "leftmost"),
    "tallest_tie": ("best", "all"),
    "short_supply": ("place_available", "illegal"),
    "overlap": ("disjoint", "overlapping"),
    "end": ("deck_at_once", "finish_round", "immediate"),
    "hand_scoring": ("once", "full", "none"),
    "hand_scoring_neighbor": ("one", "all"),
    "tie_break": ("empty", "covered"),
}
PHASES = {"hands": engine.DEAL_HANDS, "start": engine.START, "display": engine.DEAL_DISPLAY,
          "play": engine.PLAY, "over": engine.FINISHED}


def random_options(draw):
    return {name: draw.choice(values) for name, values in OPTIONS.items()}


@lru_cache(maxsize=4096)
def bits_of(board):
    return reef.Board(board).bits


def fields_of(state):
    """A reference state as the kernel's `unpack` would tell it; hands and turns left out."""
    phase = PHASES[state.phase]
    if state.phase == "play" and state.deck_top is None and state.deck:
        phase = engine.DEAL_TOP
    return {
        "phase": phase, "to_move": state.to_move, "passes": state.passes,
        "boards": [bits_of(board) for board in state.boards],
        "scores": list(state.scores),
        "hands": [sorted(card - 1 for card in hand) for hand in state.hands],
        "secret": [sorted(card - 1 for card in hand) for hand in state.secret],
        "display": [card - 1 for card in state.display], "tokens": list(state.tokens),
        "top": None if state.deck_top is None else state.deck_top - 1,
        "deck": sorted(card - 1 for card in state.deck),
        "played": sorted(card - 1 for card in state.played),
        "supply": sum(count << (8 * k) for k, count in enumerate(state.supply)),
    }


def told(table, state):
    fields = table.unpack(state)
    fields.pop("turns")
    fields["hands"] = [sorted(hand) for hand in fields["hands"]]
    return fields


def kernel_code(move):
    """A reference move as a code of the kernel."""
    match move:
        case ("start", color, space):
            return engine.encode(engine.Move(engine.PUT_START,
                                             pieces=((COLORS.index(color), space),)))
        case ("take", place):
            return engine.encode(engine.Move(engine.TAKE, place=place))
        case ("draw", place):
            return engine.encode(engine.Move(engine.DRAW, place=place))
        case ("play", card, placement):
            pieces = tuple((COLORS.index(color), space) for color, space in placement)
            return engine.encode(engine.Move(engine.PLAY_CARD, card=card, pieces=pieces))
    return engine.encode(engine.Move(engine.PASS))


def plain_move(code):
    """The reference's name for a code of the kernel: `kernel_code` the other way."""
    move = engine.decode(code)
    pieces = tuple((COLORS[color], space) for color, space in move.pieces)
    match move.kind:
        case engine.PUT_START:
            return ("start", *pieces[0])
        case engine.TAKE:
            return ("take", move.place)
        case engine.DRAW:
            return ("draw", move.place)
        case engine.PLAY_CARD:
            return ("play", move.card, pieces)
    return ("pass",)


def plain_apply(plain, move):
    """The reference's state after a move; of a play it checks that placement alone, not all."""
    if move[0] != "play":
        return reference.apply(plain, move)
    _, card, placement = move
    colors, rules = [color for color, _ in placement], plain.rules
    stock = dict(zip(COLORS, plain.supply, strict=True))
    given, _ = scoring.take(scoring.CARDS[card].coral, stock)
    room = sum(rules.stack_limit - len(stack) for stack in plain.boards[plain.to_move])
    assert len(colors) == min(room, len(given)) and not Counter(colors) - Counter(given), move
    _, left = scoring.take(colors, stock)
    board = scoring.place(plain.boards[plain.to_move], placement, rules)
    assert board is not None, move
    return reference.end_turn(plain, reference.play(plain, card, board, left))


def compare_games(seed: int, n: int, listed: float = 1.0, rounds: int = 1) -> Counter[str]:
    """At least n decisions of random games under random options.

    At a share `listed` of the decisions all moves are compared; everywhere the one that is made,
    which the reference accepts or refuses by its own rules, and the state after it.  Each choice of
    options is played so many rounds (compiling it takes as long as dozens of decisions).
    """
    scoring.FIRED.clear()
    draw = random.Random(seed)
    compared = 0
    while compared < n:
        options = random_options(draw)
        rules, plain_rules = reef.Rules(**options), scoring.Rules(**options)
        table = engine.table(rules)
        for _ in range(rounds):
            # Random play mostly plays cards; some games rather take, so that hands and decks run
            # out.
            taste = draw.choice((0, 0, 0.5, 0.9, 0.97))
            start = table.new_game(), reference.new_game(plain_rules)
            compared += compare_one_game(table, *start, draw, taste, listed)
            for _ in range(3):  # and some games that are nearly over
                late = late_state(plain_rules, draw)
                compared += compare_one_game(table, table.pack(fields_of(late)), late, draw, taste,
                                             listed)
    return Counter(scoring.FIRED) + Counter({"decisions": compared})


def late_state(rules, draw):
    """A made-up position near the end: boards nearly full, little coral, few cards left."""
    cards = draw.sample(range(1, 61), 60)
    boards = [random_board(draw, rules.stack_limit, draw.randint(0, 4))
              for _ in range(rules.players)]
    hands = [frozenset(cards.pop() for _ in range(draw.randint(0, rules.hand_limit)))
             for _ in range(rules.players)]
    display = tuple(cards.pop() for _ in range(draw.randint(0, rules.display_size)))
    top, deck = None, frozenset()
    if len(display) == rules.display_size:
        top = cards.pop()
        deck = frozenset(cards.pop() for _ in range(draw.choice((0, 1, 2, 9))))
    state = reference.State(
        rules=rules, phase="play", boards=tuple(boards),
        supply=tuple(draw.choice((1, 1, 2, 5)) for _ in COLORS),
        scores=tuple(draw.choice((0, 0, 1, 7)) for _ in boards), hands=tuple(hands),
        secret=(frozenset(),) * rules.players, deck=deck, deck_top=top, display=display,
        tokens=tuple(draw.choice((0, 0, 2)) for _ in display), played=frozenset(cards),
        to_move=draw.randrange(rules.players),
    )
    over = top is None and (rules.end != "finish_round" or state.to_move == 0)
    return late_state(rules, draw) if over else state


def compare_one_game(table, state, plain, draw, taste, listed):
    """The decisions of one game; a difference is told with the position in which it showed."""
    n_decisions, seen = 0, [plain]
    try:
        n_decisions = follow_game(table, state, draw, taste, listed, seen)
    except (AssertionError, ValueError) as error:
        raise AssertionError(f"{error} in {seen[0].rules} {seen[0]}") from error
    return n_decisions


def follow_game(table, state, draw, taste, listed, seen):
    """`seen` holds the reference's state, for the message of a failure."""
    n_decisions = 0
    while True:
        plain = seen[0]
        assert told(table, state) == fields_of(plain)
        if reference.is_chance(plain):
            expected = reference.outcomes(plain)
            found = table.outcomes(state)
            assert table.turn(state) == engine.CHANCE
            assert sorted((engine.decode(code).card, weight) for code, weight in found) == sorted(
                expected)
            card, _ = draw.choice(expected)
            seen[0] = reference.deal(plain, card)
            state = table.apply(state, engine.encode(engine.Move(engine.DEAL, card=card)))
            continue
        if plain.phase == "over":
            break
        assert table.turn(state) == plain.to_move
        codes, complete = table.moves(state), draw.random() < listed
        if complete:
            assert len(set(codes)) == len(codes) == table.n_moves(state)
            assert set(codes) == set(map(kernel_code, reference.moves(plain)))
        n_decisions += len(codes) > 1
        if draw.random() < taste:
            codes = [code for code in codes if code & 0xFF in (engine.TAKE, engine.DRAW)] or codes
        code = draw.choice(codes)
        seen[0] = (reference.apply if complete else plain_apply)(plain, plain_move(code))
        state = table.apply_unchecked(state, code)
    assert table.turn(state) == engine.OVER
    assert [60 * share for share in reference.payoff(plain)] == table.payoff(state)
    assert table.summary(state)[: plain.rules.players] == list(reference.final_scores(plain))
    return n_decisions


def compare_endings(seed: int, n: int) -> Counter[str]:
    """n finished positions with close scores: winners and payoffs."""
    scoring.FIRED.clear()
    draw = random.Random(seed)
    for _ in range(n):
        options = random_options(draw)
        rules, plain_rules = reef.Rules(**options), scoring.Rules(**options)
        stacks = [stack[: rules.stack_limit] for stack in ("", "r", "yg", "rrrr", "ggggg")]
        kinds = [tuple(draw.choice(stacks) for _ in range(16)) for _ in range(2)]
        boards = [tuple(draw.sample(draw.choice(kinds), 16)) for _ in range(rules.players)]
        scores = [draw.choice((20, 20, 20, 21)) for _ in range(rules.players)]
        cards = draw.sample(range(60), 2 * rules.players)
        hands = [cards[2 * seat :][: draw.choice((0, 0, 1, 2))] for seat in range(rules.players)]
        table = engine.table(rules)
        state = table.pack({
            "boards": [reef.Board(board).bits for board in boards], "scores": scores,
            "hands": hands, "secret": [[]] * rules.players, "deck": [], "played": [],
            "supply": 0, "top": None, "display": [], "tokens": [], "to_move": 0, "passes": 0,
        })
        for seat, hand in enumerate(hands):
            scores[seat] += sum(scoring.hand_score(boards[seat], scoring.CARDS[card + 1],
                                                   plain_rules) for card in hand)
        winners = scoring.final_ranking(boards, scores, plain_rules)
        question = f"{boards} {scores} {options}"
        assert table.turn(state) == engine.OVER, question
        assert table.summary(state)[: rules.players] == scores, question
        assert table.payoff(state) == [
            60 // len(winners) if seat in winners else 0 for seat in range(rules.players)
        ], question
    return Counter(scoring.FIRED)
