"""Reef's exact questions: what a card scores, and the best plan for a hand.

Functions that compute return small result objects; functions named `*_answer` turn them into an
`Answer`, with the blocks that show it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from oddsmith.kernels.reef_plan import PlanSearch
from oddsmith.solver import soundness
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError, TooLarge, nearest
from oddsmith.solver.games.reef import pictures
from oddsmith.solver.games.reef.notation import (
    COLOR_WORDS,
    COLORS,
    Board,
    Neighbours,
    format_board,
    format_pattern,
    format_piece,
    format_space,
    parse_board,
)
from oddsmith.solver.games.reef.position import (
    UNKNOWN,
    UNLIMITED_SUPPLY,
    Position,
    format_position,
    notes,
    pack_supply,
)
from oddsmith.solver.games.reef.rules import (
    FACTS,
    Card,
    Rules,
    card,
    cards,
    color_letter,
    compiled,
    families,
    resolve,
)
from oddsmith.solver.provenance import answer_about, changed_options

GAME = "reef"
LARGEST_PLAN = 8
NODES_A_SLICE = 1 << 12  # between two looks at the clock and at Ctrl-C


class Unplayable(InputError):
    """Some cards can't all be played with the supply there is."""


class Score(msgspec.Struct, frozen=True):
    """What one card scores on one board.

    Args:
        card: its number.
        count: scoring occurrences (neighbours, for a neighbour card).
        points: count times the printed value.
        cells: the spaces of each of them, by name.
        tallest: for a neighbour card, the stacks whose neighbours score.
        board: the board.
        rules: the rules.
    """

    card: int
    count: int
    points: int
    cells: tuple[tuple[str, ...], ...]
    tallest: tuple[str, ...]
    board: Board
    rules: Rules

    def _repr_html_(self) -> str:
        return score_answer([self])._repr_html_()


class Step(msgspec.Struct, frozen=True):
    """One card of a plan: the coral in the order placed, what it scores, the board after."""

    card: int
    place: tuple[str, ...]
    points: int
    score: Score


class Plan(msgspec.Struct, frozen=True):
    """The best way to play all of some cards.

    Args:
        total: points of the plan.
        steps: the cards in the order played.
        exact: the total is proven the highest possible.
        bound: no plan totals more; equals `total` if exact.
        n_nodes: positions searched; the same question with `max_nodes` set to it gives the same.
        board, rules: as asked.
        supply: coral by colour letter; None = unlimited.
    """

    total: int
    steps: tuple[Step, ...]
    exact: bool
    bound: int
    n_nodes: int
    board: Board
    rules: Rules
    supply: dict[str, int] | None

    def _repr_html_(self) -> str:
        return plan_answer(self)._repr_html_()


def _as_board(board: Board | str, rules: Rules) -> Board:
    if isinstance(board, str):
        return parse_board(board, rules.stack_limit)
    highest = max(len(stack) for stack in board.stacks)
    if highest > rules.stack_limit:
        raise InputError(f"a stack has {highest} pieces",
                         why=f"the stack limit is {rules.stack_limit}")
    return board


def distinct_cards(numbers: Sequence[object]) -> list[Card]:
    """The cards with these numbers.

    Raises:
        InputError: an unknown card, or one named twice.
    """
    found: list[Card] = []
    for number in numbers:
        one = card(number)
        if one in found:
            raise InputError(f"card {one.number} is named twice", why="every card exists once")
        found.append(one)
    return found


def score(board: Board | str, number: int | str, rules: Rules | None = None) -> Score:
    """What a card scores on a board.

    Args:
        board: a Board, or its notation.
        number: the card, 1..60.
        rules: default: the printed rules.

    Raises:
        InputError: a bad board or card.

    >>> score("r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g", 17).points
    1
    """
    rules = rules or Rules()
    board, one = _as_board(board, rules), card(number)
    kernel, _ = compiled(rules)
    bits = board.bits
    found = kernel.occurrences(bits, one.index)
    return Score(
        one.number, len(found), one.points * len(found),
        tuple(tuple(format_space(space) for space in spaces) for spaces in found),
        tuple(format_space(space) for space in kernel.tallest(bits, one.index)),
        board, rules,
    )


def best_placement(
    board: Board, one: Card, rules: Rules, supply: int = UNLIMITED_SUPPLY
) -> Step | None:
    """The placement after which a card scores most; None where it can't be played."""
    _, planner = compiled(rules)
    found = planner.best_placement(board.bits, one.index, supply)
    if found is None:
        return None
    _, pieces, _, _ = found
    return _step(board, one, pieces, rules)


def _step(board: Board, one: Card, pieces: tuple[tuple[int, int], ...], rules: Rules) -> Step:
    scored = score(board.placed(pieces), one.number, rules)
    return Step(one.number, tuple(format_piece(piece) for piece in pieces), scored.points, scored)


