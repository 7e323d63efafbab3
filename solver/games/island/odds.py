"""Forbidden Island: the exact odds of the next turns if nobody acts.

Pawns are ignored, special cards stay unused, cards over the hand limit are discarded, and a lost
treasure doesn't stop the island from sinking; the skull does, and so does the last turn
(`max_turns`).  See docs/methods.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import msgspec

from oddsmith.kernels.island_odds import PassiveIsland
from oddsmith.solver.answer import Answer, Bars, Block, Table
from oddsmith.solver.errors import InputError, counted
from oddsmith.solver.games.island import pictures
from oddsmith.solver.games.island.notation import tile_name
from oddsmith.solver.games.island.position import (
    LANDING,
    Position,
    format_position,
    tiles_of,
)
from oddsmith.solver.games.island.questions import make_answer, rules_assumptions
from oddsmith.solver.games.island.rises import DRAWS, Treasures, turns_ahead
from oddsmith.solver.games.island.rules import (
    SPACES,
    START_CARDS,
    TREASURES,
    Rules,
    tiles,
    treasure_name,
)
from oddsmith.solver.odds import format_fraction

MOST_TURNS = 20
RISE = -1
"""Place of Waters Rise! in counts of cards."""

Chances = tuple[Fraction, ...]
"""One for each turn."""


class Odds(msgspec.Struct, frozen=True):
    """What becomes of an island where nobody acts, by the end of each of the next turns.

    Args:
        turns: how many; the first is the rest of the present one.
        p_flooded, p_sunk: by tile.
        p_treasure: by treasure not captured: both its tiles have sunk.
        p_lost: Fools' Landing or both tiles of such a treasure have sunk.
        p_skull: the water meter has reached the skull.
        e_sunk: expected number of tiles that have left the game.
        last: the one of these turns that is the game's last (`max_turns`), 0 if it comes later;
            nothing changes after it.
    """

    turns: int
    p_flooded: dict[str, Chances]
    p_sunk: dict[str, Chances]
    p_treasure: dict[str, Chances]
    p_lost: Chances
    p_skull: Chances
    e_sunk: Chances
    last: int = 0


Place = tuple[int, int, int, int]
Start = tuple[Place, tuple[Place, ...]]
"""The flood discard and pile, as `PassiveIsland.run` takes them."""


class _Asker:
    """Asks the kernel about sets of tiles; sets whose tiles lie alike are asked once.

    Args:
        p_skull: by turn, the chance that the skull has been reached.
    """

    def __init__(self, rules: Rules, treasures: Treasures, seat: int, due: int,
                 floods: int | None, turns: int) -> None:
        law, self.p_skull = turns_ahead(rules, treasures, seat, due, floods, turns)
        self._island = PassiveIsland(law, rules.rise_shuffle == "whole_pile",
                                     [(*start, weight) for start, weight in self.starts([])])
        self._known: dict[tuple[Any, ...], list[tuple[int, int, int]]] = {}

    def starts(self, tagged: Sequence[str]) -> list[tuple[Start, int]]:
        """What may be there at first, with integer weights of the same sum for any tagged tiles."""
        raise NotImplementedError

    def chances(self, tagged: Sequence[str], which: int) -> Chances:
        """0: all of them have sunk; 1: the one tile is flooded."""
        return self._ask(self.starts(tagged), len(tagged), which)

    def any_of(self, losses: Sequence[Sequence[str]]) -> Chances:
        """The chance that all tiles of any of some sets have sunk.

        By inclusion and exclusion, in one run: all unions of the sets are starts, those of an even
        number with negative weight.  They share most of their states, as what is left of a set
        looks like a smaller one.
        """
        weights: dict[Start, int] = {}
        most = 0
        for n in range(1, len(losses) + 1):
            for chosen in combinations(losses, n):
                tagged = sorted({tile for loss in chosen for tile in loss})
                most = max(most, len(tagged))
                for start, weight in self.starts(tagged):
                    weights[start] = weights.get(start, 0) + (weight if n % 2 else -weight)
        return self._ask(list(weights.items()), most, 0)

    def _ask(self, starts: list[tuple[Start, int]], n_tagged: int, which: int) -> Chances:
        key = tuple(starts)
        if key not in self._known:
            self._known[key] = self._island.run([(*start, w) for start, w in starts], n_tagged)
        return tuple(Fraction(row[which], row[2]) for row in self._known[key])


class _FromPosition(_Asker):
    def __init__(self, position: Position, turns: int) -> None:
        self.position = position
        self.places = (*position.flood_pile, position.flood_discard)
        due, floods = _due(position)
        super().__init__(position.rules, self._treasures(), position.to_move, due, floods, turns)

    def _treasures(self) -> Treasures:
        position = self.position
        hands = [sum(player.hand) for player in position.players]
        used = sum(position.treasure_discard)
        if position.phase == "discard":
            limit = position.rules.hand_limit
            used += sum(max(0, n - limit) for n in hands)
            hands = [min(n, limit) for n in hands]
        pile = position.treasure_pile
        return Treasures(sum(pile), pile[RISE], used, position.treasure_discard[RISE], tuple(hands),
                         position.water - 1)

    def starts(self, tagged: Sequence[str]) -> list[tuple[Start, int]]:
        flooded = self.position.island.flooded
        counts = []
        for place in self.places:
            marked = [tile for tile in place if tile in tagged]
            n_flooded, n_marked = len(place & flooded), sum(t in flooded for t in marked)
            counts.append((n_flooded - n_marked, len(place) - n_flooded - len(marked) + n_marked,
                           n_marked, len(marked) - n_marked))
        *pile, discard = counts
        return [((discard, tuple(pile)), 1)]


class _FromSetUp(_Asker):
    """Any set of as many tiles is as good as another: the set-up is random."""

    def __init__(self, rules: Rules, turns: int) -> None:
        self.rules = rules
        cards = sum(rules.card_counts) - START_CARDS * rules.players
        dealt = min(START_CARDS, rules.hand_limit)
        over = (START_CARDS - dealt) * rules.players
        treasures = Treasures(cards, rules.waters_rise, over, 0, (dealt,) * rules.players,
                              rules.start_level - 1)
        super().__init__(rules, treasures, 0, DRAWS, None, turns)

    def starts(self, tagged: Sequence[str]) -> list[tuple[Start, int]]:
        rules, n = self.rules, len(tagged)
        starts = []
        for k in range(n + 1):                # tagged tiles that are flooded at first
            flooded, dry = rules.initial_flood - k, SPACES - rules.initial_flood - (n - k)
            if flooded < 0 or dry < 0:
                continue
            places: list[Place] = [(flooded, 0, k, 0), (0, dry, 0, n - k)]
            if rules.initial_flood == SPACES:  # the used-up pile is made anew
                places.reverse()
            starts.append(((places[0], tuple(places[1:])), comb(n, k) * comb(SPACES - n, flooded)))
        return starts


def _due(position: Position) -> tuple[int, int | None]:
    """Treasure cards still due in the present turn, and its flood cards if those are drawn.

    Raises:
        InputError: the game is over.
    """
    phase = position.then if position.phase == "discard" else position.phase
    if position.finished or phase == "last window":
        raise InputError(f"the game is over: {position.finished or 'the turns are up'}")
    if phase == "actions":
        return 2, None
    if phase in ("between draws", "draw"):
        return position.draws, None
    return 0, position.floods


def odds(position: Position, turns: int = 10) -> Odds:
    """The odds of the next turns of a position.

    Args:
        position: any position that is not over.
        turns: 1 to MOST_TURNS, the rest of the present one included.

    Raises:
        InputError: the game is over, or a number of turns out of range.
    """
    island = position.island
    _check_turns(turns)
    left = max(1, position.rules.max_turns - position.turn + 1)
    played = min(turns, left)
    asker = _FromPosition(position, played)
    sunk = dict.fromkeys(island.sunk, (Fraction(1),) * played)
    pairs = {treasure: [tile for tile in tiles_of(treasure) if tile not in island.sunk]
             for treasure in TREASURES if treasure not in position.captured}
    return _kept(_odds(asker, island.in_play, sunk, pairs, played), turns, left)


def set_up_odds(rules: Rules, turns: int = 10) -> Odds:
    """The odds of the first turns, averaged over the random set-up.

    Raises:
        InputError: a number of turns out of range.
    """
    pairs = {treasure: list(tiles_of(treasure)) for treasure in TREASURES}
    _check_turns(turns)
    played = min(turns, rules.max_turns)
    found = _odds(_FromSetUp(rules, played), [tile.id for tile in tiles()], {}, pairs, played)
    return _kept(found, turns, rules.max_turns)


def _check_turns(turns: int) -> None:
    if not 1 <= turns <= MOST_TURNS:
        raise InputError(f"can't look {turns} turns ahead", why=f"it must be 1 to {MOST_TURNS}")


def _kept(found: Odds, turns: int, left: int) -> Odds:
    """With the turns after the game's last, which leave everything as it is."""
    def on(chances: Chances) -> Chances:
        return chances + chances[-1:] * (turns - len(chances))

    def all_on(by: dict[str, Chances]) -> dict[str, Chances]:
        return {name: on(chances) for name, chances in by.items()}

    return Odds(turns, all_on(found.p_flooded), all_on(found.p_sunk), all_on(found.p_treasure),
                on(found.p_lost), on(found.p_skull), on(found.e_sunk), left if left <= turns else 0)


