"""What the verbs share: options, rules from options, output."""

from __future__ import annotations

import errno
import functools
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import click

from oddsmith.solver import variants
from oddsmith.solver.answer import Answer, to_json
from oddsmith.solver.errors import InputError, typed
from oddsmith.solver.games import GAMES

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("text", "json", "markdown", "csv", "html")
SUFFIXES = {".html": "html", ".htm": "html", ".md": "markdown", ".csv": "csv", ".json": "json",
            ".txt": "text"}
BUDGET_ENDED, INTERRUPTED = 5, 130


def game_module(game: str) -> Any:
    """The package of a game (all of them have the same names)."""
    return import_module(GAMES[game])


def rules_options(function: F) -> F:
    """--players, --variant and --set; the command gets `players`, `variant`, `settings`."""
    return click.option("--players", type=str, metavar="N", help="Number of players.")(
        change_options(function))


def change_options(function: F) -> F:
    """--variant and --set; the command gets `variant` and `settings`."""
    function = click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE",
                            help="Change one option of the rules; may be repeated.")(function)
    return click.option("--variant", type=str, metavar="FILE", help="Rules from a variant file.")(
        function)


def short_options(game: str) -> Callable[[F], F]:
    """Some options of a game's rules as options of the command: `--level X` is `--set level=X`.

    The game's package lists them in `SHORT_OPTIONS`; `--set` for the same field holds.
    """
    names: tuple[str, ...] = getattr(game_module(game), "SHORT_OPTIONS", ())

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def run(*args: Any, settings: tuple[str, ...], **own: Any) -> None:
            given = [(name, own.pop(name)) for name in names]
            short = tuple(f"{name}={value}" for name, value in given if value is not None)
            function(*args, settings=(*short, *settings), **own)

        made: Any = run
        for name in reversed(names):
            made = click.option(f"--{name.replace('_', '-')}", name, metavar="VALUE",
                                help=f"Short for --set {name}=VALUE.")(made)
        return cast(F, made)

    return decorate


def output_options(function: F) -> F:
    """--json and --format; the command gets `fmt`."""
    function = click.option(
        "--format", "fmt", type=click.Choice(FORMATS), default="text", show_default=True,
        help="How the answer is written.",
    )(function)
    return click.option("--json", "fmt", flag_value="json", help="Short for --format json.")(
        function
    )


def search_options(function: F) -> F:
    """Budget of a search; the command gets the keywords of `solver.search.search` but `until`."""

    @functools.wraps(function)
    def run(*args: Any, memory: int, **own: Any) -> None:
        function(*args, memory=memory << 20, **own)

    for option in (
        click.option("--memory", type=Whole(16, 1 << 20), default=1024, show_default=True,
                     metavar="MIB", help="For the trees; then they stop growing."),
        click.option("--workers", type=Whole(1, 1024), help="Threads; default: all cores."),
        click.option("--seed", type=Whole(0, 2**64 - 1), default=1, show_default=True),
        click.option("--time", "seconds", type=Positive(1e6), metavar="SECONDS",
                     help="End the search earlier; the number of simulations is printed."),
        click.option("--simulations", type=Whole(8, 2**31 - 1), default=20_000, show_default=True,
                     help="Of the search, in 8 independent trees."),
    ):
        run = option(run)
    return cast(F, run)


def finish(ctx: click.Context, watch: Watch, precise: bool) -> None:
    """Leave with the exit code of a run that was interrupted or ended before it was precise."""
    if watch.interrupted:
        ctx.exit(INTERRUPTED)
    if not precise:
        ctx.exit(BUDGET_ENDED)


def change_rules(
    game: str, players: str | None, variant: str | None, settings: Sequence[str]
) -> Callable[[Any], Any]:
    """A function that applies the options of the command line to some rules, in this order:
    variant file, --players, --set."""
    def change(rules: Any) -> Any:
        module = game_module(game)
        if variant is not None:
            rules = variants.load_variant(variant, game, rules, module.editions()).rules
        if players is not None:
            try:
                number = int(players) if players.isascii() else players
                rules = variants.from_values(rules, {"players": number})
            except (InputError, ValueError) as error:
                why = error.why if isinstance(error, InputError) else "it must be a number"
                raise InputError(f"--players can't be {players}", why=why,
                                 source="<command line>") from None
        return variants.apply(rules, settings)

    return change


@contextmanager
def typed_there() -> Iterator[None]:
    """What is refused within was typed on the command line, and says so."""
    try:
        yield
    except InputError as error:
        error.source = error.source or "<command line>"
        raise


