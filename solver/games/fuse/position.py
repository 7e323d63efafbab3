"""FUSE positions: read from TOML, written, dealt; `soundness.py` checks them.

What follows from the rest is not stored: the bag holds the dice that lie nowhere, the bomb deck
every bomb that is neither in a hand nor in the centre nor defused, in unknown order.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
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
)
from oddsmith.solver.games.fuse.deck import DECKS, Deck
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
    SEATS,
    Rules,
    deck_of,
    in_game,
    points_of,
)
from oddsmith.solver.heading import check_seats, opened, rules_given
from oddsmith.solver.position import Document, Table
from oddsmith.solver.reading import show
from oddsmith.solver.soundness import located, sound

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
    from oddsmith.solver.games.fuse.soundness import check

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
    rules = rules_given(root, Rules(players=len(seats)), _from_here(document, change_rules))
    check_seats(root, len(seats), rules.players)
    deck = _deck_told(root, rules)
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


def _from_here(document: Document, change_rules: Change | None) -> Change:
    """A file's deck lies in the file's folder; what the caller says comes after that."""
    def change(rules: Rules) -> Rules:
        if rules.deck not in DECKS and not os.path.isabs(rules.deck) and "." in rules.deck:
            folder = os.path.dirname(document.source) if os.path.isfile(document.source) else ""
            rules = msgspec.structs.replace(
                rules, deck=os.path.abspath(os.path.join(folder, rules.deck)))
        return rules if change_rules is None else change_rules(rules)

    return change


def _deck_told(root: Table, rules: Rules) -> Deck:
    """The deck of a position; what is wrong with it is told where its rules stand.

    What is wrong inside a deck's file has its own place.
    """
    try:
        return deck_of(rules)
    except InputError as error:
        if error.line:
            raise
        told = root.table("rules", default=None)
        keys = [key for key in ("deck", "level") if told is not None and told.has(key)]
        if told is None:
            raise root.fault(what=error.what, why=error.why, hint=error.hint) from None
        raise told.fault(*keys[:1], what=error.what, why=error.why, hint=error.hint) from None


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


# Writing ---------------------------------------------------------------------------------------


def _quoted(words: Any) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def format_position(position: Position) -> str:
    """The position as a file that `load` reads back to an equal position."""
    rules = position.rules
    if rules.deck not in DECKS:          # wherever the file will lie
        rules = msgspec.structs.replace(rules, deck=os.path.abspath(rules.deck))
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
# to_roll = 2           # in phase roll: dice still to be rolled
# player = 1            # in phases pick and remove: who picks, or removes a die
# removing = "r5"       # in phase remove: the die rolled again, or the fuse card, red or 3
# thrown = "red"        # in phase reroll: the colour of the die that is rolled again
# value = 3             # in phase refill, with setup = "chosen_values": drawn for the next bomb
# ending = "time"       # in phase over: won, time, bag

[table]
centre = ["p1-valley", "p4-222", "p3-same-num3", "p4-stack4-asc", "p4-same-colour4"]
defused = []
fuse_cards = []         # activated: red, blue, green, yellow, black, 1 to 6
# values_left = [3, 3, 3, 2, 0]    # with setup = "chosen_values": in the bomb deck, worth 1 2 3 4 6

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
