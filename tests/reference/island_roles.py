"""Forbidden Island: where pawns can go and what they can shore up, each in its role's way."""

from itertools import combinations

from .island_table import (
    DRY,
    FLOODED,
    PLACE,
    SUNK,
    TILES,
    Choice,
    Options,
    State,
    coordinates,
    fired,
    fired_option,
    in_play,
    neighbours,
    status,
)


def in_tile_order(tiles: set[str]) -> list[str]:
    return sorted(tiles, key=PLACE.__getitem__)


def tiles_in_play(state: State) -> list[str]:
    return [tile for tile in TILES if in_play(state, tile)]


def beside(options: Options, state: State, tile: str, diagonally: bool = False) -> list[str]:
    """The tiles in play beside this one."""
    found = neighbours(options.layout, state.board, diagonally)[tile]
    return [other for other in found if in_play(state, other)]


def reached_by_diving(options: Options, state: State, start: str) -> set[str]:
    """Where the Diver comes out.

    "passes through any number of adjacent flooded or missing spaces (spaces that once held a tile;
    not open sea) and ends on a tile": so inner spaces are never dry, and the end isn't missing.
    """
    next_to = neighbours(options.layout, state.board, False)
    reached, to_visit = {start}, [start]
    while to_visit:
        for tile in next_to[to_visit.pop()]:
            if tile in reached:
                continue
            reached.add(tile)
            if status(state, tile) != DRY:
                to_visit.append(tile)
    ends = {tile for tile in reached if in_play(state, tile)}
    fired("diver.not_through_dry", len(ends | {start}) < len(set(tiles_in_play(state)) | {start}))
    return ends - {start}


# The acting player


def walks(options: Options, state: State) -> list[Choice]:
    """ "Move one tile up, down, left, right; onto flooded, not onto or over missing tiles"."""
    seat = state.seat
    start, role = state.pawns[seat], state.roles[seat]
    straight = beside(options, state, start)
    around = beside(options, state, start, diagonally=True)
    if role == "diver":
        targets = reached_by_diving(options, state, start)
        fired("diver.through", len(targets) > len(straight))
    elif role == "explorer":
        targets = set(around)
        fired("explorer.move", len(around) > len(straight))
    else:
        targets = set(straight)
        fired("move.not_diagonal", len(around) > len(straight))
        missing = len(neighbours(options.layout, state.board, False)[start]) > len(straight)
        fired("move.not_missing", missing)
    fired("move.adjacent", targets)
    fired("move.onto_flooded", any(status(state, tile) == FLOODED for tile in targets))
    fired("swim.stranded_lives", not around)
    return [("walk", seat, tile) for tile in in_tile_order(targets)]


def flight_left(options: Options, state: State) -> bool:
    """Whether the Pilot can fly (still) in this turn."""
    unlimited = options.pilot_flights_per_turn == "unlimited"
    return unlimited or state.flights < options.pilot_flights_per_turn


def flights(options: Options, state: State) -> list[Choice]:
    """ "once per own turn flies to any tile for 1 action".

    Where flights are unlimited, flying to an adjacent tile is the same as walking to it.
    """
    if state.roles[state.seat] != "pilot":
        return []
    fired_option(options, "pilot_flights_per_turn")
    if not flight_left(options, state):
        fired("pilot.once")
        return []
    fired("pilot.fly")
    start = state.pawns[state.seat]
    targets = set(tiles_in_play(state)) - {start}
    if options.pilot_flights_per_turn == "unlimited":
        targets -= set(beside(options, state, start))
    return [("fly", tile) for tile in in_tile_order(targets)]


def shores(options: Options, state: State) -> list[Choice]:
    """ "Shore up the own or an orthogonally adjacent flooded tile"."""
    start, role = state.pawns[state.seat], state.roles[state.seat]
    near = [start, *beside(options, state, start, diagonally=role == "explorer")]
    flooded = in_tile_order({tile for tile in near if status(state, tile) == FLOODED})
    straight = beside(options, state, start)
    fired("shore.own", start in flooded)
    fired("shore.adjacent", set(flooded) & set(straight))
    fired("explorer.shore", set(flooded) - {start, *straight})
    ways: list[tuple[str, ...]] = [(tile,) for tile in flooded]
    if role == "engineer" and len(flooded) > 1:
        fired("engineer.two")
        fired("engineer.last_action", state.actions_left == 1)
        ways += list(combinations(flooded, 2))
    return [("shore", tiles) for tiles in ways]


