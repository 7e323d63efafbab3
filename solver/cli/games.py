"""`oddsmith games`: what can be asked about which game."""

from __future__ import annotations

import click

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.cli import QUESTIONS, VERBS
from oddsmith.solver.cli.common import command_line, emit, game_module, output_options
from oddsmith.solver.games import GAMES


@click.command()
@output_options
def command(fmt: str) -> None:
    """The games and the questions of each."""
    value, rows = [], []
    for game in GAMES:
        title = (game_module(game).__doc__ or "").partition(":")[0]
        verbs = QUESTIONS.get(game, {}) | VERBS
        names = {verb.replace("_", "-"): text for verb, text in verbs.items()}
        value.append({"game": game, "title": title, "verbs": list(names)})
        rows += [(game, verb, text) for verb, text in names.items()]
    emit(
        Answer(
            game="", question="games", title="Games", answer=value, exact=True,
            method="the list of games", command=command_line(),
            blocks=(Table(("game", "verb", "what it answers"), tuple(rows)),),
        ),
        fmt,
    )
