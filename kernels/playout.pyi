from typing import Any

from oddsmith.kernels.game import GameTable

def play_games(
    table: GameTable,
    start: bytes,
    policies: tuple[str, ...],
    seed: int,
    first: int,
    out: Any,
    viewer: int = -2,
) -> int: ...
