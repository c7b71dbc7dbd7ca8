"""Encrypted messages to browsers by their push services (RFC 8030, RFC 8291, RFC 8292)."""

import base64

import requests
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from parlour.server.store.people.subscriptions import Subscription
from parlour.server.table.push.notices import Delivery

ANSWER_SECONDS = 10.0
"""Time limit for an answer of a push service."""
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
        with requests.Session() as session:
            session.max_redirects = 0  # only the push services that the operator allows are called
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
            except requests.TooManyRedirects:
                return Delivery.REFUSED
            except requests.RequestException:
                return Delivery.LATER
        return Delivery.SENT


def new_push_key() -> str:
    """Return a new private key in PEM."""
    vapid = Vapid02()
    vapid.generate_keys()
    return str(vapid.private_pem().decode())


def are_valid_keys(p256dh: str, auth: str) -> bool:
    """Return whether the keys of a browser are a point on P-256 and a secret of 16 bytes, both in base64url."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == _AUTH_BYTES
    except ValueError:
        return False


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _delivery_of(status: int) -> Delivery:
    if status in _GONE:
        return Delivery.GONE
    return Delivery.LATER if status == _OVERLOADED or status >= _SERVER_ERRORS else Delivery.REFUSED
