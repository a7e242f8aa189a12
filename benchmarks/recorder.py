"""What a process enters of this repository, by `sys.setprofile`, from one arrival of bytes to the next.

A call is followed to whoever caused it: along the stack, and from there to whoever handed the work to a thread or to a
task. Import of modules is not a call.
"""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import Any

from benchmarks.tree import BESIDE, STOREYS
from project.config import ROOT

Call = tuple[str, str]  # a file by its path from the root, and the function
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
    """What ran from one arrival to the next."""

    files: dict[str, None] = field(default_factory=dict)  # in the order in which they were entered
    climbs: Counter[tuple[Call, Call]] = field(default_factory=Counter)  # who called whom in a higher storey, how often
    path: list[Call] = field(default_factory=list)  # to the write that was waited for
    is_committed: bool = False


@cache
def source(filename: str, module: str) -> str | None:
    """The path of one of our sources from the root, or None."""
    if module == "<module>" or not filename.startswith(f"{ROOT}/"):
        return None
    parts = filename.removeprefix(f"{ROOT}/").split("/")
    return "/".join(parts) if parts[0] in STOREYS[:3] and not BESIDE.intersection(parts) else None


@cache
def storey(file: str) -> int:
    """How high in the house this file stands, from 0."""
    return STOREYS.index(file.partition("/")[0])


@cache
def library(filename: str, function: str) -> tuple[str, str] | None:
    """Which of the functions of others that mean something to us this is."""
    return next((each for each in LIBRARIES if filename.endswith(each[0]) and function == each[1]), None)


class Recorder:
    """Records every span of this process; `table` is the one whose write ends a span at its COMMIT."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.spans: list[Span] = [Span()]
        self.aside: dict[int, FrameType] = {}  # what runs now and is no part of the walk
        self.causes: dict[int, tuple[Any, list[Call]]] = {}  # of threads' work and of tasks, by what they run

    def install(self) -> None:
        """Listen to this thread and to those that begin from now on."""
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
        is_climb = bool(path) and storey(path[0][0]) < storey(called[0])
        if self._is_aside(frame, is_climb=is_climb):
            self.aside[id(frame)] = frame
        elif not span.is_committed and (APPLICATION in dict([called, *path]) or self._is_arriving(frame)):
            span.files.setdefault(called[0])
            if is_climb:
                span.climbs[path[0], called] += 1

    def _is_aside(self, frame: FrameType, *, is_climb: bool) -> bool:
        """Whether a library calls this for its own reasons: by a hook, such as Django's for each statement."""
        distance, back = 0, frame.f_back
        while back is not None and source(back.f_code.co_filename, back.f_code.co_name) is None:
            distance, back = distance + 1, back.f_back
        return (is_climb and back is not None and distance > 0) or id(back) in self.aside

    @staticmethod
    def _is_arriving(frame: FrameType | None) -> bool:
        """Whether this runs because bytes have arrived."""
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
        """Yield who is at work, the innermost first, and then who handed it over to them."""
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
