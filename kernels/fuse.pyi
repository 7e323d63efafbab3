from collections.abc import Sequence
from typing import Any

from oddsmith.kernels.fuse_bombs import Deck

class Rules:
    deck: Deck

    def __init__(self, deck: Deck, pool: int, chosen: Sequence[int], lengths: dict[int, int],
                 options: dict[str, Any]) -> None: ...

def state_fields() -> list[tuple[str, Any, int]]: ...
