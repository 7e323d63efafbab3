"""FUSE: whole games from the set-up to the end, in plain Python.

Written only from the rules page (docs/rules/fuse.md), on top of `fuse_rules.py` (what each rule
decides), `fuse_bombs.py` (the cards by themselves), `fuse_decks.py`, `fuse_table.py` (options, the
state) and `fuse_setup.py` (the deal, the deck). A game is a chain of immutable States: `outcomes`
where chance decides, `moves` where a player or the team does, and `apply` for both. The phases:
  "deal", "centre" - chance: a bomb card of the set-up.
  "time" - chance, only where the pace is a distribution: the seconds of the roll that begins.
  "draw" - chance: a die drawn and rolled, (colour, number). One by one.
  "take" - the team: ("take", seat, die, bomb, slot), ("clear", seat, bomb) or ("stop",). It ends by
     itself when no die can be taken and no bomb be cleared.
  "pick" - whoever defused a bomb: ("pick", bomb).
  "reveal" - chance: a card of the deck.
  "fuse" - the next player hit by a fuse card: ("remove", seat, bomb, slot).
  "unplaced" - the team: ("roll", colour), the die that is rolled again next.
  "reroll" - chance: its number.
  "remove" - the next player hit by it: ("remove", seat, bomb, slot).
Players who can't remove anything are passed over. A decision with a single choice is still one.

How open points are read:

Cards
 1. "at most 5 dice a colour": on the bomb itself, with what lies on it. Dice elsewhere don't count.
 2. `any_not_yet_violated`: only signs between dice that lie there are looked at. = with three or
    more operands is violated by two different ones, ≠ by two alike; an order or a sum when all its
    dice lie there. So a 1 may be placed left of >.
 3. `whole`: joins the links [#/c]=[#/c] that hang together by a common slot; a link by itself stays
    as it is.
 4. `≠` over more than two slots: all different.
Set-up
 5. Bombs are dealt seat by seat, the first and the second. A second one that isn't 1 or 2 is laid
    aside until there is one, so the second is uniform among the cards worth 1 or 2. A first bomb
    of unknown value that is taken to be worth 5 is one worth "3 or more".
 6. "worth": a card without known value is worth `unknown_points` wherever a value is asked for, but
    it is none of the five 6-point bombs, even if it is worth 6.
 7. A deck size of one's own has no insane rule. A deck smaller than 5 is all in the centre.
 8. `chosen_values`: so many of each value are in the bomb deck, which replaces the level's number;
    the centre's 5 are among them, the opening hands aren't. They are dealt "from the bombs that the
    bomb deck doesn't need": of each value as many as are over, any of its cards alike. `level` =
    insane still decides whether hands must be defused.
 9. Which of the cards in the box are in the deck isn't known to the team: what is turned up is a
    bomb or a fuse card by how many of each are left, and uniform among those not seen yet.
10. `edition` = 2019: no fuse cards unless `fuse_cards` says how many; all else as in 2015.
Time
11. "roll k counts if it ends by 600 s": a turn whose roll would end later isn't played; the game is
    lost before it. "If the time is used up, the game is lost by time; else if the bag is empty, by
    the bag; else the roll's length is added": an empty bag comes before a roll that is too long.
12. The time left is what remains at the end of the roll in which the game is won.
13. normal, lognormal: mean and standard deviation of the seconds; a normal time of 0 or less is drawn
    again.
Taking
14. Within the limits the team takes in any order: a seat's two dice needn't follow each other.
15. `solo_dice` = one: one of the three dice is placed at most.
16. `two_player_same_bomb` = false: with two players a bomb takes one die a turn. Solo: no limit.
17. A bomb taken in this turn can get dice in this turn. Cards go to the hand empty.
18. `decline` = forbidden: stopping isn't allowed while a seat with a take left could place a die.
    What is placed where remains free, even if then fewer dice can be placed.
19. Clearing a bomb: in the take phase, between two dice or before stopping, any number of bombs that
    hold dice and that no faces (at most 5 a colour) could finish. All its dice return to the bag;
    it isn't a take.
20. `covered_dice_safe` = false: what lay above a removed die stays ("placed dice never move"); the
    empty slot takes a die again if what is beneath it is filled.
Defusing
21. `pick` = easy_if_hard: only 3s and 4s count, in the hand (without the bomb just defused) and in
    the centre; a 6 is neither. Forced: the centre has nothing else.
22. A fuse card acts before the next card is drawn, in the order of the seats from seat 0, on the dice
    of all bombs in hand. Covered dice are safe from it too, and `removal` is about it too.
23. The last centre bomb ends the game before the rest of the roll. If fuse cards are still in the
    deck then (decks of one bomb), they are revealed first.
24. Insane: with the centre and the deck empty a defused bomb isn't replaced; the game is won when no
    player has a bomb.
Unplaced dice
25. Only the colour of an unplaced die stays; every unplaced die is rolled again, one by one.
26. Players remove in the order of the seats from seat 0. `all`: which dice are safe is decided once,
    when the number is known; a die that was covered then stays.
Score
27. A fuse card counts when it is revealed, also if nobody removes a die. A lost game scores bombs and
    fuse cards.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .fuse_bombs import (
    COLORS,
    FUSES,
    NUMBERS,
    Bomb,
    Dice,
    Die,
    accepts,
    completable,
    not_violated,
    put,
    supported,
)
from .fuse_counts import count_placed, count_refused, count_strike
from .fuse_rules import FIRED, RULES, fired, fired_option
from .fuse_setup import (
    SETUP_PHASES,
    Chooser,
    deck_outcomes,
    new_game,
    out_of_deck,
    setup_outcomes,
    setup_step,
)
from .fuse_table import (
    CENTRE,
    HARD_PICK,
    Choice,
    Options,
    State,
    Strike,
    color_counts,
    deck_left,
    into_bag,
    on_bomb,
    removable,
    replace,
    take_off,
    with_bomb,
    with_dice,
    with_hand,
)

__all__ = ["FIRED", "RULES", "Options", "State", "apply", "deal", "decider", "moves", "new_game"]
__all__ += ["outcomes", "result", "score", "step", "turn"]

CHANCE = (*SETUP_PHASES, "time", "draw", "reveal", "reroll")
WON_POINTS, SECONDS_A_POINT, FUSE_POINTS = 10, 10, 2


def turn(state: State) -> str:
    """Who is next: "team", "player", "chance", or nobody ("over")."""
    if state.phase in CHANCE:
        return "chance"
    if state.phase in ("take", "unplaced"):
        return "team"
    return "over" if state.phase == "over" else "player"


def decider(state: State) -> int | None:
    """The seat whose choice it is; None where the team decides, or chance."""
    if state.phase == "pick":
        return state.picker
    return state.due[0] if state.phase in ("fuse", "remove") else None


def result(state: State) -> tuple[str, ...] | None:
    """("win",) or ("lost", "time" or "bag") when the game is over."""
    return state.result


def score(options: Options, state: State) -> int:
    """The points of a game that is over."""
    won = state.result == ("win",)
    points = sum(options.value(bomb) for bomb in state.defused)
    points += FUSE_POINTS * len(state.activated)
    fired("score.bombs", state.defused)
    fired("score.fuses", state.activated)
    unknown = any(options.bombs[bomb].points is None for bomb in state.defused)
    fired("score.unknown", unknown)
    fired_option("unknown_points", "2" if options.unknown_points == 2 else "other", unknown)
    if not won:
        fired("score.lost")
        return points
    fired("score.won")
    left = (Fraction(options.seconds) - state.used) // SECONDS_A_POINT
    fired("score.time", left)
    return points + WON_POINTS + left


def deal(options: Options, chooser: Chooser) -> State:
    """The first roll is due; the chooser gets each state of the set-up and its outcomes."""
    state = new_game(options)
    while state.phase in SETUP_PHASES:
        state = apply(options, state, chooser(state, outcomes(options, state)))
    return state


# Chance


def outcomes(options: Options, state: State) -> list[tuple[Any, int]]:
    """What can come next by chance, with integer weights."""
    if state.phase in SETUP_PHASES:
        return setup_outcomes(options, state)
    if state.phase == "time":
        assert isinstance(options.seconds_per_roll, tuple)
        if options.pace != "list":
            raise ValueError("a continuous distribution: any time over 0, see fuse_table.drawn_time")
        times = options.seconds_per_roll[1:]
        return [(Fraction(time), times.count(time)) for time in sorted(set(times))]
    if state.phase == "draw":
        bag = zip(COLORS, state.bag, strict=True)
        return [((color, n), left) for color, left in bag if left for n in NUMBERS]
    if state.phase == "reveal":
        return deck_outcomes(state)
    assert state.phase == "reroll", f"no chance in phase {state.phase}"
    return [(number, 1) for number in NUMBERS]


def begin_turn(options: Options, state: State) -> State:
    """Time is left, and a die in the bag: how long is the roll? A step of chance if it isn't fixed."""
    state = replace(
        state, taken=(0,) * options.players, placed_on=(), new=(), strike=None, phase="time"
    )
    fired("draw.next_turn", state.rolls)
    if state.used >= options.seconds:
        return with_time(options, state, Fraction(1))  # any length is too long
    if not sum(state.bag):
        fired("lose.bag")
        return over(state, "lost", "bag")
    if isinstance(options.seconds_per_roll, tuple):
        return state
    fired_option("seconds_per_roll", "number")
    return with_time(options, state, Fraction(options.seconds_per_roll))


