"""What a Stone Age position must have for its phase: who can be next, what is acted on, gifts.

The kernel trusts these numbers.  Nothing is refused that a game can come to.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from oddsmith.solver.games.stone_age.notation import levels
from oddsmith.solver.games.stone_age.position import (
    CAUSE_WORDS,
    Player,
    Position,
    packed,
    start_acts,
)
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    CROWD,
    FOREST,
    GOODS,
    HUNT,
    KINDS,
    MOST_TOOLS,
    PLACES,
    TILE,
    card,
    kind_brought,
    table,
)
from oddsmith.solver.soundness import Fault

Path = tuple[str | int, ...]
PHASE: Path = ("table", "phase")
PLACE: Path = ("table", "place")


def check_phase(position: Position) -> Iterator[Fault]:
    """Every fault of the phase."""
    yield from _check_round(position)
    yield from _check_turns(position)
    yield from _check_action(position)
    if position.phase in ("roll", "tools"):
        yield from _check_roll(position)
    yield from _check_gifts(position)


def _bought(player: Player, top: str) -> bool:
    return any(card(number).top == top for number in player.cards)


def _in_actions(position: Position) -> bool:
    """Whether somebody's action turn goes on."""
    return position.round > 0 and not start_acts(position.phase, position.round, position.feeding)


# Rounds ------------------------------------------------------------------------------------------


def _check_round(position: Position) -> Iterator[Fault]:
    rules, phase = position.rules, position.phase
    path = ("table", "round")
    bought = any(player.cards or player.tiles for player in position.players)
    if (position.round == 0) != (phase == "start player" or (
            phase == "turn tile" and not any(position.display) and not bought)):
        yield Fault(path, f"round {position.round} can't be in the phase {phase!r}",
                    "round 0 is the set-up")
    elif position.round > rules.max_rounds:
        yield Fault(path, f"there is no round {position.round}",
                    f"max_rounds is {rules.max_rounds}")
    if position.round == 0:
        for seat, player in enumerate(position.players):
            if player != Player(name=player.name, food=rules.start_food,
                                people=rules.start_people):
                yield Fault(("player", seat), f"player {seat + 1} has had a turn",
                            "in round 0 everybody has what the game starts with")
    if phase in ("deal", "over") and position.cause in ("", "cards") and (
            sorted(map(bool, position.display), reverse=True) != list(map(bool, position.display))):
        yield Fault(("table", "cards"), "an empty place lies before a card",
                    "the cards slide together before new ones are dealt")
    if phase == "over" and position.cause != position.end:
        yield Fault(("table", "cause"), "this does not end the game",
                    f"it isn't so that {CAUSE_WORDS[position.cause]}",
                    f'cause = "{position.end}"' if position.end else "another phase")
    if phase in ("deal", "placing", "how many"):
        for k, left in enumerate(position.stacks):
            if left == 0:
                yield Fault(("table", "stacks", k), f"stack {k + 1} is empty",
                            "the game was over at the end of the last round")


# Whose turn --------------------------------------------------------------------------------------


def _check_turns(position: Position) -> Iterator[Fault]:
    phase, n, acting = position.phase, len(position.players), position.acting
    order = [(position.start + k) % n for k in range(n)]
    acts = _in_actions(position)
    if phase not in ("over", "gift", "raising") and position.round:
        if not acts and acting != position.start:
            yield Fault(("table", "acting"), f"player {acting + 1} can't act next",
                        f"in the phase {phase!r} the next actions are the start player's",
                        f"acting = {position.start + 1}")
        if acts and acting != position.to_move:
            yield Fault(("table", "acting"), f"it is player {acting + 1}'s action turn",
                        f"in the phase {phase!r} player {position.to_move + 1} is to move, "
                        "and each acts for himself", f"acting = {position.to_move + 1}")
    if phase == "deal" and position.to_move != position.start:
        yield Fault(("table", "to_move"), f"player {position.to_move + 1} can't be first to place",
                    f"the start player is player {position.start + 1}")
    done = order[: order.index(acting)] if acts else (
        [] if phase in ("placing", "how many") else order)
    for seat in done:
        if position.players[seat].placed:
            yield Fault(("player", seat, "placed"), f"people of player {seat + 1} are placed",
                        f"it is player {acting + 1}'s action turn, after his" if acts else
                        f"nobody's are in the phase {phase!r}")
    fresh = order[order.index(acting) + 1 :] if acts else (
        order if phase in ("deal", "placing", "how many") else [])
    for seat in fresh:
        if position.players[seat].used:
            yield Fault(("player", seat, "used"), f"player {seat + 1} has used no tool yet",
                        "his actions of the round are still to come")


