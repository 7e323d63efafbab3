"""Every documented card against all its ordered fillings, over all options."""

from __future__ import annotations

import numpy as np
import pytest

from oddsmith.kernels.fuse_bombs import Deck, Unsolvable
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.fuse.bombs import (
    Accept,
    Bomb,
    Relation,
    Slot,
    compiled,
    format_slot,
    parse_face,
    parse_slot,
    supports,
)
from oddsmith.solver.games.fuse.deck import doubtful_bombs, load_deck
from tests.fuse.cards import beneath, cards, classes, fitting, subsets

BOMBS = (*load_deck("synthetic").bombs, *doubtful_bombs())
SMALL = [bomb for bomb in BOMBS if len(bomb.slots) <= 4]
LARGE = [bomb for bomb in BOMBS if len(bomb.slots) > 4]
FULL = 1
CASES = [(bomb, whole) for bomb in SMALL for whole in (False, True)
         if not whole or any(one.by_number_or_color for one in bomb.relations)]


def name(value):
    return value.id if isinstance(value, Bomb) else str(value)


@pytest.mark.parametrize(("bomb", "whole"), CASES, ids=name)
def test_a_class_is_a_set_of_completions(bomb, whole):
    n = len(bomb.slots)
    deck = compiled((bomb,), True, whole)
    full = fitting(cards()[bomb.id], range(n), whole)
    assert (classes(deck, 0, n, range(n)) == np.where(full, FULL, -1)).all()
    assert deck.class_of(0, [None] * n) == 0
    seen = {}
    for slots in subsets(n):
        rest = [slot for slot in range(n) if slot not in slots]
        completions = np.transpose(full, slots + rest).reshape(30 ** len(slots), -1)
        found = classes(deck, 0, n, slots).reshape(-1)
        assert ((found >= 0) == completions.any(axis=1)).all()
        packed = np.packbits(completions, axis=1)
        _, kind = np.unique(packed[found >= 0], axis=0, return_inverse=True)
        pairs = set(zip(found[found >= 0].tolist(), kind.reshape(-1).tolist(), strict=True))
        assert len(pairs) == len({one for one, _ in pairs}) == len({two for _, two in pairs})
        for cls, _ in pairs:
            assert deck.filled(0, cls) == sum(1 << slot for slot in slots)
            assert seen.setdefault(cls, slots) == slots
    assert len(seen) == deck.n_classes(0)


@pytest.mark.parametrize(("bomb", "whole"), CASES, ids=name)
def test_not_yet_violated(bomb, whole):
    n = len(bomb.slots)
    card = cards()[bomb.id]
    deck = compiled((bomb,), False, whole)
    full = fitting(card, range(n), whole)
    for slots in subsets(n):
        rest = [slot for slot in range(n) if slot not in slots]
        found = classes(deck, 0, n, slots)
        good = fitting(card, slots, whole)
        # A die that broke a sign could not have been placed, whatever came after.
        assert ((found >= 0) == good).all()
        can = np.transpose(full, slots + rest).reshape(30 ** len(slots), -1).any(axis=1)
        told = [bool(deck.completable(0, cls)) for cls in range(deck.n_classes(0))]
        found = found.reshape(-1)
        assert (np.array(told)[found[found >= 0]] == can[found >= 0]).all()
        assert not can[found < 0].any()


@pytest.mark.parametrize("bomb", BOMBS, ids=name)
@pytest.mark.parametrize("only_completable", [True, False])
def test_dice_lie_on_dice(bomb, only_completable):
    deck, below = compiled((bomb,), only_completable), beneath(cards()[bomb.id])
    reached = {0}
    for cls in range(deck.n_classes(0)):
        filled, row, walk = deck.filled(0, cls), deck.row(0, cls), deck.walk(0, cls)
        for slot in range(len(bomb.slots)):
            held = all(filled >> under & 1 for under in below.get(slot, ()))
            assert row[slot] == (walk[slot] if held else (-1,) * 30)
    front = [0]
    while front:
        for faces in deck.row(0, front.pop()):
            new = set(faces) - reached - {-1}
            reached |= new
            front += new
    assert reached == set(range(deck.n_reachable(0)))


