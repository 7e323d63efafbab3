"""Forbidden Island's answers about positions; `odds.py` and `safest.py` hold exact questions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from oddsmith.solver import soundness
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError, TooLarge
from oddsmith.solver.games.island import pictures
from oddsmith.solver.games.island.position import Position, format_position
from oddsmith.solver.games.island.rules import FACTS, Rules
from oddsmith.solver.games.island.soundness import notes
from oddsmith.solver.provenance import answer_about, changed_options

GAME = "island"


def rules_assumptions(rules: Rules) -> tuple[str, ...]:
    """Which options differ from the printed rules, for the assumptions of an answer."""
    return changed_options(rules, Rules(players=rules.players))


def make_answer(question: str, title: str, value: Any, rules: Rules, **more: Any) -> Answer:
    """An exact Answer of this game; `more` overrides any field."""
    return answer_about(GAME, question, title, value, rules, Rules(players=rules.players), FACTS,
                        **more)


def position_value(position: Position) -> dict[str, Any]:
    """A position as plain data, with what follows from it."""
    island = position.island
    return {
        "turn": position.turn, "to_move": position.to_move + 1, "phase": position.phase,
        "actions": position.actions, "draws": position.draws, "floods": position.floods,
        "water": position.water, "flood_cards": position.flood_cards,
        "tiles": {tile: "sunk" if tile in island.sunk else
                  "flooded" if tile in island.flooded else "dry" for tile in island.tiles},
        "players": [{"name": player.name, "role": player.role, "at": player.at,
                     "hand": list(player.hand)} for player in position.players],
        "captured": sorted(position.captured), "ending": position.ending,
        "treasure_pile": list(position.treasure_pile),
        "treasure_discard": list(position.treasure_discard),
        "flood_pile": [sorted(block) for block in position.flood_pile],
        "flood_discard": sorted(position.flood_discard),
        "file": format_position(position),
    }


def show_answer(position: Position, command: str = "") -> Answer:
    """A position to look at."""
    told = notes(position)
    return make_answer(
        "show", f"Turn {position.turn}, player {position.to_move + 1}: {position.phase}",
        position_value(position), position.rules,
        method="what follows from the position; next draw: the chance to be among the flood cards "
        "that the meter shows now, if no Waters Rise! comes before",
        blocks=pictures.position_blocks(position, told), command=command,
    )


def check_answer(
    position: Position, faults: Sequence[InputError], command: str = ""
) -> Answer:
    """Every fault of a position file; of a sound one, what is worth knowing."""
    told = notes(position) if not faults else []
    title = f"{len(faults)} fault{'s' * (len(faults) != 1)}" if faults else "A sound position"
    value = {
        "sound": not faults,
        "faults": soundness.told(faults),
        "notes": told,
    }
    return make_answer("check", title, value, position.rules, method="every rule about positions",
                       blocks=soundness.blocks(faults, told), command=command)


def report_answers(position: Position, command: str = "") -> list[Answer]:
    """The position, the safest actions where actions are due, and the odds of the next turns."""
    answers = [show_answer(position, command)]
    if position.finished:
        return answers
    if position.phase == "actions":
        from oddsmith.solver.games.island.safest import safest_answer

        with suppress(InputError, TooLarge):  # not everywhere is it covered
            answers.append(safest_answer(position, command))
    from oddsmith.solver.games.island.odds import odds_answer

    return [*answers, odds_answer(position, 10, command)]
