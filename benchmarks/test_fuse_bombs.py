"""FUSE, one thread: bombs compiled to classes, expected offers, several bombs at once.

The baselines are plain Python over whole fillings, without classes, in the same run.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from oddsmith.solver.games.fuse.bombs import FACES, NUMBERS, compiled
from oddsmith.solver.games.fuse.deck import load_deck
from oddsmith.solver.games.fuse.hardness import all_expected, rolls

BOMBS = {bomb.id: bomb for bomb in load_deck("synthetic").bombs}
DOCUMENTED = [bomb for bomb in BOMBS.values() if bomb.kind == "documented"]
PLAIN = ("p4-twins", "p1-bg-yr-rb", "p3-same-num3", "p1-valley")
HAND = ("p3-gy-rb-sum7", "p4-twins")


def holds(relation, faces):
    if relation.op == "any_of":
        return any(all(holds(one, faces) for one in group) for group in relation.of)
    if relation.op == "linear":
        total = sum(factor * (faces[slot] % NUMBERS + 1)
                    for factor, slot in zip(relation.coef, relation.slots, strict=True))
        return {"==": total == relation.rhs, "!=": total != relation.rhs, "<": total < relation.rhs,
                ">": total > relation.rhs, "<=": total <= relation.rhs,
                ">=": total >= relation.rhs}[relation.cmp]
    values = {faces[slot] % NUMBERS if relation.attr == "number" else faces[slot] // NUMBERS
              for slot in relation.slots}
    return len(values) == (1 if relation.op == "eq" else len(relation.slots))


def plain_fillings(bomb):
    """All partial fillings that can be finished, as tuples of faces and None."""
    full = [faces for faces in product(*(
        [face for face in range(FACES) if slot.mask >> face & 1] for slot in bomb.slots))
        if all(holds(relation, faces) for relation in bomb.relations)]
    return {tuple(face if keep else None for face, keep in zip(faces, kept, strict=True))
            for faces in full for kept in product((0, 1), repeat=len(bomb.slots))}


def plain_placings(bomb, fillings, filling, face):
    for slot, lies in enumerate(filling):
        if lies is None and all(filling[below] is not None for below in bomb.beneath[slot]):
            then = (*filling[:slot], face, *filling[slot + 1 :])
            if then in fillings:
                yield then


def least(total, uses):
    value, weight, wait = None, 0, total
    for weight_of_one, then in sorted(uses, key=lambda use: use[1]):
        if value is not None and then >= value:
            break
        weight += weight_of_one
        wait += weight_of_one * then
        value = wait / weight
    return value


def plain_offers(bomb):
    fillings = plain_fillings(bomb)

    @cache
    def value(filling):
        if None not in filling:
            return Fraction(0)
        after = [[value(then) for then in plain_placings(bomb, fillings, filling, face)]
                 for face in range(FACES)]
        return least(Fraction(FACES), [(1, min(found)) for found in after if found])

    return value((None,) * len(bomb.slots))


def plain_rolls(bombs):
    """Two dice a roll, in floats."""
    fillings = [plain_fillings(bomb) for bomb in bombs]

    @cache
    def steps(state, face):
        return [(*state[:i], then, *state[i + 1 :]) for i, bomb in enumerate(bombs)
                for then in plain_placings(bomb, fillings[i], state[i], face)]

    @cache
    def value(state):
        if all(None not in filling for filling in state):
            return 0.0
        uses = []
        for roll in combinations_with_replacement(range(FACES), 2):
            ends = [value(then) for face in set(roll) for then in steps(state, face)]
            ends += [value(end) for first, last in (roll, roll[::-1])
                     for then in steps(state, first) for end in steps(then, last)]
            if ends:
                uses.append((1 + (roll[0] != roll[1]), min(ends)))
        return least(FACES**2, uses)

    return value(tuple((None,) * len(bomb.slots) for bomb in bombs))


def test_plain_offers(benchmark, figure):
    benchmark.pedantic(lambda: [plain_offers(BOMBS[word]) for word in PLAIN], rounds=1)
    figure("offers, 4 small bombs, plain Python", benchmark.stats.stats.median, "s")


def test_offers_of_the_same(benchmark, figure):
    def run():
        compiled.cache_clear()
        return [all_expected(BOMBS[word])[-1] for word in PLAIN]

    found = benchmark.pedantic(run, rounds=5)
    assert found == [plain_offers(BOMBS[word]) for word in PLAIN]
    figure("offers, the same bombs", benchmark.stats.stats.median, "s", "",
           "offers, 4 small bombs, plain Python")


def test_offers_of_every_documented_bomb(benchmark, figure):
    def run():
        compiled.cache_clear()
        return [all_expected(bomb) for bomb in DOCUMENTED]

    benchmark.pedantic(run, rounds=5)
    figure("offers, every documented bomb and filling", benchmark.stats.stats.median, "s", "1 s")


def test_compile(benchmark, figure):
    bombs = tuple(BOMBS.values())

    def run():
        compiled.cache_clear()
        compiled(bombs)

    benchmark.pedantic(run, rounds=5)
    figure("a deck of 54 bombs compiled", benchmark.stats.stats.median, "s")


def test_plain_rolls(benchmark, figure):
    benchmark.pedantic(plain_rolls, args=([BOMBS[word] for word in HAND],), rounds=1)
    figure("hand of two small bombs, plain Python", benchmark.stats.stats.median, "s")


def test_rolls_of_the_same(benchmark, figure):
    bombs = [BOMBS[word] for word in HAND]

    def run():
        compiled.cache_clear()
        return rolls(bombs, 2).expected

    found = benchmark.pedantic(run, rounds=5)
    assert float(found) == pytest.approx(plain_rolls(bombs), rel=1e-12)
    figure("hand of the same bombs", benchmark.stats.stats.median, "s", "",
           "hand of two small bombs, plain Python")


@pytest.mark.parametrize("dice", [2, 4])
@pytest.mark.parametrize("words", [
    ("p1-colour-ne-chain4", "p2-same-num-or-colour3"), ("p1-valley", "p2-same-num-or-colour3")])
def test_largest_hands(benchmark, figure, words, dice):
    def run():
        compiled.cache_clear()
        rolls([BOMBS[word] for word in words], dice)

    benchmark.pedantic(run, rounds=3)
    figure(f"{words[0]}, same-num-or-colour3, {dice} dice", benchmark.stats.stats.median, "s",
           "5 s")
