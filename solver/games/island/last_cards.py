"""Forbidden Island: the safest actions where the treasure pile runs out in the turn's draw.

What is discarded before the draw is drawn again then: the cards of a capture, cards over the hand
limit after a gift, special cards.  So gifts are followed, and special cards are weighed before the
draw, too: there they dilute the Waters Rise!, or come back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from oddsmith.kernels.island_safest import Reachable
from oddsmith.solver.games.island import engine
from oddsmith.solver.games.island.flood_losses import (
    ALL_TREASURES,
    Asked,
    Before,
    FloodLosses,
    Held,
    Losses,
)
from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.treasure_draw import (
    LIFT,
    SANDBAGS,
    Cards,
    Drawn,
    Law,
    cards,
    draw_chances,
)

Moves = tuple[int, ...]


class Hands(NamedTuple):
    """What the draw asks of the cards at the end of the actions.

    Args:
        lifts, sandbags: in all hands.
        owed: Sandbags that somebody over the hand limit gave up; they may have been played.
        used: the treasure discard.
        own_lifts, own_sandbags, held, spare: the hand of the seat to move: special cards, all
            cards, treasure cards.  0 where it can't matter.
    """

    lifts: int
    sandbags: int
    owed: int
    used: Cards
    own_lifts: int
    own_sandbags: int
    held: int
    spare: int


class Play(NamedTuple):
    """Special cards played between the last action and the draw.

    Args:
        lifts, sandbags: by anybody.
        own_lifts, own_sandbags: those of the seat to move among them.
    """

    lifts: int
    sandbags: int
    own_lifts: int
    own_sandbags: int


class Lifted(NamedTuple):
    """Pawns flown by a Helicopter Lift, and where all pawns are then (one byte a seat)."""

    seats: int
    space: int
    pawns: int


class Closing(NamedTuple):
    """A play in full: who is lifted, which spaces are sandbagged (with the Sandbags owed)."""

    play: Play
    lifted: Lifted | None
    spaces: tuple[int, ...]


class Options(NamedTuple):
    """What can be played with some hands.

    Args:
        plays: none at first.
        drawn: all that may be drawn after one of them, first what may be drawn without one.
        n_first: how many are those.
        weights: by play, then as `drawn`: their chances as numerators.
    """

    plays: list[Play]
    drawn: list[Drawn]
    n_first: int
    weights: list[list[int]]


class Found(NamedTuple):
    """The least chance of losing.

    Args:
        whole: what the chances are numerators over.
        least: the least chance.
        idle: the chance if the seat to move does nothing; None where several Lifts might lower it.
        n_states: ends of the actions looked at.
        best: the states that reach it, with the number of their hands, and what is played then.
        is_bound: several Helicopter Lifts before the draw, which are not tried, might do better.
    """

    whole: int
    least: int
    idle: int | None
    n_states: int
    best: dict[int, tuple[int, Play]]
    is_bound: bool


class LastCards:
    """The least chances of losing, cards discarded before the draw included.

    Args:
        position: in the phase of actions.
        reached: the states that the actions reach, told apart by cards.

    Raises:
        OverflowError: as FloodLosses.
    """

    def __init__(self, position: Position, reached: Reachable) -> None:
        self.position = position
        self.rules = position.rules
        self.reached = reached
        self.in_play = position.island.mask(position.island.in_play)
        self.pile = cards(position.treasure_pile)
        # The hand of the seat to move counts where it may discard between the draws, and that be
        # drawn.
        self.hand_matters = self.rules.hand_limit_between_draws and (
            self.rules.treasure_reshuffle == "on_demand" or not any(position.treasure_discard))
        read = {held: self._hands(held) for held in reached.hands()}
        self.hands = list(dict.fromkeys(hands for hands in read.values() if hands))
        plays = [_plays(hands) for hands in self.hands]
        laws = [[self._law(hands, play) for play in some]
                for hands, some in zip(self.hands, plays, strict=True)]
        every = [law for some in laws for law in some]
        self.losses = FloodLosses(position, (drawn.rises for law in every for drawn, _ in law))
        weight = lcm(*(p.denominator for law in every for _, p in law))
        self.whole = self.losses.scale * weight
        self.options = [_options(*both, weight) for both in zip(plays, laws, strict=True)]
        group = {hands: number for number, hands in enumerate(self.hands)}
        self.asked = {held: self._asked(group[hands]) for held, hands in read.items() if hands}

    def _hands(self, held: Held) -> Hands | None:
        """What counts of the cards; None while somebody has to discard."""
        lifts, hands, used, owed, discarding = held
        if discarding:
            return None
        own = _by_kind(hands[self.position.to_move])
        spare = sum(own[:LIFT]) + own[-1] if self.hand_matters else 0
        own_lifts, own_sandbags = own[LIFT] * self.hand_matters, own[SANDBAGS] * self.hand_matters
        sandbags = sum(_by_kind(hand)[SANDBAGS] for hand in hands)
        return Hands(lifts, sandbags, owed, cards(_by_kind(used)), own_lifts, own_sandbags,
                     spare + own_lifts + own_sandbags, spare)

    def _law(self, hands: Hands, play: Play) -> Law:
        used = hands.used._replace(lifts=hands.used.lifts + play.lifts,
                                   sandbags=hands.used.sandbags + play.sandbags)
        return draw_chances(self.rules, self.pile, used,
                            hands.held - play.own_lifts - play.own_sandbags, hands.spare)

    def _drawn(self, group: int) -> list[Drawn]:
        """What is drawn with each question about states with such hands.

        First those whose answers make the chance if nothing is played and the Sandbags owed are
        lost; then (the same where none are owed) those that bound what any play does: the cards
        played count as if they could be used after the draw as well.
        """
        options = self.options[group]
        return (options.drawn[:options.n_first] if self.hands[group].owed else []) + options.drawn

    def _asked(self, group: int) -> Asked:
        hands, drawn, n_first = self.hands[group], self._drawn(group), self.options[group].n_first
        return group, [(one.rises, hands.lifts + one.lifts, one.sandbags + hands.sandbags
                        + hands.owed * (number >= n_first)) for number, one in enumerate(drawn)
                       ], n_first

    def least(self) -> Found:
        """The least chance over all ends and plays."""
        ends = list(self.losses.of_states(
            self.reached, self.asked,
            {group: self._drawn(group) for group in range(len(self.hands))}).items())
        least = self.whole
        plain: list[int] = []                # by ends: the chance where nothing is played
        tries: list[tuple[int, Play, int]] = []
        for number, ((group, lose), _) in enumerate(ends):
            options = self.options[group]
            plain.append(sum(map(mul, options.weights[0], lose[:options.n_first])))
            least = min(least, plain[-1])
            at_most = min(least, plain[-1] - 1)
            tries += [(bound, play, number)
                      for bound, play in zip(self._bounds(group, lose), options.plays, strict=True)
                      if bound <= at_most]
        tries.sort()
        better: dict[int, tuple[int, int, Play]] = {}      # by state
        several_lifts = self.whole
        for bound, play, number in tries:
            (group, _), states = ends[number]
            if bound > least:
                break
            if play.lifts > 1:
                several_lifts = min(several_lifts, bound)
                continue
            known: dict[Any, int] = {}
            for state in states:
                if state in better and better[state][0] <= bound:
                    continue
                alike = self._alike(state, play)
                value = known.get(alike)
                if value is None:
                    value = known[alike] = self._weigh(state, group, play, bound, least)[0]
                if value <= least and (state not in better or value < better[state][0]):
                    better[state] = value, group, play
                    least = value
        best = {state: (group, play) for state, (value, group, play) in better.items()
                if value == least}
        for number, ((group, _), states) in enumerate(ends):
            if plain[number] == least:
                best |= dict.fromkeys(states, (group, self.options[group].plays[0]))
        return Found(self.whole, least, self._idle(*ends[0][0]),
                     sum(len(states) for _, states in ends), dict(sorted(best.items())),
                     several_lifts < least)

    def _idle(self, group: int, lose: Losses) -> int | None:
        """If the seat to move does nothing; None where several Lifts might do better."""
        options, least, several = self.options[group], self.whole, self.whole
        for play, bound in zip(options.plays, self._bounds(group, lose), strict=True):
            if play.lifts > 1:
                several = min(several, bound)
            elif bound < least:
                least = min(least, self._weigh(0, group, play, bound, least)[0])
        return None if several < least else least

    def _bounds(self, group: int, lose: Losses) -> list[int]:
        """By play: a chance that it can't beat."""
        options = self.options[group]
        used = lose[len(lose) - len(options.drawn):]
        return [sum(map(mul, weights, used)) for weights in options.weights]

    def _alike(self, state: int, play: Play) -> Any:
        """For states with the same hands: where this is equal, a play does the same."""
        before = Before(*self.reached.island(state))
        pawns_matter = play.lifts or before.captured == ALL_TREASURES
        return (self.losses.signature(before), min(before.flooded.bit_count(), play.sandbags),
                before.pawns if pawns_matter else 0)

    def _weigh(self, state: int, group: int, play: Play, bound: int,
               limit: int) -> tuple[int, Closing]:
        """The least chance with a play, and how; chances above the limit may be left out.

        Args:
            bound: no chance is below it.
        """
        before, hands = Before(*self.reached.island(state)), self.hands[group]
        options = self.options[group]
        weights, drawn = options.weights[options.plays.index(play)], options.drawn
        lifts, sandbags = hands.lifts - play.lifts, hands.sandbags - play.sandbags

        def chance(island: Before, bags: int) -> int:
            return sum(w * self.losses.least(one.rises, island, lifts + one.lifts,
                                             bags + one.sandbags)
                       for w, one in zip(weights, drawn, strict=True) if w)

        best, spent = self.whole + 1, play.sandbags + hands.owed
        choice = Closing(play, None, ())
        for lifted in self._lifts(before) if play.lifts else (None,):
            island = before if lifted is None else before._replace(pawns=lifted.pawns)
            if chance(island, sandbags + spent) > min(limit, best):
                continue
            for spaces in self._bagged(island, play.sandbags, spent):
                dry = before.flooded & ~sum(1 << space for space in spaces)
                value = chance(island._replace(flooded=dry), sandbags)
                if value < best:
                    best, choice = value, Closing(play, lifted, spaces)
                    if value == bound:
                        return best, choice
        return best, choice

    def _bagged(self, before: Before, played: int, most: int) -> Iterator[tuple[int, ...]]:
        """Spaces to sandbag: all sets of useful ones, others where that many have to be played."""
        flooded = [space for space in range(24) if before.flooded >> space & 1]
        useful = self.losses.useful(before) if most else 0
        good = [space for space in flooded if useful >> space & 1]
        others = [space for space in flooded if not useful >> space & 1]
        for n in range(min(most, len(good)) + 1):
            if n + len(others) >= played:
                for some in combinations(good, n):
                    yield (*some, *others[:max(0, played - n)])

    def _lifts(self, before: Before) -> Iterator[Lifted]:
        """Flights of a Helicopter Lift: to Fools' Landing; those who are there, anywhere."""
        landing = self.position.island.space("fools_landing")
        seats = range(self.rules.players)
        at = [before.pawns >> (8 * seat) & 0xFF for seat in seats]
        for group in range(1, 1 << self.rules.players):
            flying = [seat for seat in seats if group >> seat & 1]
            left = {at[seat] for seat in flying}
            if len(left) > 1 and self.rules.lift_from == "one_tile":
                continue
            kept = before.pawns & ~sum(0xFF << (8 * seat) for seat in flying)
            for space in range(24):
                if self.in_play >> space & 1 and space not in left and (
                        space == landing or landing in left):
                    yield Lifted(group, space, kept | sum(space << (8 * seat) for seat in flying))

    def closing(self, state: int, group: int, play: Play) -> Closing:
        """A play of `least` in full."""
        if not (play.lifts or play.sandbags or self.hands[group].owed):
            return Closing(play, None, ())
        return self._weigh(state, group, play, 0, self.whole)[1]

    def moves(self, state: int, closing: Closing) -> Moves:
        """The moves that lead to a state, all special cards before the draw included."""
        seat, play = self.position.to_move, closing.play
        spaces, codes = list(closing.spaces), []
        for code in self.reached.moves(state):
            kind, (holder, card, *_) = engine.decode(code)
            if kind == engine.DROP and card == SANDBAGS and len(spaces) > play.sandbags:
                codes.append(engine.encode(engine.SANDBAGS, holder, spaces.pop(0)))
            else:
                codes.append(code)
        hands = self._hands_after(codes)
        for k, space in enumerate(spaces):
            holder = _holder(hands, SANDBAGS, seat, k < play.own_sandbags)
            codes.append(engine.encode(engine.SANDBAGS, holder, space))
        if closing.lifted:
            holder = _holder(hands, LIFT, seat, play.own_lifts > 0)
            codes.append(engine.encode(engine.LIFT, holder, closing.lifted.seats,
                                       closing.lifted.space))
        return tuple(codes)

    def _hands_after(self, codes: Sequence[int]) -> list[list[int]]:
        table, state = engine.table(self.rules), engine.to_state(self.position)
        for code in codes:
            state = table.apply_unchecked(state, code)
        return [list(hand) for hand in table.unpack(state)["hands"]]


