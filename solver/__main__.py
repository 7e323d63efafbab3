"""`python -m oddsmith.solver` runs the command line."""

from oddsmith.solver.cli import main

main()
