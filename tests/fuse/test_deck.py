"""Decks: the shipped ones, users' files in TOML and JSON, and every fault by card and field."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest

from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse.deck import FACTS, doubtful_bombs, load_deck, read_deck
from oddsmith.solver.games.fuse.hardness import hardness
from oddsmith.solver.json_document import JsonDocument
from oddsmith.solver.position import Document
from tests.fuse.cards import cards

COLORS = {"r": "red", "b": "blue", "g": "green", "y": "yellow", "k": "black"}


def written_out(text):
    """A slot as the JSON of the published card data has it."""
    accept = []
    for part in text.split("|"):
        one = {"color": [COLORS[sign] for sign in part if sign in COLORS],
               "number": [int(sign) for sign in part if sign.isdigit()]}
        accept.append({key: value for key, value in one.items() if value})
    return {"accept": accept}


def table(card):
    card = copy.deepcopy(card)
    card["slots"] = [written_out(text) for text in card["slots"]]
    card.setdefault("points", None)
    card.setdefault("relations", [])
    return card


def a_deck():
    data = [table(card) for name, card in cards().items() if name != "px-same-num-or-colour2"]
    return {"schema": "fuse-bombs/1", "provenance": "a test", "colors": list(COLORS.values()),
            "cards": data}


def read(data):
    return read_deck(JsonDocument(json.dumps(data, indent=1), "my.json"))


def test_shipped_decks():
    documented, synthetic = load_deck("documented"), load_deck("synthetic")
    assert (len(documented.bombs), documented.n_documented) == (32, 32)
    assert (len(synthetic.bombs), synthetic.n_documented) == (54, 32)
    assert synthetic.bombs[:32] == documented.bombs
    assert all(bomb.id.startswith("synthetic-") and bomb.kind == "synthetic"
               for bomb in synthetic.bombs[32:])
    assert all(bomb.kind == "documented" for bomb in documented.bombs)
    assert Counter(bomb.points for bomb in synthetic.bombs)[6] == 5
    assert [bomb.id for bomb in doubtful_bombs()] == ["px-same-num-or-colour2"]
    assert sum(bomb.points is None for bomb in documented.bombs) == 3
    assert len({bomb.id for bomb in synthetic.bombs}) == 54
    # As different as a user's deck has to be, and each can be finished.
    assert len(read(a_deck()).bombs) == 54
    assert len(FACTS.data["fuse_cards"]) == 11


def test_a_file_is_the_same_deck(tmp_path):
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(a_deck()))
    mine = load_deck(str(path))
    assert mine.told() == f"deck {path}: 54 cards, 32 of them documented"
    for own, shipped in zip(mine.bombs, load_deck("synthetic").bombs, strict=False):
        assert own.kind == ("documented" if shipped.kind == "documented" else "user")
        assert [slot.mask for slot in own.slots] == [slot.mask for slot in shipped.slots]
        assert (own.id, own.points, own.layout, own.relations, own.beneath) == (
            shipped.id, shipped.points, shipped.layout, shipped.relations, shipped.beneath)
    text = FACTS._path.read_text(encoding="utf-8")
    head, _, rest = text.partition("# Documented")
    documented, _, others = rest.partition("# Doubtful")
    toml = documented.partition("\n")[2] + others.partition("# Synthetic")[2].partition("\n")[2]
    toml = 'provenance = "a test"\n' + toml.replace("[[synthetic]]", "[[cards]]")
    path = tmp_path / "deck.toml"
    path.write_text(toml)
    assert [bomb.slots for bomb in load_deck(str(path)).bombs] == [
        bomb.slots for bomb in load_deck("synthetic").bombs]
    assert "fuse_cards" in head


def test_own_cards_are_documented_where_they_are_the_same():
    changed = change(a_deck(), "p4-222", points=3)
    assert read(changed).n_documented == 31
    assert read(change(a_deck(), "p4-222", slots=["2", "2", "6"])).n_documented == 31
    assert read(change(a_deck(), "p4-222", id="threes-of-2")).n_documented == 32


def test_supports_may_be_written_out():
    data = a_deck()
    stack = next(card for card in data["cards"] if card["id"] == "p4-stack4-asc")
    stack["supports"] = {"1": [0], "2": [1], "3": [2]}
    assert read(data).bombs == read(a_deck()).bombs
    stack |= {"layout": "row", "supports": {"3": [0, 1, 2]}}
    bomb = next(one for one in read(data).bombs if one.id == "p4-stack4-asc")
    assert bomb.beneath == ((), (), (), (0, 1, 2))
    with pytest.raises(InputError, match="no die can lie on slot 4"):
        hardness(bomb, (None, None, None, 5))


def change(data, name, **fields):
    card = next(card for card in data["cards"] if card["id"] == name)
    for key, value in fields.items():
        card[key] = value
    return data


def dropped(data):
    data["cards"].pop()
    return data


def six_worth_6(data):
    return change(data, "p4-222", points=6)


def four_worth_6(data):
    return change(data, "p6-pyr6-mixed", points=4)


FAULTS = [
    (dropped, "cards: there are 53, the last is card synthetic-4-same-num3-red"),
    (six_worth_6, "card synthetic-6-pyr6-mixed: points: it is the 6th card worth 6"),
    (four_worth_6, "points: 4 cards are worth 6"),
    (lambda d: change(d, "p4-222", id="p4-twins"), "card p4-twins: id: it stands twice"),
    (lambda d: change(d, "p4-222", slots=[written_out("5")] * 3),
     "card synthetic-4-555: slots: the same as card p4-222"),
    (lambda d: change(d, "p4-222", points=5), "card p4-222: points: it is 5"),
    (lambda d: change(d, "p4-222", points=True), "card p4-222: points: it is true"),
    (lambda d: change(d, "p4-222", points="4"), 'card p4-222: points: it is "4"'),
    (lambda d: change(d, "p4-222", layout="rwo"), 'card p4-222: layout: it is "rwo"'),
    (lambda d: change(d, "p4-222", layout=None), "card p4-222: layout: missing"),
    (lambda d: change(d, "p4-222", id="p4 222"), 'card p4 222: id: it is "p4 222"'),
    (lambda d: change(d, "p4-222", id=3), "id is 3"),
    (lambda d: change(d, "p4-222", id=None), "id is missing"),
    (lambda d: change(d, "p4-222", colour="red"), 'card p4-222: colour: unknown key "colour"'),
    (lambda d: change(d, "p4-222", slots=[]), "card p4-222: slots: there are 0"),
    (lambda d: change(d, "p4-222", slots=None), "card p4-222: slots: missing"),
    (lambda d: change(d, "p4-222", slots="222"), 'card p4-222: slots: it is "222"'),
    (lambda d: change(d, "p4-222", slots=["2"] * 7), "card p4-222: slots: there are 7"),
    (lambda d: change(d, "p4-222", slots=["2", "7", "2"]), r"card p4-222: slots\[1\]: `7` says"),
    (lambda d: change(d, "p4-222", slots=["2", 2, "2"]), r"card p4-222: slots\[1\]: it is 2"),
    (lambda d: change(d, "p4-222", slots=["2", {}, "2"]),
     r"card p4-222: slots\[1\].accept: it is null|card p4-222: slots\[1\].accept: it is None|"
     r"card p4-222: slots\[1\].accept: "),
    (lambda d: change(d, "p4-222", slots=["2", {"accept": []}, "2"]),
     r"card p4-222: slots\[1\].accept: it is empty"),
    (lambda d: change(d, "p4-222", slots=["2", {"accept": [{"color": ["pink"]}]}, "2"]),
     r'card p4-222: slots\[1\].accept\[0\].color\[0\]: it is "pink"'),
    (lambda d: change(d, "p4-222", slots=["2", {"accept": [{"number": [0]}]}, "2"]),
     r"card p4-222: slots\[1\].accept\[0\].number\[0\]: 0 is out of range"),
    (lambda d: change(d, "p4-222", slots=["2", {"accept": [{"colour": ["red"]}]}, "2"]),
     r'card p4-222: slots\[1\].accept\[0\].colour: unknown key "colour"'),
    (lambda d: change(d, "p4-222", relations=[{"op": "eq", "attr": "number", "slots": [0, 3]}]),
     r"card p4-222: relations\[0\].slots\[1\]: 3 is out of range"),
    (lambda d: change(d, "p4-222", relations=[{"op": "eq", "attr": "number", "slots": [1, 1]}]),
     r"card p4-222: relations\[0\].slots: it is"),
    (lambda d: change(d, "p4-222", relations=[{"op": "eq", "attr": "size", "slots": [0, 1]}]),
     r'card p4-222: relations\[0\].attr: it is "size"'),
    (lambda d: change(d, "p4-222", relations=[{"op": "eq", "slots": [0, 1]}]),
     r"card p4-222: relations\[0\]: attr is missing"),
    (lambda d: change(d, "p4-222", relations=[{"op": "same", "slots": [0, 1]}]),
     r'card p4-222: relations\[0\].op: it is "same"'),
    (lambda d: change(d, "p4-222", relations=[{"op": "eq", "attr": "color", "slots": [0, 1],
                                               "rhs": 3}]),
     r'card p4-222: relations\[0\].rhs: unknown key "rhs"'),
    (lambda d: change(d, "p4-222", relations=[{"op": "linear", "slots": [0, 1], "coef": [1],
                                               "cmp": "==", "rhs": 4}]),
     r"card p4-222: relations\[0\].coef: there are 1 for 2 slots"),
    (lambda d: change(d, "p4-222", relations=[{"op": "linear", "slots": [0, 1], "coef": [1, 1],
                                               "cmp": "=", "rhs": 4}]),
     r'card p4-222: relations\[0\].cmp: it is "="'),
    (lambda d: change(d, "p4-222", relations=[{"op": "linear", "slots": [0, 1], "coef": [1, 1],
                                               "cmp": "==", "rhs": 4.5}]),
     r"card p4-222: relations\[0\].rhs: it is 4.5"),
    (lambda d: change(d, "p4-222", relations=[{"op": "any_of", "of": [[{"op": "any_of", "of": []}]]}]),
     r'card p4-222: relations\[0\].of\[0\]\[0\].op: it is "any_of"'),
    (lambda d: change(d, "p4-222", relations=[{"op": "linear", "slots": [0, 1], "coef": [1, 1],
                                               "cmp": "==", "rhs": 5}]),
     "card p4-222: slots and relations: no dice finish this bomb"),
    (lambda d: change(d, "p4-stack4-yrbg", supports={"1": [2]}),
     r"card p4-stack4-yrbg: supports.1\[0\]: slot 2 lies no lower"),
    (lambda d: change(d, "p4-stack4-yrbg", supports={"7": [0]}),
     'card p4-stack4-yrbg: supports.7: unknown key "7"'),
    (lambda d: change(d, "p4-stack4-yrbg", supports={"2": [0]}),
     "card p4-stack4-yrbg: supports: they are not those of the layout stack"),
    (lambda d: change(d, "p4-stack4-yrbg", supports=False),
     "card p4-stack4-yrbg: supports: it is false"),
    (lambda d: change(d, "p4-222", supports=[]), "card p4-222: supports: it is"),
    (lambda d: change(d, "p4-222", points=4.0), "card p4-222: points: it is 4.0"),
    (lambda d: change(d, "p4-222", relations=[{"op": "any_of", "of": []}]),
     r"card p4-222: relations\[0\].of: it is empty"),
    (lambda d: change(d, "p4-222", relations=[{"op": "any_of", "of": [[]]}]),
     r"card p4-222: relations\[0\].of\[0\]: it is empty"),
    (lambda d: change(d, "p4-222", sources="a photo"), 'card p4-222: sources: sources is "a photo"'),
    (lambda d: change(d, "p4-222", text=5), "card p4-222: text: text is 5"),
    (lambda d: d | {"bombs": []}, 'unknown key "bombs"'),
    (lambda d: d | {"name": 3}, "name is 3"),
    (lambda d: d | {"cards": []}, "cards: there are 0"),
    (lambda d: {"name": "empty"}, "cards: there are 0"),
]


@pytest.mark.parametrize(("fault", "what"), FAULTS)
def test_faults_are_named_by_card_and_field(fault, what):
    with pytest.raises(InputError, match=what) as caught:
        read(fault(a_deck()))
    assert caught.value.source == "my.json"
    assert caught.value.line or "cards: there are 0" in what


def test_where_a_fault_stands():
    text = json.dumps(change(a_deck(), "p4-222", points=5), indent=1)
    with pytest.raises(InputError) as caught:
        read_deck(JsonDocument(text, "my.json"))
    line = text.split("\n")[caught.value.line - 1]
    assert line.strip().startswith('"points": 5')
    assert line[caught.value.column - 1] == "5"
    toml = '[[cards]]\nid = "a"\npoints = 5\nlayout = "row"\nslots = ["r"]\n'
    with pytest.raises(InputError) as caught:
        read_deck(Document(toml, "my.toml"))
    assert str(caught.value) == (
        "my.toml:3:10: card a: points: it is 5\n    points = 5\n             ^\n"
        "  why: it must be one of 1, 2, 3, 4, 6\n"
        "  try: points = 3; left out where nobody knows")


def signs_of(data, name, *signs):
    return change(data, name, slots=["?", "?", "rb"], relations=list(signs))


EQ, NE = ({"op": op, "attr": "number", "slots": [0, 1, 2]} for op in ("eq", "ne"))


@pytest.mark.parametrize(("first", "second"), [
    ([EQ], [EQ | {"slots": [2, 1, 0]}]),
    ([EQ], [EQ | {"slots": [0, 1]}, EQ | {"slots": [2, 1]}]),
    ([NE], [NE | {"slots": [1, 0, 2]}, NE | {"slots": [0, 1]}]),
    ([{"op": "linear", "slots": [0, 1], "coef": [1, -1], "cmp": ">", "rhs": 0}],
     [{"op": "linear", "slots": [1, 0], "coef": [2, -2], "cmp": "<", "rhs": 0}]),
    ([{"op": "any_of", "of": [[EQ], [NE]]}], [{"op": "any_of", "of": [[NE], [EQ]]}]),
])
def test_bombs_are_different_by_what_they_ask_for(first, second):
    """However the signs are written; the same signs on other slots are another bomb."""
    data = signs_of(a_deck(), "p4-222", *first)
    with pytest.raises(InputError, match="slots: the same as card p4-222"):
        read(signs_of(data, "synthetic-4-555", *second))
    for sign in second:
        assert read(signs_of(a_deck(), "p4-222", sign | {"slots": [0, 1]}
                             if sign["op"] in ("eq", "ne") else sign)).bombs


def test_hints_of_faults():
    """Each fault says what to do; a colour is no layout."""
    for fault, _ in FAULTS:
        with pytest.raises(InputError) as caught:
            read(fault(a_deck()))
        assert caught.value.hint or "is missing" in str(caught.value) or caught.value.why
    for fields, hint in (({"colour": "red"}, "leave it out"), ({"slots": ["2", 5, "2"]}, '"5"'),
                         ({"layuot": "row"}, "layout")):
        with pytest.raises(InputError) as caught:
            read(change(a_deck(), "p4-222", **fields))
        assert caught.value.hint == hint


def test_a_deck_is_named_by_what_its_cards_say():
    """rules_id follows the cards, not the path."""
    ids = set()
    for source, data in (("a.json", a_deck()), ("b.json", a_deck()),
                         ("a.json", change(a_deck(), "p4-222", points=3)),
                         ("a.json", change(a_deck(), "p4-222", slots=["2", "2", "6"]))):
        ids.add(read_deck(JsonDocument(json.dumps(data), source)).contents)
    assert len(ids) == 3
    assert load_deck("synthetic").contents == "synthetic"


def test_rules_id_follows_the_cards(tmp_path):
    found = []
    for points, name in ((4, "one.json"), (3, "two.json"), (4, "three.json")):
        path = tmp_path / name
        path.write_text(json.dumps(change(a_deck(), "p4-222", points=points)))
        position = fuse.new(fuse.Rules(deck=str(path)), 1)
        found.append(fuse.show_answer(position).rules_id)
    assert found[0] == found[2] != found[1]


def test_too_many_partial_fillings():
    signs = [{"op": "eq", "attr": attr, "slots": [0, 1, 2, 3, 4]} for attr in ("number", "color")]
    data = change(a_deck(), "p4-222", slots=["?"] * 5, relations=signs)
    with pytest.raises(TooLarge, match=r"my\.json:\d+:\d+: card p4-222"):
        read(data)


@pytest.mark.parametrize(("name", "what"), [
    ("documentd", "is no deck"), ("nowhere/deck.toml", "no such file"), ("x.json", "no such file"),
])
def test_no_such_deck(name, what):
    with pytest.raises(InputError, match=what):
        load_deck(name)


@pytest.mark.parametrize(("text", "what", "line"), [
    ('{"a": 1,\n "a": 2}', "was given before", 2),
    ('{"a": [1, {"b": {}, "b": 3}]}', "was given before", 1),
    ('{"a": }', "this is not JSON", 1),
    ("[1]", "no object", 1),
    ('{"a": ' + "[" * 100_000 + "}", "nested too deeply", 1),
    ('{"a": ' + "1" * 5000 + "}", "too many digits", 1),
])
def test_json_that_is_none(text, what, line):
    with pytest.raises(InputError, match=what) as caught:
        JsonDocument(text, "x.json")
    assert caught.value.line == line


def test_places_in_json():
    text = '{"ä": ["x", {"b\\"": null, "c": -1.5e3}],\n  "d": {}, "e": [[], true]}'
    root = JsonDocument(text, "x.json").root
    assert root.as_dict() == {"ä": ["x", {"c": -1500.0}], "d": {}, "e": [[], True]}
    for keys, place in (((("ä"), 1, "c"), (1, 32)), (("ä", 0), (1, 8)), (("d",), (2, 8)),
                        (("e", 1), (2, 22)), (("e", 0), (2, 18)), (("ä", 7), (1, 7))):
        fault = root.fault(*keys, what="here")
        assert (fault.line, fault.column) == place
