"""Reef: the best placement of one card, for other kernels."""
from libc.stdint cimport uint32_t

from oddsmith.kernels.reef cimport Board, Card, Move, Ruleset


cdef int best_placement(const Ruleset* r, const Card* c, const Board* b, uint32_t supply,
                        int enough, Move* best) noexcept nogil
