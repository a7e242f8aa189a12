"""Moderation of reported texts: hiding, dismissal of the reports, and the undo of both."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.events import ReportsChanged
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import DecidedCase, ReportCase, ReportDecision
from apps.community.permissions import can_moderate
from apps.community.report_address import fields_of, filters_of
from apps.community.selectors.reports import ReportFilter, reports_matching
from apps.community.services.report_cases import authors_of, cases_lock, subject_of
from apps.community.services.report_texts import Subject, texts_hide, texts_lock
from apps.core.database.fields import database_now
from apps.core.events import publish
from apps.core.hideable_texts import TextState
from apps.core.moderation import DecisionResult, Moderation, Seen, Sentences, Undone

AT_ONCE = 1000  # texts of one decision
NAMES_MOST = 100  # texts that an audit entry names
_SENTENCES = {
    ReportVerdict.HIDE: "Hidden. Only its author and administrators see it now.",
    ReportVerdict.DISMISS: "Dismissed. Everybody sees it.",
}
_RESTORED = "Restored. Everybody sees it."  # one text that an administrator had hidden
_COLUMNS = ("state", "is_hidden_by_audience", "updated_at", "decided_at", "decided_by_id")  # of a case, for the undo


class ReportModeration(Moderation[ReportKind, ReportVerdict, ReportFilter]):
    """Moderation with reported texts as items. An administrator who has read a decision can change it."""

    kinds, verdicts, decisions = ReportKind, ReportVerdict, ReportDecision
    field, page_size, undo_command = "report", REPORTS_SHOWN, "report_decision_undo"
    can_moderate = staticmethod(can_moderate)
    fields_of, filters_of = staticmethod(fields_of), staticmethod(filters_of)
    sentences = Sentences(
        not_allowed="Only administrators decide about reports.",
        select_first="Select reports first, at most 1,000 of them.",
        unknown_verdict="A report is answered by hiding or by dismissing it.",
        decided="This has been decided already.",
        changed="This was reported again since. Please read it again.",
        decided_counts={
            ReportVerdict.HIDE: ("%(n)d reported text hidden.", "%(n)d reported texts hidden."),
            ReportVerdict.DISMISS: ("%(n)d reported text dismissed.", "%(n)d reported texts dismissed."),
        },
        others_count=("%(n)d had been decided already.", "%(n)d had been decided already."),
        changed_count=(
            "%(n)d was reported again since and still waits.",
            "%(n)d were reported again since and still wait.",
        ),
        undone_count=("%(n)d reported text is as it was before.", "%(n)d reported texts are as they were before."),
        left_count=(
            "%(n)d stays as it is: it was reported again, decided or deleted since.",
            "%(n)d stay as they are: they were reported again, decided or deleted since.",
        ),
    )

    def decide_seen(self, actor: Actor, verdict: ReportVerdict, seen: Sequence[Seen[ReportKind]]) -> DecisionResult:
        """Decide about the texts that have not changed since they were read; further reports do not prevent hiding."""
        seen_at = {(each.kind, each.id): each.seen_at for each in seen}
        found = texts_lock(seen_at)
        cases = [case for case in cases_lock(Q(), seen_at) if subject_of(case) in found]
        fit = [case for case in cases if _fits(case, verdict, seen_at[subject_of(case)])]
        changed = sum(case.state == ReportState.OPEN for case in cases if case not in fit)
        single = ""
        if fit and len(seen) == 1:
            is_restored = verdict == ReportVerdict.DISMISS and fit[0].state == ReportState.HIDDEN
            single = _RESTORED if is_restored else _SENTENCES[verdict]
        others = len(seen_at) - len(fit) - changed
        return self._decide(actor, verdict, fit, found, others=others, changed=changed, single=single)

    def decide_matches(
        self, actor: Actor, verdict: ReportVerdict, filters: ReportFilter, until: datetime
    ) -> DecisionResult:
        """Decide about at most AT_ONCE open texts that match the filters."""
        which = reports_matching(replace(filters, state=ReportState.OPEN, until=until))
        waiting = ReportCase.objects.filter(which).order_by("pk").values_list("kind", "subject_id")
        found = texts_lock((ReportKind(kind), subject_id) for kind, subject_id in waiting[:AT_ONCE])
        return self._decide(actor, verdict, cases_lock(which, found), found)

    def _decide(
        self,
        actor: Actor,
        verdict: ReportVerdict,
        cases: Sequence[ReportCase],
        found: Mapping[Subject, TextState],
        *,
        others: int = 0,
        changed: int = 0,
        single: str = "",
    ) -> DecisionResult:
        """Store a decision about these cases, if any; they and their texts are locked."""
        if not cases:
            return DecisionResult(0, verdict, self.sentences, 0, others, changed)
        self.prune()
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
        return DecisionResult(decision.pk, verdict, self.sentences, len(cases), others, changed, single)

    def restore(self, actor: Actor, decision: ReportDecision) -> Undone:
        """Restore texts and cases from before the decision, except those reported, decided or deleted since."""
        before = {each.case_id: each for each in decision.cases.select_related("case")}
        found = texts_lock(subject_of(each.case) for each in before.values())
        cases = [case for case in cases_lock(Q(updated_at=decision.created_at), found) if case.pk in before]
        for case in cases:
            for column in _COLUMNS:
                setattr(case, column, getattr(before[case.pk], column))
        ReportCase.objects.bulk_update(cases, [column.removesuffix("_id") for column in _COLUMNS])
        texts_hide([subject_of(case) for case in cases if _was_hidden(before[case.pk])], hidden=True)
        texts_hide([subject_of(case) for case in cases if not _was_hidden(before[case.pk])], hidden=False)
        undone = Undone(self.sentences, len(cases), decision.count - len(cases))
        change_note(actor=actor, action="reports.undo", subject_id=decision.pk, count=undone.back)
        publish(ReportsChanged(authors_of([subject_of(case) for case in cases], found)))
        return undone


REPORT_MODERATION = ReportModeration()
reports_decide, reports_decide_matching = REPORT_MODERATION.decide, REPORT_MODERATION.decide_matching
report_decision_undo, report_decisions_prune = REPORT_MODERATION.undo, REPORT_MODERATION.prune


def _fits(case: ReportCase, verdict: ReportVerdict, seen_at: datetime | None) -> bool:
    """Return whether a case has not changed since it was read; further reports do not prevent hiding."""
    if seen_at is None:
        return case.state == ReportState.OPEN
    if verdict == ReportVerdict.HIDE and case.state == ReportState.OPEN:
        return case.decided_at is None or case.decided_at <= seen_at
    return case.updated_at == seen_at and case.state != verdict.state


def _was_hidden(before: DecidedCase) -> bool:
    """Return whether the text was hidden before the decision."""
    return before.state == ReportState.HIDDEN or before.is_hidden_by_audience
