"""`oddsmith GAME new`: deal a game."""

from __future__ import annotations

import secrets
import shlex

import click

from oddsmith.solver import variants
from oddsmith.solver.cli.common import (
    Whole,
    change_rules,
    game_module,
    in_words_of,
    rules_options,
    short_options,
)
from oddsmith.solver.errors import typed


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.option("--seed", type=Whole(0, 2**64 - 1),
                  help="Same seed, same game; drawn and shown in the file if left out.")
    @click.option("--blank", is_flag=True, help="A commented template to fill in instead.")
    @rules_options
    @short_options(game)
    def new(seed: int | None, blank: bool, players: str | None, variant: str | None,
            settings: tuple[str, ...]) -> None:
        """Deal a game and write its position file to standard output.

        oddsmith GAME new --players 2 --seed 7 > game.toml
        """
        module = game_module(game)
        if blank:
            if seed is not None or players or variant or settings:
                raise click.UsageError("--blank writes a template and takes no other option.")
            click.echo(module.BLANK, nl=False)
            return
        if seed is None:
            seed = secrets.randbelow(2**32)
        rules = change_rules(game, players, variant, settings)(module.Rules())
        position = module.new(rules, seed)
        changed = variants.overrides(rules, module.Rules())
        options = "".join(f" --set {shlex.quote(variants.format_setting(name, value))}"
                          for name, value in changed.items())
        click.echo(f"# oddsmith {typed(game)} new{options} --seed {seed}")
        click.echo(module.format_position(position), nl=False)

    return in_words_of(game, new)
