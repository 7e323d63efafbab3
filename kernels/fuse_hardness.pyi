from collections.abc import Iterator, Sequence

from oddsmith.kernels.fuse_bombs import Deck

Rows = Sequence[Sequence[tuple[int, ...]]]

def merged(
    deck: Deck, bomb: int
) -> tuple[list[int], list[tuple[tuple[int, ...], ...]], list[int]]: ...
def renamings() -> Iterator[list[int]]: ...
def renamed(rows: Rows, dice: Sequence[int], faces: Sequence[int]) -> list[int] | None: ...
