"""Forbidden Island: flood phases alone, many games at once, one 32-bit lane a game.

Each card of the top block is equally likely: the k-th tile of a mask is found by counting bits,
without branches and without shuffling, so that the compiler turns the loop into vector code.  Game
i draws card j as a function of (seed, i, j) alone.  A draw takes 27 random bits times at most 24
cards, so no card is off its share by more than 2^-22.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from oddsmith.kernels.jit import kernel

CHUNK = 1024  # games a chunk: its lanes stay in the first-level cache
SPACES = 24


@kernel
def _draw_card(pile, discard, flooded, alive, key, first):
    """One flood card in every game of a chunk."""
    one, m1 = np.uint32(1), np.uint32(0x55555555)
    m2, m4 = np.uint32(0x33333333), np.uint32(0x0F0F0F0F)
    for i in range(pile.shape[0]):
        # A counter, mixed (lowbias32, Wellons 2018).
        x = np.uint32(np.uint32(np.uint32(i) + first) * np.uint32(0x9E3779B9)) ^ key
        x = np.uint32((x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D))
        x = np.uint32((x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B))
        x = np.uint32(x ^ (x >> np.uint32(16)))
        # Bits counted in pairs, nibbles and bytes.
        cards = pile[i]
        pairs = np.uint32(cards - ((cards >> one) & m1))
        nibbles = np.uint32((pairs & m2) + ((pairs >> np.uint32(2)) & m2))
        octets = np.uint32((nibbles + (nibbles >> np.uint32(4))) & m4)
        two = np.uint32(octets + (octets >> np.uint32(8)))
        size = np.uint32((two + (octets >> np.uint32(16))) & np.uint32(0xFF))
        k = np.uint32(np.uint32((x >> np.uint32(5)) * size) >> np.uint32(27))
        # The k-th of them: which byte, nibble, pair, bit.
        n = np.uint32(octets & np.uint32(0xFF))
        two = np.uint32(two & np.uint32(0xFF))
        beyond, far = np.uint32(k >= n), np.uint32(k >= two)
        k = np.uint32(k - n * beyond - (two - n) * far)
        at = np.uint32((beyond + far) << np.uint32(3))
        n = np.uint32((nibbles >> at) & np.uint32(0xF))
        beyond = np.uint32(k >= n)
        k, at = np.uint32(k - n * beyond), np.uint32(at + (beyond << np.uint32(2)))
        n = np.uint32((pairs >> at) & np.uint32(3))
        beyond = np.uint32(k >= n)
        k, at = np.uint32(k - n * beyond), np.uint32(at + (beyond << one))
        at = np.uint32(at + np.uint32(k >= ((cards >> at) & one)))
        tile = np.uint32(one << at) & cards          # none if no card is left
        # A dry tile floods, a flooded one sinks; an empty pile is made anew.
        sinks = np.uint32(flooded[i] & tile)
        left, drawn = np.uint32(cards & ~tile), np.uint32(discard[i] | (tile & ~sinks))
        empty = np.uint32(np.uint32(0) - np.uint32(left == 0))
        flooded[i] = flooded[i] ^ tile
        alive[i] = alive[i] & ~sinks
        pile[i] = left | (drawn & empty)
        discard[i] = drawn & ~empty


@kernel
def _draw_all(pile, discard, flooded, alive, keys, first):
    for start in range(0, pile.shape[0], CHUNK):
        stop = min(start + CHUNK, pile.shape[0])
        for card in range(keys.shape[0]):
            _draw_card(pile[start:stop], discard[start:stop], flooded[start:stop],
                       alive[start:stop], keys[card], np.uint32(first + start))


def flood(
    pile: npt.NDArray[np.uint32],
    discard: npt.NDArray[np.uint32],
    flooded: npt.NDArray[np.uint32],
    alive: npt.NDArray[np.uint32],
    n_cards: int,
    seed: int,
    first: int = 0,
) -> None:
    """Draw flood cards in many games; the four arrays are changed in place.

    Args:
        pile, discard, flooded, alive: uint32 (n,), sets of spaces of each game; the pile is one
            block, `alive` are the tiles in play.
        n_cards: drawn in each game, one by one.
        seed: 0..2^64-1.
        first: number of the game in row 0; games first to first + n - 1 must be below 2^32.

    Raises:
        ValueError: arrays of another type or length.
    """
    for lane in (pile, discard, flooded, alive):
        if lane.dtype != np.uint32 or lane.shape != pile.shape or lane.ndim != 1:
            raise ValueError("flood takes four uint32 arrays of the same length")
    words = np.random.SeedSequence(seed).generate_state(n_cards, np.uint32)
    _draw_all(pile, discard, flooded, alive, words, first)


def start_lanes(n: int, flooded: int = 0x3F) -> tuple[npt.NDArray[np.uint32], ...]:
    """Pile, discard, flooded and alive lanes of n games with these spaces flooded at first."""
    everything = (1 << SPACES) - 1
    return tuple(np.full(n, mask, np.uint32)
                 for mask in (everything & ~flooded, flooded, flooded, everything))
