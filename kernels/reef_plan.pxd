from libc.stdint cimport uint32_t

from oddsmith.kernels.reef cimport Board, Card, Move, Ruleset
from oddsmith.kernels.reef_bounds cimport Gains


cdef int best_placement(const Ruleset* r, const Gains* g, const Card* c, const Board* b,
                        uint32_t supply, int enough, Move* best) noexcept nogil
