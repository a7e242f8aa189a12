"""`python -m tests.e2e.attached`: `project.launcher.launch`, ending with whoever holds its stdin.

A run of tests that is interrupted cannot tidy up: xdist kills its workers. The site has one page more: `/notes`, where
a note can be left (tests/notes.py).
"""

import os
import threading

from project.config import Environment
from project.launcher import launch

prepare = launch.prepare


def prepare_with_notes(environment: Environment) -> None:
    """Prepare the site, and its further page."""
    prepare(environment)
    from components import routes
    from tests.notes import Book, notes_route

    pages = (*routes.table(), notes_route(Book(), "/notes"))
    routes.table = lambda: pages


def wait_for_the_end() -> None:
    """Return never: end this process once nobody holds the pipe any more."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    launch.prepare = prepare_with_notes
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    launch.main()
