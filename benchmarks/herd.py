"""Simulate the loss of a machine, until the last of its viewers has reconnected.

Fifty processes cannot run here, so their work is simulated event by event. The browser's delays come from the client's
sources: retry times, their jitter, and the time limit of a first render. The server's admission is the real
`RenderAdmission` on a simulated clock. The cost of a first render is measured (`benchmarks/capacity.py`). The same seed
gives the same numbers.
"""

import heapq
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

from project.config import ROOT
from project.limits import render_admission
from project.limits.rates import FIRST_RENDERS_PER_CORE
from project.limits.render_admission import RenderAdmission

CLIENT = ROOT / "components" / "client" / "src"
SEED = 28
FULL = 0.9  # share of a core above which a process skips changes, so that first renders get the rest


def numbers_of(file: str, pattern: str) -> tuple[float, ...]:
    """Return the numbers in the match of a pattern in a source of the client."""
    found = re.search(pattern, (CLIENT / file).read_text(encoding="utf-8"))
    assert found, f"{pattern} is not in {file}"
    return tuple(float(number) for number in re.findall(r"[\d.]+", found[1]))


@dataclass(frozen=True, slots=True)
class Browser:
    """The delays of a browser's reconnects in seconds, as in `connection.js`."""

    steps: tuple[float, ...]
    spread: float
    named_spread: float
    patience: tuple[float, ...]  # for the first render, by attempt
    heartbeat: float
    pong: float

    @classmethod
    def of_sources(cls) -> "Browser":
        """Read the numbers from the client's sources."""
        (named,) = numbers_of("connection.js", r"spread\(named\[1\] \* 1000, ([\d.]+)\)")
        (spread,) = numbers_of("connection.js", r"STEPS\.length - 1\)\], ([\d.]+)\)")
        thousandths = [
            numbers_of("connection.js", r"STEPS = \[(.+?)\]"),
            numbers_of("connection.js", r"FIRST_UPDATE_LIMITS = \[(.+?)\]"),
            numbers_of("connection.js", r"HEARTBEAT = (\d+)"),
            numbers_of("connection.js", r"PONG_LIMIT = (\d+)"),
        ]
        steps, patience, (heartbeat,), (pong,) = (tuple(value / 1000 for value in values) for values in thousandths)
        return cls(steps, spread, named, patience, heartbeat, pong)

    def delay(self, random: Random, attempt: int, named: float = 0) -> float:
        """Return the seconds until the attempt of this number; `named` are the seconds that the server asked for."""
        middle, share = (named, self.named_spread) if named else (self._of(self.steps, attempt), self.spread)
        return middle * random.uniform(1 - share, 1 + share)

    def waits(self, attempt: int) -> float:
        """Return the seconds until a browser gives up an accepted socket without a first render."""
        return self._of(self.patience, attempt)

    @staticmethod
    def _of(values: tuple[float, ...], attempt: int) -> float:
        return values[min(attempt, len(values) - 1)]


@dataclass(frozen=True, slots=True)
class Loss:
    """The lost processes, and the cost of a first render."""

    viewers: int
    processes: int
    lost: int  # number of lost processes
    render: float  # seconds of a core for a first render
    load: float  # share of each core for other work
    silent: bool = False  # the machine fails without closing its sockets: browsers detect it by a heartbeat
    cores: int = 1  # of each process


@dataclass(eq=False, slots=True)
class Visit:
    """One socket of a viewer at a process."""

    attempt: int
    process: "Process"
    rendering: bool = False
    ended: bool = False


@dataclass(eq=False, slots=True)
class Process:
    """A remaining process: its admission and its queue."""

    admission: RenderAdmission
    rendering: int = 0
    queue: deque[Visit] = field(default_factory=deque)


class Herd:
    """All viewers that lost a socket, until the last of them has its first render."""

    def __init__(self, loss: Loss, seed: int = SEED) -> None:
        self.loss, self.random, self.browser = loss, Random(seed), Browser.of_sources()
        self.now, self.order = 0.0, count()
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        slots = FIRST_RENDERS_PER_CORE * loss.cores
        self.house = [Process(RenderAdmission(slots)) for _ in range(loss.processes - loss.lost)]
        self.back: list[float] = []
        self.told = self.gave_up = self.longest_queue = 0

    def run(self) -> "Herd":
        """Run the simulation to its end and return it."""
        with patch.object(render_admission, "time", SimpleNamespace(monotonic=lambda: self.now)):
            for _ in range(self.loss.viewers * self.loss.lost // self.loss.processes):
                self.later(self._noticed() + self.browser.delay(self.random, 0), lambda: self.come(1))
            while self.events:
                self.now, _, event = heapq.heappop(self.events)
                event()
        return self

    def _noticed(self) -> float:
        """Return the seconds until a browser detects the loss: 0 after a reset, else until a heartbeat fails."""
        return self.random.uniform(0, self.browser.heartbeat) + self.browser.pong if self.loss.silent else 0.0

    def later(self, seconds: float, event: Callable[[], None]) -> None:
        """Schedule an event."""
        heapq.heappush(self.events, (self.now + seconds, next(self.order), event))

    def come(self, attempt: int) -> None:
        """Open a socket of a viewer at a random process, as the proxy does."""
        process = self.random.choice(self.house)
        if seconds := process.admission.come_back():
            self.told += 1
            self.later(self.browser.delay(self.random, attempt, seconds), lambda: self.come(attempt + 1))
            return
        visit = Visit(attempt, process)
        process.queue.append(visit)
        process.admission.waiting += 1
        self.longest_queue = max(self.longest_queue, process.admission.waiting)
        self.later(self.browser.waits(attempt), lambda: self.give_up(visit))
        self.serve(process)

    def serve(self, process: Process) -> None:
        """Start first renders while slots are free and sockets wait."""
        while process.queue and process.rendering < process.admission.slots:
            visit = process.queue.popleft()
            if visit.ended:
                continue
            process.admission.waiting -= 1
            process.rendering += 1
            visit.rendering = True
            # Concurrent renders share the remaining capacity of the cores.
            sharing = max(1.0, process.rendering / self.loss.cores)
            took = self.loss.render * sharing / (1 - self.loss.load)
            self.later(took, partial(self.shown, visit, took))

    def shown(self, visit: Visit, took: float) -> None:
        """Finish a first render."""
        process = visit.process
        process.rendering -= 1
        process.admission.recent_renders.append((self.now, took))
        if not visit.ended:
            visit.ended = True
            self.back.append(self.now)
        self.serve(process)

    def give_up(self, visit: Visit) -> None:
        """Close a socket without a first render in time, and schedule the next attempt."""
        if visit.ended:
            return
        visit.ended = True
        self.gave_up += 1
        if not visit.rendering:
            visit.process.admission.waiting -= 1
        attempt = visit.attempt
        self.later(self.browser.delay(self.random, attempt), lambda: self.come(attempt + 1))

    def figures(self) -> dict[str, float]:
        """Return the results."""
        back = sorted(self.back)
        return {
            "lost": len(back),
            "half_s": back[len(back) // 2] if back else 0.0,
            "last_s": back[-1] if back else 0.0,
            "told": self.told,
            "gave_up": self.gave_up,
            "longest_queue": self.longest_queue,
        }


def last_back(loss: Loss, seeds: int = 3) -> float:
    """Return the seconds until the last viewer is back: the maximum of several seeds."""
    return max(Herd(loss, SEED + number).run().figures()["last_s"] for number in range(seeds))
