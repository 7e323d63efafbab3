from collections.abc import Sequence

import numpy as np

from oddsmith.kernels.fuse_game import FuseTable

def progress(table: FuseTable, state: bytes) -> tuple[float, int]: ...
def unplaced(table: FuseTable, state: bytes) -> list[float]: ...
def playouts(
    table: FuseTable, state: bytes, moves: Sequence[int], seed: int, first: int, won: np.ndarray,
) -> None: ...
def pick_playouts(
    table: FuseTable, state: bytes, seat: int, take: int, seed: int, first: int, won: np.ndarray,
) -> None: ...