@pytest.mark.parametrize("bomb", LARGE, ids=name)
def test_large_bombs_filled_at_random(bomb):
    rng = np.random.default_rng(1)
    card, deck = cards()[bomb.id], compiled((bomb,))
    accepted = [[face for face in range(30) if slot.mask >> face & 1] for slot in bomb.slots]
    for _ in range(2000):
        faces = [int(rng.choice(fit)) if rng.random() < 0.6 else None for fit in accepted]
        assert deck.class_of(0, faces) >= 0  # no documented one of these has signs
        strange = [int(rng.integers(30)) if face is not None else None for face in faces]
        fits = all(face is None or face in accepted[slot] for slot, face in enumerate(strange))
        assert (deck.class_of(0, strange) >= 0) == fits
    assert not card.get("relations")


def bomb_of(slots, relations=(), layout="row"):
    return Bomb(id="x", points=1, layout=layout, slots=tuple(map(parse_slot, slots)),
                relations=tuple(relations), beneath=supports(layout, len(slots)))


def test_at_most_five_dice_of_a_color():
    six = bomb_of(["?"] * 6)
    deck = compiled((six,))
    reds = [0, 1, 2, 3, 4]
    assert deck.class_of(0, [*reds, None]) >= 0
    assert deck.class_of(0, [*reds, 5]) == -1
    assert deck.class_of(0, [*reds, 6]) == FULL
    mixed = bomb_of(["r", "r|2", "r", "r", "r", "r|5"])
    deck = compiled((mixed,))
    assert deck.class_of(0, [0, 1, 2, 3, 4, None]) >= 0
    assert deck.class_of(0, [0, 1, 2, 3, 4, 5]) == -1
    assert deck.class_of(0, [0, 1, 2, 3, None, 5]) == -1  # the fifth slot takes red only
    assert deck.class_of(0, [0, 7, 2, 3, 4, 5]) == FULL
    with pytest.raises(InputError, match="card x: slots and relations: no dice finish this bomb"):
        compiled((bomb_of(["r"] * 6),))


@pytest.mark.parametrize("cmp", ["==", "!=", "<", ">", "<=", ">="])
def test_every_comparison(cmp):
    deck = compiled((bomb_of(["?", "?"], [Relation("linear", (0, 1), coef=(2, -1), cmp=cmp,
                                                   rhs=3)]),))
    for a in range(6):
        for b in range(6):
            fits = eval(f"{2 * (a + 1) - (b + 1)} {cmp} 3")
            assert (deck.class_of(0, [a, 24 + b]) == FULL) == fits


def test_equal_and_different_over_more_slots():
    all_different = compiled((bomb_of(["?"] * 3, [Relation("ne", (0, 1, 2), "number")]),), False)
    assert all_different.class_of(0, [0, None, 6]) == -1
    assert all_different.class_of(0, [0, 2, 1]) == FULL
    equal = compiled((bomb_of(["?"] * 3, [Relation("eq", (0, 1, 2), "color")]),), False)
    assert equal.class_of(0, [0, None, 6]) == -1


def test_kernel_refuses():
    with pytest.raises(Unsolvable) as caught:
        Deck([([1], [], [0], 1), ([0], [], [0], 1)])
    assert caught.value.args[0] == 1
    with pytest.raises(ValueError, match="1 to 6 slots"):
        Deck([([1] * 7, [], [0] * 7, 1)])
    with pytest.raises(ValueError, match="no slot 3"):
        Deck([([1], [[[("eq", True, (0, 3), (1, 1), "==", 0)]]], [0], 1)])
    deck = compiled((BOMBS[0],))
    for ask in (deck.n_slots, lambda bomb: deck.filled(bomb, 0), lambda bomb: deck.row(bomb, 0)):
        with pytest.raises(IndexError):
            ask(1)
    with pytest.raises(IndexError):
        deck.filled(0, deck.n_classes(0))
    with pytest.raises(ValueError, match="face"):
        deck.class_of(0, [30, None, None, None])
    with pytest.raises(TypeError):
        deck.__init__([])
    signs = [Relation("eq", (0, 1, 2, 3, 4), attr) for attr in ("number", "color")]
    with pytest.raises(TooLarge, match="card x"):
        compiled((bomb_of(["?"] * 5, signs),))


def test_notation():
    for text in ("bg", "r|2", "g2", "36", "?", "r|b2|5"):
        assert format_slot(parse_slot(text)) == text
    assert parse_slot("g2") == Slot((Accept(("green",), (2,)),))
    for text in ("", "x", "rr", "7", "r|", "2r", "??"):
        with pytest.raises(InputError):
            parse_slot(text)
    assert [parse_face(text) for text in ("r1", "k6", "B2")] == [0, 29, 7]
    for text in ("", "r", "r7", "z1", "11", "r12"):
        with pytest.raises(InputError, match="no die"):
            parse_face(text)
