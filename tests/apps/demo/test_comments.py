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


def test_comments_are_by_existing_accounts_and_load_once():
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


def test_no_comments_load_without_a_live_session():
    SessionFactory()
    member(username="una_corda")
    assert comments_load() == 0
    assert Session.objects.count() == 1
