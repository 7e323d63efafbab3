"""The command line: `oddsmith GAME VERB [POSITION] [options]`.

Every verb is a module of its own that is imported when the verb is used, so that `--help` and a
small exact answer start fast.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from oddsmith.solver import __version__
from oddsmith.solver.errors import OddsmithError, nearest, typed
from oddsmith.solver.games import GAMES

BUG, BAD_INPUT, INTERRUPTED = 1, 2, 130

VERBS = {
    "new": "Deal a game and write its position file.",
    "show": "Show a position.",
    "check": "List every fault of a position file.",
    "moves": "Every legal move of a position.",
    "move": "Make moves and outcomes; write the position after them.",
    "best": "The moves ranked by search, with intervals; or some of them settled by play.",
    "value": "What a position is worth to each seat, by search.",
    "simulate": "Whole games between policies, with intervals.",
    "perft": "Count the lines of play, a check of the rules.",
    "report": "Write an HTML report about a position.",
}
"""Verbs that every game has, in modules of this package of the same name."""

QUESTIONS = {
    "reef": {
        "score": "What cards score on a board.",
        "plan": "The best order and placements for playing all of some cards, proven.",
        "cards": "The cards, filtered by what they want and give.",
    },
    "island": {
        "odds": "The chance that tiles flood and sink in the next turns if nobody acts.",
        "safest": "The actions and specials that leave the least chance of losing, proven.",
        "first_turn": "The chance to lose Fools' Landing on turn 1.",
    },
    "stone_age": {
        "yield": "What some people bring: distribution, mean, chances.",
        "people": "The fewest people for a yield with some confidence.",
        "split": "The best adaptive use of tools over several rolls.",
        "gift": "What each seat can expect of a dice gift.",
        "table": "The printable tables of mean yields.",
        "pay": "Every payment for a tile or card, ranked.",
        "final": "Final scores itemised, and what one thing more would add.",
    },
    "fuse": {
        "bombs": "The bomb cards of a deck, drawn, with how long they take.",
        "bomb": "How long a bomb takes: expected offers, the chance to be done within n.",
        "hand": "Several bombs at once: expected rolls under the best split.",
        "assign": "The best assignments of a roll to players and slots.",
        "pick": "Which bomb of the centre to take next.",
        "pace": "The chance to win over seconds a roll: the pace a team needs.",
    },
}
"""Each game's own exact questions, in modules named GAME_VERB."""

COMMANDS = {
    "games": "The games and what can be asked about them.",
    "explain": "Explain a topic: options, notation, exactness, exit codes.",
    "demo": "Run the shipped examples and write demo.html.",
    "bench": "A fixed piece of work: its signature and how fast it ran.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when used; their one-line help is kept here."""

    def __init__(self, modules: dict[str, tuple[str, str]], game: str = "", **attrs: Any) -> None:
        super().__init__(**attrs)
        self.modules, self.game = modules, game

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [typed(name) for name in self.modules]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = cmd_name.replace("-", "_")  # both are typed: stone-age, stone_age
        if cmd_name not in self.modules:
            return None
        module = self.modules[cmd_name][0]
        if module == "":
            return game_group(cmd_name)
        loaded = import_module(f"oddsmith.solver.cli.{module}")
        made = loaded.command(self.game) if self.game else loaded.command
        assert isinstance(made, click.Command)
        made.name = cmd_name
        return made

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name.replace("-", "_") not in self.modules:
            known = self.list_commands(ctx)
            near = nearest(name, known)
            kind = "verb" if self.game else "game or command"
            ctx.fail(f"No such {kind}: {name!r}."
                     + (f" Did you mean {near!r}?" if near else "")
                     + f" There are: {', '.join(known)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs" if self.game else "Games and commands"):
            formatter.write_dl([(typed(name), text)
                                for name, (_, text) in self.modules.items()])


def game_group(game: str) -> LazyGroup:
    """The verbs of one game: its own questions first."""
    own = {verb: (f"{game}_{verb}", text) for verb, text in QUESTIONS.get(game, {}).items()}
    common = {verb: (verb, text) for verb, text in VERBS.items()}
    return LazyGroup(
        own | common, game=game, name=typed(game), no_args_is_help=True,
        help=f"Questions about {typed(game)}.  Each verb has its own --help.",
    )


@click.group(
    cls=LazyGroup,
    modules={game: ("", f"Exact answers about {typed(game)}.") for game in GAMES}
    | {name: (name, text) for name, text in COMMANDS.items()},
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="oddsmith %(version)s")
def oddsmith() -> None:
    """Exact answers, simulated games and reports for board games.

    oddsmith GAME VERB [POSITION] [options]

    POSITION is a file, or - for standard input; questions about a board take it as inline notation
    too.  Answers go to standard output; --json gives them to programs.  Exit codes: 0 answer, 1 a
    fault of ours, 2 bad input, 3 refused as too large, 4 a check failed, 5 the budget ended first,
    130 interrupted.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with the codes listed in `oddsmith --help`."""
    if sys.stdout is None:
        click.echo("oddsmith: standard output is closed", err=True)
        sys.exit(BAD_INPUT)
    try:
        code = oddsmith.main(args, prog_name="oddsmith", standalone_mode=False)
        # Without standalone mode click returns the code of ctx.exit() or the command's result.
        sys.stdout.flush()
    except SystemExit as error:
        # Click itself exits where the reader of a pipe has gone (`| head`): no fault of anybody.
        code = 0 if type(sys.stdout) is click.utils.PacifyFlushWrapper else error.code
    except BrokenPipeError:
        code = 0
        _drop_output()
    except click.exceptions.Abort:
        code = INTERRUPTED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except OddsmithError as error:
        click.echo(f"oddsmith: {error}", err=True)
        code = error.exit_code
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        click.echo(f"oddsmith: the answer can't be written: {error.strerror or error}", err=True)
        code = BAD_INPUT
        _drop_output()
    except Exception as error:
        if os.environ.get("ODDSMITH_DEBUG"):
            raise
        click.echo(f"oddsmith: internal error: {type(error).__name__}: {error}\n"
                   "  this is a fault of ours; ODDSMITH_DEBUG=1 shows where", err=True)
        code = BUG
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """What is still to be written goes nowhere, so that leaving can't fail on it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
