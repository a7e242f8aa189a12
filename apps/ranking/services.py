"""Writes of the ranking: compute a run, close or reopen a stage's ranking, release accounts from quarantine."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.sessions import usernames_get
from apps.accounts.services.accounts import account_lock, accounts_hold
from apps.core.database.fields import database_now
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import text_clean
from apps.ranking import method
from apps.ranking.blindness import blindness
from apps.ranking.counting import Counting
from apps.ranking.enums import QUARANTINE, NotCounted
from apps.ranking.events import RankingChanged, RankingOutdated
from apps.ranking.limits import REASON_LENGTH, SOON
from apps.ranking.models import RankingAccount, RankingRelease, RankingRow, RankingRun
from apps.ranking.permissions import can_administer_ranking
from apps.ranking.selectors import MARK_COLUMNS, packed, performer_labels, run_get, stage_counting, written

_STAGE = "(%s::bigint & 2147483647)::int"  # a two-key advisory lock takes 32 bits for each key
_COMPUTES = f"(hashtext('parterre ranking of a stage computes'), {_STAGE})"


def runs_lock(stage_id: int) -> None:
    """Take the advisory lock on this stage's runs until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock(hashtext('parterre ranking'), {_STAGE})", [stage_id])


@contextmanager
def computes_alone(stage_id: int) -> Iterator[bool]:
    """Take the computation lock of this stage and yield whether this database session holds it; release it on exit.

    The lock is a session lock, not a transaction lock, because no transaction may stay open for a whole computation.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_lock{_COMPUTES}", [stage_id])
        (is_alone,) = cursor.fetchone()
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock{_COMPUTES}", [stage_id])


KEPT = 2  # runs per stage: a reader of the older run still finds its rows while the next one is written
_Marks = list[tuple[str, str, float]]  # anonymous rater number, performer label, mark


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a computation.

    `run_id` is None when there was no run to make or another process is computing. `due_in` is the number of seconds
    until the next computation is due: when the next account starts to count, or when the other process should be done.
    """

    run_id: int | None = None
    due_in: float | None = None


def ranking_compute(*, stage_id: int) -> Computed:
    """Compute a stage's ranking from the marks that count now, and publish `RankingChanged`.

    Make no run when the ranking is closed, or when the stage has neither marks nor a ranking. No transaction is open
    during the computation. While another process computes the stage, return at once with `due_in`: of two overlapping
    computations, the one with the older read could be stored last.
    """
    with computes_alone(stage_id) as is_alone:
        return _compute(stage_id) if is_alone else Computed(due_in=SOON)


def _compute(stage_id: int) -> Computed:
    """Compute a stage; the caller holds its computation lock."""
    runs = dict(RankingRun.objects.filter(stage_id=stage_id).values_list("pk", "is_final"))
    if any(runs.values()):
        return Computed()
    counting = stage_counting(stage_id=stage_id)
    if not runs and not counting.marks and not any(counting.not_counted.values()):
        return Computed()
    marks = _without_names(counting)
    if run_id := _same_run(stage_id, counting, marks):
        return Computed(run_id, counting.due_in)
    return Computed(_store(stage_id, counting, marks, method.ranking(marks)), counting.due_in)


@transaction.atomic
def ranking_failure_note(*, stage_id: int) -> None:
    """Record at the stage's newest run that a later computation failed, and publish `RankingChanged`."""
    runs_lock(stage_id)
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    RankingRun.objects.filter(pk__in=newest).update(failed_at=database_now())
    publish(RankingChanged(stage_id))


def _without_names(counting: Counting) -> _Marks:
    """Return the marks that count, sorted, with a random number in place of each rater.

    The numbers are drawn for each run, so that raters cannot be followed from one file to the next.
    """
    labels = performer_labels(counting.field)
    raters = list({each.user_id for each in counting.marks})
    random.SystemRandom().shuffle(raters)
    numbers = {user_id: number for number, user_id in enumerate(raters, start=1)}
    ordered = sorted((numbers[each.user_id], labels[each.appearance_id], each.mark) for each in counting.marks)
    return [(str(number), performer, mark) for number, performer, mark in ordered]


