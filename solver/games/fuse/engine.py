"""FUSE's whole games: the compiled table of a rule set, and its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from oddsmith.kernels.fuse_game import FuseTable
from oddsmith.kernels.fuse_policies import add_policies
from oddsmith.kernels.rng import Generator
from oddsmith.solver import following
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.fuse import position as positions
from oddsmith.solver.games.fuse.bombs import COLORS, NUMBERS, find_bomb, format_face, parse_face
from oddsmith.solver.games.fuse.notation import Held, format_fuse, parse_fuse
from oddsmith.solver.games.fuse.position import Player, Position
from oddsmith.solver.games.fuse.rules import Rules, compiled, deck_of, lengths_of

(DEAL_HANDS, DEAL_CENTRE, ASSIGN, PICK, REMOVE, THROW, CLOCK, ROLL, REFILL, REROLL,
 FINISHED) = range(11)
"""The phases of kernels/fuse.pxd."""

(STOP, PLACE, CLEAR, TAKE, DROP, CHOOSE, VALUE, BOMB, FUSE, LENGTH, DIE, NUMBER) = range(12)
"""The kinds of moves and outcomes; the lowest byte of a code."""

PHASE_NUMBERS = {
    "clock": CLOCK, "roll": ROLL, "assign": ASSIGN, "pick": PICK, "remove": REMOVE,
    "throw": THROW, "reroll": REROLL, "refill": REFILL, "over": FINISHED,
}
PHASE_NAMES = {number: name for name, number in PHASE_NUMBERS.items()}
ENDINGS = ("", *positions.ENDINGS)
"""Why a game is over, by the kernel's number."""

VERBS = ("stop", "place", "clear", "take", "remove", "throw", "value", "bomb", "fuse", "seconds",
         "die", "number", "card")
CHANCE, OVER = following.CHANCE, following.OVER
DUE = {
    "clock": ("how long the roll takes", "seconds 20", "seconds"),
    "roll": ("a die", "die r5", "die"),
    "reroll": ("the number of the die rolled again", "number 4", "number"),
    "refill": ("a card of the bomb deck", "fuse red", "card"),
}
"""Of a phase of chance: what is due, an example as it is typed, the word that draws it."""


@lru_cache(maxsize=64)
def table(rules: Rules) -> FuseTable:
    """The rules as a game table.

    Raises:
        InputError, TooLarge: the deck is too small for them, or can't be read.
    """
    made = FuseTable(compiled(rules))
    add_policies(made)
    return made


def lengths(rules: Rules) -> dict[int, int]:
    """Milliseconds that a roll can take, with their weights."""
    return lengths_of(rules.seconds_per_roll, rules.seconds)


@lru_cache(maxsize=64)
def _names(rules: Rules) -> tuple[str, ...]:
    """The ids of the deck's bombs in the kernel's order."""
    return tuple(bomb.id for bomb in deck_of(rules).bombs)


def encode(kind: int, *arguments: int) -> int:
    """The kernel's code of a move or outcome; a length has one long argument."""
    return kind | sum(argument << (8 * place) for place, argument in enumerate(arguments, 1))


def decode(code: int) -> tuple[int, tuple[int, int, int]]:
    """Its kind and three arguments."""
    a, b, c = (code >> shift & 0xFF for shift in (8, 16, 24))
    return code & 0xFF, (a, b, c)


# Positions as states -----------------------------------------------------------------------------


def to_state(position: Position) -> bytes:
    """The kernel's state of a position."""
    rules = position.rules
    number = {name: k for k, name in enumerate(_names(rules))}

    def mask(names: Sequence[str]) -> int:
        return sum(1 << number[name] for name in names)

    return table(rules).pack({
        "unseen": mask(tuple(position.bombs)) & ~mask(position.seen),
        "centre": mask(position.centre), "match": position.removing,
        "elapsed": position.elapsed, "roll": position.roll,
        "fuse_unseen": 0x7FF & ~sum(1 << card for card in position.fuses),
        "fuse_left": position.fuses_left, "points": position.points,
        "defused": len(position.defused), "bombs_left": position.bombs_left,
        "hands": [[(number[held.bomb], held.faces, held.used) for held in player.held]
                  for player in position.players],
        "taken": [player.taken for player in position.players],
        "dice": position.dice, "value_left": position.value_left, "to_draw": position.to_roll,
        "value": position.value, "phase": PHASE_NUMBERS[position.phase],
        "then": 0 if position.phase != "remove" else REFILL if position.by_fuse else THROW,
        "seat": position.seat if position.phase in ("pick", "remove") else 0,
        "thrown": max(0, position.thrown), "ending": ENDINGS.index(position.ending),
    })


