"""Helpers of views: the viewer of a request, and a redirect after a post."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponseRedirect

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import account_session_of
from apps.accounts.session_store import handle_of


class SeeOther(HttpResponseRedirect):
    """A redirect that the browser follows with GET."""

    status_code = HTTPStatus.SEE_OTHER


def viewer_of_request(request: HttpRequest) -> Viewer:
    """Return the viewer of a request, with the session."""
    handle = handle_of(request.session) if request.user.is_authenticated else ""
    return account_session_of(key=request.session.session_key or "", user=request.user, session=handle).viewer  # type: ignore[arg-type]  # an anonymous visitor has no session
