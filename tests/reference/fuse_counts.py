"""FUSE: which rules decided something when dice are offered, placed or hit. Nothing but counting.

The rules themselves are in `fuse.py` and `fuse_bombs.py` beside this file.
"""

from collections.abc import Callable

from .fuse_bombs import Bomb, Dice, Die, Relation, covered, is_link, put, signs_of
from .fuse_rules import fired, fired_option
from .fuse_table import Options, State, Strike, hit, on_bomb, replace

Verdict = Callable[[Options, Bomb, Dice, int, Die], str]
Open = Callable[[Options, State, str], bool]


def slots_of(relation: Relation) -> set[int]:
    if relation[0] == "any_of":
        return {slot for each in relation[1] for sign in each for slot in slots_of(sign)}
    return set(relation[1] if relation[0] == "linear" else relation[2])


def kind_of_sign(relation: Relation) -> str:
    if relation[0] == "any_of":
        return "sign.link"
    if relation[0] == "linear":
        order = relation[3] in ("<", ">", "<=", ">=")
        return "sign.order" if order else "sign.total"
    return "sign.ne" if relation[0] == "ne" else f"sign.eq_{relation[1]}"


def kind_of_slot(bomb: Bomb, slot: int) -> str:
    """What is printed on the slot."""
    alternatives = bomb.slots[slot]
    (colors, numbers) = alternatives[0]
    if len(alternatives) > 1 or len(colors or "x") > 1 or len(numbers or "x") > 1:
        return "slot.split"
    if colors or numbers:
        if colors and numbers:
            return "slot.both"
        return "slot.color" if colors else "slot.number"
    asked = set()
    for relation in bomb.relations:
        if slot in slots_of(relation):
            asked |= {"number", "color"} if is_link(relation) else {asked_by(relation)}
    if len(asked) == 2:
        return "slot.both_chips"
    return f"slot.{asked.pop()}_chip" if asked else "slot.question"


def asked_by(relation: Relation) -> str:
    if relation[0] == "any_of":
        return asked_by(relation[1][0][0])
    return "number" if relation[0] == "linear" else relation[1]


def count_placed(options: Options, state: State, seat: int, die: Die, bomb: str, slot: int) -> None:
    """This player takes the die and places it: `state` before it."""
    card, before = options.bombs[bomb], on_bomb(state, seat, bomb)
    after = put(before, slot, die)
    fired(kind_of_slot(card, slot))
    for sign in signs_of(card, options.whole):
        filled = all(after[each] is not None for each in slots_of(sign))
        fired(kind_of_sign(sign), slot in slots_of(sign) and filled)
    fired("take.row_any_order", card.layout == "row" and None in before[:slot])
    again = bomb in state.placed_on
    fired("take.several_on_one", again)
    fired_option("two_player_same_bomb", True, again and options.players == 2)
    fired("take.two_each", options.players == 2 and state.taken[seat] == 1)
    fired("take.solo_more", options.players == 1 and state.taken[0])
    fired_option("solo_dice", "three", options.players == 1 and state.taken[0])
    fired("defuse.new_bomb_same_turn", bomb in state.new)


def count_refused(options: Options, state: State, verdict: Verdict, is_open: Open) -> None:
    """The team may take dice now: what is refused, and by which rule."""
    if not state.rolled:
        return
    seats_of: dict[Die, set[int]] = {}
    for seat, hand in enumerate(state.hands):
        fired("take.no_bombs", not hand)
        done = state.taken[seat] >= options.takes
        for die in sorted(set(state.rolled)):
            for bomb, dice in hand:
                card = options.bombs[bomb]
                for slot in [each for each, lying in enumerate(dice) if lying is None]:
                    why = verdict(options, card, dice, slot, die)
                    if done or not is_open(options, state, bomb):
                        count_limit(options, state, seat, done, not why)
                        continue
                    if why:
                        fired(why)
                    refused = why in ("take.not_completable", "take.five_of_a_colour")
                    fired_option("placement", "completable", refused)
                    if not why:
                        seats_of.setdefault(die, set()).add(seat)
                    if any(map(is_link, card.relations)):
                        whole = options.same_number_or_color == "whole"
                        other = replace(
                            options, same_number_or_color="linkwise" if whole else "whole"
                        )
                        differs = bool(why) != bool(verdict(other, card, dice, slot, die))
                        name = options.same_number_or_color
                        fired_option("same_number_or_color", name, differs)
    fired("take.any_seat", any(len(seats) > 1 for seats in seats_of.values()))


def count_limit(options: Options, state: State, seat: int, done: bool, fits: bool) -> None:
    """The seat, or this bomb, gets no more dice in this turn; otherwise it could."""
    if not done:
        fired_option("two_player_same_bomb", False, fits)
        return
    fired("take.two_taken", fits and options.players == 2)
    fired("take.one_each", fits and options.players > 2)
    fired_option("solo_dice", "one", fits and options.players == 1)


def count_strike(
    options: Options,
    state: State,
    strike: Strike,
    phase: str,
    found: list[list[tuple[str, int]]],
) -> None:
    """Dice are hit, those found may be removed."""
    several = sum(map(bool, found)) > 1
    fired("remove.every_player" if phase == "remove" else "fuse.every_player", several)
    for seat, dice in enumerate(found):
        fired(f"{phase}.unable", state.hands[seat] and not dice)
        fired(f"{phase}.choice", len(dice) > 1 and options.removal == "one")
        fired_option("removal", options.removal, len(dice) > 1)
        fired("remove.any_bomb", len({bomb for bomb, _ in dice}) > 1)
        for bomb, slot in dice:
            die = on_bomb(state, seat, bomb)[slot]
            assert die is not None
            if phase == "remove":
                fired("remove.by_color" if die[0] == strike[0] else "remove.by_number")
            fired("remove.uncovered", options.bombs[bomb].supports[slot])
        for bomb, lying in state.hands[seat]:
            for slot, die in enumerate(lying):
                below = covered(options.bombs[bomb], lying, slot)
                if die is not None and hit(strike, die) and below:
                    safe = options.covered_dice_safe
                    fired_option("covered_dice_safe", safe)
                    fired(f"{phase}.covered_safe", safe)
    fired("remove.finished_gone", phase == "remove" and state.new)
