"""Forbidden Island: the rules in force, compiled from a layout and options."""
from libc.stdint cimport uint32_t
from libc.string cimport memset


cdef class Rules:
    """The compiled rules.

    Args:
        spaces: the 24 (column, row) of a layout's spaces, row by row.
        meter: flood cards at each mark of the water meter, without the skull; 1..15 of 1..24.
        team: a role 0..5 for each seat, or 255 where it is dealt.
        options: the other fields of IslandRules in island.pxd, by name.

    Raises:
        ValueError: not 24 spaces, or a meter of another length.
    """

    def __init__(self, spaces, meter, team, dict options):
        cdef int a, b, k, byte, dx, dy
        if len(spaces) != SPACES or len(set(spaces)) != SPACES:
            raise ValueError("a layout has 24 spaces")
        if not 1 <= len(meter) < MAX_METER:
            raise ValueError("a meter has 1 to 15 marks before the skull")
        memset(&self.rules, 0, sizeof(IslandRules))
        for a in range(SPACES):
            for b in range(SPACES):
                dx, dy = abs(spaces[a][0] - spaces[b][0]), abs(spaces[a][1] - spaces[b][1])
                self.rules.steps[a][b] = dx + dy
                if dx + dy == 1:
                    self.rules.orthogonal[a] |= bit(b)
                if max(dx, dy) == 1:
                    self.rules.around[a] |= bit(b)
        for k in range(3):
            for byte in range(256):
                for b in range(8):
                    if byte >> b & 1:
                        self.rules.spread[k][byte] |= self.rules.orthogonal[8 * k + b]
                        self.rules.spread_around[k][byte] |= self.rules.around[8 * k + b]
        for k in range(len(meter)):
            self.rules.meter[k] = meter[k]
        self.rules.n_marks = len(meter)
        for k in range(SEATS):
            self.rules.team[k] = team[k] if k < len(team) else NO_ROLE
        self.rules.start_mark = options["start_mark"]
        self.rules.players = options["players"]
        self.rules.hand_limit = options["hand_limit"]
        self.rules.actions = options["actions"]
        self.rules.cards_per_treasure = options["cards_per_treasure"]
        self.rules.cards_to_capture = options["cards_to_capture"]
        self.rules.initial_flood = options["initial_flood"]
        self.rules.waters_rise = options["waters_rise"]
        self.rules.helicopters = options["helicopters"]
        self.rules.sandbags = options["sandbags"]
        self.rules.flights = options["flights"]
        self.rules.lift_rescue = options["lift_rescue"]
        self.rules.lift_anywhere = options["lift_anywhere"]
        self.rules.rise_whole_pile = options["rise_whole_pile"]
        self.rules.navigator_power = options["navigator_power"]
        self.rules.navigator_split = options["navigator_split"]
        self.rules.diver_swims_anywhere = options["diver_swims_anywhere"]
        self.rules.pilot_swim_free = options["pilot_swim_free"]
        self.rules.limit_between_draws = options["limit_between_draws"]
        self.rules.reshuffle_at_once = options["reshuffle_at_once"]
        self.rules.max_turns = options["max_turns"]
