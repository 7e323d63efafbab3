"""What the verbs share: options, rules from options, output."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from oddsmith.solver import variants
from oddsmith.solver.answer import Answer, to_json
from oddsmith.solver.errors import InputError
from oddsmith.solver.games import GAMES

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("text", "json", "markdown", "csv", "html")
SUFFIXES = {".html": "html", ".htm": "html", ".md": "markdown", ".csv": "csv", ".json": "json",
            ".txt": "text"}
BUDGET_ENDED = 5


def game_module(game: str) -> Any:
    """The package of a game (all of them have the same names)."""
    return import_module(GAMES[game])


def rules_options(function: F) -> F:
    """--players, --variant and --set; the command gets `players`, `variant`, `settings`."""
    for option in (
        click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE",
                     help="Change one option of the rules; may be repeated."),
        click.option("--variant", type=str, metavar="FILE", help="Rules from a variant file."),
        click.option("--players", type=str, metavar="N", help="Number of players."),
    ):
        function = option(function)
    return function


def output_options(function: F) -> F:
    """--json and --format; the command gets `fmt`."""
    function = click.option(
        "--format", "fmt", type=click.Choice(FORMATS), default="text", show_default=True,
        help="How the answer is written.",
    )(function)
    return click.option("--json", "fmt", flag_value="json", help="Short for --format json.")(
        function
    )


def change_rules(
    game: str, players: str | None, variant: str | None, settings: Sequence[str]
) -> Callable[[Any], Any]:
    """A function that applies the options of the command line to some rules, in this order:
    variant file, --players, --set."""
    chosen = list(settings)
    if players is not None:
        chosen.insert(0, f"players={players}")

    def change(rules: Any) -> Any:
        module = game_module(game)
        if variant is not None:
            rules = variants.load_variant(variant, game, rules, module.editions()).rules
        return variants.apply(rules, chosen)

    return change


def command_line() -> str:
    """The command that was typed, quoted for a shell."""
    return shlex.join(["oddsmith", *sys.argv[1:]])


def emit(answers: Answer | Sequence[Answer], fmt: str) -> None:
    """Write an answer (or several) to standard output."""
    if fmt == "json" and isinstance(answers, Answer):
        click.echo(to_json(answers), nl=False)
        return
    from oddsmith import reports

    if fmt == "text":
        for answer in [answers] if isinstance(answers, Answer) else answers:
            reports.print_text(answer)
        return
    click.echo(reports.render(answers, fmt), nl=False)


def write_file(path: str, text: str) -> None:
    """Write a result file whole or not at all.

    Raises:
        InputError: the folder is missing or not writable.
    """
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"can't write {path}", why=error.strerror or str(error),
                         hint="choose another file with --output") from None


def is_notation(text: str) -> bool:
    """Whether an argument is inline notation rather than the name of a file."""
    return ("," in text or "|" in text) and not Path(text).exists()
