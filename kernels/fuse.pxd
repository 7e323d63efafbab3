"""FUSE: rules and state as plain numbers, and what every kernel of the game inlines.

Bombs are numbered as in the deck, a set of them is a mask of 64 bits.  A face of a die is colour * 6
+ number - 1.  The bag is counted by colour, one byte each; the dice on the table are bytes of a word too,
ascending.  The bomb deck has no order: the next card is any that nobody has seen.  Seat s holds the bombs
of places s << shift, ...  What lies on a bomb is a class (fuse_bombs.pxd); the classes of all bombs are
numbered through as rows.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from oddsmith.kernels.bits cimport lowest, popcount, select
from oddsmith.kernels.fuse_bombs cimport (
    COLORS, EMPTY, FACES, FULL, MAX_SLOTS, NO_DIE, NUMBERS, Bomb, Deck,
)
from oddsmith.kernels.game cimport move_t

cdef enum:
    SEATS = 5
    HELD = 10                # places for bombs in hands: 5 players with 2; one with 4
    MAX_BOMBS = 64
    MAX_DICE = 5             # of a roll
    IN_CENTRE = 5
    FUSE_CARDS = 11          # 5 colours, 6 numbers
    VALUES = 7               # points of a bomb: 1 to 6
    HARD = 3                 # from this value on a bomb is hard
    MAX_LENGTHS = 128
    FITS = 32                # entries of a row of `fits`; no slot takes face 30 or 31
    NO_FACE = 31             # in `dice`
    NO_BOMB = 255
    ALL_FACES = 0x3FFFFFFF

cdef enum:                   # phases
    DEAL_HANDS
    DEAL_CENTRE
    ASSIGN                   # somebody decides from here ...
    PICK
    REMOVE
    THROW                    # ... to here: which unplaced die is next
    CLOCK                    # how long the roll takes
    ROLL
    REFILL
    REROLL
    FINISHED

cdef enum:                   # endings
    NOT_YET
    WON
    TIME_UP
    BAG_EMPTY

cdef enum:                   # kinds of moves and outcomes; the lowest byte of a code
    STOP                     # the dice that lie there stay unplaced
    PLACE                    # bomb, slot, face
    CLEAR                    # bomb
    TAKE                     # bomb of the centre
    DROP                     # bomb, slot
    CHOOSE                   # colour of the unplaced die that is next
    VALUE                    # of the next bomb
    BOMB                     # dealt, or of the bomb deck
    FUSE                     # fuse card
    LENGTH                   # milliseconds of the roll
    DIE                      # face
    NUMBER                   # 0..5, of the unplaced die

cdef struct Steps:           # of a bomb: the class after one more die, faces alike on a slot together
    int16_t* then                    # [class * width + at[slot][face]]; NO_CLASS where it can't lie
    int width
    uint8_t[MAX_SLOTS][FITS] at

cdef struct FuseRules:
    const Bomb* bombs
    Steps[MAX_BOMBS] steps
    uint32_t first[MAX_BOMBS]        # row of each bomb's empty class
    uint8_t* fits                    # [row * FITS + face]: mask of the slots that take the face
    uint8_t* filled                  # [row]: mask of the slots that hold a die
    uint8_t* safe                    # [row]: of those, the ones whose die is not removed
    uint64_t pool                    # bombs in the game
    uint64_t of_value[VALUES]        # of those, by points
    uint32_t lengths[MAX_LENGTHS]    # of a roll, in milliseconds
    uint32_t weights[MAX_LENGTHS]
    uint32_t total_weight
    uint32_t milliseconds            # of the game
    int n_lengths
    uint8_t chosen[VALUES]           # bombs of each value in the bomb deck, if `by_value`
    uint8_t players
    uint8_t shift
    uint8_t per_hand
    uint8_t deck_size
    uint8_t fuse_cards
    uint8_t dice
    uint8_t takes
    uint8_t one_bomb_each            # a seat's dice of a roll go on different bombs
    uint8_t must_place
    uint8_t clears                   # bombs that can't be finished may be cleared
    uint8_t remove_all
    uint8_t easy_if_hard
    uint8_t hands_too
    uint8_t by_value
    double mean_length               # milliseconds
    double mean_slots                # of a bomb of the pool

cdef struct State:
    uint64_t unseen                  # bombs of the pool that nobody has seen
    uint64_t centre
    uint64_t bag                     # dice by colour, one byte each
    uint64_t dice                    # faces on the table, ascending, one byte each; NO_FACE behind
    uint32_t row[HELD]               # what lies on each bomb in hand
    uint32_t lying[HELD]             # the faces of it
    uint32_t match                   # REMOVE: faces that are removed
    uint32_t elapsed                 # milliseconds, this roll's included
    uint16_t roll                    # 1, 2, ...; 0 before the first
    uint16_t fuse_unseen             # fuse cards, one bit each
    uint16_t points                  # of the defused bombs
    uint16_t open                    # ASSIGN: places in hands that may take a die
    uint8_t bomb[HELD]               # NO_BOMB where there is none
    uint8_t used[HELD]               # took a die this roll (only if `one_bomb_each`)
    uint8_t face[HELD][MAX_SLOTS]    # what lies there, NO_DIE elsewhere
    uint8_t n_held[SEATS]
    uint8_t taken[SEATS]             # dice of this roll
    uint8_t value_left[VALUES]       # bombs of the bomb deck by value, if `by_value`
    uint8_t to_draw                  # dice still to roll
    uint8_t bombs_left               # in the bomb deck
    uint8_t fuse_left
    uint8_t value                    # VALUE that has been drawn for the next bomb; 0 for none
    uint8_t phase
    uint8_t then                     # the phase after REMOVE: REFILL or THROW
    uint8_t seat                     # who picks, or removes a die
    uint8_t thrown                   # REROLL: the die's colour
    uint8_t holder                   # of the bag
    uint8_t dealt
    uint8_t defused                  # bombs
    uint8_t ending


cdef inline move_t code(int kind, int a=0, int b=0, int c=0) noexcept nogil:
    return kind | (<move_t>a << 8) | (<move_t>b << 16) | (<move_t>c << 24)


cdef inline int n_in_bag(const State* s) noexcept nogil:
    return (s.bag * <uint64_t>0x0101010101) >> 32 & 0xFF


cdef inline uint64_t one_die(int color) noexcept nogil:
    return <uint64_t>1 << (8 * color)


cdef inline int in_bag(const State* s, int color) noexcept nogil:
    return s.bag >> (8 * color) & 0xFF


cdef inline uint64_t bit(int bomb) noexcept nogil:
    return <uint64_t>1 << bomb


# The dice on the table.

cdef inline int die(const State* s, int d) noexcept nogil:
    """The d-th face; NO_FACE behind the last."""
    return s.dice >> (8 * d) & 0xFF


cdef inline int n_below(const State* s, int face) noexcept nogil:
    """How many lie before a face."""
    # Bytes are at most 31, so the borrow of each comparison stays in its byte.
    return 8 - popcount(((s.dice | <uint64_t>0x8080808080808080)
                         - face * <uint64_t>0x0101010101010101) & <uint64_t>0x8080808080808080)


cdef inline int n_dice(const State* s) noexcept nogil:
    return n_below(s, NO_FACE)


cdef inline bint no_dice(const State* s) noexcept nogil:
    return s.dice == <uint64_t>0x1F1F1F1F1F1F1F1F


cdef inline void lay_down(State* s, int face) noexcept nogil:
    cdef int at = 8 * n_below(s, face)
    cdef uint64_t before = (<uint64_t>1 << at) - 1
    s.dice = (s.dice & before) | (<uint64_t>face << at) | ((s.dice & ~before) << 8)


cdef inline void pick_up(State* s, int d) noexcept nogil:
    cdef uint64_t before = (<uint64_t>1 << (8 * d)) - 1
    s.dice = (s.dice & before) | (s.dice >> 8 & ~before) | (<uint64_t>NO_FACE << 56)


# Bombs in hand.

cdef inline int class_at(const FuseRules* g, const State* s, int i) noexcept nogil:
    """The class of what lies on a bomb in hand."""
    return s.row[i] - g.first[s.bomb[i]]


cdef inline const uint8_t* fits_of(const FuseRules* g, const State* s, int i) noexcept nogil:
    """[face]: mask of the slots of a bomb in hand that take the face now."""
    return g.fits + s.row[i] * FITS


cdef inline int step(const FuseRules* g, int bomb, int cls, int slot, int face) noexcept nogil:
    """The class after one more die, whatever lies beneath: fuse_bombs' `walk` in less memory."""
    cdef const Steps* steps = &g.steps[bomb]
    return steps.then[cls * steps.width + steps.at[slot][face]]


