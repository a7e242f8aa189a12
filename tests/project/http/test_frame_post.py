"""Commands that the client posts when sockets are unavailable: the frame, its limits and its answer."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from apps.core.buckets import Buckets, Rate
from apps.core.models import CommandAnswer
from apps.core.texts import texts
from apps.live.models import SessionComment
from project.process.commands import CommandRequest, command_run
from project.visit import Visit
from tests.factories import viewer_of
from tests.project.accounts.profile.posting import TOKEN, seen, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def post(browser, name, argument, fields, *, key="", page="/sessions", to=""):
    """Post a command as the client does when sockets are unavailable."""
    frame = {"type": "command", "name": name, "argument": str(argument), "fields": fields, "key": key or uuid4().hex}
    return browser.post(f"/do/{to or name}", json.dumps(frame), "application/json", query_params={"from": page})


def test_command_runs_once_per_key_over_post_and_socket(browser, fan, session):
    key = uuid4().hex
    sent = CommandRequest("comment_add", key, str(session.pk), {"content": "Bravo"})
    by_socket = command_run(sent, Visit("/", "en", viewer_of(fan)))
    for _ in range(2):
        answer = post(browser, "comment_add", session.pk, {"content": "Bravo"}, key=key)
        assert answer.json() == by_socket
        assert answer["Cache-Control"] == "no-store"
    assert by_socket["text"] == "Comment added successfully"
    assert SessionComment.objects.count() == CommandAnswer.objects.count() == 1


def test_refused_command_answers_as_over_the_socket(browser, session):
    answer = post(browser, "comment_add", session.pk, {"content": "a" * 501}).json()
    assert (answer["ok"], answer["text"], answer["field"]) == (False, "Please write at most 500 characters.", "content")
    nul = post(browser, "comment_add", session.pk, {"content": "a\0"}).json()
    assert (nul["ok"], "errors" in nul) == (False, False)
    wide = post(browser, "comment_add", session.pk, {f"field{n}": "" for n in range(300)}).json()
    assert wide["text"] == texts("en")("This is too much at once. Please choose or write less.")
    assert not SessionComment.objects.exists()


def test_anonymous_visitor_is_sent_to_sign_in(session):
    answer = post(Client(enforce_csrf_checks=True), "comment_add", session.pk, {}, page="/sessions?show=past")
    assert answer.json() == {"ok": False, "text": "", "leave": "/login?next=%2Fsessions%3Fshow%3Dpast"}
    foreign = post(Client(), "comment_add", session.pk, {}, page="//evil.example")
    assert foreign.json()["leave"] == "/login?next=%2F"


def test_command_requires_the_csrf_token(fan, session):
    strict = signed_in(Client())
    strict.handler.enforce_csrf_checks = True
    assert post(strict, "comment_add", session.pk, {"content": "forged"}).status_code == 403
    assert not SessionComment.objects.exists()
    strict.defaults["HTTP_X_CSRFTOKEN"] = TOKEN.search(seen(strict, "/profile"))[1]
    assert post(strict, "comment_add", session.pk, {"content": "mine"}).json()["ok"]


def test_rate_limit_is_shared_with_other_posts(browser, session, monkeypatch):
    monkeypatch.setattr("project.process.web_process.process.connection_limits.posts", Buckets(Rate(1, 0)))
    assert post(browser, "comment_add", session.pk, {"content": "one"}).json()["ok"]
    answer = post(browser, "comment_add", session.pk, {"content": "two"}).json()
    assert (answer["ok"], answer["again"]) == (False, True)
    assert SessionComment.objects.count() == 1


def test_invalid_frames_are_refused(browser, session):
    event = b'{"type":"layout-event","target":"x","data":[]}'
    for body in (b"{}", b"[1]", b"\xff", b'{"type":"ping"}', event, b"[" * 60_000):
        assert browser.post("/do/comment_add", body, "application/json").status_code == 400, body[:50]
    response = post(browser, "comment_add", session.pk, {"content": "Bravo"}, to="comment_delete")
    assert response.status_code == 400, "the address names another command"
    assert not SessionComment.objects.exists()
    answer = post(browser, "comment_burn", 1, {}).json()
    assert (answer["ok"], "no longer understand" in answer["text"]) == (False, True)
