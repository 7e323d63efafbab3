"""What no Forbidden Island game comes to: notes on how a position can't have come about.

Each turn has its actions, two treasure cards and as many flood cards as the meter shows.  So the
turn bounds what can have come of them, and until the treasure pile is used up it says exactly how
many treasure cards are out.  Nothing is noted that a game can come to.  Nor is anything refused:
answers look ahead from the position, whatever has led there.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oddsmith.solver.errors import counted
from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.rises import DRAWS
from oddsmith.solver.games.island.rules import (
    SPACES,
    START_CARDS,
    TREASURES,
    roles,
)
from oddsmith.solver.games.island.treasure_draw import LIFT, RISE, SANDBAGS


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


def history_notes(position: Position) -> list[str]:
    """What can't have come about in the turns that were played; empty if all can."""
    found = [list(_doubts(position, _past(position, drawn, flooded)))
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


def _doubts(position: Position, past: Past) -> Iterator[str]:
    meter = list(_meter(position, past))
    yield from meter
    yield from _treasure_cards(position, past, not meter)
    yield from _hands(position, past)
    yield from _captures(position, past)
    yield from _blocks(position, past)
    if not meter:                  # else nothing follows from it
        yield from _tiles(position, past)
        yield from _flood_cards(position, past)
    yield from _pawns(position, past)


def _when(position: Position) -> str:
    return f"by turn {position.turn}"


def _cards(n: int) -> str:
    return counted(n, "treasure card")


# Treasure cards ----------------------------------------------------------------------------------


def _meter(position: Position, past: Past) -> Iterator[str]:
    """The mark of the meter and the Waters Rise! cards that have brought it there."""
    rules, seen = position.rules, position.treasure_discard[RISE]
    stands = f"the water meter stands at mark {position.water}"
    if past.rises < 0:
        yield f"{stands}: it starts at mark {rules.start_level} and never falls"
    elif past.rises and not rules.waters_rise:
        yield f"{stands}: it starts at mark {rules.start_level}, and there is no Waters Rise!"
    elif past.rises > past.drawn:
        yield (f"the water has risen by {past.rises}: {_cards(past.drawn)} can have been drawn "
               f"{_when(position)}")
    elif seen > past.rises or (seen < past.rises and not past.reshuffled):
        yield (f"the water has risen by {past.rises}: {seen} Waters Rise! "
               f"{'is' if seen == 1 else 'are'} discarded"
               + (", and the pile was not made anew yet" if seen < past.rises else ""))


def _treasure_cards(position: Position, past: Past, meter: bool) -> Iterator[str]:
    """`meter`: nothing speaks against its mark so far."""
    if not past.reshuffled:
        yield from _first_pile(position, past)
    elif meter:
        yield from _later_piles(position, past)


def _out(position: Position) -> int:
    """Treasure cards in hands and discarded."""
    return sum(position.treasure_discard) + sum(sum(player.hand) for player in position.players)


def _first_pile(position: Position, past: Past) -> Iterator[str]:
    """Until the treasure pile is used up every card drawn is in a hand or discarded."""
    dealt, out = START_CARDS * position.rules.players, _out(position)
    if out != dealt + past.drawn:
        yield (f"turn {position.turn}, but "
               f"{counted(out, 'treasure card is', 'treasure cards are')} in hands and discarded: "
               f"by then it is {dealt + past.drawn}, {dealt} dealt and {past.drawn} drawn")
    needed = position.rules.cards_to_capture
    for treasure in sorted(position.captured):
        n = position.treasure_discard[TREASURES.index(treasure)]
        if n < needed:
            yield (f"{treasure} can't have been captured: it takes {needed} of its cards, {n} "
                   f"{'is' if n == 1 else 'are'} discarded, and the pile was not made anew yet")


def _later_piles(position: Position, past: Past) -> Iterator[str]:
    """All Waters Rise! of a pile are drawn before it is made anew."""
    rules = position.rules
    if not rules.waters_rise:
        return
    anew, rest = divmod(past.rises - position.treasure_discard[RISE], rules.waters_rise)
    later = past.drawn - past.first_pile       # cards drawn from piles made anew
    must = later > 0 or rules.treasure_reshuffle == "at_once" or position.phase == "draw"
    if rest or (anew > 0) != must:
        yield (f"turn {position.turn}, but the water has risen by {past.rises} with "
               f"{position.treasure_discard[RISE]} Waters Rise! discarded: each pile has "
               f"{rules.waters_rise}, and the first was used up with card {past.first_pile} of the "
               f"{past.drawn} drawn by then")
        return
    left, total = sum(position.treasure_pile), sum(rules.card_counts)
    least = max(rules.waters_rise, total - rules.players * rules.hand_limit - DRAWS)
    if anew == 0:
        if left:
            yield (f"turn {position.turn}, but the treasure pile is not used up: by then all "
                   f"{past.first_pile} cards of it are drawn")
    elif not anew * least <= later + left <= anew * total:
        yield (f"turn {position.turn}, but the water has risen by {past.rises}: the treasure pile "
               f"would have been made anew {counted(anew, 'time')}, and have had "
               f"{counted(later + left, 'card')} in all")


def _hands(position: Position, past: Past) -> Iterator[str]:
    """Cards come to a hand by dealing, drawing, and by others' actions, specials not by those."""
    for seat, player in enumerate(position.players):
        given = sum(past.actions) - past.actions[seat]
        specials, n = player.hand[LIFT] + player.hand[SANDBAGS], sum(player.hand)
        own = past.own[seat]
        came = f"he was dealt and has drawn {counted(own, 'card')} {_when(position)}"
        if specials > own:
            yield (f"player {seat + 1} holds {counted(specials, 'special card')}: {came}, and "
                   "specials can't be given")
        elif n > own + given:
            yield (f"player {seat + 1} holds {counted(n, 'card')}: {came}, and the others had "
                   f"{counted(given, 'action')} to give him some")


def _captures(position: Position, past: Past) -> Iterator[str]:
    rules, n = position.rules, len(position.captured)
    needed = rules.cards_to_capture
    if not n:
        return
    captured = f"{counted(n, 'treasure is', 'treasures are')} captured"
    if rules.cards_per_treasure < needed:
        yield f"{captured}: it takes {needed} cards, and there are {rules.cards_per_treasure}"
        return
    if rules.hand_limit < needed:
        yield (f"{captured}: it takes {needed} cards of one hand, and the hand limit is "
               f"{rules.hand_limit}")
        return
    cards = START_CARDS * rules.players + past.drawn - min(max(past.rises, 0), past.drawn)
    held = sum(sum(player.hand) for player in position.players)
    if n > sum(past.actions) or n * needed + held > cards:
        yield (f"{captured}: the team has had {counted(sum(past.actions), 'action')} and at most "
               f"{counted(cards, 'card')} {_when(position)}; it takes {needed} cards each, and "
               f"{held} {'is' if held == 1 else 'are'} in hands")


# Tiles and flood cards ---------------------------------------------------------------------------


def _tiles(position: Position, past: Past) -> Iterator[str]:
    """Each flood card floods or sinks a tile; what has been flooded and isn't, was shored up."""
    rules, island = position.rules, position.island
    sunk, wet = len(island.sunk), len(island.flooded)
    needed = sunk + max(0, sunk + wet - rules.initial_flood)
    found = (f"turn {position.turn}, but {counted(sunk, 'tile has', 'tiles have')} sunk and {wet} "
             f"{'is' if wet == 1 else 'are'} flooded: with {rules.initial_flood} flooded at first ")
    if needed > past.most:
        yield (f"{found}that takes {counted(needed, 'flood card')}, and by then "
               f"{_at_most(past)} drawn")
    shored = rules.initial_flood + past.fewest - 2 * sunk - wet
    most = _most_shored(position, past)
    if shored > most:
        yield (f"{found}and at least {counted(past.fewest, 'flood card')} drawn by then, "
               f"{counted(shored, 'tile')} would have been shored up, and at most {most} can have "
               "been")


def _at_most(past: Past) -> str:
    """The flood cards drawn, and the verb."""
    return ("" if past.fewest == past.most else "at most ") + counted(past.most, "is", "are")


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


def _blocks(position: Position, past: Past) -> Iterator[str]:
    """A rise adds one to the blocks of the flood pile, or makes one of all."""
    n = len(position.flood_pile)
    if n > 1 and position.rules.rise_shuffle == "whole_pile":
        yield (f"the flood pile has {n} blocks: with rise_shuffle = \"whole_pile\" all of it is "
               "shuffled, one block")
    elif n > 1 + past.rises >= 1:
        yield (f"the flood pile has {n} blocks: the water has risen by {past.rises}, and each rise "
               "adds one")


def _flood_cards(position: Position, past: Past) -> Iterator[str]:
    """Where the flood cards lie that were drawn."""
    blocks, discard = position.flood_pile, len(position.flood_discard)
    if len(blocks) > 1 + past.rises:
        return
    if past.rises == 0:
        yield from _before_any_rise(position, past) or _lowest_block(position, past)
    elif discard > past.most:
        yield (f"turn {position.turn}, but "
               f"{counted(discard, 'flood card is', 'flood cards are')} discarded: by then "
               f"{_at_most(past)} drawn, and the others came on the pile when the waters rose")
    elif position.rules.rise_shuffle == "on_top":
        yield from _lowest_block(position, past)


def _before_any_rise(position: Position, past: Past) -> list[str]:
    """The meter has stood still, so it is known how many flood cards were drawn."""
    begun, n = position.rules.initial_flood, past.most
    discard, sunk, first = len(position.flood_discard), len(position.island.sunk), SPACES - begun
    if n < first:
        possible, where = sunk == 0 and discard == begun + n, "all of these are the discard"
    else:
        possible = n - first >= SPACES or discard + sunk == n - first
        where = f"the pile was made anew after {first}"
    return [] if possible else [
        f"turn {position.turn}, but {counted(discard, 'flood card is', 'flood cards are')} "
        f"discarded and {counted(sunk, 'tile has', 'tiles have')} sunk: {begun} flooded at first "
        f"and {counted(n, 'flood card')} drawn by then, {where}"]


def _lowest_block(position: Position, past: Past) -> list[str]:
    """As long as the first pile can't be used up, what is left of it lies lowest."""
    first = SPACES - position.rules.initial_flood
    if past.most >= first or not position.flood_pile:
        return []
    block = position.flood_pile[-1]
    wet = sorted(block & position.island.flooded)
    if wet:
        return [f"{wet[0]} is flooded: its card is in the lowest block of the flood pile, which is "
                "what is left of the first pile, and was never drawn"]
    if len(block) < first - past.most:
        return [f"turn {position.turn}, but the lowest block of the flood pile has "
                f"{counted(len(block), 'card')}: it is what is left of the first pile of {first}, "
                f"of which by then {_at_most(past)} drawn"]
    return []


# Pawns -------------------------------------------------------------------------------------------


def _pawns(position: Position, past: Past) -> Iterator[str]:
    """Who has had no action and can't have been moved still stands where his role starts."""
    starts = {role.id: role.start for role in roles()}
    navigated = any(n and player.role == "navigator"
                    for n, player in zip(past.actions, position.players, strict=True))
    if navigated or past.reshuffled or position.treasure_discard[LIFT]:
        return
    for seat, player in enumerate(position.players):
        start = starts[player.role]
        if not past.actions[seat] and player.at != start and start not in position.island.sunk:
            yield (f"player {seat + 1} has left {start}: {_when(position)} the {player.role} has "
                   "had no action, and nobody can have moved him")
