"""What no Forbidden Island position can have, whatever has led there.

What no game can have come to is not refused: `history.py` makes notes of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from oddsmith.solver.errors import counted
from oddsmith.solver.games.island.history import history_notes
from oddsmith.solver.games.island.notation import tile_name
from oddsmith.solver.games.island.position import ENDINGS, LANDING, Position, tiles_of
from oddsmith.solver.games.island.rules import CARDS, START_CARDS, TREASURES, pile_can_run_dry
from oddsmith.solver.games.island.treasure_draw import LIFT
from oddsmith.solver.soundness import Fault, unreachable

MOST_BLOCKS = 17
"""Of the flood pile, as many as kernels/island.pxd has room for."""

ON_SUNK = ("treasure", "landing", "drowned")
"""Endings where pawns may stand on the tile that has sunk last."""

FLOODING = ("before flood", "flood", "swim")
"""Phases after the treasure cards of a turn, while flood cards are drawn."""


def check(position: Position) -> list[Fault]:
    """Every fault of a position; empty if it is sound."""
    return [*_check_cards(position), *_check_players(position), *_check_hands(position),
            *_check_floods(position), *_check_losses(position), *_check_turn(position),
            *_check_flights(position), *_check_ending(position)]


def notes(position: Position) -> list[str]:
    """What is worth knowing about a sound position."""
    over = [f"the game is over: {position.finished}"] if position.finished else []
    return [*over, *unreachable(history_notes(position))]


# Cards -------------------------------------------------------------------------------------------


def _check_cards(position: Position) -> Iterator[Fault]:
    rules = position.rules
    for k, (card, left) in enumerate(zip(CARDS, position.treasure_pile, strict=True)):
        if left < 0:
            total = rules.card_counts[k]
            where: tuple[str | int, ...] = ("treasure", "discard")
            if not position.treasure_discard[k]:
                most = max(range(len(position.players)),
                           key=lambda seat: position.players[seat].hand[k])
                where = ("player", most, "hand")
            found = counted(total - left, f"card of {card} is", f"cards of {card} are")
            yield Fault(where, f"{found} in hands and discarded", f"the game has {total}")
    if (not any(position.treasure_pile) and rules.treasure_reshuffle == "at_once"
            and not pile_can_run_dry(rules)):
        yield Fault(("treasure", "discard"), "the treasure pile is empty",
                    "a used-up pile is made anew from its discard at once",
                    "leave out what is in the pile again")


def _check_players(position: Position) -> Iterator[Fault]:
    rules, island = position.rules, position.island
    for seat, player in enumerate(position.players):
        if player.role in [other.role for other in position.players[:seat]]:
            yield Fault(("player", seat, "role"), f"there are two {player.role}s",
                        "every role exists once")
        if rules.roles != "random" and player.role != rules.roles[seat]:
            yield Fault(("player", seat, "role"), f"player {seat + 1} is the {player.role}",
                        f"the rules name the {rules.roles[seat]}")
        if player.at in island.sunk and position.phase not in ("swim", "over"):
            yield Fault(("player", seat, "at"), f"player {seat + 1} stands on a sunk tile",
                        f"{tile_name(player.at)} has left the game",
                        'only in phase = "swim" a pawn can be there')
    stranded = [seat for seat, player in enumerate(position.players) if player.at in island.sunk]
    if position.phase == "swim" and not stranded:
        yield Fault(("turn", "phase"), "nobody has to swim", "no pawn is on a sunk tile")
    if position.phase in ("swim", "over"):
        for seat in stranded[1:]:
            if position.players[seat].at != position.players[stranded[0]].at:
                yield Fault(("player", seat, "at"), "pawns stand on two sunk tiles",
                            "tiles sink one after the other, and pawns swim at once")


def _check_hands(position: Position) -> Iterator[Fault]:
    """The hand limit: who may hold more, and how many more."""
    rules, phase, then = position.rules, position.phase, position.then
    limit = rules.hand_limit
    between = phase == "between draws" or (phase == "draw" and position.draws == 1)
    over = [seat for seat, player in enumerate(position.players) if sum(player.hand) > limit]
    for seat in over:
        n, most = sum(position.players[seat].hand), limit
        if phase == "over":
            most += 2
        elif phase == "discard":
            most += 1 if then != "before flood" or rules.hand_limit_between_draws else 2
        elif between and not rules.hand_limit_between_draws and seat == position.to_move:
            most += 1
        if n > most:
            yield Fault(("player", seat, "hand"), f"{counted(n, 'card is', 'cards are')} in hand",
                        f"the hand limit is {limit}" if most == limit else
                        f"the hand limit is {limit}, and he can have drawn {most - limit} more",
                        "" if phase == "discard" else
                        'only in phase = "discard" there can be more')
    if phase != "discard":
        return
    if not over:
        yield Fault(("turn", "phase"), "nobody has to discard",
                    f"no hand has more than {counted(limit, 'card')}")
    elif then == "actions":
        if limit >= START_CARDS or position.actions < rules.actions:
            # Somebody was given a card.
            for seat in over[1:] or (s for s in over if s == position.to_move):
                yield Fault(("player", seat, "hand"), f"player {seat + 1} has too many cards",
                            "between actions only one player can: the one who was given a card")
    else:
        for seat in over:
            if seat != position.to_move:
                yield Fault(("player", seat, "hand"), f"player {seat + 1} has too many cards",
                            f"it is the turn of player {position.to_move + 1}, who draws")


# Floods ------------------------------------------------------------------------------------------


def _check_floods(position: Position) -> Iterator[Fault]:
    island = position.island
    placed = dict.fromkeys(position.flood_discard, ("flood", "discard"))
    for k, block in enumerate(position.flood_pile):
        for tile in sorted(block):
            if tile in placed:
                yield Fault(("flood", "pile"), f"{tile} is in the flood pile twice or also in its "
                            "discard", "every tile has one flood card")
            placed[tile] = ("flood", "pile")
        if not block and (len(position.flood_pile) > 1 or position.flood_discard):
            yield Fault(("flood", "pile", k), "this block is empty",
                        "a used-up pile is made anew from its discard at once")
    if not position.flood_pile and position.flood_discard:
        yield Fault(("flood", "pile"), "the flood pile is empty",
                    "a used-up pile is made anew from its discard at once",
                    "write the cards of the discard as the one block of the pile")
    for tile in sorted(placed):
        if tile in island.sunk:
            yield Fault(placed[tile], f"the card of {tile} is still there",
                        "the card of a sunk tile leaves the game")
    missing = [tile for tile in island.in_play if tile not in placed]
    if missing:
        yield Fault(("flood",), f"the flood card of {missing[0]} is nowhere",
                    "the card of every tile in play is in the flood pile or its discard",
                    "leave out `pile` if the rest of the cards is one block")
    n, more = len(position.flood_pile), _rises_left(position)
    if n + more > MOST_BLOCKS:
        yield Fault(("flood", "pile"), f"the flood pile has {n} blocks",
                    f"there can be {MOST_BLOCKS} at most, and each rise of the water may add one"
                    + (f": {more} more can come" if more else ""), "make some of them one block")
    if position.water > len(position.rules.water_meter) and position.ending != "water":
        yield Fault(("flood", "water"), "the water meter shows the skull", "the game is over there")


def _rises_left(position: Position) -> int:
    """How often the water can still rise, the skull included, and leave a block more."""
    rules = position.rules
    if not rules.waters_rise or rules.rise_shuffle == "whole_pile":
        return 0
    return max(0, len(rules.water_meter) + 1 - position.water)


def _check_losses(position: Position) -> Iterator[Fault]:
    """What ends the game at once."""
    if position.phase == "over":
        return
    if LANDING in position.island.sunk:
        yield Fault(("island", "tiles"), "Fools' Landing has sunk", "the game is over then")
    for treasure in _lost(position):
        yield Fault(("island", "tiles"), f"both tiles of {treasure} have sunk",
                    "the game is over then, unless it is captured", "list it under captured")


def _lost(position: Position) -> list[str]:
    """Treasures that can't be captured any more."""
    return [treasure for treasure in TREASURES if treasure not in position.captured
            and set(tiles_of(treasure)) <= position.island.sunk]


