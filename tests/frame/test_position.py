"""Reading documents: every message has the right place and names the thing."""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oddsmith.solver import position
from oddsmith.solver.errors import InputError
from oddsmith.solver.position import Document, Table
from oddsmith.solver.reading import inline_fault, show
from tests.frame.faults import fault_of

settings.register_profile("no deadline", deadline=None)  # a busy machine is no fault
settings.load_profile("no deadline")

GAME = """\
# a game, with é before and behind
game = "reef"
turn = 3
"weird key" = "x"   # ünïcode comment
rules.hand.limit = 4
hand = [17, 4, # the é of a comment
  [60, 1], {card = 5, "at" = { x = 1 }}]
board = '''
r,y,.,.
é,g,.,.
'''

[setup]
points = -3
open = true

[[player]]
name = "Ada"
score = 12

[player.reef]
rows = ["a", "b"]

[[player]]
name = "Bob"
score = "many"
note = "tab\\there"

[[player.card]]
n = 1
[[player.card]]
n = 2.5

[setup.deeper]
on = 2020-01-01
"""


def syntax(text: str) -> InputError:
    return fault_of(Document, text, "game.toml")


@pytest.fixture
def root() -> Table:
    return Document(GAME, "game.toml").root

# Syntax ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "what", "hint"),
    [
        ("a = 1\nb = center of\n", 2, 5, "this is not a value", '"center of"'),
        ("a = True", 1, 5, "this is not a value", "true"),
        ("a = “x”", 1, 5, "this is not a value", 'put text in quotes: "like this"'),
        ("a =  # none\nb = 1", 1, 6, "the value is missing", ""),
        ("a =", 1, 4, "the value is missing", ""),
        ("a = 1\n\nhand", 3, 5, "the = after the key is missing", ""),
        ("hand 3\n", 1, 6, "the = after the key is missing", ""),
        ("a = 1 b = 2", 1, 7, "something stands after the value", "one key = value a line"),
        ("a = [1, 2\nb = 3\n", 2, 1, "a comma or the closing ] is missing before this", ""),
        ("a = [1, 2\n\n\n", 1, 10, "a comma or the closing ] is missing before this", ""),
        ("a = {x = 1\n}", 1, 11, "a comma or } is missing before this", "keep {...} on one line"),
        ('a = "x\nb = 1', 1, 7, "the closing quote is missing", 'use """ for text of many lines'),
        ("a = 'x\nb = 'y'", 1, 7, "the closing quote is missing", 'use """ for many lines'),
        ("a = 'x\nb = 1", 2, 6, "the closing quotes are missing", ""),
        ('a = """x\ny\n', 2, 2, "the closing quotes are missing", ""),
        ("a = '''x\ny\n", 2, 2, "the closing quotes are missing", ""),
        ('a = "x', 1, 7, "the closing quotes are missing", ""),
        (r'a = "\q"', 1, 8, r"a backslash begins an escape such as \n", r"use \\ or single quotes"),
        (r'a = "\u00"', 1, 8, "this escape lacks hexadecimal digits", ""),
        (r'a = "\ud800"', 1, 12, "there is no such character", ""),
        ("a = 2025-02-30", 1, 5, "there is no such date or time", ""),
        ("[rules", 1, 7, "the closing ] after the table's name is missing", ""),
        ("[[player]\n", 1, 9, "the closing ] after the table's name is missing", ""),
        ("= 1", 1, 1, "this is neither key = value nor a [table]", ""),
        ("é = 1", 1, 1, "this is neither key = value nor a [table]", position._QUOTE_KEY),
        ("a = {b = 1,}", 1, 12, "a key is missing here", ""),
        ("a.é = 1", 1, 3, "a key is missing here", position._QUOTE_KEY),
        ("# \x01", 1, 3, "a control character can't stand here", ""),
        ('a = "\x01"', 1, 6, "a control character can't stand here", ""),
        ("a = 1\r\n\r\nb = x\r\n", 3, 5, "this is not a value", '"x"'),
    ],
)
def test_syntax_errors(text: str, line: int, column: int, what: str, hint: str) -> None:
    fault = syntax(text)
    assert (fault.line, fault.column, fault.what, fault.hint) == (line, column, what, hint)
    assert fault.source == "game.toml"


