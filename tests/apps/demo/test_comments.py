"""Test the comments of the demo's audience during its live session."""

import pytest

from apps.competition.models import Session
from apps.demo.audience.posts import comments_load
from apps.live.models import SessionComment
from apps.live.selectors import session_comments
from tests.apps.live.conftest import member
from tests.factories import SessionFactory
from tests.owner import as_owner


@pytest.fixture(autouse=True)
def fresh(db):
    """Restart the sequence of comment ids, as in a new database."""
    with as_owner() as cursor:
        cursor.execute("ALTER SEQUENCE session_comments_id_seq RESTART")


def test_demo_speaks_by_the_accounts_that_are_there_and_once():
    session = SessionFactory(is_live=True)
    member(username="una_corda")
    member(username="NightTrain")
    assert comments_load() == 2
    assert comments_load() == 0
    shown = session_comments(session_id=session.pk).newest
    assert [comment.author for comment in shown] == ["NightTrain", "una_corda"]
    assert shown[0].created_at > shown[1].created_at
    SessionComment.objects.all().delete()
    assert comments_load() == 0


def test_demo_says_nothing_when_no_session_is_live():
    SessionFactory()
    member(username="una_corda")
    assert comments_load() == 0
    assert Session.objects.count() == 1
