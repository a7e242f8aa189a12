"""`python -m benchmarks.covers`: the processor time of a change of one performance, by the covers of its viewers.

1,000 members in 50 different covers and 1,000 members who see everything show a running order of 60 performances. The
mean and the number of marks of one performance change. The same change is measured with 2,000 viewers without covers,
and with parts as they were before covers: the mean in the line's own part. Sockets are objects without a network.
"""

import asyncio
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import django
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
if not apps.ready:
    django.setup(set_prefix=False)

from apps.core.bus.listeners import Bus
from components.runtime.markup import html
from components.runtime.rendering.covers import NOTHING, Cover
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import Ref, public_part, shared_part
from components.runtime.rendering.slots import Fill, covered, fill, slot

PERFORMANCES, MEMBERS, COVERS = 60, 1000, 50
CHANGES, RUNS = 100, 5
marks: Counter[int] = Counter()


@public_part(topics=lambda number: (f"marks.{number}",))
def bench_mean(number: int, *, language: str) -> Any:  # noqa: ARG001 - how parts are called
    """The mean."""
    return html.span(html.span({"class": "order__label"}, "audience "), f"{marks[number] / 7:.1f}")


@public_part(topics=lambda number: (f"marks.{number}",))
def bench_line(number: int, *, language: str) -> Any:
    """The line with the mean in a slot."""
    inside = html.span({"class": "blind"} | slot("figures", number), shared_part(bench_mean(number, language=language)))
    return html.span(inside, html.span({"class": "order__few"}, f"{marks[number]} marks"))


@public_part(topics=lambda number: (f"marks.{number}",))
def bench_former_line(number: int, *, language: str) -> Any:  # noqa: ARG001 - how parts are called
    """The line as it was: the mean inside it."""
    mean = html.span(html.span({"class": "order__label"}, "audience "), f"{marks[number] / 7:.1f}")
    return html.span(html.span({"class": "blind"}, mean), html.span({"class": "order__few"}, f"{marks[number]} marks"))


@public_part(topics=lambda *_: ())
def bench_order(kind: str, *, language: str) -> Any:
    """The running order."""
    line = bench_former_line if kind == "former" else bench_line
    return html.ol(*(shared_part(line(number, language=language)) for number in range(PERFORMANCES)))


class Viewer:
    """A socket that takes all frames."""

    deflates = True

    def __init__(self) -> None:
        self.received = 0

    def send_latest(self, lives: Sequence[LivePart], data: bytes) -> None:  # noqa: ARG002 - as sockets
        """Count the bytes."""
        self.received += len(data)


def cover(number: int) -> Cover:
    """Return one of COVERS covers: another number of performances is uncovered."""
    fills: dict[str, Fill] = {"figures": covered()}
    return Cover.of(fills | {f"figures:{each}": fill() for each in range(number % COVERS + 1, PERFORMANCES)})


async def _now(function: Callable[[], Any], /) -> Any:
    return function()


async def measured(ref: Ref, covers: Iterable[Cover]) -> tuple[float, float, int]:
    """Return the milliseconds of processor time of one change, the bytes for a viewer, and the number of groups."""
    bus = Bus()
    parts = LiveParts(bus, _now)  # without threads
    viewers = []
    for each in covers:
        viewer = Viewer()
        await parts.show(viewer, (ref,), {}, None, lambda each=each: each)  # type: ignore[misc]
        viewers.append(viewer)
    for viewer in viewers:
        viewer.received = 0
    times = []
    for number in range(CHANGES):
        marks[0] += number % 9 + 1
        begun = time.process_time()
        bus.notify_listeners("marks.0")
        while running := [live.refresh for live in parts.live.values() if live.refresh]:
            await asyncio.wait(running)
        times.append(time.process_time() - begun)
        await asyncio.sleep(max(0.0, parts.rests_until - asyncio.get_running_loop().time()))
    return statistics.median(times) * 1000, viewers[0].received / CHANGES, len(parts.groups)


async def main() -> None:
    """Print the figures: the medians of RUNS alternating runs."""
    whole = [NOTHING] * MEMBERS
    kinds = {
        "2,000 viewers, one part": (bench_order("former", language="en"), whole * 2),
        "2,000 viewers, two parts, no covers": (bench_order("new", language="en"), whole * 2),
        f"1,000 in {COVERS} covers, 1,000 without": (
            bench_order("new", language="en"), [*map(cover, range(MEMBERS)), *whole],
        ),
        f"2,000 in {COVERS} covers": (bench_order("new", language="en"), [*map(cover, range(2 * MEMBERS))]),
    }  # fmt: skip
    found: dict[str, list[tuple[float, float, int]]] = {kind: [] for kind in kinds}
    for _ in range(RUNS):
        for kind, (ref, covers) in kinds.items():
            found[kind].append(await measured(ref, covers))
    base = statistics.median(each[0] for each in found["2,000 viewers, one part"])
    for kind, figures in found.items():
        spent = statistics.median(each[0] for each in figures)
        _, size, groups = figures[0]
        print(f"{kind:40} {spent:6.2f} ms  {spent / base:5.2f}  {size:5.0f} bytes (first viewer)  {groups} groups")


if __name__ == "__main__":
    asyncio.run(main())
