"""Stone Age positions: read from TOML, written, dealt; `soundness.py` checks them.

A position stands anywhere in a game, in the middle of a turn too.  What follows from the rest is
not stored: the deck and the unseen tiles are what is seen nowhere else, and a limited supply is
what nobody holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.stone_age.notation import levels, parse_place, parse_tools
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    GOODS,
    HUNT,
    KINDS,
    MOST_PEOPLE,
    MOST_TRACK,
    N_TILES,
    PLACES,
    Rules,
    cards,
    table,
    tiles,
)
from oddsmith.solver.heading import check_seats, opened, rules_given
from oddsmith.solver.position import Document, Table
from oddsmith.solver.soundness import located, sound

Change = Callable[[Rules], Rules]
"""What the caller does to the rules of a file: variants and settings."""

GAME = "stone_age"
UNKNOWN = 0
"""The extra card of a player, where the writer of the position has not seen it."""

PHASES = ("start player", "turn tile", "deal", "placing", "how many", "acting", "roll", "tools",
          "paying", "extra card", "gift roll", "gift", "raising", "choosing", "feeding", "over")
"""What comes next, in the order of kernels/stone_age.pxd."""

MEANT = {
    "place": ("how many", "roll", "tools", "paying"), "good": ("roll", "tools"),
    "dice": ("roll",), "sum": ("tools",), "missing": ("feeding", "choosing"),
    "stack": ("turn tile",), "gift": ("gift",), "cause": ("over",),
}
"""The phases that a key of [table] belongs to."""

CAUSES = ("", "cards", "tiles", "rounds")
CAUSE_WORDS = {"cards": "the card places can't be refilled", "tiles": "a building stack is empty",
               "rounds": "max_rounds was reached"}
MOST_PLAYERS = 4
SLOTS = 4
MOST_GIFTS = 8
MOST_GOODS, MOST_POINTS = 9999, 99_999
STREAM_DEAL = 0


def start_acts(phase: str, number: int, feeding: bool) -> bool:
    """Whether the next action turn is the start player's, whoever decides now.

    Args:
        phase: one of PHASES.
        number: the round.
        feeding: whether the feeding of the round has begun.
    """
    return (phase in ("start player", "deal", "placing", "how many", "feeding", "over")
            or number == 0 or feeding)


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One seat.

    Args:
        goods: wood, brick, stone, gold.
        tools: total value of the tool slots.
        used: values of the slots used in this round, highest first.
        one_use: values of the one-use tools that are left.
        two: whether the card of two resources is held.
        cards, tiles: their numbers, sorted; the extra card is not among them.
        extra: the card that only its owner has seen; UNKNOWN for `?`, None for none.
        placed: (place, people) of those who have not acted yet, by place.
    """

    name: str = ""
    score: int = 0
    food: int = 0
    people: int = 5
    track: int = 0
    goods: tuple[int, ...] = (0, 0, 0, 0)
    tools: int = 0
    used: tuple[int, ...] = ()
    one_use: tuple[int, ...] = ()
    two: bool = False
    cards: tuple[int, ...] = ()
    tiles: tuple[int, ...] = ()
    extra: int | None = None
    placed: tuple[tuple[int, int], ...] = ()


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A game wherever it stands.

    Args:
        rules: the rules.
        players: in seat order.
        phase: one of PHASES.
        to_move: seat that decides, 0-based (1-based in files).
        acting: seat whose action turn it is; before the actions and after them the start player.
        start: start player of the round.
        round: 1 for the first; 0 while the game is set up.
        display: numbers of the cards on the places 1 to 4; 0 for an empty place.
        tops: number of the face-up tile of each stack; 0 for none.
        stacks: tiles left in each, the face-up one included.
        place: acted on or placed on now (how many, roll, tools, paying); of "turn tile" the
            stack, of "gift" which of the gifts.
        kind: rolled for, as an index of KINDS; 4 is food.
        dice: to be rolled.
        sum: rolled; in feeding the food that is missing.
        feeding: whether the feeding of the round has begun.
        gifts: dice left and seats yet to pick, the oldest gift first.
        cause: why the game is over, one of CAUSES.
    """

    rules: Rules
    players: tuple[Player, ...]
    phase: str
    to_move: int = 0
    acting: int = 0
    start: int = 0
    round: int = 1
    display: tuple[int, ...] = (0,) * SLOTS
    tops: tuple[int, ...]
    stacks: tuple[int, ...]
    place: int = 0
    kind: int = 0
    dice: int = 0
    sum: int = 0
    feeding: bool = False
    gifts: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    cause: str = ""

    @property
    def finished(self) -> str:
        """Why the game is over, or "" if it is not."""
        return CAUSE_WORDS[self.cause] if self.phase == "over" else ""

    @property
    def end(self) -> str:
        """What ends the game after this round, one of CAUSES; the first of them that holds."""
        if not min(self.stacks):
            return "tiles"
        if self.round >= self.rules.max_rounds:
            return "rounds"
        return "cards" if self.n_deck < self.display.count(0) else ""

    @property
    def unseen_cards(self) -> tuple[int, ...]:
        """Cards that are in the deck, or may be an extra card that isn't known."""
        seen = {*self.display, *(player.extra for player in self.players),
                *(number for player in self.players for number in player.cards)}
        return tuple(one.number for one in cards() if one.number not in seen)

    @property
    def n_deck(self) -> int:
        """Cards in the deck."""
        return len(self.unseen_cards) - sum(p.extra == UNKNOWN for p in self.players)

    @property
    def unseen_tiles(self) -> tuple[int, ...]:
        """Tiles under the tops of the stacks or out of the game."""
        seen = {*self.tops, *(number for player in self.players for number in player.tiles)}
        return tuple(one.number for one in tiles() if one.number not in seen)

    @property
    def supply(self) -> tuple[int, ...] | None:
        """Resources left, by kind; None where they are unlimited."""
        if self.rules.resource_supply == "unlimited":
            return None
        return tuple(n - sum(player.goods[kind] for player in self.players)
                     for kind, n in enumerate(self.rules.resource_supply))


