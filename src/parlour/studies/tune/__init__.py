"""Which values of a game's options fit a goal: the search, and what it found."""
