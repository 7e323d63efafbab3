"""How Stone Age's answers look: blocks of tables and bars (no output is made here)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oddsmith.solver.answer import Bars, Block, Table, Text
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.stone_age.notation import format_goods, format_tools, levels
from oddsmith.solver.games.stone_age.position import UNKNOWN, Player, Position
from oddsmith.solver.games.stone_age.rules import KINDS, PLACES, card, tile

if TYPE_CHECKING:
    from oddsmith.solver.games.stone_age.payments import Payment
    from oddsmith.solver.games.stone_age.questions import Final

ITEMS = ("score", "greens", "farmers", "toolmakers", "builders", "shamans", "resources")
SHOWN = 12
"""Payments in a table or chart; the value of the answer has all of them."""


def position_blocks(
    position: Position, remarks: Sequence[str], result: dict[str, Any] | None
) -> tuple[Block, ...]:
    """The table, the players, and what is odd."""
    mover = f"player {position.to_move + 1}"
    now = f"{position.phase}, {mover} decides" if not position.finished else position.finished
    if position.sum:
        now += f"; {'food missing' if position.feeding else 'rolled'}: {position.sum}"
    offered = [
        (PLACES[8 + k], str(number), f"{k + 1}",
         f"{card(number).top_words}; {card(number).bottom_words}" if number else "empty")
        for k, number in enumerate(position.display)
    ] + [
        (PLACES[12 + k], str(number or ""), f"{position.stacks[k]} left",
         tile(number).words if number else "none")
        for k, number in enumerate(position.tops)
    ]
    blocks: list[Block] = [
        Text(body=f"Round {position.round}, start player {position.start + 1}: {now}. "
             f"{position.n_deck} cards in the deck."),
        Table(("place", "number", "price", "what"), tuple(offered), numeric=(1,)),
        Table(("player", "score", "food", "track", "people", *KINDS, "tools", "cards", "tiles",
               "placed"),
              tuple(_player_row(seat, player) for seat, player in enumerate(position.players, 1)),
              numeric=(1, 2, 3, 4, 5, 6, 7, 8), marked=(position.to_move,)),
    ]
    if result:
        blocks.append(Bars(
            tuple(f"player {seat}" + (" (wins)" if seat in result["winners"] else "")
                  for seat in range(1, len(position.players) + 1)),
            tuple(map(float, result["scores"])), title="Final scores"))
    blocks += [Text(body=remark[0].upper() + remark[1:] + ".") for remark in remarks]
    return tuple(blocks)


def _player_row(seat: int, player: Player) -> tuple[str, ...]:
    tools = format_tools(levels(player.tools), player.one_use)
    if player.used:
        tools += f" (used {','.join(map(str, player.used))})"
    held = " ".join(map(str, player.cards)) + (" two resources" if player.two else "")
    if player.extra is not None:
        held += " +?" if player.extra == UNKNOWN else f" +{player.extra}"
    placed = ", ".join(f"{PLACES[place]} {n}" for place, n in player.placed)
    return (f"{seat} {player.name}".strip(), str(player.score), str(player.food),
            str(player.track), str(player.people), *map(str, player.goods), tools, held.strip(),
            " ".join(map(str, player.tiles)), placed)


def check_blocks(faults: Sequence[InputError], remarks: Sequence[str]) -> tuple[Block, ...]:
    """The faults as a table, the remarks as text."""
    rows = tuple((f"{fault.line}:{fault.column}", fault.what, fault.why, fault.hint)
                 for fault in faults)
    table: tuple[Block, ...] = (Table(("where", "what", "why", "hint"), rows),) if rows else ()
    return (*table, *(Text(body=remark[0].upper() + remark[1:] + ".") for remark in remarks))


def pay_blocks(offer: str, found: Sequence[Payment]) -> tuple[Block, ...]:
    """The payments, best first, and a chart of what they leave where that differs."""
    if not found:
        return (Text(body=f"{offer[0].upper()}{offer[1:]}: no payment is at hand."),)
    shown, more = found[:SHOWN], len(found) - SHOWN
    redeem = any(any(one.redeemed) for one in found)
    table = Table(
        ("", *(["redeem"] if redeem else []), "pay", "points", "left", "value left"),
        tuple((str(k), *([format_goods(one.redeemed) if any(one.redeemed) else ""] * redeem),
               format_goods(one.paid), str(one.points), format_goods(one.left), str(one.worth))
              for k, one in enumerate(shown, 1)),
        numeric=(0, 3, 5) if redeem else (0, 2, 4), title=offer,
        note=f"{more} more payment{'s' * (more != 1)}." if more > 0 else "")
    totals = tuple(float(one.points + one.worth) for one in shown)
    if len(set(totals)) == 1:
        return (table,)
    return (table, Bars(
        tuple(format_goods(one.paid)
              + (f" (redeem {format_goods(one.redeemed)})" if any(one.redeemed) else "")
              for one in shown),
        totals, title="Points and value left after each payment"))


def final_blocks(
    position: Position, finals: Sequence[Final], adds: Sequence[Sequence[tuple[str, int]]]
) -> tuple[Block, ...]:
    """Items by player, totals as bars, and what one thing more would add."""
    names = tuple(f"{seat} {player.name}".strip()
                  for seat, player in enumerate(position.players, 1))
    items = tuple((item, *(str(getattr(one, item)) for one in finals))
                  for item in (*ITEMS, "total"))
    columns = tuple(range(1, len(names) + 1))
    things = list(dict.fromkeys(what for more in adds for what, _ in more))
    more = tuple(
        (what, *(str(dict(one)[what]) if what in dict(one) else "" for one in adds))
        for what in things
    )
    return (
        Table(("item", *names), items, numeric=columns, marked=(len(items) - 1,)),
        Bars(names, tuple(float(one.total) for one in finals), title="Final scores"),
        Table(("would add", *names), more, numeric=columns),
    )
