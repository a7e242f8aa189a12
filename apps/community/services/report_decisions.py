"""Hides or dismisses reported texts: a selection, or all that match a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.events import ReportsChanged
from apps.community.models import DecidedCase, ReportCase, ReportDecision
from apps.community.permissions import can_moderate
from apps.community.selectors.reports import ReportFilter, reports_matching
from apps.community.services.report_cases import authors_of, cases_lock, subject_of
from apps.community.services.report_texts import Subject, texts_hide, texts_lock
from apps.community.services.report_undo import report_decisions_prune
from apps.core.database.fields import database_now
from apps.core.events import publish
from apps.core.hideable_texts import TextState
from apps.core.permissions import require
from apps.core.texts import texts

NOT_ALLOWED = "Only administrators decide about reports."
DECIDED = "This has been decided already."
CHANGED = "This was reported again since. Please read it again."
AT_ONCE = 1000  # texts of one decision
NAMES_MOST = 100  # texts that an audit entry names
_SENTENCES = {
    ReportVerdict.HIDE: "Hidden. Only its author and administrators see it now.",
    ReportVerdict.DISMISS: "Dismissed. Everybody sees it.",
}
_MANY = {
    ReportVerdict.HIDE: ("%(n)d reported text hidden.", "%(n)d reported texts hidden."),
    ReportVerdict.DISMISS: ("%(n)d reported text dismissed.", "%(n)d reported texts dismissed."),
}
_OTHERS = ("%(n)d had been decided already.", "%(n)d had been decided already.")
_CHANGED = ("%(n)d was reported again since and still waits.", "%(n)d were reported again since and still wait.")


@dataclass(frozen=True, slots=True)
class ReportSeen:
    """A reported text as an administrator read it; `seen_at` is its `updated_at` then, None accepts any."""

    kind: ReportKind
    id: int
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReportDecisionResult:
    """The result of a decision: its id for the undo, how many were decided, and how many were not."""

    id: int
    verdict: ReportVerdict
    decided: int
    others: int = 0  # decided by somebody else, or deleted
    changed: int = 0  # reported again
    kind: ReportKind | None = None  # of a single text
    is_restored: bool = False  # a single text that an administrator had hidden

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the administrator."""
        t = texts(language)
        if self.is_restored:
            return t("Restored. Everybody sees it.")
        if self.kind is not None:
            return t(_SENTENCES[self.verdict])
        counts = ((_MANY[self.verdict], self.decided), (_OTHERS, self.others), (_CHANGED, self.changed))
        return " ".join(t.plural(*forms, n) for forms, n in counts if n)


@transaction.atomic
def reports_decide(*, actor: Actor, decision: str, reports: Sequence[ReportSeen]) -> ReportDecisionResult:
    """Hide or dismiss these reported texts, at most AT_ONCE, with all reports about each.

    Each is decided once, whoever else decides meanwhile; what was decided can be decided otherwise by whoever has read
    that (`seen_at`). Raises PermissionDenied, ValidationError when nothing was left to decide, or when the text to
    dismiss was reported again since it was read.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    verdict = _verdict(decision)
    if not 0 < len(reports) <= AT_ONCE:
        raise ValidationError("Select reports first, at most 1,000 of them.")
    seen = {(each.kind, each.id): each.seen_at for each in reports}
    found = texts_lock(seen)
    cases = [case for case in cases_lock(Q(), seen) if subject_of(case) in found]
    fit = [case for case in cases if _fits(case, verdict, seen[subject_of(case)])]
    changed = sum(case.state == ReportState.OPEN for case in cases if case not in fit)
    if not fit:
        raise ValidationError(CHANGED if changed else DECIDED)
    restored = len(reports) == 1 and verdict == ReportVerdict.DISMISS and fit[0].state == ReportState.HIDDEN
    decided = _decide(actor, verdict, fit, found)
    single = reports[0].kind if len(reports) == 1 else None
    others = len(seen) - len(fit) - changed
    return ReportDecisionResult(decided, verdict, len(fit), others, changed, single, is_restored=restored)


@transaction.atomic
def reports_decide_matching(
    *, actor: Actor, decision: str, filters: ReportFilter, until: datetime
) -> ReportDecisionResult:
    """Hide or dismiss everything that waits, matches and was reported no later than `until`, at most AT_ONCE.

    `until` is when the administrator's list was read, so that nothing is decided that nobody could see. Raises
    PermissionDenied, ValidationError when there is nothing.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    verdict = _verdict(decision)
    which = reports_matching(replace(filters, state=ReportState.OPEN, until=until))
    waiting = ReportCase.objects.filter(which).order_by("pk").values_list("kind", "subject_id")
    found = texts_lock((ReportKind(kind), subject_id) for kind, subject_id in waiting[:AT_ONCE])
    cases = cases_lock(which, found)
    if not cases:
        raise ValidationError("Nothing that waits matches any more.")
    return ReportDecisionResult(_decide(actor, verdict, cases, found), verdict, len(cases))


def _decide(
    actor: Actor, verdict: ReportVerdict, cases: Sequence[ReportCase], found: Mapping[Subject, TextState]
) -> int:
    """Store a decision about these cases; they and their texts are locked. Returns its id."""
    report_decisions_prune()
    now, hidden = database_now(), verdict == ReportVerdict.HIDE
    decision = ReportDecision.objects.create(
        user_id=account_of(actor), is_hidden=hidden, count=len(cases), created_at=now
    )
    DecidedCase.objects.bulk_create(
        DecidedCase(
            decision=decision,
            case=case,
            state=case.state,
            is_hidden_by_audience=case.is_hidden_by_audience,
            updated_at=case.updated_at,
            decided_at=case.decided_at,
            decided_by_id=case.decided_by_id,
        )
        for case in cases
    )
    ReportCase.objects.filter(pk__in=[case.pk for case in cases]).update(
        state=verdict.state,
        is_hidden_by_audience=False,
        updated_at=now,
        decided_at=now,
        decided_by=account_of(actor),
    )
    subjects = [subject_of(case) for case in cases]
    texts_hide(subjects, hidden=hidden)
    names = [f"{kind}-{pk}" for kind, pk in subjects[:NAMES_MOST]]
    change_note(actor=actor, action=f"reports.{verdict}", subject_id=decision.pk, count=len(cases), reports=names)
    publish(ReportsChanged(authors_of(subjects, found)))
    return decision.pk


def _fits(case: ReportCase, verdict: ReportVerdict, seen_at: datetime | None) -> bool:
    """Whether a case is still as it was read; one that is to be hidden may have been reported again meanwhile."""
    if seen_at is None:
        return case.state == ReportState.OPEN
    if verdict == ReportVerdict.HIDE and case.state == ReportState.OPEN:
        return case.decided_at is None or case.decided_at <= seen_at
    return case.updated_at == seen_at and case.state != verdict.state


def _verdict(word: str) -> ReportVerdict:
    """Return the verdict of that name. Raises ValidationError."""
    if word not in set(ReportVerdict):
        raise ValidationError("A report is answered by hiding or by dismissing it.")
    return ReportVerdict(word)
