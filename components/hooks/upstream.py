"""The hooks of reactpy-django's documentation: those that hold inside our components, and for each other one why not.

`use_connection`, `use_scope`, `use_location` and `use_user` say what is so now, also after a navigation. `use_query` and
`use_mutation` work as documented: a query is read after the first picture, by each viewer alone and in one thread of the
process, and nothing reads it again when the database changes, as `use_live_query` does
(components/hooks/live_query.py). A hook that is refused raises HookRefused with a sentence that names what stands for
it here. The table of all of them is in docs/adr/0002-reactpy-beneath.md.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from reactpy_django.hooks import use_connection, use_location, use_mutation, use_query, use_scope, use_user

__all__ = [
    "HookRefused",
    "use_channel_layer",
    "use_connection",
    "use_location",
    "use_mutation",
    "use_query",
    "use_scope",
    "use_user",
]


class HookRefused(RuntimeError):
    """A hook that no component of this site may use; the message says which to use instead."""


def _hook_refuse(sentence: str) -> Callable[..., NoReturn]:
    """Return a hook that raises HookRefused with this sentence."""

    def use_refused(*_arguments: Any, **_options: Any) -> NoReturn:
        raise HookRefused(sentence)

    return use_refused


use_channel_layer = _hook_refuse(
    "use_channel_layer reaches one process, and what nobody listens to is lost: publish a topic where it changes "
    "(docs/howto/add-a-live-event.md), and follow it with use_live_query (components/hooks/live_query.py)."
)
