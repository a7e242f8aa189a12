"""`sslmode` in DATABASE_URL applies to every connection of a process, including the one that listens."""

import asyncio
import struct
from pathlib import Path

from tests.project.small import Small

SSL_REQUEST = struct.pack("!II", 8, 80877103)  # PostgreSQL's protocol, "SSLRequest"


async def test_no_connection_goes_on_without_the_encryption_that_was_asked_for(tmp_path: Path) -> None:
    """A server that refuses to encrypt receives neither a user name nor a password."""
    begins: list[bytes] = []
    sent_openly: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begins.append(await reader.read(len(SSL_REQUEST)))
        writer.write(b"N")
        sent_openly.append(await reader.read(1000))
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    small = Small(tmp_path, f"postgresql://parterre:s3cr3t@127.0.0.1:{port}/parterre?sslmode=require")
    try:
        await asyncio.to_thread(small.start)
        await asyncio.to_thread(small.until, "bus: connection lost")
    finally:
        await asyncio.to_thread(small.leave)
        server.close()
    assert set(begins) - {b""} == {SSL_REQUEST}  # the process may end between a connection and its first bytes
    assert set(sent_openly) == {b""}
