"""Forbidden Island: the least chance of losing in one flood phase, for kernels that ask it."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from oddsmith.kernels.island cimport MAX_BLOCKS, SEATS, IslandRules, State
from oddsmith.kernels.island_game cimport IslandTable
from oddsmith.kernels.island_values cimport Values, wide

cdef enum:
    MOST_CARDS = 15

cdef struct Situation:
    uint32_t block                   # what is left of the top block, but for blanks
    uint32_t flooded
    uint32_t in_play
    uint8_t place[SEATS]             # of those that may drown, else SAFE
    uint8_t n_below                  # blocks under the top one
    uint8_t blanks                   # of the top block
    uint8_t left                     # cards to come
    uint8_t lifts                    # that may rescue
    uint8_t swimmers
    uint8_t captured


cdef class FloodPhase:
    cdef const IslandRules* g
    cdef IslandTable table
    cdef State s                     # roles, places; the rest is filled in where it is used
    cdef uint32_t[MAX_BLOCKS + 1] pile       # the top block last
    cdef uint32_t[MAX_BLOCKS + 1] below      # all under block k
    cdef uint32_t home               # spaces that Fools' Landing can be reached from over spaces
    cdef bint strays                 # whether a Diver may be where he finds no tile
    cdef int n_blocks, n_cards
    cdef wide[MOST_CARDS + 1] scale          # of the draw with k cards to come
    cdef wide[MOST_CARDS + 1] certain        # 1, with k cards to come
    cdef readonly object denominator
    cdef Values values               # of situations and questions (ASKED)

    cdef list sizes(self, int n_all)
    cdef wide ask(self, uint32_t flooded, uint64_t pawns, int captured, int flown, int lifts,
                  int sandbags) noexcept
    cdef void question(self, const Situation* t, int sandbags, uint64_t* a, uint64_t* b) noexcept
    cdef bint wins(self, const Situation* t, uint64_t pawns, int lifts) noexcept
    cdef void begin(self, Situation* t, uint32_t flooded, uint64_t pawns, int captured,
                    int flown) noexcept
    cdef wide prepare(self, Situation* t, int sandbags) noexcept
    cdef wide bag(self, Situation* t, const uint8_t* spaces, int n, int sandbags, bint all_used,
                  wide best) noexcept
    cdef wide lift(self, const Situation* given, wide best) noexcept
    cdef wide lifted(self, const Situation* given, wide floor, wide best) noexcept
    cdef uint32_t vital(self, int captured) noexcept
    cdef uint32_t useful_tiles(self, const Situation* t) noexcept
    cdef uint32_t near(self, const Situation* t) noexcept
    cdef uint32_t reach(self, const Situation* t, int seat, int steps) noexcept
    cdef bint danger(self, const Situation* t) noexcept
    cdef bint calm(self, const Situation* t) noexcept
    cdef void due(self, const Situation* t, uint32_t* drawn, uint32_t* partly, int* n_partly,
                  int* n_rest) noexcept
    cdef void reduce(self, Situation* t) noexcept
    cdef uint32_t firm(self, const Situation* t) noexcept
    cdef void settle(self, Situation* t) noexcept
    cdef bint may_drown(self, const Situation* t, int seat, uint32_t firm) noexcept
    cdef wide future(self, Situation* t) noexcept
    cdef wide drawn(self, Situation* t, uint32_t tile) noexcept
    cdef bint lost(self, const Situation* t) noexcept
    cdef wide tile_loss(self, const Situation* t) noexcept
    cdef wide best_swim(self, const Situation* t) noexcept