def packed(
    position: Position, avoid: int | None = None, secret: bool = False
) -> dict[str, Any]:
    """The fields of the kernel's state (kernels/stone_age_table.pyx); see engine.to_state."""
    deck = list(position.unseen_cards)
    seats, extra, extra_seat, extra_open = [], None, 0, False
    for seat, player in enumerate(position.players):
        low = player.tools // 3
        if player.extra is not None:
            number = player.extra
            extra_open = number != UNKNOWN and not secret
            if number == UNKNOWN:
                number = next(one for one in deck if one != avoid)
                deck.remove(number)
            extra, extra_seat = number - 1, seat
        seats.append({
            "goods": player.goods, "score": player.score, "food": player.food,
            "people": player.people, "track": player.track, "tools": player.tools,
            "used_low": player.used.count(low) if low else 0,
            "used_high": player.used.count(low + 1),
            "one_use": sum(1 << (value - 2) for value in player.one_use), "two": player.two,
            "cards": [number - 1 for number in player.cards],
            "tiles": [number - 1 for number in player.tiles], "on": dict(player.placed),
        })
    return {
        "seats": seats, "deck": [number - 1 for number in deck],
        "unseen": [number - 1 for number in position.unseen_tiles],
        "supply": position.supply or (0, 0, 0, 0),
        "rounds": position.round, "gifts": position.gifts,
        "slots": [number - 1 if number else None for number in position.display],
        "tops": [number - 1 if number else None for number in position.tops],
        "stacks": position.stacks,
        "extra": extra, "extra_seat": extra_seat, "extra_open": extra_open,
        "start": position.start,
        "actor": position.acting, "to_move": position.to_move,
        "phase": PHASES.index(position.phase), "place": position.place, "kind": position.kind,
        "dice": position.dice, "sum": position.sum, "fed": position.feeding,
        "cause": CAUSES.index(position.cause),
    }


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
    from oddsmith.solver.games.stone_age.soundness import check

    document = Document.load(source)
    position = _read(document, change_rules)
    return position, located(document.root, check(position))


def _read(document: Document, change_rules: Change | None) -> Position:
    root = opened(document, GAME)
    seats = root.tables("player")
    if not 2 <= len(seats) <= MOST_PLAYERS:
        raise root.fault(*(("player", MOST_PLAYERS) if seats else ()),
                         what=f"there are {len(seats)} players",
                         why="Stone Age is for 2 to 4, each one [[player]] table")
    rules = rules_given(root, Rules(players=len(seats)), change_rules)
    check_seats(root, len(seats), rules.players)
    at = root.table("table")
    n = rules.players
    phase = at.text("phase", PHASES, default="placing")
    start = at.integer("start", 1, n, default=1) - 1
    to_move = at.integer("to_move", 1, n, default=1) - 1
    number = at.integer("round", 0, 200, default=1)
    feeding = at.boolean("feeding", default=phase == "feeding")
    waits = start_acts(phase, number, feeding)
    place, kind = _read_place(at, phase, n)
    position = Position(
        rules=rules, phase=phase, players=tuple(_read_player(one, rules) for one in seats),
        to_move=to_move, start=start, round=number, feeding=feeding,
        acting=at.integer("acting", 1, n, default=(start if waits else to_move) + 1) - 1,
        display=at.integers("cards", 0, len(cards()), SLOTS),
        tops=at.integers("tiles", 0, N_TILES, n),
        stacks=at.integers("stacks", 0, N_TILES, n), place=place, kind=kind,
        dice=at.integer("dice", 0, MOST_PEOPLE, default=0),
        sum=(at.integer("sum", 0, 6 * MOST_PEOPLE, default=0) if phase == "tools"
             else at.integer("missing", 0, MOST_PEOPLE, default=0)),
        gifts=_read_gifts(at, n),
        cause=at.text("cause", CAUSES[1:], default="") if phase == "over" else "",
    )
    root.finish()
    if phase == "over" and not position.cause:
        position = msgspec.structs.replace(position, cause=position.end or "cards")
    return position