def _same_run(stage_id: int, counting: Counting, marks: _Marks) -> int | None:
    """Return the id of the newest run, with `made_at` set to now, if it has the same marks and counts; else None."""
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    counts = {reason.value: count for reason, count in counting.not_counted.items()}
    digest = method.digest_of(method.sheets_of(marks))
    same = RankingRun.objects.filter(
        pk__in=newest, method=method.VERSION, digest=digest, is_final=False, failed_at=None, **counts
    )
    with transaction.atomic():
        runs_lock(stage_id)
        if not same.update(made_at=database_now(), has_accounts=True, **_blind_columns(counting)):
            return None
        _accounts_store(stage_id, counting)
        return same.values_list("pk", flat=True).first()


@transaction.atomic
def _store(stage_id: int, counting: Counting, marks: _Marks, made: method.Ranking) -> int | None:
    """Store a run with its rows, publish `RankingChanged` and return the run's id.

    Delete all but the newest KEPT runs. Return None for a stage that was closed during the computation.
    """
    runs_lock(stage_id)
    runs = RankingRun.objects.filter(stage_id=stage_id)
    if runs.filter(is_final=True).exists():
        return None
    run = RankingRun.objects.create(
        stage_id=stage_id,
        method=method.VERSION,
        digest=made.digest,
        raters=made.raters,
        marks=made.marks,
        file=packed(written(MARK_COLUMNS, ((rater, performer, repr(mark)) for rater, performer, mark in marks))),
        has_accounts=True,
        **_blind_columns(counting),
        **{reason.value: count for reason, count in counting.not_counted.items()},
    )
    appearances = {label: pk for pk, label in performer_labels(counting.field).items()}
    RankingRow.objects.bulk_create(
        RankingRow(
            run=run,
            appearance_id=appearances[row.performer],
            **{name: value for name, value in row._asdict().items() if name != "performer"},
        )
        for row in made.rows
    )
    kept = runs.order_by("-pk").values_list("pk", flat=True)[:KEPT]
    runs.exclude(pk__in=list(kept)).delete()
    _accounts_store(stage_id, counting)
    publish(RankingChanged(stage_id))
    return run.pk


def _blind_columns(counting: Counting) -> dict[str, Any]:
    """Return the columns of a run about the marks that were made blind."""
    found = blindness(counting.marks, counting.blind)
    return {
        "blind": found.count,
        "blind_difference": found.difference,
        "blind_from": found.lowest,
        "blind_to": found.highest,
    }


def _accounts_store(stage_id: int, counting: Counting) -> None:
    """Store the accounts with marks in the stage's newest run, and write only rows that differ from the run before.

    The caller holds the lock on the runs. Accounts deleted since the marks were read are left out.
    """
    marks: dict[int, dict[str, float]] = {user_id: {} for user_id in counting.bursts}
    for each in counting.marks:
        marks.setdefault(each.user_id, {})[str(each.appearance_id)] = each.mark
    wanted = {user_id: (of_account, user_id in counting.bursts) for user_id, of_account in marks.items()}
    rows = RankingAccount.objects.filter(stage_id=stage_id)
    stored = {user_id: tuple(row) for user_id, *row in rows.values_list("user_id", "marks", "is_in_burst")}
    changed = {user_id for user_id, row in wanted.items() if stored.get(user_id) != row}
    accounts_hold(user_ids=changed)
    rows.filter(user_id__in=stored.keys() - wanted.keys()).delete()
    RankingAccount.objects.bulk_create(
        [
            RankingAccount(user_id=user_id, stage_id=stage_id, marks=wanted[user_id][0], is_in_burst=wanted[user_id][1])
            for user_id in sorted(usernames_get(user_ids=changed))
        ],
        update_conflicts=True,
        unique_fields=["user", "stage"],
        update_fields=["marks", "is_in_burst"],
    )


CLOSED = "The ranking is closed. It stays as it is."
OPENED = "The ranking is open again. It is counted anew within a minute."
CLOSING_NOT_ALLOWED = "Only administrators close rankings."


