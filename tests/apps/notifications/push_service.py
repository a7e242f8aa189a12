"""A push service on loopback over TLS, and browsers that can read what it received."""

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from json import loads
from pathlib import Path
from secrets import token_bytes, token_urlsafe
from threading import Event, Thread
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from apps.notifications.push.base64url import decoded, encoded

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Received:
    """A request that the push service got."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes
    at: float = field(default_factory=time.monotonic)

    def claims(self) -> dict[str, Any]:
        """Verify the signature of the site and return its claims."""
        assert Vapid02.verify(self.headers["authorization"])
        token = self.headers["authorization"].split("t=")[1].split(",")[0]
        claims: dict[str, Any] = loads(decoded(token.split(".")[1]))
        return claims


@dataclass
class Browser:
    """A browser's keys and its address at a push service."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: token_bytes(16))

    @property
    def keys(self) -> dict[str, str]:
        """Return the endpoint and the keys as the browser gives them to the page."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": encoded(point), "auth": encoded(self.secret)}

    def read(self, received: Received) -> dict[str, str]:
        """Return the decrypted content."""
        assert received.headers["content-encoding"] == "aes128gcm"
        content = http_ece.decrypt(
            received.body, private_key=self.private, auth_secret=self.secret, version="aes128gcm"
        )
        shown: dict[str, str] = loads(content)
        return shown


@dataclass
class PushService:
    """A running push service. `answers` are status and headers by path: 201 without an entry, None never answers.

    While `pause` is set, every answer is a header each so many seconds, without an end.
    """

    origin: str = ""
    authority: str = ""
    answers: dict[str, tuple[int, dict[str, str]] | None] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    ends: Event = field(default_factory=Event)
    pause: float = 0.0
    is_silent: bool = False  # None for all paths

    def browser(self) -> Browser:
        """Return a new browser with an address at this service."""
        return Browser(f"{self.origin}/{token_urlsafe(12)}")

    @property
    def last_at(self) -> float:
        """When the last request was received (`time.monotonic`)."""
        return self.received[-1].at

    def answer(self, browser: Browser, status: int, **headers: str) -> None:
        """Answer messages for this browser with this status."""
        self.answers[browser.endpoint.removeprefix(self.origin)] = (status, headers)

    def never_answer(self, browser: Browser) -> None:
        """Take messages for this browser and leave them without an answer until the end of the test."""
        self.answers[browser.endpoint.removeprefix(self.origin)] = None

    def for_browser(self, browser: Browser) -> list[Received]:
        """Return the requests for this browser."""
        return [request for request in self.received if self.origin + request.path == browser.endpoint]


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """Run a push service. Those of one folder have one certificate."""
    service = PushService(authority=str(folder / "authority.pem"))
    key_file = _certificate(Path(service.authority), folder / "key.pem")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            named = {name.lower(): value for name, value in self.headers.items()}
            service.received.append(Received(self.path, named, body))
            answer = service.answers.get(self.path, (201, {}))
            if service.pause:
                self.send_response(201)
                self.flush_headers()
                with suppress(OSError):  # the site has ended the exchange
                    while not service.ends.wait(service.pause):
                        self.wfile.write(b"X-Wait: 1\r\n")
                return
            if answer is None or service.is_silent:
                service.ends.wait()
                return
            self.send_response(answer[0])
            for name, value in {**answer[1], "Content-Length": "0"}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Suppress the log."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(service.authority, key_file)
    with ThreadingHTTPServer((LOOPBACK, 0), Handler) as server:
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True)
        service.origin = f"https://{LOOPBACK}:{server.server_address[1]}"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield service
        finally:
            service.ends.set()
            server.shutdown()


def _certificate(authority: Path, key_file: Path) -> Path:
    """Write a certificate for the loopback address and its key; return the key's file."""
    if authority.exists():
        return key_file
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push service of the tests")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(LOOPBACK))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    authority.write_bytes(made.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return key_file
