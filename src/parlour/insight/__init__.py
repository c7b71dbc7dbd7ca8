"""Analysis of decisions and whole games by simulation, from the observations of the seats."""
