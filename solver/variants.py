"""Rules as data: an edition and what is changed in it, validated and hashed.

A game declares its rules as one frozen struct whose annotations say everything there is to know
about a field; `fields` reads them for documentation, `--help`, checks and messages:

>>> class Rules(msgspec.Struct, frozen=True, kw_only=True):
...     stack_limit: Annotated[int, msgspec.Meta(ge=1, le=8, description="of a stack")] = 4
...     start_layout: Literal["center", "edge", "free"] = "center"
>>> for field in fields(Rules):
...     print(field.name, "=", field.default, "|", field.expected)
stack_limit = 4 | an integer from 1 to 8
start_layout = center | one of center, edge, free
>>> rules = apply(Rules(), ["stack_limit=5", "start_layout=edge"])
>>> rules
Rules(stack_limit=5, start_layout='edge')
>>> overrides(rules, Rules())
{'stack_limit': 5, 'start_layout': 'edge'}
>>> apply(Rules(), ["start_layout=centre"])
Traceback (most recent call last):
oddsmith.solver.errors.InputError: <command line>:1:14: --set: start_layout can't be "centre"
    start_layout=centre
                 ^
  why: it must be one of center, edge, free
  try: center

Annotations may be `int`, `float`, `bool`, `str`, `Literal`, `tuple[x, ...]`, `tuple[x, x]`, unions
of these, and `None` where the default depends on something else.  Such a field is written
`default` in files and on the command line.

A game may have a function `resolve(rules) -> rules` that fills fields that are None and refuses
combinations that make no sense (`InputError`).  Everything here calls it to check, but returns
the rules *unresolved*, so that a setting that comes later (a position's `[rules]` on top of a
variant file, `--set` on top of both) still reaches the fields that depend on it.  The game
resolves once, before it plays; `rules_id` belongs to resolved rules.
"""

from __future__ import annotations

import functools
import hashlib
import math
import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Generic, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.position import Document, Path, Table
from oddsmith.solver.reading import inline_fault, show

R = TypeVar("R", bound=msgspec.Struct)
Resolve = Callable[[R], R]

UNSET_WORD: Final = "default"
"""How None is written where a field allows it; TOML has no word of its own."""

_NO: Final = object()  # "this form doesn't take that value"; None is a value
_BOOLEANS: Final = {
    "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False
}  # fmt: skip


class Form(msgspec.Struct, frozen=True):
    """One form the value of a field may have.

    Args:
        kind: "integer", "number", "boolean", "choice", "text" or "list".
        choices: of a choice.
        low, high: ends of the range of an integer or number, or None.
        item: form of each entry of a list.
        min_length, max_length: of a list.
    """

    kind: str
    choices: tuple[str | int, ...] = ()
    low: float | None = None
    high: float | None = None
    item: Form | None = None
    min_length: int = 0
    max_length: int | None = None

    @property
    def expected(self) -> str:
        """What to write, in words."""
        if self.kind == "boolean":
            return "true or false"
        if self.kind == "choice":
            return ("one of " if len(self.choices) > 1 else "") + ", ".join(map(str, self.choices))
        if self.item is not None:
            length = f" of {self.min_length}" if self.min_length else ""
            if self.max_length is None:
                length += " or more" * bool(self.min_length)
            elif self.max_length != self.min_length:
                length = f" of {self.min_length} to {self.max_length}"
            return f"a list{length}, each {self.item.expected}"
        noun = {"integer": "an integer", "number": "a number"}.get(self.kind, "text")
        if self.low is not None and self.high is not None:
            return f"{noun} from {self.low} to {self.high}"
        if self.low is not None:
            return f"{noun} of at least {self.low}"
        return noun if self.high is None else f"{noun} of at most {self.high}"

    def take(self, value: object, spoken: bool) -> object:
        """`value` as the rules hold it, or _NO; `spoken` values are text from a command line."""
        if self.kind == "choice":
            # A number may name a choice that looks like one (edition = 2019).
            word = value if isinstance(value, str) else show(value)
            return next((choice for choice in self.choices if str(choice) == word), _NO)
        if self.item is not None:
            if spoken:
                inner = str(value).strip().removeprefix("[").removesuffix("]")
                value = [part.strip() for part in inner.split(",")] if inner.strip() else []
            if not isinstance(value, (list, tuple)) or not self._has_length(value):
                return _NO
            entries = tuple(self.item.take(entry, spoken) for entry in value)
            return _NO if _NO in entries else entries
        if spoken:
            value = _from_word(self.kind, str(value))
        if self.kind == "number" and type(value) is int and abs(value) < 2**1000:
            value = float(value)
        wanted = {"integer": int, "number": float, "boolean": bool, "text": str}[self.kind]
        return value if type(value) is wanted and self._in_range(value) else _NO

    def _has_length(self, value: Sequence[object]) -> bool:
        return self.min_length <= len(value) <= (self.max_length or len(value))

    def _in_range(self, value: object) -> bool:
        if not isinstance(value, (int, float)):
            return True
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return low <= value <= high and not (isinstance(value, float) and math.isinf(value))


