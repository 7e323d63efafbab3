"""Answer: what every question returns, and the blocks that say how it may be shown.

An answer holds the value (plain data, ready for JSON), whether it is exact, how it was found
and under which assumptions, and where it came from (Law 1 and 2 of docs/map.md).  `blocks`
are the same facts as things to look at; `oddsmith.reports` draws each kind of block in every
format, so that a game describes a picture once and never prints anything itself.
"""

from __future__ import annotations

from typing import Any

import msgspec

SCHEMA = 1
"""Version of the JSON form; keys are only ever added within a version."""


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A paragraph, or a heading if `title` is set and `body` empty."""

    body: str = ""
    title: str = ""


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows of cells.  `numeric` lists the columns (0-based) that are right-aligned.

    `marked` lists the rows (0-based) that deserve the eye; they also carry a word or sign of
    their own, so that nothing is told by colour alone.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    numeric: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    note: str = ""


class Cell(msgspec.Struct, frozen=True):
    """One space of a board.

    Args:
        pieces: bottom to top, each a letter of the owning board's `colors`.
        mark: short text beside the space ("1", "2" for placements; occurrence numbers), or "".
        group: spaces with the same group number > 0 belong together and are outlined.
    """

    pieces: str = ""
    mark: str = ""
    group: int = 0


class Board(msgspec.Struct, frozen=True, tag="board"):
    """A rectangular board of stacks, seen from above.

    Args:
        cells: row by row from the top.
        colors: letter -> colour word; the letter is always drawn, colour never stands alone.
        column_names, row_names: labels along the edges.
        alt: the text alternative of the picture; also what a screen reader says.
    """

    cells: tuple[tuple[Cell, ...], ...]
    colors: dict[str, str]
    column_names: tuple[str, ...]
    row_names: tuple[str, ...]
    title: str = ""
    alt: str = ""


class Boards(msgspec.Struct, frozen=True, tag="boards"):
    """Several boards side by side (the steps of a plan, the players of a game)."""

    boards: tuple[Board, ...]
    title: str = ""


class Place(msgspec.Struct, frozen=True):
    """One place of a map.

    Args:
        name: its name.
        state: a word such as "dry", "flooded" or "sunk"; "sunk" places have no content.
        tokens: letters of the map's `colors` that stand there.
        note: short text, or "".
        heat: 0..1, how strongly the place is tinted; None for not at all.
        heat_words: the number behind it, such as "11 %".
    """

    name: str
    state: str = "dry"
    tokens: str = ""
    note: str = ""
    heat: float | None = None
    heat_words: str = ""


class Map(msgspec.Struct, frozen=True, tag="map"):
    """Named places on a grid; None is open sea.

    Args:
        rows: places row by row from the top.
        colors: letter of a token -> colour word; the letter is always drawn.
        names: letter of a token -> what it is.
        heat_title: what the tint tells.
        alt: the text alternative of the picture.
    """

    rows: tuple[tuple[Place | None, ...], ...]
    colors: dict[str, str]
    names: dict[str, str]
    title: str = ""
    heat_title: str = ""
    alt: str = ""


class CardSlot(msgspec.Struct, frozen=True):
    """A place for one die on a card.

    Args:
        x, y: its place, counted in slots from the left and from the top; halves are places too.
        wants: what fits, alternatives of a colour word and a sign, each of them "" for any.
        die: colour word and sign of the die that lies there; ("", "") for none.
    """

    x: float
    y: float
    wants: tuple[tuple[str, str], ...]
    die: tuple[str, str] = ("", "")


class Card(msgspec.Struct, frozen=True):
    """A card with slots for dice.

    Args:
        title: its name.
        corner: what its corner says, such as its points.
        slots: in the order in which they are named.
        signs: (x, y, sign) between the slots, counted as they are.
        caption: the text alternative of the picture.
    """

    title: str
    corner: str
    slots: tuple[CardSlot, ...]
    signs: tuple[tuple[float, float, str], ...] = ()
    caption: str = ""


class Cards(msgspec.Struct, frozen=True, tag="cards"):
    """Cards side by side; `letters` are the colour words with the letters that stand for them."""

    cards: tuple[Card, ...]
    letters: dict[str, str]
    title: str = ""


class Bars(msgspec.Struct, frozen=True, tag="bars"):
    """A bar chart: one value a label.

    `low`/`high` are the ends of 95 % intervals, empty where the values are exact.  Charts to be
    compared share a scale: it reaches to `most` where that is more than the values need.
    """

    labels: tuple[str, ...]
    values: tuple[float, ...]
    title: str = ""
    unit: str = ""
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    note: str = ""
    most: float = 0.0


Block = Text | Table | Boards | Board | Map | Cards | Bars


class Interval(msgspec.Struct, frozen=True):
    """A 95 % interval and what it rests on: n independent trials from one seed."""

    low: float
    high: float
    n: int
    seed: int
    level: float = 0.95


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question.

    Args:
        game: key in `oddsmith.solver.games.GAMES`, or "" for questions about Oddsmith itself.
        question: the verb ("score", "plan", ...).
        title: a heading for people.
        answer: the value as plain data: dicts, lists, strings, integers; exact fractions are
            strings "n/d".
        exact: True where the value is proven; False requires `interval` or a bound inside
            `answer`, and `method` says which.
        method: how it was found, one sentence.
        assumptions: what the value rests on beyond the printed rules.
        rules_id: hash of the rules in force (see `variants.rules_id`), or "".
        sources: where the facts come from, and how sure they are.
        interval: for estimates.
        inputs: the question as plain data, enough to ask it again.
        blocks: how to show it, in reading order.
        command: the command line that asks this question again, or "".
    """

    game: str
    question: str
    title: str
    answer: Any
    exact: bool
    method: str
    assumptions: tuple[str, ...] = ()
    rules_id: str = ""
    sources: tuple[str, ...] = ()
    interval: Interval | None = None
    inputs: dict[str, Any] = {}
    blocks: tuple[Block, ...] = ()
    command: str = ""

    def _repr_html_(self) -> str:
        """HTML fragment for notebooks (Jinja2 is imported here, not before)."""
        from oddsmith.reports import fragment

        return fragment(self)


def to_data(answer: Answer) -> dict[str, Any]:
    """The JSON form as plain data: `schema`, then every field but the blocks.

    >>> a = Answer(game="reef", question="score", title="t", answer=[], exact=True, method="m")
    >>> to_data(a)["schema"], to_data(a)["exact"]
    (1, True)
    """
    from oddsmith.solver import __version__

    data: dict[str, Any] = {"schema": SCHEMA, "oddsmith": __version__}
    for field in answer.__struct_fields__:
        if field not in ("blocks", "interval"):
            data[field] = msgspec.to_builtins(getattr(answer, field))
    if answer.interval is not None:
        data["interval"] = msgspec.to_builtins(answer.interval)
    return data


def to_json(answer: Answer) -> str:
    """The JSON form as text, indented, ending in a newline; same answer, same bytes."""
    return msgspec.json.format(msgspec.json.encode(to_data(answer)), indent=2).decode() + "\n"
