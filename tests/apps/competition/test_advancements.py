"""Test advancements from a stage: publication, correction, withdrawal, permissions, constraints and the command."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.competition.models import Participant, Session, StageAdvancement
from apps.competition.selectors.admin.advancements import advancing_edit
from apps.competition.selectors.public.participants import participant_list
from apps.competition.selectors.public.programs import appearance_program
from apps.competition.selectors.public.sessions import participant_appearances
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.competition.services.session_series import Series, session_series_create
from apps.competition.services.sessions import appearance_add, session_create, session_update
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, StageFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages():
    """Return two stages, and two appearances in the first; the first performer also plays in the second."""
    first, second = (StageFactory(name=f"Stage {number}", order_number=number * 10) for number in (1, 2))
    one, two = (AppearanceFactory(session__stage=first, participant__name=name) for name in ("Ewa Lis", "Jan Nowak"))
    AppearanceFactory(session__stage=second, participant=one.participant)
    return first, second, one, two


def outcomes(appearance):
    rows = participant_appearances(participant_id=appearance.participant_id)
    (row,) = [row for row in rows if row.appearance.id == appearance.pk]
    return row.is_decided, row.has_advanced, row.next_stage


def stored(stage):
    return set(StageAdvancement.objects.filter(stage=stage).values_list("participant_id", flat=True))


def test_participants_advance_by_publication_and_not_by_appearances(admin, stages):
    first, _, one, two = stages
    assert outcomes(one) == outcomes(two) == (False, False, "Stage 2")
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[two.participant_id])
    assert (outcomes(one), outcomes(two)) == ((True, False, "Stage 2"), (True, True, "Stage 2"))
    assert appearance_program(appearance_id=one.pk).is_decided
    advancements_withdraw(actor=admin, stage_id=first.pk)
    assert outcomes(one) == outcomes(two) == (False, False, "Stage 2")


def test_correction_keeps_rows_of_participants_who_still_advance(admin, stages):
    first, _, one, two = stages
    ids = [one.participant_id, two.participant_id]
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1])
    kept = StageAdvancement.objects.get()
    assert kept.by_id == admin.id
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[*ids, *ids])
    assert stored(first) == set(ids)
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1])
    assert StageAdvancement.objects.get().at == kept.at
    assert advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1]) == "This is published already."


def test_confirmation_has_the_number_of_advancing_participants(admin, stages):
    first, second, one, _ = stages
    with pytest.raises(ConfirmationNeeded) as confirmation:
        advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id], confirmed=False)
    assert confirmation.value.messages == [
        "1 of 2 advances to Stage 2.",
        "Everybody sees it at once, and recommendations for this stage are closed.",
    ]
    with pytest.raises(ConfirmationNeeded, match=r"1 of 1 advances\."):
        advancements_publish(actor=admin, stage_id=second.pk, participant_ids=[one.participant_id], confirmed=False)
    assert not StageAdvancement.objects.exists()


def test_empty_choice_and_participants_of_other_stages_are_refused(admin, stages):
    for ids, sentence in (
        ([], "Tick at least one performer who advances."),
        ([987654], "A ticked performer no longer plays in this stage"),
    ):
        with pytest.raises(ValidationError, match=sentence) as refusal:
            advancements_publish(actor=admin, stage_id=stages[0].pk, participant_ids=ids)
        assert list(refusal.value.message_dict) == ["participant"]


def test_publication_with_an_old_version_is_refused(admin, stages):
    first, _, one, two = stages
    publish = partial(
        advancements_publish, actor=admin, stage_id=first.pk, version=advancing_edit(stage_id=first.pk).version
    )
    publish(participant_ids=[two.participant_id])
    with pytest.raises(ValidationError, match="was published differently in the meantime"):
        publish(participant_ids=[one.participant_id])
    assert stored(first) == {two.participant_id}


def test_database_refuses_duplicates_and_participants_without_an_appearance(stages):
    first, second, one, two = stages
    StageAdvancement.objects.create(stage=first, participant=one.participant)
    for stage, participant, name in (
        (first, one.participant, "advances_once_from_a_stage"),
        (second, two.participant, "advancement_of_performer"),
    ):
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            StageAdvancement.objects.create(stage=stage, participant=participant)
        assert refusal.value.__cause__.diag.constraint_name == name


def test_audit_has_each_change_once(admin, stages):
    first, _, one, two = stages
    for appearances in ([one], [one], [one, two]):
        ids = [appearance.participant_id for appearance in appearances]
        advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids)
    for _ in range(2):
        advancements_withdraw(actor=admin, stage_id=first.pk)
    assert [(entry.action, entry.details["after"]["advancing"]) for entry in audit_list()] == [
        ("stage.withdraw", []),
        ("stage.advance", ["Ewa Lis", "Jan Nowak"]),
        ("stage.advance", ["Ewa Lis"]),
    ]


def test_advancements_outlive_the_account_that_published_them(admin, stages):
    first, _, one, _ = stages
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id])
    User.objects.filter(pk=admin.id).delete()
    assert StageAdvancement.objects.get().by_id is None


def test_participant_without_an_appearance_can_stay_published(admin, stages):
    first, _, one, two = stages
    ids = [one.participant_id, two.participant_id]
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1])
    one.delete()
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids)
    assert stored(first) == set(ids)
    performers = advancing_edit(stage_id=first.pk).performers
    assert [(row.participant_id, row.advances) for row in performers] == [(pk, True) for pk in ids]


def test_still_in_means_advancing_from_the_newest_stage(admin, stages):
    _, second, one, _ = stages
    leaves = AppearanceFactory(session__stage=second)
    assert {row.id for row in participant_list(still_in=True).rows} == {one.participant_id, leaves.participant_id}
    advancements_publish(actor=admin, stage_id=second.pk, participant_ids=[one.participant_id])
    assert {row.id for row in participant_list(still_in=True).rows} == {one.participant_id}


def test_participant_who_does_not_advance_plays_on_only_after_a_question(admin, stages):
    first, second, one, two = stages
    question = f"{two.participant.name} is not among those who advance to Stage 2."
    session = second.sessions.get()
    form = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""}
    ids = [one.participant_id, two.participant_id]
    edit = partial(session_update, actor=admin, session_id=session.pk, **form)
    new = {"title": "Late", "starts_at": EVENING, "stage_id": second.pk}
    series = Series("2027-10-12 10:00", "", performers=two.participant.name)
    writes = (
        partial(edit, participant_ids=ids),
        partial(appearance_add, actor=admin, session_id=session.pk, participant_id=ids[1]),
        partial(session_update, actor=admin, session_id=two.session_id, description="", youtube_id="", **new),
        partial(session_series_create, actor=admin, stage_id=second.pk, series=series),
        partial(session_create, actor=admin, participant_ids=ids[1:], **new),
    )
    for write in writes[:2]:
        with transaction.atomic():
            write()  # nothing is published: no question
            transaction.set_rollback(True)
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1])
    for write in writes:
        with pytest.raises(ConfirmationNeeded) as refusal:
            write()
        assert refusal.value.messages[-1] == question
    edit(participant_ids=ids, confirmed=True)
    edit(participant_ids=ids[::-1])  # who is there already is not asked about


def test_series_of_all_has_those_who_advance(admin, stages):
    first, second, one, two = stages
    Participant.objects.filter(pk=one.participant_id).update(start_number=3)
    Participant.objects.filter(pk=two.participant_id).update(start_number=4)
    ParticipantFactory(start_number=5)
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[two.participant_id])
    series = Series("2027-10-12 10:00", "", first_number=1)
    (session_id,) = session_series_create(actor=admin, stage_id=second.pk, series=series, confirmed=True)
    assert list(Session.objects.get(pk=session_id).appearances.values_list("participant_id")) == [(two.participant_id,)]
    with pytest.raises(ValidationError, match="Nobody who may play in this stage"):
        session_series_create(actor=admin, stage_id=second.pk, series=series, confirmed=True)


def test_command_publishes_lists_and_withdraws(stages, capsys):
    first, _, one, two = stages
    call_command("stages", "advance", str(first.pk), str(one.participant_id), str(two.participant_id))
    call_command("stages", "list")
    printed = capsys.readouterr().out
    assert "Published. Recommendations for this stage are closed." in printed
    assert f"{first.pk:>4}  Stage 1  (2 of 2 advance)" in printed
    call_command("stages", "withdraw", str(first.pk))
    assert "Withdrawn. It is open again who advances" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no stage with that number"):
        call_command("stages", "withdraw", "987654")
    with pytest.raises(CommandError, match="no longer plays in this stage"):
        call_command("stages", "advance", str(first.pk), "987654")
