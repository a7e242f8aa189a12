"""A machine is lost: how long until the last of its viewers is back? `python -m benchmarks.herd`, a simulation.

Fifty processes cannot be run here, so what they do is counted out, event by event. The browser's half is read from its
sources: after which times it comes back, how they spread, how long it waits for its first picture. The server's half is
its own `RenderAdmission`, on a clock that this turns: how many render at a time, who is told to come back, and when.
What a first render costs is measured (`benchmarks/capacity.py`). The same seed gives the same numbers.
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
FULL = 0.9  # share of a core: a process with more to do leaves changes out, and first pictures have the rest


def numbers_of(file: str, pattern: str) -> tuple[float, ...]:
    """The numbers in what a pattern finds in a source of the client."""
    found = re.search(pattern, (CLIENT / file).read_text(encoding="utf-8"))
    assert found, f"{pattern} is not in {file}"
    return tuple(float(number) for number in re.findall(r"[\d.]+", found[1]))


@dataclass(frozen=True, slots=True)
class Browser:
    """When a browser comes back, in seconds, as `connection.js` has it."""

    steps: tuple[float, ...]
    spread: float
    named_spread: float
    patience: tuple[float, ...]  # for the first picture, by attempt
    heartbeat: float
    pong: float

    @classmethod
    def of_sources(cls) -> "Browser":
        """The client's own numbers."""
        (named,) = numbers_of("connection.js", r"spread\(named\[1\] \* 1000, ([\d.]+)\)")
        (spread,) = numbers_of("connection.js", r"STEPS\.length - 1\)\], ([\d.]+)\)")
        thousandths = [
            numbers_of("connection.js", r"STEPS = \[(.+?)\]"),
            numbers_of("connection.js", r"FIRST_UPDATE_LIMITS = \[(.+?)\]"),
            numbers_of("connection.js", r"HEARTBEAT = (\d+)"),
            numbers_of("connection.js", r"PONG_LIMIT = (\d+)"),
        ]
        steps, patience, (heartbeat,), (pong,) = (tuple(each / 1000 for each in found) for found in thousandths)
        return cls(steps, spread, named, patience, heartbeat, pong)

    def delay(self, random: Random, attempt: int, named: float = 0) -> float:
        """Seconds until the attempt of this number, or until about the time that was named."""
        middle, share = (named, self.named_spread) if named else (self._of(self.steps, attempt), self.spread)
        return middle * random.uniform(1 - share, 1 + share)

    def waits(self, attempt: int) -> float:
        """Seconds until an accepted socket without a picture is given up."""
        return self._of(self.patience, attempt)

    @staticmethod
    def _of(values: tuple[float, ...], attempt: int) -> float:
        return values[min(attempt, len(values) - 1)]


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost of what, and what a first render takes."""

    viewers: int
    processes: int
    lost: int  # processes
    render: float  # seconds of a core for a first render
    load: float  # share of each core that goes on with other work
    silent: bool = False  # the machine is gone without a word: a browser finds out by its next heartbeat
    cores: int = 1  # of a process


@dataclass(eq=False, slots=True)
class Visit:
    """One socket of a viewer at a process."""

    attempt: int
    process: "Process"
    rendering: bool = False
    ended: bool = False


@dataclass(eq=False, slots=True)
class Process:
    """A process that goes on: its admission, and who waits there."""

    admission: RenderAdmission
    rendering: int = 0
    queue: deque[Visit] = field(default_factory=deque)


class Herd:
    """Everybody who lost a socket, until the last of them has a picture."""

    def __init__(self, loss: Loss, seed: int = SEED) -> None:
        self.loss, self.random, self.browser = loss, Random(seed), Browser.of_sources()
        self.now, self.order = 0.0, count()
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        slots = FIRST_RENDERS_PER_CORE * loss.cores
        self.house = [Process(RenderAdmission(slots)) for _ in range(loss.processes - loss.lost)]
        self.back: list[float] = []
        self.told = self.gave_up = self.longest_queue = 0

    def run(self) -> "Herd":
        """Play it to the end; returns itself."""
        with patch.object(render_admission, "time", SimpleNamespace(monotonic=lambda: self.now)):
            for _ in range(self.loss.viewers * self.loss.lost // self.loss.processes):
                self.later(self._noticed() + self.browser.delay(self.random, 0), lambda: self.come(1))
            while self.events:
                self.now, _, event = heapq.heappop(self.events)
                event()
        return self

    def _noticed(self) -> float:
        """Seconds until a browser knows: at once from a reset, else when the next heartbeat stays unanswered."""
        return self.random.uniform(0, self.browser.heartbeat) + self.browser.pong if self.loss.silent else 0.0

    def later(self, seconds: float, event: Callable[[], None]) -> None:
        """Have this happen then."""
        heapq.heappush(self.events, (self.now + seconds, next(self.order), event))

    def come(self, attempt: int) -> None:
        """A viewer opens a socket, at whichever process the proxy takes."""
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
        """Begin first renders while there are slots and somebody waits."""
        while process.queue and process.rendering < process.admission.slots:
            visit = process.queue.popleft()
            if visit.ended:
                continue
            process.admission.waiting -= 1
            process.rendering += 1
            visit.rendering = True
            # Those that render beside each other share what is left of the cores.
            sharing = max(1.0, process.rendering / self.loss.cores)
            took = self.loss.render * sharing / (1 - self.loss.load)
            self.later(took, partial(self.shown, visit, took))

    def shown(self, visit: Visit, took: float) -> None:
        """A first render is done."""
        process = visit.process
        process.rendering -= 1
        process.admission.recent_renders.append((self.now, took))
        if not visit.ended:
            visit.ended = True
            self.back.append(self.now)
        self.serve(process)

    def give_up(self, visit: Visit) -> None:
        """A browser closes a socket that showed nothing for too long, and comes again."""
        if visit.ended:
            return
        visit.ended = True
        self.gave_up += 1
        if not visit.rendering:
            visit.process.admission.waiting -= 1
        attempt = visit.attempt
        self.later(self.browser.delay(self.random, attempt), lambda: self.come(attempt + 1))

    def figures(self) -> dict[str, float]:
        """What came out."""
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
    """Seconds until the last is back: the worst of some seeds."""
    return max(Herd(loss, SEED + number).run().figures()["last_s"] for number in range(seeds))