def plan(
    board: Board | str,
    numbers: Sequence[int | str],
    rules: Rules | None = None,
    *,
    supply: dict[str, int] | None = None,
    max_nodes: int | None = None,
    seconds: float | None = None,
    stop: Callable[[PlanSearch], bool] | None = None,
) -> Plan:
    """Play all the given cards, in the best order and with the best placements.

    Args:
        board: a Board, or its notation.
        numbers: 1 to 8 different cards.
        rules: default: the printed rules.
        supply: coral left of each colour, by its letter, 0 to 60; None = unlimited.
        max_nodes, seconds: budgets; when one ends first the plan is the best one known and
            `bound` what no plan can beat.
        stop: called between slices of the search; return True to end it there.

    Raises:
        InputError: a bad board, card or supply, or cards that can't all be played.
        TooLarge: more than 8 cards.

    >>> plan("r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g", [17, 4]).total
    6
    """
    rules = rules or Rules()
    board, hand = _as_board(board, rules), distinct_cards(numbers)
    if not hand:
        raise InputError("a plan needs at least one card", hint="name the cards after the board")
    if len(hand) > LARGEST_PLAN:
        raise TooLarge(
            f"a plan for {len(hand)} cards", estimate=f"more than 10^{2 * len(hand)} plans",
            hint=f"plan at most {LARGEST_PLAN} cards, the largest hand limit",
        )
    _, planner = compiled(rules)
    packed = UNLIMITED_SUPPLY if supply is None else pack_supply(supply)
    search = PlanSearch(planner, board.bits, tuple(one.index for one in hand), packed)
    started = time.monotonic()
    while not search.done:
        budget = NODES_A_SLICE
        if max_nodes is not None:
            budget = max(1, min(budget, max_nodes - search.nodes))
        search.run(budget)
        if search.total is None:
            continue  # no budget is so small that it ends before the first plan is found
        if max_nodes is not None and search.nodes >= max_nodes:
            break
        if seconds is not None and time.monotonic() - started > seconds:
            break
        if stop is not None and stop(search):
            break
    return _replay(search, board, hand, rules, supply)


def _replay(
    search: PlanSearch, board: Board, hand: list[Card], rules: Rules, supply: dict[str, int] | None
) -> Plan:
    total, bound = search.total, search.bound
    if total is None or bound is None:
        numbers = ", ".join(str(one.number) for one in hand)
        raise Unplayable(
            f"the cards {numbers} can't all be played",
            why="the supply runs short, and short_supply = illegal forbids playing a card whose "
            "coral can't all be supplied",
            hint="plan fewer cards, or --set short_supply=place_available",
        )
    steps, now = [], board
    for k, pieces, _ in search.steps:
        steps.append(_step(now, hand[k], pieces, rules))
        now = steps[-1].score.board
    return Plan(total, tuple(steps), search.done, bound, search.nodes, board, rules, supply)


def seat_of(position: Position, player: int | None) -> int:
    """The seat of a player numbered from 1; None is the player to move.

    Raises:
        InputError: there is no such player.
    """
    if player is None:
        return position.to_move
    if player > len(position.players):
        raise InputError(f"there is no player {player}",
                         why=f"the position has {len(position.players)} players")
    return player - 1


def cards_elsewhere(position: Position, seat: int, chosen: Sequence[Card]) -> str:
    """Which of the cards are not in the player's hand, as an assumption to state; or ""."""
    borrowed = [str(one.number) for one in chosen
                if one.number not in position.players[seat].hand]
    return f"as if player {seat + 1} also held {', '.join(borrowed)}" if borrowed else ""


def hand_of(position: Position, seat: int | None = None) -> list[int]:
    """The known cards of a player's hand (default: the player to move).

    Raises:
        InputError: the hand is empty or holds a card that is not known.
    """
    seat = position.to_move if seat is None else seat
    hand = position.players[seat].hand
    if UNKNOWN in hand:
        raise InputError(f"the hand of player {seat + 1} holds an unknown card",
                         why="without knowing it the hand can't be judged",
                         hint="write their numbers in the file, or choose another --player")
    if not hand:
        raise InputError(f"the hand of player {seat + 1} is empty", hint="choose another --player")
    return list(hand)


def plan_position(position: Position, seat: int | None = None, **budget: Any) -> Plan:
    """`plan` for a player's hand, board and supply (default: the player to move)."""
    seat = position.to_move if seat is None else seat
    return plan(position.players[seat].board, hand_of(position, seat), position.rules,
                supply=position.supply, **budget)


# Answers ---------------------------------------------------------------------------------------


def _printed(rules: Rules) -> Rules:
    return resolve(Rules(players=rules.players))


def rules_assumptions(rules: Rules) -> tuple[str, ...]:
    """Which options differ from the printed rules, for the assumptions of an answer."""
    return changed_options(resolve(rules), _printed(rules))


