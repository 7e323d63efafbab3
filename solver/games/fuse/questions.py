"""FUSE's answers about positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from oddsmith.solver import soundness, variants
from oddsmith.solver.answer import Answer
from oddsmith.solver.errors import InputError
from oddsmith.solver.games.fuse import pictures
from oddsmith.solver.games.fuse.bombs import COLORS
from oddsmith.solver.games.fuse.deck import FACTS, load_deck
from oddsmith.solver.games.fuse.notation import format_dice, format_fuse, format_held
from oddsmith.solver.games.fuse.position import Position, format_position
from oddsmith.solver.games.fuse.rules import Rules
from oddsmith.solver.games.fuse.soundness import notes
from oddsmith.solver.provenance import answer_about, changed_options

GAME = "fuse"


def rules_assumptions(rules: Rules) -> tuple[str, ...]:
    """The deck, what is assumed about it, and which options differ from the printed rules."""
    deck = load_deck(rules.deck)
    unknown = sum(bomb.points is None for bomb in deck.bombs)
    told = (f"{unknown} bombs of unknown value are taken to be worth {rules.unknown_points}",)
    return (deck.told(), *(told if unknown else ()),
            *changed_options(rules, Rules(players=rules.players)))


def make_answer(question: str, title: str, value: Any, rules: Rules, **more: Any) -> Answer:
    """An exact Answer of this game; `more` overrides any field."""
    return answer_about(GAME, question, title, value, rules, Rules(players=rules.players), FACTS,
                        **{"assumptions": rules_assumptions(rules), "rules_id": _rules_id(rules),
                           **more})


def _rules_id(rules: Rules) -> str:
    """The id of the rules, which the cards of the deck are part of."""
    return variants.rules_id(GAME, msgspec.structs.replace(
        rules, deck=load_deck(rules.deck).contents))


def position_value(position: Position) -> dict[str, Any]:
    """A position as plain data, with what follows from it."""
    return {
        "roll": position.roll, "to_move": position.to_move + 1, "phase": position.phase,
        "seconds": position.elapsed / 1000, "seconds_left":
        position.rules.seconds - position.elapsed / 1000,
        "dice": format_dice(position.dice), "bag": dict(zip(COLORS, position.bag, strict=True)),
        "players": [{"name": player.name, "taken": player.taken,
                     "bombs": [format_held(held) for held in player.held]}
                    for player in position.players],
        "centre": list(position.centre), "bombs_left": position.bombs_left,
        "fuse_cards_left": position.fuses_left, "defused": list(position.defused),
        "fuse_cards": [format_fuse(card) for card in position.fuses], "score": position.score,
        "ending": position.ending, "file": format_position(position),
    }


def show_answer(position: Position, command: str = "") -> Answer:
    """A position to look at."""
    told = notes(position)
    return make_answer(
        "show", f"Roll {position.roll}, player {position.to_move + 1}: {position.phase}",
        position_value(position), position.rules, method="what follows from the position",
        blocks=pictures.position_blocks(position, told), command=command,
    )


def check_answer(
    position: Position, faults: Sequence[InputError], command: str = ""
) -> Answer:
    """Every fault of a position file."""
    told = notes(position) if not faults else []
    title = f"{len(faults)} fault{'s' * (len(faults) != 1)}" if faults else "A sound position"
    value = {"sound": not faults, "faults": soundness.told(faults), "notes": told}
    return make_answer("check", title, value, position.rules, method="every rule about positions",
                       blocks=soundness.blocks(faults, told), command=command)


def report_answers(position: Position, command: str = "") -> list[Answer]:
    """The position, and what can be asked about it there."""
    answers = [show_answer(position, command)]
    if position.phase in ("assign", "pick"):
        from oddsmith.solver.games.fuse import assign

        ask = assign.assign_answer if position.phase == "assign" else assign.pick_answer
        answers.append(ask(position, command=command))
    elif not position.finished:
        from oddsmith.solver.games.fuse.whole_games import moves_answer

        answers.append(moves_answer(position, command))
    return answers
