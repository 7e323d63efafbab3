"""Forbidden Island's whole games: the compiled table of a rule set, and its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from oddsmith.kernels.island_estimate import use_estimate
from oddsmith.kernels.island_game import IslandTable
from oddsmith.kernels.island_policies import TeamPlan
from oddsmith.kernels.rng import Generator
from oddsmith.solver import following
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.island import position as positions
from oddsmith.solver.games.island.notation import Island, parse_card
from oddsmith.solver.games.island.position import Player, Position
from oddsmith.solver.games.island.rules import (
    CARDS,
    TREASURES,
    Rules,
    compiled,
    roles,
    tile_index,
    tiles,
)

(DEAL_TILES, DEAL_FLOOD, DEAL_ROLES, DEAL_HANDS, ACTIONS, DISCARD, BETWEEN_DRAWS, BEFORE_FLOOD,
 SWIM, LAST_WINDOW, DRAW, FLOOD, FINISHED, TO_DRAW, NEXT_TURN) = range(15)
"""The phases of kernels/island.pxd."""

(PASS, WALK, FLY, SHORE, GIVE, CAPTURE, NAVIGATE, LIFT, WIN, SANDBAGS, DROP, SWIM_TO, TILE, ROLE,
 CARD, FLOOD_CARD) = range(16)
"""The kinds of moves and outcomes; the lowest byte of a code."""

PHASE_NUMBERS = {
    "actions": ACTIONS, "discard": DISCARD, "between draws": BETWEEN_DRAWS,
    "before flood": BEFORE_FLOOD, "swim": SWIM, "last window": LAST_WINDOW, "draw": DRAW,
    "flood": FLOOD, "over": FINISHED, "next turn": NEXT_TURN,
}
PHASE_NAMES = {number: name for name, number in PHASE_NUMBERS.items()}
ENDINGS = ("", *positions.ENDINGS)
"""Why a game is over, by the kernel's number."""

VERBS = ("end", "go", "walk", "fly", "shore", "give", "capture", "navigate", "lift", "win",
         "sandbags", "discard", "swim", "card", "flood")
NOBODY = 255
CHANCE, OVER = following.CHANCE, following.OVER
N_ROLES = tuple(role.id for role in roles())


@lru_cache(maxsize=64)
def table(rules: Rules) -> IslandTable:
    """The rules as a game table."""
    made = IslandTable(compiled(rules))
    TeamPlan(made)
    use_estimate(made)
    return made


def encode(kind: int, *arguments: int) -> int:
    """The kernel's code of a move or outcome."""
    return kind | sum(argument << (8 * place) for place, argument in enumerate(arguments, 1))


def decode(code: int) -> tuple[int, tuple[int, int, int, int]]:
    """Its kind and four arguments."""
    a, b, c, d = (code >> shift & 0xFF for shift in (8, 16, 24, 32))
    return code & 0xFF, (a, b, c, d)


# Positions as states -----------------------------------------------------------------------------


def to_state(position: Position) -> bytes:
    """The kernel's state of a position."""
    island = position.island
    swimmers = 0
    if position.phase == "swim":
        swimmers = sum(1 << seat for seat, player in enumerate(position.players)
                       if player.at in island.sunk)
    return table(position.rules).pack({
        "in_play": island.mask(island.in_play),
        "flooded": island.mask(island.flooded),
        "discard": island.mask(position.flood_discard),
        "pile": [island.mask(block) for block in reversed(position.flood_pile)] or [0],
        "place": [island.space(tile.id) for tile in tiles()],
        "hands": [player.hand for player in position.players],
        "roles": [N_ROLES.index(player.role) for player in position.players],
        "pawns": [island.space(player.at) for player in position.players],
        "deck": position.treasure_pile, "used": position.treasure_discard,
        "mark": position.water - 1,
        "captured": sum(1 << TREASURES.index(treasure) for treasure in position.captured),
        "to_move": position.to_move, "phase": PHASE_NUMBERS[position.phase],
        "actions": position.actions, "flights": position.flights, "draws": position.draws,
        "floods": position.floods, "swimmers": swimmers,
        "then": PHASE_NUMBERS[position.then] if position.then else 0,
        "turn": position.turn, "ending": ENDINGS.index(position.ending),
    })


