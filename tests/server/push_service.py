"""A push service on this machine, and a browser that subscribes there."""

import base64
import json
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def encoded(data):
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Message:
    """A request of the card room, with the decrypted message."""

    path: str
    headers: dict
    message: dict


@dataclass
class Browser:
    """A browser's subscription with its private key; ``statuses`` are those of the next answers, then 201.

    An answer with a ``beginning`` goes on with ten bytes a second, without an end.
    """

    endpoint: str
    private: object = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = bytes(range(16))
    statuses: list = field(default_factory=list)
    messages: list = field(default_factory=list)
    beginning: str | None = None

    def body(self, key):
        """Return the body of a subscription to notices about the seat with a key."""
        kind = serialization.PublicFormat.UncompressedPoint
        point = self.private.public_key().public_bytes(serialization.Encoding.X962, kind)
        return {"key": key, "endpoint": self.endpoint, "keys": {"p256dh": encoded(point), "auth": encoded(self.secret)}}

    def decrypt(self, body):
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return json.loads(text)


class PushService:
    """An HTTPS server that receives messages for its browsers."""

    def __init__(self, folder):
        certificate, key = _certificate(folder)
        self.bundle = str(certificate)
        self.browsers = {}
        self.open = True
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                browser = service.browsers[self.path]
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                browser.messages.append(Message(self.path, headers, browser.decrypt(body)))
                if browser.beginning is not None:
                    self.drip(browser.beginning)
                    return
                status = browser.statuses.pop(0) if browser.statuses else 201
                self.send_response(status)
                if status in (301, 307):
                    self.send_header("Location", f"https://{service.host}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def drip(self, text):
                self.close_connection = True
                with suppress(OSError):
                    self.wfile.write(text.encode())
                    while service.open:
                        self.wfile.write(b"1")
                        time.sleep(0.1)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def browser(self, name="ann"):
        browser = Browser(f"https://{self.host}/{name}")
        self.browsers[f"/{name}"] = browser
        return browser


@contextmanager
def push_service(folder, monkeypatch):
    """Run a push service whose certificate this process trusts."""
    service = PushService(folder)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", service.bundle)
    try:
        yield service
    finally:
        service.open = False
        service.server.shutdown()
        service.server.server_close()


def _certificate(folder):
    """Write a certificate for localhost and its key. Return their files."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(private.public_key())
    builder = (
        builder.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    )
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    certificate = builder.add_extension(names, critical=False).sign(private, hashes.SHA256())
    files = folder / "push.pem", folder / "push.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    kind = serialization.PrivateFormat.PKCS8
    files[1].write_bytes(private.private_bytes(serialization.Encoding.PEM, kind, serialization.NoEncryption()))
    return files
