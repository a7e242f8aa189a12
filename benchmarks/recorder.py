"""Records which files of this repository a process enters, by `sys.setprofile`, between two arrivals of bytes.

A call is attributed to its cause: along the stack, and from there to the code that submitted the work to a thread or
task. Imports of modules are not calls.
"""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import Any

from benchmarks.tree import BESIDE, LAYERS
from project.config import ROOT

Call = tuple[str, str]  # a file by its path from the root, and a function
ARRIVAL = ("twisted/internet/tcp.py", "Connection.doRead")  # of a request, or of frames
STATEMENT = ("django/db/backends/utils.py", "CursorWrapper._execute")
COMMIT = ("django/db/backends/base/base.py", "BaseDatabaseWrapper._commit")
POOL = ("concurrent/futures/thread.py", "ThreadPoolExecutor.submit")
POOLED = ("concurrent/futures/thread.py", "_WorkItem.run")
TASK = ("asyncio/base_events.py", "BaseEventLoop.create_task")
APPLICATION = "project/asgi.py"  # where every request and socket begins
LIBRARIES = (ARRIVAL, STATEMENT, COMMIT, POOL, POOLED, TASK)


@dataclass(slots=True)
class Span:
    """The calls between two arrivals of bytes."""

    files: dict[str, None] = field(default_factory=dict)  # in the order of entry
    climbs: Counter[tuple[Call, Call]] = field(default_factory=Counter)  # calls into a higher layer, with their number
    path: list[Call] = field(default_factory=list)  # to the recorded write
    is_committed: bool = False


@cache
def source(filename: str, module: str) -> str | None:
    """Return the path of one of this repository's sources from the root, or None."""
    if module == "<module>" or not filename.startswith(f"{ROOT}/"):
        return None
    parts = filename.removeprefix(f"{ROOT}/").split("/")
    return "/".join(parts) if parts[0] in LAYERS[:3] and not BESIDE.intersection(parts) else None


@cache
def layer(file: str) -> int:
    """Return the layer of this file, from 0."""
    return LAYERS.index(file.partition("/")[0])


@cache
def library(filename: str, function: str) -> tuple[str, str] | None:
    """Return the entry of LIBRARIES that this function is, or None."""
    return next((entry for entry in LIBRARIES if filename.endswith(entry[0]) and function == entry[1]), None)


class Recorder:
    """Records every span of this process. A write of `table` ends the recording of a span at its COMMIT."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.spans: list[Span] = [Span()]
        self.aside: dict[int, FrameType] = {}  # running frames that are not recorded
        self.causes: dict[int, tuple[Any, list[Call]]] = {}  # of threads' work and of tasks, by the id of what they run

    def install(self) -> None:
        """Profile this thread and those that start later."""
        threading.setprofile(self._event)
        sys.setprofile(self._event)

    def _event(self, frame: FrameType, event: str, result: object) -> None:
        code = frame.f_code
        if event == "return":
            self.aside.pop(id(frame), None)
            if code.co_qualname == POOL[1] and result is not None:
                self.causes[id(result)] = (result, list(self._path(frame)))
        elif event == "call" and (file := source(code.co_filename, code.co_name)) is not None:
            self._entered(frame, (file, code.co_qualname))
        elif event == "call" and (found := library(code.co_filename, code.co_qualname)) is not None:
            self._passed(frame, found)

    def _entered(self, frame: FrameType, called: Call) -> None:
        span, path = self.spans[-1], list(self._path(frame.f_back))
        is_climb = bool(path) and layer(path[0][0]) < layer(called[0])
        if self._is_aside(frame, is_climb=is_climb):
            self.aside[id(frame)] = frame
        elif not span.is_committed and (APPLICATION in dict([called, *path]) or self._is_arriving(frame)):
            span.files.setdefault(called[0])
            if is_climb:
                span.climbs[path[0], called] += 1

    def _is_aside(self, frame: FrameType, *, is_climb: bool) -> bool:
        """Return whether a library calls this by a hook, such as Django's for each statement."""
        distance, back = 0, frame.f_back
        while back is not None and source(back.f_code.co_filename, back.f_code.co_name) is None:
            distance, back = distance + 1, back.f_back
        return (is_climb and back is not None and distance > 0) or id(back) in self.aside

    @staticmethod
    def _is_arriving(frame: FrameType | None) -> bool:
        """Return whether an arrival of bytes caused this call."""
        while frame is not None and frame.f_code.co_qualname != ARRIVAL[1]:
            frame = frame.f_back
        return frame is not None

    def _passed(self, frame: FrameType, found: tuple[str, str]) -> None:
        span = self.spans[-1]
        if found == ARRIVAL:
            self.spans.append(Span())
        elif found == STATEMENT:
            sql = str(frame.f_locals.get("sql", ""))
            if sql.startswith(f'INSERT INTO "{self.table}"'):
                span.path = list(self._path(frame))[::-1]
        elif found == COMMIT:
            span.is_committed = span.is_committed or bool(span.path)
        elif found == TASK and (started := getattr(frame.f_locals["coro"], "cr_frame", None)) is not None:
            self.causes[id(started)] = (started, list(self._path(frame)))

    def _path(self, frame: FrameType | None) -> Iterator[Call]:
        """Yield the calls of this frame, innermost first, followed by those that submitted it."""
        while frame is not None:
            code = frame.f_code
            if (file := source(code.co_filename, code.co_name)) is not None:
                yield file, code.co_qualname
            cause: Any = frame.f_locals["self"].future if code.co_qualname == POOLED[1] else frame
            known = self.causes.get(id(cause))
            if known is not None and known[0] is cause:
                yield from known[1]
                return
            frame = frame.f_back
