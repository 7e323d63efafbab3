"""FUSE positions: read from TOML, checked, written, dealt.

What follows from the rest is not stored: the bag holds the dice that lie nowhere, the bomb deck
every bomb that is neither in a hand nor in the centre nor defused, in unknown order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.bombs import (
    COLORS,
    DICE_OF_COLOR,
    NUMBERS,
    Bomb,
    find_bomb,
    format_face,
)
from oddsmith.solver.games.fuse.notation import (
    Held,
    format_dice,
    format_fuse,
    format_held,
    format_match,
    parse_dice,
    parse_fuse,
    parse_held,
    parse_match,
)
from oddsmith.solver.games.fuse.rules import (
    IN_CENTRE,
    SEATS,
    Rules,
    compiled,
    deck_of,
    in_game,
    points_of,
)
from oddsmith.solver.heading import check_seats, opened, rules_given
from oddsmith.solver.position import Document, Table
from oddsmith.solver.reading import show
from oddsmith.solver.soundness import Fault, located, sound

Change = Callable[[Rules], Rules]
"""What the caller does to the rules of a file: variants and settings."""

GAME = "fuse"
PHASES = ("clock", "roll", "assign", "pick", "remove", "throw", "reroll", "refill", "over")
ENDINGS = ("won", "time", "bag")
ENDING_WORDS = {
    "won": "the team has won", "time": "the time is up",
    "bag": "dice are to be drawn and the bag is empty",
}
STREAM_SET_UP = 0


class Player(msgspec.Struct, frozen=True):
    """One seat: its name, the bombs in its hand, how many dice of this roll it has taken."""

    name: str
    held: tuple[Held, ...]
    taken: int = 0


class Position(msgspec.Struct, frozen=True):
    """A whole game at any point after the set-up.

    Args:
        rules: the rules.
        players: in seat order; seat 0 rolled first.
        centre: ids of the bombs there, in the order of the deck.
        defused: ids of the bombs defused, in the order of the deck.
        fuses: fuse cards activated, 0..10 (colours, then numbers), ascending.
        roll: number of this roll, from 1.
        elapsed: milliseconds gone, this roll's included.
        phase: one of PHASES.
        dice: faces of the dice on the table, ascending.
        seat: who picks or removes a die.
        removing: mask of the faces that are removed.
        by_fuse: whether a fuse card removes them, not a die.
        thrown: colour of the unplaced die that is rolled again; -1 for none.
        to_roll: dice still to be rolled.
        value: points that the next bomb has, already drawn (setup=chosen_values); 0 for none.
        value_left: bombs of the bomb deck by points (index 0 to 6), with setup=chosen_values.
        ending: one of ENDINGS when the game is over.
    """

    rules: Rules
    players: tuple[Player, ...]
    centre: tuple[str, ...]
    defused: tuple[str, ...] = ()
    fuses: tuple[int, ...] = ()
    roll: int = 1
    elapsed: int = 0
    phase: str = "assign"
    dice: tuple[int, ...] = ()
    seat: int = 0
    removing: int = 0
    by_fuse: bool = False
    thrown: int = -1
    to_roll: int = 0
    value: int = 0
    value_left: tuple[int, ...] = (0,) * 7
    ending: str = ""

    @property
    def bombs(self) -> dict[str, Bomb]:
        """The bombs of the game by id, in the order of the deck."""
        return {bomb.id: bomb for bomb in deck_of(self.rules).bombs if in_game(self.rules, bomb)}

    @property
    def seen(self) -> tuple[str, ...]:
        """Bombs in hands, in the centre and defused."""
        held = [held.bomb for player in self.players for held in player.held]
        return (*held, *self.centre, *self.defused)

    @property
    def bombs_left(self) -> int:
        """Bombs in the bomb deck."""
        rules = self.rules
        return rules.deck_size + rules.bombs_a_player * rules.players - len(self.seen)

    @property
    def fuses_left(self) -> int:
        """Fuse cards in the bomb deck."""
        return self.rules.n_fuse_cards - len(self.fuses)

    @property
    def bag(self) -> tuple[int, ...]:
        """Dice in the bag by colour."""
        lying = Counter(face // NUMBERS for player in self.players for held in player.held
                        for face in held.faces if face is not None)
        lying.update(face // NUMBERS for face in self.dice)
        lying.update([self.thrown] if self.phase == "reroll" else [])
        return tuple(DICE_OF_COLOR - lying[color] for color in range(len(COLORS)))

    @property
    def points(self) -> int:
        """Points of the defused bombs."""
        bombs = self.bombs
        return sum(points_of(self.rules, bombs[name]) for name in self.defused)

    @property
    def score(self) -> int:
        """The score so far; with the win's share once the game is won."""
        left = 1000 * self.rules.seconds - self.elapsed
        won = 10 + left // 10_000 if self.ending == "won" else 0
        return self.points + 2 * len(self.fuses) + won

    @property
    def to_move(self) -> int:
        """The seat that decides: who holds the bag, or who picks or removes a die."""
        if self.phase in ("pick", "remove"):
            return self.seat
        return max(self.roll - 1, 0) % self.rules.players

    @property
    def finished(self) -> str:
        """Why the game is over, or "" if it is not."""
        return ENDING_WORDS[self.ending] if self.phase == "over" else ""


