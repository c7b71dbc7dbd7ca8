"""Names of the rivals (``examples/rivals.py``) that are measured: a module of its own, for scripts without examples."""

RIVALS = ("FlatMonteCarlo", "FlatHeuristic", "FlatHeuristicByPoints", "UCT", "UCTByPoints", "EXP3ByPoints")
