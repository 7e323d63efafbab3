"""How FUSE's positions look: the table, the bombs, the dice (no output is made here)."""

from __future__ import annotations

from collections.abc import Sequence

from oddsmith.solver.answer import Block, Table, Text
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse.bombs import COLORS
from oddsmith.solver.games.fuse.notation import format_dice, format_fuse, format_held
from oddsmith.solver.games.fuse.position import Position
from oddsmith.solver.games.fuse.rules import points_of


def position_blocks(position: Position, remarks: Sequence[str] = ()) -> tuple[Block, ...]:
    """A position to look at: hands, centre, dice, clock."""
    rules, bombs = position.rules, position.bombs
    hands = tuple(
        (str(seat), player.name or f"Player {seat}", format_held(held),
         str(points_of(rules, bombs[held.bomb])), bombs[held.bomb].text,
         "holds the bag" if k == 0 and seat - 1 == (position.roll - 1) % rules.players else "")
        for seat, player in enumerate(position.players, 1)
        for k, held in enumerate(player.held)
    )
    centre = tuple((name, str(points_of(rules, bombs[name])), bombs[name].text)
                   for name in position.centre)
    left = rules.seconds - position.elapsed / 1000
    things = (
        ("dice on the table", format_dice(position.dice) or "none"),
        ("bag", ", ".join(f"{n} {color}" for n, color in zip(position.bag, COLORS, strict=True))),
        ("bomb deck", f"{position.bombs_left} bombs, {position.fuses_left} fuse cards"),
        ("seconds left", f"{left:g} of {rules.seconds}"),
        ("defused", f"{len(position.defused)} bombs, {position.points} points"),
        ("fuse cards activated", ", ".join(map(format_fuse, position.fuses)) or "none"),
        ("score", str(position.score)),
    )
    blocks: list[Block] = [
        Table(("player", "name", "bomb and its dice", "points", "what it wants", ""), hands,
              title="Hands", numeric=(0, 3)),
        Table(("bomb", "points", "what it wants"), centre, title="Centre", numeric=(1,)),
        Table(("what", ""), things, title="Table"),
    ]
    blocks += [Text(body=f"Note: {remark}.") for remark in remarks]
    return tuple(blocks)


def check_blocks(faults: Sequence[InputError], remarks: Sequence[str]) -> tuple[Block, ...]:
    """Faults as a table with their places, remarks as notes."""
    blocks: list[Block] = [
        Table(("found", "how many"), (("faults", str(len(faults))), ("notes", str(len(remarks)))),
              numeric=(1,))
    ]
    if faults:
        blocks.append(Table(
            ("where", "fault", "why", "what to do"),
            tuple((fault.where, fault.what, fault.why, fault.hint) for fault in faults),
        ))
    blocks += [Text(body=f"Note: {remark}.") for remark in remarks]
    return tuple(blocks)
