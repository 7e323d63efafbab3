from oddsmith.kernels.island_game import IslandTable

Key = tuple[int, int, int, int, int, int]

def reachable(
    table: IslandTable, start: bytes, most: int
) -> dict[Key, tuple[int, ...]] | None: ...

class FloodPhase:
    denominator: int
    def __init__(
        self, table: IslandTable, state: bytes, pile: list[int], discard: int, n_cards: int
    ) -> None: ...
    def least_loss(
        self, flooded: int, pawns: int, captured: int, lifts: int, sandbags: int
    ) -> int: ...
