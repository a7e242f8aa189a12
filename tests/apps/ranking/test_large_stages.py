"""Test that a large stage is computed within its limit of CPU time on a busy machine.

The suite computes a fiftieth of the marks; `make soak` computes 10,000 raters with `RATERS=10000` on busy cores.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from apps.ranking.limits import CPU_A_MARK, CPU_LEAST
from project.config import ROOT
from tests.apps.ranking.large_stage import MODULE, PERFORMANCES

MOST = 10_000
RATERS = int(os.environ.get("RATERS", "200"))
BUSY = "while True: sum(number * number for number in range(100_000))"


@contextmanager
def loaded() -> Iterator[None]:
    """Keep every core busy during this context, with processes of the computation's priority."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
        assert all(other.poll() is None for other in others)
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_large_stage_is_computed_within_its_share_of_the_limit():
    command = [sys.executable, "-m", MODULE, str(RATERS)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "project.settings"}
    with loaded() if RATERS >= MOST else nullcontext():
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    sys.stderr.write(f"{RATERS:,} raters: {report['cpu']:.1f} s of CPU, limit {report['limit']:.0f} s\n")
    assert (report["marks"], report["ranked"]) == (RATERS * PERFORMANCES, PERFORMANCES)
    assert report["limit"] == CPU_LEAST + CPU_A_MARK * report["marks"]
    whole = CPU_LEAST + CPU_A_MARK * MOST * PERFORMANCES
    assert report["cpu"] < whole * RATERS / MOST
