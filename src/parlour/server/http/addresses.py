"""Where else the room can be reached: told only to a browser on the machine itself, which calls it by a loopback name.

A link to ``localhost`` opens nowhere else, so whoever means to invite friends is offered the machine's addresses in its
network. Strangers are never told them.
"""

import ipaddress
import socket
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers

from parlour.server.http.admission import address_of_client, host_name
from parlour.server.http.middleware import Message

EVERYWHERE = ("0.0.0.0", "::", "")
"""To listen at one of these is to listen to every network that the machine is in."""
_FAR = ("192.0.2.1", "10.0.0.1", "172.16.0.1", "192.168.0.1")
"""Addresses elsewhere: which of the machine's own would be used to reach them? Nothing is sent there."""
_PROXIED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def reach(scope: Message, listens: str) -> dict[str, Any]:
    """What a page may know of where the room is reached, when it ``listens`` at this address.

    ``here`` says whether the page is open on this machine, by a name that leads nowhere else; ``addresses`` are then
    those under which others in the network find the room, none where it listens to this machine alone.
    """
    if not asked_from_here(scope):
        return {"here": False, "addresses": []}
    port = (scope.get("server") or ("", 80))[1]
    found = own_addresses() if listens in EVERYWHERE else []
    return {"here": True, "addresses": [f"http://{address}:{port}" for address in found]}


def asked_from_here(scope: Message) -> bool:
    """Whether a browser on this machine asks, by a loopback name and with nobody in between."""
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
    """This machine's addresses in its networks, the one that most traffic leaves by first."""
    found = []
    for far in _FAR:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect((far, 9))
            found.append(str(way.getsockname()[0]))
    return [address for address in dict.fromkeys(found) if not _is_loopback(address) and address != "0.0.0.0"]
