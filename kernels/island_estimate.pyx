"""Forbidden Island: a static estimate of the team's chance, for the search to order moves by.

A logistic function of what a state shows.  The weights are a regression (ridge) on states of games
that `rules` plays, with some moves at random, over players, levels and the rescue by Lift; made by
benchmarks/fit_island.py (420,000 states; log loss of games held back 0.195, of one guess for all 0.265).
"""
from libc.math cimport exp
from libc.stdint cimport uint32_t
from libc.string cimport memset

from oddsmith.kernels.game cimport GameTable
from oddsmith.kernels.island cimport (
    ACTIONS, FINISHED, LANDING, LIFT, MESSENGER, RISE, ROLES, SANDBAGS, SPACES, TREASURES, WON,
    IslandRules, State, bit, cards_of, n_cards, popcount,
)
from oddsmith.kernels.island_policies cimport View, distance, look, place_of

cdef enum:                   # what the estimate looks at
    ONE
    CAPTURED                 # treasures
    ALL_CAPTURED
    MARK                     # share of the way to the skull
    MARK_SQUARED
    MARK_OPEN                # the same for each uncaptured treasure
    LANDING_SINKS            # chance in this turn
    LANDING_FLOODED
    READY                    # treasures whose cards are in one hand
    READY_STEPS              # move actions to their tiles
    READY_NOW                # that the seat to move can capture in this turn
    THREE_CARDS              # treasures with so many in one hand at most
    TWO_CARDS
    TOGETHER                 # treasures whose cards are in several hands
    TOGETHER_STEPS           # move actions of the nearest two that hold some
    COMING                   # share of the missing cards that the treasure pile still has
    PAIR_FLOODED             # treasures with both tiles flooded
    PAIR_SINKS               # chance that both sink in this turn
    ONE_SINKS                # chance that one of two tiles sinks in this turn
    LAST_TILE                # treasures with one tile, dry
    LAST_FLOODED             # treasures with one tile, flooded
    LAST_SINKS
    SINKING                  # tiles expected to sink in this turn
    CRITICAL_SINKS           # the game or a pawn lost by them
    SUNK                     # share of the tiles
    FLOODED                  # share of the tiles
    CORNERED                 # pawns with no dry tile to go to
    ANY_LIFT                 # a Helicopter Lift in a hand
    TWO_LIFTS
    SANDBAGS_HELD
    HOME_STEPS               # with all treasures captured: move actions home, of all seats
    HOME_LIFT                # with all treasures captured: a Helicopter Lift in a hand
    AT_HOME                  # the win can be claimed
    ACTIONS_LEFT
    PILE_LEFT                # treasure cards to draw until the next reshuffle
    RISES                    # share of Waters Rise! among them
    FIRST_ROLE
    THREE_SEATS = FIRST_ROLE + ROLES
    FOUR_SEATS
    TERMS

cdef enum:
    FAR = 6                  # move actions beyond which distance makes no difference

cdef double[TERMS] WEIGHTS = [
    -2.16, 2.15, 1.62, 0.105, -2.54, -1.28, -0.17, -0.12, 2.41, -0.19,
    0.177, 0.517, 0.0475, 1.01, -0.102, 0.766, -0.071, -0.294, -0.441, -0.146,
    -0.256, -0.167, 0.0437, -0.971, -4.98, -3.16, 0.0241, 0.0383, 0.224, 0.145,
    -0.366, 1.24, 1.79, 0.122, -0.0238, -2.84, -0.286, -1.02, -0.583, -0.91,
    -1.02, -0.247, 0.223, 0.0168,
]


cdef inline int steps(const IslandRules* g, const State* s, int seat, uint32_t to) noexcept nogil:
    cdef uint32_t step
    return min(<int>FAR, distance(g, s, seat, to, &step))


cdef void look_at_cards(const IslandRules* g, const State* s, int treasure,
                        double* term) noexcept nogil:
    """How far the cards of an uncaptured treasure are together."""
    cdef int seat, n, most = 0, total = 0, owner = 0, near = FAR, need = g.cards_to_capture
    for seat in range(g.players):
        n = cards_of(s.hand[seat], treasure)
        total += n
        if n > most:
            most, owner = n, seat
    if most >= need:
        n = steps(g, s, owner, s.tiles_of[treasure])
        term[READY] += 1
        term[READY_STEPS] += n
        term[READY_NOW] += s.phase == ACTIONS and owner == s.to_move and n < s.actions
        return
    term[THREE_CARDS] += most == 3
    term[TWO_CARDS] += most == 2
    if total < need:
        term[COMING] += <double>min(cards_of(s.deck, treasure), need - total) / (need - total)
        return
    for seat in range(g.players):
        if seat != owner and cards_of(s.hand[seat], treasure):
            near = min(near, 0 if s.role[seat] == MESSENGER
                       else steps(g, s, seat, bit(s.pawn[owner])))
    term[TOGETHER] += 1
    term[TOGETHER_STEPS] += near