def from_state(rules: Rules, state: bytes, players: Sequence[Player]) -> Position:
    """The position of a state after the set-up; names are those of `players`."""
    fields = table(rules).unpack(state)
    by_space = sorted(range(len(tiles())), key=lambda tile: fields["place"][tile])
    island = Island(tuple(tiles()[tile].id for tile in by_space))
    sunk = frozenset(island.tiles) - island.named(fields["in_play"])
    discarding = fields["phase"] == DISCARD
    return Position(
        rules, msgspec.structs.replace(island, flooded=island.named(fields["flooded"]), sunk=sunk),
        tuple(
            Player(player.name, N_ROLES[fields["roles"][seat]],
                   island.tiles[fields["pawns"][seat]], tuple(fields["hands"][seat]))
            for seat, player in enumerate(players)
        ),
        frozenset(t for k, t in enumerate(TREASURES) if fields["captured"] >> k & 1),
        tuple(fields["used"]), tuple(island.named(block) for block in reversed(fields["pile"])),
        island.named(fields["discard"]), fields["mark"] + 1, turn=fields["turn"],
        phase=PHASE_NAMES[fields["phase"]], actions=fields["actions"], draws=fields["draws"],
        floods=fields["floods"], flights=fields["flights"],
        then=PHASE_NAMES[fields["then"]] if discarding else "", ending=ENDINGS[fields["ending"]],
    )


def legal_codes(position: Position) -> list[int]:
    """The kernel's codes of the team's moves; empty where a card is due or the game is over."""
    return table(position.rules).moves(to_state(position))


def make_move(position: Position, code: int) -> Position:
    """The position after a move or an outcome, given by its code.

    Raises:
        InputError: it isn't legal there.
    """
    if position.finished:
        raise InputError(f"the game is over: {position.finished}")
    game, state = table(position.rules), to_state(position)
    chance = game.turn(state) == CHANCE
    legal = [one for one, _ in game.outcomes(state)] if chance else game.moves(state)
    if code not in legal:
        raise InputError(f"`{format_move(position, code)}` is not legal here",
                         why=_why_illegal(position, chance, code))
    return from_state(position.rules, game.apply_unchecked(state, code), position.players)


def _why_illegal(position: Position, chance: bool, code: int) -> str:
    """What is due instead, in words."""
    if chance:
        due = "treasure" if position.phase == "draw" else "flood"
        outcome = "card KIND" if position.phase == "draw" else "flood TILE"
        alone = outcome.partition(" ")[0]
        return f"a {due} card is due: tell it as `{outcome}`, or draw one with `{alone}`"
    kind, _ = decode(code)
    if kind in (CARD, FLOOD_CARD):
        return f"the phase is {position.phase}: no card is drawn before the team has moved"
    if position.phase == "actions" and not position.actions and WALK <= kind <= NAVIGATE:
        return "no action is left"
    return f"`moves` lists what can be done in this phase ({position.phase})"


def search_state(position: Position) -> bytes:
    """The state that the team searches; nothing is hidden in this game.

    Raises:
        InputError: a card is due, or the game is over.
    """
    if position.finished:
        raise InputError(f"the game is over: {position.finished}",
                         hint="`show` tells the result")
    state = to_state(position)
    if table(position.rules).turn(state) == CHANCE:
        raise InputError("a card is due first",
                         why=_why_illegal(position, True, 0).partition(": ")[0],
                         hint="tell it with: oddsmith island move FILE "
                         + ("\"card KIND\"" if position.phase == "draw" else "\"flood TILE\""))
    return state


def parse_code(position: Position, text: str) -> int:
    """The code of a legal move or outcome as typed.

    Raises:
        InputError: it isn't one; says why.
    """
    code = parse_move(position, text)
    make_move(position, code)
    return code


def format_line(position: Position, codes: Sequence[int]) -> list[str]:
    """Moves made one after the other, as typed; it ends where a card is due."""
    return following.line_told(position, codes, _decides, format_move, make_move)


def _decides(position: Position) -> bool:
    return not position.finished and table(position.rules).turn(to_state(position)) != CHANCE


# Notation ----------------------------------------------------------------------------------------


def format_move(position: Position, code: int) -> str:
    """A move or outcome as it is typed: `walk observatory`, `lift 1 1+2 misty_marsh`, `card fire`.

    Seats are numbered from 1.
    """
    kind, (a, b, c, d) = decode(code)
    tile = position.island.tiles
    if kind == PASS:
        return "end" if position.phase == "actions" else "go on"
    if kind in (WALK, FLY):
        return f"{'walk' if kind == WALK else 'fly'} {tile[a]}"
    if kind == SHORE:
        return f"shore {tile[a]}" + (f" {tile[b]}" if b != NOBODY else "")
    if kind == GIVE:
        return f"give {a + 1} {CARDS[b]}"
    if kind == CAPTURE:
        return f"capture {TREASURES[a]}"
    if kind == NAVIGATE:
        return f"navigate {a + 1} {tile[b]}" + (f" {c + 1} {tile[d]}" if c != NOBODY else "")
    if kind == LIFT:
        seats = "+".join(str(seat + 1) for seat in range(len(position.players)) if b >> seat & 1)
        return f"lift {a + 1} {seats} {tile[c]}"
    if kind == WIN:
        return f"win {a + 1}"
    if kind == SANDBAGS:
        return f"sandbags {a + 1} {tile[b]}"
    if kind == DROP:
        return f"discard {a + 1} {CARDS[b]}"
    if kind == SWIM_TO:
        return f"swim {a + 1} {tile[b]}"
    return f"card {CARDS[a]}" if kind == CARD else f"flood {tile[a]}"


