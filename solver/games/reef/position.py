"""Reef positions: read from TOML, checked, written, dealt.

What follows from the rest is not stored: the supply is the coral in play less what lies on the
boards, and the deck is every card not seen elsewhere.  A hand may hold unknown cards, `"?"`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.reef.notation import (
    COLOR_WORDS,
    COLORS,
    SPACES,
    Board,
    draw_board,
    parse_board,
)
from oddsmith.solver.games.reef.rules import Rules, card, cards, resolve
from oddsmith.solver.heading import opened, rules_given
from oddsmith.solver.position import Document, Table
from oddsmith.solver.reading import show
from oddsmith.solver.soundness import Fault, located, sound

Change = Callable[[Rules], Rules]
"""What the caller does to the rules of a file: variants and settings."""

GAME = "reef"
UNKNOWN = 0
"""In a hand: a card that the writer of the position has not seen."""

UNLIMITED_SUPPLY = 0xFFFFFFFF
OPENING_HAND = 2
MOST_PLAYERS = 4
CENTER = (5, 6, 9, 10)
EDGE = tuple(space for space in range(SPACES) if space not in CENTER)
MOST_POINTS = 99_999
MOST_TOKENS = 9999
MOST_CORAL = 60
STREAM_DECK, STREAM_PLAYER = 0, 1  # streams of the generator: the deck; then one a player


class Player(msgspec.Struct, frozen=True):
    """One seat: its name, points, hand (card numbers, UNKNOWN for `?`) and reef.

    `secret` are the opening cards still in hand that only their owner has seen.
    """

    name: str
    score: int
    hand: tuple[int, ...]
    board: Board
    secret: tuple[int, ...] = ()


class Position(msgspec.Struct, frozen=True):
    """A whole game between two turns.

    Args:
        rules: resolved rules.
        players: in seat order; seat 0 owns the starfish board and started.
        to_move: seat whose turn it is, 0-based (1-based in files).
        display: numbers of the cards on display, left to right.
        tokens: points lying on each of them.
        deck_top: number of the deck's top card, which lies face up; None with an empty deck.
        played: numbers of the cards played so far.
        passes: how many players have just passed, one after the other.
        top_is_due: the deck's top card was just taken and the next is not turned up yet.
    """

    rules: Rules
    players: tuple[Player, ...]
    to_move: int
    display: tuple[int, ...]
    tokens: tuple[int, ...]
    deck_top: int | None
    played: tuple[int, ...]
    passes: int = 0
    top_is_due: bool = False

    @property
    def n_deck(self) -> int:
        """Cards in the deck, its face-up top card included."""
        hands = sum(len(player.hand) for player in self.players)
        return len(cards()) - hands - len(self.display) - len(self.played)

    @property
    def unseen(self) -> tuple[int, ...]:
        """Cards that may be in the deck below its top, or be an unknown card of a hand."""
        seen = {number for number, _ in _places(self)}
        return tuple(one.number for one in cards() if one.number not in seen)

    @property
    def supply(self) -> dict[str, int]:
        """Coral left in the supply, by colour letter."""
        return {
            letter: self.rules.coral - sum(p.board.n_pieces(letter) for p in self.players)
            for letter in COLORS
        }

    @property
    def packed_supply(self) -> int:
        """The supply as the kernels take it: four bytes, red lowest."""
        return pack_supply(self.supply)

    @property
    def finished(self) -> str:
        """Why the game is over, or "" if it is not."""
        if self.passes == len(self.players):
            return "everybody has passed"
        if self.n_deck == 0 and (self.rules.end != "finish_round" or self.to_move == 0):
            return "the deck is empty"
        empty = [COLOR_WORDS[letter] for letter, left in self.supply.items() if left <= 0]
        if empty and (self.rules.end == "immediate" or self.to_move == 0):
            return f"the supply of {empty[0]} is empty"
        return ""


def pack_supply(supply: Mapping[str, int]) -> int:
    """Coral by colour letter as four bytes in one integer, red lowest.

    Raises:
        InputError: a colour is missing or unknown, or a number is not in 0..60.
    """
    if set(supply) != set(COLORS) or not all(
        isinstance(left, int) and 0 <= left <= MOST_CORAL for left in supply.values()
    ):
        raise InputError(
            f"a supply can't be {dict(supply)!r}",
            why=f"it says how much coral is left, 0 to {MOST_CORAL}, of each of r y g p",
            hint='write {"r": 16, "y": 16, "g": 16, "p": 16}',
        )
    return sum(supply[letter] << (8 * k) for k, letter in enumerate(COLORS))


def _places(position: Position) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Every known card with the key path of its place in a position file."""
    for seat, player in enumerate(position.players):
        for k, number in enumerate(player.hand):
            if number != UNKNOWN:
                yield number, ("player", seat, "hand", k)
    for k, number in enumerate(position.display):
        yield number, ("table", "display", k)
    if position.deck_top is not None:
        yield position.deck_top, ("table", "deck_top")
    for k, number in enumerate(position.played):
        yield number, ("table", "played", k)


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
    position, given = _read(document, change_rules)
    # Figures that follow from the rest come last: a fault above them is often their cause.
    return position, [*located(document.root, check(position)),
                      *located(document.root, _disagreements(position, given))]