def from_state(rules: Rules, state: bytes, players: Sequence[Player]) -> Position:
    """The position of a state after the set-up; names are those of `players`."""
    fields, names = table(rules).unpack(state), _names(rules)
    held = [[Held(names[bomb], faces, used) for bomb, faces, used in hand]
            for hand in fields["hands"]]
    known = fields["unseen"] | fields["centre"]
    for hand in fields["hands"]:
        known |= sum(1 << bomb for bomb, _, _ in hand)
    in_play = set(positions.Position(rules, (), ()).bombs)
    phase = fields["phase"]
    return Position(
        rules,
        tuple(Player(player.name, tuple(held[seat]), fields["taken"][seat])
              for seat, player in enumerate(players)),
        tuple(name for k, name in enumerate(names) if fields["centre"] >> k & 1),
        tuple(name for k, name in enumerate(names) if not known >> k & 1 and name in in_play),
        tuple(card for card in range(11) if not fields["fuse_unseen"] >> card & 1),
        roll=fields["roll"], elapsed=fields["elapsed"], phase=PHASE_NAMES[phase],
        dice=tuple(fields["dice"]), seat=fields["seat"], removing=fields["match"],
        by_fuse=phase == REMOVE and fields["then"] == REFILL,
        thrown=fields["thrown"] if phase == REROLL else -1, to_roll=fields["to_draw"],
        value=fields["value"], value_left=tuple(fields["value_left"]),
        ending=ENDINGS[fields["ending"]],
    )


def legal_codes(position: Position) -> list[int]:
    """The kernel's codes of the team's moves; empty where chance is next or the game is over."""
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
    """What is due instead, or what stands against it, in words."""
    if chance:
        due, typed, alone = DUE[position.phase]
        return f"{due} is due: tell it, such as `{typed}`, or draw it with `{alone}`"
    kind, (bomb, slot, face) = decode(code)
    if kind >= VALUE:
        return f"the phase is {position.phase}: the team decides first"
    if kind == PLACE and position.phase == "assign":
        name = _names(position.rules)[bomb]
        owner = next((seat for seat, player in enumerate(position.players)
                      if any(held.bomb == name for held in player.held)), None)
        if owner is None:
            return f"nobody holds {name}"
        if face not in position.dice:
            return f"no {format_face(face)} is on the table"
        if position.players[owner].taken >= position.rules.takes:
            return (f"player {owner + 1} has taken {position.rules.takes} of this roll's dice "
                    "already")
        return f"slot {slot + 1} of {name} doesn't take it now"
    if kind == STOP and position.phase == "assign":
        return "decline = \"forbidden\": a die can still be placed"
    return f"`moves` lists what can be done in this phase ({position.phase})"


def search_state(position: Position) -> bytes:
    """The state that the team searches; nothing is hidden in this game.

    Raises:
        InputError: chance is next, or the game is over.
    """
    if position.finished:
        raise InputError(f"the game is over: {position.finished}",
                         hint="`show` tells the result")
    state = to_state(position)
    if table(position.rules).turn(state) == CHANCE:
        due, typed, _ = DUE[position.phase]
        raise InputError(f"{due} is due first", why=f"the phase is {position.phase}",
                         hint=f"tell it with: oddsmith fuse move FILE \"{typed}\"")
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
    """Moves made one after the other, as typed; it ends where chance is next."""
    return following.line_told(position, codes, _decides, format_move, make_move)


def _decides(position: Position) -> bool:
    return not position.finished and table(position.rules).turn(to_state(position)) != CHANCE


# Notation ----------------------------------------------------------------------------------------


