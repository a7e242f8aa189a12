"""Reads of reported texts for administrators: filtered, in pages, with the reasons."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, Case, Count, F, Max, Min, Q, Sum, Value, When, Window
from django.db.models.functions import RowNumber

from apps.community.enums import ReportKind, ReportReason, ReportState, ReportVerdict
from apps.community.limits import REPORT_WORDS_SHOWN
from apps.community.models import DecidedCase, Report, ReportCase, ReportCaseCount, ReportDecision
from apps.community.selectors.hidden_texts import post_comments_reported, posts_reported
from apps.core import moderation
from apps.core.database.paging import Cursor
from apps.core.hideable_texts import HideableText
from apps.core.moderation import COUNTED, LastDecision, MatchCount, OthersDecision, decided_since
from apps.live.selectors import comments_reported
from apps.ratings.selectors.lists import rating_comments_reported

_TEXTS = {
    ReportKind.POST: posts_reported,
    ReportKind.POST_COMMENT: post_comments_reported,
    ReportKind.SESSION_COMMENT: comments_reported,
    ReportKind.RATING_COMMENT: rating_comments_reported,
}
_COLUMNS = (
    *("id", "kind", "subject_id", "state", "is_hidden_by_audience", "updated_at", "decided_at"),
    *("decided_by__username", "shown_again_at"),
)
# Whether a report applies to the current state of its case: in an open case, whether it is still undecided.
_CURRENT = Case(
    When(~Q(case__state=ReportState.OPEN) | Q(case__decided_at__isnull=True), then=Value(value=True)),
    When(created_at__gt=F("case__decided_at"), then=Value(value=True)),
    default=Value(value=False),
    output_field=BooleanField(),
)


@dataclass(frozen=True, slots=True)
class ReportFilter:
    """The filters of the administrators' list of reported texts."""

    state: ReportState = ReportState.OPEN
    kind: ReportKind | None = None
    until: datetime | None = None  # leaves out texts that were reported or decided later


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """The number of reports with one reason."""

    reason: ReportReason
    count: int


@dataclass(frozen=True, slots=True)
class ReportedText:
    """A reported text with its reports: the undecided ones of an open case, else all of them."""

    case_id: int  # part of the list's cursor
    kind: ReportKind
    id: int
    text: HideableText
    state: ReportState
    is_hidden_by_audience: bool
    updated_at: datetime  # the version that a decision names
    decided_at: datetime | None
    decided_by: str  # the username, empty without a decision or for a deleted account
    reasons: tuple[ReasonCount, ...]  # the most frequent first
    words: tuple[str, ...]  # of the newest REPORT_WORDS_SHOWN reports with words
    first_at: datetime | None  # None, like `last_at`, when the accounts of all reporters are deleted
    last_at: datetime | None
    earlier: int  # reports that were decided before
    is_shown_again: bool  # after a day without a decision

    @property
    def count(self) -> int:
        """The number of these reports."""
        return sum(each.count for each in self.reasons)


@dataclass(slots=True)
class _Reports:
    """The sums over the reports of one case."""

    reasons: list[ReasonCount] = field(default_factory=list)
    moments: list[datetime] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    earlier: int = 0


def report_queue(*, filters: ReportFilter, before: Cursor | None = None, limit: int) -> tuple[ReportedText, ...]:
    """Return the matching reported texts after the cursor `before`, the last reported or decided first.

    Three queries, and one for each kind of text in the result.
    """
    found = reports_matching(filters)
    if before is not None:
        found &= before.after("updated_at")
    rows = list(ReportCase.objects.filter(found).order_by("-updated_at", "-id").values_list(*_COLUMNS)[:limit])
    reports, texts = _reports([row[0] for row in rows]), _texts((row[1], row[2]) for row in rows)
    return tuple(
        _result(row, texts[row[1], row[2]], reports.get(row[0], _Reports()))
        for row in rows
        if (row[1], row[2]) in texts
    )


def cases_decided_by_others(*, user_id: int, case_ids: Collection[int], after: int) -> Mapping[int, OthersDecision]:
    """Return who decided about these cases and how, by case, without the decisions of `user_id`. One query.

    Only decisions that can still be undone, and with an id above `after`.
    """
    found = DecidedCase.objects.filter(
        case__in=case_ids, decision__gt=after, decision__created_at__gt=decided_since()
    ).exclude(decision__user=user_id)
    rows = found.order_by("decision").values_list("case", "decision__is_hidden", "decision__user__username")
    return {
        case_id: OthersDecision(ReportVerdict.HIDE if is_hidden else ReportVerdict.DISMISS, name or "")
        for case_id, is_hidden, name in rows
    }


