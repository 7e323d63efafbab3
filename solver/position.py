"""Reading TOML documents, with errors that carry file:line:column.

`Document` parses a text (of a file, or of standard input: reading.py); `Table` hands
out its values one typed getter at a time and remembers which keys were asked for, so that
`finish` can refuse the ones nobody knows:

>>> player = Document('''
... name = "Ada"
... scoer = 12
... ''', "game.toml").root
>>> player.text("name"), player.integer("score", 0, 999, default=0)
('Ada', 0)
>>> player.finish()
Traceback (most recent call last):
oddsmith.solver.errors.InputError: game.toml:3:1: unknown key "scoer"
    scoer = 12
    ^
  why: known keys are name, score
  try: score

tomllib gives values without positions, so the place of a value is looked up with tree-sitter,
imported only on the way to a message.  Lines and columns are 1-based and count characters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from oddsmith.solver.errors import InputError, nearest, printable
from oddsmith.solver.reading import fault_at, read_text, show

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_KEY_PARTS: Final = 40  # tomllib needs quadratic time for a dotted key: 4,000 parts take 0.4 s

Path = tuple[str | int, ...]
"""Keys and 0-based indices from the top of a document to a value."""


class _Required:
    """Type of REQUIRED, which stands where a key has no default."""


REQUIRED: Final = _Required()

T = TypeVar("T")
Maybe: TypeAlias = T | _Required


# Syntax ----------------------------------------------------------------------------------------


# A group has matched where the end of a string is missing.
_STRING_OR_COMMENT: Final = (
    r'(?s)"""(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5}|(\Z))'
    r"|'''(?:[^']++|'(?!''))*+(?:'{3,5}|(\Z))"
    r'|"(?:[^"\\\n]++|\\[^\n])*+(?:"|())'
    r"|'[^'\n]*+(?:'|())"
    r"|#[^\n]*+"
)

_QUOTE_KEY: Final = "put a key in quotes if it has other signs than letters, digits, - and _"
_OPEN_TEXT: Final = "the closing quotes are missing"
_SYNTAX: Final = {  # how tomllib's message begins: what we say, what to do
    "Expected newline": ("something stands after the value", "one key = value a line"),
    "Invalid statement": ("this is neither key = value nor a [table]", _QUOTE_KEY),
    "Invalid value": ("this is not a value", 'put text in quotes: "like this"'),
    "Unclosed array": ("a comma or the closing ] is missing before this", ""),
    "Unclosed inline": ("a comma or } is missing before this", "keep {...} on one line"),
    "Expected '='": ("the = after the key is missing", ""),
    "Expected ']": ("the closing ] after the table's name is missing", ""),
    "Invalid initial": ("a key is missing here", _QUOTE_KEY),
    "Illegal character '\\n'": ("the closing quote is missing", 'use """ for text of many lines'),
    "Found invalid character '\\n'": ("the closing quote is missing", 'use """ for many lines'),
    "Found invalid": ("a control character can't stand here", ""),
    "Illegal": ("a control character can't stand here", ""),
    "Expected": (_OPEN_TEXT, ""),
    "Unterminated": (_OPEN_TEXT, ""),
    "Unescaped": ("a backslash begins an escape such as \\n", "use \\\\ or single quotes"),
    "Invalid hex": ("this escape lacks hexadecimal digits", ""),
    "Escaped": ("there is no such character", ""),
    "Invalid date": ("there is no such date or time", ""),
}


def _skeleton(text: str) -> str:
    """`text` with an "x" for each character of a string or comment; positions stay."""
    return re.sub(_STRING_OR_COMMENT, lambda found: re.sub(r"[^\n]", "x", found[0]), text)


def _parse(text: str, source: str) -> dict[str, Any]:
    """The values of a document; whatever is wrong with it is an InputError."""
    if any(line.count(".") >= _MAX_KEY_PARTS for line in text.split("\n")):
        part = r"[\w-]+[ \t]*\.[ \t]*"
        if long := re.search(rf"(?<![\w-])(?:{part}){{{_MAX_KEY_PARTS}}}", _skeleton(text)):
            what = f"a dotted key has more than {_MAX_KEY_PARTS} parts"
            raise fault_at(text, long.start(), source, what)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_fault(text, source, str(error)) from None
    except RecursionError:
        depth = deepest = at = 0
        for bracket in re.finditer(r"[][{}]", _skeleton(text)):
            depth += 1 if bracket[0] in "[{" else -1
            if depth > deepest:
                deepest, at = depth, bracket.start()
        raise fault_at(text, at, source, "arrays or tables are nested too deeply") from None
    except ValueError:  # Python's limit for the conversion of text to an integer
        digits = re.search(r"\d[\d_]{4000,}", _skeleton(text))
        at = digits.start() if digits else 0
        raise fault_at(text, at, source, "a number has too many digits") from None


