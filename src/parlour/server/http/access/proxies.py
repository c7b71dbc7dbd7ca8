"""The trusted proxies, whose headers give the addresses of clients."""

import ipaddress
from collections.abc import Collection, Iterable, Iterator

from parlour.engine.errors import ParlourError

THIS_MACHINE = "localhost"
"""The name for all loopback addresses."""
_LOOPBACK = ("127.0.0.0/8", "::1")
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Proxies(Collection[str]):
    """The addresses of the trusted proxies; iteration yields their networks.

    Args:
        texts: addresses, networks such as ``10.1.0.0/16``, or ``localhost``.

    Raises:
        ParlourError: a text is none of these.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._networks = [network for text in texts for network in _networks(text)]

    def __contains__(self, address: object) -> bool:
        try:
            parsed = ipaddress.ip_address(str(address).partition("%")[0])
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._networks)

    def __len__(self) -> int:
        return len(self._networks)


def _networks(text: str) -> list[Network]:
    """Return the networks that a text names.

    An IPv4 network is returned in a second form, too: its IPv6 addresses on a socket for both kinds of addresses.
    """
    if text == THIS_MACHINE:
        return [network for loopback in _LOOPBACK for network in _networks(loopback)]
    try:
        network = ipaddress.ip_network(text.strip())
    except ValueError:
        raise ParlourError(
            f"--behind-proxy: {text!r} is neither an address nor a network, such as 10.1.2.3 or 10.1.0.0/16"
        ) from None
    if isinstance(network, ipaddress.IPv6Network):
        return [network]
    mapped = int(_MAPPED.network_address) + int(network.network_address)
    return [network, ipaddress.IPv6Network((mapped, _MAPPED.prefixlen + network.prefixlen))]
