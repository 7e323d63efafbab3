"""Bar charts: what matplotlib drew, as part of a page."""

from __future__ import annotations

import re
import warnings
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.reports import render
from oddsmith.reports.charts import bars_svg
from oddsmith.solver.answer import Answer, Bars


def bar_boxes(svg: str) -> list[tuple[float, float]]:
    """The left and right end of every bar."""
    boxes = []
    for node in ElementTree.fromstring(svg).iter("path"):
        if "fill: var(--od-bar)" in node.attrib["style"]:
            xs = [float(x) for x in re.findall(r"[ML] (\S+) \S+", node.attrib["d"])]
            boxes.append((min(xs), max(xs)))
    return boxes


def words(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter("text")]


def test_lengths_follow_the_values() -> None:
    svg = bars_svg(Bars(labels=("a", "b", "c"), values=(4.0, 2.0, -1.0), title="T"))
    one, two, three = bar_boxes(svg)
    assert one[0] == two[0] == three[1], "all start at 0"
    scale = (one[1] - one[0]) / 4
    assert two[1] - two[0] == pytest.approx(2 * scale, abs=1e-3)
    assert three[1] - three[0] == pytest.approx(scale, abs=1e-3)


def test_labels_and_numbers_are_text() -> None:
    svg = bars_svg(Bars(labels=("a", "$x^2$ <b>"), values=(0.25, 0.5), unit="%", title="T"))
    assert words(svg) == ["0.25 %", "a", "0.50 %", "$x^2$ <b>"]
    root = ElementTree.fromstring(svg)
    assert root.findtext("title") == "T"
    assert root.findtext("desc") == "a: 0.25 %; $x^2$ <b>: 0.50 %."


def test_intervals_are_lines_that_reach_beyond_the_bar() -> None:
    bars = Bars(labels=("a",), values=(2.0,), low=(1.0,), high=(3.0,))
    svg = bars_svg(bars)
    ((left, right),) = bar_boxes(svg)
    half = (right - left) / 2
    lines = [
        [float(x) for x in re.findall(r"[ML] (\S+) \S+", node.attrib["d"])]
        for node in ElementTree.fromstring(svg).iter("path")
        if "stroke: var(--od-ink)" in node.attrib["style"]
    ]
    assert len(lines) == 3
    assert lines[0] == pytest.approx([left + half, right + half], abs=1e-3)


def test_long_labels_are_folded_not_cut() -> None:
    label = "a label of many words that goes on and on until it fills more than one line " * 2
    shown = words(bars_svg(Bars(labels=(label, "b"), values=(1.0, 2.0))))
    assert " ".join(shown[1:-2]) == " ".join(label.split())


def test_the_page_decides_on_colours_and_fonts() -> None:
    svg = bars_svg(Bars(labels=("a",), values=(1.0,), low=(0.5,), high=(1.5,)))
    assert not re.search("#[0-9a-f]{6}", svg)
    for foreign in ("font-family", "xmlns", "metadata", "matplotlib", "id=", "http", "<style"):
        assert foreign not in svg


def test_wrong_numbers_of_values_are_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        bars_svg(Bars(labels=("a", "b"), values=(1.0,)))
    with pytest.raises(ValueError, match="zip"):
        bars_svg(Bars(labels=("a",), values=(1.0,), low=(0.5,)))


def test_the_readers_settings_are_left_alone(score: Answer) -> None:
    import matplotlib

    with matplotlib.rc_context({"font.size": 31.0}):
        before = dict(matplotlib.rcParams)
        render(score, "html")
        assert dict(matplotlib.rcParams) == before


numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=30), numbers), max_size=4), st.text(max_size=20))
def test_any_labels_and_values_are_well_formed(rows: list[tuple[str, float]], text: str) -> None:
    bars = Bars(
        labels=tuple(label for label, _ in rows),
        values=tuple(value for _, value in rows),
        title=text,
        unit=text,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(bar_boxes(bars_svg(bars))) == len(rows)
