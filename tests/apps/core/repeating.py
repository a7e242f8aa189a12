"""`python -m tests.apps.core.repeating USER KEY TIMES`: the same act, so many times at once, from a process of its own.

It waits for a line on its standard input, so that two of them begin together, and prints one answer a line.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(user: str, key: str, times: str) -> None:
    """Answer the same wish as often as asked."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
    import django
    from django.conf import settings

    settings.POOL["max_size"] = int(times)  # each of them with a connection of its own at the same time
    django.setup()
    from django.db import connection

    from apps.core.commands.command_once import command_once
    from apps.core.models import ErrorLog

    together = Barrier(int(times))

    def work() -> dict[str, int]:
        return {"row": ErrorLog.objects.create(message="once").pk}

    def one(_: int) -> dict[str, int]:
        connection.ensure_connection()
        together.wait(30)
        try:
            return command_once(user_id=int(user), key=UUID(key), name="note", work=work)
        finally:
            connection.close()

    say("ready")
    sys.stdin.readline()
    with ThreadPoolExecutor(int(times)) as pool:
        for answer in pool.map(one, range(int(times))):
            say(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
