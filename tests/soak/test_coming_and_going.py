"""A thousand viewers connect and leave in many rounds: the process does not grow after the second round."""

import asyncio
import os
import re

from project.launcher.serve import files_allow
from tests.e2e.server import Server
from tests.project.observability.test_metrics import until
from tests.project.server.test_full_house import live_session
from tests.servers import Socket, megabytes

VIEWERS = int(os.environ.get("COMING", "1000"))
ROUNDS = int(os.environ.get("ROUNDS", "26"))
GROWTH = 12  # megabytes from the second round to the last
PAUSE = 0.1  # seconds that a garbage collection may take


async def connected_viewer(server: Server, page: str, *, presses: bool) -> Socket:
    """Return a connected viewer after its first layout update. A viewer that the server rejects connects again.

    A viewer that `presses` opens all rows of the running order and so gets its own layout.
    """
    while True:
        viewer = await Socket(server).open(page)
        try:
            first = await viewer.until(b'"layout-update"', 60)
            if presses:
                target = re.search(rb'"target":"([^"]*:order_open)"', first)
                assert target
                viewer.send({"type": "layout-event", "target": target[1].decode(), "data": ["all"]})
                await viewer.until(b'"layout-update"', 60)
        except (AssertionError, asyncio.IncompleteReadError):
            viewer.leave()
        else:
            return viewer


async def test_process_does_not_grow_after_the_second_round(server: Server) -> None:
    page, sizes = live_session(server), []
    files_allow()
    for _ in range(ROUNDS):
        viewers = await asyncio.gather(
            *(connected_viewer(server, page, presses=number % 2 == 0) for number in range(VIEWERS))
        )
        layouts = (await until(server, lambda now: now["viewers no"] == VIEWERS))["layouts"]
        assert layouts == VIEWERS // 2 + 1  # viewers without a press share one
        for viewer in viewers:
            viewer.leave()
        now = await until(server, lambda now: now["viewers no"] == 0 and now["layouts"] == 0)
        sizes.append(megabytes(server))
    assert sizes[-1] - sizes[1] < GROWTH, sizes
    slow = now["collection_seconds_bucket +Inf"] - now[f"collection_seconds_bucket {PAUSE}"]
    assert slow == 0, f"a collection blocked the event loop; megabytes after each round: {sizes}"
