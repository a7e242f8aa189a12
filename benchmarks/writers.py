"""Writers and readers of the community feed against one process on loopback; runs as a separate process.

Reads its order as JSON from stdin and prints one JSON line. A run of the site also returns the frames that a reader
received, which the hub's members then send to be relayed.
"""

import asyncio
import contextlib
import gc
import json
import re
import resource
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import Any
from uuid import uuid4

from benchmarks.clocks import cpu
from benchmarks.feed import FeedFrames, Shown
from benchmarks.viewers import PARTS, Bench, Viewer, parts_of

PANEL = re.compile(rb'\["community_comments:\d+:en"')
TARGET = b'"comments_toggle":{"target":"'
PANELS = 3  # newest posts of which every viewer has the comments open
NEWEST = 10  # newest posts that get reactions
ROUND, POST, COMMENTS = 20, 9, frozenset((1, 4, 7, 11, 14, 17))  # of each twenty writes; all others are reactions
QUIET, WARM_UP = 2.0, 3.0  # seconds before the first write, and of writes that are not measured
PATIENCE = 20.0  # seconds within which the last write must reach all viewers


@dataclass(frozen=True, slots=True)
class Order:
    """The run to measure."""

    kind: str
    port: int
    pid: int
    cookies: list[str]
    viewers: int
    rate: float  # writes a second
    seconds: float
    frames: list[tuple[float, str]] = field(default_factory=list)  # for the hub to relay, with the second of each
    session: int = 0
    deflate: bool = True


class Member(Viewer):
    """A viewer that records the arrival of changes. One with a cookie also writes."""

    bench: "Audience"

    def __init__(self, bench: "Audience", path: str, cookie: str) -> None:
        super().__init__(bench, path, cookie)
        self.seen: set[int] = set()  # numbers of the writes that have arrived
        self.applause = dict(bench.feed.applause)  # by post
        self.panels: set[bytes] = set()  # keys of the open comment panels
        self.has_panels = asyncio.Event()

    def frames(self) -> None:
        """Handle the frames that have arrived, and drop them."""
        super().frames()
        self.forget()

    def frame(self, kind: int, content: bytes) -> None:
        """Handle one frame."""
        super().frame(kind, content)
        if not self.ready.done() and self.bench.first in content:
            self.ready.set_result(content)
        self.bench.arrived(self, content)


