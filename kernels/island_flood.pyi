from oddsmith.kernels.island_game import IslandTable

class FloodPhase:
    denominator: int
    def __init__(
        self, table: IslandTable, state: bytes, pile: list[int], discard: int, n_cards: int
    ) -> None: ...
    def least_loss(
        self, flooded: int, pawns: int, captured: int, flown: int, lifts: int, sandbags: int
    ) -> int: ...
    def useful(self, flooded: int, pawns: int, captured: int, flown: int) -> int: ...
