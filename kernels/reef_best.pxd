"""Reef: the most a card can count with its own coral placed best, for other kernels."""
from libc.stdint cimport uint32_t

from oddsmith.kernels.reef cimport Board, Card, Move, Room, Ruleset
from oddsmith.kernels.reef_bounds cimport Gains


cdef int best_placement(const Ruleset* r, const Card* c, const Board* b, uint32_t supply,
                        int enough, Move* best) noexcept nogil
cdef int best_count(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                    const Room* room, uint32_t supply, int floor) noexcept nogil
