"""Test the services that run a live session: what they write, and which actors they refuse."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session, SessionParticipant
from apps.competition.selectors.admin.live import LiveState
from apps.competition.services.live import (
    LiveStep,
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
    session_set_live,
)
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.factories import AppearanceFactory, SessionFactory


def live_ids():
    return list(Session.objects.filter(is_live=True).values_list("pk", flat=True))


def performing_ids():
    return list(SessionParticipant.objects.filter(is_performing=True).values_list("pk", flat=True))


@pytest.mark.django_db
def test_session_set_live_ends_the_other_one_and_clears_its_stage(admin):
    old = AppearanceFactory(session__is_live=True, is_performing=True)
    new = AppearanceFactory(is_performing=True)
    session_set_live(actor=admin, session_id=new.session_id)
    assert live_ids() == [new.session_id]
    assert performing_ids() == []
    assert old.session_id != new.session_id


@pytest.mark.django_db
def test_session_set_live_again_keeps_the_performer(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    session_set_live(actor=admin, session_id=appearance.session_id)
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [appearance.pk])


@pytest.mark.django_db
def test_session_set_live_of_none_changes_nothing(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    with pytest.raises(Session.DoesNotExist):
        session_set_live(actor=admin, session_id=987654)
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [appearance.pk])


@pytest.mark.django_db
def test_a_change_of_performer_takes_eight_statements(admin, django_assert_num_queries):
    first = AppearanceFactory(session__is_live=True)
    second, third = (AppearanceFactory(session=first.session) for _ in range(2))
    performer_set(actor=admin, session_participant_id=first.pk)
    with django_assert_num_queries(8 + 2):  # and those of the test's savepoint
        performer_set(actor=admin, session_participant_id=second.pk)
    with django_assert_num_queries(9 + 2):  # reads the order of playing as well
        performer_next(actor=admin, session_id=first.session_id, after=second.pk)
    assert performing_ids() == [third.pk]


@pytest.mark.django_db
def test_session_end_clears_the_stage(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    session_end(actor=admin, session_id=appearance.session_id)
    assert (live_ids(), performing_ids()) == ([], [])


@pytest.mark.django_db
def test_session_end_of_one_that_is_not_live_leaves_the_live_one(admin):
    live = SessionFactory(is_live=True)
    session_end(actor=admin, session_id=SessionFactory().pk)
    assert live_ids() == [live.pk]


@pytest.mark.django_db
def test_performer_set_replaces_the_performer(admin):
    first = AppearanceFactory(session__is_live=True, is_performing=True)
    second = AppearanceFactory(session=first.session)
    performer_set(actor=admin, session_participant_id=second.pk)
    assert performing_ids() == [second.pk]


@pytest.mark.django_db
def test_performer_set_needs_a_live_session(admin):
    appearance = AppearanceFactory()
    with pytest.raises(ValidationError, match="Set the session live first"):
        performer_set(actor=admin, session_participant_id=appearance.pk)
    assert performing_ids() == []


@pytest.mark.django_db
def test_performer_set_of_nobody_changes_nothing(admin):
    with pytest.raises(SessionParticipant.DoesNotExist):
        performer_set(actor=admin, session_participant_id=987654)


@pytest.mark.django_db
def test_performer_clear_leaves_the_session_live(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    performer_clear(actor=admin, session_id=appearance.session_id)
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [])


@pytest.mark.django_db
def test_nobody_but_administrators_runs_the_evening(nobody):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    other = AppearanceFactory(session=appearance.session)
    quiet = SessionFactory()
    for refused in (
        lambda: session_set_live(actor=nobody, session_id=quiet.pk),
        lambda: session_end(actor=nobody, session_id=appearance.session_id),
        lambda: performer_set(actor=nobody, session_participant_id=other.pk),
        lambda: performer_clear(actor=nobody, session_id=appearance.session_id),
        lambda: performer_next(actor=nobody, session_id=appearance.session_id, after=appearance.pk),
        lambda: live_restore(actor=nobody, to=LiveState(), since=LiveState(appearance.session_id, appearance.pk)),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators run the live session"):
            refused()
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [appearance.pk])


@pytest.mark.django_db
def test_the_operator_runs_the_evening():
    appearance = AppearanceFactory()
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [appearance.pk])


@pytest.mark.django_db(transaction=True)
def test_two_who_set_different_sessions_live_at_once_leave_one(admin):
    first, second = AppearanceFactory(), AppearanceFactory()
    for _ in range(10):
        Session.objects.update(is_live=False)
        results = run_together(
            *(
                lambda pk=pk: session_set_live(actor=admin, session_id=pk)
                for pk in (first.session_id, second.session_id)
            )
        )
        assert [type(result) for result in results] == [LiveStep, LiveStep]
        assert len(live_ids()) == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_choose_different_performers_at_once_leave_one(admin):
    first = AppearanceFactory(session__is_live=True)
    second = AppearanceFactory(session=first.session)
    for _ in range(10):
        SessionParticipant.objects.update(is_performing=False)
        results = run_together(
            *(lambda pk=pk: performer_set(actor=admin, session_participant_id=pk) for pk in (first.pk, second.pk))
        )
        assert [type(result) for result in results] == [LiveStep, LiveStep]
        assert len(performing_ids()) == 1


@pytest.mark.django_db(transaction=True)
def test_one_who_ends_and_one_who_performs_at_once_leave_no_performer_without_a_live_session(admin):
    appearance = AppearanceFactory()
    for _ in range(10):
        Session.objects.update(is_live=True, ended_at=None)
        ended, performed = run_together(
            lambda: session_end(actor=admin, session_id=appearance.session_id),
            lambda: performer_set(actor=admin, session_participant_id=appearance.pk),
        )
        assert isinstance(ended, LiveStep)
        assert isinstance(performed, LiveStep | ValidationError)
        assert (live_ids(), performing_ids()) == ([], [])


def busy_session(count):
    """Return the appearances of a live session with an empty stage."""
    first = AppearanceFactory(session__is_live=True)
    return [first, *(AppearanceFactory(session=first.session) for _ in range(count - 1))]


@pytest.mark.django_db
def test_steps_say_what_the_specification_says(admin):
    appearance = AppearanceFactory()
    steps = [
        session_set_live(actor=admin, session_id=appearance.session_id),
        performer_set(actor=admin, session_participant_id=appearance.pk),
        performer_clear(actor=admin, session_id=appearance.session_id),
        session_end(actor=admin, session_id=appearance.session_id),
    ]
    assert [step.sentence for step in steps] == [
        "Session set as live",
        "Current performer updated successfully",
        "Current performer cleared successfully",
        "Session no longer live",
    ]
    assert [step.after for step in steps[:-1]] == [step.before for step in steps[1:]]
    assert steps[1].after == LiveState(appearance.session_id, appearance.pk)
    names = {"session": appearance.session.title, "performer": appearance.participant.name}
    noted = [(each.action, each.user_id, each.details) for each in audit_list()]
    assert noted[2] == (
        "performer.set",
        admin.id,
        {"before": {"performer": None}, "after": {"performer": names["performer"]}},
    )
    assert noted[3] == ("session.live", admin.id, {"before": {"session": None}, "after": {"session": names["session"]}})


@pytest.mark.django_db
def test_next_goes_through_the_order_and_ends(admin):
    appearances = busy_session(3)
    appearances[1].delete()
    session_id, seen = appearances[0].session_id, None
    for appearance in (appearances[0], appearances[2]):
        step = performer_next(actor=admin, session_id=session_id, after=seen)
        assert (step.sentence, performing_ids()) == ("Current performer updated successfully", [appearance.pk])
        seen = appearance.pk
    with pytest.raises(ValidationError, match="Nobody comes next"):
        performer_next(actor=admin, session_id=session_id, after=seen)
    session_end(actor=admin, session_id=session_id)
    with pytest.raises(ValidationError, match="Set the session live first"):
        performer_next(actor=admin, session_id=session_id, after=None)


@pytest.mark.django_db
def test_next_is_refused_when_the_screen_showed_somebody_else(admin):
    appearances = busy_session(3)
    performer_set(actor=admin, session_participant_id=appearances[1].pk)
    with pytest.raises(ValidationError) as caught:
        performer_next(actor=admin, session_id=appearances[0].session_id, after=appearances[0].pk)
    assert caught.value.messages == [f"Somebody else was faster: {appearances[1].participant.name} is on stage now."]
    performer_clear(actor=admin, session_id=appearances[0].session_id)
    with pytest.raises(ValidationError, match="just cleared the stage"):
        performer_next(actor=admin, session_id=appearances[0].session_id, after=appearances[1].pk)
    assert performing_ids() == []


@pytest.mark.django_db(transaction=True)
def test_two_who_press_next_at_once_go_one_step(admin):
    appearances = busy_session(4)
    seen = None
    for appearance in appearances:
        asked = partial(performer_next, actor=admin, session_id=appearance.session_id, after=seen)
        answers = run_together(asked, asked)
        assert sorted(type(answer).__name__ for answer in answers) == ["LiveStep", "ValidationError"]
        assert performing_ids() == [appearance.pk]
        seen = appearance.pk


@pytest.mark.django_db
def test_each_step_can_be_taken_back_and_the_taking_back_as_well(admin):
    old, new = AppearanceFactory(session__is_live=True, is_performing=True), AppearanceFactory()
    other = AppearanceFactory(session=old.session)
    for act in (
        partial(performer_set, session_participant_id=other.pk),
        partial(performer_clear, session_id=old.session_id),
        partial(session_end, session_id=old.session_id),
        partial(session_set_live, session_id=new.session_id),
    ):
        step = act(actor=admin)
        back = live_restore(actor=admin, **live_undo_read(step.undo))
        assert (live_ids(), performing_ids()) == ([old.session_id], [old.pk])
        again = live_restore(actor=admin, **live_undo_read(back.undo))
        assert again.after == step.after
        live_restore(actor=admin, **live_undo_read(again.undo))
    assert back.sentence == "Everything is as it was before."


@pytest.mark.django_db
def test_nothing_is_taken_back_over_what_somebody_did_since(admin):
    appearances = busy_session(3)
    step = performer_set(actor=admin, session_participant_id=appearances[0].pk)
    performer_set(actor=admin, session_participant_id=appearances[1].pk)
    with pytest.raises(ValidationError, match="Somebody has changed this since"):
        live_restore(actor=admin, to=step.before, since=step.after)
    assert performing_ids() == [appearances[1].pk]


@pytest.mark.django_db
def test_nothing_is_put_back_that_is_gone(admin):
    appearances = busy_session(2)
    performer_set(actor=admin, session_participant_id=appearances[0].pk)
    step = performer_set(actor=admin, session_participant_id=appearances[1].pk)
    appearances[0].delete()
    with pytest.raises(ValidationError, match="What was there before is gone"):
        live_restore(actor=admin, to=step.before, since=step.after)
    assert performing_ids() == [appearances[1].pk]


@pytest.mark.django_db
def test_a_step_that_changes_nothing_has_nothing_to_take_back_and_is_not_noted(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    assert session_set_live(actor=admin, session_id=appearance.session_id).undo == ""
    assert performer_set(actor=admin, session_participant_id=appearance.pk).undo == ""
    assert audit_list() == ()


@pytest.mark.parametrize(
    "text", ["", "1.2.3", "1.2.3.4.5.6", "1.2.3.x", "1.2.3.-4", "1.2.3.²", f"1.2.3.{10**18}", f"1.2.3.4.{10**17}"]
)
def test_what_is_no_undo_is_refused(text):
    with pytest.raises(ValidationError, match="cannot be taken back"):
        live_undo_read(text)
