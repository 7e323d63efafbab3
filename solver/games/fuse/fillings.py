"""FUSE: what lies on bombs, as numbers that alike fillings share, and what unplaced dice do to it.

Two fillings of a bomb are alike if the same dice lie there, the same dice can still finish it, and
whatever is removed leaves fillings that are alike.  An assignment need be counted only once for
all that are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

from oddsmith.kernels.fuse_bombs import Deck
from oddsmith.kernels.fuse_hardness import merged
from oddsmith.solver.games.fuse.bombs import NUMBERS
from oddsmith.solver.games.fuse.rules import Rules, compiled, deck_of

NEVER = 1000
"""Offers of a bomb that can't be finished: more than any other takes (fuse_policies.pyx)."""

DONE = 0
"""The number of a bomb that is full, and so gone."""

Faces = tuple[int | None, ...]


@lru_cache(maxsize=1024)
def _merged(deck: Deck, bomb: int) -> Any:
    """Made once for a deck: this takes longer than all the rest of an assignment."""
    return merged(deck, bomb)


class Filling(NamedTuple):
    """What lies on a bomb.

    Args:
        bomb: its number in the deck.
        faces: by slot.
        cls: the class.
        drops: of each die that isn't safe its face and the filling without it.
    """

    bomb: int
    faces: Faces
    cls: int
    drops: tuple[tuple[int, int], ...]


class Fillings:
    """Numbers of fillings under some rules.

    Args:
        rules: the rules.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.deck = rules, compiled(rules).deck
        self._beneath = [bomb.beneath for bomb in deck_of(rules).bombs]
        self._known: dict[tuple[int, Faces], int] = {}
        self._alike: dict[Any, int] = {}
        self._least: dict[int, float] = {DONE: 0.0}
        self.of = [Filling(-1, (), 0, ())]

    def number(self, bomb: int, faces: Faces) -> int:
        """The number of what lies on a bomb; DONE if it is full."""
        if None not in faces:
            return DONE
        key = bomb, faces
        if key not in self._known:
            cls = self.deck.class_of(bomb, faces)
            drops = tuple((face, self.number(bomb, (*faces[:slot], None, *faces[slot + 1:])))
                          for slot, face in enumerate(faces)
                          if face is not None and not self._safe(bomb, faces, slot))
            # A die that is safe is told, too: it comes back to the bag when the bomb is full.
            alike = (bomb, self.future(bomb, cls), tuple(sorted(set(drops))),
                     tuple(sorted(face for face in faces if face is not None)))
            if alike not in self._alike:
                self._alike[alike] = len(self.of)
                self.of.append(Filling(bomb, faces, cls, drops))
            self._known[key] = self._alike[alike]
        return self._known[key]

    def _safe(self, bomb: int, faces: Faces, slot: int) -> bool:
        return self.rules.covered_dice_safe and any(
            slot in self._beneath[bomb][other] and faces[other] is not None
            for other in range(len(faces)))

    def futures(self, bomb: int) -> Any:
        """The merged classes of a bomb (kernels/fuse_hardness.pyx)."""
        return _merged(self.deck, bomb)

    def future(self, bomb: int, cls: int) -> int:
        """The number of the merged class; below 0 where there is none.

        Classes that need a die on an empty slot, or can't be finished, stay as they are.
        """
        number = self.futures(bomb)[0][cls] if cls < self.deck.n_reachable(bomb) else -1
        return number if number >= 0 else -1 - cls

    def offers(self, filling: int) -> float:
        """Expected offers, as the kernel has them."""
        if filling == DONE:
            return 0.0
        one = self.of[filling]
        return min(self.deck.offers(one.bomb, one.cls), float(NEVER))

    def least(self, filling: int) -> float:
        """The fewest offers that removals can leave."""
        if filling not in self._least:
            self._least[filling] = min(self.offers(filling), *(
                self.least(then) for _, then in self.of[filling].drops), NEVER)
        return self._least[filling]

    def without_all(self, filling: int, color: int, number: int) -> int:
        """What is left when every die of a colour or a number is removed that isn't safe."""
        one = self.of[filling]
        left = tuple(None if face is not None and (face // NUMBERS == color
                                                   or face % NUMBERS == number)
                     and not self._safe(one.bomb, one.faces, slot) else face
                     for slot, face in enumerate(one.faces))
        return self.number(one.bomb, left)


class Losses:
    """What unplaced dice cost one player: the offers he is expected to need more.

    He removes the dice whose loss is least in the end, knowing the colours still to come.

    Args:
        fillings: of these rules.
        offers: of a filling by its number, as floats or as fractions.
    """

    def __init__(self, fillings: Fillings, offers: Callable[[int], Any]) -> None:
        self._fillings, self._offers = fillings, offers
        self._all = fillings.rules.removal == "all"
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}

    def now(self, hand: Sequence[int]) -> Any:
        """Offers that a hand needs."""
        return sum(self._offers(filling) for filling in hand)

    def cost(self, hand: tuple[int, ...], colors: tuple[int, ...]) -> Any:
        """What dice of these colours, thrown in this order, are expected to cost."""
        return self.after(hand, colors) - self.now(hand)

    def least_cost(self, hand: tuple[int, ...], colors: tuple[int, ...]) -> Any:
        """What they cost in the order that suits this player best."""
        return min(self.cost(hand, order) for order in orders(colors))

    def after(self, hand: tuple[int, ...], colors: tuple[int, ...]) -> Any:
        """Offers that a hand is expected to need when these dice have been thrown."""
        if not colors:
            return self.now(hand)
        hand = tuple(sorted(hand))
        key = hand, colors
        if key not in self._known:
            one = self._one_each if not self._all else self._every
            self._known[key] = one(hand, colors[0], colors[1:])
        return self._known[key]

    def _one_each(self, hand: tuple[int, ...], color: int, rest: tuple[int, ...]) -> Any:
        by_color, by_number = None, [None] * NUMBERS
        for k, filling in enumerate(hand):
            for face, then in self._fillings.of[filling].drops:
                value = self.after((*hand[:k], then, *hand[k + 1:]), rest)
                if face // NUMBERS == color:
                    by_color = value if by_color is None else min(by_color, value)
                number = face % NUMBERS
                best = by_number[number]
                by_number[number] = value if best is None else min(best, value)
        total = 0
        for other in by_number:
            found = [value for value in (by_color, other) if value is not None]
            total += min(found) if found else self.after(hand, rest)
        return total / NUMBERS

    def _every(self, hand: tuple[int, ...], color: int, rest: tuple[int, ...]) -> Any:
        total = 0
        for number in range(NUMBERS):
            total += self.after(tuple(
                filling if filling == DONE else self._fillings.without_all(filling, color, number)
                for filling in hand), rest)
        return total / NUMBERS


def orders(colors: Sequence[int]) -> list[tuple[int, ...]]:
    """The different orders of some dice, by colour; one for none."""
    return sorted(set(permutations(colors)))
