"""FUSE: the progress of an assignment, exactly.

Progress is counted in offers: single dice, each of the 30 faces alike, that a bomb is expected to
need until it is full, if the best are taken and nothing is removed.  An assignment spares some on
the bombs where it places dice; each die left over costs what its removals are expected to cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import COLORS, FACES, NUMBERS
from oddsmith.solver.games.fuse.hardness import least
from oddsmith.solver.games.fuse.notation import Held
from oddsmith.solver.games.fuse.position import Position
from oddsmith.solver.games.fuse.rules import compiled, deck_of

NEVER = Fraction(1000)
"""Of a bomb that can't be finished; more than any other takes (kernels/fuse_policies.pyx)."""

Faces = tuple[int | None, ...]


class Progress:
    """What dice bring in a position.

    Args:
        position: where they are placed.
    """

    def __init__(self, position: Position) -> None:
        self.position, self._deck = position, compiled(position.rules).deck
        self._number = {bomb.id: k for k, bomb in enumerate(deck_of(position.rules).bombs)}
        self._beneath = [bomb.beneath for bomb in deck_of(position.rules).bombs]
        self._known: dict[tuple[int, int], Fraction] = {}
        self._costs: list[Fraction] | None = None

    def offers_of(self, held: Held) -> Fraction:
        """Expected offers of a bomb in hand."""
        return self.offers(self._number[held.bomb], held.faces)

    def offers(self, bomb: int, faces: Faces) -> Fraction:
        """Expected offers of a bomb, by its number in the deck, on which some dice lie."""
        return self._offers(bomb, self._deck.class_of(bomb, faces))

    def _offers(self, bomb: int, cls: int) -> Fraction:
        deck = self._deck
        if (bomb, cls) in self._known:
            return self._known[bomb, cls]
        value = NEVER
        if deck.filled(bomb, cls) == (1 << deck.n_slots(bomb)) - 1:
            value = Fraction(0)
        elif deck.completable(bomb, cls):
            rows = deck.row(bomb, cls)
            after = [[then for row in rows if (then := row[face]) >= 0
                      and deck.completable(bomb, then)] for face in range(FACES)]
            value = least(FACES, [(1, min(self._offers(bomb, then) for then in thens))
                                  for thens in after if thens])
        self._known[bomb, cls] = value
        return value

    def of(self, moves: Sequence[int]) -> Fraction:
        """Of placements, by their codes; every other die on the table stays over."""
        lying = {self._number[held.bomb]: list(held.faces)
                 for player in self.position.players for held in player.held}
        before = {bomb: tuple(faces) for bomb, faces in lying.items()}
        left = list(self.position.dice)
        for code in moves:
            _, (bomb, slot, face) = engine.decode(code)
            lying[bomb][slot] = face
            left.remove(face)
        spared = sum((self.offers(bomb, faces) - self.offers(bomb, tuple(lying[bomb]))
                      for bomb, faces in before.items() if list(faces) != lying[bomb]),
                     Fraction(0))
        return spared - sum((self.cost(face // NUMBERS) for face in left), Fraction(0))

    def cost(self, color: int) -> Fraction:
        """Offers that the team is expected to lose by an unplaced die of a colour."""
        if self._costs is None:
            self._costs = [self._cost(one) for one in range(len(COLORS))]
        return self._costs[color]

    def _cost(self, color: int) -> Fraction:
        total = Fraction(0)
        for player in self.position.players:
            losses = [one for held in player.held
                      for one in self._losses(self._number[held.bomb], held.faces)]
            for number in range(NUMBERS):
                hit = [loss for face, loss in losses
                       if face // NUMBERS == color or face % NUMBERS == number]
                if hit:
                    total += sum(hit) if self.position.rules.removal == "all" else min(hit)
        return total / NUMBERS

    def _losses(self, bomb: int, faces: Faces) -> list[tuple[int, Fraction]]:
        """The dice of a bomb that can be removed, and what each costs."""
        found = []
        for slot, face in enumerate(faces):
            covered = self.position.rules.covered_dice_safe and any(
                slot in self._beneath[bomb][other] and faces[other] is not None
                for other in range(len(faces)))
            if face is not None and not covered:
                rest = (*faces[:slot], None, *faces[slot + 1:])
                found.append((face, self.offers(bomb, rest) - self.offers(bomb, faces)))
        return found
