"""Oddsmith's solver: games, analyses and the public Python interface.

Nothing heavy is imported here; `oddsmith.solver.games.reef` and its like load what they need.
"""

__version__ = "0.1.0"
