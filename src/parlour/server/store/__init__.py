"""The database of a card room: an acknowledged event is on the disk."""
