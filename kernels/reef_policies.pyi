from oddsmith.kernels.game import GameTable
from oddsmith.kernels.reef import Rules

class Greedy:
    def __init__(self, table: GameTable, scoring: Rules) -> None: ...
