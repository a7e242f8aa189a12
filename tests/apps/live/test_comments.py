"""Test comments: what the services store and refuse, who may delete a comment, and the rate limits."""

import datetime as dt
from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.models import User
from apps.live import limits, services
from apps.live.models import SessionComment
from apps.live.services import comment_add, comment_delete
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import UserFactory, viewer_of
from tests.rate_limits import seconds_pass

HOUR = 3600  # seconds; long enough that a slow machine makes no difference


@pytest.fixture(autouse=True)
def slow_paces(monkeypatch):
    """Allow one comment an hour, for members and newcomers."""
    for name in ("MEMBER", "NEWCOMER"):
        monkeypatch.setattr(services, name, replace(getattr(limits, name), seconds=HOUR))


def texts():
    return list(SessionComment.objects.order_by("id").values_list("content", flat=True))


def time_passes(seconds):
    """Move rate limit uses and comments this far into the past."""
    past = dt.timedelta(seconds=seconds)
    seconds_pass(seconds)
    for row in SessionComment.objects.all():
        SessionComment.objects.filter(pk=row.pk).update(created_at=row.created_at - past)


def say(who, session, content):
    return comment_add(actor=who, session_id=session.pk, content=content)


def test_comment_add_stores_the_trimmed_text(fan, session):
    comment = say(fan, session, "  Did anyone else\nstop writing?  ")
    stored = SessionComment.objects.get()
    assert (stored.pk, stored.content) == (comment.pk, "Did anyone else\nstop writing?")
    assert (stored.user_id, stored.session_id) == (fan.id, session.pk)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("", "Please write something first"), (" \n\u200b ", "Please write something first"), ("x" * 501, "at most 500")],
)
def test_comment_add_refuses_what_says_nothing_or_too_much(fan, session, content, sentence):
    with pytest.raises(ValidationError, match=sentence):
        say(fan, session, content)
    assert texts() == []


def test_comment_add_takes_500_characters(fan, session):
    assert len(say(fan, session, "ł" * 500).content) == 500


def test_comment_add_to_no_session(fan):
    with pytest.raises(ValidationError, match=r"Session not found\."):
        comment_add(actor=fan, session_id=987654, content="Hello?")


@pytest.mark.parametrize("who", ["stranger", "deactivated", "operator"])
def test_comment_add_is_for_people_with_an_account(session, who):
    gone = viewer_of(UserFactory())
    User.objects.filter(pk=gone.id).update(is_active=False)
    with pytest.raises(PermissionDenied, match="Please sign in"):
        say({"stranger": ANONYMOUS, "deactivated": gone, "operator": OPERATOR}[who], session, "Bravo")
    assert texts() == []


def test_the_paces_of_members_and_newcomers(monkeypatch):
    monkeypatch.undo()
    assert (limits.MEMBER.amount, limits.MEMBER.seconds) == (3, 5)
    assert (limits.NEWCOMER.amount, limits.NEWCOMER.seconds) == (1, 15)
    assert limits.MEMBER.one_by_one
    assert limits.MEMBER.name == limits.NEWCOMER.name
    assert dt.timedelta(minutes=10) == limits.NEW_FOR