class Field(msgspec.Struct, frozen=True):
    """One field of a game's rules.

    Args:
        name: as in files and on the command line.
        forms: the forms a value may have, one or more.
        optional: whether it may be None, because it then depends on something else.
        default: of the struct (an edition may have another).
        description: what it means, or "".
    """

    name: str
    forms: tuple[Form, ...]
    optional: bool
    default: Any
    description: str

    @property
    def kind(self) -> str:
        """The kinds of the forms, such as "integer" or "integer or choice"."""
        return " or ".join(form.kind for form in self.forms)

    @property
    def choices(self) -> tuple[str | int, ...]:
        """All words that may be given, lists of words included."""
        groups = (form.item.choices if form.item else form.choices for form in self.forms)
        return tuple(choice for group in groups for choice in group)

    @property
    def low(self) -> float | None:
        """Low end of the range of integers or numbers (or of the entries of a list)."""
        return next((f.low for f in self._inner_forms if f.low is not None), None)

    @property
    def high(self) -> float | None:
        """High end of the range of integers or numbers (or of the entries of a list)."""
        return next((f.high for f in self._inner_forms if f.high is not None), None)

    @property
    def _inner_forms(self) -> tuple[Form, ...]:
        return tuple(form.item or form for form in self.forms)

    @property
    def expected(self) -> str:
        """What to write, in words."""
        words = [form.expected for form in self.forms] + [UNSET_WORD] * self.optional
        return ", or ".join(words)

    def take(self, value: object, spoken: bool = False) -> object:
        """`value` as the rules hold it, or _NO."""
        if self.optional and (value is None or value == UNSET_WORD):
            return None
        taken = (form.take(value, spoken) for form in self.forms)
        return next((one for one in taken if one is not _NO), _NO)

    def bad_entry(self, value: object) -> tuple[int, ...]:
        """Index of the entry for which a list doesn't fit, or () if it isn't for an entry."""
        item = self.forms[0].item
        if item is None or not isinstance(value, list):
            return ()
        return tuple(i for i, entry in enumerate(value) if item.take(entry, False) is _NO)[:1]


def _from_word(kind: str, word: str) -> object:
    """The value that a word on the command line stands for; the word itself if none."""
    if kind == "boolean":
        return _BOOLEANS.get(word.lower(), word)
    if kind == "integer" and re.fullmatch(r"[+-]?[0-9]{1,18}", word):
        return int(word)
    if kind == "number" and re.fullmatch(r"[+-]?[0-9]{1,18}(\.[0-9]{0,18})?", word):
        return float(word)
    return word


# Reading the annotations -----------------------------------------------------------------------

_KINDS: Final[dict[Any, str]] = {int: "integer", float: "number", bool: "boolean", str: "text"}


@functools.cache
def fields(rules_type: type[msgspec.Struct]) -> tuple[Field, ...]:
    """What a rules struct says about each of its fields, in their order.

    Raises:
        TypeError: an annotation that this module doesn't know, or a default that doesn't fit:
            a mistake in the game, not in anybody's input.
    """
    return tuple(_field(info) for info in msgspec.structs.fields(rules_type))


def _field(info: msgspec.structs.FieldInfo) -> Field:
    members = list(_members(info.type))
    field = Field(
        name=info.name,
        # Text takes every word, so that it comes last.
        forms=tuple(
            sorted(
                (_form(member, metas) for member, metas in members if member is not type(None)),
                key=lambda form: form.kind == "text",
            )
        ),
        optional=any(member is type(None) for member, _ in members),
        default=info.default,
        description=next((m.description for _, ms in members for m in ms if m.description), ""),
    )
    if field.take(field.default) is _NO:
        raise TypeError(f"{field.name}: the default {field.default!r} must be {field.expected}")
    return field