# The turn ----------------------------------------------------------------------------------------


def _check_turn(position: Position) -> Iterator[Fault]:
    """What is left of the turn, by phase."""
    rules, phase = position.rules, position.phase
    at = position.then if phase == "discard" else phase
    left = counted(position.actions, "action is left", "actions are left")
    due = counted(position.draws, "treasure card is due", "treasure cards are due")
    if position.turn > rules.max_turns:
        yield Fault(("turn", "number"), f"this is turn {position.turn}",
                    f"max_turns = {rules.max_turns}: the game is over then")
    if position.then and phase != "discard":
        yield Fault(("turn", "then"), f"nothing is to follow: the phase is {phase}",
                    'only phase = "discard" has a phase that follows')
    if phase == "discard" and at == "next turn":
        yield Fault(("turn", "then"), "nobody discards after the flood cards",
                    "cards come to hands by giving and drawing", 'then = "before flood"')
    if position.actions > rules.actions:
        yield Fault(("turn", "actions"), left, f"a turn has {rules.actions}")
    elif position.actions and at != "actions" and position.ending != "won":
        yield Fault(("turn", "actions"), left,
                    f"the phase is {phase}: the actions are over", "actions = 0")
    if at in ("draw", "between draws"):
        most = 2 if at == "draw" else 1
        if not 0 < position.draws <= most:
            yield Fault(("turn", "draws"), "no treasure card is due" if not position.draws else
                        due, f"the phase is {at}",
                        f"draws = {most}")
    elif position.draws > (1 if position.ending in ("won", "water") else 0):
        yield Fault(("turn", "draws"), due,
                    f"the phase is {phase}", "draws = 0" if phase != "actions" else
                    "two are always drawn after the actions: leave it out")
    if phase == "draw" and not any(position.treasure_pile):
        yield Fault(("turn", "phase"), "there is no treasure card to draw", "the pile is empty")
    yield from _check_floods_due(position, at)


