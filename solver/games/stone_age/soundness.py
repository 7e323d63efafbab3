"""What no Stone Age position can have, whatever has led there.

What no game can have come to is not refused: `history.py` makes notes of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from oddsmith.solver.games.stone_age.history import history_notes
from oddsmith.solver.games.stone_age.notation import levels
from oddsmith.solver.games.stone_age.phases import check_decision, check_phase
from oddsmith.solver.games.stone_age.position import SLOTS, UNKNOWN, Position
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    CROWD,
    FIELD,
    FOREST,
    HUNT,
    HUT,
    KINDS,
    PLACES,
    TILE,
    card,
    cards,
    tiles,
)
from oddsmith.solver.soundness import Fault, unreachable

Path = tuple[str | int, ...]


def check(position: Position) -> list[Fault]:
    """Every fault of a position; empty if it is sound."""
    faults = [*_check_cards(position), *_check_tiles(position), *_check_players(position),
              *_check_people(position), *check_phase(position)]
    # The kernel is asked only about what can stand.
    return faults or list(check_decision(position))


def _twice(places: Iterator[tuple[int, Path]], what: str) -> Iterator[Fault]:
    seen: set[int] = set()
    for number, path in places:
        if number in seen:
            yield Fault(path, f"{what} {number} is here twice", f"every {what} exists once")
        seen.add(number)


def _card_places(position: Position) -> Iterator[tuple[int, Path]]:
    for k, number in enumerate(position.display):
        if number:
            yield number, ("table", "cards", k)
    for seat, player in enumerate(position.players):
        for k, number in enumerate(player.cards):
            yield number, ("player", seat, "cards", k)
        if player.extra:
            yield player.extra, ("player", seat, "extra")


def _tile_places(position: Position) -> Iterator[tuple[int, Path]]:
    for k, number in enumerate(position.tops):
        if number:
            yield number, ("table", "tiles", k)
    for seat, player in enumerate(position.players):
        for k, number in enumerate(player.tiles):
            yield number, ("player", seat, "tiles", k)


def _check_cards(position: Position) -> Iterator[Fault]:
    yield from _twice(_card_places(position), "card")
    if position.n_deck < 0:
        yield Fault(("table", "cards"), "more cards are in play than exist",
                    f"the game has {len(cards())}")
    n = sum(map(bool, position.display))
    if position.phase in ("placing", "how many") and n < SLOTS:
        yield Fault(("table", "cards"), f"{n} cards are on display",
                    "the places are refilled before people are placed")
    if position.phase == "deal" and n == SLOTS:
        yield Fault(("table", "phase"), "no card can be dealt", "every place has one")
    if position.phase == "deal" and position.n_deck < SLOTS - n:
        yield Fault(("table", "phase"), "the deck has too few cards", "the game would be over")
    for seat, player in enumerate(position.players):
        bought = "extra_card" in {card(number).top for number in player.cards}
        due = position.phase == "extra card" and seat == position.to_move
        if player.extra is not None and not bought:
            yield Fault(("player", seat, "extra"), "there is no extra card",
                        "it comes with the card that gives the deck's top card")
        if player.extra is None and bought and not due and position.n_deck:
            yield Fault(("player", seat, "cards"), f"player {seat + 1} lacks his extra card",
                        "it came with the card that gives the deck's top card",
                        'extra = 7, or extra = "?" if you have not seen it')


def _check_tiles(position: Position) -> Iterator[Fault]:
    yield from _twice(_tile_places(position), "tile")
    size, sold = position.rules.stack_size, 0
    setting_up = position.round == 0
    for k, (top, left) in enumerate(zip(position.tops, position.stacks, strict=True)):
        sold += size - left
        due = position.phase == "turn tile" and (
            position.place == k or (setting_up and k > position.place))
        if left > size:
            yield Fault(("table", "stacks", k), f"stack {k + 1} has {left} tiles",
                        f"stacks begin with {size}")
        elif bool(top) != (left > 0 and not due) and position.phase != "start player":
            yield Fault(("table", "tiles", k), "a face-up tile is missing" if not top else
                        "there can be no face-up tile", f"stack {k + 1} has {left} tiles left")
    owned = sum(len(player.tiles) for player in position.players)
    if owned != sold and max(position.stacks) <= size:
        yield Fault(("table", "stacks"), f"{sold} tiles are missing from the stacks",
                    f"players own {owned}: every tile that leaves a stack is bought")


def _check_players(position: Position) -> Iterator[Fault]:
    supply = position.supply
    for kind, left in enumerate(supply or ()):
        if left < 0:
            most = max(range(len(position.players)),
                       key=lambda seat: position.players[seat].goods[kind])
            yield Fault(("player", most, "resources", kind),
                        f"players hold {-left} more {KINDS[kind]} than there is",
                        "resource_supply limits it")
    for seat, player in enumerate(position.players):
        slots = list(levels(player.tools))
        for value in player.used:
            if value not in slots:
                yield Fault(("player", seat, "used"), f"no tool of {value} can have been used",
                            f"the tools are {list(levels(player.tools))}")
                break
            slots.remove(value)
        tops = {card(number).top: card(number) for number in player.cards}
        bought = [card(number).amount for number in player.cards if card(number).top == "one_use"]
        for k, value in enumerate(player.one_use):
            if value not in bought or value in player.one_use[:k]:
                yield Fault(("player", seat, "one_use", k), f"there is no one-use tool of {value}",
                            "it comes with its card, once")
        if player.two and ("two" not in tops or position.rules.choose_two == "at_once"):
            yield Fault(("player", seat, "two_card"), "the card of two resources isn't held",
                        "it comes with its card, and is kept under choose_two = later")


def _check_people(position: Position) -> Iterator[Fault]:
    n = len(position.players)
    rules = position.rules
    small = n < 4
    by_place: dict[int, list[tuple[int, int]]] = {}
    for seat, player in enumerate(position.players):
        there = sum(people for _, people in player.placed)
        if there > player.people:
            yield Fault(("player", seat, "placed"), f"{there} people are placed",
                        f"player {seat + 1} has {player.people}")
        for place, people in player.placed:
            by_place.setdefault(place, []).append((seat, people))
    for place, here in sorted(by_place.items()):
        seat, people = here[-1]
        path: Path = ("player", seat, "placed", PLACES[place])
        alone = 2 if place == HUT else 1
        if not HUNT <= place < CARD and (len(here) > 1 or people != alone):
            yield Fault(path, f"{sum(k for _, k in here)} people are on the {PLACES[place]}",
                        f"it takes {alone}, of one player")
        if FOREST <= place < CARD and sum(k for _, k in here) > CROWD:
            yield Fault(path, f"{sum(k for _, k in here)} people are on the {PLACES[place]}",
                        f"it takes {CROWD} in all")
        if (FOREST <= place < CARD and small and rules.resource_limit_small_games
                and len(here) >= n):
            yield Fault(path, f"people of {len(here)} players are on the {PLACES[place]}",
                        f"with {n} players it takes those of {n - 1}")
        if CARD <= place < TILE and not position.display[place - CARD]:
            yield Fault(path, f"there is no {PLACES[place]}")
        if place >= TILE and (place - TILE >= n or not position.tops[place - TILE]):
            yield Fault(path, f"there is no {PLACES[place]}")
    village = [place for place in by_place if place <= FIELD]
    if small and rules.village_limit_small_games and len(village) > 2:
        seat = by_place[FIELD][0][0]
        yield Fault(("player", seat, "placed", PLACES[FIELD]), "all three village places are used",
                    f"with {n} players two of them are, in a round")


def notes(position: Position) -> list[str]:
    """What is odd about a sound position, though nothing forbids analysing it."""
    found = []
    if position.finished:
        found.append(f"the game is over: {position.finished}")
    for seat, player in enumerate(position.players, 1):
        if player.extra == UNKNOWN:
            found.append(f"the extra card of player {seat} is unknown: it is taken to be any of "
                         f"the {len(position.unseen_cards)} cards not seen")
    hidden = position.rules.players * position.rules.stack_size
    if hidden < len(tiles()) and position.round == 0:
        found.append(f"{len(tiles()) - hidden} tiles are out of the game, unseen")
    return [*found, *unreachable(history_notes(position))]
