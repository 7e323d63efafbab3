"""Reef: patterns, placing coral, start layouts and the final ranking, in plain Python.

Written only from the rules page (docs/rules/reef.md) and the card data beside this file. Everything is
brute force; cached: where patterns can lie, the largest choices. A board is a tuple of 16 stacks, index =
row * 4 + column, row 0 at the top; a stack is a string from bottom to top in the letters r y g p, "" for an
empty space. A supply is a dict from letter to count, or None for an unlimited one.

FIRED counts how often each rule of RULE_IDS decided something; for an option value: how often another value
would have given another answer. hand_limit, deck_draw_cost, start_points, display_size, deck_draw_target_tie
and end say nothing about this part of the game and so have no ids here.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from itertools import permutations, product
from pathlib import Path
from typing import TypeVar

SIZE = 4
ALL_SPACES = tuple(range(SIZE * SIZE))
CENTRE_SPACES = (5, 6, 9, 10)
EDGE_SPACES = tuple(space for space in ALL_SPACES if space not in CENTRE_SPACES)
COLOURS = "rygp"
ANY_COLOUR = "any"
TALLEST_STACK = 8  # the highest stack_limit
IN_PLAY_PER_COLOUR = {2: 18, 3: 24, 4: 28}  # by players

Board = tuple[str, ...]
Spaces = frozenset[int]
Demand = tuple[str, int, int]  # what a cell asks for: the top colour, the lowest and the highest height
Position = frozenset[tuple[int, Demand]]  # which space is asked for what
Supply = dict[str, int] | None
SupplyLeft = tuple[int, ...] | None  # in the order of COLOURS
Placement = tuple[tuple[str, int], ...]
Placements = dict[tuple[Board, SupplyLeft], list[Placement]]
T = TypeVar("T")

FIRED: Counter[str] = Counter()
RULE_IDS: tuple[str, ...] = (
    "pattern.top_colour",  # "a stack's colour is its top piece's" (what the cell asks for lies below only)
    "pattern.any_colour",  # "A cell of a pattern asks for a colour (or any: each cell freely)"
    "pattern.any_height",  # "none printed = any height" (a stack of 2 or more)
    "pattern.exact_height",  # "`n` = exactly n" (right colour, another height)
    "pattern.at_least_height",  # "`n+` = at least n" (right colour, a height other than n)
    "pattern.open_height_above_4",  # "`2..4` means 2+, [...] whatever the stack limit" (a stack of 5 to 8)
    "pattern.rotation",  # "A pattern may appear in any of its four rotations"
    "pattern.same_set_once",  # "An occurrence is a set of spaces; the same set counts once"
    "score.times_points",  # "the score is points × the [...] number of [...] occurrences" (2 or more)
    "score.maximum",  # "the **maximum number of disjoint occurrences**" (taking the first found costs one)
    "option.overlap.disjoint",  # "Each top piece may count for only one occurrence per scoring"
    "option.overlap.overlapping",  # "`overlapping` (count all occurrences)"
    "neighbour.tallest",  # "choose one tallest stack" (a lower one would have scored more)
    "neighbour.other_colours",  # "Stacks of other colours don't matter, however tall"
    "neighbour.no_centre",  # "among those topped with colour X" (there is none)
    *("neighbour.orthogonal", "neighbour.diagonal"),  # "up to 8 neighbours (orthogonal and diagonal)"
    *("option.tallest_tie.best", "option.tallest_tie.all"),  # "`best`; `all` (sum over the tied stacks)"
    *(f"option.hand_scoring.{value}" for value in ("once", "full", "none")),  # "at most one occurrence"; row
    *("option.hand_scoring_neighbor.one", "option.hand_scoring_neighbor.all"),  # "`one` [...]; `all`"
    *("place.empty_space", "place.on_stack", "place.stack_limit"),  # "an empty space or [...] lower than 4"
    *(f"option.stack_limit.{limit}" for limit in range(1, 9)),  # "4; 1–8" (a stack of so many is refused)
    *("place.same_space", "place.either_order"),  # "(both may go on one space, in either order)"
    *("place.mandatory", "place.scoring_nothing"),  # "Placing is mandatory; scoring nothing is allowed"
    "place.then_score",  # "place each [...], then score its pattern" (the reef as it was scores less)
    *("place.no_room", "place.full_board", "place.no_room_choice"),  # "coral without room isn't taken"
    "supply.taken",  # "take its 2 coral from the supply"
    *("supply.short", "supply.nothing", "supply.one_of_two_equal"),  # "too small gives what it has"
    *("option.short_supply.place_available", "option.short_supply.illegal"),  # row `short_supply`
    "start.from_supply",  # "Each player takes one coral of each colour **from the supply**"
    *("option.supply_per_color.by_players", "option.supply_per_color.given"),  # "by players 18/24/28; 5–60"
    "option.start_layout.center",  # "one on each of the 4 centre spaces in any arrangement"
    *("option.start_layout.edge", "option.start_layout.free"),  # "any of the 12 outer spaces"; "any spaces"
    *("start.stacking", "start.stack_limit"),  # "stacking allowed" (a stack; one above the limit refused)
    "end.most_points",  # "Most points wins"
    *("option.tie_break.empty", "option.tie_break.covered"),  # "`empty` (more empty spaces); `covered`"
    *("end.stacks_of_4", "end.shared"),  # "then more stacks of height 4; then shared"
)


def option(default: T, values: Collection[T]) -> T:
    return field(default=default, metadata={"values": values})


@dataclass(frozen=True)
class Rules:
    """The options table of the rules page, its defaults first (None: by players)."""

    players: int = option(2, range(2, 5))
    supply_per_color: int | None = option(None, (None, *range(5, 61)))
    start_layout: str = option("center", ("center", "edge", "free"))
    stack_limit: int = option(4, range(1, 9))
    hand_limit: int = option(4, range(1, 9))
    deck_draw_cost: int = option(1, range(6))
    start_points: int = option(3, range(21))
    display_size: int = option(3, range(1, 7))
    deck_draw_target_tie: str = option("choose", ("choose", "leftmost"))
    tallest_tie: str = option("best", ("best", "all"))
    short_supply: str = option("place_available", ("place_available", "illegal"))
    overlap: str = option("disjoint", ("disjoint", "overlapping"))
    end: str = option("deck_at_once", ("deck_at_once", "finish_round", "immediate"))
    hand_scoring: str = option("once", ("once", "full", "none"))
    hand_scoring_neighbor: str = option("one", ("one", "all"))
    tie_break: str = option("empty", ("empty", "covered"))

    def __post_init__(self) -> None:
        for each in fields(self):
            if getattr(self, each.name) not in each.metadata["values"]:
                raise ValueError(f"{each.name}: {getattr(self, each.name)!r} is not on the rules page")


def parse_board(text: str) -> Board:
    """Rows from the top separated by `/`, spaces by `,`, a stack from bottom to top, `.` for empty."""
    rows = [row.split(",") for row in text.strip().split("/")]
    stacks = [stack for row in rows for stack in row]
    if [len(row) for row in rows] != [SIZE] * SIZE or not all(re.fullmatch("[.]|[rygp]+", s) for s in stacks):
        raise ValueError(f"not {SIZE} rows of {SIZE} stacks of {COLOURS}: {text!r}")
    return tuple(stack.strip(".") for stack in stacks)


def format_board(board: Board) -> str:
    """The text that parse_board reads."""
    rows = [board[start : start + SIZE] for start in range(0, len(board), SIZE)]
    return "/".join(",".join(stack or "." for stack in row) for row in rows)


@dataclass(frozen=True)
class Card:
    """Either `cells` (row, column, demand) or, on a neighbour card, the colours `centre` and `neighbour`."""

    id: int
    family: str
    coral: tuple[str, ...]
    points: int
    cells: tuple[tuple[int, int, Demand], ...]
    centre: str
    neighbour: str

    @cached_property
    def positions(self) -> dict[Position, list[int]]:
        """Where the pattern can lie: all rotations in all translations; the quarter turns that lead there."""
        found: dict[Position, list[int]] = {}
        for turns, down, right in product(range(4), range(SIZE), range(SIZE)):
            cells = self.cells
            for _ in range(turns):
                cells = tuple((column, -row, demand) for row, column, demand in cells)
            top, left = min(row for row, _, _ in cells), min(column for _, column, _ in cells)
            moved = [(row - top + down, column - left + right, demand) for row, column, demand in cells]
            if all(row < SIZE and column < SIZE for row, column, _ in moved):
                position = frozenset((row * SIZE + column, demand) for row, column, demand in moved)
                found.setdefault(position, []).append(turns)
        return found


def load_cards() -> Iterator[Card]:
    """The cards of the data file. Its heights: n..n is exactly n, any other range is n or more."""
    data = json.loads(Path(__file__).with_name("reef_cards.json").read_text(encoding="utf-8"))
    letter = {name: name[0] for name in data["colors"]} | {ANY_COLOUR: ANY_COLOUR, None: ""}
    for entry in data["cards"]:
        pattern = entry["pattern"]
        cells = []
        for cell in pattern.get("cells", ()):
            highest = cell["max_h"] if cell["min_h"] == cell["max_h"] else TALLEST_STACK
            cells.append((cell["r"], cell["c"], (letter[cell["color"]], cell["min_h"], highest)))
        coral = tuple(letter[name] for name in entry["top"])
        centre, neighbour = letter[pattern.get("center")], letter[pattern.get("neighbour")]
        yield Card(entry["id"], entry["family"], coral, entry["points"], tuple(cells), centre, neighbour)


CARDS: dict[int, Card] = {card.id: card for card in load_cards()}


def fits(stack: str, demand: Demand) -> bool:
    """Whether top colour and height are what the cell asks for; an empty space's never are."""
    colour, lowest, highest = demand
    height = len(stack)
    if height == 0:
        return False
    if colour not in (ANY_COLOUR, stack[-1]):
        if colour in stack:
            FIRED["pattern.top_colour"] += 1
        return False
    fit = lowest <= height <= highest
    if lowest == highest:
        FIRED["pattern.exact_height"] += not fit
    else:
        FIRED["pattern.at_least_height" if lowest > 1 else "pattern.any_height"] += height != lowest
        FIRED["pattern.open_height_above_4"] += height > 4
    FIRED["pattern.any_colour"] += fit and colour == ANY_COLOUR
    return fit


