"""FUSE: every fault of a position that no game leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oddsmith.solver.errors import counted
from oddsmith.solver.games.fuse.bombs import COLORS, DICE_OF_COLOR, format_face
from oddsmith.solver.games.fuse.notation import fuse_mask
from oddsmith.solver.games.fuse.position import ENDINGS, Position
from oddsmith.solver.games.fuse.rules import (
    IN_CENTRE,
    compiled,
    deck_of,
    lengths_of,
    points_of,
)
from oddsmith.solver.soundness import Fault


def check(position: Position) -> list[Fault]:
    """Every fault of a position; empty if it is sound."""
    found = [*_check_cards(position), *_check_dice(position), *_check_turn(position)]
    found = found or [*_check_roll(position), *_check_end(position)]
    return found or list(_check_choice(position))


def _check_cards(position: Position) -> Iterator[Fault]:
    rules, seen = position.rules, set[str]()
    places: list[tuple[tuple[str | int, ...], str]] = [
        *((("table", "centre", k), name) for k, name in enumerate(position.centre)),
        *((("table", "defused", k), name) for k, name in enumerate(position.defused)),
        *((("player", seat, "bombs", k), held.bomb)
          for seat, player in enumerate(position.players) for k, held in enumerate(player.held))]
    for where, name in places:
        if name in seen:
            yield Fault(where[:-1] if where[0] == "table" else where, f"{name} is here twice",
                        "every card exists once")
        seen.add(name)
    if position.bombs_left < 0:
        yield Fault(("table", "defused"), f"{len(position.seen)} bombs have been seen",
                    f"{rules.bombs_a_player * rules.players} were dealt and the bomb deck has "
                    f"{rules.deck_size}")
    if len(set(position.fuses)) < len(position.fuses):
        yield Fault(("table", "fuse_cards"), "a fuse card is here twice", "every card exists once")
    if position.fuses_left < 0:
        yield Fault(("table", "fuse_cards"),
                    f"{counted(len(position.fuses), 'fuse card')} activated",
                    f"the bomb deck has {rules.n_fuse_cards}")
    more = position.bombs_left + position.fuses_left > 0
    if len(position.centre) > IN_CENTRE:
        yield Fault(("table", "centre"), f"the centre has {counted(len(position.centre), 'bomb')}",
                    f"there is room for {IN_CENTRE}")
    filling = position.phase == "refill" or (position.phase == "remove" and position.by_fuse)
    if len(position.centre) < IN_CENTRE and more and not filling and position.phase != "over":
        yield Fault(("table", "centre"), f"the centre has {counted(len(position.centre), 'bomb')}",
                    f"it is filled up to {IN_CENTRE} while the bomb deck has cards",
                    'phase = "refill" says that a card is due')
    if position.phase == "refill" and (len(position.centre) >= IN_CENTRE or not more):
        yield Fault(("turn", "phase"), "no card is due",
                    "the centre is full, or the bomb deck has run out")
    for seat, player in enumerate(position.players):
        wanted = rules.bombs_a_player - (position.phase == "pick" and seat == position.seat)
        short = rules.hands_too and not position.centre and not more
        n = len(player.held)
        if n > wanted or (n < wanted and not short and position.phase != "over"):
            yield Fault(("player", seat, "bombs"), f"player {seat + 1} holds {counted(n, 'bomb')}",
                        f"it must be {wanted}")
    by_value = rules.setup == "chosen_values"
    if by_value and sum(position.value_left) != position.bombs_left:
        yield Fault(("table", "values_left"), f"values_left has {sum(position.value_left)} bombs",
                    f"the bomb deck has {position.bombs_left}: 5 numbers, of bombs worth 1, 2, 3, "
                    "4, 6")
    if by_value:
        unseen = Counter(points_of(rules, bomb) for name, bomb in position.bombs.items()
                         if name not in seen)
        for points, n in enumerate(position.value_left):
            if n > unseen[points]:
                yield Fault(("table", "values_left"),
                            f"values_left has {counted(n, 'bomb')} worth {points}",
                            f"only {unseen[points]} have not been seen")
    elif any(position.value_left):
        yield Fault(("table", "values_left"), "values_left is given",
                    "only with setup = \"chosen_values\" it is known")
    if position.value and not (by_value and position.phase == "refill"
                               and position.value_left[position.value]):
        yield Fault(("turn", "value"), f"no bomb worth {position.value} can be due",
                    "a value is drawn with setup = \"chosen_values\", in phase = \"refill\"")


def _check_dice(position: Position) -> Iterator[Fault]:
    rules = position.rules
    for color, n in enumerate(position.bag):
        if n < 0:
            yield Fault(("player",), f"{DICE_OF_COLOR - n} {COLORS[color]} dice are on bombs and "
                        "on the table", f"there are {DICE_OF_COLOR} of each colour")
    bombs = position.bombs
    kernel = compiled(rules).deck
    numbers = {bomb.id: k for k, bomb in enumerate(deck_of(rules).bombs)}
    for seat, player in enumerate(position.players):
        for k, held in enumerate(player.held):
            where = ("player", seat, "bombs", k)
            bomb, unfit = bombs[held.bomb], False
            for slot, face in enumerate(held.faces):
                if face is None:
                    continue
                if not bomb.slots[slot].mask >> face & 1:
                    unfit = True
                    yield Fault(where, f"{held.bomb}: slot {slot + 1} doesn't take "
                                f"{format_face(face)}", "`oddsmith fuse bombs` shows the cards")
                below = [at for at in bomb.beneath[slot] if held.faces[at] is None]
                if rules.covered_dice_safe and below:
                    unfit = True
                    yield Fault(where, f"{held.bomb}: nothing lies below slot {slot + 1}",
                                f"slot {below[0] + 1} needs a die first")
            if unfit:
                continue
            if None not in held.faces:
                yield Fault(where, f"{held.bomb} is full", "a full bomb is defused at once",
                            "list it under defused")
            elif kernel.class_of(numbers[held.bomb], held.faces) < 0:
                yield Fault(where, f"{held.bomb} can't hold these dice",
                            "no dice could finish it any more" if kernel.only_completable
                            else "a sign of the card is violated")
        if any(held.used for held in player.held) and (rules.players != 2
                                                       or rules.two_player_same_bomb):
            yield Fault(("player", seat, "bombs"), "a bomb is marked *",
                        "only with two_player_same_bomb = false it matters which took a die")
    n = len(position.dice) + position.to_roll + (position.phase == "reroll")
    if n > rules.dice_a_roll:
        yield Fault(("turn", "dice"), f"{n} dice are rolled", f"a roll has {rules.dice_a_roll}")


def _check_turn(position: Position) -> Iterator[Fault]:
    phase = position.phase
    if (phase == "over") != bool(position.ending):
        yield Fault(("turn", "ending"), "`ending` and phase = \"over\" go together",
                    f"endings are {', '.join(ENDINGS)}")
    if (phase == "roll") != bool(position.to_roll):
        yield Fault(("turn", "to_roll"), f"to_roll is {position.to_roll}",
                    "it says how many dice are still to be rolled, in phase = \"roll\"")
    if position.to_roll > sum(position.bag):
        yield Fault(("turn", "to_roll"), f"{position.to_roll} dice are to be rolled",
                    f"{sum(position.bag)} are in the bag")
    if (phase == "reroll") != (position.thrown >= 0):
        yield Fault(("turn", "thrown"), "`thrown` and phase = \"reroll\" go together",
                    "it is the colour of the unplaced die that is rolled again")
    if (phase == "remove") != bool(position.removing):
        yield Fault(("turn", "removing"), "`removing` and phase = \"remove\" go together",
                    "it is the die or the fuse card whose number or colour is removed")
    # The last die may have spoilt a bomb, which is cleared before the next roll.
    spoilt = phase == "assign" and position.rules.placement == "any_not_yet_violated"
    if phase in ("assign", "throw") and not position.dice and not spoilt:
        yield Fault(("turn", "dice"), "no dice are on the table", f"the phase is {phase}")
    if phase == "clock" and position.dice:
        yield Fault(("turn", "dice"), "dice are on the table", "the next roll has not begun")
    if phase == "pick" and not position.centre:
        yield Fault(("table", "centre"), "the centre is empty", "a bomb is to be taken from it")
    if phase != "clock" and position.roll < 1:
        yield Fault(("turn", "roll"), "the roll has number 0", "the first is 1")
    if phase != "over" and not position.centre and not position.rules.hands_too and (
            position.bombs_left + position.fuses_left <= 0):
        yield Fault(("table", "centre"), "the last bomb of the centre is taken",
                    "the team has won then", 'phase = "over", ending = "won"')
    if phase == "over" and position.ending == "won" and position.centre:
        yield Fault(("table", "centre"), "the game is won and bombs are in the centre",
                    "the last one must be taken for it")
    busy = phase in ("assign", "pick", "refill", "over") or (phase == "remove" and position.by_fuse)
    if not busy and any(player.taken or any(held.used for held in player.held)
                        for player in position.players):
        yield Fault(("player",), "dice of this roll have been taken",
                    f"the phase is {phase}: then nothing is told any more about them")


def _check_roll(position: Position) -> Iterator[Fault]:
    """Whether the dice of this roll add up; asked of positions without other faults."""
    rules, phase, n = position.rules, position.phase, len(position.dice)
    taken = sum(player.taken for player in position.players)
    most: int = rules.dice_a_roll
    in_bag = sum(position.bag)
    if position.roll > max(1, position.elapsed // 1000):
        yield Fault(("turn", "roll"), f"{position.roll} rolls in {position.elapsed / 1000:g} "
                    "seconds", "each takes a second or more",
                    "`seconds` are those gone, this roll's included")
    if n + taken > most:
        yield Fault(("turn", "dice"), f"{n} dice are on the table and {taken} have been taken",
                    f"a roll has {most}")
    # Dice come back into the bag when a bomb is defused or cleared, or by a fuse card after that.
    came_back = (taken and position.defused) or rules.placement == "any_not_yet_violated"
    if phase == "assign" and n + taken < most and in_bag and not came_back:
        yield Fault(("turn", "dice"), f"{n + taken} {'die was' if n + taken == 1 else 'dice were'} "
                    "rolled", f"{in_bag} more are in the bag, and a roll has {most}",
                    "`taken` of each player counts the dice placed")
    if phase == "roll" and n + position.to_roll != min(most, in_bag + n):
        yield Fault(("turn", "to_roll"), f"{n + position.to_roll} dice are rolled",
                    f"{min(most, in_bag + n)} are drawn",
                    f"to_roll = {min(most, in_bag + n) - n}")
    if phase == "pick" and not position.players[position.seat].taken:
        yield Fault(("player", position.seat), f"player {position.seat + 1} picks a bomb and has "
                    "taken no die", "who fills a bomb takes another", "taken = 1")
    by_fuse = phase == "remove" and position.by_fuse
    if (phase == "refill" or by_fuse) and not taken:
        yield Fault(("player",), "nobody has taken a die", "a card is due when a bomb has been "
                    "filled and another taken", "taken = 1, of the player who filled it")
    if (phase in ("pick", "refill") or by_fuse or position.fuses) and not position.defused:
        yield Fault(("table", "defused"), "no bomb has been defused",
                    "only then a bomb is taken, and cards are drawn")
    if by_fuse and not any(fuse_mask(card) == position.removing for card in position.fuses):
        yield Fault(("turn", "removing"), "this fuse card has not been activated",
                    "it is one of those that lie there", "list it under fuse_cards, too")
    if phase == "remove" and not position.by_fuse and n >= most:
        yield Fault(("turn", "dice"), f"{n} dice are on the table",
                    f"one of the {most} of the roll has been thrown and is in the bag")


def _check_end(position: Position) -> Iterator[Fault]:
    """Whether a game can be over, or can't be yet."""
    rules, ending, in_bag = position.rules, position.ending, sum(position.bag)
    if position.phase == "clock" and not in_bag:
        yield Fault(("turn", "phase"), "the bag is empty", "the next dice can't be drawn",
                    'phase = "over", ending = "bag"')
    if ending in ("time", "bag") and position.dice:
        yield Fault(("turn", "dice"), "dice are on the table",
                    "the game is lost when the next ones are due")
    if ending == "bag" and in_bag:
        yield Fault(("turn", "ending"), f"{in_bag} dice are in the bag",
                    "it is empty when the game is lost by it")
    longest = max(lengths_of(rules.seconds_per_roll, rules.seconds))
    if ending == "time" and position.elapsed + longest <= 1000 * rules.seconds:
        yield Fault(("turn", "ending"), f"{position.elapsed / 1000:g} of {rules.seconds} seconds "
                    "are gone", f"another roll of {longest / 1000:g} seconds ends in time")


def _check_choice(position: Position) -> Iterator[Fault]:
    """Whether there is something to decide; asked of positions without other faults."""
    from oddsmith.solver.games.fuse import engine

    table = engine.table(position.rules)
    state = engine.to_state(position)
    if position.phase == "remove" and table.n_moves(state) < 2:
        yield Fault(("turn", "player"), f"player {position.seat + 1} has no choice",
                    "a single die, or all of them, would have been removed at once")
    if position.phase == "throw" and table.n_moves(state) < 2:
        yield Fault(("turn", "phase"), "the dice on the table have one colour",
                    "there is no order to choose", 'phase = "reroll", and thrown = the colour')
    if position.phase == "clock" and len(engine.lengths(position.rules)) < 2:
        yield Fault(("turn", "phase"), "all rolls take as long", "nothing is to be drawn",
                    'phase = "roll"')


def notes(position: Position) -> list[str]:
    """What is worth knowing about a sound position."""
    return [f"the game is over: {position.finished}"] if position.finished else []
