"""Views whose module is imported at their first request."""

from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.module_loading import import_string


class LaterView:
    """The view at `place`, a module of this app and a name in it. Django calls it in a worker thread.

    Django reads marks such as `csrf_exempt` of this object, so a view with such a mark cannot be declared so.
    """

    def __init__(self, place: str) -> None:
        self.place = f"apps.accounts.{place}"

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request."""
        answer: HttpResponseBase = self.view(request, *args, **kwargs)
        return answer

    @cached_property
    def view(self) -> Any:
        """The view itself. Raises ImportError for a place without one."""
        return import_string(self.place)


def later_view(place: str) -> LaterView:
    """Return the view at `place`, such as "sign_in.link.ask", which is imported at its first request."""
    return LaterView(place)
