"""Sets up NiceGUI's environment and measures its page."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import busy_session, site_processes
from project.config import ROOT, environment_read

HERE = Path(__file__).parent


def environment() -> Path:
    """The Python of NiceGUI's own environment, made where there is none for the pinned packages."""
    pinned = HERE / "requirements.txt"
    folder = environment_read().data / f"nicegui-{hashlib.sha256(pinned.read_bytes()).hexdigest()[:12]}"
    python, stamp = folder / "bin" / "python", folder / "complete"
    if not stamp.exists():
        print("Setting up NiceGUI's environment", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"]
        done = subprocess.run([python, *install, pinned], check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"NiceGUI could not be installed.\n{done.stderr}")
        stamp.touch()
    return python


def measured(opened: site_processes.House, numbers: list[int]) -> Any:
    """Figures of NiceGUI's sockets by number of viewers, each in a fresh process; what it loses is left out."""
    found: dict[str, Any] = {}
    for number in numbers:
        try:
            found |= measured_at(opened, number)
        except SystemExit as failed:
            print(f"    {number} viewers: {failed}", file=sys.stderr, flush=True)
    return found


def measured_at(opened: site_processes.House, number: int) -> Any:
    """Figures of NiceGUI's sockets for this number of viewers; raises SystemExit when some of them were lost."""
    port, log = site_processes.free_port(), opened.folder / "nicegui.log"
    server = [
        str(environment()),
        str(HERE / "server.py"),
        str(port),
        str(busy_session.APPEARANCES),
        str(busy_session.PIECES),
    ]
    with site_processes.started(server, opened.environment(port, "nicegui"), port, log) as serving:
        order = {
            "kind": "nicegui", "port": port, "pid": serving.pid, "session": 0, "viewers": [number],
            "appearances": list(range(busy_session.APPEARANCES)),
        }  # fmt: skip
        command = [sys.executable, "-m", "benchmarks.nicegui.viewers", json.dumps(order)]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr.strip().rpartition("\n")[2])
        return json.loads(done.stdout)
