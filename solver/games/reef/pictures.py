"""How Reef's answers look: blocks of boards, tables and bars (no output is made here)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oddsmith.solver.answer import Bars, Block, Boards, Cell, Table, Text
from oddsmith.solver.answer import Board as Picture
from oddsmith.solver.games.reef.notation import (
    COLOR_WORDS,
    COLUMN_NAMES,
    ROW_NAMES,
    SIZE,
    SPACES,
    Board,
    describe_pattern,
    format_board,
    format_pattern,
    parse_space,
)
from oddsmith.solver.games.reef.position import UNKNOWN, Position
from oddsmith.solver.games.reef.rules import Card, card

if TYPE_CHECKING:
    from oddsmith.solver.games.reef.questions import Plan, Score, Step


KEY = Text(body="#1, #2, ...: the scoring occurrences; 2x: a space used by two of them; "
           "+1, +2: the coral just placed, in order.")


def picture(
    board: Board, title: str = "", groups: Sequence[Sequence[str]] = (),
    marks: Sequence[str] = (),
) -> Picture:
    """A board as a picture.

    Args:
        board: the reef.
        title: a caption.
        groups: spaces (by name) to outline together, the first group numbered 1.
        marks: spaces (by name) where the 1st, 2nd, ... coral was just placed.
    """
    group_of = [0] * SPACES
    mark_of = [""] * SPACES
    uses = Counter(parse_space(name) for spaces in groups for name in spaces)
    if all(n == 1 for n in uses.values()):
        for number, spaces in enumerate(groups, 1):
            for name in spaces:
                group_of[parse_space(name)] = number
    else:  # overlapping occurrences can't be outlined: say how often each space is used
        for space, n in uses.items():
            mark_of[space] = f"{n}x"
    for number, name in enumerate(marks, 1):
        space = parse_space(name)
        mark_of[space] += f"+{number}"
    cells = tuple(
        tuple(
            Cell(board.stacks[space], mark_of[space], group_of[space])
            for space in range(row * SIZE, row * SIZE + SIZE)
        )
        for row in range(SIZE)
    )
    alt = f"Reef board {format_board(board)}"
    if groups:
        alt += "; scoring: " + "; ".join(" ".join(spaces) for spaces in groups)
    if marks:
        alt += "; placed on " + ", ".join(marks)
    return Picture(cells, COLOR_WORDS, COLUMN_NAMES, ROW_NAMES, title=title, alt=alt)


def points_words(n: int) -> str:
    """`1 point`, `2 points`."""
    return f"{n} point{'s' * (n != 1)}"


def coral_words(one: Card) -> str:
    """The coral a card brings, in words."""
    first, second = (COLOR_WORDS[letter] for letter in one.coral)
    return f"2 {first}" if first == second else f"{first}, {second}"


def score_blocks(scores: Sequence[Score]) -> tuple[Block, ...]:
    """A table of the cards, and a board for each that scores."""
    rows = []
    boards = []
    for one in scores:
        shown = card(one.card)
        where = "; ".join(" ".join(spaces) for spaces in one.cells)
        if one.tallest and one.count:
            where = f"{where} around {', '.join(one.tallest)}"
        rows.append((str(one.card), describe_pattern(shown.pattern), f"{shown.points}",
                     str(one.count), str(one.points), where))
        title = f"card {one.card}: {points_words(one.points)}"
        boards.append(picture(one.board, title, one.cells))
    table = Table(("card", "pattern", "each", "count", "points", "spaces"), tuple(rows),
                  numeric=(0, 2, 3, 4))
    return (table, Boards(tuple(boards)), KEY)


def plan_blocks(found: Plan) -> tuple[Block, ...]:
    """The steps as a table and as boards, and the points of each."""
    rows, boards = [], [picture(found.board, "now")]
    for number, step in enumerate(found.steps, 1):
        rows.append((str(number), str(step.card), describe_pattern(card(step.card).pattern),
                     " ".join(step.place) or "nothing", str(step.points)))
        title = f"{number}. card {step.card}: {points_words(step.points)}"
        boards.append(_step_picture(step, title))
    rows.append(("", "", "", "total", str(found.total)))
    return (
        Table(("step", "card", "pattern", "place", "points"), tuple(rows), numeric=(0, 1, 4),
              marked=(len(rows) - 1,)),
        Boards(tuple(boards), title="Step by step"),
        KEY,
        Bars(tuple(f"{number}. card {step.card}" for number, step in enumerate(found.steps, 1)),
             tuple(float(step.points) for step in found.steps), title="Points of each step"),
    )


def _step_picture(step: Step, title: str) -> Picture:
    return picture(step.score.board, title, step.score.cells,
                   tuple(piece.partition("@")[2] for piece in step.place))


def card_rows(chosen: Sequence[Card]) -> tuple[tuple[str, ...], ...]:
    """One row a card: number, family, pattern, words, points, coral, confirmed by."""
    return tuple(
        (str(one.number), one.family, format_pattern(one.pattern), describe_pattern(one.pattern),
         str(one.points), coral_words(one), one.confirmed or "one source")
        for one in chosen
    )


def cards_block(chosen: Sequence[Card], title: str = "") -> Table:
    """The table of `card_rows`."""
    columns = ("card", "family", "pattern", "in words", "points", "coral", "confirmed by")
    return Table(columns, card_rows(chosen), title=title, numeric=(0, 4))


def hand_words(hand: Sequence[int]) -> str:
    """Card numbers, `?` for the unknown ones."""
    return ", ".join("?" if number == UNKNOWN else str(number) for number in hand) or "none"


def position_blocks(
    position: Position, notes: Sequence[str] = (), result: dict[str, list[int]] | None = None
) -> tuple[Block, ...]:
    """A position to look at: the players with their boards, the display, the supply, the result."""
    rows = []
    boards = []
    for seat, player in enumerate(position.players):
        to_move = "to move" if seat == position.to_move else ""
        name = player.name or f"Player {seat + 1}"
        rows.append((str(seat + 1), name, str(player.score), hand_words(player.hand), to_move))
        boards.append(picture(player.board, f"{seat + 1} {name}, {points_words(player.score)}"))
    blocks: list[Block] = [
        Table(("seat", "player", "points", "hand", ""), tuple(rows), title="Players",
              numeric=(0, 2), marked=(position.to_move,)),
        Boards(tuple(boards)),
        Table(
            ("card", "in words", "each", "coral", "tokens on it"),
            tuple(
                (str(number), describe_pattern(card(number).pattern), str(card(number).points),
                 coral_words(card(number)), str(tokens))
                for number, tokens in zip(position.display, position.tokens, strict=True)
            ),
            title="Display", numeric=(0, 2, 4),
        ),
        Table(
            ("deck", "top card", "played", *COLOR_WORDS.values()),
            ((str(position.n_deck), str(position.deck_top or "none"), str(len(position.played)),
              *(str(left) for left in position.supply.values())),),
            title="Deck and supply", numeric=(0, 2, 3, 4, 5, 6),
        ),
    ]
    blocks += [Text(body=f"Note: {note}.") for note in notes]
    if result is not None:
        blocks.append(Table(
            ("seat", "final score", ""),
            tuple((str(seat), str(score), "wins" if seat in result["winners"] else "")
                  for seat, score in enumerate(result["scores"], 1)),
            title="Final result, hands counted", numeric=(0, 1),
        ))
    return tuple(blocks)


def worth_blocks(steps: Sequence[tuple[int, Step | None]], title: str) -> tuple[Block, ...]:
    """What some cards would score at once with their best placement."""
    rows = tuple(
        (str(number), describe_pattern(card(number).pattern),
         str(step.points) if step else "can't be played",
         " ".join(step.place) if step else "")
        for number, step in steps
    )
    playable = [(number, step) for number, step in steps if step is not None]
    blocks: list[Block] = [
        Table(("card", "in words", "points", "place"), rows, title=title, numeric=(0, 2))
    ]
    if playable:
        blocks.append(Bars(tuple(f"card {number}" for number, _ in playable),
                           tuple(float(step.points) for _, step in playable),
                           title=title))
    return tuple(blocks)




def addition_blocks(rows: Sequence[tuple[int, int | None, int | None]]) -> tuple[Block, ...]:
    """(card, least, most) points that each card would add; a range where not proven.

    None: the cards could not all be played.
    """
    def adds(low: int | None, high: int | None) -> str:
        if low is None or high is None:
            return "can't all be played"
        return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"

    table = tuple(
        (str(number), describe_pattern(card(number).pattern), adds(low, high))
        for number, low, high in rows
    )
    return (Table(("card", "in words", "adds"), table, numeric=(0, 2)),)
