"""Test the field of a stage: drawn or open, the permissions to change it, and the terminal's output."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from apps.accounts.actors import ANONYMOUS
from apps.competition.models import Stage
from apps.competition.selectors.public.programs import appearance_program
from apps.competition.selectors.public.sessions import participant_appearances
from apps.competition.services.stages import stage_field_set
from apps.core.audit import audit_list
from tests.factories import AppearanceFactory, StageFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages():
    """Return three stages; two participants play in the first, one of them also in the second."""
    first, second, third = (StageFactory(name=f"Stage {number}", order_number=number * 10) for number in (1, 2, 3))
    stays = AppearanceFactory(session__stage=first)
    leaves = AppearanceFactory(session__stage=first)
    AppearanceFactory(session__stage=second, participant=stays.participant)
    return first, second, third, stays, leaves


def outcomes(appearance):
    found = participant_appearances(participant_id=appearance.participant_id)
    [of_first] = [each for each in found if each.appearance.id == appearance.pk]
    return of_first.next_stage, of_first.has_advanced


def test_once_the_field_is_drawn_it_is_known_who_has_advanced(admin, stages):
    _, second, _, stays, leaves = stages
    assert (outcomes(stays), outcomes(leaves)) == (("", True), ("", False))
    stage_field_set(actor=admin, stage_id=second.pk, is_drawn=True)
    assert (outcomes(stays), outcomes(leaves)) == (("Stage 2", True), ("Stage 2", False))
    program = appearance_program(session_participant_id=leaves.pk)
    assert program
    assert program.next_stage == "Stage 2"
    stage_field_set(actor=admin, stage_id=second.pk, is_drawn=False)
    assert (outcomes(stays), outcomes(leaves)) == (("", True), ("", False))


def test_only_the_very_next_stage_counts(admin, stages):
    first, _, third, stays, _ = stages
    for stage in (first, third):
        stage_field_set(actor=admin, stage_id=stage.pk, is_drawn=True)
    assert outcomes(stays) == ("", True)


def test_each_change_is_noted_once(admin, stages):
    for is_drawn in (False, True, True, False):
        stage_field_set(actor=admin, stage_id=stages[1].pk, is_drawn=is_drawn)
    noted = [entry.details["after"] for entry in audit_list() if entry.action == "stage.field"]
    assert noted == [{"field_drawn": False}, {"field_drawn": True}]


def test_nobody_else_says_so(stages):
    for actor in (ANONYMOUS, viewer_of(UserFactory())):
        with pytest.raises(PermissionDenied):
            stage_field_set(actor=actor, stage_id=stages[1].pk, is_drawn=True)
    assert not Stage.objects.exclude(field_drawn_at=None).exists()


def test_the_terminal_says_what_it_did(stages, capsys):
    second = stages[1]
    call_command("stages", "drawn", str(second.pk))
    call_command("stages", "list")
    printed = capsys.readouterr().out
    assert "The field is drawn. Recommendations for the stage before are closed." in printed
    assert f"{second.pk:>4}  Stage 2  (field drawn)" in printed
    call_command("stages", "open", str(second.pk))
    assert "The field is open again." in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no stage with that number"):
        call_command("stages", "drawn", "987654")
