from oddsmith.kernels.game import GameTable

class TeamPlan:
    def __init__(self, table: GameTable) -> None: ...