def with_time(options: Options, state: State, time: Fraction) -> State:
    """ "roll k counts if it ends by 600 s"."""
    used, seconds = state.used + time, Fraction(options.seconds)
    fired_option("seconds", "600" if seconds == 600 else "other", used > min(seconds, Fraction(600)))
    if used > seconds:
        fired("lose.time")
        return over(state, "lost", "time")
    fired("time.last_roll", used == seconds)
    in_bag = sum(state.bag)
    rule = {1: "draw.three_solo", 2: "draw.four_with_two"}
    fired(rule.get(options.players, "draw.as_many_as_players"))
    fired("draw.fewer", in_bag < options.dice_rolled)
    number = min(in_bag, options.dice_rolled)
    return replace(state, used=used, rolls=state.rolls + 1, to_draw=number, phase="draw")


def draw_die(options: Options, state: State, die: Die) -> State:
    """A die comes out of the bag, rolled."""
    fired("draw.by_colour", len(set(state.bag) - {0}) > 1)
    bag = tuple(n - m for n, m in zip(state.bag, color_counts((die,)), strict=True))
    rolled = tuple(sorted((*state.rolled, die)))
    state = replace(state, bag=bag, rolled=rolled, to_draw=state.to_draw - 1)
    return state if state.to_draw else replace(state, phase="take")


