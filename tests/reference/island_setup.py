"""Forbidden Island: the set-up, as steps of chance in the order of the rules page.

The tiles come space by space, the flooded tiles one by one, the roles seat by seat, and then seat
0 gets its two treasure cards, then seat 1, and so on.
"""

from collections.abc import Callable, Sequence
from typing import Any

from .island_table import (
    CARDS,
    DRY,
    FLOODED,
    OPENING_HAND,
    ROLES,
    START_TILE,
    TILES,
    WATERS_RISE,
    Options,
    State,
    changed,
    fired,
    fired_option,
    give_card,
    replace,
    sorted_hand,
    spaces,
    status,
    with_status,
)

SETUP_PHASES = ("tiles", "initial flood", "roles", "hands")
Chooser = Callable[[State, list[tuple[Any, int]]], Any]


def new_game(options: Options) -> State:
    """The box is open: nothing is laid out yet."""
    assert len(spaces(options.layout)) == len(TILES)
    fired_option(options, "layout")
    return State(
        phase="tiles",
        hands=((),) * options.players,
        pile=options.deck,
        flood_pile=(frozenset(TILES),),
        water=options.start_level,
    )


def setup_outcomes(options: Options, state: State) -> list[tuple[str, int]]:
    """What can come next in the set-up, with weights."""
    if state.phase == "tiles":
        return [(tile, 1) for tile in TILES if tile not in state.board]
    if state.phase == "initial flood":
        return [(tile, 1) for tile in TILES if status(state, tile) == DRY]
    if state.phase == "roles":
        return [(role, 1) for role in ROLES if role not in state.roles]
    # "a Waters Rise! is replaced and shuffled back": any other card, by its number
    fired("setup.no_waters_rise", state.pile[CARDS.index(WATERS_RISE)])
    cards = zip(CARDS, state.pile, strict=True)
    return [(card, number) for card, number in cards if number and card != WATERS_RISE]


def setup_step(options: Options, state: State, outcome: str) -> State:
    """The state after this tile, flood card, role or treasure card."""
    if state.phase == "tiles":
        state = replace(state, board=(*state.board, outcome))
    elif state.phase == "initial flood":
        state = with_status(state, outcome, FLOODED)
        pile = state.flood_pile[0] - {outcome}
        state = replace(state, flood_pile=(pile,), flood_discard=state.flood_discard | {outcome})
    elif state.phase == "roles":
        state = with_role(state, outcome)
        fired("setup.role")
        fired_option(options, "roles")
    else:
        seat = next(seat for seat, hand in enumerate(state.hands) if len(hand) < OPENING_HAND)
        state = give_card(state, seat, outcome)
        state = replace(state, pile=changed(state.pile, outcome, -1))
    return next_setup_phase(options, state)


def with_role(state: State, role: str) -> State:
    """The next seat gets this role and "starts on that role's tile, even if flooded"."""
    tile = START_TILE[role]
    fired("setup.start_tile")
    fired("setup.start_flooded", status(state, tile) == FLOODED)
    return replace(state, roles=(*state.roles, role), pawns=(*state.pawns, tile))


def next_setup_phase(options: Options, state: State) -> State:
    """On to the next phase when this one is complete; after the last one to phase "actions"."""
    if state.phase == "tiles" and len(state.board) == len(TILES):
        fired("setup.tiles")
        state = replace(state, phase="initial flood")
    if state.phase == "initial flood" and len(state.flood_discard) == options.initial_flood:
        fired("setup.flood", state.flood_discard)
        fired_option(options, "initial_flood")
        state = replace(state, phase="roles")
        if not state.flood_pile[0]:  # "reshuffled the moment it is used up"
            state = replace(state, flood_pile=(state.flood_discard,), flood_discard=frozenset())
        if options.roles != "random":
            for role in options.roles:
                state = with_role(state, role)
            fired_option(options, "roles")
    if state.phase == "roles" and len(state.roles) == options.players:
        state = replace(state, phase="hands")
    if state.phase == "hands" and all(len(hand) == OPENING_HAND for hand in state.hands):
        fired("setup.cards")
        fired("setup.level")
        if options.water_level is None:
            fired_option(options, "difficulty")
        else:
            fired_option(options, "water_level")
        for name in ("cards_per_treasure", "helicopters", "sandbags", "waters_rise"):
            fired_option(options, name)
        state = replace(state, phase="actions", actions_left=options.actions)
    return state


def chosen(
    board: Sequence[str],
    flooded: Sequence[str],
    roles: Sequence[str],
    hands: Sequence[Sequence[str]],
) -> Chooser:
    """A chooser that makes this deal."""
    cards = [card for hand in hands for card in sorted_hand(hand)]

    def choose(state: State, _: list[tuple[Any, int]]) -> str:
        if state.phase == "tiles":
            return board[len(state.board)]
        if state.phase == "initial flood":
            return next(tile for tile in flooded if status(state, tile) == DRY)
        if state.phase == "roles":
            return roles[len(state.roles)]
        return cards[sum(len(hand) for hand in state.hands)]

    return choose
