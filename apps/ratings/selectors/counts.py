"""Counts of ratings: waiting marks, ratings of a performance, recommendations, marks of a stage."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q, Sum

from apps.ratings.enums import Advance, RatingKind
from apps.ratings.models import (
    AdvanceRecommendation,
    CoveringChoice,
    DecidingChoice,
    DraftMark,
    PerformanceRating,
    PerformanceRatingCount,
    PieceRating,
    PieceRatingCount,
    RatingDraft,
    RatingOrigin,
    RatingSubmissionCount,
    RecommendationCount,
    UncoveredStage,
)


@dataclass(frozen=True, slots=True)
class RecommendationCounts:
    """The numbers of recommendations for and against advancing a participant after a performance."""

    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class AppearanceCounts:
    """The numbers of a performance's marks, approved or not, and recommendations, including closed accounts."""

    piece_ratings: int
    performance_ratings: int
    recommendations: int

    @property
    def any(self) -> bool:
        """Whether any of the numbers is positive."""
        return bool(self.piece_ratings or self.performance_ratings or self.recommendations)


def recommendation_counts(*, appearance_ids: Sequence[int]) -> Mapping[int, RecommendationCounts]:
    """Return the recommendations of these performances by appearance id, without empty ones. One query."""
    return _recommendations(appearance_id__in=appearance_ids)


def stage_recommendations(*, stage_id: int) -> Mapping[int, RecommendationCounts]:
    """Return the recommendations of a stage's performances by appearance id, without empty ones. One query."""
    return _recommendations(appearance__session__stage=stage_id)


def _recommendations(**which: object) -> Mapping[int, RecommendationCounts]:
    found = RecommendationCount.objects.filter(is_author_active=True, **which)
    counted = found.values_list("appearance_id").annotate(
        up=Sum("count", filter=Q(recommendation=Advance.UP), default=0),
        down=Sum("count", filter=Q(recommendation=Advance.DOWN), default=0),
    )
    return {appearance_id: RecommendationCounts(up, down) for appearance_id, up, down in counted if up or down}


def ratings_of_appearances(*, appearance_ids: Sequence[int]) -> Mapping[int, AppearanceCounts]:
    """Return the counts that would be deleted with these appearances, by id, without empty ones. Three queries."""
    counts = [
        _counts_by_appearance(model, appearance_ids)
        for model in (PieceRatingCount, PerformanceRatingCount, RecommendationCount)
    ]
    found = sorted({appearance_id for counted in counts for appearance_id in counted})
    return {
        appearance_id: AppearanceCounts(*(counted.get(appearance_id, 0) for counted in counts))
        for appearance_id in found
    }


def ratings_submitted(*, appearance_ids: Collection[int]) -> Mapping[int, int]:
    """Return the number of submitted ratings of these performances, by appearance id, without zeros. One query."""
    return _counts_by_appearance(RatingSubmissionCount, appearance_ids)


def pieces_rated_of(*, appearance_id: int) -> Mapping[int, int]:
    """Return the number of marks of each rated piece of this performance, by piece id. One query."""
    found = PieceRatingCount.objects.filter(appearance_id=appearance_id).values_list("piece_id")
    return {piece_id: count for piece_id, count in found.annotate(all=Sum("count")) if count}


def _counts_by_appearance(
    model: type[PieceRatingCount | PerformanceRatingCount | RatingSubmissionCount | RecommendationCount],
    appearance_ids: Collection[int],
) -> Mapping[int, int]:
    """Return the number of rows of each of these performances, by appearance id, without zeros."""
    found = model.objects.filter(appearance__in=appearance_ids)
    counted = found.values_list("appearance_id").annotate(all=Sum("count"))
    return {appearance_id: count for appearance_id, count in counted if count}


def waiting_counts() -> Mapping[RatingKind, int]:
    """Return the number of ratings with marks that await approval, by kind of mark. Two queries."""
    return {
        RatingKind.PIECE: ratings_count(RatingKind.PIECE, Q(waiting_pieces__gt=0)),
        RatingKind.PERFORMANCE: ratings_count(RatingKind.PERFORMANCE, Q(approved=False, is_author_active=True)),
    }


