"""Positions made by hand for the tests of the Forbidden Island reference.

The tiles lie in their printed order, row by row:

                    LANDING   BRONZE
          COPPER    GOLD      IRON        SILVER
  MOON    SUN       HOWLING   WHISPERING  EMBERS   SHADOWS
  CORAL   TIDAL     BREAKERS  CLIFFS      CRIMSON  DUNES
          LAGOON    MARSH     OBSERVATORY PHANTOM
                    TWILIGHT  WATCHTOWER
"""

from collections.abc import Sequence
from typing import Any

from . import island
from .island_table import CARDS, DRY, FLOODED, SUNK, TILES, Choice, Options, State, sorted_hand

LANDING, BRONZE, COPPER, GOLD, IRON, SILVER = TILES[:6]
MOON, SUN, HOWLING, WHISPERING, EMBERS, SHADOWS, CORAL, TIDAL = TILES[6:14]
BREAKERS, CLIFFS, CRIMSON, DUNES, LAGOON, MARSH = TILES[14:20]
OBSERVATORY, PHANTOM, TWILIGHT, WATCHTOWER = TILES[20:]
LIFT, SANDBAGS, RISE = "helicopter_lift", "sandbags", "waters_rise"
DEFAULT = Options()
FOUR = ("earth", "wind", "fire", "ocean")


def counts(*cards: str) -> tuple[int, ...]:
    return tuple(cards.count(card) for card in CARDS)


def block(*tiles: str) -> frozenset[str]:
    return frozenset(tiles)


def game(options: Options = DEFAULT, **given: Any) -> State:
    """A position in the first turn from fields of State; also `hands` by seat, `flooded`, `sunk`.

    Seat 0, the engineer, stands on BREAKERS, seat 1, the messenger, on DUNES, seat 2, the
    navigator, on LANDING, seat 3, the pilot, on MOON. The treasure pile has all other cards. The
    flood discard is empty and all cards of tiles in play are one block, unless they are given.
    """
    players = options.players
    flooded, sunk = given.pop("flooded", ()), given.pop("sunk", ())
    hands = given.pop("hands", {})
    statuses = {**dict.fromkeys(flooded, FLOODED), **dict.fromkeys(sunk, SUNK)}
    held = [card for hand in hands.values() for card in hand]
    discarded = counts(*given.pop("discarded", ()))
    rest = zip(options.deck, counts(*held), discarded, strict=True)
    values = {
        "phase": "actions",
        "board": TILES,
        "status": tuple(statuses.get(tile, DRY) for tile in TILES),
        "pawns": (BREAKERS, DUNES, LANDING, MOON)[:players],
        "roles": ("engineer", "messenger", "navigator", "pilot")[:players],
        "hands": tuple(sorted_hand(hands.get(seat, ())) for seat in range(players)),
        "pile": tuple(total - hand - gone for total, hand, gone in rest),
        "discard": discarded,
        "flood_pile": (block(*TILES) - block(*sunk) - given.get("flood_discard", block()),),
        "water": options.start_level,
        "actions_left": options.actions if given.get("phase", "actions") == "actions" else 0,
    }
    return State(**(values | given))


def of(kind: str, state: State, options: Options = DEFAULT) -> list[Choice]:
    """The legal moves of this kind, without its name."""
    return [move[1:] for move in island.moves(options, state) if move[0] == kind]


def kinds(state: State, options: Options = DEFAULT) -> set[str]:
    return {move[0] for move in island.moves(options, state)}


def targets(kind: str, state: State, options: Options = DEFAULT) -> set[str]:
    """The tiles that moves of this kind end on."""
    return {move[-1] for move in of(kind, state, options)}


def walks(state: State, options: Options = DEFAULT) -> set[str]:
    return targets("walk", state, options)


def after(state: State, *choices: Any, options: Options = DEFAULT) -> State:
    """The state after these moves and cards."""
    for choice in choices:
        state = island.apply(options, state, choice)
    return state


def before_flood(*tiles: str, options: Options = DEFAULT, **given: Any) -> State:
    """A flood card of a block of these tiles is due, then the turn is over unless said otherwise."""
    named = {"phase": "flood", "floods_left": 1} | given
    state = game(options, **named)
    if "flood_pile" in given:
        return state
    rest = state.flood_pile[0] - block(*tiles)
    return game(options, **named, flood_pile=(block(*tiles), rest))


def before_draw(options: Options = DEFAULT, draws: int = 2, **given: Any) -> State:
    """A treasure card is due."""
    return game(options, **({"phase": "draw", "draws_left": draws} | given))


def swimming(tile: str, role: str = "engineer", options: Options = DEFAULT, **given: Any) -> State:
    """Seat 0's pawn of this role is on a tile that sinks now."""
    roles = (role, *(each for each in ("messenger", "navigator", "pilot") if each != role))
    flooded = (*given.pop("flooded", ()), tile)
    pawns = given.pop("pawns", (tile, DUNES, LANDING, MOON)[: options.players])
    state = before_flood(
        tile, options=options, roles=roles[: options.players], pawns=pawns, flooded=flooded, **given
    )
    return after(state, tile, options=options)


def swim_targets(
    tile: str, role: str = "engineer", options: Options = DEFAULT, **given: Any
) -> set[str]:
    return targets("swim", swimming(tile, role, options, **given), options)


def many(hand: Sequence[str], times: int = 1) -> tuple[str, ...]:
    return tuple(hand) * times
