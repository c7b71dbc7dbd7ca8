"""Club nights: the pairings, the scores and the rounds."""
