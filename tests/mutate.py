"""`make mutants`: break each rule in a copy of the project; some test must notice.

tests/mutants.toml lists the edits.  Each is applied to a copy under build/mutants, the kernels
are rebuilt if a Cython file changed, now or by the edit before, and the named tests are run; they
have to fail.  Names given as arguments choose mutants whose rule contains one of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
COPY = ROOT / "build" / "mutants"
SHARE = 0.2
"""Of the comparisons with the references, at first: enough for most mutants."""

FOLDERS = ("kernels", "reports", "solver", "tests", "examples")
BROKEN = COPY / "broken"
"""Is there while the copy's kernels may be those of a mutant."""


def make_copy() -> None:
    """A fresh copy of the project, its kernels built in place."""
    shutil.rmtree(COPY, ignore_errors=True)
    (COPY / "path" / "oddsmith").mkdir(parents=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, COPY / folder,
                        ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.html"))
        (COPY / "path" / "oddsmith" / folder).symlink_to(COPY / folder)
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, COPY)
    build()


def build() -> None:
    """Rebuild what changed; optimisation off, as the tests are short."""
    environment = {**os.environ, "ODDSMITH_OPTIMISE": "-O1"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace", "-j2"], cwd=COPY,
                   check=True, capture_output=True, env=environment)


def tests_pass(tests: list[str], share: float = SHARE) -> bool:
    environment = {**os.environ, "PYTHONPATH": f"{COPY / 'path'}:{COPY}",
                   "XDG_CACHE_HOME": str(COPY / "cache"),
                   "JOBS_SHARE": str(share)}
    run = subprocess.run([sys.executable, "-m", "pytest", "-x", "-q", *tests], cwd=COPY,
                         env=environment, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(f"the tests could not be run:\n{run.stdout}\n{run.stderr}")
    return run.returncode == 0


def survives(mutant: dict[str, str], default: list[str]) -> bool:
    """Apply one edit, run its tests, undo it."""
    path = COPY / mutant["file"]
    original = path.read_text(encoding="utf-8")
    if original.count(mutant["find"]) != 1:
        raise SystemExit(f"{mutant['rule']}: the text to break is in {mutant['file']} "
                         f"{original.count(mutant['find'])} times, not once")
    path.write_text(original.replace(mutant["find"], mutant["replace"]), encoding="utf-8")
    compiled = path.suffix in (".pyx", ".pxd")
    try:
        if compiled:
            BROKEN.touch()
        if BROKEN.exists():
            build()
        if not compiled:
            BROKEN.unlink(missing_ok=True)
        tests = mutant.get("tests", default)
        # A rare rule may decide nothing in a short comparison; the whole one is what CI runs.
        return tests_pass(tests) and tests_pass(tests, 1)
    finally:
        path.write_text(original, encoding="utf-8")


def main(wanted: list[str]) -> int:
    data = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))
    mutants = [one for one in data["mutant"]
               if not wanted or any(word in one["rule"] for word in wanted)]
    make_copy()
    if not tests_pass(data["tests"]):
        raise SystemExit("the tests fail without any mutant")
    survivors = []
    for number, mutant in enumerate(mutants, 1):
        alive = survives(mutant, data["tests"])
        survivors += [mutant["rule"]] * alive
        print(f"{number:>3}/{len(mutants)}  {'SURVIVED' if alive else 'killed  '}  "
              f"{mutant['rule']}", flush=True)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants were noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
