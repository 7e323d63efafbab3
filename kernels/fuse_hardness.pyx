"""FUSE: classes of a bomb merged by their future, and renamings of faces that keep it.

A bomb's value depends on its merged class alone: expected offers, rolls, chances.
"""
from itertools import combinations

from oddsmith.kernels.fuse_bombs cimport COLORS, FACES, NUMBERS, Bomb, Deck, next_class


def merged(Deck deck, int bomb):
    """Classes of a bomb joined where the same classes follow whatever die comes.

    Only classes that legal placements lead to and that can be finished are there.

    Returns:
        (number of each class, -1 for none; of each number, by face, the numbers that may follow,
        ascending; of each number, the dice that lie).  Numbers fall as dice are added: 0 is full.

    Raises:
        IndexError: no such bomb.
    """
    cdef const Bomb* m = deck.at(bomb)
    cdef int k, slot, face, then
    number, numbers, rows, dice = [-1] * m.n_classes, {}, [], []
    by_dice = sorted((-bin(m.filled[k]).count("1"), k) for k in range(m.n_reachable))
    for lying, cls in by_dice:
        k = cls
        if not m.completable[k]:
            continue
        row = []
        for face in range(FACES):
            found = set()
            for slot in range(m.n_slots):
                then = next_class(m, k, slot, face)
                if then >= 0 and m.completable[then]:
                    found.add(number[then])
            row.append(tuple(sorted(found)))
        key = lying, tuple(row)
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append(tuple(row))
            dice.append(-lying)
        number[k] = numbers[key]
    return number, rows, dice


def renamings():
    """Faces with two colours, or two numbers, in each other's place, or numbers turned round."""
    for a, b in combinations(range(COLORS), 2):
        yield [{a: b, b: a}.get(f // NUMBERS, f // NUMBERS) * NUMBERS + f % NUMBERS
               for f in range(FACES)]
    for a, b in combinations(range(NUMBERS), 2):
        yield [f // NUMBERS * NUMBERS + {a: b, b: a}.get(f % NUMBERS, f % NUMBERS)
               for f in range(FACES)]
    yield [f // NUMBERS * NUMBERS + NUMBERS - 1 - f % NUMBERS for f in range(FACES)]


def renamed(rows, dice, faces):
    """What each merged class becomes when faces are renamed; None where there is no such class."""
    numbers = {(n, row): k for k, (n, row) in enumerate(zip(dice, rows, strict=True))}
    image = []
    for n, row in zip(dice, rows, strict=True):
        new = [()] * FACES
        for face in range(FACES):
            new[faces[face]] = tuple(sorted([image[then] for then in row[face]]))
        found = numbers.get((n, tuple(new)))
        if found is None:
            return None
        image.append(found)
    return image
