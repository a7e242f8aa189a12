"""Hooks of components: the viewer, live queries, opened rows, and the parts of ReactPy that they build on."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar, cast

from reactpy_django.hooks import use_connection, use_location, use_mutation, use_query, use_scope, use_user

from apps.accounts.actors import Viewer
from apps.core.events import topics_check
from components.runtime.markup import use_effect, use_state
from components.runtime.page import Page, Redirect
from components.runtime.rendering.page_slots import SlotQuery
from components.runtime.rendering.parts import Ref
from components.runtime.rendering.slots import Fills

if TYPE_CHECKING:
    from apps.live.services import ReactionMessage

__all__ = [
    "HookRefused",
    "use_auth",
    "use_channel_layer",
    "use_connection",
    "use_live_query",
    "use_location",
    "use_mutation",
    "use_origin",
    "use_query",
    "use_rerender",
    "use_root_id",
    "use_scope",
    "use_user",
    "use_user_data",
    "use_viewer",
]


class HookRefused(RuntimeError):
    """A hook is refused in this site's components; the message names the replacement."""


def _hook_refuse(sentence: str) -> Callable[..., NoReturn]:
    """Return a hook that raises HookRefused with this sentence."""

    def use_refused(*_arguments: Any, **_options: Any) -> NoReturn:
        raise HookRefused(sentence)

    return use_refused


use_channel_layer = _hook_refuse(
    "use_channel_layer reaches one process, and a message without a listener is lost: publish a topic where it changes "
    "(docs/howto/add-a-live-event.md), and follow it with use_live_query (components/runtime/hooks.py)."
)
use_auth = _hook_refuse(
    "use_auth signs in without a second factor and notifies no other window: users sign in and out by allauth's pages "
    "(apps/accounts/sign_in)."
)
use_origin = _hook_refuse(
    "use_origin returns what the browser claims, and windows of anonymous visitors share one layout: addresses begin "
    "with settings.PUBLIC_URL."
)
use_rerender = _hook_refuse(
    "use_rerender renders one window again: publish a topic where the data changes (docs/howto/add-a-live-event.md), "
    "and every window that shows it follows."
)
use_root_id = _hook_refuse(
    "use_root_id names one of many roots, and a page of this site has one: an id is the component's own, made of the "
    "row that it shows."
)
use_user_data = _hook_refuse(
    "use_user_data stores values that cannot be searched, merged or exported: data of an account is a model of its app "
    "with a service (docs/howto/add-an-app.md)."
)


@dataclass(eq=False)
class PageViewConnection:
    """One page view. Effects and handlers do not run in it, so it needs no other methods."""

    page: Page
    viewer: Viewer
    token: str = ""  # against forged posts, for plain forms
    posted: Mapping[str, Any] | None = None  # what a command has answered that came without a script
    show_page: Callable[[Page], None] | None = None

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Register `show`, which shows a newer page with the state of the first one."""
        self.show_page = show


class PageConnection(Protocol):
    """One viewer's socket. A page view has only the methods of PageViewConnection."""

    viewer: Viewer
    page: Page
    token: str
    posted: Mapping[str, Any] | None

    async def navigate(self, path: str, versions: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts; a returned Redirect is left to the browser."""

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Register `show` for each page that is loaded because a topic changed. Components call this as they render."""

    def follow(
        self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]
    ) -> Callable[[], None]:
        """Pass the result of `read` to `show` whenever a topic changes; return the function that ends it.

        A read that fails is logged, leaves what is shown, and is tried again.
        """

    def follow_fills(self, query: SlotQuery, show: Callable[[Fills], None]) -> Callable[[], None]:
        """Do the same with the fills of a slot query, and send exactly the parts that they do not cover."""

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page, until the returned function is called."""

    async def react(self, taps: "ReactionMessage") -> tuple[int, str] | None:
        """Store these taps; return how many were stored and why not the others, None if the result is unknown."""


def use_page_connection() -> PageConnection:
    """Return the connection of the viewer for whom this component renders."""
    return cast("PageConnection", use_connection().carrier)


def use_token() -> str:
    """Return the `csrfmiddlewaretoken` that plain forms of a live page post."""
    return use_page_connection().token


def use_viewer() -> Viewer:
    """Return the viewer as known when the page was opened; services read the account again."""
    return cast("Viewer", use_user())


Data = TypeVar("Data")


def use_live_query(read: Callable[..., Data], *, topics: tuple[str, ...], initial: Data, **arguments: Any) -> Data:
    """Return the result of `read(**arguments)`, which is read again whenever one of `topics` changes.

    `initial` comes from the page's `load`, so the first render is complete. Viewers of one process with equal reads
    share one. Raises TopicUnknown for a topic that no event publishes.
    """
    connection = use_page_connection()
    topics_check(topics, where=f"the page {connection.page.path}, its live query {getattr(read, '__name__', read)}")
    parameters = tuple(sorted(arguments.items()))
    return _use_followed(
        (topics, parameters), initial, lambda show: connection.follow(topics, Read(read, parameters), show)
    )


def use_live_fills(query: SlotQuery, viewer: Viewer, initial: Fills) -> Fills:
    """Return the fills of this slot query, kept current. Parts in slots that they cover are not sent to the window."""
    connection = use_page_connection()
    return _use_followed((query, viewer), initial, lambda show: connection.follow_fills(query, show))


def _use_followed(
    question: Hashable, initial: Data, follow_it: Callable[[Callable[[Data], None]], Callable[[], None]]
) -> Data:
    """Return the newest answer to `question` that `follow_it` has shown, until then `initial`."""
    (answered, data), set_data = use_state((question, initial))

    @use_effect(dependencies=[question])
    def follow() -> Callable[[], None]:
        def show(data: Data) -> None:
            set_data(
                lambda before: before if before == (question, data) else (question, data)
            )  # returning the same object causes no render

        return follow_it(show)

    return data if answered == question else initial  # the state may belong to an earlier question


class Read:
    """A read with its arguments; equal reads are one."""

    def __init__(self, read: Callable[..., Any], arguments: tuple[tuple[str, Any], ...]) -> None:
        self.read, self.arguments = read, arguments

    def __call__(self) -> Any:
        """Run the read and return its result."""
        return self.read(**dict(self.arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Read) and (self.read, self.arguments) == (other.read, other.arguments)

    def __hash__(self) -> int:
        return hash((self.read, self.arguments))


OPEN_ROWS_MOST = 40  # rows that one window may have open
Row = TypeVar("Row")
Rows = tuple[Row, ...]
Change = Callable[[Callable[[Rows[Row]], Rows[Row]]], None]


def use_opened_rows(page: Page, first: Rows[Row]) -> tuple[Rows[Row], Change[Row]]:
    """Return the open rows, and a function that changes them; another address begins with `first`."""
    (address, opened), set_opened = use_state((page.address, first))

    def change(to: Callable[[Rows[Row]], Rows[Row]]) -> None:
        set_opened(lambda before: (page.address, to(before[1] if before[0] == page.address else first)))

    return (opened if address == page.address else first), change


def toggled(opened: Rows[Row], row: Row) -> Rows[Row]:
    """Return the open rows after a press on one of them, or on another; the oldest of too many closes."""
    others = tuple(each for each in opened if each != row)
    return others if len(others) < len(opened) else (*others, row)[-OPEN_ROWS_MOST:]
