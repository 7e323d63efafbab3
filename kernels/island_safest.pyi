from oddsmith.kernels.island_game import IslandTable

Key = tuple[int, int, int, int, int, int]

def reachable(
    table: IslandTable, start: bytes, most: int
) -> tuple[dict[Key, tuple[int, ...]], bool] | None: ...
