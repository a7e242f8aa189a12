"""The current request or socket, for log records."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from secrets import token_hex

from apps.core.limits import USER_AGENT_LENGTH

ID_BYTES = 8


@dataclass(slots=True)
class RequestContext:
    """A request or socket: the page's path without its query, the browser, the account, its number, whose client."""

    page_url: str = ""
    user_agent: str = ""
    user_id: int | None = None
    request_id: str = ""
    client: str = ""  # the address as it is counted

    @classmethod
    def of(
        cls,
        headers: Iterable[tuple[bytes, bytes]],
        path: str,
        user_id: int | None,
        request_id: str = "",
        client: str = "",
    ) -> "RequestContext":
        """Return the context of an ASGI scope's headers; number and client default to those of the current one."""
        agent = next((value.decode("latin1") for name, value in headers if name == b"user-agent"), "")
        number = request_id or current_context().request_id or token_hex(ID_BYTES)
        return cls(
            path.partition("?")[0], agent[:USER_AGENT_LENGTH], user_id, number, client or current_context().client
        )


_current: ContextVar[RequestContext | None] = ContextVar("request", default=None)


def current_context() -> RequestContext:
    """Return the current context."""
    return _current.get() or RequestContext()


def context_for(headers: Iterable[tuple[bytes, bytes]], path: str) -> RequestContext:
    """Return the current context, or one of these headers when there is none."""
    return _current.get() or RequestContext.of(headers, path, None)


def identify(user_id: int | None) -> None:
    """Set the account of the current request or socket."""
    current_context().user_id = user_id


@contextmanager
def request_context(context: RequestContext) -> Iterator[None]:
    """Make this the current context inside."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)
