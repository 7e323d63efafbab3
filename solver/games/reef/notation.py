"""Reef's compact notation: boards, spaces, placements and patterns, each parsed and formatted.

A board: rows from the top separated by `/`, spaces by `,`, a stack from bottom to top in the
letters r y g p, `.` for an empty space.  Spaces are named by column letter from the left and row
digit from the top: a1 (top left) to d4.  A placement is `r@b2`.  A drawn board (rows on lines of
their own, spaces between bars or blanks, edge labels allowed) is read too.  See docs/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from oddsmith.solver.errors import InputError

COLORS = "rygp"
COLOR_WORDS = {"r": "red", "y": "yellow", "g": "green", "p": "purple"}
SIZE = 4
SPACES = SIZE * SIZE
COLUMN_NAMES = tuple("abcd")
ROW_NAMES = tuple("1234")
HIGHEST_LIMIT = 8
ANY_COLOR = 4


class Board(msgspec.Struct, frozen=True):
    """A player's reef: 16 stacks, row by row from the top, each bottom to top in r y g p."""

    stacks: tuple[str, ...]

    @property
    def bits(self) -> tuple[int, int, int]:
        """The words (tops, low, high) of kernels/reef.pxd; pieces under the top are left out."""
        tops = low = high = 0
        for space, stack in enumerate(self.stacks):
            if stack:
                tops |= 1 << (16 * COLORS.index(stack[-1]) + space)
            for level in range(len(stack)):
                if level < 4:
                    low |= 1 << (16 * level + space)
                else:
                    high |= 1 << (16 * (level - 4) + space)
        return tops, low, high

    def __post_init__(self) -> None:
        if len(self.stacks) != SPACES or any(set(stack) - set(COLORS) for stack in self.stacks):
            raise InputError("a Board is 16 stacks of the letters r y g p",
                             why="row by row from the top, each bottom to top, empty as \"\"")
        if any(len(stack) > HIGHEST_LIMIT for stack in self.stacks):
            raise InputError(f"no stack is higher than {HIGHEST_LIMIT}")

    def placed(self, pieces: tuple[tuple[int, int], ...]) -> Board:
        """The board after placing (colour index, space) pieces in order."""
        stacks = list(self.stacks)
        for color, space in pieces:
            stacks[space] += COLORS[color]
        return Board(tuple(stacks))

    def n_pieces(self, letter: str) -> int:
        """How many pieces of a colour lie on the board, at any height."""
        return sum(stack.count(letter) for stack in self.stacks)

    def __str__(self) -> str:
        return format_board(self)

    def _repr_html_(self) -> str:
        from oddsmith.solver.games.reef.questions import board_answer  # above this layer

        return board_answer(self)._repr_html_()


def format_board(board: Board) -> str:
    """The board on one line.

    >>> format_board(parse_board("r,.,.,./.,gg,.,./.,.,.,./.,.,.,yp"))
    'r,.,.,./.,gg,.,./.,.,.,./.,.,.,yp'
    """
    names = [stack or "." for stack in board.stacks]
    return "/".join(",".join(names[row * SIZE : row * SIZE + SIZE]) for row in range(SIZE))


def draw_board(board: Board) -> str:
    """The board as a drawing that `parse_board` reads back."""
    width = max(2, *(len(stack) for stack in board.stacks))
    lines = ["    " + "   ".join(name.ljust(width) for name in COLUMN_NAMES).rstrip()]
    for row in range(SIZE):
        cells = [(board.stacks[row * SIZE + c] or ".").ljust(width) for c in range(SIZE)]
        lines.append(f"{row + 1} | {' | '.join(cells)} |")
    return "\n".join(lines)


def parse_board(text: str, stack_limit: int = SIZE) -> Board:
    """Read a board in one-line or drawn notation.

    Args:
        text: the notation.
        stack_limit: stacks may be this high, 1..8.

    Raises:
        InputError: with line and column (1-based) inside `text`.
    """
    rows = _drawn_rows(text) if "\n" in text.strip() or "|" in text else _inline_rows(text)
    if len(rows) != SIZE:
        last_line = text.count("\n") + 1
        raise InputError(
            f"a board has {SIZE} rows, this one has {len(rows)}",
            why="rows are separated by `/` or stand on lines of their own, the top row first",
            hint="write four rows of four spaces, such as r,.,gg,./.,.,.,./.,yp,.,./.,.,.,.",
            line=rows[-1][0] if rows else last_line,
            column=1 if not rows else rows[-1][1],
        )
    stacks = []
    for number, (line, column, cells) in enumerate(rows, 1):
        if len(cells) != SIZE:
            raise InputError(
                f"row {number} has {len(cells)} space{'s' * (len(cells) != 1)} instead of {SIZE}",
                why="every row of a Reef board has four spaces, `.` for an empty one",
                hint="check what separates the spaces of this row",
                line=line,
                column=column,
            )
        stacks += [_parse_stack(cell, stack_limit, line, at, number, k)
                   for k, (cell, at) in enumerate(cells)]
    return Board(tuple(stacks))


