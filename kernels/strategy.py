"""Strategies of your own, compiled by Numba: types and helpers for the functions of a game table.

A policy reads the state as a NumPy record and returns the code of a move:

    import numba
    from oddsmith.kernels import strategy
    from oddsmith.solver.games import reef

    table = reef.table(reef.Rules())
    STATE = strategy.state_dtype(table)
    n_moves, nth_move = (strategy.callable_of(table, name) for name in ("n_moves", "nth_move"))

    @numba.cfunc(strategy.SIGNATURES["policy"])
    def last_move(rules, state, draw):
        position = numba.carray(state, 1, STATE)[0]     # position.score, position.hand, ...
        return nth_move(rules, state, n_moves(rules, state) - 1)

    table.add_policy("last move", last_move.address)

Keep the compiled function alive as long as the table.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import types

from oddsmith.kernels.game import GameTable
from oddsmith.kernels.jit import kernel

_STATE = (types.voidptr, types.voidptr)

SIGNATURES: dict[str, Any] = {
    "turn": types.int32(*_STATE),
    "n_moves": types.int32(*_STATE),
    "nth_move": types.uint64(*_STATE, types.int32),
    "apply": types.void(*_STATE, types.uint64),
    "outcomes": types.int32(*_STATE, types.voidptr),
    "sample": types.uint64(*_STATE, types.voidptr),
    "redeal": types.void(*_STATE, types.int32, types.voidptr),
    "payoff": types.void(*_STATE, types.voidptr),
    "summary": types.int32(*_STATE, types.voidptr),
    "policy": types.uint64(*_STATE, types.voidptr),
    "evaluate": types.float64(*_STATE, types.int32),
    "key": types.uint64(*_STATE),
}
"""Numba signature of each function of a game table (kernels/game.pxd)."""

STREAM = np.dtype([("key", "u8"), ("counter", "u8")], align=True)
"""A stream of random numbers (kernels/rng.pxd), to be read with `carray(draw, 1, STREAM)`."""

OUTCOME = np.dtype([("move", "u8"), ("weight", "u4")], align=True)
"""One chance outcome, as `outcomes` writes them."""

_CTYPES: dict[Any, Any] = {
    types.int32: ctypes.c_int32, types.uint64: ctypes.c_uint64, types.float64: ctypes.c_double,
    types.voidptr: ctypes.c_void_p, types.void: None,
}


def state_dtype(table: GameTable) -> np.dtype[Any]:
    """The game's state as a NumPy record type: the fields of its `State` struct.

    >>> from oddsmith.solver.games import reef
    >>> table = reef.table(reef.Rules())
    >>> np.frombuffer(table.new_game(), state_dtype(table))[0]["score"].tolist()
    [3, 3, 0, 0]
    """
    names, formats, offsets = zip(*table.fields, strict=True)
    return np.dtype({"names": list(names), "formats": list(formats), "offsets": list(offsets),
                     "itemsize": table.state_size})


def callable_of(table: GameTable, name: str) -> Any:
    """A function of the table as compiled code can call it: (rules, state, ...)."""
    signature = SIGNATURES[name]
    arguments: list[Any] = [_CTYPES[argument] for argument in signature.args]
    made = ctypes.CFUNCTYPE(_CTYPES[signature.return_type], *arguments)
    return made(table.functions[name])


@kernel
def mix(z):  # type: ignore[no-untyped-def]
    """The finaliser of kernels/rng.pxd on a uint64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def below(stream, n):  # type: ignore[no-untyped-def]
    """Uniform in 0..n-1 from `carray(draw, 1, STREAM)`: the same draws as kernels/rng.pxd."""
    golden, n = np.uint64(0x9E3779B97F4A7C15), np.uint64(n)
    floor = (np.uint64(1) << np.uint64(32)) % n
    while True:
        stream[0].counter += np.uint64(1)
        word = mix(stream[0].key + stream[0].counter * golden)  # type: ignore[no-untyped-call]
        product = (word >> np.uint64(32)) * n
        if (product & np.uint64(0xFFFFFFFF)) >= floor:
            return product >> np.uint64(32)
