"""`python -m tests.e2e.attached` runs `project.launcher.launch` and exits when its stdin closes.

An interrupted test run cannot clean up, because xdist kills its workers. The site has the additional pages `/notes`
(tests/notes.py) and `/styleguide`.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from functools import partial

from project.config import Environment
from project.launcher import launch

# Seconds: on a busy machine a process of lower priority does not end in the site's time, and the site logs an error.
RANKING_LONGEST = 300.0
prepare = launch.prepare


def prepare_with_notes(environment: Environment) -> None:
    """Prepare the site, add its pages, hash passwords in one round, and compute rankings in the site's process.

    Behind a pooler a child process computes them, because their locks need a database session of its own.
    """
    prepare(environment)
    from django.conf import settings

    from apps.accounts.sign_in.passwords import Hasher
    from components import routes
    from project.process import ranking_worker
    from tests.hashing import QuickHasher
    from tests.notes import Book, notes_route

    development = (route for route in routes._public() if route.development)
    pages = (*routes.table(), *development, notes_route(Book(), "/notes"))
    routes.table = lambda: pages
    Hasher.iterations = QuickHasher.iterations
    ranking_worker.PRIORITY, ranking_worker.LONGEST = 0, RANKING_LONGEST
    if not settings.POOLED:
        ranking_worker.computation = rankings_compute


async def rankings_compute(stages: Sequence[int]) -> Mapping[int, float | None]:
    """Compute these stages in a thread. The site's child process costs a start of Django each time.

    `tests/project/process/test_ranking_worker.py` tests the child process.
    """
    from apps.core.threads import in_thread
    from apps.ranking.services import ranking_compute

    return {stage: (await in_thread(partial(ranking_compute, stage_id=stage))).due_in for stage in stages}


def wait_for_the_end() -> None:
    """End this process when the pipe closes; this function never returns."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    launch.prepare = prepare_with_notes
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    launch.main()
