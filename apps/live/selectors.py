"""Reads of comments and reactions: frozen results, the same for every viewer.

Hidden comments appear only in results for administrators and for their author.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet, Sum
from django.db.models.functions import Left

from apps.competition.selectors.public.subjects import Subject
from apps.core.database.newest import newest_ids
from apps.core.hideable_texts import HideableText
from apps.live.enums import Reaction
from apps.live.limits import (
    APPLAUSE_SECONDS,
    COMMENTS_SHOWN,
    CURVE_SLICE_SECONDS,
    CURVE_SLICES,
    REACTIONS_LATELY,
    WORDS_LENGTH,
)
from apps.live.models import CommentCount, ReactionTotal, SessionComment, SessionReaction

_COLUMNS = ("id", "user_id", "user__username", "user__avatar_url", "content", "created_at")
_HIDEABLE = (
    "session_id",
    "session__title",
    "appearance__participant__name",
    "id",
    "user_id",
    "user__username",
    "content",
    "created_at",
    "is_hidden",
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in a list."""

    id: int
    author_id: int
    author: str  # the username
    avatar_url: str
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Comments:
    """The newest comments on a session, and the number of all."""

    newest: tuple[Comment, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Reactions:
    """Number of taps by type: in the last REACTIONS_LATELY seconds, and since the session began."""

    lately: Mapping[Reaction, int]
    totals: Mapping[Reaction, int]


@dataclass(frozen=True, slots=True)
class ReactionCurve:
    """Number of reactions of all types in each slice of an appearance's time on stage, by all accounts.

    `applause` are the hearts and thumbs up among them.
    """

    counts: tuple[int, ...]  # at most CURVE_SLICES
    slice_seconds: int
    seconds: int  # on stage, so far
    is_on_stage: bool
    applause: tuple[int, ...] = ()  # as many as `counts`


@dataclass(frozen=True, slots=True)
class Word:
    """A comment or post about a performance, by its beginning."""

    subject: Subject
    id: int  # among the comments, or among the posts
    author: str  # the username, empty for a former member
    avatar_url: str
    text: str  # the first WORDS_LENGTH characters
    is_whole: bool  # whether that is the whole text
    created_at: datetime
    is_comment: bool  # written while the performer was on stage
    path: str  # the address of the page that shows it


# the columns of a text's subject, id and time
WORD_OF = (
    *("appearance_id", "appearance__participant_id", "appearance__participant__name"),
    *("appearance__session_id", "appearance__session__title", "id", "created_at"),
)


def _of(session_id: int) -> "QuerySet[SessionComment]":
    """Return the public comments of a session."""
    return SessionComment.objects.filter(session_id=session_id, is_hidden=False)


def session_comments(*, session_id: int) -> Comments:
    """Return the newest COMMENTS_SHOWN comments on a session, newest first, with the number of all. Two queries."""
    newest = comments_before(session_id=session_id, limit=COMMENTS_SHOWN)
    total = _comments_counted(session_id, is_hidden=False) if len(newest) == COMMENTS_SHOWN else len(newest)
    return Comments(newest, total)


def _comments_counted(session_id: int, **conditions: bool) -> int:
    """Return the number of comments on a session, optionally only those with this `is_hidden`. One query."""
    return CommentCount.objects.filter(session_id=session_id, **conditions).aggregate(all=Sum("count"))["all"] or 0


def comments_before(*, session_id: int, before_id: int | None = None, limit: int) -> tuple[Comment, ...]:
    """Return at most `limit` comments, newest first; with `before_id` only older ones. One query."""
    found = _of(session_id) if before_id is None else _of(session_id).filter(id__lt=before_id)
    return tuple(Comment(*row) for row in found.order_by("-id").values_list(*_COLUMNS)[:limit])


def comment_range(*, session_id: int, from_id: int, below_id: int) -> tuple[Comment, ...]:
    """Return the comments with `from_id` <= id < `below_id` that are not among the newest. One query."""
    newest = _of(session_id).order_by("-id").values("id")[:COMMENTS_SHOWN]
    found = _of(session_id).filter(id__gte=from_id, id__lt=below_id).exclude(id__in=newest)
    return tuple(Comment(*row) for row in found.order_by("-id").values_list(*_COLUMNS))


def comments_left(*, session_id: int, from_id: int) -> tuple[Comment, ...]:
    """Return the comments from `from_id` on that are no longer among the newest, newest first. One query."""
    found = _of(session_id).filter(id__gte=from_id).order_by("-id")
    return tuple(Comment(*row) for row in found.values_list(*_COLUMNS)[COMMENTS_SHOWN:])


def comments_about(*, appearance_ids: Collection[int], limit: int) -> tuple[Word, ...]:
    """Return the newest comments that were written during these performances, newest first. One query."""
    newest = newest_ids("session_comments", "session_participant_id", appearance_ids, limit)
    found = SessionComment.objects.filter(pk__in=newest, is_hidden=False).order_by("-created_at", "-id")
    columns = (*WORD_OF, "user__username", "user__avatar_url", Left("content", WORDS_LENGTH + 1))
    return tuple(word_of(row, is_comment=True) for row in found.values_list(*columns))


def word_of(row: tuple[Any, ...], *, is_comment: bool) -> Word:
    """Return the word of a row with WORD_OF, the author's name and picture, and one more character than is shown."""
    *subject, pk, created_at, author, avatar_url, text = row
    about = Subject(*subject)
    return Word(
        subject=about,
        id=pk,
        author=author,
        avatar_url=avatar_url,
        text=text[:WORDS_LENGTH].rstrip(),
        is_whole=len(text) <= WORDS_LENGTH,
        created_at=created_at,
        is_comment=is_comment,
        path=f"/sessions/{about.session_id}#comments" if is_comment else f"/community?post={pk}",
    )


# statement_timestamp() is constant for the planner, so that it can use the index.
REACTIONS = """
SELECT type, 0, total FROM session_reaction_totals WHERE session_id = %(session)s
UNION ALL
SELECT type, count(*), 0 FROM session_reactions
WHERE session_id = %(session)s AND timestamp > ((extract(epoch FROM statement_timestamp()) - %(window)s) * 1000)::bigint
    AND timestamp <= ((extract(epoch FROM statement_timestamp()) + 1) * 1000)::bigint  -- not by a clock that was ahead
GROUP BY type
"""


def reactions_now(*, session_id: int) -> Reactions:
    """Return the number of a session's reactions in the last seconds and in all. One query."""
    lately, totals = dict.fromkeys(Reaction, 0), dict.fromkeys(Reaction, 0)
    with connection.cursor() as cursor:
        cursor.execute(REACTIONS, {"session": session_id, "window": REACTIONS_LATELY})
        for name, now, ever in cursor.fetchall():
            lately[Reaction(name)] += now
            totals[Reaction(name)] += ever
    return Reactions(lately, totals)


# A second belongs to the appearance that came on stage in it or before and has not left, so each tap counts once. A
# lateral join looks up each time on stage by the index. A time on stage that began in the future is empty: the clock
# was set back since.
CURVES = """
WITH stays AS (
    SELECT appearance.id, appearance.session_id, stay.ended_at IS NULL AS lasts,
        floor(extract(epoch FROM stay.began_at))::bigint AS began,
        floor(extract(epoch FROM greatest(stay.began_at,
            coalesce(stay.ended_at, statement_timestamp() + interval '1 s'))))::bigint AS ended
    FROM performing_times AS stay JOIN session_participants AS appearance ON appearance.id = stay.session_participant_id
    WHERE stay.session_participant_id = ANY(%(appearances)s)
), along AS (
    SELECT *, bool_or(lasts) OVER of_one AS is_on_stage,
        (sum(ended - began) OVER of_one)::bigint AS seconds,
        (sum(ended - began) OVER (of_one ORDER BY began, ended ROWS UNBOUNDED PRECEDING))::bigint AS seconds_with
    FROM stays WINDOW of_one AS (PARTITION BY id)
), cut AS (
    SELECT *, coalesce(
        (SELECT min(step) FROM unnest(%(steps)s::bigint[]) AS step WHERE step * %(slices)s >= seconds),
        (seconds + %(slices)s - 1) / %(slices)s
    ) AS slice
    FROM along
)
SELECT cut.id, is_on_stage, seconds, slice, found.nth, found.count, found.applause
FROM cut LEFT JOIN LATERAL (
    SELECT (seconds_with - ended + moment.second) / slice AS nth, sum(moment.count)::bigint AS count,
        sum(moment.applause)::bigint AS applause
    FROM session_reaction_moments AS moment
    WHERE moment.session_id = cut.session_id AND moment.second >= began AND moment.second < ended
    GROUP BY 1
) AS found ON true
"""


def reaction_curves(*, appearance_ids: Collection[int]) -> Mapping[int, ReactionCurve]:
    """Return the reaction curve of each appearance that has been on stage, by id. One query.

    Several times on stage are joined without the gaps between them.
    """
    steps = list(CURVE_SLICE_SECONDS)
    parameters: dict[str, Any] = {"appearances": list(appearance_ids), "steps": steps, "slices": CURVE_SLICES}
    curves: dict[int, ReactionCurve] = {}
    with connection.cursor() as cursor:
        cursor.execute(CURVES, parameters)
        both: dict[int, tuple[list[int], list[int]]] = {}
        for pk, is_on_stage, seconds, slice_seconds, nth, count, of_them in cursor.fetchall():
            nothing = [0] * max(1, -(-seconds // slice_seconds))
            counts, applause = both.setdefault(pk, (nothing, [*nothing]))
            if nth is not None:
                counts[nth] += count
                applause[nth] += of_them
            curves[pk] = ReactionCurve((), slice_seconds, seconds, is_on_stage)
    return {pk: replace(curve, counts=tuple(both[pk][0]), applause=tuple(both[pk][1])) for pk, curve in curves.items()}


# The sum of the applause in the seconds from each one on; several times on stage are joined as in CURVES.
APPLAUSE = """
WITH stays AS (
    SELECT appearance.id, appearance.session_id,
        floor(extract(epoch FROM stay.began_at))::bigint AS began,
        floor(extract(epoch FROM greatest(stay.began_at,
            coalesce(stay.ended_at, statement_timestamp() + interval '1 s'))))::bigint AS ended
    FROM performing_times AS stay JOIN session_participants AS appearance ON appearance.id = stay.session_participant_id
    WHERE stay.session_participant_id = ANY(%(appearances)s)
), along AS (
    SELECT *, (sum(ended - began) OVER (
        PARTITION BY id ORDER BY began, ended ROWS UNBOUNDED PRECEDING
    ))::bigint - ended AS shift
    FROM stays
), applauded AS (
    SELECT along.id, along.shift + found.second AS second, found.applause
    FROM along CROSS JOIN LATERAL (
        SELECT moment.second, moment.applause FROM session_reaction_moments AS moment
        WHERE moment.session_id = along.session_id AND moment.second >= began AND moment.second < ended
            AND moment.applause > 0
        OFFSET 0  -- read by the index for each time on stage, never joined with the whole table
    ) AS found
), together AS (
    SELECT id, second, sum(applause) OVER (
        PARTITION BY id ORDER BY second RANGE BETWEEN CURRENT ROW AND %(seconds)s::bigint - 1 FOLLOWING
    )::bigint AS count
    FROM applauded
)
SELECT DISTINCT ON (id) id, second, count FROM together ORDER BY id, count DESC, second
"""


@dataclass(frozen=True, slots=True)
class Applauded:
    """The most applauded APPLAUSE_SECONDS of an appearance: its hearts and thumbs up from a `second` on.

    Seconds count the time on stage; several times are joined without the gaps between them.
    """

    appearance_id: int
    second: int
    count: int


def applauded_most(*, appearance_ids: Collection[int]) -> tuple[Applauded, ...]:
    """Return the most applauded moment of each appearance that has one, the most applauded first. One query.

    Of equal moments of one appearance it is the earlier one.
    """
    with connection.cursor() as cursor:
        cursor.execute(APPLAUSE, {"appearances": list(appearance_ids), "seconds": APPLAUSE_SECONDS})
        found = [Applauded(*row) for row in cursor.fetchall()]
    return tuple(sorted(found, key=lambda each: (-each.count, each.appearance_id)))


def audience_of(*, session_id: int) -> tuple[int, int]:
    """Return the number of comments on a session, including hidden ones, and of reactions since it began.

    Two queries.
    """
    reactions = ReactionTotal.objects.filter(session_id=session_id).aggregate(all=Sum("total"))["all"]
    return _comments_counted(session_id), reactions or 0


def comments_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return these comments, hidden or not, by id. One query."""
    return {comment.id: comment for comment in _texts(SessionComment.objects.filter(id__in=ids))}


def comments_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return a user's hidden comments, newest first. One query."""
    return _texts(SessionComment.objects.filter(user_id=user_id, is_hidden=True).order_by("-id")[:limit])


def _texts(found: "QuerySet[SessionComment]") -> tuple[HideableText, ...]:
    rows = found.values_list(*_HIDEABLE)
    return tuple(
        HideableText(*(*row, not row[-1], f"/sessions/{session_id}", "", f"{performer}, {title}" if performer else ""))
        for session_id, title, performer, *row in rows
    )


def live_own(*, user_id: int) -> dict[str, list[dict[str, object]]]:
    """Return a user's comments and reactions as JSON-serialisable values. Two queries."""
    comments = SessionComment.objects.filter(user_id=user_id).order_by("id")
    reactions = SessionReaction.objects.filter(user_id=user_id).order_by("id")
    return {
        "session_comments": [
            {
                "session": session,
                "during": performer,  # None in an interval
                "content": content,
                "created_at": created_at.isoformat(),
                "is_hidden": hidden,
            }
            for session, content, created_at, hidden, performer in comments.values_list(
                "session__title", "content", "created_at", "is_hidden", "appearance__participant__name"
            )
        ],
        "session_reactions": [
            {"session": session, "type": kind, "timestamp": timestamp}
            for session, kind, timestamp in reactions.values_list("session__title", "type", "timestamp")
        ],
    }