def make_answer(question: str, title: str, value: Any, rules: Rules, **more: Any) -> Answer:
    """An exact Answer of this game; `more` overrides any field."""
    return answer_about(GAME, question, title, value, resolve(rules), _printed(rules), FACTS,
                        **more)


def score_answer(scores: Sequence[Score], command: str = "") -> Answer:
    """What some cards score on one board; at least one Score."""
    board, rules = scores[0].board, scores[0].rules
    value = []
    for one in scores:
        row: dict[str, Any] = {"card": one.card, "count": one.count, "points": one.points,
                               "cells": [list(spaces) for spaces in one.cells]}
        if isinstance(card(one.card).pattern, Neighbours):
            row["tallest"] = list(one.tallest)
        value.append(row)
    counted = ("all occurrences" if rules.overlap == "overlapping"
               else "the largest number of disjoint occurrences")
    return make_answer(
        "score", "What the cards score", value, rules,
        method=f"{counted}, counted by table look-up over all rotations and places",
        inputs={"board": format_board(board), "cards": [one.card for one in scores]},
        blocks=pictures.score_blocks(scores), command=command,
    )


def plan_answer(found: Plan, command: str = "", note: str = "") -> Answer:
    """A plan with its steps; `note` is one more assumption."""
    value: dict[str, Any] = {
        "total": found.total,
        "steps": [{"card": step.card, "place": list(step.place), "points": step.points}
                  for step in found.steps],
    }
    n_nodes = found.n_nodes
    method = ("branch and bound over all orders and placements, "
              f"{n_nodes:,} position{'s' * (n_nodes != 1)}; ")
    if found.exact:
        method += "proven optimal"
    else:
        value["bound"] = found.bound
        method += f"budget ended: no plan totals more than {found.bound}"
    assumptions = list(rules_assumptions(found.rules))
    if found.supply is None:
        assumptions.append("the supply of coral is unlimited")
    assumptions.append("all the cards are played one after the other, also past the end of a round")
    emptied = _emptied(found)
    if emptied:
        assumptions.append(emptied)
    if note:
        assumptions.append(note)
    title = f"Best plan: {pictures.points_words(found.total)}"
    if not found.exact:
        title = (f"Best plan found: {pictures.points_words(found.total)} "
                 f"(at most {found.bound} are possible)")
    inputs: dict[str, Any] = {"board": format_board(found.board),
                              "cards": sorted(step.card for step in found.steps)}
    if found.supply is not None:
        inputs["supply"] = found.supply
    return make_answer("plan", title, value, found.rules, exact=found.exact, method=method,
                       assumptions=tuple(assumptions), inputs=inputs,
                       blocks=pictures.plan_blocks(found), command=command)


def _emptied(found: Plan) -> str:
    """Which step takes the last coral of a colour, which ends the game's last round."""
    if found.supply is None:
        return ""
    left = dict(found.supply)
    for number, step in enumerate(found.steps, 1):
        for piece in step.place:
            left[piece[0]] -= 1
        gone = [letter for letter in COLORS if left[letter] <= 0]
        if gone and number < len(found.steps):
            words = ", no ".join(COLOR_WORDS[letter] for letter in gone)
            return (f"step {number} leaves no {words} coral in the supply: in a real game that "
                    "round is the last")
    return ""


def board_answer(board: Board) -> Answer:
    """A board alone, to look at."""
    return make_answer("show", "Reef board", format_board(board), Rules(), method="as given",
                       blocks=(pictures.picture(board),))


def show_answer(position: Position, command: str = "", name: str = "") -> Answer:
    """A position with everything that follows from it; `name` tells it from others."""
    value: dict[str, Any] = {
        "to_move": position.to_move + 1,
        "players": [
            {"name": player.name, "score": player.score,
             "hand": [number or "?" for number in player.hand],
             "board": format_board(player.board)}
            for player in position.players
        ],
        "display": list(position.display), "tokens": list(position.tokens),
        "deck_top": position.deck_top, "deck": position.n_deck, "played": list(position.played),
        "supply": {COLOR_WORDS[letter]: left for letter, left in position.supply.items()},
        "passes": position.passes, "finished": position.finished,
    }
    if position.finished:
        from oddsmith.solver.games.reef.engine import final_result  # only here: a small start

        value["result"] = final_result(position)
    title = f"Reef position: {name}" if name else "Reef position"
    blocks = pictures.position_blocks(position, notes(position), value.get("result"))
    return make_answer("show", title, value, position.rules, method="as given", blocks=blocks,
                       inputs={"position": format_position(position)}, command=command)