@pytest.mark.parametrize(
    ("text", "line", "column", "name"),
    [
        ("a = 1\n  a = 2\n", 2, 3, "a"),
        ("a = 1\na = 2", 2, 1, "a"),
        ("é.a = 1\n".replace("é", '"é"') + '"é".a = [1,\n2]\n', 2, 1, '"é".a'),
        ("a.b = 1\na = 2", 2, 1, "a"),
        ("[a]\n\n[a]\n", 3, 2, "a"),
        ("a = 1\n[[a]]\n[", 2, 3, "a"),
        ("a = [1]\n[[a]]", 2, 3, "a"),
        ("x = 1\n[x.y]", 2, 2, "x.y"),
        ("a = {b = 1, b = 2}", 1, 13, "b"),
        ("a = [{c = 1},\n {b = 1, 'b' = 2}, {", 2, 10, "'b'"),
        ("a = {b = 1}\na.c = 3 # x", 2, 1, "a.c"),
    ],
)
def test_keys_given_twice(text: str, line: int, column: int, name: str) -> None:
    fault = syntax(text)
    assert (fault.line, fault.column) == (line, column)
    assert fault.what == f"{name} was given before"


@pytest.mark.parametrize("text", ["'", '"""', "'''", '"""\\"""', "'''''", '"""x""'])
def test_an_open_text_is_told_where_it_begins(text: str) -> None:
    fault = syntax('a = \'b\' # \'\nc = """"d\n"""""\ne = ' + text + "z\n\nf = 1\n")
    assert (fault.line, fault.column) == (6, 6)
    assert fault.why == "the text that begins in line 4 has no end"


def test_too_many_digits() -> None:
    fault = syntax('# 1\nz = "' + "1" * 5000 + '"\na = [1, ' + "1" * 5000 + "]")
    assert (fault.line, fault.column, fault.what) == (3, 9, "a number has too many digits")
    assert len(fault.text) < 130


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a = ", "}")])
def test_too_deep(opening: str, closing: str) -> None:
    fault = syntax("b = '[[['\na = " + opening * 2000 + closing * 2000)
    assert (fault.line, fault.what) == (2, "arrays or tables are nested too deeply")


def test_long_dotted_keys_are_refused_and_values_are_not() -> None:
    start = time.perf_counter()
    fault = syntax("x = 1\n" + "a . " * 200_000 + "a = 1")
    assert (fault.line, fault.column) == (2, 1)
    assert fault.what == "a dotted key has more than 40 parts"
    dots = "a." * 100
    assert time.perf_counter() - start < 1
    assert syntax("[" + '"".' * 41 + "a]").column == 2
    for harmless in (
        f'x = "{dots}"', f"x = '''\n{dots}'''", f"# {dots}", 'x = """""' + f'{dots}"""""',
        f"x = [{'0.5, ' * 100}]", f'x = """\\"""{dots}"""', f"x = 'it' # '{dots}",
        "x = '''''a''''' # " + dots, "a." * 39 + "a = 1",
    ):  # fmt: skip
        Document(harmless)


def test_a_long_line_is_cut_in_the_message() -> None:
    fault = syntax("a = x" + "y" * 300)
    assert fault.text == "a = x" + "y" * 115 + "…"
    assert len(fault.hint) < 40
    fault = syntax("a = [" + "1, " * 100 + "x]")
    assert (fault.column, fault.text) == (306, "")


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths_of(inner, (*path, key))


def check_any(text: str) -> None:
    """Any text is a document whose every value has a place, or an InputError."""
    try:
        document = Document(text, "any.toml")
    except InputError as error:
        fault = error
    else:
        fault = None
    if fault is not None:
        str(fault).encode()
        lines = text.replace("\r\n", "\n").split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
        assert fault.text.isprintable()
        return
    for path in paths_of(tomllib.loads(document.text)):
        assert document.root.fault(*path, what="x").line > 0
        assert document.places is not None
        assert path in document.places


WORDS = st.sampled_from(
    ["a", "b", '"é"', "'c d'", ".", "=", "[", "]", "[[", "]]", "{", "}", ",", "\n", "\r\n", " ",
     "\t", "#", '"', "'", '"""', "'''", "\\", "1", "-", "_", "0x", "1e5", "true", "2020-01-01",
     "07:32:00", "nan", "\r", "\0", "\ud800", "\u2028", "9" * 4400, "[" * 900]
)  # fmt: skip


@given(st.text())
@example("\ud800 = 1")
@example("a = 1\n\ud800")
def test_any_text(text: str) -> None:
    check_any(text)


@given(st.lists(WORDS, max_size=40).map("".join))
def test_any_words(text: str) -> None:
    check_any(text)


@given(st.data())
def test_a_mutated_document(data: st.DataObject) -> None:
    text = GAME
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 12, len(text))))
        text = text[:start] + data.draw(WORDS | st.just("")) + text[end:]
    check_any(text)


