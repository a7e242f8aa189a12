"""Submission of the rating form in one transaction, and of recommendations."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor, Viewer
from apps.accounts.services.accounts import account_lock, accounts_hold
from apps.competition.selectors.public.programs import appearance_program
from apps.competition.services.programs import programs_hold
from apps.core.database.fields import database_now
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules import text_clean
from apps.ratings.enums import Advance, QuickRating, RatingKind
from apps.ratings.events import DraftChanged
from apps.ratings.limits import COMMENT_LENGTH, PERFORMANCE_HIGHEST, PIECE_HIGHEST, RATINGS
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating, RatingSubmission
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.services.announcement import ratings_announce, recommendations_announce
from apps.ratings.services.at_once import pieces_approve
from apps.ratings.services.origins import origin_store
from apps.ratings.services.strikes import Strikes, strikes_write


def rater_require(actor: Actor, message: str) -> int:
    """Return the id of the actor's active account, locked until the transaction ends.

    Raises PermissionDenied with `message` for anonymous visitors, operators, and inactive or deleted accounts.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    require(account_lock(user_id=user_id), message)
    return user_id or 0


ORDER = ("user_id", "appearance_id")
_OF_MARKS = """
SELECT 1 FROM rating_submissions WHERE (user_id, session_participant_id) IN (
    SELECT user_id, session_participant_id FROM piece_ratings WHERE id = ANY(%(piece)s)
    UNION ALL SELECT user_id, session_participant_id FROM performance_ratings WHERE id = ANY(%(performance)s)
) ORDER BY user_id, session_participant_id FOR UPDATE
"""
_AUTHORS = """
SELECT user_id FROM piece_ratings WHERE id = ANY(%(piece)s)
UNION SELECT user_id FROM performance_ratings WHERE id = ANY(%(performance)s)
"""
_OF_DECISION = """
SELECT 1 FROM rating_submissions WHERE (user_id, session_participant_id) IN (
    SELECT mark.user_id, mark.session_participant_id
    FROM decided_ratings AS decided JOIN piece_ratings AS mark ON mark.id = decided.rating_id
    WHERE decided.decision_id = %(decision_id)s AND decided.kind = 'piece'
    UNION ALL
    SELECT mark.user_id, mark.session_participant_id
    FROM decided_ratings AS decided JOIN performance_ratings AS mark ON mark.id = decided.rating_id
    WHERE decided.decision_id = %(decision_id)s AND decided.kind = 'performance'
    UNION ALL
    SELECT user_id, (row ->> 'session_participant_id')::bigint
    FROM decided_ratings WHERE decision_id = %(decision_id)s AND row IS NOT NULL
) ORDER BY user_id, session_participant_id FOR UPDATE
"""


def ratings_lock(**filters: Any) -> None:
    """Lock the ratings that match `filters` until the transaction ends."""
    list(RatingSubmission.objects.filter(**filters).order_by(*ORDER).select_for_update().values_list("pk"))


def ratings_of_marks_lock(marks: Mapping[RatingKind, Collection[int]]) -> None:
    """Lock the ratings with these marks (ids by kind) until the transaction ends, and prevent deletion of authors."""
    ids = {kind.value: list(marks.get(kind, ())) for kind in RatingKind}
    with connection.cursor() as cursor:
        cursor.execute(_AUTHORS, ids)
        accounts_hold(user_ids=[user_id for (user_id,) in cursor.fetchall()])
        cursor.execute(_OF_MARKS, ids)


