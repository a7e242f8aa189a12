"""A thread that watches the event loop, and the process's memory.

A loop that stands still answers nobody and cannot say so itself. After a second this thread writes down what every
thread is doing; after ten it ends the process, and the supervisor starts another.
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
PERIOD = 0.25  # seconds between two beats, and between two looks
EXIT_CODE = 70  # exit code: "internal software error" in BSD's sysexits.h
LOG_PATIENCE = 3.0  # seconds that the log may take: whatever holds the loop may hold the log too
DEBUGGERS = ("debugpy", "pydevd")
MEMORY_SHARE = 0.8  # of the limit
MEGABYTE = 1 << 20


class Watchdog:
    """Begins with the loop and ends before it; `dead` or `memory_limit` of 0 switch that part off."""

    def __init__(self, *, blocked: float, dead: float, memory_limit: float) -> None:
        self.blocked, self.dead = blocked, dead
        self.most = memory_limit * MEGABYTE * MEMORY_SHARE
        self.beats = 0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self.timer: asyncio.TimerHandle | None = None
        self.loop_thread = 0

    def start(self) -> None:
        """Begin to watch the loop that runs now."""
        self.loop_thread = threading.get_ident()
        self._beat(asyncio.get_running_loop().time())
        self.thread.start()

    def stop(self) -> None:
        """Let the loop end."""
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
            # A process that was itself stopped for a while (Ctrl-Z, a paused container) has not hung.
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
        """Return what every thread is doing, the loop's first."""
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
    """Write to the log, and give up when it does not take it."""

    def say() -> None:
        log.log(level, message, extra={"stacks": stacks} if stacks else None)
        if level == logging.CRITICAL:
            logging.shutdown()

    thread = threading.Thread(target=say, name="watchdog-says", daemon=True)
    thread.start()
    thread.join(LOG_PATIENCE)


def resident() -> int:
    """Return bytes of memory in use; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def watchdog() -> Watchdog:
    """Return the watchdog that the settings ask for; a loop that stands in a debugger is not ended."""
    calm = settings.DEBUG or any(name in sys.modules for name in DEBUGGERS)
    return Watchdog(
        blocked=settings.LOOP_BLOCKED_SECONDS,
        dead=0.0 if calm else settings.LOOP_DEAD_SECONDS,
        memory_limit=settings.MEMORY_LIMIT_MB,
    )
