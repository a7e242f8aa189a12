"""The page of one window with its own layout: of a signed-in viewer, or of an anonymous visitor after an event."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.accounts.actors import Viewer
from apps.live.services import Taps
from components.routes import Target
from components.runtime.page import Page, Redirect
from components.runtime.rendering.parts import Ref
from project.http.middleware import CsrfTokens
from project.process.web_process import process
from project.sockets.open_page import OpenPage, PageWindow


class OwnPage(CsrfTokens, OpenPage):
    """A page with a layout that only `window` shows."""

    def __init__(self, window: PageWindow) -> None:
        super().__init__(window.scope, window.language)
        self.window = window
        self.is_silent = True  # until the window shows it

    @property
    def viewer(self) -> Viewer:  # type: ignore[override]  # as the account is now
        """The viewer of this window."""
        return self.window.viewer

    def send(self, update: dict[str, Any]) -> None:
        """Send an update to the window. A page not yet shown only sends notices to developers."""
        if not self.is_silent or update["type"] == "notice":
            self.window.update(update)

    def fail(self) -> None:
        """Close the window's socket; the browser reconnects."""
        self.window.close_failed()

    async def reload(self, target: Target) -> None:
        """Load the page again, unless the window has navigated to another."""
        async with self.window.navigation_lock:
            if self.page.address != target.address:
                return
            await self.load(target)
            await self.window.parts.show(self.page.all_parts, {})
        if self.show_page is not None:
            self.show_page(self.page)

    async def navigate(self, path: str, versions: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts. Returns the page, or a Redirect that the browser must load."""
        return await self.window.navigate(path, versions, own=self)

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page. Returns a function that closes it."""
        return self.window.parts.open_part(ref)

    async def react(self, taps: Taps) -> tuple[int, str] | None:
        """Store these taps.

        Returns the number stored and the reason why others are refused; None if the outcome is unknown.
        """
        return await process.reactions.add(taps)

    async def settle(self) -> None:
        """Wait until the layout shows all data that was due when this was called."""
        assert self.layout is not None  # noqa: S101 - for mypy
        for live_query in tuple(self.live_queries):
            await live_query.current()
        await self.layout.finish_rendering()
