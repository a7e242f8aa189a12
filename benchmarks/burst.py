"""Many strangers while 20 changes a second are written: `python -m benchmarks.burst --viewers 1000,5000`.

Listeners comment for some seconds, 20 times a second (with `--writes performers` those on stage change as often); then
one more change is written, and the time is taken until the last viewer has it: a process that cannot keep up owes what
came before. Clients are a process of their own.
"""

import argparse
import asyncio
import gc
import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.viewers import Bench, Order, Viewer
from project.config import ROOT

WRITES = 20  # a second
SECONDS = 10.0
TRIES = 3
KEPT = 200  # bytes in which the beginning of a marker may stand
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class BurstOrder(Order):
    """What is written meanwhile: `comments` or `performers`."""

    writes: str = "comments"


class Reader(Viewer):
    """A viewer who keeps nothing of what arrives."""

    bench: "Burst"

    def data_received(self, data: bytes) -> None:
        """Answer pings, and look for what is waited for."""
        super().data_received(data)
        if self.opened and self.ready.done():
            if self.bench.marker and self not in self.bench.seen and self.bench.marker in self.buffer:
                self.bench.saw(self)
            keep = max(self.read - KEPT, 0)
            del self.buffer[:keep]
            self.read -= keep


class Burst(Bench):
    """Strangers of the session page, and somebody who writes."""

    order: "BurstOrder"
    marker = b""
    came = refused = number = 0

    def make_viewer(self, path: str) -> Viewer:
        """A viewer who keeps nothing."""
        return Reader(self, path)

    def local(self) -> tuple[str, int] | None:
        """One of many addresses: sockets of one may not come as fast."""
        self.came += 1
        return f"127.0.1.{self.came % 200 + 1}", 0

    def saw(self, viewer: Viewer) -> None:
        """Count a viewer who has the last change."""
        self.seen.add(viewer)
        if len(self.seen) == len(self.viewers):
            self.done.set()

    async def write(self, number: int) -> None:
        """Put somebody on stage, or have somebody comment."""
        place = self.order.appearances[number % len(self.order.appearances)]
        address = f"perform?place={place}"
        if self.order.writes == "comments":
            address = f"comment?session={self.order.session}&text=Written%20{number:06d}"
        reader, writer = await asyncio.open_connection("127.0.0.1", self.order.port)
        head = f"POST /bench/{address} HTTP/1.1\r\nHost: 127.0.0.1:{self.order.port}\r\nContent-Length: 0\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        self.refused += b" 200 " not in answer.partition(b"\r\n")[0]  # it waited too long for those before it

    def next_marker(self, number: int) -> bytes:
        """What shows that a viewer has this write."""
        if self.order.writes == "comments":
            return f"Written {number:06d}".encode()
        return f"Player Number {number % len(self.order.appearances) + 1:02d}".encode()

    async def burst(self) -> float:
        """Write for some seconds; returns the seconds until the last viewer has the last change."""
        begun, writes, number = time.perf_counter(), [], self.number
        while (now := time.perf_counter() - begun) < SECONDS:
            if number - self.number <= now * WRITES:
                number += 1
                writes.append(asyncio.create_task(self.write(number)))
            await asyncio.sleep(0.005)
        await asyncio.gather(*writes)
        last = number + len(self.order.appearances) // 2  # whom nobody has seen for a while
        self.seen, self.done = set(), asyncio.Event()
        self.marker, self.number = self.next_marker(last), last
        start = time.perf_counter()
        await self.write(last)
        await asyncio.wait_for(self.done.wait(), PATIENCE)
        self.marker = b""
        return time.perf_counter() - start

    async def measured_burst(self, number: int) -> dict[str, float]:
        """What a burst costs at this number of viewers."""
        await self.grow(number)
        await asyncio.sleep(1)
        before, received, begun = cpu(self.order.pid), self.received, time.perf_counter()
        waits = [await self.burst() for _ in range(TRIES)]
        took = time.perf_counter() - begun
        return {
            "last_ms": sorted(waits)[TRIES // 2] * 1e3,
            "worst_ms": max(waits) * 1e3,
            "cpu": (cpu(self.order.pid) - before) / took,
            "mib_per_s": (self.received - received) / took / 2**20,
            "lost": self.lost,
            "refused": self.refused,
        }


async def run(order: BurstOrder) -> dict[int, dict[str, float]]:
    """Measure at each number of viewers."""
    bench = Burst(order)
    gc.disable()
    found = {number: await bench.measured_burst(number) for number in order.viewers}
    bench.leaving = True
    return found


def main() -> None:
    """Serve, and print a line for each number of viewers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--viewers", default="1000,3000,5000")
    parser.add_argument("--writes", default="comments", choices=("comments", "performers"))
    asked = parser.parse_args()
    numbers = [int(number) for number in asked.viewers.split(",")]
    with site_processes.opened() as opened, opened.server("site") as serving:
        order = {"kind": "site", "port": serving.port, "pid": serving.pid, "viewers": numbers, "writes": asked.writes}
        order |= {"session": opened.evening["session"], "appearances": opened.evening["appearances"]}
        command = [sys.executable, "-m", "benchmarks.burst", json.dumps(order)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    for number, figures in json.loads(done.stdout).items():
        print(f"{int(number):>6,} viewers", {name: round(value, 2) for name, value in figures.items()})


if __name__ == "__main__":
    if sys.argv[-1].startswith("{"):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        print(json.dumps(asyncio.run(run(BurstOrder(**json.loads(sys.argv[-1]))))))
    else:
        main()
