"""The one place where Numba's flags and cache are decided.

Compiled kernels are cached in the user's cache folder, in a folder named after a hash of all
kernel sources: Numba itself only notices edits of the file that holds the outer function, and
would go on calling a stale inlined callee from another file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs
from llvmlite import ir
from numba.extending import intrinsic

_F = TypeVar("_F", bound=Callable[..., Any])


def _cache_folder() -> Path:
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return Path(platformdirs.user_cache_dir("oddsmith")) / "numba" / digest.hexdigest()[:16]


setattr(numba.config, "CACHE_DIR", str(_cache_folder()))  # noqa: B010 (not a declared name)


def kernel(function: _F) -> _F:
    """Compile for this CPU on first call: no GIL, no fast-math, no bounds checks, cached.

    Single-threaded on purpose: callers run chunks in threads (and Numba's cache must not be
    combined with its own parallel loops).
    """
    compiled: Any = numba.njit(nogil=True, cache=True, error_model="numpy")(function)
    return cast(_F, compiled)


@intrinsic
def popcount16(typing_context, x):  # type: ignore[no-untyped-def]  # called with x alone
    """Number of set bits of a uint16, as a uint16; narrow, so that loops over lanes vectorise."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lane = ir.IntType(16)
        function = builder.module.declare_intrinsic("llvm.ctpop", [lane])
        return builder.call(function, [builder.trunc(args[0], lane)
                                       if args[0].type != lane else args[0]])

    return numba.types.uint16(x), codegen
