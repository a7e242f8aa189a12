"""A Valkey server for one test on loopback, and a relay to it that a test can freeze, cut and reopen."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from tests.e2e.server import free_port
from tests.programs import program
from tests.project.relay import Relay

READY = b"Ready to accept connections"


class Valkey:
    """A Valkey server without persistence."""

    def __init__(self) -> None:
        self.program, self.port = program("redis-server", "valkey-server", "redis-server"), free_port()
        self.address = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        options = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        command = [self.program, *(word for name, value in options.items() for word in (f"--{name}", value))]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self.process.stdout
        said = b""
        while READY not in said:
            line = self.process.stdout.readline()
            assert line, said.decode()
            said += line

    def freeze(self) -> None:
        """Stop answering without closing connections."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Answer again."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Kill the server, as in a crash."""
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _signal(self, number: signal.Signals) -> None:
        assert self.process
        os.kill(self.process.pid, number)


@contextmanager
def serving() -> Iterator[Valkey]:
    """Yield a running Valkey server."""
    made = Valkey()
    made.start()
    try:
        yield made
    finally:
        made.stop()


class Way(Relay):
    """A relay between its own port and Valkey's."""

    def __init__(self, valkey: Valkey) -> None:
        super().__init__(Path(os.devnull).parent)
        self.valkey, self.port = valkey, free_port()
        self.address = f"redis://127.0.0.1:{self.port}/0"

    async def open(self) -> None:
        """Start accepting connections."""
        self.server = await asyncio.start_server(self._begin, "127.0.0.1", self.port)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.valkey.port)


@asynccontextmanager
async def way(valkey: Valkey) -> AsyncIterator[Way]:
    """Yield an open relay to this server."""
    made = Way(valkey)
    await made.open()
    try:
        yield made
    finally:
        await made.close()
