"""Stone Age's whole games: positions as states of the compiled table, moves in notation."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from oddsmith.kernels.rng import Generator
from oddsmith.solver import following
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.stone_age.notation import (
    format_goods,
    format_tools,
    levels,
    parse_goods,
    parse_place,
)
from oddsmith.solver.games.stone_age.position import (
    CAUSES,
    PHASES,
    UNKNOWN,
    Player,
    Position,
    packed,
)
from oddsmith.solver.games.stone_age.rules import CARD as FIRST_CARD
from oddsmith.solver.games.stone_age.rules import (
    HUNT,
    HUT,
    PLACES,
    card,
    table,
    tile,
)

(NO_MOVE, START, TILE, CARD, PLACE, PEOPLE, USE, REDEEM, ROLL, TOOLS, PAY, DECLINE, GIFT, DIE,
 RAISE, TAKE, FEED, STARVE) = range(18)
"""The kinds of moves; the lowest byte of a move's code (kernels/stone_age.pxd)."""

CHANCE, OVER = following.CHANCE, following.OVER
GOODS_MOVES = {"pay": PAY, "take": TAKE, "feed": FEED}
PLAIN = {"redeem": REDEEM, "decline": DECLINE, "starve": STARVE}
DRAWN = ("start", "tile", "card", "roll", "gift")
"""Outcomes that, typed alone, are drawn by chance."""

VERBS = (*DRAWN, "place", "people", "use", "tools", "die", "raise", *GOODS_MOVES, *PLAIN)
ASKED = {
    "start player": "the start player (start SEAT)",
    "turn tile": "the tile turned up (tile NUMBER)", "deal": "the next card (card NUMBER)",
    "roll": "the sum of the dice (roll SUM)", "extra card": "the deck's top card (card NUMBER)",
    "gift roll": "the dice (gift 1 3 6)",
}
"""What chance decides in a phase, and how it is told."""


# Positions as states -----------------------------------------------------------------------------


def to_state(position: Position, avoid: int | None = None, secret: bool = False) -> bytes:
    """The kernel's state of a position.

    An extra card that the writer doesn't know becomes the lowest card not seen and is marked as
    hidden; one that is told stays as it is when the rest is dealt anew.

    Args:
        position: where the game stands.
        avoid: a card that the unknown one is not, because it is about to be seen.
        secret: whether an extra card that is told is hidden from all but its owner, too.
    """
    return table(position.rules).pack(packed(position, avoid, secret))


def search_state(position: Position) -> bytes:
    """The state that the seat to decide searches.

    Raises:
        InputError: nobody decides there, or his extra card isn't known.
    """
    check_decides(position)
    if position.players[position.to_move].extra == UNKNOWN:
        raise InputError(f"the extra card of player {position.to_move + 1} isn't known",
                         hint="write its number in the file")
    return to_state(position, secret=True)


def check_decides(position: Position) -> None:
    """Raise InputError where no player decides."""
    if position.finished:
        raise InputError(f"the game is over: {position.finished}", hint="`show` tells the result")
    if position.phase in ASKED:
        raise InputError(f"chance decides here: {ASKED[position.phase]}",
                         hint="tell it with: oddsmith stone-age move FILE OUTCOME")


def from_state(before: Position, state: bytes) -> Position:
    """The position of a state that `before` has led to."""
    told = table(before.rules).unpack(state)
    players = []
    for seat, (old, now) in enumerate(zip(before.players, told["seats"], strict=True)):
        slots = list(levels(now["tools"]))
        used = slots[: now["used_high"]] + slots[len(slots) - now["used_low"]:]
        extra = None
        if told["extra"] is not None and told["extra_seat"] == seat:
            extra = UNKNOWN if old.extra == UNKNOWN else told["extra"] + 1
        players.append(Player(
            name=old.name, score=now["score"], food=now["food"], people=now["people"],
            track=now["track"], goods=tuple(now["goods"]), tools=now["tools"], used=tuple(used),
            one_use=tuple(value for value in (2, 3, 4) if now["one_use"] >> (value - 2) & 1),
            two=bool(now["two"]), cards=tuple(index + 1 for index in now["cards"]),
            tiles=tuple(index + 1 for index in now["tiles"]), extra=extra,
            placed=tuple(now["on"].items()),
        ))
    return msgspec.structs.replace(
        before, players=tuple(players), phase=PHASES[told["phase"]], to_move=told["to_move"],
        acting=told["actor"], start=told["start"], round=told["rounds"],
        display=tuple(0 if one is None else one + 1 for one in told["slots"]),
        tops=tuple(0 if one is None else one + 1 for one in told["tops"]),
        stacks=tuple(told["stacks"]), place=told["place"], kind=told["kind"], dice=told["dice"],
        sum=told["sum"], feeding=bool(told["fed"]),
        gifts=tuple((tuple(dice), tuple(seats)) for dice, seats in told["gifts"]),
        cause=CAUSES[told["cause"]],
    )


