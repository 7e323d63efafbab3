from oddsmith.kernels.island_flood import FloodPhase
from oddsmith.kernels.island_game import IslandTable

Held = tuple[int, tuple[int, ...], int, int, bool]
Asked = tuple[int, list[tuple[int, int, int]], int]

class Reachable:
    complete: bool
    won: bool
    def __init__(
        self,
        table: IslandTable,
        start: bytes,
        most: int,
        risky: int,
        shored: int,
        cards: bool = False,
    ) -> None: ...
    def __len__(self) -> int: ...
    def moves(self, number: int) -> tuple[int, ...]: ...
    def island(self, number: int) -> tuple[int, int, int, int]: ...
    def hands(self) -> list[Held]: ...
    def losses(
        self, phases: list[FloodPhase | None], asked: dict[Held, Asked], flights_matter: bool
    ) -> dict[tuple[int | None, ...], list[int]]: ...
