"""Catching the one error that everything here raises."""

from __future__ import annotations

from typing import Any

import pytest

from oddsmith.solver.errors import InputError


def fault_of(action: Any, *args: Any, **options: Any) -> InputError:
    """The InputError that a call raises."""
    with pytest.raises(InputError) as caught:
        action(*args, **options)
    return caught.value
