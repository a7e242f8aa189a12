"""Deletion of ratings and recommendations, and hiding of comments, with their events."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.services.accounts import accounts_hold
from apps.competition.services.programs import programs_lock
from apps.core.hideable_texts import TextState
from apps.core.permissions import require
from apps.ratings.models import (
    AdvanceRecommendation,
    CoveringChoice,
    DecidedRating,
    DecidingChoice,
    Decision,
    PerformanceRating,
    PieceRating,
    RatingDraft,
    RatingSubmission,
    UncoveredStage,
)
from apps.ratings.permissions import can_moderate
from apps.ratings.services.announcement import ratings_announce, recommendations_announce
from apps.ratings.services.strikes import drafts_keep
from apps.ratings.services.submission import ratings_lock

Row = PieceRating | PerformanceRating | AdvanceRecommendation


def remove(**filters: Any) -> None:
    """Delete all ratings, sheets and recommendations that match `filters`. The caller checks the permission."""
    ratings_lock(**filters)
    RatingDraft.objects.filter(**filters).delete()
    _announce([rating for model in (PieceRating, PerformanceRating) for rating in _delete(model, filters)])
    withdrawn = _delete(AdvanceRecommendation, filters)
    if withdrawn:
        recommendations_announce(*people_and_appearances(withdrawn))


def remove_pieces(appearance_id: int, piece_ids: Collection[int]) -> None:
    """Delete the ratings of these pieces of an appearance; the caller checks the permission."""
    ratings_lock(appearance_id=appearance_id)
    _announce(_delete(PieceRating, {"appearance_id": appearance_id, "piece_id__in": piece_ids}))


def _announce(ratings: Sequence[Any]) -> None:
    """Publish deleted ratings."""
    if ratings:
        public = any(rating.approved for rating in ratings)
        waiting = not all(rating.approved for rating in ratings)
        ratings_announce(*people_and_appearances(ratings), public=public, waiting=waiting)


def _delete(model: type[Row], filters: dict[str, Any]) -> list[Any]:
    """Delete the matching rows of a table and return them."""
    found = model.objects.filter(**filters).select_for_update()
    rows = list(found.order_by("pk"))
    model.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return rows


def people_and_appearances(rows: Sequence[Row]) -> tuple[set[int], set[int]]:
    """Return the authors and the appearances of these rows."""
    return {row.user_id for row in rows}, {row.appearance_id for row in rows}


@transaction.atomic
def appearance_ratings_delete(*, actor: Actor, appearance_id: int) -> None:
    """Delete all ratings and recommendations of an appearance, before it is removed.

    `ratings_of_appearances` counts them. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove(appearance_id=appearance_id)


def appearance_ratings_hold(appearance_id: int) -> None:
    """Wait for ratings of this appearance that are being submitted, and let none begin until the transaction ends.

    Their authors are kept from being deleted (`accounts_hold`).
    """
    rated = RatingSubmission.objects.filter(appearance_id=appearance_id)
    accounts_hold(user_ids=list(rated.values_list("user_id", flat=True)))
    programs_lock(appearance_ids=(appearance_id,))
    ratings_lock(appearance_id=appearance_id)


@transaction.atomic
def appearance_ratings_take_back(*, actor: Actor, appearance_id: int) -> None:
    """Make all submitted ratings of an appearance kept marks of their members: it has not played.

    The caller holds them (`appearance_ratings_hold`). Recommendations stay; like the marks they are closed until it
    plays. Decisions that have removed marks can no longer be undone. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    own = {"appearance_id": appearance_id}
    marks = [mark for model in (PieceRating, PerformanceRating) for mark in _delete(model, own)]
    drafts_keep(marks, are_rejected=False)
    DecidedRating.objects.filter(row__session_participant_id=appearance_id).delete()
    _announce(marks)


@transaction.atomic
def piece_ratings_delete(*, actor: Actor, appearance_id: int, piece_ids: Collection[int]) -> None:
    """Delete all ratings of these pieces of an appearance, before the pieces leave its program.

    `pieces_rated_of` counts them. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove_pieces(appearance_id, piece_ids)


@transaction.atomic
def account_ratings_delete(user_id: int) -> None:
    """Delete an account's ratings, recommendations and what it wants to see. The caller checks the permission."""
    remove(user_id=user_id)
    CoveringChoice.objects.filter(user_id=user_id).delete()
    UncoveredStage.objects.filter(user_id=user_id).delete()
    DecidingChoice.objects.filter(user_id=user_id).delete()


@transaction.atomic
def account_decisions_forget(user_id: int) -> None:
    """Delete stored decisions about an account's marks, and remove the account from its own decisions."""
    DecidedRating.objects.filter(user_id=user_id).delete()
    Decision.objects.filter(user_id=user_id).update(user=None)


@transaction.atomic
def rating_comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these ratings until the transaction ends and return the states of their comments, by id.

    A comment is public if it is not hidden, its rating is approved and its author's account is open.
    """
    found = PerformanceRating.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "approved", "is_author_active", "is_comment_hidden")
    return {
        pk: TextState(user_id, approved and is_open and not hidden) for pk, user_id, approved, is_open, hidden in rows
    }


@transaction.atomic
def rating_comments_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide the comments of these ratings of performances, or restore them."""
    found = PerformanceRating.objects.filter(pk__in=ids, is_comment_hidden=not hidden)
    rows = list(found.order_by("pk"))
    found.update(is_comment_hidden=hidden)
    if rows:
        public, waiting = any(row.approved for row in rows), not all(row.approved for row in rows)
        ratings_announce(*people_and_appearances(rows), public=public, waiting=waiting)
