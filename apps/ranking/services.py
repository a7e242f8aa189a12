"""Writes of the ranking: compute a run, close or reopen a stage's ranking, decide about accounts."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import QuerySet

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.sessions import usernames_get
from apps.accounts.services.accounts import account_lock, accounts_hold
from apps.competition.selectors.public.stages import stage_ids
from apps.core.database.fields import database_now, venue_zone
from apps.core.database.long_transactions import long_transaction
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import text_clean
from apps.ranking import method2
from apps.ranking.blindness import blindness
from apps.ranking.closed_files import labels_store, raters_store, sheets_remove
from apps.ranking.counting import Counting
from apps.ranking.enums import NotCounted
from apps.ranking.events import RankingChanged, RankingOutdated
from apps.ranking.intervals import intervals_end, kept_runs
from apps.ranking.late import late_marks
from apps.ranking.limits import COUNTED_LONG, CPU_A_MARK, CPU_LEAST, REASON_LENGTH, SOON
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow, RankingRun
from apps.ranking.permissions import can_administer_ranking
from apps.ranking.publication import SECRET, Publication, performer_labels, publication
from apps.ranking.selectors import crowd_accounts, is_weighed_less, own_standings, run_get, stage_counting
from apps.ranking.weighing import FULL, LEFT_OUT, VERSION, Weight, weights_of
from apps.ratings.services.origins import stage_key_delete, stage_key_make

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
_DECIMALS = ("score", "score_from", "score_to", "mean")
Limit = Callable[[float], AbstractContextManager[object]]


def _no_limit(_seconds: float) -> AbstractContextManager[object]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a computation.

    `run_id` is None when there was no run to make or another process is computing. `due_in` is the number of seconds
    until the next computation is due: when the next account starts to count, or when the other process should be done.
    """

    run_id: int | None = None
    due_in: float | None = None


def ranking_compute(*, stage_id: int, limit: Limit = _no_limit) -> Computed:
    """Compute a stage's ranking from the marks that count now, and publish `RankingChanged`.

    Make no run when the ranking is closed, but remove the sheets of deleted accounts and of weight 0 from its file.
    Make none when the stage has neither marks nor a ranking. No transaction is open during the computation. While
    another process computes the stage, return at once with `due_in`: of two overlapping computations, the one with the
    older read could be stored last. `limit` returns the context of a computation that may use so many seconds of CPU.
    """
    with computes_alone(stage_id) as is_alone:
        return _compute(stage_id, limit) if is_alone else Computed(due_in=SOON)


def _compute(stage_id: int, limit: Limit) -> Computed:
    """Compute a stage; the caller holds its computation lock, so that runs have different numbers."""
    _key_match(stage_id)
    columns = ("number", "is_final", "method", "changed_from")
    runs = list(RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values_list(*columns))
    if any(is_final for _, is_final, *_ in runs):
        intervals_end(stage_id=stage_id)  # one that began while the ranking was being closed
        _closed_files_mend(stage_id)
        return Computed()
    counting = stage_counting(stage_id=stage_id)
    if not runs and not counting.marks and not any(counting.not_counted.values()):
        return Computed()
    with limit(CPU_LEAST + CPU_A_MARK * len(counting.marks)):
        weights = weights_of(counting, venue_zone())
        published = publication(counting, weights)
        late = late_marks(counting, published)
        if run_id := _same_run(stage_id, counting, published, weights, late):
            return Computed(run_id, counting.due_in)
        if len(counting.marks) > COUNTED_LONG:
            _counting_note(stage_id)
        number = 1 + max((each or 0 for each, *_ in runs), default=0)
        made = method2.ranking(published.marks, stage=stage_id, run=number)
        run = _run(stage_id, number, counting, published)
        run.changed_from = next((changed if made == VERSION else made for *_, made, changed in runs), None)
    run_id = _store(run, counting, made, weights, late)
    if run_id is None:
        _closed_files_mend(stage_id)
    return Computed(run_id, counting.due_in)