def legal_codes(position: Position) -> list[int]:
    """Codes of the legal moves, in the game's fixed order; none when the game is over.

    Raises:
        InputError: chance decides.
    """
    if position.finished:
        return []
    check_decides(position)
    return table(position.rules).moves(to_state(position))


def make_move(position: Position, code: int) -> Position:
    """The position after a move or outcome.

    Raises:
        InputError: it isn't legal there; says what is.
    """
    game = table(position.rules)
    seen = (code >> 8 & 0xFF) + 1 if code & 0xFF == CARD else None
    state = to_state(position, seen)
    turn = game.turn(state)
    if turn == OVER:
        raise InputError(f"the game is over: {position.finished}")
    legal = ([outcome for outcome, _ in game.outcomes(state)] if turn == CHANCE
             else game.moves(state))
    if code not in legal:
        raise InputError(f"`{format_code(position, code)}` is not legal here",
                         why=_what_is_legal(position, legal))
    return from_state(position, game.apply_unchecked(state, code))


def _what_is_legal(position: Position, legal: list[int]) -> str:
    if position.phase == "roll":
        dice = f"{position.dice} dice show" if position.dice > 1 else "a die shows"
        return f"chance decides: {dice} {position.dice} to {6 * position.dice}"
    if position.phase in ASKED:
        return f"chance decides: {ASKED[position.phase]}"
    some = [format_code(position, code) for code in legal[:12]]
    more = ", ..." if len(legal) > len(some) else ""
    return f"player {position.to_move + 1} decides; legal are: {', '.join(some)}{more}"


def final_result(position: Position) -> dict[str, list[int]] | None:
    """Final scores and the winners (from 1); None while the game goes on."""
    game, state = table(position.rules), to_state(position)
    if game.turn(state) != OVER:
        return None
    winners = [seat for seat, share in enumerate(game.payoff(state), 1) if share]
    return {"scores": game.summary(state)[: len(position.players)], "winners": winners}


# Notation ----------------------------------------------------------------------------------------


def goods_of(code: int) -> tuple[int, ...]:
    """Wood, brick, stone, gold of a move that pays, takes or feeds."""
    return tuple(code >> (8 + 4 * kind) & 0xF for kind in range(4))


def format_code(position: Position, code: int) -> str:
    """A move or outcome of the kernel as it is typed."""
    kind, a, b, c = code & 0xFF, code >> 8 & 0xFF, code >> 16 & 0xFF, code >> 24 & 0xFF
    if kind in (PLACE, USE):
        return f"{'place' if kind == PLACE else 'use'} {PLACES[a]}"
    if kind == TOOLS:
        low, _ = divmod(position.players[position.to_move].tools, 3)
        slots = [low + 1] * b + [low] * a
        return "tools " + format_tools(slots, [v for v in (2, 3, 4) if c >> (v - 2) & 1])
    if kind in GOODS_MOVES.values():
        verb = next(verb for verb, one in GOODS_MOVES.items() if one == kind)
        return f"{verb} {format_goods(goods_of(code))}"
    if kind == GIFT:
        dice = [v for v in range(1, 7) for _ in range(code >> (4 + 4 * v) & 0xF)]
        return "gift " + " ".join(map(str, dice))
    if kind == RAISE:
        return f"raise {'used' if a else 'ready'}"
    if kind in (START, TILE, CARD):
        return f"{('start', 'tile', 'card')[kind - START]} {a + 1}"
    if kind in (PEOPLE, ROLL, DIE):
        return f"{ {PEOPLE: 'people', ROLL: 'roll', DIE: 'die'}[kind]} {a}"
    return next(verb for verb, one in PLAIN.items() if one == kind)