def reveal(options: Options, state: State, card: str) -> State:
    """ "the centre is refilled from the deck"."""
    state = out_of_deck(state, card)
    if card not in FUSES:
        fired("refill.bomb")
        return refill(options, replace(state, centre=tuple(sorted((*state.centre, card)))))
    fuse = FUSES[card]
    fired("fuse.number" if fuse.color is None else "fuse.color")
    fired("fuse.in_a_row", state.strike is not None)
    fired("fuse.last_of_deck", not deck_left(state))
    state = replace(state, activated=(*state.activated, card))
    return struck(options, state, (fuse.color, fuse.number), "fuse")


# Dice that are hit


def struck(options: Options, state: State, strike: Strike, phase: str) -> State:
    """ "every player removes one own placed die …, if he has one that is not safe"."""
    found = [removable(options, state, seat, strike) for seat in range(options.players)]
    count_strike(options, state, strike, phase, found)
    state = replace(state, strike=strike, phase=phase)
    if options.removal == "all":
        for seat, dice in enumerate(found):
            for bomb, slot in dice:
                state = take_off(state, seat, bomb, slot)
        found = []
    return after_removal(options, replace(state, due=tuple(s for s, d in enumerate(found) if d)))


def after_removal(options: Options, state: State) -> State:
    """The next player who has to remove a die; else what comes after this strike."""
    if state.due:
        return state
    if state.phase == "fuse":
        fired("fuse.next_card", deck_left(state))
        return refill(options, state)
    assert state.strike is not None
    color, number = state.strike
    assert color is not None
    assert number is not None
    fired("unplaced.back")
    return next_unplaced(options, into_bag(replace(state, strike=None), (color, number)))


