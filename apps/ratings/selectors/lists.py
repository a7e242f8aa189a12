"""Lists of ratings, newest first, paged by a cursor, with one row for each person and performance."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet, Subquery, Sum

from apps.competition.selectors.public.programs import piece_title, program_pieces
from apps.competition.selectors.public.sessions import appearance_ids
from apps.core.database.paging import Cursor
from apps.core.hideable_texts import HideableText
from apps.core.rounding import rounded
from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import PerformanceRating, PieceMarkCount, PieceRating, RatingSubmission
from apps.ratings.selectors.statistics import NO_PIECES, Figures, PieceMark, RatingShown, WholeMark

Row = TypeVar("Row", RatingSubmission, PerformanceRating)
Key = tuple[int, int]  # a person and an appearance
_JOINED = ("user", "appearance__session", "appearance__participant")
_COLUMNS = (
    *("user__username", "user__avatar_url", "appearance__session__title"),
    *(f"appearance__participant__{column}" for column in ("name", "country", "avatar_url")),
)
_OWN: Mapping[type[Model], tuple[str, ...]] = {
    RatingSubmission: ("given_at", "shown_at", "waiting_at"),
    PerformanceRating: (
        *("score", "approved", "created_at", "updated_at"),
        *("comment", "quick_rating", "is_comment_hidden"),
    ),
}
_TITLE = ("name", "category", "composer", "title", "key", "opus", "number", "numbers")  # what `piece_title` reads
_PIECE = tuple(f"piece__{column}" for column in _TITLE)
_SHOWN = Q(approved=True, is_author_active=True)


def ratings_latest(*, limit: int = 5) -> tuple[RatingShown, ...]:
    """Return the newest ratings that have approved marks, without any marks (`ratings_by_id`). One query."""
    found = newest(RatingSubmission.objects.filter(shown_at__isnull=False), "shown_at", limit=limit)
    return tuple(_row(row, row.shown_at) for row in found)


def ratings_public(*, participant_id: int, before: Cursor | None = None, limit: int = 30) -> tuple[RatingShown, ...]:
    """Return the ratings of a participant that have approved marks, after the cursor `before`. Three queries.

    The marks of pieces are left out (`ratings_by_id`).
    """
    found = RatingSubmission.objects.filter(shown_at__isnull=False)
    appearances = appearance_ids(participant_id=participant_id)
    rows = newest(found, "shown_at", before=before, limit=limit, appearances=appearances)
    keys = [(row.user_id, row.appearance_id) for row in rows]
    wholes = _whole_marks(keys, _SHOWN) if keys else {}
    return tuple(
        replace(_row(row, row.shown_at), whole=_without_hidden(wholes[key]) if key in wholes else None)
        for key, row in zip(keys, rows, strict=True)
    )


def ratings_words(*, appearance_id: int, limit: int) -> tuple[RatingShown, ...]:
    """Return the newest approved ratings of a whole performance, without pieces. One query."""
    shown = PerformanceRating.objects.filter(_SHOWN)
    found = newest(shown, "created_at", limit=limit, appearances=[appearance_id])
    return tuple(replace(_row(row, row.created_at), whole=_without_hidden(_whole(row))) for row in found)


def ratings_by_id(*, ids: Collection[int]) -> Mapping[int, RatingShown]:
    """Return those of these ratings that have approved marks, without their unapproved marks, by id. Four queries."""
    found = newest(RatingSubmission.objects.filter(pk__in=ids, shown_at__isnull=False), "shown_at", limit=None)
    return {each.id: each for each in _public(found)}


def words_by_id(*, ids: Collection[int]) -> Mapping[int, RatingShown]:
    """Return those of these ratings of whole performances that are approved, without pieces, by id. One query."""
    found = newest(PerformanceRating.objects.filter(_SHOWN, pk__in=ids), "created_at", limit=None)
    return {row.pk: replace(_row(row, row.created_at), whole=_without_hidden(_whole(row))) for row in found}


def ratings_own_list(*, user_id: int) -> tuple[RatingShown, ...]:
    """Return all ratings of one account, approved or not, newest first. Four queries."""
    found = newest(RatingSubmission.objects.filter(user_id=user_id), "given_at", limit=None)
    return with_marks(found, "given_at")


def cursor_of(rating: RatingShown) -> Cursor:
    """Return the cursor after which a list that ends with `rating` continues."""
    return Cursor(rating.at, rating.id)


def newest(
    found: "QuerySet[Row]",
    moment: str,
    *,
    limit: int | None,
    before: Cursor | None = None,
    appearances: Sequence[int] | None = None,
) -> list[Row]:
    """Return the newest `limit` of the found rows by the column `moment`, with author and appearance. One query.

    Without `limit`, return all. With `appearances`, return only theirs. The newest rows of each appearance are read
    from its index range; a single condition would sort the rows of all appearances.
    """
    ordered = found.filter(before.after(moment) if before else Q()).order_by(f"-{moment}", "-id")
    if appearances is not None:
        ids = [ordered.filter(appearance=appearance).values("pk")[:limit] for appearance in appearances]
        if not ids:
            return []
        within = Q(pk__in=ids[0].union(*ids[1:], all=True))
        ordered = found.model._default_manager.filter(within).order_by(f"-{moment}", "-id")  # noqa: SLF001
    return list(ordered.select_related(*_JOINED).only(*_OWN[found.model], *_COLUMNS)[:limit])


def with_marks(rows: Sequence[Row], moment: str, which: Q = Q()) -> tuple[RatingShown, ...]:  # noqa: B008 - never changed
    """Return these rows as ratings, with their marks that match `which`. Three queries."""
    keys = [(row.user_id, row.appearance_id) for row in rows]
    if not keys:
        return ()
    programs = program_pieces(appearance_ids={appearance for _, appearance in keys})
    pieces, wholes = _piece_marks(keys, which, programs), _whole_marks(keys, which)
    return tuple(
        replace(
            _row(row, getattr(row, moment)),
            program_length=len(programs.get(key[1], ())),
            pieces=pieces.get(key, ()),
            whole=wholes.get(key),
        )
        for key, row in zip(keys, rows, strict=True)
    )


def _public(rows: Sequence[RatingSubmission]) -> tuple[RatingShown, ...]:
    """Return the public form of ratings: approved marks, without the text of hidden comments."""
    return tuple(
        replace(each, whole=_without_hidden(each.whole)) if each.whole else each
        for each in with_marks(rows, "shown_at", _SHOWN)
        if each.marks  # a rating deleted between two queries has no marks
    )


def _without_hidden(whole: WholeMark) -> WholeMark:
    return replace(whole, comment="", is_comment_hidden=False) if whole.is_comment_hidden else whole


def _of(keys: Iterable[Key]) -> Q:
    """Return the condition for the marks of these pairs of person and appearance."""
    by_person: dict[int, list[int]] = {}
    for user_id, appearance in keys:
        by_person.setdefault(user_id, []).append(appearance)
    return reduce(or_, (Q(user_id=pk, appearance_id__in=given) for pk, given in by_person.items()))


def _piece_marks(
    keys: Sequence[Key], which: Q, programs: Mapping[int, Sequence[int]]
) -> Mapping[Key, tuple[PieceMark, ...]]:
    """Return the marks of pieces by person and appearance, in the program's order. One query."""
    found = PieceRating.objects.filter(_of(keys) & which).select_related("piece")
    columns = ("user_id", "appearance_id", "score", "approved", "updated_at")
    marks: dict[Key, list[PieceMark]] = {}
    for row in found.only(*columns, *_PIECE).order_by("pk"):
        mark = PieceMark(row.pk, row.score, row.approved, row.updated_at, piece_title(row.piece))
        marks.setdefault((row.user_id, row.appearance_id), []).append(mark)
    return {key: tuple(sorted(each, key=_place_in(programs.get(key[1], ())))) for key, each in marks.items()}


