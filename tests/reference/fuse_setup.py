"""FUSE: the set-up and the deck, as steps of chance in the order of the rules page.

The bombs come seat by seat, one at a time, then those of the centre. The order of the deck is
unknown, and so is which cards are in it: a card turned up is a bomb or a fuse card by how many of
each are left in the deck, and uniform among those of its sort that weren't seen yet. Which fuse
cards are in the deck is no step of its own.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .fuse_bombs import FUSES
from .fuse_rules import fired, fired_option
from .fuse_table import (
    CENTRE,
    EASY,
    SIX,
    SOLO_VALUES,
    VALUES,
    Options,
    Pile,
    State,
    deck_left,
    replace,
    weights,
    with_bomb,
    with_hand,
)

SETUP_PHASES = ("deal", "centre")
Chooser = Callable[[State, list[tuple[Any, int]]], Any]


def whole_piles(options: Options) -> tuple[Pile, ...]:
    """All bombs of the game, and how many of them the deck is made of; by value if so chosen."""
    box = options.in_the_box
    if options.setup == "standard":
        return ((box, options.deck_size),)
    by_value = [tuple(bomb for bomb in box if options.value(bomb) == value) for value in VALUES]
    wanted = (*options.chosen_values, *(0,) * len(VALUES))[: len(VALUES)]
    return tuple(zip(by_value, wanted, strict=True))


def new_game(options: Options) -> State:
    """The box is open. ValueError: there are too few cards."""
    box, piles = options.in_the_box, whole_piles(options)
    needed = options.players * options.hand_size + options.deck_size
    if len(box) < needed:
        raise ValueError(f"{needed} bombs needed, {len(box)} in the deck")
    for bombs, number in piles:
        if len(bombs) < number:
            value = options.value(bombs[0]) if bombs else "so much"
            raise ValueError(f"{number} bombs worth {value} wanted, {len(bombs)} in the deck")
    spare = [bombs for bombs, number in piles if len(bombs) > number]
    values = {options.value(bomb) for bombs in spare for bomb in bombs}
    if options.players == 1 and len(values) < SOLO_VALUES:
        raise ValueError("solo needs bombs of three values")
    left_out = len(box) < len(options.bombs)
    fired("setup.six_out", left_out)
    fired_option("six_point_bombs", "out", left_out)
    sixes = any(options.bombs[bomb].points == SIX for bomb in box)
    fired_option("six_point_bombs", "in", sixes)
    fired_option("deck", options.deck if isinstance(options.deck, str) else "user")
    fired("setup.all_dice")
    return State(
        hands=((),) * options.players,
        piles=piles,
        fuses=(tuple(FUSES), options.number_of_fuses),
        taken=(0,) * options.players,
    )


def seat_to_deal(options: Options, state: State) -> int:
    return next(seat for seat, hand in enumerate(state.hands) if len(hand) < options.hand_size)


def unseen(options: Options, state: State) -> list[tuple[str, Fraction | int]]:
    """The bombs that may be dealt, in the order of the box, each with its chance.

    With `chosen_values` those "that the bomb deck doesn't need" are so many of each value, any alike.
    """
    if options.setup == "standard":
        return [(bomb, 1) for bombs, _ in state.piles for bomb in bombs]
    over = [(bombs, Fraction(len(bombs) - number)) for bombs, number in state.piles]
    return [(bomb, number / len(bombs)) for bombs, number in over if number for bomb in bombs]


def setup_outcomes(options: Options, state: State) -> list[tuple[str, int]]:
    """The card that comes next in the set-up."""
    if state.phase == "centre":
        return deck_outcomes(replace(state, fuses=(state.fuses[0], 0)))
    bombs = unseen(options, state)
    if options.players > 1 and state.hands[seat_to_deal(options, state)]:
        first = state.hands[seat_to_deal(options, state)][0][0]
        if options.value(first) not in EASY:
            easy = [(bomb, chance) for bomb, chance in bombs if options.value(bomb) in EASY]
            fired("setup.second_easy")
            fired("setup.second_rejects", len(easy) < len(bombs))
            bombs = easy
        else:
            fired("setup.second_free")
    if not bombs:
        raise ValueError("no bomb can be dealt")
    return weights(bombs)


def setup_step(options: Options, state: State, bomb: str) -> State:
    """The state after this card; when the set-up is complete, in phase "begin"."""
    if state.phase == "deal":
        state = dealt_to(options, state, bomb)
    else:
        state = replace(out_of_deck(state, bomb), centre=tuple(sorted((*state.centre, bomb))))
    if state.phase == "deal" and all(len(hand) == options.hand_size for hand in state.hands):
        state = replace(state, phase="centre")
        fired("setup.deck")
        named = isinstance(options.level, str)
        by_level = options.setup == "standard"
        fired_option("level", options.level if named else "deck size", by_level)
        fired_option("setup", options.setup)
    if state.phase == "centre" and len(state.centre) == min(CENTRE, options.deck_size):
        fired("setup.centre", options.deck_size >= CENTRE)
        fired("setup.small_deck", options.deck_size < CENTRE)
        fired("setup.fuses", state.fuses[1])
        number = options.number_of_fuses
        fired_option("fuse_cards", "6" if number == 6 else "other")
        fired_option("edition", options.edition, options.fuse_cards is None)
        state = replace(state, phase="begin")
    return state


def dealt_to(options: Options, state: State, bomb: str) -> State:
    """The next seat gets this bomb; a solo hand of too few values goes back."""
    seat = seat_to_deal(options, state)
    fired("setup.first", not state.hands[seat])
    unknown = options.bombs[bomb].points is None
    fired_option("unknown_points", "2" if options.unknown_points == 2 else "other", unknown)
    before = state.piles
    piles = tuple((tuple(b for b in bombs if b != bomb), number) for bombs, number in before)
    state = replace(with_bomb(options, state, seat, bomb), piles=piles)
    if options.players > 1 or len(state.hands[0]) < options.hand_size:
        return state
    fired("setup.solo_four")
    hand = [each for each, _ in state.hands[0]]
    if len({options.value(each) for each in hand}) >= SOLO_VALUES:
        return state
    fired("setup.solo_redeal")
    return with_hand(replace(state, piles=whole_piles(options)), 0, {})


# The deck


def deck_outcomes(state: State) -> list[tuple[str, int]]:
    """The next card of the deck, with weights."""
    total = deck_left(state)
    parts: list[tuple[str, Fraction]] = []
    for cards, number in (*state.piles, state.fuses):
        parts += [(card, Fraction(number, total * len(cards))) for card in cards]
    return weights(parts)


def out_of_deck(state: State, card: str) -> State:
    """The state without this card in the deck."""

    def without(pile: Pile) -> Pile:
        cards, number = pile
        if card not in cards:
            return pile
        assert number > 0
        return tuple(each for each in cards if each != card), number - 1

    return replace(state, piles=tuple(map(without, state.piles)), fuses=without(state.fuses))


def chosen(hands: list[list[str]], centre: list[str]) -> Chooser:
    """A chooser that makes this deal."""
    bombs = [bomb for hand in hands for bomb in hand]

    def choose(state: State, _: list[tuple[Any, int]]) -> str:
        if state.phase == "deal":
            return bombs[sum(len(hand) for hand in state.hands)]
        return next(bomb for bomb in centre if bomb not in state.centre)

    return choose
