"""Test who advances from a stage: published, corrected, withdrawn; permissions, constraints, the terminal's output."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS
from apps.accounts.models import User
from apps.competition.models import StageAdvancement
from apps.competition.selectors.admin.advancements import advancing_edit
from apps.competition.selectors.public.participants import participant_list
from apps.competition.selectors.public.programs import appearance_program
from apps.competition.selectors.public.sessions import participant_appearances
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from tests.factories import AppearanceFactory, StageFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages():
    """Return two stages, and two appearances in the first; the first performer also plays in the second."""
    first, second = (StageFactory(name=f"Stage {number}", order_number=number * 10) for number in (1, 2))
    one, two = (AppearanceFactory(session__stage=first, participant__name=name) for name in ("Ewa Lis", "Jan Nowak"))
    AppearanceFactory(session__stage=second, participant=one.participant)
    return first, second, one, two


def outcomes(appearance):
    found = participant_appearances(participant_id=appearance.participant_id)
    [of_first] = [each for each in found if each.appearance.id == appearance.pk]
    return of_first.is_decided, of_first.has_advanced, of_first.next_stage


def stored(stage):
    return set(StageAdvancement.objects.filter(stage=stage).values_list("participant_id", flat=True))


def test_who_plays_in_the_next_stage_has_not_advanced_before_it_is_published(admin, stages):
    first, _, one, two = stages
    assert outcomes(one) == outcomes(two) == (False, False, "Stage 2")
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[two.participant_id])
    assert (outcomes(one), outcomes(two)) == ((True, False, "Stage 2"), (True, True, "Stage 2"))
    program = appearance_program(session_participant_id=one.pk)
    assert program
    assert program.is_decided
    advancements_withdraw(actor=admin, stage_id=first.pk)
    assert outcomes(one) == outcomes(two) == (False, False, "Stage 2")


def test_a_correction_keeps_the_rows_of_those_who_still_advance(admin, stages):
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


def test_the_question_names_how_many_advance(admin, stages):
    first, second, one, _ = stages
    with pytest.raises(ConfirmationNeeded) as asked:
        advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id], confirmed=False)
    assert asked.value.messages == [
        "1 of 2 advances to Stage 2.",
        "Everybody sees it at once, and recommendations for this stage are closed.",
    ]
    with pytest.raises(ConfirmationNeeded, match=r"1 of 1 advances\."):
        advancements_publish(actor=admin, stage_id=second.pk, participant_ids=[one.participant_id], confirmed=False)
    assert not StageAdvancement.objects.exists()


@pytest.mark.parametrize(
    ("chosen", "words"),
    [([], "Tick at least one performer who advances."), ([987654], "A ticked performer no longer plays in this stage")],
)
def test_no_one_and_others_are_refused_at_the_ticks(admin, stages, chosen, words):
    with pytest.raises(ValidationError, match=words) as refused:
        advancements_publish(actor=admin, stage_id=stages[0].pk, participant_ids=chosen)
    assert list(refused.value.message_dict) == ["participant"]


def test_the_second_of_two_editors_is_refused(admin, stages):
    first, _, one, two = stages
    read = advancing_edit(stage_id=first.pk)
    assert read
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[two.participant_id], version=read.version)
    with pytest.raises(ValidationError, match="was published differently in the meantime"):
        advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id], version=read.version)
    assert stored(first) == {two.participant_id}


def test_the_database_refuses_a_second_row_and_participants_who_do_not_play(stages):
    first, second, one, two = stages
    StageAdvancement.objects.create(stage=first, participant=one.participant)
    for stage, participant, name in (
        (first, one.participant, "advances_once_from_a_stage"),
        (second, two.participant, "advancement_of_performer"),
    ):
        with pytest.raises(IntegrityError) as refused, transaction.atomic():
            StageAdvancement.objects.create(stage=stage, participant=participant)
        assert refused.value.__cause__.diag.constraint_name == name


def test_each_change_is_noted_once(admin, stages):
    first, _, one, two = stages
    for chosen in ([one], [one], [one, two]):
        ids = [each.participant_id for each in chosen]
        advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids)
    for _ in range(2):
        advancements_withdraw(actor=admin, stage_id=first.pk)
    noted = [(entry.action, entry.details["after"]["advancing"]) for entry in audit_list()]
    assert noted == [
        ("stage.withdraw", []),
        ("stage.advance", ["Ewa Lis", "Jan Nowak"]),
        ("stage.advance", ["Ewa Lis"]),
    ]


def test_only_administrators_publish_and_withdraw(admin, stages):
    first, _, one, _ = stages
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id])
    for actor in (ANONYMOUS, viewer_of(UserFactory())):
        with pytest.raises(PermissionDenied):
            advancements_publish(actor=actor, stage_id=first.pk, participant_ids=[stages[3].participant_id])
        with pytest.raises(PermissionDenied):
            advancements_withdraw(actor=actor, stage_id=first.pk)
    assert stored(first) == {one.participant_id}


def test_the_rows_stay_without_the_account_that_published_them(admin, stages):
    first, _, one, _ = stages
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=[one.participant_id])
    User.objects.filter(pk=admin.id).delete()
    assert StageAdvancement.objects.get().by_id is None


def test_who_left_the_stage_after_the_publication_can_stay_published(admin, stages):
    first, _, one, two = stages
    ids = [one.participant_id, two.participant_id]
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids[:1])
    one.delete()
    advancements_publish(actor=admin, stage_id=first.pk, participant_ids=ids)
    assert stored(first) == set(ids)
    edit = advancing_edit(stage_id=first.pk)
    assert edit
    assert [(each.participant_id, each.advances) for each in edit.performers] == [(pk, True) for pk in ids]


def test_still_in_the_competition_are_those_who_advance_from_the_newest_stage(admin, stages):
    _, second, one, _ = stages
    leaves = AppearanceFactory(session__stage=second)

    def still_in():
        return {each.id for each in participant_list(still_in=True).rows}

    assert still_in() == {one.participant_id, leaves.participant_id}
    advancements_publish(actor=admin, stage_id=second.pk, participant_ids=[one.participant_id])
    assert still_in() == {one.participant_id}


def test_the_terminal_says_what_it_did(stages, capsys):
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