# Reading ---------------------------------------------------------------------------------------


def load(source: str, change_rules: Change | None = None) -> Position:
    """Read and check a position file.

    Args:
        source: a path, or "-" for standard input.
        change_rules: applied to the rules of the file (variants and settings of the caller).

    Raises:
        InputError: the first fault, with file:line:column.
    """
    return sound(*examine(source, change_rules))


def examine(
    source: str, change_rules: Change | None = None
) -> tuple[Position, list[InputError]]:
    """Read a position file and list every fault of the position in it, in file order.

    Raises:
        InputError: the file can't be read as a position at all.
    """
    document = Document.load(source)
    position = _read(document, change_rules)
    return position, located(document.root, check(position))


def _read(document: Document, change_rules: Change | None) -> Position:
    root = opened(document, GAME)
    seats = root.tables("player")
    if not 1 <= len(seats) <= SEATS:
        raise root.fault(*(("player", SEATS) if len(seats) > SEATS else ()),
                         what=f"there are {len(seats)} players", why=f"1 to {SEATS} can play",
                         hint="each player is one [[player]] table")
    rules = rules_given(root, Rules(players=len(seats)), change_rules)
    check_seats(root, len(seats), rules.players)
    deck = deck_of(rules)
    bombs = tuple(bomb for bomb in deck.bombs if in_game(rules, bomb))
    table, turn = root.table("table"), root.table("turn", default=None)
    order = [bomb.id for bomb in bombs]
    centre = sorted(_read_bombs(table, "centre", bombs, deck.name), key=order.index)
    defused = sorted(_read_bombs(table, "defused", bombs, deck.name), key=order.index)
    fuses = []
    for k, word in enumerate(table.texts("fuse_cards", default=())):
        try:
            fuses.append(parse_fuse(word))
        except InputError as error:
            raise table.fault("fuse_cards", k, what=error.what, why=error.why,
                              hint=error.hint) from None
    left = table.integers("values_left", 0, 54, length=5, default=())
    value_left = (0, *left[:4], 0, left[4]) if left else (0,) * 7
    players = tuple(_read_player(one, rules, bombs, deck.name) for one in seats)
    values = _read_turn(turn, rules) if turn is not None else {}
    root.finish()
    return Position(rules, players, tuple(centre), tuple(defused), tuple(sorted(fuses)),
                    value_left=value_left, **values)


def _read_bombs(table: Table, key: str, bombs: tuple[Bomb, ...], deck: str) -> list[str]:
    found: list[str] = []
    for k, word in enumerate(table.texts(key, default=())):
        try:
            found.append(find_bomb(bombs, word, deck).id)
        except InputError as error:
            raise table.fault(key, k, what=error.what, why=error.why, hint=error.hint) from None
    return found


