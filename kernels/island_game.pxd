"""Forbidden Island: the game table, for kernels that look at its states."""
from oddsmith.kernels.game cimport GameTable
from oddsmith.kernels.island cimport Rules

cdef class IslandTable(GameTable):
    cdef Rules _compiled
