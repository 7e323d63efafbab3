"""What the number of a Forbidden Island turn says: cards drawn, tiles flooded, actions had.

Each turn has its actions, two treasure cards and as many flood cards as the meter shows.  So the
turn bounds what can have come of them, and until the treasure pile is used up it says exactly how
many treasure cards are out.  Nothing is refused that a game can come to; each bound holds on with
every move, so that what is read stays sound.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.rules import (
    SPACES,
    START_CARDS,
    TREASURES,
    roles,
)
from oddsmith.solver.soundness import Fault

LIFT, SANDBAGS, RISE = 4, 5, 6
DRAWS = 2
NUMBER = ("turn", "number")
HINT = "counted = false says that `number` only tells whose turn it is"


class Past(msgspec.Struct, frozen=True):
    """What has been drawn and done since the set-up.

    Args:
        drawn: treasure cards, if there was always one to draw.
        first_pile: treasure cards of the first pile.
        reshuffled: whether the treasure pile may have been made anew.
        rises: Waters Rise! cards drawn.
        fewest, most: bounds of the flood cards drawn.
        actions: that were had, by seat.
        own: treasure cards dealt to and drawn by each seat, Waters Rise! among them.
    """

    drawn: int
    first_pile: int
    reshuffled: bool
    rises: int
    fewest: int
    most: int
    actions: tuple[int, ...]
    own: tuple[int, ...]


def check_history(position: Position) -> list[Fault]:
    """What can't have come about in the turns that were played; empty if all can."""
    found = [list(_faults(position, _past(position, drawn, flooded)))
             for drawn, flooded in _this_turn(position)]
    return min(found, key=len)


def _this_turn(position: Position) -> list[tuple[int, int]]:
    """Treasure and flood cards drawn this turn; both ways where a game won may be either."""
    shown, floods = position.flood_cards, position.floods
    at = position.then if position.phase == "discard" else position.phase
    if at == "over":
        if position.ending == "turns":
            return [(DRAWS, shown)]
        if position.ending == "won" and not floods and not position.draws:
            return [(0, 0), (DRAWS, shown)]
        at = "draw" if position.ending == "water" or position.draws else "flood"
    if at == "actions":
        return [(0, 0)]
    if at in ("draw", "between draws"):
        return [(DRAWS - position.draws, 0)]
    return [(DRAWS, shown - floods)]