class Audience(Bench):
    """One run. `writes` are sent in turn at the ordered rate."""

    page = "/community"
    viewers: list[Member]  # type: ignore[assignment]  # all viewers are members

    def __init__(self, order: Order) -> None:
        super().__init__(order)  # type: ignore[arg-type]
        self.order: Order = order  # type: ignore[assignment]
        self.feed = FeedFrames()
        self.sent: dict[int, float] = {}  # the time of each write
        self.delays: list[float] = []
        self.changes = self.wanted = 0  # changes that all members received, and deliveries still missing
        self.counts = False
        self.writers: Iterator[Any] = iter(())

    async def fill(self) -> None:
        """Connect all viewers, the writers first."""
        gate, path, loop = asyncio.Semaphore(20), self.path(), asyncio.get_running_loop()

        async def one(cookie: str) -> None:
            async with gate:
                member = Member(self, path, cookie)
                await loop.create_connection(lambda: member, "127.0.0.1", self.order.port)
                await asyncio.wait_for(self.enter(member, await asyncio.wait_for(member.ready, 60)), 60)
                self.viewers.append(member)

        anonymous = [""] * (self.order.viewers - len(self.order.cookies))
        await asyncio.gather(*map(one, [*self.order.cookies, *anonymous]))

    async def enter(self, member: Member, content: bytes) -> None:
        """Prepare a connected member that has received this content. Returns when it is ready."""

    def arrived(self, member: Member, content: bytes) -> None:
        """Count a change, and measure the delay of its writes."""
        raise NotImplementedError

    def send(self, number: int) -> None:
        """Send the write of this number."""
        raise NotImplementedError

    def moments(self) -> list[float]:
        """Return the second of each write."""
        return [number / self.order.rate for number in range(round(self.order.rate * (WARM_UP + self.order.seconds)))]

    def delivered(self, number: int, now: float) -> None:
        """Record the delivery of a write to one member."""
        self.wanted -= 1
        if (moment := self.sent[number]) >= self.begun:
            self.delays.append(now - moment)
        if not self.wanted:
            self.done.set()

    async def run(self) -> dict[str, Any]:
        """Send all writes at their moments. Returns CPU, changes, delays and losses."""
        await self.fill()
        await asyncio.sleep(QUIET)
        moments, start = self.moments(), time.perf_counter()
        self.begun, self.wanted, before = start + WARM_UP, len(moments) * len(self.viewers), 0.0
        for number, moment in enumerate(moments):
            await asyncio.sleep(max(0, start + moment - time.perf_counter()))
            if not self.counts and moment >= WARM_UP:
                self.counts, before = True, cpu(self.order.pid)
            self.sent[number] = time.perf_counter()
            self.send(number)
        used, took = cpu(self.order.pid) - before, time.perf_counter() - self.begun
        self.counts, changes = False, self.changes
        with contextlib.suppress(TimeoutError):  # the result contains the number of missing deliveries
            await asyncio.wait_for(self.done.wait(), PATIENCE)
        delays = sorted(self.delays)
        return {
            "cpu": used / took,
            "changes": changes / len(self.viewers) / took,
            "change_us": used / changes * 1e6,
            "p50_ms": delays[len(delays) // 2] * 1e3,
            "p99_ms": delays[len(delays) * 99 // 100] * 1e3,
            "missing": self.wanted,
            "lost": self.lost,
        }


class SiteAudience(Audience):
    """Writes posts, comments on posts with open panels, and applause, each by several members in turn."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        with urllib.request.urlopen(f"http://127.0.0.1:{order.port}{self.page}") as response:
            self.feed.read_page(response.read().decode())
        self.panels = self.feed.posts[:PANELS]
        self.applauded: dict[int, list[int]] = {}  # numbers of the writes that applaud each post
        self.applauders: set[tuple[str, int]] = set()
        self.recorded: list[tuple[float, str]] = []
        self.recorder: Member | None = None
        self.luck = Random(22)

    async def fill(self) -> None:
        """Connect all viewers. Each kind of write has its own rotation of writers, to stay below their rate limits."""
        await super().fill()
        members = [member for member in self.viewers if member.cookie]
        self.posting, self.commenting, self.applauding = cycle(members), cycle(members), cycle(members)
        self.recorder = next(each for each in self.viewers if not each.cookie)

    async def enter(self, member: Member, content: bytes) -> None:
        """Open the comments on the newest posts before the measurement."""
        begin = content.index(TARGET) + len(TARGET)
        target = content[begin : content.index(b'"', begin)].decode()
        for post in self.panels:
            event = {"type": "layout-event", "target": target, "data": [str(post)]}
            member.send(json.dumps(event).encode())
        await member.has_panels.wait()

    def arrived(self, member: Member, content: bytes) -> None:
        """Count a change. Exits if the answer to a write is a refusal."""
        if b'"ok":false' in content:
            raise SystemExit(f"A write was refused: {content.decode()}")
        if not content.startswith(PARTS):
            return
        now = time.perf_counter()
        parts = self.feed.read(content)
        self.changes += self.counts * len(parts)
        if member is self.recorder and self.counts:
            self.recorded.append((now - self.begun, content.decode()))
        if not member.has_panels.is_set():
            self.panel_arrived(member, content)
        for shown in parts:
            self.shown(member, shown, now)

    def panel_arrived(self, member: Member, content: bytes) -> None:
        """Record the comment panels that a member has open."""
        member.panels.update(PANEL.findall(content))
        if len(member.panels) == PANELS:
            member.has_panels.set()

    def shown(self, member: Member, shown: Shown, now: float) -> None:
        """Record the writes that a member sees now."""
        for number in shown.notes:
            if number not in member.seen:
                member.seen.add(number)
                self.delivered(number, now)
        first = self.feed.applause.get(shown.post, 0)
        have = member.applause.get(shown.post, 0)
        for number in self.applauded.get(shown.post, [])[have - first : shown.applause - first]:
            self.delivered(number, now)
        if shown.post:
            member.applause[shown.post] = max(have, shown.applause)

    def send(self, number: int) -> None:
        """Send the write of this number from the next writer of its kind."""
        place, text = number % ROUND, f"Note {number:06d}: the quiet second half, and then that coda."
        if place == POST:
            self.command(next(self.posting), "post_add", "", content=text, image_url="")
        elif place in COMMENTS:
            panel = str(self.luck.choice(self.panels))
            self.command(next(self.commenting), "post_comment_add", panel, content=text)
        else:
            member = next(self.applauding)
            new = [post for post in self.feed.posts[:NEWEST] if (member.cookie, post) not in self.applauders]
            post = self.luck.choice(new)
            self.applauders.add((member.cookie, post))
            self.applauded.setdefault(post, []).append(number)
            self.command(member, "post_reaction_set", f"{post}:applause")

    def command(self, member: Member, name: str, argument: str, **fields: str) -> None:
        """Send a command from this member."""
        message = {"type": "command", "name": name, "key": str(uuid4()), "argument": argument, "fields": fields}
        member.send(json.dumps(message).encode())

    async def run(self) -> dict[str, Any]:
        """Run as the base class does, and also return the frames that a reader received."""
        return await super().run() | {"frames": self.recorded}


class HubAudience(Audience):
    """Sends the frames that a reader of the site received, at the same moments. The hub relays each to all viewers."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        again = [(moment - WARM_UP, text) for moment, text in order.frames if moment < WARM_UP]
        self.frames = [*again, *order.frames]
        self.parts = [len(parts_of(text.encode())) for _, text in self.frames]

    async def fill(self) -> None:
        """Connect all viewers. The writers take turns."""
        await super().fill()
        self.senders = cycle([member for member in self.viewers if member.cookie])

    def path(self) -> str:
        """Return the path of the hub's socket."""
        return f"/{self.order.kind}/"

    def moments(self) -> list[float]:
        """Return the second of each frame."""
        return [WARM_UP + moment for moment, _ in self.frames]

    def send(self, number: int) -> None:
        """Send a frame from the next writer, prefixed with its number."""
        next(self.senders).send(f"{number:06d}{self.frames[number][1]}".encode())

    def arrived(self, member: Member, content: bytes) -> None:  # noqa: ARG002 - the site's signature
        """Count a relayed frame, and record its delivery."""
        if (number := content[:6]).isdigit():
            self.changes += self.counts * self.parts[int(number)]
            self.delivered(int(number), time.perf_counter())


if __name__ == "__main__":
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    gc.disable()

    async def measured() -> dict[str, Any]:
        """Run the order from stdin on one event loop."""
        order = Order(**json.loads(sys.stdin.read()))
        return await (SiteAudience if order.kind == "site" else HubAudience)(order).run()

    print(json.dumps(asyncio.run(measured())))
