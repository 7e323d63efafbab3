"""Forbidden Island: the special cards: who holds them, and every effect they can have now."""

from itertools import combinations

from .island_roles import tiles_in_play
from .island_table import (
    FLOODED,
    LANDING,
    LIFT,
    SANDBAGS,
    SPECIALS,
    TILES,
    TREASURES,
    Choice,
    Options,
    State,
    fired,
    fired_option,
    in_play,
    status,
)


def holders(state: State) -> list[int]:
    """The seats that hold a special card."""
    return [seat for seat, hand in enumerate(state.hands) if set(hand) & set(SPECIALS)]


def specials(options: Options, state: State, seats: list[int]) -> list[Choice]:
    """ "Special cards: at any time, by any player, no action": every effect they can have."""
    found: list[Choice] = []
    for seat in seats:
        if LIFT in state.hands[seat]:
            if can_win(state):
                found.append(("win", seat))
            found += [("lift", seat, *how) for how in lifts(options, state)]
        if SANDBAGS in state.hands[seat]:
            flooded = [tile for tile in TILES if status(state, tile) == FLOODED]
            fired("sandbags.needs_flooded", not flooded)
            fired("sandbags.any_tile", len(flooded) > 1)
            found += [("sandbags", seat, tile) for tile in flooded]
    fired("special.off_turn", any(move[1] != state.seat for move in found))
    used_up = state.phase == "actions" and not state.actions_left
    fired("special.no_action", found and used_up)
    fired("special.between_floods", found and state.phase == "before flood")
    return found


def can_win(state: State) -> bool:
    """Whether a Helicopter Lift wins now."""
    if len(state.captured) < len(TREASURES):
        return False
    all_there = all(tile == LANDING for tile in state.pawns)
    fired("win.not_all_there", not all_there)
    return all_there


def lifts(options: Options, state: State) -> list[tuple[tuple[int, ...], str]]:
    """The pawns that a Helicopter Lift can move, and where to.

    "any chosen pawns from one tile to one other tile in play"
    """
    found = []
    targets = tiles_in_play(state)
    fired("lift.target_in_play", len(targets) < len(TILES))
    players = range(options.players)
    for number in range(1, options.players + 1):
        for pawns in combinations(players, number):
            starts = {state.pawns[seat] for seat in pawns}
            if any(not in_play(state, tile) for tile in starts):
                fired_option(options, "lift_rescue")
                if not options.lift_rescue:
                    continue
            if len(starts) > 1:
                fired_option(options, "lift_from")
                if options.lift_from == "one_tile":
                    continue
            fired("lift.several", number > 1)
            left = [seat for seat in players if state.pawns[seat] in starts and seat not in pawns]
            fired("lift.one_of_several", left)
            found += [(pawns, tile) for tile in targets if tile not in starts]
    return found