def _read_place(at: Table, phase: str, n: int) -> tuple[int, int]:
    """Index of the place (stack, gift) and of the kind that the phase is about."""
    for key, phases in MEANT.items():
        if at.has(key) and phase not in phases:
            raise at.fault(key, what=f"{key} means nothing in the phase {phase!r}",
                           why=f"it belongs to {', '.join(phases)}", at_key=True)
    if phase == "turn tile":
        return at.integer("stack", 1, n) - 1, 0
    if phase == "gift":
        return at.integer("gift", 1, MOST_GIFTS, default=1) - 1, 0
    place = PLACES.index(at.text("place", PLACES)) if phase in MEANT["place"] else 0
    if phase not in MEANT["good"]:
        return place, 0
    # A place brings one good; cards are rolled for different ones.
    kind = at.text("good", GOODS, default=GOODS[place - HUNT]) if HUNT <= place < CARD else (
        at.text("good", GOODS))
    return place, len(KINDS) if kind == "food" else KINDS.index(kind)


def _read_gifts(at: Table, n: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Each gift as a table of the dice left and the seats yet to pick."""
    gifts = at.tables("gifts")
    if len(gifts) > MOST_GIFTS:
        raise at.fault("gifts", MOST_GIFTS, what=f"{len(gifts)} gifts are open",
                       why=f"no more than {MOST_GIFTS} can be: four cards are sold in a round, and "
                       "everybody takes his die by the next")
    return tuple(
        (tuple(sorted(one.integers("dice", 1, 6))),
         tuple(sorted(seat - 1 for seat in one.integers("seats", 1, n))))
        for one in gifts
    )


def _read_player(at: Table, rules: Rules) -> Player:
    slots = at.integers("tools", 1, 4, default=())
    try:
        tools = parse_tools(slots)
    except InputError as error:
        raise at.fault("tools", what=error.what, why=error.why, hint=error.hint) from None
    where = at.table("placed", default=None)
    extra = None
    if at.has("extra"):
        extra = UNKNOWN if at.raw("extra") == "?" else at.integer("extra", 1, len(cards()))
    return Player(
        name=at.text("name", default=""),
        score=at.integer("score", -MOST_POINTS, MOST_POINTS, default=0),
        food=at.integer("food", 0, MOST_GOODS, default=rules.start_food),
        people=at.integer("people", 1, MOST_PEOPLE, default=rules.start_people),
        track=at.integer("track", 0, MOST_TRACK, default=0),
        goods=at.integers("resources", 0, MOST_GOODS, len(KINDS), default=(0, 0, 0, 0)),
        tools=tools, used=tuple(sorted(at.integers("used", 1, 4, default=()), reverse=True)),
        one_use=tuple(sorted(at.integers("one_use", 2, 4, default=()))),
        two=at.boolean("two_card", default=False),
        cards=tuple(sorted(at.integers("cards", 1, len(cards()), default=()))),
        tiles=tuple(sorted(at.integers("tiles", 1, N_TILES, default=()))),
        extra=extra, placed=() if where is None else _read_placed(where),
    )


def _read_placed(at: Table) -> tuple[tuple[int, int], ...]:
    """People by the name of the place."""
    placed = {}
    for name in at.as_dict():
        try:
            place = parse_place(name)
        except InputError as error:
            raise at.fault(name, what=error.what, why=error.why, hint=error.hint,
                           at_key=True) from None
        placed[place] = at.integer(name, 1, MOST_PEOPLE)
    return tuple(sorted(placed.items()))


# Writing ---------------------------------------------------------------------------------------


def format_position(position: Position) -> str:
    """The position as a file that `load` reads back to an equal position."""
    rules, phase = position.rules, position.phase
    options = variants.format_rules_toml(rules, Rules(players=rules.players))
    lines = [f'game = "{GAME}"', "format = 1", "", "[rules]", f"players = {rules.players}",
             *options.splitlines()[1:], "", "[table]", f'phase = "{phase}"',
             f"to_move = {position.to_move + 1}"]
    waits = start_acts(phase, position.round, position.feeding)
    if position.acting != (position.start if waits else position.to_move):
        lines.append(f"acting = {position.acting + 1}")
    lines += [f"start = {position.start + 1}", f"round = {position.round}",
              f"cards = {list(position.display)}", f"tiles = {list(position.tops)}",
              f"stacks = {list(position.stacks)}"]
    if phase in ("turn tile", "gift"):
        lines.append(f"{'stack' if phase == 'turn tile' else 'gift'} = {position.place + 1}")
    elif phase in ("how many", "roll", "tools", "paying"):
        lines.append(f'place = "{PLACES[position.place]}"')
    if phase in ("roll", "tools"):
        lines.append(f'good = "{(*KINDS, "food")[position.kind]}"')
    if position.dice:
        lines.append(f"dice = {position.dice}")
    if position.sum:
        lines.append(f"{'missing' if position.feeding else 'sum'} = {position.sum}")
    if position.feeding != (phase == "feeding"):
        lines.append(f"feeding = {str(position.feeding).lower()}")
    if position.cause:
        lines.append(f'cause = "{position.cause}"')
    for dice, seats in position.gifts:
        lines += ["", "[[table.gifts]]", f"dice = {list(dice)}",
                  f"seats = {[seat + 1 for seat in seats]}"]
    for player in position.players:
        lines += ["", "[[player]]", *_player_lines(player)]
    return "\n".join(lines) + "\n"


def _player_lines(player: Player) -> list[str]:
    name = msgspec.json.encode(player.name).decode()
    lines = [f"name = {name}"] if player.name else []
    lines += [f"score = {player.score}", f"food = {player.food}", f"people = {player.people}",
              f"track = {player.track}", f"resources = {list(player.goods)}",
              f"tools = {list(levels(player.tools))}"]
    lines += [f"{key} = {list(values)}" for key, values in (
        ("used", player.used), ("one_use", player.one_use), ("cards", player.cards),
        ("tiles", player.tiles)) if values]
    if player.two:
        lines.append("two_card = true")
    if player.extra is not None:
        told = player.extra or '"?"'
        lines.append(f"extra = {told}   # only its owner has seen it")
    if player.placed:
        placed = ", ".join(f"{_key(PLACES[place])} = {n}" for place, n in player.placed)
        lines.append(f"placed = {{ {placed} }}")
    return lines


def _key(name: str) -> str:
    return f'"{name}"' if " " in name else name


BLANK = '''\
# A Stone Age position.  Check it with: oddsmith stone-age check FILE
game = "stone_age"

[rules]                 # what differs from the printed rules: oddsmith explain stone-age
players = 2

[table]
phase = "placing"       # or acting, paying, feeding, ...: see docs/notation.md
to_move = 1             # seat that decides
start = 1               # start player of this round
# acting = 1            # whose action turn it is; left out: to_move, before the actions start
round = 1
cards = [1, 12, 23, 34] # on the places priced 1, 2, 3, 4; 0 for an empty place
tiles = [1, 18]         # the face-up tile of each stack
stacks = [7, 7]         # tiles left in each, the face-up one included

[[player]]
name = "Ann"
score = 0
food = 12
people = 5
track = 0               # food track
resources = [0, 0, 0, 0] # wood, brick, stone, gold
tools = []              # values of the slots, such as [2, 1, 1]
# used = [1]            # of these, used in this round
# one_use = [3]         # one-use tools left
# two_card = true       # holds the card of two resources of choice
cards = []              # civilization cards, in any order
tiles = []              # building tiles
# extra = "?"           # the card that only its owner has seen
placed = { field = 1, "clay pit" = 2 } # people that have not acted yet

[[player]]
name = "Ben"
placed = { hut = 2, forest = 3 }
'''


# Dealing ---------------------------------------------------------------------------------------


def new(rules: Rules, seed: int) -> Position:
    """Deal a game: the start player drawn, tiles and cards turned up.

    Args:
        rules: the rules; the number of players is one of them.
        seed: 0..2^64-1; the same seed deals the same game.

    Raises:
        InputError: the seed is out of range.
    """
    from oddsmith.solver.games.stone_age.engine import from_state

    if not 0 <= seed < 1 << 64:
        raise InputError(f"the seed can't be {seed}", why="seeds are 0 to 2^64 - 1")
    game, draw = table(rules), Generator(seed, 0, STREAM_DEAL)
    state = game.new_game()
    while game.turn(state) < 0:
        state = game.apply_unchecked(state, game.sample(state, draw))
    n = rules.players
    blank = Position(rules=rules, phase="placing", tops=(0,) * n, stacks=(0,) * n,
                     players=tuple(Player(name=f"Player {seat + 1}") for seat in range(n)))
    return from_state(blank, state)