def _read(
    document: Document, change_rules: Change | None
) -> tuple[Position, dict[str, Any]]:
    root = opened(document, GAME)
    tables = root.tables("player")
    if len(tables) > MOST_PLAYERS:
        raise root.fault("player", MOST_PLAYERS, what=f"there are {len(tables)} players",
                         why=f"Reef has at most {MOST_PLAYERS}")
    base = Rules(players=min(max(len(tables), 2), MOST_PLAYERS))
    rules = resolve(rules_given(root, base, change_rules))
    if len(tables) != rules.players:
        raise root.fault(
            *(("player", len(tables) - 1) if tables else ()),
            what=f"there are {len(tables)} players, the rules say {rules.players}",
            why="each player is one [[player]] table",
            hint="add the missing [[player]] tables, or set players under [rules]",
        )
    table = root.table("table")
    players = tuple(_read_player(one, rules) for one in tables)
    display = _read_cards(table, "display")
    tokens = table.integers("tokens", 0, MOST_TOKENS, default=(0,) * len(display))
    top = _read_card(table, table.raw("deck_top"), "deck_top") if table.has("deck_top") else None
    played = _read_cards(table, "played") if table.has("played") else ()
    to_move = table.integer("to_move", 1, rules.players, default=1) - 1
    passes = table.integer("passes", 0, rules.players, default=0)
    due = table.boolean("top_is_due", default=False)
    given: dict[str, Any] = {}
    if table.has("deck"):
        given["deck"] = table.integer("deck", 0, len(cards()))
    supply = table.table("supply", default=None)
    if supply is not None:
        given["supply"] = {
            letter: supply.integer(word, 0, 60) for letter, word in COLOR_WORDS.items()
        }
    root.finish()
    position = Position(rules, players, to_move, display, tokens, top, played, passes, due)
    return position, given


def _read_cards(table: Table, key: str) -> tuple[int, ...]:
    return tuple(_read_card(table, value, key, k) for k, value in enumerate(_list(table, key)))


def _list(table: Table, key: str) -> list[Any]:
    values = table.raw(key)
    if not isinstance(values, list):
        raise table.fault(key, what=f"`{key}` must be a list of card numbers",
                          hint=f"write {key} = [4, 17, 23]")
    if len(values) > len(cards()):
        raise table.fault(key, what=f"`{key}` lists {len(values)} cards",
                          why=f"the game has {len(cards())}")
    return values


