"""Addresses that are not pages; everything else is one, or leads to one."""

from django.urls import URLPattern, path, re_path

from apps.accounts import urls as accounts
from project.http import browser_errors, endpoints, page_view, participant_file
from project.http.commands import long_texts, post

other_patterns = [
    path("robots.txt", endpoints.robots),
    path("sitemap.xml", endpoints.sitemap),
    path("favicon.ico", endpoints.favicon),
    path("sign-out", endpoints.sign_out),
    path("error-log", browser_errors.report),
    path("long-text", long_texts.long_text_store),
    path("participant-file", participant_file.participant_file),
    path("do/<str:name>", post.do),
]
urlpatterns: list[URLPattern] = [
    *accounts.urlpatterns,
    *other_patterns,
    re_path("", page_view.page),
]
OTHER = frozenset(f"/{each.pattern}" for each in urlpatterns[:-1])  # GET and HEAD of these are not page views
handler429 = "project.http.account_pages.rate_limited_page"  # which allauth asks for
handler500 = "project.http.error_responses.fault"