def _members(
    annotation: Any, metas: tuple[msgspec.Meta, ...] = ()
) -> Iterator[tuple[Any, tuple[msgspec.Meta, ...]]]:
    """The members of a union, each with what is annotated to it, outermost first."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        yield from _members(inner, metas + tuple(more))
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member, metas)
    else:
        yield annotation, metas


def _form(member: Any, metas: tuple[msgspec.Meta, ...]) -> Form:
    limits: dict[str, Any] = {}
    for meta in metas:
        for name in ("gt", "lt", "multiple_of", "pattern"):
            if getattr(meta, name) is not None:
                raise TypeError(f"msgspec.Meta({name}=...) is not known here; use ge and le")
        for name in ("ge", "le", "min_length", "max_length"):
            if getattr(meta, name) is not None:
                limits[name] = getattr(meta, name)
    if member in _KINDS:
        return Form(_KINDS[member], low=limits.get("ge"), high=limits.get("le"))
    arguments = get_args(member)
    if get_origin(member) is Literal:
        return Form("choice", choices=arguments)
    if get_origin(member) is tuple:
        low, high = limits.get("min_length", 0), limits.get("max_length")
        if arguments[-1] is not ...:
            low = high = len(arguments)
        entries = {_form(*entry) for a in arguments if a is not ... for entry in _members(a)}
        if len(entries) == 1:
            return Form("list", item=entries.pop(), min_length=low, max_length=high)
    raise TypeError(f"{member} is not known here; see the description of oddsmith.solver.variants")


def check(rules: msgspec.Struct) -> None:
    """Refuse rules made in Python with a value that no file could give them.

    Raises:
        InputError: the first field whose value doesn't fit.
    """
    for field in fields(type(rules)):
        value = getattr(rules, field.name)
        if field.take(value) is _NO:
            raise InputError(f"{field.name} can't be {show(value)}",
                             why=f"it must be {field.expected}")


# Changing rules --------------------------------------------------------------------------------


def from_values(rules: R, values: Mapping[str, object], resolve: Resolve[R] | None = None) -> R:
    """`rules` changed by plain values, such as an edition's.

    Raises:
        InputError: an unknown field, a value that doesn't fit, or a combination that `resolve`
            refuses.
    """
    return _change(rules, values, resolve, lambda path, at_key, **words: InputError(**words))


def from_table(rules: R, table: Table, resolve: Resolve[R] | None = None) -> R:
    """`rules` changed by the `[rules]` table of a position or variant file.

    Raises:
        InputError: as `from_values`, with the place in the file.
    """

    def place(path: Path, at_key: bool, what: str, why: str, hint: str) -> InputError:
        return table.fault(*path, what=what, why=why, hint=hint, at_key=at_key)

    return _change(rules, table.as_dict(), resolve, place)


def parse_setting(text: str) -> tuple[str, str]:
    """Name and value, as text, of `--set name=value`.

    Raises:
        InputError: there is no "=".

    >>> parse_setting("water_meter = 2,2,3")
    ('water_meter', '2,2,3')
    """
    name, equals, value = text.partition("=")
    if not equals:
        hint = f"{name.strip()}=VALUE"
        raise inline_fault("--set", text, len(text) + 1, "the = is missing", hint=hint)
    return name.strip(), value.strip()


def apply(rules: R, settings: Iterable[str], resolve: Resolve[R] | None = None) -> R:
    """`rules` changed by settings of the form "name=value"; of two for a field the later holds.

    Raises:
        InputError: as `from_values`, with the place in the setting.
    """
    texts = {parse_setting(text)[0]: text for text in settings}

    def place(path: Path, at_key: bool, what: str, why: str, hint: str) -> InputError:
        if not path:
            return InputError(what, why=why, hint=hint, source="<command line>")
        text = texts[str(path[0])]
        part = text if at_key else text.partition("=")[2]
        column = len(text) - len(part.lstrip()) + 1
        return inline_fault("--set", text, column, what, why=why, hint=hint)

    values = {name: parse_setting(text)[1] for name, text in texts.items()}
    return _change(rules, values, resolve, place, spoken=True)


def _change(
    rules: R,
    values: Mapping[str, object],
    resolve: Resolve[R] | None,
    place: Callable[..., InputError],
    spoken: bool = False,
) -> R:
    """What the three above do.

    `place` makes an error from the path to a value (or (), unknown), whether its key is meant,
    and what, why, hint.
    """
    known = {field.name: field for field in fields(type(rules))}
    changes = {}
    for name, value in values.items():
        if name not in known:
            what, why = f"there is no rule {show(name)}", "known are " + ", ".join(known)
            raise place((name,), True, what=what, why=why, hint=nearest(name, known))
        field = known[name]
        changes[name] = field.take(value, spoken)
        if changes[name] is _NO:
            entry = field.bad_entry(value)
            what = f"{name} can't be {show(value)}"
            if entry and isinstance(value, list):
                what = f"entry {entry[0] + 1} of {name} can't be {show(value[entry[0]])}"
            why = f"it must be {field.expected}"
            words = [*map(str, field.choices), *[UNSET_WORD] * field.optional]
            hint = nearest(value, words) if isinstance(value, str) else ""
            raise place((name, *entry), False, what=what, why=why, hint=hint)
    try:
        changed = msgspec.structs.replace(rules, **changes)
        if resolve is not None:
            resolve(changed)
    except InputError as error:
        # The message points at the first change that it names.
        path = [name for name in changes if re.search(rf"\b{name}\b", error.what)][:1]
        raise place(path, False, what=error.what, why=error.why, hint=error.hint) from None
    return changed


# Variant files, texts, hashes ------------------------------------------------------------------


class Variant(msgspec.Struct, Generic[R], frozen=True):
    """A variant file.

    Args:
        name: as the file calls it.
        edition: which edition it changes.
        rules: unresolved.
    """

    name: str
    edition: str
    rules: R


def load_variant(
    path: str,
    game: str,
    base: R,
    editions: Mapping[str, Mapping[str, object]],
    resolve: Resolve[R] | None = None,
) -> Variant[R]:
    """The variant in a TOML file (`game`, `name`, perhaps `edition`, `[rules]`).

    Args:
        path: a file, or "-".
        game: the game it must be for.
        base: the rules that the file is laid over: the printed ones, or those of a position.
        editions: what each edition changes, the usual one first.
        resolve: the game's check.

    Raises:
        InputError: it can't be read, is for another game, or holds something unfit.
    """
    root = Document.load(path).root
    named = root.text("game")
    if named != game:
        raise root.fault(
            "game", what=f"this variant is for {show(named)}", why=f"the game here is {game}"
        )
    name = root.text("name")
    edition = root.text("edition", tuple(editions), next(iter(editions)))
    rules = from_values(base, editions[edition])
    table = root.table("rules", None)
    if table is not None:
        rules = from_table(rules, table, resolve)
    root.finish()
    return Variant(name, edition, rules)


def overrides(rules: R, base: R) -> dict[str, Any]:
    """The fields in which `rules` differ from `base`, in their order."""
    return {
        name: getattr(rules, name)
        for name in rules.__struct_fields__
        if getattr(rules, name) != getattr(base, name)
    }


def format_setting(name: str, value: object) -> str:
    """`name=value` as `--set` reads it; inverse of `parse_setting` and the field's words.

    >>> format_setting("water_meter", (2, 2, 3)), format_setting("lift_rescue", False)
    ('water_meter=2,2,3', 'lift_rescue=false')
    """
    return f"{name}={_spoken(value)}"


def _spoken(value: object) -> str:
    if value is None:
        return UNSET_WORD
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(_spoken, value))
    return str(value)


def format_rules_toml(rules: R, base: R) -> str:
    """The `[rules]` table that makes `rules` from `base`; "" if they are the same.

    Inverse of `from_table(base, ...)`.
    """
    lines = [f"{name} = {_toml(value)}\n" for name, value in overrides(rules, base).items()]
    return "[rules]\n" + "".join(lines) if lines else ""


def _toml(value: object) -> str:
    if value is None:
        return f'"{UNSET_WORD}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # JSON's words, numbers and strings are TOML's too, but for one character.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007F")


def rules_id(game: str, rules: msgspec.Struct) -> str:
    """A short name of resolved rules: 12 hexadecimal digits, the same for equal rules.

    They are the first of the SHA-256 of the canonical JSON of the game's name and all fields,
    sorted by name, a number with an integer value written as an integer.
    """
    values = {name: _canonical(getattr(rules, name)) for name in sorted(rules.__struct_fields__)}
    data = msgspec.json.encode({"game": game, "rules": values})
    return hashlib.sha256(data).hexdigest()[:12]


def _canonical(value: object) -> object:
    if isinstance(value, tuple):
        return [_canonical(entry) for entry in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
