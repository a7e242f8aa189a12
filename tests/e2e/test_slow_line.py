"""A browser on a slow line: 400 ms each way and 200 kB/s. It sees a performer change, which is few bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import expect

from tests import chromium
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live
from tests.timing import took_at_most

LATE, PER_SECOND = 0.4, 200_000  # seconds each way, and bytes
PIECE = 4_096  # bytes read at a time
CHANGE_MOST = 1_500 + 400  # bytes of a change of performer, and of what else arrives in the meantime
SEEN_WITHIN = 3.0  # seconds, of which the line takes one way


class SlowLine:
    """A tunnel to the site's port that delays and paces the bytes of each connection, and counts those to browsers."""

    def __init__(self, port: int) -> None:
        self.port, self.address, self.to_browsers = port, "", 0
        self.tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection."""
        task = asyncio.current_task()
        assert task
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        with suppress(OSError, asyncio.CancelledError):
            site_reader, site_writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                await asyncio.gather(self._pass(reader, site_writer, 0), self._pass(site_reader, writer, 1))
            finally:
                site_writer.close()
                writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counted: int) -> None:
        """Copy bytes, each LATE seconds after it was read, and no faster than PER_SECOND."""
        loop, free = asyncio.get_running_loop(), 0.0
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            while data := await reader.read(PIECE):
                self.to_browsers += counted * len(data)
                under_way.put_nowait((loop.time() + LATE, data))
            under_way.put_nowait((loop.time() + LATE, b""))

        reading = asyncio.create_task(read())
        try:
            while True:
                due, data = await under_way.get()
                free = max(due, free) + len(data) / PER_SECOND
                await asyncio.sleep(free - loop.time())  # the line itself: the test waits for what the page shows
                if not data:
                    break
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        finally:
            reading.cancel()


@asynccontextmanager
async def slow_line(port: int) -> AsyncIterator[SlowLine]:
    """Run the line; yield it with the address of its near end."""
    line = SlowLine(port)
    server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    line.address = f"http://localhost:{server.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        server.close()
        for task in list(line.tasks):
            task.cancel()
        await asyncio.gather(*line.tasks, return_exceptions=True)


async def test_performer_change_is_fast_and_small_on_a_slow_connection(site: Site, windows: Windows) -> None:
    async with slow_line(site.server.port) as line:
        rules = f"MAP {site.server.address.removeprefix('http://')} {line.address.removeprefix('http://')}"
        browser = await windows.browser.browser_type.launch(
            executable_path=chromium.executable(), args=[*chromium.ARGUMENTS, f"--host-resolver-rules={rules}"]
        )
        page = await browser.new_page(base_url=site.server.address, viewport={"width": 360, "height": 740})
        await page.goto(f"/sessions/{site.appearances.live}")
        await live(page)
        site.perform(6)  # the first change: parts that are new to the process
        await expect(page.locator(".stand__said .person__name")).to_have_text(site.appearances.names[6])
        loop, sizes = asyncio.get_running_loop(), []
        for number in (8, 7, 9):  # something else may arrive with one of them
            before, begun = line.to_browsers, loop.time()
            site.perform(number)
            await expect(page.locator(".stand__said .person__name")).to_have_text(site.appearances.names[number])
            took_at_most(SEEN_WITHIN, loop.time() - begun, "a change of performer on a slow line")
            sizes.append(line.to_browsers - before)
        assert 500 < min(sizes) < CHANGE_MOST, sizes
        await browser.close()
