"""URLs of views that are not live pages. All other paths go to the page view."""

from django.urls import URLPattern, path, re_path, register_converter
from django.urls.converters import IntConverter

from apps.accounts import urls as accounts
from components.routes import NUMBER
from project.http import endpoints, errors, files, page_view, pictures, posted_commands, ratings_file


class IdConverter(IntConverter):
    """A positive number in a URL, in its only spelling and within PostgreSQL's bigint."""

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
    path("ratings-file", ratings_file.ratings_file),
    path("stages/<id:stage_id>/<stage_file:name>", files.ranking_file),
    path("sessions/<id:session_id>/summary.png", pictures.summary_picture),
    path("stages/<id:stage_id>/nearest.png", pictures.nearest_picture),
    path("do/<str:name>", posted_commands.do),
]
urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *other_patterns,
    re_path("", page_view.page),
]
_VARYING = tuple(pattern for pattern in urlpatterns[:-1] if "<" in str(pattern.pattern))
_FIXED = frozenset(f"/{pattern.pattern}" for pattern in urlpatterns[:-1] if pattern not in _VARYING)
handler429 = "project.http.account_pages.rate_limited_page"  # set for allauth
handler500 = "project.http.errors.fault"


def is_other(path: str) -> bool:
    """Whether one of these views answers GET and HEAD for this path, so that it is no page view."""
    return path in _FIXED or any(pattern.resolve(path[1:]) for pattern in _VARYING)
