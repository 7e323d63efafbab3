"""FUSE's answers about bombs: the cards, one bomb, several at once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oddsmith.solver.answer import Answer, Bars, Block, Table, Text
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.bomb_pictures import cards_block, faces_words, percent, points
from oddsmith.solver.games.fuse.bombs import Bomb, find_bomb, format_slot
from oddsmith.solver.games.fuse.deck import Deck, doubtful_bombs, load_deck
from oddsmith.solver.games.fuse.hardness import (
    Offer,
    format_have,
    hardness,
    parse_have,
    rolls,
)
from oddsmith.solver.games.fuse.questions import make_answer, rules_assumptions
from oddsmith.solver.games.fuse.rules import Rules
from oddsmith.solver.odds import format_fraction

OFFERS = {
    "uniform": "each die offered shows each of the 30 faces alike",
    "bag": "a die is drawn from the bag (25 dice less those on the bomb), rolled, offered, and "
           "goes back when declined",
}
BEST = "any die may be declined; what is placed stays"
LONG = 40
"""Signs of a fraction that is shown; longer ones are in the answer's value."""


def _answer(question: str, title: str, value: Any, rules: Rules, assumptions: Sequence[str],
            **more: Any) -> Answer:
    told = (*rules_assumptions(rules), *assumptions)
    return make_answer(question, title, value, rules, assumptions=told, **more)


def _doubts(bombs: Sequence[Bomb]) -> tuple[str, ...]:
    return tuple(f"it is doubtful that there is a card {bomb.id}; it is in no deck"
                 for bomb in bombs if bomb.kind == "doubtful")


def _whole(rules: Rules) -> bool:
    return rules.same_number_or_color == "whole"


def _deck_value(deck: Deck) -> dict[str, Any]:
    return {"name": deck.name, "cards": len(deck.bombs), "documented": deck.n_documented}


def _find(deck: Deck, word: str) -> Bomb:
    """A card of the deck, or the doubtful one, which is in none."""
    for bomb in doubtful_bombs():
        if bomb.id == word:
            return bomb
    try:
        return find_bomb(deck.bombs, word, deck.name)
    except InputError as error:
        if any(bomb.id == word for bomb in load_deck("synthetic").bombs):
            error.hint = "--deck synthetic has it"
        raise


def _about(bomb: Bomb) -> dict[str, Any]:
    return {"id": bomb.id, "points": bomb.points, "kind": bomb.kind, "layout": bomb.layout,
            "dice": len(bomb.slots), "text": bomb.text, "confidence": bomb.confidence,
            "sources": list(bomb.sources), "note": bomb.note}


def _origin(bomb: Bomb) -> str:
    parts = [bomb.kind + (f", confidence {bomb.confidence}" if bomb.confidence else ""),
             *bomb.sources, bomb.note]
    return "; ".join(part for part in parts if part)


def told_exactly(value: Fraction) -> str:
    """A number as people read it: `31`, `1369/360 = 3.8028`; of long fractions the rounded value.

    >>> told_exactly(Fraction(31)), told_exactly(Fraction(1369, 360))
    ('31', '1369/360 = 3.8028')
    """
    if value.denominator == 1:
        return str(value)
    return f"{value} = {float(value):.4f}" if len(str(value)) <= LONG else f"{float(value):.6f}"


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= LONG else "see --json"


