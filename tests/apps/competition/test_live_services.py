"""The evening's writes: what they leave behind, and who may not."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session, SessionParticipant
from apps.competition.services import performer_clear, performer_set, session_end, session_set_live
from tests.apps.conftest import run_together
from tests.factories import PlaceFactory, SessionFactory


def live_ids():
    return list(Session.objects.filter(is_live=True).values_list("pk", flat=True))


def performing_ids():
    return list(SessionParticipant.objects.filter(is_performing=True).values_list("pk", flat=True))


@pytest.mark.django_db
def test_session_set_live_ends_the_other_one_and_clears_its_stage(admin):
    old = PlaceFactory(session__is_live=True, is_performing=True)
    new = PlaceFactory(is_performing=True)
    session_set_live(actor=admin, session_id=new.session_id)
    assert live_ids() == [new.session_id]
    assert performing_ids() == []
    assert old.session_id != new.session_id


@pytest.mark.django_db
def test_session_set_live_again_keeps_the_performer(admin):
    place = PlaceFactory(session__is_live=True, is_performing=True)
    session_set_live(actor=admin, session_id=place.session_id)
    assert (live_ids(), performing_ids()) == ([place.session_id], [place.pk])


@pytest.mark.django_db
def test_session_set_live_of_none_changes_nothing(admin):
    place = PlaceFactory(session__is_live=True, is_performing=True)
    with pytest.raises(Session.DoesNotExist):
        session_set_live(actor=admin, session_id=987654)
    assert (live_ids(), performing_ids()) == ([place.session_id], [place.pk])


@pytest.mark.django_db
def test_session_end_clears_the_stage(admin):
    place = PlaceFactory(session__is_live=True, is_performing=True)
    session_end(actor=admin, session_id=place.session_id)
    assert (live_ids(), performing_ids()) == ([], [])


@pytest.mark.django_db
def test_session_end_of_one_that_is_not_live_leaves_the_live_one(admin):
    live = SessionFactory(is_live=True)
    session_end(actor=admin, session_id=SessionFactory().pk)
    assert live_ids() == [live.pk]


@pytest.mark.django_db
def test_performer_set_replaces_the_performer(admin):
    first = PlaceFactory(session__is_live=True, is_performing=True)
    second = PlaceFactory(session=first.session)
    performer_set(actor=admin, session_participant_id=second.pk)
    assert performing_ids() == [second.pk]


@pytest.mark.django_db
def test_performer_set_needs_a_live_session(admin):
    place = PlaceFactory()
    with pytest.raises(ValidationError, match="Set the session live first"):
        performer_set(actor=admin, session_participant_id=place.pk)
    assert performing_ids() == []


@pytest.mark.django_db
def test_performer_set_of_nobody_changes_nothing(admin):
    with pytest.raises(SessionParticipant.DoesNotExist):
        performer_set(actor=admin, session_participant_id=987654)


@pytest.mark.django_db
def test_performer_clear_leaves_the_session_live(admin):
    place = PlaceFactory(session__is_live=True, is_performing=True)
    performer_clear(actor=admin, session_id=place.session_id)
    assert (live_ids(), performing_ids()) == ([place.session_id], [])


@pytest.mark.django_db
def test_nobody_but_administrators_runs_the_evening(nobody):
    place = PlaceFactory(session__is_live=True, is_performing=True)
    other = PlaceFactory(session=place.session)
    quiet = SessionFactory()
    for refused in (
        lambda: session_set_live(actor=nobody, session_id=quiet.pk),
        lambda: session_end(actor=nobody, session_id=place.session_id),
        lambda: performer_set(actor=nobody, session_participant_id=other.pk),
        lambda: performer_clear(actor=nobody, session_id=place.session_id),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators run the live session"):
            refused()
    assert (live_ids(), performing_ids()) == ([place.session_id], [place.pk])


@pytest.mark.django_db
def test_the_operator_runs_the_evening():
    place = PlaceFactory()
    session_set_live(actor=OPERATOR, session_id=place.session_id)
    performer_set(actor=OPERATOR, session_participant_id=place.pk)
    assert (live_ids(), performing_ids()) == ([place.session_id], [place.pk])


@pytest.mark.django_db(transaction=True)
def test_two_who_set_different_sessions_live_at_once_leave_one(admin):
    first, second = PlaceFactory(), PlaceFactory()
    for _ in range(10):
        Session.objects.update(is_live=False)
        results = run_together(
            *(
                lambda pk=pk: session_set_live(actor=admin, session_id=pk)
                for pk in (first.session_id, second.session_id)
            )
        )
        assert [type(result) for result in results] == [Session, Session]
        assert len(live_ids()) == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_choose_different_performers_at_once_leave_one(admin):
    first = PlaceFactory(session__is_live=True)
    second = PlaceFactory(session=first.session)
    for _ in range(10):
        SessionParticipant.objects.update(is_performing=False)
        results = run_together(
            *(lambda pk=pk: performer_set(actor=admin, session_participant_id=pk) for pk in (first.pk, second.pk))
        )
        assert [type(result) for result in results] == [SessionParticipant, SessionParticipant]
        assert len(performing_ids()) == 1


@pytest.mark.django_db(transaction=True)
def test_one_who_ends_and_one_who_performs_at_once_leave_no_performer_without_a_live_session(admin):
    place = PlaceFactory()
    for _ in range(10):
        Session.objects.update(is_live=True)
        ended, performed = run_together(
            lambda: session_end(actor=admin, session_id=place.session_id),
            lambda: performer_set(actor=admin, session_participant_id=place.pk),
        )
        assert isinstance(ended, Session)
        assert isinstance(performed, SessionParticipant | ValidationError)
        assert (live_ids(), performing_ids()) == ([], [])
