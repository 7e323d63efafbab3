"""FUSE: the rules in force, compiled from a deck and options."""
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from oddsmith.kernels.fuse_bombs cimport next_class, walk_class


cdef bint alike(const Bomb* bomb, int slot, int face, int other) noexcept nogil:
    """Whether two faces lead to the same classes on a slot."""
    cdef int cls
    for cls in range(bomb.n_classes):
        if walk_class(bomb, cls, slot, face) != walk_class(bomb, cls, slot, other):
            return False
    return True


cdef bint find_steps(const Bomb* bomb, Steps* steps) noexcept nogil:
    cdef int slot, face, other, cls
    steps.width = 0
    for slot in range(bomb.n_slots):
        for face in range(FACES):
            for other in range(face):
                if alike(bomb, slot, face, other):
                    steps.at[slot][face] = steps.at[slot][other]
                    break
            else:
                steps.at[slot][face] = steps.width
                steps.width += 1
    steps.then = <int16_t*>malloc(bomb.n_classes * steps.width * sizeof(int16_t))
    if steps.then == NULL:
        return False
    for cls in range(bomb.n_classes):
        for slot in range(bomb.n_slots):
            for face in range(FACES):
                steps.then[cls * steps.width + steps.at[slot][face]] = (
                    walk_class(bomb, cls, slot, face))
    return True


cdef class Rules:
    """The compiled rules.

    Args:
        deck: a compiled `fuse_bombs.Deck` of at most 64 bombs.
        pool: mask of the bombs in the game.
        chosen: 7 counts: bombs of each value in the bomb deck, if `by_value`.
        lengths: milliseconds of a roll -> weight, 1 to 128 of them.
        options: the other fields of FuseRules in fuse.pxd, by name.

    Raises:
        ValueError: too many bombs or lengths.
    """

    def __init__(self, Deck deck, uint64_t pool, chosen, dict lengths, dict options):
        cdef FuseRules* g = &self.rules
        cdef int k, cls, slot, face, n = 0, slots = 0, n_rows = 0, row
        if deck.n_bombs > MAX_BOMBS or not 1 <= len(lengths) <= MAX_LENGTHS:
            raise ValueError("at most 64 bombs and 128 lengths")
        if self.deck is not None:
            raise TypeError("rules are made once")
        memset(g, 0, sizeof(FuseRules))
        self.deck, g.bombs, g.pool = deck, deck.bombs, pool
        for k in range(deck.n_bombs):
            g.first[k] = n_rows
            n_rows += g.bombs[k].n_classes
        g.fits = <uint8_t*>calloc(n_rows * FITS, 1)
        g.filled, g.safe = <uint8_t*>calloc(n_rows, 1), <uint8_t*>calloc(n_rows, 1)
        if g.fits == NULL or g.filled == NULL or g.safe == NULL:
            raise MemoryError
        for k in range(deck.n_bombs):
            if not find_steps(&g.bombs[k], &g.steps[k]):
                raise MemoryError
            for cls in range(g.bombs[k].n_classes):
                row = g.first[k] + cls
                g.filled[row] = g.bombs[k].filled[cls]
                for slot in range(g.bombs[k].n_slots):
                    if options["covered_safe"] and g.bombs[k].above[slot] & g.filled[row]:
                        g.safe[row] |= 1 << slot
                    for face in range(FACES):
                        if next_class(&g.bombs[k], cls, slot, face) >= 0:
                            g.fits[row * FITS + face] |= 1 << slot
            if pool >> k & 1:
                g.of_value[g.bombs[k].points] |= bit(k)
                slots, n = slots + g.bombs[k].n_slots, n + 1
        g.mean_slots = slots / <double>max(1, n)
        for k, count in enumerate(chosen):
            g.chosen[k] = count
        for k, (length, weight) in enumerate(lengths.items()):
            g.lengths[k], g.weights[k] = length, weight
            g.total_weight += weight
            g.mean_length += <double>length * weight
        g.n_lengths = len(lengths)
        g.mean_length /= g.total_weight
        g.milliseconds = options["milliseconds"]
        g.players = options["players"]
        g.per_hand = 4 if g.players == 1 else 2
        g.shift = 2 if g.players == 1 else 1
        g.deck_size = options["deck_size"]
        g.fuse_cards = options["fuse_cards"]
        g.dice = options["dice"]
        g.takes = options["takes"]
        g.one_bomb_each = options["one_bomb_each"]
        g.must_place = options["must_place"]
        g.clears = options["clears"]
        g.remove_all = options["remove_all"]
        g.easy_if_hard = options["easy_if_hard"]
        g.hands_too = options["hands_too"]
        g.by_value = options["by_value"]

    def __dealloc__(self):
        cdef int k
        for k in range(MAX_BOMBS):
            free(self.rules.steps[k].then)
        free(self.rules.fits)
        free(self.rules.filled)
        free(self.rules.safe)


def state_fields():
    """The fields of State as (name, NumPy format, offset)."""
    cdef State s
    cdef char* start = <char*>&s
    return [
        ("unseen", "u8", <char*>&s.unseen - start),
        ("centre", "u8", <char*>&s.centre - start),
        ("bag", "u8", <char*>&s.bag - start),
        ("dice", ("u1", (8,)), <char*>&s.dice - start),
        ("row", ("u4", (HELD,)), <char*>&s.row - start),
        ("lying", ("u4", (HELD,)), <char*>&s.lying - start),
        ("match", "u4", <char*>&s.match - start),
        ("elapsed", "u4", <char*>&s.elapsed - start),
        ("roll", "u2", <char*>&s.roll - start),
        ("fuse_unseen", "u2", <char*>&s.fuse_unseen - start),
        ("points", "u2", <char*>&s.points - start),
        ("open", "u2", <char*>&s.open - start),
        ("bomb", ("u1", (HELD,)), <char*>&s.bomb - start),
        ("used", ("u1", (HELD,)), <char*>&s.used - start),
        ("face", ("u1", (HELD, MAX_SLOTS)), <char*>&s.face - start),
        ("n_held", ("u1", (SEATS,)), <char*>&s.n_held - start),
        ("taken", ("u1", (SEATS,)), <char*>&s.taken - start),
        ("value_left", ("u1", (VALUES,)), <char*>&s.value_left - start),
        ("to_draw", "u1", <char*>&s.to_draw - start),
        ("bombs_left", "u1", <char*>&s.bombs_left - start),
        ("fuse_left", "u1", <char*>&s.fuse_left - start),
        ("value", "u1", <char*>&s.value - start),
        ("phase", "u1", <char*>&s.phase - start),
        ("then", "u1", <char*>&s.then - start),
        ("seat", "u1", <char*>&s.seat - start),
        ("thrown", "u1", <char*>&s.thrown - start),
        ("holder", "u1", <char*>&s.holder - start),
        ("dealt", "u1", <char*>&s.dealt - start),
        ("defused", "u1", <char*>&s.defused - start),
        ("ending", "u1", <char*>&s.ending - start),
    ]
