"""What every format has in common: content, order, determinism, import cost, errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from oddsmith.reports import FORMATS, render
from oddsmith.solver.answer import Answer, to_json

RENDER_EVERY_FORMAT = """
import sys, msgspec
from oddsmith.reports import FORMATS, board_svg, fragment, render
from oddsmith.solver.answer import Answer
answers = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Answer])
out = [render(answers, fmt) for fmt in FORMATS] + [render(answers[0], fmt) for fmt in FORMATS]
out += [render(answers, "text", width=60, color=True), fragment(answers[1])]
out.append(board_svg(answers[0].blocks[1].boards[1]))
sys.stdout.buffer.write("\\0".join(out).encode())
"""


def run(code: str, stdin: bytes = b"", **environment: str) -> bytes:
    """What a new interpreter prints for some code."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        input=stdin,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_unknown_format_names_the_known_ones(score: Answer) -> None:
    with pytest.raises(ValueError, match="pdf") as caught:
        render(score, "pdf")
    assert all(fmt in str(caught.value) for fmt in FORMATS)


@pytest.mark.parametrize("fmt", FORMATS)
def test_no_answers_is_an_error(fmt: str) -> None:
    with pytest.raises(ValueError, match="no answers"):
        render([], fmt)


@pytest.mark.parametrize("fmt", FORMATS)
def test_every_format_ends_in_one_newline(score: Answer, estimate: Answer, fmt: str) -> None:
    for answers in (score, estimate, [score, estimate]):
        text = render(answers, fmt)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


@pytest.mark.parametrize("fmt", ["text", "markdown", "html"])
def test_prose_formats_tell_the_whole_answer(score: Answer, fmt: str) -> None:
    text = render(score, fmt).replace("\\", "")
    wanted = [score.title, "The placement", "Before", "After", "All placements that score"]
    wanted += ["C3, A4", "★ is the best placement", "Points by placement", "9 points"]
    wanted += [*score.assumptions, *score.sources, score.method, score.rules_id]
    for words in wanted:
        assert words in text, words
    places = [text.index(w) for w in ("The placement", "All placements", "Points by", "whole reef")]
    assert places == sorted(places), "blocks are out of order"


@pytest.mark.parametrize("fmt", ["text", "markdown", "html"])
def test_prose_formats_say_how_sure(score: Answer, estimate: Answer, fmt: str) -> None:
    exact, simulated = render(score, fmt), render(estimate, fmt)
    assert "exact" in exact.lower()
    assert "95 % interval" not in exact
    assert "95 % interval 0.412 … 0.436, n = 100,000, seed 7" in simulated
    assert "stimate" in simulated
    bare = msgspec.structs.replace(estimate, interval=None)
    assert "not proven" in render(bare, fmt)


@pytest.mark.parametrize("fmt", ["text", "markdown", "html"])
def test_title_and_several_answers(score: Answer, estimate: Answer, fmt: str) -> None:
    text = render([score, estimate], fmt, title="Both of them")
    assert text.index("Both of them") < text.index(score.title) < text.index(estimate.title)


def test_json_of_one_is_to_json_and_of_several_an_array(score: Answer, estimate: Answer) -> None:
    assert render(score, "json") == to_json(score)
    assert render([score], "json") == to_json(score)
    both = [json.loads(to_json(answer)) for answer in (score, estimate)]
    assert json.loads(render([score, estimate], "json")) == both


def test_an_answer_without_blocks_shows_its_value(score: Answer) -> None:
    bare = msgspec.structs.replace(score, blocks=())
    for fmt in ("text", "markdown", "html", "csv"):
        text = render(bare, fmt).replace("\\", "")
        assert "occurrences[2]" in text, fmt
        assert "C2 C3" in text, fmt
    plain = msgspec.structs.replace(score, blocks=(), answer=True)
    assert "\nyes\n" in render(plain, "text")


def test_same_bytes_whatever_the_hash_seed_and_the_settings(
    score: Answer, estimate: Answer, tmp_path: Path
) -> None:
    settings = tmp_path / "matplotlibrc"
    settings.write_text("savefig.bbox: tight\nsvg.fonttype: path\nlines.solid_capstyle: round\n")
    stdin = msgspec.json.encode([score, estimate])
    one = run(RENDER_EVERY_FORMAT, stdin, PYTHONHASHSEED="1", COLUMNS="200", LANG="C")
    two = run(
        RENDER_EVERY_FORMAT,
        stdin,
        PYTHONHASHSEED="2",
        COLUMNS="40",
        NO_COLOR="1",
        MATPLOTLIBRC=str(settings),
        TZ="Asia/Tokyo",
    )
    assert one == two
    assert len(one) > 50_000


def test_importing_costs_nothing() -> None:
    heavy = ("rich", "jinja2", "matplotlib", "numpy", "numba", "scipy")
    code = f"import sys, oddsmith.reports; print([m for m in {heavy} if m in sys.modules])"
    assert run(code).decode().strip() == "[]"


def test_text_and_json_load_no_drawing_library(score: Answer) -> None:
    code = """
import sys, msgspec
from oddsmith.reports import render
from oddsmith.solver.answer import Answer
answer = msgspec.json.decode(sys.stdin.buffer.read(), type=Answer)
[render(answer, fmt) for fmt in ("text", "json", "markdown", "csv")]
print([m for m in ("jinja2", "matplotlib", "numpy") if m in sys.modules])
"""
    assert run(code, msgspec.json.encode(score)).decode().strip() == "[]"
