"""The network addresses of the card room, disclosed only to a local browser that uses a loopback name.

A link to ``localhost`` works on this machine only, so an invitation to friends needs one of these addresses.
"""

import ipaddress
import socket
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers

from parlour.server.http.access.admission import address_of_client, host_name
from parlour.server.http.middleware import AsgiMessage

ALL_INTERFACES = ("0.0.0.0", "::", "")
"""Addresses at which a server listens to all networks of the machine."""
_PROBES = ("192.0.2.1", "10.0.0.1", "172.16.0.1", "192.168.0.1")
"""Addresses of other machines: the route to each begins at an address of this machine. Nothing is sent there."""
_PROXIED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers by which proxies reveal themselves."""


def reachable_addresses(scope: AsgiMessage, listens: str) -> dict[str, Any]:
    """Return the answer to a page's request for the addresses of the room, which listens at ``listens``.

    ``here``: whether the page is open on this machine under a loopback name; ``addresses``: the room's addresses in the
    network if so; none if it listens to this machine only.
    """
    if not is_local(scope):
        return {"here": False, "addresses": []}
    port = (scope.get("server") or ("", 80))[1]
    found = own_addresses() if listens in ALL_INTERFACES else []
    return {"here": True, "addresses": [f"http://{address}:{port}" for address in found]}


def is_local(scope: AsgiMessage) -> bool:
    """Return whether a request comes from this machine, under a loopback name and without a proxy."""
    headers = Headers(scope=scope)
    name = host_name(headers.get("host", ""))
    own_name = name == "localhost" or _is_loopback(name)
    return own_name and _is_loopback(address_of_client(scope)) and not any(header in headers for header in _PROXIED)


def _is_loopback(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback


def own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in its networks, that of the default route first."""
    found = []
    for far in _PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(str(probe.getsockname()[0]))
    return [address for address in dict.fromkeys(found) if not _is_loopback(address) and address != "0.0.0.0"]
