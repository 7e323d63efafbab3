"""Reef: whole games from the deal to the winners, in plain Python.

Written only from the rules page (docs/rules/reef.md), on top of `reef.py` beside this file, which
has patterns, placing, start boards and the final ranking. A game is a chain of immutable States:
`outcomes` and `deal` where a card is turned up, `moves` and `apply` where a player decides. Seat 0
is the owner of the starfish board; the seats follow clockwise. A State knows everything; what is
hidden (`secret`, the order of `deck`) never changes what is legal, only who knows what.

Where the page is silent, these readings hold:

1. "2 cards are dealt to each player": to seat 0, then to seat 1, and so on. The display is dealt
   from left to right, then the top of the deck becomes visible. A hand limit of 1 doesn't touch the
   2 dealt cards: it only makes taking "illegal with 4 cards in hand", or more.
2. "in any arrangement, in seat order": each seat lays out all of its coral before the next one.
   `center`: the colours in the order of COLOURS, each on an empty centre space. `edge`, `free`: a
   colour not yet laid on a space with room, again and again; a stack's order is that of laying.
3. "one of the 3 display cards with every token lying on it": the tokens become points of the taker.
   "the deck's top card replaces it (no refill from an empty deck)": in the same place and without
   tokens; from an empty deck the place disappears, and the cards right of it move up.
4. "first pay 1 point onto the display card with the lowest printed value": the whole cost goes onto
   one card. "Illegal with no points": with fewer points than the cost, so never at a cost of 0.
   Without a display card (none is missing while the deck has cards) the cost is paid onto nothing.
5. "The deck is empty": there is neither a top card nor a card below.
6. "after an action": the ends are looked for after every take and every play. A pass is no action:
   it ends nothing at once, but the last seat's pass finishes the round as any turn does. What can
   happen at once goes before the round. "the round is finished": the game is over when the turn
   would come back to seat 0. The round counts from seat 0, laying out the start coral doesn't.
7. When the game is over, no further card is turned up, even where the last action took the top.
8. "No legal action: pass": if all pass in a row, nothing can ever change: the game is over and
   scored as it stands.
"""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeVar

from . import reef
from .reef import CARDS, COLOURS, FIRED, Board, Placement, Rules

OPENING_HAND = 2
LAYOUTS = {"center": reef.CENTRE_SPACES, "edge": reef.EDGE_SPACES, "free": reef.ALL_SPACES}
# By the option `end`: the triggers that end the game at once. The other ones finish the round.
AT_ONCE = {"deck_at_once": ("deck",), "finish_round": (), "immediate": ("deck", "supply")}

StartMove = tuple[Literal["start"], str, int]  # a colour letter and a space
TakeMove = tuple[Literal["take"], int]  # a place in the display
DrawMove = tuple[Literal["draw"], int | None]  # the place in the display that receives the payment
PlayMove = tuple[Literal["play"], int, Placement]  # a card and where its coral goes
Move = StartMove | TakeMove | DrawMove | PlayMove | tuple[Literal["pass"]]
Supply = tuple[int, ...]  # in the order of COLOURS
Listed = dict[Placement, tuple[Board, Supply]]  # the board and the supply after each placement
T = TypeVar("T")

