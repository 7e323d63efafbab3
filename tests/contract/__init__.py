"""What every game must keep, whatever it is: one suite, run for each game of GAMES."""
