"""The hooks of reactpy-django's documentation: those that hold inside our components, and for each other one why not.

`use_connection`, `use_scope`, `use_location` and `use_user` say what is so now, also after a navigation. `use_query`
and `use_mutation` work as documented: a query is read after the first picture, by each viewer alone, in one thread of
the process, and nothing reads it again when the database changes, as `use_live_query` does
(components/hooks/live_query.py). A hook that is refused raises HookRefused with a sentence that names what stands for
it here. The table of all of them is in docs/adr/0002-reactpy-beneath.md.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from reactpy_django.hooks import use_connection, use_location, use_mutation, use_query, use_scope, use_user

__all__ = [
    "HookRefused",
    "use_auth",
    "use_channel_layer",
    "use_connection",
    "use_location",
    "use_mutation",
    "use_origin",
    "use_query",
    "use_rerender",
    "use_root_id",
    "use_scope",
    "use_user",
    "use_user_data",
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
use_auth = _hook_refuse(
    "use_auth signs in without a second factor and tells no other window: people sign in and out by allauth's pages "
    "(apps/accounts/sign_in)."
)
use_origin = _hook_refuse(
    "use_origin says what a browser claims, and windows of strangers share one layout: addresses begin with "
    "settings.PUBLIC_URL."
)
use_rerender = _hook_refuse(
    "use_rerender draws one window again: publish a topic where something changes (docs/howto/add-a-live-event.md), "
    "and every window that shows it follows."
)
use_root_id = _hook_refuse(
    "use_root_id names one of many roots of a page, and ours has one: an id is the component's own, made of what it "
    "shows."
)
use_user_data = _hook_refuse(
    "use_user_data keeps what nobody can search, merge or take along: what belongs to an account is a model of its app "
    "with a service (docs/howto/add-an-app.md)."
)
