"""Test concurrent administrators of one session: each step starts from the state of the previous one."""

import random
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import Appearance, Participant
from apps.competition.selectors.admin.live import live_control_get, live_state
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
from apps.competition.services.participants import participant_delete
from apps.competition.services.programs import program_entry_remove
from apps.competition.services.sessions import appearance_add
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ParticipantFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = 15  # of each


def act(chance, actor, appearances, undo):
    """Take a random action and return its result."""
    appearance = chance.choice(appearances)
    control = live_control_get()
    seen = control.performer.id if control.performer else None
    acts = [
        partial(session_set_live, session_id=appearance.session_id),
        partial(session_end, session_id=appearance.session_id),
        partial(performer_clear, session_id=appearance.session_id),
        *[partial(performer_set, appearance_id=appearance.pk)] * 3,
        *[partial(performer_next, session_id=appearance.session_id, after=seen)] * 3,
    ]
    if undo:
        acts += [partial(live_restore, **live_undo_read(undo))] * 2
    try:
        return chance.choice(acts)(actor=actor)
    except ValidationError as refusal:
        return refusal


def busy_session(seed, appearances):
    """Return one administrator's actions and their results."""
    chance = random.Random(seed)  # noqa: S311 - chance, no secret
    actor, results, undo = viewer_of(AdminFactory()), [], ""
    for _ in range(STEPS):
        results.append(act(chance, actor, appearances, undo))
        undo = results[-1].undo if isinstance(results[-1], LiveStep) else ""
    return results


@pytest.mark.parametrize("seed", [1, 2])
def test_concurrent_steps_are_serialized(seed):
    first, other = AppearanceFactory(), AppearanceFactory()
    appearances = [first, other, *(AppearanceFactory(session=first.session) for _ in range(3))]
    done = run_together(partial(busy_session, seed, appearances), partial(busy_session, seed + 100, appearances))
    assert [len(results) for results in done] == [STEPS, STEPS]
    state = {"session": None, "performer": None}
    entries = tuple(reversed(audit_list(limit=2 * STEPS)))
    steps = [step for results in done for step in results if isinstance(step, LiveStep) and step.undo]
    assert len(entries) == len(steps)
    for entry in entries:
        assert entry.details["before"].items() <= state.items()
        state |= entry.details["after"]
    control = live_control_get()
    assert state == {
        "session": control.session.title if control.session else None,
        "performer": control.performer.name if control.performer else None,
    }
    performing = Appearance.objects.filter(is_performing=True).values_list("session_id", "pk")
    assert set(performing) <= {(live_state().session_id, live_state().appearance_id)}


def test_concurrent_removals_remove_an_entry_once(admin):
    for _ in range(2):
        remove = partial(program_entry_remove, actor=admin, entry_id=ProgramEntryFactory().pk)
        answers = run_together(remove, remove)
        assert sorted(type(answer).__name__ for answer in answers) == ["DoesNotExist", "ProgramEntry"]


def test_participant_added_and_deleted_concurrently_has_the_appearance_or_is_deleted(admin):
    session = SessionFactory()
    for _ in range(3):
        person = ParticipantFactory()
        added, deleted = run_together(
            partial(appearance_add, actor=admin, session_id=session.pk, participant_id=person.pk),
            partial(participant_delete, actor=admin, participant_id=person.pk),
        )
        assert isinstance(added, ValidationError) == (deleted is None)
        has_appearance = session.appearances.filter(participant=person).exists()
        assert Participant.objects.filter(pk=person.pk).exists() == has_appearance
