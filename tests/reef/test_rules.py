"""The rules object: every option of the rules page; the cards equal the data file of facts."""

from __future__ import annotations

import pytest

from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import reef
from oddsmith.solver.games.reef.rules import color_letter, compiled, resolve, sources
from tests.reference import reef as reference

# The table of the rules page: field -> (default, other values or range).
OPTIONS = {
    "players": (2, (2, 4)),
    "supply_per_color": (None, (5, 60)),
    "start_layout": ("center", ["center", "edge", "free"]),
    "stack_limit": (4, (1, 8)),
    "hand_limit": (4, (1, 8)),
    "deck_draw_cost": (1, (0, 5)),
    "start_points": (3, (0, 20)),
    "display_size": (3, (1, 6)),
    "deck_draw_target_tie": ("choose", ["choose", "leftmost"]),
    "tallest_tie": ("best", ["best", "all"]),
    "short_supply": ("place_available", ["place_available", "illegal"]),
    "overlap": ("disjoint", ["disjoint", "overlapping"]),
    "end": ("deck_at_once", ["deck_at_once", "finish_round", "immediate"]),
    "hand_scoring": ("once", ["once", "full", "none"]),
    "hand_scoring_neighbor": ("one", ["one", "all"]),
    "tie_break": ("empty", ["empty", "covered"]),
}


def test_every_option_of_the_rules_page():
    found = {field.name: field for field in variants.fields(reef.Rules)}
    assert found.keys() == OPTIONS.keys()
    for name, (default, values) in OPTIONS.items():
        assert found[name].default == default
        if isinstance(values, list):
            assert list(found[name].choices) == values
        else:
            assert (found[name].low, found[name].high) == values
        assert found[name].description


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_can_be_set_and_none_beyond(name):
    values = OPTIONS[name][1]
    good = values if isinstance(values, list) else range(values[0], values[1] + 1)
    bad = ["sideways", ""] if isinstance(values, list) else [values[0] - 1, values[1] + 1, "x", "1.5"]
    for value in good:
        assert getattr(variants.apply(reef.Rules(), [f"{name}={value}"]), name) == value
    for value in bad:
        with pytest.raises(InputError):
            variants.apply(reef.Rules(), [f"{name}={value}"])


@pytest.mark.parametrize(("players", "coral"), [(2, 18), (3, 24), (4, 28)])
def test_coral_by_players(players, coral):
    assert reef.Rules(players=players).coral == coral
    assert resolve(reef.Rules(players=players)).supply_per_color == coral
    assert reef.Rules(players=players, supply_per_color=7).coral == 7


def test_rules_id_does_not_depend_on_how_rules_are_written():
    plain = variants.rules_id("reef", resolve(reef.Rules()))
    assert variants.rules_id("reef", resolve(reef.Rules(supply_per_color=18))) == plain
    assert variants.rules_id("reef", resolve(reef.Rules(players=3))) != plain
    ids = {variants.rules_id("reef", resolve(variants.apply(reef.Rules(), [f"{name}={value}"])))
           for name, (_, values) in OPTIONS.items() for value in values}
    assert len(ids) == 1 + sum(
        len([v for v in values if v != (18 if name == "supply_per_color" else default)])
        for name, (default, values) in OPTIONS.items())


@pytest.mark.parametrize("card", reference.CARDS.values(), ids=str)
def test_cards_equal_the_facts(card):
    """The product's card file against the published facts that the reference reads."""
    own = reef.card(card.id)
    assert (own.family, own.points) == (card.family, card.points)
    assert sorted(own.coral) == sorted(card.coral)
    if card.centre:
        assert ("rygp"[own.pattern.center], "rygp"[own.pattern.neighbour]) == (
            card.centre, card.neighbour)
        return
    cells = tuple(
        (cell.row, cell.column, ("rygp"[cell.color] if cell.color < 4 else "any", cell.least,
                                 cell.most or 8))
        for cell in own.pattern
    )
    assert cells == card.cells


def test_sources_say_how_sure_the_cards_are():
    text = " ".join(sources())
    assert "One public source for all 60 cards; 14 are confirmed" in text
    assert sum(bool(card.confirmed) for card in reef.cards()) == 14


@pytest.mark.parametrize(("wrong", "hint"), [
    ("61", "nearest number is 60"), ("0", "nearest number is 1"), ("-3", "oddsmith reef cards"),
    ("diagonal3", "41, 42, 43, 44"), ("x", "oddsmith reef cards"), ("", "oddsmith reef cards"),
    ("1" * 5000, "oddsmith reef cards"), ("٣", "oddsmith reef cards"),
])
def test_unknown_cards_suggest_the_nearest(wrong, hint):
    with pytest.raises(InputError) as caught:
        reef.card(wrong)
    assert hint in caught.value.hint


def test_colours():
    assert [color_letter(word) for word in ("red", "Y", "green", "purple")] == list("rygp")
    with pytest.raises(InputError, match="not a coral colour") as caught:
        color_letter("yelow")
    assert "yellow" in caught.value.hint


def test_kernel_is_compiled_once_for_what_it_depends_on():
    assert compiled(reef.Rules()) is compiled(reef.Rules(players=4, hand_limit=8))
    assert compiled(reef.Rules()) is not compiled(reef.Rules(stack_limit=5))
