from collections.abc import Sequence

class Rules:
    def __init__(
        self,
        spaces: Sequence[tuple[int, int]],
        meter: Sequence[int],
        team: Sequence[int],
        options: dict[str, int | bool],
    ) -> None: ...