_Row = tuple[int, int, list[tuple[str, int]]]  # line, column, [(cell, column)]


def _inline_rows(text: str) -> list[_Row]:
    rows: list[_Row] = []
    line, column = 1, 1
    if not text.strip():
        return rows
    for row in text.split("/"):
        cells, at = [], column
        for cell in row.split(","):
            bare = cell.strip()
            cells.append((bare, at + len(cell) - len(cell.lstrip())))
            at += len(cell) + 1
        rows.append((line, column + len(row) - len(row.lstrip()), cells))
        column += len(row) + 1
    return rows


def _drawn_rows(text: str) -> list[_Row]:
    rows: list[_Row] = []
    for number, raw in enumerate(text.splitlines(), 1):
        # Frames drawn with box characters are bars, corners and dashes like any other.
        line = re.sub(r"[│┃║]", "|", raw)
        line = re.sub(r"[─━═┄┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰+=]|--+", lambda m: " " * len(m[0]), line)
        line = line.rstrip().removesuffix("/")
        if not line.strip() or re.fullmatch(r"[|\s]*", line):
            continue
        if re.fullmatch(r"[|\s]*[a-d](?:[|\s]+[a-d]){3}[|\s]*", line):
            _check_header(line, number)
            continue
        label = re.match(r"\s*([0-9]+)(?=[\s|])", line)
        if label and label[1] != str(len(rows) + 1):
            raise InputError(
                f"row {len(rows) + 1} is labelled {label[1]}",
                why="rows are numbered 1 to 4 from the top", hint="turn the board round",
                line=number, column=label.start(1) + 1,
            )
        start = label.end() if label else 0
        cells = list(_drawn_cells(line, start))
        rows.append((number, len(line) - len(line.lstrip()) + 1, cells))
    return rows


def _check_header(line: str, number: int) -> None:
    if "".join(re.findall("[a-d]", line)) != "abcd":
        raise InputError(
            "the columns are not labelled a b c d", why="columns are named a to d from the left",
            hint="turn the board round", line=number, column=len(line) - len(line.lstrip()) + 1,
        )


def _drawn_cells(line: str, start: int) -> Iterator[tuple[str, int]]:
    body = line[start:]
    if "|" in body:
        first = re.match(r"\s*\|", body)
        if first:
            start, body = start + first.end(), body[first.end() :]
        body = body.rstrip().removesuffix("|")
        at = start
        for cell in body.split("|"):
            yield cell.strip(), at + len(cell) - len(cell.lstrip()) + 1
            at += len(cell) + 1
        return
    for found in re.finditer(r"[^\s,]+", body):
        yield found[0], start + found.start() + 1


def _parse_stack(cell: str, limit: int, line: int, column: int, row: int, k: int) -> str:
    if cell in ("", ".", "·", "-"):
        if cell == "":
            raise InputError(
                f"nothing is written for space {COLUMN_NAMES[k]}{row}",
                why="an empty space is written as `.`",
                hint="write `.` or a stack such as `ry`",
                line=line,
                column=column,
            )
        return ""
    for offset, letter in enumerate(cell):
        if letter not in COLORS:
            hint = "coral letters are r (red), y (yellow), g (green), p (purple)"
            if letter.lower() in COLORS:
                hint = f"write `{letter.lower()}`: {hint}"
            raise InputError(
                f"`{letter}` in space {COLUMN_NAMES[k]}{row} is not a coral",
                why="a stack is written bottom to top in the letters r y g p, `.` is empty",
                hint=hint,
                line=line,
                column=column + offset,
            )
    if len(cell) > limit:
        raise InputError(
            f"the stack `{cell}` on {COLUMN_NAMES[k]}{row} has {len(cell)} pieces",
            why=f"the stack limit is {limit}",
            hint="remove pieces, or raise the limit with --set stack_limit=N (1 to 8)",
            line=line,
            column=column + limit,
        )
    return cell


def format_space(space: int) -> str:
    """Name of a space: 0 -> a1, 15 -> d4.

    >>> format_space(6)
    'c2'
    """
    return f"{COLUMN_NAMES[space % SIZE]}{space // SIZE + 1}"


def parse_space(name: str) -> int:
    """Number of a space; raises InputError for anything but a1 to d4.

    >>> parse_space("c2")
    6
    """
    if len(name) == 2 and name[0] in COLUMN_NAMES and name[1] in ROW_NAMES:
        return SIZE * (int(name[1]) - 1) + COLUMN_NAMES.index(name[0])
    raise InputError(f"`{name}` is not a space", why="spaces are named a1 (top left) to d4")


