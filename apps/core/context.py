"""For whom the present work is done: what a log record of a failure should say besides its message."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

AGENT_LIMIT = 500


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A request or socket: the page's path without its query, the browser, the account."""

    page_url: str = ""
    user_agent: str = ""
    user_id: int | None = None

    @classmethod
    def of(cls, headers: Iterable[tuple[bytes, bytes]], path: str, user_id: int | None) -> "RequestContext":
        """The context of an ASGI scope's headers."""
        agent = next((value.decode("latin1") for name, value in headers if name == b"user-agent"), "")
        return cls(path.partition("?")[0], agent[:AGENT_LIMIT], user_id)


_current: ContextVar[RequestContext] = ContextVar("request", default=RequestContext())  # noqa: B039 - it is frozen


def current_context() -> RequestContext:
    """The context of the work that runs now."""
    return _current.get()


@contextmanager
def request_context(context: RequestContext) -> Iterator[None]:
    """Do the work inside for this request."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)
