"""What one web process holds: its bus, its shared parts, its clock."""

import asyncio
import logging

from django.db import connection

from apps.core.bus import Bus
from components.rendering.live_parts import LiveParts
from project.threads import in_thread

log = logging.getLogger(__name__)
MINUTE = 60.0
WANTED = ("dbname", "user", "password", "host", "port")


class Process:
    """Started once the event loop runs, stopped after the last socket has left."""

    def __init__(self) -> None:
        self.bus = Bus()
        self.parts = LiveParts(self.bus, in_thread)
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen to the database, and to the clock."""
        known = connection.get_connection_params()
        parameters = {name: str(known[name]) for name in WANTED if known.get(name)}
        self.tasks = [asyncio.create_task(self.bus.run(parameters)), asyncio.create_task(self._minutes())]

    async def stop(self) -> None:
        """End the LISTEN connection."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _minutes(self) -> None:
        """Say `clock.minute` to this process: what is upcoming becomes past without anybody's change."""
        while True:
            await asyncio.sleep(MINUTE)
            self.bus.changed("clock.minute")


process = Process()
