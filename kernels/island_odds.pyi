from collections.abc import Sequence
from fractions import Fraction

Place = tuple[int, int, int, int]
Start = tuple[Place, Sequence[Place], int]
Draw = tuple[Fraction, bool, int]
Floods = tuple[int, int, int, bool]
Law = Sequence[tuple[Sequence[Sequence[Draw]], Sequence[Floods]]]

PRIMES: tuple[int, ...]
SMALL_PRIMES: tuple[int, ...]

class PassiveIsland:
    def __init__(self, law: Law, whole_pile: bool, starts: Sequence[Start]) -> None: ...
    def run(self, starts: Sequence[Start], n_tagged: int) -> list[tuple[int, int, int]]: ...
