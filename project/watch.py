"""What `make dev` starts: the site with DEBUG, started again when a source of the server changes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from project import embedded, prepare
from project.environment import ROOT, Refusal

PACKAGES = ("apps", "components", "project")
PERIOD = 0.5  # seconds between two looks at the sources
SERVER = [sys.executable, "-m", "project.launch"]

Seen = dict[Path, int]


def server_sources() -> Iterator[Path]:
    """Every file that only a new process reads again."""
    for package in PACKAGES:
        for folder, folders, names in os.walk(ROOT / package):
            folders[:] = [name for name in folders if name not in {"node_modules", "static", "__pycache__"}]
            yield from (Path(folder, name) for name in names if name.endswith((".py", ".html", ".csv", ".mo")))


def seen(files: Iterator[Path] | list[Path]) -> Seen:
    """When each of these files was written last; one that vanishes meanwhile is not there."""
    times: Seen = {}
    for file in files:
        try:
            times[file] = file.stat().st_mtime_ns
        except FileNotFoundError:
            continue
    return times


def client_refresh() -> None:
    """Build the client again; a mistake in it is shown, and the site runs on with the last one."""
    try:
        prepare.client_build()
    except prepare.SetUpError as error:
        sys.stderr.write(f"{error}\n")


def stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server and wait for it."""
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
    server.wait()


def watch() -> None:
    """Keep a server running that is as new as its sources; one that fell over is tried again after a change."""
    # A session of its own, so that Ctrl-C reaches only us; nobody minds sockets that close at once here.
    environment = {**os.environ, "DEBUG": "1", "DRAIN_SECONDS": os.environ.get("DRAIN_SECONDS", "0.1")}
    server = subprocess.Popen(SERVER, cwd=ROOT, env=environment, start_new_session=True)  # noqa: S603
    try:
        code, client = seen(server_sources()), seen(prepare.client_sources())
        while True:
            time.sleep(PERIOD)
            if client != (now := seen(prepare.client_sources())):
                client = now
                client_refresh()
            if code != (now := seen(server_sources())):
                code = now
                stop(server)
                server = subprocess.Popen(SERVER, cwd=ROOT, env=environment, start_new_session=True)  # noqa: S603
    finally:
        stop(server)


def main() -> None:
    """Watch until Ctrl-C; the database stays up between two servers."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with embedded.database():
            watch()
    except Refusal as refusal:
        sys.exit(str(refusal))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
