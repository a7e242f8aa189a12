"""Test the performing times of appearances, and when a performance has begun."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime
from apps.competition.selectors.admin.live import live_control_get
from apps.competition.selectors.public.programs import appearance_program
from apps.competition.selectors.public.sessions import session_appearances
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from tests.factories import EVENING, PLAYED, AppearanceFactory, SessionFactory

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def three():
    """Return the appearances of a live session with an empty stage."""
    session = SessionFactory(starts_at=timezone.now() - HOUR)
    appearances = [AppearanceFactory(session=session) for _ in range(3)]
    session_set_live(actor=OPERATOR, session_id=session.pk)
    return appearances


def perform(appearance):
    return performer_set(actor=OPERATOR, appearance_id=appearance.pk)


def times(appearance):
    """Return for each performing time whether it has ended."""
    rows = PerformingTime.objects.filter(appearance=appearance).order_by("began_at", "pk")
    return [row.ended_at is not None for row in rows]


def begun(session_id):
    return [appearance.has_begun for appearance in session_appearances(session_id=session_id)]


def test_each_start_and_end_of_a_performance_is_stored(three):
    first, second, third = three
    for appearance in (first, second, first):
        perform(appearance)
    performer_clear(actor=OPERATOR, session_id=first.session_id)
    assert (times(first), times(second), times(third)) == ([True, True], [True], [])
    middle = PerformingTime.objects.get(appearance=second)
    last = PerformingTime.objects.filter(appearance=first).latest("began_at")
    assert middle.ended_at == last.began_at
    perform(third)
    perform(third)
    assert times(third) == [False], "setting the performer again stores no time"
    session_end(actor=OPERATOR, session_id=first.session_id)
    assert times(third) == [True]


def test_performing_time_ends_when_another_session_is_set_live(three):
    perform(three[0])
    session_set_live(actor=OPERATOR, session_id=SessionFactory().pk)
    assert times(three[0]) == [True]


def test_undo_of_a_step_removes_its_times(three):
    first, second, _ = three
    perform(first)
    step = perform(second)
    live_restore(actor=OPERATOR, **live_undo_read(step.undo))
    assert (times(first), times(second)) == ([False], [])
    assert begun(first.session_id) == [True, False, False]
    step = performer_clear(actor=OPERATOR, session_id=first.session_id)
    live_restore(actor=OPERATOR, **live_undo_read(step.undo))
    assert times(first) == [False]


def test_performance_of_a_live_session_begins_with_its_performer(three):
    session_id = three[0].session_id
    assert begun(session_id) == [False, False, False]
    perform(three[1])
    assert begun(session_id) == [False, True, False]
    performer_clear(actor=OPERATOR, session_id=session_id)
    assert begun(session_id) == [False, True, False]
    session_end(actor=OPERATOR, session_id=session_id)
    assert begun(session_id) == [True, True, True]


@pytest.mark.parametrize(("starts_at", "has_begun"), [(PLAYED, True), (EVENING, False)])
def test_performance_begins_with_the_session_without_performing_times(starts_at, has_begun):
    appearance = AppearanceFactory(session__starts_at=starts_at)
    assert begun(appearance.session_id) == [has_begun]
    assert appearance_program(appearance_id=appearance.pk).has_begun == has_begun


def test_next_performer_after_an_interval_follows_the_last(three):
    first, second, third = three
    session_id = first.session_id
    assert live_control_get().following.id == first.pk
    perform(second)
    performer_clear(actor=OPERATOR, session_id=session_id)
    assert live_control_get().following.id == third.pk
    assert performer_next(actor=OPERATOR, session_id=session_id, after=None).after.appearance_id == third.pk


def test_database_refuses_a_second_open_time_and_an_end_before_the_begin(three):
    perform(three[0])
    with pytest.raises(IntegrityError, match="one_performing_time_lasts"), transaction.atomic():
        PerformingTime.objects.create(appearance=three[0])
    with pytest.raises(IntegrityError, match="performing_time_ends_after_begin"), transaction.atomic():
        PerformingTime.objects.create(appearance=three[1], began_at=EVENING, ended_at=EVENING - HOUR)