def occurrences(board: Board, card: Card, rules: Rules) -> set[Spaces]:
    """The sets of spaces on which the card's pattern lies. (No option changes them.)"""
    if card.centre:
        raise ValueError(f"card {card.id} is a neighbour card: see tallest_choices")
    demands = {demand for _, _, demand in card.cells}
    fitting = {(space, demand) for demand in demands for space in ALL_SPACES if fits(board[space], demand)}
    found: set[Spaces] = set()
    for position, turns in card.positions.items():
        if position <= fitting:
            spaces = frozenset(space for space, _ in position)
            FIRED["pattern.rotation"] += 0 not in turns
            FIRED["pattern.same_set_once"] += len(turns) > 1 or spaces in found
            found.add(spaces)
    return found


@lru_cache(maxsize=50_000)
def largest_choices(found: tuple[Spaces, ...]) -> frozenset[frozenset[Spaces]]:
    """Every largest choice of occurrences that share no space: those with the first and those without."""
    if not found:
        return frozenset({frozenset()})
    first, rest = found[0], found[1:]
    apart = tuple(other for other in rest if not first & other)
    choices = {choice | {first} for choice in largest_choices(apart)}
    if len(apart) < len(rest):  # else the first is in nobody's way, so that no largest choice lacks it
        choices |= largest_choices(rest)
    most = max(len(choice) for choice in choices)
    return frozenset(choice for choice in choices if len(choice) == most)


