"""The browser's code for these tests: one node process, asked as often as hypothesis likes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

CLIENT = settings.ROOT / "components" / "client"
SCRIPT = Path(__file__).with_name("browser.mjs")


class Browser:
    """Asks the browser's code."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def __call__(self, ask: str, **case: Any) -> Any:
        """Return its answer; raises AssertionError with the browser's own words when it fails."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"ask": ask, **case}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the browser's code ended"
        answer = json.loads(line)
        assert "error" not in answer, answer.get("error")
        return answer.get("answer")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """React, jsdom and our client in one node process."""
    node = Path(sys.executable).with_name("node")
    command = [str(node), str(SCRIPT), str(CLIENT)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield Browser(process)
        assert process.stdin
        process.stdin.close()