def next_unplaced(options: Options, state: State) -> State:
    """ "Then the unplaced dice, one at a time"; after the last one the next turn begins."""
    if state.unplaced:
        return replace(state, phase="unplaced")
    return begin_turn(options, state)


# Taking


def verdict(options: Options, bomb: Bomb, dice: Dice, slot: int, die: Die) -> str:
    """ "" if the die may be placed on this empty slot; else the rule that forbids it."""
    return refused(bomb, dice, slot, die, options.placement == "completable", options.whole)


@lru_cache(maxsize=100_000)
def refused(bomb: Bomb, dice: Dice, slot: int, die: Die, to_finish: bool, whole: bool) -> str:
    """`verdict` by what it depends on: the same is asked again and again in a game."""
    if not accepts(bomb, slot, die):
        return "take.not_accepted"
    if not supported(bomb, dice, slot):
        stack = len(bomb.supports[slot]) == 1
        return "take.stack_bottom_up" if stack else "take.pyramid_under"
    after = put(dice, slot, die)
    if not not_violated(bomb, after, whole):
        return "take.sign_broken"
    if to_finish and not completable(bomb, after, whole):
        sixth = completable(bomb, after, whole, limited=False)
        return "take.five_of_a_colour" if sixth else "take.not_completable"
    return ""


def may_get_a_die(options: Options, state: State, bomb: str) -> bool:
    """Whether this bomb isn't closed for the turn."""
    one_a_turn = options.players == 2 and not options.two_player_same_bomb
    return not (one_a_turn and bomb in state.placed_on)


def takes(options: Options, state: State) -> Iterator[Choice]:
    """Who can take which die and place it where."""
    for seat, hand in enumerate(state.hands):
        if state.taken[seat] >= options.takes:
            continue
        for die in sorted(set(state.rolled)):
            for bomb, dice in hand:
                if not may_get_a_die(options, state, bomb):
                    continue
                for slot in [each for each, lying in enumerate(dice) if lying is None]:
                    if not verdict(options, options.bombs[bomb], dice, slot, die):
                        yield "take", seat, die, bomb, slot


def can_take(options: Options, state: State) -> bool:
    """Whether any die can be taken."""
    return next(takes(options, state), None) is not None


def may_take(
    options: Options, state: State, seat: int, die: Die, bomb: str, slot: int
) -> bool:
    """Whether this is one of `takes`."""
    dice = dict(state.hands[seat]).get(bomb)
    if dice is None or die not in state.rolled or state.taken[seat] >= options.takes:
        return False
    if dice[slot] is not None or not may_get_a_die(options, state, bomb):
        return False
    return not verdict(options, options.bombs[bomb], dice, slot, die)


def clears(options: Options, state: State) -> list[Choice]:
    """ "the owner may clear a bomb that can't be finished any more"."""
    if options.placement != "any_not_yet_violated":
        return []
    found: list[Choice] = []
    for seat, hand in enumerate(state.hands):
        for bomb, dice in hand:
            if any(dice) and not completable(options.bombs[bomb], dice, options.whole):
                found.append(("clear", seat, bomb))
    return found


def may_stop(options: Options, state: State) -> bool:
    """`decline`: whether dice may stay over that could be placed."""
    return options.decline == "allowed" or not can_take(options, state)


