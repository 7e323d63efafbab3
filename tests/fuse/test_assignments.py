"""The list of assignments, and exact progress, against all assignments made through the rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, permutations

import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import fuse
from oddsmith.solver.games.fuse import engine
from oddsmith.solver.games.fuse.assignments import Search
from oddsmith.solver.games.fuse.bombs import NUMBERS
from oddsmith.solver.games.fuse.fillings import NEVER, Fillings
from oddsmith.solver.games.fuse.progress import Progress
from oddsmith.solver.games.fuse.rules import compiled
from tests.fuse import specimen

SHOWN = 20


def states(rules, seed, policy="random"):
    """Positions of a game in which a roll is assigned."""
    table, chance, thinking = fuse.table(rules), Generator(seed), Generator(seed, 1)
    position = fuse.new(rules, seed)
    while not position.finished:
        state = fuse.to_state(position)
        if position.phase == "assign":
            yield position
        code = (table.sample(state, chance) if table.turn(state) < 0
                else table.policy_move(state, policy, thinking))
        position = fuse.make_move(position, code)


class Brute:
    """All assignments of a roll, move by move, and what is thrown behind them."""

    def __init__(self, position):
        self.rules, self.table = position.rules, engine.table(position.rules)
        self.deck, self.fillings = compiled(self.rules).deck, Fillings(self.rules)
        self.known, self.found, self.seen = {}, {}, set()
        self.start = engine.to_state(position)
        self.before = self.needed(self.start)
        self.place(self.start)

    def needed(self, state):
        """Offers that all bombs in hand need."""
        hands = self.table.unpack(state)["hands"]
        return sum(min(self.deck.offers(bomb, self.deck.class_of(bomb, faces)), NEVER)
                   for hand in hands for bomb, faces, _ in hand)

    def place(self, state):
        """Every state that placements lead to; what is filled is gone, no other bomb is taken."""
        fields = self.table.unpack(state)
        if fields["phase"] == engine.PICK:
            state = self.table.pack(fields | {"phase": engine.ASSIGN, "seat": 0})
            fields = self.table.unpack(state)
        dice = tuple(fields["dice"])
        if state in self.seen:
            return
        self.seen.add(state)
        if not dice or fields["phase"] == engine.FINISHED:
            self.leaf(state, fields, ())
            return
        for code in self.table.moves(state):
            kind, (bomb, slot, face) = engine.decode(code)
            if kind == engine.STOP:
                self.leaf(self.table.apply(state, code), fields, dice)
            elif kind == engine.PLACE:
                [faces] = [faces for hand in fields["hands"] for one, faces, _ in hand
                           if one == bomb]
                placed = (*faces[:slot], face, *faces[slot + 1:])
                if self.rules.decline == "forbidden" or self.deck.completable(
                        bomb, self.deck.class_of(bomb, placed)):
                    self.place(self.table.apply(state, code))

    def leaf(self, state, fields, left):
        colors = [face // NUMBERS for face in left]
        key = (left, tuple(tuple(self.fillings.number(bomb, faces) for bomb, faces, _ in hand)
                           for hand in fields["hands"]))
        if key not in self.found:
            # Alike fillings are worth the same, so any of them stands for all.
            self.found[key] = self.before - min(
                self.thrown(state, order) for order in set(permutations(colors)))

    def thrown(self, state, order):
        """Offers needed when the dice have been thrown in this order, the best dice removed."""
        if (state, order) in self.known:
            return self.known[state, order]
        phase = self.table.unpack(state)["phase"]
        if phase == engine.THROW:
            value = self.thrown(self.table.apply(state, engine.encode(engine.CHOOSE, order[0])),
                                order)
        elif phase == engine.REROLL:
            outcomes = self.table.outcomes(state)
            value = sum(weight * self.thrown(self.table.apply(state, code), order[1:])
                        for code, weight in outcomes) / sum(weight for _, weight in outcomes)
        elif phase == engine.REMOVE:
            value = min(self.thrown(self.table.apply(state, code), order)
                        for code in self.table.moves(state))
        else:
            assert not order or phase == engine.FINISHED
            value = self.needed(state)
        self.known[state, order] = value
        return value


def compare(position):
    found = [made.progress for made in islice(Search(position).best(), SHOWN)]
    brute = sorted(Brute(position).found.values(), reverse=True)
    assert len(found) == min(SHOWN, len(brute))
    assert found == pytest.approx(brute[:SHOWN], abs=1e-8)


@pytest.mark.parametrize("seed", range(24))
def test_the_best_are_those_of_all_assignments(seed):
    """Over all options."""
    [rules] = specimen.rules(500 + seed, 1)
    compared = 0
    for number, position in enumerate(states(rules, seed, ("planner", "random")[seed % 2])):
        if number % 7 == 3 and len(position.dice) <= 4:
            compare(position)
            compared += 1
        if compared == 3:
            return


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("decline", ["allowed", "forbidden"])
def test_the_best_by_players(players, decline):
    rules = fuse.Rules(players=players, decline=decline, deck="synthetic")
    for number, position in enumerate(states(rules, players, "planner")):
        if number in (4, 11) and (number == 11 or players < 5):
            compare(position)
        if number > 11:
            return


def loaded(tmp_path, *, dice, hands, rules="", taken=0):
    path = tmp_path / "game.toml"
    players = "\n".join(f"[[player]]\nbombs = {hand}".replace("'", '"') for hand in hands)
    path.write_text(f"""game = "fuse"
