"""Test the end time of sessions: live steps, their undo, and the database constraint."""

import datetime as dt
import importlib
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from apps.competition.models import PerformingTime, Session
from apps.competition.selectors.public.sessions import session_ended_last, session_get
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_set,
    session_end,
    session_set_live,
)
from tests.apps.conftest import run_together
from tests.factories import AppearanceFactory, SessionFactory

pytestmark = pytest.mark.django_db


def ended_at(session):
    """Return the end time of the session as pages read it."""
    return session_get(session_id=session.pk).ended_at


@pytest.fixture
def morning():
    """Return a live session of one performer, who is on stage."""
    return AppearanceFactory(session__is_live=True, is_performing=True).session


@pytest.fixture
def evening():
    """Return a session that was never live."""
    return SessionFactory()


def test_session_ends_once_when_its_performance_ends(admin, morning):
    appearance = morning.appearances.get()
    PerformingTime.objects.create(appearance=appearance)
    for _ in range(2):
        session_end(actor=admin, session_id=morning.pk)
        assert ended_at(morning) == appearance.times.get().ended_at
    assert dt.timedelta() <= timezone.now() - ended_at(morning) < dt.timedelta(minutes=1)
    session_set_live(actor=admin, session_id=morning.pk)
    assert ended_at(morning) is None
    session_end(actor=admin, session_id=morning.pk)
    assert ended_at(morning) is not None


def test_only_the_live_session_ends(admin, morning, evening):
    session_end(actor=admin, session_id=evening.pk)
    assert (ended_at(morning), ended_at(evening)) == (None, None)
    assert session_get(session_id=morning.pk).is_live
    performer_clear(actor=admin, session_id=morning.pk)
    assert ended_at(morning) is None
    session_set_live(actor=admin, session_id=evening.pk)
    assert (ended_at(morning) is None, ended_at(evening)) == (False, None)


def test_undo_of_the_end_clears_the_time_and_its_undo_restores_it(admin, morning):
    step = session_end(actor=admin, session_id=morning.pk)
    ended = ended_at(morning)
    back = live_restore(actor=admin, **live_undo_read(step.undo))
    assert ended_at(morning) is None
    live_restore(actor=admin, **live_undo_read(back.undo))
    assert ended_at(morning) == ended


def test_undo_of_set_as_live_restores_both_sessions(admin, morning, evening):
    step = session_set_live(actor=admin, session_id=evening.pk)
    live_restore(actor=admin, **live_undo_read(step.undo))
    assert (ended_at(morning), ended_at(evening)) == (None, None)
    session_set_live(actor=admin, session_id=evening.pk)
    session_set_live(actor=admin, session_id=morning.pk)
    ended = ended_at(evening)
    assert ended is not None
    step = session_set_live(actor=admin, session_id=evening.pk)
    assert (ended_at(morning) is None, ended_at(evening)) == (False, None)
    live_restore(actor=admin, **live_undo_read(step.undo))
    assert (ended_at(morning), ended_at(evening)) == (None, ended)


def test_database_refuses_a_session_that_is_live_and_ended(morning):
    with pytest.raises(IntegrityError, match="session_not_live_and_ended"), transaction.atomic():
        Session.objects.filter(pk=morning.pk).update(ended_at=timezone.now())


def test_session_ended_last_is_none_while_one_is_live(admin, morning, evening):
    assert session_ended_last() is None
    session_set_live(actor=admin, session_id=evening.pk)
    assert session_ended_last() is None
    session_end(actor=admin, session_id=evening.pk)
    assert session_ended_last() == session_get(session_id=evening.pk)


@pytest.mark.django_db(transaction=True)
def test_concurrent_presses_end_each_session_once(admin):
    first, second = (AppearanceFactory(is_performing=number == 0, session__is_live=number == 0) for number in (0, 1))
    end = partial(session_end, actor=admin, session_id=first.session_id)
    set_live = partial(session_set_live, actor=admin, session_id=second.session_id)
    run_together(*[end, set_live] * 3)
    assert ended_at(first.session) is not None
    assert (session_get(session_id=second.session_id).is_live, ended_at(second.session)) == (True, None)
    performer_set(actor=admin, appearance_id=second.pk)
    run_together(*[partial(session_end, actor=admin, session_id=second.session_id)] * 3)
    assert ended_at(second.session) == second.times.get().ended_at


def test_migration_sets_the_end_of_played_sessions_only():
    migration = importlib.import_module("apps.competition.migrations.0011_session_ended")
    now = timezone.now()
    sessions = {
        "played": SessionFactory(starts_at=now - dt.timedelta(hours=3)),
        "still on stage": SessionFactory(starts_at=now - dt.timedelta(hours=3)),
        "live": SessionFactory(starts_at=now - dt.timedelta(hours=3), is_live=True),
        "to come": SessionFactory(starts_at=now + dt.timedelta(hours=3)),
        "never live": SessionFactory(starts_at=now - dt.timedelta(hours=3)),
    }
    last = now - dt.timedelta(hours=1)
    for name, session in sessions.items():
        for number in (1, 2):
            appearance = AppearanceFactory(session=session, order_number=number)
            if name != "never live":
                began = last - dt.timedelta(minutes=40 - 20 * number)
                ended = last if number == 2 else began + dt.timedelta(minutes=10)
                is_open = name == "still on stage" and number == 2
                PerformingTime.objects.create(
                    appearance=appearance, began_at=began, ended_at=None if is_open else ended
                )
    with connection.cursor() as cursor:
        cursor.execute(migration.ENDED)
    assert {name for name, session in sessions.items() if ended_at(session)} == {"played"}
    assert ended_at(sessions["played"]) == last
