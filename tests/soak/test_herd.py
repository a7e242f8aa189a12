"""Two thousand viewers of a killed process reconnect as browsers do; the process is not idle while viewers wait."""

import asyncio
import os
import random
import re
import time
from itertools import pairwise

from benchmarks.herd import Browser
from project.launcher.serve import files_allow
from project.limits.rates import BUSY, COME_BACK_MOST
from tests.e2e.server import Server
from tests.project.server.test_full_house import live_session
from tests.servers import CLOSE, Socket

HERD = int(os.environ.get("HERD", "2000"))  # viewers; `make soak` uses a thousand
BROWSER, SPREAD = Browser.of_sources(), random.Random()  # noqa: S311 - spread, not secrecy
BACK_WITHIN = 45.0  # seconds
IDLE = 1.5 * COME_BACK_MOST  # seconds without first renders while a rejected viewer waits


class Herd:
    """The reconnecting viewers: the times of their first renders, and their rejections by the server."""

    def __init__(self, server: Server, page: str) -> None:
        self.server, self.page = server, page
        self.renders: list[float] = []
        self.rejections: list[tuple[float, float]] = []  # time, and the seconds that the server asks for
        self.viewers: list[Socket] = []

    async def connect(self) -> None:
        """Act as one viewer until its first render."""
        for attempt in range(100):
            wait = BROWSER.delay(SPREAD, attempt)
            viewer = await Socket(self.server).open(self.page, attempt=str(attempt))
            while viewer.accepted:
                try:
                    kind, data = await viewer.frame()
                except asyncio.IncompleteReadError:
                    break
                if b'"layout-update"' in data:
                    self.renders.append(time.monotonic())
                    self.viewers.append(viewer)
                    return
                if kind == CLOSE:
                    if int.from_bytes(data[:2], "big") == BUSY and (retry := re.search(rb"retry=(\d+)", data)):
                        self.rejections.append((time.monotonic(), float(retry[1])))
                        wait = BROWSER.delay(SPREAD, attempt, float(retry[1]))
                    break
            viewer.leave()
            await asyncio.sleep(wait)
        raise AssertionError("a viewer has no first render after 100 attempts")

    def idle(self) -> float:
        """Return the seconds without first renders while a rejected viewer was waiting."""
        gaps = [(last, after) for last, after in pairwise(sorted(self.renders)) if after - last > 1]
        return sum(
            after - last
            for last, after in gaps
            if any(at < after and at + seconds > last for at, seconds in self.rejections)
        )


async def test_herd_reconnects_and_the_process_is_not_idle_while_viewers_wait(server: Server) -> None:
    herd = Herd(server, live_session(server))
    files_allow()
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    begun = time.monotonic()
    await asyncio.gather(*(herd.connect() for _ in range(HERD)))
    took = time.monotonic() - begun
    delays = [seconds for _, seconds in herd.rejections]
    report = f"{HERD} back in {took:.1f} s; {len(delays)} rejections, for at most {max(delays, default=0)} s"
    assert max(delays, default=0) <= COME_BACK_MOST, report
    assert herd.idle() <= IDLE, f"{report}; idle for {herd.idle():.1f} s while viewers waited"
    assert took < BACK_WITHIN, report
    for viewer in herd.viewers:
        viewer.leave()
