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


async def test_an_act_takes_what_was_posted_ahead_of_it_and_does_it_once():
    boss = await in_thread(AdminFactory)
    name = await in_thread(lambda: long_text_store(boss, FIELDS))
    async with open_page("/admin/blog?mode=create", user=boss) as screen:
        first = await command(screen, "post_create", long_text=name, key="f" * 32)
        assert (first["ok"], first["text"], first["go"]) == (True, "Post created successfully", "/admin/blog")
        assert await command(screen, "post_create", long_text=name, key="f" * 32) == first
    post = await in_thread(BlogPost.objects.get)
    assert (post.title, post.content, post.is_published) == ("Four pianos", LONG.strip(), True)


async def test_what_is_wrong_with_a_long_text_is_said_at_its_field():
    boss = await in_thread(AdminFactory)
    name = await in_thread(lambda: long_text_store(boss, {**FIELDS, "content": "a" * 100_001}))
    async with open_page("/admin/blog?mode=create", user=boss) as screen:
        answer = await command(screen, "post_create", long_text=name)
    assert (answer["ok"], answer["field"]) == (False, "content")
    assert answer["text"] == "Please write at most 100000 characters."


async def test_nobody_takes_what_somebody_else_has_posted_or_what_was_no_such_post():
    boss, other = await in_thread(AdminFactory), await in_thread(AdminFactory)
    answer = await in_thread(lambda: answer_keep(user_id=other.pk, form="settings", data={"fields": FIELDS}))
    names = [await in_thread(lambda: long_text_store(boss, FIELDS)), str(answer), "no-such-name"]
    async with open_page("/admin/blog?mode=create", user=other) as screen:
        for name in names:
            refused = await command(screen, "post_create", long_text=name)
            assert (refused["ok"], refused["text"]) == (False, GONE)
    assert await in_thread(BlogPost.objects.count) == 0


def test_nobody_but_administrators_posts_long_texts(transactional_db):
    assert plain_form(None, FIELDS).status_code == 403
    assert plain_form(UserFactory(), FIELDS).status_code == 403
    assert FormAnswer.objects.count() == 0


HALF = json.dumps({"title": "\ud83c"}).encode()


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b'"' + b"a" * LONGEST + b'"', 413, ""),
        (b"not json", 400, UNREADABLE),
        (b"[" * 100_000, 400, UNREADABLE),
        (["title"], 400, UNREADABLE),
        ({"title": 7}, 400, UNREADABLE),
        ({"title": ["a", {}]}, 400, UNREADABLE),
        ({f"field{number}": "" for number in range(257)}, 400, UNREADABLE),
        ({"title": "a\0b"}, 400, UNSTORABLE),
        ({"title": ["a", "b\0"]}, 400, UNSTORABLE),
        ({"tit\0le": "a"}, 400, UNSTORABLE),
        (HALF, 400, UNSTORABLE),
        (json.dumps({"tags": ["a", "\udfff"]}).encode(), 400, UNSTORABLE),
        (json.dumps({"\ud800": "a"}).encode(), 400, UNSTORABLE),
        (b'{"title": "\xed\xa0\x80"}', 400, UNSTORABLE),  # half of a surrogate pair, encoded like UTF-8
        (b'{"title": "\xff"}', 400, UNSTORABLE),
        ('{"title": "a"}'.encode("utf-16"), 400, UNSTORABLE),
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_sentence(transactional_db, body, status, sentence):
    answer = plain_form(AdminFactory(), body)
    assert (answer.status_code, answer.content.decode()) == (status, sentence)
    assert not sentence or answer["Content-Type"] == "text/plain; charset=utf-8"
    assert FormAnswer.objects.count() == 0


def test_it_is_asked_for_by_post_alone(transactional_db):
    client = Client()
    client.cookies.load(session_cookie(AdminFactory()))
    assert client.get("/long-text").status_code == 405
