"""Forbidden Island: what the team can do now, counted by kind, and the k-th of it."""
from libc.stdint cimport uint32_t, uint64_t

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.island cimport (
    ACTIONS, ANY_NUMBER, CAPTURE, DISCARD, DIVER, DROP, ENGINEER, EXPLORER, FLY, GIVE,
    LANDING, LIFT, MESSENGER, NAVIGATE, NAVIGATOR, NOBODY, PASS, PILOT, PLAY_LIFT, PLAY_SANDBAGS,
    SANDBAGS, SEATS, SHORE, SPACES, SWIM, SWIM_TO, TREASURES, WALK, WIN, IslandRules, State,
    around, beside, bit, cards_of, code, dive, lowest, next_to, popcount, select32, shores, specials,
    walks,
)

cdef enum:
    ALL_TREASURES = 0xF


# Where pawns can go -----------------------------------------------------------------------------

cdef uint32_t swims(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """Where a pawn on a sunk tile can swim to."""
    cdef int role = s.role[seat], at = s.pawn[seat], space, least = 255
    cdef uint32_t left, found = 0
    if role == PILOT and (g.pilot_swim_free or s.flights < g.flights):
        return s.in_play
    if role != DIVER:
        return next_to(g, role, at) & s.in_play
    if g.diver_swims_anywhere:
        return dive(g, s.in_play, s.flooded, bit(at))
    left = s.in_play
    while left:
        space = lowest(left)
        left &= left - 1
        if g.steps[at][space] < least:
            least, found = g.steps[at][space], 0
        if g.steps[at][space] == least:
            found |= bit(space)
    return found


cdef inline int stepping_role(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """The role whose way of stepping a pawn keeps when the Navigator moves it."""
    return s.role[seat] if g.navigator_power else NAVIGATOR


cdef uint32_t navigations(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """Where the Navigator can send another pawn by 1 or 2 steps."""
    cdef int role = stepping_role(g, s, seat), at = s.pawn[seat]
    cdef uint32_t first = next_to(g, role, at), second
    if role != DIVER:                # his first step may end on a missing space
        first &= s.in_play
    second = around(g, first) if role == EXPLORER else beside(g, first)
    return (first | second) & s.in_play & ~bit(at)


cdef bint can_win(const IslandRules* g, const State* s) noexcept nogil:
    """All treasures captured and all pawns on Fools' Landing."""
    cdef int seat
    if s.captured != ALL_TREASURES:
        return False
    for seat in range(g.players):
        if bit(s.pawn[seat]) != s.tiles_of[LANDING]:
            return False
    return True



# Counting ---------------------------------------------------------------------------------------

cdef inline int treasures_held(uint64_t hand) noexcept nogil:
    """The kinds of treasure cards in a hand, as a mask."""
    # A byte that isn't 0 carries into its top bit; the product brings the four bits together.
    cdef uint32_t held = ((<uint32_t>hand + <uint32_t>0x7F7F7F7F) >> 7) & <uint32_t>0x01010101
    return (held * <uint32_t>0x01020408) >> 24 & 0xF


cdef inline int kinds_held(uint64_t hand) noexcept nogil:
    """The kinds of cards in a hand, as a mask."""
    return treasures_held(hand) | treasures_held(hand >> 32) << TREASURES


cdef inline uint32_t liftable(const IslandRules* g, const State* s) noexcept nogil:
    """Seats whose pawns a Helicopter Lift may take."""
    cdef uint32_t seats = (1 << g.players) - 1
    return seats if g.lift_rescue else seats & ~s.swimmers


cdef inline uint32_t together(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """The seats on the same space, the seat's own included."""
    cdef int other
    cdef uint32_t found = 0
    for other in range(g.players):
        found |= (s.pawn[other] == s.pawn[seat]) << other
    return found


cdef int count_lifts(const IslandRules* g, const State* s) noexcept nogil:
    """Ways to play one Helicopter Lift: some pawns, and a tile where none of them is."""
    cdef uint32_t seats = liftable(g, s), left = seats, group, tiles = 0
    cdef int n_tiles = popcount(s.in_play), n = 0, everybody = (1 << popcount(seats)) - 1
    cdef int seat, occupied = 0
    for seat in range(g.players):
        tiles |= bit(s.pawn[seat])
    if popcount(tiles) == g.players and not g.lift_anywhere and not s.swimmers:
        return g.players * (n_tiles - 1)     # the usual case: nobody shares a tile
    while left:
        group = together(g, s, lowest(left)) & seats
        left &= ~group
        if g.lift_anywhere:
            if s.in_play & bit(s.pawn[lowest(group)]):
                occupied += 1
                n += (1 << popcount(seats & ~group)) - 1
        else:
            n += (((1 << popcount(group)) - 1)
                  * (n_tiles - (s.in_play >> s.pawn[lowest(group)] & 1)))
    return n + (n_tiles - occupied) * everybody if g.lift_anywhere else n


cdef inline void look_at_actions(const IslandRules* g, const State* s, Menu* menu) noexcept nogil:
    cdef int seat = s.to_move, role = s.role[seat], other, n, treasure
    cdef uint32_t here = bit(s.pawn[seat])
    menu.walks = walks(g, s, seat)
    menu.n_walks = popcount(menu.walks)
    menu.shores = shores(g, s, seat)
    n = popcount(menu.shores)
    menu.n_shores = n
    if role == ENGINEER:
        menu.n_shores = n * (n + 1) // 2
    elif role == PILOT and (g.flights == ANY_NUMBER or s.flights < g.flights):
        menu.flights = s.in_play & ~here
        if g.flights == ANY_NUMBER:
            menu.flights &= ~menu.walks
        menu.n_flights = popcount(menu.flights)
    elif role == NAVIGATOR:
        for other in range(g.players):
            menu.moved[other] = 0
            if other != seat:
                menu.moved[other] = navigations(g, s, other)
                menu.n_navigations += popcount(menu.moved[other])
        if g.navigator_split:
            n = 0
            for other in range(g.players):
                menu.stepped[other] = 0
                if other != seat:
                    menu.stepped[other] = (next_to(g, stepping_role(g, s, other), s.pawn[other])
                                           & s.in_play)
                    menu.n_splits += n * popcount(menu.stepped[other])
                    n += popcount(menu.stepped[other])
    if s.hand[seat] & <uint64_t>0xFFFFFFFF:
        for other in range(g.players):
            if other != seat and (role == MESSENGER or s.pawn[other] == s.pawn[seat]):
                menu.gives[other] = treasures_held(s.hand[seat])
                menu.n_gives += popcount(menu.gives[other])
        for treasure in range(TREASURES):
            if (s.tiles_of[treasure] & here and not s.captured >> treasure & 1
                    and cards_of(s.hand[seat], treasure) >= g.cards_to_capture):
                menu.n_captures = 1


cdef inline void clear(Menu* menu) noexcept nogil:
    """Nothing can be done; `moved` and `stepped` are only read where they are counted."""
    cdef int seat
    menu.n_pass = menu.n_walks = menu.n_flights = menu.n_shores = menu.n_gives = 0
    menu.n_captures = menu.n_navigations = menu.n_splits = menu.n_swims = menu.n_drops = 0
    menu.n_lifts = menu.n_sandbags = 0
    for seat in range(SEATS):
        menu.gives[seat] = 0
    menu.lift_holders = menu.sandbags_holders = menu.winners = 0


cdef void look_up(const IslandRules* g, const State* s, Menu* menu) noexcept nogil:
    """Everything that can be done now."""
    cdef int seat, first = 0, last = g.players
    clear(menu)
    if s.phase == ACTIONS:
        menu.n_pass = 1
        if s.actions:
            look_at_actions(g, s, menu)
    elif s.phase == SWIM:
        menu.swims = swims(g, s, lowest(s.swimmers))
        menu.n_swims = popcount(menu.swims)
        menu.n_pass = menu.n_swims == 0      # a stranded pawn may be left to drown
    elif s.phase == DISCARD:
        first = decider(g, s)
        last = first + 1
        menu.drops = kinds_held(s.hand[first])
        menu.n_drops = popcount(menu.drops)
    else:
        menu.n_pass = 1
    menu.total = (menu.n_pass + menu.n_walks + menu.n_flights + menu.n_shores + menu.n_gives
                  + menu.n_captures + menu.n_navigations + menu.n_splits + menu.n_swims
                  + menu.n_drops)
    if not specials(g, s):
        return
    for seat in range(first, last):
        menu.lift_holders |= (cards_of(s.hand[seat], LIFT) != 0) << seat
        menu.sandbags_holders |= (cards_of(s.hand[seat], SANDBAGS) != 0) << seat
    if menu.sandbags_holders:
        menu.n_sandbags = popcount(s.flooded)
        menu.total += popcount(menu.sandbags_holders) * menu.n_sandbags
    if menu.lift_holders:
        menu.n_lifts = count_lifts(g, s)
        menu.total += popcount(menu.lift_holders) * menu.n_lifts
        if can_win(g, s):
            menu.winners = menu.lift_holders
            menu.total += popcount(menu.winners)


# Choosing ---------------------------------------------------------------------------------------

cdef inline uint32_t nth_subset(uint32_t seats, int k) noexcept nogil:
    """The k-th set of seats that isn't empty."""
    cdef uint32_t found = 0
    cdef int j = 0
    k += 1
    while seats:
        if k >> j & 1:
            found |= seats & -seats
        seats &= seats - 1
        j += 1
    return found


cdef move_t nth_lift(const IslandRules* g, const State* s, int holder, int k) noexcept nogil:
    cdef uint32_t seats = liftable(g, s), left = seats, group, targets
    cdef int space, n
    if g.lift_anywhere:
        for space in range(SPACES):
            if not s.in_play >> space & 1:
                continue
            group = seats
            for n in range(g.players):
                if s.pawn[n] == space:
                    group &= ~bit(n)
            n = (1 << popcount(group)) - 1
            if k < n:
                return code(PLAY_LIFT, holder, nth_subset(group, k), space)
            k -= n
        return 0
    while left:
        group = together(g, s, lowest(left)) & seats
        left &= ~group
        targets = s.in_play & ~bit(s.pawn[lowest(group)])
        n = popcount(targets)
        if k < n * ((1 << popcount(group)) - 1):
            return code(PLAY_LIFT, holder, nth_subset(group, k // n), select32(targets, k % n))
        k -= n * ((1 << popcount(group)) - 1)
    return 0


cdef move_t nth_shore(const State* s, const Menu* menu, int k) noexcept nogil:
    """Single tiles, then the Engineer's pairs."""
    cdef int n = popcount(menu.shores), first = 0
    if k < n:
        return code(SHORE, select32(menu.shores, k), NOBODY)
    k -= n
    while k >= n - 1 - first:
        k -= n - 1 - first
        first += 1
    return code(SHORE, select32(menu.shores, first), select32(menu.shores, first + 1 + k))


cdef move_t nth_split(const IslandRules* g, const Menu* menu, int k) noexcept nogil:
    cdef int one, two, n
    for one in range(g.players):
        for two in range(one + 1, g.players):
            n = popcount(menu.stepped[two])
            if k < popcount(menu.stepped[one]) * n:
                return code(NAVIGATE, one, select32(menu.stepped[one], k // n), two,
                            select32(menu.stepped[two], k % n))
            k -= popcount(menu.stepped[one]) * n
    return 0


cdef move_t nth_action(const IslandRules* g, const State* s, const Menu* menu,
                       int k) noexcept nogil:
    """The k-th of what stands behind walks, flights and shores."""
    cdef int seat
    if k < menu.n_gives:
        for seat in range(g.players):
            if k < popcount(menu.gives[seat]):
                return code(GIVE, seat, select32(menu.gives[seat], k))
            k -= popcount(menu.gives[seat])
    k -= menu.n_gives
    if k < menu.n_captures:
        for seat in range(TREASURES):
            if s.tiles_of[seat] >> s.pawn[s.to_move] & 1:
                return code(CAPTURE, seat)
    k -= menu.n_captures
    if k < menu.n_navigations:
        for seat in range(g.players):
            if k < popcount(menu.moved[seat]):
                return code(NAVIGATE, seat, select32(menu.moved[seat], k), NOBODY, NOBODY)
            k -= popcount(menu.moved[seat])
    return nth_split(g, menu, k - menu.n_navigations)


cdef move_t nth_special(const IslandRules* g, const State* s, const Menu* menu,
                        int k) noexcept nogil:
    cdef int n = menu.n_lifts
    if k < popcount(menu.winners):
        return code(WIN, select32(menu.winners, k))
    k -= popcount(menu.winners)
    if k < n * popcount(menu.lift_holders):
        return nth_lift(g, s, select32(menu.lift_holders, k // n), k % n)
    k -= n * popcount(menu.lift_holders)
    n = menu.n_sandbags
    return code(PLAY_SANDBAGS, select32(menu.sandbags_holders, k // n), select32(s.flooded, k % n))


cdef move_t choose(const IslandRules* g, const State* s, const Menu* menu, int k) noexcept nogil:
    """The k-th move of a menu, by kinds in the order of its fields."""
    if k < menu.n_pass:
        return code(PASS)
    k -= menu.n_pass
    if k < menu.n_walks:
        return code(WALK, select32(menu.walks, k))
    k -= menu.n_walks
    if k < menu.n_flights:
        return code(FLY, select32(menu.flights, k))
    k -= menu.n_flights
    if k < menu.n_shores:
        return nth_shore(s, menu, k)
    k -= menu.n_shores
    if k < menu.n_swims:
        return code(SWIM_TO, lowest(s.swimmers), select32(menu.swims, k))
    k -= menu.n_swims
    if k < menu.n_drops:
        return code(DROP, decider(g, s), select32(menu.drops, k))
    k -= menu.n_drops
    if k < menu.n_gives + menu.n_captures + menu.n_navigations + menu.n_splits:
        return nth_action(g, s, menu, k)
    k -= menu.n_gives + menu.n_captures + menu.n_navigations + menu.n_splits
    return nth_special(g, s, menu, k)
