"""Starting the small site, and reading what it writes."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from project.config import ROOT
from tests.e2e.server import Server

SECONDS = 120.0


class Small(Server):
    """The process, its standard input, and every line that it has written."""

    def __init__(self, folder: Path, owner_database_url: str, *changes: str, **environment: str) -> None:
        super().__init__(folder, owner_database_url)
        self.environment |= {"DEBUG": "", "DEMO": ""} | environment
        self.changes = changes
        self.lines: list[str] = []
        self.grown = threading.Condition()
        self.reader: threading.Thread | None = None

    def start(self, errors: IO[Any] | int = subprocess.STDOUT, *, awaited: bool = True) -> None:
        """Start and return once it answers, or at once."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.project.smallsite", str(self.port), *self.changes], cwd=ROOT,
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        )  # fmt: skip
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self.reader.start()
        until = time.monotonic() + SECONDS
        while awaited and not self.answers():
            assert self.process.poll() is None, self.text
            assert time.monotonic() < until, self.text
            time.sleep(0.02)

    def _read(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            with self.grown:
                self.lines.append(line.decode())
                self.grown.notify_all()

    @property
    def text(self) -> str:
        """All that it has written."""
        return "".join(self.lines)

    def until(self, text: str) -> None:
        """Wait until it has written this."""
        with self.grown:
            assert self.grown.wait_for(lambda: text in self.text, SECONDS), self.text

    def release(self) -> None:
        """Let the page that blocks go on."""
        assert self.process
        assert self.process.stdin
        self.process.stdin.write(b"x")
        self.process.stdin.flush()

    def ended(self) -> int:
        """Wait for its end by itself; returns the exit code, and all lines are read."""
        assert self.process
        assert self.reader
        code = self.process.wait(SECONDS)
        self.reader.join()
        self._close()
        return code

    def end_quietly(self) -> int:
        """Ask it to end; returns the exit code."""
        assert self.process
        self.process.terminate()
        return self.ended()

    def stop(self) -> int:
        """The same, as a `Server` calls it."""
        return self.end_quietly()

    def kill(self) -> None:
        """End it as a power cut would, and read what it wrote."""
        self.leave()

    def said(self, since: int = 0) -> str:
        """What it has written, from character `since` on."""
        return self.text[since:]

    def leave(self) -> None:
        """Kill it if it still runs."""
        if self.process is not None:
            self.process.kill()
            self.ended()

    def _close(self) -> None:
        assert self.process
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self.process = None