format_code = format_move


def parse_move(position: Position, text: str, draw: Generator | None = None) -> int:
    """The code of a move or outcome as typed.

    `card` and `flood` alone draw one with `draw`.

    Raises:
        InputError: not a move; says what moves look like.
    """
    verb, *words = text.split() or [""]
    if draw is not None and not words and verb == {"draw": "card", "flood": "flood"}.get(
            position.phase):
        return table(position.rules).sample(to_state(position), draw)
    if not words and verb in ("card", "flood"):
        raise InputError(
            f"no {'treasure' if verb == 'card' else 'flood'} card is due",
            why=f"the phase is {position.phase}",
            hint="`go on` says that nobody plays a special card now"
            if position.phase in ("between draws", "before flood") else "",
        )
    try:
        return _PARSERS[verb](position, words)
    except (KeyError, ValueError, IndexError):
        raise InputError(
            f"`{text}` is not a move",
            why="moves are `walk TILE`, `fly TILE`, `shore TILE [TILE]`, `give PLAYER CARD`, "
            "`capture TREASURE`, `navigate PLAYER TILE`, `end`, `go on`, `discard PLAYER CARD`, "
            "`swim PLAYER TILE`, the specials `lift HOLDER PLAYER+PLAYER TILE`, `sandbags HOLDER "
            "TILE`, `win HOLDER`; outcomes are `card KIND`, `flood TILE`",
            hint="" if verb in VERBS else nearest(verb, VERBS),
        ) from None


def _tile(position: Position, word: str) -> int:
    return position.island.space(tiles()[tile_index(word)].id)


def _seat(position: Position, word: str) -> int:
    number = int(word) if word.isascii() else 0
    if not 1 <= number <= len(position.players):
        raise InputError(f"there is no player {word}",
                         why=f"players are 1 to {len(position.players)}")
    return number - 1


def _parse_shore(position: Position, words: Sequence[str]) -> int:
    spaces = sorted(_tile(position, word) for word in words)
    if len(spaces) not in (1, 2):
        raise ValueError
    return encode(SHORE, *spaces, *((NOBODY,) if len(spaces) == 1 else ()))


def _parse_navigate(position: Position, words: Sequence[str]) -> int:
    if len(words) == 2:
        return encode(NAVIGATE, _seat(position, words[0]), _tile(position, words[1]), NOBODY,
                      NOBODY)
    one, here, two, there = words
    moved = sorted([(_seat(position, one), _tile(position, here)),
                    (_seat(position, two), _tile(position, there))])
    return encode(NAVIGATE, *moved[0], *moved[1])


def _parse_lift(position: Position, words: Sequence[str]) -> int:
    holder, seats, tile = words
    lifted = {_seat(position, seat) for seat in seats.split("+")}
    return encode(LIFT, _seat(position, holder), sum(1 << seat for seat in lifted),
                  _tile(position, tile))


def _only(words: Sequence[str], wanted: Sequence[str]) -> None:
    if list(words) != list(wanted):
        raise ValueError


def _plain(kind: int, words: Sequence[str], *readers: object) -> int:
    """A code whose arguments are read one by one."""
    if len(words) != len(readers):
        raise ValueError
    return encode(kind, *(read(word) for read, word in zip(readers, words, strict=True)))  # type: ignore[operator]


def _go_on(words: Sequence[str], wanted: Sequence[str]) -> int:
    _only(words, wanted)
    return encode(PASS)


_PARSERS: dict[str, Callable[[Position, list[str]], int]] = {
    "end": lambda position, words: _go_on(words, ()),
    "go": lambda position, words: _go_on(words, ("on",)),
    "walk": lambda position, words: _plain(WALK, words, lambda w: _tile(position, w)),
    "fly": lambda position, words: _plain(FLY, words, lambda w: _tile(position, w)),
    "shore": _parse_shore,
    "give": lambda position, words: _plain(GIVE, words, lambda w: _seat(position, w), parse_card),
    "capture": lambda position, words: _plain(CAPTURE, words, lambda w: parse_card(w, TREASURES)),
    "navigate": _parse_navigate,
    "lift": _parse_lift,
    "win": lambda position, words: _plain(WIN, words, lambda w: _seat(position, w)),
    "sandbags": lambda position, words: _plain(SANDBAGS, words, lambda w: _seat(position, w),
                                               lambda w: _tile(position, w)),
    "discard": lambda position, words: _plain(DROP, words, lambda w: _seat(position, w),
                                              parse_card),
    "swim": lambda position, words: _plain(SWIM_TO, words, lambda w: _seat(position, w),
                                           lambda w: _tile(position, w)),
    "card": lambda position, words: _plain(CARD, words, parse_card),
    "flood": lambda position, words: _plain(FLOOD_CARD, words, lambda w: _tile(position, w)),
}
