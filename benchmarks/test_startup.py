"""Whole processes, as a person at a shell feels them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("oddsmith"))
BOARD = "r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g"


def test_help(benchmark):
    """Goal: 0.15 s."""
    benchmark.pedantic(_run, args=([COMMAND, "--help"],), rounds=15, warmup_rounds=2)


def test_reef_score(benchmark):
    """Goal: 0.2 s."""
    benchmark.pedantic(_run, args=([COMMAND, "reef", "score", BOARD, "17", "4"],), rounds=15,
                       warmup_rounds=2)


def test_reef_score_json(benchmark):
    benchmark.pedantic(_run, args=([COMMAND, "reef", "score", BOARD, "17", "--json"],), rounds=15,
                       warmup_rounds=2)


def test_click_alone(benchmark):
    """The peer: Python starting and importing click."""
    benchmark.pedantic(_run, args=([sys.executable, "-c", "import click"],), rounds=15,
                       warmup_rounds=2)


def _run(command):
    subprocess.run(command, check=True, capture_output=True)
