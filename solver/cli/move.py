"""`oddsmith GAME move`: the next position, so that a real game can be followed."""

from __future__ import annotations

import click

from oddsmith.kernels.rng import Generator
from oddsmith.solver.cli.common import Whole, change_rules, game_module, rules_options


def command(game: str) -> click.Command:
    """The verb for one game."""

    @click.command()
    @click.argument("position")
    @click.argument("moves", nargs=-1, required=True)
    @click.option("--seed", type=Whole(0, 2**64 - 1), default=0, show_default=True,
                  help="For outcomes that are left to chance.")
    @rules_options
    def move(position: str, moves: tuple[str, ...], seed: int, players: str | None,
             variant: str | None, settings: tuple[str, ...]) -> None:
        """Make moves and outcomes, and write the position after them to standard output.

        Each is one argument.  Reef: "take 17" "top 33" (the new top card of the deck; "top" alone
        draws one), "draw" or "draw 13" (the card that is paid), "play 6 r@a1 r@b2", "pass".

        oddsmith reef move game.toml "take 13" "top 33" "play 24 p@a1 p@a2" > next.toml
        """
        module = game_module(game)
        loaded = module.load(position, change_rules(game, players, variant, settings))
        after = module.move_position(loaded, moves, Generator(seed))
        click.echo(module.format_position(after), nl=False)

    return move