class MarksLeftOut(ConfirmationNeeded):
    """Raised without confirmation: closing now would exclude marks in quarantine and marks that wait for approval."""

    def __init__(self, quarantined: int, waiting: int) -> None:
        super().__init__(
            [
                ValidationError("Marks still in quarantine: %(count)d.", params={"count": quarantined}),
                ValidationError("Marks still waiting for approval: %(count)d.", params={"count": waiting}),
            ]
        )


@transaction.atomic
def ranking_close(*, actor: Actor, stage_id: int, confirmed: bool = False) -> str:
    """Close a stage's ranking at its newest run, and return the sentence to show.

    Raises PermissionDenied, ValidationError before the first computation, MarksLeftOut without confirmation.
    """
    require(can_administer_ranking(actor), CLOSING_NOT_ALLOWED)
    runs_lock(stage_id)
    run = run_get(stage_id=stage_id)
    if run is None:
        raise ValidationError("There is no ranking of this stage yet.")
    if run.final_at is not None:
        return CLOSED
    quarantined = sum(run.not_counted[reason] for reason in QUARANTINE)
    if not confirmed:
        raise MarksLeftOut(quarantined, run.not_counted[NotCounted.WAITING])
    RankingRun.objects.filter(pk=run.id).update(is_final=True, final_at=database_now())
    change_note(actor=actor, action="ranking.close", subject_id=stage_id, marks=run.marks, quarantined=quarantined)
    publish(RankingChanged(stage_id))
    return CLOSED


@transaction.atomic
def ranking_reopen(*, actor: Actor, stage_id: int) -> str:
    """Reopen a stage's ranking, so that it follows the marks again, and return the sentence to show.

    Raises PermissionDenied.
    """
    require(can_administer_ranking(actor), CLOSING_NOT_ALLOWED)
    runs_lock(stage_id)
    if RankingRun.objects.filter(stage_id=stage_id, is_final=True).update(is_final=False, final_at=None):
        change_note(actor=actor, action="ranking.reopen", subject_id=stage_id)
        publish(RankingOutdated(stage_id))
    return OPENED


GIVEN = "Their marks count from the next ranking on."
TAKEN = "The rules decide about their marks again."
RELEASE_NOT_ALLOWED = "Only administrators let accounts out of quarantine."


@transaction.atomic
def release_give(*, actor: Actor, stage_id: int, user_id: int, reason: str) -> str:
    """Release an account from quarantine: its marks of this stage count despite the rule. Return the sentence to show.

    Raises PermissionDenied, ValidationError at `reason` without a reason or for one that is too long, and
    ValidationError for an account that no rule keeps out: an administrator cannot add marks by hand.
    """
    require(can_administer_ranking(actor), RELEASE_NOT_ALLOWED)
    reason_text = text_clean(reason)
    if not reason_text:
        raise ValidationError({"reason": "Please say why."})
    if len(reason_text) > REASON_LENGTH:
        raise ValidationError({"reason": "A reason has at most 300 characters."})
    if not account_lock(user_id=user_id) or user_id not in stage_counting(stage_id=stage_id).quarantined:
        raise ValidationError("No rule keeps this account's marks out any more.")
    RankingRelease.objects.create(
        user_id=user_id, stage_id=stage_id, released_by_id=account_of(actor), reason=reason_text
    )
    change_note(actor=actor, action="ranking.release", subject_id=stage_id, account=user_id, reason=reason_text)
    publish(RankingOutdated(stage_id))
    return GIVEN


@transaction.atomic
def release_take(*, actor: Actor, stage_id: int, user_id: int) -> str:
    """Withdraw an account's release, so that the rules apply to its marks again, and return the sentence to show.

    Raises PermissionDenied.
    """
    require(can_administer_ranking(actor), RELEASE_NOT_ALLOWED)
    deleted, _ = RankingRelease.objects.filter(user_id=user_id, stage_id=stage_id).delete()
    if deleted:
        change_note(actor=actor, action="ranking.unrelease", subject_id=stage_id, account=user_id)
        publish(RankingOutdated(stage_id))
    return TAKEN