def named(policies: str | None, default: str) -> list[str]:
    """The names of policies as typed, or the default where nothing is typed.

    Raises:
        InputError: a name is empty.
    """
    names = [name.strip() for name in (default if policies is None else policies).split(",")]
    if not all(names):
        raise InputError("--policy has an empty name", why="names are separated by commas",
                         hint=f"--policy {default}, or leave it out", source="<command line>")
    return names


def in_words_of(game: str, command: click.Command) -> click.Command:
    """A common verb whose help names the game and moves of it."""
    made, compared = game_module(game).TYPED_MOVES
    assert command.help is not None
    for word, meant in (("GAME", typed(game)), ("MOVES", made), ("RIVALS", compared)):
        command.help = command.help.replace(word, meant)
    return command


def position_verb(game: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """For verbs about one sound position: the argument, and options for rules and output.

    The verb gets the loaded position, `fmt` and its own options.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def run(
            position: str, players: str | None, variant: str | None, settings: tuple[str, ...],
            **own: Any,
        ) -> None:
            change = change_rules(game, players, variant, settings)
            function(game_module(game).load(position, change), **own)

        return click.argument("position")(rules_options(output_options(run)))

    return decorate


def command_line() -> str:
    """The command that was typed, quoted for a shell, without --workers, which changes nothing."""
    return re.sub(r" --workers(?:=| )\S+", "", shlex.join(["oddsmith", *sys.argv[1:]]))


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


class ResultFile:
    """A result file that is written whole or not at all.

    Made before the work begins, so that a place that can't be written is refused at once.
    A device or pipe is written to, and stays what it is; a link keeps pointing where it does.

    Args:
        path: where it goes.
        inputs: files that it must not replace.

    Raises:
        InputError: it can't be written there.
    """

    def __init__(self, path: str, inputs: Sequence[str] = ()) -> None:
        self.path = path
        target = Path(path)
        if not target.name or target.is_dir():
            raise self._fault("it is a folder" if path else "no name is given")
        for other in inputs:
            if other != "-" and target.exists() and target.samefile(other):
                raise self._fault(f"it would replace the input {other}")
        self._target = Path(os.path.realpath(path))
        self._in_place = target.exists() and not target.is_file()
        if self._in_place:
            if not os.access(target, os.W_OK):
                raise self._fault(os.strerror(errno.EACCES))
            return
        self._part = self._target.with_name(self._target.name + ".part")
        try:
            self._part.touch()
        except OSError as error:
            raise self._fault(error.strerror or str(error)) from None
        self._part.unlink()

    def _fault(self, why: str) -> InputError:
        return InputError(f"can't write {self.path or 'the output'}", why=why,
                          hint="choose another file with --output")

    def write(self, text: str) -> None:
        """Write it."""
        try:
            if self._in_place:
                with open(self.path, "w", encoding="utf-8") as out:
                    out.write(text)
                return
            self._part.write_text(text, encoding="utf-8")
            self._part.replace(self._target)
        except OSError as error:
            if not self._in_place:
                self._part.unlink(missing_ok=True)
            raise self._fault(error.strerror or str(error)) from None


class Watch:
    """Looks after a long run: Ctrl-C ends it with what is known, a terminal shows how far it is."""

    def __init__(self) -> None:
        self.interrupted = False
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def _interrupt(self, *_: Any) -> None:
        self.interrupted = True

    def stop(self, progress: str) -> bool:
        """Called now and then by the run; True asks it to end."""
        if self._shown:
            click.echo(f"\r\033[K{progress}", nl=False, err=True)
        return self.interrupted

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        if self._shown:
            click.echo("\r\033[K", nl=False, err=True)


class Whole(click.IntRange):
    """A whole number written in the digits 0 to 9."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.isascii():
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


class Positive(click.ParamType[float]):
    """A positive, finite number, at most `most`."""

    name = "number"

    def __init__(self, most: float = 1e9) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = float(value) if str(value).isascii() else 0.0
        except ValueError:
            number = 0.0
        if not 0 < number <= self.most:  # false for nan, too
            self.fail(f"{value!r} is not a number above 0, at most {self.most:g}.", param, ctx)
        return number


def is_notation(text: str) -> bool:
    """Whether an argument is inline notation rather than the name of a file."""
    if "\n" in text:
        return True
    try:
        return ("," in text or "|" in text) and not Path(text).exists()
    except (OSError, ValueError):  # no file can be called that
        return True
