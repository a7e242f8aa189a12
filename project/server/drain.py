"""Draining: refuse new sockets, tell the open ones to reconnect elsewhere, and wait for what runs, by a deadline."""

import asyncio
import logging
import os
import random
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from project.server.daphne_server import DrainingServer

log = logging.getLogger(__name__)
LATE = 10.0  # seconds beyond the spread after which what still runs is cancelled
STOP = 3.0  # seconds after that which the process's own work may take
EXIT = 1.0  # seconds after that until a thread that never returns keeps the process no longer
DEADLINE = LATE + STOP + EXIT  # seconds beyond the spread
ASK_AGAIN = 0.05  # seconds between two looks at who is left
EXIT_CODE = 70  # exit code, as the watchdog's


async def drain(server: "DrainingServer") -> None:
    """End what `server` does, within `spread + LATE + STOP` seconds.

    Sockets are closed in random order over `spread`, and handshakes are refused. Pages are answered meanwhile, each
    with `Connection: close`: behind a proxy for all of the spread, since it may still leave out another process that
    restarted just now. Then this one stops listening, and asks who is left until nobody is.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    server.ready = False
    running = len(server.applications())
    sockets = server.sockets()
    random.shuffle(sockets)
    for position, viewer in enumerate(sockets, 1):
        viewer.restart()  # nothing happens where it was closed meanwhile
        await asyncio.sleep(began + server.spread * position / len(sockets) - loop.time())
    if server.proxy_forwarded_address_header:
        await asyncio.sleep(began + server.spread - loop.time())
    for port in server.ports:
        port.stopListening()
    left = True
    while left and loop.time() < began + server.spread + LATE:
        await asyncio.sleep(ASK_AGAIN)  # what had come by now is read before anything is closed
        server.idle_close()
        left = server.is_busy()
    late = server.applications()
    for task in late:
        task.cancel()
    if running or late:
        log.info("drained: %d sockets, %d applications, %d cancelled", len(sockets), running, len(late))
    try:
        await asyncio.wait_for(server.on_stop(), STOP)
    except TimeoutError:
        log.warning("drained: what the process itself does did not end in time")


def exit_later(seconds: float) -> threading.Timer:
    """End the process then if nobody cancels it: Python waits for worker threads at its end, for ever if need be."""

    def end() -> None:
        log.error("drained: a thread did not end in time")
        os._exit(EXIT_CODE)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer
