"""FUSE: the progress of an assignment, exactly.

Progress is counted in offers: single dice, each of the 30 faces alike, that a bomb is expected to
need until it is full, if the best are taken and nothing is removed.  An assignment spares some on
the bombs where it places dice.  What stays over then costs what is expected to be removed: the
dice are thrown one at a time, in the best order fixed beforehand, onto the bombs as they lie when
the assignment is made, the full ones gone; every player removes the die whose loss is least in the
end.  What the bomb deck brings in between is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import FACES, NUMBERS
from oddsmith.solver.games.fuse.fillings import DONE, NEVER, Faces, Fillings, Losses, orders
from oddsmith.solver.games.fuse.hardness import least
from oddsmith.solver.games.fuse.notation import Held
from oddsmith.solver.games.fuse.position import Position
from oddsmith.solver.games.fuse.rules import deck_of


class Progress:
    """What dice bring in a position.

    Args:
        position: where they are placed.
        fillings: of its rules, if there are some already.
    """

    def __init__(self, position: Position, fillings: Fillings | None = None) -> None:
        self.position, self.fillings = position, fillings or Fillings(position.rules)
        self._deck = self.fillings.deck
        self._number = {bomb.id: k for k, bomb in enumerate(deck_of(position.rules).bombs)}
        self._known: dict[tuple[int, int], Fraction] = {}  # bomb, future
        self._losses = Losses(self.fillings, self._offers_left)

    def offers_of(self, held: Held) -> Fraction:
        """Expected offers of a bomb in hand."""
        return self.offers(self._number[held.bomb], held.faces)

    def offers(self, bomb: int, faces: Faces) -> Fraction:
        """Expected offers of a bomb, by its number in the deck, on which some dice lie."""
        return self._offers(bomb, self._deck.class_of(bomb, faces))

    def _offers_left(self, filling: int) -> Fraction:
        one = self.fillings.of[filling]
        return Fraction(0) if filling == DONE else self._offers(one.bomb, one.cls)

    def _offers(self, bomb: int, cls: int) -> Fraction:
        number = self.fillings.future(bomb, cls)
        if (bomb, number) not in self._known:
            self._known[bomb, number] = (self._of_future(bomb, number) if number >= 0
                                         else self._of_class(bomb, cls))
        return self._known[bomb, number]

    def _of_future(self, bomb: int, number: int) -> Fraction:
        """Of fillings with one future, which are many classes, by its number."""
        if number == 0:
            return Fraction(0)
        after = self.fillings.futures(bomb)[1][number]
        for then in {one for thens in after for one in thens}:
            if (bomb, then) not in self._known:
                self._known[bomb, then] = self._of_future(bomb, then)
        return least(FACES, [(1, min(self._known[bomb, then] for then in thens))
                             for thens in after if thens])

    def _of_class(self, bomb: int, cls: int) -> Fraction:
        """Of one class that legal placements don't lead to, or that can't be finished."""
        deck = self._deck
        if not deck.completable(bomb, cls):
            return Fraction(NEVER)
        rows = deck.row(bomb, cls)
        after = [[then for row in rows if (then := row[face]) >= 0
                  and deck.completable(bomb, then)] for face in range(FACES)]
        return least(FACES, [(1, min(self._offers(bomb, then) for then in thens))
                             for thens in after if thens])

    def of(self, moves: Sequence[int]) -> Fraction:
        """Of placements, by their codes; every other die on the table stays over."""
        return self.throws(moves)[0][0]

    def throws(self, moves: Sequence[int]) -> list[tuple[Fraction, tuple[int, ...]]]:
        """The progress of placements by the order in which what stays over is thrown.

        Returns:
            Of each order its progress and the colours, the best first.
        """
        lying = {self._number[held.bomb]: list(held.faces)
                 for player in self.position.players for held in player.held}
        left = list(self.position.dice)
        for code in moves:
            _, (bomb, slot, face) = engine.decode(code)
            lying[bomb][slot] = face
            left.remove(face)
        before = Fraction(0)
        hands = []
        for player in self.position.players:
            hand = []
            for held in player.held:
                bomb = self._number[held.bomb]
                before += self.offers(bomb, held.faces)
                hand.append(self.fillings.number(bomb, tuple(lying[bomb])))
            hands.append(tuple(hand))
        after = Fraction(sum(self._losses.now(hand) for hand in hands))
        found: list[tuple[Any, tuple[int, ...]]] = []
        for order in orders([face // NUMBERS for face in left]):
            cost = sum((self._losses.cost(hand, order) for hand in hands), Fraction(0))
            found.append((before - after - cost, order))
        return sorted(found, key=lambda one: (-one[0], one[1]))
