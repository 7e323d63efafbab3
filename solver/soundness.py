"""Soundness as a value: a position's faults, where they stand in its file, as data and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec

from oddsmith.solver.answer import Block, Text
from oddsmith.solver.answer import Table as TableBlock
from oddsmith.solver.errors import InputError
from oddsmith.solver.position import Table

P = TypeVar("P")

MOST_FAULTS = 60
"""More than this are not told: so many come from one cause."""


class Fault(msgspec.Struct, frozen=True):
    """One thing that no real position can have; `path` is its key path in a position file."""

    path: tuple[str | int, ...]
    what: str
    why: str = ""
    hint: str = ""


def unreachable(doubts: Sequence[str]) -> list[str]:
    """Notes on what no game comes to, and on what the answers are then."""
    end = ["no game gets here: answers are those of the position as it stands"]
    return [*doubts, *end] if doubts else []


def located(root: Table, faults: Iterable[Fault]) -> list[InputError]:
    """The faults with their places in a file, in file order."""
    found = [root.fault(*fault.path, what=fault.what, why=fault.why, hint=fault.hint)
             for fault in islice(faults, MOST_FAULTS)]
    return sorted(found, key=lambda fault: (fault.line, fault.column))


def sound(position: P, faults: Sequence[InputError]) -> P:
    """The position; raises the first of its faults if there is one."""
    if faults:
        raise faults[0]
    return position


def told(faults: Sequence[InputError]) -> list[dict[str, Any]]:
    """The faults as `check --json` tells them."""
    return [{"what": fault.what, "why": fault.why, "hint": fault.hint, "line": fault.line,
             "column": fault.column} for fault in faults]


def blocks(faults: Sequence[InputError], remarks: Sequence[str]) -> tuple[Block, ...]:
    """Faults as a table with their places, remarks as notes."""
    shown: list[Block] = [
        TableBlock(("found", "how many"),
                   (("faults", str(len(faults))), ("notes", str(len(remarks)))), numeric=(1,))
    ]
    if faults:
        shown.append(TableBlock(
            ("where", "fault", "why", "what to do"),
            tuple((fault.where, fault.what, fault.why, fault.hint) for fault in faults),
        ))
    shown += [Text(body=f"Note: {remark}.") for remark in remarks]
    return tuple(shown)
