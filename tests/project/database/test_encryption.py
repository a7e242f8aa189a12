"""`sslmode` in DATABASE_URL applies to every connection of a process, including the one that listens."""

import asyncio
import struct
from pathlib import Path

from tests.project.small import small_site_in_thread

SSL_REQUEST = struct.pack("!II", 8, 80877103)  # PostgreSQL's protocol, "SSLRequest"


async def test_unencrypted_server_receives_no_credentials(tmp_path: Path) -> None:
    begins: list[bytes] = []
    sent_openly: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begins.append(await reader.read(len(SSL_REQUEST)))
        writer.write(b"N")
        sent_openly.append(await reader.read(1000))
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = f"postgresql://parterre:s3cr3t@127.0.0.1:{port}/parterre?sslmode=require"
    async with small_site_in_thread(tmp_path, address=address) as small:
        await asyncio.to_thread(small.until, "bus: connection lost")
    server.close()
    assert set(begins) - {b""} == {SSL_REQUEST}  # the process may end between a connection and its first bytes
    assert set(sent_openly) == {b""}