def parse_move(position: Position, text: str, draw: Generator | None = None) -> int:
    """The code of a move or outcome as typed; an outcome's verb alone draws one with `draw`.

    Raises:
        InputError: not a move; says what moves look like.
    """
    verb, *words = text.split() or [""]
    if verb in DRAWN and not words and draw is not None:
        game, state = table(position.rules), to_state(position)
        if game.turn(state) == CHANCE and _verb_of(game.outcomes(state)[0][0]) == verb:
            return game.sample(state, draw)
    if verb in PLAIN and not words:
        return PLAIN[verb]
    if verb in GOODS_MOVES and words:
        goods = parse_goods(words)
        if max(goods) <= 15:
            return GOODS_MOVES[verb] | sum(n << (8 + 4 * k) for k, n in enumerate(goods))
    elif verb in ("place", "use") and words:
        return (PLACE if verb == "place" else USE) | parse_place(" ".join(words)) << 8
    elif verb == "tools" and words:
        return _parse_tools(position, words)
    elif verb == "raise" and words in (["ready"], ["used"]):
        return RAISE | (words[0] == "used") << 8
    elif verb in ("card", "tile") and len(words) == 1:
        one = card(words[0]) if verb == "card" else tile(words[0])
        return (CARD if verb == "card" else TILE) | one.index << 8
    elif words and all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        numbers = [int(word) for word in words]
        if verb == "gift" and all(1 <= n <= 6 for n in numbers) and len(numbers) <= 4:
            return GIFT | sum(1 << (4 + 4 * n) for n in numbers)
        kinds = {"people": PEOPLE, "roll": ROLL, "die": DIE, "start": START}
        if verb in kinds and len(numbers) == 1 and numbers[0] >= 1:
            return kinds[verb] | (numbers[0] - (verb == "start")) << 8
    raise InputError(
        f"`{text}` is not a move",
        why="moves are `place forest`, `people 3`, `use forest`, `tools 2,1`, `pay wood 2`, "
        "`decline`, `die 4`, `feed wood 1`, `starve`, ...; outcomes `roll 14`, `card 7`, `tile 3`",
        hint="" if verb in VERBS else nearest(verb, VERBS),
    )


def _verb_of(code: int) -> str:
    return {START: "start", TILE: "tile", CARD: "card", ROLL: "roll", GIFT: "gift"}[code & 0xFF]


def _parse_tools(position: Position, words: Sequence[str]) -> int:
    """`2,1 one-use 3` or `none`, by the tools that the player to move has."""
    if list(words) == ["none"]:
        return TOOLS
    at = words.index("one-use") if "one-use" in words else len(words)
    slots, once = (_tool_values(some) for some in (words[:at], words[at + 1 :]))
    if at < len(words) and not once:
        raise InputError("the values of the one-use tools are missing", hint="tools one-use 3")
    if len(set(once)) < len(once) or not set(once) <= {2, 3, 4}:
        raise InputError(f"one-use tools can't be {','.join(map(str, once))}",
                         why="they are 2, 3 and 4, each once")
    low, _ = divmod(position.players[position.to_move].tools, 3)
    n_low, n_high = slots.count(low), slots.count(low + 1)
    if n_low + n_high < len(slots):
        raise InputError(f"player {position.to_move + 1} has no such tool",
                         why=f"his tools are {format_tools(levels(3 * low), [])} and higher")
    return (TOOLS | n_low << 8 | n_high << 16
            | sum(1 << (value - 2) for value in once) << 24)


def _tool_values(words: Sequence[str]) -> list[int]:
    parts = [part for word in words for part in word.split(",")]
    for part in parts:
        if not part.isdigit() or not part.isascii() or len(part) > 1:
            raise InputError(f"`{part}` is not the value of a tool",
                             why="tools are `2,1`, `2,1 one-use 3`, `one-use 3`, or `none` alone")
    return [int(part) for part in parts]


def parse_code(position: Position, text: str) -> int:
    """The code of a legal move as typed.

    Raises:
        InputError: it isn't one; says why.
    """
    code = parse_move(position, text)
    make_move(position, code)
    return code


def parse_moves(position: Position, text: str, draw: Generator | None = None) -> list[int]:
    """The codes of a move or outcome as typed: `place forest 3` is the two decisions that it is.

    Raises:
        InputError: not a move, or a number of people where none is asked for.
    """
    words = text.split()
    if words[:1] != ["place"] or len(words) < 3 or " ".join(words[1:]) in PLACES:
        return [parse_move(position, text, draw)]
    name, number = " ".join(words[1:-1]), words[-1]
    if not (number.isdigit() and number.isascii()) or name not in PLACES:
        return [parse_move(position, text, draw)]
    at = PLACES.index(name)
    if not HUNT <= at < FIRST_CARD:
        raise InputError(f"the number is superfluous in `{text}`",
                         why=f"it always takes {'2 people' if at == HUT else '1'}",
                         hint=f"place {name}")
    place = PLACE | at << 8
    if position.phase == "placing" and number == "1" and (
            make_move(position, place).phase != "how many"):
        return [place]
    return [place, parse_move(position, f"people {number}")]


def parse_codes(position: Position, text: str) -> list[int]:
    """The codes of a legal move as typed, made one after the other.

    Raises:
        InputError: it isn't one; says why.
    """
    codes = parse_moves(position, text)
    for code in codes:
        position = make_move(position, code)
    return codes


def format_line(position: Position, codes: Sequence[int]) -> list[str]:
    """Moves made one after the other, as typed; it ends where chance decides."""
    return following.line_told(position, codes, lambda at: at.phase not in ASKED, format_code,
                               make_move)