cdef void look_at_tiles(const State* s, const View* v, int treasure, double* term) noexcept nogil:
    """What threatens the tiles of an uncaptured treasure."""
    cdef uint32_t left = s.tiles_of[treasure] & s.in_play, wet = left & s.flooded
    cdef double first = 0.0, second = 0.0
    if wet:
        first = v.sinks[place_of(s, v, wet & -wet)]
    if left & (left - 1) == 0:
        term[LAST_FLOODED if wet else LAST_TILE] += 1
        term[LAST_SINKS] += first
        return
    if wet & (wet - 1):
        second = v.sinks[place_of(s, v, wet & (wet - 1))]
        term[PAIR_FLOODED] += 1
        term[PAIR_SINKS] += first * second
    term[ONE_SINKS] += first + second


cdef void look_home(const IslandRules* g, const State* s, const View* v,
                    double* term) noexcept nogil:
    """What is left when all treasures are captured."""
    cdef int seat
    term[ALL_CAPTURED] = 1
    term[HOME_LIFT] = v.team_lifts > 0
    for seat in range(g.players):
        term[HOME_STEPS] += steps(g, s, seat, s.tiles_of[LANDING])
    term[AT_HOME] = term[HOME_STEPS] == 0 and v.team_lifts > 0


cdef void look_around(const IslandRules* g, const State* s, const View* v,
                      double* term) noexcept nogil:
    cdef uint32_t left = s.flooded, tile
    cdef double sinks
    cdef int seat
    while left:
        tile = left & -left
        left &= left - 1
        sinks = v.sinks[place_of(s, v, tile)]
        term[SINKING] += sinks
        if tile & v.critical:
            term[CRITICAL_SINKS] += sinks
    tile = s.tiles_of[LANDING] & s.flooded
    if tile:
        term[LANDING_FLOODED] = 1
        term[LANDING_SINKS] = v.sinks[place_of(s, v, tile)]
    term[SUNK] = 1 - popcount(s.in_play) / <double>SPACES
    term[FLOODED] = popcount(s.flooded) / <double>SPACES
    term[CORNERED] = popcount(v.cornered)
    for seat in range(g.players):
        term[SANDBAGS_HELD] += cards_of(s.hand[seat], SANDBAGS)
        term[FIRST_ROLE + s.role[seat]] = 1


cdef void look_at_state(const IslandRules* g, const State* s, double* term) noexcept nogil:
    cdef View v
    cdef int treasure, n = popcount(s.captured)
    memset(term, 0, TERMS * sizeof(double))
    look(g, s, &v)
    term[ONE] = 1
    term[CAPTURED] = n
    term[MARK] = <double>s.mark / g.n_marks
    term[MARK_SQUARED] = term[MARK] * term[MARK]
    term[MARK_OPEN] = term[MARK] * (TREASURES - n)
    for treasure in range(TREASURES):
        if not s.captured >> treasure & 1:
            look_at_cards(g, s, treasure, term)
            look_at_tiles(s, &v, treasure, term)
    if v.home:
        look_home(g, s, &v, term)
    look_around(g, s, &v, term)
    term[ANY_LIFT], term[TWO_LIFTS] = v.team_lifts > 0, v.team_lifts > 1
    if s.phase == ACTIONS:
        term[ACTIONS_LEFT] = s.actions
    n = n_cards(s.deck)
    term[PILE_LEFT] = n
    term[RISES] = <double>cards_of(s.deck, RISE) / max(1, n)
    term[THREE_SEATS], term[FOUR_SEATS] = g.players == 3, g.players == 4


cdef double estimate(const void* rules, const void* state, int player) noexcept nogil:
    cdef double term[TERMS]
    cdef double total = 0.0
    cdef int k
    if (<const State*>state).phase == FINISHED:
        return (<const State*>state).ending == WON
    if (<const State*>state).phase < ACTIONS:
        return 0.5               # not all is dealt
    look_at_state(<const IslandRules*>rules, <const State*>state, term)
    for k in range(TERMS):
        total += WEIGHTS[k] * term[k]
    return 1.0 / (1.0 + exp(-total))


def terms(GameTable table, bytes state):
    """What the estimate looks at in a state of Forbidden Island, for the regression.

    Args:
        table: the game, with all roles dealt in the state.
        state: a state that is not over.

    Returns:
        A list of floats, one for each weight.
    """
    cdef double term[TERMS]
    table._check_state(state)
    look_at_state(<const IslandRules*>table.rules, <const State*><const char*>state, term)
    return [term[k] for k in range(TERMS)]


def use_estimate(GameTable table):
    """Put the estimate into a table of Forbidden Island."""
    table.game.evaluate = estimate
