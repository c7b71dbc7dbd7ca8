"""Daily deals: the tables at which they are played, their results, and the days."""