# What is acted on --------------------------------------------------------------------------------


def _check_action(position: Position) -> Iterator[Fault]:
    """That what the phase is about can be."""
    phase, place, n = position.phase, position.place, len(position.players)
    mover = position.players[position.to_move]
    gap = not all(position.display)
    if phase == "how many" and not HUNT <= place < CARD:
        yield Fault(PLACE, "no number of people is asked for", 'place = "forest", "hunt", ...')
    if phase == "acting" and not mover.placed:
        yield Fault(("table", "to_move"), f"player {position.to_move + 1} has no people to act",
                    "placed tells where they are")
    if phase == "turn tile":
        if not position.stacks[place]:
            yield Fault(PHASE, "no tile can be turned up", f"stack {place + 1} is empty")
        elif position.round and not (mover.tiles
                                     and position.stacks[place] < position.rules.stack_size):
            yield Fault(PHASE, "no tile can be turned up",
                        f"player {position.to_move + 1} has bought none from stack {place + 1}")
    if phase == "paying":
        offered = (position.display[place - CARD] if CARD <= place < TILE
                   else position.tops[place - TILE] if TILE <= place < TILE + n else 0)
        if not offered:
            yield Fault(PHASE, "there is nothing to pay for", 'place = "card 1", "tile 2", ...')
    if phase in ("roll", "tools", "paying") and place in dict(mover.placed):
        yield Fault(("player", position.to_move, "placed", PLACES[place]),
                    f"the people on the {PLACES[place]} act now",
                    "placed has those who haven't acted yet")
    if phase == "extra card" and not (_bought(mover, "extra_card") and mover.extra is None and gap):
        yield Fault(PHASE, "no extra card is due", "it comes with the card that gives the deck's "
                    "top card, once")
    if phase == "gift roll" and not (_bought(mover, "gift") and gap):
        yield Fault(PHASE, "no gift is due", f"player {position.to_move + 1} has no card that "
                    "gives one" if gap else "no card was bought in this round")
    low, slots = mover.tools // 3, levels(mover.tools)
    if phase == "raising" and (mover.tools == MOST_TOOLS
                               or not 0 < mover.used.count(low) < slots.count(low)):
        yield Fault(PHASE, "there is no choice of the tool that rises",
                    "of the lowest slots some are used and some ready")
    if phase == "choosing" and (not _bought(mover, "two") or mover.two):
        yield Fault(PHASE, "no two resources are to be chosen",
                    f"player {position.to_move + 1} has not bought the card that gives them"
                    if not mover.two else "the card is still held: two_card",
                    "" if not mover.two else "leave out two_card, or another phase")
    if phase == "choosing" and position.feeding and position.rules.choose_two == "at_once":
        yield Fault(("table", "feeding"), "no two resources are chosen in feeding",
                    "choose_two = at_once takes them when the card is bought")
    if phase == "feeding" or (phase == "choosing" and position.feeding):
        most = mover.people - mover.track
        if not 0 < position.sum <= most:
            yield Fault(("table", "missing") if position.sum else PHASE,
                        f"{position.sum} food can't be missing" if position.sum else
                        "no food is missing",
                        f"{mover.people} people eat, the food track brings {mover.track}",
                        "missing = 2" if most > 1 else "")
        elif mover.food:
            yield Fault(("player", position.to_move, "food"),
                        f"{mover.food} food is left while {position.sum} is missing",
                        "all food is paid first", "food = 0")
    if position.feeding != (phase == "feeding") and phase not in ("choosing", "over"):
        yield Fault(("table", "feeding"), f"feeding can't be so in the phase {phase!r}")


