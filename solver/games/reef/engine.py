"""Reef's whole games: the compiled table of a rule set, and its moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from oddsmith.kernels.reef_estimate import use_estimate
from oddsmith.kernels.reef_game import ReefTable
from oddsmith.kernels.reef_policies import Greedy
from oddsmith.kernels.rng import Generator
from oddsmith.solver import following
from oddsmith.solver.errors import InputError, nearest
from oddsmith.solver.games.reef.notation import COLORS, format_piece, parse_piece
from oddsmith.solver.games.reef.position import UNKNOWN, Position
from oddsmith.solver.games.reef.rules import Rules, card, compiled, resolve

DEAL_HANDS, START, DEAL_DISPLAY, PLAY, DEAL_TOP, FINISHED = range(6)
"""The phases of kernels/reef_game.pxd."""

PASS, PUT_START, TAKE, DRAW, PLAY_CARD, DEAL = range(6)
"""The kinds of moves; the lowest byte of a move's code."""

NO_CARD = 255
VERBS = ("take", "draw", "play", "pass", "top")
CHANCE, OVER = following.CHANCE, following.OVER


@lru_cache(maxsize=16)
def table(rules: Rules) -> ReefTable:
    """The rules as a game table."""
    rules = resolve(rules)
    scoring, _ = compiled(rules)
    made = ReefTable(scoring, {
        "players": rules.players,
        "coral": rules.coral,
        "start_layout": ("center", "edge", "free").index(rules.start_layout),
        "hand_limit": rules.hand_limit,
        "draw_cost": rules.deck_draw_cost,
        "start_points": rules.start_points,
        "display_size": rules.display_size,
        "leftmost": rules.deck_draw_target_tie == "leftmost",
        "end": ("deck_at_once", "finish_round", "immediate").index(rules.end),
        "hand_scoring": ("once", "full", "none").index(rules.hand_scoring),
        "hand_neighbours": rules.hand_scoring_neighbor == "all",
        "covered": rules.tie_break == "covered",
    })
    made.owner = (scoring, Greedy(made, scoring))
    use_estimate(made)
    return made


class Move(msgspec.Struct, frozen=True):
    """A move or outcome, decoded.

    Args:
        kind: PASS, PUT_START, TAKE, DRAW, PLAY_CARD or DEAL.
        card: its number (PLAY_CARD, DEAL).
        place: index on the display (TAKE; DRAW: the card that is paid, None for none).
        pieces: the coral placed, in order, as (colour index, space) (PUT_START, PLAY_CARD).
    """

    kind: int
    card: int | None = None
    place: int | None = None
    pieces: tuple[tuple[int, int], ...] = ()


def decode(code: int) -> Move:
    """What a 64-bit code of the kernel means."""
    kind, a, b = code & 0xFF, (code >> 8) & 0xFF, (code >> 16) & 0xFF
    if kind == PUT_START:
        return Move(kind, pieces=((a, b),))
    if kind == TAKE:
        return Move(kind, place=a)
    if kind == DRAW:
        return Move(kind, place=None if a == NO_CARD else a)
    if kind == DEAL:
        return Move(kind, card=a + 1)
    if kind == PLAY_CARD:
        placed = code >> 20
        pieces = ((placed & 0xF, placed >> 4 & 0xF), (placed >> 8 & 0xF, placed >> 12 & 0xF))
        return Move(kind, card=a + 1, pieces=pieces[: b & 0xF])
    return Move(PASS)


def encode(move: Move) -> int:
    """The code that `decode` reads."""
    if move.kind == PUT_START:
        color, space = move.pieces[0]
        return PUT_START | color << 8 | space << 16
    if move.kind in (TAKE, DRAW):
        return move.kind | (NO_CARD if move.place is None else move.place) << 8
    if move.card is None:
        return PASS
    code = move.kind | (move.card - 1) << 8
    if move.kind == PLAY_CARD:
        code |= len(move.pieces) << 16
        for k, (color, space) in enumerate(move.pieces):
            code |= (color | space << 4) << (20 + 8 * k)
    return code


# Positions as states -----------------------------------------------------------------------------


def search_state(position: Position) -> bytes:
    """The state that the player to move searches: other seats' secret cards are hidden from it.

    Raises:
        InputError: nobody decides there, or the hand of the player to move isn't known.
    """
    if position.finished:
        raise InputError(f"the game is over: {position.finished}",
                         hint="`show` tells the result")
    legal_moves(position)
    return to_state(position, secret=True)


