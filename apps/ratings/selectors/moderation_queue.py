"""The moderation queue: filters, pages and counts; a row for each person and performance.

Ratings of accounts that are closed are not in it: neither those that wait nor others.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Now
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from apps.competition.selectors.public.participants import participants_named
from apps.competition.selectors.public.sessions import appearance_ids
from apps.core import moderation
from apps.core.database.paging import Cursor
from apps.core.moderation import COUNTED, LastDecision, MatchCount
from apps.core.text_rules import fold
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.models import Decision, PerformanceRating, RatingSubmission
from apps.ratings.selectors.counts import ratings_count
from apps.ratings.selectors.lists import newest, with_marks
from apps.ratings.selectors.statistics import RatingShown

NEW_ACCOUNT = timedelta(days=7)  # an account is new for so long
_WORDS = 10  # of a text that are looked at
_SAME = {"user": OuterRef("user"), "session_participant": OuterRef("session_participant")}
_MOMENTS = {
    (RatingKind.PIECE, ApprovalFilter.WAITING): "waiting_at",
    (RatingKind.PIECE, ApprovalFilter.APPROVED): "shown_at",
    (RatingKind.PIECE, ApprovalFilter.ALL): "given_at",
    (RatingKind.PERFORMANCE, ApprovalFilter.WAITING): "updated_at",
}
# These conditions hold of tables of counts as well.
_STATES = {
    (RatingKind.PIECE, ApprovalFilter.WAITING): Q(waiting_pieces__gt=0),
    (RatingKind.PIECE, ApprovalFilter.APPROVED): Q(approved_pieces__gt=0),
    (RatingKind.PIECE, ApprovalFilter.ALL): Q(waiting_pieces__gt=0) | Q(approved_pieces__gt=0),
    (RatingKind.PERFORMANCE, ApprovalFilter.WAITING): Q(approved=False, is_author_active=True),
    (RatingKind.PERFORMANCE, ApprovalFilter.APPROVED): Q(approved=True, is_author_active=True),
    (RatingKind.PERFORMANCE, ApprovalFilter.ALL): Q(is_author_active=True),
}
# The marks that a row is about: how many there are, and their sum.
_MARKS: dict[ApprovalFilter, tuple[Any, Any]] = {
    ApprovalFilter.WAITING: (F("waiting_pieces"), F("waiting_points")),
    ApprovalFilter.APPROVED: (F("approved_pieces"), F("approved_points")),
    ApprovalFilter.ALL: (
        F("waiting_pieces") + F("approved_pieces"),
        F("waiting_points") + F("approved_points"),
    ),
}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which ratings a moderator looks at; what is empty does not narrow."""

    kind: RatingKind = RatingKind.PIECE  # of the marks that are decided
    show: ApprovalFilter = ApprovalFilter.WAITING
    participant_id: int | None = None
    session_id: int | None = None
    score_from: int | None = None  # points, of pieces their mean; this mark included
    score_to: int | None = None
    text: str = ""  # words of the comment, the participant's or the listener's name
    new_accounts: bool = False  # of listeners whose account is younger than NEW_ACCOUNT
    both: bool = False  # the marks of the other kind are decided with them; this does not narrow
    until: datetime | None = None  # as they were then, so that new ratings do not move the list

    @property
    def moment(self) -> str:
        """By what the list is ordered: what waits by its last change."""
        return _MOMENTS.get((self.kind, self.show), "created_at")

    @property
    def decided(self) -> tuple[RatingKind, ...]:
        """The kinds of marks that are decided together."""
        return tuple(RatingKind) if self.both else (self.kind,)

    @property
    def has_exact_count(self) -> bool:
        """Whether the tables of counts give the number: no words, marks or accounts narrow the list."""
        return not (self.text.strip() or self.score_from or self.score_to or self.new_accounts)