def test_three_comments_at_once_then_one_at_a_time(fan, session):
    for content in ("one", "two", "three"):
        say(fan, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        say(fan, session, "four")
    time_passes(0.9 * HOUR)
    with pytest.raises(ValidationError, match="a little fast"):
        say(fan, session, "four")
    time_passes(0.1 * HOUR)
    say(fan, session, "four")
    with pytest.raises(ValidationError, match="a little fast"):
        say(fan, session, "five")
    time_passes(100 * HOUR)
    for content in ("five", "six", "seven"):  # the bucket holds three tokens at most, after any idle time
        say(fan, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        say(fan, session, "eight")
    assert texts() == ["one", "two", "three", "four", "five", "six", "seven"]


def test_a_new_account_writes_one_comment_at_a_time(session):
    newcomer = viewer_of(UserFactory())
    say(newcomer, session, "Hello")
    time_passes(0.9 * HOUR)
    with pytest.raises(ValidationError, match="one comment in 15 seconds"):
        say(newcomer, session, "everybody")
    time_passes(0.1 * HOUR)
    say(newcomer, session, "everybody")
    User.objects.filter(pk=newcomer.id).update(created_at=timezone.now() - dt.timedelta(minutes=10, seconds=1))
    time_passes(HOUR)
    for content in ("I am at home now", "as often", "as everybody"):
        say(newcomer, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        say(newcomer, session, "and no more often")
    assert len(texts()) == 5


def test_deleting_a_comment_gives_no_allowance_back(fan, session):
    for content in ("one", "two", "three"):
        comment_delete(actor=fan, comment_id=say(fan, session, content).pk)
    with pytest.raises(ValidationError, match="a little fast"):
        say(fan, session, "four")


def test_everybody_has_an_allowance_of_their_own(fan, session):
    for content in ("one", "two", "three"):
        say(fan, session, content)
    say(member(), session, "one")
    assert texts() == ["one", "two", "three", "one"]


def test_a_refused_comment_costs_nothing(fan, session):
    say(fan, session, "one")
    with pytest.raises(ValidationError, match="just said the same"):
        say(fan, session, "one")
    for content in ("two", "three"):
        say(fan, session, content)
    assert texts() == ["one", "two", "three"]


def test_the_same_again_after_five_minutes(fan, session):
    say(fan, session, "Bravo")
    time_passes(240)
    with pytest.raises(ValidationError, match="just said the same"):
        say(fan, session, " Bravo ")
    time_passes(60)
    say(fan, session, "Bravo")
    assert texts() == ["Bravo", "Bravo"]


@pytest.mark.django_db(transaction=True)
def test_six_at_the_same_moment_are_counted_one_after_the_other(session):
    fan = member()
    results = run_together(*(lambda n=n: say(fan, session, f"comment {n}") for n in range(6)))
    assert len(texts()) == 3
    assert sum(isinstance(result, ValidationError) for result in results) == 3


def test_own_comments_are_deletable_and_others_are_not(fan, session):
    comment = say(fan, session, "Bravo")
    for other in (member(), ANONYMOUS):
        with pytest.raises(PermissionDenied, match="your own comments only"):
            comment_delete(actor=other, comment_id=comment.pk)
    assert texts() == ["Bravo"]
    comment_delete(actor=fan, comment_id=comment.pk)
    assert texts() == []
    with pytest.raises(SessionComment.DoesNotExist):
        comment_delete(actor=fan, comment_id=comment.pk)


def test_administrators_and_the_operator_delete_any(fan, session, admin):
    for actor in (admin, OPERATOR):
        comment_delete(actor=actor, comment_id=say(fan, session, f"for {actor}").pk)
    assert texts() == []


def test_lost_rights_are_lost_at_once(fan, session, nobody):
    comment = say(fan, session, "Bravo")
    with pytest.raises(PermissionDenied):
        comment_delete(actor=nobody, comment_id=comment.pk)


def test_a_deactivated_author_deletes_nothing(fan, session):
    comment = say(fan, session, "Bravo")
    User.objects.filter(pk=fan.id).update(is_active=False)
    with pytest.raises(PermissionDenied):
        comment_delete(actor=fan, comment_id=comment.pk)


@pytest.mark.django_db(transaction=True)
def test_topics_of_comments(listener, session):
    fan = member()
    comment = say(fan, session, "Bravo")
    assert listener.heard() == {f"session.{session.pk}.comments"}
    comment_delete(actor=fan, comment_id=comment.pk)
    assert listener.heard() == {f"session.{session.pk}.comments"}


@pytest.mark.parametrize("content", ["", " Bravo", "x" * 501])
def test_the_database_refuses_what_no_service_writes(fan, session, content):
    with pytest.raises(DatabaseError, match=r"session_comment|too long"), transaction.atomic():
        SessionComment.objects.create(session_id=session.pk, user_id=fan.id, content=content)
