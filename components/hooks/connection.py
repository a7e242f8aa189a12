"""What a component may ask of the page view or socket that it renders for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from apps.accounts.actors import Viewer
from apps.live.services import Taps
from components.hooks.upstream import use_connection, use_user
from components.page import Page, Redirect
from components.rendering.parts import Ref


@dataclass(frozen=True, eq=False)
class PageViewConnection:
    """One viewer's page view: no effect and no handler of a component runs in it, so that nothing else is asked."""

    page: Page
    viewer: Viewer
    token: str = ""  # against forged posts, for plain forms
    posted: Mapping[str, Any] | None = None  # what a command has answered that came without a script


class PageConnection(Protocol):
    """One viewer's socket; of a page view there is what PageViewConnection has."""

    viewer: Viewer
    page: Page
    token: str
    posted: Mapping[str, Any] | None

    async def navigate(self, path: str, versions: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts; a Redirect is for the browser to load."""

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Call `show` when the page was loaded again because one of its topics changed."""

    def follow(
        self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]
    ) -> Callable[[], None]:
        """Show what `read` returns whenever a topic changes; returns the function that ends it.

        A read that fails is logged, leaves what is shown, and is tried again.
        """

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part besides those of the page, until the returned function is called."""

    async def react(self, taps: Taps) -> tuple[int, str] | None:
        """Store these taps with everybody's; returns how many are, and why not the others (None: nobody knows)."""


def use_page_connection() -> PageConnection:
    """Return the connection of the viewer for whom this component renders."""
    return cast("PageConnection", use_connection().carrier)


def use_token() -> str:
    """Return the `csrfmiddlewaretoken` that plain forms of a live page post."""
    return use_page_connection().token


def use_viewer() -> Viewer:
    """Return the viewer as known when the page was opened; services read the account again."""
    return cast("Viewer", use_user())
