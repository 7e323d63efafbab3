"""JSON: the data of `oddsmith.solver.answer`, one object, or an array of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from oddsmith.solver.answer import Answer, to_data, to_json


def render_json(answers: Sequence[Answer]) -> str:
    """One answer as its `to_json`, several as an array of the same objects.

    Args:
        answers: at least one.

    Returns:
        Indented JSON, ending in a newline.
    """
    if len(answers) == 1:
        return to_json(answers[0])
    encoded = msgspec.json.encode([to_data(answer) for answer in answers])
    return msgspec.json.format(encoded, indent=2).decode() + "\n"
