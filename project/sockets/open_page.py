"""An open page: loaded, and loaded again after a change of its topics."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.observability import RequestContext, request_context
from components.routes import Target
from components.runtime.page import Page
from project.http.page_cache import page_load
from project.process.web_process import process

log = logging.getLogger(__name__)
Headers = Iterable[tuple[bytes, bytes]]
Stop = Callable[[], None]


class OpenPage:
    """The common part of a window's own page (`own_page.py`) and a page of anonymous visitors (`anonymous_page.py`)."""

    viewer: Viewer

    def __init__(self, scope: dict[str, Any], language: str) -> None:
        self.scope, self.language = scope, language
        self.target: Target
        self.page: Page
        self.page_stops: list[Stop] = []
        self.reload_task: asyncio.Task[None] | None = None
        self.outdated_target: Target | None = None
        self.context = copy_context()  # log records of work that the bus starts carry the page's context

    def fail(self) -> None:
        """Close the sockets of the page after an error; their browsers reconnect and request everything."""
        raise NotImplementedError

    async def reload(self, target: Target) -> None:
        """Load the page again, and show it with its parts."""
        raise NotImplementedError

    async def load(self, target: Target) -> None:
        """Load the page and subscribe to its topics. Repeats the load if a topic changed during it."""
        headers: Headers = self.scope.get("headers", ())
        with request_context(RequestContext.of(headers, target.address, self.viewer.id)):
            while True:
                sequence = process.bus.sequence
                page = await page_load(target, self.viewer, self.language)
                if not process.bus.changed_since(sequence, page.topics):
                    break
        self._unsubscribe()
        self.target, self.page = target, page
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]

    async def end(self) -> None:
        """Stop following the page's topics."""
        if self.reload_task is not None:
            self.reload_task.cancel()
            self.reload_task = None  # a task cancelled before its first step does not clear itself
        self._unsubscribe()

    def _page_changed(self, target: Target) -> None:
        self.outdated_target = target
        if self.reload_task is None:
            self.reload_task = asyncio.create_task(self._reload(), context=self.context)

    async def _reload(self) -> None:
        try:
            while (target := self.outdated_target) is not None:
                self.outdated_target = None  # a change from here on causes another turn
                await self.reload(target)
        except Exception:
            log.exception("page %s could not be loaded again", self.page.path)
            self.fail()
        finally:
            self.reload_task = None

    def _unsubscribe(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []
