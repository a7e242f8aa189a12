"""Compute a large stage with the limit of CPU that the site sets: `python -m tests.apps.ranking.large_stage RATERS`.

Each rater marks all 84 performances, one mark in seven late. The marks are arrays in memory, without a database. Writes
the CPU seconds used, the limit and the number of ranked performances as JSON.
"""

import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import django
import numpy as np

if TYPE_CHECKING:
    from apps.ranking.counting import Counting

MODULE = "tests.apps.ranking.large_stage"
PERFORMANCES, PIECES = 84, 4
A_DAY_HAS = 10  # performances
FIRST, EVENING, LATEST = datetime(2026, 10, 3, 16, tzinfo=UTC), timedelta(hours=6), timedelta(days=4)


def main(raters: int) -> dict[str, float]:
    """Compute as `services.ranking_compute` does between its queries. Raises CpuLimitReached at the limit."""
    from apps.ranking import method2
    from apps.ranking.cpu_limits import cpu_limited
    from apps.ranking.limits import CPU_A_MARK, CPU_LEAST
    from apps.ranking.publication import SECRET, publication
    from apps.ranking.weighing import weights_of

    counting = _counting(raters)
    limit, begun = CPU_LEAST + CPU_A_MARK * len(counting.marks), time.process_time()
    with cpu_limited(limit):
        published = publication(counting, weights_of(counting, UTC))
        assert published.input_digest
        made = method2.ranking(published.marks, stage=1, run=1)
        assert published.commitment(secret := bytes(SECRET))
        assert published.file(secret)
    ranked = sum(row.rank is not None for row in made.rows)
    return {"cpu": time.process_time() - begun, "limit": limit, "marks": len(counting.marks), "ranked": ranked}


def _counting(raters: int) -> "Counting":
    """Return the marks of these raters for all performances of ten a day."""
    from apps.competition.selectors.public.stages import FieldAppearance
    from apps.ranking.counting import ApprovedMark, CountedMark, Counting

    chance = np.random.default_rng(raters)
    heard = chance.normal(17, 1.8, PERFORMANCES)[None, :, None] + chance.normal(0, 2, (raters, 1, 1))
    heard = heard + chance.normal(0, 2, (raters, PERFORMANCES, PIECES))
    points = np.rint(heard).clip(1, 25).sum(axis=2).astype(int).tolist()
    is_late = (chance.random((raters, PERFORMANCES)) < 1 / 7).tolist()
    delays = chance.random((raters, PERFORMANCES)).tolist()
    begins = [FIRST + timedelta(days=at // A_DAY_HAS, minutes=20 * (at % A_DAY_HAS)) for at in range(PERFORMANCES)]

    def marks() -> Iterator[CountedMark]:
        for rater in range(raters):
            for at, begin in enumerate(begins):
                given_at = begin + delays[rater][at] * (LATEST if is_late[rater][at] else EVENING)
                yield CountedMark(rater, ApprovedMark(at, points[rater][at], PIECES, given_at))

    return Counting(
        field=tuple(
            FieldAppearance(at, at, f"Pianist {at}", "Poland", "", 1, "Stage I", has_begun=True)
            for at in range(PERFORMANCES)
        ),
        marks=tuple(marks()),
        left_out=(),
        not_counted={},
        due_in=None,
        decisions={},
        evenings={at: ((begin, begin + EVENING),) for at, begin in enumerate(begins)},
        blind=frozenset(),
        blocks={},
        registered={},
    )


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(main(int(sys.argv[1]))))
