"""Code in the documents runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.deck import read_deck
from oddsmith.solver.position import Document

ROOT = Path(__file__).parent.parent


def test_the_smallest_game():
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "docs/adding-a-game.md", "exec"), {})


def test_fuse_tutorial(monkeypatch):
    text = (ROOT / "docs" / "fuse.md").read_text(encoding="utf-8")
    monkeypatch.chdir(ROOT)
    lines = re.findall(r"^    (oddsmith fuse (?:bombs?|hand)\b.*)$", text, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        run = CliRunner().invoke(oddsmith, shlex.split(line)[1:])
        assert run.exit_code == 0, f"{line}: {run.exception}"
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "docs/fuse.md", "exec"), {})
    # The card of one's own is read, and only then are the other 53 missed.
    (card,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    with pytest.raises(InputError, match="cards: there are 1"):
        read_deck(Document(card, "deck.toml"))
