"""A thousand spoiled position files a game: each is read, or refused in one clear message."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from oddsmith.solver.cli import oddsmith
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import GAMES
from tests.contract.specimens import specimen

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
N_FILES = 1000
WORDS = ["0", "-1", "1e9", "99999999999999999999", "nan", "true", '""', '"?"', "[]", "{}", "[[1]]",
         "1979-05-27", '"\\u0000"', "'''", "=", "#", "\t", "é", "\U0001f41f", ".", "4", "17", "players"]


def sources(game):
    """The shipped positions of a game, and dealt ones of many rule sets."""
    module = game.module
    texts = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.toml"))
             if f'game = "{game.name}"' in path.read_text(encoding="utf-8")
             and "variant" not in path.name]
    return [*texts, module.BLANK, *(module.format_position(module.new(rules, seed))
                                    for seed, rules in enumerate(game.rules(30, 5)))]


def spoiled(text, draw):
    """The text with one to three things wrong: characters, values, lines, bytes."""
    for _ in range(draw.randint(1, 3)):
        kind, at = draw.randrange(6), draw.randrange(len(text) + 1)
        if kind == 0:
            text = text[:at] + text[at + draw.randint(1, 5):]
        elif kind == 1:
            text = text[:at] + draw.choice(WORDS) + text[at:]
        elif kind == 2:
            lines = text.splitlines(keepends=True)
            one, other = draw.randrange(len(lines) or 1), draw.randrange(len(lines) or 1)
            if lines:
                lines[one] = lines[other]
            text = "".join(lines)
        elif kind == 3:
            lines = text.splitlines(keepends=True)
            if lines:
                del lines[draw.randrange(len(lines))]
            text = "".join(lines)
        elif kind == 4:
            words = [(i, word) for i, word in enumerate(text.split(" ")) if word[:1].isdigit()]
            if words:
                parts = text.split(" ")
                parts[draw.choice(words)[0]] = draw.choice(WORDS)
                text = " ".join(parts)
        else:
            text = text[:at]
    return text


@pytest.mark.parametrize("game", [specimen(name) for name in GAMES], ids=lambda game: game.name)
def test_spoiled_files(game, tmp_path):
    draw, path, texts = random.Random(1), tmp_path / "game.toml", sources(game)
    n_refused = 0
    for k in range(N_FILES):
        text = spoiled(texts[k % len(texts)], draw)
        path.write_text(text, encoding="utf-8")
        try:
            position = game.module.load(str(path))
        except InputError as error:
            n_refused += 1
            assert error.what
            assert "\n" not in error.what
            continue
        table = game.module.table(position.rules)
        state = game.module.to_state(position)
        table.moves(state)
        assert game.module.load(str(path)) == position
        path.write_text(game.module.format_position(position), encoding="utf-8")
        again = game.module.load(str(path))
        assert game.module.format_position(again) == path.read_text(encoding="utf-8")
    assert N_FILES // 3 < n_refused < N_FILES


@pytest.mark.parametrize("game", [specimen(name) for name in GAMES], ids=lambda game: game.name)
def test_spoiled_files_at_the_command_line(game, tmp_path):
    """No verb breaks on them; exit code 2 wherever one is refused (check: 4 for an unsound one)."""
    draw, path, texts = random.Random(2), tmp_path / "game.toml", sources(game)
    verbs = [["check"], ["show"], ["moves"], ["best", "--simulations", "8"],
             ["value", "--simulations", "8"], ["perft", "--depth", "1"],
             ["simulate", "--games", "2"]]
    for k in range(70):
        path.write_text(spoiled(texts[k % len(texts)], draw), encoding="utf-8")
        verb, *options = verbs[k % len(verbs)]
        run = CliRunner().invoke(oddsmith, [game.name, verb, str(path), *options])
        assert run.exception is None or isinstance(run.exception, (SystemExit, InputError)), (
            verb, path.read_text(encoding="utf-8"), run.exception)