@transaction.atomic
def _key_match(stage_id: int) -> None:
    """Make the key of the stage's address blocks if its ranking is open; delete one that a closed ranking has.

    A closed ranking has one only if the version before this table closed it.
    """
    runs_lock(stage_id)
    if RankingRun.objects.filter(stage_id=stage_id, is_final=True).exists():
        stage_key_delete(stage_id=stage_id)
    else:
        stage_key_make(stage_id=stage_id)


@transaction.atomic
def ranking_failure_note(*, stage_id: int) -> None:
    """Record at the stage's newest run that a later computation failed, and publish `RankingChanged`."""
    runs_lock(stage_id)
    _newest(stage_id).update(failed_at=database_now(), counting_since=None)
    publish(RankingChanged(stage_id))


@transaction.atomic
def _counting_note(stage_id: int) -> None:
    """Record at the stage's newest run that a long computation of the next one began, and publish `RankingChanged`.

    It records none before the first run, or at a run that was closed since the marks were read.
    """
    runs_lock(stage_id)
    if _newest(stage_id).filter(is_final=False).update(counting_since=database_now()):
        publish(RankingChanged(stage_id))


def _newest(stage_id: int) -> QuerySet[RankingRun]:
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    return RankingRun.objects.filter(pk__in=newest)


def _same_run(
    stage_id: int, counting: Counting, published: Publication, weights: Mapping[int, Weight], late: Mapping[int, int]
) -> int | None:
    """Return the id of the newest run, with `made_at` set to now, if it has the same marks and counts; else None."""
    same = _newest(stage_id).filter(
        method=VERSION,
        input_digest=published.input_digest,
        secret__isnull=False,  # else it was closed, and its salts lead to no account any more
        is_final=False,
        failed_at=None,
        **_counts(counting),
    )
    with long_transaction():
        runs_lock(stage_id)
        now = database_now()
        if not same.update(made_at=now, counting_since=None, has_accounts=True, **_blind_columns(counting)):
            return None
        _accounts_store(stage_id, counting, weights)
        run_id = same.values_list("pk", flat=True).get()
        if _late_store(run_id, late):
            publish(RankingChanged(stage_id))
        return run_id


def _late_store(run_id: int, late: Mapping[int, int]) -> int:
    """Store the numbers of late marks, which change when an equal mark is given again. Return how many differed."""
    rows = RankingRow.objects.filter(run_id=run_id, rank__isnull=False, appearance__isnull=False)
    found = [(row, late.get(row.appearance_id or 0, 0)) for row in rows.only("late", "appearance_id")]
    differing = [row for row, count in found if row.late != count]
    for row, count in found:
        row.late = count
    return RankingRow.objects.bulk_update(differing, ["late"])


def _counts(counting: Counting) -> dict[str, int]:
    """Return the columns of a run about the number of marks."""
    counts = {reason.value: count for reason, count in counting.not_counted.items()}
    return {"raters": len({each.user_id for each in counting.marks}), "marks": len(counting.marks), **counts}


def _run(stage_id: int, number: int, counting: Counting, published: Publication) -> RankingRun:
    """Return a run of these marks, not stored, with new salts."""
    secret = os.urandom(SECRET)
    return RankingRun(
        stage_id=stage_id,
        method=VERSION,
        number=number,
        digest=published.commitment(secret),
        input_digest=published.input_digest,
        sheets=len(published.sheets),
        secret=secret,
        file=published.file(secret),
        has_accounts=True,
        **_counts(counting),
        **_blind_columns(counting),
    )


@long_transaction()
def _store(
    run: RankingRun,
    counting: Counting,
    made: method2.Ranking,
    weights: Mapping[int, Weight],
    late: Mapping[int, int],
) -> int | None:
    """Store a run with its rows, publish `RankingChanged` and return the run's id.

    Delete all but the newest KEPT runs and those of intervals, and the marks of the older ones. Return None for a stage
    that was closed during the computation.
    """
    runs_lock(run.stage_id)
    runs = RankingRun.objects.filter(stage_id=run.stage_id)
    if runs.filter(is_final=True).exists():
        return None
    run.save(force_insert=True)
    appearances = {label: pk for pk, label in performer_labels(counting.field).items()}
    RankingRow.objects.bulk_create(
        RankingRow(run=run, appearance_id=pk, late=late.get(pk), **_columns(row))
        for row in made.rows
        for pk in (appearances[row.performer],)
    )
    kept = runs.order_by("-pk").values_list("pk", flat=True)[:KEPT]
    runs.exclude(pk__in={*kept, *kept_runs(stage_id=run.stage_id)}).delete()
    runs.exclude(pk=run.pk).update(file=b"", secret=None, counting_since=None)
    _accounts_store(run.stage_id, counting, weights)
    # last: an account that is being deleted has its own row locked before this row
    RankingAccount.objects.filter(stage_id=run.stage_id, rater__isnull=False).update(rater=None)
    publish(RankingChanged(run.stage_id))
    return run.pk