# The rule ids that whole games add to those of reef.py, counted in the same FIRED. Option values as
# there: how often another value would have given another answer.
RULE_IDS: tuple[str, ...] = (
    *(f"option.start_points.{points}" for points in range(21)),  # "Each player gets 3 points"
    *("deal.opening_hand", "deal.secret"),  # "2 cards are dealt to each player, secret"
    "layout.seat_order",  # "in seat order" (the next seat's turn to lay out)
    "layout.before_display",  # "before deck or display is seen" (all laid out: now the display)
    *("deal.deck_top", "deal.display"),  # "The deck is laid face **up**; 3 cards are displayed"
    *(f"option.display_size.{size}" for size in range(1, 7)),  # "3 (1–6)" (so many, no more)
    "known.taken_card",  # "Every taken card is known to all" (one more known card in a hand)
    "known.opening_card",  # "hidden are only the opening hands" (one of them is played: known)
    "known.next_top",  # "The next card becomes visible"; "The top card of the deck is always known"
    "cards.no_return",  # "Played cards don't return" (the deck runs out, and there are such cards)
    *("turn.clockwise", "turn.next_round"),  # "the starfish board's owner starts, then clockwise"
    "turn.exactly_one",  # "Turn: exactly one of" (taking and playing are both legal)
    "take.hand_limit",  # "illegal with 4 cards in hand" (there was something to take)
    *(f"option.hand_limit.{limit}" for limit in range(1, 9)),  # "4 (1–8)" (so many: refused)
    *("take.display", "take.tokens"),  # "one of the 3 display cards with every token lying on it"
    *("take.refill", "take.no_refill"),  # "replaces it (no refill from an empty deck)"
    *("draw.top", "draw.payment"),  # "the deck's top card: first pay 1 point onto the display card"
    "draw.lowest",  # "with the lowest printed value" (another card isn't to be paid onto)
    *(f"option.deck_draw_target_tie.{value}" for value in ("choose", "leftmost")),  # "(a tie: ...)"
    "draw.no_points",  # "Illegal with no points"
    *(f"option.deck_draw_cost.{cost}" for cost in range(6)),  # "1 (0–5)" (paid, or can't be paid)
    "play.discard",  # "Play a card: discard it"
    *("play.score", "play.scoring_nothing"),  # "then score [...]"; "scoring nothing is allowed"
    *("pass", "end.all_passed"),  # "No legal action: pass." (all in a row: nothing can change)
    *("end.supply", "end.deck"),  # "A colour's supply is empty [...]"; "The deck is empty" (newly)
    "end.at_once",  # "the game ends at once"
    *("end.round_goes_on", "end.round_finished"),  # "so that all have had equally many turns"
    *(f"option.end.{value}" for value in AT_ONCE),  # "both triggers finish the round; [...]"
    "end.hand_cards",  # "every card left in hand scores at most one occurrence" (it scores)
)


@dataclass(frozen=True)
class State:
    """A point of a game, seen with all cards open.

    While hands are dealt, `to_move` is the seat that gets the next card. `deck` holds the cards
    below the top (while hands and display are dealt: all cards not dealt yet). When the game is
    over, `to_move` is the seat that would be next.
    """

    rules: Rules
    phase: str  # "hands", "start", "display", "play", "over"
    boards: tuple[Board, ...]
    supply: Supply
    scores: tuple[int, ...]
    hands: tuple[frozenset[int], ...]
    secret: tuple[frozenset[int], ...]  # the cards of the hand that only its owner knows
    deck: frozenset[int]
    deck_top: int | None = None
    display: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()  # on each display card
    played: frozenset[int] = frozenset()
    to_move: int = 0
    passes: int = 0  # in a row


