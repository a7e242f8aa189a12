"""A thread that watches the event loop and the memory of the process.

A blocked event loop cannot report itself. After a second this thread logs the stacks of all threads. After ten seconds
it ends the process, and the supervisor starts another.
"""

import asyncio
import logging
import os
import resource
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

from django.conf import settings

from project.observability.metrics import numbers

log = logging.getLogger(__name__)
PERIOD = 0.25  # seconds between two beats of the loop, and between two checks
EXIT_CODE = 70  # exit code: "internal software error" in BSD's sysexits.h
LOG_PATIENCE = 3.0  # seconds for a log write: a blocked loop may hold the log's lock
DEBUGGERS = ("debugpy", "pydevd")
MEMORY_SHARE = 0.8  # of MEMORY_LIMIT_MB, at which the process drains
MEGABYTE = 1 << 20


class Watchdog:
    """Starts with the event loop and ends before it. A value of 0 for `dead` or `memory_limit` disables that check."""

    def __init__(self, *, blocked: float, dead: float, memory_limit: float) -> None:
        self.blocked, self.dead = blocked, dead
        self.most = memory_limit * MEGABYTE * MEMORY_SHARE
        self.beats = 0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self.timer: asyncio.TimerHandle | None = None
        self.loop_thread = 0

    def start(self) -> None:
        """Start to watch the running event loop."""
        self.loop_thread = threading.get_ident()
        self._beat(asyncio.get_running_loop().time())
        self.thread.start()

    def stop(self) -> None:
        """Stop watching, so that the loop may end."""
        self.ending.set()
        if self.timer is not None:
            self.timer.cancel()

    def _beat(self, due: float) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        numbers.lag.observe(max(0.0, now - due))
        self.beats += 1
        self.timer = loop.call_at(now + PERIOD, self._beat, now + PERIOD)

    def _run(self) -> None:
        last_beats, stalled, at = 0, 0.0, time.monotonic()
        while not self.ending.wait(PERIOD):
            now = time.monotonic()
            # A process that was suspended (Ctrl-Z, a paused container) has not hung.
            gap, at = min(now - at, 2 * PERIOD), now
            before, stalled = stalled, stalled + gap if last_beats == self.beats else 0.0
            last_beats = self.beats
            if before < self.blocked <= stalled:
                numbers.blocked += 1
                _log_write(logging.ERROR, f"the event loop has stood still for {stalled:.1f} s", self._stacks())
            if 0 < self.dead <= stalled:
                _log_write(
                    logging.CRITICAL, f"the event loop has stood still for {stalled:.1f} s: the end", self._stacks()
                )
                os._exit(EXIT_CODE)
            self._memory_look()

    def _stacks(self) -> str:
        """Return the stacks of all other threads, the event loop's first."""
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        frames = sorted(sys._current_frames().items(), key=lambda pair: pair[0] != self.loop_thread)  # noqa: SLF001
        return "\n".join(
            f"Thread {names.get(ident, ident)}{' (the loop)' * (ident == self.loop_thread)}:\n"
            + "".join(traceback.format_stack(frame)).rstrip()
            for ident, frame in frames
            if ident != threading.get_ident()
        )

    def _memory_look(self) -> None:
        if not self.most or (used := resident()) < self.most:
            return
        share = f"{used / MEGABYTE:.0f} MB of {self.most / MEGABYTE / MEMORY_SHARE:.0f} MB"
        self.most = 0.0
        _log_write(logging.WARNING, f"memory: {share} are in use: draining, so that another process takes over", "")
        os.kill(os.getpid(), signal.SIGTERM)


def _log_write(level: int, message: str, stacks: str) -> None:
    """Log from another thread, and stop waiting after LOG_PATIENCE seconds."""

    def say() -> None:
        log.log(level, message, extra={"stacks": stacks} if stacks else None)
        if level == logging.CRITICAL:
            logging.shutdown()

    thread = threading.Thread(target=say, name="watchdog-says", daemon=True)
    thread.start()
    thread.join(LOG_PATIENCE)


def resident() -> int:
    """Return the resident memory in bytes; 0 on systems without /proc."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def watchdog() -> Watchdog:
    """Return the watchdog of the settings. It never ends a process that is debugged or has DEBUG."""
    calm = settings.DEBUG or any(name in sys.modules for name in DEBUGGERS)
    return Watchdog(
        blocked=settings.LOOP_BLOCKED_SECONDS,
        dead=0.0 if calm else settings.LOOP_DEAD_SECONDS,
        memory_limit=settings.MEMORY_LIMIT_MB,
    )