KEYS = st.sampled_from(["a", "b", "c d", "é", "0", "x.y", ""])
VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_every_value_is_found_where_it_was_written(values: dict[str, Any]) -> None:
    places: dict[tuple[Any, ...], tuple[int, int]] = {}
    lines: list[str] = []

    def write(value: Any, path: tuple[Any, ...], before: str) -> str:
        places[path] = (len(lines) + 1, len(before) + 1)
        if isinstance(value, list):
            line = before + "[ "
            for i, entry in enumerate(value):
                line = write(entry, (*path, i), line) + ", "
            return line + "]"
        if isinstance(value, dict):
            line = before + "{ "
            for i, (key, entry) in enumerate(value.items()):
                line = write(entry, (*path, key), line + ", " * (i > 0) + quote(key) + " = ")
            return line + " }"
        return before + (quote(value) if isinstance(value, str) else str(value).lower())

    for key, value in values.items():
        lines.append(write(value, (key,), f"{quote(key)} = "))
    root = Document("\n".join(lines)).root
    for path, (line, column) in places.items():
        fault = root.fault(*path, what="x")
        assert (fault.line, fault.column) == (line, column)


def quote(text: str) -> str:
    escaped = "".join(c if c.isalnum() or c in " é." else f"\\U{ord(c):08x}" for c in text)
    return f'"{escaped}"'


# Places ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("game",), 2, 8),
        (("weird key",), 4, 15),
        (("rules",), 5, 20),
        (("rules", "hand"), 5, 20),
        (("rules", "hand", "limit"), 5, 20),
        (("hand",), 6, 8),
        (("hand", 0), 6, 9),
        (("hand", 1), 6, 13),
        (("hand", 2), 7, 3),
        (("hand", 2, 1), 7, 8),
        (("hand", 3, "card"), 7, 20),
        (("hand", 3, "at", "x"), 7, 36),
        (("setup",), 13, 1),
        (("setup", "points"), 14, 10),
        (("setup", "deeper", "on"), 35, 6),
        (("player",), 17, 1),
        (("player", 0), 17, 1),
        (("player", 0, "score"), 19, 9),
        (("player", 0, "reef"), 21, 1),
        (("player", 0, "reef", "rows", 1), 22, 14),
        (("player", 1), 24, 1),
        (("player", 1, "name"), 25, 8),
        (("player", 1, "card", 0, "n"), 30, 5),
        (("player", 1, "card", 1), 31, 1),
        (("player", 1, "card", 1, "n"), 32, 5),
    ],
)
def test_places(root: Table, path: tuple[Any, ...], line: int, column: int) -> None:
    fault = root.fault(*path, what="wrong")
    assert (fault.source, fault.line, fault.column) == ("game.toml", line, column)
    assert fault.text == GAME.split("\n")[line - 1]


def test_places_of_keys(root: Table) -> None:
    for path, line, column in [
        (("weird key",), 4, 1), (("rules", "hand", "limit"), 5, 1), (("hand", 3, "at"), 7, 23),
        (("setup",), 13, 2), (("player", 1), 24, 3), (("setup", "deeper"), 34, 2),
    ]:  # fmt: skip
        fault = root.fault(*path, what="wrong", at_key=True)
        assert (fault.line, fault.column) == (line, column), path


def test_what_is_not_there_is_shown_at_the_table_around_it(root: Table) -> None:
    fault = root.fault("player", 1, "hand", 3, what="wrong", offset=(1, 1), at_key=True)
    assert (fault.line, fault.column, fault.text) == (24, 1, "[[player]]")
    fault = root.fault("nothing", what="wrong", why="because", hint="this")
    assert (fault.source, fault.line, fault.column) == ("game.toml", 0, 0)
    assert str(fault) == "game.toml: wrong\n  why: because\n  try: this"