def _odds(asker: _Asker, in_play: Iterable[str], sunk: dict[str, Chances],
          pairs: dict[str, list[str]], turns: int) -> Odds:
    nothing = (Fraction(0),) * turns
    p_sunk = sunk | {tile: asker.chances([tile], 0) for tile in in_play}
    return Odds(
        turns,
        dict.fromkeys(sunk, nothing) | {tile: asker.chances([tile], 1) for tile in in_play},
        p_sunk,
        {treasure: asker.chances(pair, 0) for treasure, pair in pairs.items()},
        asker.any_of([[LANDING], *pairs.values()]),
        tuple(asker.p_skull),
        tuple(sum((p[turn] for p in p_sunk.values()), Fraction(0)) for turn in range(turns)),
    )


# Answers -----------------------------------------------------------------------------------------


def _told(chances: Chances) -> list[str]:
    return [format_fraction(p) for p in chances]


def _value(found: Odds) -> dict[str, Any]:
    return {
        "turns": list(range(1, found.turns + 1)),
        "tiles": {tile: {"p_flooded": _told(found.p_flooded[tile]), "p_sunk": _told(p)}
                  for tile, p in found.p_sunk.items()},
        "treasures": {treasure: {"p_lost": _told(p)} for treasure, p in found.p_treasure.items()},
        "p_lost": _told(found.p_lost), "p_skull": _told(found.p_skull),
        "e_sunk": _told(found.e_sunk),
    }