def ratings_of_decision_lock(decision_id: int) -> None:
    """Lock the ratings with marks of this decision until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_DECISION, {"decision_id": decision_id})


SIGN_IN = "Sign in to rate performances."
TOO_LONG = "A comment has at most 2,000 characters."
UNKNOWN_QUICK = "This quick rating is not one of those to choose from."
NOT_BEGUN = "You can rate once it begins."
SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."


@transaction.atomic
def ratings_submit(
    *,
    actor: Actor,
    appearance_id: int,
    pieces: Mapping[int, int],
    score: int,
    comment: str,
    quick_rating: str = "",
    age: float = 0.0,
    client: str = "",
) -> str:
    """Store the actor's marks for a performance and its pieces (by piece id) and return the sentence to show.

    `age` are the seconds since the actor pressed the button; a browser repeats a submit after a cut. `client` is the
    address that submits, as `address_key` returns it: only a digest of its block is stored (`origins.py`).
    Changed marks await approval again and equal ones stay approved; a setting may approve those of pieces at once
    (`at_once.py`). A piece without a mark keeps its earlier one.
    Raises PermissionDenied, and ValidationError for invalid values and before the performance has begun; the
    transaction then stores no mark.
    """
    user_id = rater_require(actor, SIGN_IN)
    comment_clean = text_clean(comment)
    _marks_require(pieces, score)
    _words_require(comment_clean, quick_rating)
    program = programs_hold(appearance_ids=(appearance_id,))  # first: a call that is taken back locks it
    appearance = appearance_program(appearance_id=appearance_id)
    if appearance is None or not {(appearance_id, piece_id) for piece_id in pieces} <= program:
        raise ValidationError("The program of this performance has changed. Please look at it again.")
    if not appearance.has_begun:
        raise ValidationError(NOT_BEGUN)
    rate_limit_take(RATINGS, account_id=user_id)
    ratings_lock(user_id=user_id, appearance_id=appearance_id)
    now = database_now()
    strikes = Strikes.of_submitted(pieces, score, comment_clean, quick_rating, age)
    strikes_write(user_id, appearance_id, strikes)
    before = [
        *_pieces_write(user_id, appearance_id, pieces, now),
        *_performance_write(
            PerformanceRating(
                user_id=user_id,
                appearance_id=appearance_id,
                score=score,
                comment=comment_clean,
                quick_rating=quick_rating,
                created_at=now,
                updated_at=now,
            )
        ),
    ]
    origin_store(user_id=user_id, appearance_id=appearance_id, client=client)
    of = {"appearance_id": appearance.id, "participant_id": appearance.participant_id}
    are_approved = pieces_approve(user_id=user_id, **of)
    if before or are_approved:
        ratings_announce((user_id,), (appearance.id,), public=any(before) or are_approved, waiting=True)
    else:
        publish(DraftChanged(user_id))  # the sheet may have differed from the stored rating
    return SUBMITTED


@transaction.atomic
def rating_send(*, actor: Actor, appearance_id: int, client: str = "") -> str:
    """Submit what the actor has struck for a performance, as its form would, and return the sentence to show.

    Raises PermissionDenied, and ValidationError, as `ratings_submit`.
    """
    user_id = rater_require(actor, SIGN_IN)
    own = ratings_own(user_id=user_id, appearance_ids=(appearance_id,)).get(appearance_id, OwnRatings())
    return ratings_submit(
        actor=actor,
        appearance_id=appearance_id,
        pieces=own.marks,
        score=own.score,
        comment=own.comment,
        quick_rating=own.quick_rating,
        client=client,
    )


def _marks_require(pieces: Mapping[int, int], score: int) -> None:
    """Raise ValidationError unless at least one piece and the whole performance have a mark, all within range."""
    if not pieces:
        raise ValidationError("Give at least one piece a mark.")
    if not all(1 <= mark <= PIECE_HIGHEST for mark in pieces.values()):
        raise ValidationError("A piece is marked from 1 to 25.")
    if not 1 <= score <= PERFORMANCE_HIGHEST:
        raise ValidationError("The whole performance is marked from 1 to 5.")


def _words_require(comment: str, quick_rating: str) -> None:
    """Raise ValidationError for an empty or too long comment, or an unknown quick rating."""
    if not comment:
        raise ValidationError("Write a comment as well.")
    if len(comment) > COMMENT_LENGTH:
        raise ValidationError(TOO_LONG)
    if quick_rating not in {"", *QuickRating.values}:
        raise ValidationError(UNKNOWN_QUICK)


def _pieces_write(user_id: int, appearance_id: int, pieces: Mapping[int, int], now: datetime) -> list[bool]:
    """Store the changed marks; return for each whether its previous version was approved."""
    mine = PieceRating.objects.filter(user_id=user_id, appearance_id=appearance_id, piece_id__in=pieces)
    given = {rating.piece_id: rating for rating in mine.select_for_update().order_by("pk")}
    changed = [pk for pk, mark in sorted(pieces.items()) if pk not in given or given[pk].score != mark]
    rows = [
        PieceRating(
            user_id=user_id,
            appearance_id=appearance_id,
            piece_id=pk,
            score=pieces[pk],
            created_at=now,
            updated_at=now,
        )
        for pk in changed
    ]
    PieceRating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "appearance", "piece"],
        update_fields=["score", "approved", "updated_at"],
    )
    return [pk in given and given[pk].approved for pk in changed]


def _performance_write(new: PerformanceRating) -> list[bool]:
    """Store the performance rating if it has changed; return then whether its previous version was approved."""
    mine = PerformanceRating.objects.filter(user_id=new.user_id, appearance_id=new.appearance_id)
    given = mine.select_for_update().first()
    if given and (given.score, given.comment, given.quick_rating) == (new.score, new.comment, new.quick_rating):
        return []
    # an unchanged comment stays hidden; a changed one awaits approval, where a moderator reads it
    new.is_comment_hidden = given is not None and given.is_comment_hidden and given.comment == new.comment
    PerformanceRating.objects.bulk_create(
        [new],
        update_conflicts=True,
        unique_fields=["user", "appearance"],
        update_fields=["score", "comment", "quick_rating", "is_comment_hidden", "approved", "updated_at"],
    )
    return [given is not None and given.approved]


RECOMMENDATION_SAVED = "Your recommendation has been saved!"
RECOMMENDATION_WITHDRAWN = "Your recommendation has been withdrawn."
RECOMMENDATION_FAILED = "Failed to save recommendation. Please try again."


@transaction.atomic
def recommendation_set(*, actor: Actor, appearance_id: int, recommendation: str, is_withdrawn: bool = True) -> str:
    """Save the actor's recommendation for a performance, and return the sentence to show.

    An equal one is withdrawn, unless `is_withdrawn` is false.

    Raises PermissionDenied, and ValidationError for an unknown performance or value, before the performance has begun,
    and once it is published who advances.
    """
    user_id = rater_require(actor, "Sign in to recommend who should advance.")
    appearance = appearance_program(appearance_id=appearance_id)
    if appearance is None or recommendation not in Advance.values:
        raise ValidationError(RECOMMENDATION_FAILED)
    if not appearance.has_begun:
        raise ValidationError("You can recommend once the performance begins.")
    if appearance.is_decided:
        raise ValidationError("It has been announced who advances, so recommendations are closed.")
    rate_limit_take(RATINGS, account_id=user_id)
    mine = AdvanceRecommendation.objects.filter(user_id=user_id, appearance_id=appearance.id)
    withdrawn, _ = mine.filter(recommendation=recommendation).delete() if is_withdrawn else (0, {})
    if not withdrawn:
        _save(AdvanceRecommendation(user_id=user_id, appearance_id=appearance.id, recommendation=recommendation))
    recommendations_announce((user_id,), (appearance.id,))
    return RECOMMENDATION_WITHDRAWN if withdrawn else RECOMMENDATION_SAVED


def _save(new: AdvanceRecommendation) -> None:
    """Store a recommendation, replacing this person's previous one for the performance."""
    AdvanceRecommendation.objects.bulk_create(
        [new],
        update_conflicts=True,
        unique_fields=["user", "appearance"],
        update_fields=["recommendation", "updated_at"],
    )