def _read_card(table: Table, value: Any, *path: str | int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise table.fault(
            *path, what=f"a card must be its number, not {show(value)}",
            why=f"Reef's cards are numbered 1 to {len(cards())}",
            hint="list the cards with: oddsmith reef cards",
        )
    try:
        return card(value).number
    except InputError as error:
        raise table.fault(*path, what=error.what, why=error.why, hint=error.hint) from None


def _read_player(table: Table, rules: Rules) -> Player:
    text = table.text("board")
    try:
        board = parse_board(text, rules.stack_limit)
    except InputError as error:
        raise table.fault(
            "board", what=error.what, why=error.why, hint=error.hint,
            offset=(error.line - 1, error.column - 1),
        ) from None
    hand = tuple(
        UNKNOWN if value == "?" else _read_card(table, value, "hand", k)
        for k, value in enumerate(_list(table, "hand"))
    )
    return Player(
        table.text("name", default=""),
        table.integer("score", 0, MOST_POINTS, default=rules.start_points),
        hand,
        board,
        _read_cards(table, "secret") if table.has("secret") else (),
    )


# Checking --------------------------------------------------------------------------------------


def check(position: Position) -> list[Fault]:
    """Every fault of a position; empty if it is sound."""
    return [
        *_check_cards(position), *_check_table(position), *_check_hands(position),
        *_check_coral(position),
    ]


def _describe(path: tuple[str | int, ...]) -> str:
    if path[0] == "player":
        return f"in the hand of player {int(path[1]) + 1}"
    return {"display": "on display", "deck_top": "on top of the deck", "played": "played"}[
        str(path[1])
    ]


def _check_cards(position: Position) -> Iterator[Fault]:
    first: dict[int, tuple[str | int, ...]] = {}
    for number, path in _places(position):
        if number in first:
            places = list(dict.fromkeys([_describe(first[number]), _describe(path)]))
            yield Fault(path, f"card {number} is here twice: {' and '.join(places)}",
                        "every card exists once")
        first.setdefault(number, path)


def _check_table(position: Position) -> Iterator[Fault]:
    n_display, n_deck, size = len(position.display), position.n_deck, position.rules.display_size
    if n_display > size:
        yield Fault(("table", "display"), f"{n_display} cards are on display",
                    f"the display holds {size}")
    if n_deck < 0:
        yield Fault(("table", "played"), f"{-n_deck} more cards are in play than exist",
                    f"the game has {len(cards())} cards")
        return
    if n_display < size and n_deck > 0:
        yield Fault(
            ("table", "display"), f"{n_display} cards are on display, but the deck still has "
            f"{n_deck}", f"the display is refilled to {size} as long as the deck lasts",
            "add the missing cards, or list the cards already played under `played`",
        )
    if len(position.tokens) != n_display:
        yield Fault(("table", "tokens"), f"tokens are listed for {len(position.tokens)} cards",
                    f"{n_display} cards are on display")
    if position.top_is_due and (position.deck_top is not None or n_deck == 0):
        yield Fault(("table", "top_is_due"), "no new top card can be due",
                    "deck_top is told, or the deck is empty")
    # After the last action of a game no new top card is turned up.
    told = position.deck_top is not None or position.top_is_due or position.finished
    if n_deck > 0 and not told:
        yield Fault(("table",), "deck_top is missing",
                    f"the deck has {n_deck} cards and its top card lies face up",
                    "add deck_top = NUMBER, or list the cards already played under `played`")
    if position.deck_top is not None and n_deck == 0:
        yield Fault(("table", "deck_top"), "the deck has a top card but no cards",
                    f"all {len(cards())} cards are in hands, on display or played")


def _check_hands(position: Position) -> Iterator[Fault]:
    limit = max(position.rules.hand_limit, OPENING_HAND)  # the deal takes no heed of the limit
    for seat, player in enumerate(position.players):
        if len(player.hand) > limit:
            yield Fault(("player", seat, "hand"), f"{len(player.hand)} cards are in hand",
                        f"the hand limit is {position.rules.hand_limit}")
        for k, number in enumerate(player.secret):
            if number not in player.hand:
                yield Fault(("player", seat, "secret", k), f"card {number} is not in the hand",
                            "secret cards are cards of the hand that only its owner has seen")
        if len(player.secret) > OPENING_HAND:
            yield Fault(("player", seat, "secret"), f"{len(player.secret)} cards are secret",
                        f"{OPENING_HAND} are dealt face down; all others are taken openly")


def _check_coral(position: Position) -> Iterator[Fault]:
    total = position.rules.coral
    for seat, player in enumerate(position.players):
        for stack in player.board.stacks:
            if len(stack) > position.rules.stack_limit:
                yield Fault(("player", seat, "board"), f"the stack `{stack}` is too high",
                            f"the stack limit is {position.rules.stack_limit}")
    for letter, left in position.supply.items():
        if left < 0:
            most = max(range(len(position.players)),
                       key=lambda seat: position.players[seat].board.n_pieces(letter))
            yield Fault(
                ("player", most, "board"),
                f"{total - left} {COLOR_WORDS[letter]} coral lie on the boards",
                f"{total} of each colour are in play with {position.rules.players} players",
                "remove coral, or set supply_per_color under [rules]",
            )


def _disagreements(
    position: Position, given: dict[str, Any]
) -> Iterator[Fault]:
    """Figures in the file that contradict what follows from the rest."""
    if "deck" in given and given["deck"] != position.n_deck:
        yield Fault(("table", "deck"), f"the deck is said to have {given['deck']} cards",
                    f"{position.n_deck} of the {len(cards())} cards are in no hand, not on "
                    "display and not played")
    for letter, count in given.get("supply", {}).items():
        if count != position.supply[letter]:
            word = COLOR_WORDS[letter]
            yield Fault(("table", "supply", word),
                        f"the supply is said to have {count} {word} coral",
                        f"{position.rules.coral} are in play and "
                        f"{position.rules.coral - position.supply[letter]} lie on the boards")


def notes(position: Position) -> list[str]:
    """What is odd about a sound position, though nothing forbids analysing it."""
    found = []
    for seat, player in enumerate(position.players, 1):
        missing = [COLOR_WORDS[c] for c in COLORS if not player.board.n_pieces(c)]
        if missing:
            found.append(f"player {seat} has no {' and no '.join(missing)} coral, but every "
                         "player starts with one of each colour and coral never leaves a board")
    coral = sum(len(stack) for player in position.players for stack in player.board.stacks)
    known = len(COLORS) * len(position.players) + 2 * len(position.played)
    if coral > known:
        found.append(f"{coral} coral lie on the boards, but the start and the cards under "
                     f"`played` have brought at most {known}: is `played` complete")
    if position.finished:
        found.append(f"the game is over: {position.finished}")
    return found


# Writing ---------------------------------------------------------------------------------------


def format_position(position: Position) -> str:
    """The position as a file that `load` reads back to an equal position."""
    rules = position.rules
    options = variants.format_rules_toml(rules, resolve(Rules(players=rules.players)))
    lines = [f'game = "{GAME}"', "format = 1", "", "[rules]", f"players = {rules.players}"]
    lines += options.splitlines()[1:]
    lines += ["", "[table]", f"to_move = {position.to_move + 1}",
              f"display = {list(position.display)}", f"tokens = {list(position.tokens)}"]
    if position.deck_top is not None:
        lines.append(f"deck_top = {position.deck_top}")
    lines.append(f"deck = {position.n_deck}   # cards left, the top one included")
    lines.append(f"played = {list(position.played)}")
    if position.top_is_due:
        lines.append("top_is_due = true   # tell it with: oddsmith reef move FILE \"top NUMBER\"")
    if position.passes:
        lines.append(f"passes = {position.passes}")
    supply = ", ".join(f"{COLOR_WORDS[k]} = {n}" for k, n in position.supply.items())
    lines.append(f"supply = {{ {supply} }}")
    for player in position.players:
        hand = ", ".join(str(number) if number != UNKNOWN else '"?"' for number in player.hand)
        name = msgspec.json.encode(player.name).decode()
        lines += ["", "[[player]]"]
        if player.name:
            lines.append(f"name = {name}")
        lines += [f"score = {player.score}", f"hand = [{hand}]"]
        if player.secret:
            lines.append(f"secret = {list(player.secret)}   # only their owner has seen them")
        lines += ['board = """', draw_board(player.board), '"""']
    return "\n".join(lines) + "\n"


BLANK = '''\
# A Reef position.  Check it with: oddsmith reef check FILE
game = "reef"

[rules]                 # what differs from the printed rules; all options: oddsmith explain reef
players = 2

[table]
to_move = 1             # player 1 owns the starfish board and started
display = [1, 2, 3]     # card numbers, left to right; all cards: oddsmith reef cards
tokens = [0, 0, 0]      # points lying on each of them
deck_top = 4            # the face-up top card of the deck; leave out when the deck is empty
played = []             # cards already played, in any order

[[player]]
name = "Ann"
score = 3
hand = [5, 6]           # "?" for a card you have not seen
secret = [5, 6]         # of these, what only Ann has seen: her opening cards
# Rows from the top; stacks bottom to top in r y g p; `.` is empty.
board = """
    a    b    c    d
1 | .  | .  | .  | .  |
2 | .  | r  | y  | .  |
3 | .  | g  | p  | .  |
4 | .  | .  | .  | .  |
"""

[[player]]
name = "Ben"
score = 3
hand = ["?", "?"]
board = ".,.,.,./.,p,g,./.,y,r,./.,.,.,."     # the same on one line
'''


# Dealing ---------------------------------------------------------------------------------------


def new(rules: Rules, seed: int) -> Position:
    """Deal a game: the set-up of the rules page, with start layouts drawn at random.

    Args:
        rules: the rules; the number of players is one of them.
        seed: 0..2^64-1; the same seed deals the same game.

    Raises:
        InputError: the seed is out of range.
    """
    if not 0 <= seed < 1 << 64:
        raise InputError(f"the seed can't be {seed}", why="seeds are 0 to 2^64 - 1")
    rules = resolve(rules)
    deck = Generator(seed, 0, STREAM_DECK).shuffled([one.number for one in cards()])
    hands = [tuple(deck[OPENING_HAND * seat :][:OPENING_HAND]) for seat in range(rules.players)]
    rest = deck[OPENING_HAND * rules.players :]
    players = tuple(
        Player(f"Player {seat + 1}", rules.start_points, hands[seat],
               _start_board(rules, Generator(seed, 0, STREAM_PLAYER + seat)), hands[seat])
        for seat in range(rules.players)
    )
    display = tuple(rest[: rules.display_size])
    return Position(rules, players, 0, display, (0,) * len(display), rest[rules.display_size], ())


def _start_board(rules: Rules, draw: Generator) -> Board:
    """One coral of each colour, each arrangement (each order of placing) equally likely."""
    stacks = [""] * SPACES
    if rules.start_layout == "center":
        for space, letter in zip(CENTER, draw.shuffled(COLORS), strict=True):
            stacks[space] = letter
        return Board(tuple(stacks))
    spaces = EDGE if rules.start_layout == "edge" else tuple(range(SPACES))
    for letter in draw.shuffled(COLORS):
        free = [space for space in spaces if len(stacks[space]) < rules.stack_limit]
        stacks[free[draw.below(len(free))]] += letter
    return Board(tuple(stacks))