ASSUMPTIONS = ("nobody acts; pawns are ignored and special cards stay unused",
               "cards over the hand limit are discarded",
               "a loss doesn't stop the island from sinking; the skull does")
METHOD = "exact counts by turn; any loss by inclusion and exclusion"


def _assumptions(found: Odds, rules: Rules, *more: str) -> tuple[str, ...]:
    ends = (f"max_turns = {rules.max_turns}: the game ends after turn {found.last} of these, and "
            "nothing floods after it",) if found.last else ()
    return (*rules_assumptions(rules), *ASSUMPTIONS, *more, *ends)


def _blocks(found: Odds, position: Position | None) -> tuple[Block, ...]:
    columns = [f"turn {turn}" for turn in range(1, found.turns + 1)]
    percent, numeric = pictures.percent, tuple(range(1, found.turns + 1))
    rows = [("any tile loss", *map(percent, found.p_lost)),
            ("Fools' Landing sunk", *map(percent, found.p_sunk[LANDING])),
            *((treasure_name(treasure), *map(percent, p))
              for treasure, p in found.p_treasure.items()),
            ("skull reached", *map(percent, found.p_skull)),
            ("tiles sunk, expected", *(f"{float(e):.3f}" for e in found.e_sunk))]
    blocks: list[Block] = [
        Table(("by the end of", *columns), tuple(rows), title="Chances to have lost",
              numeric=numeric, marked=(0,)),
        Bars(tuple(columns), tuple(100 * float(p) for p in found.p_lost),
             title="Any tile loss by the end of", unit="%"),
    ]
    if position is not None:
        heat = {tile: p[-1] for tile, p in found.p_sunk.items()}
        blocks.append(pictures.island_map(
            position, heat, f"chance to have sunk by the end of turn {found.turns}"))
        blocks.append(Table(
            ("sunk by the end of", *columns),
            tuple((tile_name(tile), *map(percent, found.p_sunk[tile]))
                  for tile in position.island.in_play), title="Tiles", numeric=numeric))
        blocks.append(Table(
            ("flooded at the end of", *columns),
            tuple((tile_name(tile), *map(percent, found.p_flooded[tile]))
                  for tile in position.island.in_play), title="Flooded tiles", numeric=numeric))
    else:
        blocks.append(Table(
            ("at the end of", *columns),
            (("flooded", *map(percent, found.p_flooded[LANDING])),
             ("sunk", *map(percent, found.p_sunk[LANDING]))),
            title="Each tile", numeric=numeric))
    return tuple(blocks)


def odds_answer(position: Position, turns: int, command: str = "") -> Answer:
    """The odds of a position."""
    found = odds(position, turns)
    return make_answer(
        "odds", f"Odds of the next {counted(turns, 'turn')} if nobody acts", _value(found),
        position.rules, method=METHOD,
        assumptions=_assumptions(found, position.rules, "turn 1 is the rest of the present turn"),
        inputs={"turns": turns, "position": format_position(position)},
        blocks=_blocks(found, position), command=command,
    )


def set_up_odds_answer(rules: Rules, turns: int, command: str = "") -> Answer:
    """The odds averaged over the random set-up."""
    found = set_up_odds(rules, turns)
    return make_answer(
        "odds", f"Odds of the first {counted(turns, 'turn')} if nobody acts", _value(found), rules,
        method=METHOD, assumptions=_assumptions(found, rules, "averaged over the random set-up"),
        inputs={"turns": turns}, blocks=_blocks(found, None), command=command,
    )
