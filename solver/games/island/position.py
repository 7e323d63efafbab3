"""Forbidden Island positions: read from TOML, written, dealt; `soundness.py` checks them.

What follows from the rest is not stored: the treasure pile is every card not in a hand or in the
discard, and the seat to move follows from the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.island.notation import (
    Island,
    format_island,
    parse_card,
    parse_island,
)
from oddsmith.solver.games.island.rules import (
    CARDS,
    SEATS,
    TREASURES,
    Rules,
    roles,
    tile_index,
    tiles,
)
from oddsmith.solver.heading import check_seats, opened, rules_given
from oddsmith.solver.position import Document, Table
from oddsmith.solver.soundness import located, sound

Change = Callable[[Rules], Rules]
"""What the caller does to the rules of a file: variants and settings."""

GAME = "island"
PHASES = ("actions", "discard", "between draws", "before flood", "swim", "last window", "draw",
          "flood", "over")
ENDINGS = ("won", "treasure", "landing", "drowned", "water", "turns")
ENDING_WORDS = {
    "won": "the team has won", "treasure": "both tiles of a treasure have sunk",
    "landing": "Fools' Landing has sunk", "drowned": "a pawn has drowned",
    "water": "the water meter has reached the skull", "turns": "the turns are up",
}
FOLLOWING = ("actions", "between draws", "before flood", "next turn")
LANDING = "fools_landing"
STREAM_SET_UP = 0


class Player(msgspec.Struct, frozen=True):
    """One seat: its name, role, the tile of its pawn, and its cards by kind (order of CARDS)."""

    name: str
    role: str
    at: str
    hand: tuple[int, ...]


class Position(msgspec.Struct, frozen=True):
    """A whole game at any point after the set-up.

    Args:
        rules: the rules.
        island: the tiles.
        players: in seat order; seat 0 started.
        captured: treasures of the team.
        treasure_discard: cards by kind.
        flood_pile: blocks from the top; inside a block every order is equally likely.
        flood_discard: tiles whose cards are there.
        water: mark of the meter, from 1.
        turn: number of the turn, from 1; turn t is seat (t - 1) modulo the players.
        phase: one of PHASES.
        actions, draws, floods: left this turn; draws are due once the actions are over, floods
            once the treasure cards are drawn.
        flights: of the Pilot this turn.
        then: while somebody discards, the phase that follows, one of FOLLOWING.
        ending: one of ENDINGS when the game is over.
    """

    rules: Rules
    island: Island
    players: tuple[Player, ...]
    captured: frozenset[str]
    treasure_discard: tuple[int, ...]
    flood_pile: tuple[frozenset[str], ...]
    flood_discard: frozenset[str]
    water: int
    turn: int = 1
    phase: str = "actions"
    actions: int = 0
    draws: int = 0
    floods: int = 0
    flights: int = 0
    then: str = ""
    ending: str = ""

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return (self.turn - 1) % self.rules.players

    @property
    def treasure_pile(self) -> tuple[int, ...]:
        """Cards of the treasure pile by kind."""
        return tuple(
            total - self.treasure_discard[k] - sum(player.hand[k] for player in self.players)
            for k, total in enumerate(self.rules.card_counts)
        )

    @property
    def flood_cards(self) -> int:
        """Flood cards that the water meter shows."""
        return self.rules.water_meter[min(self.water, len(self.rules.water_meter)) - 1]

    @property
    def finished(self) -> str:
        """Why the game is over, or "" if it is not."""
        return ENDING_WORDS[self.ending] if self.phase == "over" else ""


def tiles_of(treasure: str) -> tuple[str, str]:
    """The two tiles where a treasure can be captured."""
    one, two = (tile.id for tile in tiles() if tile.treasure == treasure)
    return one, two


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
    from oddsmith.solver.games.island.soundness import check

    document = Document.load(source)
    position = _read(document, change_rules)
    return position, located(document.root, check(position))


def _read(document: Document, change_rules: Change | None) -> Position:
    root = opened(document, GAME)
    seats = root.tables("player")
    if not 2 <= len(seats) <= SEATS:
        raise root.fault(*(("player", SEATS) if len(seats) > SEATS else ()),
                         what=f"there are {len(seats)} players", why="2 to 4 can play",
                         hint="each player is one [[player]] table")
    rules = rules_given(root, Rules(players=len(seats)), change_rules)
    check_seats(root, len(seats), rules.players)
    island_table, flood = root.table("island"), root.table("flood")
    island = _read_island(island_table, rules)
    treasure = root.table("treasure", default=None)
    turn = root.table("turn", default=None)
    captured: tuple[str, ...] = ()
    discard = (0,) * len(CARDS)
    if treasure is not None:
        captured = treasure.texts("captured", TREASURES, default=())
        discard = _read_counts(treasure, "discard")
    flood_discard = _read_tiles(flood, "discard") if flood.has("discard") else frozenset()
    rest = frozenset(island.in_play) - flood_discard
    pile = _read_pile(flood) if flood.has("pile") else (rest,)
    level = flood.integer("water", 1, len(rules.water_meter) + 1)
    players = tuple(_read_player(one) for one in seats)
    values = _read_turn(turn, rules) if turn is not None else {"actions": rules.actions}
    root.finish()
    return Position(rules, island, players, frozenset(captured), discard, pile, flood_discard,
                    level, **values)


def _read_turn(turn: Table, rules: Rules) -> dict[str, Any]:
    phase = turn.text("phase", PHASES, default="actions")
    return {
        "turn": turn.integer("number", 1, rules.max_turns, default=1),
        "phase": phase,
        "actions": turn.integer("actions", 0, rules.actions,
                                default=rules.actions if phase == "actions" else 0),
        "draws": turn.integer("draws", 0, 2, default=0),
        "floods": turn.integer("floods", 0, 24, default=0),
        "flights": turn.integer("flights", 0, 9, default=0),
        "then": turn.text("then", FOLLOWING, default="actions" if phase == "discard" else ""),
        "ending": turn.text("ending", ENDINGS, default=""),
    }


def _read_island(table: Table, rules: Rules) -> Island:
    text = table.text("tiles")
    try:
        return parse_island(text, rules.layout)
    except InputError as error:
        raise table.fault("tiles", what=error.what, why=error.why, hint=error.hint,
                          offset=(error.line - 1, error.column - 1)) from None


def _read_tile(table: Table, word: str, *path: str | int) -> str:
    try:
        return tiles()[tile_index(word)].id
    except InputError as error:
        raise table.fault(*path, what=error.what, why=error.why, hint=error.hint) from None


def _read_tiles(table: Table, key: str) -> frozenset[str]:
    found: list[str] = []
    for k, word in enumerate(table.texts(key)):
        tile = _read_tile(table, word, key, k)
        if tile in found:
            raise table.fault(key, k, what=f"{tile} is here twice", why="every card exists once")
        found.append(tile)
    return frozenset(found)


def _read_pile(flood: Table) -> tuple[frozenset[str], ...]:
    blocks = flood.raw("pile")
    if not isinstance(blocks, list) or not all(
        isinstance(block, list) and all(isinstance(word, str) for word in block)
        for block in blocks
    ):
        raise flood.fault("pile", what="`pile` must be a list of blocks, each a list of tiles",
                          why="cards whose order is unknown among themselves are one block; the "
                          "top block comes first", hint='write pile = [["observatory"]]')
    found, seen = [], set()
    for k, block in enumerate(blocks):
        for j, word in enumerate(block):
            tile = _read_tile(flood, word, "pile", k, j)
            if tile in seen:
                raise flood.fault("pile", k, j, what=f"{tile} is here twice",
                                  why="every card exists once")
            seen.add(tile)
        found.append(frozenset(block))
    return tuple(found)


def _read_counts(table: Table, key: str) -> tuple[int, ...]:
    counts = table.table(key, default=None)
    if counts is None:
        return (0,) * len(CARDS)
    return tuple(counts.integer(card, 0, 60, default=0) for card in CARDS)


def _read_player(table: Table) -> Player:
    hand = [0] * len(CARDS)
    for k, word in enumerate(table.texts("hand", default=())):
        try:
            hand[parse_card(word, CARDS[:-1])] += 1
        except InputError as error:
            raise table.fault("hand", k, what=error.what, why=error.why,
                              hint=error.hint) from None
    return Player(
        table.text("name", default=""),
        table.text("role", [role.id for role in roles()]),
        _read_tile(table, table.text("at"), "at"),
        tuple(hand),
    )


# Writing ---------------------------------------------------------------------------------------


def _quoted(words: Any) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def _in_order(found: frozenset[str]) -> list[str]:
    return [tile.id for tile in tiles() if tile.id in found]


def format_position(position: Position) -> str:
    """The position as a file that `load` reads back to an equal position."""
    rules = position.rules
    options = variants.format_rules_toml(rules, Rules(players=rules.players))
    counts = ", ".join(f"{card} = {n}" for card, n
                       in zip(CARDS, position.treasure_discard, strict=True) if n)
    pile = ", ".join(_quoted(_in_order(block)) for block in position.flood_pile)
    lines = [f'game = "{GAME}"', "format = 1", "", "[rules]", f"players = {rules.players}",
             *options.splitlines()[1:], "", "[turn]", f"number = {position.turn}",
             f'phase = "{position.phase}"']
    for name in ("actions", "draws", "floods", "flights"):
        if getattr(position, name) or name == "actions":
            lines.append(f"{name} = {getattr(position, name)}")
    for name in ("then", "ending"):
        if getattr(position, name):
            lines.append(f'{name} = "{getattr(position, name)}"')
    lines += ["", "[island]", 'tiles = """', format_island(position.island, rules.layout), '"""',
              "", "[flood]", f"water = {position.water}   # mark of the meter: "
              f"{position.flood_cards} flood cards",
              f"discard = {_quoted(_in_order(position.flood_discard))}",
              f"pile = [{pile}]   # blocks from the top", "", "[treasure]",
              f"captured = {_quoted(t for t in TREASURES if t in position.captured)}",
              f"discard = {{ {counts} }}" if counts else "discard = {}"]
    for player in position.players:
        lines += ["", "[[player]]"]
        if player.name:
            lines.append(f"name = {msgspec.json.encode(player.name).decode()}")
        hand = [card for card, n in zip(CARDS, player.hand, strict=True) for _ in range(n)]
        lines += [f'role = "{player.role}"', f'at = "{player.at}"', f"hand = {_quoted(hand)}"]
    return "\n".join(lines) + "\n"


BLANK = '''\
# A Forbidden Island position.  Check it with: oddsmith island check FILE
game = "island"

[rules]                 # what differs from the printed rules; all options: oddsmith explain island
players = 2

[turn]
number = 1              # turn 1 is player 1, turn 2 player 2, and so on
actions = 3             # left

[island]                # rows from the top; name~ is flooded, (name) has sunk
tiles = """
fools_landing bronze_gate
copper_gate gold_gate iron_gate silver_gate
temple_of_the_moon temple_of_the_sun howling_garden whispering_garden cave_of_embers cave_of_shadows
coral_palace tidal_palace breakers_bridge~ cliffs_of_abandon~ crimson_forest~ dunes_of_deception~
lost_lagoon~ misty_marsh~ observatory phantom_rock
twilight_hollow watchtower
"""

[flood]
water = 1               # mark of the water meter
discard = ["breakers_bridge", "cliffs_of_abandon", "crimson_forest", "dunes_of_deception",
           "lost_lagoon", "misty_marsh"]
# pile = [["..."], ["..."]]   # blocks from the top; left out: all other cards in unknown order

[treasure]
captured = []           # earth, wind, fire, ocean
discard = {}            # such as { earth = 2, waters_rise = 1 }

[[player]]
name = "Ann"
role = "engineer"
at = "bronze_gate"
hand = ["earth", "sandbags"]

[[player]]
name = "Ben"
role = "pilot"
at = "fools_landing"
hand = ["earth", "ocean"]
'''


# Dealing ---------------------------------------------------------------------------------------


def new(rules: Rules, seed: int) -> Position:
    """Deal a game: the set-up of the rules page.

    Args:
        rules: the rules; the number of players is one of them.
        seed: 0..2^64-1; the same seed deals the same game.

    Raises:
        InputError: the seed is out of range.
    """
    from oddsmith.solver.games.island import engine

    if not 0 <= seed < 1 << 64:
        raise InputError(f"the seed can't be {seed}", why="seeds are 0 to 2^64 - 1")
    table = engine.table(rules)
    draw = Generator(seed, 0, STREAM_SET_UP)
    state = table.new_game()
    while table.turn(state) == engine.CHANCE and not table.unpack(state)["turn"]:
        state = table.apply_unchecked(state, table.sample(state, draw))
    players = tuple(Player(f"Player {seat + 1}", "", "", ()) for seat in range(rules.players))
    return engine.from_state(rules, state, players)
