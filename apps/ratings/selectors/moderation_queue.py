"""The moderation queue: filters, pages and counts, with one row for each person and performance.

It contains no ratings of closed accounts.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    DateTimeField,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce, Now
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from apps.competition.selectors.public.participants import participants_named
from apps.competition.selectors.public.sessions import appearance_ids
from apps.core import moderation
from apps.core.database.paging import Cursor
from apps.core.moderation import COUNTED, LastDecision, MatchCount
from apps.core.text_rules import fold
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.limits import MATCHED
from apps.ratings.models import Decision, PerformanceRating, RatingSubmission
from apps.ratings.selectors.counts import ratings_count
from apps.ratings.selectors.lists import newest, with_marks
from apps.ratings.selectors.statistics import RatingShown

NEW_ACCOUNT = timedelta(days=7)  # age up to which an account is new
_WORDS = 10  # the most words of a search text that are used
_SAME = {"user": OuterRef("user"), "appearance": OuterRef("appearance")}
_MOMENTS = {
    (RatingKind.PIECE, ApprovalFilter.WAITING): "waiting_at",
    (RatingKind.PIECE, ApprovalFilter.APPROVED): "shown_at",
    (RatingKind.PIECE, ApprovalFilter.ALL): "given_at",
    (RatingKind.PERFORMANCE, ApprovalFilter.WAITING): "updated_at",
}
# These conditions apply to the count tables as well.
_STATES = {
    (RatingKind.PIECE, ApprovalFilter.WAITING): Q(waiting_pieces__gt=0),
    (RatingKind.PIECE, ApprovalFilter.APPROVED): Q(approved_pieces__gt=0),
    (RatingKind.PIECE, ApprovalFilter.ALL): Q(waiting_pieces__gt=0) | Q(approved_pieces__gt=0),
    (RatingKind.PERFORMANCE, ApprovalFilter.WAITING): Q(approved=False, is_author_active=True),
    (RatingKind.PERFORMANCE, ApprovalFilter.APPROVED): Q(approved=True, is_author_active=True),
    (RatingKind.PERFORMANCE, ApprovalFilter.ALL): Q(is_author_active=True),
}
# The number and the sum of the marks that a row shows.
_MARKS: dict[ApprovalFilter, tuple[Any, Any]] = {
    ApprovalFilter.WAITING: (F("waiting_pieces"), F("waiting_points")),
    ApprovalFilter.APPROVED: (F("approved_pieces"), F("approved_points")),
    ApprovalFilter.ALL: (
        F("waiting_pieces") + F("approved_pieces"),
        F("waiting_points") + F("approved_points"),
    ),
}


def _beside(rows: "QuerySet[Any]", number: Any) -> Coalesce:
    """Return `number` of the row of `rows` for the same rating, else 0; the limit keeps PostgreSQL at the index."""
    return Coalesce(Subquery(rows.filter(**_SAME).annotate(number=number).values("number")[:1]), 0)


# The waiting marks of a row: those of the queue's kind, and those of the other kind.
_OWN_MARKS: dict[RatingKind, tuple[Any, Any]] = {
    RatingKind.PIECE: (
        F("waiting_pieces"),
        _beside(PerformanceRating.objects.filter(approved=False), Value(1)),
    ),
    RatingKind.PERFORMANCE: (Value(1), _beside(RatingSubmission.objects.all(), F("waiting_pieces"))),
}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """The filters of a moderator's list. Empty ones are not applied."""

    kind: RatingKind = RatingKind.PIECE  # the kind of marks to decide
    show: ApprovalFilter = ApprovalFilter.WAITING
    participant_id: int | None = None
    session_id: int | None = None
    score_from: int | None = None  # the lowest mark, inclusive; for pieces, of their mean
    score_to: int | None = None
    text: str = ""  # words of the comment, or of the participant's or the listener's name
    new_accounts: bool = False  # only ratings by accounts younger than NEW_ACCOUNT
    both: bool = False  # decide marks of the other kind as well; this is no filter
    until: datetime | None = None  # leaves out later ratings, so that they do not move the list

    @property
    def moment(self) -> str:
        """The column that orders the list; waiting ratings are ordered by their last change."""
        return _MOMENTS.get((self.kind, self.show), "created_at")

    @property
    def decided(self) -> tuple[RatingKind, ...]:
        """The kinds of marks that are decided together."""
        return tuple(RatingKind) if self.both else (self.kind,)

    @property
    def has_exact_count(self) -> bool:
        """Whether the count tables contain the number: no filter of words, marks or accounts is set."""
        return not (self.text.strip() or self.score_from or self.score_to or self.new_accounts)