def _syntax_fault(text: str, source: str, message: str) -> InputError:
    """What tomllib refused, in words for somebody who has never read the TOML specification."""
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    if place and place[1]:
        above = text.split("\n")[: int(place[1]) - 1]
        at = sum(map(len, above)) + len(above) + int(place[2]) - 1
    else:
        at = len(text.rstrip())
    if message.startswith(("Cannot", "Duplicate")):  # tomllib points behind it: find its key
        name, at = _statement_before(text, at)
        why = "a key or [table] stands once; one written as {...} or [...] can't be added to later"
        return fault_at(text, at, source, f"{name} was given before", why)
    told = (words for beginning, words in _SYNTAX.items() if message.startswith(beginning))
    what, hint = next(told, (message[: place.start()] if place else message, ""))
    why = ""
    if hint == _QUOTE_KEY and not text[at : at + 1].isalpha():
        hint = ""
    if message.startswith("Invalid value"):
        if re.compile(r"[ \t]*(#|\n|\Z)").match(text, at):
            what, hint = "the value is missing", ""
        elif word := re.compile(r"[^\W\d][\w -]{0,30}").match(text, at):
            small = word[0].strip().lower()
            hint = small if small in ("true", "false") else f'"{word[0].strip()}"'
    if what == _OPEN_TEXT:
        opened = (m.start() for m in re.finditer(_STRING_OR_COMMENT, text) if m.lastindex)
        line = text.count("\n", 0, next(opened, 0)) + 1
        why = f"the text that begins in line {line} has no end"
    return fault_at(text, at, source, what, why, hint)


# Places ----------------------------------------------------------------------------------------


def _tree(data: bytes) -> Node:
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_toml.language())).parse(data).root_node


def _parts(node: Node) -> list[Node]:
    """The children of a node that aren't punctuation or comments."""
    return [child for child in node.named_children if child.type != "comment"]


def _source(node: Node) -> str:
    return (node.text or b"").decode()


def _characters(text: str, n_bytes: int) -> int:
    """How many characters the first `n_bytes` bytes are (tree-sitter counts bytes)."""
    return len(text.encode()[:n_bytes].decode())


def _key_names(key: Node) -> Path:
    if key.type == "dotted_key":
        return tuple(name for part in _parts(key) for name in _key_names(part))
    text = _source(key)
    return tuple(tomllib.loads(f"{text} = 0")) if key.type == "quoted_key" else (text,)


def _find_places(root: Node) -> dict[Path, tuple[Node, Node]]:
    """The nodes of the key and of the value at each path; an array element is its own key."""
    places: dict[Path, tuple[Node, Node]] = {}
    if root.has_error:  # the two parsers disagree: a message without a place is better than none
        return places
    lengths: dict[Path, int] = {}  # of the arrays of tables
    for node in _parts(root):
        path: Path = ()
        found = [node]
        if node.type in ("table", "table_array_element"):
            header, *found = _parts(node)
            names = _key_names(header)
            for depth, name in enumerate(names, 1):
                path += (name,)
                places.setdefault(path, (header, node))
                if depth == len(names) and node.type == "table_array_element":
                    lengths[path] = lengths.get(path, 0) + 1
                if path in lengths:
                    path += (lengths[path] - 1,)
            places[path] = (header, node)
        queue = [(path, part) for part in found]
        while queue:
            path, key = queue.pop()
            value = key
            if key.type == "pair":
                key, value = _parts(key)
                for name in _key_names(key):
                    path += (name,)
                    places.setdefault(path, (key, value))
            places[path] = (key, value)
            if value.type == "array":
                queue += [((*path, i), part) for i, part in enumerate(_parts(value))]
            elif value.type == "inline_table":
                queue += [(path, pair) for pair in _parts(value)]
    return places


def _statement_before(text: str, at: int) -> tuple[str, int]:
    """Name and position of the key or table header that ends at a position."""
    end = len(text[:at].encode())
    data = text[: at + len(text[at:].partition("\n")[0])].encode()  # the rest may be anything
    node = _tree(data).descendant_for_byte_range(end - 1, end)
    while node is not None and node.type not in ("pair", "table", "table_array_element"):
        node = node.parent
    if node is None or not _parts(node):
        return "this", at
    key = _parts(node)[0]
    return printable(_source(key)[:40]), _characters(text, key.start_byte)


