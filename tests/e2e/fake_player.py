"""A server in place of YouTube's player, to which the browser of the journeys resolves its name.

Playwright's interception of requests would replace it, but turns off the browser's cache: each page of a journey then
requests and compiles all scripts again.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "www.youtube-nocookie.com"
PLAYER = f"https://{HOST}"
# It records its messages and replies to `listening` with `onReady`.
PAGE = b"""<!doctype html><title>player</title><script>
window.heard = [];
addEventListener("message", ({ data, source, origin }) => {
  const message = JSON.parse(data);
  window.heard.push(message);
  if (message.event === "listening") source.postMessage(JSON.stringify({ event: "onReady", id: message.id }), origin);
});
</script>"""
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (
    len(PAGE),
    PAGE,
)


def certificate(folder: Path) -> Path:
    """Write a key and a certificate of its own for HOST into this folder; return the file."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now, day = datetime.now(UTC), timedelta(days=1)
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    signed = built.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False).sign(
        key, hashes.SHA256()
    )
    private = serialization.PrivateFormat.PKCS8
    file = folder / "player.pem"
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return file


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a request with the player's page."""
    with suppress(OSError, asyncio.IncompleteReadError):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWER)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def fake_player(folder: Path) -> AsyncIterator[tuple[str, ...]]:
    """Serve the player; yield the arguments of a browser that takes it for YouTube's."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate(folder))
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    try:
        yield (f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{port}", "--ignore-certificate-errors")
    finally:
        server.close()
