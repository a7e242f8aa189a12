"""Endpoints for machines (robots.txt, sitemap, health), and signing out."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings

from apps.core.threads import in_thread
from components.routes import closed_paths
from project.http.endpoints import PROFILE_FIELD
from project.http.middleware import public_origin
from tests.factories import BlogPostFactory, ParticipantFactory, SessionFactory, UserFactory
from tests.project.asking import ask
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


async def test_robots_file_lists_closed_paths_and_the_sitemap() -> None:
    answer = await ask("/robots.txt")
    assert answer.status == 200
    assert answer.header("content-type") == "text/plain; charset=utf-8"
    lines = answer.text.splitlines()
    closed = [f"Disallow: {path}" for path in closed_paths()]
    assert {"Disallow: /admin", "Disallow: /community/report", "Disallow: /profile"} <= set(closed)
    assert lines == ["User-agent: *", *closed, f"Sitemap: {settings.PUBLIC_URL}/sitemap.xml"]


async def test_sitemap_lists_all_public_pages() -> None:
    def rows() -> Any:
        return ParticipantFactory(), SessionFactory(), BlogPostFactory(), BlogPostFactory(is_published=False)

    participant, session, post, draft = await in_thread(rows)
    answer = await ask("/sitemap.xml")
    assert answer.header("content-type") == "application/xml; charset=utf-8"
    places = [place.text or "" for place in ET.fromstring(answer.text).iter(f"{SPACE}loc")]  # noqa: S314 - our own
    assert all(place.startswith(f"{settings.PUBLIC_URL}/") for place in places)
    paths = [place.removeprefix(settings.PUBLIC_URL) for place in places]
    assert len(paths) == len(set(paths))
    known = {f"/participants/{participant.pk}", f"/sessions/{session.pk}", f"/news/{post.pk}", "/", "/privacy"}
    assert known <= set(paths)
    assert f"/news/{draft.pk}" not in paths
    assert not [path for path in paths if path.startswith(("/admin", "/profile", "/login"))]
    for path in paths:
        answer = await ask(path)
        assert answer.status == 200, path
        assert 'name="robots"' not in answer.text, path


async def test_health_and_favicon_answer() -> None:
    answer = await ask("/healthz")
    assert (answer.status, answer.text, answer.header("cache-control")) == (200, "ok\n", "no-store")
    answer = await ask("/favicon.ico")
    assert answer.status == 302
    assert answer.header("location").startswith("/static/favicon")


async def test_sign_out_requires_a_post_of_this_site() -> None:
    cookie = await in_thread(lambda: session_cookie(UserFactory()))
    for origin in ("https://evil.example", "null", "", "http://localhost", f"{public_origin()}.evil.example"):
        assert (await ask("/sign-out", "POST", cookie=cookie, origin=origin)).status == 403, origin
    assert (await ask("/sign-out", cookie=cookie)).status == 405
    assert (await ask("/profile", cookie=cookie)).status == 200


async def test_sign_out_ends_the_session() -> None:
    cookie = await in_thread(lambda: session_cookie(UserFactory()))
    assert (await ask("/profile", cookie=cookie)).status == 200
    answer = await ask("/sign-out", "POST", cookie=cookie, origin=public_origin())
    assert (answer.status, answer.header("location")) == (302, "/")
    assert answer.header("clear-site-data") == '"storage"'
    assert (await ask("/profile", cookie=cookie)).header("location") == "/login?next=%2Fprofile"


async def test_programs_find_the_change_of_password_and_nothing_else_below_well_known() -> None:
    answer = await ask("/.well-known/change-password")
    assert (answer.status, answer.header("location")) == (302, PROFILE_FIELD)
    page, field = PROFILE_FIELD.split("#")
    cookie = await in_thread(lambda: session_cookie(UserFactory()))
    assert f'id="{field}"' in (await ask(page, cookie=cookie)).text
    for path in ("/.well-known/", "/.well-known/assetlinks.json", "/.well-known/a/b?c", "/.well-known/%00%0A"):
        assert (await ask(path)).status == 404, path
    assert (await ask("/.well-knownx")).header("location") == "/"
