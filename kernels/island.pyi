from collections.abc import Sequence
from typing import Any

def state_fields() -> list[tuple[str, Any, int]]: ...

class Rules:
    def __init__(
        self,
        spaces: Sequence[tuple[int, int]],
        meter: Sequence[int],
        team: Sequence[int],
        options: dict[str, int | bool],
    ) -> None: ...
    def out_of_reach(self, role: int, n_flooded: int) -> tuple[int, int]: ...