def _columns(row: method2.Row) -> dict[str, Any]:
    """Return the columns of a row, with the performer as the files name it, and scores and means in points."""
    columns = {"label" if name == "performer" else name: value for name, value in row._asdict().items()}
    points = {name: Decimal(columns[name]) / method2.HUNDREDTH for name in _DECIMALS if columns[name] is not None}
    return columns | points


def _blind_columns(counting: Counting) -> dict[str, Any]:
    """Return the columns of a run about the marks that were made blind."""
    found = blindness(counting.marks, counting.blind)
    return {
        "blind": found.count,
        "blind_difference": found.difference,
        "blind_from": found.lowest,
        "blind_to": found.highest,
    }


def _accounts_store(stage_id: int, counting: Counting, weights: Mapping[int, Weight]) -> None:
    """Store the accounts with marks in the stage's newest run, and write only rows that differ from the run before.

    The caller holds the lock on the runs. Accounts deleted since the marks were read are left out.
    """
    marks: dict[int, dict[str, float]] = {user_id: {} for user_id, each in weights.items() if each == LEFT_OUT}
    for each in counting.marks:
        marks.setdefault(each.user_id, {})[str(each.appearance_id)] = each.mark
    wanted = {
        user_id: (of_account, weight.quarters, weight.why)
        for user_id, of_account in marks.items()
        for weight in (weights.get(user_id, FULL),)
    }
    rows = RankingAccount.objects.filter(stage_id=stage_id)
    stored = {user_id: tuple(row) for user_id, *row in rows.values_list("user_id", "marks", "quarters", "why")}
    changed = {user_id for user_id, row in wanted.items() if stored.get(user_id) != row}
    accounts_hold(user_ids=changed)
    rows.filter(user_id__in=stored.keys() - wanted.keys()).delete()
    RankingAccount.objects.bulk_create(
        [
            RankingAccount(
                user_id=user_id,
                stage_id=stage_id,
                is_in_burst=False,
                **dict(zip(("marks", "quarters", "why"), wanted[user_id], strict=True)),
            )
            for user_id in sorted(usernames_get(user_ids=changed))
        ],
        update_conflicts=True,
        unique_fields=["user", "stage"],
        update_fields=["marks", "is_in_burst", "quarters", "why"],
    )


CLOSED = "The ranking is closed. It stays as it is."
OPENED = "The ranking is open again. It is counted anew within a minute."
CLOSING_NOT_ALLOWED = "Only administrators close rankings."


class MarksLeftOut(ConfirmationNeeded):
    """Raised without confirmation: closing now would exclude marks of new accounts and marks that wait for approval."""

    def __init__(self, new: int, waiting: int) -> None:
        super().__init__(
            [
                ValidationError("Ratings of accounts younger than a day: %(count)d.", params={"count": new}),
                ValidationError("Ratings still waiting for approval: %(count)d.", params={"count": waiting}),
            ]
        )


