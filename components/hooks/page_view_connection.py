"""What components may ask of a page view: it shows, and nothing ever changes."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.accounts.actors import Viewer
from components.page import Page, Redirect


class PageViewConnection:
    """A connection without a socket; `token` is what plain forms post."""

    def __init__(self, page: Page, viewer: Viewer, token: str = "", posted: Mapping[str, Any] | None = None) -> None:
        self.posted = posted
        self.page, self.viewer, self.language, self.token = page, viewer, page.language, token

    async def navigate(self, path: str, versions: object) -> Page | Redirect:  # noqa: ARG002 - a connection's shape
        """Send the browser there itself."""
        return Redirect(path)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Nothing will be loaded again."""

    def follow(self, *_: object, **__: object) -> Callable[[], None]:
        """Nothing will change."""
        return lambda: None
