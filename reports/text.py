"""Terminal text, by rich: folded and coloured on a terminal, plain and whole elsewhere."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from rich.cells import cell_len
from rich.text import Text

from oddsmith.reports.cards import cards_text
from oddsmith.reports.maps import map_text
from oddsmith.reports.text_boards import boards_text
from oddsmith.reports.text_tables import table_text
from oddsmith.reports.words import bars_of, blocks_of, one_line, printable, scale_of, verdict
from oddsmith.solver import answer as kinds
from oddsmith.solver.answer import Answer

_WHOLE = 1_000_000
"""The width of a console that never folds."""

_SIDE_BY_SIDE = 80
"""How far boards and bars spread where no width is given."""


def render_text(
    answers: Sequence[Answer], *, title: str = "", width: int | None = None, color: bool = False
) -> str:
    """Answers as text.

    Args:
        answers: at least one.
        title: a heading above them all.
        width: columns to fold to; None folds nothing.
        color: whether to write terminal colours.

    Returns:
        The text, without spaces at the ends of plain lines.
    """
    buffer = io.StringIO()
    if width is None and not color:
        _write(_Plain(buffer), answers, title)
        return _without_spaces_at_ends(buffer.getvalue())
    from rich.console import Console  # half of the start of a small answer

    console = Console(
        file=buffer,
        width=width or _WHOLE,
        force_terminal=color,
        color_system="truecolor" if color else None,
        no_color=False,  # else the environment would decide what a string holds
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
    )
    _write(console, answers, title)
    return _without_spaces_at_ends(buffer.getvalue())


def _without_spaces_at_ends(text: str) -> str:
    return "\n".join(line.rstrip(" ") for line in text.split("\n"))


class _Plain:
    """As much of a console as text without colours and folds needs."""

    width = _WHOLE

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def print(self, text: Text | None = None, **_: Any) -> None:
        self._file.write((text.plain if text is not None else "") + "\n")


def print_answers(answers: Sequence[Answer], file: TextIO | None) -> None:
    """Print answers; see `oddsmith.reports.print_text`.

    Args:
        answers: at least one.
        file: where to print; standard output if None.
    """
    out = sys.stdout if file is None else file
    terminal = out.isatty()
    width = None
    if terminal:
        from rich.console import Console

        width = Console(file=out).width
    if terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        console = Console(file=out, markup=False, emoji=False, highlight=False)
        _write(console, answers, "")
        return
    text = render_text(answers, width=width)
    # An old encoding lacks rules and block characters; a "?" is better than no answer.
    encoding = getattr(out, "encoding", None) or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding))


def _write(console: Any, answers: Sequence[Answer], title: str) -> None:
    if title:
        _heading(console, title)
        console.print()
    for i, answer in enumerate(answers):
        if i:
            console.print()
        _heading(console, answer.title)
        for block in blocks_of(answer):
            console.print()
            _block(console, block)
        console.print()
        _footer(console, answer)


def _heading(console: Any, title: str) -> None:
    heading = one_line(title)
    console.print(Text(heading, style="bold"))
    console.print(Text("─" * min(cell_len(heading), console.width), style="dim"))


def _block(console: Any, block: kinds.Block) -> None:
    if block.title and not isinstance(block, kinds.Board):  # a board's grid has its title
        console.print(Text(one_line(block.title), style="bold"))
    if isinstance(block, kinds.Text):
        if block.body:
            console.print(Text(printable(block.body)))
    elif isinstance(block, kinds.Table):
        table_text(console, block)
        _note(console, block.note)
    elif isinstance(block, kinds.Bars):
        _bars(console, block)
        _note(console, block.note)
    elif isinstance(block, kinds.Map):
        for line in map_text(block, _spread(console)):
            console.print(line)
    elif isinstance(block, kinds.Cards):
        for line in cards_text(block, _spread(console)):
            console.print(line)
    else:
        boards = (block,) if isinstance(block, kinds.Board) else block.boards
        for line in boards_text(boards, _spread(console)):
            console.print(line)


def _spread(console: Any) -> int:
    return _SIDE_BY_SIDE if console.width == _WHOLE else console.width


def _note(console: Any, note: str) -> None:
    if note:
        console.print(Text(printable(note), style="dim"))


# ---- bars ----------------------------------------------------------------------------------


def _bars(console: Any, block: kinds.Bars) -> None:
    """Bars of block characters, then the number, then its interval in brackets."""
    bars = bars_of(block)
    if not bars:
        return
    labels = max(cell_len(bar.label) for bar in bars)
    numbers = max(cell_len(bar.value_words) for bar in bars)
    around = max(cell_len(bar.interval_words) for bar in bars)
    room = _spread(console) - labels - numbers - (around + 4 if around else 0) - 4
    own_line = room < 12 and labels > 12  # long labels take a line of their own
    length = max(8, min(40, room + (labels if own_line else 0)))
    low, high = scale_of(bars, block.most)
    for bar in bars:
        line = Text()
        if own_line:
            console.print(Text(bar.label))
        else:
            line.append(bar.label + " " * (labels - cell_len(bar.label)))
        line.append("  " if labels else "")
        line.append(bar_characters(bar.value, low, high, length), "cyan")
        line.append("  " + " " * (numbers - cell_len(bar.value_words)) + bar.value_words, "bold")
        if bar.interval_words:
            line.append(f"  ({bar.interval_words})", "dim")
        console.print(line)


def bar_characters(value: float, low: float, high: float, length: int) -> str:
    """A bar in eighths of a character, on a scale from low to high that contains 0.

    Args:
        value: what the bar shows; one that isn't finite has no bar.
        low, high: the ends of the scale, low <= 0 <= high.
        length: characters in all.

    Returns:
        Exactly `length` characters.
    """
    if not 0 < high - low < float("inf") or not low <= value <= high:
        return " " * length
    zero = round(length * -low / (high - low))
    if value < 0:  # block characters fill from the left, so negative bars are whole ones
        cells = max(1, round(zero * value / low)) if zero else 0
        return (" " * (zero - cells) + "█" * cells).ljust(length)
    eighths = round((length - zero) * 8 * value / high) if high else 0
    if value and not eighths:
        eighths = 1
    bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
    return (" " * zero + bar).ljust(length)[:length]


# ---- footer --------------------------------------------------------------------------------


def _footer(console: Any, answer: Answer) -> None:
    """How sure, how found, on what assumptions and rules, from where."""
    word, detail = verdict(answer)
    _hanging(console, "", f"{word}, {detail}" if detail else word)
    _hanging(console, "method: ", answer.method)
    if answer.assumptions:
        _hanging(console, "", "assumptions:")
        for assumption in answer.assumptions:
            _hanging(console, "  • ", assumption)
    if answer.rules_id:
        _hanging(console, "rules: ", answer.rules_id)
    if len(answer.sources) == 1:
        _hanging(console, "source: ", answer.sources[0])
    elif answer.sources:
        _hanging(console, "", "sources:")
        for source in answer.sources:
            _hanging(console, "  • ", source)


def _hanging(console: Any, lead: str, body: str) -> None:
    """A dim paragraph whose folded lines are indented below its first word."""
    indent = min(len(lead), 4)
    text = Text(lead + one_line(body), style="dim")
    if console.width - indent < 20 or text.cell_len <= console.width:
        console.print(text)
        return
    first, *rest = text.wrap(console, console.width)
    console.print(first)
    for line in Text(" ").join(rest).wrap(console, console.width - indent):
        console.print(Text(" " * indent) + line)
