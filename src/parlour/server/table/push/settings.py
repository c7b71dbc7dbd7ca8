"""The settings of notices to closed pages. The dispatcher imports this module, so its own imports are few."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import find_spec

from parlour.engine.errors import ParlourError

PUSH_SERVICES = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""The push services of the known browsers."""
_CONTACT = re.compile(r"[^@\s]+@(localhost|[\w-]+(\.[\w-]+)+)")
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_ENDPOINT = re.compile(rf"https://(?P<host>{_LABEL}(\.{_LABEL})*(:\d{{1,5}})?)/[\w!$%&'()*+,./:;=?@~-]*", re.ASCII)
"""The form of endpoints. It is narrow, since programs disagree on the host of other URLs."""
_USUAL_PORT = ":443"
_HOST = re.compile(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?")


@dataclass(frozen=True)
class PushSettings:
    """The settings of notices to closed pages.

    Attributes:
        contact: the e-mail address under which push services reach the operator; empty: no such notices.
        hosts: the push services that the server may call, as host names with a port unless it is 443; ``*.`` at the
            beginning stands for any names.
    """

    contact: str = ""
    hosts: tuple[str, ...] = PUSH_SERVICES

    def service_of(self, endpoint: str) -> str | None:
        """Return which of the hosts has a URL that a browser names; ``None`` if the server may not call it."""
        if (found := _ENDPOINT.fullmatch(endpoint)) is None:
            return None
        host = found["host"].removesuffix(_USUAL_PORT)
        return next((allowed for allowed in self.hosts if fnmatchcase(host, allowed)), None)


NO_PUSH = PushSettings()
"""No notices to closed pages."""


def make_push_settings(contact: str, more_hosts: tuple[str, ...]) -> PushSettings:
    """Return the settings for a contact and further push services. Raises :class:`ParlourError`."""
    if more_hosts and not contact:
        raise ParlourError("--push-host needs --push-contact, the address under which push services reach you")
    if contact and not _CONTACT.fullmatch(contact):
        raise ParlourError(f"--push-contact {contact}: it is an e-mail address, such as cards@example.org")
    for host in more_hosts:
        if not _HOST.fullmatch(host):
            raise ParlourError(f"--push-host {host}: it is a host name, such as push.example.org or *.example.org")
    if contact and find_spec("pywebpush") is None:
        raise ParlourError("--push-contact needs the package pywebpush: pip install 'parlour[push]'")
    return PushSettings(contact, (*PUSH_SERVICES, *(host.removesuffix(_USUAL_PORT) for host in more_hosts)))
