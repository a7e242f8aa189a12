"""Long texts: administrators post them before the command that uses them, and no other account may use them."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from apps.accounts.models import FormAnswer, User
from apps.accounts.services.profile import answer_keep
from apps.core.commands import UNREADABLE
from apps.core.text_rules import UNSTORABLE
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from project.http.posted_commands import LONGEST
from tests.commanding import command
from tests.factories import AdminFactory, UserFactory
from tests.offenders import check_each
from tests.screen import open_page
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Żółć\n" * 19_000
FIELDS = {"title": "Four pianos", "excerpt": "They wait.", "content": LONG, "is_published": "on", "tags": ["a", "b"]}
GONE = "That took too long. Please save it once more."


def plain_form(user: User | None, body: Any) -> HttpResponse:
    """Post this body as this user and return the answer."""
    client = Client()
    if user:
        client.cookies.load(session_cookie(user))
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post("/long-text", text, content_type="application/json")


def long_text_store(user: User, fields: Any) -> str:
    """Post these fields and return the name of the stored text."""
    answer = plain_form(user, fields)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    return answer.content.decode()


async def test_command_uses_the_posted_text_once():
    boss = await in_thread(AdminFactory)
    name = await in_thread(lambda: long_text_store(boss, FIELDS))
    async with open_page("/admin/blog?mode=create", user=boss) as screen:
        first = await command(screen, "post_create", long_text=name, key="f" * 32)
        assert (first["ok"], first["text"], first["go"]) == (True, "Post created successfully", "/admin/blog")
        assert await command(screen, "post_create", long_text=name, key="f" * 32) == first
    post = await in_thread(BlogPost.objects.get)
    assert (post.title, post.content, post.is_published) == ("Four pianos", LONG.strip(), True)


async def test_invalid_long_text_is_reported_at_its_field():
    boss = await in_thread(AdminFactory)
    name = await in_thread(lambda: long_text_store(boss, {**FIELDS, "content": "a" * 100_001}))
    async with open_page("/admin/blog?mode=create", user=boss) as screen:
        answer = await command(screen, "post_create", long_text=name)
    assert (answer["ok"], answer["field"]) == (False, "content")
    assert answer["text"] == "Please write at most 100000 characters."


async def test_long_text_can_be_used_only_by_its_author():
    boss, other = await in_thread(AdminFactory), await in_thread(AdminFactory)
    answer = await in_thread(lambda: answer_keep(user_id=other.pk, form="settings", data={"fields": FIELDS}))
    names = [await in_thread(lambda: long_text_store(boss, FIELDS)), str(answer), "no-such-name"]
    async with open_page("/admin/blog?mode=create", user=other) as screen:
        for name in names:
            refused = await command(screen, "post_create", long_text=name)
            assert (refused["ok"], refused["text"]) == (False, GONE)
    assert await in_thread(BlogPost.objects.count) == 0


def test_long_texts_require_an_administrator(transactional_db):
    assert plain_form(None, FIELDS).status_code == 403
    assert plain_form(UserFactory(), FIELDS).status_code == 403
    assert FormAnswer.objects.count() == 0


INVALID = [
    (b'"' + b"a" * LONGEST + b'"', 413, ""),
    *((body, 400, UNREADABLE) for body in (b"not json", b"[" * 100_000, ["title"], {"title": 7})),
    *((body, 400, UNREADABLE) for body in ({"title": ["a", {}]}, {f"field{number}": "" for number in range(257)})),
    *((body, 400, UNSTORABLE) for body in ({"title": "a\0b"}, {"title": ["a", "b\0"]}, {"tit\0le": "a"})),
    *((json.dumps(body).encode(), 400, UNSTORABLE) for body in ({"title": "\ud83c"}, {"tags": ["a", "\udfff"]})),
    (json.dumps({"\ud800": "a"}).encode(), 400, UNSTORABLE),
    (b'{"title": "\xed\xa0\x80"}', 400, UNSTORABLE),  # half of a surrogate pair, encoded like UTF-8
    (b'{"title": "\xff"}', 400, UNSTORABLE),
    ('{"title": "a"}'.encode("utf-16"), 400, UNSTORABLE),
]


def test_invalid_texts_are_refused_with_a_reason(transactional_db):
    admin = AdminFactory()

    def check(case):
        body, status, error = case
        response = plain_form(admin, body)
        assert (response.status_code, response.content.decode()) == (status, error)
        assert not error or response["Content-Type"] == "text/plain; charset=utf-8"

    check_each(INVALID, check)
    client = Client()
    client.cookies.load(session_cookie(admin))
    assert client.get("/long-text").status_code == 405
    assert FormAnswer.objects.count() == 0