def ratings_queue(*, filters: QueueFilter, before: Cursor | None = None, limit: int = 50) -> tuple[RatingShown, ...]:
    """Return what matches after `before`, the newest first by `filters.moment`, with all marks.

    Four queries, and one for the appearances when a participant or a session narrows the list.
    """
    which = matching(replace(filters, participant_id=None, session_id=None))
    rows = newest(which, filters.moment, before=before, limit=limit, appearances=_appearances(filters))
    return with_marks(rows, filters.moment)


def ratings_match_count(*, filters: QueueFilter) -> MatchCount:
    """Return how many ratings match. At most two queries.

    The total is exact unless words, marks or new accounts narrow the list; then it is at most COUNTED + 1.
    """
    since = Q(**{f"{filters.moment}__gt": filters.until})
    newer = _scan_count(matching(replace(filters, until=None)).filter(since)) if filters.until else 0
    if filters.has_exact_count and newer <= COUNTED:
        counted = ratings_count(filters.kind, _STATES[filters.kind, filters.show] & _places(filters))
        return MatchCount(max(0, counted - newer), newer)  # two moments: somebody may decide between them
    return MatchCount(_scan_count(matching(filters)), newer)


def decision_last(*, user_id: int) -> LastDecision | None:
    """Return this account's last decision about ratings that can still be undone, or None. One query."""
    return moderation.decision_last(Decision, user_id=user_id)


def _scan_count(found: "QuerySet[Any]") -> int:
    """Return how many ratings there are, counted up to one more than COUNTED. One query."""
    return found[: COUNTED + 1].count()


def _appearances(filters: QueueFilter) -> tuple[int, ...] | None:
    """Return the appearances that the filters narrow the list to, None when they do not. At most one query."""
    if filters.participant_id is None and filters.session_id is None:
        return None
    return appearance_ids(session_id=filters.session_id, participant_id=filters.participant_id)


def matching(filters: QueueFilter) -> "QuerySet[Any]":
    """Return the rows that match, in no order: of marks of pieces those of whole ratings. To be finished."""
    table: Any = RatingSubmission if filters.kind == RatingKind.PIECE else PerformanceRating
    # one condition of the moment, for PostgreSQL takes several for independent and fewer rows for likely
    there = {f"{filters.moment}__lte": filters.until} if filters.until else {f"{filters.moment}__isnull": False}
    narrowed = _places(filters) & Q(**there) & _points(filters) & _words(filters.text)
    if filters.moment != "waiting_at":  # which says by itself that marks of pieces wait
        narrowed &= _STATES[filters.kind, filters.show]
    if filters.new_accounts:
        since = ExpressionWrapper(Now() - Value(NEW_ACCOUNT), output_field=DateTimeField())
        narrowed &= Q(user__created_at__gt=since)
    rows: QuerySet[Any] = table.objects.all()
    if table is RatingSubmission:
        rows = rows.alias(comment=Subquery(PerformanceRating.objects.filter(**_SAME).values("comment")[:1]))
    return rows.filter(narrowed)


def _places(filters: QueueFilter) -> Q:
    """Return the condition of the participant and the session."""
    wanted = {
        "session_participant__participant_id": filters.participant_id,
        "session_participant__session_id": filters.session_id,
    }
    return Q(**{name: value for name, value in wanted.items() if value is not None})


def _points(filters: QueueFilter) -> Q:
    """Return the condition of the marks that a row is about: of pieces their mean."""
    narrowed = Q()
    marks, points = _MARKS[filters.show] if filters.kind == RatingKind.PIECE else (Value(1), F("score"))
    if filters.score_from:
        narrowed &= Q(GreaterThanOrEqual(points, marks * filters.score_from))
    if filters.score_to:
        narrowed &= Q(LessThanOrEqual(points, marks * filters.score_to))
    return narrowed


def _words(text: str) -> Q:
    """Return the condition that every word stands in the comment or in one of the names."""
    found = Q()
    for word in text.replace("\x00", "").split()[:_WORDS]:
        word_found = Q(user__username__icontains=word) | Q(comment__icontains=word)
        if fold(word):
            word_found |= Q(session_participant__participant__in=participants_named(word))
        found &= word_found
    return found
