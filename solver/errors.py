"""The two ways a question can end without an answer, and how they are told.

`InputError` carries what a person needs to mend his input (what, where, why, what to do);
`TooLarge` carries the estimate that made us refuse.  The command line turns them into exit
codes 2 and 3; from Python they are ordinary exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable

SHOWN = 100
"""Characters of a source line that a message shows."""


class OddsmithError(Exception):
    """Base of everything that Oddsmith raises on purpose."""

    exit_code = 1


class InputError(OddsmithError):
    """Something the user wrote can't be used.

    Args:
        what: what is wrong, one short sentence without a full stop.
        why: the rule or limit behind it, or "".
        hint: what to do, or "".
        source: file name or "<command line>"; "" when unknown.
        line, column: 1-based; 0 when unknown.
        text: the offending source line, shown under the message.
    """

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        why: str = "",
        hint: str = "",
        source: str = "",
        line: int = 0,
        column: int = 0,
        text: str = "",
    ) -> None:
        super().__init__(what)
        self.what, self.why, self.hint = what, why, hint
        self.source, self.line, self.column, self.text = source, line, column, text

    @property
    def where(self) -> str:
        """`file:line:column`, as far as it is known."""
        parts = [self.source] if self.source else []
        if self.line:
            parts += [str(self.line), str(self.column or 1)]
        return ":".join(parts)

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.text:
            # Of a long line the part around the fault.
            start = max(0, self.column - SHOWN // 2) if len(self.text) > SHOWN else 0
            lines.append(f"    {self.text[start : start + SHOWN]}")
            if self.column:
                lines.append("    " + " " * (self.column - 1 - start) + "^")
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.hint:
            lines.append(f"  try: {self.hint}")
        # Nothing that was read may steer the terminal it is shown on.
        return "\n".join(map(printable, lines))


class TooLarge(OddsmithError):
    """The question is too large to be answered exactly.

    Args:
        what: what was asked.
        estimate: the cost that was foreseen, in words.
        hint: a smaller question, or the option that lifts the limit.
    """

    exit_code = 3

    def __init__(self, what: str, *, estimate: str, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.estimate, self.hint = what, estimate, hint

    def __str__(self) -> str:
        lines = [self.what, f"  estimate: {self.estimate}"]
        if self.hint:
            lines.append(f"  try: {self.hint}")
        return "\n".join(lines)


def printable(text: str) -> str:
    """`text` with one sign for each character that would move or hide others on a terminal."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def counted(n: int, one: str, more: str = "") -> str:
    """So many of a thing in words; `more` where the plural has another ending than s.

    >>> counted(1, "bomb"), counted(0, "bomb"), counted(1, "tile is", "tiles are")
    ('1 bomb', '0 bombs', '1 tile is')
    """
    return f"{n} {one if n == 1 else more or one + 's'}"


def nearest(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """The known word most like `word`, or "" if none is as alike as `cutoff` (0 to 1).

    >>> nearest("stack_limt", ["stack_limit", "hand_limit"])
    'stack_limit'
    >>> nearest("xyz", ["stack_limit"])
    ''
    """
    import difflib  # only on the way to an error message

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return found[0] if found else ""


def typed(name: str) -> str:
    """A game, verb or topic as it is typed and told; with underscores it is understood, too.

    >>> typed("stone_age")
    'stone-age'
    """
    return name.replace("_", "-")
