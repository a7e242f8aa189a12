"""An audience that taps, against one process on loopback; runs as a separate process and prints one JSON line."""

import asyncio
import gc
import json
import re
import resource
import sys
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from benchmarks.clocks import cpu
from benchmarks.viewers import Bench, Viewer

TOTAL = re.compile(rb'heart\\?":\s?(\d+)')
TARGET = re.compile(rb'"onTaps":\{"target":"([^"]+)"')
QUIET = 2.0  # seconds before the first tap
PATIENCE = 20.0  # seconds within which the last tap must reach all viewers


@dataclass(frozen=True, slots=True)
class Order:
    """The run to measure."""

    kind: str
    port: int
    pid: int
    session: int
    cookies: list[str]
    viewers: int
    rate: float  # taps a second
    seconds: float
    appearances: list[int] = field(default_factory=list)
    bytes: int = 0
    deflate: bool = True


class Member(Viewer):
    """A viewer that records the arrival of frames. One with a cookie also taps."""

    bench: "Hall"

    def __init__(self, bench: "Hall", path: str, cookie: str = "") -> None:
        super().__init__(bench, path, cookie)
        self.target, self.total = "", 0
        self.arrived: list[float] = []  # times of frames that arrived while the audience tapped

    def frames(self) -> None:
        """Handle complete frames, and drop them."""
        super().frames()
        content = bytes(self.content)
        self.forget()
        if self.bench.first in content and not self.ready.done():
            self.ready.set_result(None)
        if found := TARGET.search(content):
            self.target = found[1].decode()
        if content:
            self.bench.heard(self, content)

    def tap(self) -> None:
        """Send one tap."""
        message: Any = {"tap": 1}
        if self.bench.order.kind == "site":
            data = [{"key": uuid4().hex, "types": ["heart"]}]
            message = {"type": "layout-event", "target": self.target, "data": data}
        self.send(json.dumps(message).encode())


class Hall(Bench):
    """One run."""

    viewers: list[Member]  # type: ignore[assignment]  # all viewers are members

    def __init__(self, order: Order) -> None:
        super().__init__(order)  # type: ignore[arg-type]
        self.order: Order = order  # type: ignore[assignment]
        self.sent: list[float] = []
        self.delays: list[float] = []
        self.tapping = False

    def path(self) -> str:
        """Return the path of the socket."""
        return super().path() if self.order.kind == "site" else f"/tap-{self.order.kind}/"

    async def fill(self) -> None:
        """Connect all viewers, those who tap first."""
        gate, path, loop = asyncio.Semaphore(20), self.path(), asyncio.get_running_loop()
        anonymous = [""] * (self.order.viewers - len(self.order.cookies))

        async def one(cookie: str) -> None:
            async with gate:
                member = Member(self, path, cookie)
                await loop.create_connection(lambda: member, "127.0.0.1", self.order.port)
                await asyncio.wait_for(member.ready, 60)
                self.viewers.append(member)

        await asyncio.gather(*map(one, [*self.order.cookies, *anonymous]))

    def heard(self, member: Member, content: bytes) -> None:
        """Measure the delays of the taps that a frame shows."""
        now = time.perf_counter()
        if self.tapping:
            member.arrived += [now] * content.count(b'{"type"')
        for found in TOTAL.findall(content):
            total = int(found)
            self.delays += [now - moment for moment in self.sent[member.total : total]]
            member.total = max(member.total, total)
        if self.sent and all(viewer.total >= self.wanted for viewer in self.viewers):
            self.done.set()

    @property
    def wanted(self) -> int:
        """Return the number of taps of the run."""
        return round(self.order.rate * self.order.seconds)

    async def run(self) -> dict[str, float]:
        """Send all taps. Returns CPU, delays, messages and losses."""
        await self.fill()
        tappers = [viewer for viewer in self.viewers if viewer.cookie]
        await asyncio.sleep(QUIET)
        self.tapping, before, begun = True, cpu(self.order.pid), time.perf_counter()
        for number in range(self.wanted):
            await asyncio.sleep(max(0, begun + number / self.order.rate - time.perf_counter()))
            self.sent.append(time.perf_counter())
            tappers[number % len(tappers)].tap()
        used, took = cpu(self.order.pid) - before, time.perf_counter() - begun
        missing = 0
        try:
            await asyncio.wait_for(self.done.wait(), PATIENCE)
        except TimeoutError:
            missing = sum(self.wanted - viewer.total for viewer in self.viewers)
        self.tapping = False
        delays = sorted(self.delays)
        watching = [viewer for viewer in self.viewers if not viewer.cookie]
        return {
            "cpu": used / took,
            "p50_ms": delays[len(delays) // 2] * 1e3,
            "p99_ms": delays[len(delays) * 99 // 100] * 1e3,
            "messages": sum(len(viewer.arrived) for viewer in watching) / len(watching) / took,
            "most": max(map(busiest, watching)),
            "most_tapping": max(map(busiest, tappers)),
            "missing": missing,
            "lost": self.lost,
        }


def busiest(member: Member) -> int:
    """Return the most frames that a viewer received within a second."""
    times, most, start = member.arrived, 0, 0
    for end, moment in enumerate(times):
        while moment - times[start] >= 1:
            start += 1
        most = max(most, end - start + 1)
    return most


if __name__ == "__main__":
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    gc.disable()

    async def measured() -> dict[str, float]:
        """Run the order from stdin on one event loop."""
        return await Hall(Order(**json.loads(sys.stdin.read()))).run()

    print(json.dumps(asyncio.run(measured())))