cdef inline int class_without(const FuseRules* g, const State* s, int i, int slot) noexcept nogil:
    """The class of what lies on a bomb in hand, without the die of one slot."""
    cdef int left = g.filled[s.row[i]] & ~(1 << slot), cls = EMPTY
    while left:
        cls = step(g, s.bomb[i], cls, lowest(left), s.face[i][lowest(left)])
        left &= left - 1
    return cls


cdef inline int droppable(const FuseRules* g, const State* s, int i, uint32_t match) noexcept nogil:
    """The slots of a bomb in hand whose dice are removed by some faces."""
    cdef int slot, found = 0
    for slot in range(MAX_SLOTS):        # NO_DIE is taken for face 31, which is in no match
        found |= (match >> (s.face[i][slot] & 31) & 1) << slot
    return found & ~g.safe[s.row[i]]


cdef inline int place_of(const State* s, int bomb) noexcept nogil:
    """The place in hand of a bomb that somebody holds."""
    cdef int i, found = 0
    for i in range(1, HELD):
        found = i if s.bomb[i] == bomb else found
    return found


# What can be chosen.

cdef inline uint64_t takeable(const FuseRules* g, const State* s) noexcept nogil:
    """The bombs of the centre that the player may take."""
    cdef uint64_t easy
    cdef int i
    if g.easy_if_hard:
        easy = s.centre & ~(g.of_value[3] | g.of_value[4])
        for i in range(s.seat << g.shift, (s.seat << g.shift) + s.n_held[s.seat]):
            if easy and 3 <= g.bombs[s.bomb[i]].points <= 4:
                return easy
    return s.centre


cdef inline int colors_left(const State* s) noexcept nogil:
    """Colours of the dice on the table."""
    cdef int d, colors = 0
    for d in range(MAX_DICE):
        colors |= 1 << die(s, d) // NUMBERS
    return colors & ((1 << COLORS) - 1)      # NO_FACE // NUMBERS is one more


# Faces.

cdef inline uint32_t color_mask(int color) noexcept nogil:
    return <uint32_t>0x3F << (NUMBERS * color)


cdef inline uint32_t number_mask(int number) noexcept nogil:
    return <uint32_t>0x01041041 << number


cdef inline uint32_t fuse_mask(int card) noexcept nogil:
    """The faces that a fuse card removes."""
    return color_mask(card) if card < COLORS else number_mask(card - COLORS)


cdef class Rules:
    cdef FuseRules rules
    cdef readonly object deck        # keeps the bombs alive
