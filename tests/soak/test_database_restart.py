"""PostgreSQL restarts below a site: sockets stay open, pages answer 503, and changes made afterwards arrive."""

import asyncio
from pathlib import Path
from urllib.parse import urlencode

from project.database.embedded import DATABASE, SUPERUSER, Cluster, lock_share
from tests.e2e.server import Server
from tests.project.server.test_full_house import HALL, hear, live_session, perform, performer
from tests.servers import Socket, request
from tests.waiting import until


async def test_restart_of_the_database_is_a_pause(tmp_path: Path) -> None:
    with lock_share(tmp_path / "own"):
        cluster = Cluster(tmp_path / "own")
        query = urlencode({"host": str(cluster.sockets)})
        server = Server(tmp_path, f"postgresql://{SUPERUSER}@/{DATABASE}?{query}", **HALL)
        try:
            await asyncio.to_thread(server.start)
            page, received = live_session(server), []
            viewer = await Socket(server).live(page)
            following = asyncio.create_task(hear(viewer, received))
            await asyncio.to_thread(cluster.stop)
            assert (await request(server, "/participants?q=away"))[0] == 503
            viewer.send('{"type":"ping"}')
            await asyncio.to_thread(cluster.launch)
            known = len(received)
            await asyncio.to_thread(perform, server, 5)
            name = performer(server)

            async def has_arrived() -> bool:
                nonlocal following
                if following.done():  # its page could not be read again: reconnect, as browsers do
                    following = asyncio.create_task(hear(await Socket(server).open(page), received))
                return any(name in frame for frame in received[known:])

            await until(has_arrived, "the change arrives")
            assert any(b'"pong"' in frame for frame in received), "the socket stayed open during the restart"

            async def is_served() -> bool:
                return (await request(server, "/participants?q=back"))[0] == 200

            await until(is_served, "pages are served again")
        finally:
            await asyncio.to_thread(server.kill)
