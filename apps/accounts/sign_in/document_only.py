"""Pages that a browser asks for only to show them: no address of a picture, a script or a frame may open them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseForbidden

View = Callable[..., HttpResponseBase]
DESTINATION = "Sec-Fetch-Dest"  # what a browser does with an answer; every one of the last years says so
REFUSED = "Please open this address itself.\n"


def document_only(view: View) -> View:
    """Answer requests for a document; refuse those that say that they are for something else, such as a picture."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.headers.get(DESTINATION, "document") != "document":
            return HttpResponseForbidden(REFUSED, content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return guarded