class Document:
    """A parsed TOML document.

    Args:
        text: TOML.
        source: where it came from, for messages.

    Raises:
        InputError: `text` is not TOML.
    """

    __slots__ = ("places", "root", "source", "text")

    def __init__(self, text: str, source: str = "<text>") -> None:
        # A lone surrogate can't come from a file, but a text given from Python may have one.
        self.text = text.replace("\r\n", "\n").encode(errors="replace").decode()
        self.source = source
        self.places: dict[Path, tuple[Node, Node]] | None = None  # looked up when needed
        self.root = Table(self, (), _parse(self.text, source))

    @classmethod
    def load(cls, source: str) -> Document:
        """The document in a file, or in standard input; see `read_text`."""
        name, text = read_text(source)
        return cls(text, name)


def _inside(literal: str, row: int, column: int) -> int:
    """Position in a string's literal of a place in its value; 0 if escapes make that unclear."""
    if literal[0] == '"' and "\\" in literal:
        return 0
    at = 3 if literal[:3] in ('"""', "'''") else 1
    at += literal[at] == "\n"  # TOML drops a line end right behind the quotes
    for _ in range(row):
        at = literal.find("\n", at) + 1
    return at + column


class Table:
    """One table of a document; every getter marks its key as known.

    A getter raises InputError if the value doesn't fit, or if there is none and no `default`.
    The default is returned as it is.
    """

    __slots__ = ("_data", "_document", "_known", "_path", "_tables")

    def __init__(self, document: Document, path: Path, data: dict[str, Any]) -> None:
        self._document, self._path, self._data = document, path, data
        self._known: dict[str, None] = {}  # in the order they were asked for
        self._tables: dict[Path, Table] = {}

    @property
    def label(self) -> str:
        """What messages call it: `[rules]`, `[[player]] 2`, or "" for the whole document."""
        if not self._path:
            return ""
        *_, last = self._path
        name = ".".join(key for key in self._path if isinstance(key, str))
        return f"[{name}]" if isinstance(last, str) else f"[[{name}]] {last + 1}"

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self._known[key] = None
        return key in self._data

    def as_dict(self) -> dict[str, Any]:
        """All values as tomllib made them; all keys count as known."""
        self._known.update(dict.fromkeys(self._data))
        return self._data

    def raw(self, key: str) -> Any:
        """The value as tomllib made it."""
        return self._get(key, _ANYTHING)

    def integer(self, key: str, low: int, high: int, default: Maybe[T] = REQUIRED) -> int | T:
        """An integer from `low` to `high`; true and false are none."""
        value: int | T = self._get(key, _integer(low, high), default)
        return value

    def integers(
        self, key: str, low: int, high: int, length: int | None = None, default: Maybe[T] = REQUIRED
    ) -> tuple[int, ...] | T:
        """An array of integers from `low` to `high`, `length` of them if given."""
        value: tuple[int, ...] | T = self._get_all(key, _integer(low, high), length, default)
        return value

    def text(
        self, key: str, choices: Sequence[str] | None = None, default: Maybe[T] = REQUIRED
    ) -> str | T:
        """A string, one of `choices` if given."""
        value: str | T = self._get(key, _text(choices), default)
        return value

    def texts(
        self, key: str, choices: Sequence[str] | None = None, default: Maybe[T] = REQUIRED
    ) -> tuple[str, ...] | T:
        """An array of strings, each one of `choices` if given."""
        value: tuple[str, ...] | T = self._get_all(key, _text(choices), None, default)
        return value

    def boolean(self, key: str, default: Maybe[T] = REQUIRED) -> bool | T:
        """The TOML words true and false."""
        value: bool | T = self._get(key, _BOOLEAN, default)
        return value

    def table(self, key: str, default: Maybe[T] = REQUIRED) -> Table | T:
        """A table within this one; `finish` looks after it too."""
        value: Any = self._get(key, _TABLE, default)
        return self._inner((key,), value) if key in self._data else value

    def tables(self, key: str) -> tuple[Table, ...]:
        """An array of tables ([[key]]), empty if there is none."""
        values = self._get_all(key, _TABLE, None, ())
        return tuple(self._inner((key, i), value) for i, value in enumerate(values))

    def finish(self) -> None:
        """Refuse (InputError) keys nobody has asked for, here and in the tables handed out."""
        for key in self._data:
            if key not in self._known:
                what = f"unknown key {show(key)}" + (f" in {self.label}" if self._path else "")
                why = "known keys are " + ", ".join(self._known) if self._known else ""
                hint = nearest(key, self._known)
                raise self.fault(key, what=what, why=why, hint=hint, at_key=True)
        for table in self._tables.values():
            table.finish()

    def fault(
        self,
        *keys: str | int,
        what: str,
        why: str = "",
        hint: str = "",
        offset: tuple[int, int] | None = None,
        at_key: bool = False,
    ) -> InputError:
        """An error located in this table, to be raised.

        Args:
            keys: the path from here to a value: keys, and 0-based indices of arrays.  Where the
                document ends earlier, the nearest table around it is shown.
            what, why, hint: as for InputError.
            offset: 0-based row and column within a string; the start of the string is shown if
                it is written with escapes.
            at_key: show the key, not its value.
        """
        document, path = self._document, self._path + keys
        text, source = document.text, document.source
        if document.places is None:
            document.places = _find_places(_tree(text.encode()))
        while path and path not in document.places:
            path, offset, at_key = path[:-1], None, False
        if not path:
            return InputError(what, why=why, hint=hint, source=source)
        key, value = document.places[path]
        at = _characters(text, (key if at_key else value).start_byte)
        if offset is not None and value.type == "string":
            at += _inside(_source(value), *offset)
        return fault_at(text, at, source, what, why, hint)

    def _inner(self, keys: Path, data: dict[str, Any]) -> Table:
        if keys not in self._tables:
            self._tables[keys] = Table(self._document, self._path + keys, data)
        return self._tables[keys]

    def _get(self, key: str, kind: _Kind, default: object = REQUIRED) -> Any:
        if self.has(key):
            self._check((key,), key, self._data[key], kind)
            return self._data[key]
        if default is not REQUIRED:
            return default
        what = f"{key} is missing" + (f" from {self.label}" if self._path else "")
        why = f"it must be {kind[0]}"
        for slip in self._data:
            if slip not in self._known and _is_slip(slip, key):
                hint = f"write {key} for {slip}"
                raise self.fault(slip, what=what, why=why, hint=hint, at_key=True)
        raise self.fault(what=what, why=why)

    def _get_all(self, key: str, kind: _Kind, length: int | None, default: object) -> Any:
        entries = self._get(key, _array(kind, length), default)
        if key not in self._data:
            return entries
        for i, entry in enumerate(entries):
            self._check((key, i), f"entry {i + 1} of {key}", entry, kind)
        return tuple(entries)

    def _check(self, keys: Path, name: str, value: object, kind: _Kind) -> None:
        wanted, fits, choices = kind
        if not fits(value):
            hint = nearest(value, choices) if isinstance(value, str) else ""
            what = f"{name} is {show(value)}"
            raise self.fault(*keys, what=what, why=f"it must be {wanted}", hint=hint)


