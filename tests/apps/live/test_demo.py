"""The demo's comments, and deleting from a terminal."""

import io

import pytest
from django.core.management import CommandError, call_command

from apps.competition.models import Session
from apps.live.models import SessionComment
from apps.live.selectors import session_comments
from tests.apps.live.conftest import member
from tests.factories import SessionFactory
from tests.owner import as_owner


def comments(*arguments):
    out = io.StringIO()
    call_command("comments", *map(str, arguments), stdout=out)
    return out.getvalue().strip()


@pytest.fixture(autouse=True)
def fresh(db):
    """As in a database in which nobody has ever said anything."""
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE session_comments_id_seq RESTART")


def test_demo_speaks_by_the_accounts_that_are_there_and_once(session):
    member(username="una_corda")
    member(username="NightTrain")
    assert comments("demo") == "2 comments loaded."
    assert comments("demo") == "0 comments loaded."
    shown = session_comments(session_id=session.pk).newest
    assert [comment.author for comment in shown] == ["NightTrain", "una_corda"]
    assert shown[0].created_at > shown[1].created_at
    comments("delete", *(comment.id for comment in shown))
    assert comments("demo") == "0 comments loaded."


def test_demo_says_nothing_when_no_session_is_live():
    SessionFactory()
    member(username="una_corda")
    assert comments("demo") == "0 comments loaded."
    assert Session.objects.count() == 1


def test_delete_by_number(fan, session):
    comment = SessionComment.objects.create(session_id=session.pk, user_id=fan.id, content="Bravo")
    assert comments("delete", comment.pk) == f"Comment {comment.pk} is deleted."
    with pytest.raises(CommandError, match=f"no comment {comment.pk}"):
        comments("delete", comment.pk)
