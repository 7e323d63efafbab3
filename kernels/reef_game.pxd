"""Reef: the state of a whole game."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from oddsmith.kernels.game cimport move_t
from oddsmith.kernels.reef cimport Board, Move, Ruleset
from oddsmith.kernels.reef_bounds cimport Gains

cdef enum:
    SEATS = 4
    HAND = 8                 # the largest hand limit
    DISPLAY = 6              # the largest display
    NO_CARD = 255

cdef enum:                   # phases
    DEAL_HANDS
    START
    DEAL_DISPLAY
    PLAY
    DEAL_TOP
    FINISHED

cdef enum:                   # GameRules.start_layout
    CENTER
    EDGE
    FREE

cdef enum:                   # GameRules.end
    DECK_AT_ONCE
    FINISH_ROUND
    IMMEDIATE

cdef enum:                   # GameRules.hand_scoring
    ONCE
    FULL
    NOTHING

cdef enum:                   # kinds of moves; the lowest byte of a code
    PASS
    PUT_START                # colour, space
    TAKE                     # place on the display
    DRAW                     # place on the display that receives the payment, or NO_CARD
    PLAY_CARD                # card, then the coral placed
    DEAL                     # card (an outcome)

cdef struct GameRules:
    const Ruleset* scoring
    const Gains* gains       # for policies that look ahead; NULL without one
    uint8_t players
    uint8_t coral            # in play, each colour
    uint8_t start_layout
    uint8_t hand_limit
    uint8_t draw_cost
    uint8_t start_points
    uint8_t display_size
    uint8_t leftmost         # deck_draw_target_tie
    uint8_t end
    uint8_t hand_scoring
    uint8_t hand_neighbours  # hand_scoring_neighbor = all
    uint8_t covered          # tie_break

cdef struct State:
    Board board[SEATS]
    uint64_t deck            # cards below the top; a set, as nobody knows their order
    uint64_t played
    uint64_t secret[SEATS]   # opening cards still in hand: known to their owner alone
    int32_t score[SEATS]     # hands left at the end not counted
    uint32_t supply          # four bytes, red lowest
    uint16_t tokens[DISPLAY]
    uint16_t turns           # actions and passes so far
    uint8_t hand[SEATS][HAND]
    uint8_t n_hand[SEATS]
    uint8_t display[DISPLAY]
    uint8_t n_display
    uint8_t cheapest         # the display cards of the lowest printed value, a bit for each place
    uint8_t top              # the deck's top card, NO_CARD if there is none
    uint8_t to_move
    uint8_t phase
    uint8_t passes           # one after the other
    uint8_t start_left       # colours that the seat has yet to put on its board, one bit each


cdef inline move_t code(int kind, int a, int b) noexcept nogil:
    return kind | (<move_t>a << 8) | (<move_t>b << 16)


cdef inline move_t play_code(int card, const Move* m) noexcept nogil:
    cdef move_t result = code(PLAY_CARD, card, m.n)
    if m.n > 0:
        result |= (<move_t>m.color[0] << 20) | (<move_t>m.space[0] << 24)
    if m.n > 1:
        result |= (<move_t>m.color[1] << 28) | (<move_t>m.space[1] << 32)
    return result


cdef inline bint can_take(const GameRules* g, const State* s) noexcept nogil:
    return s.n_hand[s.to_move] < g.hand_limit


cdef inline bint can_draw(const GameRules* g, const State* s) noexcept nogil:
    return s.top != NO_CARD and s.score[s.to_move] >= g.draw_cost


cdef int nth_payment(const GameRules* g, const State* s, int n) noexcept nogil
cdef int n_moves(const void* rules, const void* state) noexcept nogil
cdef move_t nth_move(const void* rules, const void* state, int k) noexcept nogil
cdef int hand_points(const GameRules* g, const State* s, int seat) noexcept nogil
