"""Rules as data: reading annotations, changing values, messages, files, hashes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from oddsmith.solver.errors import InputError
from oddsmith.solver.position import Document
from oddsmith.solver.variants import (
    Field,
    apply,
    fields,
    format_rules_toml,
    from_table,
    from_values,
    load_variant,
    overrides,
    parse_setting,
    rules_id,
)

settings.register_profile("no deadline", deadline=None)  # a busy machine is no fault
settings.load_profile("no deadline")


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """One field of every shape that the option tables of the four games have."""

    supply: Annotated[int, Meta(ge=5, le=60)] | None = None
    layout: Literal["center", "edge", "free"] = "center"
    stack_limit: Annotated[int, Meta(ge=1, le=8, description="pieces of a stack")] = 4
    lift_rescue: bool = True
    flights: Annotated[int, Meta(ge=1, le=9)] | Literal["unlimited"] = 1
    level: Literal["standard", "expert"] | Annotated[int, Meta(ge=5, le=60)] = "standard"
    water_meter: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=2, max_length=4)
    ] = (2, 2, 3)
    resources: (
        Literal["unlimited"] | tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]
    ) = "unlimited"
    dice: Literal["six_sided", "3", "3.5"] = "six_sided"
    pace: Annotated[float, Meta(ge=0.5, le=600)] | tuple[float, ...] | str = 20
    roles: Literal["random"] | tuple[Literal["pilot", "diver"], ...] = "random"
    edition: Literal[2015, 2019] = 2015
    map: str = "standard"


def resolve(rules: Rules) -> Rules:
    """As a game would: fill what depends on something else, refuse what makes no sense."""
    if rules.layout == "free" and rules.stack_limit == 1:
        raise InputError(
            "stack_limit 1 leaves no room", why="layout free may stack", hint="stack_limit 2"
        )
    if rules.map == "nowhere":
        raise InputError("there is no room at all")
    supply = rules.supply or (28 if rules.layout == "edge" else 18)
    return msgspec.structs.replace(rules, supply=supply)


RULES = Rules()


def fault_of(action: Any, *args: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        action(*args)
    return caught.value


def field(name: str) -> Field:
    return next(field for field in fields(Rules) if field.name == name)


# Reading the annotations -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "choices", "low", "high", "expected"),
    [
        ("supply", "integer", (), 5, 60, "an integer from 5 to 60, or default"),
        ("layout", "choice", ("center", "edge", "free"), None, None, "one of center, edge, free"),
        ("stack_limit", "integer", (), 1, 8, "an integer from 1 to 8"),
        ("lift_rescue", "boolean", (), None, None, "true or false"),
        ("flights", "integer or choice", ("unlimited",), 1, 9,
         "an integer from 1 to 9, or unlimited"),
        ("level", "choice or integer", ("standard", "expert"), 5, 60,
         "one of standard, expert, or an integer from 5 to 60"),
        ("water_meter", "list", (), 1, 9, "a list of 2 to 4, each an integer from 1 to 9"),
        ("resources", "choice or list", ("unlimited",), 0, None,
         "unlimited, or a list of 2, each an integer of at least 0"),
        ("dice", "choice", ("six_sided", "3", "3.5"), None, None, "one of six_sided, 3, 3.5"),
        ("pace", "number or list or text", (), 0.5, 600,
         "a number from 0.5 to 600, or a list, each a number, or text"),
        ("roles", "choice or list", ("random", "pilot", "diver"), None, None,
         "random, or a list, each one of pilot, diver"),
        ("edition", "choice", (2015, 2019), None, None, "one of 2015, 2019"),
        ("map", "text", (), None, None, "text"),
    ],
)  # fmt: skip
def test_fields(
    name: str, kind: str, choices: tuple[Any, ...], low: float, high: float, expected: str
) -> None:
    found = field(name)
    assert (found.kind, found.choices) == (kind, choices)
    assert (found.low, found.high) == (low, high)
    assert found.expected == expected
    assert found.default == getattr(RULES, name)


def test_fields_are_in_order_and_described() -> None:
    assert tuple(field.name for field in fields(Rules)) == Rules.__struct_fields__
    assert field("stack_limit").description == "pieces of a stack"
    assert field("supply").description == ""


def test_limits_of_other_shapes() -> None:
    class Shapes(msgspec.Struct):
        at_most: Annotated[int, Meta(le=3)] = 0
        some: Annotated[tuple[int, ...], Meta(min_length=1)] = (1,)
        few: Annotated[tuple[bool, ...], Meta(max_length=2)] = ()
        outer: Annotated[int | None, Meta(ge=2, description="outside")] = None

    assert [field.expected for field in fields(Shapes)] == [
        "an integer of at most 3",
        "a list of 1 or more, each an integer",
        "a list of 0 to 2, each true or false",
        "an integer of at least 2, or default",
    ]
    assert fields(Shapes)[3].description == "outside"
    for name, bad in [("at_most", 4), ("some", []), ("few", [True] * 3), ("outer", 1)]:
        fault_of(from_values, Shapes(), {name: bad})


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (Annotated[int, Meta(gt=0)], 1),
        (dict[str, int], {}),
        (tuple[int, str], (1, "a")),
        (Annotated[int, Meta(ge=1)], 0),
        (Literal["a"], "b"),
        (int, None),
    ],
)
def test_mistakes_of_a_game_are_type_errors(annotation: Any, default: Any) -> None:
    rules_type = msgspec.defstruct("Wrong", [("x", annotation, default)])
    with pytest.raises(TypeError):
        fields(rules_type)


# Settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("supply=18", 18),
        ("supply=default", None),
        (" stack_limit = 8 ", 8),
        ("stack_limit=+1", 1),
        ("lift_rescue=no", False),
        ("lift_rescue=OFF", False),
        ("lift_rescue=false", False),
        ("lift_rescue=yes", True),
        ("lift_rescue=on", True),
        ("lift_rescue=True", True),
        ("layout=free", "free"),
        ("flights=9", 9),
        ("flights=unlimited", "unlimited"),
        ("level=22", 22),
        ("water_meter=2,2,9", (2, 2, 9)),
        ("water_meter=[1, 1]", (1, 1)),
        ("resources=20,0", (20, 0)),
        ("dice=3.5", "3.5"),
        ("pace=15", 15.0),
        ("pace=0.5", 0.5),
        ("pace=18, 20.5", (18.0, 20.5)),
        ("pace=", ()),
        ("pace=normal(20, 4)", "normal(20, 4)"),
        ("roles=pilot,diver", ("pilot", "diver")),
        ("edition=2019", 2019),
        ("map=a=b", "a=b"),
    ],
)
def test_settings(setting: str, value: object) -> None:
    name = setting.partition("=")[0].strip()
    found = getattr(apply(RULES, [setting]), name)
    assert found == value
    assert type(found) is type(value)
    assert overrides(apply(RULES, [setting]), RULES).keys() <= {name}


@pytest.mark.parametrize(
    ("setting", "column", "what", "hint"),
    [
        ("stack_limit=9", 13, 'stack_limit can\'t be "9"', ""),
        ("stack_limit=0", 13, 'stack_limit can\'t be "0"', ""),
        ("stack_limit = 4.0", 15, 'stack_limit can\'t be "4.0"', ""),
        ("stack_limit=", 13, 'stack_limit can\'t be ""', ""),
        ("stack_limit=default", 13, 'stack_limit can\'t be "default"', ""),
        ("stack_limit=" + "9" * 5000, 13, f'stack_limit can\'t be "{"9" * 40}…"', ""),
        ("supply=61", 8, 'supply can\'t be "61"', ""),
        ("supply=defalt", 8, 'supply can\'t be "defalt"', "default"),
        ("layout=Center", 8, 'layout can\'t be "Center"', "center"),
        ("lift_rescue=maybe", 13, 'lift_rescue can\'t be "maybe"', ""),
        ("flights=unlimitd", 9, 'flights can\'t be "unlimitd"', "unlimited"),
        ("flights=10", 9, 'flights can\'t be "10"', ""),
        ("water_meter=2", 13, 'water_meter can\'t be "2"', ""),
        ("water_meter=2,2,2,2,2", 13, 'water_meter can\'t be "2,2,2,2,2"', ""),
        ("water_meter=2,x", 13, 'water_meter can\'t be "2,x"', ""),
        ("resources=1,-1", 11, 'resources can\'t be "1,-1"', ""),
        ("edition=2016", 9, 'edition can\'t be "2016"', "2019"),
        ("stack_limt=5", 1, 'there is no rule "stack_limt"', "stack_limit"),
        ("  stack_limt=5", 3, 'there is no rule "stack_limt"', "stack_limit"),
        ("=5", 1, 'there is no rule ""', ""),
        ("stack_limit", 12, "the = is missing", "stack_limit=VALUE"),
    ],
)
def test_wrong_settings(setting: str, column: int, what: str, hint: str) -> None:
    fault = fault_of(apply, RULES, ["layout=edge", setting])
    assert fault.what == f"--set: {what}"
    assert (fault.source, fault.line, fault.column) == ("<command line>", 1, column)
    assert fault.hint == hint
    assert fault.text == setting[:120] + "…" * (len(setting) > 120)


def test_a_wrong_setting_says_what_is_right() -> None:
    fault = fault_of(apply, RULES, ["flights=0"])
    assert fault.why == "it must be an integer from 1 to 9, or unlimited"
    fault = fault_of(apply, RULES, ["nothing=0"])
    assert fault.why == "known are " + ", ".join(Rules.__struct_fields__)


def test_the_later_setting_holds() -> None:
    assert apply(RULES, ["stack_limit=5", "stack_limit=6"]).stack_limit == 6
    assert apply(RULES, []) == RULES


def test_parse_setting() -> None:
    assert parse_setting(" a = b=c ") == ("a", "b=c")


# Values and tables -----------------------------------------------------------------------------


def test_plain_values() -> None:
    rules = from_values(RULES, {"water_meter": [1, 2], "supply": None, "pace": 7, "edition": 2019})
    assert rules == Rules(water_meter=(1, 2), pace=7.0, edition=2019)
    assert fault_of(from_values, RULES, {"stack_limit": True}).what == "stack_limit can't be true"
    assert fault_of(from_values, RULES, {"stack": 1}).hint == "stack_limit"


def table_of(text: str) -> Any:
    return Document(text, "variant.toml").root.table("rules")


def test_table() -> None:
    text = (
        '[rules]\nsupply = "default"\nstack_limit = 5\nlift_rescue = false\nlevel = 22\n'
        'resources = [1, 2]\ndice = 3.5\npace = [1, 2.5]\nroles = ["diver"]\nedition = "2019"\n'
    )
    base = Rules(supply=30, layout="edge")
    assert from_table(base, table_of(text)) == Rules(
        supply=None, layout="edge", stack_limit=5, lift_rescue=False, level=22, resources=(1, 2),
        dice="3.5", pace=(1.0, 2.5), roles=("diver",), edition=2019,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "line", "column", "what", "hint"),
    [
        ("stack_limit = 9", 2, 15, "stack_limit can't be 9", ""),
        ("stack_limit = true", 2, 15, "stack_limit can't be true", ""),
        ("stack_limit = 4.0", 2, 15, "stack_limit can't be 4.0", ""),
        ("lift_rescue = 1", 2, 15, "lift_rescue can't be 1", ""),
        ('lift_rescue = "true"', 2, 15, 'lift_rescue can\'t be "true"', ""),
        ("\nlayout = 'centre'", 3, 10, 'layout can\'t be "centre"', "center"),
        ('stack_limit = "4"', 2, 15, 'stack_limit can\'t be "4"', ""),
        ("water_meter = [2, 10]", 2, 19, "entry 2 of water_meter can't be 10", ""),
        ("water_meter = [2]", 2, 15, "water_meter can't be an array of 1", ""),
        ("water_meter = 2", 2, 15, "water_meter can't be 2", ""),
        ("pace = 0", 2, 8, "pace can't be 0", ""),
        ("pace = nan", 2, 8, "pace can't be nan", ""),
        ("pace = inf", 2, 8, "pace can't be inf", ""),
        ("pace = 0x" + "f" * 999, 2, 8, "pace can't be a number of more than 20 digits", ""),
        ("stack_limt = 5", 2, 1, 'there is no rule "stack_limt"', "stack_limit"),
        ("layout = {a = 1}", 2, 10, "layout can't be a table", ""),
    ],
)
def test_wrong_tables(lines: str, line: int, column: int, what: str, hint: str) -> None:
    fault = fault_of(from_table, RULES, table_of(f"[rules]\n{lines}\n"))
    assert (fault.source, fault.line, fault.column) == ("variant.toml", line, column)
    assert (fault.what, fault.hint) == (what, hint)


def test_an_array_that_is_not_finite() -> None:
    fault = fault_of(from_table, RULES, table_of("rules = {pace = [1, inf]}"))
    assert (fault.line, fault.column) == (1, 17)


# Combinations ----------------------------------------------------------------------------------


def test_rules_stay_unresolved() -> None:
    rules = apply(RULES, ["stack_limit=5"], resolve)
    assert rules.supply is None
    later = apply(rules, ["layout=edge"], resolve)
    assert resolve(later).supply == 28


def test_a_combination_is_shown_at_the_first_change_it_names() -> None:
    text = '[rules]\nlayout = "free"\nstack_limit = 1\n'
    fault = fault_of(from_table, RULES, table_of(text), resolve)
    assert (fault.source, fault.line, fault.column) == ("variant.toml", 3, 15)
    assert fault.what == "stack_limit 1 leaves no room"
    assert (fault.why, fault.hint) == ("layout free may stack", "stack_limit 2")

    fault = fault_of(from_table, Rules(stack_limit=1), table_of(text[:24]), resolve)
    assert (fault.source, fault.line, fault.column) == ("variant.toml", 1, 1)

    fault = fault_of(apply, RULES, ["layout=free", "stack_limit=1"], resolve)
    assert (fault.source, fault.column, fault.text) == ("<command line>", 13, "stack_limit=1")
    assert fault.what == "--set: stack_limit 1 leaves no room"

    fault = fault_of(apply, RULES, ["map=nowhere"], resolve)
    assert str(fault) == "<command line>: there is no room at all"

    fault = fault_of(from_values, RULES, {"layout": "free", "stack_limit": 1}, resolve)
    assert (fault.source, fault.hint) == ("", "stack_limit 2")


# Variant files ---------------------------------------------------------------------------------

EDITIONS = {"first": {}, "second": {"stack_limit": 6, "water_meter": [5, 5]}}


def load(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "variant.toml"
    path.write_text(text)
    return load_variant(str(path), "reef", Rules(), EDITIONS, resolve)


def test_variant(tmp_path: Path) -> None:
    variant = load(
        tmp_path,
        'game = "reef"\nname = "High"\nedition = "second"\n[rules]\nlayout = "edge"\n',
    )
    assert (variant.name, variant.edition) == ("High", "second")
    assert variant.rules == Rules(stack_limit=6, water_meter=(5, 5), layout="edge")


def test_the_first_edition_is_the_usual_one(tmp_path: Path) -> None:
    variant = load(tmp_path, 'game = "reef"\nname = "Plain"\n')
    assert (variant.edition, variant.rules) == ("first", RULES)


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('game = "fuse"\nname = "x"\nfoo = 1', 1, 8, 'this variant is for "fuse"'),
        ('name = "x"', 0, 0, "game is missing"),
        ('game = "reef"', 0, 0, "name is missing"),
        ('game = "reef"\nname = 3', 2, 8, "name is 3"),
        ('game = "reef"\nname = "x"\nedition = "third"', 3, 11, 'edition is "third"'),
        ('game = "reef"\nname = "x"\nrule = 1', 3, 1, 'unknown key "rule"'),
        ('game = "reef"\nname = "x"\nrules = 1', 3, 9, "rules is 1"),
        ('game = "reef"\nname = "x"\n[rules]\nmap = 1', 4, 7, "map can't be 1"),
        ('game = "reef"\nname = "x"\n[rules]\nmap = "nowhere"', 3, 1, "there is no room at all"),
        ('game = "reef"\nname = "x"\n[rules]\nmpa = 1', 4, 1, 'there is no rule "mpa"'),
        ("game =", 1, 7, "the value is missing"),
    ],
)
def test_wrong_variants(tmp_path: Path, text: str, line: int, column: int, what: str) -> None:
    fault = fault_of(load, tmp_path, text)
    assert (fault.what, fault.line, fault.column) == (what, line, column)
    assert fault.source == str(tmp_path / "variant.toml")


def test_another_game_says_which(tmp_path: Path) -> None:
    assert fault_of(load, tmp_path, 'game = "fuse"').why == "the game here is reef"


def test_an_unknown_edition_says_which_there_are(tmp_path: Path) -> None:
    fault = fault_of(load, tmp_path, 'game = "reef"\nname = "x"\nedition = "frist"')
    assert (fault.why, fault.hint) == ('it must be one of "first", "second"', "first")


# Writing ---------------------------------------------------------------------------------------

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "supply": st.none() | st.integers(5, 60),
    "layout": st.sampled_from(["center", "edge", "free"]),
    "stack_limit": st.integers(1, 8),
    "lift_rescue": st.booleans(),
    "flights": st.just("unlimited") | st.integers(1, 9),
    "water_meter": st.lists(st.integers(1, 9), min_size=2, max_size=4).map(tuple),
    "resources": st.tuples(st.integers(0), st.integers(0)).filter(lambda pair: max(pair) < 2**63),
    "pace": st.floats(0.5, 600) | st.lists(st.floats(-1e300, 1e300)).map(tuple) | st.text(),
    "roles": st.just("random") | st.lists(st.sampled_from(["pilot", "diver"])).map(tuple),
    "map": st.text() | st.just('a\x7f"\\\n'),
}
ANY_RULES = st.fixed_dictionaries({}, optional=VALUES).map(lambda values: Rules(**values))


@given(ANY_RULES, ANY_RULES)
def test_rules_are_read_as_they_were_written(rules: Rules, base: Rules) -> None:
    text = format_rules_toml(rules, base)
    if rules == base:
        assert text == ""
    else:
        assert from_table(base, table_of(text)) == rules


@given(ANY_RULES, ANY_RULES)
def test_overrides_are_what_differs(rules: Rules, base: Rules) -> None:
    assert from_values(base, overrides(rules, base)) == rules
    assert all(getattr(base, name) != value for name, value in overrides(rules, base).items())


def test_format_rules_toml() -> None:
    rules = Rules(lift_rescue=False, stack_limit=5, water_meter=(2, 2), pace=1.5, roles=("diver",))
    assert format_rules_toml(rules, Rules(supply=20)) == (
        '[rules]\nsupply = "default"\nstack_limit = 5\nlift_rescue = false\n'
        'water_meter = [2, 2]\npace = 1.5\nroles = ["diver"]\n'
    )


# Hashes ----------------------------------------------------------------------------------------


def test_rules_id_is_pinned() -> None:
    class Small(msgspec.Struct):
        stack_limit: int = 4
        layout: str = "center"
        meter: tuple[int, ...] = (2, 3)
        lift: bool = True
        supply: int | None = None
        pace: float = 20.0

    canonical = (
        '{"game":"reef","rules":{"layout":"center","lift":true,"meter":[2,3],"pace":20,'
        '"stack_limit":4,"supply":null}}'
    )
    assert rules_id("reef", Small()) == hashlib.sha256(canonical.encode()).hexdigest()[:12]
    assert rules_id("reef", Small()) == "443d0a4b88da"


def test_rules_id_tells_rules_apart() -> None:
    base = rules_id("reef", RULES)
    assert base == rules_id("reef", Rules(layout="center", pace=20.0))
    assert base == rules_id("reef", from_values(RULES, {"pace": 20}))
    others = {
        rules_id("fuse", RULES),
        *(rules_id("reef", apply(RULES, [s])) for s in ("lift_rescue=no", "map=x", "pace=20.5")),
    }
    assert len(others | {base}) == 5
