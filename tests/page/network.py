"""A room that seems to listen to the network."""


def in_network(page, *bases):
    """Let the room seem to listen to the network at these addresses."""
    page.route("**/api/addresses", lambda route: route.fulfill(json={"here": True, "addresses": list(bases)}))
