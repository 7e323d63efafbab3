"""`python -m oddsmith.solver` runs the command line."""

from oddsmith.solver.start import main

main()