def format_piece(piece: tuple[int, int]) -> str:
    """A placed piece, (colour index, space), as `r@b2`.

    >>> format_piece((0, 5))
    'r@b2'
    """
    return f"{COLORS[piece[0]]}@{format_space(piece[1])}"


def parse_piece(text: str) -> tuple[int, int]:
    """Read `r@b2`; raises InputError.

    >>> parse_piece("p@d4")
    (3, 15)
    """
    letter, at, space = text.partition("@")
    if at and len(letter) == 1 and letter in COLORS:
        return COLORS.index(letter), parse_space(space)
    raise InputError(f"`{text}` is not a placed coral", hint="write colour@space, such as r@b2")


class Wanted(msgspec.Struct, frozen=True):
    """What one cell of a pattern asks for.

    Args:
        row, column: place in the drawn orientation.
        color: index in `COLORS`, or ANY_COLOR.
        least, most: heights, inclusive; most 0 = no limit.
    """

    row: int
    column: int
    color: int
    least: int = 1
    most: int = 0


class Neighbours(msgspec.Struct, frozen=True):
    """A neighbour card: a tallest stack topped `center`, each neighbour topped `neighbour`."""

    center: int
    neighbour: int


Pattern = tuple[Wanted, ...] | Neighbours


def parse_pattern(text: str) -> Pattern:
    """Read a pattern: `r2+,./.,y2+` or `tallest r, neighbours g`.

    A cell is a colour letter or `*` (any), then nothing (any height), `n` (exactly n) or `n+`
    (at least n); `.` is no cell.

    Raises:
        ValueError: not a pattern (patterns come from our own data, so this is a fault of ours).

    >>> format_pattern(parse_pattern("r2+,./.,y2+"))
    'r2+,./.,y2+'
    """
    found = re.fullmatch(rf"tallest ([{COLORS}]), neighbours ([{COLORS}])", text)
    if found:
        return Neighbours(COLORS.index(found[1]), COLORS.index(found[2]))
    cells = []
    for row, line in enumerate(text.split("/")):
        for column, cell in enumerate(line.split(",")):
            if cell == ".":
                continue
            match = re.fullmatch(rf"([{COLORS}*])([1-4]?)(\+?)", cell)
            if not match or (match[3] and not match[2]):
                raise ValueError(f"{cell!r} is not a cell of a pattern")
            color = ANY_COLOR if match[1] == "*" else COLORS.index(match[1])
            height = int(match[2] or 0)
            most = 0 if match[3] else height
            cells.append(Wanted(row, column, color, height or 1, most))
    return tuple(cells)


def format_pattern(pattern: Pattern) -> str:
    """The notation that `parse_pattern` reads."""
    if isinstance(pattern, Neighbours):
        return f"tallest {COLORS[pattern.center]}, neighbours {COLORS[pattern.neighbour]}"
    by_place = {(cell.row, cell.column): cell for cell in pattern}
    rows = []
    for row in range(max(r for r, _ in by_place) + 1):
        line = []
        for column in range(max(c for _, c in by_place) + 1):
            cell = by_place.get((row, column))
            line.append(_format_cell(cell) if cell else ".")
        rows.append(",".join(line))
    return "/".join(rows)


def _format_cell(cell: Wanted) -> str:
    letter = "*" if cell.color == ANY_COLOR else COLORS[cell.color]
    if cell.most:
        return f"{letter}{cell.most}"
    return f"{letter}{cell.least}+" if cell.least > 1 else letter


def describe_pattern(pattern: Pattern) -> str:
    """The pattern in words, for tables and text alternatives.

    >>> describe_pattern(parse_pattern("r2+,./.,y2+"))
    'red 2+ diagonal to yellow 2+'
    """
    words = [*COLOR_WORDS.values(), "any colour"]
    if isinstance(pattern, Neighbours):
        return f"each {words[pattern.neighbour]} around a tallest {words[pattern.center]}"
    names = []
    for cell in pattern:
        height = str(cell.most) if cell.most else f"{cell.least}+" if cell.least > 1 else ""
        names.append(f"{words[cell.color]} {height}".strip())
    places = tuple((cell.row, cell.column) for cell in pattern)
    joined = {
        ((0, 0), (0, 1)): " next to ",
        ((0, 0), (1, 1)): " diagonal to ",
    }
    if len(names) == 1:
        return names[0]
    if places in joined and names[0] != names[1]:
        return joined[places].join(names)
    shape = {
        ((0, 0), (0, 1)): "side by side",
        ((0, 0), (0, 1), (0, 2)): "in a line",
        ((0, 0), (1, 1), (2, 2)): "in a diagonal",
        ((0, 0), (1, 0), (1, 1)): "in a corner",
        ((0, 0), (0, 1), (1, 0), (1, 1)): "in a square",
    }[places]
    return f"{len(names)} {names[0]} {shape}"