def ratings_queue(*, filters: QueueFilter, before: Cursor | None = None, limit: int = 50) -> tuple[RatingShown, ...]:
    """Return the matching ratings after the cursor `before`, newest first by `filters.moment`, with all marks.

    Four queries, and one more with the filters of participant or session.
    """
    which = matching(replace(filters, participant_id=None, session_id=None))
    rows = newest(which, filters.moment, before=before, limit=limit, appearances=_appearances(filters))
    return with_marks(rows, filters.moment)


def ratings_match_count(*, filters: QueueFilter) -> MatchCount:
    """Return the number of matching ratings, and how many are newer than `filters.until`. At most three queries.

    The total is exact without filters of words, marks or new accounts; with them it is at most COUNTED + 1.
    `marks` is the number of marks that a decision about all of them includes, 0 in lists of what is decided already.
    """
    since = Q(**{f"{filters.moment}__gt": filters.until})
    newer = _scan_count(matching(replace(filters, until=None)).filter(since)) if filters.until else 0
    if filters.has_exact_count and newer <= COUNTED:
        counted = ratings_count(filters.kind, _STATES[filters.kind, filters.show] & _places(filters))
        total = max(0, counted - newer)  # another moderator may decide between the queries
    else:
        total = _scan_count(matching(filters))
    waits = filters.show == ApprovalFilter.WAITING
    return MatchCount(total, newer, _marks_count(filters, total) if waits and total else 0)


def _marks_count(filters: QueueFilter, total: int) -> int:
    """Return the number of waiting marks in the newest MATCHED of `total` ratings, of the kinds that are decided.

    At most one query, over at most MATCHED rows.
    """
    rows = matching(filters).order_by(f"-{filters.moment}", "-pk")
    if filters.kind == RatingKind.PERFORMANCE and not filters.both:
        return min(total, MATCHED)
    own, also = _OWN_MARKS[filters.kind]
    marks = own + also if filters.both else own
    return int(rows.annotate(marks=marks)[:MATCHED].aggregate(all=Sum("marks"))["all"] or 0)


def decision_last(*, user_id: int) -> LastDecision | None:
    """Return this account's last decision about ratings if it can still be undone, else None. One query."""
    return moderation.decision_last(Decision, user_id=user_id)


def _scan_count(found: "QuerySet[Any]") -> int:
    """Return the number of rows, counted up to COUNTED + 1. One query."""
    return found[: COUNTED + 1].count()


def _appearances(filters: QueueFilter) -> tuple[int, ...] | None:
    """Return the appearances that match the filters, None without such filters. At most one query."""
    if filters.participant_id is None and filters.session_id is None:
        return None
    return appearance_ids(session_id=filters.session_id, participant_id=filters.participant_id)


def matching(filters: QueueFilter) -> "QuerySet[Any]":
    """Return the unordered queryset of matching rows: of submissions for pieces, else of performance ratings."""
    table: Any = RatingSubmission if filters.kind == RatingKind.PIECE else PerformanceRating
    # a single condition on the column: PostgreSQL assumes that several are independent and underestimates the rows
    there = {f"{filters.moment}__lte": filters.until} if filters.until else {f"{filters.moment}__isnull": False}
    narrowed = _places(filters) & Q(**there) & _points(filters) & _words(filters.text)
    if filters.moment != "waiting_at":  # this column is only set while marks of pieces wait
        narrowed &= _STATES[filters.kind, filters.show]
    if filters.new_accounts:
        since = ExpressionWrapper(Now() - Value(NEW_ACCOUNT), output_field=DateTimeField())
        narrowed &= Q(user__created_at__gt=since)
    rows: QuerySet[Any] = table.objects.all()
    if table is RatingSubmission:
        rows = rows.alias(comment=Subquery(PerformanceRating.objects.filter(**_SAME).values("comment")[:1]))
    return rows.filter(narrowed)


def _places(filters: QueueFilter) -> Q:
    """Return the condition for the filters of participant and session."""
    wanted = {
        "appearance__participant_id": filters.participant_id,
        "appearance__session_id": filters.session_id,
    }
    return Q(**{name: value for name, value in wanted.items() if value is not None})


def _points(filters: QueueFilter) -> Q:
    """Return the condition for the filters of marks; for pieces it applies to the mean."""
    narrowed = Q()
    marks, points = _MARKS[filters.show] if filters.kind == RatingKind.PIECE else (Value(1), F("score"))
    if filters.score_from:
        narrowed &= Q(GreaterThanOrEqual(points, marks * filters.score_from))
    if filters.score_to:
        narrowed &= Q(LessThanOrEqual(points, marks * filters.score_to))
    return narrowed


def _words(text: str) -> Q:
    """Return the condition that every word occurs in the comment or in one of the names."""
    found = Q()
    for word in text.replace("\x00", "").split()[:_WORDS]:
        word_found = Q(user__username__icontains=word) | Q(comment__icontains=word)
        if fold(word):
            word_found |= Q(appearance__participant__in=participants_named(word))
        found &= word_found
    return found
