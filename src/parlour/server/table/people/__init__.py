"""People at a table: seats, presence, clocks, talk, undo and rematch."""
