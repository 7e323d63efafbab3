"""Forbidden Island: rules and state as plain numbers, and what every kernel of the game inlines.

The spaces of a layout are numbered 0..23 row by row; a set of spaces is a mask of 24 bits.  Sea is no
space.  The tile on a space, once sunk, leaves it `missing`.  Cards are counted by kind, one byte a kind
in a 64-bit word.  The flood pile is a list of sets, the top one last: inside a set every order is
equally likely, so no order is stored.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from oddsmith.kernels.bits cimport lowest, popcount, select32
from oddsmith.kernels.game cimport move_t

cdef enum:
    SPACES = 24
    SEATS = 4
    TREASURES = 4
    ROLES = 6
    KINDS = 7                # of treasure cards
    LIFT = 4
    SANDBAGS = 5
    RISE = 6
    MAX_METER = 16           # marks of a water meter, the skull's included
    MAX_BLOCKS = 17          # each Waters Rise! adds one at most
    NO_ROLE = 255
    ANY_NUMBER = 255
    LANDING = 4              # in `tiles_of`: Fools' Landing, after the four treasures

cdef enum:                   # roles, in the order of the data file
    DIVER
    ENGINEER
    EXPLORER
    MESSENGER
    NAVIGATOR
    PILOT

cdef enum:                   # phases
    DEAL_TILES
    DEAL_FLOOD
    DEAL_ROLES
    DEAL_HANDS
    ACTIONS
    DISCARD                  # somebody holds more cards than the hand limit
    BETWEEN_DRAWS
    BEFORE_FLOOD
    SWIM
    LAST_WINDOW              # after turn `max_turns`
    DRAW
    FLOOD
    FINISHED
    TO_DRAW                  # never left standing: the next treasure card, if there is one
    NEXT_TURN                # never left standing

cdef enum:                   # endings
    NOT_YET
    WON
    TREASURE_LOST
    LANDING_LOST
    DROWNED
    WATER
    TURNS_UP

cdef enum:                   # kinds of moves and outcomes; the lowest byte of a code
    PASS                     # end the actions, or go on
    WALK                     # space
    FLY                      # space
    SHORE                    # space, second space or NOBODY
    GIVE                     # receiver, kind of card
    CAPTURE                  # treasure
    NAVIGATE                 # seat, space, second seat or NOBODY, its space
    PLAY_LIFT                # holder, mask of seats, space
    WIN                      # holder
    PLAY_SANDBAGS            # holder, space
    DROP                     # seat, kind of card
    SWIM_TO                  # seat, space
    TILE                     # tile for the next space
    ROLE                     # role for the next seat
    CARD                     # kind of treasure card
    FLOOD_CARD               # space

cdef enum:
    NOBODY = 255

cdef struct IslandRules:
    uint32_t orthogonal[SPACES]      # the up to 4 spaces beside each
    uint32_t around[SPACES]          # the up to 8 spaces around each
    uint32_t spread[3][256]          # `orthogonal` of every set of spaces, by its bytes
    uint32_t spread_around[3][256]   # the same for `around`
    uint8_t steps[SPACES][SPACES]    # orthogonal grid steps between two spaces, over sea too
    uint8_t meter[MAX_METER]         # flood cards at each mark
    uint8_t n_marks                  # reaching mark `n_marks` is the skull
    uint8_t start_mark
    uint8_t players
    uint8_t team[SEATS]              # roles, NO_ROLE where dealt
    uint8_t hand_limit
    uint8_t actions
    uint8_t cards_per_treasure
    uint8_t cards_to_capture
    uint8_t initial_flood
    uint8_t waters_rise
    uint8_t helicopters
    uint8_t sandbags
    uint8_t flights                  # a turn; ANY_NUMBER
    uint8_t lift_rescue
    uint8_t lift_anywhere
    uint8_t rise_whole_pile
    uint8_t navigator_power          # the moved player's own way of stepping
    uint8_t navigator_split
    uint8_t diver_swims_anywhere
    uint8_t pilot_swim_free
    uint8_t limit_between_draws
    uint8_t reshuffle_at_once
    uint16_t max_turns

cdef struct State:
    uint32_t in_play                 # spaces whose tile has not sunk
    uint32_t flooded                 # of those
    uint32_t discard                 # flood discard, as spaces
    uint32_t undealt                 # set-up: tiles, then roles, that are not dealt yet
    uint32_t pile[MAX_BLOCKS]        # flood pile, the top block last
    uint32_t tiles_of[TREASURES + 1] # spaces of each treasure's two tiles, and of Fools' Landing
    uint64_t hand[SEATS]             # cards by kind
    uint64_t deck                    # treasure pile by kind: one block
    uint64_t used                    # treasure discard by kind
    uint8_t place[SPACES]            # tile -> space
    uint8_t role[SEATS]
    uint8_t pawn[SEATS]              # its space
    uint8_t n_blocks
    uint8_t mark                     # of the water meter
    uint8_t captured                 # treasures, one bit each
    uint8_t to_move
    uint8_t phase
    uint8_t actions                  # left this turn
    uint8_t flights                  # flown this turn; 0 if unlimited
    uint8_t draws                    # treasure cards left to draw this turn
    uint8_t floods                   # flood cards left to draw this turn
    uint8_t swimmers                 # seats on the tile that has just sunk
    uint8_t then                     # the phase after DISCARD
    uint8_t ending                   # why the game is over
    uint8_t dealt                    # of this phase of the set-up, so far
    uint16_t turn                    # 1, 2, ...


cdef inline int cards_of(uint64_t counts, int kind) noexcept nogil:
    return (counts >> (8 * kind)) & 0xFF


cdef inline uint64_t one_card(int kind) noexcept nogil:
    return <uint64_t>1 << (8 * kind)


cdef inline int n_cards(uint64_t counts) noexcept nogil:
    """All cards of a count; there are fewer than 256."""
    return (counts * <uint64_t>0x0101010101010101) >> 56


cdef inline bint specials(const IslandRules* g, const State* s) noexcept nogil:
    """Whether anybody holds a Helicopter Lift or Sandbags."""
    return ((s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]) & <uint64_t>0xFFFF00000000) != 0


cdef inline move_t code(int kind, int a=0, int b=0, int c=0, int d=0) noexcept nogil:
    return (kind | (<move_t>a << 8) | (<move_t>b << 16) | (<move_t>c << 24)
            | (<move_t>d << 32))


cdef inline uint32_t bit(int space) noexcept nogil:
    return <uint32_t>1 << space


cdef inline uint32_t beside(const IslandRules* g, uint32_t spaces) noexcept nogil:
    """The spaces orthogonally adjacent to any of a set."""
    return (g.spread[0][spaces & 0xFF] | g.spread[1][spaces >> 8 & 0xFF]
            | g.spread[2][spaces >> 16])


cdef inline uint32_t around(const IslandRules* g, uint32_t spaces) noexcept nogil:
    """The spaces orthogonally or diagonally adjacent to any of a set."""
    return (g.spread_around[0][spaces & 0xFF] | g.spread_around[1][spaces >> 8 & 0xFF]
            | g.spread_around[2][spaces >> 16])


cdef inline uint32_t next_to(const IslandRules* g, int role, int space) noexcept nogil:
    """The spaces next to one for a role: the Explorer's are diagonal too."""
    return g.around[space] if role == EXPLORER else g.orthogonal[space]


cdef inline uint32_t dive(const IslandRules* g, uint32_t in_play, uint32_t flooded,
                          uint32_t start) noexcept nogil:
    """Where the Diver gets to from a set by any number of adjacent flooded or missing spaces."""
    cdef uint32_t wet = flooded | ~in_play, found = start, edge = beside(g, start), more
    while True:
        more = edge & wet & ~found
        if more == 0:
            return edge & in_play & ~start
        found |= more
        edge |= beside(g, more)


cdef inline uint32_t walks(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """Where a seat can get to by its own move action; the Pilot's flight not counted."""
    cdef int role = s.role[seat], at = s.pawn[seat]
    if role == DIVER:
        return dive(g, s.in_play, s.flooded, bit(at))
    return next_to(g, role, at) & s.in_play & ~bit(at)


cdef inline uint32_t shores(const IslandRules* g, const State* s, int seat) noexcept nogil:
    """The flooded tiles that a seat can shore up."""
    return (next_to(g, s.role[seat], s.pawn[seat]) | bit(s.pawn[seat])) & s.flooded


cdef class Rules:
    cdef IslandRules rules
