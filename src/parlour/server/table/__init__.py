"""Tables in play: seats, events, bots, clocks, talk, and the display of each seat."""
