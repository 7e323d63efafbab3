from oddsmith.kernels.island_game import IslandTable

Cards = tuple[tuple[int, ...], int, int, bool]
Key = tuple[int, int, int, int, int, int, Cards | None]

def reachable(
    table: IslandTable, start: bytes, most: int, cards: bool = False
) -> tuple[dict[Key, tuple[int, ...]], bool] | None: ...
