"""The card room for browsers: tables, seats, messages, and the store that keeps every event."""