def _place_in(program: Sequence[int]) -> Any:
    """Return a sort key for marks by the order of the program; marks of removed pieces come last."""
    places = {piece_id: number for number, piece_id in enumerate(program)}
    return lambda mark: places.get(mark.piece.id, len(places))


def _whole_marks(keys: Sequence[Key], which: Q) -> Mapping[Key, WholeMark]:
    """Return the marks of whole performances by person and appearance. One query."""
    found = PerformanceRating.objects.filter(_of(keys) & which)
    return {(row.user_id, row.appearance_id): _whole(row) for row in found}


def _whole(row: PerformanceRating) -> WholeMark:
    return WholeMark(
        row.pk, row.score, row.approved, row.updated_at, row.comment, row.quick_rating, row.is_comment_hidden
    )


def _row(row: RatingSubmission | PerformanceRating, at: Any) -> RatingShown:
    """Return a stored row with its joined columns as a rating without marks."""
    appearance = row.appearance
    return RatingShown(
        id=row.pk,
        at=at,
        author_id=row.user_id,
        author=row.user.username,
        author_avatar_url=row.user.avatar_url,
        participant_id=appearance.participant_id,
        participant=appearance.participant.name,
        country=appearance.participant.country,
        participant_avatar_url=appearance.participant.avatar_url,
        appearance_id=appearance.pk,
        session_id=appearance.session_id,
        session=appearance.session.title,
    )