def _check_roll(position: Position) -> Iterator[Fault]:
    """That so many people, or such a card, can have rolled for this good there."""
    place, phase, rules = position.place, position.phase, position.rules
    mover = position.players[position.to_move]
    good = (*KINDS, "food")[position.kind]
    if HUNT <= place < CARD:
        if position.kind != kind_brought(place):
            yield Fault(("table", "good"), f"nobody rolls for {good} there",
                        f"the {PLACES[place]} brings {GOODS[place - HUNT]}")
        most = mover.people - sum(n for _, n in mover.placed)
        there = f"of player {position.to_move + 1}'s {mover.people} people others are placed"
        if place >= FOREST:
            others = sum(dict(player.placed).get(place, 0) for player in position.players)
            if most > CROWD - others:
                most, there = CROWD - others, f"the {PLACES[place]} takes {CROWD} in all"
        dice = range(1, most + 1)
    elif CARD <= place < TILE:
        rolls = [one for one in map(card, mover.cards) if one.top == "roll" and one.kind == good]
        dice, there = range(2, 3), "a card rolls two dice"
        if not rolls or position.display[place - CARD]:
            yield Fault(PLACE, f"no card that rolls for {good} was bought there",
                        f"player {position.to_move + 1} must have it, and its place be empty")
        if phase == "tools" and not rules.tools_on_card_roll:
            yield Fault(PHASE, "no tool can be added", "tools_on_card_roll is false")
    else:
        yield Fault(PLACE, "nobody rolls there", 'place = "hunt", "river", "card 1", ...')
        return
    if phase == "roll":
        if not position.dice or rules.dice != "six_sided":
            yield Fault(PHASE, "there are no dice to roll", "dice = 3" if not position.dice else
                        f'dice = {rules.dice} in the rules')
        elif position.dice not in dice:
            yield Fault(("table", "dice"), f"{position.dice} dice can't be rolled", there)
        return
    if not position.sum or not (mover.one_use or len(mover.used) < len(levels(mover.tools))):
        yield Fault(PHASE, "no tool is ready" if position.sum else "nothing was rolled",
                    "tools, less used, and one_use" if position.sum else "sum = 9")
    elif not any(_can_show(n, position.sum, rules.dice) for n in dice):
        yield Fault(("table", "sum"), f"a sum of {position.sum} can't have been rolled",
                    there if position.sum > 1 else "")


def _can_show(n: int, pips: int, dice: str | int) -> bool:
    if dice == "six_sided":
        return n <= pips <= 6 * n
    return pips == int(2 * float(dice)) * n // 2


# Gifts -------------------------------------------------------------------------------------------


def _check_gifts(position: Position) -> Iterator[Fault]:
    phase, place, n, gifts = position.phase, position.place, len(position.players), position.gifts
    due = (phase == "gift" and place < len(gifts) and position.to_move in gifts[place][1])
    if phase == "gift" and not due:
        yield Fault(PHASE, "there is no die to take", "[[table.gifts]] with dice and seats")
    for k, (dice, seats) in enumerate(gifts):
        path: Path = ("table", "gifts", k, "dice")
        if len(dice) != len(seats) or not dice or len(set(seats)) < len(seats):
            yield Fault(path, f"{len(dice)} dice for {len(seats)} seats", "each seat takes one")
        elif phase == "gift" and k == place and len(set(dice)) == 1:
            yield Fault(path, "there is no choice of a die",
                        "where all are alike they are taken unasked")
    bought = sum(card(number).top == "gift" for player in position.players
                 for number in player.cards)
    needed = len(gifts) + (phase == "gift roll")
    if needed > bought:
        yield Fault(("table", "gifts"), f"{needed} gifts are open",
                    f"players have bought {bought} cards that give one")
    acting = position.acting
    clockwise = [(acting + k) % n for k in range(n)]
    if position.rules.dice_gift == "at_once":
        yield from _check_gift_at_once(position, clockwise)
        return
    if phase in ("gift", "raising") and position.to_move != acting:
        yield Fault(("table", "to_move"), f"it is player {acting + 1}'s action turn",
                    "dice_gift = on_own_turn: each takes a die in his own")
    for k, (_, seats) in enumerate(gifts):
        # The oldest gift comes first, and a die is taken before anything else is done.
        early = k < place if phase == "gift" else _in_actions(position) and phase != "raising"
        if acting in seats and early:
            yield Fault(("table", "gifts", k, "seats"),
                        f"player {acting + 1} has yet to take a die of this gift",
                        "dice_gift = on_own_turn: the oldest gift first, before one's actions")
        if len(seats) == n and phase != "gift":
            yield Fault(("table", "gifts", k, "seats"), "the buyer has yet to take a die",
                        "he takes one at once")


