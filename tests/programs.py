"""Find the programs that tests start, install them with apt if possible, or skip the test."""

import fcntl
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest

from project.database.embedded import file_lock

PATIENCE = 60.0  # seconds
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


def program(package: str, *names: str) -> str:
    """Return the path of the first of these programs that exists; by default the program has the package's name."""
    wanted = names or (package,)
    found = _found(wanted)
    if not found:
        with file_lock(Path(gettempdir()) / "parterre-apt.lock", fcntl.LOCK_EX):  # one worker of a run installs
            found = _found(wanted) or (_found(wanted) if apt_install(package) else None)
    if not found:
        pytest.skip(f"left out: there is no {' or '.join(wanted)} on this machine, and apt could not install one")
    return found


def apt_install(package: str) -> bool:
    """Try to install a Debian package without starting its service. Return whether that succeeded."""
    apt = shutil.which("apt-get")
    if not apt or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    commands = (["update"], ["install", "--yes", "--no-install-recommends", package])
    return not any(
        subprocess.run([apt, *arguments], check=False, env=environment, stdout=sys.stderr).returncode
        for arguments in commands
    )


def listens(port: int) -> bool:
    """Return whether a process accepts connections at this loopback port."""
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
    except OSError:
        return False
    return True


def _found(names: tuple[str, ...]) -> str | None:
    return next(filter(None, (shutil.which(name, path=PLACES) for name in names)), None)
