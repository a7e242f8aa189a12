"""Compute a stage with one version of the method: `python -m benchmarks.ranking_versions 2 STAGE` prints its cost.

A process of its own for each version, with the same marks of the benchmark's database: CPU seconds of the queries, CPU
seconds of the rest (weights, ranking and file), and MiB above the marks. It stores no run.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from apps.ranking.counting import Counting


def version_1(counting: "Counting") -> bytes:
    """Compute as the site did with version 1, and return the file."""
    from apps.ranking import method
    from apps.ranking.publication import packed, performer_labels, written

    labels = performer_labels(counting.field)
    marks = sorted((str(each.user_id), labels[each.appearance_id], each.mark) for each in counting.marks)
    assert method.digest_of(method.sheets_of(marks))  # the site compares it with the newest run's
    assert method.ranking(marks).rows
    return packed(written(("rater", "performer", "mark"), marks))


def version_2(counting: "Counting") -> bytes:
    """Compute as the site does, and return the file."""
    from apps.core.database.fields import venue_zone
    from apps.ranking import method2
    from apps.ranking.publication import SECRET, publication
    from apps.ranking.weighing import weights_of

    published, secret = publication(counting, weights_of(counting, venue_zone())), os.urandom(SECRET)
    assert published.input_digest
    assert method2.ranking(published.marks, stage=1, run=1).rows
    assert published.commitment(secret)
    return published.file(secret)


VERSIONS: dict[int, Callable[["Counting"], bytes]] = {1: version_1, 2: version_2}


def measured(version: int, stage_id: int) -> dict[str, float]:
    """Return the cost of one computation."""
    from apps.ranking.selectors import stage_counting

    begun = time.process_time()
    counting = stage_counting(stage_id=stage_id)
    read = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert VERSIONS[version](counting)
    cpu = time.process_time() - read
    mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"marks": len(counting.marks), "read": read - begun, "cpu": cpu, "mib": mib}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(measured(*map(int, sys.argv[1:]))))
