"""CPU and memory of both versions, each in a process of its own: `python -m benchmarks.ranking_study.cost 2 10000`."""

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

from apps.ranking import method, method2
from project.config import ROOT

RATERS, PERFORMANCES, PIECES = (400, 2_000, 10_000), 84, 4


def measured(version: int, raters: int) -> dict[str, float]:
    """Compute a ranking of everyone's marks for all performances; return its CPU seconds and MiB."""
    chance = np.random.default_rng(raters)
    heard = chance.normal(17, 1.8, PERFORMANCES)[None, :, None] + chance.normal(0, 2, (raters, 1, 1))
    heard = heard + chance.normal(0, 2, (raters, PERFORMANCES, PIECES))
    points = np.rint(heard).clip(1, 25).sum(axis=2).astype(int).tolist()
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    if version == method.VERSION:
        method.ranking(
            (str(rater), f"P{at:02}", own / PIECES)
            for rater, sheet in enumerate(points)
            for at, own in enumerate(sheet)
        )
    else:
        method2.ranking(
            (
                method2.Given(str(rater), f"P{at:02}", own, PIECES)
                for rater, sheet in enumerate(points)
                for at, own in enumerate(sheet)
            ),
            stage=1,
            run=1,
        )
    cpu = time.process_time() - begun
    return {"cpu": cpu, "mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}


def table() -> str:
    """Return a table of both versions by number of raters."""
    lines = ["| raters | version 1 | version 2 | ratio of CPU, memory |", "|---|---|---|---|"]
    for raters in RATERS:
        first, second = (_apart(version, raters) for version in (1, 2))
        cells = [f"{each['cpu']:.1f} s, {each['mib']:.0f} MiB" for each in (first, second)]
        ratios = [second[name] / first[name] for name in ("cpu", "mib")]
        lines.append(f"| {raters:,} | {' | '.join(cells)} | {ratios[0]:.2f}, {ratios[1]:.2f} |")
    return "\n".join(lines)


def _apart(version: int, raters: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ranking_study.cost", str(version), str(raters)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(measured(*map(int, sys.argv[1:]))))