def ratings_count(kind: RatingKind, which: Q) -> int:
    """Return the number of ratings with marks of this kind; `which` filters the kind's count table. One query."""
    table: type[RatingSubmissionCount | PerformanceRatingCount] = (
        RatingSubmissionCount if kind == RatingKind.PIECE else PerformanceRatingCount
    )
    return table.objects.filter(which).aggregate(all=Sum("count"))["all"] or 0


# Marks of the pieces in the current program; a piece that occurs several times in the program counts once.
_STAGE_MARKS = """
WITH program AS (
    SELECT entry.session_participant_id AS appearance_id, entry.piece_id, session.stage_id, appearance.is_repeated,
        count(*) OVER (PARTITION BY entry.session_participant_id) AS pieces
    FROM session_participant_pieces AS entry
    JOIN session_participants AS appearance ON appearance.id = entry.session_participant_id
    JOIN sessions AS session ON session.id = appearance.session_id
    WHERE {which}
    GROUP BY entry.session_participant_id, entry.piece_id, session.stage_id, appearance.is_repeated
)
SELECT program.stage_id, mark.user_id, mark.session_participant_id, program.pieces,
    count(*) FILTER (WHERE mark.approved), coalesce(sum(mark.score) FILTER (WHERE mark.approved), 0),
    count(*) FILTER (WHERE NOT mark.approved), max(mark.updated_at), bool_and(coalesce(struck.blind, false)),
    program.is_repeated
FROM program
JOIN piece_ratings AS mark
    ON mark.session_participant_id = program.appearance_id AND mark.piece_id = program.piece_id
LEFT JOIN rating_drafts AS sheet
    ON sheet.user_id = mark.user_id AND sheet.session_participant_id = mark.session_participant_id
LEFT JOIN draft_marks AS struck ON struck.draft_id = sheet.id AND struck.piece_id = mark.piece_id
WHERE mark.is_author_active AND {whose}
GROUP BY program.stage_id, mark.user_id, mark.session_participant_id, program.pieces, program.is_repeated
"""
_OF_STAGE = _STAGE_MARKS.format(which="session.stage_id = %s", whose="true")
_OF_SOME = _STAGE_MARKS.format(which="session.stage_id = %s", whose="mark.user_id = ANY(%s)")
_RATED = "entry.session_participant_id IN (SELECT session_participant_id FROM piece_ratings WHERE user_id = %(user)s)"
_OF_ACCOUNT = _STAGE_MARKS.format(
    which=f"{_RATED} AND (%(stages)s::bigint[] IS NULL OR session.stage_id = ANY(%(stages)s))",
    whose="mark.user_id = %(user)s",
)


@dataclass(frozen=True, slots=True)
class StageMark:
    """One person's marks of the pieces of one performance: approved and waiting ones, and the approved points."""

    user_id: int
    appearance_id: int
    pieces: int  # of the program
    approved: int
    points: int
    waiting: int
    given_at: datetime  # time of the newest mark
    blind: bool = False  # whether the audience's figures were covered when each of the marks was first kept
    is_repeated: bool = False  # whether the performance is repeated, so that its marks are not ranked


def stage_marks(*, stage_id: int, user_ids: Collection[int] | None = None) -> tuple[StageMark, ...]:
    """Return the marks by open accounts of a stage's performances, approved or not. One query over the whole stage.

    `user_ids` limits them to some accounts; None is for all.
    """
    values: list[Any] = [stage_id] if user_ids is None else [stage_id, list(user_ids)]
    with connection.cursor() as cursor:
        cursor.execute(_OF_STAGE if user_ids is None else _OF_SOME, values)
        return tuple(StageMark(*row) for _stage_id, *row in cursor.fetchall())


# A block of a single account is no link between accounts.
_BLOCKS = """
SELECT digest, array_agg(user_id), array_agg(session_participant_id)
FROM rating_origins WHERE stage_id = %s GROUP BY digest HAVING min(user_id) < max(user_id)
"""


