"""The door: HTTP, WebSockets, limits, the page. What a client says becomes a command here."""
