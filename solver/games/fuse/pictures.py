"""How FUSE's positions look: the table, the bombs, the dice (no output is made here)."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.solver.answer import Bars, Block, Table, Text
from oddsmith.solver.errors import counted
from oddsmith.solver.games.fuse.bomb_pictures import cards_block
from oddsmith.solver.games.fuse.bombs import COLORS
from oddsmith.solver.games.fuse.notation import format_dice, format_fuse, format_held
from oddsmith.solver.games.fuse.position import Position
from oddsmith.solver.games.fuse.rules import points_of


def _role(position: Position, seat: int) -> str:
    """What a player does now, for the heading of his hand."""
    told = []
    if seat == max(position.roll - 1, 0) % position.rules.players:
        told.append("holds the bag")
    if position.phase == "pick" and seat == position.seat:
        told.append("takes a bomb of the centre")
    if position.phase == "remove" and seat == position.seat:
        told.append("removes a die")
    if position.players[seat].taken:
        told.append(f"has taken {position.players[seat].taken} of {position.rules.takes}")
    return f" ({', '.join(told)})" if told else ""


def position_blocks(position: Position, remarks: Sequence[str] = ()) -> tuple[Block, ...]:
    """A position to look at: hands, centre, dice, clock."""
    from oddsmith.solver.games.fuse.progress import Progress

    rules, bombs, progress = position.rules, position.bombs, Progress(position)
    guess = rules.unknown_points
    hands = [
        cards_block([bombs[held.bomb] for held in player.held],
                    [held.faces for held in player.held],
                    f"{player.name or f'Player {seat}'}{_role(position, seat - 1)}", guess)
        for seat, player in enumerate(position.players, 1) if player.held
    ]
    offers = tuple(
        (player.name or f"Player {seat}", held.bomb, str(points_of(rules, bombs[held.bomb])),
         format_held(held).partition(": ")[2], f"{float(progress.offers_of(held)):.1f}",
         bombs[held.bomb].text)
        for seat, player in enumerate(position.players, 1) for held in player.held
    )
    left = rules.seconds - position.elapsed / 1000
    things = (
        ("dice on the table", format_dice(position.dice) or "none"),
        ("bag", ", ".join(f"{n} {color}" for n, color in zip(position.bag, COLORS, strict=True))),
        ("bomb deck", f"{counted(position.bombs_left, 'bomb')}, "
         f"{counted(position.fuses_left, 'fuse card')}"),
        ("seconds left", f"{left:g} of {rules.seconds}"),
        ("defused", f"{counted(len(position.defused), 'bomb')}, "
         f"{counted(position.points, 'point')}"),
        ("fuse cards activated", ", ".join(map(format_fuse, position.fuses)) or "none"),
        ("score", str(position.score)),
    )
    blocks: list[Block] = [
        Table(("what", ""), things, title="Table"), *hands,
        Table(("player", "bomb", "points", "dice", "offers left", "what it wants"), offers,
              title="How far they are", numeric=(2, 4),
              note="Offers left: single dice that a bomb is expected to need, if nothing is "
              "removed; 1000 for one that can't be finished."),
        Bars(COLORS, tuple(float(n) for n in position.bag), title="Dice in the bag"),
    ]
    if position.centre:
        blocks.insert(1 + len(hands), cards_block(
            [bombs[name] for name in position.centre], title="Centre", unknown_points=guess))
    blocks += [Text(body=f"Note: {remark}.") for remark in remarks]
    return tuple(blocks)
