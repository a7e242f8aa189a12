"""Test closing, opening and decisions about accounts: permissions, confirmations, audit entries and events."""

from functools import partial
from itertools import pairwise

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.core.models import AuditEntry
from apps.ranking import services
from apps.ranking.selectors import run_get, stage_counting
from apps.ranking.services import MarksLeftOut
from tests.apps.ranking.halls import age, give, listeners

pytestmark = pytest.mark.django_db


def test_closing_needs_confirmation_and_is_audited(appearances, stage_id, admin):
    with pytest.raises(ValidationError, match="no ranking"):
        services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    (young, waiting) = listeners(2)
    give(young, appearances, [1, 2, 3, 4, 5])
    give(waiting, appearances[:4], [1, 2, 3, 4], approved=False)
    age([young], hours=2)
    services.ranking_compute(stage_id=stage_id)
    with pytest.raises(MarksLeftOut) as error:
        services.ranking_close(actor=admin, stage_id=stage_id)
    assert error.value.messages == [
        "Ratings of accounts younger than a day: 5.",
        "Ratings still waiting for approval: 4.",
    ]
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


def test_release_needs_a_rule_and_a_reason_and_is_audited(appearances, stage_id, admin):
    (young,) = listeners(1)
    give(young, appearances, [9, 10, 11, 12, 13])
    age([young], hours=2)
    release = partial(services.decision_make, actor=admin, stage_id=stage_id, is_left_out=False)
    honest = stage_counting(stage_id=stage_id).marks[0].user_id
    for user_id, reason, message in (
        (young.pk, " ", "say why"),
        (young.pk, "x" * 301, "300"),
        (honest, "A friend of mine.", "No rule"),
    ):
        with pytest.raises(ValidationError, match=message):
            release(user_id=user_id, reason=reason)
    release(user_id=young.pk, reason="A real person, met in the hall.")
    assert young.pk in {each.user_id for each in stage_counting(stage_id=stage_id).marks}
    with pytest.raises(ValidationError, match="No rule"):
        release(user_id=young.pk, reason="Again.")
    for _ in range(2):
        services.decision_take(actor=admin, stage_id=stage_id, user_id=young.pk)
    assert young.pk not in {each.user_id for each in stage_counting(stage_id=stage_id).marks}
    actions = AuditEntry.objects.filter(subject="ranking").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["ranking.release", "ranking.unrelease"]


def test_leaving_out_needs_marks_and_a_reason(appearances, stage_id, admin):
    (user,) = listeners(1)
    decide = partial(services.decision_make, actor=admin, stage_id=stage_id, user_id=user.pk)
    with pytest.raises(ValidationError, match="no marks that count"):
        decide(is_left_out=True, reason="A second account.")
    give(user, appearances, [9, 10, 11, 12, 13])
    with pytest.raises(ValidationError, match="say why"):
        decide(is_left_out=True, reason=" ")
    decide(is_left_out=True, reason="A second account.")
    with pytest.raises(ValidationError, match="no marks that count"):
        decide(is_left_out=True, reason="Again.")
    counting = stage_counting(stage_id=stage_id)
    assert user.pk not in {each.user_id for each in counting.marks}
    assert ({each.user_id for each in counting.left_out}, len(counting.left_out)) == ({user.pk}, 5)
    decide(is_left_out=False, reason="A person of its own.")
    assert user.pk in {each.user_id for each in stage_counting(stage_id=stage_id).marks}
    services.decision_take(actor=admin, stage_id=stage_id, user_id=user.pk)
    entries = AuditEntry.objects.filter(subject="ranking").order_by("pk")
    assert [entry.action for entry in entries] == ["ranking.leave_out", "ranking.release", "ranking.unrelease"]
    changes = [(entry.details["before"]["decision"], entry.details["after"]["decision"]) for entry in entries]
    assert changes == list(pairwise(["by the rules", "left out", "weighs fully", "by the rules"]))


def test_closed_ranking_refuses_decisions(appearances, stage_id, admin):
    (user,) = listeners(1)
    give(user, appearances, [9, 10, 11, 12, 13])
    services.ranking_compute(stage_id=stage_id)
    services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    with pytest.raises(ValidationError, match="The ranking is closed"):
        services.decision_make(actor=admin, stage_id=stage_id, user_id=user.pk, is_left_out=True, reason="Too late.")
    services.ranking_reopen(actor=admin, stage_id=stage_id)
    services.decision_make(actor=admin, stage_id=stage_id, user_id=user.pk, is_left_out=True, reason="In time.")
    services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    with pytest.raises(ValidationError, match="The ranking is closed"):
        services.decision_take(actor=admin, stage_id=stage_id, user_id=user.pk)


def test_only_administrators_close_reopen_and_decide(unprivileged, stage_id):
    for work in (services.ranking_close, services.ranking_reopen):
        with pytest.raises(PermissionDenied):
            work(actor=unprivileged, stage_id=stage_id)
    with pytest.raises(PermissionDenied):
        services.decision_make(actor=unprivileged, stage_id=stage_id, user_id=1, is_left_out=True, reason="x")
    crowd = {"appearance_id": 1, "is_above": True, "is_left_out": True, "reason": "x"}
    with pytest.raises(PermissionDenied):
        services.crowd_decide(actor=unprivileged, stage_id=stage_id, **crowd)
    with pytest.raises(PermissionDenied):
        services.decision_take(actor=unprivileged, stage_id=stage_id, user_id=1)


def test_every_write_publishes_its_topics(appearances, stage_id, listener):
    stage = f"ranking.{stage_id}"
    services.ranking_compute(stage_id=stage_id)
    assert listener.heard() == {stage}
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert listener.heard() == {stage}
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    assert listener.heard() == {stage, f"stage.{stage_id}.ratings"}
    (young,) = listeners(1)
    give(young, appearances, [9, 10, 11, 12, 13])
    age([young], hours=2)
    decision = {"stage_id": stage_id, "user_id": young.pk, "reason": "Met in the hall."}
    services.decision_make(actor=OPERATOR, is_left_out=False, **decision)
    assert listener.heard() == {stage, f"stage.{stage_id}.ratings"}
    services.decision_make(actor=OPERATOR, is_left_out=True, **decision)
    assert listener.heard() == {stage, f"stage.{stage_id}.ratings"}
