"""GAMES: the one list of games.  A game is imported when it is first asked for."""

from __future__ import annotations

GAMES = {
    "reef": "oddsmith.solver.games.reef",
    "island": "oddsmith.solver.games.island",
    "stone_age": "oddsmith.solver.games.stone_age",
    "fuse": "oddsmith.solver.games.fuse",
}
"""Name on the command line -> package; the names inside each package are the same."""
