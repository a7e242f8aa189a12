"""What makes the site installable: its manifest, its icon, and the service worker that shows push messages."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.http import require_safe

from apps.core.texts import texts
from components.runtime.rendering.document import SITE

DAY = 86_400  # seconds
CURTAIN = "#6b1a1e"  # the red of the icon, which suits light and dark screens
SIZES = {"icons/icon-192.png": ("192x192", "any"), "icons/icon-512.png": ("512x512", "any")} | {
    "icons/maskable-192.png": ("192x192", "maskable"),
    "icons/maskable-512.png": ("512x512", "maskable"),
}


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Return the web app manifest."""
    t = texts(settings.LANGUAGE_CODE)
    png = [_icon(file, sizes, purpose, "image/png") for file, (sizes, purpose) in SIZES.items()]
    content = {
        "id": "/",
        "name": SITE,
        "short_name": SITE,
        "description": t("The audience's seat at a piano competition."),
        "lang": settings.LANGUAGE_CODE,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": CURTAIN,
        "background_color": CURTAIN,
        "icons": [_icon("favicon.svg", "any", "any", "image/svg+xml"), *png],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response


@require_safe
def icon(_request: HttpRequest) -> HttpResponse:
    """Redirect to the icon of notifications, whose file name changes with its content."""
    response = HttpResponseRedirect(staticfiles_storage.url("icons/icon-192.png"))
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker, which browsers compare with theirs at each visit."""
    response = HttpResponse(_service_worker(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "public, no-cache"
    response["Service-Worker-Allowed"] = "/"
    return response


@cache
def _service_worker() -> bytes:
    return Path(str(finders.find("build/service-worker.js"))).read_bytes()


def _icon(file: str, sizes: str, purpose: str, media_type: str) -> dict[str, str]:
    return {"src": staticfiles_storage.url(file), "sizes": sizes, "type": media_type, "purpose": purpose}
