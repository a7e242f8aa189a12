"""Calls that go back up: from a floor of the house (`apps`, `components`, `project`) to one above it.

Counted while the code runs, each pair of files once, and only where one of our functions calls another: what Django
calls because the settings name it (the database driver, handlers of the log) is no call of ours.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = f"{Path(__file__).parents[1]}/"
FLOORS = {"apps": 0, "components": 1, "project": 2}


def file_of(frame: FrameType) -> str:
    """Return the frame's file below the project's folder, or an empty text for code that is not ours."""
    name = frame.f_code.co_filename
    return name.removeprefix(ROOT) if name.startswith(ROOT) else ""


def floor_of(file: str) -> int | None:
    """Return on which floor a file stands; None for none."""
    return FLOORS.get(file.partition("/")[0])


@contextmanager
def climbs() -> Iterator[set[tuple[str, str]]]:
    """Give the set of (file that calls, file above that is called): it fills while this lasts, in new threads too."""
    found: set[tuple[str, str]] = set()

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or frame.f_back is None:
            return
        caller, called = file_of(frame.f_back), file_of(frame)
        below, above = floor_of(caller), floor_of(called)
        if below is not None and above is not None and below < above:
            found.add((caller, called))

    before = sys.getprofile()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
