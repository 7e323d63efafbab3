"""HTML: well formed, self-contained, accessible, and never broken by what it shows."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.reports import fragment, render
from oddsmith.reports.palette import DARK, LIGHT, PAINTS, PLAIN
from oddsmith.reports.words import one_line, printable
from oddsmith.solver.answer import Answer, Bars, Board, Cell, Table, Text, to_json

Element = tuple[str, dict[str, str], list[str]]
"""Tag, attributes, and the text inside in pieces."""

VOID = {"meta", "link", "img", "br", "hr", "input"}
HOSTILE = "</script><b>x</b><!--<script>' \" & {{ 7*7 }} </title></style>"


class Page(HTMLParser):
    """A parsed page: elements as (tag, attributes, text inside), and whether tags match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()
        assert not self._open, f"left open: {self._open[-1][0]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {names}"
        element: Element = (tag, {name: value or "" for name, value in attrs}, [])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop()[0] == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        for _, _, inside in self._open:
            inside.append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        """Elements with a tag and attributes (`class_` and `id`), each with its text."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            (attrs, "".join(inside))
            for name, attrs, inside in self.elements
            if name == tag and wanted.items() <= attrs.items()
        ]

    def data(self) -> str:
        ((_, text),) = self.all("script", type="application/json", id="oddsmith-data")
        return text


def assert_self_contained(text: str) -> None:
    """Nothing is fetched: no address, no loading attribute, no url() of another file."""
    page = Page(text)
    assert not {tag for tag, _, _ in page.elements} & {"link", "img", "iframe", "object", "use"}
    for _, attrs, _ in page.elements:
        assert "src" not in attrs
        assert not any(name.endswith("href") and v[0] != "#" for name, v in attrs.items())
        assert "url(" not in attrs.get("style", "")
    for _, style in page.all("style"):
        assert "url(" not in style
        assert "@import" not in style
    assert "http://" not in text
    assert "https://" not in text


def test_one_self_contained_well_formed_page(score: Answer, estimate: Answer) -> None:
    for answers in (score, estimate, [score, estimate]):
        assert_self_contained(render(answers, "html"))
    for answer in (score, estimate):
        assert_self_contained(fragment(answer))


def test_landmarks_language_and_outline(score: Answer, estimate: Answer) -> None:
    for answers in (score, [score, estimate]):
        page = Page(render(answers, "html", title="The page"))
        assert page.all("html", lang="en")
        assert [text for _, text in page.all("h1")] == ["The page"]
        for landmark in ("header", "main", "footer"):
            assert len(page.all(landmark)) == 1
        levels = [int(tag[1]) for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
        assert all(b - a <= 1 for a, b in pairwise(levels))
        ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]
        assert len(ids) == len(set(ids))


def test_several_answers_have_contents_that_lead_to_them(score: Answer, estimate: Answer) -> None:
    page = Page(render([score, estimate], "html"))
    assert [text for _, text in page.all("a")] == [score.title, estimate.title]
    targets = {attrs["href"].removeprefix("#") for attrs, _ in page.all("a")}
    assert targets == {attrs["id"] for attrs, _ in page.all("article")}
    assert len(page.all("nav")) == 1
    assert not Page(render(score, "html")).all("nav")


def test_tables_are_told_to_screen_readers(score: Answer) -> None:
    page = Page(render(score, "html"))
    assert [text for _, text in page.all("caption")] == ["All placements that score"]
    heads = [text for _, text in page.all("th", scope="col")]
    assert heads[:5] == ["rank", "placement", "occurrences", "points", "gap"]
    assert "1 ★" in [text for _, text in page.all("th", scope="row")]
    (row,) = page.all("tr", class_="od-marked")
    assert row[1] == "1 ★C3, A4B2 B3 · C2 C3 · A490"
    assert [text for _, text in page.all("td", class_="od-number")][:2] == ["9", "0"]


def test_every_picture_has_words(score: Answer, estimate: Answer) -> None:
    text = render([score, estimate], "html")
    pictures = re.findall("<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) == 5
    for picture in pictures:
        page = Page(picture)
        ((attrs, _),) = page.all("svg")
        assert attrs["role"] == "img"
        assert len(attrs["aria-label"]) > 10
        assert page.all("title")[0][1]
        assert page.all("desc")[0][1]


def test_the_numbers_of_a_chart_are_a_table_too(estimate: Answer) -> None:
    page = Page(render(estimate, "html"))
    ((_, text),) = page.all("details")
    assert "two players" in text
    assert "4.25 %" in text
    assert "3.61 … 4.89" in text


def test_exactness_is_a_word(score: Answer, estimate: Answer) -> None:
    ((_, exact),) = Page(render(score, "html")).all("p", class_="od-verdict od-exact")
    assert exact == "✓ Exact"
    ((_, told),) = Page(render(estimate, "html")).all("p", class_="od-verdict od-estimate")
    assert told == "≈ Estimate 95 % interval 0.412 … 0.436, n = 100,000, seed 7"


def test_command_version_and_data_are_inside(score: Answer, estimate: Answer) -> None:
    from oddsmith.solver import __version__

    page = Page(render(score, "html"))
    assert score.command in [text for _, text in page.all("code")]
    assert f"Oddsmith {__version__}" in page.all("footer")[0][1]
    assert json.loads(page.data()) == json.loads(to_json(score))
    both = Page(render([score, estimate], "html"))
    assert [item["title"] for item in json.loads(both.data())] == [score.title, estimate.title]
    commands = [text for _, text in both.all("code")]
    assert score.command in commands
    assert estimate.command in commands
    assert "mine" in [text for _, text in Page(render(score, "html", command="mine")).all("code")]


def test_hostile_text_is_only_text(score: Answer) -> None:
    board = Board(
        cells=((Cell(pieces="<", mark=HOSTILE, group=1),),),
        colors={"<": HOSTILE},
        column_names=(HOSTILE,),
        row_names=(HOSTILE,),
        title=HOSTILE,
        alt=HOSTILE,
    )
    hostile = msgspec.structs.replace(
        score,
        title=HOSTILE,
        method=HOSTILE,
        assumptions=(HOSTILE,),
        sources=(HOSTILE,),
        rules_id=HOSTILE,
        command=HOSTILE,
        answer={HOSTILE: HOSTILE},
        blocks=(
            Text(title=HOSTILE, body=HOSTILE),
            Table(columns=(HOSTILE,), rows=((HOSTILE,),), title=HOSTILE, note=HOSTILE),
            Bars(labels=(HOSTILE,), values=(1.0,), title=HOSTILE, unit=HOSTILE, note=HOSTILE),
            board,
        ),
    )
    page = Page(render(hostile, "html"))
    assert [text for _, text in page.all("h1")] == [HOSTILE]
    assert len(page.all("script")) == 1
    assert not page.all("b")
    assert json.loads(page.data()) == json.loads(to_json(hostile))
    both = Page(render([hostile, hostile], "html"))
    assert not both.all("b")
    assert not Page(fragment(hostile)).all("b")


def test_a_fragment_styles_only_itself(score: Answer) -> None:
    text = fragment(score)
    assert text.startswith("<section")
    assert text.rstrip().endswith("</section>")
    for _, style in Page(text).all("style"):
        without = re.sub(r"@(media[^{]*|page)\{", "", style)
        for rule in re.findall(r"([^{}]+)\{", without):
            for selector in re.split(r",(?![^(]*\))", rule):
                assert re.search(r"\.(od-|oddsmith)", selector), selector
    assert score._repr_html_() == text


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("ink", "page"),
        ("ink", "card"),
        ("ink", "tint"),
        ("muted", "page"),
        ("muted", "card"),
        ("accent", "page"),
        ("exact-ink", "exact"),
        ("estimate-ink", "estimate"),
        ("label", "card"),
        ("ring", "space"),
    ],
)
def test_words_can_be_read(colors: dict[str, str], ink: str, ground: str) -> None:
    assert contrast(colors[ink], colors[ground]) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_stand_out(colors: dict[str, str]) -> None:
    assert contrast(colors["bar"], colors["card"]) >= 3


def test_letters_on_pieces_can_be_read() -> None:
    for paint in (*PAINTS.values(), PLAIN):
        assert contrast(paint.letter, paint.face) >= 4.5
    assert LIGHT.keys() == DARK.keys()


anything = st.text(max_size=25)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(anything, anything), min_size=1, max_size=3), anything)
def test_any_text_comes_back(rows: list[tuple[str, str]], title: str) -> None:
    answer = Answer(
        game=title,
        question="",
        title=title,
        answer={"rows": rows},
        exact=True,
        method=title,
        blocks=(Table(columns=("a", "b"), rows=tuple(rows), title=title),),
    )
    page = Page(render(answer, "html"))
    assert [text for _, text in page.all("h1")] == [one_line(title)]
    assert [text for _, text in page.all("th", scope="row")] == [printable(a) for a, _ in rows]
    assert [text for _, text in page.all("td")] == [printable(b) for _, b in rows]
    assert json.loads(page.data()) == json.loads(to_json(answer))
    Page(fragment(answer))