def bombs_answer(rules: Rules, worth: str | None = None, command: str = "") -> Answer:
    """The cards of a deck with their expected offers.

    Args:
        rules: name the deck.
        worth: only bombs worth this: 1, 2, 3, 4, 6 or "unknown"; None for all.
        command: the command line.

    Raises:
        InputError: no such deck.
    """
    deck = load_deck(rules.deck)
    shown = [bomb for bomb in deck.bombs
             if worth is None or str(bomb.points or "unknown") == worth]
    found = [(bomb, hardness(bomb, n=30, whole=_whole(rules))) for bomb in shown]
    found.sort(key=lambda pair: (pair[0].points or 9, pair[1].expected, pair[0].id))
    rows = tuple((bomb.id, str(bomb.points or "?"), str(len(bomb.slots)), str(one.expected),
                  f"{float(one.expected):.3f}", percent(one.within[9]), percent(one.within[-1]),
                  bomb.kind) for bomb, one in found)
    blocks: list[Block] = [
        cards_block([bomb for bomb, _ in found], unknown_points=rules.unknown_points),
        Table(("card", "points", "dice", "expected offers", "", "within 10", "within 30", "source"),
              rows, numeric=(1, 2, 3, 4, 5, 6), title="Bombs, by points and expected offers"),
        Bars(tuple(bomb.id for bomb, _ in found), tuple(float(one.expected) for _, one in found),
             title="Expected offers until full", unit="offers"),
    ] if found else [Text("No bomb of this deck is worth that.")]
    value = {"deck": _deck_value(deck), "bombs": [
        {**_about(bomb), "expected": format_fraction(one.expected),
         "within": [[n, format_fraction(one.within[n - 1])] for n in (10, 20, 30)]}
        for bomb, one in found]}
    of = "" if worth is None else " of unknown points" if worth == "unknown" else (
        f" worth {worth}")
    return _answer(
        "bombs", f"{len(found)} bomb{'s' * (len(found) != 1)}{of}, deck {deck.name}", value, rules,
        (OFFERS["uniform"], BEST), inputs={"deck": rules.deck, "points": worth},
        method="least expected offers over classes of partial fillings", command=command,
        blocks=tuple(blocks))


def bomb_answer(rules: Rules, word: str, have: str = "", offer: Offer = "uniform",
                n: int | None = None, command: str = "") -> Answer:
    """How long one bomb takes.

    Args:
        rules: name the deck.
        word: its id.
        have: what lies on it: a die a slot, - for none.
        offer: uniform or bag.
        n: the most offers that chances are told for; None for as many as 90 % needs.
        command: the command line.

    Raises:
        InputError: no such bomb or deck; dice that can't lie there.
    """
    deck = load_deck(rules.deck)
    bomb = _find(deck, word)
    lying = _parse_have(bomb, have)
    try:
        found = hardness(bomb, lying, offer, n, whole=_whole(rules))
    except InputError as error:
        raise _in_have(error) from None
    value = {
        "expected": format_fraction(found.expected),
        "within": [[k, format_fraction(p)] for k, p in enumerate(found.within, 1)],
        "bomb": _about(bomb), "have": format_have(lying), "offer": offer,
        "take": [{"faces": faces_words(one.faces), "slot": one.slot + 1,
                  "then": format_fraction(one.then)} for one in found.taken],
        "deck": _deck_value(deck),
    }
    blocks: list[Block] = [
        cards_block([bomb], [lying]),
        Text(f"{told_exactly(found.expected)} offers are expected until it is full."),
    ]
    if found.taken:
        blocks.append(Table(
            ("dice", "onto slot", "expected offers after it", ""),
            tuple((faces_words(one.faces), f"{one.slot + 1}: {format_slot(bomb.slots[one.slot])}",
                   str(one.then), f"{float(one.then):.4f}") for one in found.taken),
            title="Take now, the best first; decline the others", numeric=(2, 3)))
    if found.expected:
        n_shown = [k for k in range(1, len(found.within) + 1)
                   if k <= 10 or k % 5 == 0 or k == len(found.within)]
        shown = [found.within[k - 1] for k in n_shown]
        blocks += [
            Table(("offers", "greatest chance to be full within", ""),
                  tuple((str(k), _short(p), percent(p)) for k, p in
                        zip(n_shown, shown, strict=True)), numeric=(0, 1, 2)),
            Bars(tuple(map(str, n_shown)), tuple(100 * float(p) for p in shown),
                 title="Greatest chance to be full within so many offers", unit="%"),
        ]
    blocks.append(Text(_origin(bomb), title="Where the card is known from"))
    with_dice = f", {format_have(lying)} on it" if format_have(lying) else ""
    return _answer(
        "bomb", f"{bomb.id} ({points(bomb)}){with_dice}", value, rules,
        (*_doubts([bomb]), OFFERS[offer], BEST,
         "each chance within n is the greatest for that n, by the best play for it"),
        method="classes of partial fillings, full ones first; fractions", command=command,
        inputs={"bomb": word, "have": have, "offer": offer, "deck": rules.deck},
        blocks=tuple(blocks))


