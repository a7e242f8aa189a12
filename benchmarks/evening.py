"""The bytes that one viewer of the live session page receives in an evening, by kind of change; a part of `make bench`.

The evening: HOURS with PERFORMERS who play one after the other, COMMENTS and REACTIONS a second, and the ratings of
RATERS listeners for each performance, which an administrator approves every APPROVAL seconds. The viewer is anonymous:
public frames are the same for all. Two such viewers are connected at the same time. One offers `permessage-deflate`,
the other does not.

An evening cannot be sped up, because a part is read at most every third of a second or every other second, however
much is written. So it is sampled at its real rates, and each kind of change is scaled to the evening:

- Comments and reactions come all the time, from WARM_UP seconds before the first sample, because the counts of
  reactions cover the last half minute.
- CHANGES changes of performer, one every PACE seconds. All frames within QUIET seconds, except the parts of CONTINUOUS,
  belong to the change. The bytes of one, times PERFORMERS.
- The rest in one performance that is set to the middle of each fifth of its length in turn, because the curve of its
  reactions grows: SAMPLE seconds each. Bytes a second, times the seconds of the evening; at the beginning of each
  sample a batch of ratings of this performance and of the one before is approved: bytes of a batch, times the batches.
- Once: the connection, the end of the session and its beginning.

A byte belongs to the kind of the part in its frame; the bytes of a frame with several parts are divided in proportion
to the lengths of the parts as JSON. Bytes are those of websocket frames with their headers, without TCP and TLS.
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any
from urllib.parse import urlencode

from benchmarks import site_processes
from benchmarks.viewers import PING, Bench, Order, Viewer, parts_of

HOURS, PERFORMERS = 4, 40
COMMENTS, REACTIONS = 2, 30  # a second
RATERS, APPROVAL = 40, 60  # ratings of each performance; seconds between two batches
SECONDS = HOURS * 3600
LENGTH = SECONDS // PERFORMERS  # seconds of a performance
BATCH = RATERS * APPROVAL // LENGTH  # ratings of a batch
TICK = 1 / 3  # seconds between two writes of reactions, as in `apps/live/reaction_batch.py`
HEARTBEAT = 25  # seconds, as in `connection.js`

WARM_UP, PACE, CHANGES = 6.0, 2.5, 10  # the changes of performer warm up the counts of reactions
SAMPLES, SETTLE, SAMPLE = 5, 2.3, 8.0  # SETTLE is longer than the pace of the slowest part
QUIET = 1.5  # seconds within which the frames of one write arrive, and in which no curve is drawn again
STARTED = 3  # performances of the filled database that have begun

NO_PART = "frames without parts"
PERFORMER, COMMENT, REACTION, RATING, SESSION, OTHER = KINDS = (
    "change of performer", "comment", "reaction", "rating", "session head, live", "other",
)  # fmt: skip
KIND_OF = {
    "session_now": PERFORMER,
    "session_order": PERFORMER,
    "session_performer_link": PERFORMER,
    "performance_moments": PERFORMER,
    "session_call": PERFORMER,
    "stage_keys_link": PERFORMER,
    "interval_panel": PERFORMER,
    "interval_tab": PERFORMER,
    "interval_when": PERFORMER,
    "interval_unrated": PERFORMER,
    "interval_said": PERFORMER,
    "interval_said_of_sight": COMMENT,
    "interval_moments": REACTION,
    "interval_ahead": RATING,
    "own_interval_ahead": RATING,
    "comment_count": COMMENT,
    "session_comments": SESSION,
    "session_comments_of_sight": COMMENT,
    "session_reactions": REACTION,
    "stage_moments": REACTION,
    "performance_means": RATING,
    "performance_strings": RATING,
    "performance_rating": RATING,
    "session_head": SESSION,
    "session_about": SESSION,
    "session_label": SESSION,
    "summary_next": SESSION,
    "live_mark": SESSION,
}
CONTINUOUS = frozenset(("comment_count", "session_comments_of_sight", "session_reactions"))  # parts that always change
STARTS = ("I think", "For me", "Honestly", "Listening again", "From the balcony", "As a pianist", "After the mazurkas")
MIDDLES = (
    "the left hand was a little heavy", "nobody has played the trio so quietly", "the coda came too early",
    "that pedal made the whole hall ring", "the second theme had room to breathe", "I would hear it again tomorrow",
)  # fmt: skip
ENDS = ("!", ".", " and I am still smiling.", ", but what a sound.", "; the jury will argue about it until midnight.")


class Watcher(Viewer):
    """A viewer that counts the bytes of its frames."""

    bench: "Evening"

    def __init__(self, bench: "Evening", path: str, *, deflate: bool) -> None:
        super().__init__(bench, path)
        self.deflate = deflate
        self.counts: dict[tuple[str, str], float] = defaultdict(float)  # bytes by phase, and part

    def frames(self) -> None:
        """Handle the complete frames, and drop their content."""
        super().frames()
        self.forget()

    def frame(self, kind: int, content: bytes) -> None:
        """Count one frame."""
        super().frame(kind, content)
        if not self.ready.done() and self.bench.first in content:
            self.ready.set_result(None)
        lengths = [
            (str(part["key"]).partition(":")[0], len(json.dumps(list(part.values())))) for part in parts_of(content)
        ]
        whole = sum(length for _, length in lengths)
        for name, length in lengths:
            self.counts[self.bench.phase, name] += self.frame_bytes * length / whole
        if not lengths:
            self.counts[self.bench.phase, NO_PART] += self.frame_bytes


class Evening(Bench):
    """Two viewers, and an audience that writes."""

    viewers: list[Watcher]  # type: ignore[assignment]  # all viewers are watchers

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        self.phase = "connection"
        self.words, self.taps = Random(38), Random(38)  # separate, so that every run has the same comments
        self.requests: set[asyncio.Future[None]] = set()
        self.sampled = 0.0  # seconds of all samples

    async def write(self, name: str, **query: Any) -> None:
        """Send a request to a control point. Exits if it is refused."""
        address = f"/bench/{name}?{urlencode(query)}"
        if refusal := await self.post(address):
            raise SystemExit(f"{address}: {refusal!r}")

    async def repeat(self, every: float, write: Callable[[], Awaitable[None]]) -> None:
        """Write at this pace, without waiting for answers."""
        begun = time.perf_counter()
        for number in range(1 << 30):
            await asyncio.sleep(max(0.0, begun + number * every - time.perf_counter()))
            request = asyncio.ensure_future(write())
            self.requests.add(request)
            request.add_done_callback(self.requests.discard)

    async def comment(self) -> None:
        """Write a comment."""
        text = f"{self.words.choice(STARTS)}, {self.words.choice(MIDDLES)}{self.words.choice(ENDS)}"
        await self.write("comment", session=self.order.session, text=text)

    async def react(self) -> None:
        """Write the reactions of a tick."""
        mean = round(REACTIONS * TICK)
        count = self.taps.randint(mean // 2, mean + mean // 2)
        kinds = self.taps.choices(("heart", "thumbsUp", "thumbsDown"), (6, 3, 1), k=count)
        await self.write("react", session=self.order.session, kinds=",".join(kinds))

    async def ping(self) -> None:
        """Send a heartbeat of each viewer."""
        for viewer in self.viewers:
            viewer.send(PING)

    async def run(self) -> dict[str, Any]:
        """Sample the evening. Returns the figures of both viewers."""
        path = self.path()
        for deflate in (False, True):
            await self.connect(Watcher(self, path, deflate=deflate))
        await asyncio.sleep(QUIET)
        audience = [
            asyncio.ensure_future(self.repeat(every, write))
            for every, write in ((1 / COMMENTS, self.comment), (TICK, self.react), (HEARTBEAT, self.ping))
        ]
        await self.performers()
        await self.performance()
        for task in audience:
            task.cancel()
        await asyncio.gather(*self.requests)
        await asyncio.sleep(SETTLE)
        self.phase = "ends"
        for name in ("end", "live"):
            await self.write(name, session=self.order.session)
            await asyncio.sleep(QUIET)
        self.leaving = True
        if self.lost:
            raise SystemExit(f"{self.lost} viewers were lost")
        plain, packed = (figures(viewer.counts, self.sampled) for viewer in self.viewers)
        for viewer in self.viewers:
            viewer.transport.abort()
        return {"plain": plain, "packed": packed, "extension": self.viewers[1].deflate}

    async def connect(self, viewer: Watcher) -> None:
        """Connect a viewer, and wait for its first frames."""
        await asyncio.get_running_loop().create_connection(lambda: viewer, "127.0.0.1", self.order.port)
        await asyncio.wait_for(viewer.ready, 60)
        self.viewers.append(viewer)

    async def performers(self) -> None:
        """Change the performer CHANGES times, after one change that does not count."""
        for number in range(CHANGES + 1):
            self.phase = "change" if number else "warm-up"
            await self.write("perform", place=self.order.appearances[STARTED + number])
            await asyncio.sleep(QUIET)
            self.phase = "pause"
            await asyncio.sleep((PACE if number else WARM_UP) - QUIET)

    async def performance(self) -> None:
        """Sample the last performer's performance."""
        before, place = self.order.appearances[STARTED + CHANGES - 1 : STARTED + CHANGES + 1]
        for number in range(SAMPLES):
            self.phase = "settling"
            await self.write("age", place=place, seconds=int(LENGTH * (number + 0.5) / SAMPLES), rate=REACTIONS)
            await self.write("rate", place=place, count=BATCH - BATCH // 2)
            await self.write("rate", place=before, count=BATCH // 2)
            await asyncio.sleep(SETTLE)
            self.phase, begun = "sample", time.perf_counter()
            await self.write("approve")
            await asyncio.sleep(max(0.0, begun + SAMPLE - time.perf_counter()))
            self.sampled += time.perf_counter() - begun


def figures(counts: Mapping[tuple[str, str], float], sampled: float) -> dict[str, Any]:
    """Return the bytes of the evening by kind and by part, and of one change of each kind."""
    batches = SECONDS / APPROVAL
    evening: dict[tuple[str, str], float] = defaultdict(float)
    for (phase, part), count in counts.items():
        kind = KIND_OF.get(part, OTHER)
        if phase == "change" and part not in CONTINUOUS:
            evening[PERFORMER, part] += count / CHANGES * PERFORMERS
        elif phase == "sample":
            evening[kind, part] += count * (batches / SAMPLES if kind == RATING else SECONDS / sampled)
        elif phase == "connection":
            evening[OTHER, part] += count
        elif phase == "ends":
            evening[SESSION, part] += count
    kinds = {kind: sum(count for (of, _), count in evening.items() if of == kind) for kind in KINDS}
    numbers = {PERFORMER: PERFORMERS, COMMENT: COMMENTS * SECONDS, REACTION: REACTIONS * SECONDS, RATING: batches}
    largest = sorted(evening.items(), key=lambda item: -item[1])
    return {
        "kinds": kinds,
        "one": {kind: kinds[kind] / number for kind, number in numbers.items()},
        "parts": {f"{kind}: {part}": round(count) for (kind, part), count in largest},
    }


def measured() -> dict[str, Any]:
    """Return the figures of both viewers: `plain` without and `packed` with the extension."""
    with (
        site_processes.opened(f"{site_processes.DATABASE}_evening", PERFORMERS) as opened,
        opened.server("site") as site,
    ):
        known = {name: opened.evening[name] for name in ("session", "appearances")}
        return asyncio.run(Evening(Order(kind="site", port=site.port, pid=site.pid, **known)).run())


if __name__ == "__main__":
    print(json.dumps(measured(), indent=1))
