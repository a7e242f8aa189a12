"""Test reactions: what a batch stores, which viewers it refuses, and that no tap is stored twice."""

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.competition.models import Session
from apps.live.enums import Reaction
from apps.live.models import ReactionTotal, SessionReaction
from apps.live.selectors import reactions_now
from apps.live.services import ANONYMOUS, NOT_LIVE, Taps, reactions_store
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import SessionFactory

HEART, UP, DOWN = Reaction


def taps(session, who, *types, key: UUID | None = None):
    return Taps(session_id=session.pk, user_id=who.id, key=key or uuid4(), types=types or (HEART,))


def shown(session):
    """Return the recent and the total number of taps of each type."""
    now = reactions_now(session_id=session.pk)
    return [(now.lately[kind], now.totals[kind]) for kind in Reaction]


def test_a_batch_of_several_people(fan, session):
    other = member()
    assert reactions_store(messages=[taps(session, fan, HEART, HEART, UP), taps(session, other, DOWN)]) == ["", ""]
    assert shown(session) == [(2, 2), (1, 1), (1, 1)]
    assert set(SessionReaction.objects.values_list("user_id", "type")) == {
        (fan.id, "heart"), (fan.id, "thumbsUp"), (other.id, "thumbsDown")
    }  # fmt: skip


def test_the_same_message_again_is_stored_once(fan, session):
    message = taps(session, fan, HEART, UP)
    assert reactions_store(messages=[message, message]) == ["", ""]
    assert reactions_store(messages=[message]) == [""]
    assert shown(session) == [(1, 1), (1, 1), (0, 0)]


def test_reactions_are_refused_while_the_session_is_not_live(fan, session):
    quiet = SessionFactory()
    assert reactions_store(messages=[taps(quiet, fan), taps(session, fan)]) == [NOT_LIVE, ""]
    Session.objects.update(is_live=False)
    assert reactions_store(messages=[taps(session, fan)]) == [NOT_LIVE]
    assert SessionReaction.objects.count() == 1


def test_reactions_are_for_people_with_an_account(fan, session):
    gone = member()
    User.objects.filter(pk=gone.id).update(is_active=False)
    unknown = Taps(session.pk, 987654, uuid4(), (HEART,))
    assert reactions_store(messages=[taps(session, gone), unknown, taps(session, fan)]) == [ANONYMOUS, ANONYMOUS, ""]
    assert shown(session)[0] == (1, 1)


def test_the_window_forgets_after_thirty_seconds_and_the_total_never(fan, session):
    reactions_store(messages=[taps(session, fan, HEART, UP)])
    for kind, seconds in ((HEART, 31), (UP, 28)):
        for row in SessionReaction.objects.filter(type=kind):
            SessionReaction.objects.filter(pk=row.pk).update(timestamp=row.timestamp - seconds * 1000)
    assert shown(session) == [(0, 1), (1, 1), (0, 0)]


def test_a_session_without_reactions_counts_nothing(session):
    assert shown(session) == [(0, 0)] * 3


@pytest.mark.django_db(transaction=True)
def test_one_notification_for_a_batch_and_none_for_nothing_new(listener, session):
    fan = member()
    message = taps(session, fan, HEART, HEART, UP)
    reactions_store(messages=[message, taps(session, member())])
    assert listener.heard() == {f"session.{session.pk}.reactions"}
    reactions_store(messages=[message])
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_batches_of_two_processes_at_the_same_moment_add_up(session):
    fans = [member() for _ in range(4)]
    batches = [[taps(session, who, HEART, UP, DOWN) for who in fans] for _ in range(6)]
    results = run_together(*(lambda batch=batch: reactions_store(messages=batch) for batch in batches))
    assert results == [[""] * 4] * 6
    assert shown(session) == [(24, 24)] * 3


def test_the_window_is_one_query(fan, session, django_assert_num_queries):
    with django_assert_num_queries(1):
        reactions_now(session_id=session.pk)


@pytest.mark.parametrize("columns", [{"type": "boo"}, {"type": "heart", "again": True}])
def test_the_database_refuses_unknown_types_and_the_same_tap_twice(fan, session, columns):
    again = columns.pop("again", False)
    row = {"session_id": session.pk, "user_id": fan.id, "timestamp": 1, "key": uuid4(), "number": 0, **columns}
    if again:
        SessionReaction.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        SessionReaction.objects.create(**row)


def test_totals_are_one_row_for_each_type(session):
    ReactionTotal.objects.create(session_id=session.pk, type="heart", total=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        ReactionTotal.objects.create(session_id=session.pk, type="heart", total=2)
