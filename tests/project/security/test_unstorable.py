"""Text that PostgreSQL cannot store (NUL, surrogates, invalid UTF-8) never reaches it, in any part of a request."""

import json
import logging
from itertools import product
from urllib.parse import quote_from_bytes

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from apps.core.threads import in_thread
from components.routes import table
from project.urls import urlpatterns
from tests.factories import AdminFactory, SessionFactory
from tests.project.security.trying import path_of
from tests.serving import page_response, serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
BROKEN = {"NUL": b"a\0b", "half of a surrogate pair": b"a\xed\xa0\xbcb", "no UTF-8": b"a\xff\xfeb"}
FIELDS = (
    "username email login login_by password password1 password2 oldpassword next key code name handle content"
    " avatar_url remember credential id q country page tab state error otp text"
).split()
HALVES = json.dumps(dict.fromkeys(FIELDS, "a�b\x00")).encode()
FORM = "application/x-www-form-urlencoded"


def query(kind: str) -> str:
    """Return a query string that sets every known field and an unknown one to these bytes."""
    word = quote_from_bytes(BROKEN[kind])
    return "&".join(f"{name}={word}" for name in [*FIELDS[-18:], word])


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the messages that were logged as errors."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


def test_forms_and_bodies_with_unstorable_text_cause_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """Every address receives every kind of text, in turn from an anonymous visitor and from an administrator."""
    admin = AdminFactory()
    ended = SessionFactory(ended_at=timezone.now())
    for turn, (kind, pattern) in enumerate(product(BROKEN, urlpatterns[:-1])):
        path, client = path_of(pattern, ended), Client(raise_request_exception=False)
        if turn % 2:
            client.cookies.load(session_cookie(admin))
        answers = [
            client.get(f"{path}?{query(kind)}"),
            client.post(path, query(kind).encode(), content_type=FORM),
            client.post(path, HALVES, content_type="application/json", headers={"Origin": settings.PUBLIC_URL}),
        ]
        assert [answer.status_code for answer in answers if answer.status_code >= 500] == [], (path, kind)
        assert faults(caplog) == [], (path, kind)


async def test_page_addresses_with_unstorable_text_cause_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """Every page receives every kind of text, each of three places of it with another of three cookies in turn."""
    admin = await in_thread(AdminFactory)
    cookie = await in_thread(lambda: session_cookie(admin))
    paths = {route.pattern.replace("{id}", "1") for route in table()}
    async with serving():
        for turn, (kind, path) in enumerate(product(BROKEN, sorted(paths))):
            word = quote_from_bytes(BROKEN[kind])
            cookies = ([], [(b"cookie", cookie.encode())], [(b"cookie", b"session=" + BROKEN[kind])])
            for place, address in enumerate((f"{path}?{query(kind)}", f"{path}?{query(kind)[:200]}", f"{path}/{word}")):
                headers = cookies[(turn + place) % 3]
                response = await page_response(address, headers)
                assert response.status_code < 500, (address, headers)
    assert faults(caplog) == []