def _read_player(table: Table, rules: Rules, bombs: tuple[Bomb, ...], deck: str) -> Player:
    held = []
    for k, text in enumerate(table.texts("bombs")):
        try:
            one = parse_held(text)
        except InputError as error:
            raise table.fault("bombs", k, what=error.what, why=error.why, hint=error.hint,
                              offset=(0, error.column - 1)) from None
        try:
            bomb = find_bomb(bombs, one.bomb, deck)
        except InputError as error:
            raise table.fault("bombs", k, what=error.what, why=error.why,
                              hint=error.hint) from None
        if not one.faces:
            one = Held(one.bomb, (None,) * len(bomb.slots), one.used)
        if len(one.faces) != len(bomb.slots):
            raise table.fault("bombs", k, what=f"{one.bomb}: {len(one.faces)} slots are given",
                              why=f"the card has {len(bomb.slots)}",
                              hint="a die such as r5, or . for an empty slot")
        held.append(one)
    return Player(table.text("name", default=""), tuple(held),
                  table.integer("taken", 0, rules.takes, default=0))


def _read_turn(turn: Table, rules: Rules) -> dict[str, Any]:
    seconds = turn.raw("seconds") if turn.has("seconds") else 0
    if type(seconds) not in (int, float) or not 0 <= seconds <= rules.seconds:
        raise turn.fault("seconds", what=f"seconds is {show(seconds)}",
                         why=f"it must be a number from 0 to {rules.seconds}")
    try:
        dice = parse_dice(turn.text("dice", default=""))
    except InputError as error:
        raise turn.fault("dice", what=error.what, why=error.why, hint=error.hint,
                         offset=(0, error.column - 1)) from None
    removing = turn.text("removing", default="")
    try:
        mask = parse_match(removing) if removing else 0
    except InputError as error:
        raise turn.fault("removing", what=error.what, why="it is a die that was rolled again, such "
                         "as r5, or a fuse card, such as red or 3") from None
    thrown = turn.text("thrown", COLORS, default="")
    return {
        "roll": turn.integer("roll", 0, 36000, default=1),
        "elapsed": round(1000 * seconds),
        "phase": turn.text("phase", PHASES, default="assign"),
        "dice": dice,
        "seat": turn.integer("player", 1, rules.players, default=1) - 1,
        "removing": mask,
        "by_fuse": bool(mask) and mask.bit_count() <= NUMBERS,
        "thrown": COLORS.index(thrown) if thrown else -1,
        "to_roll": turn.integer("to_roll", 0, rules.dice_a_roll, default=0),
        "value": turn.integer("value", 0, 6, default=0),
        "ending": turn.text("ending", ENDINGS, default=""),
    }


# Checking --------------------------------------------------------------------------------------


