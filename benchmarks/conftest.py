"""What every benchmark uses, and the table of figures at the end: work a second, goal, ratio."""

from __future__ import annotations

import pytest

from oddsmith.kernels.rng import Generator
from oddsmith.solver.games import reef

FIGURES = []


@pytest.fixture(scope="session")
def boards():
    """100,000 random mid-game boards, packed."""
    return reef.random_boards(100_000, seed=2)


@pytest.fixture(scope="session")
def hands():
    """Boards with hands of 4 random cards, the same for every benchmark."""
    numbers = [card.number for card in reef.cards()]
    draw = Generator(3)
    return [
        (reef.unpack_board(row), draw.shuffled(numbers)[:4])
        for row in reef.random_boards(200, seed=3)
    ]


@pytest.fixture
def figure(benchmark):
    """Call it after the benchmark: figure(what, value, unit, goal="", against="").

    `against` names an earlier figure of the same unit; the ratio to it is shown.
    """

    def note(what, value, unit, goal="", against=""):
        ratio = ""
        for other, before, its_unit, _, _ in FIGURES:
            if other == against:
                assert its_unit == unit
                ratio = f"{max(value / before, before / value):,.0f} x {against}"
        benchmark.extra_info[what] = f"{value:.6g} {unit}"
        FIGURES.append((what, value, unit, goal, ratio))

    return note


def pytest_terminal_summary(terminalreporter):
    """All figures in comparable units."""
    if not FIGURES:
        return
    terminalreporter.section("figures (medians)")
    terminalreporter.write_line(f"{'what':<42}{'measured':>14} {'unit':<22}{'goal':<20}ratio")
    for what, value, unit, goal, ratio in FIGURES:
        terminalreporter.write_line(f"{what:<42}{value:>14,.4g} {unit:<22}{goal:<20}{ratio}")