def stage_blocks(*, stage_id: int) -> Mapping[tuple[int, int], str]:
    """Return the digest of the address block of ratings of a stage, by account and appearance. One query.

    Ratings of unknown and venue addresses are left out, and blocks of a single account.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BLOCKS, [stage_id])
        return {
            rating: digest
            for digest, users, appearances in cursor.fetchall()
            for rating in zip(users, appearances, strict=True)
        }


def account_stage_marks(
    *, user_id: int, stage_ids: Collection[int] | None = None
) -> Mapping[int, tuple[StageMark, ...]]:
    """Return an open account's marks of these stages, approved or not, by stage id; None is for all. One query."""
    marks: dict[int, list[StageMark]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_OF_ACCOUNT, {"user": user_id, "stages": None if stage_ids is None else list(stage_ids)})
        for stage_id, *row in cursor.fetchall():
            marks[stage_id].append(StageMark(*row))
    return {stage_id: tuple(of_stage) for stage_id, of_stage in marks.items()}


def pieces_marked(*, appearance_id: int) -> Mapping[str, AbstractSet[int]]:
    """Return, by username, the pieces of a performance with approved marks of open accounts. One query."""
    marked: dict[str, set[int]] = defaultdict(set)
    found = PieceRating.objects.filter(appearance=appearance_id, approved=True, is_author_active=True)
    for username, piece_id in found.order_by("user__username").values_list("user__username", "piece_id"):
        marked[username].add(piece_id)
    return marked


_PERFORMANCE = ("appearance__session__title", "appearance__participant__name")
_RATING = (*_PERFORMANCE, "score", "approved", "created_at", "updated_at")
_DRAFT = (
    *_PERFORMANCE,
    *("score", "score_at", "comment", "comment_at", "quick_rating", "quick_at", "is_rejected", "shown_at"),
    *("was_submitted", "rejected_at"),
)
_DRAFT_MARK = (
    *(f"draft__{column}" for column in _PERFORMANCE),
    *("piece__name", "score", "struck_at", "is_rejected", "blind"),
)
_NAMES = {
    "stage__name": "stage",
    "draft__appearance__session__title": "session",
    "draft__appearance__participant__name": "participant",
    "appearance__session__title": "session",
    "appearance__participant__name": "participant",
    "piece__name": "piece",
}


def account_ratings_export(user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return an account's ratings and recommendations by table, oldest first, ready for JSON. Eight queries."""
    wanted = (
        ("piece_ratings", PieceRating, (*_RATING, "piece__name")),
        ("performance_ratings", PerformanceRating, (*_RATING, "comment", "quick_rating", "is_comment_hidden")),
        (
            "advance_recommendations",
            AdvanceRecommendation,
            (*_PERFORMANCE, "recommendation", "created_at", "updated_at"),
        ),
    )
    found = {
        table: model.objects.filter(user_id=user_id).order_by("created_at", "pk").values(*columns)
        for table, model, columns in wanted
    }
    found["rating_drafts"] = RatingDraft.objects.filter(user_id=user_id).order_by("pk").values(*_DRAFT)
    marks = DraftMark.objects.filter(draft__user_id=user_id).order_by("draft", "pk")
    found["draft_marks"] = marks.values(*_DRAFT_MARK)
    found["covering_choices"] = CoveringChoice.objects.filter(user_id=user_id).values("ears_first")
    found["deciding_choices"] = DecidingChoice.objects.filter(user_id=user_id).values("whole_too", "pieces_too")
    stages = UncoveredStage.objects.filter(user_id=user_id).order_by("pk")
    found["uncovered_stages"] = stages.values("stage__name", "shown_at")
    return {
        table: [{_NAMES.get(column, column): _plain(value) for column, value in row.items()} for row in rows]
        for table, rows in found.items()
    }


def origins_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the digests of the address blocks of an account's ratings, oldest first, ready for JSON. One query."""
    found = RatingOrigin.objects.filter(user_id=user_id).order_by("pk").values(*_PERFORMANCE, "digest")
    return {"rating_origins": [{_NAMES.get(column, column): value for column, value in row.items()} for row in found]}


def _plain(value: Any) -> Any:
    """Return a value for JSON: a time in ISO 8601."""
    return value.isoformat() if isinstance(value, datetime) else value
