"""Commands without scripts: executed once per key of a page, and answered by the page that posted them."""

from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client

from apps.accounts.models import FormAnswer
from apps.accounts.services.accounts import account_create
from apps.core.buckets import Buckets, Rate
from apps.core.models import CommandAnswer
from apps.live.models import SessionComment
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import live, seen, shown

pytestmark = pytest.mark.django_db(transaction=True)


def post(browser, name, argument, key="", page="/sessions", **fields):
    """Post a command as a form of the page does."""
    sent = {"key": key or uuid4().hex, "from": page, **fields}
    return browser.post(f"/do/{name}?{urlencode({'argument': argument})}", sent)


def test_command_runs_once_and_its_page_shows_the_answer(browser, session):
    page, key = f"/sessions/{session.pk}?watch=1", uuid4().hex
    for _ in range(2):
        html = shown(browser, post(browser, "comment_add", session.pk, key=key, page=page, content="Bravo"))
        assert "Comment added successfully" in html
    assert SessionComment.objects.get().content == "Bravo"
    assert CommandAnswer.objects.get().name == "comment_add"
    answer = post(browser, "comment_add", session.pk, key=key, page=page, content="")
    assert answer["Location"].startswith(f"{page}&answer=")
    assert "Please write something first." in shown(browser, answer), "another command with the page's key"


def test_reload_does_not_repeat_the_answer(browser, session):
    answer = post(browser, "comment_add", session.pk, page=f"/sessions/{session.pk}?watch=1", content="Bravo")
    assert "Comment added successfully" in shown(browser, answer)
    again = live(browser, answer["Location"])
    assert (again.status_code, again["Location"]) == (302, f"/sessions/{session.pk}?watch=1")
    answer = post(browser, "comment_add", session.pk, content="")
    assert "Please write something first." in shown(browser, answer)
    assert "Please write something first." in seen(browser, answer["Location"]), "it has a form to correct"


def test_refused_form_is_shown_only_to_its_author(browser, session):
    answer = post(browser, "comment_add", session.pk, content="a" * 501)
    assert "Please write at most 500 characters." in shown(browser, answer)
    kept = FormAnswer.objects.get()
    assert (kept.data["values"], kept.data["answer"]["field"]) == ({"content": "a" * 501}, "content")
    account_create(email="other@example.org", password=PASSWORD, username="other_1")
    other = Client()
    assert other.post("/login", {"login": "other@example.org", "password": PASSWORD}).status_code == 302
    assert "Please write at most" not in seen(other, answer["Location"])
    assert "Please write at most" not in seen(Client(), answer["Location"])
    for other_id in ("1", "%00", "a" * 36):
        assert live(browser, f"/sessions?answer={other_id}").status_code == 200


def test_command_redirects_to_no_other_site(browser, session):
    for page in ("//evil.example", "https://evil.example/", "/\\evil.example", "", "/a\r\nX: y"):
        answer = post(browser, "comment_add", session.pk, page=page, content="Bravo")
        assert answer["Location"].startswith("/?answer="), page


def test_unknown_commands_and_keys_are_refused(browser, session):
    key = uuid4().hex
    for name, own_key in (("comment_burn", key), ("comment_add", "no key"), ("_", "x" * 900)):
        html = shown(browser, post(browser, name, session.pk, key=own_key, content="Bravo"))
        assert "no longer understand" in html, name
    assert browser.put("/do/comment_add").status_code == 303
    assert not SessionComment.objects.exists()


def test_commands_are_limited_like_those_of_the_socket(browser, session, monkeypatch):
    monkeypatch.setattr("project.process.web_process.process.connection_limits.posts", Buckets(Rate(1, 0)))
    assert "Comment added" in shown(browser, post(browser, "comment_add", session.pk, content="one"))
    answer = post(browser, "comment_add", session.pk, content="two")
    assert "That was a little fast." in shown(browser, answer)
    assert FormAnswer.objects.get(pk=answer["Location"].partition("answer=")[2]).data["values"] == {"content": "two"}
    assert SessionComment.objects.count() == 1
