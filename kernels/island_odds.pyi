from collections.abc import Sequence

from oddsmith.kernels.island import Rules

Place = tuple[int, int, int, int]
Treasure = tuple[int, int, int, int, tuple[int, ...]]
Start = tuple[Treasure, int, Place, Sequence[Place], int]

PRIMES: tuple[int, ...]
SMALL_PRIMES: tuple[int, ...]

class PassiveIsland:
    def __init__(
        self,
        compiled: Rules,
        seat: int,
        draws: int,
        floods: int | None,
        turns: int,
        starts: Sequence[Start],
    ) -> None: ...
    def run(self, starts: Sequence[Start], n_tagged: int) -> list[tuple[int, int, int, int]]: ...
