"""Loading pages: in a worker thread, and once for everybody who asks for the same public page at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.threads import in_thread
from components.page import Page
from components.routes import Access, Target
from project.process.web_process import process

PAGES = 500  # public pages that a process keeps
_running: dict[object, asyncio.Task[Any]] = {}


async def once(key: object, work: Callable[[], Awaitable[Any]]) -> Any:
    """What `work` returns; callers with the same key while it runs share one run."""
    task = _running.get(key)
    if task is None:

        async def run() -> Any:
            return await work()

        task = _running[key] = asyncio.create_task(run())
        task.add_done_callback(lambda done: _ended(key, done))
    try:
        return await asyncio.shield(task)
    finally:
        del task  # a failure's traceback would refer to it here, and it to the failure


def _ended(key: object, task: asyncio.Task[Any]) -> None:
    _running.pop(key, None)
    if not task.cancelled():
        task.exception()  # seen, even when everybody who waited for it has left


async def page_load(target: Target, viewer: Viewer, language: str, sequence: int) -> Page:
    """The page at `target`; `turn` is the bus's: only those who ask after the same changes share an answer.

    A public page is kept until one of its topics changes: a thousand viewers who come back one by one cost one read.
    """

    async def load() -> Page:
        return replace(await in_thread(lambda: target.load(viewer, language)), sequence=sequence)

    if target.route.access is not Access.PUBLIC:
        return await load()
    place = (target.path, language)
    known = process.pages.pop(place, None)
    if known is None or not process.bus.connected.is_set() or process.bus.changed_since(known[0], known[1].topics):
        page: Page = await once((*place, sequence), load)
        if not process.bus.connected.is_set():
            return page
    else:
        sequence, page = process.bus.sequence, known[1]
    process.pages[place] = (sequence, page)
    if len(process.pages) > PAGES:
        del process.pages[next(iter(process.pages))]
    return page
