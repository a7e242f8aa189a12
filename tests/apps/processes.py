"""Run the same work in two processes at the same time, several times in each, on the test's database.

    answers = run_in_processes("tests.apps.concurrent_commands:act", post.pk, user.pk, key, times=8)

The function is called with its number among all calls and the arguments. Arguments and results are passed as JSON.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib import import_module
from threading import Barrier
from typing import Any

PROCESSES = 2
TIMEOUT = 60.0  # seconds


def run_in_processes(work: str, *arguments: Any, times: int) -> list[Any]:
    """Return what each call of `work` ("module:function") returned, in the order of their numbers.

    `times` are the calls of one process. A call that was refused (ValidationError) returns the sentences.
    """
    from django.conf import settings
    from django.db import connection

    from project.config import ROOT
    from tests.e2e import content

    owner = content.address(connection.settings_dict["NAME"])
    # on a busy machine a call may wait for locks longer than the site's timeout
    address = content.site_address(owner) if settings.POOLED else content.patient_address(owner)
    direct = address if settings.POOLED else ""  # a direct address marks the other one as the pooler's
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "tests.apps.processes", work, json.dumps(arguments)]
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, str(number), str(times)],
                    cwd=ROOT,
                    env={**os.environ, "DATABASE_URL": address, "DATABASE_DIRECT_URL": direct},
                    text=True,
                    **pipes,
                )
            )
            for number in range(PROCESSES)
        ]
        for process in started:
            assert process.stdout.readline() == "ready\n", process.stderr.read()
        for process in started:
            process.stdin.write("\n")
            process.stdin.flush()
        outputs = [process.communicate(timeout=TIMEOUT) for process in started]
    answers = [json.loads(line) for out, _ in outputs for line in out.splitlines()]
    assert len(answers) == PROCESSES * times, outputs
    return answers


def write_line(line: str) -> None:
    """Write a line and flush."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(work: str, arguments: str, process: str, times: str) -> None:
    """Read a line, then call `work` this many times at once, and print one answer a line."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
    import django
    from django.conf import settings

    settings.POOL["max_size"] = int(times)  # each thread uses its own connection at the same time
    django.setup()
    from django.core.exceptions import ValidationError
    from django.db import connection

    module, _, name = work.partition(":")
    function, barrier = getattr(import_module(module), name), Barrier(int(times))

    def one(number: int) -> Any:
        connection.ensure_connection()
        barrier.wait(30)
        try:
            return function(number, *json.loads(arguments))
        except ValidationError as error:
            return error.messages
        finally:
            connection.close()

    write_line("ready")
    sys.stdin.readline()
    first = int(process) * int(times)
    with ThreadPoolExecutor(int(times)) as pool:
        for answer in pool.map(one, range(first, first + int(times))):
            write_line(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
