"""Forbidden Island: the rules in force, compiled from a layout and options."""
from libc.stdint cimport uint32_t, uint64_t
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

    def out_of_reach(self, int role, int n_flooded):
        """How often a role can't shore up a given flooded tile in its first turn.

        Args:
            role: 0..5, not the Pilot, who starts on that tile.
            n_flooded: flooded tiles after the set-up, the given one included.

        Returns:
            (bad, all): set-ups, counted as (the tile's space, the other flooded spaces, the role's
            start space); for roles whose moves don't depend on floods one choice of those stands for
            all.
        """
        cdef const IslandRules* g = &self.rules
        cdef uint32_t everything = 0xFFFFFF, flooded, near, subset, low
        cdef uint64_t bad = 0, total = 0
        cdef int tile, k
        for tile in range(SPACES):
            subset = (<uint32_t>1 << (n_flooded - 1)) - 1 if role == DIVER else 0
            while True:
                # Bits of the subset stand for the other 23 spaces.
                flooded = ((subset & (bit(tile) - 1)) | (subset & ~(bit(tile) - 1)) << 1) | bit(tile)
                near = next_to(g, role, tile) | bit(tile)
                for k in range(g.actions - 1):
                    near |= (dive(g, everything, flooded, near) if role == DIVER
                             else around(g, near) if role == EXPLORER else beside(g, near))
                bad += SPACES - popcount(near)
                total += SPACES - 1
                if subset == 0:
                    break
                low = subset & -subset       # the next set of as many bits (Gosper)
                flooded = subset + low
                subset = ((subset ^ flooded) >> 2) // low | flooded
                if subset >> (SPACES - 1):
                    break
        return bad, total


def state_fields():
    """The fields of State as (name, NumPy format, offset)."""
    cdef State s
    cdef char* start = <char*>&s
    return [
        ("in_play", "u4", <char*>&s.in_play - start),
        ("flooded", "u4", <char*>&s.flooded - start),
        ("discard", "u4", <char*>&s.discard - start),
        ("undealt", "u4", <char*>&s.undealt - start),
        ("pile", ("u4", (MAX_BLOCKS,)), <char*>&s.pile - start),
        ("tiles_of", ("u4", (TREASURES + 1,)), <char*>&s.tiles_of - start),
        ("hand", ("u8", (SEATS,)), <char*>&s.hand - start),
        ("deck", "u8", <char*>&s.deck - start),
        ("used", "u8", <char*>&s.used - start),
        ("place", ("u1", (SPACES,)), <char*>&s.place - start),
        ("role", ("u1", (SEATS,)), <char*>&s.role - start),
        ("pawn", ("u1", (SEATS,)), <char*>&s.pawn - start),
        ("n_blocks", "u1", <char*>&s.n_blocks - start),
        ("mark", "u1", <char*>&s.mark - start),
        ("captured", "u1", <char*>&s.captured - start),
        ("to_move", "u1", <char*>&s.to_move - start),
        ("phase", "u1", <char*>&s.phase - start),
        ("actions", "u1", <char*>&s.actions - start),
        ("flights", "u1", <char*>&s.flights - start),
        ("draws", "u1", <char*>&s.draws - start),
        ("floods", "u1", <char*>&s.floods - start),
        ("swimmers", "u1", <char*>&s.swimmers - start),
        ("then", "u1", <char*>&s.then - start),
        ("ending", "u1", <char*>&s.ending - start),
        ("dealt", "u1", <char*>&s.dealt - start),
        ("turn", "u2", <char*>&s.turn - start),
    ]
