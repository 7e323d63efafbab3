"""Cards with slots for dice, in every format."""

from __future__ import annotations

import pytest

from oddsmith.reports import render
from oddsmith.solver.answer import Answer, Card, Cards, CardSlot

LETTERS = {"red": "r", "black": "k"}
STACK = Card("tower", "4", (CardSlot(0, 1, (("red", ""), ("", "2"))), CardSlot(0, 0, (("", "#"),))),
             ((0, 0.5, "∨"),))
ROW = Card("row <1>", "1", (CardSlot(0, 0, (), ("black", "6")), CardSlot(1, 0, ())),
           ((0.5, 0, "+"), (1.5, 0, "= 7")), "six and one")


@pytest.fixture
def answer() -> Answer:
    return Answer(game="fuse", question="bombs", title="Two cards", answer=[], exact=True,
                  method="m", blocks=(Cards((STACK, ROW), LETTERS, "Some cards"),))


def test_text(answer: Answer) -> None:
    drawn = """Some cards
┌ tower  4 ┐  ┌ row <1> ───── 1 ┐
│  [#]     │  │ (k6) +  [?] = 7 │
│   ∨      │  └─────────────────┘
│ [r|2]    │
└──────────┘
r red, k black
"""
    assert drawn in render(answer, "text")
    narrow = render(answer, "text", width=22).split("\n")
    assert narrow.index("┌ row <1> ───── 1 ┐") > narrow.index("└──────────┘")


def test_colours_of_a_terminal(answer: Answer) -> None:
    text = render(answer, "text", width=80, color=True)
    assert "\x1b[" in text
    assert "k6" in text


def test_markdown(answer: Answer) -> None:
    text = render(answer, "markdown")
    assert r"| tower | 4 | \[r\|2\] \[#\] |" in text
    assert "six and one; slot 1: k6" in text


def test_html(answer: Answer) -> None:
    page = render(answer, "html")
    assert page.count('class="od-board"') == 2
    assert 'aria-label="tower: [r|2] [#]"' in page
    assert "row &lt;1&gt;" in page
    assert "row <1>" not in page.split("<script")[0]
    assert '<ul class="od-key" aria-label="Key">' in page
    assert "Some cards" in page