def to_state(position: Position, secret: bool = False) -> bytes:
    """The kernel's state of a position.

    Unknown cards of hands become the lowest cards not seen and are marked as hidden, so that
    `redeal` for a seat that doesn't exist resamples them together with the deck.

    Args:
        position: where the game stands.
        secret: whether the opening cards that the file calls secret are hidden, too.
    """
    unseen = list(position.unseen)
    hands, unknown = [], []
    for player in position.players:
        dealt = [unseen.pop(0) if number == UNKNOWN else number for number in player.hand]
        hands.append([number - 1 for number in dealt])
        unknown.append([number - 1 for number, written in zip(dealt, player.hand, strict=True)
                        if written == UNKNOWN or (secret and written in player.secret)])
    return table(position.rules).pack({
        "boards": [player.board.bits for player in position.players],
        "scores": [player.score for player in position.players],
        "hands": hands,
        "secret": unknown,
        "deck": [number - 1 for number in unseen],
        "played": [number - 1 for number in position.played],
        "supply": position.packed_supply,
        "top": None if position.deck_top is None else position.deck_top - 1,
        "display": [number - 1 for number in position.display],
        "tokens": list(position.tokens),
        "to_move": position.to_move,
        "passes": position.passes,
    })


def legal_moves(position: Position) -> list[Move]:
    """The moves of the player to move, in the game's fixed order; none when the game is over.

    Raises:
        InputError: the deck's new top card isn't known yet, or a card of the hand.
    """
    if position.top_is_due:
        raise InputError("the deck's new top card is not known yet",
                         hint="tell it as the outcome `top NUMBER`, or `top` to draw one")
    if UNKNOWN in position.players[position.to_move].hand:
        raise InputError(f"the hand of player {position.to_move + 1} holds an unknown card",
                         why="its plays can't be listed", hint="write its number in the file")
    return [decode(code) for code in legal_codes(position)]


def legal_codes(position: Position) -> list[int]:
    """The kernel's codes of the moves, unknown cards of the hand taken as the lowest unseen."""
    return table(position.rules).moves(to_state(position))


def make_move(position: Position, move: Move) -> Position:
    """The position after a move or outcome.

    Raises:
        InputError: it isn't legal there; says why.
    """
    if position.top_is_due:
        return _turn_up(position, move)
    if position.finished:
        raise InputError(f"the game is over: {position.finished}")
    if move.kind == PLAY_CARD:
        position = _reveal(position, move.card)
    game = table(position.rules)
    state = to_state(position)
    if encode(move) not in game.moves(state) and not _may_pass(position, move):
        raise InputError(f"`{format_move(position, move)}` is not legal here",
                         why=_why_illegal(position, move))
    after = game.unpack(game.apply_unchecked(state, encode(move)))
    mover = position.players[position.to_move]
    hand, played = mover.hand, position.played
    if move.kind == PLAY_CARD and move.card is not None:
        hand = tuple(number for number in hand if number != move.card)
        played = (*played, move.card)
    elif move.kind == TAKE and move.place is not None:
        hand = (*hand, position.display[move.place])
    elif move.kind == DRAW and position.deck_top is not None:
        hand = (*hand, position.deck_top)
    players = list(position.players)
    players[position.to_move] = msgspec.structs.replace(
        mover, hand=hand, secret=tuple(number for number in mover.secret if number in hand),
        score=after["scores"][position.to_move],
        board=mover.board.placed(move.pieces),
    )
    top = None if after["top"] is None else after["top"] + 1
    moved = msgspec.structs.replace(
        position, players=tuple(players), played=played, to_move=after["to_move"],
        display=tuple(index + 1 for index in after["display"]), tokens=tuple(after["tokens"]),
        deck_top=top, passes=after["passes"],
    )
    return msgspec.structs.replace(moved, top_is_due=after["phase"] == DEAL_TOP)


def _may_pass(position: Position, move: Move) -> bool:
    """A pass by a hand with unknown cards: some such hand has nothing else to do."""
    hand = position.players[position.to_move].hand
    if move.kind != PASS or UNKNOWN not in hand:
        return False
    known = [one for one in legal_codes(position)
             if decode(one).kind != PLAY_CARD or decode(one).card in hand]
    kernel, _ = compiled(position.rules)
    board = position.players[position.to_move].board.bits
    return not known and any(
        not kernel.moves(board, number - 1, position.packed_supply) for number in position.unseen
    )


def _why_illegal(position: Position, move: Move) -> str:
    """The rule that a move breaks, in words."""
    mover, rules = position.players[position.to_move], position.rules
    if move.kind == DEAL:
        return "no new top card is due"
    if move.kind == PASS:
        return "passing is for players with no other legal move"
    if move.kind in (TAKE, DRAW):
        if len(mover.hand) >= rules.hand_limit:
            return f"{len(mover.hand)} cards are in hand and the hand limit is {rules.hand_limit}"
        if move.kind == DRAW and mover.score < rules.deck_draw_cost:
            return f"the deck's top card costs {rules.deck_draw_cost} and there are {mover.score}"
        return "the payment goes to a display card of the lowest printed value"
    if move.card not in mover.hand:
        return f"card {move.card} is not in the hand of player {position.to_move + 1}"
    brings = card(move.card).coral
    placed = "".join(COLORS[color] for color, _ in move.pieces)
    if sorted(placed) != sorted(brings):
        return f"card {move.card} brings {brings}; all of it is placed that supply and room allow"
    return f"no stack may be higher than {rules.stack_limit}"