def _is_slip(word: str, meant: str) -> bool:
    """The same letters in another order, or one of them twice, missing or too much."""
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    left = list(longer)
    for letter in shorter:
        if letter not in left:
            return False
        left.remove(letter)
    return len(left) <= 1


# Kinds of values: what is wanted, in words; the test; the choices for a suggestion.

_Kind = tuple[str, Callable[[Any], bool], Sequence[str]]

_ANYTHING: Final[_Kind] = ("given", lambda _: True, ())
_BOOLEAN: Final[_Kind] = ("true or false", lambda value: isinstance(value, bool), ())
_TABLE: Final[_Kind] = ("a table", lambda value: isinstance(value, dict), ())


def _integer(low: int, high: int) -> _Kind:
    wanted = f"an integer from {low} to {high}"
    return wanted, lambda value: type(value) is int and low <= value <= high, ()


def _text(choices: Sequence[str] | None) -> _Kind:
    if choices is None:
        return "text in quotes", lambda value: isinstance(value, str), ()
    wanted = "one of " + ", ".join(map(show, choices))
    return wanted, lambda value: isinstance(value, str) and value in choices, choices


def _array(kind: _Kind, length: int | None) -> _Kind:
    many = "an array, each entry" if length is None else f"an array of {length}, each"
    wanted = f"{many} {kind[0]}"
    return wanted, lambda value: isinstance(value, list) and length in (None, len(value)), ()
