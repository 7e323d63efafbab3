"""FUSE: bombs as automata.  What stands here is inlined by every kernel of the game.

A face is colour * 6 + number - 1, colours in the order red, blue, green, yellow, black.  A class
holds the partial fillings of a bomb that the same dice can still finish; `next` tells the class
after one more die, so that a placement is one look-up.  Class EMPTY is the empty bomb, FULL the
full one.
"""
from libc.stdint cimport int16_t, uint8_t, uint32_t

cdef enum:
    COLORS = 5
    NUMBERS = 6
    FACES = 30
    MAX_SLOTS = 6            # of a bomb
    MAX_DICE_OF_COLOR = 5
    NO_DIE = 255             # in a list of faces by slot
    EMPTY = 0
    FULL = 1
    NO_CLASS = -1

cdef struct Bomb:
    int n_slots
    int n_classes
    int n_reachable          # classes from here on need a die that lies on an empty slot
    int points
    uint8_t[MAX_SLOTS] beneath   # mask of the slots that must hold a die before this one takes one
    uint8_t[MAX_SLOTS] above     # mask of the slots that lie on this one
    int16_t* next            # [class][slot][face]: class after a legal placement, or NO_CLASS
    int16_t* walk            # the same, whatever lies beneath
    uint8_t* filled          # [class]: mask of the slots that hold a die
    uint8_t* completable     # [class]: whether some dice can still finish it
    double* offers           # [class]: expected offers until full, best policy; infinite if never
    double* after            # [class][face]: least `offers` after placing it; infinite if it can't


cdef inline int next_class(const Bomb* bomb, int cls, int slot, int face) noexcept nogil:
    return bomb.next[(cls * MAX_SLOTS + slot) * FACES + face]


cdef inline int walk_class(const Bomb* bomb, int cls, int slot, int face) noexcept nogil:
    return bomb.walk[(cls * MAX_SLOTS + slot) * FACES + face]


# The class of a filling: MAX_SLOTS faces, NO_DIE where there is none; NO_CLASS if none has it.
cdef inline int class_of(const Bomb* bomb, const uint8_t* faces) noexcept nogil:
    cdef int cls = EMPTY, slot
    for slot in range(bomb.n_slots):
        if faces[slot] != NO_DIE:
            cls = walk_class(bomb, cls, slot, faces[slot])
            if cls < 0:
                return NO_CLASS
    return cls


cdef class Deck:
    cdef Bomb* bombs
    cdef readonly int n_bombs
    cdef readonly bint only_completable    # option `placement`
    cdef const Bomb* at(self, int bomb) except NULL
    cdef const Bomb* class_at(self, int bomb, int cls) except NULL
