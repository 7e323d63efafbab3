"""The console script: as little as possible before Ctrl-C is looked after."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line."""
    try:
        from oddsmith.solver.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
