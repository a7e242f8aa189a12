"""`python -m tests.e2e.attached` runs `project.launcher.launch` and exits when its stdin closes.

An interrupted test run cannot clean up, because xdist kills its workers. The site has an additional page `/notes`
(tests/notes.py).
"""

import os
import threading

from project.config import Environment
from project.launcher import launch

# Seconds: on a busy machine a process of lower priority does not end in the site's time, and the site logs an error.
RANKING_LONGEST = 300.0
prepare = launch.prepare


def prepare_with_notes(environment: Environment) -> None:
    """Prepare the site and add the `/notes` page."""
    prepare(environment)
    from components import routes
    from project.process import ranking_worker
    from tests.notes import Book, notes_route

    pages = (*routes.table(), notes_route(Book(), "/notes"))
    routes.table = lambda: pages
    ranking_worker.PRIORITY, ranking_worker.LONGEST = 0, RANKING_LONGEST


def wait_for_the_end() -> None:
    """End this process when the pipe closes; this function never returns."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    launch.prepare = prepare_with_notes
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    launch.main()