def check(position: Position) -> list[Fault]:
    """Every fault of a position; empty if it is sound."""
    found = [*_check_cards(position), *_check_dice(position), *_check_turn(position)]
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
        yield Fault(("table", "fuse_cards"), f"{len(position.fuses)} fuse cards were activated",
                    f"the bomb deck has {rules.n_fuse_cards}")
    more = position.bombs_left + position.fuses_left > 0
    if len(position.centre) > IN_CENTRE:
        yield Fault(("table", "centre"), f"{len(position.centre)} bombs are in the centre",
                    f"there is room for {IN_CENTRE}")
    filling = position.phase == "refill" or (position.phase == "remove" and position.by_fuse)
    if len(position.centre) < IN_CENTRE and more and not filling and position.phase != "over":
        yield Fault(("table", "centre"), f"{len(position.centre)} bombs are in the centre",
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
            yield Fault(("player", seat, "bombs"), f"player {seat + 1} holds {n} bombs",
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
                yield Fault(("table", "values_left"), f"{n} bombs worth {points} are left",
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


# Writing ---------------------------------------------------------------------------------------


def _quoted(words: Any) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def format_position(position: Position) -> str:
    """The position as a file that `load` reads back to an equal position."""
    rules = position.rules
    options = variants.format_rules_toml(rules, Rules(players=rules.players))
    seconds = position.elapsed / 1000
    lines = [f'game = "{GAME}"', "format = 1", "", "[rules]", f"players = {rules.players}",
             *options.splitlines()[1:], "", "[turn]", f"roll = {position.roll}",
             f"seconds = {int(seconds) if seconds.is_integer() else seconds}   # gone, this roll's "
             f"included, of {rules.seconds}", f'phase = "{position.phase}"']
    if position.dice:
        lines.append(f'dice = "{format_dice(position.dice)}"')
    if position.to_roll:
        lines.append(f"to_roll = {position.to_roll}")
    if position.phase in ("pick", "remove"):
        lines.append(f"player = {position.seat + 1}")
    if position.removing:
        lines.append(f'removing = "{format_match(position.removing)}"')
    if position.thrown >= 0:
        lines.append(f'thrown = "{COLORS[position.thrown]}"')
    if position.value:
        lines.append(f"value = {position.value}")
    if position.ending:
        lines.append(f'ending = "{position.ending}"')
    lines += ["", "[table]", f"centre = {_quoted(position.centre)}",
              f"defused = {_quoted(position.defused)}",
              f"fuse_cards = {_quoted(map(format_fuse, position.fuses))}   # activated"]
    if rules.setup == "chosen_values":
        left = [position.value_left[points] for points in (1, 2, 3, 4, 6)]
        lines.append(f"values_left = {left}   # in the bomb deck, worth 1, 2, 3, 4, 6")
    for player in position.players:
        lines += ["", "[[player]]"]
        if player.name:
            lines.append(f"name = {msgspec.json.encode(player.name).decode()}")
        lines.append("bombs = " + _quoted(map(format_held, player.held)))
        if player.taken:
            lines.append(f"taken = {player.taken}")
    return "\n".join(lines) + "\n"


BLANK = '''\
# A FUSE position.  Check it with: oddsmith fuse check FILE
game = "fuse"

[rules]                 # what differs from the printed rules; all options: oddsmith explain fuse
players = 2
level = 16              # bombs in the bomb deck; or training, standard, expert, elite, insane

[turn]
roll = 3                # roll 1 is player 1's, roll 2 player 2's, and so on
seconds = 60            # gone, this roll's included
phase = "assign"        # roll, assign, pick, remove, throw, reroll, refill, clock, over
dice = "r5 b2 g2 k6"    # on the table; letters r b g y and k for black

[table]
centre = ["p1-valley", "p4-222", "p3-same-num3", "p4-stack4-asc", "p4-same-colour4"]
defused = []
fuse_cards = []         # activated: red, blue, green, yellow, black, 1 to 6

[[player]]
name = "Ann"
bombs = ["p4-twins: r5 .", "p1-bg-yr-rb: . . b3"]    # what lies on each slot, . for nothing

[[player]]
name = "Ben"
bombs = ["p4-stack4-yrbg", "p1-colour-ne-chain4"]    # nothing lies there
taken = 0               # dice of this roll
'''


# Dealing ---------------------------------------------------------------------------------------


def new(rules: Rules, seed: int) -> Position:
    """Deal a game: the set-up of the rules page, up to the first roll.

    Args:
        rules: the rules; the number of players is one of them.
        seed: 0..2^64-1; the same seed deals the same game.

    Raises:
        InputError: the seed is out of range, or the deck too small.
    """
    from oddsmith.solver.games.fuse import engine

    if not 0 <= seed < 1 << 64:
        raise InputError(f"the seed can't be {seed}", why="seeds are 0 to 2^64 - 1")
    table = engine.table(rules)
    draw = Generator(seed, 0, STREAM_SET_UP)
    state = table.new_game()
    while table.unpack(state)["phase"] in (engine.DEAL_HANDS, engine.DEAL_CENTRE):
        state = table.apply_unchecked(state, table.sample(state, draw))
    players = tuple(Player(f"Player {seat + 1}", ()) for seat in range(rules.players))
    return engine.from_state(rules, state, players)