def _check_floods_due(position: Position, at: str) -> Iterator[Fault]:
    due, shown = position.floods, position.flood_cards
    fewest, most = 0, 0
    if at in FLOODING:
        fewest, most = (shown, shown) if position.phase == "discard" else (1, shown)
        if at == "swim":
            fewest, most = 0, shown - 1
    elif position.ending in ON_SUNK:
        most = shown - 1
    elif position.ending == "won":
        most = shown
    if not fewest <= due <= most:
        yield Fault(("turn", "floods"), "no flood card is due" if not due else
                    counted(due, "flood card is due", "flood cards are due"),
                    f"the phase is {position.phase}" if most < 1 else
                    f"the water meter shows {shown}, and the phase is {position.phase}",
                    f"floods = {most}" if due > most or fewest == most else "")


def _check_flights(position: Position) -> Iterator[Fault]:
    rules, flights = position.rules, position.flights
    if not flights:
        return
    limit = rules.pilot_flights_per_turn
    swum = not rules.pilot_swim_free and position.phase in (*FLOODING, "last window", "over")
    if limit == "unlimited":
        yield Fault(("turn", "flights"), "flights are not counted",
                    'pilot_flights_per_turn = "unlimited"', "flights = 0")
    elif flights > limit:
        yield Fault(("turn", "flights"), f"the Pilot has flown {counted(flights, 'time')}",
                    f"he may {counted(limit, 'time')} in a turn")
    elif "pilot" not in [player.role for player in position.players]:
        yield Fault(("turn", "flights"), "somebody has flown", "there is no Pilot")
    elif not swum and position.players[position.to_move].role != "pilot":
        yield Fault(("turn", "flights"), "the Pilot has flown",
                    f"it is the turn of player {position.to_move + 1}, the "
                    f"{position.players[position.to_move].role}")
    elif not swum and flights > rules.actions - position.actions:
        yield Fault(("turn", "flights"), f"the Pilot has flown {counted(flights, 'time')}",
                    counted(rules.actions - position.actions, "action is used, and a flight is one",
                            "actions are used, and a flight is one"))


# The end -----------------------------------------------------------------------------------------


def _check_ending(position: Position) -> Iterator[Fault]:
    """Whether the game can be over for the reason that is told."""
    ending, island, where = position.ending, position.island, ("turn", "ending")
    if (position.phase == "over") != bool(ending):
        yield Fault(where, "`ending` and phase = \"over\" go together",
                    f"endings are {', '.join(ENDINGS)}")
        return
    if not ending:
        return
    on_sunk = [player.at for player in position.players if player.at in island.sunk]
    if ending == "won":
        if len(position.captured) < len(TREASURES):
            yield Fault(where, "the team can't have won", "not all treasures are captured")
        if any(player.at != LANDING for player in position.players) or LANDING in island.sunk:
            yield Fault(where, "the team can't have won", "not all pawns are on Fools' Landing")
        if not position.treasure_discard[LIFT]:
            yield Fault(where, "the team can't have won", "no Helicopter Lift is discarded",
                        "discard = { helicopter_lift = 1 }")
    lost = {"landing": LANDING in island.sunk, "treasure": bool(_lost(position)),
            "drowned": bool(on_sunk), "water": position.water > len(position.rules.water_meter)}
    if not lost.get(ending, True):
        yield Fault(where, "the game isn't lost for this reason", {
            "landing": "Fools' Landing has not sunk",
            "treasure": "every treasure is captured or has a tile left",
            "drowned": "no pawn is on a sunk tile",
            "water": "the water meter doesn't show the skull"}[ending])
    for cause in ("landing", "treasure"):
        if lost[cause] and ending != cause:
            yield Fault(where, f"the ending is {ending!r}",
                        "the game was over before: " + (
                            "Fools' Landing has sunk" if cause == "landing" else
                            f"both tiles of {_lost(position)[0]} have sunk"))
    if on_sunk and ending not in ON_SUNK:
        seat = next(s for s, player in enumerate(position.players) if player.at in island.sunk)
        yield Fault(("player", seat, "at"), f"player {seat + 1} stands on a sunk tile",
                    f"{tile_name(on_sunk[0])} has left the game")
    if ending == "turns" and position.turn != position.rules.max_turns:
        yield Fault(where, f"the turns aren't up in turn {position.turn}",
                    f"max_turns = {position.rules.max_turns}")
