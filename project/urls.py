"""URLs of views that are not live pages, from `project/http/addresses.py`. All other paths go to the page view."""

from django.urls import URLPattern, path, re_path, register_converter
from django.urls.converters import IntConverter, StringConverter

from apps.accounts import urls as accounts
from components.routes import NUMBER
from project.http import addresses, files, page_view


class IdConverter(IntConverter):
    """A positive number in a URL, in its only spelling and within PostgreSQL's bigint."""

    regex = NUMBER


class SecretConverter(StringConverter):
    """A secret in base64url, which the view compares with stored ones."""

    regex = r"[A-Za-z0-9_-]{1,64}"


class CommandConverter(StringConverter):
    """The name of a command."""

    regex = r"[a-z0-9_]{1,64}"


class RestConverter(StringConverter):
    """Any rest of a path, for views that do not read it."""

    regex = r"[\s\S]*"


register_converter(IdConverter, "id")
register_converter(SecretConverter, "secret")
register_converter(CommandConverter, "command")
register_converter(RestConverter, "rest")
register_converter(files.StageFile, "stage_file")
urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *(path(address.pattern[1:], address.view) for address in addresses.table()),
    re_path("", page_view.page),
]
_VARYING = tuple(pattern for pattern in urlpatterns[:-1] if "<" in str(pattern.pattern))
_FIXED = frozenset(f"/{pattern.pattern}" for pattern in urlpatterns[:-1] if pattern not in _VARYING)
handler429 = "project.http.account_pages.rate_limited_page"  # set for allauth
handler500 = "project.http.errors.fault"


def is_other(path: str) -> bool:
    """Whether one of these views answers GET and HEAD for this path, so that it is no page view."""
    return path in _FIXED or any(pattern.resolve(path[1:]) for pattern in _VARYING)