@pytest.mark.parametrize(
    ("literal", "offset", "line", "column"),
    [
        ("'''\nr,y\né,g\n'''", (0, 2), 2, 3),
        ("'''\nr,y\né,g\n'''", (1, 0), 3, 1),
        ('"""\nr,y\né,g"""', (1, 2), 3, 3),
        ("'''r,y\né,g'''", (0, 2), 1, 12),
        ("'''r,y\né,g'''", (1, 1), 2, 2),
        ('"r,y/é,g"', (0, 4), 1, 12),
        ("'r\\y'", (0, 2), 1, 10),
        ('"r\\ty"', (0, 3), 1, 7),
        ('"""\nr\\ty\nx"""', (1, 0), 1, 7),
        ('""', (0, 0), 1, 8),
        ("''''''", (0, 0), 1, 10),
        ("[1]", (0, 5), 1, 7),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_places_in_strings(
    literal: str, offset: tuple[int, int], line: int, column: int, line_end: str
) -> None:
    text = f'"é" = {literal}\n'.replace("\n", line_end)
    fault = Document(text).root.fault("é", what="wrong", offset=offset)
    assert (fault.line, fault.column) == (line, column)


def test_a_tab_is_one_column_and_one_sign() -> None:
    fault = Document('\ta\t=\t"\u202ex"').root.fault("a", what="wrong")
    assert (fault.column, fault.text) == (6, ' a = "�x"')


def test_inline_fault() -> None:
    fault = inline_fault("POSITION", "r,y,q,./", 5, "no such colour", why="w", hint="r, y, g, p")
    assert str(fault) == (
        "<command line>:1:5: POSITION: no such colour\n    r,y,q,./\n        ^\n"
        "  why: w\n  try: r, y, g, p"
    )
    assert inline_fault("", "x", 1, "wrong").what == "wrong"


def test_nothing_heavy_is_imported_before_an_error() -> None:
    code = (
        "import sys, oddsmith.solver.variants;"
        "oddsmith.solver.position.Document('a = 1').root.integer('a', 0, 1);"
        "print(sorted({'tree_sitter', 'numpy', 'scipy', 'statistics', 'difflib'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Getters ---------------------------------------------------------------------------------------


def test_values(root: Table) -> None:
    assert root.text("game") == "reef"
    assert root.text("game", ["fuse", "reef"]) == "reef"
    assert root.integer("turn", 3, 3) == 3
    assert root.boolean("no such", False) is False
    assert root.integer("no such", 1, 2, None) is None
    assert root.text("no such", default="x") == "x"
    assert root.integers("no such", 1, 2, default=()) == ()
    assert root.texts("no such", default=None) is None
    assert root.table("no such", None) is None
    assert root.tables("no such") == ()
    assert root.raw("hand")[2] == [60, 1]
    assert root.has("turn")
    assert not root.has("no such")
    assert root.table("setup").boolean("open") is True
    first, second = root.tables("player")
    assert (first.text("name"), second.text("name")) == ("Ada", "Bob")
    assert first.table("reef").texts("rows", ["a", "b", "c"]) == ("a", "b")
    assert Document("a = [1, 2]").root.integers("a", 1, 2, length=2) == (1, 2)
    assert Document("a = []").root.texts("a") == ()
    assert [table.label for table in (root, root.table("setup"), second)] == [
        "", "[setup]", "[[player]] 2",
    ]  # fmt: skip
    assert root.table("setup").as_dict().keys() == {"points", "open", "deeper"}


@pytest.mark.parametrize(
    ("written", "action", "column", "what", "why"),
    [
        ("9", ("integer", 1, 8), 5, "x is 9", "it must be an integer from 1 to 8"),
        ("0", ("integer", 1, 8), 5, "x is 0", "it must be an integer from 1 to 8"),
        ("true", ("integer", 0, 8), 5, "x is true", "it must be an integer from 0 to 8"),
        ("4.0", ("integer", 0, 8), 5, "x is 4.0", "it must be an integer from 0 to 8"),
        ('"4"', ("integer", 0, 8), 5, 'x is "4"', "it must be an integer from 0 to 8"),
        ("[4]", ("integer", 0, 8), 5, "x is an array of 1", "it must be an integer from 0 to 8"),
        ("{a = 1}", ("integer", 0, 8), 5, "x is a table", "it must be an integer from 0 to 8"),
        ("0x" + "f" * 9999, ("integer", 0, 8), 5, "x is a number of more than 20 digits",
         "it must be an integer from 0 to 8"),
        ("1", ("boolean",), 5, "x is 1", "it must be true or false"),
        ("1", ("text",), 5, "x is 1", "it must be text in quotes"),
        ("2020-01-01", ("text",), 5, "x is 2020-01-01", "it must be text in quotes"),
        ('"c"', ("text", ["a", "b"]), 5, 'x is "c"', 'it must be one of "a", "b"'),
        ("1", ("text", ["a", "b"]), 5, "x is 1", 'it must be one of "a", "b"'),
        ("1", ("table",), 5, "x is 1", "it must be a table"),
        ("[{}]", ("table",), 5, "x is an array of 1", "it must be a table"),
        ("{}", ("tables",), 5, "x is a table", "it must be an array, each entry a table"),
        ("[{}, 1]", ("tables",), 10, "entry 2 of x is 1", "it must be a table"),
        ("3", ("integers", 1, 8), 5, "x is 3",
         "it must be an array, each entry an integer from 1 to 8"),
        ("[3, 4]", ("integers", 1, 8, 3), 5, "x is an array of 2",
         "it must be an array of 3, each an integer from 1 to 8"),
        ("[3, 4, 9]", ("integers", 1, 8, 3), 12, "entry 3 of x is 9",
         "it must be an integer from 1 to 8"),
        ("[3, true]", ("integers", 1, 8), 9, "entry 2 of x is true",
         "it must be an integer from 1 to 8"),
        ('["é", 3]', ("texts",), 11, "entry 2 of x is 3", "it must be text in quotes"),
    ],
)  # fmt: skip
def test_wrong_values(
    written: str, action: tuple[Any, ...], column: int, what: str, why: str
) -> None:
    root = Document(f"# one\nx = {written}\n", "game.toml").root
    name, *options = action
    fault = fault_of(getattr(root, name), "x", *options)
    assert (fault.what, fault.why) == (what, why)
    assert (fault.source, fault.line, fault.column) == ("game.toml", 2, column)
    assert fault.text.startswith(f"x = {written}"[:100])


def test_a_choice_is_suggested() -> None:
    root = Document('layout = "centre"\nhand = ["red", "gren"]').root
    assert fault_of(root.text, "layout", ["edge", "center"]).hint == "center"
    fault = fault_of(root.texts, "hand", ["red", "green"])
    assert (fault.line, fault.column, fault.hint) == (2, 16, "green")


def test_missing_keys(root: Table) -> None:
    fault = fault_of(root.integer, "points", 0, 9)
    assert str(fault) == "game.toml: points is missing\n  why: it must be an integer from 0 to 9"
    fault = fault_of(root.table("setup").text, "layout", ["a", "b"])
    assert (fault.what, fault.line, fault.column) == ("layout is missing from [setup]", 13, 1)
    assert fault.why == 'it must be one of "a", "b"'
    fault = fault_of(root.tables("player")[1].raw, "hand")
    assert (fault.what, fault.line) == ("hand is missing from [[player]] 2", 24)


def test_finish_refuses_unknown_keys() -> None:
    text = 'name = "x"\n[rules]\nstack_limit = 4\nstack_limt = 5\nfoo = 1\n'
    root = Document(text, "game.toml").root
    root.text("name")
    rules = root.table("rules")
    rules.integer("stack_limit", 1, 8)
    rules.has("hand_limit")
    fault = fault_of(root.finish)
    assert str(fault) == (
        'game.toml:4:1: unknown key "stack_limt" in [rules]\n'
        "    stack_limt = 5\n    ^\n"
        "  why: known keys are stack_limit, hand_limit\n  try: stack_limit"
    )
    rules.raw("stack_limt")
    fault = fault_of(root.finish)
    assert (fault.line, fault.column, fault.hint) == (5, 1, "")
    rules.raw("foo")
    root.finish()


def test_finish_looks_into_all_tables_handed_out(root: Table) -> None:
    for key in ("game", "turn", "weird key", "rules", "hand", "board", "setup"):
        root.raw(key)
    assert root.tables("player") == root.tables("player")
    for player in root.tables("player"):
        for key in ("name", "score", "note"):
            player.has(key)
    fault = fault_of(root.finish)
    assert (fault.what, fault.line, fault.column) == ('unknown key "reef" in [[player]] 1', 21, 2)
    root.tables("player")[0].raw("reef")
    root.tables("player")[1].raw("card")
    root.finish()


def test_an_unknown_table_is_shown_at_its_name() -> None:
    root = Document("[rulez]\na = 1\n[[playr]]").root
    root.has("rules")
    fault = fault_of(root.finish)
    assert (fault.line, fault.column, fault.what) == (1, 2, 'unknown key "rulez"')
    assert (fault.why, fault.hint) == ("known keys are rules", "rules")


def test_finish_with_nothing_known() -> None:
    assert fault_of(Document("a = 1").root.finish).why == ""


def test_show() -> None:
    assert show("x" * 41) == '"' + "x" * 40 + '…"'
    assert show("a\nb") == '"a�b"'
    assert show(-(10**20)) == "a number of more than 20 digits"
    assert show(10**20 - 1) == "9" * 20
    assert show((1, 2, 3)) == "an array of 3"
