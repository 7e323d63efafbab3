"""JSON documents with the getters and located messages of TOML ones (`solver.position`).

`null` counts as not given.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

import msgspec

from oddsmith.solver.position import Document, Path, Table
from oddsmith.solver.reading import fault_at, read_text


class _Place(msgspec.Struct, frozen=True):
    """As much of a tree-sitter node as `Table.fault` asks for."""

    start_byte: int
    text: bytes
    type: str


class JsonDocument(Document):
    """A parsed JSON document, an object at its top.

    Args:
        text: JSON.
        source: where it came from, for messages.

    Raises:
        InputError: `text` is not JSON, or no object; a key stands twice.
    """

    __slots__ = ()

    def __init__(self, text: str, source: str = "<text>") -> None:
        self.text, self.source, self.places = text, source, None
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise fault_at(text, error.pos, source, "this is not JSON", why=error.msg) from None
        except RecursionError:
            raise fault_at(text, 0, source, "arrays or objects are nested too deeply") from None
        except ValueError:
            digits = re.search(r"\d{4000,}", text)
            raise fault_at(text, digits.start() if digits else 0, source,
                           "a number has too many digits") from None
        if not isinstance(data, dict):
            raise fault_at(text, 0, source, "the document is no object",
                           why="it must begin with {")
        # Only with the places at hand can a key that stands twice be seen.
        places: dict[Path, tuple[_Place, _Place]] = {}
        _scan(text, _blank(text, 0), (), places, source)
        self.places = cast(Any, places)
        self.root = Table(self, (), _without_null(data))


def open_document(source: str) -> Document:
    """The TOML or JSON document in a file or in standard input, told apart by the first sign.

    Raises:
        InputError: it can't be read, or is neither.
    """
    name, text = read_text(source)
    return (JsonDocument if text.lstrip().startswith("{") else Document)(text, name)


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(one) for key, one in value.items() if one is not None}
    return [_without_null(one) for one in value] if isinstance(value, list) else value


_BLANK = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_OTHER = re.compile(r"[^,\]}\s]+")


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _place(text: str, start: int, end: int) -> _Place:
    kind = "string" if text[start] == '"' else "other"
    return _Place(len(text[:start].encode()), text[start:end].encode(), kind)


def _scan(text: str, at: int, path: Path, places: dict[Path, tuple[_Place, _Place]],
          source: str) -> int:
    """Note the places within the value that begins at a position; where it ends."""
    if text[at] not in "{[":
        found = (_STRING if text[at] == '"' else _OTHER).match(text, at)
        assert found is not None  # json.loads has read it
        return found.end()
    closing, n = ("}" if text[at] == "{" else "]"), 0
    at = _blank(text, at + 1)
    while text[at] != closing:
        start, name = at, cast("str | int", n)
        if closing == "}":
            found = _STRING.match(text, at)
            assert found is not None
            name = json.loads(found[0])
            if (*path, name) in places:
                raise fault_at(text, start, source, f"{found[0]} was given before",
                               why="a key stands once in an object")
            at = _blank(text, _blank(text, found.end()) + 1)
        value = at
        places[(*path, name)] = (_place(text, start, start + 1), _place(text, value, value + 1))
        end = _scan(text, at, (*path, name), places, source)
        places[(*path, name)] = (_place(text, start, end), _place(text, value, end))
        at, n = _blank(text, end), n + 1
        if text[at] == ",":
            at = _blank(text, at + 1)
    return at + 1
