"""Starts the small site and reads its output."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any

from django.db import connection

from project.config import ROOT
from tests.e2e import content
from tests.e2e.server import Server
from tests.waiting import wait_until

SECONDS = 120.0


class Small(Server):
    """The process, its standard input, and every line of its output."""

    def __init__(self, folder: Path, owner_database_url: str = "", *changes: str, **environment: str) -> None:
        """Use the test's database unless `owner_database_url` names another one."""
        super().__init__(folder, owner_database_url or content.address(connection.settings_dict["NAME"]))
        self.environment |= {"DEBUG": "", "DEMO": ""} | environment
        self.changes = changes
        self.lines: list[str] = []
        self.grown = threading.Condition()
        self.reader: threading.Thread | None = None

    def start(self, errors: IO[Any] | int = subprocess.STDOUT, *, awaited: bool = True) -> None:
        """Start the process and wait until it answers, unless `awaited` is false."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.project.smallsite", str(self.port), *self.changes], cwd=ROOT,
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        )  # fmt: skip
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()
        if awaited:
            wait_until(self._answers, "the process answers", seconds=SECONDS)

    def _answers(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.text
        return self.answers()

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            with self.grown:
                self.lines.append(line.decode())
                self.grown.notify_all()

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def until(self, text: str) -> None:
        """Wait until the output contains this text."""
        with self.grown:
            assert self.grown.wait_for(lambda: text in self.text, SECONDS), self.text

    def release(self) -> None:
        """Release the page that blocks the event loop."""
        assert self.process
        assert self.process.stdin
        self.process.stdin.write(b"x")
        self.process.stdin.flush()

    def ended(self) -> int:
        """Wait until the process exits by itself. Return the exit code; all output is read by then."""
        assert self.process
        assert self.reader
        code = self.process.wait(SECONDS)
        self.reader.join()
        self._close()
        return code

    def end_quietly(self) -> int:
        """Ask the process to exit, and return the exit code."""
        assert self.process
        self.process.terminate()
        return self.ended()

    def stop(self) -> int:
        return self.end_quietly()

    def kill(self) -> None:
        self.leave()

    def said(self, since: int = 0) -> str:
        """Return the output from character `since` on."""
        return self.text[since:]

    def leave(self) -> None:
        """Kill the process if it still runs."""
        if self.process is not None:
            self.process.kill()
            self.ended()

    def _close(self) -> None:
        assert self.process
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self.process = None


@contextmanager
def small_site(folder: Path, *changes: str, **environment: str) -> Iterator[Small]:
    """Yield a running process on the test's database."""
    small = Small(folder, "", *changes, **environment)
    try:
        small.start()
        yield small
    finally:
        small.leave()


@asynccontextmanager
async def small_site_in_thread(
    folder: Path, *changes: str, address: str = "", **environment: str
) -> AsyncIterator[Small]:
    """Yield a running process; the event loop, which may run a relay to the database, continues during its start."""
    small = Small(folder, address, *changes, **environment)
    try:
        await asyncio.to_thread(small.start)
        yield small
    finally:
        await asyncio.to_thread(small.leave)
