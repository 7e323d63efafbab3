"""FUSE: exact values of small positions by looking at everything, in plain Python."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import fuse
from .fuse_table import Choice, Options, State, replace

Worth = Callable[[Options, State], Fraction | int]


def won(_: Options, state: State) -> int:
    return int(state.result == ("win",))


def best(options: Options, state: State, worth: Worth = won) -> Fraction:
    """The expected worth of the game's end when the team plays as well as can be."""
    return _Search(options, worth).value(state)


def best_moves(options: Options, state: State, worth: Worth = won) -> dict[Choice, Fraction]:
    """What each legal move is worth, with best play afterwards."""
    search = _Search(options, worth)
    return {
        move: search.value(fuse.step(options, state, move)) for move in fuse.moves(options, state)
    }


class _Search:
    def __init__(self, options: Options, worth: Worth) -> None:
        self.options, self.worth = options, worth
        self.known: dict[State, Fraction] = {}

    def value(self, state: State) -> Fraction:
        # Which bombs were picked in this turn is only counted.
        state = replace(state, new=())
        if state not in self.known:
            self.known[state] = self.found(state)
        return self.known[state]

    def found(self, state: State) -> Fraction:
        def after(choice: Any) -> Fraction:
            return self.value(fuse.step(self.options, state, choice))

        who = fuse.turn(state)
        if who == "over":
            return Fraction(self.worth(self.options, state))
        if who == "chance":
            offered = fuse.outcomes(self.options, state)
            total = sum(weight for _, weight in offered)
            return sum((after(what) * weight for what, weight in offered), Fraction(0)) / total
        return max(after(move) for move in fuse.moves(self.options, state))
