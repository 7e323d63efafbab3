"""`oddsmith GAME move`: the next position, so that a real game can be followed."""

from __future__ import annotations

import secrets

import click

from oddsmith.kernels.rng import Generator
from oddsmith.solver.cli.common import (
    Whole,
    change_rules,
    game_module,
    in_words_of,
    rules_options,
)


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.argument("position")
    @click.argument("moves", nargs=-1, required=True)
    @click.option("--seed", type=Whole(0, 2**64 - 1),
                  help="For outcomes left to chance; drawn and shown in the file if left out.")
    @rules_options
    def move(position: str, moves: tuple[str, ...], seed: int | None, players: str | None,
             variant: str | None, settings: tuple[str, ...]) -> None:
        """Make moves and outcomes, and write the position after them to standard output.

        Each is one argument, as `moves` lists them; the first word of an outcome alone draws one.

        oddsmith GAME move game.toml MOVES > next.toml
        """
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        chosen = secrets.randbelow(2**32) if seed is None else seed
        after = module.move_position(loaded, moves, Generator(chosen))
        if any(len(text.split()) == 1 and text.split()[0] in module.DRAWN for text in moves):
            click.echo(f"# drawn with --seed {chosen}")
        click.echo(module.format_position(after), nl=False)

    return in_words_of(game, move)