def _by_kind(hand: int) -> list[int]:
    return [hand >> (8 * kind) & 0xFF for kind in range(8)]


def _plays(hands: Hands) -> list[Play]:
    """All that can be played: none at first."""
    others_lifts = hands.lifts - hands.own_lifts
    others_sandbags = hands.sandbags - hands.own_sandbags
    return [Play(own_lifts + lifts, own_sandbags + sandbags, own_lifts, own_sandbags)
            for own_lifts in range(hands.own_lifts + 1) for lifts in range(others_lifts + 1)
            for own_sandbags in range(hands.own_sandbags + 1)
            for sandbags in range(others_sandbags + 1)]


def _options(plays: list[Play], laws: list[Law], weight: int) -> Options:
    drawn = list(dict.fromkeys(one for law in laws for one, _ in law))
    return Options(plays, drawn, len(laws[0]),
                   [[int(dict(law).get(one, 0) * weight) for one in drawn] for law in laws])


def _holder(hands: list[list[int]], kind: int, seat: int, own: bool) -> int:
    """Who plays a card, which leaves the hand; the seat to move if `own`, or if nobody else can."""
    order = [seat] if own else [*(k for k in range(len(hands)) if k != seat), seat]
    holder = next(k for k in order if hands[k][kind])
    hands[holder][kind] -= 1
    return holder
