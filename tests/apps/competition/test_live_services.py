"""Test the services that run a live session: writes, refusals, undo, and concurrent steps."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.core.signing import Signer
from django.utils import timezone

from apps.competition.models import Appearance, PerformingTime, Session
from apps.competition.selectors.admin.live import LiveState
from apps.competition.selectors.public.programs import last_on_stage
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
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.clock import clock_set
from tests.factories import AppearanceFactory

pytestmark = pytest.mark.django_db


def live_ids():
    return list(Session.objects.filter(is_live=True).values_list("pk", flat=True))


def performing_ids():
    return list(Appearance.objects.filter(is_performing=True).values_list("pk", flat=True))


def busy_session(count):
    """Return the appearances of a live session without a performer."""
    first = AppearanceFactory(session__is_live=True)
    return [first, *(AppearanceFactory(session=first.session) for _ in range(count - 1))]


def test_session_set_live_ends_the_other_session_and_its_performance(admin):
    AppearanceFactory(session__is_live=True, is_performing=True)
    new = AppearanceFactory(is_performing=True)
    session_set_live(actor=admin, session_id=new.session_id)
    assert (live_ids(), performing_ids()) == ([new.session_id], [])


def test_unknown_sessions_and_performers_without_a_live_session_are_refused(admin):
    performer = AppearanceFactory(session__is_live=True, is_performing=True)
    with pytest.raises(Session.DoesNotExist):
        session_set_live(actor=admin, session_id=987654)
    with pytest.raises(Appearance.DoesNotExist):
        performer_set(actor=admin, appearance_id=987654)
    with pytest.raises(ValidationError, match="Set the session live first"):
        performer_set(actor=admin, appearance_id=AppearanceFactory().pk)
    assert (live_ids(), performing_ids()) == ([performer.session_id], [performer.pk])


def test_change_of_performer_takes_eight_queries(admin, django_assert_num_queries):
    first, second, third = busy_session(3)
    performer_set(actor=admin, appearance_id=first.pk)
    with django_assert_num_queries(8 + 2):  # and those of the test's savepoint
        performer_set(actor=admin, appearance_id=second.pk)
    assert performing_ids() == [second.pk]
    with django_assert_num_queries(9 + 2):  # reads the order of playing as well
        performer_next(actor=admin, session_id=first.session_id, after=second.pk)
    assert performing_ids() == [third.pk]


def test_steps_change_the_state_and_have_sentences_and_audit_entries(admin):
    appearance = AppearanceFactory()
    steps, states = [], []
    for act in (
        partial(session_set_live, session_id=appearance.session_id),
        partial(performer_set, appearance_id=appearance.pk),
        partial(performer_clear, session_id=appearance.session_id),
        partial(session_end, session_id=appearance.session_id),
    ):
        steps.append(act(actor=admin))
        states.append((live_ids(), performing_ids()))
    live = [appearance.session_id]
    assert states == [(live, []), (live, [appearance.pk]), (live, []), ([], [])]
    assert [step.sentence for step in steps] == [
        "Session set as live",
        "Current performer updated successfully",
        "Current performer cleared successfully",
        "Session no longer live",
    ]
    assert [step.after for step in steps[:-1]] == [step.before for step in steps[1:]]
    assert steps[1].after == LiveState(appearance.session_id, appearance.pk)
    *_, of_performer, of_session = audit_list()
    assert (of_performer.action, of_performer.user_id) == ("performer.set", admin.id)
    names = {"before": {"performer": None}, "after": {"performer": appearance.participant.name}}
    assert of_performer.details == names
    assert (of_session.action, of_session.user_id) == ("session.live", admin.id)
    assert of_session.details == {"before": {"session": None}, "after": {"session": appearance.session.title}}


def test_performer_next_follows_the_order_and_ends(admin):
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


def test_performer_next_is_refused_if_the_performer_has_changed(admin):
    appearances = busy_session(3)
    performer_set(actor=admin, appearance_id=appearances[1].pk)
    with pytest.raises(ValidationError) as refusal:
        performer_next(actor=admin, session_id=appearances[0].session_id, after=appearances[0].pk)
    assert refusal.value.messages == [f"Somebody else was faster: {appearances[1].participant.name} is on stage now."]
    performer_clear(actor=admin, session_id=appearances[0].session_id)
    with pytest.raises(ValidationError, match="just cleared the stage"):
        performer_next(actor=admin, session_id=appearances[0].session_id, after=appearances[1].pk)
    assert performing_ids() == []


@pytest.mark.parametrize("jump", [timedelta(hours=-1), timedelta(days=1)])
def test_every_press_works_and_keeps_the_order_while_the_clock_is_wrong(admin, jump):
    first, second, third = busy_session(3)
    ended = AppearanceFactory().session
    session_set_live(actor=admin, session_id=ended.pk)
    session_set_live(actor=admin, session_id=first.session_id)
    performer_set(actor=admin, appearance_id=first.pk)
    for by, nexts in ((jump, [second]), (-jump, [third])):
        clock_set(by)
        for appearance in nexts:
            on_stage = performing_ids()[0]
            performer_next(actor=admin, session_id=first.session_id, after=on_stage)
            left = PerformingTime.objects.get(appearance=on_stage)
            assert left.ended_at == left.began_at or left.began_at < left.ended_at <= timezone.now()
            step = performer_clear(actor=admin, session_id=first.session_id)
            appearances = session_appearances(session_id=first.session_id)
            assert last_on_stage(appearances).id == appearance.pk
            live_restore(actor=admin, **live_undo_read(step.undo))
            assert performing_ids() == [appearance.pk]
        step = session_set_live(actor=admin, session_id=ended.pk)
        live_restore(actor=admin, **live_undo_read(step.undo))
    session_end(actor=admin, session_id=first.session_id)
    assert live_ids() == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_next_steps_change_the_performer_once(admin):
    seen = None
    for appearance in busy_session(4):
        step = partial(performer_next, actor=admin, session_id=appearance.session_id, after=seen)
        answers = run_together(step, step)
        assert sorted(type(answer).__name__ for answer in answers) == ["LiveStep", "ValidationError"]
        assert performing_ids() == [appearance.pk]
        seen = appearance.pk


def test_each_step_and_its_undo_can_be_undone(admin):
    old, new = AppearanceFactory(session__is_live=True, is_performing=True), AppearanceFactory()
    other = AppearanceFactory(session=old.session)
    for act in (
        partial(performer_set, appearance_id=other.pk),
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


def test_step_cannot_be_undone_after_another_change_or_deletion(admin):
    first, second = busy_session(2)
    step = performer_set(actor=admin, appearance_id=first.pk)
    later = performer_set(actor=admin, appearance_id=second.pk)
    with pytest.raises(ValidationError, match="Somebody has changed this since"):
        live_restore(actor=admin, **live_undo_read(step.undo))
    first.delete()
    with pytest.raises(ValidationError, match="What was there before is gone"):
        live_restore(actor=admin, **live_undo_read(later.undo))
    assert performing_ids() == [second.pk]


def test_step_without_a_change_has_no_undo_and_no_audit_entry(admin):
    appearance = AppearanceFactory(session__is_live=True, is_performing=True)
    assert session_set_live(actor=admin, session_id=appearance.session_id).undo == ""
    assert performer_set(actor=admin, appearance_id=appearance.pk).undo == ""
    assert audit_list() == ()
    assert (live_ids(), performing_ids()) == ([appearance.session_id], [appearance.pk])


def test_undo_works_for_its_own_step_only(admin):
    appearance, other = AppearanceFactory(), AppearanceFactory()
    step = session_set_live(actor=admin, session_id=appearance.session_id)
    numbers, _, signature = step.undo.rpartition(".")
    invented = numbers.replace(".0.0.", f".{other.session_id}.0.", 1)
    for text in ("", "1.2.3", numbers, f"{invented}.{signature}", "x" + step.undo, Signer(sep=".").sign(numbers)):
        with pytest.raises(ValidationError, match="cannot be taken back"):
            live_undo_read(text)
    live_restore(actor=admin, **live_undo_read(step.undo))
    again = session_set_live(actor=admin, session_id=appearance.session_id)
    assert again.after == step.after
    with pytest.raises(ValidationError, match="Somebody has changed this since"):
        live_restore(actor=admin, **live_undo_read(step.undo))
    live_restore(actor=admin, **live_undo_read(again.undo))
    assert live_ids() == []
