"""Write tests/GAME/perft.toml and playthrough.toml: run once for a game, then kept.

    python -m tests.contract.record GAME

The figures are those of the kernel on the day; the comparison with the reference is what shows
that they are right, and these files are what shows that they stay so.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from oddsmith.kernels.rng import Generator
from oddsmith.solver import variants
from tests.contract.specimens import specimen

CHANCE, OVER = -1, -2
TESTS = Path(__file__).parent.parent
MOST_LINES = 3000
"""Positions that are looked into at the deepest level."""

def settings(rules):
    """The options that differ from the default, as JSON."""
    return json.dumps(variants.overrides(rules, type(rules)()))


def play(game, rules, seed, policy, n_steps):
    """Texts of the first steps of a game from `new`, and the position after them."""
    table, draw = game.module.table(rules), Generator(seed, 1)
    position = game.module.new(rules, seed)
    texts = []
    while len(texts) < n_steps and table.turn(state := game.module.to_state(position)) != OVER:
        code = (table.sample(state, draw) if table.turn(state) == CHANCE
                else table.policy_move(state, policy, draw))
        texts.append(game.module.format_code(position, code))
        position = game.module.move_position(position, texts[-1:], None)
    return texts, position


def perft_entry(game, rules, seed, n_steps):
    texts, position = play(game, rules, seed, "random", n_steps)
    table, state = game.module.table(rules), game.module.to_state(position)
    lines = []
    while len(lines) < 6 and (not lines or lines[-1][0] < MOST_LINES):
        lines.append(list(table.perft(state, len(lines) + 1)))
    return {"rules": settings(rules), "seed": seed, "moves": texts, "lines": lines}


def playthrough_entry(game, rules, seed, policy):
    texts, position = play(game, rules, seed, policy, game.longest)
    table, state = game.module.table(rules), game.module.to_state(position)
    return {"rules": settings(rules), "seed": seed, "moves": texts,
            "payoff": table.payoff(state), "scores": table.summary(state)[: table.n_players]}


def write(path, kind, entries):
    lines = ["# Written by tests/contract/record.py"]
    for entry in entries:
        lines += ["", f"[[{kind}]]", *(f"{key} = {json.dumps(value)}"
                                       for key, value in entry.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(name):
    game = specimen(name)
    some = [game.module.Rules(), *game.rules(20, 5)]
    perft = [perft_entry(game, rules, seed, n_steps)
             for seed, rules in enumerate(some, 1) for n_steps in (0, 9, 40)[: 3 if seed < 4 else 2]]
    games = [playthrough_entry(game, rules, seed, game.policies[seed % 2])
             for seed, rules in enumerate(some, 1)]
    write(TESTS / name / "perft.toml", "perft", perft)
    write(TESTS / name / "playthrough.toml", "playthrough", games)


if __name__ == "__main__":
    main(sys.argv[1])