def format_move(position: Position, code: int) -> str:
    """A move or outcome as it is typed: `place r5 p4-twins 1`, `take p4-222`, `die k6`.

    Slots are numbered from 1.
    """
    kind, (a, b, c) = decode(code)
    if kind == LENGTH:
        seconds = (code >> 8) / 1000
        return f"seconds {int(seconds) if seconds.is_integer() else seconds}"
    if kind == CHOOSE:
        return f"throw {COLORS[a]}"
    if kind == FUSE:
        return f"fuse {format_fuse(a)}"
    if kind == DIE:
        return f"die {format_face(a)}"
    if kind in (VALUE, NUMBER):
        return f"value {a}" if kind == VALUE else f"number {a + 1}"
    if kind == STOP:
        return "stop"
    name = _names(position.rules)[a]
    if kind == PLACE:
        return f"place {format_face(c)} {name} {b + 1}"
    if kind == DROP:
        return f"remove {name} {b + 1}"
    return f"{ {CLEAR: 'clear', TAKE: 'take', BOMB: 'bomb'}[kind]} {name}"


format_code = format_move


def parse_move(position: Position, text: str, draw: Generator | None = None) -> int:
    """The code of a move or outcome as typed.

    `die`, `number`, `seconds` and `card` alone draw one with `draw`.

    Raises:
        InputError: not a move; says what moves look like.
    """
    verb, *words = text.split() or [""]
    drawn = {due[2]: phase for phase, due in DUE.items()}
    if not words and verb in drawn:
        if draw is not None and drawn[verb] == position.phase:
            return table(position.rules).sample(to_state(position), draw)
        raise InputError(f"{DUE[drawn[verb]][0]} is not due", why=f"the phase is {position.phase}",
                         hint=f"write `{DUE[drawn[verb]][1]}`" * (draw is None))
    try:
        return _PARSERS[verb](position, words)
    except (KeyError, ValueError):
        raise InputError(
            f"`{text}` is not a move",
            why="moves are `place DIE BOMB SLOT`, `stop`, `take BOMB`, `remove BOMB SLOT`, `throw "
            "COLOUR`, `clear BOMB`; outcomes are `die FACE`, `number N`, `bomb ID`, `fuse CARD`, "
            "`value N`, `seconds N`",
            hint="" if verb in VERBS else nearest(verb, VERBS),
        ) from None


def _bomb(position: Position, word: str) -> int:
    deck = deck_of(position.rules)
    return deck.bombs.index(find_bomb(deck.bombs, word, deck.name))


def _number(word: str, low: int, high: int) -> int:
    if not (word.isascii() and word.isdigit() and low <= int(word) <= high):
        raise ValueError
    return int(word)


def _slot(position: Position, bomb: int, word: str) -> int:
    """A slot of a bomb, from 0."""
    one = deck_of(position.rules).bombs[bomb]
    try:
        return _number(word, 1, len(one.slots)) - 1
    except ValueError:
        raise InputError(f"{one.id} has no slot `{word}`", why="its slots are "
                         f"{', '.join(str(slot) for slot, _ in enumerate(one.slots, 1))}",
                         hint="from the left; stacks and pyramids from the bottom") from None


def _place(position: Position, words: Sequence[str]) -> int:
    face, name, slot = words
    number, bomb = parse_face(face), _bomb(position, name)
    return encode(PLACE, bomb, _slot(position, bomb, slot), number)


def _remove(position: Position, words: Sequence[str]) -> int:
    name, slot = words
    bomb = _bomb(position, name)
    return encode(DROP, bomb, _slot(position, bomb, slot))


def _one(kind: int, read: Callable[[Position, str], int]) -> Callable[[Position, list[str]], int]:
    """A move with one word behind its verb."""
    def parse(position: Position, words: list[str]) -> int:
        (word,) = words
        return encode(kind, read(position, word))

    return parse


def _stop(position: Position, words: list[str]) -> int:
    if words:
        raise ValueError
    return encode(STOP)


def _milliseconds(position: Position, word: str) -> int:
    if not word.isascii() or not 0 < float(word) <= 3600:
        raise ValueError
    return round(1000 * float(word))


_PARSERS: dict[str, Callable[[Position, list[str]], int]] = {
    "stop": _stop,
    "place": _place,
    "remove": _remove,
    "clear": _one(CLEAR, _bomb),
    "take": _one(TAKE, _bomb),
    "bomb": _one(BOMB, _bomb),
    "throw": _one(CHOOSE, lambda position, word: COLORS.index(word)),
    "value": _one(VALUE, lambda position, word: _number(word, 1, 6)),
    "fuse": _one(FUSE, lambda position, word: parse_fuse(word)),
    "seconds": _one(LENGTH, _milliseconds),
    "die": _one(DIE, lambda position, word: parse_face(word)),
    "number": _one(NUMBER, lambda position, word: _number(word, 1, NUMBERS) - 1),
}
