"""The Cython extensions and compiler switches; everything else is in pyproject.toml."""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = [
    "rng", "game", "playout", "search",
    "reef", "reef_bounds", "reef_best", "reef_plan", "reef_game", "reef_policies",
    "reef_estimate",
    "island", "island_moves", "island_results", "island_game", "island_policies", "island_odds",
    "island_estimate", "island_values", "island_flood", "island_safest",
    "stone_age", "stone_age_dice", "stone_age_play", "stone_age_worth",
    "stone_age_table", "stone_age_policies",
    "fuse_bombs", "fuse_hardness", "fuse_hand",
    "fuse", "fuse_chance", "fuse_results", "fuse_game", "fuse_policies",
    "fuse_assign",
]


def link_cimports() -> None:
    """Let `cimport oddsmith.kernels.X` find kernels/X.pxd before anything is installed."""
    parent = Path("build/cimport/oddsmith")
    parent.mkdir(parents=True, exist_ok=True)
    (parent / "__init__.pxd").touch()
    target = parent / "kernels"
    if target.is_symlink() or target.is_dir():
        return
    try:
        target.symlink_to(Path("kernels").resolve(), target_is_directory=True)
    except OSError:  # no links on this system: the declarations alone will do
        target.mkdir()
        for declaration in Path("kernels").glob("*.pxd"):
            shutil.copy(declaration, target)


def compiler_switches() -> list[str]:
    """-march=native for builds on the machine that runs them; ODDSMITH_MARCH for wheels.

    x86-64-v2 is the oldest named level with popcount, which every board kernel leans on.
    ODDSMITH_OPTIMISE=-O1 makes quick builds for `make mutants`.  A rare case inlined because it is
    called in one place only would make the common ones save registers for it.
    """
    march = os.environ.get("ODDSMITH_MARCH", "native")
    switches = [os.environ.get("ODDSMITH_OPTIMISE", "-O3"), "-ffp-contract=off",
                "-fno-inline-functions-called-once"]
    return switches + ([f"-march={march}"] if march != "none" else [])


link_cimports()
setup(
    ext_modules=cythonize(
        [
            Extension(
                f"oddsmith.kernels.{name}",
                [f"kernels/{name}.pyx"],
                extra_compile_args=compiler_switches(),
            )
            for name in KERNELS
        ],
        build_dir="build/cython",
        include_path=["build/cimport"],
        compiler_directives={"language_level": "3", "cdivision": True},
    )
)
