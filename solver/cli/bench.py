"""`oddsmith bench`: a fixed piece of work whose results must never change by accident."""

from __future__ import annotations

import hashlib
import time

import click

from oddsmith.solver.answer import Answer, Table
from oddsmith.solver.cli.common import command_line, emit, output_options

N_BOARDS = 200_000
N_PLANS = 100
PLANNED_CARDS = 3


@click.command()
@output_options
def command(fmt: str) -> None:
    """Score 200,000 boards and plan 100 hands; print the signature and the speed.

    The signature is a hash of all results: a change that keeps the rules keeps it.
    """
    from oddsmith.kernels.rng import Generator
    from oddsmith.solver.games import reef

    digest = hashlib.sha256()
    boards = reef.random_boards(N_BOARDS, seed=1)
    reef.score_many(boards[:1])  # compile first
    started = time.perf_counter()
    digest.update(reef.score_many(boards).tobytes())
    scoring = time.perf_counter() - started
    draw = Generator(1)
    numbers = [card.number for card in reef.cards()]
    started = time.perf_counter()
    for row in boards[:N_PLANS]:
        found = reef.plan(reef.unpack_board(row), draw.shuffled(numbers)[:PLANNED_CARDS])
        digest.update(found.total.to_bytes(4, "little"))
    planning = time.perf_counter() - started
    signature = digest.hexdigest()[:16]
    n_scores = N_BOARDS * len(numbers)
    rows = (
        ("signature", signature, ""),
        ("card scores", f"{n_scores / scoring / 1e6:.0f}", "million a second"),
        (f"plans of {PLANNED_CARDS} cards", f"{N_PLANS / planning:.0f}", "a second"),
    )
    emit(
        Answer(
            game="reef", question="bench", title="Oddsmith bench",
            answer={"signature": signature, "card_scores": n_scores, "scoring_seconds": scoring,
                    "plans": N_PLANS, "planning_seconds": planning},
            exact=True, method="fixed work, one thread; the signature is exact, times are this "
            "machine's", blocks=(Table(("what", "value", "unit"), rows, numeric=(1,)),),
            command=command_line(),
        ),
        fmt,
    )