@transaction.atomic
def ranking_close(*, actor: Actor, stage_id: int, confirmed: bool = False) -> str:
    """Close a stage's ranking at its newest run, and return the sentence to show.

    Sheets of weight 0 leave the file before it is published, and their hashes stay. The key and the digests of address
    blocks are deleted in the same transaction, and the runs of intervals: the final run needs none. Raises
    PermissionDenied, ValidationError before the first computation, MarksLeftOut without confirmation.
    """
    require(can_administer_ranking(actor), CLOSING_NOT_ALLOWED)
    runs_lock(stage_id)
    run = run_get(stage_id=stage_id)
    if run is None:
        raise ValidationError("There is no ranking of this stage yet.")
    if run.final_at is not None:
        return CLOSED
    if not confirmed:
        raise MarksLeftOut(run.not_counted[NotCounted.NEW], run.not_counted[NotCounted.WAITING])
    stage_key_delete(stage_id=stage_id)  # before any row lock that the deletion of an account takes after its ratings
    raters_store(stage_id, run.id)
    final = {"is_final": True, "final_at": database_now(), "secret": None, "counting_since": None}
    RankingRun.objects.filter(pk=run.id).update(**final)
    sheets_remove(RankingRun.objects.defer("file").get(pk=run.id))
    intervals_end(stage_id=stage_id)
    change_note(actor=actor, action="ranking.close", subject_id=stage_id, marks=run.marks)
    publish(RankingChanged(stage_id))
    return CLOSED


def sheets_forget(*, user_id: int) -> None:
    """Have the rankings with marks of this account computed again, because it is being deleted.

    Its rows in `ranking_accounts` go with it. Then the computation removes the sheets without a row from the files of
    closed rankings.
    """
    for stage_id in RankingAccount.objects.filter(user_id=user_id).values_list("stage_id", flat=True):
        publish(RankingOutdated(stage_id))


@long_transaction()
def _closed_files_mend(stage_id: int) -> None:
    """Store names that a version before has not stored with a closed ranking, and remove sheets that go.

    Publish `RankingChanged` if anything has changed.
    """
    runs_lock(stage_id)
    run = RankingRun.objects.filter(stage_id=stage_id, is_final=True).defer("file").first()
    if run is None:
        return
    stored, are_removed = labels_store(run), sheets_remove(run)
    if stored or are_removed:
        publish(RankingChanged(stage_id))


@transaction.atomic
def ranking_reopen(*, actor: Actor, stage_id: int) -> str:
    """Reopen a stage's ranking, so that it follows the marks again, and return the sentence to show.

    Ratings submitted from now on have digests of address blocks with a new key; earlier ones have none. Raises
    PermissionDenied, ValidationError for an unknown stage.
    """
    require(can_administer_ranking(actor), CLOSING_NOT_ALLOWED)
    if stage_id not in stage_ids():
        raise ValidationError("There is no such stage.")
    runs_lock(stage_id)
    if RankingRun.objects.filter(stage_id=stage_id, is_final=True).update(is_final=False, final_at=None):
        stage_key_make(stage_id=stage_id)
        change_note(actor=actor, action="ranking.reopen", subject_id=stage_id)
        publish(RankingOutdated(stage_id))
    return OPENED


GIVEN = "Their marks count from the next ranking on."
LEFT = "Their marks do not count from the next ranking on."
TAKEN = "The rules decide about their marks again."
DECISION_NOT_ALLOWED = "Only administrators decide about accounts."


@transaction.atomic
def decision_make(*, actor: Actor, stage_id: int, user_id: int, is_left_out: bool, reason: str) -> str:
    """Let an account's marks of this stage weigh fully, or leave them out. Return the sentence to show.

    It replaces the decision before. Raises PermissionDenied, ValidationError at `reason` without a reason or for one
    that is too long, and ValidationError for a closed ranking, an account without marks to leave out, and one that
    weighs fully already: an administrator cannot add marks by hand.
    """
    require(can_administer_ranking(actor), DECISION_NOT_ALLOWED)
    reason_text = _reason_text(reason)
    _open_lock(stage_id)
    if not account_lock(user_id=user_id) or not _can_decide(stage_id, user_id, is_left_out=is_left_out):
        no_marks = "This account has no marks that count."
        raise ValidationError(no_marks if is_left_out else "No rule keeps this account's marks out any more.")
    _decision_store(actor, stage_id, user_id, is_left_out=is_left_out, reason=reason_text)
    publish(RankingOutdated(stage_id))
    return LEFT if is_left_out else GIVEN


