"""A game as the contract suite needs it: its package, some rules, and what it alone can check.

`tests/GAME/specimen.py` gives, beside the names listed in `Specimen`, nothing else to the suite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from oddsmith.solver.games import GAMES


@dataclass(frozen=True)
class Specimen:
    """One game under test.

    Args:
        name: key of GAMES.
        rules: rule sets drawn from all options: a function of (seed, n).
        conserved: raises AssertionError where a state has lost or gained something.
        denominator: what the weights of the chance event of a state must sum to.
        same: whether two states are the same position (a state may remember more than a file).
        policies: two policies that differ, the stronger one first.
        longest: steps that no game reaches.
        conserved_payoff: sum of the payoffs of a finished game; None where it varies.
    """

    name: str
    rules: Callable[[int, int], list[Any]]
    conserved: Callable[[Any, bytes, Any], None]
    denominator: Callable[[Any, bytes], int]
    same: Callable[[Any, bytes, bytes], bool]
    policies: tuple[str, str]
    longest: int
    conserved_payoff: int | None
    module: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "module", import_module(GAMES[self.name]))


def specimen(name: str) -> Specimen:
    """The specimen of a game."""
    made = import_module(f"tests.{name}.specimen").SPECIMEN
    assert isinstance(made, Specimen)
    return made
