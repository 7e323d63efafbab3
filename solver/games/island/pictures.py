"""How Forbidden Island's answers look: maps, tables and bars (no output is made here)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from oddsmith.solver.answer import Block, Map, Place, Table, Text
from oddsmith.solver.games.island.notation import format_cards, tile_name
from oddsmith.solver.games.island.position import Position
from oddsmith.solver.games.island.rules import TREASURES, roles, spaces_of, tiles, treasure_name


def percent(p: Fraction, digits: int = 2) -> str:
    """A chance in per cent; the exact fraction is in the answer's value."""
    return f"{float(100 * p):.{digits}f} %"


def next_draw(position: Position) -> dict[str, Fraction]:
    """The chance of each tile's card to be among the flood cards that the meter shows now."""
    left = position.floods or position.flood_cards
    found = dict.fromkeys(position.island.in_play, Fraction(0))
    for block in position.flood_pile:
        for tile in block:
            found[tile] = min(Fraction(1), Fraction(max(left, 0), len(block)))
        left -= len(block)
    if left > 0:  # the pile is used up in the draw; its discard is drawn from next
        again = position.flood_discard | {
            tile for block in position.flood_pile for tile in block
            if tile not in position.island.flooded
        }
        for tile in position.flood_discard:
            found[tile] = min(Fraction(1), Fraction(left, len(again)))
    return found


def island_map(
    position: Position, heat: Mapping[str, Fraction], heat_title: str, title: str = ""
) -> Map:
    """The island as a map with pawns, treasures and a chance for each tile."""
    island = position.island
    letters = {role.id: role.letter for role in roles()}
    columns, lines = zip(*spaces_of(position.rules.layout), strict=True)
    rows: list[list[Place | None]] = [[None] * (max(columns) + 1) for _ in range(max(lines) + 1)]
    treasure_of = {tile.id: tile.treasure for tile in tiles()}
    for column, line, tile in zip(columns, lines, island.tiles, strict=True):
        sunk, p = tile in island.sunk, heat.get(tile)
        note = treasure_of[tile] if treasure_of[tile] not in position.captured else ""
        rows[line][column] = Place(
            tile_name(tile),
            "sunk" if sunk else "flooded" if tile in island.flooded else "dry",
            "".join(letters[player.role] for player in position.players if player.at == tile),
            "" if sunk else note,
            None if sunk or p is None else float(p),
            "" if sunk or p is None else percent(p, 0),
        )
    return Map(tuple(tuple(row) for row in rows), {role.letter: role.color for role in roles()},
               {role.letter: role.id for role in roles()}, title=title, heat_title=heat_title)


def position_blocks(position: Position, notes: Sequence[str] = ()) -> tuple[Block, ...]:
    """A position to look at: the island, the players, the treasures, the piles."""
    players = tuple(
        (str(seat), player.name or f"Player {seat}", player.role, tile_name(player.at),
         format_cards(player.hand), "to move" if seat - 1 == position.to_move else "")
        for seat, player in enumerate(position.players, 1)
    )
    treasures = tuple(
        (treasure_name(treasure), "captured" if treasure in position.captured else
         " and ".join(tile_name(tile.id) + ", sunk" * (tile.id in position.island.sunk)
                      for tile in tiles() if tile.treasure == treasure))
        for treasure in TREASURES
    )
    heat = {} if position.finished else next_draw(position)
    blocks: list[Block] = [
        island_map(position, heat, "chance to be among the next flood cards"),
        Table(("player", "name", "role", "on", "hand", ""), players, title="Players",
              numeric=(0,), marked=(position.to_move,)),
        Table(("treasure", "where"), treasures, title="Treasures"),
        Table(("what", "cards"), (
            ("water meter", f"mark {position.water}: {position.flood_cards} flood cards"),
            ("treasure pile", format_cards(position.treasure_pile)),
            ("treasure discard", format_cards(position.treasure_discard)),
            *((f"flood pile, block {k}", f"{len(block)}: "
               + ", ".join(sorted(map(tile_name, block))))
              for k, block in enumerate(position.flood_pile, 1)),
            ("flood discard", f"{len(position.flood_discard)}: "
             + ", ".join(sorted(map(tile_name, position.flood_discard)))
             if position.flood_discard else "none"),
        ), title="Piles"),
    ]
    blocks += [Text(body=f"Note: {note}.") for note in notes]
    return tuple(blocks)
