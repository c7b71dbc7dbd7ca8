"""Encrypted messages to browsers by their push services (RFC 8030, RFC 8291, RFC 8292)."""

import base64
import socket
from contextlib import suppress
from threading import Timer
from typing import Any

import requests
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import HTTPError

from parlour.server.store.people.subscriptions import Subscription
from parlour.server.table.push.notices import Delivery

ANSWER_SECONDS = 10.0
"""Time limit for a connection to a push service, and another one for the head of its answer."""
_POINT_BYTES = 65
_AUTH_BYTES = 16
_GONE = (404, 410)
_OVERLOADED = 429
_SERVER_ERRORS = 500


class Sender:
    """The sender of a room; its methods block."""

    def __init__(self, key: str, contact: str) -> None:
        """Use a private key in PEM, and the e-mail address of the operator."""
        self._vapid = Vapid02.from_pem(key.encode())
        self._contact = contact

    @property
    def public_key(self) -> str:
        """The public key by which a browser subscribes, in base64url."""
        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def send(self, to: Subscription, text: str, topic: str, seconds: int) -> Delivery:
        """Send a message (:meth:`.NoticeSender.send`)."""
        browser = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
        with _Session() as session:
            try:
                webpush(
                    browser,
                    text,
                    vapid_private_key=self._vapid,
                    vapid_claims={"sub": f"mailto:{self._contact}"},
                    timeout=ANSWER_SECONDS,
                    ttl=seconds,
                    headers={"Topic": topic, "Urgency": "high"},
                    requests_session=session,
                )
            except WebPushException as error:
                return _delivery_of(error.response.status_code if error.response is not None else 0)
            except (requests.RequestException, HTTPError):
                return Delivery.LATER
        return Delivery.SENT


class _Connection(HTTPSConnection):
    """A connection with a time limit for the whole head of an answer; the library limits each part of it."""

    def getresponse(self) -> Any:
        """Return the answer, without its body."""
        timer = Timer(ANSWER_SECONDS, self._shut, [self.sock])
        timer.daemon = True
        timer.start()
        try:
            return super().getresponse()
        finally:
            timer.cancel()

    @staticmethod
    def _shut(connected: socket.socket) -> None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)


class _Adapter(HTTPAdapter):
    def get_connection_with_tls_context(self, *arguments: Any, **named: Any) -> Any:
        pool = super().get_connection_with_tls_context(*arguments, **named)
        pool.ConnectionCls = _Connection
        return pool


class _Session(requests.Session):
    """A session that reads only the status of an answer.

    It follows no redirections, because only the push services that the operator allows are called. A password of the
    operator's ``.netrc`` would replace the signature.
    """

    def __init__(self) -> None:
        super().__init__()
        self.auth = lambda request: request
        self.mount("https://", _Adapter())

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return ``None``: no redirection is followed."""
        return None

    def post(self, *arguments: Any, **named: Any) -> requests.Response:
        """Return the status of the answer."""
        status = requests.Response()
        with super().post(*arguments, stream=True, **named) as answer:
            status.status_code = answer.status_code
        return status


def new_push_key() -> str:
    """Return a new private key in PEM."""
    vapid = Vapid02()
    vapid.generate_keys()
    return str(vapid.private_pem().decode())


def are_valid_keys(p256dh: str, auth: str) -> bool:
    """Return whether the keys are an uncompressed point on P-256 and a secret of 16 bytes, both in base64url."""
    try:
        point = _decoded(p256dh)
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
        return len(point) == _POINT_BYTES and len(_decoded(auth)) == _AUTH_BYTES
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _delivery_of(status: int) -> Delivery:
    if status in _GONE:
        return Delivery.GONE
    return Delivery.LATER if status == _OVERLOADED or status >= _SERVER_ERRORS else Delivery.REFUSED
