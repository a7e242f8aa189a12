"""Views that answer only document requests, so that a picture, script or frame cannot open their addresses."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseForbidden

View = Callable[..., HttpResponseBase]
DESTINATION = "Sec-Fetch-Dest"  # the browser's use of the answer; all current browsers send it
REFUSED = "Please open this address itself.\n"


def document_only(view: View) -> View:
    """Return the view with a check that refuses requests for other destinations than a document."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.headers.get(DESTINATION, "document") != "document":
            return HttpResponseForbidden(REFUSED, content_type="text/plain; charset=utf-8")
        return view(request, *args, **kwargs)

    return guarded