def gives(state: State) -> list[Choice]:
    """ "Give one treasure card to a player on the same tile"; "Messenger: gives from anywhere"."""
    giver = state.seat
    own = set(state.hands[giver])
    cards = [card for card in state.hands[giver] if card in ("earth", "wind", "fire", "ocean")]
    found: list[Choice] = []
    for receiver, tile in enumerate(state.pawns):
        if receiver == giver:
            continue
        if tile != state.pawns[giver]:
            if state.roles[giver] != "messenger":
                fired("give.same_tile", cards)
                continue
            fired("messenger.anywhere", cards)
        fired("give.no_special", own - set(cards))
        fired("give.receiver_empty", cards and not state.hands[receiver])
        found += [("give", giver, receiver, card) for card in dict.fromkeys(cards)]
    return found


def one_step(options: Options, state: State, seat: int) -> list[str]:
    """Where the Navigator can move another pawn by one step."""
    power = options.navigator_uses_target_power == "step"
    explorer = state.roles[seat] == "explorer"
    return beside(options, state, state.pawns[seat], diagonally=explorer and power)


def two_steps(options: Options, state: State, seat: int, power: bool) -> set[str]:
    """Where another pawn can be after one or two steps.

    With its own power an Explorer's steps may be diagonal, and the first of a Diver's two may end
    on a missing space.
    """
    start, role = state.pawns[seat], state.roles[seat]
    next_to = neighbours(options.layout, state.board, power and role == "explorer")
    first = set(next_to[start])
    if not (power and role == "diver"):
        first = {tile for tile in first if in_play(state, tile)}
    second = {tile for between in first for tile in next_to[between]}
    return {tile for tile in first | second if in_play(state, tile)} - {start}


def navigations(options: Options, state: State) -> list[Choice]:
    """ "Navigator: for 1 action moves one *other* player up to 2 adjacent tiles"."""
    if state.roles[state.seat] != "navigator":
        return []
    fired("navigator.not_himself")
    others = [seat for seat in range(options.players) if seat != state.seat]
    found: list[Choice] = []
    power = options.navigator_uses_target_power == "step"
    for seat in others:
        targets = two_steps(options, state, seat, power)
        other_way = two_steps(options, state, seat, not power)
        fired_option(options, "navigator_uses_target_power", targets != other_way)
        fired("navigator.moves_other", targets)
        fired("navigator.two_steps", targets - set(one_step(options, state, seat)))
        found += [("navigate", seat, tile) for tile in in_tile_order(targets)]
    for one, other in combinations(others, 2):
        firsts, seconds = one_step(options, state, one), one_step(options, state, other)
        fired_option(options, "navigator_split", firsts and seconds)
        if options.navigator_split:
            found += [
                ("navigate", one, first, other, second) for first in firsts for second in seconds
            ]
    return found


# Swimming


def nearest(options: Options, state: State, start: str) -> set[str]:
    """The tiles in play in the fewest orthogonal steps on the grid, open sea included."""
    where = coordinates(options.layout, state.board)
    x, y = where[start]
    steps = {
        tile: abs(where[tile][0] - x) + abs(where[tile][1] - y) for tile in tiles_in_play(state)
    }
    return {tile for tile in steps if steps[tile] == min(steps.values())}


def swims(options: Options, state: State, seat: int) -> list[Choice]:
    """Where the pawn on a sunk tile can swim: "to an orthogonally adjacent tile in play"."""
    start, role = state.pawns[seat], state.roles[seat]
    assert status(state, start) == SUNK
    straight = set(beside(options, state, start))
    targets = straight
    if role == "explorer":
        targets = set(beside(options, state, start, diagonally=True))
        fired("explorer.swim", targets > straight)
    elif role == "pilot":
        everywhere = set(tiles_in_play(state))
        fired_option(options, "pilot_swim_free", not flight_left(options, state))
        if options.pilot_swim_free or flight_left(options, state):
            targets = everywhere
            fired("pilot.swim", targets > straight)
    elif role == "diver":
        ways = {
            "nearest": nearest(options, state, start),
            "any": reached_by_diving(options, state, start),
        }
        targets = ways[options.diver_swim]
        fired_option(options, "diver_swim", ways["nearest"] != ways["any"])
        fired("diver.swim", targets - straight)
    fired("swim.adjacent", targets & straight)
    fired("swim.flooded", any(status(state, tile) == FLOODED for tile in targets))
    return [("swim", seat, tile) for tile in in_tile_order(targets)]


def is_flight(options: Options, state: State, seat: int, tile: str) -> bool:
    """Whether this swim uses one of the Pilot's flights."""
    if state.roles[seat] != "pilot" or options.pilot_swim_free:
        return False
    return tile not in beside(options, state, state.pawns[seat])