def rating_comments_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return the comments of these performance ratings, hidden or not, by the rating's id. One query."""
    return {comment.id: comment for comment in _comments(PerformanceRating.objects.filter(id__in=ids))}


def rating_comments_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return the hidden comments of an account's ratings, newest first. One query."""
    return _comments(PerformanceRating.objects.filter(user_id=user_id, is_comment_hidden=True).order_by("-id")[:limit])


def _comments(found: "QuerySet[PerformanceRating]") -> tuple[HideableText, ...]:
    columns = ("id", "user_id", "user__username", "comment", "updated_at", "is_comment_hidden")
    rows = found.values_list("appearance__participant_id", "approved", "is_author_active", *columns)
    return tuple(
        HideableText(*(*row, approved and is_active and not row[-1], f"/participants/{participant_id}"))
        for participant_id, approved, is_active, *row in rows
    )


_SESSION = "appearance__session"


@dataclass(frozen=True, slots=True)
class DayMarks:
    """The approved marks of a day's pieces. If they are those of the last session instead, `session` is its title."""

    figures: Figures = NO_PIECES
    session: str = ""


def day_marks(*, since: datetime, until: datetime) -> DayMarks:
    """Return the marks of all pieces in the sessions of a day and in the live session.

    Without any, return those of the last session with marks. One query, or two without marks on that day.
    """
    of_day = Q(**{f"{_SESSION}__starts_at__gte": since, f"{_SESSION}__starts_at__lt": until})
    today = _marks(of_day | Q(**{f"{_SESSION}__is_live": True}))
    if today.figures.count:
        return DayMarks(today.figures)
    newest = PieceMarkCount.objects.filter(count__gt=0).order_by(f"-{_SESSION}__starts_at", f"-{_SESSION}")
    return _marks(Q(**{_SESSION: Subquery(newest.values(_SESSION)[:1])}))


def _marks(which: Q) -> DayMarks:
    """Return the marks of these pieces, with the title of one of their sessions. One query."""
    found = PieceMarkCount.objects.filter(which).values_list("score", f"{_SESSION}__title")
    rows = tuple(found.annotate(times=Sum("count")))
    often = tuple(sum(times for score, _, times in rows if score == mark) for mark in range(1, PIECE_HIGHEST + 1))
    count = sum(often)
    if not count:
        return DayMarks()
    mean = Decimal(sum(mark * times for mark, times in enumerate(often, start=1))) / count
    return DayMarks(Figures(count, rounded(mean), often), rows[0][1])
