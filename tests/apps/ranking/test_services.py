"""Test closing, opening and releasing from quarantine: permissions, confirmations, audit entries and events."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.core.models import AuditEntry
from apps.ranking import services
from apps.ranking.selectors import run_get, stage_counting
from apps.ranking.services import MarksLeftOut
from tests.apps.ranking.halls import age, give, listeners

pytestmark = pytest.mark.django_db(transaction=True)


def test_closing_asks_first_with_what_stays_out_and_is_audited(appearances, stage_id, admin):
    with pytest.raises(ValidationError, match="no ranking"):
        services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    (young, waiting) = listeners(2)
    give(young, appearances, [1, 2, 3, 4, 5])
    give(waiting, appearances[:4], [1, 2, 3, 4], approved=False)
    age([young], hours=2)
    services.ranking_compute(stage_id=stage_id)
    with pytest.raises(MarksLeftOut) as asked:
        services.ranking_close(actor=admin, stage_id=stage_id)
    assert asked.value.messages == ["Marks still in quarantine: 5.", "Marks still waiting for approval: 4."]
    assert run_get(stage_id=stage_id).final_at is None
    services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    closed = run_get(stage_id=stage_id).final_at
    assert closed is not None
    services.ranking_close(actor=admin, stage_id=stage_id)
    assert run_get(stage_id=stage_id).final_at == closed
    services.ranking_reopen(actor=admin, stage_id=stage_id)
    services.ranking_reopen(actor=admin, stage_id=stage_id)
    give(waiting, appearances[4:], [5], approved=False)
    assert services.ranking_compute(stage_id=stage_id).run_id
    entries = AuditEntry.objects.filter(subject="ranking").order_by("pk").values_list("action", "user_id", "subject_id")
    assert list(entries) == [(action, admin.id, stage_id) for action in ("ranking.close", "ranking.reopen")]


def test_letting_out_needs_a_rule_and_a_reason_and_is_audited(appearances, stage_id, admin):
    (uniform,) = listeners(1)
    give(uniform, appearances, [25] * 5)
    give_release = {"actor": admin, "stage_id": stage_id}
    with pytest.raises(ValidationError, match="say why"):
        services.release_give(**give_release, user_id=uniform.pk, reason=" ")
    with pytest.raises(ValidationError, match="300"):
        services.release_give(**give_release, user_id=uniform.pk, reason="x" * 301)
    honest = stage_counting(stage_id=stage_id).marks[0].user_id
    with pytest.raises(ValidationError, match="No rule"):
        services.release_give(**give_release, user_id=honest, reason="A friend of mine.")
    services.release_give(**give_release, user_id=uniform.pk, reason="A real person, met in the hall.")
    assert uniform.pk in {each.user_id for each in stage_counting(stage_id=stage_id).marks}
    with pytest.raises(ValidationError, match="No rule"):
        services.release_give(**give_release, user_id=uniform.pk, reason="Again.")
    services.release_take(**give_release, user_id=uniform.pk)
    services.release_take(**give_release, user_id=uniform.pk)
    assert uniform.pk not in {each.user_id for each in stage_counting(stage_id=stage_id).marks}
    actions = AuditEntry.objects.filter(subject="ranking").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["ranking.release", "ranking.unrelease"]


def test_only_administrators_close_open_and_let_out(nobody, stage_id):
    for work in (services.ranking_close, services.ranking_reopen):
        with pytest.raises(PermissionDenied):
            work(actor=nobody, stage_id=stage_id)
    with pytest.raises(PermissionDenied):
        services.release_give(actor=nobody, stage_id=stage_id, user_id=1, reason="x")
    with pytest.raises(PermissionDenied):
        services.release_take(actor=nobody, stage_id=stage_id, user_id=1)


def test_every_write_is_heard(appearances, stage_id, listener):
    stage = f"ranking.{stage_id}"
    services.ranking_compute(stage_id=stage_id)
    assert listener.heard() == {stage}
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert listener.heard() == {stage}
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    assert listener.heard() == {stage, f"stage.{stage_id}.ratings"}
    (uniform,) = listeners(1)
    give(uniform, appearances, [25] * 5)
    services.release_give(actor=OPERATOR, stage_id=stage_id, user_id=uniform.pk, reason="Met in the hall.")
    assert listener.heard() == {stage, f"stage.{stage_id}.ratings"}
