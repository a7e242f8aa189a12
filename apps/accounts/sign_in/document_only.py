"""Views that only answer requests for a document: no address of a picture, script or frame may open them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseForbidden

View = Callable[..., HttpResponseBase]
DESTINATION = "Sec-Fetch-Dest"  # what the browser wants the answer for; all current ones send it
REFUSED = "Please open this address itself.\n"


def document_only(view: View) -> View:
    """Return the view, refusing requests whose header says that they are not for a document."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.headers.get(DESTINATION, "document") != "document":
            return HttpResponseForbidden(REFUSED, content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return guarded