def new_game(rules: Rules) -> State:
    """The table before any card is dealt: "Each player gets 3 points"."""
    FIRED[f"option.start_points.{rules.start_points}"] += 1
    after_layouts = reef.start_supply(rules)
    nothing: frozenset[int] = frozenset()
    return State(
        rules=rules,
        phase="hands",
        boards=(("",) * len(reef.ALL_SPACES),) * rules.players,
        supply=tuple(after_layouts[colour] + rules.players for colour in COLOURS),
        scores=(rules.start_points,) * rules.players,
        hands=(nothing,) * rules.players,
        secret=(nothing,) * rules.players,
        deck=frozenset(CARDS),
    )


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with another value at this index."""
    return (*values[:index], value, *values[index + 1 :])


# Chance: one card at a time


def is_chance(state: State) -> bool:
    """Whether a card is dealt next. In play: "The next card becomes visible", if there is one."""
    if state.phase == "play":
        return state.deck_top is None and bool(state.deck)
    return state.phase in ("hands", "display")


def outcomes(state: State) -> list[tuple[int, int]]:
    """The cards that can come next with their weights: all of the deck, equally likely."""
    if not is_chance(state):
        raise ValueError("no card is turned up here")
    return [(card, 1) for card in sorted(state.deck)]


def deal(state: State, card: int) -> State:
    """The state after this card has come up, in the order of reading 1."""
    if not is_chance(state) or card not in state.deck:
        raise ValueError(f"card {card} can't come up here")
    state = replace(state, deck=state.deck - {card})
    if state.phase == "hands":
        return deal_to_hand(state, card)
    if state.phase == "display" and len(state.display) < state.rules.display_size:
        FIRED["deal.display"] += 1
        return replace(state, display=(*state.display, card), tokens=(*state.tokens, 0))
    if state.phase == "display":
        FIRED["deal.deck_top"] += 1
        FIRED[f"option.display_size.{state.rules.display_size}"] += 1
    else:
        FIRED["known.next_top"] += 1
    return replace(state, phase="play", deck_top=card)


def deal_to_hand(state: State, card: int) -> State:
    """ "2 cards are dealt to each player, secret"."""
    seat = state.to_move
    FIRED["deal.secret"] += 1
    hands = put(state.hands, seat, state.hands[seat] | {card})
    state = replace(state, hands=hands, secret=hands)
    if len(hands[seat]) < OPENING_HAND:
        return state
    FIRED["deal.opening_hand"] += 1
    if seat + 1 < state.rules.players:
        return replace(state, to_move=seat + 1)
    return replace(state, phase="start", to_move=0)


# Decisions: what is legal, kind by kind (nothing where the seat to move has no such decision)


def acting(state: State) -> bool:
    """Whether the seat to move is at its turn of the game proper."""
    return state.phase == "play" and not is_chance(state)


def starts(state: State) -> list[StartMove]:
    """The ways to lay the next start coral: see reading 2. The stack limit holds for it too."""
    if state.phase != "start":
        return []
    board, layout = state.boards[state.to_move], state.rules.start_layout
    colours = [colour for colour in COLOURS if colour not in "".join(board)]
    limit = state.rules.stack_limit
    if layout == "center":  # "one on each of the 4 centre spaces"
        colours, limit = colours[:1], 1
    spaces = [space for space in LAYOUTS[layout] if len(board[space]) < limit]
    FIRED[f"option.start_layout.{layout}"] += 1
    FIRED["start.stack_limit"] += layout != "center" and len(spaces) < len(LAYOUTS[layout])
    return [("start", colour, space) for colour in colours for space in spaces]


def hand_is_full(state: State) -> bool:
    """ "Take a card (illegal with 4 cards in hand)": of the display as of the deck."""
    limit = state.rules.hand_limit
    full = len(state.hands[state.to_move]) >= limit
    if full and (state.display or state.deck_top is not None):
        FIRED["take.hand_limit"] += 1
        FIRED[f"option.hand_limit.{limit}"] += 1
    return full


def takes(state: State) -> list[TakeMove]:
    """Taking "one of the 3 display cards"."""
    if not acting(state) or hand_is_full(state):
        return []
    return [("take", place) for place in range(len(state.display))]


def draws(state: State) -> list[DrawMove]:
    """ "the deck's top card: first pay 1 point onto the display card [...]"; None: onto no card."""
    if not acting(state) or state.deck_top is None or hand_is_full(state):
        return []
    cost = state.rules.deck_draw_cost
    FIRED[f"option.deck_draw_cost.{cost}"] += 1
    if state.scores[state.to_move] < cost:
        FIRED["draw.no_points"] += 1
        return []
    if cost == 0 or not state.display:
        return [("draw", None)]
    values = [CARDS[card].points for card in state.display]
    lowest = [place for place, value in enumerate(values) if value == min(values)]
    FIRED["draw.lowest"] += len(lowest) < len(values)
    FIRED[f"option.deck_draw_target_tie.{state.rules.deck_draw_target_tie}"] += len(lowest) > 1
    if state.rules.deck_draw_target_tie == "leftmost":
        lowest = lowest[:1]
    return [("draw", place) for place in lowest]


def plays(state: State, card: int) -> Listed:
    """Every way to place the coral of this card of the hand."""
    if not acting(state) or card not in state.hands[state.to_move]:
        return {}
    return canonical(state.boards[state.to_move], card, state.supply, state.rules)


@lru_cache(maxsize=64)
def canonical(board: Board, card: int, supply: Supply, rules: Rules) -> Listed:
    """Of the placements with the same result one, with that result.

    Equal coral on ascending spaces, different coral in the order of the card. ("both may go on one
    space, in either order": two results.) Cached, so that applying a move doesn't list all again.
    """
    coral = CARDS[card].coral
    listed = {}
    stock = dict(zip(COLOURS, supply, strict=True))
    for (after, left), same in reef.placements(board, CARDS[card], stock, rules).items():
        assert left is not None  # only an unlimited supply is
        first = min(same, key=lambda drops: [(coral.index(each), space) for each, space in drops])
        listed[first] = after, left
    return listed


def moves(state: State) -> list[Move]:
    """Every legal move, ("pass",) where there is no other one; none at chance and when over."""
    found: list[Move] = [*starts(state), *takes(state), *draws(state)]
    for card in sorted(state.hands[state.to_move]):
        found += [("play", card, placement) for placement in sorted(plays(state, card))]
    FIRED["turn.exactly_one"] += len({move[0] == "play" for move in found}) == 2
    if acting(state) and not found:
        FIRED["pass"] += 1
        return [("pass",)]
    return found


# Decisions: what a move does


def apply(state: State, move: Move) -> State:
    """The state after the move of the seat to move; a ValueError where it isn't legal."""
    match move:
        case ("start", colour, space) if move in starts(state):
            return lay(state, colour, space)
        case ("take", place) if move in takes(state):
            return end_turn(state, take_from_display(state, place))
        case ("draw", place) if move in draws(state):
            return end_turn(state, draw_from_deck(state, place))
        case ("play", card, placement) if placement in (results := plays(state, card)):
            return end_turn(state, play(state, card, *results[placement]))
        case ("pass",) if move in moves(state):
            return end_turn(state, state, passed=True)
    raise ValueError(f"illegal in phase {state.phase}: {move}")


def lay(state: State, colour: str, space: int) -> State:
    """A coral "**from the supply**" onto the seat's board; its last one: on to the next seat."""
    seat, board, index = state.to_move, state.boards[state.to_move], COLOURS.index(colour)
    FIRED["start.stacking"] += board[space] != ""
    board = put(board, space, board[space] + colour)
    supply = put(state.supply, index, state.supply[index] - 1)
    state = replace(state, boards=put(state.boards, seat, board), supply=supply)
    if len("".join(board)) < len(COLOURS):
        return state
    if seat + 1 < state.rules.players:
        FIRED["layout.seat_order"] += 1
        return replace(state, to_move=seat + 1)
    FIRED["layout.before_display"] += 1
    return replace(state, phase="display", to_move=0)


def to_hand(state: State, card: int, points: int) -> State:
    """The seat gets the card, not secret ("Every taken card is known to all"), and the points."""
    FIRED["known.taken_card"] += 1
    seat = state.to_move
    hands = put(state.hands, seat, state.hands[seat] | {card})
    return replace(state, hands=hands, scores=put(state.scores, seat, state.scores[seat] + points))


def take_from_display(state: State, place: int) -> State:
    """The card and "every token lying on it"; the deck's top or nothing in its place."""
    top = () if state.deck_top is None else (state.deck_top,)
    FIRED["take.display"] += 1
    FIRED["take.tokens"] += state.tokens[place] > 0
    FIRED["take.refill" if top else "take.no_refill"] += 1
    return replace(
        to_hand(state, state.display[place], state.tokens[place]),
        display=(*state.display[:place], *top, *state.display[place + 1 :]),
        tokens=(*state.tokens[:place], *(0 for _ in top), *state.tokens[place + 1 :]),
        deck_top=None,
    )


def draw_from_deck(state: State, place: int | None) -> State:
    """The payment ("Points are a plain score that can be spent"), then "the deck's top card"."""
    assert state.deck_top is not None
    FIRED["draw.top"] += 1
    cost = state.rules.deck_draw_cost
    after = replace(to_hand(state, state.deck_top, -cost), deck_top=None)
    if place is None:
        return after
    FIRED["draw.payment"] += 1
    return replace(after, tokens=put(state.tokens, place, state.tokens[place] + cost))


def play(state: State, card: int, board: Board, supply: Supply) -> State:
    """ "discard it, take its 2 coral from the supply, place [...], then score its pattern"."""
    seat = state.to_move
    FIRED["play.discard"] += 1
    FIRED["known.opening_card"] += card in state.secret[seat]
    _, points = reef.score(board, CARDS[card], state.rules)
    FIRED["play.score" if points else "play.scoring_nothing"] += 1
    return replace(
        state,
        boards=put(state.boards, seat, board),
        supply=supply,
        scores=put(state.scores, seat, state.scores[seat] + points),
        hands=put(state.hands, seat, state.hands[seat] - {card}),
        secret=put(state.secret, seat, state.secret[seat] - {card}),
        played=state.played | {card},
    )


# The end


def run_out(state: State) -> set[str]:
    """The triggers of the end that hold: "A colour's supply is empty", "The deck is empty"."""
    holds = {"supply": 0 in state.supply, "deck": state.deck_top is None and not state.deck}
    return {trigger for trigger in holds if holds[trigger]}


def ending(end: str, empty: set[str], passed: bool, last_seat: bool) -> str:
    """What the triggers do under this value of the option `end`, as a rule id: see reading 6."""
    if not passed and empty.intersection(AT_ONCE[end]):
        return "end.at_once"
    if empty.difference(AT_ONCE[end]):
        return "end.round_finished" if last_seat else "end.round_goes_on"
    return ""


def end_turn(before: State, after: State, passed: bool = False) -> State:
    """On to the next seat, or over: see readings 5 to 8."""
    rules, empty = after.rules, run_out(after)
    for trigger in empty - run_out(before):
        FIRED[f"end.{trigger}"] += 1
        FIRED["cards.no_return"] += trigger == "deck" and bool(after.played)
    following = (after.to_move + 1) % rules.players
    FIRED["turn.clockwise"] += 1
    FIRED["turn.next_round"] += following == 0
    found = {end: ending(end, empty, passed, following == 0) for end in AT_ONCE}
    ends = {end for end in AT_ONCE if found[end] in ("end.at_once", "end.round_finished")}
    over = rules.end in ends
    FIRED[f"option.end.{rules.end}"] += 0 < len(ends) < len(AT_ONCE)
    if found[rules.end]:
        FIRED[found[rules.end]] += 1
    passes = after.passes + 1 if passed else 0
    all_passed = passes == rules.players and not over
    FIRED["end.all_passed"] += all_passed
    phase = "over" if over or all_passed else "play"
    return replace(after, phase=phase, to_move=following, passes=passes)


def final_scores(state: State) -> tuple[int, ...]:
    """The scores with the hands: "every card left in hand scores [...], without placing coral"."""
    if state.phase != "over":
        raise ValueError("the game isn't over")
    totals = []
    for board, hand, points in zip(state.boards, state.hands, state.scores, strict=True):
        in_hand = [reef.hand_score(board, CARDS[card], state.rules) for card in hand]
        FIRED["end.hand_cards"] += any(in_hand)
        totals.append(points + sum(in_hand))
    return tuple(totals)


def winners(state: State) -> list[int]:
    """The seats that win: "Most points wins; tie: more empty spaces; [...]; then shared"."""
    return reef.final_ranking(state.boards, final_scores(state), state.rules)


def payoff(state: State) -> tuple[Fraction, ...]:
    """Each seat's share of the win."""
    best = winners(state)
    return tuple(Fraction(seat in best, len(best)) for seat in range(state.rules.players))


def step(state: State, choice: Move | int) -> State:
    """The state after a card has come up or a move has been made."""
    return deal(state, choice) if isinstance(choice, int) else apply(state, choice)


def random_playout(rules: Rules, rng: random.Random) -> list[tuple[State, Move | int]]:
    """A game of random choices: each state with the card or the move that followed.

    Moves are uniform over those listed, cards over the deck. `step` of the last entry is the end.
    """
    state, record = new_game(rules), []
    while state.phase != "over":
        cards = [card for card, _ in outcomes(state)] if is_chance(state) else []
        choice: Move | int = rng.choice(cards or moves(state))
        record.append((state, choice))
        state = step(state, choice)
    return record
