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
from apps.live.services import comment_add
from tests.factories import PASSWORD, viewer_of
from tests.project.accounts.profile.posting import TOKEN, live, seen, shown, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def post(browser, name, argument, key="", page="/sessions", **fields):
    """Post a command as a form of the page does."""
    sent = {"key": key or uuid4().hex, "from": page, **fields}
    return browser.post(f"/do/{name}?{urlencode({'argument': argument})}", sent)


def test_it_is_done_once_and_the_page_that_it_came_from_says_so(browser, session):
    page, key = f"/sessions/{session.pk}?watch=1", uuid4().hex
    for _ in range(2):
        html = shown(browser, post(browser, "comment_add", session.pk, key=key, page=page, content="Bravo"))
        assert "Comment added successfully" in html
    assert SessionComment.objects.get().content == "Bravo"
    assert CommandAnswer.objects.get().name == "comment_add"
    answer = post(browser, "comment_add", session.pk, key=key, page=page, content="")
    assert answer["Location"].startswith(f"{page}&answer=")
    assert "Please write something first." in shown(browser, answer), "something else under the page's key"


def test_a_reload_repeats_no_sentence(browser, session):
    answer = post(browser, "comment_add", session.pk, page=f"/sessions/{session.pk}?watch=1", content="Bravo")
    assert "Comment added successfully" in shown(browser, answer)
    again = live(browser, answer["Location"])
    assert (again.status_code, again["Location"]) == (302, f"/sessions/{session.pk}?watch=1")
    answer = post(browser, "comment_add", session.pk, content="")
    assert "Please write something first." in shown(browser, answer)
    assert "Please write something first." in seen(browser, answer["Location"]), "it has a form to correct"


def test_a_question_stays_at_a_reload(browser, fan, session):
    comment = comment_add(actor=viewer_of(fan), session_id=session.pk, content="Bravo")
    answer = post(browser, "comment_delete", comment.pk)
    for html in (shown(browser, answer), seen(browser, answer["Location"])):
        assert "Delete this comment?" in html


def test_what_was_refused_is_kept_for_its_owner_alone(browser, session):
    answer = post(browser, "comment_add", session.pk, content="a" * 501)
    assert "Please write at most 500 characters." in shown(browser, answer)
    kept = FormAnswer.objects.get()
    assert (kept.data["values"], kept.data["answer"]["field"]) == ({"content": "a" * 501}, "content")
    account_create(email="other@example.org", password=PASSWORD, username="other_1")
    other = Client()
    assert other.post("/login", {"login": "other@example.org", "password": PASSWORD}).status_code == 302
    assert "Please write at most" not in seen(other, answer["Location"])
    assert "Please write at most" not in seen(Client(), answer["Location"])


def test_a_stranger_is_led_to_sign_in_and_back(session):
    answer = post(Client(enforce_csrf_checks=True), "comment_add", session.pk, page="/sessions?show=past", content="a")
    assert (answer.status_code, answer["Location"]) == (303, "/login?next=%2Fsessions%3Fshow%3Dpast")
    assert not SessionComment.objects.exists()


def test_nothing_is_done_without_the_token(fan, session):
    strict = signed_in_strictly()
    assert post(strict, "comment_add", session.pk, content="forged").status_code == 403
    assert not SessionComment.objects.exists()
    token = TOKEN.search(seen(strict, "/profile"))[1]
    answer = post(strict, "comment_add", session.pk, content="mine", csrfmiddlewaretoken=token)
    assert "Comment added successfully" in shown(strict, answer)


def signed_in_strictly() -> Client:
    """Return a browser that has signed in, whose posts need a CSRF token from then on."""
    client = Client()
    signed_in(client)
    client.handler.enforce_csrf_checks = True
    return client


def test_what_deletes_asks_first_on_the_page(browser, fan, session):
    comment = comment_add(actor=viewer_of(fan), session_id=session.pk, content="Bravo")
    html = shown(browser, post(browser, "comment_delete", comment.pk))
    assert "Delete this comment?" in html
    assert SessionComment.objects.exists()
    assert f'action="/do/comment_delete?argument={comment.pk}"' in html
    html = shown(browser, post(browser, "comment_delete", comment.pk, sure="1"))
    assert "Comment deleted successfully" in html
    assert not SessionComment.objects.exists()


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example/", "/\\evil.example", "", "/a\r\nX: y"])
def test_it_leads_to_no_other_site(browser, session, page):
    answer = post(browser, "comment_add", session.pk, page=page, content="Bravo")
    assert answer["Location"].startswith("/?answer=")


KEY = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(("name", "key"), [("comment_burn", KEY), ("comment_add", "no key"), ("_", "x" * 900)])
def test_what_no_page_of_ours_posts_is_told_so(browser, session, name, key):
    html = shown(browser, post(browser, name, session.pk, key=key, content="Bravo"))
    assert "no longer understand" in html
    assert not SessionComment.objects.exists()


def test_the_limits_are_those_of_the_socket(browser, session, monkeypatch):
    monkeypatch.setattr("project.process.web_process.process.connection_limits.posts", Buckets(Rate(1, 0)))
    assert "Comment added" in shown(browser, post(browser, "comment_add", session.pk, content="one"))
    answer = post(browser, "comment_add", session.pk, content="two")
    assert "That was a little fast." in shown(browser, answer)
    assert FormAnswer.objects.get(pk=answer["Location"].partition("answer=")[2]).data["values"] == {"content": "two"}
    assert SessionComment.objects.count() == 1


def test_it_is_asked_for_by_post_alone(browser):
    assert browser.put("/do/comment_add").status_code == 303
