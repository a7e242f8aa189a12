"""Compute a ranking, and wait for a pipe's writer where the method begins: `python -m ... PIPE STAGE --json`.

More than ten marks are many. A test kills this process while it waits.
"""

import sys
from pathlib import Path
from typing import Any

import django

MODULE = "tests.apps.ranking.waiting_computation"


def main(pipe: Path, arguments: list[str]) -> None:
    """Compute like `manage.py ranking compute`."""
    from django.core.management import call_command

    from apps.ranking import method2, services

    ranking = method2.ranking

    def waiting(*marks: Any, **seeds: Any) -> method2.Ranking:
        pipe.read_bytes()
        return ranking(*marks, **seeds)

    vars(services)["COUNTED_LONG"], method2.ranking = 10, waiting
    call_command("ranking", "compute", *arguments)


if __name__ == "__main__":
    django.setup()
    main(Path(sys.argv[1]), sys.argv[2:])
