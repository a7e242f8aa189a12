"""Test writes of stages: names, order, archive, database constraints and the command."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from apps.accounts.actors import OPERATOR
from apps.competition.limits import STAGES_MOST
from apps.competition.models import Stage
from apps.competition.selectors.admin.sessions import stage_edit, stages_admin
from apps.competition.services.stages import stage_archive, stage_create, stage_delete, stage_move, stage_update
from apps.core.audit import audit_list
from apps.core.edits import EditConflict
from tests.apps.conftest import run_together
from tests.factories import AppearanceFactory, SessionFactory, StageFactory

pytestmark = pytest.mark.django_db


def names():
    return [stage.name for stage in stages_admin()]


@pytest.fixture
def three(admin):
    return [stage_create(actor=admin, name=f" {name} ") for name in ("Stage I", "Stage II", "Final")]


def test_stages_are_ordered_by_creation_and_can_be_moved(admin, three):
    first, _, final = (stage.pk for stage in three)
    assert names() == ["Stage I", "Stage II", "Final"]
    stage_move(actor=admin, stage_id=final, direction="up")
    stage_move(actor=admin, stage_id=first, direction="up")
    assert names() == ["Stage I", "Final", "Stage II"]
    stage_move(actor=admin, stage_id=first, direction="down")
    assert names() == ["Final", "Stage I", "Stage II"]
    moves = [entry.details for entry in audit_list() if entry.action == "stage.order"]
    assert [move["name"] for move in moves] == ["Stage I", "Final"]
    assert moves[1]["after"] == {"stages": ["Stage I", "Final", "Stage II"]}
    with pytest.raises(ValidationError):
        stage_move(actor=admin, stage_id=first, direction="sideways")


def test_rename_with_an_old_version_conflicts(admin, three):
    seen = stage_edit(stage_id=three[0].pk).version
    stage_update(actor=admin, stage_id=three[0].pk, name="Preliminaries", version=seen)
    with pytest.raises(EditConflict) as conflict:
        stage_update(actor=admin, stage_id=three[0].pk, name="Round I", version=seen)
    stage_update(actor=admin, stage_id=three[0].pk, name="Round I", version=conflict.value.version)
    assert names()[0] == "Round I"
    for wrong in (" ", "Final"):
        with pytest.raises(ValidationError):
            stage_update(actor=admin, stage_id=three[0].pk, name=wrong)


def test_stage_with_sessions_can_only_be_archived(admin, three):
    SessionFactory(stage=three[0])
    with pytest.raises(ValidationError, match=r"Stage I has sessions: 1\. Archive it instead"):
        stage_delete(actor=admin, stage_id=three[0].pk)
    stage_delete(actor=admin, stage_id=three[1].pk)
    assert names() == ["Stage I", "Final"]
    for is_archived in (True, True, False):
        stage_archive(actor=admin, stage_id=three[0].pk, is_archived=is_archived)
    details = [entry.details["after"] for entry in audit_list() if entry.action == "stage.archive"]
    assert details == [{"archived": False}, {"archived": True}]


def test_database_refuses_new_sessions_of_an_archived_stage(admin, three):
    kept = SessionFactory(stage=three[0])
    other = SessionFactory(stage=three[1])
    stage_archive(actor=admin, stage_id=three[0].pk, is_archived=True)
    kept.title = "As before"
    kept.save()
    for wrong in (lambda: SessionFactory(stage=three[0]), lambda: type(other).objects.update(stage=three[0])):
        with pytest.raises(IntegrityError, match="is archived"), transaction.atomic():
            wrong()
    with pytest.raises(IntegrityError), transaction.atomic():
        Stage.objects.update(order_number=1)


@pytest.mark.django_db(transaction=True)
def test_concurrently_created_stages_are_both_stored():
    for turn in range(3):
        creates = [partial(stage_create, actor=OPERATOR, name=f"Round {turn}, {number}") for number in range(2)]
        assert all(isinstance(stage, Stage) for stage in run_together(*creates))
    assert sorted(Stage.objects.values_list("order_number", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_rename_and_move_publish_topics_of_all_pages_with_the_name(listener):
    appearance = AppearanceFactory()
    stage, other = appearance.session.stage, StageFactory(order_number=9_999)
    session = f"session.{appearance.session_id}"
    topics = {"stages", "featured_participants", "live", "sessions", session, f"{session}.performer"}
    topics.add(f"participant.{appearance.participant_id}")
    stage_update(actor=OPERATOR, stage_id=stage.pk, name="Round")
    assert listener.heard() == topics
    stage_move(actor=OPERATOR, stage_id=other.pk, direction="up")
    assert listener.heard() == topics
    stage_archive(actor=OPERATOR, stage_id=stage.pk, is_archived=True)
    assert listener.heard() == {"stages"}
    stage_update(actor=OPERATOR, stage_id=stage.pk, name="Round")
    assert listener.heard() == set()


def test_command_runs_each_write(capsys):
    def run(*words):
        call_command("stages", *map(str, words))
        return capsys.readouterr().out.strip()

    assert "There are no stages yet" in run("list")
    first = int(run("add", "Stage I").split()[1])
    final = int(run("add", "Final").split()[1])
    assert run("rename", first, "Round I") == "It is Round I now."
    assert run("move", final, "up") == "Stage moved"
    assert run("move", final, "up") == "It is there already."
    assert run("archive", first).startswith("Stage archived.")
    assert run("list").splitlines() == [f"{final}  Final", f"{first:>4}  Round I  (archived)"]
    assert run("restore", first).startswith("Stage brought back.")
    assert run("delete", first) == "Stage deleted."
    for wrong, words in (
        (("add", "Final"), "Name is taken already"),
        (("rename", str(final), " "), "Name is required."),
        (("move", "987654", "up"), "There is no stage with that number"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("stages", *wrong)


def test_number_of_stages_is_limited(admin):
    Stage.objects.bulk_create(Stage(name=f"Stage {n}", order_number=n) for n in range(1, STAGES_MOST))
    stage_create(actor=admin, name="The last")
    with pytest.raises(ValidationError, match=f"There are {STAGES_MOST} stages, as many as lists can show"):
        stage_create(actor=admin, name="One more")