def check_answer(
    position: Position, faults: Sequence[InputError], command: str = ""
) -> Answer:
    """The faults of a position, and what is odd about it."""
    remarks = notes(position)
    value = {
        "sound": not faults,
        "faults": soundness.told(faults),
        "notes": remarks,
    }
    title = "The position is sound" if not faults else (
        f"{len(faults)} fault{'s' * (len(faults) != 1)} in the position")
    return make_answer("check", title, value, position.rules, method="every check of the manual",
                       sources=(), blocks=soundness.blocks(faults, remarks), command=command,
                       inputs={"position": format_position(position)})


def cards_answer(
    wants: str | None = None, gives: str | None = None, family: str | None = None,
    command: str = "",
) -> Answer:
    """The cards that fit some wishes.

    Args:
        wants: a colour that the pattern asks for (word or letter).
        gives: a colour of its coral.
        family: a pattern family.

    Raises:
        InputError: an unknown colour or family; the nearest is suggested.
    """
    if family is not None and family not in families():
        near = nearest(family, families())
        raise InputError(
            f"`{family}` is not a pattern family", why=f"families are {', '.join(families())}",
            hint=f"did you mean {near}?" if near else "",
        )
    wanted = color_letter(wants) if wants is not None else None
    given = color_letter(gives) if gives is not None else None
    chosen = [
        one for one in cards()
        if (wanted is None or wanted in one.wanted_colors)
        and (given is None or given in one.coral) and (family is None or one.family == family)
    ]
    value = [
        {"card": one.number, "family": one.family, "pattern": format_pattern(one.pattern),
         "points": one.points, "coral": one.coral, "confirmed": one.confirmed}
        for one in chosen
    ]
    return make_answer("cards", f"{len(chosen)} of Reef's {len(cards())} cards", value, Rules(),
                       method="from the card list", assumptions=(),
                       inputs={"wants": wants, "gives": gives, "family": family},
                       blocks=(pictures.cards_block(chosen),), command=command)


NODES_FOR_REPORT = 400_000
"""Budget of each plan in a report: a few seconds; larger plans are shown with their bound."""


def report_answers(position: Position, command: str = "") -> list[Answer]:
    """Everything exact about a position: the position, the hand's plan, what each card is worth."""
    answers = [show_answer(position, command)]
    mover = position.players[position.to_move]
    hand = [number for number in mover.hand if number != UNKNOWN]
    base = None
    if hand and len(hand) == len(mover.hand):
        base = try_plan(position, hand)
        if base is not None:
            answers.append(plan_answer(base, command))
    for title, numbers in (("Hand", tuple(hand)), ("Display", position.display)):
        if numbers:
            answers.append(worth_answer(position, title, numbers, command))
    if base is not None and position.display and len(hand) < LARGEST_PLAN:
        answers.append(addition_answer(position, base, command))
    return answers


def try_plan(position: Position, numbers: Sequence[int]) -> Plan | None:
    """A plan within a report's budget; None where the cards can't all be played."""
    board = position.players[position.to_move].board
    try:
        return plan(board, numbers, position.rules, supply=position.supply,
                    max_nodes=NODES_FOR_REPORT)
    except Unplayable:
        return None


def worth_answer(
    position: Position, title: str, numbers: Sequence[int], command: str = ""
) -> Answer:
    """What each of some cards would score at once, best placed, for the player to move."""
    board = position.players[position.to_move].board
    steps = [
        (number, best_placement(board, card(number), position.rules, position.packed_supply))
        for number in numbers
    ]
    value = [
        {"card": number, "points": step.points if step else None,
         "place": list(step.place) if step else None}
        for number, step in steps
    ]
    heading = f"{title}: what each card scores if played next"
    return make_answer("worth", heading, value, position.rules,
                       method="all placements of its two coral; the best one is shown",
                       inputs={"board": format_board(board), "cards": list(numbers)},
                       blocks=pictures.worth_blocks(steps, heading), command=command)


def addition_answer(position: Position, base: Plan, command: str = "") -> Answer:
    """What each display card would add to the best plan for the hand."""
    rows: list[tuple[int, int | None, int | None]] = []
    value: list[dict[str, Any]] = []
    hand = [step.card for step in base.steps]
    exact = base.exact
    for number in position.display:
        more = try_plan(position, [*hand, number])
        if more is None:
            value.append({"card": number, "adds": None})
            rows.append((number, None, None))
            continue
        low, high = more.total - base.bound, more.bound - base.total
        exact = exact and more.exact
        value.append({"card": number, "adds": low if low == high else [low, high]})
        rows.append((number, low, high))
    return make_answer(
        "addition", "Display: what each card would add to the hand's plan", value, position.rules,
        exact=exact, method="best plan with the card less best plan without it, both "
        + ("proven" if exact else "bounded: a range where the budget ended first"),
        inputs={"board": format_board(base.board), "hand": hand, "supply": base.supply},
        blocks=pictures.addition_blocks(rows), command=command,
    )
