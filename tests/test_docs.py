"""Code in the documents runs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_smallest_game():
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "docs/adding-a-game.md", "exec"), {})
