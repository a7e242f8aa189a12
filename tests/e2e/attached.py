"""`python -m tests.e2e.attached`: `project.launch`, ending with the process that holds the other end of its stdin.

A run of tests that is interrupted cannot tidy up: xdist kills its workers.
"""

import os
import threading

from project.launch import main


def wait_for_the_end() -> None:
    """Return never: end this process once nobody holds the pipe any more."""
    os.read(0, 1)
    os._exit(1)


threading.Thread(target=wait_for_the_end, daemon=True).start()
main()