@transaction.atomic
def crowd_decide(
    *, actor: Actor, stage_id: int, appearance_id: int, is_above: bool, is_left_out: bool, reason: str
) -> int:
    """Decide about all accounts of a crowd with one reason, as `decision_make`, and return their number.

    The crowd is that of the newest run (`crowd_accounts`); accounts with a decision keep it. Each account has its own
    decision, which can be withdrawn alone, and its own entry in the audit. Raises PermissionDenied, and ValidationError
    as `decision_make` and for a crowd of no account.
    """
    require(can_administer_ranking(actor), DECISION_NOT_ALLOWED)
    reason_text = _reason_text(reason)
    _open_lock(stage_id)
    crowd = crowd_accounts(stage_id=stage_id, appearance_id=appearance_id, is_above=is_above)
    found = [user_id for user_id in crowd if account_lock(user_id=user_id)]
    if not found:
        raise ValidationError("There is no such crowd in the ranking any more.")
    for user_id in found:
        _decision_store(actor, stage_id, user_id, is_left_out=is_left_out, reason=reason_text)
    publish(RankingOutdated(stage_id))
    return len(found)


def _reason_text(reason: str) -> str:
    """Return the reason for a decision, cleaned. Raises ValidationError at `reason`."""
    reason_text = text_clean(reason)
    if not reason_text:
        raise ValidationError({"reason": "Please say why."})
    if len(reason_text) > REASON_LENGTH:
        raise ValidationError({"reason": "A reason has at most 300 characters."})
    return reason_text


def _decision_store(actor: Actor, stage_id: int, user_id: int, *, is_left_out: bool, reason: str) -> None:
    """Store the decision about an account in place of the one before, and note it in the audit."""
    before = _decision_words(stage_id, user_id)
    RankingDecision.objects.update_or_create(
        user_id=user_id,
        stage_id=stage_id,
        defaults={"is_left_out": is_left_out, "decided_by_id": account_of(actor), "reason": reason},
    )
    change_note(
        actor=actor,
        action="ranking.leave_out" if is_left_out else "ranking.release",
        subject_id=stage_id,
        before=before,
        after=_decision_words(stage_id, user_id),
        account=user_id,
        reason=reason,
    )


def _decision_words(stage_id: int, user_id: int) -> dict[str, str]:
    """Return the decision about an account as the audit has it. One query."""
    found = RankingDecision.objects.filter(user_id=user_id, stage_id=stage_id).values_list("is_left_out", flat=True)
    return {"decision": {True: "left out", False: "weighs fully", None: "by the rules"}[found.first()]}


def _open_lock(stage_id: int) -> None:
    """Take the lock on this stage's runs. Raises ValidationError for a closed ranking."""
    runs_lock(stage_id)
    if RankingRun.objects.filter(stage_id=stage_id, is_final=True).exists():
        raise ValidationError(CLOSED)


def _can_decide(stage_id: int, user_id: int, *, is_left_out: bool) -> bool:
    """Whether the decision would change what the account's marks weigh. Four queries at most."""
    standings = own_standings(user_id=user_id, stage_ids=(stage_id,)).values()
    if is_left_out:
        return any(each.counts or each.reason == NotCounted.NEW for each in standings)
    is_out = any(each.reason in {NotCounted.LEFT_OUT, NotCounted.NEW} for each in standings)
    return is_out or is_weighed_less(stage_id=stage_id, user_id=user_id)


@transaction.atomic
def decision_take(*, actor: Actor, stage_id: int, user_id: int) -> str:
    """Withdraw the decision about an account, so that the rules apply to its marks, and return the sentence to show.

    Raises PermissionDenied, and ValidationError for a closed ranking, which keeps its decisions.
    """
    require(can_administer_ranking(actor), DECISION_NOT_ALLOWED)
    _open_lock(stage_id)
    before = _decision_words(stage_id, user_id)
    deleted, _ = RankingDecision.objects.filter(user_id=user_id, stage_id=stage_id).delete()
    if deleted:
        after = _decision_words(stage_id, user_id)
        change_note(
            actor=actor, action="ranking.unrelease", subject_id=stage_id, before=before, after=after, account=user_id
        )
        publish(RankingOutdated(stage_id))
    return TAKEN
