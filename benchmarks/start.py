"""The start of a web process on a filled database: time from exec to `/readyz`, and its memory then."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import clocks, site_processes
from project.config import ROOT

RUNS = 3
LOOKS_EVERY = 0.02  # seconds between two requests to `/readyz`


@dataclass(frozen=True, slots=True)
class Start:
    """One start: CPU and wall seconds until it is ready; then its resident and its proportional memory in MiB."""

    cpu: float
    wall: float
    resident: float
    proportional: float


def is_ready(port: int) -> bool:
    """Return whether the process at this port answers that it is ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def proportional(pid: int) -> float:
    """Return the memory of a process in KiB, with its share of pages that several processes map."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("Pss:"))


def started(opened: site_processes.House) -> Start:
    """Start a process of the site as an operator does, and end it once it is ready. Exits if it ends by itself."""
    port = site_processes.free_port()
    variables = opened.environment(port, "site") | {"DJANGO_SETTINGS_MODULE": "project.settings"}
    with (opened.folder / "start.log").open("ab") as output:
        begun = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "project.launcher.launch"], cwd=ROOT, env=variables, stdin=subprocess.DEVNULL,
            stdout=output, stderr=output,
        )  # fmt: skip
    try:
        while not is_ready(port):
            if process.poll() is not None:
                raise SystemExit(f"A server did not start:\n{(opened.folder / 'start.log').read_text()}")
            time.sleep(LOOKS_EVERY)
        wall, pid = time.monotonic() - begun, process.pid
        return Start(clocks.cpu(pid), wall, clocks.resident(pid) / 1024, proportional(pid) / 1024)
    finally:
        process.terminate()
        process.wait()


def measured(opened: site_processes.House) -> Start:
    """Return the medians of RUNS starts. One before them collects the static files and compiles the sources."""
    started(opened)
    runs = [started(opened) for _ in range(RUNS)]
    return Start(*(median(getattr(run, name) for run in runs) for name in Start.__slots__))
