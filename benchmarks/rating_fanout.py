"""The cost of a rating change for 500 windows of a stage's page, and of its live session's; a part of `make bench`.

`python -m benchmarks.rating_fanout` prints its lines. The stage has 84 performances in seven sessions, all of them
marked; the last session is live. A change is the same for both pages: a listener's rating of one of the last three
performances is approved, and the ranking is computed, as the site does in another process. The session's page shows
the new average, the stage's page the new ranking. The pages are measured in turn, each with its own windows.

CPU is the site's. Delivering is that of its event loop, which takes what was read, makes the frame and writes it to
each window: the fan-out. Reading and rendering are done by threads, once for all windows. The time until the last
window begins with the notification of the write that the page shows. On the stage's page that is the ranking, which
follows a mark within `EVERY` of `apps/ranking/limits.py`, with any number of windows.
"""

import asyncio
import datetime as dt
import os
import resource
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import psycopg

from benchmarks import site_processes
from benchmarks.clocks import cpu, loop_cpu
from benchmarks.viewers import Bench, Order, Viewer

VIEWERS, RATERS, SESSION = 500, 40, 12  # windows of a page; listeners; performances of a session
LIMIT = 1.2  # of the ratio of delivering
ROUNDS, CHANGES = 5, 4  # rounds of both pages, the first is a warm-up; changes of one page in a round
CHANGED = 3  # the last performances, of which ratings are approved in turn
REST = 0.5  # seconds after a change, longer than the pause between two reads of the figures
SHOWN = {  # the parts that show a change, by page; of the performer on stage and of the others
    "session": ("performance_distribution", "performance_means"), "stage": ("ranking_table",),
}  # fmt: skip
FIGURES = {  # of a change: what they are, and their aims
    "delivering": ("CPU of delivering, µs per window", f", aim at most {LIMIT}"),
    "cpu": ("CPU with reading and rendering, µs per window", ""),
    "last": ("the last window, ms", ""),
    "bytes": ("bytes per window", ""),
    "frames": ("frames per window", ""),
}


