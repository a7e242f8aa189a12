"""Web processes behind nginx, restarted one after the other while viewers and readers use them."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

from tests.e2e.server import Server
from tests.nginx import Nginx
from tests.servers import CLOSE, LOST, PATIENCE, PING, PONG, TEXT, Socket, request

LOOPBACK = "127.0.0.1"


class Site:
    """A proxy, the web processes behind it, and counts of the statuses and close codes that clients got."""

    def __init__(self, proxy: Nginx, processes: list[Server]) -> None:
        self.proxy, self.processes = proxy, processes
        self.handshakes: Counter[int] = Counter()
        self.pages: Counter[int] = Counter()
        self.closed: Counter[int] = Counter()
        self.open, self.pages_every = 0, 0.0
        self.away: list[float] = []  # seconds from the arrival or a lost socket to the first frame
        self.stopped: list[float] = []  # seconds from SIGTERM to the end of each process
        self.place = "/participants"  # a page that takes a query

    async def stay(self, page: str) -> None:
        """Act as a viewer: reconnect whenever the socket is closed."""
        left, heard = time.monotonic(), self.screen()
        while True:
            socket = await Socket(self.proxy).open(page)
            self.handshakes[int(socket.head[9:12] or 0)] += 1
            if socket.accepted:
                self.closed[await self._closed(socket, left, heard)] += 1
                left = time.monotonic()

    def screen(self) -> Callable[[bytes], None]:
        """Return the function that receives each text frame of one viewer, over all its sockets."""
        return lambda _text: None

    async def _closed(self, socket: Socket, left: float, heard: Callable[[bytes], None]) -> int:
        """Stay connected like a browser until the socket closes. Return the close code, or 1006 without one."""
        here = False
        try:
            while True:
                kind, data = await socket.frame()
                if kind == TEXT:
                    heard(data)
                    if not here:
                        self.away.append(time.monotonic() - left)
                        self.open, here = self.open + 1, True
                elif kind == PING:
                    socket.raw(PONG, data)
                elif kind == CLOSE:
                    socket.raw(CLOSE, data[:2])
                    return int.from_bytes(data[:2], "big")
        except (asyncio.IncompleteReadError, ConnectionError):
            return LOST
        finally:
            self.open -= here

    async def read(self, numbers: Iterator[int]) -> None:
        """Request one uncached page after another, each from another address."""
        while True:
            number = next(numbers)
            source = f"127.1.{number // 250 % 250}.{number % 250 + 1}"
            status, _ = await request(self.proxy, f"{self.place}?query=nobody{number}", source=source)
            self.pages[status] += 1
            await asyncio.sleep(self.pages_every)  # the rate of requests

    async def all_there(self, viewers: int) -> None:
        """Wait until this many sockets are open."""
        async with asyncio.timeout(PATIENCE):
            while self.open < viewers:
                await request(self.proxy, "/static/nothing")  # the proxy answers this itself

    async def roll(self, viewers: int) -> list[int]:
        """Restart the processes one after the other, each once all viewers are connected. Return the exit codes."""
        codes = []
        for process in self.processes:
            asked = time.monotonic()
            codes.append(await asyncio.to_thread(process.stop))
            self.stopped.append(time.monotonic() - asked)
            await asyncio.to_thread(process.start)
            await self.all_there(viewers)
        return codes


@contextmanager
def behind(folder: Path, processes: list[Server]) -> Iterator[Site]:
    """Start these processes behind a proxy; for all of them, loopback is a venue's network."""
    proxy = Nginx(folder, [each.port for each in processes], venues=[LOOPBACK])
    try:
        with ThreadPoolExecutor() as threads:
            for each in processes:
                each.environment |= {"PUBLIC_URL": proxy.address, "BEHIND_PROXY": "1", "VENUE_ADDRESSES": LOOPBACK}
            list(threads.map(lambda each: each.start(), processes))
        proxy.start()
        yield Site(proxy, processes)
    finally:
        proxy.stop()
        for each in processes:
            each.kill()


@asynccontextmanager
async def people(site: Site, page: str, *, viewers: int, readers: int) -> AsyncIterator[None]:
    """Run this many viewers of a page and readers of other pages until the block ends. Raise their failures."""
    numbers = count()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(site.stay(page)) for _ in range(viewers)]
        await site.all_there(viewers)
        tasks += [group.create_task(site.read(numbers)) for _ in range(readers)]
        yield
        for task in tasks:
            task.cancel()