def take(options: Options, state: State, seat: int, die: Die, bomb: str, slot: int) -> State:
    """The player takes this die and places it."""
    card, before = options.bombs[bomb], on_bomb(state, seat, bomb)
    after = put(before, slot, die)
    count_placed(options, state, seat, die, bomb, slot)
    rolled = list(state.rolled)
    rolled.remove(die)
    taken = tuple(n + (each == seat) for each, n in enumerate(state.taken))
    on = tuple(sorted({*state.placed_on, bomb}))
    state = with_dice(state, seat, bomb, after)
    state = replace(state, rolled=tuple(rolled), taken=taken, placed_on=on)
    if options.placement == "any_not_yet_violated":
        lost_for_good = not completable(card, after, options.whole)
        fired_option("placement", "any_not_yet_violated", lost_for_good)
    return state if None in after else defuse(options, state, seat, bomb)


def clear(options: Options, state: State, seat: int, bomb: str) -> State:
    """All dice of this bomb return to the bag."""
    fired("clear.owner")
    dice = [die for die in on_bomb(state, seat, bomb) if die]
    return into_bag(with_bomb(options, state, seat, bomb), *dice)


def stop(options: Options, state: State) -> State:
    """What wasn't taken is unplaced."""
    could = can_take(options, state)
    fired("take.declined", could)
    fired_option("decline", "allowed", could)
    fired("take.all_placed", not state.rolled)
    colors = tuple(color for color in COLORS for die in state.rolled if die[0] == color)
    return next_unplaced(options, replace(state, unplaced=colors, rolled=()))


# Defusing


def defuse(options: Options, state: State, seat: int, bomb: str) -> State:
    """ "its dice return to the bag, its player takes a centre bomb of his choice"."""
    fired("defuse.at_once")
    fired("defuse.dice_back")
    fired("defuse.before_next", state.rolled)
    hand = dict(state.hands[seat])
    state = into_bag(state, *[die for die in hand.pop(bomb) if die])
    state = replace(with_hand(state, seat, hand), defused=(*state.defused, bomb))
    if state.centre:
        return replace(state, phase="pick", picker=seat)
    fired("pick.nothing_left")
    return go_on(options, state)


def picks(options: Options, state: State) -> list[str]:
    """The centre bombs that this player may take."""
    assert state.picker is not None
    hard = [bomb for bomb in state.centre if options.value(bomb) in HARD_PICK]
    easy = [bomb for bomb in state.centre if bomb not in hard]
    holds = any(options.value(bomb) in HARD_PICK for bomb, _ in state.hands[state.picker])
    fired_option("pick", options.pick, holds and hard and easy)
    if options.pick == "free" or not holds:
        return list(state.centre)
    fired("pick.forced", not easy)
    return easy or hard


def pick(options: Options, state: State, bomb: str) -> State:
    """The player takes this bomb."""
    assert state.picker is not None
    fired("pick.choice", len(state.centre) > 1)
    centre = tuple(each for each in state.centre if each != bomb)
    state = with_bomb(options, replace(state, centre=centre), state.picker, bomb)
    new = tuple(sorted((*state.new, bomb)))
    return refill(options, replace(state, picker=None, new=new, strike=None))


def refill(options: Options, state: State) -> State:
    """The next card of the deck, "until the centre holds 5 or the deck is out"."""
    if len(state.centre) < CENTRE and deck_left(state):
        return replace(state, phase="reveal")
    fired("refill.deck_out", len(state.centre) < CENTRE)
    return go_on(options, replace(state, strike=None))


def go_on(options: Options, state: State) -> State:
    """A bomb was defused: "Win the moment the last centre bomb is taken"; else the roll goes on."""
    out = not state.centre and not deck_left(state)
    in_hand = any(state.hands)
    if out and options.level == "insane":
        fired_option("insane_hands", options.insane_hands, in_hand)
    if out and not (options.insane and in_hand):
        fired("win.hands_defused" if options.insane else "win.last_centre")
        fired("win.dice_left", state.rolled)
        return over(state, "win")
    fired("win.not_yet", out)
    return replace(state, phase="take")