def _past(position: Position, drawn_now: int, flooded_now: int) -> Past:
    rules, before = position.rules, position.turn - 1
    start, last = rules.start_level, min(position.water, len(rules.water_meter))
    rises, drawn = position.water - start, DRAWS * before + drawn_now
    fewest = most = flooded_now
    for turn in range(1, before + 1):
        # No more than two rises a turn, before it and after it.
        low = max(start, position.water - (drawn - DRAWS * turn))
        shown = rules.water_meter[low - 1 : min(last, start + DRAWS * turn)]
        fewest, most = fewest + min(shown, default=0), most + max(shown, default=0)
    seats = range(rules.players)
    turns = [(before - seat + rules.players - 1) // rules.players for seat in seats]
    now = [seat == position.to_move for seat in seats]
    first_pile = sum(rules.card_counts) - START_CARDS * rules.players
    return Past(
        drawn, first_pile, drawn >= first_pile, rises, fewest, most,
        tuple(n * rules.actions + is_now * (rules.actions - position.actions)
              for n, is_now in zip(turns, now, strict=True)),
        tuple(START_CARDS + DRAWS * n + is_now * drawn_now
              for n, is_now in zip(turns, now, strict=True)),
    )


def _faults(position: Position, past: Past) -> Iterator[Fault]:
    if past.rises > past.drawn:
        yield Fault(("flood", "water"), f"the water has risen by {past.rises}",
                    f"{past.drawn} treasure cards have been drawn by {_when(position)}", HINT)
        return
    yield from _first_pile(position, past) if not past.reshuffled else _later_piles(position, past)
    yield from _hands(position, past)
    yield from _captures(position, past)
    yield from _tiles(position, past)
    yield from _flood_cards(position, past)
    yield from _pawns(position, past)


def _when(position: Position) -> str:
    return f"turn {position.turn}"


# Treasure cards ----------------------------------------------------------------------------------


def _out(position: Position) -> int:
    """Treasure cards in hands and discarded."""
    return sum(position.treasure_discard) + sum(sum(player.hand) for player in position.players)


def _first_pile(position: Position, past: Past) -> Iterator[Fault]:
    """Until the treasure pile is used up every card drawn is in a hand or discarded."""
    dealt = START_CARDS * position.rules.players
    if _out(position) != dealt + past.drawn:
        yield Fault(NUMBER, f"{_out(position)} treasure cards are in hands and discarded",
                    f"by {_when(position)} it is {dealt + past.drawn}: {dealt} were dealt and "
                    f"{past.drawn} drawn", HINT)
    seen = position.treasure_discard[RISE]
    if seen != past.rises:
        yield Fault(("flood", "water"), f"the water has risen by {past.rises}",
                    f"{seen} Waters Rise! are discarded, and the pile was not made anew yet", HINT)
    needed = position.rules.cards_to_capture
    for treasure in sorted(position.captured):
        n = position.treasure_discard[TREASURES.index(treasure)]
        if n < needed:
            yield Fault(("treasure", "captured"), f"{treasure} can't have been captured",
                        f"{n} of its cards are discarded, it takes {needed}, and the pile was not "
                        "made anew yet", HINT)


def _later_piles(position: Position, past: Past) -> Iterator[Fault]:
    """All Waters Rise! of a pile are drawn before it is made anew."""
    rules = position.rules
    if not rules.waters_rise:
        return
    anew, rest = divmod(past.rises - position.treasure_discard[RISE], rules.waters_rise)
    later = past.drawn - past.first_pile       # cards drawn from piles made anew
    must = later > 0 or rules.treasure_reshuffle == "at_once" or position.phase == "draw"
    if rest or (anew > 0) != must:
        yield Fault(("flood", "water"), f"the water has risen by {past.rises}",
                    f"{position.treasure_discard[RISE]} Waters Rise! are discarded, and each pile "
                    f"has {rules.waters_rise}: the first was used up with card {past.first_pile} "
                    f"of {past.drawn} by {_when(position)}", HINT)
        return
    left, total = sum(position.treasure_pile), sum(rules.card_counts)
    least = max(rules.waters_rise, total - rules.players * rules.hand_limit - DRAWS)
    if anew == 0:
        if left:
            yield Fault(NUMBER, "the treasure pile is not used up",
                        f"by {_when(position)} all {past.first_pile} cards of it are drawn", HINT)
    elif not anew * least <= later + left <= anew * total:
        yield Fault(("flood", "water"), f"the water has risen by {past.rises}",
                    f"the treasure pile would have been made anew {anew} times by "
                    f"{_when(position)}, and have had {later + left} cards in all", HINT)


def _hands(position: Position, past: Past) -> Iterator[Fault]:
    """Cards come to a hand by dealing, drawing, and by others' actions, specials not by those."""
    for seat, player in enumerate(position.players):
        given = sum(past.actions) - past.actions[seat]
        specials, n = player.hand[LIFT] + player.hand[SANDBAGS], sum(player.hand)
        where, own = ("player", seat, "hand"), past.own[seat]
        if specials > own:
            yield Fault(where, f"{specials} special cards are in hand",
                        f"player {seat + 1} was dealt and has drawn {own} cards by "
                        f"{_when(position)}, and specials can't be given", HINT)
        elif n > own + given:
            yield Fault(where, f"{n} cards are in hand",
                        f"player {seat + 1} was dealt and has drawn {own} cards by "
                        f"{_when(position)}, and the others had {given} actions to give him some",
                        HINT)


def _captures(position: Position, past: Past) -> Iterator[Fault]:
    n, rules = len(position.captured), position.rules
    cards = START_CARDS * rules.players + past.drawn - past.rises
    held = sum(sum(player.hand) for player in position.players)
    if n > sum(past.actions) or n * rules.cards_to_capture + held > cards:
        yield Fault(("treasure", "captured"), f"{n} treasures are captured",
                    f"the team has had {sum(past.actions)} actions and at most {cards} cards by "
                    f"{_when(position)}; it takes {rules.cards_to_capture} each, and {held} are in "
                    "hands", HINT)


# Tiles and flood cards ---------------------------------------------------------------------------


def _tiles(position: Position, past: Past) -> Iterator[Fault]:
    """Each flood card floods or sinks a tile; what has been flooded and isn't, was shored up."""
    rules, island = position.rules, position.island
    sunk, wet = len(island.sunk), len(island.flooded)
    needed = sunk + max(0, sunk + wet - rules.initial_flood)
    if needed > past.most:
        yield Fault(("island", "tiles"), f"{sunk} tiles have sunk and {wet} are flooded",
                    f"{rules.initial_flood} are flooded at first, and by {_when(position)} "
                    f"{_at_most(past)} flood cards are drawn; that takes {needed}", HINT)
    shored = rules.initial_flood + past.fewest - 2 * sunk - wet
    most = _most_shored(position, past)
    if shored > most:
        yield Fault(("island", "tiles"), f"{sunk} tiles have sunk and {wet} are flooded",
                    f"{rules.initial_flood} are flooded at first, and by {_when(position)} at least"
                    f" {past.fewest} flood cards are drawn; {shored} tiles would have been shored "
                    f"up, at most {most} can have been", HINT)


def _at_most(past: Past) -> str:
    return f"{past.most}" if past.fewest == past.most else f"at most {past.most}"


def _most_shored(position: Position, past: Past) -> int:
    """An action shores up one tile, the Engineer's two, a Sandbags card one."""
    actions = sum(n * (1 + (player.role == "engineer"))
                  for n, player in zip(past.actions, position.players, strict=True))
    if not past.reshuffled:
        return actions + position.treasure_discard[SANDBAGS]
    if not position.rules.sandbags:
        return actions
    held = sum(player.hand[SANDBAGS] for player in position.players)
    return actions + sum(past.own) - held


def _flood_cards(position: Position, past: Past) -> Iterator[Fault]:
    """Where the flood cards lie that were drawn."""
    blocks, discard = position.flood_pile, len(position.flood_discard)
    if len(blocks) > 1 + past.rises:
        yield Fault(("flood", "pile"), f"the flood pile has {len(blocks)} blocks",
                    f"the water has risen by {past.rises}, and each rise adds one", HINT)
    elif past.rises == 0:
        yield from _before_any_rise(position, past) or _lowest_block(position, past)
    elif discard > past.most:
        yield Fault(("flood", "discard"), f"{discard} flood cards are discarded",
                    f"by {_when(position)} {_at_most(past)} flood cards are drawn, and the others "
                    "came on the pile when the waters rose", HINT)
    elif position.rules.rise_shuffle == "on_top":
        yield from _lowest_block(position, past)


def _before_any_rise(position: Position, past: Past) -> list[Fault]:
    """The meter has stood still, so it is known how many flood cards were drawn."""
    begun, n = position.rules.initial_flood, past.most
    discard, sunk, first = len(position.flood_discard), len(position.island.sunk), SPACES - begun
    if n < first:
        possible, where = sunk == 0 and discard == begun + n, "all of these are the discard"
    else:
        possible = n - first >= SPACES or discard + sunk == n - first
        where = f"the pile was made anew after {first}"
    return [] if possible else [Fault(
        ("flood", "discard"), f"{discard} flood cards are discarded and {sunk} tiles have sunk",
        f"{begun} tiles are flooded at first, and by {_when(position)} {n} flood cards are drawn: "
        f"{where}", HINT)]


def _lowest_block(position: Position, past: Past) -> list[Fault]:
    """As long as the first pile can't be used up, what is left of it lies lowest."""
    first = SPACES - position.rules.initial_flood
    if past.most >= first or not position.flood_pile:
        return []
    block = position.flood_pile[-1]
    where = ("flood", "pile", len(position.flood_pile) - 1)
    wet = sorted(block & position.island.flooded)
    if wet:
        return [Fault(where, f"{wet[0]} is flooded",
                      "the lowest block is what is left of the first pile: its cards were never "
                      "drawn", HINT)]
    if len(block) < first - past.most:
        return [Fault(where, f"the lowest block has {len(block)} cards",
                      f"it is what is left of the first pile of {first}, and by {_when(position)} "
                      f"{_at_most(past)} are drawn", HINT)]
    return []


# Pawns -------------------------------------------------------------------------------------------


def _pawns(position: Position, past: Past) -> Iterator[Fault]:
    """Who has had no action and can't have been moved still stands where his role starts."""
    starts = {role.id: role.start for role in roles()}
    navigated = any(n and player.role == "navigator"
                    for n, player in zip(past.actions, position.players, strict=True))
    if navigated or past.reshuffled or position.treasure_discard[LIFT]:
        return
    for seat, player in enumerate(position.players):
        start = starts[player.role]
        if not past.actions[seat] and player.at != start and start not in position.island.sunk:
            yield Fault(("player", seat, "at"), f"player {seat + 1} has left {start}",
                        f"by {_when(position)} the {player.role} has had no action, and nobody can "
                        "have moved him", HINT)
