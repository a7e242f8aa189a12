"""Lists of ratings of both kinds, the newest first, continued by a cursor.

One query for a table: within an equal moment performances come before pieces, then the later stored.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from django.db.models import Q, QuerySet

from apps.competition.selectors import appearance_ids, piece_title
from apps.core.database.paging import Cursor
from apps.core.hideable_texts import HideableText
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating

from .results import RatingShown

Moment = Literal["created_at", "updated_at"]
Row = TypeVar("Row", PieceRating, PerformanceRating)
BOTH = (RatingKind.PERFORMANCE, RatingKind.PIECE)
_JOINED = ("user", "session_participant__session", "session_participant__participant")
_COLUMNS = (
    *("score", "approved", "created_at", "updated_at"),
    *("user__username", "user__avatar_url"),
    "session_participant__session__title",
    *(f"session_participant__participant__{column}" for column in ("name", "country", "avatar_url")),
)
_WORDS = ("comment", "quick_rating", "is_comment_hidden")


def ratings_latest(*, limit: int = 5) -> tuple[RatingShown, ...]:
    """Return the newest approved ratings of all. Two queries."""
    return _public(listed(both(Q(approved=True)), limit=limit))


def ratings_public(
    *, participant_id: int, kinds: tuple[RatingKind, ...] = BOTH, before: Cursor | None = None, limit: int = 30
) -> tuple[RatingShown, ...]:
    """Return a participant's approved ratings after `before`, the newest first; a query more than `kinds`."""
    appearances = appearance_ids(participant_id=participant_id)
    found = listed(dict.fromkeys(kinds, Q(approved=True)), before=before, limit=limit, appearances=appearances)
    return _public(found)


def ratings_own_list(*, user_id: int, before: Cursor | None = None, limit: int = 50) -> tuple[RatingShown, ...]:
    """Return what one person rated, approved or not, after `before`, the newest first. Two queries."""
    return listed(both(Q(user_id=user_id)), before=before, limit=limit)


def ratings_waiting(
    *, kinds: tuple[RatingKind, ...] = BOTH, before: Cursor | None = None, limit: int = 50
) -> tuple[RatingShown, ...]:
    """Return what waits for a moderator after `before`, what was changed last first. A query for each of `kinds`."""
    which = dict.fromkeys(kinds, Q(approved=False))
    return listed(which, before=before, limit=limit, moment="updated_at")


def rating_comments_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return the comments of these ratings of performances, hidden or not, by the rating's id. One query."""
    return {comment.id: comment for comment in _comments(PerformanceRating.objects.filter(id__in=ids))}


def rating_comments_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return the hidden comments of a person's ratings, the newest first. One query."""
    return _comments(PerformanceRating.objects.filter(user_id=user_id, is_comment_hidden=True).order_by("-id")[:limit])


def cursor_of(rating: RatingShown, *, moment: Moment = "created_at") -> Cursor:
    """Return where a list that ends with `rating` continues."""
    return Cursor(getattr(rating, moment), rating.id, rating.kind)


def both(which: Q) -> Mapping[RatingKind, Q]:
    """Return the same condition for both kinds."""
    return dict.fromkeys(BOTH, which)


def listed(
    which: Mapping[RatingKind, Q],
    *,
    limit: int,
    before: Cursor | None = None,
    moment: Moment = "created_at",
    appearances: Sequence[int] | None = None,
) -> tuple[RatingShown, ...]:
    """Return the ratings that `which` finds of each kind, merged, the newest first by `moment`.

    With `appearances`, of these appearances in sessions only. A query for each kind.
    """
    read = {RatingKind.PERFORMANCE: _performances, RatingKind.PIECE: _pieces}
    found = [
        shown
        for kind, wanted in which.items()
        for shown in read[kind](wanted & _after(before, moment, kind), f"-{moment}", limit, appearances)
    ]
    found.sort(key=lambda shown: (shown.kind, -shown.id))
    found.sort(key=lambda shown: getattr(shown, moment), reverse=True)
    return tuple(found[:limit])


def _public(ratings: Sequence[RatingShown]) -> tuple[RatingShown, ...]:
    """Return ratings as everybody may read them, without the words of hidden comments."""
    return tuple(
        replace(each, comment="", is_comment_hidden=False) if each.is_comment_hidden else each for each in ratings
    )


def _comments(found: "QuerySet[PerformanceRating]") -> tuple[HideableText, ...]:
    columns = ("id", "user_id", "user__username", "comment", "updated_at", "is_comment_hidden")
    rows = found.values_list("session_participant__participant_id", "approved", *columns)
    return tuple(
        HideableText(*(*row, approved and not row[-1], f"/participants/{participant_id}"))
        for participant_id, approved, *row in rows
    )


def _after(before: Cursor | None, moment: Moment, kind: RatingKind) -> Q:
    """Return the condition that a rating comes after the cursor, if there is one."""
    return before.after(moment, kind) if before else Q()


def _performances(which: Q, newest: str, limit: int, appearances: Sequence[int] | None) -> list[RatingShown]:
    """Return ratings of whole performances. One query."""
    found = _newest(PerformanceRating.objects.filter(which), newest, limit, appearances)
    rows = found.select_related(*_JOINED).only(*_COLUMNS, *_WORDS)
    return [_result(RatingKind.PERFORMANCE, row, **{column: getattr(row, column) for column in _WORDS}) for row in rows]


def _pieces(which: Q, newest: str, limit: int, appearances: Sequence[int] | None) -> list[RatingShown]:
    """Return ratings of pieces. One query."""
    found = _newest(PieceRating.objects.filter(which), newest, limit, appearances)
    pieces = (f"piece__{column}" for column in ("name", "category", "composer", "title", "key", "opus", "number"))
    rows = found.select_related(*_JOINED, "piece").only(*_COLUMNS, *pieces)
    return [_result(RatingKind.PIECE, row, piece=piece_title(row.piece)) for row in rows]


def _newest(found: "QuerySet[Row]", newest: str, limit: int, appearances: Sequence[int] | None) -> "QuerySet[Row]":
    """Return the newest `limit` of what was found, of these appearances only when they are given.

    Of each appearance the newest are looked up along its own index: in one condition those of all would be sorted.
    """
    ordered = found.order_by(newest, "-id")
    if appearances is None:
        return ordered[:limit]
    ids = [ordered.filter(session_participant=appearance).values("pk")[:limit] for appearance in appearances]
    if not ids:
        return ordered.none()
    return found.model._default_manager.filter(pk__in=ids[0].union(*ids[1:], all=True)).order_by(newest, "-id")[:limit]  # noqa: SLF001


def _result(kind: RatingKind, row: PerformanceRating | PieceRating, **own: Any) -> RatingShown:
    """Return a stored rating, everything joined, as it is shown; `own` is what its kind alone has."""
    appearance = row.session_participant
    return RatingShown(
        kind=kind,
        id=row.pk,
        score=row.score,
        approved=row.approved,
        created_at=row.created_at,
        updated_at=row.updated_at,
        author_id=row.user_id,
        author=row.user.username,
        author_avatar_url=row.user.avatar_url,
        participant_id=appearance.participant_id,
        participant=appearance.participant.name,
        country=appearance.participant.country,
        participant_avatar_url=appearance.participant.avatar_url,
        session_participant_id=appearance.pk,
        session_id=appearance.session_id,
        session=appearance.session.title,
        **own,
    )
