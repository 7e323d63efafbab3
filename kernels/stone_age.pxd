"""Stone Age: rules and state of a whole game, and what its kernels share."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from oddsmith.kernels.bits cimport lowest, popcount
from oddsmith.kernels.game cimport Outcome, move_t
from oddsmith.kernels.rng cimport Stream

cdef enum:
    SEATS = 4
    KINDS = 4                # wood, brick, stone, gold
    NONE = 255               # no card, no tile
    N_CARDS = 36
    N_TILES = 28
    SLOTS = 4                # card places
    PAYMENTS = 1001          # multisets of at most 10 resources
    MOST_PAID = 10
    GIFTS = 8                # dice gifts that may be open at once (on_own_turn)
    MOST_PEOPLE = 10
    MOST_TRACK = 10
    MOST_TOOLS = 12
    CROWD = 7                # people on a resource place
    FEED_COST = 1

cdef enum:                   # places
    TOOL_MAKER
    HUT
    FIELD
    HUNT
    FOREST                   # then clay pit, quarry, river
    CARD = 8                 # the rightmost, priced 1, then 2, 3, 4
    TILE = 12
    PLACES = 16

cdef enum:                   # sets of places
    VILLAGE = 0x0007

cdef enum:                   # phases; CHANCE where no seat decides
    START_PLAYER             # chance
    TURN_TILE                # chance
    DEAL                     # chance
    PLACING
    HOW_MANY
    ACTING
    ROLLING                  # chance
    TOOLS
    PAYING
    EXTRA_CARD               # chance
    GIFT_ROLL                # chance
    GIFT
    RAISING
    CHOOSING                 # two resources
    FEEDING
    FINISHED

cdef enum:                   # kinds of moves; the lowest byte of a code
    NO_MOVE
    M_START                  # seat (an outcome)
    M_TILE                   # tile (an outcome)
    M_CARD                   # card (an outcome)
    M_PLACE                  # place
    M_PEOPLE                 # number
    M_USE                    # place
    M_REDEEM
    M_ROLL                   # sum (an outcome)
    M_TOOLS                  # low slots, high slots, set of one-use tools
    M_PAY                    # four nibbles: wood, brick, stone, gold
    M_DECLINE
    M_GIFT                   # six nibbles: how many dice show 1..6 (an outcome)
    M_DIE                    # value
    M_RAISE                  # 0 ready, 1 used
    M_TAKE                   # four nibbles
    M_FEED                   # four nibbles
    M_STARVE

cdef enum:                   # tops of cards
    TOP_FOOD
    TOP_RESOURCE
    TOP_POINTS
    TOP_TOOL
    TOP_FIELD
    TOP_ONE_USE
    TOP_EXTRA
    TOP_TWO
    TOP_ROLL
    TOP_GIFT

cdef enum:                   # figures
    FARMER
    TOOLMAKER
    BUILDER
    SHAMAN
    FIGURES

cdef enum:                   # Rules.starvation
    FLAT
    PER_MISSING
    FLAT_PLUS

cdef enum:                   # causes of the end
    NOT_OVER
    OUT_OF_CARDS
    OUT_OF_TILES
    OUT_OF_ROUNDS

cdef struct Card:
    uint8_t top
    uint8_t kind             # of resource
    uint8_t amount
    uint8_t symbol           # 0..7, or NONE
    uint8_t figure
    uint8_t count            # of figures

cdef struct Tile:
    uint64_t cost            # fixed: four lanes; 0 for none
    uint16_t first, last     # else the payments first..last-1
    uint16_t points          # fixed; 0: the value of what is paid
    uint8_t least, most      # resources paid

cdef struct Rules:
    uint64_t payments[PAYMENTS]          # all multisets by size, then by number of kinds
    uint16_t first_of_size[MOST_PAID + 2]
    Card cards[N_CARDS]
    Tile tiles[N_TILES]
    uint64_t supply          # four lanes at the start
    uint16_t max_rounds
    uint8_t players
    uint8_t limited          # resource_supply is not unlimited
    uint8_t starvation
    uint8_t hunt_again
    uint8_t at_once          # choose_two = at_once
    uint8_t own_turn         # dice_gift = on_own_turn
    uint8_t card_roll_tools  # tools_on_card_roll
    uint8_t village_limit    # in force with this number of players
    uint8_t visitors         # players that may share a resource place
    uint8_t forbid_max       # place_at_max = forbidden
    uint8_t one_use_score    # one_use_tools_score
    uint8_t upgraded_ready   # upgraded_tool_ready
    uint8_t food_ties        # tie_break = food
    uint8_t start_food
    uint8_t start_people
    uint8_t stack_size
    uint8_t half_pips        # of a fixed die: 6 or 7; 0: six-sided

cdef struct Seat:
    uint64_t goods           # four lanes of 16 bits, wood lowest
    uint64_t cards           # the extra card left out
    uint32_t tiles
    int32_t score
    uint16_t food
    uint16_t here            # places with people that have not acted
    uint8_t on[5]            # people on the hunt, the forest, ...
    uint8_t people
    uint8_t left             # people not placed yet
    uint8_t track
    uint8_t tools            # total value: levels are tools // 3, and one more in tools % 3 slots
    uint8_t used_low         # of the slots of the lower level
    uint8_t used_high
    uint8_t one_use          # tools of 2, 3, 4: one bit each
    uint8_t two              # holds the card of two resources
    uint8_t symbols          # green symbols, one bit each
    uint8_t doubles          # symbols held twice
    uint8_t figures[FIGURES]

cdef struct State:
    Seat seat[SEATS]
    uint64_t deck            # a set, as nobody knows the order
    uint64_t supply          # four lanes; not kept where it is unlimited
    uint32_t unseen          # tiles never turned up, in the stacks or out of the game
    uint32_t gifts[GIFTS]    # six nibbles of dice left, then a bit for each seat yet to pick
    uint16_t free            # places that may still be taken this round
    uint16_t rounds          # begun
    uint8_t slot[SLOTS]      # cards on display, the cheapest first
    uint8_t top[SEATS]       # the face-up tile of each stack
    uint8_t stack[SEATS]     # tiles left, the face-up one included
    uint8_t crowd[5]         # people on forest, ... by index of Seat.on
    uint8_t visitors[5]      # and players
    uint8_t extra            # the card that only its owner has seen
    uint8_t extra_seat
    uint8_t extra_open       # told to everybody, by a position file
    uint8_t start            # start player
    uint8_t actor            # whose actions these are
    uint8_t to_move
    uint8_t phase
    uint8_t place            # acted on now; of TURN_TILE the stack
    uint8_t kind             # of the resource rolled for; KINDS: food
    uint8_t dice             # to be rolled
    uint8_t sum              # rolled; in FEEDING the food missing
    uint8_t fed              # feeding goes on
    uint8_t cause


cdef extern from *:
    """
    #define LANE_SIGNS 0x8000800080008000ull
    """
    uint64_t LANE_SIGNS


cdef inline move_t code(int kind, int a, int b, int c) noexcept nogil:
    return kind | (<move_t>a << 8) | (<move_t>b << 16) | (<move_t>c << 24)


cdef inline move_t code_of(int kind, uint64_t lanes) noexcept nogil:
    """A move with four numbers up to 15, from lanes of 16 bits."""
    return kind | ((lanes & 0xF) << 8) | ((lanes >> 16 & 0xF) << 12) | (
        (lanes >> 32 & 0xF) << 16) | ((lanes >> 48 & 0xF) << 20)


cdef inline uint64_t lanes_of(move_t move) noexcept nogil:
    return (move >> 8 & 0xF) | ((move >> 12 & 0xF) << 16) | (
        (move >> 16 & 0xF) << 32) | ((move >> 20 & 0xF) << 48)


cdef inline int lane(uint64_t lanes, int kind) noexcept nogil:
    return <int>(lanes >> (16 * kind) & 0xFFFF)


cdef inline int total(uint64_t lanes) noexcept nogil:
    return <int>(lanes * <uint64_t>0x0001000100010001 >> 48)


cdef inline int value_of(uint64_t lanes) noexcept nogil:
    """3, 4, 5, 6 points for each wood, brick, stone, gold."""
    return 3 * lane(lanes, 0) + 4 * lane(lanes, 1) + 5 * lane(lanes, 2) + 6 * lane(lanes, 3)


cdef inline bint holds(uint64_t lanes, uint64_t payment) noexcept nogil:
    """Whether no lane of the payment exceeds what is held."""
    return ((lanes | LANE_SIGNS) - payment) & LANE_SIGNS == LANE_SIGNS


cdef inline int n_low(const Seat* p) noexcept nogil:
    """Tool slots of the lower level."""
    return 3 - p.tools % 3 if p.tools >= 3 else 0


cdef inline int n_high(const Seat* p) noexcept nogil:
    return p.tools % 3


cdef inline int one_use_value(int tools) noexcept nogil:
    """What a set of one-use tools adds."""
    return 2 * (tools & 1) + 3 * (tools >> 1 & 1) + 4 * (tools >> 2 & 1)


cdef inline uint16_t can_place(const Rules* g, const State* s, int seat) noexcept nogil:
    """The places that a seat may take now."""
    cdef const Seat* p = &s.seat[seat]
    cdef uint16_t places = s.free & ~p.here
    if p.left == 0:
        return 0
    if g.hunt_again:
        places |= 1 << HUNT
    if p.left < 2:
        places &= ~(1 << HUT)
    if g.forbid_max:
        if p.people == MOST_PEOPLE:
            places &= ~(1 << HUT)
        if p.track == MOST_TRACK:
            places &= ~(1 << FIELD)
        if p.tools == MOST_TOOLS:
            places &= ~(1 << TOOL_MAKER)
    return places


cdef struct Span:            # payments to choose among: those of first..last-1 that are held
    int first
    int last


cdef inline int count_held(const Rules* g, Span span, uint64_t held) noexcept nogil:
    cdef int k, n = 0
    for k in range(span.first, span.last):
        n += holds(held, g.payments[k])
    return n


cdef inline uint64_t nth_held(const Rules* g, Span span, uint64_t held, int n) noexcept nogil:
    cdef int k
    for k in range(span.first, span.last):
        if holds(held, g.payments[k]):
            if n == 0:
                return g.payments[k]
            n -= 1
    return 0


cdef inline uint64_t stock(const Rules* g, const State* s) noexcept nogil:
    """What a choice of two resources may be taken from."""
    return s.supply if g.limited else <uint64_t>0x0002000200020002


cdef inline int dice_left(uint32_t gift) noexcept nogil:
    """The values on the dice of a gift, as a set of bits 1..6."""
    cdef int value, found = 0
    for value in range(1, 7):
        if gift >> (4 * (value - 1)) & 0xF:
            found |= 1 << value
    return found


cdef inline int tool_choices(const Seat* p) noexcept nogil:
    return ((n_low(p) - p.used_low + 1) * (n_high(p) - p.used_high + 1)) << popcount(p.one_use)


cdef Span span_of(const Rules* g, const State* s) noexcept nogil
cdef Span feed_span(const Rules* g, const State* s) noexcept nogil
cdef Span choice_span(const Rules* g, const State* s) noexcept nogil
cdef int most_people(const State* s, int place) noexcept nogil
cdef int penalty(const Rules* g, int missing) noexcept nogil
cdef int turn(const void* rules, const void* state) noexcept nogil
cdef int n_moves(const void* rules, const void* state) noexcept nogil
cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil
cdef move_t random_policy(const void* rules, const void* state, Stream* draw) noexcept nogil
cdef int outcomes(const void* rules, const void* state, Outcome* out) noexcept nogil
cdef move_t sample(const void* rules, const void* state, Stream* draw) noexcept nogil
cdef void redeal(const void* rules, void* state, int viewer, Stream* draw) noexcept nogil