def _turn_up(position: Position, move: Move) -> Position:
    if move.kind != DEAL or move.card is None:
        raise InputError("the deck's new top card comes first", hint="tell it as `top NUMBER`")
    if move.card not in position.unseen:
        raise InputError(f"card {move.card} can't be the deck's top card",
                         why="it has been seen elsewhere")
    return msgspec.structs.replace(position, deck_top=move.card, top_is_due=False)


def _reveal(position: Position, number: int | None) -> Position:
    """A card played from a hand with unknown cards turns one of them into itself."""
    mover = position.players[position.to_move]
    if number is None or number in mover.hand or UNKNOWN not in mover.hand:
        return position
    if number not in position.unseen:
        return position
    hand = list(mover.hand)
    hand[hand.index(UNKNOWN)] = number
    players = list(position.players)
    players[position.to_move] = msgspec.structs.replace(mover, hand=tuple(hand))
    return msgspec.structs.replace(position, players=tuple(players))


def final_result(position: Position) -> dict[str, list[int]] | None:
    """Final scores, hands counted, and the winners (from 1); None while the game goes on."""
    game, state = table(position.rules), to_state(position)
    if game.turn(state) != OVER:
        return None
    winners = [seat for seat, share in enumerate(game.payoff(state), 1) if share]
    return {"scores": game.summary(state)[: len(position.players)], "winners": winners}


def parse_code(position: Position, text: str) -> int:
    """The code of a legal move as typed.

    Raises:
        InputError: it isn't one; says why.
    """
    move = parse_move(position, text)
    make_move(position, move)
    return encode(move)


def format_code(position: Position, code: int) -> str:
    """A move or outcome of the kernel as it is typed."""
    return format_move(position, decode(code))


def format_line(position: Position, codes: Sequence[int]) -> list[str]:
    """Moves made one after the other, as typed; it ends where a card must be turned up first."""
    return following.line_told(position, codes, lambda at: not at.top_is_due, format_code,
                               lambda at, code: make_move(at, decode(code)))


# Notation ----------------------------------------------------------------------------------------


def format_move(position: Position, move: Move) -> str:
    """A move as it is typed: `take 17`, `draw`, `draw 13`, `play 6 r@a1 r@b2`, `pass`, `top 33`."""
    if move.kind == TAKE and move.place is not None:
        return f"take {position.display[move.place]}"
    if move.kind == DRAW:
        return "draw" if move.place is None else f"draw {position.display[move.place]}"
    if move.kind == PLAY_CARD:
        return " ".join([f"play {move.card}", *(format_piece(piece) for piece in move.pieces)])
    return "pass" if move.kind == PASS else f"top {move.card}"


def parse_move(position: Position, text: str, draw: Generator | None = None) -> Move:
    """Read a move of the player to move, or an outcome.

    `draw` alone pays the only card that may be paid; `top` alone draws a card with `draw`.

    Raises:
        InputError: not a move; says what moves look like.
    """
    verb, *words = text.split() or [""]
    if verb == "pass" and not words:
        return Move(PASS)
    if verb == "top" and not words and draw is not None and position.unseen:
        return Move(DEAL, card=position.unseen[draw.below(len(position.unseen))])
    if verb in ("take", "top") and len(words) == 1:
        number = card(words[0]).number
        if verb == "top":
            return Move(DEAL, card=number)
        return Move(TAKE, place=_on_display(position, number))
    if verb == "draw" and len(words) <= 1:
        return Move(DRAW, place=_paid(position, words))
    if verb == "play" and 1 <= len(words) <= 3:
        return _play(card(words[0]).number, [parse_piece(word) for word in words[1:]])
    raise InputError(
        f"`{text}` is not a move",
        why="moves are `take CARD`, `draw [PAID CARD]`, `play CARD r@a1 r@b2`, `pass`; the outcome "
        "after taking a card is `top CARD`",
        hint="" if verb in VERBS else nearest(verb, VERBS),
    )


def _on_display(position: Position, number: int) -> int:
    if number not in position.display:
        raise InputError(f"card {number} is not on display",
                         why=f"on display are {', '.join(map(str, position.display))}")
    return position.display.index(number)


def _paid(position: Position, words: list[str]) -> int | None:
    if words:
        return _on_display(position, card(words[0]).number)
    if position.rules.deck_draw_cost == 0 or not position.display:
        return None
    values = [card(number).points for number in position.display]
    lowest = [k for k, value in enumerate(values) if value == min(values)]
    if len(lowest) > 1 and position.rules.deck_draw_target_tie == "choose":
        raise InputError(
            "which card receives the payment?", why="several have the lowest value",
            hint=" or ".join(f"draw {position.display[k]}" for k in lowest),
        )
    return lowest[0]


def _play(number: int, pieces: list[tuple[int, int]]) -> Move:
    """The move in the kernel's order: equal coral by space, different coral as on the card."""
    if len(pieces) == 2 and pieces[0][1] != pieces[1][1]:
        coral = card(number).coral
        if coral[0] == coral[1]:
            pieces.sort(key=lambda piece: piece[1])
        else:
            pieces.sort(key=lambda piece: coral.find(COLORS[piece[0]]))
    return Move(PLAY_CARD, card=number, pieces=tuple(pieces))