[rules]
players = {len(hands)}
level = "training"
{rules}
[turn]
roll = 12
seconds = 240
phase = "assign"
dice = "{dice}"
[table]
centre = ["p3-5-y-g2", "p3-bg-yr-b4", "p4-same-num3-blue", "p4-stack4-asc", "p4-stack5-y1"]
{players}
taken = {taken}
""")
    return fuse.load(str(path))


def codes(position, *texts):
    return [fuse.engine.parse_move(position, f"place {text}") for text in texts]


def test_dice_on_finished_bombs_cost_nothing(tmp_path):
    """b3 lies on a bomb that this assignment finishes: green 5 can't take it any more."""
    position = loaded(tmp_path, dice="r1 g6 g5", hands=[
        ["p4-twins: . .", "p4-same-colour4: . . . ."],
        ["p3-gy-rb-sum7: . .", "p3-rk-b2-sum7: . ."],
        ["p1-colour-ne-chain4: . . . .", "p1-diff2: b3 ."]])
    made = codes(position, "r1 p1-diff2 2", "g6 p3-gy-rb-sum7 1")
    assert Progress(position).of(made) == 6
    compare(position)


def test_dice_just_placed_can_be_removed(tmp_path):
    """The second red die of the roll is thrown again, and takes the first one with it."""
    position = loaded(tmp_path, dice="r5 r5", hands=[
        ["p4-twins: . .", "p4-222: . . ."], ["p4-same-colour4", "p3-same-num3"]],
        taken=2)
    # Twins need 31 offers, 30 with one die on them; whatever is thrown is red.
    assert Progress(position).of(codes(position, "r5 p4-twins 1")) == 0
    assert Progress(position).of([]) == 0


def test_two_dice_are_thrown_one_after_the_other(tmp_path):
    """Each takes a red one; the second finds nothing."""
    position = loaded(tmp_path, dice="r6 r6", hands=[
        ["p4-twins: r5 .", "p4-222: . . ."], ["p4-same-colour4: . . . .", "p3-same-num3: . . ."]],
        taken=2)
    assert Progress(position).of([]) == -1


def test_both_orders_of_two_throws(tmp_path):
    """A red die is hit by the number of either; the order is all the same."""
    position = loaded(tmp_path, dice="b6 g6", hands=[
        ["p4-twins: r5 .", "p4-222: . . ."], ["p4-same-colour4: . . . .", "p3-same-num3: . . ."]],
        taken=2)
    assert Progress(position).throws([]) == [(-(1 - Fraction(5, 6) ** 2), (1, 2)),
                                             (-(1 - Fraction(5, 6) ** 2), (2, 1))]


def test_declined_dice_are_those_nobody_could_place(tmp_path):
    """With decline = "forbidden" no way leaves a die that a player with a take left could place."""
    position = loaded(tmp_path, dice="r1 g6 g5", rules='decline = "forbidden"', hands=[
        ["p4-222", "p4-stack4-yrbg"], ["p3-gy-rb-sum7: . .", "p3-rk-b2-sum7: . ."],
        ["p1-colour-ne-chain4: . . . .", "p1-diff2: . ."]])
    compare(position)
    table = engine.table(position.rules)
    listed = list(Search(position).best())
    assert listed
    for made in listed:
        state = engine.to_state(position)
        for code in made.moves:
            state = table.apply(state, code)
        if made.left:
            assert engine.encode(engine.STOP) in table.moves(state)


def test_alike_fillings_have_one_number():
    """Twins with the same die on either slot; a stack's dice are told apart, for the top is removed."""
    rules = fuse.Rules(players=3)
    fillings, names = Fillings(rules), [bomb.id for bomb in fuse.engine.deck_of(rules).bombs]
    twins, stack = names.index("p4-twins"), names.index("p4-stack5-y1")
    assert fillings.number(twins, (4, None)) == fillings.number(twins, (None, 4))
    assert fillings.number(twins, (4, None)) != fillings.number(twins, (5, None))
    assert fillings.number(twins, (4, 4)) == 0
    # Red 2 on red 1 or the other way round: the same dice finish it, but another one is removed.
    two = (1, 0, None, None, None), (0, 1, None, None, None)
    classes = [fillings.deck.class_of(stack, faces) for faces in two]
    assert len({fillings.future(stack, cls) for cls in classes}) == 1
    assert fillings.number(stack, two[0]) != fillings.number(stack, two[1])
