"""Run one web process on Daphne until it is stopped."""

import asyncio
import gc
import logging
import resource
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Timer

from django.conf import settings

from project.launcher.memory import websockets_import
from project.limits.rates import FRAME_BYTES, PING_ANSWER, PING_EVERY
from project.observability.metrics import collections_time, queries_time
from project.observability.watchdog import watchdog

log = logging.getLogger(__name__)
THREADS = 8  # as many as the pool has connections
FILES = 65_536  # open files
# Thresholds of garbage collection: new objects before a young collection, and collections before an older and a full
# one. A viewer adds 410 lasting objects, which reference counting frees. Measured with 1,000 viewers: the first two
# collections block the event loop for 5 and 12 ms. A full one takes 165 ms, so it waits for a moment without viewers
# (project/process/web_process.py).
COLLECTIONS = (10_000, 2, 5_000)


def serve(
    *,
    port: int,
    interface: str = "127.0.0.1",
    spread: float | None = None,
    on_listen: Callable[[], None] | None = None,
) -> Timer | None:
    """Serve until SIGTERM or SIGINT, then drain: close sockets over `spread` seconds and finish running work.

    `on_listen` is called when the port listens. Returns the timer that ends the process at its deadline, unless the
    caller cancels it.
    """
    _install_reactor()
    from daphne.ws_protocol import WebSocketFactory  # noqa: PLC0415 - Twisted keeps the first reactor installed

    from project.asgi import application  # noqa: PLC0415
    from project.process.web_process import process  # noqa: PLC0415
    from project.server.daphne_server import BoundedSocket, DrainingServer  # noqa: PLC0415

    guard = watchdog()
    files_allow()

    def on_start() -> None:
        process.start()
        guard.start()

    async def on_stop() -> None:
        guard.stop()
        await process.stop()

    queries_time()
    WebSocketFactory.protocol = BoundedSocket
    logging.getLogger("daphne.server").setLevel(logging.WARNING)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
    collections_time()
    server = DrainingServer(
        application,
        endpoints=[f"tcp:{port}:interface={interface}"],
        on_start=on_start,
        on_stop=on_stop,
        spread=settings.DRAIN_SECONDS if spread is None else spread,
        verbosity=0,
        websocket_timeout=-1,
        ping_interval=PING_EVERY,
        ping_timeout=PING_ANSWER,
        websocket_handshake_timeout=5,
        websocket_max_message_size=FRAME_BYTES,
        websocket_max_frame_size=FRAME_BYTES,
        proxy_forwarded_address_header="X-Real-IP" if settings.BEHIND_PROXY else None,
    )
    server.on_listen = on_listen
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which Twisted replaces; it respects any other
    server.run()
    return server.guard


def files_allow() -> None:
    """Raise the limit of open files to FILES or the hard limit: shells start with 1,024, and every viewer needs one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _install_reactor() -> None:
    loop = asyncio.new_event_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS))
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor  # noqa: PLC0415 - `twisted.internet.reactor` would install another

    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]
    websockets_import()
