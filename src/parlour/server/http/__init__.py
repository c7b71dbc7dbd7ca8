"""The web application: HTTP, WebSockets, limits, the page. Messages of clients become commands here."""
