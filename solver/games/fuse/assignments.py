"""FUSE: the assignments of a roll, the best by progress first.

Alike ways are one (fillings.py), so that what is told are different assignments.  The best come
one after the other from a search that always goes on with the most promising part of one: the
players in turn, each with his ways to place some of the dice, the most that the players after him
can spare with the rest as a bound.  Nothing is cut off, so the list is that of all assignments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations, count
from math import inf
from typing import Any, NamedTuple

from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.bombs import NUMBERS
from oddsmith.solver.games.fuse.fillings import DONE, Faces, Fillings, Losses, orders
from oddsmith.solver.games.fuse.position import Position

Dice = tuple[int, ...]
"""Some dice, ascending."""


class Way(NamedTuple):
    """One player's part of an assignment.

    Args:
        gain: offers spared on his bombs.
        hand: numbers of the fillings behind it.
        moves: codes of the placements, in an order that the rules allow.
        open: those that may take another die of this roll.
    """

    gain: float
    hand: tuple[int, ...]
    moves: tuple[int, ...]
    open: tuple[int, ...]


class Assignment(NamedTuple):
    """Which dice go where.

    Args:
        progress: offers spared, less what the dice left over cost, as a float.
        moves: codes of the placements, player by player.
        left: the dice that stay over.
    """

    progress: float
    moves: tuple[int, ...]
    left: Dice


@lru_cache(maxsize=256)
def _parts(dice: Dice) -> tuple[Dice, ...]:
    """Every different choice among some dice."""
    return tuple(sorted({chosen for n in range(len(dice) + 1) for chosen in combinations(dice, n)}))


@lru_cache(maxsize=4096)
def _without(dice: Dice, taken: Dice) -> Dice | None:
    """The rest; None if some are not among them."""
    left = list(dice)
    for face in taken:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


class Search:
    """The assignments of the dice on the table.

    Args:
        position: a position in phase = "assign".
        fillings: of its rules.
    """

    def __init__(self, position: Position, fillings: Fillings | None = None) -> None:
        self.position, self.fillings = position, fillings or Fillings(position.rules)
        self._losses = Losses(self.fillings, self.fillings.offers)
        self._deck = self.fillings.deck
        self._must = position.rules.decline == "forbidden"
        table = engine.table(position.rules)
        fields = table.unpack(engine.to_state(position))
        self._ways = [self._ways_of(seat, fields) for seat in range(position.rules.players)]

    def best(self) -> Iterator[Assignment]:
        """Every assignment that the rules allow, the best first."""
        dice, order, heap = self.position.dice, count(), list[Any]()
        rough = self._bounds([{part: max((way.gain + self._luck(way) for way in ways), default=-inf)
                               for part, ways in by_dice.items()} for by_dice in self._ways], dice)
        for used in _parts(dice):
            if rough[0][used] > -inf:
                heappush(heap, (-rough[0][used], next(order), None, used))
        while heap:
            _, _, made, data = heappop(heap)
            if made is None:
                for node in self._refined(data):
                    heappush(heap, (node[0], next(order), *node[1:]))
            elif isinstance(made, Assignment):
                yield made
            else:
                for node in self._longer(made, data):
                    heappush(heap, (node[0], next(order), *node[1:]))

    def _refined(self, used: Dice) -> Iterator[tuple[float, Any, Any]]:
        """The start of all assignments of exactly these dice; what stays over is known then."""
        left = _without(self.position.dice, used)
        assert left is not None
        colors = tuple(face // NUMBERS for face in left)
        values: list[dict[Dice, list[tuple[float, Way]]]] = []
        for by_dice in self._ways:
            mine: dict[Dice, list[tuple[float, Way]]] = {}
            for part, ways in by_dice.items():
                if _without(used, part) is not None:
                    mine[part] = sorted(
                        ((way.gain - self._losses.least_cost(way.hand, colors), way)
                         for way in ways if not self._must or not self._could_place(way, left)),
                        key=lambda one: -one[0])
            values.append(mine)
        bounds = self._bounds([{part: ways[0][0] if ways else -inf for part, ways in mine.items()}
                               for mine in values], used)
        if bounds[0][used] > -inf:
            yield -bounds[0][used], (), (0.0, used, left, colors, values, bounds)

    def _longer(self, made: tuple[Way, ...], data: Any) -> Iterator[tuple[float, Any, Any]]:
        """A part of an assignment with one more player's ways; the assignment behind the last."""
        spared, dice, left, colors, values, bounds = data
        seat = len(made)
        if seat == len(values):
            hands = [way.hand for way in made]
            cost = min(sum(self._losses.cost(hand, order) for hand in hands)
                       for order in orders(colors))
            progress = sum(way.gain for way in made) - cost
            yield -progress, Assignment(
                progress, tuple(code for way in made for code in way.moves), left), None
            return
        for part, ways in values[seat].items():
            rest = _without(dice, part)
            if rest is None or bounds[seat + 1][rest] == -inf:
                continue
            for value, way in ways:
                yield (-(spared + value + bounds[seat + 1][rest]), (*made, way),
                       (spared + value, rest, left, colors, values, bounds))

    @staticmethod
    def _bounds(values: Sequence[dict[Dice, float]], dice: Dice) -> list[dict[Dice, float]]:
        """[seat][dice]: most that the players from a seat on spare with exactly these dice."""
        bounds: list[dict[Dice, float]] = [dict.fromkeys(_parts(dice), -inf)]
        bounds[0][()] = 0.0
        for mine in reversed(values):
            then = bounds[0]
            bounds.insert(0, {part: max((value + then[rest] for placed, value in mine.items()
                                         if (rest := _without(part, placed)) is not None),
                                        default=-inf) for part in then})
        return bounds

    def _luck(self, way: Way) -> float:
        """Most offers that removals can spare."""
        return sum(self.fillings.offers(one) - self.fillings.least(one) for one in way.hand)

    def _could_place(self, way: Way, left: Dice) -> bool:
        """Whether a player with a take left could place one of the dice that stay over."""
        for filling in way.open:
            one = self.fillings.of[filling]
            if any(row[face] >= 0 for row in self._deck.row(one.bomb, one.cls) for face in left):
                return True
        return False

    def _ways_of(self, seat: int, fields: dict[str, Any]) -> dict[Dice, list[Way]]:
        """All different ways in which a player places some of the dice, by these dice."""
        rules, hand = self.position.rules, fields["hands"][seat]
        most = rules.takes - fields["taken"][seat]
        one_each = rules.players == 2 and not rules.two_player_same_bomb
        found: dict[tuple[Dice, tuple[int, ...]], Way] = {}

        def go(chosen: Dice, left: Dice, lying: tuple[Faces, ...], used: frozenset[int],
               moves: tuple[int, ...]) -> None:
            after = tuple(self.fillings.number(bomb, faces)
                          for (bomb, _, _), faces in zip(hand, lying, strict=True))
            part = tuple(sorted(chosen))
            if (part, after) in found:
                return
            can = len(moves) < most
            gain = sum(before - self.fillings.offers(one) for before, one in
                       zip(offers, after, strict=True))
            found[part, after] = Way(gain, after, moves, tuple(
                one for k, one in enumerate(after) if can and one != DONE and k not in used))
            if not can:
                return
            for face in sorted(set(left)):
                rest = _without(left, (face,))
                assert rest is not None
                for k, slot in self._slots(hand, lying, used, face):
                    faces = lying[k]
                    placed = (*faces[:slot], face, *faces[slot + 1:])
                    go((*chosen, face), rest, (*lying[:k], placed, *lying[k + 1:]),
                       used | {k} if one_each else used,
                       (*moves, engine.encode(engine.PLACE, hand[k][0], slot, face)))

        offers = [self.fillings.offers(self.fillings.number(bomb, faces))
                  for bomb, faces, _ in hand]
        go((), self.position.dice, tuple(faces for _, faces, _ in hand),
           frozenset(k for k, (_, _, marked) in enumerate(hand) if marked), ())
        ways: dict[Dice, list[Way]] = {}
        for (part, _), way in found.items():
            ways.setdefault(part, []).append(way)
        return ways

    def _slots(self, hand: Sequence[Any], lying: Sequence[Faces], used: frozenset[int], face: int
               ) -> Iterator[tuple[int, int]]:
        """The bombs and slots of a hand where a die may be placed, and sensibly is."""
        for k, ((bomb, _, _), faces) in enumerate(zip(hand, lying, strict=True)):
            if k in used or None not in faces:
                continue
            for slot, row in enumerate(self._deck.row(bomb, self._deck.class_of(bomb, faces))):
                # Nobody spoils a bomb who need not place a die.
                if row[face] >= 0 and (self._must or self._deck.completable(bomb, row[face])):
                    yield k, slot
