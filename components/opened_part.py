"""A shared part that comes to a page while it is open: in a panel, or as a further page of a list."""

from collections.abc import Callable

from components.hooks.connection import use_page_connection
from components.markup import Markup, component, use_effect
from components.rendering.parts import Ref, shown


@component
def opened_part(ref: Ref) -> Markup:
    """A part that the page's `load` did not list, followed for as long as this stands there.

    Its content comes by itself. What an address opens is listed by `load` and `shown`, so that the first HTML has it.
    """
    connection = use_page_connection()

    @use_effect(dependencies=[ref.key])
    def follow() -> Callable[[], None]:
        return connection.open_part(ref)

    return shown(ref)