def reports_match_count(*, filters: ReportFilter) -> MatchCount:
    """Return the number of matching texts, and how many are newer than `filters.until`. At most two queries."""
    newer = 0
    if filters.until is not None:
        since = reports_matching(replace(filters, until=None)) & Q(updated_at__gt=filters.until)
        newer = ReportCase.objects.filter(since)[: COUNTED + 1].count()
    counted = ReportCaseCount.objects.filter(_of(filters)).aggregate(all=Sum("count"))["all"] or 0
    return MatchCount(max(0, counted - newer), newer)  # a decision may happen between the two queries


def report_decision_last(*, user_id: int) -> LastDecision | None:
    """Return this account's last decision about reports if it can still be undone, else None. One query."""
    return moderation.decision_last(ReportDecision, user_id=user_id)


def report_counts() -> Mapping[ReportKind, int]:
    """Return the number of open reported texts by kind. One query."""
    found = ReportCaseCount.objects.filter(state=ReportState.OPEN).values_list("kind").annotate(all=Sum("count"))
    counted = dict(found)
    return {kind: counted.get(kind.value, 0) for kind in ReportKind}


def reportable_text(*, kind: ReportKind, subject_id: int) -> HideableText | None:
    """Return a public text, None when it is deleted, hidden or empty. One query."""
    found = _TEXTS[kind](ids=(subject_id,)).get(subject_id)
    return found if found is not None and found.is_public and found.text else None


def is_reported_by(*, user_id: int, kind: ReportKind, subject_id: int) -> bool:
    """Return whether this person has reported this text. One query."""
    return Report.objects.filter(user_id=user_id, case__kind=kind, case__subject_id=subject_id).exists()


def reports_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return an account's reports, ready for JSON. One query."""
    found = Report.objects.filter(user_id=user_id).order_by("id")
    rows = found.values_list("case__kind", "case__subject_id", "reason", "words", "created_at")
    return {
        "reports": [
            {"kind": kind, "id": pk, "reason": reason, "words": words, "created_at": at.isoformat()}
            for kind, pk, reason, words, at in rows
        ]
    }


def cursor_of(reported: ReportedText) -> Cursor:
    """Return the cursor after which a list that ends with this text continues."""
    return Cursor(reported.updated_at, reported.case_id)


def reports_matching(filters: ReportFilter) -> Q:
    """Return the condition for cases that match the filters."""
    return _of(filters) & (Q() if filters.until is None else Q(updated_at__lte=filters.until))


def _of(filters: ReportFilter) -> Q:
    """Return the part of the condition that the count table supports."""
    return Q(state=filters.state) & (Q() if filters.kind is None else Q(kind=filters.kind))


def _texts(subjects: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], HideableText]:
    """Return these texts by kind and id. One query for each kind."""
    ids: dict[str, list[int]] = {}
    for kind, subject_id in subjects:
        ids.setdefault(kind, []).append(subject_id)
    read = {kind: _TEXTS[ReportKind(kind)](ids=each) for kind, each in ids.items()}
    return {(kind, pk): text for kind, texts in read.items() for pk, text in texts.items()}


def _reports(case_ids: Collection[int]) -> Mapping[int, _Reports]:
    """Return the reports of these cases by the case's id. Two queries."""
    found: dict[int, _Reports] = {}
    reports = Report.objects.filter(case_id__in=case_ids).annotate(is_current=_CURRENT)
    counted = reports.values_list("case_id", "reason", "is_current").annotate(
        times=Count("id"), first=Min("created_at"), last=Max("created_at")
    )
    for case_id, reason, is_current, times, first, last in counted.order_by(F("times").desc(), "reason"):
        of_case = found.setdefault(case_id, _Reports())
        if is_current:
            of_case.reasons.append(ReasonCount(ReportReason(reason), times))
            of_case.moments += (first, last)
        else:
            of_case.earlier += times
    newest = Window(RowNumber(), partition_by="case_id", order_by=("-created_at", "-id"))
    worded = reports.filter(is_current=True).exclude(words="").annotate(number=newest)
    shown = worded.filter(number__lte=REPORT_WORDS_SHOWN).order_by("number")
    for case_id, words in shown.values_list("case_id", "words"):
        found.setdefault(case_id, _Reports()).words.append(words)
    return found


def _result(row: tuple[Any, ...], text: HideableText, reports: _Reports) -> ReportedText:
    case_id, kind, subject_id, state, by_audience, updated_at, decided_at, decided_by, shown_again_at = row
    is_decided_since = shown_again_at is None or (decided_at is not None and decided_at > shown_again_at)
    return ReportedText(
        case_id=case_id,
        kind=ReportKind(kind),
        id=subject_id,
        text=text,
        state=ReportState(state),
        is_hidden_by_audience=by_audience,
        updated_at=updated_at,
        decided_at=decided_at,
        decided_by=decided_by or "",
        reasons=tuple(reports.reasons),
        words=tuple(reports.words),
        first_at=min(reports.moments, default=None),
        last_at=max(reports.moments, default=None),
        earlier=reports.earlier,
        is_shown_again=not (is_decided_since or by_audience),
    )