def _parse_have(bomb: Bomb, have: str) -> Any:
    """What --have says lies on a bomb."""
    try:
        return parse_have(bomb, have)
    except InputError as error:
        raise _in_have(error) from None


def _in_have(error: InputError) -> InputError:
    error.source = error.source or "<command line>"
    error.what = f"--have: {error.what}"
    return error


def hand_answer(rules: Rules, words: Sequence[str], dice: int, haves: Sequence[str] = (),
                command: str = "") -> Answer:
    """How many rolls some bombs take at once.

    Args:
        rules: name the deck.
        words: ids of 1 to 4 bombs.
        dice: dice a roll, 1 to 6.
        haves: what lies on each, in the same order; fewer where nothing lies on the last ones.
        command: the command line.

    Raises:
        InputError: no such bomb or deck, dice that can't lie there, a number out of range.
        TooLarge: too many states; the estimate is told.
    """
    deck = load_deck(rules.deck)
    bombs = [_find(deck, word) for word in words]
    for at, word in enumerate(words):
        if word in words[:at]:
            raise InputError(f"{word} is named twice", source="<command line>",
                             why="every card exists once", hint="name different bombs")
    if len(haves) > len(bombs):
        raise InputError(f"--have stands {len(haves)} times", source="<command line>",
                         why=f"there are {len(bombs)} bombs", hint="once for each bomb, in order")
    lying = [_parse_have(bomb, have) for bomb, have in
             zip(bombs, [*haves, *[""] * (len(bombs) - len(haves))], strict=True)]
    found = rolls(bombs, dice, lying, whole=_whole(rules))
    exact = isinstance(found.expected, Fraction)
    value: dict[str, Any] = {
        "expected": format_fraction(found.expected) if isinstance(found.expected, Fraction)
        else found.expected,
        "error": found.error, "states": found.states, "dice_per_roll": dice,
        "bombs": [{**_about(bomb), "have": format_have(have)}
                  for bomb, have in zip(bombs, lying, strict=True)],
        "deck": _deck_value(deck),
    }
    rolled = "1 die" if dice == 1 else f"{dice} dice"
    told = (told_exactly(found.expected) if isinstance(found.expected, Fraction)
            else f"{found.expected:.9f}, off by {found.error:.1g} at most,")
    alone = [rolls([bomb], dice, [have], whole=_whole(rules)).expected
             for bomb, have in zip(bombs, lying, strict=True)]
    rows = [*zip(words, map(float, alone), strict=True)]
    if len(rows) > 1:
        rows += [("one after the other", float(sum(alone))), ("all at once", float(found.expected))]
    blocks: list[Block] = [
        cards_block(bombs, lying),
        Text(f"{told} rolls of {rolled} are expected until "
             f"{'all are' if len(bombs) > 1 else 'it is'} full."),
        Table(("bombs", "expected rolls"), tuple((name, f"{value:.6f}") for name, value in rows),
              numeric=(1,), marked=(len(rows) - 1,)),
        Bars(tuple(name for name, _ in rows), tuple(value for _, value in rows),
             title="Expected rolls", unit="rolls"),
    ]
    alike = "states alike under renamed colours and numbers joined; "
    return _answer(
        "hand", f"{' and '.join(words)}, {rolled} a roll", value, rules,
        (*_doubts(bombs), "each die shows each of the 30 faces alike", "any dice of a roll are "
         "placed on any of the bombs, in any order; the others go back", "nothing is removed"),
        exact=exact,
        method=alike + ("floats chose where rolls lead, fractions proved it" if exact
                        else "floats, `error` is a proven bound"),
        inputs={"bombs": list(words), "dice_per_roll": dice, "have": list(haves),
                "deck": rules.deck}, blocks=tuple(blocks), command=command)
