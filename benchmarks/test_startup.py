"""Whole processes, as a person at a shell feels them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("oddsmith"))
BOARD = "r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g"


def test_click_alone(benchmark, figure):
    """The peer: Python starting and importing click."""
    _time(benchmark, figure, "python -c 'import click'", [sys.executable, "-c", "import click"])


def test_help(benchmark, figure):
    _time(benchmark, figure, "oddsmith --help", [COMMAND, "--help"], "0.15 s")


def test_reef_score(benchmark, figure):
    _time(benchmark, figure, "oddsmith reef score", [COMMAND, "reef", "score", BOARD, "17", "4"],
          "0.2 s")


def test_reef_score_json(benchmark, figure):
    _time(benchmark, figure, "oddsmith reef score --json",
          [COMMAND, "reef", "score", BOARD, "17", "4", "--json"], "0.2 s")


def _time(benchmark, figure, what, command, goal=""):
    benchmark.pedantic(_run, args=(command,), rounds=15, warmup_rounds=2)
    figure(what, benchmark.stats.stats.median, "s a process", goal)


def _run(command):
    subprocess.run(command, check=True, capture_output=True)
