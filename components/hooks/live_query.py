"""Keeping a leaf of one viewer current. What is the same for everybody is a shared part instead."""

from collections.abc import Callable
from typing import Any, TypeVar

from components.hooks.connection import use_page_connection
from components.markup import use_effect, use_state

Data = TypeVar("Data")


def use_live_query(read: Callable[..., Data], *topics: str, initial: Data, **arguments: Any) -> Data:
    """Return what `read(**arguments)` returns, read again whenever one of `topics` changes.

    `initial` comes from the page's `load`, so the first render is complete. Viewers of one process who ask for the
    same read share it.
    """
    connection = use_page_connection()
    parameters = tuple(sorted(arguments.items()))
    question = (topics, parameters)
    (read_of, data), set_data = use_state((question, initial))

    @use_effect(dependencies=[topics, parameters])
    def follow() -> Callable[[], None]:
        def show(data: Data) -> None:
            set_data(
                lambda before: before if before == (question, data) else (question, data)
            )  # the very same renders nothing

        return connection.follow(topics, Read(read, parameters), show)

    return data if read_of == question else initial  # what is held may answer an earlier question


class Read:
    """A read with its arguments; equal reads are one."""

    def __init__(self, read: Callable[..., Any], arguments: tuple[tuple[str, Any], ...]) -> None:
        self.read, self.arguments = read, arguments

    def __call__(self) -> Any:
        """Read."""
        return self.read(**dict(self.arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Read) and (self.read, self.arguments) == (other.read, other.arguments)

    def __hash__(self) -> int:
        return hash((self.read, self.arguments))
