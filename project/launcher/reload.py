"""Started by `make dev`: serves the site with DEBUG and restarts it when a source of the server changes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from project.config import ROOT, Refusal
from project.database import embedded
from project.launcher import prepare

PACKAGES = ("apps", "components", "project")
PERIOD = 0.5  # seconds between two checks of the sources
SERVER = (sys.executable, "-m", "project.launcher.launch")

ModifiedTimes = dict[Path, int]


def server_sources() -> Iterator[Path]:
    """Yield all files that only a new process reads again."""
    for package in PACKAGES:
        for folder, folders, names in os.walk(ROOT / package):
            folders[:] = [name for name in folders if name not in {"node_modules", "static", "__pycache__"}]
            yield from (Path(folder, name) for name in names if name.endswith((".py", ".html", ".csv", ".mo")))


def modified_times(files: Iterable[Path]) -> ModifiedTimes:
    """Return the modification times of these files, without files that vanish in between."""
    times: ModifiedTimes = {}
    for file in files:
        try:
            times[file] = file.stat().st_mtime_ns
        except FileNotFoundError:
            continue
    return times


def client_refresh() -> None:
    """Build the client again. After an error, print it and keep the last build."""
    try:
        prepare.client_build()
    except prepare.SetUpError as error:
        sys.stderr.write(f"{error}\n")


def stop(server: "subprocess.Popen[bytes]") -> None:
    """Stop the server and wait for its end."""
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
    server.wait()


@dataclass(frozen=True, slots=True)
class FileWatch:
    """The server's command, the watched files, and the reaction to changes of the client."""

    server: tuple[str, ...]
    code: Callable[[], Iterable[Path]]
    client: Callable[[], Iterable[Path]]
    client_refresh: Callable[[], None]

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the server in a session of its own, so that Ctrl-C reaches only this process."""
        # During development sockets may close at once.
        environment = {"DRAIN_SECONDS": "0.1", **os.environ, "DEBUG": "1"}
        return subprocess.Popen(self.server, cwd=ROOT, env=environment, start_new_session=True)  # noqa: S603


def watch(paths: FileWatch) -> None:
    """Keep a server running with the current sources. A crashed server is started again after a change."""
    code, client = modified_times(paths.code()), modified_times(paths.client())
    server = paths.start()
    try:
        while True:
            time.sleep(PERIOD)
            if client != (now := modified_times(paths.client())):
                client = now
                paths.client_refresh()
            if code != (now := modified_times(paths.code())):
                code = now
                stop(server)
                server = paths.start()
    finally:
        stop(server)


def run(paths: FileWatch) -> None:
    """Watch until Ctrl-C or SIGTERM, then exit quietly. The database keeps running between two servers."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with embedded.database():
            watch(paths)
    except Refusal as refusal:
        sys.exit(str(refusal))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    run(FileWatch(SERVER, server_sources, prepare.client_sources, client_refresh))
