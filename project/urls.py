"""Addresses that are not pages; everything else is one, or leads to one."""

from django.urls import URLPattern, path, re_path, register_converter
from django.urls.converters import IntConverter

from apps.accounts import urls as accounts
from components.routes import NUMBER
from project.http import endpoints, errors, files, page_view, posted_commands


class IdConverter(IntConverter):
    """A number as the addresses of pages have it: with one spelling, and as long as PostgreSQL's bigint."""

    regex = NUMBER


register_converter(IdConverter, "id")
register_converter(files.StageFile, "stage_file")
other_patterns = [
    path("robots.txt", endpoints.robots),
    path("sitemap.xml", endpoints.sitemap),
    path("favicon.ico", endpoints.favicon),
    path("sign-out", endpoints.sign_out),
    path("error-log", errors.report),
    path("long-text", posted_commands.long_text_store),
    path("participant-file", files.participant_file),
    path("stages/<id:stage_id>/<stage_file:name>", files.ranking_file),
    path("do/<str:name>", posted_commands.do),
]
urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *other_patterns,
    re_path("", page_view.page),
]
_VARYING = tuple(each for each in urlpatterns[:-1] if "<" in str(each.pattern))
_FIXED = frozenset(f"/{each.pattern}" for each in urlpatterns[:-1] if each not in _VARYING)
handler429 = "project.http.account_pages.rate_limited_page"  # which allauth asks for
handler500 = "project.http.errors.fault"


def is_other(path: str) -> bool:
    """Return whether GET and HEAD of this address are answered by one of these views, and are no page views."""
    return path in _FIXED or any(each.resolve(path[1:]) for each in _VARYING)
