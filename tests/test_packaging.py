"""The frame holds together: packages, layers of the Cython files, docstring examples."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import oddsmith.kernels
import oddsmith.reports
import oddsmith.solver
from oddsmith.solver.games import GAMES

ROOT = Path(__file__).parent.parent
PACKAGES = (oddsmith.solver, oddsmith.kernels, oddsmith.reports)
LONGEST_FILE = 600


def modules():
    for package in PACKAGES:
        yield package.__name__
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                yield found.name


def test_packages_are_all_listed():
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    folders = {
        "oddsmith." + ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("kernels", "reports", "solver")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert listed == folders | {"oddsmith.examples"}


@pytest.mark.parametrize("name", sorted(modules()))
def test_docstring_examples(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_cython_layers():
    """What knows no game cimports none; a game cimports no other game."""
    neutral, below = {"bits", "rng", "game", "playout", "search"}, {"bits", "rng", "game"}

    def game_of(stem):
        return next((game for game in GAMES if stem == game or stem.startswith(f"{game}_")), None)

    for path in (ROOT / "kernels").glob("*.p[yx][xd]"):
        text = path.read_text(encoding="utf-8")
        cimported = set(re.findall(r"^from oddsmith\.kernels\.(\w+) cimport", text, re.M))
        if path.stem in neutral:
            assert cimported <= below, path
            continue
        own = game_of(path.stem)
        assert own is not None, path
        assert all(name in below or game_of(name) == own for name in cimported), path


def test_every_kernel_has_its_stub():
    for path in (ROOT / "kernels").glob("*.pyx"):
        assert path.with_suffix(".pyi").exists()


def test_files_are_small():
    for top in ("kernels", "reports", "solver", "tests", "benchmarks"):
        for path in (ROOT / top).rglob("*.p*"):
            if path.suffix in (".py", ".pyx", ".pxd") and "reference" not in path.parts:
                assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE, path


def test_a_small_answer_imports_nothing_heavy():
    code = (
        "import sys; from oddsmith.solver.games import reef;"
        "reef.score('r,.,.,./.,g,.,gypy/gp,r,.,./.,.,.,g', 17); reef.plan('.,.,.,./.,r,.,./.,.,.,./"
        ".,.,.,.', [1]);"
        "print([m for m in ('numba', 'numpy', 'scipy', 'matplotlib', 'jinja2', 'rich', "
        "'tree_sitter', 'dask') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
