"""Stone Age: questions about a position, and what all its answers share.

The exact questions about dice and tools are in dice.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from oddsmith.solver import soundness
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.stone_age import pictures
from oddsmith.solver.games.stone_age.notation import levels
from oddsmith.solver.games.stone_age.position import (
    GAME,
    UNKNOWN,
    Player,
    Position,
    format_position,
)
from oddsmith.solver.games.stone_age.rules import (
    CARD,
    FACTS,
    FIGURES,
    KINDS,
    MOST_PEOPLE,
    MOST_TOOLS,
    MOST_TRACK,
    PLACES,
    SYMBOLS,
    Rules,
    card,
)
from oddsmith.solver.games.stone_age.soundness import notes
from oddsmith.solver.provenance import answer_about, changed_options


def rules_assumptions(rules: Rules) -> tuple[str, ...]:
    """Which options differ from the printed rules, for the assumptions of an answer."""
    return changed_options(rules, Rules(players=rules.players))


def make_answer(question: str, title: str, value: Any, rules: Rules, **more: Any) -> Answer:
    """An exact Answer of this game; `more` overrides any field."""
    return answer_about(GAME, question, title, value, rules, Rules(players=rules.players), FACTS,
                        **more)


# Showing a position ------------------------------------------------------------------------------


def show_answer(position: Position, command: str = "", name: str = "") -> Answer:
    """A position with everything that follows from it; `name` tells it from others."""
    value: dict[str, Any] = {
        "phase": position.phase, "to_move": position.to_move + 1, "start": position.start + 1,
        "round": position.round, "cards": list(position.display), "tiles": list(position.tops),
        "stacks": list(position.stacks), "deck": position.n_deck, "supply": position.supply,
        "players": [_told(player) for player in position.players],
        "finished": position.finished,
    }
    if position.finished:
        from oddsmith.solver.games.stone_age.engine import final_result

        value["result"] = final_result(position)
    title = f"Stone Age position: {name}" if name else "Stone Age position"
    return make_answer("show", title, value, position.rules, method="as given", command=command,
                       blocks=pictures.position_blocks(position, notes(position),
                                                       value.get("result")),
                       inputs={"position": format_position(position)})


def _told(player: Player) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(player)
    told["goods"] = dict(zip(KINDS, player.goods, strict=True))
    told["tools"] = list(levels(player.tools))
    told["placed"] = {PLACES[place]: n for place, n in player.placed}
    told["extra"] = "?" if player.extra == UNKNOWN else player.extra
    return told


def check_answer(
    position: Position, faults: Sequence[InputError], command: str = ""
) -> Answer:
    """The faults of a position, and what is odd about it."""
    remarks = [] if faults else notes(position)
    value = {
        "sound": not faults,
        "faults": soundness.told(faults),
        "notes": remarks,
    }
    title = "The position is sound" if not faults else (
        f"{len(faults)} fault{'s' * (len(faults) != 1)} in the position")
    return make_answer("check", title, value, position.rules, method="every check of the manual",
                       sources=(), blocks=pictures.check_blocks(faults, remarks), command=command,
                       inputs={"position": format_position(position)})


# Final scoring -----------------------------------------------------------------------------------


class Final(msgspec.Struct, frozen=True):
    """The final scoring of one seat, item by item; `total` is their sum with the score so far."""

    score: int
    greens: int
    farmers: int
    toolmakers: int
    builders: int
    shamans: int
    resources: int

    @property
    def total(self) -> int:
        """Everything."""
        return sum(msgspec.structs.astuple(self))


def final(player: Player, rules: Rules) -> Final:
    """What a seat would score if the game ended now (rules page, End).

    An unknown extra card counts nothing; a two-resource card that is left counts 2.
    """
    kept = [card(number) for number in (*player.cards, *([player.extra] if player.extra else []))]
    times = {symbol: sum(one.bottom == symbol for one in kept) for symbol in SYMBOLS}
    greens = sum(sum(n >= k for n in times.values()) ** 2 for k in (1, 2))
    count = {name: sum(one.count for one in kept if one.bottom == name) for name in FIGURES}
    tools = player.tools + (sum(player.one_use) if rules.one_use_tools_score else 0)
    return Final(
        player.score, greens, count["farmer"] * player.track, count["toolmaker"] * tools,
        count["builder"] * len(player.tiles), count["shaman"] * player.people,
        sum(player.goods) + 2 * player.two,
    )


def what_adds(position: Position, seat: int) -> list[tuple[str, int]]:
    """What one more person, tool, field and each card on display would add to the final score."""
    player, rules = position.players[seat], position.rules
    base = final(player, rules).total
    more: list[tuple[str, Player]] = []
    if player.people < MOST_PEOPLE:
        more.append(("one more person", msgspec.structs.replace(player, people=player.people + 1)))
    if player.tools < MOST_TOOLS:
        more.append(("one more tool", msgspec.structs.replace(player, tools=player.tools + 1)))
    if player.track < MOST_TRACK:
        more.append(("one more field", msgspec.structs.replace(player, track=player.track + 1)))
    more += [
        (f"card {number}: {card(number).bottom_words}",
         msgspec.structs.replace(player, cards=(*player.cards, number)))
        for number in position.display if number
    ]
    return [(name, final(after, rules).total - base) for name, after in more]


def final_answer(position: Position, command: str = "") -> Answer:
    """Final scores itemised, as if the game ended now, and what one thing more would add."""
    finals = [final(player, position.rules) for player in position.players]
    adds = [what_adds(position, seat) for seat in range(len(position.players))]
    value = [
        {"seat": seat, **msgspec.structs.asdict(one), "total": one.total,
         "adds": [{"what": what, "points": points} for what, points in more]}
        for seat, (one, more) in enumerate(zip(finals, adds, strict=True), 1)
    ]
    assumptions = [*rules_assumptions(position.rules)]
    if not position.finished:
        assumptions.append("the game ends now")
    if any(player.extra == UNKNOWN for player in position.players):
        assumptions.append("an extra card that isn't known counts nothing")
    return make_answer(
        "final", "Final scores" + ("" if position.finished else " if the game ended now"), value,
        position.rules, method="the final scoring of the rules page, item by item; a card adds "
        "its bottom half", assumptions=tuple(assumptions),
        inputs={"position": format_position(position)},
        blocks=pictures.final_blocks(position, finals, adds), command=command,
    )


def report_answers(position: Position, command: str = "") -> list[Answer]:
    """Everything exact about a position: the position, final scores, payments, rolls to come."""
    from oddsmith.solver.games.stone_age.payments import pay_answer
    from oddsmith.solver.games.stone_age.splits import split_answer, split_of_position

    answers = [show_answer(position, command), final_answer(position, command)]
    if not position.finished:
        for k, number in enumerate((*position.display, *position.tops)):
            if number:
                answers.append(pay_answer(position, PLACES[CARD + k], command))
        asked = split_of_position(position)
        if asked is not None:
            answers.append(split_answer(asked, rules=position.rules, command=command))
    return answers