def disjoint_sets(board: Board, card: Card, rules: Rules) -> set[frozenset[Spaces]]:
    """Every choice of occurrences that reaches the maximum (where there is none: the empty choice).

    Under overlap = overlapping all occurrences count: the one choice is all of them.
    """
    found = tuple(sorted(occurrences(board, card, rules), key=sorted))
    choices = largest_choices(found)
    most = len(next(iter(choices)))
    FIRED[f"option.overlap.{rules.overlap}"] += most < len(found)
    if rules.overlap == "overlapping":
        return {frozenset(found)}
    FIRED["score.maximum"] += bool(found) and all(found[0] not in choice for choice in choices)
    return set(choices)


def squared_distance(one: int, other: int) -> int:
    """1 for orthogonal neighbours, 2 for diagonal ones, more for others."""
    return (one // SIZE - other // SIZE) ** 2 + (one % SIZE - other % SIZE) ** 2


def tallest_choices(board: Board, card: Card, rules: Rules) -> set[frozenset[tuple[int, Spaces]]]:
    """Every choice that reaches the score: a set of (chosen tallest stack, its neighbours that score).

    tallest_tie = best: a choice is one tallest stack, of those that score most (which may be 0). all: the one
    choice is all tallest stacks, and a neighbour of two of them scores for each. The empty choice where no
    stack is topped with the centre colour.
    """
    if not card.centre:
        raise ValueError(f"card {card.id} is no neighbour card: see disjoint_sets")
    centres = [space for space in ALL_SPACES if board[space][-1:] == card.centre]
    scoring = [space for space in ALL_SPACES if board[space][-1:] == card.neighbour]
    near = {c: frozenset(s for s in scoring if squared_distance(c, s) in (1, 2)) for c in centres}
    height = max((len(board[space]) for space in centres), default=0)
    tallest = [space for space in centres if len(board[space]) == height]
    most = max((len(near[space]) for space in tallest), default=0)
    counted = {squared_distance(c, s) for c in tallest for s in near[c] if len(near[c]) == most}
    FIRED["neighbour.orthogonal"] += 1 in counted
    FIRED["neighbour.diagonal"] += 2 in counted
    FIRED["neighbour.no_centre"] += not centres
    FIRED["neighbour.tallest"] += any(len(near[space]) > most for space in centres)
    FIRED["neighbour.other_colours"] += bool(centres) and any(len(stack) > height for stack in board)
    FIRED[f"option.tallest_tie.{rules.tallest_tie}"] += most != sum(len(near[space]) for space in tallest)
    if rules.tallest_tie == "all" or not centres:
        return {frozenset((space, near[space]) for space in tallest)}
    return {frozenset({(space, near[space])}) for space in tallest if len(near[space]) == most}


def score(board: Board, card: Card, rules: Rules) -> tuple[int, int]:
    """What the card scores when played: (occurrences or neighbours that count, points).

    `overlap` speaks of occurrences and changes nothing for a neighbour card.
    """
    if card.centre:  # all choices score the same
        count = sum(len(near) for _, near in next(iter(tallest_choices(board, card, rules))))
    else:
        count = len(next(iter(disjoint_sets(board, card, rules))))
    FIRED["score.times_points"] += count > 1
    return count, count * card.points


def hand_score(board: Board, card: Card, rules: Rules) -> int:
    """What the card scores if it is left in hand at the end, without placing coral.

    hand_scoring_neighbor speaks only under `once`; its `all` scores as if played, tallest_tie included.
    """
    count, points = score(board, card, rules)
    FIRED[f"option.hand_scoring.{rules.hand_scoring}"] += count > (0 if rules.hand_scoring == "none" else 1)
    if rules.hand_scoring != "once":
        return points if rules.hand_scoring == "full" else 0
    if card.centre:
        FIRED[f"option.hand_scoring_neighbor.{rules.hand_scoring_neighbor}"] += count > 1
        if rules.hand_scoring_neighbor == "all":
            return points
    return min(points, card.points)


def place(board: Board, placement: Placement, rules: Rules) -> Board | None:
    """The board after placing the coral in this order; None where a stack is full."""
    stacks = list(board)
    for colour, space in placement:
        if len(stacks[space]) >= rules.stack_limit:
            FIRED["place.stack_limit"] += 1
            FIRED[f"option.stack_limit.{rules.stack_limit}"] += 1
            return None
        FIRED["place.on_stack" if stacks[space] else "place.empty_space"] += 1
        stacks[space] += colour
    return tuple(stacks)


def take(wanted: Sequence[str], supply: Supply) -> tuple[tuple[str, ...], SupplyLeft]:
    """The coral that the supply gives, of those wanted, and what is left of it."""
    if supply is None:
        return tuple(wanted), None
    asked_before = [wanted[:i].count(colour) for i, colour in enumerate(wanted)]
    given = [c for c, before in zip(wanted, asked_before, strict=True) if before < supply.get(c, 0)]
    return tuple(given), tuple(supply.get(colour, 0) - given.count(colour) for colour in COLOURS)


def placements(board: Board, card: Card, supply: Supply, rules: Rules) -> Placements:
    """Every legal way to place the card's coral, by its result: the board and what is left of the supply.

    A placement is ((colour, space), ...) in the order placed: the same two drops in the other order are
    another placement; equal coral have no identity. {}: the card can't be played. The corners, in order:

    1. The supply gives each of the 2 coral that it has: of two equal coral with one left, one; of two colours
       with one run out, the other; perhaps nothing.
    2. short_supply = illegal: the card is unplayable where the supply lacks one of the 2 coral, even if the
       board has no room for it: the option asks for supply, not for room.
    3. Placing is mandatory: of the coral given, as many are placed as the board has free levels. With one free
       level, of two colours either one is placed (what the supply can't give is no choice), of two equal coral
       one. The other isn't taken: it stays in the supply.
    4. Nothing given, or no free level: the one legal placement is (); board and supply stay as they are.
    """
    given, _ = take(card.coral, supply)
    if len(given) < len(card.coral):
        FIRED[f"option.short_supply.{rules.short_supply}"] += 1
        if rules.short_supply == "illegal":
            return {}
        FIRED["supply.short"] += 1
        FIRED["supply.nothing"] += not given
        FIRED["supply.one_of_two_equal"] += len(given) == len(set(card.coral)) == 1
    room = sum(max(0, rules.stack_limit - len(stack)) for stack in board)
    n_placed = min(room, len(given))
    FIRED["place.no_room"] += n_placed < len(given)
    FIRED["place.full_board"] += room == 0 < len(given)
    FIRED["place.no_room_choice"] += room == 1 and len(set(given)) == 2
    results: Placements = {}
    for placed in sorted(set(permutations(given, n_placed))):
        _, left = take(placed, supply)
        FIRED["supply.taken"] += n_placed > 0 and left is not None
        for spaces in product(ALL_SPACES, repeat=n_placed):
            placement = tuple(zip(placed, spaces, strict=True))
            after = place(board, placement, rules)
            if after is not None:
                FIRED["place.same_space"] += len(set(spaces)) < n_placed
                FIRED["place.either_order"] += len(set(spaces)) < len(set(placed))
                results.setdefault((after, left), []).append(placement)
    return results


def best_placement(board: Board, card: Card, supply: Supply, rules: Rules) -> int | None:
    """The most points that playing the card can score; None where it can't be played."""
    results = placements(board, card, supply, rules)
    if not results:
        return None
    best = max(score(after, card, rules)[1] for after, _ in results)
    _, unplaced = score(board, card, rules)
    FIRED["place.mandatory"] += best < unplaced
    FIRED["place.then_score"] += best > unplaced
    FIRED["place.scoring_nothing"] += best == 0
    return best


def plan(board: Board, cards: Sequence[Card], supply: Supply, rules: Rules) -> int | None:
    """The best total of playing all the cards, in any order; None where no order plays them all."""
    memo: dict[tuple[object, ...], int | None] = {}

    def best_total(board: Board, to_play: tuple[Card, ...], supply: Supply) -> int | None:
        if not to_play:
            return 0
        seen_from_above = tuple((stack[-1:], len(stack)) for stack in board)  # the rest never matters again
        key = (seen_from_above, to_play, take((), supply))
        if key not in memo:
            totals = []
            for i, card in enumerate(to_play):
                for after, left in placements(board, card, supply, rules):
                    next_supply = None if left is None else dict(zip(COLOURS, left, strict=True))
                    rest = best_total(after, to_play[:i] + to_play[i + 1 :], next_supply)
                    if rest is not None:
                        totals.append(score(after, card, rules)[1] + rest)
            memo[key] = max(totals, default=None)
        return memo[key]

    return best_total(board, tuple(cards), supply)


def start_supply(rules: Rules) -> dict[str, int]:
    """The supply after set-up: the coral in play less one of each colour for each player."""
    by = "by_players" if rules.supply_per_color is None else "given"
    FIRED[f"option.supply_per_color.{by}"] += 1
    FIRED["start.from_supply"] += 1
    in_play = rules.supply_per_color or IN_PLAY_PER_COLOUR[rules.players]
    return dict.fromkeys(COLOURS, in_play - rules.players)


def start_layouts(rules: Rules) -> Iterator[Board]:
    """Every legal start board of one player, once. The stack limit holds for start stacks too.

    Each colour in turn is put in at every level of every stack, so that each board comes up in one way.
    """
    spaces = {"center": CENTRE_SPACES, "edge": EDGE_SPACES, "free": ALL_SPACES}[rules.start_layout]
    limit = 1 if rules.start_layout == "center" else rules.stack_limit
    boards: list[Board] = [("",) * len(ALL_SPACES)]
    for colour in COLOURS:
        boards = [
            (*board[:space], board[space][:level] + colour + board[space][level:], *board[space + 1 :])
            for board, space in product(boards, spaces)
            for level in range(len(board[space]) + 1)
        ]
    for board in boards:
        height = max(len(stack) for stack in board)
        if height > limit:
            FIRED["start.stack_limit"] += rules.start_layout != "center"
            continue
        FIRED[f"option.start_layout.{rules.start_layout}"] += 1
        FIRED["start.stacking"] += height > 1
        yield board


def final_ranking(boards: Sequence[Board], scores: Sequence[int], rules: Rules) -> list[int]:
    """The winning seats (several: shared) from the final scores, in which the hands are counted.

    `covered`: fewer empty spaces. "Height 4" is exactly 4, whatever the stack limit.
    """
    sign = 1 if rules.tie_break == "empty" else -1
    spaces = [sign * board.count("") for board in boards]
    fours = [[len(stack) for stack in board].count(4) for board in boards]
    seats = list(range(len(boards)))
    tie_break = f"option.tie_break.{rules.tie_break}"
    for rule_id, measure in (("end.most_points", scores), (tie_break, spaces), ("end.stacks_of_4", fours)):
        best = max(measure[seat] for seat in seats)
        FIRED[rule_id] += any(measure[seat] < best for seat in seats)
        seats = [seat for seat in seats if measure[seat] == best]
    FIRED["end.shared"] += len(seats) > 1
    return seats
