"""One module for each step from a layout to the next."""
