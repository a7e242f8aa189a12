"""robots.txt, the sitemap, the icon, addresses below /.well-known/, and signing out."""

from urllib.parse import urlencode
from xml.sax.saxutils import escape

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseNotFound, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.services.sessions import session_end
from apps.accounts.session_store import SessionStore
from apps.accounts.sign_in.known_browsers import browser_clear
from apps.core.commands import is_own_path
from apps.core.observability import security_count
from components.routes import closed_paths, indexed_paths
from project.http.middleware import public_origin

DAY = 86_400  # seconds
PROFILE_FIELD = "/profile#password1"  # for a new password


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which excludes the pages that are closed to anonymous visitors.

    Private calendars are not excluded: Google Calendar obeys this file. Their header keeps them out of search engines.
    """
    closed = [f"Disallow: {path}" for path in closed_paths()]
    lines = ["User-agent: *", *closed, f"Sitemap: {settings.PUBLIC_URL}/sitemap.xml"]
    return _for_a_day(HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8"))


@require_safe
def sitemap(_request: HttpRequest) -> HttpResponse:
    """Return the sitemap of all public pages, in the format of sitemaps.org."""
    rows = "".join(f"<url><loc>{escape(settings.PUBLIC_URL + path)}</loc></url>" for path in indexed_paths())
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    )
    return HttpResponse(text, content_type="application/xml; charset=utf-8")


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect from the conventional path of the icon to its file."""
    return _for_a_day(HttpResponseRedirect(staticfiles_storage.url("favicon.svg")))


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Redirect a password manager to the form for a new password (W3C, A Well-Known URL for Changing Passwords)."""
    return HttpResponseRedirect(PROFILE_FIELD)


@require_safe
def no_well_known(_request: HttpRequest, **_ignored: str) -> HttpResponse:
    """Return 404: programs ask below /.well-known/ (RFC 8615) and must not take Home for an answer."""
    return HttpResponseNotFound("There is nothing here.\n", content_type="text/plain; charset=utf-8")


@csrf_exempt
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session and redirect home, or to the sign-in and from there to `next`.

    Refuses requests with the Origin header of another site.
    """
    if request.headers.get("Origin") != public_origin():
        security_count("form refused", reason="foreign origin")
        return HttpResponseForbidden("Please sign out from the site itself.\n", content_type="text/plain")
    if request.user.pk is not None:
        session_end(session=request.session, account_id=request.user.pk)
    elif isinstance(request.session, SessionStore) and request.session.ended_key:
        request.session.flush()
    path = request.POST.get("next", "")
    response = HttpResponseRedirect(f"/login?{urlencode({'next': path})}" if is_own_path(path) else "/")
    browser_clear(response)
    return response


def _for_a_day(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response