def filled() -> dict[str, Any]:
    """Store the stage. Returns its id and that of the live session, and the ratings that wait: appearance and marks."""
    from apps.accounts.actors import OPERATOR
    from apps.competition.models import Appearance, Session
    from apps.competition.services.live import performer_set, session_set_live
    from apps.ranking.services import ranking_compute
    from apps.ratings.models import PieceRating
    from benchmarks import ranked_stage
    from benchmarks.busy_session import VIDEO

    stage = ranked_stage.fill(RATERS)["stage"]
    appearances = list(Appearance.objects.filter(session__stage=stage).order_by("order_number"))
    for begin in range(SESSION, len(appearances), SESSION):
        number, starts_at = begin // SESSION + 1, ranked_stage.BEGINS + dt.timedelta(days=begin // SESSION)
        session = Session.objects.create(
            stage_id=stage, title=f"Stage I, session {number}", starts_at=starts_at, youtube_id=VIDEO
        )
        moved = [each.pk for each in appearances[begin : begin + SESSION]]
        Appearance.objects.filter(pk__in=moved).update(session=session)
    session_set_live(actor=OPERATOR, session_id=session.pk)
    for pk in moved:
        performer_set(actor=OPERATOR, appearance_id=pk)
    waiting = []
    for number in range(2 * ROUNDS * CHANGES):
        marks = PieceRating.objects.filter(appearance=moved[-1 - number % CHANGED]).order_by("user_id", "pk")
        one = marks[number // CHANGED * ranked_stage.PIECES :][: ranked_stage.PIECES]
        waiting.append((moved[-1 - number % CHANGED], [mark.pk for mark in one]))
    PieceRating.objects.filter(pk__in=[pk for _, marks in waiting for pk in marks]).update(approved=False)
    ranking_compute(stage_id=stage)
    return {"stage": stage, "session": session.pk, "waiting": waiting}


def approve(marks: list[int]) -> None:
    """Approve these marks, as a moderator's click does."""
    from apps.accounts.actors import OPERATOR
    from apps.core.moderation import Seen
    from apps.ratings.enums import RatingKind, Verdict
    from apps.ratings.services.rating_moderation import ratings_decide

    ratings_decide(actor=OPERATOR, decision=Verdict.APPROVE, seen=[Seen(RatingKind.PIECE, pk) for pk in marks])


class Reader(Viewer):
    """A viewer that counts its frames."""

    bench: "Windows"

    def frame(self, kind: int, content: bytes) -> None:
        """Count a frame."""
        super().frame(kind, content)
        self.bench.frames += 1


class Windows(Bench):
    """The windows of one page."""

    frames = 0

    def make_viewer(self, path: str) -> Viewer:
        """Return a viewer that counts its frames."""
        return Reader(self, path)


class Fanout:
    """Both pages of one stage, and a moderator."""

    def __init__(
        self, known: dict[str, Any], port: int, pid: int, subscribe: Callable[..., Callable[[], None]]
    ) -> None:
        self.stage, self.session, self.subscribe = known["stage"], known["session"], subscribe
        self.waiting = iter(known["waiting"])
        self.order = Order(kind="site", port=port, pid=pid, session=self.session, appearances=[])

    async def measured(self, page: str) -> dict[str, float]:
        """Open the windows of a page, make CHANGES changes, and close the windows. Returns the figures of a change."""
        windows = Windows(self.order)
        windows.page = f"/sessions/{self.session}" if page == "session" else f"/stages/{self.stage}"
        await windows.grow(VIEWERS)
        await asyncio.sleep(1)
        windows.received = windows.frames = 0
        spent, delivering, times = [], [], []
        for _ in range(CHANGES):
            begun, loop = cpu(self.order.pid), loop_cpu(self.order.pid)
            times.append(await self.change(windows, page))
            await asyncio.sleep(REST)
            spent.append(cpu(self.order.pid) - begun)
            delivering.append(loop_cpu(self.order.pid) - loop)
        received, frames = (count / VIEWERS / CHANGES for count in (windows.received, windows.frames))
        if windows.lost:
            raise SystemExit(f"{windows.lost} windows were lost")
        windows.leaving = True
        for viewer in windows.viewers:
            viewer.transport.abort()
        await asyncio.sleep(2)
        return {
            "delivering": median(delivering) / VIEWERS * 1e6, "cpu": median(spent) / VIEWERS * 1e6,
            "last": median(times) * 1e3, "bytes": received, "frames": frames,
        }  # fmt: skip

    async def change(self, windows: Windows, page: str) -> float:
        """Approve a rating and compute the ranking.

        Returns the seconds from the notification until the last window has the change.
        """
        from apps.ranking.services import ranking_compute

        appearance, marks = next(self.waiting)
        topic = f"session_participant.{appearance}.ratings" if page == "session" else f"ranking.{self.stage}"
        heard: list[float] = []
        stop = self.subscribe(topic, lambda: heard.append(time.perf_counter()))
        windows.seen, windows.done = set(), asyncio.Event()
        for viewer in windows.viewers:
            viewer.forget()
        shown = appearance if page == "session" else self.stage
        windows.markers = (tuple(f'["{part}:{shown}:'.encode() for part in SHOWN[page]),)
        await asyncio.to_thread(approve, marks)
        if page == "session":
            await asyncio.wait_for(windows.done.wait(), 60)
            ended = time.perf_counter()
        await asyncio.to_thread(ranking_compute, stage_id=self.stage)
        if page == "stage":
            await asyncio.wait_for(windows.done.wait(), 60)
            ended = time.perf_counter()
        stop()
        return ended - heard[0]


async def run(serving: site_processes.Serving) -> list[dict[str, dict[str, float]]]:
    """Measure both pages in turn. Returns the figures of each round but the first."""
    from apps.core.bus.listeners import Bus
    from project.database.parameters import session_parameters

    bus = Bus()
    listening = asyncio.create_task(bus.run(session_parameters("bench")))
    await bus.connected.wait()
    fanout = Fanout(await asyncio.to_thread(filled), serving.port, serving.pid, bus.subscribe)
    rounds = [{page: await fanout.measured(page) for page in SHOWN} for _ in range(ROUNDS)]
    listening.cancel()
    return rounds[1:]


def measured() -> list[dict[str, dict[str, float]]]:
    """Return the figures of each round, by page (`FIGURES`)."""
    with site_processes.opened(f"{site_processes.DATABASE}_fanout") as opened:
        os.environ.update(opened.environment(site_processes.PORTS[0], "site"))
        import django

        django.setup()
        from project.database.parameters import session_parameters
        from project.process.ranking_worker import LOCK

        with psycopg.connect(**session_parameters("rankings"), autocommit=True) as elected:  # type: ignore[arg-type]  # as in `election.py`
            elected.execute(LOCK)  # so the site leaves the rankings to this process
            with opened.server("site") as serving:
                return asyncio.run(run(serving))


def report(rounds: list[dict[str, dict[str, float]]]) -> str:
    """Return the figures in words: medians of all rounds, and of the ratios within each."""
    lines = [f"a rating change for {VIEWERS} windows: the session's page, the stage's page, and the ratio"]
    for name, (what, aim) in FIGURES.items():
        session, stage = (median(each[page][name] for each in rounds) for page in SHOWN)
        ratios = [each["stage"][name] / each["session"][name] for each in rounds]
        spread = f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}){aim}"
        lines.append(f"  {what}: {session:.1f}, {stage:.1f}; {spread}")
    return "\n".join(lines)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(report(measured()))