# The moves, and what happens by itself


def over(state: State, *how: str) -> State:
    return replace(state, phase="over", result=how)


def moves(options: Options, state: State) -> list[Choice]:
    """The legal choices; empty where chance decides or the game is over."""
    if state.phase == "take":
        count_refused(options, state, verdict, may_get_a_die)
        stopping = may_stop(options, state)
        fired_option("decline", "forbidden", not stopping)
        if options.placement == "any_not_yet_violated":
            for hand in state.hands:
                for bomb, dice in hand:
                    rest = completable(options.bombs[bomb], dice, options.whole)
                    fired("clear.not_needed", any(dice) and rest)
        found = [*takes(options, state), *clears(options, state)]
        return [*found, ("stop",)] if stopping else found
    if state.phase == "pick":
        return [("pick", bomb) for bomb in picks(options, state)]
    if state.phase == "unplaced":
        return [("roll", color) for color in COLORS if color in state.unplaced]
    if state.phase in ("fuse", "remove"):
        seat, strike = state.due[0], state.strike
        assert strike is not None
        return [("remove", seat, *place) for place in removable(options, state, seat, strike)]
    return []


def may(options: Options, state: State, choice: Choice) -> bool:
    """Whether it is one of `moves`, without a list of all dice that can be taken."""
    kind, *rest = choice
    if state.phase != "take":
        return choice in moves(options, state)
    if kind == "take":
        return may_take(options, state, *rest)
    return choice in clears(options, state) or (kind == "stop" and may_stop(options, state))


def apply(options: Options, state: State, choice: Any) -> State:
    """The state after this outcome or move, which must be one of those that are offered."""
    if state.phase == "time" and options.pace != "list":
        legal = choice > 0
    elif turn(state) == "chance":
        legal = choice in dict(outcomes(options, state))
    else:
        legal = may(options, state, choice)
    if not legal:
        raise ValueError(f"{choice} in phase {state.phase}")
    return step(options, state, choice)


def step(options: Options, state: State, choice: Any) -> State:
    """`apply` without the look at what is offered."""
    after = stepped(options, state, choice)
    return settled(options, begin_turn(options, after) if after.phase == "begin" else after)


def settled(options: Options, after: State) -> State:
    """ "It ends by itself when no die can be taken and no bomb be cleared"."""
    if after.phase == "take" and not can_take(options, after) and not clears(options, after):
        seats = zip(after.hands, after.taken, strict=True)
        takers = any(hand and taken < options.takes for hand, taken in seats)
        fired("take.none_fits", after.rolled and takers)
        count_refused(options, after, verdict, may_get_a_die)
        after = stop(options, after)
    return after


def stepped(options: Options, state: State, choice: Any) -> State:
    if state.phase in SETUP_PHASES:
        return setup_step(options, state, choice)
    if state.phase == "time":
        fired("time.drawn")
        fired_option("seconds_per_roll", options.pace)
        return with_time(options, state, Fraction(choice))
    if state.phase == "draw":
        return draw_die(options, state, choice)
    if state.phase == "reveal":
        return reveal(options, state, choice)
    if state.phase == "reroll":
        fired("unplaced.rerolled")
        assert state.strike is not None
        return struck(options, state, (state.strike[0], choice), "remove")
    kind, *rest = choice
    if kind == "take":
        return take(options, state, *rest)
    if kind == "clear":
        return clear(options, state, *rest)
    if kind == "stop":
        return stop(options, state)
    if kind == "pick":
        return pick(options, state, *rest)
    if kind == "roll":
        fired("unplaced.order", len(set(state.unplaced)) > 1)
        fired("unplaced.one_at_a_time", len(state.unplaced) > 1)
        colors = list(state.unplaced)
        colors.remove(rest[0])
        return replace(state, unplaced=tuple(colors), strike=(rest[0], None), phase="reroll")
    assert kind == "remove", kind
    fired("remove.back")
    return after_removal(options, replace(take_off(state, *rest), due=state.due[1:]))
