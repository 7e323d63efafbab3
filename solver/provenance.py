"""What an answer about a game rests on: its rules, what they change, where the facts come from."""

from __future__ import annotations

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from oddsmith.solver.answer import Answer
from oddsmith.solver.variants import format_setting, overrides, rules_id


class Facts:
    """The facts of a game, `data.toml` beside its `rules.py`, read when first asked for.

    Args:
        module_file: `__file__` of a module of the game's package.
    """

    def __init__(self, module_file: str) -> None:
        self._path = Path(module_file).parent / "data.toml"

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole file."""
        with self._path.open("rb") as file:
            return tomllib.load(file)

    def editions(self) -> dict[str, dict[str, Any]]:
        """Edition name -> the fields in which it differs from the defaults."""
        return dict(self.data["editions"])

    def sources(self) -> tuple[str, ...]:
        """Where the facts come from and how sure they are."""
        return tuple(" ".join(self.data[key].split()) for key in ("provenance", "confidence"))


def changed_options(rules: msgspec.Struct, printed: msgspec.Struct) -> tuple[str, ...]:
    """Which options differ from the printed rules, for the assumptions of an answer."""
    return tuple("option " + format_setting(name, value).replace("=", " = ", 1)
                 for name, value in overrides(rules, printed).items())


def answer_about(
    game: str, question: str, title: str, value: Any, rules: msgspec.Struct,
    printed: msgspec.Struct, facts: Facts, **more: Any,
) -> Answer:
    """An exact Answer of a game; `more` overrides any field.

    Args:
        game: key of GAMES.
        question, title, value: of the answer.
        rules: in force.
        printed: the printed rules for as many players.
        facts: of the game.
    """
    fields: dict[str, Any] = {
        "exact": True, "assumptions": changed_options(rules, printed), "sources": facts.sources(),
        "rules_id": rules_id(game, rules),
    }
    fields.update(more)
    return Answer(game=game, question=question, title=title, answer=value, **fields)