def _check_gift_at_once(position: Position, clockwise: list[int]) -> Iterator[Fault]:
    """Clockwise from the buyer, whose action turn it is, until all have one."""
    phase, gifts, mover = position.phase, position.gifts, position.to_move
    if gifts and phase not in ("gift", "raising"):
        yield Fault(("table", "gifts"), "a gift is open",
                    f"dice_gift = at_once: none is in the phase {phase!r}")
        return
    if len(gifts) > 1:
        yield Fault(("table", "gifts"), f"{len(gifts)} gifts are open",
                    "dice_gift = at_once: there is one at a time")
        return
    if phase not in ("gift", "raising"):
        return
    if (gifts or mover != position.acting) and not _bought(position.players[position.acting],
                                                           "gift"):
        yield Fault(("table", "acting"), f"player {position.acting + 1} has bought no gift",
                    "the buyer acts, and takes the first die")
    at = clockwise.index(mover) + (phase == "raising")
    left = sorted(clockwise[at:])
    # A tool that rises without a gift is one of the place or card that is acted on.
    if (gifts and list(gifts[0][1]) != left) or (not gifts and left and mover != position.acting):
        seats = ", ".join(str(seat + 1) for seat in left)
        yield Fault(("table", "gifts", 0, "seats"),
                    f"player {mover + 1} can't be the one who takes a die now",
                    "dice are taken clockwise, the buyer first",
                    f"seats = [{seats}], as player {position.acting + 1} acts" if left else "")


# What the kernel knows ---------------------------------------------------------------------------


def check_decision(position: Position) -> Iterator[Fault]:
    """That the seat to decide has something to decide, and is next to place.

    The rest of the position is sound.
    """
    game = table(position.rules)
    state = game.pack(packed(position))
    turn, phase = game.turn(state), position.phase
    path: Path = ("table", "to_move")
    if phase in ("placing", "how many"):
        yield from _check_order(position)
    if turn >= 0:
        n = game.n_moves(state)
        if n == 0:
            yield Fault(path, f"player {turn + 1} has no move", f"in the phase {phase!r}",
                        "another phase, or another to_move")
        elif n == 1 and phase not in ("placing", "acting"):
            yield Fault(path, f"player {turn + 1} has nothing to decide",
                        f"in the phase {phase!r}: he has one move, which is made unasked")
    if turn == -1 and not game.outcomes(state):
        yield Fault(PHASE, "nothing is left that chance could bring")


def _places_open(position: Position, seat: int) -> set[int]:
    """Where a seat could place people now."""
    game = table(position.rules)
    asked = msgspec.structs.replace(position, phase="placing", to_move=seat, place=0)
    return {code >> 8 for code in game.moves(game.pack(packed(asked)))}


def _check_order(position: Position) -> Iterator[Fault]:
    """Who can placed as often as the others, in turn order from the start player."""
    n, mover = len(position.players), position.to_move
    again = position.rules.hunt_again
    # On the hunt people may have come one after the other, if that is allowed.
    times = [(len(one.placed), len(one.placed) + max(0, dict(one.placed).get(HUNT, 0) - 1) * again)
             for one in position.players]
    turn_of = [(seat - position.start) % n for seat in range(n)]
    able = [bool(_places_open(position, seat)) for seat in range(n)]

    def fits(rounds: int) -> bool:
        """Whether the seat to move can have placed so often."""
        return all(
            low <= rounds + (turn_of[seat] < turn_of[mover])
            and (not able[seat] or rounds + (turn_of[seat] < turn_of[mover]) <= high)
            for seat, (low, high) in enumerate(times) if seat != mover
        )

    low, high = times[mover]
    if not any(map(fits, range(low, high + 1))):
        yield Fault(("table", "to_move"), f"player {mover + 1} can't be next to place people",
                    f"from player {position.start + 1} on all place in turn, on one place each "
                    "time, as long as they can")
    if position.phase == "how many" and position.place not in _places_open(position, mover):
        yield Fault(PLACE, f"player {mover + 1} can't place people on the "
                    f"{PLACES[position.place]} now", "it is full, or he has placed there")
