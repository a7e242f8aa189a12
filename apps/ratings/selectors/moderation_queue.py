"""The moderation queue: filters, pages and counts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import DateTimeField, ExpressionWrapper, Q, Value
from django.db.models.functions import Now

from apps.competition.selectors import appearance_ids
from apps.core.database.paging import Cursor
from apps.core.text_rules.names import fold
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.selectors.counts import ratings_count
from apps.ratings.selectors.lists import BOTH, Moment, listed
from apps.ratings.selectors.results import RatingShown

NEW_ACCOUNT = timedelta(days=7)  # an account is new for so long
COUNTED = 20_000  # ratings; more of them are not counted
_WORDS = 10  # of a text that are looked at
_TABLES: Mapping[RatingKind, type[PieceRating | PerformanceRating]] = {
    RatingKind.PIECE: PieceRating,
    RatingKind.PERFORMANCE: PerformanceRating,
}
_APPROVED = {
    ApprovalFilter.WAITING: Q(approved=False),
    ApprovalFilter.APPROVED: Q(approved=True),
    ApprovalFilter.ALL: Q(),
}


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which ratings a moderator looks at; what is empty does not narrow."""

    kind: RatingKind | None = None
    show: ApprovalFilter = ApprovalFilter.WAITING
    participant_id: int | None = None
    session_id: int | None = None
    score_from: int | None = None  # points, this mark included
    score_to: int | None = None
    text: str = ""  # words of the comment, the participant's or the listener's name
    new_accounts: bool = False  # of listeners whose account is younger than NEW_ACCOUNT
    until: datetime | None = None  # as they were then, so that new ratings do not move the list

    @property
    def moment(self) -> Moment:
        """By what the list is ordered: what waits by its last change."""
        return "updated_at" if self.show == ApprovalFilter.WAITING else "created_at"

    @property
    def kinds(self) -> tuple[RatingKind, ...]:
        """The kinds that are looked at."""
        return BOTH if self.kind is None else (self.kind,)

    @property
    def has_exact_count(self) -> bool:
        """Whether the tables of counts give the number: no words, marks or accounts narrow the list."""
        return not (self.text.strip() or self.score_from or self.score_to or self.new_accounts)


@dataclass(frozen=True, slots=True)
class MatchCount:
    """`total` is how many ratings matched at `until`, `newer` how many came since, at most COUNTED + 1.

    `total` is exact unless words, marks or new accounts narrow the list; then it has the same bound.
    """

    total: int
    newer: int


def ratings_queue(*, filters: QueueFilter, before: Cursor | None = None, limit: int = 50) -> tuple[RatingShown, ...]:
    """Return what matches after `before`, the newest first by `filters.moment`.

    A query for each kind, and one for the appearances when a participant or a session narrows the list.
    """
    which = matching(replace(filters, participant_id=None, session_id=None))
    return listed(which, before=before, limit=limit, moment=filters.moment, appearances=_appearances(filters))


def ratings_match_count(*, filters: QueueFilter) -> MatchCount:
    """Return how many ratings match. At most two queries for each kind."""
    since = Q(**{f"{filters.moment}__gt": filters.until})
    newer = _scan_count(matching(replace(filters, until=None)), since) if filters.until else 0
    if filters.has_exact_count and newer <= COUNTED:
        counted = sum(ratings_count(kind, _of(filters)) for kind in filters.kinds)
        return MatchCount(max(0, counted - newer), newer)  # two moments: somebody may decide between them
    return MatchCount(_scan_count(matching(filters), Q()), newer)


def _scan_count(which: Mapping[RatingKind, Q], more: Q) -> int:
    """Return how many ratings match, counted up to one more than COUNTED. A query for each kind."""
    counts = (_TABLES[kind].objects.filter(found & more)[: COUNTED + 1].count() for kind, found in which.items())
    return min(sum(counts), COUNTED + 1)


def _appearances(filters: QueueFilter) -> tuple[int, ...] | None:
    """Return the appearances that the filters narrow the list to, None when they do not. At most one query."""
    if filters.participant_id is None and filters.session_id is None:
        return None
    return appearance_ids(session_id=filters.session_id, participant_id=filters.participant_id)


def matching(filters: QueueFilter) -> Mapping[RatingKind, Q]:
    """Return the condition of each kind that is looked at."""
    return {kind: _filter_condition(filters) & _words_condition(filters.text, kind) for kind in filters.kinds}


def _of(filters: QueueFilter) -> Q:
    """Return the conditions that tables of counts have too: approval, participant, session."""
    wanted = {
        "session_participant__participant_id": filters.participant_id,
        "session_participant__session_id": filters.session_id,
    }
    return _APPROVED[filters.show] & Q(**{name: value for name, value in wanted.items() if value is not None})


def _filter_condition(filters: QueueFilter) -> Q:
    wanted = {
        "score__gte": filters.score_from,
        "score__lte": filters.score_to,
        f"{filters.moment}__lte": filters.until,
    }
    narrowed = _of(filters) & Q(**{name: value for name, value in wanted.items() if value is not None})
    if not filters.new_accounts:
        return narrowed
    since = ExpressionWrapper(Now() - Value(NEW_ACCOUNT), output_field=DateTimeField())
    return narrowed & Q(user__created_at__gt=since)


def _words_condition(text: str, kind: RatingKind) -> Q:
    """Return the condition that every word stands in the comment or in one of the names."""
    found = Q()
    for word in text.replace("\x00", "").split()[:_WORDS]:
        word_found = Q(user__username__icontains=word)
        if folded := fold(word):
            word_found |= Q(session_participant__participant__name_folded__contains=folded)
        if kind == RatingKind.PERFORMANCE:
            word_found |= Q(comment__icontains=word)
        found &= word_found
    return found
