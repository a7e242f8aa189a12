"""A shared part that comes to a page while it is open: in a panel, or as a further page of a list."""

from collections.abc import Callable

from components.runtime.hooks import use_page_connection
from components.runtime.markup import Markup, component, use_effect
from components.runtime.rendering.page_slots import fill_slots
from components.runtime.rendering.parts import Ref, shared_part
from components.runtime.rendering.slots import fill


@component
def opened_part(ref: Ref) -> Markup:
    """A part that the page's `load` did not list, kept current while this is mounted.

    A part that an address opens is listed by `load` and `shown` instead, so that the first HTML contains it.
    """
    _use_part(ref)
    return shared_part(ref)


@component
def part_in_slot(name: str, ref: Ref) -> Markup:
    """A part in the slot `name` of another part, such as one row's panel, while this component is mounted.

    The slot's element loses its `hidden`. `load` also lists parts that an address opens, so that the first HTML
    contains them.
    """
    _use_part(ref)
    return fill_slots({name: fill({"hidden": False}, part=ref.key)})


def _use_part(ref: Ref) -> None:
    connection = use_page_connection()

    @use_effect(dependencies=[ref.key])
    def follow() -> Callable[[], None]:
        return connection.open_part(ref)
