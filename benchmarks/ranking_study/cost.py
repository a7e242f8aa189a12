"""CPU and memory of both versions, each in a process of its own: `python -m benchmarks.ranking_study.cost 2 10000 0`.

Version 2 is measured as the site computes it: the weights of accounts, then the ranking with them.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from apps.ranking import method, method2
from apps.ranking.counting import ApprovedMark, CountedMark, Counting
from apps.ranking.weighing import FULL, weights_of
from project.config import ROOT

RATERS, PERFORMANCES, PIECES = ((400, 0), (2_000, 0), (2_000, 400), (10_000, 0)), 84, 4  # listeners, brigade
A_DAY_HAS, OTHERS = 10, 5  # performances; that a member of the brigade marks beside the favourite
FIRST, EVENING, LATEST = datetime(2026, 10, 3, 16, tzinfo=UTC), timedelta(hours=6), timedelta(days=4)
NIGHT = FIRST + timedelta(days=12)
EVENINGS = {at: FIRST + timedelta(days=at // A_DAY_HAS, minutes=20 * (at % A_DAY_HAS)) for at in range(PERFORMANCES)}


def counting(raters: int, brigade: int) -> Counting:
    """Return the marks of listeners for all performances, one in seven late, and of a brigade for performance 0."""
    chance = np.random.default_rng(raters)
    heard = chance.normal(17, 1.8, PERFORMANCES)[None, :, None] + chance.normal(0, 2, (raters + brigade, 1, 1))
    heard = heard + chance.normal(0, 2, (raters + brigade, PERFORMANCES, PIECES))
    points = np.rint(heard).clip(1, 25).sum(axis=2).astype(int)
    delays = chance.random((raters + brigade, PERFORMANCES))
    is_late = chance.random((raters + brigade, PERFORMANCES)) < 1 / 7
    points[raters:, 0] = 25 * PIECES

    def marks() -> Iterator[CountedMark]:
        for rater in range(raters + brigade):
            others = chance.choice(PERFORMANCES - 1, OTHERS, replace=False) + 1
            own = range(PERFORMANCES) if rater < raters else [0, *others.tolist()]
            for at in own:
                delay = delays[rater, at].item() * (LATEST if is_late[rater, at] else EVENING)
                given_at = EVENINGS[at] + delay if rater < raters else NIGHT + delay
                yield CountedMark(rater, ApprovedMark(at, points[rater, at].item(), PIECES, given_at))

    evenings = {at: ((start, start + EVENING),) for at, start in EVENINGS.items()}
    return Counting(
        field=(),
        marks=tuple(marks()),
        left_out=(),
        not_counted={},
        due_in=None,
        decisions={},
        evenings=evenings,
        blind=frozenset(),
        blocks={},
        registered={},
    )


def measured(version: int, raters: int, brigade: int) -> dict[str, float]:
    """Compute a ranking of these marks; return its CPU seconds, those of the weights, and MiB."""
    stage = counting(raters, brigade)
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    weighed = begun
    if version == method.VERSION:
        method.ranking((str(each.user_id), f"P{each.appearance_id:02}", each.mark) for each in stage.marks)
    else:
        weights = weights_of(stage, UTC)
        weighed = time.process_time()
        method2.ranking(
            (
                method2.Given(
                    str(each.user_id),
                    f"P{each.appearance_id:02}",
                    each.given.points,
                    each.given.pieces,
                    weights.get(each.user_id, FULL).quarters,
                )
                for each in stage.marks
            ),
            stage=1,
            run=1,
        )
    mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"cpu": time.process_time() - begun, "weights": weighed - begun, "mib": mib}


def table() -> str:
    """Return a table of both versions by number of raters."""
    lines = ["| raters | version 1 | version 2 | of it weights | ratio of CPU, memory |", "|---" * 5 + "|"]
    for raters, brigade in RATERS:
        first, second = (_apart(version, raters, brigade) for version in (1, 2))
        cells = [f"{each['cpu']:.1f} s, {each['mib']:.0f} MiB" for each in (first, second)]
        ratios = [second[name] / first[name] for name in ("cpu", "mib")]
        name = f"{raters:,}" + (f" and a brigade of {brigade}" if brigade else "")
        lines.append(f"| {name} | {' | '.join(cells)} | {second['weights']:.1f} s | {ratios[0]:.2f}, {ratios[1]:.2f} |")
    return "\n".join(lines)


def _apart(version: int, *people: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ranking_study.cost", str(version), *map(str, people)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(measured(*map(int, sys.argv[1:]))))
