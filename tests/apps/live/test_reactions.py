"""Test reactions: what a batch stores, which viewers it refuses, and that no tap is stored twice."""

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.competition.models import Session
from apps.live.enums import Reaction
from apps.live.models import ReactionTotal, SessionReaction
from apps.live.selectors import reactions_now
from apps.live.services import ANONYMOUS, NOT_LIVE, ReactionMessage, reactions_store
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import SessionFactory

HEART, UP, DOWN = Reaction


def taps(session, user, *types, key: UUID | None = None):
    return ReactionMessage(session_id=session.pk, user_id=user.id, key=key or uuid4(), types=types or (HEART,))


def shown(session):
    """Return the recent and the total number of taps of each type."""
    now = reactions_now(session_id=session.pk)
    return [(now.lately[kind], now.totals[kind]) for kind in Reaction]


def test_batch_of_several_accounts_is_stored(fan, session):
    other = member()
    assert reactions_store(messages=[taps(session, fan, HEART, HEART, UP), taps(session, other, DOWN)]) == ["", ""]
    assert shown(session) == [(2, 2), (1, 1), (1, 1)]
    stored = set(SessionReaction.objects.values_list("user_id", "type"))
    assert stored == {(fan.id, "heart"), (fan.id, "thumbsUp"), (other.id, "thumbsDown")}


def test_repeated_message_is_stored_once(fan, session):
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


def test_reactions_require_an_active_account(fan, session):
    deactivated = member()
    User.objects.filter(pk=deactivated.id).update(is_active=False)
    unknown = ReactionMessage(session.pk, 987654, uuid4(), (HEART,))
    assert reactions_store(messages=[taps(session, deactivated), unknown, taps(session, fan)]) == [
        ANONYMOUS,
        ANONYMOUS,
        "",
    ]
    assert shown(session)[0] == (1, 1)


def test_recent_taps_are_counted_for_thirty_seconds(fan, session):
    reactions_store(messages=[taps(session, fan, HEART, UP)])
    for kind, seconds in ((HEART, 31), (UP, 28)):
        for row in SessionReaction.objects.filter(type=kind):
            SessionReaction.objects.filter(pk=row.pk).update(timestamp=row.timestamp - seconds * 1000)
    assert shown(session) == [(0, 1), (1, 1), (0, 0)]


@pytest.mark.django_db(transaction=True)
def test_batch_publishes_one_topic_and_a_repetition_none(listener, session):
    fan = member()
    message = taps(session, fan, HEART, HEART, UP)
    reactions_store(messages=[message, taps(session, member())])
    assert listener.heard() == {f"session.{session.pk}.reactions"}
    reactions_store(messages=[message])
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_concurrent_batches_add_up(session):
    fans = [member() for _ in range(4)]
    batches = [[taps(session, user, HEART, UP, DOWN) for user in fans] for _ in range(6)]
    results = run_together(*(lambda batch=batch: reactions_store(messages=batch) for batch in batches))
    assert results == [[""] * 4] * 6
    assert shown(session) == [(24, 24)] * 3


def test_reactions_now_is_one_query(session, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert shown(session) == [(0, 0)] * 3


def test_database_refuses_unknown_types_and_repeated_taps(fan, session):
    row = {"session_id": session.pk, "user_id": fan.id, "timestamp": 1, "key": uuid4(), "number": 0, "type": "heart"}
    SessionReaction.objects.create(**row)
    ReactionTotal.objects.create(session_id=session.pk, type="heart", total=1)
    for model, columns in (
        (SessionReaction, row | {"type": "boo", "number": 1}),
        (SessionReaction, row),
        (ReactionTotal, {"session_id": session.pk, "type": "heart", "total": 2}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.create(**columns)
