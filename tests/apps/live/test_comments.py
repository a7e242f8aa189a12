"""Test comments: what the services store and refuse, who may delete a comment, and the rate limits."""

import datetime as dt
import io
from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
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
def one_comment_an_hour(monkeypatch):
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


def write(actor, session, content):
    return comment_add(actor=actor, session_id=session.pk, content=content)


def test_comment_add_stores_the_trimmed_text(fan, session):
    comment = write(fan, session, "  Did anyone else\nstop writing?  ")
    stored = SessionComment.objects.get()
    assert (stored.pk, stored.content) == (comment.pk, "Did anyone else\nstop writing?")
    assert (stored.user_id, stored.session_id) == (fan.id, session.pk)


def test_comment_needs_a_session_and_1_to_500_characters(fan, session):
    empty = "Please write something first"
    for content, message in (("", empty), (" \n\u200b ", empty), ("x" * 501, "at most 500")):
        with pytest.raises(ValidationError, match=message):
            write(fan, session, content)
    assert texts() == []
    assert len(write(fan, session, "ł" * 500).content) == 500
    with pytest.raises(ValidationError, match=r"Session not found\."):
        comment_add(actor=fan, session_id=987654, content="Hello?")


def test_comment_add_requires_an_active_account(session):
    for actor in (ANONYMOUS, viewer_of(UserFactory(is_active=False)), OPERATOR):
        with pytest.raises(PermissionDenied, match="Please sign in"):
            write(actor, session, "Bravo")
    assert texts() == []


def test_limits_of_members_and_new_accounts(monkeypatch):
    monkeypatch.undo()
    assert (limits.MEMBER.amount, limits.MEMBER.seconds) == (3, 5)
    assert (limits.NEWCOMER.amount, limits.NEWCOMER.seconds) == (1, 15)
    assert limits.MEMBER.one_by_one
    assert limits.MEMBER.name == limits.NEWCOMER.name
    assert dt.timedelta(minutes=10) == limits.NEW_FOR


def test_member_may_write_three_comments_then_one_at_a_time(fan, session):
    for content in ("one", "two", "three"):
        write(fan, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        write(fan, session, "four")
    time_passes(0.9 * HOUR)
    with pytest.raises(ValidationError, match="a little fast"):
        write(fan, session, "four")
    time_passes(0.1 * HOUR)
    write(fan, session, "four")
    with pytest.raises(ValidationError, match="a little fast"):
        write(fan, session, "five")
    time_passes(100 * HOUR)
    for content in ("five", "six", "seven"):  # the bucket holds three tokens at most, after any idle time
        write(fan, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        write(fan, session, "eight")
    assert texts() == ["one", "two", "three", "four", "five", "six", "seven"]


def test_new_account_may_write_one_comment_at_a_time(session):
    newcomer = viewer_of(UserFactory())
    write(newcomer, session, "Hello")
    time_passes(0.9 * HOUR)
    with pytest.raises(ValidationError, match="one comment in 15 seconds"):
        write(newcomer, session, "again")
    time_passes(0.1 * HOUR)
    write(newcomer, session, "again")
    User.objects.filter(pk=newcomer.id).update(created_at=timezone.now() - dt.timedelta(minutes=10, seconds=1))
    time_passes(HOUR)
    for content in ("one", "two", "three"):
        write(newcomer, session, content)
    with pytest.raises(ValidationError, match="a little fast"):
        write(newcomer, session, "four")
    assert len(texts()) == 5


def test_deleted_comments_count_for_their_author_only(fan, session):
    for content in ("one", "two", "three"):
        comment_delete(actor=fan, comment_id=write(fan, session, content).pk)
    with pytest.raises(ValidationError, match="a little fast"):
        write(fan, session, "four")
    write(member(), session, "one")
    assert texts() == ["one"]


def test_refused_comment_is_not_counted(fan, session):
    write(fan, session, "one")
    with pytest.raises(ValidationError, match="just said the same"):
        write(fan, session, "one")
    for content in ("two", "three"):
        write(fan, session, content)
    assert texts() == ["one", "two", "three"]


def test_repeated_text_is_refused_for_five_minutes(fan, session):
    write(fan, session, "Bravo")
    time_passes(240)
    with pytest.raises(ValidationError, match="just said the same"):
        write(fan, session, " Bravo ")
    time_passes(60)
    write(fan, session, "Bravo")
    assert texts() == ["Bravo", "Bravo"]


@pytest.mark.django_db(transaction=True)
def test_concurrent_comments_are_counted_one_after_the_other(session):
    fan = member()
    results = run_together(*(lambda n=n: write(fan, session, f"comment {n}") for n in range(6)))
    assert len(texts()) == 3
    assert sum(isinstance(result, ValidationError) for result in results) == 3


def test_comment_is_deleted_only_by_its_author(fan, session):
    comment = write(fan, session, "Bravo")
    for other in (member(), ANONYMOUS):
        with pytest.raises(PermissionDenied, match="your own comments only"):
            comment_delete(actor=other, comment_id=comment.pk)
    assert texts() == ["Bravo"]
    comment_delete(actor=fan, comment_id=comment.pk)
    assert texts() == []
    with pytest.raises(SessionComment.DoesNotExist):
        comment_delete(actor=fan, comment_id=comment.pk)


def test_administrators_and_operator_delete_any_comment(fan, session, admin):
    for actor in (admin, OPERATOR):
        comment_delete(actor=actor, comment_id=write(fan, session, f"for {actor}").pk)
    assert texts() == []


def test_comment_is_not_deleted_by_other_or_former_accounts(fan, session, unprivileged):
    comment = write(fan, session, "Bravo")
    User.objects.filter(pk=fan.id).update(is_active=False)
    for actor in (unprivileged, fan):
        with pytest.raises(PermissionDenied):
            comment_delete(actor=actor, comment_id=comment.pk)


@pytest.mark.django_db(transaction=True)
def test_comments_publish_the_topic_of_their_session(listener, session):
    fan = member()
    comment = write(fan, session, "Bravo")
    assert listener.heard() == {f"session.{session.pk}.comments", f"account.{fan.id}.words"}
    comment_delete(actor=fan, comment_id=comment.pk)
    assert listener.heard() == {f"session.{session.pk}.comments"}


def test_database_refuses_invalid_comments(fan, session):
    for content in ("", " Bravo", "x" * 501):
        with pytest.raises(DatabaseError, match=r"session_comment|too long"), transaction.atomic():
            SessionComment.objects.create(session_id=session.pk, user_id=fan.id, content=content)


def comments(*arguments):
    out = io.StringIO()
    call_command("comments", *map(str, arguments), stdout=out)
    return out.getvalue().strip()


def test_comments_command_deletes_by_id(fan, session):
    comment = SessionComment.objects.create(session_id=session.pk, user_id=fan.id, content="Bravo")
    assert comments("delete", comment.pk) == f"Comment {comment.pk} is deleted."
    with pytest.raises(CommandError, match=f"no comment {comment.pk}"):
        comments("delete", comment.pk)
